"""Words in the classes and ids of elements by which several fields find theirs.

A page is searched for all of them in one pass; each field then reads its bits of the result.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from chaffinch.caching import cached_property
from chaffinch.elements.dates import may_hold_date, places_of_dates
from chaffinch.metadata.values import joined, one_line
from chaffinch.page import Page, tags
from chaffinch.page.arrays import Hashes, Mask
from chaffinch.page.attributes import BEYOND, bits_of

if TYPE_CHECKING:
    from chaffinch.metadata.sources import Evidence

_BYLINES: Final = ("byline", "author", "writer", "autor", "auteur", "reporter", "journalist")
_USERS: Final = (
    "username", "user-name", "user-details", "poster", "nickname", "starter", "member", "authi",
)  # fmt: skip
_DATES: Final = (
    "date", "publish", "posted", "time", "byline", "pub_", "created", "datum", "fecha",
    "-meta", "_meta", "info", "source",
)  # fmt: skip
_TITLES: Final = ("entry-title", "post-title", "article-title", "headline")
_BOILERPLATE: Final = (
    "comment", "related", "recommend", "reply", "replies", "teaser", "footer", "more-", "popular",
    "latest",
)  # fmt: skip
_SIDEBARS: Final = ("sidebar", "widget")
_COMMENTS: Final = ("comment",)
_ALL: Final = tuple(
    dict.fromkeys((*_BYLINES, *_USERS, *_DATES, *_TITLES, *_BOILERPLATE, *_SIDEBARS))
)

BYLINES: Final = bits_of(_ALL, _BYLINES)
"""Elements that name an author."""
USERS: Final = bits_of(_ALL, _USERS)
"""Elements that name a user."""
DATES: Final = bits_of(_ALL, _DATES)
"""Elements that hold a date, or what stands beside one."""
TITLES: Final = bits_of(_ALL, _TITLES)
"""Elements that hold a title."""
BOILERPLATE: Final = bits_of(_ALL, _BOILERPLATE)
"""What is in the names of boilerplate, anywhere."""
SIDEBARS: Final = bits_of(_ALL, _SIDEBARS) | BEYOND
"""What may name a sidebar."""
COMMENTS: Final = bits_of(_ALL, _COMMENTS) | BEYOND
"""What may name readers' comments."""


def named_rows(evidence: Evidence) -> Hashes:
    """Return uint64[n]: the bits of the words that each row's class or id holds, in any case."""
    return evidence.page.words_in_names(_ALL)


LINE_START: Final = "\0"
"""What stands before each line in `ShownLines.raw`."""


@dataclass(frozen=True, eq=False)
class ShownLines:
    """Some lines of a page; iterating yields (first row, text) of each.

    Attributes:
        text: the page's.
        rows: the first row of shown text of each line, in order.
        spans: (start, end) in the page's text of what each line is made of, in order.
    """

    text: str
    rows: list[int]
    spans: list[list[tuple[int, int]]]

    @classmethod
    def of_rows(cls, text: str, rows: list[int], spans: list[tuple[int, int, int]]) -> ShownLines:
        """Return the lines that rows of text make up.

        Args:
            text: of the page.
            rows: of shown text, in order.
            spans: (line, start, end) of the text of each.
        """
        first: list[int] = []
        parts: list[list[tuple[int, int]]] = []
        last = -1
        for row, (line, start, end) in zip(rows, spans, strict=True):
            if line == last:
                parts[-1].append((start, end))
            else:
                first.append(row)
                parts.append([(start, end)])
                last = line
        return cls(text, first, parts)

    def __len__(self) -> int:
        """Return how many lines there are."""
        return len(self.rows)

    def __getitem__(self, number: int) -> tuple[int, str]:
        """Return (first row, text) of a line by its number; kept, for several fields read it."""
        made = self._made.get(number)
        if made is None:
            spans = self.spans[number]
            if len(spans) == 1:
                ((start, end),) = spans
                text = one_line(self.text[start:end])
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
        """The lines that were read, by their numbers."""
        return {}

    @cached_property
    def raw(self) -> str:
        """The texts that the lines are made of, each line's behind a `LINE_START`.

        What stands nowhere in it needn't be sought line by line.
        """
        return "".join(self._raw)

    @cached_property
    def _raw(self) -> list[str]:
        """The part of `raw` that each line has."""
        text = self.text
        return [
            f"{LINE_START}{text[spans[0][0] : spans[0][1]]}"
            if len(spans) == 1
            else LINE_START + "".join([text[start:end] for start, end in spans])
            for spans in self.spans
        ]

    def at(self, places: Iterable[int]) -> list[int]:
        """Return the numbers of the lines in which some places of `raw` are, in order."""
        found = {bisect_right(self._starts, place) - 1 for place in places}
        return sorted(found)

    @cached_property
    def _starts(self) -> list[int]:
        """Where in `raw` each line begins."""
        starts, at = [], 0
        for raw in self._raw:
            starts.append(at)
            at += len(raw)
        return starts


