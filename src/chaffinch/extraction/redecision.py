"""The decision again, by another favour or policy: nothing is read or parsed anew."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from chaffinch.errors import OptionError
from chaffinch.extraction.prepared_method import with_options
from chaffinch.extraction.trip import extract_by, extract_selected
from chaffinch.result import DROPPED_BY_SELECTOR, KEPT_BY_SELECTOR

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chaffinch.decision.policy import Policy
    from chaffinch.extraction.extract import Extract
    from chaffinch.extraction.found_content import FoundContent


def redecided(
    found: FoundContent, favor: str | None, policy: Policy | Mapping[str, bool | None] | None
) -> Extract:
    """Return the extract of the same page by another favour or policy; see `Extract.redecide`."""
    if found.found_by is None:
        raise OptionError("the method isn't at hand: it doesn't leave the process it ran in")
    if found.article_parts:
        raise OptionError("an article in parts is decided part by part: redecide each, then join")
    method = with_options(found.found_by, favor, policy)
    content, limits = found.in_rows, found.limits
    if content.reasons[-2:] == (KEPT_BY_SELECTOR, DROPPED_BY_SELECTOR):
        masks = [content.verdict.why == len(content.reasons) - back for back in (2, 1)]
        made = extract_selected(method, content.page, found.method, *masks, limits=limits)
    else:
        made = extract_by(method, content.page, found.method, limits=limits)
    return replace(made, headers=found.headers, author_blacklist=found.author_blacklist)
