"""Labelled pages, read from JSON lines as typed rows.

A corpus is a file ``NAME.jsonl.xz`` (or ``NAME.jsonl``) with one page a line; ``html`` holds the
page's bytes decoded as Latin-1, so that JSON can carry them. The corpora stand in a folder that
holds ``corpora/`` and ``sites/``: the environment variable ``CHAFFINCH_CORPORA`` names it, else
it is ``../shared``. What is content is a policy and differs between them: see POLICIES.
"""

import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chaffinch.errors import OptionError, PageError
from chaffinch.loading.json_lines import count_lines, read_pages, read_rows
from chaffinch.wording import cause

CORPORA_VARIABLE = "CHAFFINCH_CORPORA"
"""The environment variable that names the folder with ``corpora/`` and ``sites/``."""

_SUFFIXES = (".jsonl.xz", ".jsonl")

POLICIES = {
    "wcxb": "7 page types; drafted by a model, reviewed by people; headline in 14 % of the gold",
    "magic_html_article": "labelled articles",
    "magic_html_forum": "threads, mostly with headline",
    "harvest_forum": "posts with user and date, text flattened",
    "daniel": "articles in 5 languages, labelled by people, mostly with headline",
    "zh_news": "7 Chinese portals, labelled by hand; some gold cut short or with related lists",
    "fundus": "gold from parsers written for each publisher; weak labels",
    "cleaneval": "labelled by people in 2006; keeps lists and link text; headline in half",
    "readability": "the output that Readability's maintainers approved",
    "scrapinghub": "article body with captions, no headline; benchmark only",
    "trafilatura_eval": "snippets that must and must not appear, no full text; benchmark only",
    "structure": "Markdown made by a pipeline, reviewed by nobody",
}
"""What counts as content in each corpus, in short: a figure means nothing without it."""


@dataclass(frozen=True, kw_only=True)
class LabelledPage:
    """One page with its labels, made by people or by parsers.

    ``gold_text`` is None where the whole content isn't labelled, and ``wanted`` and ``unwanted``
    are empty where there are no snippets. ``domain`` groups pages of one site: intervals draw
    whole domains. ``page_type`` and ``lang`` are "" where unknown.
    """

    corpus: str
    id: str
    html: bytes
    url: str | None = None
    domain: str = ""
    lang: str = ""
    page_type: str = ""
    gold_text: str | None = None
    gold_html: str | None = None
    gold_markdown: str | None = None
    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    title: str | None = None
    author: str | None = None
    date: str | None = None


def corpora_root() -> Path:
    """Return the folder that holds ``corpora/`` and ``sites/`` (it may not exist)."""
    return Path(os.environ.get(CORPORA_VARIABLE) or Path("..") / "shared")


def corpus_path(name: str) -> Path:
    """Return the file of a corpus.

    Args:
        name: a corpus (``wcxb``), a site (``sites/NAME``) or a path to a file.

    Raises:
        OptionError: no such file; the message lists the known names.
    """
    if name.endswith(_SUFFIXES):
        path = Path(name)
        if path.is_file():
            return path
        raise OptionError(f"no such corpus file: {name}")
    root = corpora_root()
    folder = root if name.startswith("sites/") else root / "corpora"
    for suffix in _SUFFIXES:
        path = folder / f"{name}{suffix}"
        if path.is_file():
            return path
    known = ", ".join(known_corpora()) or f"none; set {CORPORA_VARIABLE}"
    raise OptionError(f"unknown corpus {name!r} in {root}; known: {known}")


def known_corpora() -> list[str]:
    """Return the names of all corpora, then of all sites, below :func:`corpora_root`."""
    root = corpora_root()
    names: list[str] = []
    for folder, prefix in ((root / "corpora", ""), (root / "sites", "sites/")):
        found = {_corpus_name(path) for path in folder.glob("*.jsonl*")}
        names += [prefix + name for name in sorted(found)]
    return names


def read_corpus(name: str, *, limit: int | None = None, seed: int = 0) -> Iterator[LabelledPage]:
    """Yield the pages of a corpus in the order of the file.

    Args:
        name: as for :func:`corpus_path`.
        limit: this many pages at most, drawn at random but the same ones at every call with
            the same seed; None for all.
        seed: of the draw.

    Raises:
        OptionError: the corpus is unknown, the limit isn't positive or a line isn't a page.
    """
    if limit is not None and limit < 1:
        raise OptionError(f"limit must be at least 1, not {limit}")
    path = corpus_path(name)
    corpus = _corpus_name(path)
    chosen: set[int] | None = None
    try:
        with path.open("rb") as file:
            if limit is not None and limit < (count := count_lines(file, path.name)):
                chosen = set(random.Random(seed).sample(range(count), limit))  # noqa: S311 - no secret
            file.seek(0)
            for number, row in read_rows(file, path.name, only=chosen):
                yield _page(row, corpus=corpus, place=f"{path}, line {number + 1}")
    except OSError as error:
        raise OptionError(f"{path} can't be read: {cause(error)}") from error


def _corpus_name(path: Path) -> str:
    name = path.name
    for suffix in _SUFFIXES:
        name = name.removesuffix(suffix)
    return name


def _page(row: dict[str, Any] | PageError, *, corpus: str, place: str) -> LabelledPage:
    ((_, html),) = read_pages([(place, row)], is_corpus=True)
    if isinstance(html, PageError) or isinstance(row, PageError):
        raise OptionError(f"{place}: not a labelled page: {html}")
    if "id" not in row:
        raise OptionError(f"{place}: not a labelled page: no field id")
    page_id = str(row["id"])
    try:
        return LabelledPage(
            corpus=corpus,
            id=page_id,
            html=html.data,
            url=_text(row, "url"),
            domain=_text(row, "domain") or page_id,
            lang=_text(row, "lang") or "",
            page_type=_text(row, "page_type") or "",
            gold_text=_text(row, "gold_text") or None,
            gold_html=_text(row, "gold_html"),
            gold_markdown=_text(row, "gold_markdown"),
            wanted=_texts(row, "with"),
            unwanted=_texts(row, "without"),
            title=_text(row, "title"),
            author=_joined(row.get("author")),
            date=_text(row, "date"),
        )
    except ValueError as error:
        raise OptionError(f"{place}: not a labelled page: {error}") from error


def _text(row: dict[str, Any], name: str) -> str | None:
    value = row.get(name)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{name} must be text, not {value!r:.80}")
    return value


def _texts(row: dict[str, Any], name: str) -> tuple[str, ...]:
    values = row.get(name) or ()
    if not isinstance(values, list | tuple) or not all(isinstance(one, str) for one in values):
        raise ValueError(f"{name} must be a list of texts, not {values!r:.80}")
    return tuple(values)


def _joined(value: Any) -> str | None:
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return "; ".join(value)
    return _text({"author": value}, "author")
