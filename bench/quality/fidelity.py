"""Fidelity of Markdown: how much of a page's structure is right, side by side with other tools.

``python -m bench.quality.fidelity readability --limit 40`` extracts pages and compares with their
gold HTML; ``--container`` hands each tool the gold container instead, so that rendering alone is
measured; ``site`` is the example site. Systems that aren't installed are named and left out.
"""

from __future__ import annotations

import argparse
import importlib
import logging
import sys
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from markdown_it import MarkdownIt

import chaffinch
from bench.lib.structures import (
    BAGS,
    bag_counts,
    comparable,
    f1,
    gold_part,
    structure,
    table_score,
    text_score,
)
from chaffinch.decision.policy import Policy
from chaffinch.evaluate.corpora import read_corpus
from chaffinch.page.decoding import decode
from chaffinch.verdict import Content, Verdict

System = Callable[[bytes, str], str]


_READER = MarkdownIt("commonmark", {"maxNesting": 500}).enable(["table", "strikethrough"])
_NO_URL = "http://fakehost/test/page.html"
_TABLES = 6  # of a page that are compared; the distance of trees takes its time


@dataclass
class Page:
    """A page with its gold: the HTML of the container."""

    html: bytes
    url: str
    gold: str


_ASKED = Policy(notes=True, tables=True, captions=True)
_weights: dict[int, str] = {}
"""Of each page, by checksum, the weights that have not seen its domain; see --folds."""


def _ours(html: bytes, url: str, policy: Policy | None = None) -> str:
    settings = {"policy": policy or Policy(), "weights": _weights.get(crc32(html))}
    return chaffinch.extract(html, url=url, settings=settings).markdown()


def hold_out(corpus: str, folds: Path) -> None:
    """Have each page of a corpus read with the weights of the fold that has not seen its domain."""
    module = importlib.import_module("training.held_out")
    count = len(list(folds.glob("fold*.npz")))
    for page in read_corpus(corpus):
        fold = module.fold_of(module.registrable(page), count)
        _weights[crc32(page.html)] = str(folds / f"fold{fold}.npz")


def _ours_all(html: bytes, url: str) -> str:
    page = chaffinch.parse(html, url=url)
    every = np.ones(len(page), dtype=bool)
    verdict = replace(Verdict.empty(len(page)), keep=every, judges_images=True)
    return chaffinch.Extract(Content(page, verdict), "all").markdown()


def _trafilatura() -> System:
    module = importlib.import_module("trafilatura")
    kept = {"include_links": True, "include_images": True, "include_formatting": True}
    return lambda html, url: (
        module.extract(html, url=url, output_format="markdown", include_comments=False, **kept)
        or ""
    )


def _summary(html: bytes, url: str) -> str:
    document = importlib.import_module("readability").Document
    return str(document(decode(html).text, url=url).summary(html_partial=True))


def _markdownify() -> System:
    module = importlib.import_module("markdownify")
    return lambda html, _: module.markdownify(decode(html).text, heading_style="ATX")


def _html_to_markdown() -> System:
    module = importlib.import_module("html_to_markdown")
    return lambda html, _: (
        module.convert(decode(html).text, module.ConversionOptions(extract_metadata=False)).content
        or ""
    )


def _html_to_markdown_cleaned() -> System:
    module = importlib.import_module("html_to_markdown")
    cleaned = module.PreprocessingOptions(enabled=True, preset="aggressive")
    options = module.ConversionOptions(extract_metadata=False, preprocessing=cleaned)
    return lambda html, _: module.convert(decode(html).text, options).content or ""


def _chromerag() -> System:
    module = importlib.import_module("chromerag")
    config = module.PipelineConfig.from_priority("balanced", enable_schema=False)
    engine = module.ChromeRAG(config=config)
    return lambda html, url: engine.extract(decode(html).text, url=url).markdown


def _after_readability(make: Callable[[], System]) -> System:
    convert = make()
    importlib.import_module("readability")
    return lambda html, url: convert(_summary(html, url).encode(), url)


