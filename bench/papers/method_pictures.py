"""Pictures for the docs: an article of the example site, and what each method keeps of it.

    python -m bench.papers.method_pictures [METHOD ...]

writes ``docs/pictures/METHOD.png`` for the methods named. Without names: for all, and ``page.png``
(the page before) and ``page-kept.png`` (what the default keeps). Methods that compare pages get the
other English articles of the site. Needs a Chromium.
"""

from __future__ import annotations

import argparse
from typing import Final

from bench import ROOT
from chaffinch import Page, extract, parse
from chaffinch.methods import METHODS, settings_of
from picture import drawing, photograph
from site_maker import pages

PICTURES: Final = ROOT / "docs" / "pictures"
ARTICLE: Final = "forty-owl-boxes.html"


def articles() -> tuple[Page, list[Page]]:
    """Return the article, and the other English articles of the example site."""
    rows = [row for row in pages() if (row["template"], row["lang"]) == ("article", "en")]
    found = [parse(row["html"].encode("latin-1"), url=row["url"]) for row in rows]
    (number,) = [n for n, row in enumerate(rows) if row["url"].endswith(ARTICLE)]
    return found.pop(number), found


def main() -> None:
    """Draw the page before, and after each method."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("methods", nargs="*", metavar="METHOD", help="default: all, and the page")
    chosen = parser.parse_args().methods
    PICTURES.mkdir(exist_ok=True)
    page, siblings = articles()
    drawn: dict[str, str] = {}
    for name in chosen or METHODS:
        others = siblings if "siblings" in settings_of(name) else ()
        drawn[name] = drawing(extract(page, method=name, siblings=others))
    if not chosen:
        drawn["page"] = drawing(extract(page), marked=False)
        drawn["page-kept"] = drawing(extract(page))
    for name, html in drawn.items():
        target = PICTURES / f"{name}.png"
        photograph(html, target)
        print(f"{target.relative_to(ROOT)}: {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
