"""The systems that bench/quality/metadata.py asks, and their answers, kept on disk.

The answers of other extractors stand below ``build/metadata/SYSTEM-VERSION/CORPUS.jsonl``, one page
a line, so that several short runs make one table. Chaffinch is asked anew every time.
"""

from __future__ import annotations

import importlib.metadata
import json
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from bench.lib import declared
from chaffinch import extract
from chaffinch.evaluate.corpora import LabelledPage
from chaffinch.metadata import BASIC
from chaffinch.page.decoding import decode

KEPT = Path("build/metadata")
OWN = "chaffinch"

Answer = dict[str, Any]
System = Callable[[bytes, "str | None"], Answer]


def chaffinch(html: bytes, url: str | None) -> Answer:
    """Read the basic fields as the default extraction gives them, with the content found.

    The extraction is in the seconds, and in the ``own_seconds`` it isn't.
    """
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


SYSTEMS: dict[str, System] = {
    OWN: chaffinch,
    "trafilatura": trafilatura,
    "htmldate": htmldate,
    "newspaper4k": newspaper,
    "extruct": extruct,
}
FIELDS_OF = {
    "trafilatura": {"title", "authors", "date"},
    "htmldate": {"date"},
    "extruct": {"title", "authors", "date"},
}
"""Fields that a system gives; those not named here give all."""


def version(system: str) -> str:
    """Return name and version of a system."""
    return f"{system} {importlib.metadata.version(system)}"


def ask(system: str, page: LabelledPage) -> Answer:
    """Return a system's answer with its seconds; a failure is an empty answer."""
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            answer = SYSTEMS[system](page.html, page.url)
        except Exception as error:  # noqa: BLE001  a baseline's failure is an empty answer
            click.echo(f"{system} {page.corpus} {page.id}: {type(error).__name__}", err=True)
            answer = {}
    return answer | {"seconds": time.perf_counter() - start}


class Answers:
    """A system's answers to the pages of a corpus, those of earlier runs included."""

    def __init__(self, system: str, corpus: str) -> None:
        self._system = system
        self._path = KEPT / version(system).replace(" ", "-") / f"{corpus.replace('/', '-')}.jsonl"
        self._known: dict[str, Answer] = {}
        if system != OWN and self._path.exists():
            for line in self._path.read_text().splitlines():
                row = json.loads(line)
                self._known[row.pop("page")] = row

    def to(self, page: LabelledPage, *, until: float) -> Answer | None:
        """Return the answer; None if it isn't known and the time (`time.monotonic`) is over."""
        if page.id in self._known:
            return self._known[page.id]
        if time.monotonic() > until:
            return None
        answer = ask(self._system, page)
        if self._system != OWN:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a") as file:
                row = {"page": page.id, **answer}
                file.write(json.dumps(row, default=str, ensure_ascii=False) + "\n")
        return answer
