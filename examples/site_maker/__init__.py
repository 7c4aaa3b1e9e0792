"""A small bilingual web site, made up whole, with the truth about every page.

`pages()` gives the pages as dictionaries in the format of the labelled corpora: `html` holds the
bytes as served, decoded as latin-1; `gold_text` the content, blocks on lines of their own.
The same bytes come out on every platform and in every run.

What counts as content is what a reader would call so. The headline is the first line of
`gold_text`. Captions, code, table cells (a row a line, a space between cells), questions that
unfold, prices and properties of a product belong to it; on lists the title and teaser of every
card (and its price); in a thread every post's text. Bylines, dates, credits, tags, comments and
reviews, related links, navigation and advertisements do not.

Keys beyond the corpora's: `path` (where the page goes in a folder), `encoding` (the true one),
`declared` (what the page says), `damage` (how its HTML was broken), `part` and `parts` of an
article that goes on over several pages.
"""

import json
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from site_maker.blocks import figures
from site_maker.damage import DAMAGES
from site_maker.frame import Made
from site_maker.kinds import KINDS
from site_maker.site import Entry, Site, sites

__all__ = ["pages", "write"]

PAGE_TYPES = {"list": "listing", "product": "product", "thread": "forum", "docs": "documentation"}
SNIPPETS = 8  # of noise, for each page
LINE = 9  # characters; shorter lines of content could stand in noise, too


def pages() -> list[dict[str, Any]]:
    """All pages of both sites, in a fixed order."""
    return [_row(site, entry) for site in sites() for entry in site.entries]


def _row(site: Site, entry: Entry) -> dict[str, Any]:
    made = KINDS[entry.kind](site, entry)
    html = made.html
    for damage in entry.damage:
        html = DAMAGES[damage](html)
    served = html.encode(entry.encoding, "xmlcharrefreplace")
    url = f"https://{site.host}/{'' if entry.path == 'index.html' else entry.path}"
    row: dict[str, Any] = {
        "id": f"{site.lang}-{entry.path.removesuffix('.html').replace('/', '-')}",
        "url": url,
        "domain": "grain.example",
        "lang": entry.lang or site.lang,
        "page_type": "collection"
        if entry.slug == "shop"
        else PAGE_TYPES.get(entry.kind, "article"),
        "template": entry.kind,
        "title": entry.title,
        "author": entry.author or None,
        "date": entry.date if entry.kind != "list" else None,
        "html": served.decode("latin-1"),
        "gold_text": "\n".join(made.gold),
        "with": _with(made.gold),
        "without": _without(made),
        "images": [urljoin(url, f"/images/{figure.file}") for figure in figures(entry.blocks())],
        "posts": made.posts,
        "comments": [*entry.comments, *entry.reviews],
        "path": f"{site.host}/{entry.path}",
        "encoding": entry.encoding,
        "declared": entry.label,
        "damage": list(entry.damage),
    }
    if entry.parts > 1:
        row |= {"part": entry.part, "parts": entry.parts}
    return {key: value for key, value in row.items() if value not in (None, [])}


def _with(lines: list[str]) -> list[str]:
    """Snippets of the first, the middle and the last line of the content."""
    body = [line for line in lines[1:] if len(line) >= LINE]
    chosen = [body[0], body[len(body) // 2], body[-1]]
    return list(dict.fromkeys(line[:60] for line in chosen))


def _without(made: Made) -> list[str]:
    """Snippets of noise, those of this page before those of every page."""
    snippets = list(dict.fromkeys(made.snippets))
    return list(dict.fromkeys([*snippets[: SNIPPETS - 2], *snippets[-2:]]))


def write(folder: Path) -> list[dict[str, Any]]:
    """Write every page under `folder` as it would be served, and `pages.jsonl` beside them."""
    rows = pages()
    for row in rows:
        path = folder / row["path"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(row["html"].encode("latin-1"))
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "pages.jsonl").write_bytes(lines.encode("ascii"))
    return rows
