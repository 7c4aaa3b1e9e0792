"""Where on a page a row stands: near the headline, in boilerplate, comments, a reader's reply."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from chaffinch.caching import cached_property
from chaffinch.elements.dates import may_hold_date
from chaffinch.metadata.values import WORDS, joined, one_line
from chaffinch.page import Page, tags
from chaffinch.page.arrays import Hashes, Mask
from chaffinch.page.attributes import BEYOND, bits_of

_NAMED: Final = {
    "bylines": "byline author writer autor auteur reporter journalist",
    "users": "username user-name user-details poster nickname starter member authi",
    "dates": "date publish posted time byline pub_ created datum fecha -meta _meta info source",
    "titles": "entry-title post-title article-title headline",
    "boilerplate": "comment related recommend reply replies teaser footer more- popular latest",
    "sidebars": "sidebar widget",
}
"""Words in the classes and ids of elements by which several fields find theirs."""
NAMES: Final = tuple(dict.fromkeys(" ".join(_NAMED.values()).split()))
"""All of these; a page is searched for them in one pass (`Page.words_in_names`)."""
BYLINES, USERS, DATES, TITLES, _BOILERPLATE, _SIDEBARS = (
    bits_of(NAMES, words.split()) for words in _NAMED.values()
)
_SIDEBARS |= BEYOND
_SIDEBAR: Final = re.compile(r"sidebar|(?<!elementor-)widget", re.IGNORECASE)
_COMMENTS: Final = re.compile(
    r"(?:^|\s)comments?(?:[-_]?(?:list|area|section|body|content|item|thread))?(?=\s|$)",
    re.IGNORECASE,
)
_COMMENT_BITS: Final = bits_of(NAMES, ["comment"]) | BEYOND
_BARS: Final = tags.table(["aside", "nav", "footer"])
_BARS_OF_ARTICLES: Final = tags.table(["nav", "footer"])
_ARTICLES: Final = tags.table(["article", "main"])
_NO_TAGS: Final = tags.table([])
_OTHERS: Final = re.compile(f"(?:{WORDS['others']})")
"""Headings above what other people wrote: comments and links to other pages."""
_REFERENCES: Final = frozenset(WORDS["references"].split("|"))
"""Headings above lists of what a text refers to."""
_AROUND: Final = " \t\n0123456789()[]:：.,!…-–—·•#+"  # signs around words of headings
_COMMENT: Final = re.compile(
    r"comment|kommentar|coment[aá]rio|reacti(?:e|es)\b|yorum|koment|hozzasz|kommentti|评论|pinglun",
    re.IGNORECASE,
)
"""What is in the names of elements for comments."""
_REPLY: Final = re.compile(r"schema\.org/(?:Answer|Comment|UserComments)\b")
_LONGEST_HEADING: Final = 80
_CLIMBED: Final = 5  # elements around a row that are looked at
_LINKS_OF_MENU, _LINKED = 3, 0.8  # links of a menu, and the share of its text that is in them
_CARD: Final = 600  # characters of a card
_HEADLINE: Final = 9  # bytes of its headline
_TEXT_OF_ARTICLE: Final = 300  # characters before any card; in Han letters and kana, a third
_KANA: Final = "\u3000"

LINE_START: Final = "\0"
"""What stands before each line in `ShownLines.raw`."""
_DIGIT: Final = re.compile(r"[\d年]")
_BEFORE, _AFTER = 1_500, 6_000  # characters of the window before and after the headline
_NEAR_BEFORE, _NEAR_AFTER = 400, 1_200  # of the lines that are read as bylines and datelines
_ROWS_BEFORE, _ROWS_AFTER = 120, 400  # rows that the window has at most
_ELEMENTS: Final = ~tags.table(["meta"])
"""By the code of a tag: elements of known tags, but metas."""
_ELEMENTS[: tags.UNKNOWN + 1] = False


@dataclass(frozen=True, eq=False)
class ShownLines:
    """Some lines of a page, each made when it is read; iterating yields (first row, text).

    What is sought in lines is first sought in all of them at once, as they stand on the page: most
    lines near a headline have neither a label nor a date and need not be made.

    Attributes:
        text: the page's.
        rows: the first row of shown text of each line, in order.
        spans: (start, end) in the page's text of what each line is made of, in order.
    """

    text: str
    rows: list[int]
    spans: list[list[tuple[int, int]]]

    @classmethod
    def between(cls, page: Page, first: int, last: int) -> ShownLines:
        """Return the lines of shown text in a range of rows."""
        rows = _shown_texts(page, first, last)
        columns = rows, page.line[rows], page.text_at[rows], page.text_at[rows + 1]
        firsts: list[int] = []
        spans: list[list[tuple[int, int]]] = []
        last = -1
        for row, line, start, end in zip(*(one.tolist() for one in columns), strict=True):
            if line == last:
                spans[-1].append((start, end))
            else:
                firsts.append(row)
                spans.append([(start, end)])
                last = line
        return cls(page.text, firsts, spans)

    def __len__(self) -> int:
        """Return how many lines there are."""
        return len(self.rows)

    def __getitem__(self, number: int) -> tuple[int, str]:
        """Return (first row, text) of a line by its number; kept, for several fields read it."""
        made = self._made.get(number)
        if made is None:
            spans = self.spans[number]
            if len(spans) == 1:
                text = one_line(self.text[slice(*spans[0])])
            else:
                text = joined(self._apart(spans))
            made = self._made[number] = self.rows[number], text
        return made

    def _apart(self, spans: list[tuple[int, int]]) -> Iterator[str]:
        """Yield the texts of spans; a space stands for those of white space alone between them."""
        last = spans[0][0]
        for start, end in spans:
            yield " " if start > last and self.text[start - 1].isspace() else ""
            yield self.text[start:end]
            last = end

    def __iter__(self) -> Iterator[tuple[int, str]]:
        """Yield (first row, text) of the lines."""
        return map(self.__getitem__, range(len(self)))

    @cached_property
    def _made(self) -> dict[int, tuple[int, str]]:
        return {}

    @cached_property
    def _raw(self) -> list[str]:
        text = self.text
        return [LINE_START + "".join([text[a:b] for a, b in spans]) for spans in self.spans]

    @cached_property
    def raw(self) -> str:
        """The texts that the lines are made of, each line's behind a `LINE_START`."""
        return "".join(self._raw)

    def at(self, places: list[int]) -> list[int]:
        """Return the numbers of the lines in which some places of `raw` are, in order."""
        starts, at = [], 0
        for raw in self._raw if places else ():
            starts.append(at)
            at += len(raw)
        return sorted({bisect_right(starts, place) - 1 for place in places})

    @cached_property
    def dated(self) -> list[int]:
        """Numbers of the lines that may hold a date: one look finds that most have no digit."""
        found = (number for number, raw in enumerate(self._raw) if _DIGIT.search(raw))
        return [number for number in found if may_hold_date(self[number][1])]


