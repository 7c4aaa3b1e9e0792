"""What site models gain in a run: labelled sites as one crawl, their pages mixed.

Run ``python -m bench.quality.batch_sites`` (docs/scale.md). The pages of all labelled sites are
written as one table, shuffled, and extracted by ``chaffinch run``: by the default method, and by
the models that the run learns by bucket of hosts from the same pages, without labels. Means are
over sites.
"""

from __future__ import annotations

import argparse
import base64
import json
import tempfile
from collections import defaultdict
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from bench.lib.labelled_sites import LOSS
from bench.lib.site_pages import heading
from chaffinch.batch import Plan, Recipe, run
from chaffinch.evaluate import known_corpora, read_corpus
from chaffinch.evaluate.tokens import tokenize
from chaffinch.evaluate.words import word_score
from chaffinch.fetch.url_parts import split_url

if TYPE_CHECKING:
    from collections.abc import Iterator

SHARDS: Final = 4


class Labelled(NamedTuple):
    """A page of the crawl, its site and its content; None where it has no label."""

    url: str
    html: bytes
    site: str
    gold: str | None


class Scores(NamedTuple):
    """Of each site the word F1 of its labelled pages, and how many pages each method took."""

    by_site: dict[str, list[float]]
    methods: dict[str, int]


def labelled_pages(only: str) -> Iterator[Labelled]:
    """Yield the pages of the labelled sites whose name contains ``only``, each site one host."""
    for name in known_corpora():
        if not name.startswith("sites/") or only not in name:
            continue
        rows = list(read_corpus(name))
        if any(row.gold_text for row in rows):
            site = name.removeprefix("sites/")
            host = f"{site.replace('_', '-').lower()}.example"
            for number, row in enumerate(rows):
                parts = split_url(row.url or "")
                path = parts.path if parts else "/"
                yield Labelled(f"https://{host}{path}?page={number}", row.html, site, row.gold_text)


def write_crawl(folder: Path, pages: list[Labelled]) -> None:
    """Write the pages as `SHARDS` tables, in an order of chance."""
    mixed = list(pages)
    Random(0).shuffle(mixed)  # noqa: S311  a draw, not a secret
    folder.mkdir()
    for shard in range(SHARDS):
        with (folder / f"{shard}.jsonl").open("w", encoding="utf-8") as file:
            for page in mixed[shard::SHARDS]:
                html = base64.b64encode(page.html).decode()
                file.write(json.dumps({"url": page.url, "html_base64": html}) + "\n")


def scores(crawl: Path, out: Path, recipe: Recipe, pages: list[Labelled]) -> Scores:
    """Return what a run gives of the labelled pages."""
    report = run([str(crawl)], Plan(out=str(out), recipe=recipe, form="jsonl"), workers=1)
    texts: dict[str, str] = {}
    for file in out.rglob("*.jsonl"):
        with file.open(encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                texts[row["url"]] = row.get("text") or ""
    found: defaultdict[str, list[float]] = defaultdict(list)
    for page in pages:
        if page.gold:
            text = texts.get(page.url, "")
            found[page.site].append(word_score(tokenize(text), tokenize(page.gold)).f1)
    return Scores(dict(found), dict(report.tally.methods))


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--site", default="", help="only sites whose name contains this")
    chosen = options.parse_args()
    print(heading(), flush=True)
    pages = list(labelled_pages(chosen.site))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_crawl(folder / "crawl", pages)
        plain = scores(folder / "crawl", folder / "plain", Recipe(), pages)
        recipe = Recipe(site_models=str(folder / "models"))
        learned = scores(folder / "crawl", folder / "learned", recipe, pages)
    print("| | sites | mean F1 | worst quarter | worst against default | lose > 0.01 | by rules |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    base = np.array([np.mean(plain.by_site[site]) for site in plain.by_site])
    for title, one in (("default method", plain), ("site models by bucket", learned)):
        means = np.array([np.mean(one.by_site[site]) for site in plain.by_site])
        worst = np.sort(means)[: max(len(means) // 4, 1)].mean()
        ruled = one.methods.get("site, rules", 0) / max(sum(one.methods.values()), 1)
        print(
            f"| {title} | {len(means)} | {means.mean():.4f} | {worst:.4f} "
            f"| {(means - base).min():+.4f} | {(means < base - LOSS).sum()} | {ruled:.0%} |"
        )


if __name__ == "__main__":
    main()
