"""Extraction of pages that scripts build, against that of their static twins, on the example web.

`equal` counts pages whose extracted text is that of the twin as it is served, character by
character; `words` is the share of the labelled content's words that the extracted text has.

    python bench/rendered_twins.py [pages=40]
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from chaffinch import extract
from chaffinch.errors import PageError
from chaffinch.fetch import fetch
from chaffinch.loading.loader import Loader
from chaffinch.page import parse

if TYPE_CHECKING:
    from chaffinch.page import Page

EXAMPLES = Path(__file__).parents[1] / "examples"
HOST: Final = "app.test"
TOLD: Final = {"allow": [HOST], "resolve": [f"{HOST}=127.0.0.1"]}
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
    sys.path.insert(0, str(EXAMPLES))
    from web_maker import Asked, answer  # noqa: PLC0415 found only after the line above
    from web_maker.server import serving  # noqa: PLC0415 the same

    given = dict(one.split("=") for one in sys.argv[1:])
    count = int(given.get("pages", "40"))
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
