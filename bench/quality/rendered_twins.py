"""Extraction of pages that scripts build, against that of their static twins, on the example web.

`equal` counts pages whose extracted text is that of the twin as it is served, character by
character; `words` is the share of the labelled content's words that the extracted text has.

    python -m bench.quality.rendered_twins [--pages 40]
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from chaffinch import extract
from chaffinch.errors import PageError
from chaffinch.fetch import fetch
from chaffinch.loading.loader import Loader
from chaffinch.page import parse
from web_maker import Asked, answer
from web_maker.server import serving

if TYPE_CHECKING:
    from chaffinch.page import Page

HOST: Final = "app.test"
TOLD: Final[dict[str, Any]] = {"allow": [HOST], "resolve": [f"{HOST}=127.0.0.1"]}
KINDS: Final = {
    "app": "a script fetches the content",
    "late": "the same, a second later",
    "state": "the content stands in a script",
    "consent": "a dialog covers the page",
    "lazy": "pictures wait to be seen",
}


def text(page: Page) -> str:
    """Return the extracted text."""
    return extract(page).text


def words(found: str, gold: str) -> float:
    """Return the share of the words of ``gold`` that ``found`` has."""
    wanted, there = Counter(gold.split()), Counter(found.split())
    return (wanted & there).total() / max(wanted.total(), 1)


def main() -> None:
    """Print a line for each kind of page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=40, help="of each kind")
    count: int = parser.parse_args().pages
    print("| page | | pages | rendered by «auto» | equal, fetched | equal, rendered | words |")
    print("|---|---|---|---|---|---|---|")
    with (
        serving() as server,
        Loader(render="auto", **TOLD) as auto,
        Loader(render="always", **TOLD) as always,
    ):
        where = f"http://{HOST}:{server.port}"
        for kind, meaning in KINDS.items():
            sums = Counter[str]()
            for number in range(count):
                url, twin = f"{where}/{kind}/{number}.html", f"{where}/plain/{number}.html"
                true = text(parse(fetch(twin, **TOLD).body, url=url))
                served = text(parse(fetch(url, **TOLD).body, url=url))
                try:
                    found = text(always.address(url))
                except PageError as error:
                    print(f"{url}: {error}", file=sys.stderr)
                    continue
                gold = answer(Asked(host=HOST, port=1, target=f"/plain/{number}.html")).gold
                sums["auto"] += auto.address(url).layout is not None
                sums["served"] += served == true
                sums["rendered"] += found == true
                sums["words"] += round(1000 * words(found, gold or ""))
            print(
                f"| `{kind}` | {meaning} | {count} | {sums['auto']} | {sums['served']}"
                f" | {sums['rendered']} | {sums['words'] / 1000 / count:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
