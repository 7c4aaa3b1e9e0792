"""A picture of a page's visual blocks, at the boxes that VIPS read or estimated (SVG).

By default of an article page of the example site, or of any saved page:

    python -m bench.papers.vips_picture docs/methods/vips.svg
    python -m bench.papers.vips_picture out.svg --page FILE

``chaffinch vips PAGE --picture FILE`` draws the same of any page.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from chaffinch.page import parse
from chaffinch.segment.vips import Vips
from chaffinch.segment.vips.picture import picture
from site_maker import pages


def example_source() -> bytes:
    """Return an English article of the example site."""
    row = next(row for row in pages() if (row["template"], row["lang"]) == ("article", "en"))
    source: bytes = row["html"].encode("latin-1")
    return source


def main() -> None:
    """Draw the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--page", type=Path)
    parser.add_argument("--pdoc", type=int, default=5)
    options = parser.parse_args()
    page = parse(options.page.read_bytes()) if options.page else parse(example_source())
    segmentation = Vips(pdoc=options.pdoc)(page)
    options.out.write_text(picture(segmentation), encoding="utf-8")
    print(f"{options.out}: {len(segmentation.leaves)} blocks at PDoC {options.pdoc}")


if __name__ == "__main__":
    main()
