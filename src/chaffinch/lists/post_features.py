"""Features of posts: dates, names of users, and the kind of each element (tag and classes)."""

import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from importlib import resources
from itertools import chain, islice, pairwise
from typing import Final

import numpy as np

from chaffinch import kernels
from chaffinch.caching import cached_property, finds, kept_of_short_texts, kept_with_page
from chaffinch.elements import WORDS, words_found
from chaffinch.elements.date_words import (
    MOMENTS,
    WITHOUT_COUNT,
    day_and_month,
    relative_span,
    tells_when,
)
from chaffinch.elements.dates_in_text import locale_of_page, may_hold_date, parse_date, plausible
from chaffinch.kernels.arrays import Hashes, Mask, marked
from chaffinch.page import Page, tags
from chaffinch.page.attributes import Search, Values
from chaffinch.page.flattening import mix
from chaffinch.segment.text_blocks import TextBlocks, text_blocks
from chaffinch.storage import read_json
from chaffinch.wording import fold_words

# The date of a post: ISO 8601 where a day can be parsed, else as written.
#
# Forums use forms that articles don't: without a year, with a year of two digits, or relative
# ("3 days ago"). They indicate a post as well as a full date does.

_P: Final = tags.CODES["p"]
MAX_DATE_LINE: Final = 160  # characters of a line that may hold the date of a post

_DIGITS: Final = re.compile(r"\d+")
_HINT: Final = re.compile("|".join(WITHOUT_COUNT))
"""A line without any of these and without digits holds no date; both at once take longer."""


def date_in(text: str, *, locale: str = "") -> str:
    """Return the first date of a line: ISO 8601 where a day is given, else as written; "" if none.

    ``locale`` is that of `date_words.locale_of`.
    """
    if len(text) > MAX_DATE_LINE or not (_DIGITS.search(text) or _HINT.search(text)):
        return ""
    if may_hold_date(text) or text.isdigit():
        found = parse_date(text, locale=locale)
        if found is not None and plausible(found):
            return found.isoformat()
    written = relative_span(text) or day_and_month(text)
    return text[slice(*written)] if written is not None else ""


# Class names that posts or entries of one list share: without digits, and none that varies.

_VARYING: Final = re.compile(
    r"\A(?:\w*[-_]?(?:odd|even)|(?:first|last|alt|new|hover|active|selected)[-_]?\w*)$",
    re.IGNORECASE,
)
"""Class names that differ between posts of one kind."""


@kept_of_short_texts(4096)
def lasting_class_names(classes: str) -> tuple[str, ...]:
    """Return the names of a ``class`` attribute that don't differ within a list, without digits."""
    names = _DIGITS.sub("", classes).split()
    return tuple([name for name in names if not _VARYING.match(name)])


# The kind of an element: its tag and its first lasting class name, and paths of kinds.


@kept_with_page
def element_kinds(page: Page) -> Hashes:
    """Return uint64[n]: equal for elements of one tag whose first lasting class name is the same.

    Digits count nothing, nor do names that differ within one list, such as ``odd`` and ``first``.
    """
    values = page.values("class")
    firsts = [next(iter(lasting_class_names(value)), None) for value in values.rows]
    return _mixed(page.symbols, values, firsts, salt=1)


def name_paths(page: Page) -> Hashes:
    """Return uint64[n]: hash of the path of tags, lasting class names and ids to each row."""
    classes, ids = page.values("class"), page.values("id")
    sets = [frozenset(lasting_class_names(value)) for value in classes.rows]
    named = _mixed(page.symbols, classes, sets, salt=2)
    named = _mixed(named, ids, [_DIGITS.sub("", value) for value in ids.rows], salt=3)
    return kernels.path_hashes(named, page.depth, page.end)


