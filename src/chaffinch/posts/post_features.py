"""What tells posts: dates and users' names, and of what kind the elements are that hold them."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import tags
from chaffinch.page.attribute_values import Values
from chaffinch.posts.dates import LONGEST, date_hints, date_in, lines_with_dates
from chaffinch.segment.text_blocks import text_blocks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask
    from chaffinch.segment.text_blocks import TextBlocks

MOST_MARKS: Final = 3000
NAME_LENGTH: Final = 40
USER_LINK: Final = re.compile(
    r"(?:^|[/?&=._-])(?:users?|u|members?|membre\d*|mitglied(?:er)?|profile?s?|memberlist|personal_pages"
    r"|people|showuser|user_?profile|viewprofile|author|uid|space|homepage)(?=[/?&=._;-]|\d|$)|/@\w",
    re.IGNORECASE,
)
USER_CLASS: Final = re.compile(
    r"(?:^|[^a-z])(?:user|usr|author|autor|auteur|nick|poster|member|username|name|handle|creator"
    r"|profile|byline|fn|p-author|posted-?by|commenter)",
    re.IGNORECASE,
)
_DATE_ATTRIBUTES: Final = (
    "datetime",
    "title",
    "data-time",
    "data-date",
    "content",
    "data-original-title",
)
_JOINED: Final = re.compile(
    r"join|member since|mitglied seit|registr|regist|inscri|beigetreten|dabei seit|miembro desde"
    r"|注册|註冊|last (?:visit|login|seen)|letzter besuch",
    re.IGNORECASE,
)
"""What stands beside a date that is the user's, not the post's."""
_VARYING: Final = re.compile(
    r"(?:\w*[-_]?(?:odd|even)|(?:first|last|alt|new|hover|active|selected)[-_]?\w*)$", re.IGNORECASE
)
"""Class names that tell one post from the next of its kind."""
_AROUND_NAME: Final = re.compile(
    r"^(?:by|von|par|por|posted by|written by)\s+"
    r"|\s+(?:says?|said|wrote|writes|schrieb|sagte?|meint|a écrit|dit)\s*[:：]?$|\s*[:：]$",
    re.IGNORECASE,
)
_DIGITS: Final = re.compile(r"\d+")
_LINK_WORDS: Final = (
    *("user memb mitglied profil personal_pages people author uid space homepage /@".split()),
    *(f"u{mark}" for mark in "\n/?&=._;-0123456789"),
)
"""What each match of `USER_LINK` holds, or else digits beyond ASCII."""
_USER_WORDS: Final = (
    *("user usr author autor auteur nick poster member name handle creator profile byline".split()),
    *("fn posted commenter".split()),
)
"""What each match of `USER_CLASS` holds."""


class Marks:
    """The marks of one page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._kinds: dict[int, str] = {}

    @cached_property
    def blocks(self) -> TextBlocks:
        """The text blocks of the page: made where dates or bodies are looked for."""
        return text_blocks(self.page)

    def kind(self, row: int, *, depth: int = 2) -> str:
        """Return what kind of element a row is: tag and classes, else with the kind above."""
        known = self._kinds.get(row)
        if known is not None:
            return known
        page = self.page
        if page.tag[row] == tags.TEXT:
            return f"{self.kind(int(page.parent[row]))}>text"
        name, pairs = page.name(row), page.attributes(row)
        given = pairs.get("itemprop") or ""
        names = _constant_names(pairs.get("class") or "")
        if names or given:
            kind = f"{name}.{names}{given}"
        else:
            marked = _DIGITS.sub("#", pairs.get("id") or "")
            above = int(page.parent[row])
            kind = f"{name}{'#' + marked if '#' in marked else ''}"
            if "#" not in kind and depth and above >= 0:
                kind = f"{self.kind(above, depth=depth - 1)}>{kind}"
        self._kinds[row] = kind
        return kind

    @cached_property
    def dates(self) -> dict[int, str]:
        """Row → date, in order: of attributes of time and the like, and of short lines."""
        page = self.page
        month_first = page.lang.lower().startswith("en")
        found = self._in_attributes(month_first=month_first)
        blocks = self._undated(_mask(page, found))
        lines = self._lines(blocks)
        for text in lines_with_dates(lines):
            date = date_in(text, month_first=month_first)
            for block in lines.rows[text] if date else ():
                place = int(self.blocks.owner[block])
                if not _JOINED.search(f"{text} {page.attribute(place, 'class') or ''}"):
                    first, last = int(self.blocks.first[block]), int(self.blocks.last[block])
                    found[self._place(first, last, month_first=month_first)] = date
        return {row: found[row] for row in sorted(found)[:MOST_MARKS]}

    def _in_attributes(self, *, month_first: bool) -> dict[int, str]:
        """Return row → date that an attribute tells, of rows that are shown and no images."""
        page = self.page
        found: dict[int, str] = {}
        seen = page.shown & ~page.is_tag("img")
        for name in _DATE_ATTRIBUTES:
            longest = NAME_LENGTH if name == "title" else LONGEST
            values = page.values(name)
            for value in values.matching(_DIGITS) if values.rows else ():
                if len(value) < longest:
                    where = [row for row in values.rows[value] if seen[row] and row not in found]
                    date = date_in(value, month_first=month_first) if where else ""
                    found.update(dict.fromkeys(where, date) if date else {})
        return found

    def _lines(self, blocks: NDArray[np.intp]) -> Values:
        """Return the different lines of some blocks, white space folded, and who has each."""
        page = self.page
        begins = page.text_at[self.blocks.first[blocks]].tolist()
        stops = page.text_at[self.blocks.last[blocks]].tolist()
        lines: defaultdict[str, list[int]] = defaultdict(list)
        for block, begin, stop in zip(blocks.tolist(), begins, stops, strict=True):
            lines[" ".join(page.text[begin:stop].split())].append(block)
        return Values(dict(lines))

    def _undated(self, dated: Mask) -> NDArray[np.intp]:
        """Return the short blocks that may hold a date, without text in dated elements, bool[n]."""
        blocks, page = self.blocks, self.page
        chosen = (blocks.length > 0) & (blocks.length <= LONGEST)
        chosen[MOST_MARKS * 4 :] = False
        if dated.any():
            before = np.concatenate([[0], np.cumsum(page.inside(dated))])
            chosen &= before[blocks.last] == before[blocks.first]
        short = np.flatnonzero(chosen)
        starts = page.text_at[blocks.first[short]].tolist()
        stops = page.text_at[blocks.last[short]].tolist()
        texts = [page.text[start:stop] for start, stop in zip(starts, stops, strict=True)]
        places = np.array([0, *accumulate(map(len, texts))], dtype=np.intp)
        hints = date_hints("".join(texts)).searchsorted(places)
        return short[hints[1:] > hints[:-1]]

    def _place(self, first: int, last: int, *, month_first: bool) -> int:
        """Return the text row of a line that holds its date; the first where several do."""
        page = self.page
        written = (np.flatnonzero(page.own_length[first:last]) + first).tolist()
        if len(written) == 1:
            return int(written[0])
        for row in written:
            text = page.text[page.text_at[row] : page.text_at[row + 1]]
            if date_in(" ".join(text.split()), month_first=month_first):
                return int(row)
        return first

    @cached_property
    def users(self) -> list[int]:
        """Rows that tell a user: short elements that link to one, are named so, or cite."""
        page = self.page
        rows = self._linking
        short = page.shown & (page.length > 0) & (page.length <= NAME_LENGTH)
        for name in ("class", "itemprop", "rel"):
            told = page.rows_where(name, _tells_user, *_USER_WORDS)
            rows.update(row for row in told if short[row])
        cited = np.flatnonzero(short & page.is_tag("cite")).tolist()
        bare = [row for row in cited if not page.attribute(row, "class")]
        return sorted([*sorted(rows), *bare][:MOST_MARKS])

    @property
    def _linking(self) -> set[int]:
        """Links to users' pages: all addresses are looked through at once, the few hits closely."""
        page, link = self.page, tags.CODES["a"]
        leading = page.rows_where("href", _leads_to_user, *_LINK_WORDS)
        return {row for row in leading if page.tag[row] == link and page.shown[row]}

    def user(self, row: int) -> str:
        """Return the name in the first line of an element; "" where it is longer than a name."""
        page = self.page
        written = (np.flatnonzero(page.own_length[row : page.end[row]]) + row)[:9].tolist()
        line = [r for r in written if page.line[r] == page.line[written[0]]]
        if not line:
            return ""
        text = " ".join(page.text[page.text_at[line[0]] : page.text_at[line[-1] + 1]].split())
        text = _AROUND_NAME.sub("", text)
        return text if len(text) <= NAME_LENGTH else ""


def _leads_to_user(href: str) -> bool:
    return USER_LINK.search(href) is not None


@lru_cache(maxsize=4096)
def _tells_user(names: str) -> bool:
    """Tell whether class names or the like are those of a user; pages repeat the same ones."""
    return USER_CLASS.search(names) is not None


@lru_cache(maxsize=4096)
def _constant_names(said: str) -> str:
    """Return the class names that posts of a kind share, four at most, joined by dots."""
    words = {_DIGITS.sub("", word) for word in said.split()}
    return ".".join(sorted(word for word in words if word and not _VARYING.match(word))[:4])


def _mask(page: Page, rows: dict[int, str]) -> Mask:
    mask = np.zeros(len(page), dtype=bool)
    mask[list(rows)] = True
    return mask
