"""How often the links chosen as siblings lead to pages of the same template, on labelled sites.

A page is taken when at least 8 of its links lead to other pages of its template that the site's
file holds. Eight siblings are chosen by the page's links alone, as `chaffinch siblings FILE` does;
those whose pages the file doesn't hold can't be judged and are counted apart. Where a file is a
mirror of a site, addresses are taken as its links write them. Beside it, the source's way (longest
common prefix of addresses) and the first eight links of the host. The example web follows, which
knows the template of every address.

    python -m bench.quality.siblings [--site NAME] [--count 8]
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bench.lib.timing import corpora, machine, versions
from chaffinch import parse
from chaffinch.siblings.sibling_links import sibling_links, spread
from chaffinch.siblings.url_shapes import host_of, plain_url, url_key
from web_maker import Asked, answer
from web_maker.texts import entry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

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
    return [link.url for link in spread(sibling_links(url, [page]).links, count)]


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


@dataclass(frozen=True)
class Pages:
    """Pages of a site: (address, bytes), and the template of an address, None where unknown."""

    name: str
    pages: list[tuple[str, bytes]]
    template: Callable[[str], str | None]


def labelled(path: Path) -> Pages:
    """Return the pages of a labelled site, addresses as its links write them."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        rows = [row for row in map(json.loads, file) if row.get("url")]
    known = {page_key(plain_url(row["url"])): row.get("template") for row in rows}
    pages = [(plain_url(row["url"]), row["html"].encode("latin-1")) for row in rows]
    linked = Counter(one for url, html in pages for one in links(parse(html, url=url), url))
    return Pages(
        path.name.removesuffix(".jsonl.xz"),
        [(as_linked(url, linked), html) for url, html in pages],
        lambda url: known.get(page_key(url)),
    )


def example(host: str) -> Pages:
    """Return pages of a host of the example web, which knows the template of every address."""
    lang = "zh" if host.startswith("zh") else "en"
    targets = {
        "shop.test": [f"/item.html?id={number}" for number in range(3, 500, 13)],
        "docs.test": [f"/manual/chapter-{number}.html" for number in range(3, 120, 3)],
        "forum.test": [f"/thread/{number}/" for number in range(3, 300, 8)],
    }.get(host) or [entry("article", lang, number).link for number in range(3, 1600, 40)]
    pages = [
        (f"http://{host}{target}", answer(Asked(host=host, port=80, target=target)).body)
        for target in targets
    ]
    return Pages(host, pages, lambda url: _kind(url.partition(host)[2]))


def _kind(target: str) -> str:
    """Return the template of an address on the example web."""
    own = r"/\w+/\d{4}/|/item\.html\?id|/manual/chapter|/thread/\d"
    return "page" if re.match(own, target) else "other"


def judged(site: Pages, count: int) -> tuple[int, dict[str, Counter[str]]]:
    """Return how many pages of a site were taken, and what was chosen, by way."""
    taken, sums = 0, {way: Counter[str]() for way in WAYS}
    for url, html in site.pages:
        page = parse(html, url=url)
        own = site.template(url)
        if sum(site.template(one) == own for one in links(page, url)) < LINKS:
            continue
        taken += 1
        for way, choose in WAYS.items():
            for one in choose(page, url, count):
                found = site.template(one)
                kind = "unknown" if found is None else "right" if found == own else "wrong"
                sums[way][kind] += 1
    return taken, sums


def sites() -> Iterator[Pages]:
    """Yield the labelled sites, then hosts of the example web."""
    for path in sorted((corpora() / "sites").glob("*.jsonl.xz")):
        yield labelled(path)
    for host in ("post.test", "zh.post.test", "shop.test", "forum.test", "docs.test"):
        yield example(host)


def main() -> None:
    """Print precision by site and way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--site", default="", help="only sites whose name contains this")
    parser.add_argument("--count", type=int, default=8)
    chosen = parser.parse_args()
    print(machine(), versions("chaffinch"))
    print(f"{'site':24} pages" + "".join(f"  {way:>8} (right wrong unknown)" for way in WAYS))
    for site in sites():
        name = site.name
        if chosen.site not in name:
            continue
        taken, sums = judged(site, chosen.count)
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