def _mixed(symbols: Hashes, values: Values, keys: Sequence[Hashable], *, salt: int) -> Hashes:
    """Return the hashes, uint64[n], of rows, mixed with those of keys of an attribute's values.

    Values with the key None are as none.
    """
    number_of = {key: number for number, key in enumerate(dict.fromkeys([None, *keys]))}
    numbers = np.array([number_of[key] for key in keys], dtype=np.uint64)
    hashes = np.where(numbers > 0, mix(numbers | np.uint64(salt << 32)), np.uint64(0))
    mixed, (rows, of_row) = symbols.copy(), values.columns
    mixed[rows] ^= hashes.take(of_row)
    return mixed


MAX_BYLINE_ROWS: Final = 3000
NAME_LENGTH: Final = 40

_WORDS: Final = read_json(resources.files(__package__).joinpath("words.json").read_text("utf-8"))


def words_of(name: str) -> str:
    """Return words of many languages as an expression that finds any of them."""
    return str(_WORDS[name]).replace(" | ", "|")


USER_LINK: Final = re.compile(
    rf"(?:^|[/?&=._-])(?:{words_of('paths to users')})(?=[/?&=._;-]|\d|$)|/@\w|/~[\w.-]+/?\Z",
    re.IGNORECASE,
)
USER_CLASS: Final = re.compile(
    r"(?:^|[^a-z])(?:(?:hn)?user|usr|author|autor|auteur|nick|poster|member|username|name|handle|creator"
    r"|profile|byline|pseudo|usuario|utente|benutzer|gebruiker|fn|p-author|posted-?by|commenter)|(?:user|nick|author|poster)-?name",
    re.IGNORECASE,
)
_is_user_class: Final = finds(USER_CLASS)
_AUTHOR_ATTRIBUTES: Final = frozenset(("data-author", "data-username", "data-nick"))
_MOST_ROWS: Final = 60

USER_DATE: Final = re.compile(words_of("user date"), re.IGNORECASE)
"""Words beside a date that belongs to the user, not to the post."""
_AROUND_NAME: Final = re.compile(
    r"^(?:by|von|par|por|posted by|written by|[-–—·|•])\s+"
    rf"|(?<!\s)\s++(?:{words_of('said behind names')})\s*+[:：]?$"
    r"|(?:(?<!\s)\s++)?[:：,]$",
    re.IGNORECASE,
)
_SAID: Final = re.compile(rf"\W{{0,3}}(?:{words_of('said behind names')})\b", re.IGNORECASE)
_LABEL: Final = re.compile(rf"(?<!\w)(?:{words_of('labels of users')})\s?[:：]\s?\Z", re.IGNORECASE)
NOBODY: Final = re.compile(f"(?:{words_of('nobody')})", re.IGNORECASE)
_LOGIN: Final = re.compile(r"log-?in|log-?on|sign-?[iu][np]|regist(?:er|r)", re.IGNORECASE)
_HANDLE: Final = re.compile(
    r"(?<!\w)(\w{2,39})@\1\Z|(?<=\S)\s@\w[\w.]{0,39}(?:@[\w.-]{3,60})?\Z", re.IGNORECASE
)
"""By which others mention a user, on this server or from another."""
_SENDER: Final = re.compile(rf"\A(?:{WORDS['senders']})\s?[:：]", re.IGNORECASE)
"""What stands before the name and address of who sent a mail."""
_ADDRESS: Final = re.compile(r"\s?[<(\[][^<>]{0,60}(?:@| at )[^<>]{0,60}>?\Z")
_NUMBERED: Final = re.compile(r"(\d{1,5})(?:\s?[:：.．]|\s).{1,80}?(?:19|20)?\d\d[/.年-]\d")
_MOST_ABOVE: Final = 2  # elements above one that say its kind
_LINKS: Final = Search(
    "href",
    *words_of("stems of paths to users").split("|"),
    *(f"u{sign}" for sign in "\n/?&=._;-0123456789"),
)
"""Each match of `USER_LINK` contains one of these words, or digits beyond ASCII."""
_USERS: Final = tuple(
    Search(name, *words_of("stems of classes of users").split("|"))
    for name in ("class", "itemprop", "rel")
)
"""Each match of `USER_CLASS` contains one of these words."""
_PERSONS: Final = Search("typeof", "person")
_FORMATTED: Final = Search("class", "fn")

