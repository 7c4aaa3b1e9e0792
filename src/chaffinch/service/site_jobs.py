"""What is done with site models in a guarded child: learned, checked, reported, applied."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chaffinch.page import parse
from chaffinch.service.page_jobs import loaded_site
from chaffinch.site.rule_check import check_rules
from chaffinch.site.site import Site

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chaffinch.page import Page
    from chaffinch.service.page_jobs import GivenPage, SiteFile
    from chaffinch.site.rule_check import RuleCheck


def learn(pages: Sequence[GivenPage], before: SiteFile | None, target: str) -> bytes:
    """Learn a site, or go on learning it, and return the report.

    Args:
        pages: of the site.
        before: the model that takes them in; None to begin one.
        target: the file to write, in a folder of this call alone.

    Raises:
        PageError: a page can't be processed.
        RulesError: the model can't be read or written.
        OptionError: it can't take in pages.
    """
    parsed = _parsed(pages)
    site = Site.learn(parsed) if before is None else Site.load(Path(before.path)).update(parsed)
    site.save(target)
    return _json(site.report().to_dict())


def checked_rules(text: str) -> bytes:
    """Return the report of the model that a text is.

    Raises:
        RulesError: it is none.
    """
    return _json(Site.from_text(text).report().to_dict())


def report(site: SiteFile) -> bytes:
    """Return the report of a model.

    Raises:
        RulesError: it can't be read.
    """
    return _json(loaded_site(site).report().to_dict())


def check(site: SiteFile, pages: Sequence[GivenPage]) -> bytes:
    """Return what the rules of a model do on pages.

    Raises:
        PageError: a page can't be processed.
        RulesError: the model can't be read.
    """
    return _json([_values(one) for one in check_rules(loaded_site(site), _parsed(pages))])


def _values(one: RuleCheck) -> dict[str, Any]:
    return {
        "template": one.template,
        "kind": None if one.rule is None else one.rule.kind,
        "select": None if one.rule is None else one.rule.select,
        "pages": one.pages,
        "matching": one.matching,
        "elements": round(one.elements, 2),
        "share": round(one.share, 4),
        "remark": one.remark,
    }


def _parsed(pages: Sequence[GivenPage]) -> Iterator[Page]:
    for page in pages:
        yield parse(page.html, url=page.url, encoding=page.encoding, limits=page.limits)


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
