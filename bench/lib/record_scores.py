"""Found entries and fields against labelled ones: what is right, found and wanted."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from bench.lib.record_labels import LabelledEntry, LabelledList, labelled_value
from chaffinch.evaluate.scoring import tokenize, word_score
from chaffinch.lists.entry_fields import TYPED, Entry
from chaffinch.lists.post_features import date_in
from chaffinch.page import Page

Values: TypeAlias = Mapping[str, Iterable[str]]
"""Name of a field → its values on a page, in any order."""

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


def score_values(found: Values, wanted: LabelledList, scores: PageScores) -> None:
    """Add what is right of values that are in no entries: each labelled value once."""
    for name in TYPED:
        labelled = [rows for one in wanted.entries if (rows := one.fields.get(name))]
        if not labelled:
            continue
        left = [labelled_value(wanted.page, name, rows) for rows in labelled]
        got = list(found.get(name, ()))
        right = 0
        for value in got:
            at = next((n for n, one in enumerate(left) if is_same(name, value, one)), -1)
            if at >= 0:
                right += 1
                del left[at]
        scores.fields[name].add(right, len(got), len(labelled))


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
