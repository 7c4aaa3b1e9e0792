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
from chaffinch.loading.json_lines import Html, count_lines, read_pages, read_rows
from chaffinch.wording import failing_as

CORPORA_VARIABLE = "CHAFFINCH_CORPORA"
_SUFFIXES = (".jsonl.xz", ".jsonl")
_TEXTS = "domain lang page_type url gold_text gold_html title author date".split()
"""Fields of a line that are text."""


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
    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()
    title: str | None = None
    author: str | None = None
    date: str | None = None


def corpus_path(name: str) -> Path:
    """Return the file of a corpus (``wcxb``), of a site (``sites/NAME``), or of a path.

    Raises:
        OptionError: no such file; the message lists the known names.
    """
    if name.endswith(_SUFFIXES):
        if not os.path.isfile(name):  # noqa: PTH113 - of any length
            raise OptionError(f"no such corpus file: {name}")
        return Path(name)
    found = _files()
    if name not in found:
        known = ", ".join(found) or f"none; set {CORPORA_VARIABLE}"
        raise OptionError(f"unknown corpus {name!r} in {_root()}; known: {known}")
    return found[name]


def known_corpora() -> list[str]:
    """Return the names of all corpora, then of all sites."""
    return list(_files())


def _root() -> Path:
    return Path(os.environ.get(CORPORA_VARIABLE) or Path("..") / "shared")


def _files() -> dict[str, Path]:
    return {
        prefix + _corpus_name(path): path
        for folder, prefix in (("corpora", ""), ("sites", "sites/"))
        for path in sorted((_root() / folder).glob("*.jsonl*"), key=_corpus_name)
        if path.name.endswith(_SUFFIXES)
    }


def _corpus_name(path: Path) -> str:
    return path.name.removesuffix(".xz").removesuffix(".jsonl")


def read_corpus(name: str, *, limit: int | None = None, seed: int = 0) -> Iterator[LabelledPage]:
    """Yield the pages of a corpus (of a name as for `corpus_path`) in the order of the file.

    With a ``limit``, this many pages at most, drawn at random: the same ones for the same ``seed``.

    Raises:
        OptionError: the corpus is unknown, the limit isn't positive or a line isn't a page.
    """
    if limit is not None and limit < 1:
        raise OptionError(f"limit must be at least 1, not {limit}")
    path = corpus_path(name)
    chosen: set[int] | None = None
    with failing_as(OptionError, f"{path} can't be read"), path.open("rb") as file:
        if limit is not None and limit < (count := count_lines(file, path.name)):
            chosen = set(random.Random(seed).sample(range(count), limit))  # noqa: S311 - no secret
        file.seek(0)
        for number, row in read_rows(file, path.name, only=chosen):
            ((_, html),) = read_pages([(None, row)], is_corpus=True)
            try:
                yield _page(_corpus_name(path), html, row)
            except ValueError as error:
                place = f"{path}, line {number + 1}"
                raise OptionError(f"{place}: not a labelled page: {error}") from error


def _page(corpus: str, html: Html | PageError, row: dict[str, Any] | PageError) -> LabelledPage:
    if isinstance(html, PageError) or isinstance(row, PageError):
        raise ValueError(html)  # noqa: TRY004  what is wrong with a line
    if "id" not in row:
        raise ValueError("no field id")
    texts = {"domain": str(row["id"]), "lang": "", "page_type": ""}
    given: dict[str, Any] = {name: row.get(name) or texts.get(name) for name in _TEXTS}
    if isinstance(given["author"], list):
        given["author"] = "; ".join(map(str, given["author"]))
    for name, value in given.items():
        if not isinstance(value, str | None):
            raise ValueError(f"{name} must be text, not {value!r:.80}")  # noqa: TRY004  likewise
    for name, field in (("with", "wanted"), ("without", "unwanted")):
        values = row.get(name) or ()
        if not isinstance(values, list | tuple) or not all(isinstance(one, str) for one in values):
            raise ValueError(f"{name} must be a list of texts, not {values!r:.80}")
        given[field] = tuple(values)
    return LabelledPage(corpus=corpus, id=str(row["id"]), html=html.data, **given)
