"""A picture of a page's visual blocks, at the boxes that VIPS read or estimated (SVG)."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.segment.vips.segmentation import Segmentation

COLOURS: Final = {
    1: "#d73027", 2: "#f46d43", 3: "#fdae61", 4: "#fee08b", 5: "#e6f5c9", 6: "#c7e9c0",
    7: "#a1d99b", 8: "#9ecae1", 9: "#c6dbef", 10: "#deebf7",
}  # fmt: skip
"""Colour by degree of coherence."""
_SCALE: Final = 0.5
_LINE: Final = 13  # pixels from the top of a block to its text
_LETTER: Final = 5.2  # pixels of a letter's width, in the mean
_CONTROLS: Final = dict.fromkeys((*range(32), 0x7F, 0xFFFE, 0xFFFF), " ")
"""Characters that no XML may hold, or that part words."""


def picture(found: Segmentation) -> str:
    """Return the picture as SVG: leaves by colour, with degree and text; separators by weight.

    The one of a page without blocks is empty.
    """
    return "\n".join(_parts(found)) + "\n"


def _parts(found: Segmentation) -> Iterator[str]:
    width, height = (_SCALE * found.rectangle[0][2:]).tolist() if len(found) else (0.0, 0.0)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -2 {width + 4:.0f} {height + 4:.0f}"'
        ' font-family="sans-serif" font-size="10">'
    )
    yield '<rect x="-2" y="-2" width="100%" height="100%" fill="#fff"/>'
    for block in found.leaves.tolist():
        yield from _block(found, block)
    separators = found.separators
    for box, weight in zip(separators.rectangle, separators.weight.tolist(), strict=True):
        left, top, right, bottom = (_SCALE * box).tolist()
        x, y = (left + right) / 2, (top + bottom) / 2
        ends = (left, y, right, y) if right - left >= bottom - top else (x, top, x, bottom)
        yield (
            '<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"'.format(*ends)
            + f' stroke="#08c" stroke-opacity=".7" stroke-width="{weight / 3:.1f}"/>'
        )
    yield "</svg>"


def _block(found: Segmentation, block: int) -> Iterator[str]:
    left, top, right, bottom = (_SCALE * found.rectangle[block]).tolist()
    doc = int(found.doc[block])
    yield (
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}"'
        f' height="{bottom - top:.1f}" fill="{COLOURS[doc]}" stroke="#555" stroke-width=".7"/>'
    )
    if bottom - top >= _LINE - 4:
        room = max(int((right - left) / _LETTER) - 8, 0)
        text = " ".join(found.text(block).translate(_CONTROLS).split())[:room]
        where = f'x="{left + 4:.1f}" y="{top + min(_LINE - 2, bottom - top - 2):.1f}"'
        yield f"<text {where}><tspan fill='#a00'>{doc}</tspan> {escape(text)}</text>"
