"""Anchor blocks: blocks merged from below, those of links and of forms removed, the best one kept.

Source: noise-elimination-notes, an unfinished article of a blog; steps and departures:
docs/methods.md. Texts are lines of inline content. «More than three in a row» (3个以上) are
``texts_in_row`` lines outside links with none in links between; rule 4 counts the characters of
such a run. A merged block excludes the anchor and form blocks in it, which are candidates of their
own: so every text is in exactly one candidate.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.elements.tables import data_tables
from chaffinch.errors import LARGEST, OptionError, require_one_of
from chaffinch.kernels.arrays import Mask, Rows
from chaffinch.metadata.values import title_words
from chaffinch.model import block_relation
from chaffinch.page import Page, tags
from chaffinch.segment.densities import own_marks, plain_length, shares, text_rows
from chaffinch.verdict import Method, Verdict

CONTAINERS: Final = tuple(
    "div table tbody thead tfoot tr td th ul ol li dl section article main aside nav header footer"
    " form center fieldset details dialog".split()
)
"""Tags that make blocks, by default; the body always does."""

PUNCTUATION: Final = "，。．｡！？；、,.!?;،۔؟।"
"""Punctuation of sentences: Chinese, Japanese, Latin, Arabic, Urdu, Devanagari."""

_OUTSIDE, _BEST, _OTHER, _ANCHOR, _FORM, _RELATED = range(6)
"""The steps that decide; see `AnchorBlocks.reasons`."""

_TYPED: Final = frozenset(
    {"", "text", "search", "email", "password", "tel", "url", "number", "date", "datetime-local"}
)


@dataclass(frozen=True, kw_only=True)
class AnchorBlocks(Method):
    """Content is the best of the blocks that are merged from below, without links and forms in it.

    The figures of the six rules stand first, in their order; defaults are the source's, lengths in
    characters.

    Attributes:
        long_text: rule 1: a block with a text outside links longer than this is no anchor block.
        much_text: rule 2: nor one with more characters outside links than this
        many_anchors: and fewer anchors than this.
        more_text: rule 3: nor one with more characters outside links than this and than inside.
        long_run: rule 4: nor one with a run of texts outside links longer than this.
        texts_in_row: rule 5: nor one with so many texts outside links in a row.
        max_link_ratio: rule 6: a block with two anchors and more than this many characters in links
            for each one outside is an anchor block.
        max_controls: a block with more text controls for 100 characters is a form block.
        min_related: a block with less than this share (0..1) of its text outside anchor and form
            blocks is split.
        directory_ratio: the page is a directory if it has at least this many characters in links
            for each one of prose, and
        topic_score: its best candidate scores below this (0..1).
        containers: tags that make blocks.
        relation: candidates outside links and forms whose relatedness (0..1) to the best one is at
            least this are content, too; None for the best one alone, as published.
    """

    long_text: int = 40
    much_text: int = 300
    many_anchors: int = 20
    more_text: int = 200
    long_run: int = 60
    texts_in_row: int = 3
    max_link_ratio: float = 1
    max_controls: float = 1
    min_related: float = 0.9
    directory_ratio: float = 0.6
    topic_score: float = 0.5
    containers: Sequence[str] = CONTAINERS
    relation: float | None = None

    bounds: ClassVar = {
        "texts_in_row": (1, LARGEST), "min_related": (0, 1), "topic_score": (0, 1),
        "relation": (0, 1),
    }  # fmt: skip
    reasons: ClassVar[tuple[str, ...]] = (
        "outside the body",
        "in the best candidate block",
        "in another candidate block",
        "in an anchor block",
        "in a form block",
        "in a candidate block related to the best",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.containers, list | tuple | set | frozenset) or not self.containers:
            raise OptionError(f"containers must be a list of tags, not {self.containers!r}")
        for name in self.containers:
            require_one_of("tag in containers", name, tags.NAMES[2:])
        object.__setattr__(self, "containers", tuple(self.containers))

    def __call__(self, page: Page) -> Verdict:
        """Return the verdict on ``page``; a row's ``score`` is that of its candidate."""
        if page.body < 0:
            return Verdict.empty(len(page))
        blocks = page.is_tag(*self.containers)
        blocks[: page.body] = False
        blocks[page.body] = True
        blocks[page.end[page.body] :] = False
        anchor = anchor_blocks(page, blocks, self)
        form = form_blocks(page, blocks, max_controls=self.max_controls)
        candidate = candidate_blocks(page, blocks, anchor | form, min_related=self.min_related)
        linked, filled = page.inside(anchor), page.inside(form)
        scores = candidate_scores(page, candidate)
        outside = np.where(linked | filled, 0, scores)
        best = int(np.argmax(outside))
        why = np.full(len(page), _OTHER, dtype=np.int8)
        if scores[best] > 0 and not (linked[best] or filled[best]):
            if self.relation is not None:
                _, to_best = block_relation.relation(page, candidate, best)
                why[(candidate >= 0) & (to_best >= self.relation)[candidate]] = _RELATED
            why[candidate == best] = _BEST
        why[filled] = _FORM
        why[linked] = _ANCHOR
        why[candidate < 0] = _OUTSIDE
        score = np.where(candidate >= 0, scores[candidate], 0).astype(np.float32)
        keep = ((why == _BEST) | (why == _RELATED)) & page.shown
        tabular = page.inside(data_tables(page, max_in_cell=1) | form)
        has_topic = bool(outside[best] >= self.topic_score)
        kind = page_kind(page, tabular, has_topic=has_topic, directory_ratio=self.directory_ratio)
        return Verdict(keep, score, why, page_type=kind)


