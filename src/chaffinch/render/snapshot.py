"""From a snapshot of the browser's DOM to a page: the same table as a parsed one, with layout.

The snapshot (CDP ``DOMSnapshot.captureSnapshot``) lists nodes in document order with their parents,
and the boxes and computed styles of those that are laid out. What `parse` leaves out is left out:
comments, the content of scripts, styles and frames. Departures:

- Shadow trees stand where they are shown, and what is slotted stands in its slot: the order that a
  reader sees. `parse` has the light tree after the shadow tree.
- Where scripts run, a browser shows nothing of a ``noscript`` and reads its content as one string:
  such a row is empty.
- Texts that scripts put side by side are one row, as they would be in the source.
- An attribute without a value has the value "".
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.errors import PageError
from chaffinch.page import layout_columns, tags
from chaffinch.page.assemble import assemble
from chaffinch.page.head import STATE_MARK
from chaffinch.page.page import page_of_columns
from chaffinch.render.visibility import STYLES, Boxes, columns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chaffinch.page.arrays import Floats
    from chaffinch.page.guard.limits import Limits
    from chaffinch.page.page import Page

_ELEMENT: Final = 1
_TEXT: Final = 3
_OPAQUE: Final = frozenset(name for code, name in enumerate(tags.NAMES) if tags.OPAQUE[code])
_SCRIPT, _NOSCRIPT, _TEMPLATE, _FORM_TEXT = "script", "noscript", "template", "textarea"


def page_of(captured: Mapping[str, Any], *, url: str | None, scripts: bool, limits: Limits) -> Page:
    """Return the page of a snapshot.

    Args:
        captured: the answer of ``DOMSnapshot.captureSnapshot`` with the styles `STYLES`.
        url: address of the page; None for the document's own.
        scripts: whether scripts ran.
        limits: bounds; ``max_rows``, ``max_depth`` and ``max_bytes`` count here.

    Raises:
        PageError: it is too big or has too many rows.
    """
    reader = _NodeReader(captured, scripts=scripts, limits=limits)
    reader.read()
    page = reader.page()
    document = captured["documents"][0]
    strings = captured["strings"]
    return replace(
        page,
        url=strings[document["documentURL"]].partition("#")[0] if url is None else url,
        encoding=strings[document["encodingName"]].lower(),
        layout=_layout(page, reader),
    )


class _NodeReader:
    """Reads the snapshot's nodes into lists of columns; see `assemble`."""

    def __init__(self, captured: Mapping[str, Any], *, scripts: bool, limits: Limits) -> None:
        self.strings: Sequence[str] = captured["strings"]
        self.document = captured["documents"][0]
        self.limits = limits
        self.codes: list[int] = []
        self.parents: list[int] = []
        self.depths: list[int] = []
        self.texts: list[str] = []
        self.names: dict[int, str] = {}
        self.sources: dict[int, str] = {}
        self.attributes: dict[int, dict[str, str | None]] = {}
        self.row_of: list[int] = []
        self._opaque = _OPAQUE | {_TEMPLATE} | ({_NOSCRIPT} if scripts else set())

    def read(self) -> None:
        """Read all nodes."""
        nodes, strings = self.document["nodes"], self.strings
        pseudo = frozenset(nodes["pseudoType"]["index"])
        opaque: set[int] = set()  # nodes whose content isn't read
        row_of, add = self.row_of, self.row_of.append
        last_text = -2
        size = 0
        for node, (above, kind, name, value) in enumerate(
            zip(
                nodes["parentIndex"],
                nodes["nodeType"],
                nodes["nodeName"],
                nodes["nodeValue"],
                strict=True,
            )
        ):
            if above in opaque:
                self._note_source(above, kind, value)
                add(-1)
                opaque.add(node)
            elif kind == _TEXT:
                text = strings[value] if value >= 0 else ""
                size += len(text)
                if last_text == node - 1 and nodes["parentIndex"][last_text] == above:
                    self.texts[-1] += text
                    add(row_of[-1])
                else:
                    add(self._add(row_of[above] if above >= 0 else -1, tags.TEXT))
                    self.texts.append(text)
                last_text = node
            elif kind == _ELEMENT and node not in pseudo:
                row = self._add(row_of[above] if above >= 0 else -1, 0)
                add(row)
                if self._name(row, strings[name].lower(), nodes["attributes"][node]):
                    opaque.add(node)
            else:
                add(-1)
                if kind == _ELEMENT:
                    opaque.add(node)
        self.limits.check_size(size)

    def _add(self, parent: int, code: int) -> int:
        """Add a row below ``parent``, or beside it where that is at the bound; return it."""
        row = len(self.codes)
        if row >= self.limits.max_rows:
            raise PageError(f"more than {self.limits.max_rows:,} rows")
        if parent >= 0 and self.depths[parent] >= self.limits.max_depth:
            parent = self.parents[parent]
        self.codes.append(code)
        self.parents.append(parent)
        self.depths.append(self.depths[parent] + 1 if parent >= 0 else 0)
        return row

    def _name(self, row: int, name: str, pairs: Sequence[int]) -> bool:
        """Note the tag and attributes of an element; return whether its content isn't read."""
        code = tags.CODES.get(name, tags.UNKNOWN)
        self.codes[row] = code
        if code == tags.UNKNOWN:
            self.names[row] = name
        if pairs:
            strings = self.strings
            self.attributes[row] = {
                strings[key]: strings[value] if value >= 0 else ""
                for key, value in zip(pairs[::2], pairs[1::2], strict=True)
            }
        return name in self._opaque

    def _note_source(self, above: int, kind: int, value: int) -> None:
        """Keep the source of a script that holds data, as `parse` does."""
        row = self.row_of[above]
        if kind != _TEXT or value < 0 or self.codes[row] != tags.CODES[_SCRIPT]:
            return
        source = self.strings[value]
        kind_of_script = (self.attributes.get(row, {}).get("type") or "").lower()
        if "json" in kind_of_script or "math/tex" in kind_of_script or STATE_MARK in source:
            self.sources[row] = source

    def page(self) -> Page:
        """Return the page, its layout still missing."""
        end = list(range(1, len(self.codes) + 1))
        for row in range(len(end) - 1, 0, -1):
            parent = self.parents[row]
            end[parent] = max(end[parent], end[row])
        closed = [row for row, stop in enumerate(end) if stop > row + 1]
        columns = assemble(
            np.array(self.codes, dtype=np.uint16),
            closed,
            [end[row] for row in closed],
            [self.parents[row] for row in closed],
            self.texts,
            names=self.names,
            sources=self.sources,
            attributes=self.attributes,
        )
        return page_of_columns(columns)