TEXT_BEFORE: Final = 1_500
TEXT_AFTER: Final = 6_000
"""Characters of the window before and after the headline."""
NEAR_BEFORE: Final = 400
NEAR_AFTER: Final = 1_200
"""Characters before and after the headline of the lines that are read as bylines and datelines."""
ROWS_BEFORE: Final = 120
ROWS_AFTER: Final = 400
"""Rows that it has at most before and after the headline."""
_ELEMENTS_headline_window: Final = ~tags.table(["meta"])
"""By the code of a tag: elements of known tags, but metas."""
_ELEMENTS_headline_window[: tags.UNKNOWN + 1] = False


@dataclass(frozen=True, eq=False)
class HeadlineWindow:
    """The rows of a page around its headline, and what stands in them.

    Attributes:
        page: the page.
        headline: the row of the headline; -1 where there is none.
        names: uint64[n], words in the class and id of each row, as `class_words.named_rows` has
            them.
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
        """Half-open range of rows around the headline in which visible values are searched for."""
        page = self.page
        if self.headline < 0:
            first = max(page.body, 0)
            return first, min(len(page), first + ROWS_BEFORE + ROWS_AFTER)
        at = int(page.text_at[self.headline])
        first, last = self._rows_from(at - TEXT_BEFORE, at + TEXT_AFTER)
        first = max(first, self.headline - ROWS_BEFORE, 0)
        return first, min(max(last, self.headline), self.headline + ROWS_AFTER, len(page))

    @cached_property
    def _elements(self) -> Mask:
        """bool[n]: the elements in the window, without metas."""
        first, last = self.rows
        elements: Mask = np.zeros(len(self.page), dtype=bool)
        elements[first:last] = _ELEMENTS_headline_window[self.page.tag[first:last]]
        return elements

    def having(self, name: str) -> list[tuple[int, str]]:
        """Return (row, value in lower case) of the elements in the window that have ``name``."""
        known = self._having.get(name)
        if known is None:
            known = []
            if name in self.page.attribute_names:
                found = self.page.having(name, self._elements)
                known = [(row, value.lower()) for row, value in found]
            self._having[name] = known
        return known

    @cached_property
    def _having(self) -> dict[str, list[tuple[int, str]]]:
        """Cache of `having` by the attribute's name: each byline candidate reads the same ones."""
        return {}

    def named(self, bits: int) -> list[int]:
        """Return the elements in the window whose class or id holds a word of some, in order.

        Args:
            bits: of the words, such as `chaffinch.metadata.class_words.BYLINES`.
        """
        return [row for row, own in self._named if own & bits]

    @cached_property
    def _named(self) -> list[tuple[int, int]]:
        """(row, its bits of `names`) of the elements in the window that have any, in order."""
        first, last = self.rows
        names = self.names[first:last]
        rows = names.nonzero()[0]
        rows = rows[_ELEMENTS_headline_window[self.page.tag[first:last][rows]]]
        return list(zip((rows + first).tolist(), names[rows].tolist(), strict=True))

    @cached_property
    def _texts(self) -> tuple[list[int], list[tuple[int, int, int]]]:
        """Rows of shown text in the window, and (line, start, end) of each one's text."""
        page = self.page
        first, last = self.rows
        shown = page.shown[first:last] & page.written[first:last]
        rows = ((page.tag[first:last] == 0) & shown).nonzero()[0] + first
        spans = zip(
            page.line[rows].tolist(),
            page.text_at[rows].tolist(),
            page.text_at[rows + 1].tolist(),
            strict=True,
        )
        return rows.tolist(), list(spans)

    def lines(self, first: int, last: int) -> ShownLines:
        """Return the lines of shown text in a range of rows of the window."""
        rows, spans = self._texts
        at, stop = bisect_left(rows, first), bisect_left(rows, last)
        return ShownLines.of_rows(self.page.text, rows[at:stop], spans[at:stop])

    def text_rows(self, first: int, last: int) -> list[int]:
        """Return the rows of shown text in a range of rows of the window."""
        rows, _ = self._texts
        return rows[bisect_left(rows, first) : bisect_left(rows, last)]

    @cached_property
    def near(self) -> ShownLines:
        """The lines around the headline; none where there is none."""
        return self.lines(*self._near)

    @cached_property
    def near_dated(self) -> list[tuple[int, str]]:
        """Those of the lines `near` that may hold a date."""
        lines = (self.near[number] for number in self.near.at(places_of_dates(self.near.raw)))
        return [(row, text) for row, text in lines if may_hold_date(text)]

    @cached_property
    def _near(self) -> tuple[int, int]:
        """Half-open range of the rows whose text is nearest to the headline."""
        if self.headline < 0:
            return 0, 0
        at = int(self.page.text_at[self.headline])
        return self._rows_from(at - NEAR_BEFORE, at + NEAR_AFTER)

    def _rows_from(self, start: int, stop: int) -> tuple[int, int]:
        """Return the first rows whose text begins at two places of the page's text or later."""
        at = self.page.text_at.data  # few are looked at: numpy would convert the whole column
        return bisect_left(at, start), bisect_left(at, stop)


