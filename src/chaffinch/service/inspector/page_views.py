"""What the inspector shows of a page that is held, made in a guarded child.

A child keeps the extract that it made last, so that the views of one page need one reading.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.elements.hidden import folded, hidden
from chaffinch.extraction.trip import extract
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.service.inspector.block_reasons import reasons_of
from chaffinch.service.inspector.frame_rows import frame_rows
from chaffinch.service.inspector.output_views import OUTPUTS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from chaffinch.extraction.explained import Explained
    from chaffinch.extraction.extract import Extract
    from chaffinch.result import Content
    from chaffinch.service.page_jobs import GivenPage

_REDECIDED: Final = {"favor", "policy"}
"""Options that `Extract.redecide` takes."""


@dataclass
class Opened:
    """A page as a child has it open.

    Attributes:
        given: the page as it was given.
        found: its extract by the options that are requested.
        explained: why each block was kept, once that is requested.
    """

    given: GivenPage
    found: Extract
    explained: list[Explained] = field(default_factory=list)


@dataclass
class _Last:
    """What this child had open last.

    Attributes:
        key: of the page.
        first: its extract without options.
        decision: the options that are requested, as JSON.
        page: the page by these.
    """

    key: str = ""
    first: Extract | None = None
    decision: str = ""
    page: Opened | None = None


_LAST: Final = _Last()


def page_view(name: str, key: str, page: GivenPage, options: Mapping[str, Any]) -> bytes:
    """Return a view of a page as JSON.

    Args:
        name: a key of `VIEWS`.
        key: of the page, which names nothing else as long as the service runs.
        page: the page.
        options: of its decision, under ``decision``; and what the view takes besides.

    Raises:
        PageError: the page can't be processed.
        OptionError: an option is impossible.
    """
    chosen = dict(options)
    opened = _opened(key, page, chosen.pop("decision", {}))
    made = VIEWS[name](opened, chosen)
    return json.dumps(made, ensure_ascii=False).encode("utf-8", "replace")


def _opened(key: str, page: GivenPage, decision: Mapping[str, Any]) -> Opened:
    """Return a page by the options of its decision; one that is open isn't read again."""
    if _LAST.first is None or _LAST.key != key:
        _LAST.key, _LAST.page = key, None
        _LAST.first = extract(page.html, url=page.url, encoding=page.encoding, limits=page.limits)
    wanted = json.dumps(decision, sort_keys=True)
    if _LAST.page is None or _LAST.decision != wanted:
        _LAST.decision = wanted
        _LAST.page = Opened(page, _decided(_LAST.first, page, decision))
    return _LAST.page


def _decided(first: Extract, page: GivenPage, options: Mapping[str, Any]) -> Extract:
    if options.keys() <= _REDECIDED:
        return first.redecide(**options) if options else first
    return extract(first.in_rows.page, url=page.url, limits=page.limits, **options)


def _page(opened: Opened, options: dict[str, Any]) -> Any:
    """Return a page's rows, its blocks and the decision."""
    html = opened.given.html
    source = html if isinstance(html, bytes | str) else None
    shown = opened.found.in_rows.page
    blocks = text_blocks(shown)
    unseen, unfolded = hidden(shown), folded(shown)
    return {
        "url": opened.found.url,
        "title": opened.found.title,
        "rendered": source is None,
        "encoding": shown.encoding,
        "outputs": list(OUTPUTS),
        "rows": frame_rows(shown, images=bool(options.get("images")), source=source),
        "blocks": {
            "first": blocks.first.tolist(),
            "last": blocks.last.tolist(),
            "owner": blocks.owner.tolist(),
            "hidden": np.flatnonzero(unseen[blocks.first]).tolist(),
            "folded": np.flatnonzero(unfolded[blocks.first]).tolist(),
        },
        "decision": _decision(opened, {}),
    }


def _decision(opened: Opened, _options: dict[str, Any]) -> Any:
    """Return what is kept of each block, with which score and why."""
    found = opened.found
    content = found.in_rows
    first = text_blocks(content.page).first
    return {
        "method": found.method,
        "page_type": found.page_type,
        "confidence": found.confidence,
        "source": found.source,
        "reasons": list(content.reasons),
        **_columns(content),
        "why": content.verdict.why[first].tolist(),
        "images": np.flatnonzero(content.kept & content.page.is_tag("img")).tolist(),
        "length": len(found.text),
    }


def _columns(content: Content) -> dict[str, list[Any]]:
    first = text_blocks(content.page).first
    score = np.round(content.verdict.score[first].astype(float), 3)
    return {"keep": content.verdict.keep[first].astype(int).tolist(), "score": score.tolist()}


def _reasons(opened: Opened, options: dict[str, Any]) -> Any:
    """Return why one block was kept or dropped."""
    return reasons_of(opened.found, opened.explained, options["block"])


def _output(opened: Opened, options: dict[str, Any]) -> Any:
    """Return an output, each part with the rows that it came from."""
    in_rows = opened.found.replaced is None
    return {"in_rows": in_rows, "parts": OUTPUTS[options["output"]](opened.found)}


VIEWS: Final[dict[str, Callable[[Opened, dict[str, Any]], Any]]] = {
    "page": _page,
    "decision": _decision,
    "reasons": _reasons,
    "output": _output,
}
"""Name → what is made of a page."""
