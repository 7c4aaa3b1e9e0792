"""What of the content changed between two versions of a page.

The lines of both contents, folded and without what changes by itself, are aligned. A line of one
content that the other page has too, but dropped, is no change of the page: its verdict changed. Nor
is one that stands elsewhere in the content. Of the others, in each gap of the alignment, a removed
and an added line that have half of their words in common are one that changed. A line that stayed,
but whose links lead elsewhere, changed too.

The verdict is wrong here and there, and a teaser that it keeps changes every day. So some kept
lines don't count: those that are all link where few are, what stands in dialogs and in boxes named
for advertisements, consent or newsletters, and entries of a list below an article of which the
method isn't sure. And some dropped ones do: paragraphs that may well be content.

By themselves change numbers of readers, comments and votes, dates from now, and the one at which
a page says that it was updated. They are left out
where they stand apart from prose: in a part of a line, as separators cut it, that holds nothing
else but a label («updated», «posted by») or, beside a date, a name. «12 comments» is a counter, «12
comments on the draft» is what is said.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from importlib import resources
from itertools import groupby
from math import inf
from operator import attrgetter
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np

from chaffinch.caching import cached_property
from chaffinch.elements.adverts import ADVERTS, BoxNames, in_names, rows_named
from chaffinch.elements.date_words import is_day_from_now, relative_span
from chaffinch.kernels.arrays import Mask, marked
from chaffinch.lists.post_features import MAX_DATE_LINE
from chaffinch.metadata.date_labels import dated_parts, without_dates
from chaffinch.output import markdown_text
from chaffinch.output.text import KeptLines, kept_lines
from chaffinch.page import Page, tags
from chaffinch.page.attributes import Search
from chaffinch.page.flattening import block_around
from chaffinch.page_work import checked
from chaffinch.reading.blocks import block_ids
from chaffinch.reading.blocks import links as links_of_page
from chaffinch.reading.words import folded, lower_words, matched, text_id, words
from chaffinch.segment.text_blocks import TextBlocks, text_blocks
from chaffinch.siblings.url_shapes import host_of, plain_url
from chaffinch.storage import read_json
from chaffinch.verdict import DROPPED_BY_POLICY, DROPPED_BY_SELECTOR, Content

Kind: TypeAlias = Literal["added", "removed", "changed"]
WordKind: TypeAlias = Literal["same", "removed", "added"]
LEAST_COMMON: Final = 0.5
"""Similarity of a line and what it was: below, one was removed and another added."""
_NEAR: Final = 12  # added lines that a removed one is compared with, in its gap
_CHARACTERS: Final = 2  # words a run without spaces, beyond which a line is compared by characters


@dataclass(frozen=True)
class WordChange:
    """A stretch of words within a line that changed.

    Attributes:
        kind: ``same``, ``removed`` or ``added``.
        text: the words, with a space between.
    """

    kind: WordKind
    text: str


@dataclass(frozen=True)
class LinkChange:
    """A link of a line that leads elsewhere than before.

    Attributes:
        text: its words.
        before: absolute address where it led; relative where the page's own isn't known.
        after: where it leads.
    """

    text: str
    before: str
    after: str


@dataclass(frozen=True)
class Change:
    """A line of the content that changed; lines are those of the text.

    Attributes:
        kind: ``added``, ``removed`` or ``changed``.
        before: the line as it was; "" where it was added.
        after: the line as it is; "" where it was removed.
        section: the headings that it stands under, outermost first: of the new version, or of the
            old one where it was removed.
        id: of the block in the new version, or of the old one where it was removed.
        rows: half-open range of rows in that version; None for a title that no row is.
        words: of a changed line, what of its words did, in order; else empty.
        links: of a line whose words stayed, the links that lead elsewhere.
    """

    kind: Kind
    before: str
    after: str
    section: tuple[str, ...]
    id: str
    rows: tuple[int, int] | None
    words: tuple[WordChange, ...] = ()
    links: tuple[LinkChange, ...] = ()


@dataclass(frozen=True)
class Difference:
    """What of the content changed between two versions of a page; false where nothing did.

    Attributes:
        old: address of the old version; None if unknown.
        new: address of the new one.
        changes: the lines that changed, in the order of the new version.
    """

    old: str | None
    new: str | None
    changes: tuple[Change, ...]

    def __bool__(self) -> bool:
        return bool(self.changes)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values for JSON, with ``changed``: whether anything did."""
        return {"changed": bool(self), **asdict(self)}

    def text(self) -> str:
        """Return lines that begin with ``-`` and ``+``, below the headings; "" for no change."""
        out: list[str] = []
        for section, some in groupby(self.changes, attrgetter("section")):
            out.append(f"@@ {' > '.join(section)}".rstrip())
            for one in some:
                ends = ((f"{to.text} <{to.before}>", f"{to.text} <{to.after}>") for to in one.links)
                for pair in [*ends] or [(one.before, one.after)]:
                    for mark, text in zip("-+", pair, strict=True):
                        out += [f"{mark} {line}" for line in text.split("\n") if text]
        return "\n".join(out)

    def markdown(self) -> str:
        """Return a list of the changes; of a line its words, struck or bold; "" for no change."""
        out: list[str] = []
        for section, some in groupby(self.changes, attrgetter("section")):
            path = markdown_text.escaped(" > ".join(section)) if section else "…"
            out += ["", f"## {path}", ""]
            for one in some:
                held = [(word.kind, word.text) for word in one.words]
                for link in one.links:
                    held += [("same", link.text), ("removed", link.before), ("added", link.after)]
                parts = (
                    _MARKUP[kind].format(markdown_text.escaped(" ".join(text.split())))
                    for kind, text in held or [("same", one.after or one.before)]
                )
                out.append(f"- {one.kind}: {' '.join(parts)}")
        return "\n".join([*out[1:], ""]) if out else ""