_SIDEBAR: Final = re.compile(r"sidebar|(?<!elementor-)widget", re.IGNORECASE)
_COMMENTS_page_regions: Final = re.compile(
    r"(?:^|\s)comments?(?:[-_]?(?:list|area|section|body|content|item|thread))?(?=\s|$)",
    re.IGNORECASE,
)
_COMMENTS_NAMED: Final = (
    "comments?|kommentare?|commentaires?|comentarios?|comentários?|commenti|commento|reacties?"
    "|kommentarer|kommentit|komentarze?|komentáře?|komentarzy|hozzászólások|comentarii|yorum(?:lar)?"
    "|комментари[йи]|комментариев|коментарі?|коментари|σχόλια|bình luận|komentar|ความคิดเห็น"
    "|टिप्पणियाँ|تعليقات|نظرات|תגובות|评论|評論|留言|コメント|댓글"
)
_OTHERS: Final = re.compile(
    rf"(?:{_COMMENTS_NAMED}|replies|discussion|leserbriefe|leserkommentare|read (?:also|more|next)"
    r"|related(?: \w+)?|recommended|more from .{1,40}|also (?:in|on|this) .{1,30}|mehr zum thema"
    r"|lesen sie auch|weitere artikel|das könnte sie auch interessieren|à lire aussi|lire aussi"
    r"|sur le même sujet|dans la même rubrique|lea también|más noticias|te puede interesar"
    r"|artículos relacionados|leia também|leia mais|leggi anche|articoli correlati|lees ook"
    r"|läs också|les også|læs også|lue myös|czytaj także|zobacz także|čtěte také|olvassa el"
    r"|citește și|читайте также|читайте також|по теме|相关阅读|相关新闻|相關新聞|延伸阅读|推荐阅读"
    r"|関連記事|あわせて読みたい|관련기사|관련 기사|bài liên quan|baca juga|اقرأ أيضا"
    r"|مطالب مرتبط|קראו גם"
    r"|यह भी पढ़ें|ilgili haberler)"
)
"""Headings above what other people wrote: comments and links to other pages."""
_REFERENCES: Final = frozenset(
    (
        "references|bibliography|sources|literature|works cited|further reading|notes|footnotes|"
        "literatur|quellen|einzelnachweise|références|bibliographie|sources et références|"
        "notes et références|referencias|bibliografía|fuentes|referências|bibliografia|riferimenti|"
        "fonti|note|literatuur|bronnen|referenser|källor|referanser|kilder|lähteet|viitteet|źródła|"
        "przypisy|zdroje|literatura|источники|литература|примечания|список литературы|джерела|"
        "література|kaynakça|kaynaklar|referensi|daftar pustaka|tài liệu tham khảo|المراجع|المصادر|"
        "منابع|מקורות|参考文献|參考文獻|参考资料|參考資料|注释|脚注|出典|참고문헌|참고 문헌|출처|"
        "เอกสารอ้างอิง|संदर्भ"
    ).split("|")
)
"""Headings above lists of what a text refers to."""
_AROUND: Final = " \t\n0123456789()[]:：.,!…-–—·•#+"
_COMMENT: Final = re.compile(
    r"comment|kommentar|coment[aá]rio|reacti(?:e|es)\b|yorum|koment|hozzasz|kommentti|评论|pinglun",
    re.IGNORECASE,
)
"""What is in the names of elements for comments, and signs around words of headings."""
_LONGEST_HEADING: Final = 80
_CLIMBED: Final = 5
"""Elements around a row that are looked at."""
_LINKS_OF_MENU: Final = 3
_LINKED: Final = 0.8
"""Links of a menu, and the share of its text that stands in them."""
_CARD: Final = 600
_HEADLINE: Final = 9
_FIRST_HAN: Final = "\u3000"
_TEXT_OF_ARTICLE: Final = 300
"""Characters that a card has at most, bytes of its headline, and characters that stand before any:
a third of them in Han letters, kana and Hangul."""
_REPLY: Final = re.compile(r"schema\.org/(?:Answer|Comment|UserComments)\b")


