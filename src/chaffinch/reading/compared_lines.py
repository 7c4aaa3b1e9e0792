"""The lines by which two versions of a page are compared, and which of them are content indeed.

The verdict on a page is wrong here and there, and a teaser that it keeps changes every day. So some
kept lines don't count: those that are all link where few are, links in what is named as an
advertisement, and entries of a list below an article of which the method isn't sure. And some
dropped ones do: paragraphs that may well be content. What comes of it is measured by
``python -m bench.quality.differences``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from chaffinch.caching import cached_property
from chaffinch.citation.block_ids import block_ids
from chaffinch.citation.folding import folded, text_id, words
from chaffinch.output.kept_lines import kept_lines
from chaffinch.page import tags
from chaffinch.page.flattening import block_around
from chaffinch.page_work import checked
from chaffinch.reading.changing_phrases import without_changing
from chaffinch.result import DROPPED_BY_POLICY, DROPPED_BY_SELECTOR
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.siblings.url_shapes import host_of, plain_url

if TYPE_CHECKING:
    from chaffinch.output.kept_lines import KeptLines
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask
    from chaffinch.result import Content
    from chaffinch.segment.text_blocks import TextBlocks

_RUNNING: Final = tags.table(["p", "li"])
_ASIDE: Final = tags.table("nav header footer aside form".split())
_PARAGRAPH: Final = 40  # characters
_MOST_LINKED: Final = 0.3  # share of the text
_LIKELY: Final = 0.2
"""Score from which on a dropped paragraph counts, too: with 0.1 to 0.3, 27 to 29 of 1,020 pairs are
judged wrong; chosen by the other corpora, 30 (`bench/quality/differences.py`)."""
_SURE: Final = 0.75
"""Score from which on an entry of a list below an article is content: above those of the teasers
that are kept among the same pairs."""
_ENTRY: Final = 300  # characters of a teaser at most
_FEW: Final = 0.25
"""Share of the kept text in such entries from which on they are what the page is for."""
_OF_ENTRIES: Final = frozenset({"forum", "collection", "listing"})
"""Page types whose content is entries."""
_BY_WISH: Final = (DROPPED_BY_SELECTOR, DROPPED_BY_POLICY)
_ADVERTISEMENT: Final = re.compile(
    r"(?<![a-z])(?:ads?|advert[a-z]{0,20}|adsbygoogle|sponsor[a-z]{0,9}|promo(?:tion)?)(?![a-z])",
    re.IGNORECASE,
)


_NO_TARGET: Final = ("javascript:", "data:")
_ENCODED_MAIL: Final = "/cdn-cgi/l/email-protection"
"""Its fragment is another with each request."""


class Link(NamedTuple):
    """A link of a line: its words, its absolute address, and what this is compared by."""

    text: str
    url: str
    key: str


class ComparedLines:
    """The lines of a version: the title, kept lines, and dropped paragraphs like content.

    Args:
        content: of the version, without its title.
        title: of the page.

    Attributes:
        texts: as the text has them, the title first.
        keys: what they are compared by; "" for those without words that stay.
        counts: whether a change of each is one of the content.
        dropped: the keys of all other blocks of the page.
        sections: the headings above each line, its own left out.
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
        self.keys = [_key(text) for text in checked(self.texts)]
        both = zip(self.keys, [True, *counted[order].tolist()], strict=True)
        self.counts = [bool(key) and one for key, one in both]
        others = map(blocks.text, np.flatnonzero(~is_known).tolist())
        self.dropped = {_key(text) for text in checked(others)}
        self.sections = self._headings()

    def rows(self, at: int) -> tuple[int, int] | None:
        """Return the half-open range of rows of a line; None for a title that no row is."""
        return (self._first[at - 1], self._last[at - 1]) if at else None

    def id(self, at: int) -> str:
        """Return the id of the block of a line."""
        return block_ids(self._content).of_row(self._first[at - 1]) if at else text_id(self._title)

    def links(self, at: int) -> list[Link]:
        """Return the links of a line, in order."""
        return self._links.get(at, [])

    @cached_property
    def _links(self) -> dict[int, list[Link]]:
        page = self._content.page
        shown = np.append(0, np.cumsum(self._content.kept & (page.own_length > 0)))
        host = host_of(page.addresses.find(page.url))
        starts = np.array(self._first, dtype=np.intp)
        out: dict[int, list[Link]] = {}
        for row, href in page.having("href", page.is_tag("a")):
            begin = int(shown.searchsorted(shown[row] + 1)) - 1
            if begin >= page.end[row] or not href or href.lower().lstrip().startswith(_NO_TARGET):
                continue
            at = int(starts.searchsorted(begin, side="right"))
            if at and begin < self._last[at - 1]:
                words = page.text[page.text_at[row] : page.text_at[page.end[row]]]
                url = page.addresses.find(href) or href.strip()
                out.setdefault(at, []).append(
                    Link(" ".join(words.split()), url, _target(url, host))
                )
        return out

    def _headings(self) -> list[tuple[str, ...]]:
        page = self._content.page
        heading = tags.HEADING
        out: list[tuple[str, ...]] = [()]
        path: list[tuple[int, str]] = [(0, self._title)] if self._title else []
        for row, text in zip(self._first, self.texts[1:], strict=True):
            around = block_around(page, row)
            level = int(page.name(around)[1]) if heading[page.tag[around]] else 0
            while level and path and path[-1][0] >= level:
                path.pop()
            out.append(tuple(one for _, one in path))
            if level:
                path.append((level, text))
        return out


