"""How often the links chosen as siblings lead to pages of the same template, on labelled sites.

A page is taken when at least 8 of its links lead to other pages of its template that the site's
file holds. Eight siblings are chosen by the page's links alone, as `chaffinch siblings FILE` does;
those whose pages the file doesn't hold can't be judged and are counted apart. Where a file is a
mirror of a site, addresses are taken as its links write them. Beside it, the source's way (longest
common prefix of addresses) and the first eight links of the host.

    python bench/siblings.py [--site NAME] [--count 8]
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import re
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

from chaffinch import parse
from chaffinch.siblings.near_links import near_links, spread
from chaffinch.siblings.url_shapes import host_of, plain_url, url_key
from timing import corpora, machine, versions

if TYPE_CHECKING:
    from collections.abc import Callable

    from chaffinch.page import Page

LINKS = 8  # to pages of the template that a page must have


def links(page: Page, url: str) -> list[str]:
    """Return the addresses of a page's links to its own host, itself left out."""
    is_link = page.is_tag("a")
    found = [plain_url(href, page.base) for row, href in page.having("href") if is_link[row]]
    own = url_key(url)
    return list(
        dict.fromkeys(
            one for one in found if one and host_of(one) == host_of(url) and url_key(one) != own
        )
    )


def page_key(url: str) -> str:
    """Return what the forms of an address have in common that a mirror of a site may use."""
    return re.sub(r"(?:/|/index\.html|\.html)\Z", "", url_key(url))


def as_linked(url: str, linked: Counter[str]) -> str:
    """Return the form of an address that the site's pages link to most often."""
    forms = [url, f"{url}.html", re.sub(r"index\.html\Z", "", url)]
    return max(forms, key=lambda one: linked[one])


def by_shape(page: Page, url: str, count: int) -> list[str]:
    """The product's choice."""
    return [link.url for link in spread(near_links(url, [page]).links, count)]


def by_prefix(page: Page, url: str, count: int) -> list[str]:
    """The links with the longest common prefix."""
    same = {one: len(os.path.commonprefix([one, url])) for one in links(page, url)}  # noqa: RUF071
    ranked = sorted(same, key=lambda one: -same[one])
    return ranked[:count]


def by_place(page: Page, url: str, count: int) -> list[str]:
    """The first links of the host."""
    return links(page, url)[:count]


WAYS: dict[str, Callable[[Page, str, int], list[str]]] = {
    "chosen": by_shape,
    "prefix": by_prefix,
    "first": by_place,
}


def judged(name: str, count: int) -> tuple[int, dict[str, Counter[str]]]:
    """Return how many pages of a site were taken, and what was chosen, by way."""
    with lzma.open(corpora() / "sites" / f"{name}.jsonl.xz", "rt", encoding="utf-8") as file:
        rows = [row for row in map(json.loads, file) if row.get("url")]
    template = {page_key(plain_url(row["url"])): row.get("template") for row in rows}
    linked = Counter(
        one
        for row in rows
        for one in links(parse(row["html"].encode("latin-1"), url=row["url"]), row["url"])
    )
    taken, sums = 0, {way: Counter[str]() for way in WAYS}
    for row in rows:
        url = as_linked(plain_url(row["url"]), linked)
        page = parse(row["html"].encode("latin-1"), url=url)
        own = template[page_key(url)]
        known = [one for one in links(page, url) if template.get(page_key(one)) == own]
        if len(known) < LINKS:
            continue
        taken += 1
        for way, choose in WAYS.items():
            for one in choose(page, url, count):
                found = template.get(page_key(one))
                kind = "unknown" if found is None else "right" if found == own else "wrong"
                sums[way][kind] += 1
    return taken, sums


def main() -> None:
    """Print precision by site and way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--site", default="", help="only sites whose name contains this")
    parser.add_argument("--count", type=int, default=8)
    chosen = parser.parse_args()
    print(machine(), versions("chaffinch"))
    print(f"{'site':24} pages" + "".join(f"  {way:>8} (right wrong unknown)" for way in WAYS))
    for path in sorted((corpora() / "sites").glob("*.jsonl.xz")):
        name = path.name.removesuffix(".jsonl.xz")
        if chosen.site not in name:
            continue
        taken, sums = judged(name, chosen.count)
        if not taken:
            continue
        cells = []
        for found in sums.values():
            known = found["right"] + found["wrong"]
            share = f"{found['right'] / known:8.3f}" if known else "       –"
            cells.append(f"  {share} ({found['right']:5} {found['wrong']:5} {found['unknown']:7})")
        print(f"{name:24} {taken:5}" + "".join(cells), flush=True)


if __name__ == "__main__":
    main()