EXTRACTORS: dict[str, Callable[[], System]] = {
    "chaffinch": lambda: _ours,
    "chaffinch, notes, tables, captions": lambda: partial(_ours, policy=_ASKED),
    "trafilatura": _trafilatura,
    "readability-lxml, markdownify": lambda: _after_readability(_markdownify),
    "readability-lxml, html-to-markdown": lambda: _after_readability(_html_to_markdown),
    "html-to-markdown, aggressive": _html_to_markdown_cleaned,
    "chromerag": _chromerag,
}
RENDERERS: dict[str, Callable[[], System]] = {
    "chaffinch": lambda: _ours_all,
    "markdownify": _markdownify,
    "html-to-markdown": _html_to_markdown,
}


def read(name: str, limit: int | None) -> Iterator[Page]:
    """Yield the pages of a corpus, or of the example site, with gold HTML."""
    if name == "site":
        rows = importlib.import_module("site_maker").pages()[:limit]
        given: list[tuple[bytes, str | None, str | None, str | None]] = [
            (r["html"].encode("latin-1"), r["url"], None, r["gold_text"]) for r in rows
        ]
    else:
        given = [(p.html, p.url, p.gold_html, p.gold_text) for p in read_corpus(name, limit=limit)]
    for html, url, gold_html, gold_text in given:
        if gold_html or gold_text:
            yield Page(html, url or _NO_URL, gold_html or gold_part(html, gold_text or ""))


def measure(pages: list[Page], systems: dict[str, System], *, in_container: bool) -> dict[str, Any]:
    """Return name → measure → figures of all pages."""
    figures: dict[str, Any] = {name: defaultdict(list) for name in systems}
    for page in pages:
        gold = structure(page.gold, url=page.url)
        for name, system in systems.items():
            begin = time.process_time()
            try:
                markdown = system(page.gold.encode() if in_container else page.html, page.url)
            except Exception as error:  # noqa: BLE001  a baseline that fails on a page gets nothing for it
                print(f"{name}: {type(error).__name__}: {error}"[:120], file=sys.stderr)
                markdown = ""
            own = figures[name]
            own["seconds"].append(time.process_time() - begin)
            found = comparable(gold, structure(_READER.render(markdown), url=page.url))
            own["text"].append(text_score(gold.words, found.words))
            for bag in BAGS:
                own[bag].append(bag_counts(gold.bags[bag], found.bags[bag]))
            own["table"] += table_score(gold.tables[:_TABLES], found.tables[: 2 * _TABLES])
    return figures


def report(figures: dict[str, Any], count: int) -> str:
    """Return the figures as a Markdown table: text and tables 0..1, the rest F1 (P/R)."""
    heads = ["system", "text", "TEDS", *BAGS, "ms"]
    lines = [f"{count} pages", "", f"| {' | '.join(heads)} |", "|" + " --- |" * len(heads)]
    for name, own in figures.items():
        cells = [name, f"{np.mean(own['text']):.3f}"]
        cells.append(f"{np.mean(own['table']):.3f}" if own["table"] else "–")
        for bag in BAGS:
            precision, recall, mean, count = f1(own[bag])
            cells.append(f"{mean:.3f} ({precision:.2f}/{recall:.2f})" if count else "–")
        cells.append(f"{np.median(own['seconds']) * 1000:.1f}")
        lines.append(f"| {' | '.join(cells)} |")
    first = next(iter(figures.values()))
    wanted = ", ".join(f"{f1(first[bag])[3]} {bag}" for bag in BAGS)
    return "\n".join([*lines, "", f"Wanted: {wanted}; {len(first['table'])} tables."])


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", help="a corpus, sites/NAME, or site: the example site")
    parser.add_argument("--limit", type=int, help="so many pages, drawn with a seed")
    parser.add_argument("--container", action="store_true", help="rendering alone")
    parser.add_argument("--folds", type=Path, help="weights by fold, for a corpus trained on")
    given = parser.parse_args()
    if given.folds:
        hold_out(given.corpus, given.folds)
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    systems = {}
    for name, make in (RENDERERS if given.container else EXTRACTORS).items():
        try:
            systems[name] = make()
        except ImportError as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
    pages = list(read(given.corpus, given.limit))
    print(report(measure(pages, systems, in_container=given.container), len(pages)))


if __name__ == "__main__":
    main()
