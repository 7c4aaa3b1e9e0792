"""The layout columns of a snapshot: boxes and styles as the browser has them, and visibility.

A row is visible when the browser draws it or something in it, or would if the reader scrolled. Not
visible is what has no box (``display: none``), ``visibility: hidden``, an opacity of 0 on it or
around it, what lies left of or above the page, where nobody can scroll, and what an ancestor cuts
off (``overflow: hidden`` of a box that doesn't reach it, ``clip``, ``clip-path: inset``) to less
than two pixels. What is painted over by something else, or has the colour of its background, counts
as visible. An ancestor cuts off only what is placed in it: an absolutely placed box isn't cut by
ancestors within its containing block, a fixed one by none.

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

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaffinch.errors import PageError
from chaffinch.kernels.arrays import Floats, Mask, Rows
from chaffinch.kernels.tree import assemble
from chaffinch.page import layout_columns, tags
from chaffinch.page.bounds import Limits
from chaffinch.page.head import STATE_MARKS
from chaffinch.page.page import Page, page_of_columns

STYLES: Final = (
    "font-size", "font-weight", "color", "background-color", "visibility", "opacity", "overflow-x",
    "overflow-y", "position", "clip", "clip-path", "transform", "content-visibility",
)  # fmt: skip
"""Computed styles that a snapshot brings, in this order."""

LEAST: Final = (
    2.0  # pixels, width and height of what is visible; «visually hidden» boxes have one or none
)
_FAINT: Final = 0.01
_NUMBER = re.compile(r"-?[0-9.]+")
_INSET = re.compile(r"inset\(\s*([0-9.]+)(%?)")
_NOWHERE: Final = np.array([-np.inf, -np.inf, np.inf, np.inf], dtype=np.float32)


class Boxes(NamedTuple):
    """Boxes and styles of the k rows that have a box."""

    row: NDArray[np.intp]  # int[k], the rows, ascending, each once
    bounds: Floats  # float32[k, 4], x, y, width, height
    styles: Rows  # int32[k, len(STYLES)], indices of the computed values in ``strings``
    strings: Sequence[str]  # the snapshot's strings

    def style(self, name: str, read: Callable[[str], float]) -> Floats:
        """Return float32[k]: ``read`` of each row's value; called once for each distinct value."""
        places, which = np.unique(self.styles[:, STYLES.index(name)], return_inverse=True)
        values = [read(self.strings[place]) if place >= 0 else np.nan for place in places.tolist()]
        return np.array(values, dtype=np.float32)[which]


def columns(
    parent: Sequence[int], depth: Sequence[int], boxes: Boxes, closed: Sequence[int]
) -> Floats:
    """Return float32[n, len(layout_columns.COLUMNS)]: the layout of a page's rows.

    ``closed`` are rows that aren't drawn whatever their styles are: the content of closed details.
    """
    out = np.full((len(parent), len(layout_columns.COLUMNS)), np.nan, dtype=np.float32)
    row = boxes.row
    out[row, layout_columns.X : layout_columns.HEIGHT + 1] = boxes.bounds
    out[row, layout_columns.FONT_SIZE] = boxes.style("font-size", _number)
    out[row, layout_columns.FONT_WEIGHT] = boxes.style("font-weight", _number)
    out[row, layout_columns.COLOUR] = boxes.style("color", _colour)
    out[row, layout_columns.BACKGROUND] = boxes.style("background-color", _colour)
    out[:, layout_columns.VISIBLE] = _visible(
        np.array(parent, dtype=np.intp), np.array(depth, dtype=np.intp), boxes, closed
    )
    return out


