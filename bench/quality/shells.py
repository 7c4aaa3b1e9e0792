"""Precision and recall of the test for shells of ``--render auto`` (`chaffinch.load`).

Shells are made of labelled pages in two ways: «bare», a body with nothing but an empty element and
the page's scripts; «hollow», the page with the smallest element around its content emptied, so that
navigation, footer and asides stay. The pages as they are count as full where most of their labelled
content stands in them, and as shells by nature where next to none does. And the example web: shells
with their static twins, and shells whose content stands in a script, which need no browser.

    python -m bench.quality.shells [--pages 100] [CORPUS …]
"""

from __future__ import annotations

import argparse
import json
import lzma
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Final

from bench.lib.emptied_pages import bare, container, hollow, share
from bench.lib.timing import corpora
from chaffinch.assessment.shell import needs_browser
from chaffinch.errors import PageError
from chaffinch.page import parse
from web_maker import Asked, answer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.page import Page

CORPORA: Final = ("wcxb", "magic_html_article", "magic_html_forum", "daniel", "zh_news", "fundus")
THERE, GONE = 0.7, 0.1


def pages(name: str, count: int) -> Iterator[tuple[str, Page]]:
    """Yield (kind, page) of a corpus: «full», «by nature», «bare», «hollow»."""
    with lzma.open(corpora() / "corpora" / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
        rows = (row for row in map(json.loads, lines) if row.get("gold_text"))
        for row in islice(rows, None, None, max(1, TOTAL.get(name, 100) // count)):
            data, gold = row["html"].encode("latin-1"), "".join(row["gold_text"].split())
            try:
                page = parse(data)
            except PageError:
                continue
            there = share(page, gold)
            if there <= GONE:
                yield "by nature", page
            if there < THERE:
                continue
            yield "full", page
            text = data.decode(page.encoding or "utf-8", "replace").encode()
            yield "bare", parse(bare(text))
            yield "hollow", parse(hollow(page, container(page, gold), text))


TOTAL: Final = {
    "wcxb": 1327,
    "daniel": 1002,
    "zh_news": 624,
    "fundus": 235,
    "magic_html_article": 157,
}


def web() -> Iterator[tuple[str, Page]]:
    """Yield the pages of the example web, as they are served."""
    kinds = {"app": "bare", "late": "bare", "state": "data", "plain": "full", "consent": "full"}
    for path, kind in kinds.items():
        for number in range(40):
            found = answer(Asked(host="app.test", port=80, target=f"/{path}/{number}.html"))
            yield kind, parse(found.body)


def main() -> None:
    """Print a line for each corpus."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", nargs="*", default=CORPORA, metavar="CORPUS")
    parser.add_argument("--pages", type=int, default=100, help="of each corpus, about")
    given = parser.parse_args()
    print("| corpus | full pages | called shells | bare found | hollow found | by nature found |")
    print("|---|---|---|---|---|---|")
    sums: Counter[tuple[str, bool]] = Counter()
    for name in [*given.corpora, "example web"]:
        found = Counter(
            (kind, needs_browser(page))
            for kind, page in (web() if name == "example web" else pages(name, given.pages))
        )
        sums += found
        print(f"| {name} | {line(found)} |")
    print(f"| all | {line(sums)} |")
    alone, data = sums["data", False], sums["data", False] + sums["data", True]
    print(f"content in a script: {alone} of {data} left alone")
    wrong = sums["full", True]
    for kind in ("bare", "hollow"):
        right = sums[kind, True]
        print(
            f"{kind}: precision {right / max(right + wrong, 1):.3f},"
            f" recall {right / max(right + sums[kind, False], 1):.3f}"
        )


def line(found: Counter[tuple[str, bool]]) -> str:
    """Return the cells of one corpus."""
    full = found["full", True] + found["full", False]
    shells = (
        f"{found[kind, True]} of {found[kind, True] + found[kind, False]}"
        for kind in ("bare", "hollow", "by nature")
    )
    return " | ".join([str(full), str(found["full", True]), *shells])


if __name__ == "__main__":
    main()
