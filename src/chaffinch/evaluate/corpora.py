"""Labelled pages, read from JSON lines as typed rows.

A corpus is a file ``NAME.jsonl.xz`` (or ``NAME.jsonl``) with one page a line; ``html`` holds the
page's bytes decoded as Latin-1, so that JSON can carry them. The corpora stand in a folder that
holds ``corpora/`` and ``sites/``: the environment variable ``CHAFFINCH_CORPORA`` names it, else
it is ``../shared``. What counts as content differs between them (`docs/evaluation.md`).
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


def corpus_path(name: str) -> Path:
    """Return the file of a corpus.

    Args:
        name: a corpus (``wcxb``), a site (``sites/NAME``) or a path to a file.

    Raises:
        OptionError: no such file; the message lists the known names.
    """
    root = _root()
    folder = root if name.startswith("sites/") else root / "corpora"
    is_path = name.endswith(_SUFFIXES)
    for path in [Path(name)] if is_path else [folder / f"{name}{one}" for one in _SUFFIXES]:
        if path.is_file():
            return path
    if is_path:
        raise OptionError(f"no such corpus file: {name}")
    known = ", ".join(known_corpora()) or f"none; set {CORPORA_VARIABLE}"
    raise OptionError(f"unknown corpus {name!r} in {root}; known: {known}")


def known_corpora() -> list[str]:
    """Return the names of all corpora, then of all sites."""
    return [
        prefix + name
        for folder, prefix in (("corpora", ""), ("sites", "sites/"))
        for name in sorted({_corpus_name(path) for path in (_root() / folder).glob("*.jsonl*")})
    ]


def _root() -> Path:
    return Path(os.environ.get(CORPORA_VARIABLE) or Path("..") / "shared")


def _corpus_name(path: Path) -> str:
    return path.name.removesuffix(".xz").removesuffix(".jsonl")


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
    chosen: set[int] | None = None
    try:
        with path.open("rb") as file:
            if limit is not None and limit < (count := count_lines(file, path.name)):
                chosen = set(random.Random(seed).sample(range(count), limit))  # noqa: S311 - no secret
            file.seek(0)
            for number, row in read_rows(file, path.name, only=chosen):
                place = f"{path}, line {number + 1}"
                try:
                    yield _page(_corpus_name(path), place, row)
                except ValueError as error:
                    raise OptionError(f"{place}: not a labelled page: {error}") from error
    except OSError as error:
        raise OptionError(f"{path} can't be read: {cause(error)}") from error


def _page(corpus: str, place: str, row: dict[str, Any] | PageError) -> LabelledPage:
    ((_, html),) = read_pages([(place, row)], is_corpus=True)
    if isinstance(html, PageError) or isinstance(row, PageError):
        raise ValueError(html)  # noqa: TRY004  what is wrong with a line
    if "id" not in row:
        raise ValueError("no field id")
    if isinstance(row.get("author"), list):
        row["author"] = "; ".join(map(str, row["author"]))

    def text(name: str) -> str | None:
        value = row.get(name)
        if not isinstance(value, str | None):
            raise ValueError(f"{name} must be text, not {value!r:.80}")  # noqa: TRY004  likewise
        return value

    def texts(name: str) -> tuple[str, ...]:
        values = row.get(name) or ()
        if not isinstance(values, list | tuple) or not all(isinstance(v, str) for v in values):
            raise ValueError(f"{name} must be a list of texts, not {values!r:.80}")
        return tuple(values)

    names = ("url", "gold_html", "gold_markdown", "title", "author", "date")
    return LabelledPage(
        corpus=corpus,
        id=str(row["id"]),
        html=html.data,
        domain=text("domain") or str(row["id"]),
        lang=text("lang") or "",
        page_type=text("page_type") or "",
        gold_text=text("gold_text") or None,
        wanted=texts("with"),
        unwanted=texts("without"),
        **{name: text(name) for name in names},
    )