def _visible(
    parent: NDArray[np.intp], depth: NDArray[np.intp], boxes: Boxes, closed: Sequence[int]
) -> Mask:
    """Return bool[n]: rows that are drawn, and their ancestors."""
    count, row = len(parent), boxes.row
    drawn = np.zeros(count, dtype=bool)
    drawn[row] = boxes.style("visibility", lambda value: value == "visible") == 1
    drawn &= _opacity(parent, depth, boxes, closed) > _FAINT
    window = _windows(parent, depth, boxes)
    left, top, width, height = boxes.bounds.T
    right, bottom = left + width, top + height
    seen_left, seen_top = np.maximum(left, window[row, 0]), np.maximum(top, window[row, 1])
    seen_right, seen_bottom = np.minimum(right, window[row, 2]), np.minimum(bottom, window[row, 3])
    # A box without room of its own (of floats, an empty anchor) isn't hidden by having none.
    across = (seen_right - seen_left >= np.minimum(width, LEAST)) | (width == 0)
    down = (seen_bottom - seen_top >= np.minimum(height, LEAST)) | (height == 0)
    reachable = (right > 0) & (bottom > 0) | (width == 0) | (height == 0)
    drawn[row] &= across & down & reachable & (seen_right >= seen_left) & (seen_bottom >= seen_top)
    for level in _levels(depth)[:0:-1]:  # from the innermost rows outwards
        drawn[parent[level[drawn[level]]]] = True
    return drawn


def _opacity(
    parent: NDArray[np.intp], depth: NDArray[np.intp], boxes: Boxes, closed: Sequence[int]
) -> Floats:
    """Return float32[n] in 0..1: the opacity of each row, multiplied by that of its ancestors."""
    opacity = np.ones(len(parent), dtype=np.float32)
    opacity[boxes.row] = np.nan_to_num(boxes.style("opacity", _number), nan=1)
    empty = np.zeros(len(parent), dtype=bool)
    empty[boxes.row] = boxes.style("content-visibility", lambda value: value == "hidden") == 1
    opacity[1:][empty[parent[1:]]] = 0
    opacity[list(closed)] = 0
    for level in _levels(depth)[1:]:
        opacity[level] *= opacity[parent[level]]
    return opacity


def _windows(parent: NDArray[np.intp], depth: NDArray[np.intp], boxes: Boxes) -> Floats:
    """Return float32[n, 4]: left, top, right and bottom of the area that clips each row.

    From the root inwards, all rows of a depth at once.
    """
    count, row = len(parent), boxes.row
    cut = np.tile(_NOWHERE, (count, 1))
    cut[row] = _cuts(boxes)
    place = np.zeros(count, dtype=np.int8)
    place[row] = boxes.style("position", _POSITIONS.__getitem__)
    holds = place > 0  # containing blocks of absolutely positioned rows
    holds[row] |= boxes.style("transform", lambda value: value != "none") == 1
    window, placed = np.tile(_NOWHERE, (count, 1)), np.tile(_NOWHERE, (count, 1))
    window[:1] = cut[:1]
    for level in _levels(depth)[1:]:
        above, how = parent[level], place[level, None]
        through = np.where(how == _ABSOLUTE, placed[above], window[above])
        through = np.where(how == _FIXED, _NOWHERE, through)
        window[level, :2] = np.maximum(through[:, :2], cut[level, :2])
        window[level, 2:] = np.minimum(through[:, 2:], cut[level, 2:])
        placed[level] = np.where(holds[level, None], window[level], placed[above])
    return window


_ABSOLUTE: Final = 2
_FIXED: Final = 3
_POSITIONS: Final = {
    "static": 0, "relative": 1, "sticky": 1, "absolute": _ABSOLUTE, "fixed": _FIXED,
}  # fmt: skip


def _cuts(boxes: Boxes) -> Floats:
    """Return float32[k, 4]: the area to which each row clips itself and its descendants."""
    left, top, width, height = boxes.bounds.T
    cut = np.tile(_NOWHERE, (len(boxes.row), 1))
    clip = {"hidden": 1.0, "clip": 1.0}
    across = boxes.style("overflow-x", lambda value: clip.get(value, 0.0)) == 1
    down = boxes.style("overflow-y", lambda value: clip.get(value, 0.0)) == 1
    cut[across, 0], cut[across, 2] = left[across], (left + width)[across]
    cut[down, 1], cut[down, 3] = top[down], (top + height)[down]
    is_empty = boxes.style("clip", _is_empty_rectangle) == 1
    is_empty &= boxes.style("position", _POSITIONS.__getitem__) >= _ABSOLUTE
    is_empty |= boxes.style("clip-path", _is_empty_inset) == 1
    cut[is_empty] = [np.inf, np.inf, -np.inf, -np.inf]
    # The root's overflow is the window's: it hides nothing of the page.
    cut[boxes.row == 0] = _NOWHERE
    return cut


