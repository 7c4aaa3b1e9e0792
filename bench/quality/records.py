"""Entries and fields of labelled list pages: by structure and by site models.

An entry is right where it has nine tenths of a labelled one's characters and no more; a field is
right in a right entry with the labelled value (an author within it, a summary with word F1 of 0.8).

`record_labels.json` holds, by site and by the SHA-1 of a page's bytes: its kind, its number of
rows, the CRC-32 of its entries' texts, the names of the labelled fields, and for each entry its
first row, its size in rows, and for each field where it begins in the entry and its size; 0 where
the entry has none, null where the field wasn't judged. Pages are those of the corpora's ``sites``
and of the example web. A page whose rows or texts differ from the labels is an error.

    python -m bench.quality.records [--site NAME]
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import lzma
import re
import tempfile
import unicodedata
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from bench.lib.timing import corpora, machine, versions
from chaffinch import Site, extract, parse
from chaffinch.elements.image_sources import ImageSources
from chaffinch.errors import PageError
from chaffinch.evaluate.corpora import read_corpus
from chaffinch.evaluate.scoring import tokenize, word_score
from chaffinch.lists.entries import entries
from chaffinch.lists.entry_fields import TYPED, Entry
from chaffinch.lists.post_features import date_in
from chaffinch.page import Page
from chaffinch.page.urls import absolute

LABELS = Path(__file__).with_name("record_labels.json")
EXAMPLE = "example"
SINGLE = "a single entry"
"""Kind of the list pages with one entry, where nothing repeats."""
ARTICLES = 6
"""Labelled pages of each site that are no lists, on which entries are false."""
LEAST_SHARED = 0.9
"""Least share of characters, of both together, that a found and a labelled entry have in common."""
LEAST_F1 = 0.8
_ISO = re.compile(r"\d{4}-\d\d-\d\d")
Rows = tuple[int, int]
"""A half-open range of rows."""


@dataclass(frozen=True, eq=False)
class LabelledList:
    """A list page with its labels.

    ``entries`` are rows of each, and name → rows of its fields, None where it has none; fields that
    weren't judged are left out.
    """

    site: str
    kind: str
    page: Page
    entries: list[tuple[Rows, dict[str, Rows | None]]]


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
                yield _fitted(site, known[key], parse(html, url=url))
        if missing:
            raise ValueError(f"{site}: no page for labels {', '.join(sorted(missing))}")


def _fitted(site: str, label: dict[str, Any], page: Page) -> LabelledList:
    found = []
    for start, size, *given in label["entries"]:
        fields = {
            name: (start + one[0], start + one[0] + one[1]) if one else None
            for name, one in zip(label["fields"], given, strict=True)
            if one is not None
        }
        found.append(((start, start + size), fields))
    rows_fit = len(page) == label["rows"]
    text = "".join("".join(page.text_of(rows[0]).split()) for rows, _ in found if rows_fit)
    if f"{zlib.crc32(text.encode()):08x}" != label["text"]:
        raise ValueError(f"{site}: labels don't fit {page.url or 'a page'}")
    return LabelledList(site, label["kind"], page, found)


@functools.cache
def _example_files() -> tuple[tuple[bytes, str], ...]:
    from site_maker import write  # noqa: PLC0415  few need it

    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder))
        files = sorted(Path(folder).rglob("*.html"))
        return tuple(
            (file.read_bytes(), f"https://{file.relative_to(folder).as_posix()}") for file in files
        )


def site_files(site: str) -> Iterator[tuple[bytes, str | None]]:
    """Yield bytes and address of all pages of a site, labelled or not."""
    if site == EXAMPLE:
        yield from _example_files()
        return
    with lzma.open(corpora() / "sites" / f"{site}.jsonl.xz", "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            yield row["html"].encode("latin-1"), row["url"] or None


@dataclass
class Counts:
    """What is right, found and wanted."""

    right: int = 0
    found: int = 0
    wanted: int = 0

    def __str__(self) -> str:
        """Precision and recall; "" for nothing."""
        if not self.found + self.wanted:
            return ""
        right = self.right or 1 - bool(self.found)  # nothing found is all right
        return f"{right / max(self.found, 1):.2f} / {self.right / max(self.wanted, 1):.2f}"


@dataclass
class PageScores:
    """Counts of entries, and of each field."""

    entries: Counts = field(default_factory=Counts)
    fields: dict[str, Counts] = field(default_factory=lambda: defaultdict(Counts))

    def add(self, found: list[Entry], wanted: LabelledList) -> None:
        """Add what is right of found entries; a field is right only in a right entry."""
        page = wanted.page
        pairs = _matched(found, wanted)
        self.entries.right += len(pairs)
        self.entries.found += len(found)
        self.entries.wanted += len(wanted.entries)
        judged = {name for _, fields in wanted.entries for name in fields}
        for name in judged:
            own = self.fields[name]
            own.wanted += sum(bool(fields.get(name)) for _, fields in wanted.entries)
            for at, one in enumerate(found):
                rows, got = pairs.get(at, {}).get(name), one.value(name)
                own.found += bool(got)
                if got and rows:
                    own.right += is_same(name, got, labelled_value(page, name, rows))


def labelled_value(page: Page, name: str, rows: Rows) -> str:
    """Return the value of a labelled field: text, or the absolute address of a link or image."""
    if name == "link":
        return absolute(page.attribute(rows[0], "href"), page.base)
    if name == "image":
        source = ImageSources(page).of(rows[0])
        return "" if source is None else source.url
    return " ".join(page.text[page.text_at[rows[0]] : page.text_at[rows[1]]].split())


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
    one, other = (" ".join(unicodedata.normalize("NFKC", text).split()) for text in (got, want))
    return one == other


def _matched(found: list[Entry], wanted: LabelledList) -> dict[int, dict[str, Rows | None]]:
    """Return number of the found entry → fields of the labelled one; each is used once."""
    length, labels = wanted.page.own_length, wanted.entries
    out: dict[int, dict[str, Rows | None]] = {}
    at = 0
    for number, (start, stop) in enumerate(one.rows for one in found):
        while at < len(labels) and labels[at][0][1] <= start:
            at += 1
        if at == len(labels) or labels[at][0][0] >= stop:
            continue
        first, last = labels[at][0]
        shared = int(length[max(start, first) : min(stop, last)].sum())
        whole = int(length[min(start, first) : max(stop, last)].sum())
        if shared and shared >= LEAST_SHARED * whole:
            out[number] = labels[at][1]
            at += 1
    return out


Finder = Callable[[LabelledList], list[Entry]]


def by_sites(lists: Iterable[LabelledList]) -> Finder:
    """Return a finder by models of the sites, each learned from all of its pages, labels unseen."""
    models: dict[str, Site] = {}
    for site in dict.fromkeys(one.site for one in lists):
        models[site] = Site.learn(_parsed(site), date="2026-11-22")
    return lambda one: models[one.site].extract(one.page).records


def _parsed(site: str) -> Iterator[Page]:
    for html, url in site_files(site):
        with suppress(PageError):
            yield parse(html, url=url)


def print_scores(lists: Iterable[LabelledList], find: Finder, group: str, what: str) -> None:
    """Print precision and recall of entries and fields by ``group``, an attribute of the list."""
    found: dict[str, PageScores] = defaultdict(PageScores)
    for one in lists:
        found[getattr(one, group)].add(find(one), one)
    print(f"| {what} | wanted | entries | {' | '.join(TYPED)} |")
    print("|---|---:|---:|" + "---:|" * len(TYPED))
    for name, scores in found.items():
        cells = [scores.entries, *(scores.fields[one] for one in TYPED)]
        print(f"| {name} | {scores.entries.wanted} | {' | '.join(map(str, cells))} |")
    print()


def print_false(sites: Iterable[str]) -> None:
    """Print on how many pages that are no lists entries are found."""
    every = []
    for site in sites:
        if site not in {EXAMPLE, "oa.jlu.edu.cn_lists"}:
            rows = (row for row in read_corpus(f"sites/{site}") if row.gold_text)
            every += [extract(row.html, url=row.url) for row in islice(rows, ARTICLES)]
    false = sum(bool(entries(one.in_rows)) for one in every)
    print(f"Entries on {false} of {len(every)} pages that are no lists.\n")


def main() -> None:
    """Print the tables in Markdown."""
    options = argparse.ArgumentParser(prog="python -m bench.quality.records", description=__doc__)
    options.add_argument("--site", default="", help="sites whose name contains this")
    found = list(labelled_lists(options.parse_args().site))
    several = [one for one in found if one.kind != SINGLE]

    def by_structure(one: LabelledList) -> list[Entry]:
        return extract(one.page).records

    print_scores(several, by_structure, "site", "by structure, site")
    print_scores(found, by_structure, "kind", "by structure, kind of page")
    print_false(dict.fromkeys(one.site for one in found))
    print_scores(found, by_sites(found), "kind", "by site models")
    print(f"{versions('chaffinch')}; {machine()}")


if __name__ == "__main__":
    main()