_MARKUP: Final = {"same": "{}", "removed": "~~{}~~", "added": "**{}**"}


def changes(old: tuple[Content, str], new: tuple[Content, str], *, links: bool) -> list[Change]:
    """Return what changed, in the order of the new version; what was removed where it stood.

    A version is its content without its title, and the title. With ``links`` a line changed, too,
    of which a link leads elsewhere.
    """
    was, now = ComparedLines(*old), ComparedLines(*new)
    pairs = matched(was.keys, now.keys)
    sides = (was, now, {one for one, _ in pairs}), (now, was, {other for _, other in pairs})
    unpaired = [
        [at for at, counts in enumerate(own.counts) if counts and at not in paired]
        for own, _, paired in sides
    ]
    keys = [[own.keys[at] for at in some] for (own, *_), some in zip(sides, unpaired, strict=True)]
    moved = Counter(keys[0]) & Counter(keys[1])
    # Number of a gap between lines that stayed → what was removed there, and what was added.
    gaps: defaultdict[int, tuple[list[int], list[int]]] = defaultdict(lambda: ([], []))
    for side, (_, other, _) in enumerate(sides):
        spare, gap = moved.copy(), 0
        for at, key in zip(unpaired[side], keys[side], strict=True):
            if key in other.dropped:
                continue
            if spare[key]:
                spare[key] -= 1
                continue
            while gap < len(pairs) and pairs[gap][side] < at:
                gap += 1
            gaps[gap][side].append(at)
    found = _linked_elsewhere(was, now, pairs) if links else []
    for gap, lines in gaps.items():
        found += [(gap, 0, one) for one in _changes(was, now, *lines)]
    return [one for _, _, one in sorted(found, key=lambda each: each[:2])]


def _linked_elsewhere(
    was: ComparedLines, now: ComparedLines, pairs: list[tuple[int, int]]
) -> list[tuple[int, int, Change]]:
    """Return (number of the pair, 1, change) of lines that stayed, but lead elsewhere."""
    out = []
    for number, (one, other) in enumerate(pairs):
        if not (was.counts[one] and now.counts[other]):
            continue
        before: defaultdict[str, list[Link]] = defaultdict(list)
        for link in reversed(was.links[one]):
            before[link.text].append(link)
        found = [
            LinkChange(link.text, old.url, link.url)
            for link in now.links[other]
            if before[link.text] and (old := before[link.text].pop()).key != link.key
        ]
        if found:
            change = now.change("changed", other, was.texts[one], now.texts[other])
            out.append((number, 1, replace(change, links=tuple(found))))
    return out