def in_boilerplate(evidence: Evidence, row: int) -> bool:
    """Return whether a row is in comments, teasers, navigation, a sidebar or a footer.

    Elements that also contain the headline, or most of the page's text, don't count.
    """
    return evidence.derived(_boilerplate).hold(row)


def boilerplate_at(evidence: Evidence, row: int) -> int:
    """Return the first row of what `in_boilerplate` finds a row in; -1 where it isn't in any."""
    return evidence.derived(_boilerplate).start_of(row)


def in_boilerplate_except_sidebar(evidence: Evidence, row: int) -> bool:
    """Return the same of a row, except that a sidebar within an article doesn't count.

    Such a sidebar often holds the article's byline and date.
    """
    parent = int(evidence.page.parent[row])
    in_article = parent >= 0 and evidence.derived(_articles).hold(parent)
    return evidence.derived(_boilerplate_of_articles if in_article else _boilerplate).hold(row)


def in_comments(evidence: Evidence, row: int) -> bool:
    """Return whether a row is in an element that is named for readers' comments, and only that."""
    return evidence.derived(_comments).hold(row)


def in_reply(evidence: Evidence, row: int) -> bool:
    """Return whether microdata places a row in an answer or a comment."""
    replies = evidence.derived(_replies)
    return replies is not None and row > 0 and bool(replies[evidence.page.parent[row]])


def in_menu(evidence: Evidence, row: int) -> bool:
    """Return whether a row is one of several links in front of the headline, or behind all text."""
    page = evidence.page
    for _ in range(_CLIMBED):
        row = int(page.parent[row])
        if row <= page.body or row <= evidence.headline_row < page.end[row]:
            return False
        linked, length = int(page.link_length[row]), int(page.length[row])
        links = np.count_nonzero(page.tag[row : page.end[row]] == tags.CODES["a"])
        if links >= _LINKS_OF_MENU and linked >= _LINKED * length:
            return True
    return False


def belongs_elsewhere(evidence: Evidence, row: int) -> bool:
    """Return whether a row behind text of the content is a reader's, or of a card.

    The smallest element around it with a link in front that isn't its own holds the card, which
    leads to another page.
    """
    page = evidence.page
    if not is_behind_content(evidence, row):
        return False
    below_others = _is_below_others(evidence, row)
    own = _target(page, row)
    top = row
    for _ in range(_CLIMBED):
        top = int(page.parent[top])
        if below_others or top <= page.body or top <= evidence.headline_row < page.end[top]:
            return below_others
        if any(_COMMENT.search(page.attribute(top, name) or "") for name in ("class", "id")):
            return True
        if int(page.length[top]) > _CARD:
            return False
        for link in np.flatnonzero(page.tag[top:row] == tags.CODES["a"]) + top:
            href = page.attribute(int(link), "href") or ""
            if page.end[link] <= row and href not in {"", own} and "author" not in href:
                return len(page.text_of(int(link)).strip().encode()) >= _HEADLINE
    return False


def _is_below_others(evidence: Evidence, row: int) -> bool:
    """Return whether the last heading in front of a row says that what follows is of others."""
    return _OTHERS.fullmatch(_last_heading(evidence, row)) is not None


def below_references(evidence: Evidence, row: int) -> bool:
    """Return whether the last heading in front of a row is that of a list of references."""
    return _last_heading(evidence, row) in _REFERENCES


def _last_heading(evidence: Evidence, row: int) -> str:
    """Return the folded last heading between the headline and a row; "" for none."""
    page, first = evidence.page, evidence.headline_row + 1
    headings = np.flatnonzero(tags.HEADING[page.tag[first:row]])
    if not len(headings):
        return ""
    text = page.text_of(int(headings[-1]) + first)[:_LONGEST_HEADING]
    return one_line(text).casefold().strip(_AROUND)


