"""Title, authors and date against labels, side by side with other extractors, and ms a page.

Titles are equal when their letters and digits are; authors score by F1 of the sets of names;
dates are equal when their days are. A field that a system leaves empty is wrong. Settings were
chosen on the half of the domains that ``--part tune`` names (an even CRC-32 of the domain);
``--part report`` is the other half, ``--part each`` has a row for each half. ``trafilatura_eval``
is never split: nothing is tuned on it.

    python bench/metadata.py --part report
    python bench/metadata.py --part each --corpora fundus,wcxb,daniel,trafilatura_eval
    python bench/metadata.py --part tune --systems chaffinch --misses date
"""

from __future__ import annotations

import importlib.metadata
import re
import time
import warnings
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import click

import declared
from chaffinch.evaluate.corpora import LabelledPage, read_corpus
from chaffinch.metadata import BASIC, read_metadata
from chaffinch.metadata.strings import fold
from chaffinch.page import parse
from chaffinch.page.encoding import decode
from chaffinch.segment.date_text import day_of, parse_date

SITES = (
    "163.com booksamillion coolshell.cn dubhad erikjiang_next hqjt.ruc.edu.cn indiantinker"
    " jedenbod_cz johanveldhuis lingyucoder rappler.com zhihu.com authing_blog"
).split()
# Titles of these labels are made from the title element with the site's name in it, or absent.
TITLES_ALIKE = {"sites/authing_blog", "sites/dubhad", "sites/indiantinker"}
BENCHMARK_ONLY = {"trafilatura_eval"}
CORPORA = ("fundus", "wcxb", "daniel", *(f"sites/{name}" for name in SITES))
FIELDS = ("title", "authors", "date", "language")
PAGES_OF_SITE = 20
NAMES = re.compile(r"\s*(?:;|,|、|\band\b|&)\s*")

Answer = dict[str, Any]
System = Callable[[bytes, "str | None"], Answer]


def chaffinch(html: bytes, url: str | None) -> Answer:
    """Read the basic fields; parsing is timed apart, since an extraction needs it anyway."""
    page = parse(html, url=url)
    start = time.perf_counter()
    values = read_metadata(page)
    found = {name: values.value(name) for name in BASIC}
    return {
        "title": found["title"],
        "authors": found["authors"],
        "date": found["published"],
        "language": found["language"],
        "seconds": time.perf_counter() - start,
    }


def trafilatura(html: bytes, url: str | None) -> Answer:
    """Ask trafilatura's metadata step alone."""
    from trafilatura import extract_metadata  # noqa: PLC0415  optional

    found = extract_metadata(html, default_url=url)
    if found is None:
        return {}
    return {"title": found.title, "authors": (found.author or "").split("; "), "date": found.date}


def htmldate(html: bytes, url: str | None) -> Answer:
    """Ask htmldate for the original date, extensive search as by default."""
    from htmldate import find_date  # noqa: PLC0415  optional

    return {"date": find_date(decode(html).text, url=url, original_date=True)}


def newspaper(html: bytes, url: str | None) -> Answer:
    """Ask newspaper4k, its own language detection, no images."""
    import newspaper as library  # noqa: PLC0415  optional

    article = library.Article(url or "https://example.org/", fetch_images=False)
    article.download(input_html=decode(html).text)
    article.parse()
    when = article.publish_date
    return {
        "title": article.title,
        "authors": article.authors,
        "date": when.isoformat() if hasattr(when, "isoformat") else when,
        "language": article.meta_lang,
    }


def extruct(html: bytes, url: str | None) -> Answer:
    """Take what the page declares in the order of `declared`."""
    return declared.answer(decode(html).text, url)


SYSTEMS: dict[str, tuple[str, System]] = {
    "chaffinch": ("chaffinch", chaffinch),
    "trafilatura": ("trafilatura", trafilatura),
    "htmldate": ("htmldate", htmldate),
    "newspaper4k": ("newspaper4k", newspaper),
    "extruct": ("extruct", extruct),
}


def in_part(page: LabelledPage, part: str) -> bool:
    """Tell whether a page's domain is in the part."""
    even = zlib.crc32(page.domain.encode()) % 2 == 0
    return part == "all" or even == (part == "tune")


def labelled(
    name: str, part: str, limit: int | None = None
) -> Iterator[tuple[LabelledPage, Answer]]:
    """Yield the pages of a corpus with what is known of them."""
    limit = PAGES_OF_SITE if name.startswith("sites/") else limit
    for page in read_corpus(name, limit=limit):
        if not (name.startswith("sites/") or in_part(page, part)):
            continue
        title = page.title if page.gold_text or not name.startswith("sites/") else None
        if name == "daniel" and page.gold_text:
            title = page.gold_text.strip().partition("\n")[0]
        gold = {
            "title": None if name in TITLES_ALIKE else title,
            "authors": [n for n in NAMES.split(page.author or "") if n],
            "date": parse_date(page.date or ""),
            "language": page.lang,
        }
        yield page, {key: value for key, value in gold.items() if value}


