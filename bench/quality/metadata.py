"""Title, authors and date against labels, side by side with other extractors, and ms a page.

Titles are equal when their letters and digits are; authors score by F1 of the sets of names;
dates are equal when their days are. A field that a system leaves empty is wrong. Settings were
chosen on the half of the domains that ``--part tune`` names (an even CRC-32 of the domain);
``--part report`` is the other half, ``--part each`` has a row for each half. ``trafilatura_eval``
is never split: nothing is tuned on it. Intervals are of 95 % and draw whole domains.

    python -m bench.quality.metadata --part all
"""

from __future__ import annotations

import re
import time
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import click
import numpy as np

from bench.lib.timing import versions
from chaffinch import extract
from chaffinch.elements.dates_in_text import day_of, parse_date
from chaffinch.evaluate.corpora import LabelledPage, read_corpus
from chaffinch.evaluate.evaluation import resampled_sums
from chaffinch.metadata import BASIC
from chaffinch.metadata.values import fold

SITES = (
    "163.com booksamillion coolshell.cn dubhad erikjiang_next hqjt.ruc.edu.cn indiantinker"
    " jedenbod_cz johanveldhuis lingyucoder rappler.com zhihu.com authing_blog"
).split()
# Titles of these labels are made from the title element with the site's name in it, or absent.
TITLES_ALIKE = {"sites/authing_blog", "sites/dubhad", "sites/indiantinker"}
BENCHMARK_ONLY = {"trafilatura_eval"}
CORPORA = ("fundus", "wcxb", "daniel", "trafilatura_eval", *(f"sites/{name}" for name in SITES))
FIELDS = ("title", "authors", "date", "language")
PAGES_OF_SITE = 20
NAMES = re.compile(r"\s*(?:;|,|、|\band\b|&)\s*")
DRAWS = 2_000
OWN = "chaffinch"

Answer = dict[str, Any]


def ours(html: bytes, url: str | None) -> Answer:
    """Return the basic fields as the default extraction gives them, with the content found."""
    result = extract(html, url=url)
    start = time.perf_counter()
    found = {name: result.metadata.value(name) for name in BASIC}
    return {
        "title": found["title"],
        "authors": found["authors"],
        "date": found["published"],
        "language": found["language"],
        "own_seconds": time.perf_counter() - start,
    }


def trafilatura(html: bytes, url: str | None) -> Answer:
    """Ask trafilatura's metadata step alone; it tells no language."""
    from trafilatura import extract_metadata  # noqa: PLC0415  optional

    found = extract_metadata(html, default_url=url)
    if found is None:
        return {}
    return {"title": found.title, "authors": (found.author or "").split("; "), "date": found.date}


SYSTEMS: dict[str, Callable[[bytes, str | None], Answer]] = {OWN: ours, "trafilatura": trafilatura}


def ask(system: str, page: LabelledPage) -> Answer:
    """Return a system's answer with its seconds; a failure is an empty answer."""
    start = time.perf_counter()
    try:
        answer = SYSTEMS[system](page.html, page.url)
    except Exception as error:  # noqa: BLE001  a baseline's failure is an empty answer
        click.echo(f"{system} {page.corpus} {page.id}: {type(error).__name__}", err=True)
        answer = {}
    return answer | {"seconds": time.perf_counter() - start}


def in_part(page: LabelledPage, part: str) -> bool:
    """Tell whether a page's domain is in the part."""
    even = zlib.crc32(page.domain.encode()) % 2 == 0
    return part in {"all", "each"} or even == (part == "tune")


def labelled(name: str, part: str) -> Iterator[tuple[LabelledPage, Answer]]:
    """Yield the pages of a corpus with what is known of them, pages without labels left out."""
    whole = name.startswith("sites/")
    for page in read_corpus(name, limit=PAGES_OF_SITE if whole else None):
        if not (whole or in_part(page, part)):
            continue
        title = page.title if page.gold_text or not whole else None
        if name == "daniel" and page.gold_text:
            title = page.gold_text.strip().partition("\n")[0]
        gold = {
            "title": None if name in TITLES_ALIKE else title,
            "authors": [n for n in NAMES.split(page.author or "") if n],
            "date": parse_date(page.date or ""),
            "language": page.lang,
        }
        if known := {key: value for key, value in gold.items() if value}:
            yield page, known


def score(name: str, answer: Any, gold: Any) -> float:
    """Return 0..1: how right an answer is."""
    if not answer:
        return 0.0
    if name == "authors":
        ours = {fold(p) for n in answer for p in NAMES.split(n or "") if fold(p)}
        theirs = {fold(one) for one in gold}
        return 2 * len(ours & theirs) / (len(ours) + len(theirs)) if ours else 0.0
    if name == "date":
        found = parse_date(str(answer))
        return float(found is not None and day_of(found) == day_of(gold))
    return float(fold(str(answer)) == fold(str(gold)))


