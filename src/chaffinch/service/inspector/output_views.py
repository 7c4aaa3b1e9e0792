"""The outputs of a page as the inspector shows them: in parts that know where they came from.

Rows are half-open ranges of the page's table; None where a part has none.
"""

from __future__ import annotations

import re
from dataclasses import asdict
from html import unescape
from typing import TYPE_CHECKING, Any, Final

from chaffinch import metadata
from chaffinch.output import markdown
from chaffinch.output.options import OutputOptions

if TYPE_CHECKING:
    from collections.abc import Callable

    from chaffinch.extraction.extract import Extract

_TAG: Final = re.compile(r"<[^<>]*+>")
_NEAR: Final = 6
"""Blocks of the text among which a line of HTML is looked for."""


def _text(found: Extract) -> Any:
    """Return the blocks of the text."""
    return [
        {"text": found.text[one.start : one.end], "rows": one.rows, "selector": one.selector}
        for one in found.blocks
    ]


def _markdown(found: Extract) -> Any:
    """Return the blocks of the Markdown: their lines, and the lists and quotes they stand in."""
    written: list[Any] = []
    headed = found.headed
    markdown.render(headed.body, options=OutputOptions(), title=headed.title, written=written)
    parts = [
        {
            "lines": one.block,
            "around": [(around.kind, around.given) for around in one.around],
            "rows": one.rows,
        }
        for one in written
    ]
    if not headed.title:
        return parts
    heading = markdown.headed(headed.title, "").splitlines()[:1]
    return [{"lines": heading, "around": [], "rows": _title(found)}, *parts]


def _title(found: Extract) -> tuple[int, int] | None:
    title = found.metadata.title
    return None if title is None or title.row < 0 else (title.row, title.row + 1)


def _html(found: Extract) -> Any:
    """Return the lines of the HTML; their rows are those of the block of text that they show."""
    blocks = [(_folded(found.text[one.start : one.end]), one.rows) for one in found.blocks]
    at = 0
    out = []
    for line in found.html().split("\n"):
        text = _folded(unescape(_TAG.sub("", line)))
        near = range(at, min(at + _NEAR, len(blocks)))
        fits = [one for one in near if blocks[one][0] and blocks[one][0] in text] if text else []
        rows = blocks[fits[0]][1] if fits else None
        at = fits[-1] + 1 if fits else at
        out.append({"text": line, "rows": rows})
    return out


def _folded(text: str) -> str:
    return " ".join(text.split())


def _records(found: Extract) -> Any:
    return [asdict(one) for one in found.records]


def _posts(found: Extract) -> Any:
    return [asdict(one) for one in found.posts]


def _tables(found: Extract) -> Any:
    page = found.page
    return [
        {**values, "rows": (values["row"], int(page.end[values["row"]]))}
        for values in found.to_dict(parts=["tables"])["tables"]
    ]


def _images(found: Extract) -> Any:
    return [{**asdict(one), "rows": (one.row, one.row + 1)} for one in found.images]


def _metadata(found: Extract) -> Any:
    out = []
    for name in metadata.FIELDS:
        values = found.metadata.field_dict(name)
        if values is not None:
            row = values["row"]
            out.append({"name": name, **values, "rows": None if row < 0 else (row, row + 1)})
    return out


def _outline(found: Extract) -> Any:
    return [asdict(one) for one in found.outline()]


def _chunks(found: Extract) -> Any:
    return [asdict(one) for one in found.chunks()]


OUTPUTS: Final[dict[str, Callable[[Extract], Any]]] = {
    "text": _text,
    "markdown": _markdown,
    "html": _html,
    "records": _records,
    "posts": _posts,
    "tables": _tables,
    "images": _images,
    "metadata": _metadata,
    "outline": _outline,
    "chunks": _chunks,
}
"""Name → the parts of an output."""
