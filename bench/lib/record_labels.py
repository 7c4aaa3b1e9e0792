"""List pages whose entries and fields are labelled by hand, as rows of their tables, and scores.

`bench/quality/record_labels.json` holds, by site and by the SHA-1 of a page's bytes: its kind, its
number of rows, the CRC-32 of its entries' texts, the names of the labelled fields, and for each
entry its first row, its size in rows, and for each field where it begins in the entry and its size;
0 where the entry has none, null where the field wasn't judged. Pages are those of the corpora's
``sites`` and of the example web. A page whose rows or texts differ from the labels is an error.
"""

from __future__ import annotations

import functools
import hashlib
import json
import lzma
import re
import tempfile
import unicodedata
import zlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.lib.timing import corpora
from chaffinch import parse
from chaffinch.elements.image_sources import ImageSources
from chaffinch.evaluate.scoring import tokenize, word_score
from chaffinch.lists.entry_fields import Entry
from chaffinch.lists.post_features import date_in
from chaffinch.page import Page
from chaffinch.page.urls import absolute

LABELS = Path(__file__).parents[1] / "quality" / "record_labels.json"
EXAMPLE = "example"
SINGLE = "a single entry"
"""Kind of the list pages with one entry, where nothing repeats."""


@dataclass(frozen=True, eq=False)
class LabelledEntry:
    """A labelled entry.

    Attributes:
        rows: half-open range of its rows.
        fields: name → rows of the field; None where the entry has none. Those that weren't judged
            are left out.
    """

    rows: tuple[int, int]
    fields: dict[str, tuple[int, int] | None]


@dataclass(frozen=True, eq=False)
class LabelledList:
    """A list page with its labels."""

    site: str
    kind: str
    html: bytes
    page: Page
    entries: list[LabelledEntry]


def labelled_lists(only: str = "") -> Iterator[LabelledList]:
    """Yield the labelled pages of the sites whose name contains ``only``.

    Raises:
        ValueError: labels don't fit their page, or their page isn't there.
    """
    for site, known in json.loads(LABELS.read_text(encoding="utf-8")).items():
        if only not in site:
            continue
        missing = set(known)
        for html, url in site_files(site):
            key = hashlib.sha1(html, usedforsecurity=False).hexdigest()[:12]
            if key in missing:
                missing.discard(key)
                yield _fitted(site, known[key], html, url)
        if missing:
            raise ValueError(f"{site}: no page for labels {', '.join(sorted(missing))}")


def _fitted(site: str, label: dict[str, Any], html: bytes, url: str | None) -> LabelledList:
    page = parse(html, url=url)
    entries = [_entry(label["fields"], *one) for one in label["entries"]]
    rows_fit = len(page) == label["rows"]
    text = "\n".join(page.folded(one.rows[0]) for one in entries) if rows_fit else ""
    if f"{zlib.crc32(text.encode()):08x}" != label["text"]:
        raise ValueError(f"{site}: labels don't fit {url or 'a page'}")
    return LabelledList(site, label["kind"], html, page, entries)


def _entry(names: list[str], start: int, size: int, *given: Any) -> LabelledEntry:
    fields = {
        name: (start + one[0], start + one[0] + one[1]) if one else None
        for name, one in zip(names, given, strict=True)
        if one is not None
    }
    return LabelledEntry((start, start + size), fields)


def site_files(site: str) -> Iterator[tuple[bytes, str | None]]:
    """Yield bytes and address of all pages of a site, labelled or not."""
    if site == EXAMPLE:
        yield from _example_files()
        return
    with lzma.open(corpora() / "sites" / f"{site}.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            yield row["html"].encode("latin-1"), row["url"] or None


@functools.cache
def _example_files() -> tuple[tuple[bytes, str], ...]:
    from site_maker import write  # noqa: PLC0415  few need it

    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder))
        files = sorted(Path(folder).rglob("*.html"))
        return tuple(
            (file.read_bytes(), f"https://{file.relative_to(folder).as_posix()}") for file in files
        )


