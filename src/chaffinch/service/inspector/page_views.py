"""What the inspector shows of a page that is held, made in a guarded child.

A child keeps the extract that it made last, so that the views of one page need one reading.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.elements.hidden import folded, hidden
from chaffinch.extraction.explained import explained_values
from chaffinch.extraction.trip import extract
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.service.inspector.frame_rows import frame_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from chaffinch.extraction.extract import Extract
    from chaffinch.service.page_jobs import GivenPage


@dataclass
class _Last:
    """The extract that this child made last, and what it was made of."""

    key: tuple[str, str] = ("", "")
    found: Extract | None = None


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
    found = _extracted(key, page, chosen.pop("decision", {}))
    made = VIEWS[name](found, page, chosen)
    return json.dumps(made, ensure_ascii=False).encode("utf-8", "replace")


def _extracted(key: str, page: GivenPage, decision: Mapping[str, Any]) -> Extract:
    wanted = key, json.dumps(decision, sort_keys=True)
    if _LAST.found is None or _LAST.key != wanted:
        known = _LAST.found if _LAST.key[0] == key else None
        source = page.html if known is None else known.in_rows.page
        found = extract(
            source,
            url=page.url,
            encoding=page.encoding if known is None else None,
            limits=page.limits,
            **decision,
        )
        _LAST.key, _LAST.found = wanted, found
    return _LAST.found


def _page(found: Extract, page: GivenPage, options: dict[str, Any]) -> Any:
    """Return a page's rows, its blocks and the decision."""
    source = page.html if isinstance(page.html, bytes | str) else None
    shown = found.in_rows.page
    blocks = text_blocks(shown)
    unseen, unfolded = hidden(shown), folded(shown)
    return {
        "url": found.url,
        "title": found.title,
        "rendered": source is None,
        "encoding": shown.encoding,
        "rows": frame_rows(shown, images=bool(options.get("images")), source=source),
        "blocks": {
            "first": blocks.first.tolist(),
            "last": blocks.last.tolist(),
            "owner": blocks.owner.tolist(),
            "hidden": np.flatnonzero(unseen[blocks.first]).tolist(),
            "folded": np.flatnonzero(unfolded[blocks.first]).tolist(),
        },
        "decision": _decision(found, page, {}),
    }


def _decision(found: Extract, _page: GivenPage, _options: dict[str, Any]) -> Any:
    """Return what is kept of each block, with which score and why."""
    content = found.in_rows
    first = text_blocks(content.page).first
    verdict = content.verdict
    return {
        "method": found.method,
        "page_type": found.page_type,
        "confidence": found.confidence,
        "source": found.source,
        "reasons": list(content.reasons),
        "keep": verdict.keep[first].astype(int).tolist(),
        "score": np.round(verdict.score[first].astype(float), 3).tolist(),
        "why": verdict.why[first].tolist(),
        "length": len(found.text),
    }


def _reasons(found: Extract, _page: GivenPage, _options: dict[str, Any]) -> Any:
    """Return why each block was kept or dropped."""
    return explained_values(found)


VIEWS: Final[dict[str, Callable[[Extract, GivenPage, dict[str, Any]], Any]]] = {
    "page": _page,
    "decision": _decision,
    "reasons": _reasons,
}
"""Name → what is made of an extract."""