def _changes(
    was: ComparedLines, now: ComparedLines, removed: list[int], added: list[int]
) -> list[Change]:
    held = [_words(now.texts[at]) for at in added]
    before: dict[int, int] = {}
    out: list[tuple[int, Change]] = []
    free, last = 0, -1
    for place, at in enumerate(checked(removed, every=8)):
        own = _words(was.texts[at])
        while free in before:
            free += 1
        start = max(free, min(place - _NEAR // 2, len(added) - _NEAR))
        near = [one for one in range(start, min(start + _NEAR, len(added))) if one not in before]
        best = max(near, key=lambda one: _common(own, held[one]), default=-1)
        if best >= 0 and _common(own, held[best]) >= LEAST_COMMON:
            before[best] = at
            last = max(last, best)
        else:
            out.append((2 * last + 1, was.change("removed", at, was.texts[at], "")))
    for place, at in enumerate(added):
        text = now.texts[at]
        if place in before:
            old = was.texts[before[place]]
            change = now.change("changed", at, old, text, *word_changes(old, text))
        else:
            change = now.change("added", at, "", text)
        out.append((2 * place, change))
    return [change for _, change in sorted(out, key=lambda one: one[0])]


def word_changes(before: str, after: str) -> list[WordChange]:
    """Return what changed within a line: word by word, or where few spaces are, by characters."""
    old: Sequence[str] = before.split()
    new: Sequence[str] = after.split()
    joint = " "
    if len(words(folded(before))) > _CHARACTERS * len(old):
        old, new, joint = before, after, ""
    grouped = groupby(_stepwise(old, new), key=lambda step: step[0])
    return [WordChange(kind, joint.join(word for _, word in group)) for kind, group in grouped]


def _words(text: str) -> Counter[str]:
    return Counter(lower_words(folded(text)).words)


def _common(one: Counter[str], other: Counter[str]) -> float:
    """Return twice the words in common by the words of both, 0..1."""
    both = one.total() + other.total()
    return 2 * (one & other).total() / both if both else 0.0


def _stepwise(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[WordKind, str]]:
    """Yield what becomes of each word of a line, removed ones before added ones."""
    at = other = 0
    for one, two in [*matched(old, new), (len(old), len(new))]:
        yield from (("removed", word) for word in old[at:one])
        yield from (("added", word) for word in new[other:two])
        yield from (("same", word) for word in old[one : one + 1])
        at, other = one + 1, two + 1


_RUNNING: Final = tags.table(["p", "li"])
_ASIDE: Final = tags.table("nav header footer aside form".split())
_ASIDE_WORDS: Final = ("advert", "consent", "cookie", "gdpr", "newsletter", "sponsor", "subscri")
_ASIDE_NAMES: Final = BoxNames(
    in_names(*_ASIDE_WORDS), lambda own: any(map(own.lower().__contains__, _ASIDE_WORDS)), inf
)
_DIALOGS: Final = Search("role", "dialog")
_PARAGRAPH: Final = 40  # characters
_MOST_LINKED: Final = 0.3  # share of the text
_LIKELY: Final = 0.2
"""Score from which on a dropped paragraph counts, too: with 0.1 to 0.3, 27 to 29 of 1,020 pairs are
judged wrong; chosen by the other corpora, 30."""
_SURE: Final = 0.75
"""Score from which on an entry of a list below an article is content: above those of the teasers
that are kept among the same pairs."""
_ENTRY: Final = 300  # characters of a teaser at most
_FEW: Final = 0.25
"""Share of the kept text in such entries from which on they are what the page is for."""
_OF_ENTRIES: Final = frozenset({"forum", "collection", "listing"})
"""Page types whose content is entries."""
_BY_WISH: Final = (DROPPED_BY_SELECTOR, DROPPED_BY_POLICY)


class Link(NamedTuple):
    """A link of a line: its words, its absolute address, and what this is compared by."""

    text: str
    url: str
    key: str


class ComparedLines:
    """The lines of a version: the title, kept lines, and dropped paragraphs like content.

    ``content`` is that of the version, without its title.
    """

    def __init__(self, content: Content, title: str) -> None:
        lines, blocks = kept_lines(content), text_blocks(content.page)
        self._content, self._title = content, title
        is_known = np.zeros(len(blocks), dtype=bool)
        if len(lines) and len(blocks):  # a formula of an attribute is a line in no block
            is_known[blocks.block_at(lines.first)] = True
        missed = np.flatnonzero(~is_known & _like_content(content, blocks))
        is_known[missed] = True
        first = np.concatenate([lines.first, blocks.first[missed]])
        last = np.concatenate([lines.last, blocks.last[missed]])
        texts = [*lines.texts, *map(blocks.text, missed.tolist())]
        counted = np.append(~_passing(content, lines, blocks), np.ones(len(missed), dtype=bool))
        order = np.argsort(first, kind="stable")
        self._first, self._last = first[order].tolist(), last[order].tolist()
        self.texts = [title, *(texts[at] for at in order.tolist())]
        self.keys = [_key(text) for text in checked(self.texts)]  # "" where no word stays
        both = zip(self.keys, [True, *counted[order].tolist()], strict=True)
        self.counts = [bool(key) and one for key, one in both]  # is a change one of the content?
        others = map(blocks.text, np.flatnonzero(~is_known).tolist())
        self.dropped = {_key(text) for text in checked(others)}  # of all other blocks of the page
        self.sections = self._headings()  # above each line, its own left out

    def change(self, kind: Kind, at: int, before: str, after: str, *words: WordChange) -> Change:
        """Return a change of a line, with the place of the line in this version."""
        rows, own = None, text_id(self._title)
        if at:
            rows = self._first[at - 1], self._last[at - 1]
            own = block_ids(self._content).of_row(rows[0])
        return Change(kind, before, after, self.sections[at], own, rows, words)

    @cached_property
    def links(self) -> defaultdict[int, list[Link]]:
        """Number of a line → its links."""
        page = self._content.page
        shown = np.append(0, np.cumsum(self._content.kept & (page.own_length > 0)))
        host = host_of(page.addresses.find(page.url))
        starts = np.array(self._first, dtype=np.intp)
        out = defaultdict[int, list[Link]](list)
        for link in links_of_page(self._content):
            begin = int(shown.searchsorted(shown[link.row] + 1)) - 1
            at = int(starts.searchsorted(begin, side="right"))
            if at and begin < min(page.end[link.row], self._last[at - 1]):
                out[at].append(Link(link.text, link.url, _target(link.url, host)))
        return out

    def _headings(self) -> list[tuple[str, ...]]:
        page = self._content.page
        out: list[tuple[str, ...]] = [()]
        path: list[tuple[int, str]] = [(0, self._title)] if self._title else []
        for row, text in zip(self._first, self.texts[1:], strict=True):
            around = block_around(page, row)
            level = int(page.name(around)[1]) if tags.HEADING[page.tag[around]] else 0
            while level and path and path[-1][0] >= level:
                path.pop()
            out.append(tuple(one for _, one in path))
            if level:
                path.append((level, text))
        return out


def _target(url: str, host: str) -> str:
    """Return what the address of a link is compared by: on the page's own host its path."""
    plain = plain_url(url) or url.partition("#")[0]
    if host and host_of(plain) == host:
        plain = plain.partition(host)[2]
    return plain + "#" + url.partition("#")[2]


_TYPED: Final = str.maketrans("‘’‛′“”„‟″‐‒–—−", "''''" + '"' * 5 + "-" * 5)
"""Quotation marks and dashes as they are typed; a template may set either."""


def _key(text: str) -> str:
    """Return what a line is compared by; "" where it holds no word that stays."""
    own = folded(without_changing(" ".join(text.split()))).translate(_TYPED).casefold()
    if "\n" in text and words(own):  # of code, indents mean something
        indents = [len(line) - len(line.lstrip()) for line in text.split("\n")]
        return f"{own}\0{indents}" if any(indents) else own
    return own if words(own) else ""


def _like_content(content: Content, blocks: TextBlocks) -> Mask:
    """Return bool[blocks]: paragraphs that may well be content, though the verdict drops them.

    None that a selector or a policy drops, or that stands aside. Of a product, what its stock is.
    """
    verdict = content.verdict
    settled = [code for code, one in enumerate(content.reasons) if one in _BY_WISH]
    found: Mask = _RUNNING[blocks.owner_tag] & (blocks.length >= _PARAGRAPH)
    found &= blocks.link_length <= _MOST_LINKED * blocks.length
    found &= ~np.isin(verdict.why[blocks.first], settled)
    found &= ~blocks.inside(_ASIDE) & (verdict.score >= _LIKELY)[blocks.first]
    if found.any() and (aside := _aside(content.page)) is not None:
        found &= ~aside[blocks.first]
    if verdict.page_type == "product":
        short = ((blocks.length < _PARAGRAPH) & ~blocks.inside(tags.table(["li"]))).nonzero()[0]
        found[[at for at in short.tolist() if _STOCK.fullmatch(blocks.text(at))]] = True
    return found


def _passing(content: Content, lines: KeptLines, blocks: TextBlocks) -> Mask:
    """Return bool[lines]: kept lines that come and go while the content stays."""
    page, verdict = content.page, content.verdict
    own = np.where(content.kept, page.own_length, 0)
    before = np.append(0, np.cumsum(own))
    in_links = np.append(0, np.cumsum(np.where(page.in_link, own, 0)))
    length = before[lines.last] - before[lines.first]
    linked: Mask = in_links[lines.last] - in_links[lines.first] == length  # all of the line's text
    links = linked & ~page.inside(tags.HEADING.take(page.tag))[lines.first]
    if 2 * links.sum() > len(links):
        links[:] = False
    lengths = np.array([len(text) for text in lines.texts])
    if len(lines) and (aside := _aside(page)) is not None:
        beside = aside[lines.first]
        links |= beside & (linked | (lengths[beside].sum() < _FEW * lengths.sum()))
    if verdict.page_type not in _OF_ENTRIES and len(lines):
        teasers = _teasers(page, blocks)[lines.first]
        if 0 < lengths[teasers].sum() < _FEW * lengths.sum():
            links |= teasers & (verdict.score < _SURE)[lines.first]
    return links


def _aside(page: Page) -> Mask | None:
    """Return bool[n]: rows in dialogs, and in boxes named for what comes and goes beside a text."""
    dialogs = _DIALOGS.where(page, ("dialog", "alertdialog").__contains__)
    found = [page.inside(marked(len(page), dialogs))] if dialogs else []
    found += [
        rows for names in (ADVERTS, _ASIDE_NAMES) if (rows := rows_named(page, names)) is not None
    ]
    return np.logical_or.reduce(found) if found else None


def _teasers(page: Page, blocks: TextBlocks) -> Mask:
    """Return bool[n]: rows of short items of lists that begin with a link and have more text."""
    named = np.zeros(len(page), dtype=bool)
    items = np.flatnonzero(page.is_tag("li") & (page.length <= _ENTRY) & (page.link_length > 0))
    if len(items) and len(blocks):
        at = np.minimum(np.searchsorted(blocks.first, items), len(blocks) - 1)
        begins = (blocks.first[at] < page.end[items]) & (blocks.last[at] <= page.end[items])
        linked = blocks.link_length[at] == blocks.length[at]
        more = page.length[items] > blocks.length[at]
        named[items[begins & linked & more]] = True
    return page.inside(named)


_WORDS: Final = {
    name: f"(?:{words.replace(' | ', '|')})"
    for name, words in read_json(
        resources.files(__package__).joinpath("counter_words.json").read_bytes()
    ).items()
}
"""Expressions of what stands beside counters of readers, comments and votes, in many languages."""
_NUMBER: Final = r"\d(?>(?:[\d.,]|[ \u00a0\u202f]\d{3}(?!\d)){0,24})(?:\s?[km万萬千亿億만천])?"
_AVERAGE: Final = (
    rf"\d[.,]?\d{{0,2}}(?:\s?(?:/|{_WORDS['of a rating']})\s?(?:5|10|100)"
    rf"|\s{_WORDS['stars']}|(?=\s\())\W{{1,4}}+(?:{_WORDS['of votes']}\s)?"
)
"""It changes with the votes that stand behind it."""
_STOCK: Final = re.compile(_WORDS["states of a stock"] + r"\W*", re.IGNORECASE)
_COUNTER: Final = re.compile(
    rf"(?<![\w.,])(?=\d[.,]\d){_AVERAGE}{_NUMBER}[)）]"
    rf"|(?:(?<![\w.,])|(?<=[有被]))(?:{_AVERAGE})?{_NUMBER}\s?+\+?{_WORDS['behind a number']}(?!\w)"
    rf"|(?:(?<![^\W_])|(?<=[有被]))(?:{_AVERAGE})?{_WORDS['before a number']}"
    rf"\s?+[:：(（]?\s?+{_NUMBER}"
    rf"(?:\s?(?:{_WORDS['times']}|{_WORDS['behind a number']}(?![^\w,，、]{{0,3}}\d)))?(?!\w)[)）]?"
    rf"|(?<![^\W_]){_WORDS['of none']}(?!\w)",
    re.IGNORECASE,
)
_IN_BRACKETS: Final = re.compile(
    r"\s?[(（](?!(?:1\d|20)\d\d[)）])\d[\d.,]*+[km]?[)）]$", re.IGNORECASE
)
"""A counter behind a short label; a number like a year is none."""
_LABEL: Final = re.compile(
    rf"(?<![^\W_])(?:{_WORDS['before a label']}\s)?{_WORDS['labels']}(?![^\W_])"
    rf"|{_WORDS['labels without spaces'][3:-1]}",
    re.IGNORECASE,
)
"""What may stand beside a counter or an age without being prose."""
_APART: Final = re.compile(r"((?:(?<![^\S\n])[^\S\n]++)?(?:[·•∙|｜\n—–…]|/(?!\s?\d))\s*+|\s-\s)")
_COMMA: Final = re.compile(r"[,，、]\s|，|、")
_STOP: Final = re.compile(r"(?<!\W)[^\w.!?。！？…।]*+[.!?。！？…।]\W*+\Z")
_MOST_NAMES: Final = 4  # words of a name beside an age
_MOST_LABEL: Final = 3  # words before a counter in brackets
_UNSPACED_NAME: Final = 6  # characters of a name in a script without capitals


def without_changing(line: str) -> str:
    """Return a line without its counters and dates from now, white space folded."""
    if len(line) > MAX_DATE_LINE:
        return line
    dated = dated_parts(line)
    if dated and all(one.role == "modified" for one in dated) and not without_dates(line):
        return ""  # last updated: 3 March 2024
    parts = _APART.split(line)  # part, separator, part, …
    kept = [part if at % 2 else _part_without(part) for at, part in enumerate(parts)]
    return line if kept == parts else " ".join("".join(kept).split())


def _part_without(part: str) -> str:
    """Return a part of a line without what changes in it, if it is nothing but that."""
    without_counters = _COUNTER.sub(" ", part)
    left = without_counters
    while (age := relative_span(left)) is not None:
        left = f"{left[: age[0]]} {left[age[1] :]}"
    if left == part:
        undated = " ".join(word for word in part.split() if not is_day_from_now(word))
        if not undated or _LABEL.search(undated):  # posted yesterday
            left = undated
    if left == part:
        bare = _IN_BRACKETS.sub("", part)
        return bare if len(bare.split()) <= _MOST_LABEL else part
    rest = _LABEL.sub(" ", left)
    if not any(map(str.isalnum, rest)):
        return left
    is_age = left != without_counters and without_counters == part
    return left if is_age and not _STOP.search(part) and _are_names(rest, part) else part


def _are_names(rest: str, part: str) -> bool:
    """Return whether what stands beside a date is a name or two: no prose."""
    found = [word for one in _COMMA.split(rest) for word in one.split() if word.isalnum()]
    if not found or len(found) > _MOST_NAMES:
        return False
    cased = [word for word in found if word.lower() != word.upper()]
    if cased:
        return all(word[0].isupper() or word.isdigit() for word in found)
    return sum(map(len, found)) <= _UNSPACED_NAME and not {*found} - {*part.split()}