def _target(url: str, host: str) -> str:
    """Return what the address of a link is compared by: on the page's own host its path."""
    plain = plain_url(url) or url.partition("#")[0]
    if _ENCODED_MAIL in plain:
        return _ENCODED_MAIL
    if host and host_of(plain) == host:
        plain = plain.partition(host)[2]
    return plain + "#" + url.partition("#")[2]


def _key(text: str) -> str:
    """Return what a line is compared by; "" where it holds no word that stays."""
    own = folded(without_changing(" ".join(text.split()))).casefold()
    return own if words(own) else ""


def _like_content(content: Content, blocks: TextBlocks) -> Mask:
    """Return bool[blocks]: paragraphs that may well be content, though the verdict drops them.

    None that a selector or a policy drops, or that stands aside.
    """
    verdict = content.verdict
    settled = [code for code, one in enumerate(content.reasons) if one in _BY_WISH]
    found: Mask = _RUNNING[blocks.owner_tag] & (blocks.length >= _PARAGRAPH)
    found &= blocks.link_length <= _MOST_LINKED * blocks.length
    found &= ~np.isin(verdict.why[blocks.first], settled)
    if found.any():
        found &= ~blocks.inside(_ASIDE)
        found &= (verdict.score >= _LIKELY)[blocks.first]
        found &= ~_teasers(content.page, blocks)[blocks.first]
    return found


def _passing(content: Content, lines: KeptLines, blocks: TextBlocks) -> Mask:
    """Return bool[lines]: kept lines that come and go while the content stays."""
    page, verdict = content.page, content.verdict
    linked = _all_link(content, lines)
    in_heading = page.inside(tags.HEADING.take(page.tag))[lines.first]
    links = linked & ~in_heading
    if 2 * links.sum() > len(links):
        links[:] = False
    if linked.any():
        links |= linked & _advertisements(page)[lines.first]
    if verdict.page_type not in _OF_ENTRIES and len(lines):
        teasers = _teasers(page, blocks)[lines.first]
        lengths = np.array([len(text) for text in lines.texts])
        if 0 < lengths[teasers].sum() < _FEW * lengths.sum():
            links |= teasers & (verdict.score < _SURE)[lines.first]
    return links


def _all_link(content: Content, lines: KeptLines) -> Mask:
    """Return bool[lines]: lines all of whose text stands in links."""
    page = content.page
    own = np.where(content.kept, page.own_length, 0)
    before = np.append(0, np.cumsum(own))
    linked = np.append(0, np.cumsum(np.where(page.in_link, own, 0)))
    length = before[lines.last] - before[lines.first]
    all_link: Mask = linked[lines.last] - linked[lines.first] == length
    return all_link


def _advertisements(page: Page) -> Mask:
    """Return bool[n]: rows in elements that are named as advertisements."""
    named = np.zeros(len(page), dtype=bool)
    for name in ("class", "id"):
        rows = page.rows_where(name, lambda value: bool(_ADVERTISEMENT.search(value)), *_AD_WORDS)
        named[rows] = True
    return page.inside(named)


_AD_WORDS: Final = ("ad", "sponsor", "promo")
"""Each name of an advertisement has one of them."""


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