def score(field: str, answer: Any, gold: Any) -> float:
    """Return 0..1: how right an answer is."""
    if not answer:
        return 0.0
    if field == "authors":
        ours = {fold(p) for n in answer for p in NAMES.split(n or "") if fold(p)}
        theirs = {fold(name) for name in gold}
        return 2 * len(ours & theirs) / (len(ours) + len(theirs)) if ours else 0.0
    if field == "date":
        found = parse_date(str(answer))
        return float(found is not None and day_of(found) == day_of(gold))
    return float(fold(str(answer)) == fold(str(gold)))


def ask(system: System, page: LabelledPage) -> tuple[Answer, float]:
    """Return a system's answer and its seconds; a failure is an empty answer."""
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            answer = system(page.html, page.url)
        except Exception as error:  # noqa: BLE001  a peer's failure is an empty answer
            click.echo(f"{page.corpus} {page.id}: {type(error).__name__}: {error}", err=True)
            answer = {}
    return answer, time.perf_counter() - start


Figures = dict[str, Any]


def empty() -> Figures:
    """Return sums of scores by (field, system), counts by field, seconds by system."""
    return {
        "sums": defaultdict(float),
        "counts": defaultdict(int),
        "seconds": defaultdict(float),
        "own": 0.0,
        "pages": 0,
    }


def row_of(page: LabelledPage, name: str, part: str) -> str:
    """Return the row of the tables that a page counts in: its corpus, or the half of it."""
    if part != "each" or name in BENCHMARK_ONLY or name.startswith("sites/"):
        return name
    return f"{name}, {'tune' if in_part(page, 'tune') else 'report'}"


def measure(
    name: str, part: str, systems: list[str], misses: str | None, limit: int | None
) -> dict[str, Figures]:
    """Return row of the tables → figures."""
    rows: dict[str, Figures] = defaultdict(empty)
    for page, gold in labelled(name, "all" if part == "each" else part, limit):
        if not gold:
            continue
        own = rows[row_of(page, name, part)]
        own["pages"] += 1
        for field in gold:
            own["counts"][field] += 1
        for system in systems:
            answer, spent = ask(SYSTEMS[system][1], page)
            own["seconds"][system] += spent
            own["own"] += answer.get("seconds", 0.0)
            for field, value in gold.items():
                reached = score(field, answer.get(field), value)
                own["sums"][field, system] += reached
                if misses == field and reached < 1 and system == "chaffinch":
                    click.echo(f"{page.id} {page.url}\n    {value!r}\n    {answer.get(field)!r}")
    return rows


def version(system: str) -> str:
    """Return name and version of a system."""
    return f"{system} {importlib.metadata.version(SYSTEMS[system][0])}"


def _names(text: str, known: tuple[str, ...]) -> list[str]:
    names = [one for one in text.split(",") if one]
    if unknown := [one for one in names if one not in known]:
        raise click.BadParameter(f"unknown: {', '.join(unknown)}; known: {', '.join(known)}")
    return names


@click.command()
@click.option("--part", type=click.Choice(["tune", "report", "all", "each"]), default="report")
@click.option("--corpora", default=",".join(CORPORA), show_default=True)
@click.option("--systems", default=",".join(SYSTEMS), show_default=True)
@click.option("--limit", type=int, help="This many pages of a corpus, drawn before the split.")
@click.option("--misses", type=click.Choice(FIELDS), help="Print what was missed in a field.")
def main(part: str, corpora: str, systems: str, limit: int | None, misses: str | None) -> None:
    """Print the tables in Markdown."""
    chosen = _names(systems, tuple(SYSTEMS))
    corpus_names = _names(corpora, (*CORPORA, *BENCHMARK_ONLY))
    if part in {"tune", "report"} and BENCHMARK_ONLY & set(corpus_names):
        raise click.BadParameter("benchmark-only corpora aren't split: --part all or each")
    run = partial(measure, part=part, systems=chosen, misses=misses, limit=limit)
    figures = {row: own for name in corpus_names for row, own in sorted(run(name).items())}
    for field in FIELDS:
        click.echo(f"\n| {field} | pages | " + " | ".join(map(version, chosen)) + " |")
        click.echo("|---|---:|" + "---:|" * len(chosen))
        for name, own in figures.items():
            if count := own["counts"][field]:
                cells = [f"{100 * own['sums'][field, system] / count:.1f}" for system in chosen]
                click.echo(f"| {name} | {count} | " + " | ".join(cells) + " |")
    pages = sum(own["pages"] for own in figures.values())
    click.echo(f"\nms a page from bytes, {pages} pages:")
    for system in chosen:
        total = sum(own["seconds"][system] for own in figures.values())
        click.echo(f"- {version(system)}: {1000 * total / pages:.2f}")
    if "chaffinch" in chosen:
        own_time = 1000 * sum(own["own"] for own in figures.values()) / pages
        click.echo(f"- chaffinch, of that for metadata: {own_time:.2f}")


if __name__ == "__main__":
    main()
