"""The layout columns of a snapshot: boxes and styles as the browser has them, and visibility.

A row is visible when the browser draws it or something in it, or would if the reader scrolled. Not
visible is what has no box (``display: none``), ``visibility: hidden``, an opacity of 0 on it or
around it, what lies left of or above the page, where nobody can scroll, and what an ancestor cuts
off (``overflow: hidden`` of a box that doesn't reach it, ``clip``, ``clip-path: inset``) to less
than two pixels. What is painted over by something else, or has the colour of its background, counts
as visible. An ancestor cuts off only what is placed in it: an absolutely placed box isn't cut by
ancestors within its containing block, a fixed one by none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from chaffinch.page import layout_columns

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from chaffinch.page.arrays import Floats, Mask, Rows

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
    """Boxes and styles of the k rows that have a box.

    Attributes:
        row: int[k], the rows, ascending, each once.
        bounds: float32[k, 4], x, y, width, height.
        styles: int32[k, len(STYLES)], indices of the computed values in ``strings``.
        strings: the snapshot's strings.
    """

    row: NDArray[np.intp]
    bounds: Floats
    styles: Rows
    strings: Sequence[str]

    def style(self, name: str, read: Callable[[str], float]) -> Floats:
        """Return float32[k]: ``read`` of each row's value; called once for each distinct value."""
        places, which = np.unique(self.styles[:, STYLES.index(name)], return_inverse=True)
        values = [read(self.strings[place]) if place >= 0 else np.nan for place in places.tolist()]
        return np.array(values, dtype=np.float32)[which]


def columns(
    parent: Sequence[int], depth: Sequence[int], boxes: Boxes, closed: Sequence[int]
) -> Floats:
    """Return float32[n, len(layout_columns.COLUMNS)]: the layout of a page's rows.

    Args:
        parent: n rows of parents, -1 for the root, in document order.
        depth: n depths.
        boxes: what the browser laid out.
        closed: rows that aren't drawn whatever their styles are (the content of closed details).
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
        window[level] = _narrowed(np.where(how == _FIXED, _NOWHERE, through), cut[level])
        placed[level] = np.where(holds[level, None], window[level], placed[above])
    return window


_ABSOLUTE: Final = 2
_FIXED: Final = 3
_POSITIONS: Final = {
    "static": 0, "relative": 1, "sticky": 1, "absolute": _ABSOLUTE, "fixed": _FIXED,
}  # fmt: skip


def _narrowed(window: Floats, cut: Floats) -> Floats:
    narrowed: Floats = np.concatenate(
        [np.maximum(window[:, :2], cut[:, :2]), np.minimum(window[:, 2:], cut[:, 2:])], axis=1
    )
    return narrowed


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
