"""A picture of a page as a browser shows it, with the visual blocks of VIPS drawn on it (PNG).

Of an article page of the example site; the browser draws the blocks, too:

    python -m bench.papers.vips_rendered_picture docs/pictures/vips_rendered.png
"""

from __future__ import annotations

import argparse
from base64 import b64encode
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bench.papers.vips_picture import example_source
from chaffinch.render import Renderer
from chaffinch.segment.vips import Vips
from chaffinch.segment.vips.picture import COLOURS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.segment.vips import Segmentation

WIDTH: Final = 1000
SCALE: Final = 0.7
SHEET: Final = b"""<style>
body { padding: 0 16px } .page { display: flex; flex-wrap: wrap; gap: 0 28px }
.breadcrumb { width: 100% } .column-main { width: 66% }
.column-side { width: 25%; background: #eef3ea; padding: 12px }
footer ul { display: flex; gap: 2em }
.main-nav ul { display: flex; gap: 2em; padding: 8px; background: #dfe8d8 } li { list-style: none }
img { background: #ccd; max-width: 100% }
</style></head>"""
"""Stands for the style sheet that the page links to and that isn't part of the example site."""


def drawn(found: Segmentation, picture: bytes) -> Iterator[str]:
    """Yield the parts of a page that shows the picture and the blocks over it."""
    yield (
        "<!doctype html><style>body{margin:0;font:bold 12px sans-serif}"
        "div{position:absolute;box-sizing:border-box;border:2px solid #b00}"
        "i{position:absolute;right:0;top:0;background:#b00;color:#fff;padding:0 3px}</style>"
        f'<img style="display:block" width="{SCALE * WIDTH:.0f}"'
        f' src="data:image/png;base64,{b64encode(picture).decode()}">'
    )
    for block in found.leaves.tolist():
        left, top, right, bottom = (SCALE * found.rectangle[block]).tolist()
        doc = int(found.doc[block])
        yield (
            f'<div style="left:{left:.1f}px;top:{top:.1f}px;width:{right - left:.1f}px;'
            f'height:{bottom - top:.1f}px;background:{COLOURS[doc]}66"><i>{doc}</i></div>'
        )


def main() -> None:
    """Draw the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--pdoc", type=int, default=5)
    options = parser.parse_args()
    with Renderer(width=WIDTH, height=700) as renderer:
        source = example_source().replace(b"</head>", SHEET)
        page, picture, _ = renderer.rendered(source, scripts=False, picture=True)
    found = Vips(pdoc=options.pdoc)(page)
    with Renderer(width=round(SCALE * WIDTH), height=700, images=True) as renderer:
        made = renderer.rendered("".join(drawn(found, picture)), scripts=False, picture=True)
    options.out.write_bytes(made.picture)
    print(f"{options.out}: {len(found.leaves)} blocks at PDoC {options.pdoc}")


if __name__ == "__main__":
    main()
