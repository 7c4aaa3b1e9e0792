"""Same-layer-similarity end to end: siblings found by the crawl, noise blocks by their comparison.

Serves the example web on loopback, finds the siblings of pages of five hosts as `chaffinch
siblings` does, and gives them to `sibling_subtrees`; the measures are those of same_layer.py, the
gold is the example web's own.

    python -m bench.papers.same_layer_crawl [--pages 12] [--host post.test]
"""

from __future__ import annotations

import argparse
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from bench.lib.site_pages import heading
from bench.papers.same_layer import NOISE_SHARE, Case, folded, gold_share, noise_blocks, table_one
from chaffinch.crawl import Politeness, find_siblings
from chaffinch.fetch import AddressGuard, FetchLimits
from chaffinch.segment.vips import Vips
from web_maker import Asked, answer
from web_maker.server import serving
from web_maker.texts import COUNTS, entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.crawl import Discovery


def targets(host: str, most: int) -> list[str]:
    """Return targets of a host's pages with gold, spread over it."""
    lang = "zh" if host.startswith("zh") else "en"
    kind = {"shop.test": "product", "forum.test": "thread", "docs.test": "docs"}.get(
        host, "article"
    )
    count = COUNTS[kind][lang]
    numbers = [int((k + 0.5) * count / most) for k in range(most)]
    forms = {
        "product": "/item.html?id={}",
        "thread": "/thread/{}/",
        "docs": "/manual/chapter-{}.html",
    }
    if kind == "article":
        return [entry(kind, lang, number).link for number in numbers]
    return [forms[kind].format(number) for number in numbers]


def case(host: str, found: Discovery, gold: str) -> Case:
    """Return a page and the siblings found as a case of same_layer.py."""
    blocks = Vips()(found.page)
    text, title = folded(gold), folded(gold.split("\n", maxsplit=1)[0])
    texts = [folded(blocks.text(leaf)) for leaf in blocks.leaves.tolist()]
    share = np.array([gold_share(one, text) for one in texts])
    length = [0 if one in (title, "") else len(one) for one in texts]
    siblings = [sibling.page for sibling in found.siblings]
    return Case(host, found.page, gold, siblings, blocks, share < NOISE_SHARE, np.array(length))


def cases(host: str, most: int, port: int) -> Iterator[Case]:
    """Yield pages of a host with the siblings that discovery finds."""
    guard = AddressGuard((host,), (f"{host}=127.0.0.1",))
    politeness = Politeness(delay=0, per_host=4)
    for target in targets(host, most):
        found = find_siblings(
            f"http://{host}:{port}{target}",
            politeness=politeness,
            limits=FetchLimits(),
            guard=guard,
        )
        SEEN["siblings"] += len(found.siblings)
        SEEN["lists"] += len(found.looked_at)
        SEEN["pages"] += 1
        gold = answer(Asked(host=host, port=port, target=target)).gold
        if found.siblings:
            yield case(host, found, gold)


SEEN: Counter[str] = Counter()
HOSTS = ("post.test", "zh.post.test", "shop.test", "forum.test", "docs.test")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=12, help="of each host")
    parser.add_argument("--host", choices=HOSTS, action="append", help="default: all five")
    chosen = parser.parse_args()
    print(heading())
    with serving() as server:
        hosts = chosen.host or HOSTS
        given = [one for host in hosts for one in cases(host, chosen.pages, server.port)]
    print(
        f"{SEEN['pages']} pages, {SEEN['siblings']} siblings found, "
        f"{SEEN['lists']} lists, feeds and site maps read"
    )
    noise_blocks(given)
    table_one(given)


if __name__ == "__main__":
    main()