def _shown_texts(page: Page, first: int, last: int) -> NDArray[np.intp]:
    """Return the rows of shown text in a range of rows."""
    shown = page.shown[first:last] & page.written[first:last] & (page.tag[first:last] == tags.TEXT)
    return np.asarray(shown.nonzero()[0] + first)


@dataclass(frozen=True, eq=False)
class HeadlineWindow:
    """The rows of a page around its headline, in which visible values are searched for.

    Attributes:
        page: the page.
        headline: the row of the headline; -1 where there is none.
        names: uint64[n], bits of `NAMES` that the class and id of each row hold.
    """

    page: Page
    headline: int
    names: Hashes

    def distance(self, row: int, other: int) -> int:
        """Return the characters of text between two rows; negative if ``row`` comes first."""
        at = self.page.text_at
        return int(at[row]) - int(at[other])

    def nearness(self, row: int) -> float:
        """Return 0..1: how near a row is to the headline; 0.5 where there is none."""
        if self.headline < 0:
            return 0.5
        away = self.distance(row, self.headline)
        return 1.0 / (1.0 + (away / 1500 if away >= 0 else -away / 500))

    @cached_property
    def rows(self) -> tuple[int, int]:
        """Half-open range of the window's rows."""
        page = self.page
        if self.headline < 0:
            first = max(page.body, 0)
            return first, min(len(page), first + _ROWS_BEFORE + _ROWS_AFTER)
        first, last = self._rows_around(_BEFORE, _AFTER)
        first = max(first, self.headline - _ROWS_BEFORE, 0)
        return first, min(max(last, self.headline), self.headline + _ROWS_AFTER, len(page))

    @cached_property
    def _elements(self) -> Mask:
        """bool[n]: the elements in the window, without metas."""
        first, last = self.rows
        elements: Mask = np.zeros(len(self.page), dtype=bool)
        elements[first:last] = _ELEMENTS[self.page.tag[first:last]]
        return elements

    def having(self, name: str) -> list[tuple[int, str]]:
        """Return (row, value in lower case) of the elements in the window that have ``name``."""
        if name not in self._having:
            known = name in self.page.attribute_names
            found = self.page.having(name, self._elements) if known else ()
            self._having[name] = [(row, value.lower()) for row, value in found]
        return self._having[name]

    @cached_property
    def _having(self) -> dict[str, list[tuple[int, str]]]:
        return {}

    def named(self, bits: int) -> list[int]:
        """Return the elements in the window whose class or id holds one of words, as `DATES`."""
        return [row for row, own in self._named if own & bits]

    @cached_property
    def _named(self) -> list[tuple[int, int]]:
        """(row, its bits of `names`) of the elements in the window that have any, in order."""
        first, last = self.rows
        names = self.names[first:last]
        rows = names.nonzero()[0]
        rows = rows[_ELEMENTS[self.page.tag[first:last][rows]]]
        return list(zip((rows + first).tolist(), names[rows].tolist(), strict=True))

    @cached_property
    def near(self) -> ShownLines:
        """The lines around the headline; none where there is none."""
        if self.headline < 0:
            return ShownLines(self.page.text, [], [])
        first, last = self._rows_around(_NEAR_BEFORE, _NEAR_AFTER)
        return ShownLines.between(self.page, *self._within(first, last))

    def text_rows(self, first: int, last: int) -> list[int]:
        """Return the rows of shown text in a range of rows, as far as it is in the window."""
        rows: list[int] = _shown_texts(self.page, *self._within(first, last)).tolist()
        return rows

    def _within(self, first: int, last: int) -> tuple[int, int]:
        start, stop = self.rows
        return max(first, start), min(last, stop)

    def _rows_around(self, before: int, after: int) -> tuple[int, int]:
        """Return the first rows whose text begins so far from the headline's, or later."""
        at = self.page.text_at.data  # few are looked at: numpy would convert the whole column
        start = at[self.headline]
        return bisect_left(at, start - before), bisect_left(at, start + after)


