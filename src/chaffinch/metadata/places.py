"""Where on a page a row stands: near the headline, in boilerplate, comments, a reader's reply."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field
from itertools import compress, count, pairwise
from operator import itemgetter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.caching import cached_property
from chaffinch.elements.dates_in_text import may_hold_date
from chaffinch.kernels.arrays import Hashes, Mask, Rows
from chaffinch.metadata import byline_labels
from chaffinch.metadata.values import LONGEST_READ, WORDS, fold, joined, one_line
from chaffinch.page import Page, tags
from chaffinch.page.attributes import BEYOND, bits_of, words_in_names

_NAMED: Final[dict[str, str]] = WORDS["parts of names of elements"]
"""Words in the classes and ids of elements by which several fields find theirs."""
_NAMES: Final = tuple(dict.fromkeys(" ".join(_NAMED.values()).split()))
BYLINES, USERS, DATES, TITLES, _BOILERPLATE, _SIDEBARS = (
    bits_of(_NAMES, words.split()) for words in _NAMED.values()
)
_CALLING: Final = frozenset(WORDS["attributes that name elements for scripts"].split())
"""Attributes that name elements for scripts and tests, where classes are made by a machine."""
_CALLED: Final = re.compile(
    r"(?<![a-z])(?:(?P<user>user[-_]?name)|(?:byline|author|autor|auteur|writer)s?"
    r"(?:[-_]?(?:block|container|links?|list|names?|text|wrapper))?)\Z"
)
"""What they say of an element that names the author, or a user."""
_OF_OTHERS: Final = re.compile(r"card|comment|relat|teaser")
_FOOTER, _FOOTER_TAG = bits_of(_NAMES, ["footer"]), tags.CODES["footer"]
_OF_ENTRY: Final = re.compile(WORDS["names of footers of entries"], re.IGNORECASE)
"""Names of the footer of a text, which may have its author and date, and not of the page."""


def _begins_date(piece: str, before: list[str]) -> bool:
    """Return whether a text run holds the first digit of a line that is a byline up to it.

    A small word that ends the byline belongs to the date: "By Jane Doe on ", "von Jane Doe am ".
    """
    if not _DIGIT.search(piece):
        return False
    line = "".join(before).strip()
    if _DIGIT.search(line) or line[line.rfind(" ") + 1 :][:1].islower():
        return False
    return bool(byline_labels.lines_with_credits([one_line(line)]))


_PARTS: Final = tuple(
    frozenset(map(tags.CODES.__getitem__, some))
    for some in (("aside", "nav", "footer"), ("nav", "footer"))
)
"""Codes of tags of boilerplate, and of what is boilerplate within an article, too."""
_TAGGED: Final = tags.table(["aside", "nav", "footer"])
_SIDEBAR: Final = re.compile(r"sidebar|(?<!elementor-)widget", re.IGNORECASE)
_QUOTING: Final = ("blockquote", "figcaption")
_QUOTES: Final = tags.table(_QUOTING)
_OF_READERS: Final = re.compile(
    rf"{WORDS['names of elements for comments']}|testimonial"
    r"|\breview(?:er|s|[-_]item|[-_]card|[-_]list)?(?=\s|\Z)",
    re.IGNORECASE,
)
"""What is in the names of elements for comments and customers' reviews."""
_REPLY: Final = re.compile(r"schema\.org/(?:Answer|Comment|UserComments)\b")
_ARTICLES: Final = tags.table(["article", "main"])
_OTHERS: Final = re.compile(f"(?:{WORDS['others']}|{WORDS['headings of reviews']})")
"""Headings above what other people wrote: comments and links to other pages."""
_OF_REVIEWS: Final = re.compile(f"(?:{WORDS['headings of reviews']})")
_AROUND: Final = " \t\n0123456789()[]:：.,!…-–—·•#+"  # signs around words of headings
_CLIMBED: Final = 5  # elements around a row that are looked at
_LINKS_OF_MENU, _LINKED = 3, 0.8  # links of a menu, and the share of its text that is in them
_LINKS_OF_SITE: Final = 5  # of the site's menu; fewer may be the categories of a text
_TOP: Final = 120  # characters from the beginning of a page in which a menu may not be named
_CARD: Final = 600  # characters of a card
_HEADLINE: Final = 9  # bytes of its headline
_TEXT_OF_ARTICLE: Final = 300  # characters before any card; in Han letters and kana, a third
_DIGIT: Final = re.compile(r"[\d年]")
_BEFORE, _AFTER = 1_350, 5_400  # characters of the window around the headline, without white space
_NEAR_BEFORE, _NEAR_AFTER = 360, 1_100  # of the lines that are read as bylines and datelines
_ROWS_BEFORE, _ROWS_AFTER = 120, 400  # rows that the window has at most
_ELEMENTS: Final = ~tags.table(["meta"])  # by the code of a tag: elements of known tags, but metas
_ELEMENTS[: tags.UNKNOWN + 1] = False