def _levels(depth: NDArray[np.intp]) -> list[NDArray[np.intp]]:
    order = np.argsort(depth, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(depth[order])) + 1)


def _number(value: str) -> float:
    found = _NUMBER.match(value)
    return float(found[0]) if found else np.nan


def _colour(value: str) -> float:
    """Return 0xRRGGBB of a computed colour; NaN where it is transparent or of another colour space.

    Chromium gives ``rgb(r, g, b)`` or ``rgba(r, g, b, a)`` for all but those.
    """
    if not value.startswith("rgb"):
        return np.nan
    numbers = [float(number) for number in _NUMBER.findall(value)]
    if len(numbers) > 3 and numbers[3] == 0:  # noqa: PLR2004 - the alpha
        return np.nan
    red, green, blue = (round(number) for number in numbers[:3])
    return float(red << 16 | green << 8 | blue)


def _is_empty_rectangle(value: str) -> float:
    """Return 1 where ``clip`` leaves less than `LEAST` pixels: ``rect(0px, 0px, 0px, 0px)``."""
    numbers = [float(number) for number in _NUMBER.findall(value)]
    if not value.startswith("rect") or len(numbers) != 4:  # noqa: PLR2004 - the sides
        return 0.0
    top, right, bottom, left = numbers
    return float(right - left < LEAST or bottom - top < LEAST)


def _is_empty_inset(value: str) -> float:
    """Return 1 where ``clip-path`` is ``inset(50%)`` or more, as in «visually hidden» classes."""
    found = _INSET.match(value)
    half = 50
    return float(found is not None and found[2] == "%" and float(found[1]) >= half)


_ELEMENT: Final = 1
_TEXT: Final = 3
_OPAQUE: Final = frozenset(name for code, name in enumerate(tags.NAMES) if tags.OPAQUE[code])


def page_of(captured: Mapping[str, Any], *, scripts: bool, limits: Limits) -> Page:
    """Return the page of an answer of ``DOMSnapshot.captureSnapshot``; its styles are `STYLES`."""
    reader = _NodeReader(captured, scripts=scripts, limits=limits)
    reader.read()
    page, document, strings = reader.page(), reader.document, reader.strings
    return replace(
        page,
        url=strings[document["documentURL"]].partition("#")[0],
        encoding=strings[document["encodingName"]].lower(),
        layout=_layout(page, reader),
    )


class _NodeReader:
    """Reads the snapshot's nodes into columns."""

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
        self._opaque = _OPAQUE | {"template"} | ({"noscript"} if scripts else set())

    def read(self) -> None:
        nodes, strings = self.document["nodes"], self.strings
        pseudo = frozenset(nodes["pseudoType"]["index"])
        opaque: set[int] = set()  # nodes whose content isn't read
        row_of, add = self.row_of, self.row_of.append
        last_text = -2
        size = 0
        columns = (nodes[one] for one in ("parentIndex", "nodeType", "nodeName", "nodeValue"))
        for node, (above, kind, name, value) in enumerate(zip(*columns, strict=True)):
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
        row = self.row_of[above]
        if kind != _TEXT or value < 0 or self.codes[row] != tags.CODES["script"]:
            return
        source = self.strings[value]
        kind_of_script = (self.attributes.get(row, {}).get("type") or "").lower()
        sets_state = any(mark in source for mark in STATE_MARKS.split())
        if "json" in kind_of_script or "math/tex" in kind_of_script or sets_state:
            self.sources[row] = source

    def page(self) -> Page:
        """Return the page, its layout still missing."""
        columns = assemble(
            np.array(self.codes, dtype=np.uint16),
            self.parents,
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
    boxless &= ~page.written | page.inside(page.is_tag("textarea"))
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