def _layout(page: Page, reader: _NodeReader) -> Floats:
    laid = reader.document["layout"]
    row = np.array(reader.row_of, dtype=np.int64)[np.array(laid["nodeIndex"], dtype=np.int64)]
    kept = np.flatnonzero(row >= 0)
    order = kept[np.argsort(row[kept], kind="stable")]
    rows, first = np.unique(row[order], return_index=True)
    bounds = np.array([laid["bounds"][place] for place in order.tolist()], dtype=np.float32)
    styles = [laid["styles"][place] or [-1] * len(STYLES) for place in order[first].tolist()]
    boxes = Boxes(
        rows,
        _bounding(bounds.reshape(-1, 4), first),
        np.array(styles, dtype=np.int32).reshape(-1, len(STYLES)),
        reader.strings,
    )
    out = columns(reader.parents, reader.depths, boxes, _in_closed_details(page))
    # Blank text between blocks and the text of a form field have no box; they are as their parent.
    boxless = (page.tag == tags.TEXT) & np.isnan(out[:, layout_columns.X])
    boxless &= ~page.written | page.inside(page.is_tag(_FORM_TEXT))
    out[boxless, layout_columns.VISIBLE] = out[page.parent[boxless], layout_columns.VISIBLE]
    no_room = (out[:, layout_columns.WIDTH] == 0) | (out[:, layout_columns.HEIGHT] == 0)
    out[(page.tag == tags.TEXT) & page.written & no_room, layout_columns.VISIBLE] = 0
    out.flags.writeable = False
    return out


def _in_closed_details(page: Page) -> list[int]:
    """Return the rows hidden by closed details: all children but the first summary."""
    rows = []
    for row in np.flatnonzero(page.is_tag("details")).tolist():
        if page.attribute(row, "open") is None:
            children = page.children(row)
            summary = next((child for child in children if page.name(child) == "summary"), -1)
            rows += [child for child in children if child != summary]
    return rows


def _bounding(bounds: Floats, first: Any) -> Floats:
    """Return the box around the boxes of each row; those of nothing count where there is no other.

    A row has several where its text is broken up, by a drop cap or by texts put side by side.
    """
    if not len(first) or len(first) == len(bounds):
        return bounds
    empty = (bounds[:, 2] == 0) & (bounds[:, 3] == 0)
    left = np.where(empty, np.inf, bounds[:, 0])
    top = np.where(empty, np.inf, bounds[:, 1])
    right = np.where(empty, -np.inf, bounds[:, 0] + bounds[:, 2])
    bottom = np.where(empty, -np.inf, bounds[:, 1] + bounds[:, 3])
    left, top = np.minimum.reduceat(left, first), np.minimum.reduceat(top, first)
    right, bottom = np.maximum.reduceat(right, first), np.maximum.reduceat(bottom, first)
    around: Floats = np.stack([left, top, right - left, bottom - top], axis=1).astype(np.float32)
    nothing = ~np.isfinite(left)
    around[nothing] = bounds[first][nothing]
    return around