_LABELS: Final = frozenset(map(fold_words, words_of("comment sections").split("|")))
"""What stands above comments, in lower case, without their number."""
_AROUND_LABEL: Final = " 0123456789()[]（）:：.,·•|-–—#"
_RANK: Final = re.compile(r"\A@|(?<![a-z])(?:rank|role|badge|group|level)(?![a-z])", re.IGNORECASE)
LONGEST_LABEL: Final = 40  # characters of such a label


def is_comments_label(text: str) -> bool:
    """Return whether a text says that comments follow: «2 comments», コメント（2）."""
    return fold_words(text).strip(_AROUND_LABEL) in _LABELS


class PostFeatures:
    """The rows of one page that may hold the date or author of a post."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.in_lines: set[int] = set()  # of `user_rows` those known by what their line says
        self.kind = _Kinds(page).__getitem__  # returns the kind of an element or text

    @cached_property
    def blocks(self) -> TextBlocks:
        return text_blocks(self.page)

    @cached_property
    def texts(self) -> list[str]:
        """The text of each block, white space folded."""
        return self.blocks.texts()

    @cached_property
    def dates(self) -> dict[int, str]:
        """Row → date, in order: from attributes such as ``datetime``, and from short lines."""
        page = self.page
        locale = locale_of_page(page)
        found = self._in_attributes(locale)
        dated = marked(len(page), list(found))
        blocks = self.blocks
        for text, numbers in self._lines_to_search(dated).items():
            date = date_in(text, locale=locale)
            for block in numbers if date else ():
                owner = int(blocks.owner[block])
                if not USER_DATE.search(f"{text} {page.attribute(owner, 'class') or ''}"):
                    first, last = int(blocks.first[block]), int(blocks.last[block])
                    found[self._dated_row(first, last, locale)] = date
        return {row: found[row] for row in sorted(found)[:MAX_BYLINE_ROWS]}

    def _in_attributes(self, locale: str) -> dict[int, str]:
        """Return row → date in an attribute, of shown rows other than images."""
        page = self.page
        found: dict[int, str] = {}
        names = [name for name in MOMENTS if name in page.attribute_names]
        seen = page.shown & ~page.is_tag("img") if names else page.shown
        for name in names:
            longest = NAME_LENGTH if name == "title" else MAX_DATE_LINE
            for row, value in page.having(name, seen):
                if row in found or len(value) >= longest or not _DIGITS.search(value):
                    continue
                day = "" if USER_DATE.match(value) else date_in(value, locale=locale)
                if day and tells_when(name, page.folded(row)):
                    found[row] = day
        return found

    def _lines_to_search(self, dated: Mask) -> dict[str, list[int]]:
        """Return line → the short blocks that are it, white space folded, where it may hold a date.

        Left out are blocks that hold a row of ``dated``, bool[n].
        """
        blocks, page = self.blocks, self.page
        chosen = (blocks.length > 0) & (blocks.length <= MAX_DATE_LINE)
        sentences = (blocks.owner_tag == _P) & (blocks.length > 2 * NAME_LENGTH)
        chosen &= ~sentences | (blocks.link_length > 0)
        chosen[MAX_BYLINE_ROWS * 4 :] = False
        if dated.any():
            before = np.concatenate([[0], np.cumsum(page.inside(dated))])
            chosen &= before[blocks.last] == before[blocks.first]
        rows, lines = chosen.nonzero()[0].tolist(), defaultdict[str, list[int]](list)
        texts = [*map(self.texts.__getitem__, rows)]
        hints = words_found("\n".join(texts).encode("utf-8", "surrogatepass"), WITHOUT_COUNT)
        for block, text in zip(rows, texts, strict=True):
            if _DIGITS.search(text) or any(map(text.__contains__, hints)):
                lines[text].append(block)
        return lines

    def _dated_row(self, first: int, last: int, locale: str) -> int:
        """Return the text row of a line that holds its date, the first of several."""
        page = self.page
        written: list[int] = (page.own_length[first:last].nonzero()[0] + first).tolist()
        return next((row for row in written if date_in(page.folded(row), locale=locale)), first)

    @cached_property
    def user_rows(self) -> list[int]:
        """Rows that may name a user: short elements that link to one, by class, or ``cite``."""
        page = self.page
        links = _LINKS.where(
            page, lambda href: bool(USER_LINK.search(href)) and not _LOGIN.search(href)
        )
        rows = {row for row in links if page.name(row) == "a" and page.shown[row]}
        short = page.shown & (page.length > 0) & (page.length <= NAME_LENGTH)
        matching = [search.where(page, _is_user_class) for search in _USERS]
        rows.update(row for row in chain(*matching, _PERSONS.rows(page)) if short[row])
        rows.update(self._signed())
        quotes = page.is_tag("blockquote")
        cited = np.flatnonzero(short & page.is_tag("cite") & ~page.inside(quotes))
        cited = cited[~quotes.take(page.end.take(cited), mode="clip")].tolist()  # above a quote
        bare = [row for row in cited if not page.attribute(row, "class")]
        in_lines = {*self._of_numbered_terms(), *self.senders}
        users = {*sorted(rows)[:MAX_BYLINE_ROWS], *bare, *in_lines}
        self.in_lines = in_lines if users else {*self._beside_dates()}
        return sorted(users | self.in_lines)[:MAX_BYLINE_ROWS]

    def _signed(self) -> Iterator[int]:
        """Yield the first row with the name that an attribute around it gives for the author."""
        page = self.page
        for name in _AUTHOR_ATTRIBUTES & page.attribute_names:
            for row, author in page.having(name, page.shown):
                inner = range(row + 1, min(int(page.end[row]), row + _MOST_ROWS))
                named = (one for one in inner if page.length[one] == len(author))
                yield from islice((one for one in named if page.folded(one) == author), 1)

    def _beside_dates(self) -> Iterable[int]:
        """Return rows in lines with a date: of "**Ann** wrote …", "by: **Ann**", or of nobody.

        In the other lines the first of the same kind.
        """
        blocks, page = self.blocks, self.page
        lines = dict.fromkeys((blocks.first.searchsorted([*self.dates], "right") - 1).tolist())
        found = list[tuple[int, int, bool]]()  # a line, a row, whether that surely names a user
        for first, last in ((int(blocks.first[at]), int(blocks.last[at])) for at in lines):
            written = (page.own_length[first:last].nonzero()[0] + first).tolist()
            for row, behind in pairwise([*written, last] if len(written) > 1 else ()):
                if page.own_length[row] <= NAME_LENGTH:
                    follows = page.text[page.text_at[behind] : page.text_at[last]][:NAME_LENGTH]
                    leads = page.text[page.text_at[first] : page.text_at[row]][-NAME_LENGTH:]
                    told = _SAID.match(follows) or _LABEL.search(leads)
                    is_user = bool(told or NOBODY.match(page.folded(row)))
                    found.append((first, int(page.parent[row]), is_user))
        sure = {self.kind(row) for _, row, is_user in found if is_user}
        likely = {line: row for line, row, _ in reversed(found) if self.kind(row) in sure}
        return (likely | {line: row for line, row, is_user in reversed(found) if is_user}).values()

    @cached_property
    def byline_rows(self) -> tuple[list[int], list[int]]:
        """Rows of the dates, and of the users, in order."""
        return list(self.dates), self.user_rows

    def _of_numbered_terms(self) -> list[int]:
        """Return the rows that name users in terms such as "12 Name: **Ann** 2024/05/06 10:11"."""
        page = self.page
        if "dt" not in page.tag_names:
            return []
        out, last = [], 0
        for term in np.flatnonzero(page.is_tag("dt") & (page.length <= MAX_DATE_LINE)).tolist():
            found = _NUMBERED.match(page.folded(term))
            if found is not None and int(found[1]) > last:
                last = int(found[1])
                inner = range(term + 1, int(page.end[term]))
                marked = (row for row in inner if page.name(row) in {"b", "strong", "a"})
                out.append(next((row for row in marked if page.folded(row) != found[1]), term))
        return out

    @cached_property
    def senders(self) -> list[int]:
        """Rows with the names in lines such as "From: Ann Roe <ann@mill.example>"."""
        blocks, texts, page = self.blocks, self.texts, self.page
        out = []
        for label in (blocks.length <= MAX_DATE_LINE).nonzero()[0].tolist():
            if found := _SENDER.match(texts[label]):
                at = min(label + (found.end() == len(texts[label])), len(texts) - 1)
                rows = range(int(blocks.first[at]), int(blocks.last[at]))
                written = [row for row in rows if page.own_length[row]]
                if _ADDRESS.search(texts[at]):
                    out.append(written[_SENDER.fullmatch(page.folded(written[0])) is not None])
        return out

    @cached_property
    def _formatted(self) -> list[int]:
        """Rows of the names in hCards, beside which a word such as "says" may stand."""
        return _FORMATTED.where(self.page, lambda own: "fn" in own.split())

    def user_name(self, row: int) -> str:
        """Return the first line of an element if it is short enough for a name, else ""."""
        page = self.page
        at = bisect(self._formatted, row)
        inner = self._formatted[at : at + 1]
        row = inner[0] if inner and inner[0] < page.end[row] else row
        written = (page.own_length[row : page.end[row]].nonzero()[0] + row)[:9].tolist()
        of_row, begins = page.line.item, page.text_at.item
        line = [r for r in written if of_row(r) == of_row(written[0])]
        if not line:
            return ""
        texts = [page.text[begins(row) : begins(row + 1)].strip() for row in line]
        classes = [page.attribute(page.parent.item(at), "class") or "" for at in line]
        names = [f"{text[:1]} {one}" for text, one in zip(texts, classes, strict=True)]
        behind = [at for at in range(1, len(line)) if date_in(texts[at]) or _RANK.search(names[at])]
        if behind:  # a name, perhaps behind "by", and an account, a rank, or when
            count = min(behind[0], 2 if _AROUND_NAME.match(f"{texts[0]} ") else 1)
            line, texts = line[:count], texts[:count]
        text = " ".join(page.text[begins(line[0]) : begins(line[-1] + 1)].split())
        text = _HANDLE.sub(
            r"\1", _AROUND_NAME.sub("", _ADDRESS.sub("", _SENDER.sub("", text, 1).strip()))
        )
        return text if len(text) <= NAME_LENGTH else ""


class _Kinds(dict[int, str]):
    """Row → tag and classes, without these with its parent's, and so on, two levels at most.

    Of those rows that were read; without a call where they were.
    """

    def __init__(self, page: Page) -> None:
        self.page = page

    def __missing__(self, row: int, depth: int = _MOST_ABOVE) -> str:
        page = self.page
        name, pairs = page.name(row), page.own_attributes.of(row)
        itemprop = pairs.get("itemprop") or ""
        names = ".".join(sorted({*lasting_class_names(pairs.get("class") or "")})[:4])
        if name == "#text":
            kind = f"{self[page.parent.item(row)]}>text"
        elif names or itemprop or "-" in name:  # the name of a custom element says as much
            kind = f"{name}.{names}{itemprop}"
        else:
            element_id = _DIGITS.sub("#", pairs.get("id") or "")
            parent = page.parent.item(row)
            kind = f"{name}{'#' + element_id if '#' in element_id else ''}"
            if "#" not in kind and depth and parent >= 0:
                kind = f"{self.__missing__(parent, depth - 1)}>{kind}"
        if depth == _MOST_ABOVE:
            self[row] = kind
        return kind
