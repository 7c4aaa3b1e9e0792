"""Anchor and form blocks, and the candidate blocks that are left when they bound the merging.

Source: noise-elimination-notes; readings and departures stand in `chaffinch.methods.anchor_blocks`.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from chaffinch.errors import LARGEST, require_between, require_whole
from chaffinch.page import Page
from chaffinch.page.arrays import Mask, Rows
from chaffinch.page.flattening import nearest
from chaffinch.segment.densities import plain_length, shares, text_rows

_TYPED: Final = frozenset(
    {"", "text", "search", "email", "password", "tel", "url", "number", "date", "datetime-local"}
)


@dataclass(frozen=True, kw_only=True)
class AnchorRules:
    """The figures of the six rules, in their order; lengths in characters, defaults the source's.

    Attributes:
        long_text: rule 1: a block with a text outside links longer than this is no anchor block.
        much_text: rule 2: nor one with more characters outside links than this
        many_anchors: and fewer anchors than this.
        more_text: rule 3: nor one with more characters outside links than this and than inside.
        long_run: rule 4: nor one with a run of texts outside links longer than this.
        texts_in_row: rule 5: nor one with so many texts outside links in a row.
        max_link_ratio: rule 6: a block with two anchors and more than this many characters in links
            for each one outside is an anchor block.
    """

    long_text: int = 40
    much_text: int = 300
    many_anchors: int = 20
    more_text: int = 200
    long_run: int = 60
    texts_in_row: int = 3
    max_link_ratio: float = 1

    def __post_init__(self) -> None:
        for name in ("long_text", "much_text", "many_anchors", "more_text", "long_run"):
            require_whole(name, getattr(self, name), 0, LARGEST)
        require_whole("texts_in_row", self.texts_in_row, 1, LARGEST)
        require_between("max_link_ratio", self.max_link_ratio, 0, LARGEST)


@dataclass(frozen=True, eq=False)
class Texts:
    """The page's texts: lines of inline content, cut where a link begins or ends; m in order.

    Attributes:
        first: int[m], first text row of each.
        plain: bool[m], those outside links.
        length: int64[m], folded characters outside links, 0 for texts in links.
    """

    first: NDArray[np.intp]
    plain: Mask
    length: NDArray[np.int64]


def anchors_of(page: Page) -> Mask:
    """Return bool[n]: the links with an address; an ``a`` without ``href`` only names an anchor.

    A whole page may stand in one that was never closed.
    """
    return page.is_tag("a") & page.has("href")


def texts_of(page: Page, in_anchor: Mask) -> Texts:
    """Cut ``page`` into its texts; ``in_anchor`` is bool[n], what stands in links."""
    rows = np.flatnonzero(text_rows(page))
    line, linked = page.line[rows], in_anchor[rows]
    new = np.ones(len(rows), dtype=bool)
    new[1:] = (line[1:] != line[:-1]) | (linked[1:] != linked[:-1])
    starts = np.flatnonzero(new)
    own = page.own_length[rows].astype(np.int64)
    length = np.add.reduceat(own, starts) if len(starts) else own
    plain = ~linked[starts]
    return Texts(rows[starts], plain, np.where(plain, length, 0))


def anchor_blocks(page: Page, blocks: Mask, rules: AnchorRules) -> Mask:
    """Return bool[n]: those of ``blocks``, bool[n], that are anchor blocks by the six rules."""
    rows = np.flatnonzero(blocks)
    anchors = anchors_of(page)
    in_anchor = page.inside(anchors)
    texts = texts_of(page, in_anchor)
    begin = np.searchsorted(texts.first, rows)
    stop = np.searchsorted(texts.first, page.end[rows])
    decisive = np.minimum(_first_long(texts, rules.long_text), _first_run(texts, rules))
    rule_1_4_5 = decisive[begin] < stop
    linked = page.total(np.where(in_anchor, page.own_length, 0))[rows]
    plain = page.length[rows] - linked
    count = page.total(anchors & (page.length > 0))[rows]
    rule_2 = (plain > rules.much_text) & (count < rules.many_anchors)
    rule_3 = (plain > rules.more_text) & (plain > linked)
    rule_6 = (count > 1) & (linked > rules.max_link_ratio * plain)
    found = np.zeros(len(page), dtype=bool)
    found[rows] = rule_6 & ~(rule_1_4_5 | rule_2 | rule_3)
    return found


def form_blocks(page: Page, blocks: Mask, *, max_controls: float) -> Mask:
    """Return bool[n]: those of ``blocks`` with more text controls than this for 100 characters.

    Text controls are textarea and input that takes text; characters are those outside links. A
    block with more than half of the body's is none: short pages have search fields, too.
    """
    controls, plain = page.total(text_controls(page)), plain_length(page)
    found: Mask = blocks & (controls > 0) & (2 * plain <= plain[page.body])
    found &= 100 * controls > max_controls * plain
    return found


def text_controls(page: Page) -> Mask:
    """Return bool[n]: the elements that text can be written into."""
    control = page.is_tag("textarea", "input")
    for row, kind in page.having("type", page.is_tag("input")):
        control[row] = kind.strip().lower() in _TYPED
    return control


def candidate_blocks(page: Page, blocks: Mask, noise: Mask, *, min_related: float) -> Rows:
    """Return int32[n]: the row that names the candidate each row belongs to; -1 before the body.

    Args:
        page: the page.
        blocks: bool[n], containers; the body is one of them.
        noise: bool[n], those of them that are anchor or form blocks.
        min_related: containers with less than this share (0..1) of their text outside ``noise``
            are split, and so are all around them.

    A candidate is the largest container that isn't split, less the noise in it, with its related
    neighbours (same parent, tag and class); or the inline content of a split container, less its
    blocks; or an outermost block of noise. Its first row names it.
    """
    in_noise = page.inside(noise)
    clean = page.total(np.where(in_noise, 0, page.own_length))
    open_blocks = blocks & ~in_noise
    split = open_blocks & (clean > 0) & (shares(clean, page.length) < min_related)
    whole = open_blocks & ~page.around(split)
    above = np.maximum(page.parent, 0)
    outermost = whole & ~page.inside(whole)[above]
    outermost[page.body] = whole[page.body]
    names = nearest(page, outermost)
    names = np.where(names >= 0, _related(page, outermost)[names], nearest(page, blocks))
    outer_noise = noise & ~in_noise[above]
    outer_noise[page.body] = noise[page.body]
    return np.where(in_noise, nearest(page, outer_noise), names)


def _related(page: Page, outermost: Mask) -> Rows:
    """Return int32[n]: of each outermost block the first one that it is related to; else the row.

    Related are blocks of one parent with the same tag and the same class; a class they must have.
    """
    name = np.arange(len(page), dtype=np.int32)
    first: dict[tuple[int, int, str], int] = {}
    for row, kind in page.having("class", outermost):
        if kind:
            key = (int(page.parent[row]), int(page.tag[row]), kind)
            name[row] = first.setdefault(key, row)
    return name


def _first_long(texts: Texts, least: int) -> NDArray[np.intp]:
    """Return int[m+1]: from each text on, the first that is longer than ``least``; m if none."""
    return _first_from(
        np.where(texts.length > least, np.arange(len(texts.length)), len(texts.plain))
    )


def _first_run(texts: Texts, rules: AnchorRules) -> NDArray[np.intp]:
    """Return int[m+1]: from each text on, where first a run outside links is long by rule 4 or 5.

    That is, the earliest last text of a run that begins there or later; m if none.
    """
    count = len(texts.plain)
    at = np.arange(count)
    total = np.append(0, np.cumsum(texts.length))
    long_at = np.searchsorted(total, total[:-1] + rules.long_run, side="right") - 1
    many_at = at + rules.texts_in_row - 1
    links = np.append(np.flatnonzero(~texts.plain), count)
    run_stop = links[np.searchsorted(links, at)]
    reached = np.minimum(long_at, many_at)
    return _first_from(np.where(reached < run_stop, reached, count))


def _first_from(reached: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return int[m+1]: the least of ``reached``, int[m], from each index on; m past the last."""
    padded = np.append(reached, len(reached))
    return np.minimum.accumulate(padded[::-1])[::-1]
