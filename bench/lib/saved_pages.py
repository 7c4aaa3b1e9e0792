"""Saved pages twice over: as their markup alone tells, and as a browser lays them out.

The network is off and scripts don't run, so that the rows are the same; of style sheets only those
in the page itself have an effect.
"""

from __future__ import annotations

import json
import lzma
import sys
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bench.lib.timing import corpora
from chaffinch.errors import PageError
from chaffinch.page import parse
from site_maker import pages
from web_maker import Asked, answer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from chaffinch.page import Page
    from chaffinch.render import Renderer


class Pair(NamedTuple):
    """One page twice, and its labelled content without white space."""

    markup: Page
    rendered: Page
    gold: str


def example_rows() -> list[tuple[bytes, str]]:
    """Return (bytes, labelled content) of the example site."""
    return [(row["html"].encode("latin-1"), row["gold_text"]) for row in pages()]


def web_rows() -> list[tuple[bytes, str]]:
    """Return (bytes, labelled content) of the example web's static pages, consent dialogs too."""
    targets = [f"/{kind}/{number}.html" for number in range(40) for kind in ("plain", "consent")]
    found = [answer(Asked(host="app.test", port=80, target=target)) for target in targets]
    return [(one.body, one.gold or "") for one in found]


def saved_rows(path: Path) -> Iterator[tuple[bytes, str]]:
    """Yield (bytes, labelled content) of the labelled pages of a corpus or site."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            if row.get("gold_text"):
                yield row["html"].encode("latin-1"), row["gold_text"]


def groups(count: int, only: str = "") -> Iterator[tuple[str, list[tuple[bytes, str]]]]:
    """Yield (name, rows): example site and web, every site, twice as many of wcxb; or ``only``."""
    for name, rows in _groups(count):
        if only in ("", name):
            yield name, rows


def _groups(count: int) -> Iterator[tuple[str, list[tuple[bytes, str]]]]:
    rows = example_rows()
    yield "example site", rows[:: max(1, len(rows) // count)][:count]
    yield "example web", web_rows()[:count]
    for path in sorted((corpora() / "sites").glob("*.jsonl.xz")):
        found = list(islice(saved_rows(path), count))
        if found:
            yield path.name.split(".jsonl")[0], found
    every = list(saved_rows(corpora() / "corpora" / "wcxb.jsonl.xz"))
    yield "wcxb", every[:: max(1, len(every) // (2 * count))][: 2 * count]


def pairs(rows: list[tuple[bytes, str]], renderer: Renderer) -> Iterator[Pair]:
    """Yield the pages that are the same table both ways; others are told on standard error."""
    for data, gold in rows:
        try:
            markup, rendered = parse(data), renderer.render(data, scripts=False)
        except PageError as error:
            print(f"left out: {error}", file=sys.stderr)
            continue
        if not np.array_equal(markup.tag, rendered.tag) or markup.text != rendered.text:
            print("left out: the browser reads it otherwise", file=sys.stderr)
            continue
        yield Pair(markup, rendered, "".join(gold.split()))