@dataclass
class Figures:
    """Of one row of a table: by (field, system) the scores, and the pages' domains by field."""

    scores: dict[tuple[str, str], list[float]] = field(default_factory=lambda: defaultdict(list))
    domains: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def cell(self, name: str, system: str, *, interval: bool = False) -> str:
        """Return a share in percent; "–" where the system doesn't give the field."""
        known = self.scores[name, system]
        if name == "language" and system != OWN:
            return "–"
        mean = f"{100 * np.mean(known):.1f}"
        return f"{mean} ({self.interval(name, known)})" if interval else mean

    def interval(self, name: str, known: list[float]) -> str:
        """Return the ends of the interval of a mean of the field, in percent."""
        addends = np.column_stack([known, np.ones(len(known))])
        sums = resampled_sums(addends, self.domains[name], draws=DRAWS)
        ends = np.quantile(100 * sums[:, 0] / np.maximum(sums[:, 1], 1), [0.025, 0.975])
        return " to ".join(f"{end:.1f}" for end in ends)

    def lead(self, name: str, systems: list[str]) -> str:
        """Return how far Chaffinch is ahead of the best other system, with its interval."""
        own = self.scores[name, OWN]
        others = [self.scores[name, system] for system in systems if system != OWN]
        if not own or not others or name == "language":
            return "–"
        ahead = [a - b for a, b in zip(own, max(others, key=sum), strict=True)]
        return f"{100 * np.mean(ahead):+.1f} ({self.interval(name, ahead)})"


def row_of(page: LabelledPage, name: str, part: str) -> str:
    """Return the row of the tables that a page counts in: its corpus, or the half of it."""
    if part != "each" or name in BENCHMARK_ONLY or name.startswith("sites/"):
        return name
    return f"{name}, {'tune' if in_part(page, 'tune') else 'report'}"


@dataclass
class Run:
    """What is asked of whom, and what was measured."""

    part: str
    systems: list[str]
    rows: dict[str, Figures] = field(default_factory=lambda: defaultdict(Figures))
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def measure(self, name: str) -> None:
        """Ask every system of every labelled page of a corpus."""
        for page, gold in labelled(name, self.part):
            row = self.rows[row_of(page, name, self.part)]
            for own in gold:
                row.domains[own].append(page.domain)
            for system in self.systems:
                answer = ask(system, page)
                for key in ("seconds", "own_seconds"):
                    if key in answer:
                        self.seconds[f"{system} {key}"].append(answer[key])
                for own, value in gold.items():
                    row.scores[own, system].append(score(own, answer.get(own), value))

    def table(self, name: str) -> Iterator[str]:
        """Yield the lines of a field's table in Markdown."""
        yield (
            f"\n| {name} | pages | "
            + " | ".join(versions(one) for one in self.systems)
            + " | ahead by |"
        )
        yield "|---|---:|" + "---:|" * (len(self.systems) + 1)
        for row, own in sorted(self.rows.items()):
            if count := len(own.domains[name]):
                cells = [own.cell(name, one, interval=one == OWN) for one in self.systems]
                yield f"| {row} | {count} | {' | '.join(cells)} | {own.lead(name, self.systems)} |"


def _names(text: str, known: tuple[str, ...]) -> list[str]:
    names = [one for one in text.split(",") if one]
    if unknown := [one for one in names if one not in known]:
        raise click.BadParameter(f"unknown: {', '.join(unknown)}; known: {', '.join(known)}")
    return names


@click.command()
@click.option("--part", type=click.Choice(["tune", "report", "all", "each"]), default="each")
@click.option("--corpora", default=",".join(CORPORA), show_default=True)
@click.option("--systems", default=",".join(SYSTEMS), show_default=True)
def main(part: str, corpora: str, systems: str) -> None:
    """Print the tables in Markdown."""
    corpus_names = _names(corpora, CORPORA)
    if part in {"tune", "report"}:
        corpus_names = [name for name in corpus_names if name not in BENCHMARK_ONLY]
    chosen = _names(systems, tuple(SYSTEMS))
    run = Run(part, chosen)
    for name in corpus_names:
        run.measure(name)
    for name in FIELDS:
        click.echo("\n".join(run.table(name)))
    click.echo("\nms a page from bytes (own_seconds: of that for metadata):")
    for name, spent in run.seconds.items():
        click.echo(f"- {name}: {1000 * np.mean(spent):.2f}, {len(spent)} pages")


if __name__ == "__main__":
    main()
