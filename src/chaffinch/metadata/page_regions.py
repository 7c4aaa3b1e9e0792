"""The region of the page that a row is in: main content, boilerplate, or a reader's reply."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from chaffinch.metadata.class_words import BOILERPLATE, COMMENTS, SIDEBARS, named_rows
from chaffinch.metadata.text_cleaning import one_line
from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chaffinch.metadata.evidence import Evidence
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

_SIDEBAR: Final = re.compile(r"sidebar|(?<!elementor-)widget", re.IGNORECASE)
_COMMENTS: Final = re.compile(
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
    return _without_content(evidence, _found(evidence, _COMMENTS, COMMENTS))


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