@dataclass(frozen=True, eq=False)
class Regions:
    """The regions of a page: boilerplate, comments, cards of other pages.

    Elements that also contain the headline, or most of the page's text, are none of these.

    Attributes:
        page: the page.
        headline: the row of the headline; -1 where there is none.
        names: uint64[n], bits of `NAMES` that the class and id of each row hold.
        kept: bool[n], the main content; None where it isn't known.
    """

    page: Page
    headline: int
    names: Hashes
    kept: Mask | None

    def in_boilerplate(self, row: int) -> bool:
        """Return whether a row is in comments, teasers, navigation, a sidebar or a footer."""
        return self.boilerplate_at(row) >= 0

    def boilerplate_at(self, row: int) -> int:
        """Return the first row of the boilerplate that a row is in; -1 where it isn't in any."""
        return self._outermost(row, _BARS, _BOILERPLATE, _SIDEBARS, _SIDEBAR)

    def in_boilerplate_except_sidebar(self, row: int) -> bool:
        """Return the same of a row, except that a sidebar within an article doesn't count.

        Such a sidebar often holds the article's byline and date.
        """
        if any(_ARTICLES[self.page.tag[above]] for above in self.page.ancestors(row)):
            return self._outermost(row, _BARS_OF_ARTICLES, _BOILERPLATE) >= 0
        return self.in_boilerplate(row)

    def in_comments(self, row: int) -> bool:
        """Return whether a row is in an element that is named for readers' comments alone."""
        return self._outermost(row, _NO_TAGS, 0, _COMMENT_BITS, _COMMENTS) >= 0

    def _outermost(
        self,
        row: int,
        of_tags: Mask,
        bits: int,
        may: int = 0,
        pattern: re.Pattern[str] | None = None,
    ) -> int:
        """Return the outermost element around a row, or at it, that has a tag or a name; -1.

        Args:
            row: the row.
            of_tags: by the codes of tags, which of them.
            bits: of words that a name may hold, anywhere.
            may: of words in names that the pattern decides about.
            pattern: finds one of them.
        """
        page, found = self.page, -1
        while row > 0:
            own = int(self.names[row])
            if (
                of_tags[page.tag[row]]
                or own & bits
                or (own & may and pattern is not None and self._is_named(row, pattern))
            ) and not (row <= self.headline < page.end[row] or page.length[row] > self._most):
                found = row
            row = int(page.parent[row])
        return found

    def _is_named(self, row: int, pattern: re.Pattern[str]) -> bool:
        """Return whether a pattern is in the class or id of a row, which may be endless; kept."""
        found = self._known.get((row, pattern))
        if found is None:
            names = (self.page.attribute(row, name) for name in ("class", "id"))
            found = any(pattern.search(name) for name in names if name)
            self._known[row, pattern] = found
        return found

    @cached_property
    def _known(self) -> dict[tuple[int, re.Pattern[str]], bool]:
        return {}

    @cached_property
    def _most(self) -> int:
        """Half of the page's characters."""
        return int(self.page.length[0]) // 2

    def in_reply(self, row: int) -> bool:
        """Return whether microdata places a row in an answer or a comment."""
        replies = self._replies
        return replies is not None and row > 0 and bool(replies[self.page.parent[row]])

    def in_menu(self, row: int) -> bool:
        """Return whether a row is one of several links that hold an element's text."""
        page = self.page
        for _ in range(_CLIMBED):
            row = int(page.parent[row])
            if row <= page.body or row <= self.headline < page.end[row]:
                return False
            linked, length = int(page.link_length[row]), int(page.length[row])
            links = np.count_nonzero(page.tag[row : page.end[row]] == tags.CODES["a"])
            if links >= _LINKS_OF_MENU and linked >= _LINKED * length:
                return True
        return False

    def belongs_elsewhere(self, row: int) -> bool:
        """Return whether a row behind text of the content is a reader's, or of a card.

        The smallest element around it with a link in front that isn't its own holds the card, which
        leads to another page.
        """
        page = self.page
        if not self.is_behind_content(row):
            return False
        below_others = _OTHERS.fullmatch(self._last_heading(row)) is not None
        own, top = self._target(row), row
        for _ in range(_CLIMBED):
            top = int(page.parent[top])
            if below_others or top <= page.body or top <= self.headline < page.end[top]:
                return below_others
            if self._is_named(top, _COMMENT):
                return True
            if int(page.length[top]) > _CARD:
                return False
            for link in (page.tag[top:row] == tags.CODES["a"]).nonzero()[0] + top:
                href = page.attribute(int(link), "href") or ""
                if page.end[link] <= row and href not in {"", own} and "author" not in href:
                    return len(page.text_of(int(link)).strip().encode()) >= _HEADLINE
        return False

    def below_references(self, row: int) -> bool:
        """Return whether the last heading in front of a row is that of a list of references."""
        return self._last_heading(row) in _REFERENCES

    def is_behind_content(self, row: int) -> bool:
        """Return whether text of the content stands between the headline and a row."""
        page, first = self.page, max(self.headline, 0)
        if self.kept is None or row <= first:
            return False
        kept = self.kept[first:row] & (page.tag[first:row] == tags.TEXT)
        length = int(page.own_length[first:row][kept].sum())
        return length > _TEXT_OF_ARTICLE or (
            3 * length > _TEXT_OF_ARTICLE and max(page.text_of(first), default="") >= _KANA
        )

    def _last_heading(self, row: int) -> str:
        """Return the folded last heading between the headline and a row; "" for none."""
        page, first = self.page, self.headline + 1
        headings = tags.HEADING[page.tag[first:row]].nonzero()[0]
        if not len(headings):
            return ""
        text = page.text_of(int(headings[-1]) + first)[:_LONGEST_HEADING]
        return one_line(text).casefold().strip(_AROUND)

    def _target(self, row: int) -> str:
        """Return the address of the link that a row is in, or that is in it; "" for none."""
        page = self.page
        for at in (row, int(page.parent[row]), *range(row + 1, min(int(page.end[row]), row + 6))):
            if href := page.attribute(at, "href"):
                return href
        return ""

    @cached_property
    def _replies(self) -> Mask | None:
        """bool[n]: the rows of answers and comments by microdata; None where there are none."""
        if "itemtype" not in self.page.attribute_names:
            return None
        types = self.page.values("itemtype")
        rows = types.rows_of(kind for kind in types.rows if _REPLY.search(kind))
        if not rows:
            return None
        named = np.zeros(len(self.page), dtype=bool)
        named[rows] = True
        return self.page.inside(named)