Line = tuple[int, str]
"""First row of shown text of a line of the page, and its text."""
TEXT: Final = itemgetter(1)
"""Returns the text of a line."""


def shown_texts(page: Page, first: int, last: int) -> NDArray[np.intp]:
    """Return the rows of shown text from one row up to another."""
    own = slice(first, last)
    shown = page.shown[own] & page.written[own] & (page.tag[own] == tags.TEXT)
    return np.asarray(shown.nonzero()[0] + first)


@dataclass(frozen=True, eq=False)
class Places:
    """The window of rows around the headline, in which values are sought, and what rows stand in.

    Elements that also contain the headline, or most of the page's text, are no boilerplate. The row
    of the headline is -1 where there is none; ``kept``, bool[n], None where it isn't known.
    """

    page: Page
    headline: int
    kept: Mask | None
    _having: dict[str, list[tuple[int, str]]] = field(default_factory=dict, init=False)
    _of_readers: dict[int, bool] = field(default_factory=dict, init=False)
    _boilerplate: dict[tuple[int, bool], bool] = field(default_factory=dict, init=False)

    # The window.

    def nearness(self, row: int) -> float:
        """Return 0..1: how near a row is to the headline; 0.5 where there is none."""
        if self.headline < 0:
            return 0.5
        away = self._from_headline(row)
        return 1.0 / (1.0 + (away / 1500 if away >= 0 else -away / 500))

    def is_below_headline(self, row: int, most: int) -> bool:
        """Return whether a row's text begins at most so many characters behind the headline's.

        What stands below another heading is that one's.
        """
        if self.headline < 0 or not 0 <= self._from_headline(row) <= most:
            return False
        return not tags.HEADING.take(self.page.tag[self.headline + 1 : row]).any()

    def _from_headline(self, row: int) -> int:
        before = self.page.written_before
        return before.item(row) - before.item(self.headline)

    @cached_property
    def rows(self) -> tuple[int, int]:
        page = self.page
        if self.headline < 0:
            first = max(page.body, 0)
            return first, min(len(page), first + _ROWS_BEFORE + _ROWS_AFTER)
        first, last = self._rows_around(_BEFORE, _AFTER)
        first = max(first, self.headline - _ROWS_BEFORE, 0)
        return first, min(max(last, self.headline), self.headline + _ROWS_AFTER, len(page))

    def _rows_around(self, before: int, after: int) -> tuple[int, int]:
        """Return the first rows whose text begins so far from the headline's, or later."""
        at = self.page.written_before.data  # few are looked at: numpy would convert the column
        start = at[self.headline]
        return bisect_left(at, start - before), bisect_left(at, start + after)

    def having(self, name: str) -> list[tuple[int, str]]:
        """Return (row, value in lower case) of the elements in the window that have ``name``."""
        if name not in self._having:
            columns = self.page.own_attributes
            found = zip(*columns.having(name, self._elements), strict=True)
            self._having[name] = [(row, (own or "").lower()) for row, own in found]
        return self._having[name]

    @cached_property
    def _elements(self) -> Mask:
        """bool[n]: the elements in the window, without metas."""
        first, last = self.rows
        elements: Mask = np.zeros(len(self.page), dtype=bool)
        elements[first:last] = _ELEMENTS[self.page.tag[first:last]]
        return elements

    @cached_property
    def _names(self) -> Hashes:
        """uint64[n], bits of `_NAMES` that the class and id of each row hold."""
        return words_in_names(self.page, _NAMES)

    def named(self, bits: int) -> list[int]:
        """Return the elements in the window whose names hold one of words, as `DATES`."""
        rows: list[int] = (self._named & np.uint64(bits)).nonzero()[0].tolist()
        return rows

    @cached_property
    def _named(self) -> Hashes:
        """uint64[n]: bits of `_names`, or by `_CALLING`, of elements in the window.

        Headings whose ids are made of their words, which name what they head, have none.
        """
        page, named = self.page, self._names * self._elements
        rows = named.nonzero()[0]
        for row in rows[tags.HEADING.take(page.tag.take(rows))].tolist():
            if fold(page.attribute(row, "id") or "") == fold(page.text_of(row)):
                named[row] = 0
        for name in page.attribute_names & _CALLING:
            for row, value in self.having(name):
                found = _CALLED.search(value)
                if found and not _OF_OTHERS.search(value):
                    named[row] |= np.uint64(USERS if found["user"] else BYLINES)
        return named

    @cached_property
    def near(self) -> list[Line]:
        """The lines around the headline; none where there is none."""
        if self.headline < 0:
            return []
        first, last = self._rows_around(_NEAR_BEFORE, _NEAR_AFTER)
        found = shown_texts(self.page, max(first, self.rows[0]), min(last, self.rows[1]))
        at, rows, line = self.page.text_at, found.tolist(), self.page.line.take(found)
        texts = kernels.folded_texts(self.page.text, at[found], at[found + 1])
        begins = [0, *((line[1:] != line[:-1]).nonzero()[0] + 1).tolist()] if rows else []
        near = texts
        if len(begins) < len(rows):
            near = [
                texts[begin] if end == begin + 1 else self._line(rows[begin:end])
                for begin, end in pairwise([*begins, len(rows)])
            ]
        if not "".join(near).isprintable() or max(map(len, near), default=0) > LONGEST_READ:
            near = [*map(one_line, near)]
        return [*zip(map(rows.__getitem__, begins), near, strict=True)]

    def _line(self, rows: list[int]) -> str:
        """Return the texts that are a line, with a bar between a byline and its date."""
        text, at = self.page.text, self.page.text_at.item
        pieces = [text[at(rows[0]) : at(rows[0] + 1)]]
        for row in rows[1:]:
            piece = text[at(row) : at(row + 1)]
            # White space may stand between, in a row of its own.
            before = text[at(row) - 1]
            apart = before.isspace() or (before.isdigit() and piece[0].isdigit())
            pieces += [" | " if _begins_date(piece, pieces) else " " * apart, piece]
        return joined(pieces)

    @cached_property
    def dated(self) -> list[int]:
        """Numbers of the lines near the headline that may hold a date."""
        texts = [*map(TEXT, self.near)]
        with_digits = compress(count(), map(_DIGIT.search, texts))
        return [number for number in with_digits if may_hold_date(texts[number])]

    # Boilerplate and comments.

    def in_boilerplate(self, row: int) -> bool:
        """Return whether a row is in comments, teasers, navigation, a sidebar or a footer."""
        return self.boilerplate_at(row) >= 0

    def in_boilerplate_except_sidebar(self, row: int) -> bool:
        """Return the same of a row, except that a sidebar within an article doesn't count.

        Such a sidebar often holds the article's byline and date.
        """
        in_article = any(_ARTICLES[self.page.tag[above]] for above in self.page.ancestors(row))
        return self.boilerplate_at(row, in_article=in_article) >= 0

    def boilerplate_at(self, row: int, *, in_article: bool = False) -> int:
        """Return the outermost boilerplate around a row, or at it; -1 for none."""
        above, found = self._marked.item(row) if row > 0 else 0, -1
        while above > 0:
            key = above, in_article
            if key not in self._boilerplate:
                self._boilerplate[key] = self._is_boilerplate(above, in_article=in_article)
            found = above if self._boilerplate[key] else found
            above = self._marked.item(self.page.parent.item(above))
        return found

    @cached_property
    def _marked(self) -> Rows:
        """int32[n]: the nearest row at or above each that may be boilerplate; -1 for none."""
        named = self._names & np.uint64(_BOILERPLATE | _SIDEBARS | BEYOND) != 0
        return kernels.nearest(self.page.parent, named | _TAGGED.take(self.page.tag))

    def _is_boilerplate(self, row: int, *, in_article: bool) -> bool:
        page, own, tag = self.page, self._names.item(row), self.page.tag.item(row)
        is_kind = tag in _PARTS[in_article] or own & _BOILERPLATE
        if not (is_kind or in_article) and own & (_SIDEBARS | BEYOND):
            is_kind = self._is_named(row, _SIDEBAR)
        is_footer = own & _BOILERPLATE == _FOOTER or tag == _FOOTER_TAG
        if not is_kind or (is_footer and self._is_named(row, _OF_ENTRY)):
            return False
        is_page = row <= self.headline < page.end[row] or 2 * page.length[row] > page.length[0]
        return not is_page

    def _is_named(self, row: int, pattern: re.Pattern[str]) -> bool:
        pairs = self.page.attributes(row)
        found = pattern.search(pairs.get("class") or "") or pattern.search(pairs.get("id") or "")
        return found is not None

    def in_reply(self, row: int) -> bool:
        """Return whether microdata places a row in an answer or a comment."""
        replies = self._replies
        return bool(replies) and row > 0 and not replies.isdisjoint(self.page.ancestors(row))

    @cached_property
    def _replies(self) -> frozenset[int]:
        """Rows of answers and comments by microdata."""
        return frozenset(row for row, own in self.page.having("itemtype") if _REPLY.search(own))

    def in_menu(self, row: int) -> bool:
        """Return whether a row is one of several links that hold an element's text."""
        page = self.page
        for _ in range(_CLIMBED):
            row = int(page.parent[row])
            if self._is_menu(row, _LINKS_OF_MENU):
                return True
        return False

    def _is_menu(self, row: int, fewest: int) -> bool:
        page = self.page
        links = np.count_nonzero(page.tag[row : page.end[row]] == tags.LINK)
        return bool(links >= fewest and page.link_length[row] >= _LINKED * page.length[row])

    def in_masthead(self, row: int) -> bool:
        """Return whether a row stands above the site's menu, or in a header with it.

        Today's date may stand there.
        """
        page = self.page
        header = self._headers.item(page.parent.item(row))
        first = header if header >= 0 and page.end.item(header) <= self.headline else row
        above = slice(first, max(self.headline, 0))
        between = page.tag[above]
        if (between == tags.CODES["nav"]).any():
            return True
        before = page.text_at.item(row) - page.text_at.item(max(page.body, 0))
        if before > _TOP or tags.HEADING.take(page.tag[:row]).any():
            return False
        written = page.link_length[above] > 0  # what is shared by pictures alone is no menu
        whole = tags.BLOCK.take(between) & written & (page.end[above] <= self.headline)
        blocks = whole.nonzero()[0] + first
        return any(self._is_menu(one, _LINKS_OF_SITE) for one in blocks.tolist())

    @cached_property
    def _headers(self) -> Rows:
        """int32[n]: the header that each row is, or is in; -1 for none."""
        return kernels.nearest(self.page.parent, self.page.is_tag("header"))

    # Behind the content.

    def belongs_elsewhere(self, row: int) -> bool:
        """Return whether a row behind text of the content is a reader's, or of a card.

        So is a row in a caption or at the end of a quotation. The smallest element around it with a
        link in front that isn't its own holds the card, which leads to another page.
        """
        page = self.page
        is_behind = self.is_behind_content(row)
        pattern = _OTHERS if is_behind else _OF_REVIEWS
        below_others = self.is_quoted(row) or pattern.fullmatch(self._last_heading(row)) is not None
        if below_others or not is_behind:
            return below_others
        own, top = self._target(row), row
        for _ in range(_CLIMBED):
            top = int(page.parent[top])
            if top <= page.body or top <= self.headline < page.end[top]:
                return False
            if top not in self._of_readers:  # names may be endless
                self._of_readers[top] = self._is_named(top, _OF_READERS)
            inside = page.tag[top : page.end[top]]  # a link with blocks leads to another page
            is_card = inside[0] == tags.LINK and bool(tags.BLOCK[inside].any())
            if is_card or self._of_readers[top]:
                return True
            if int(page.length[top]) > _CARD:
                return False
            for link in (page.tag[top:row] == tags.LINK).nonzero()[0] + top:
                href, rel = (page.attribute(int(link), name) or "" for name in ("href", "rel"))
                if page.end[link] <= row and href not in {"", own} and "author" not in href + rel:
                    return len(page.text_of(int(link)).strip().encode()) >= _HEADLINE
        return False

    def is_quoted(self, row: int) -> bool:
        """Return whether a row is in a caption, or in the last line of a short quotation."""
        page, end = self.page, self.page.end
        if page.tag_names.isdisjoint(_QUOTING):
            return False
        around = self._quotes.item(page.parent.item(row)) if row > 0 else -1
        if around < 0 or around <= self.headline < end[around]:
            return False
        rest = slice(end[row], end[around])
        is_last = (page.line[rest][page.written[rest]] == page.line[end[row] - 1]).all()
        is_short = page.length[row] < page.length[around] <= _CARD
        return page.name(around) == "figcaption" or bool(is_last and is_short)

    @cached_property
    def _quotes(self) -> Rows:
        """int32[n]: the caption or quotation that each row is, or is in; -1 for none."""
        return kernels.nearest(self.page.parent, _QUOTES.take(self.page.tag))

    def is_behind_content(self, row: int) -> bool:
        """Return whether text of the content stands between the headline and a row."""
        first = max(self.headline, 0)
        if self.kept is None or row <= first:
            return False
        length = int(self._kept_before[row] - self._kept_before[first])
        return length > _TEXT_OF_ARTICLE or (
            3 * length > _TEXT_OF_ARTICLE and max(self.page.text_of(first), default="") >= "\u3000"
        )

    @cached_property
    def _kept_before(self) -> NDArray[np.int64]:
        """int64[n+1]: characters of the content before each row."""
        before = np.zeros(len(self.page) + 1, dtype=np.int64)
        if self.kept is not None:
            np.cumsum(self.page.own_length * self.kept, out=before[1:])
        return before

    @cached_property
    def _headings(self) -> list[int]:
        """Rows of the headings behind the headline."""
        first = self.headline + 1
        rows: list[int] = (tags.HEADING[self.page.tag[first:]].nonzero()[0] + first).tolist()
        return rows

    def _last_heading(self, row: int) -> str:
        """Return the folded last heading between the headline and a row; "" for none."""
        at = bisect_left(self._headings, row) - 1
        if at < 0:
            return ""
        text = self.page.text_of(self._headings[at])[:80]
        return one_line(text).casefold().strip(_AROUND)

    def _target(self, row: int) -> str:
        """Return the address of the link that a row is in, or that is in it; "" for none."""
        page = self.page
        for at in (row, int(page.parent[row]), *range(row + 1, min(int(page.end[row]), row + 6))):
            if href := page.attribute(at, "href"):
                return href
        return ""