def is_behind_content(evidence: Evidence, row: int) -> bool:
    """Return whether text of the content stands between the headline and a row."""
    page, content, first = evidence.page, evidence.content, max(evidence.headline_row, 0)
    if content is None or row <= first:
        return False
    kept = content.kept[first:row] & (page.tag[first:row] == tags.TEXT)
    length = int(page.own_length[first:row][kept].sum())
    return length > _TEXT_OF_ARTICLE or (
        3 * length > _TEXT_OF_ARTICLE and max(page.text_of(first), default="") >= _FIRST_HAN
    )


def _target(page: Page, row: int) -> str:
    """Return the address of the link that a row is in, or that is in it; "" for none."""
    for at in (row, int(page.parent[row]), *range(row + 1, min(int(page.end[row]), row + 6))):
        if href := page.attribute(at, "href"):
            return href
    return ""


def _replies(evidence: Evidence) -> Mask | None:
    """Return bool[n]: the rows of answers and comments by microdata; None where there are none."""
    page = evidence.page
    if "itemtype" not in page.attribute_names:
        return None
    types = page.values("itemtype")
    rows = types.rows_of(kind for kind in types.rows if _REPLY.search(kind))
    if not rows:
        return None
    named = np.zeros(len(page), dtype=bool)
    named[rows] = True
    return page.inside(named)


class _Regions(NamedTuple):
    """Subtrees of which none is within another, by their first rows and their ends, in order."""

    starts: list[int]
    ends: list[int]

    def hold(self, row: int) -> bool:
        """Return whether a row is in one of them."""
        return self.start_of(row) >= 0

    def start_of(self, row: int) -> int:
        """Return the first row of the one that a row is in; -1 for none."""
        at = bisect_right(self.starts, row) - 1
        return self.starts[at] if at >= 0 and row < self.ends[at] else -1


def _articles(evidence: Evidence) -> _Regions:
    page = evidence.page
    rows = page.is_tag("article", "main").nonzero()[0]
    return _outermost(zip(rows.tolist(), page.end[rows].tolist(), strict=True))


def _boilerplate(evidence: Evidence) -> _Regions:
    rows = _elements(evidence, "aside", "nav", "footer")
    return _without_content(evidence, [*rows, *_found(evidence, _SIDEBAR, SIDEBARS)])


def _boilerplate_of_articles(evidence: Evidence) -> _Regions:
    return _without_content(evidence, _elements(evidence, "nav", "footer"))


def _comments(evidence: Evidence) -> _Regions:
    return _without_content(evidence, _found(evidence, _COMMENTS_page_regions, COMMENTS))


def _elements(evidence: Evidence, *names: str) -> list[int]:
    """Return the elements with some tags, or with a name of boilerplate, in order."""
    named = evidence.derived(named_rows) & np.uint64(BOILERPLATE)
    rows: list[int] = np.logical_or(named, evidence.page.is_tag(*names)).nonzero()[0].tolist()
    return rows


def _found(evidence: Evidence, pattern: re.Pattern[str], bits: int) -> list[int]:
    """Return the rows in whose class or id a pattern is found.

    Args:
        evidence: of the page.
        pattern: finds what has one of some words in it.
        bits: of those words.
    """
    rows = (evidence.derived(named_rows) & np.uint64(bits)).nonzero()[0]
    if not len(rows):
        return []
    names = evidence.page.own_attributes.values_of(rows.astype(np.int32), "class", "id")
    return [
        row
        for row, own in zip(rows.tolist(), names, strict=True)
        if any(pattern.search(name) for name in own if name)
    ]


def _without_content(evidence: Evidence, rows: list[int]) -> _Regions:
    """Return the subtrees of some rows.

    Elements around the headline, and those with most of the page's text, are left out.
    """
    if not rows:
        return _Regions([], [])
    page, headline = evidence.page, evidence.headline_row
    places = np.array(sorted(rows), dtype=np.int32)
    lengths, ends = page.length[places].tolist(), page.end[places].tolist()
    most = int(page.length[0]) // 2
    return _outermost(
        (row, end)
        for row, length, end in zip(places.tolist(), lengths, ends, strict=True)
        if length <= most and not row <= headline < end
    )


def _outermost(subtrees: Iterable[tuple[int, int]]) -> _Regions:
    """Return those (first row, end) of subtrees that are within no other; given in order."""
    found = _Regions([], [])
    last = -1
    for start, end in subtrees:
        if start >= last:
            found.starts.append(start)
            found.ends.append(end)
            last = end
    return found
