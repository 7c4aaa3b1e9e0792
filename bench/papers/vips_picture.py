"""A picture of a page's visual blocks, at the boxes that VIPS read or estimated (SVG).

By default of an article page of the example site, or of any saved page:

    python -m bench.papers.vips_picture docs/methods/vips.svg
    python -m bench.papers.vips_picture out.svg --page FILE
"""

from __future__ import annotations

import argparse
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from chaffinch.page import parse
from chaffinch.segment.vips import Vips
from site_maker import pages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.segment.vips import Segmentation

SCALE: Final = 0.5
COLOURS: Final = {  # by degree of coherence
    1: "#d73027", 2: "#f46d43", 3: "#fdae61", 4: "#fee08b", 5: "#e6f5c9", 6: "#c7e9c0",
    7: "#a1d99b", 8: "#9ecae1", 9: "#c6dbef", 10: "#deebf7",
}  # fmt: skip
LINE: Final = 13


def example_source() -> bytes:
    """Return an English article of the example site."""
    row = next(row for row in pages() if (row["template"], row["lang"]) == ("article", "en"))
    source: bytes = row["html"].encode("latin-1")
    return source


def drawn(segmentation: Segmentation) -> Iterator[str]:
    """Yield the parts of the picture."""
    width, height = (SCALE * segmentation.rectangle[0][2:]).tolist()
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-2 -2 {width + 4:.0f} {height + 4:.0f}"'
        ' font-family="sans-serif" font-size="10">'
    )
    yield '<rect x="-2" y="-2" width="100%" height="100%" fill="#fff"/>'
    for block in segmentation.leaves.tolist():
        left, top, right, bottom = (SCALE * segmentation.rectangle[block]).tolist()
        doc = int(segmentation.doc[block])
        yield (
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}"'
            f' height="{bottom - top:.1f}" fill="{COLOURS[doc]}" stroke="#555" stroke-width=".7"/>'
        )
        if bottom - top >= LINE - 4:
            room = max(int((right - left) / 5.2) - 8, 0)
            text = " ".join(segmentation.text(block).split())[:room]
            where = f'x="{left + 4:.1f}" y="{top + min(LINE - 2, bottom - top - 2):.1f}"'
            yield f"<text {where}><tspan fill='#a00'>{doc}</tspan> {escape(text)}</text>"
    separators = segmentation.separators
    for box, weight in zip(separators.rectangle, separators.weight.tolist(), strict=True):
        left, top, right, bottom = (SCALE * box).tolist()
        x, y = (left + right) / 2, (top + bottom) / 2
        ends = (left, y, right, y) if right - left >= bottom - top else (x, top, x, bottom)
        yield (
            '<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"'.format(*ends)
            + f' stroke="#08c" stroke-opacity=".7" stroke-width="{weight / 3:.1f}"/>'
        )
    yield "</svg>"


def main() -> None:
    """Draw the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--page", type=Path)
    parser.add_argument("--pdoc", type=int, default=5)
    options = parser.parse_args()
    page = parse(options.page.read_bytes()) if options.page else parse(example_source())
    segmentation = Vips(pdoc=options.pdoc)(page)
    options.out.write_text("\n".join(drawn(segmentation)) + "\n", encoding="utf-8")
    print(f"{options.out}: {len(segmentation.leaves)} blocks at PDoC {options.pdoc}")


if __name__ == "__main__":
    main()