def candidate_scores(page: Page, candidate: Rows) -> NDArray[np.float64]:
    """Return float64[n] in 0..1: the score of each candidate at the row that names it, else 0.

    With the candidate's characters outside links T, it is the product of

    - length: the square root of its share of all such characters of the page;
    - evenness: the share of T in lines with punctuation, from 0.1 for none to 1 for all;
    - few links: T in all its characters;
    - title: the share of the title's words found in it, from 0.5 for none to 1 for all.

    ``candidate`` is int32[n], what `candidate_blocks` returns.
    """
    rows = np.flatnonzero(text_rows(page) & (candidate >= 0))
    names, count = candidate[rows], len(page)
    own, in_prose = _amounts(page)
    amounts = (own, in_prose, page.own_length)
    sums = [np.bincount(names, weights=each[rows], minlength=count) for each in amounts]
    plain_rows = np.flatnonzero(sums[0])  # the others score 0
    plain, prose, length = (each[plain_rows] for each in sums)
    share = np.sqrt(plain / max(plain.sum(), 1))
    of_title = _title_shares(page, candidate)[plain_rows]
    scores = np.zeros(count)
    scores[plain_rows] = (
        share * (0.1 + 0.9 * (prose / plain)) * (plain / length) * (0.5 + 0.5 * of_title)
    )
    return scores


def page_kind(page: Page, tabular: Mask, *, has_topic: bool, directory_ratio: float) -> str:
    """Return ``topic``, ``directory`` or ``table``: by what dominates the page's text.

    Prose is lines outside links with punctuation. The page is a table where ``tabular``, bool[n],
    rows of data tables and form blocks, hold more text outside links than there is prose outside
    them, and than there is in links; a directory where no candidate stands out and links hold at
    least ``directory_ratio`` times as much as all prose.
    """
    own, prose = _amounts(page)
    linked = int(page.link_length[page.body])
    if own[tabular].sum() > max(int(prose[~tabular].sum()), linked):
        return "table"
    is_list = not has_topic and linked >= directory_ratio * max(int(prose.sum()), 1)
    return "directory" if is_list else "topic"


def _amounts(page: Page) -> tuple[Rows, ...]:
    """Return int32[n] twice: characters outside links of each row; those of prose."""
    return page.derived("characters of prose", lambda: _counted(page))


def _counted(page: Page) -> tuple[Rows, Rows]:
    own = np.where(page.in_link, np.int32(0), page.own_length)
    has_punctuation = np.zeros(int(page.line[-1]) + 1, dtype=bool)
    has_punctuation[page.line[(own_marks(page, PUNCTUATION) > 0) & ~page.in_link]] = True
    return own, own * has_punctuation[page.line]


def _title_shares(page: Page, candidate: Rows) -> NDArray[np.float64]:
    """Return float64[n] in 0..1: the share of the title's words that each candidate holds."""
    words, held = title_words(page.title), np.zeros(len(page))
    names, text = np.where(text_rows(page), candidate, np.int32(-1)), page.text.lower()
    if len(text) != len(page.text):  # as of İ: what is where isn't known
        return held
    for word in words:
        places = [at := text.find(word)]
        while at >= 0:
            places.append(at := text.find(word, at + 1))
        having = np.unique(names[np.searchsorted(page.text_at, places[:-1], side="right") - 1])
        held[having[having >= 0]] += 1
    return held / max(len(words), 1)


class Texts(NamedTuple):
    """The page's texts: lines of inline content, cut where a link begins or ends; m in order."""

    first: NDArray[np.intp]  # int[m], first text row of each
    plain: Mask  # bool[m], those outside links
    length: NDArray[np.int64]  # int64[m], folded characters outside links, 0 for texts in links


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


def anchor_blocks(page: Page, blocks: Mask, rules: AnchorBlocks) -> Mask:
    """Return bool[n]: those of ``blocks``, bool[n], that are anchor blocks by the six rules."""
    rows = np.flatnonzero(blocks)
    # A whole page may stand in an anchor without an address that was never closed.
    anchors = page.is_tag("a") & page.has("href")
    in_anchor = page.inside(anchors)
    texts = texts_of(page, in_anchor)
    begin = np.searchsorted(texts.first, rows)
    stop = np.searchsorted(texts.first, page.end[rows])
    count = len(texts.length)
    long = _first_from(np.where(texts.length > rules.long_text, np.arange(count), count))
    decisive = np.minimum(long, _first_run(texts, rules))
    rule_1_4_5 = decisive[begin] < stop
    linked = page.total(np.where(in_anchor, page.own_length, 0))[rows]
    plain = page.length[rows] - linked
    many = page.total(anchors & (page.length > 0))[rows]
    rule_2 = (plain > rules.much_text) & (many < rules.many_anchors)
    rule_3 = (plain > rules.more_text) & (plain > linked)
    rule_6 = (many > 1) & (linked > rules.max_link_ratio * plain)
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

    Of containers, ``blocks``, bool[n], some are noise, ``noise``, bool[n]: anchor or form blocks.
    One with less than a share ``min_related`` of its text outside noise is split, with all around
    it.

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
    names = kernels.nearest(page.parent, outermost)
    names = np.where(
        names >= 0, _related(page, outermost)[names], kernels.nearest(page.parent, blocks)
    )
    outer_noise = noise & ~in_noise[above]
    outer_noise[page.body] = noise[page.body]
    return np.where(in_noise, kernels.nearest(page.parent, outer_noise), names)


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


def _first_run(texts: Texts, rules: AnchorBlocks) -> NDArray[np.intp]:
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