def labelled_value(page: Page, name: str, rows: tuple[int, int]) -> str:
    """Return the value of a labelled field: text, or the absolute address of a link or image."""
    if name == "link":
        return absolute(page.attribute(rows[0], "href"), page.base)
    if name == "image":
        source = ImageSources(page).of(rows[0])
        return "" if source is None else source.url
    return " ".join(page.text[page.text_at[rows[0]] : page.text_at[rows[1]]].split())


LEAST_SHARED = 0.9
"""Least share of characters, of both together, that a found and a labelled entry have in common."""
LEAST_F1 = 0.8
_ISO = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass
class Counts:
    """What is right, found and wanted."""

    right: int = 0
    found: int = 0
    wanted: int = 0

    def add(self, right: int, found: int, wanted: int) -> None:
        """Add counts."""
        self.right += right
        self.found += found
        self.wanted += wanted

    @property
    def precision(self) -> float:
        """Share of what is found that is right; 1 for nothing found."""
        return self.right / self.found if self.found else 1.0

    @property
    def recall(self) -> float:
        """Share of what is wanted that is found."""
        return self.right / self.wanted if self.wanted else 1.0

    @property
    def f1(self) -> float:
        """Harmonic mean of both."""
        return 2 * self.right / max(self.found + self.wanted, 1)


@dataclass
class PageScores:
    """Counts of entries, and of each field."""

    entries: Counts = field(default_factory=Counts)
    fields: dict[str, Counts] = field(default_factory=lambda: defaultdict(Counts))


def score_entries(found: list[Entry], wanted: LabelledList, scores: PageScores) -> None:
    """Add what is right of found entries; a field is right only in a right entry."""
    page = wanted.page
    pairs = _matched(page, [one.rows for one in found], wanted.entries)
    scores.entries.add(len(pairs), len(found), len(wanted.entries))
    judged = {name for one in wanted.entries for name in one.fields}
    for at, one in enumerate(found):
        label = pairs.get(at)
        for name in judged:
            rows = label.fields.get(name) if label is not None else None
            got = one.value(name)
            right = bool(got and rows) and is_same(name, got, labelled_value(page, name, rows))  # type: ignore[arg-type]
            scores.fields[name].add(right, bool(got), 0)
    for name in judged:
        scores.fields[name].wanted += sum(bool(one.fields.get(name)) for one in wanted.entries)


def is_same(name: str, got: str, want: str) -> bool:
    """Return whether a found value is the labelled one."""
    if name == "date":
        days = {date_in(want, locale=locale)[:10] for locale in ("en", "")}
        is_day = bool(_ISO.fullmatch(got[:10]))
        # Archives by year show the day without it, and the whole date in an attribute.
        return got == want or (is_day and (got[:10] in days or got[5:10] == want))
    if name == "author":
        return got in want and not any(map(str.isdigit, got))
    if name == "summary":
        return word_score(tokenize(got), tokenize(want)).f1 >= LEAST_F1
    return _plain(got) == _plain(want)


def _plain(text: str) -> str:
    """Return a text as autoscraper writes it, too: compatibility forms, white space folded."""
    return " ".join(unicodedata.normalize("NFKC", text).split())


def _matched(
    page: Page, found: list[tuple[int, int]], wanted: list[LabelledEntry]
) -> dict[int, LabelledEntry]:
    """Return number of the found entry → the labelled one; each is used once."""
    length = page.own_length
    out: dict[int, LabelledEntry] = {}
    at = 0
    for number, (start, stop) in enumerate(found):
        while at < len(wanted) and wanted[at].rows[1] <= start:
            at += 1
        if at == len(wanted) or wanted[at].rows[0] >= stop:
            continue
        first, last = wanted[at].rows
        shared = int(length[max(start, first) : min(stop, last)].sum())
        whole = int(length[min(start, first) : max(stop, last)].sum())
        if shared and shared >= LEAST_SHARED * whole:
            out[number] = wanted[at]
            at += 1
    return out
