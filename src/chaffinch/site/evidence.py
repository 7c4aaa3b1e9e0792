"""What a template's pages together say of each text block of a page, joined to a probability.

The log-odds that the page-level model gives a block are joined with the mean log-odds of its slot
(a block with low log-odds is kept where the same slot is content on the site's other pages), with
how often its text returns (a paragraph that stands on every page is noise; a section's heading only
where the text below it returns as well), with the link density of the slot, and with what the
template's learned rules say, which decide a doubtful place alike on all pages. The weights are
data, ``weights.json``, learned on sites with labels: ``python -m training.site_weights``, which
measures each site with weights from the others.
"""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from chaffinch.kernels.arrays import Floats, Hashes, Mask
from chaffinch.site.archive import concatenated
from chaffinch.site.sample import PageSummary, TextHashes

_MANY: Final = 12
"""Pages from which a text that one of them holds is left out: a model keeps no list of them all."""
KINDS: Final = ("verbatim", "masked")
"""The ways in which a text can return; the columns of `TextHashes`."""


def indices(known: NDArray[Any], wanted: NDArray[Any]) -> NDArray[np.intp]:
    """Return intp[k]: the index in ``known``, ascending, of each of ``wanted``; -1 if absent."""
    if not len(known):
        return np.full(len(wanted), -1, dtype=np.intp)
    at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    return np.where(known[at] == wanted, at, -1)


@dataclass(frozen=True, eq=False)
class PageTables:
    """What some pages say together: means over each of their s slots, and texts that return."""

    pages: int  # that were counted
    slots: Hashes  # uint64[s], ascending
    having: Floats  # float32[s], pages that have text in the slot
    blocks: Floats  # float32[s], text blocks in the slot, over all pages
    log_odds: Floats  # float32[s], mean of the blocks' of being content, by the page-level model
    linked: Floats  # float32[s] in 0..1, mean share of the blocks' text in links
    length: Floats  # float32[s], mean characters of a block
    texts: tuple[NDArray[np.uint32], ...]  # uint32[t] by kind, hashes of texts, ascending
    counts: tuple[NDArray[np.int32], ...]  # int32[t] by kind, pages that hold each

    @classmethod
    def of(cls, pages: Sequence[PageSummary]) -> "PageTables":
        """Return the tables of some pages, of many pages only the texts that two of them hold.

        What a single page of few says returns where a further page says it, too.
        """
        own = concatenated([page.places for page in pages], np.uint64)
        known, slot = np.unique(own, return_inverse=True)
        each = [np.unique(page.places) for page in pages]
        on_pages = np.unique(concatenated(each, np.uint64), return_counts=True)[1]
        length = concatenated([page.length for page in pages], np.uint16).astype(np.float64)
        counted = [_counted_texts(pages, kind) for kind in KINDS]
        often = [count >= (1 if len(pages) < _MANY else 2) for _, count in counted]
        linked = concatenated([page.linked for page in pages], np.uint16)
        of_blocks = {
            "log_odds": concatenated([page.log_odds for page in pages], np.float16),
            "linked": linked / np.maximum(length, 1),
            "length": length,
        }
        blocks = np.bincount(slot, minlength=len(known))
        # Rounded as they are saved, so that a saved model gives the same verdicts.
        means = {
            name: np.round(np.bincount(slot, values, minlength=len(known)) / blocks, 3)
            for name, values in of_blocks.items()
        }
        return cls(
            pages=len(pages),
            slots=known,
            having=on_pages.astype(np.float32),
            blocks=blocks.astype(np.float32),
            texts=tuple(text[some] for (text, _), some in zip(counted, often, strict=True)),
            counts=tuple(count[some] for (_, count), some in zip(counted, often, strict=True)),
            **{name: mean.astype(np.float32) for name, mean in means.items()},
        )

    def values(self, slots: Hashes, *names: str) -> list[NDArray[np.float64]]:
        """Return float64[k] for each name of a column: its values in some slots, 0 if absent."""
        at = indices(self.slots, slots)
        columns = (np.append(getattr(self, name), 0) for name in names)  # -1 is the last
        return [column.take(at).astype(np.float64) for column in columns]

    def shares(self, texts: TextHashes, *, own: bool = False) -> Floats:
        """Return float32[KINDS, m] in 0..1: the share of pages that hold each of m texts.

        Where the texts are of one of these pages (``own``), the share is that of the others.
        """
        out = np.zeros((len(KINDS), len(texts.verbatim)), dtype=np.float32)
        for kind, name in enumerate(KINDS):
            at = indices(self.texts[kind], getattr(texts, name))
            found = at >= 0
            out[kind, found] = self.counts[kind][at[found]] - own
        return out / np.float32(max(self.pages - own, 1))


def _counted_texts(
    pages: Sequence[PageSummary], kind: str
) -> tuple[NDArray[np.uint32], NDArray[np.int32]]:
    """Return the texts of a kind of `KINDS`, ascending, and how many of the pages hold each."""
    each = [np.unique(getattr(page.texts, kind)) for page in pages]
    texts, counts = np.unique(concatenated(each, np.uint32), return_counts=True)
    return texts, counts.astype(np.int32)


_LEAST_PAGES: Final = 5
"""Pages from which a group has tables of its own; sources left out, 4 to 6 are alike."""
_PROSE: Final = 150
"""Characters of a block from which, where the page-level model keeps it, it counts as prose…"""
_MOST_PROSE: Final = 2  # … of which more than so many blocks make no other group
_PROSE_WORDS: Final = {"0": "no prose", "1": "one block of prose", "2": "prose"}


def group_name(page: PageSummary) -> str:
    """Return the name of the group that a page is in: its type, and its blocks of prose."""
    prose = int(((page.length > _PROSE) & (page.log_odds > 0)).sum())
    return f"{page.kind} {min(prose, _MOST_PROSE)}"


def group_words(name: str) -> str:
    kind, _, prose = name.rpartition(" ")
    return f"{kind}, {_PROSE_WORDS[prose]}" if kind and prose in _PROSE_WORDS else name


WHOLE: Final = ""
"""Name of the group of all pages of a template."""


def tables_of(pages: Sequence[PageSummary]) -> dict[str, PageTables]:
    """Return the tables of a template's pages, as `WHOLE`, and of its groups that are large enough.

    A list of stories and a story may share a template, an empty result and a full one: the same
    place holds menus on the one and text on the other, and what returns on every list returns on
    few pages of all.

    There are no groups where all pages are in one. Pages of unknown type are in none: a page that
    is read has a type, so that their tables would never be used.
    """
    members: Mapping[str, list[PageSummary]] = defaultdict(list)
    for page in pages:
        if page.kind:
            members[group_name(page)].append(page)
    large = {name: some for name, some in sorted(members.items()) if len(some) >= _LEAST_PAGES}
    groups = {WHOLE: pages, **(large if len(members) > 1 else {})}
    return {name: PageTables.of(some) for name, some in groups.items()}


_COMMON: Final = 0.5
"""Share of pages on which the labels of facts stand in the mean, at least, and the values below."""
_LONGEST_FACT: Final = 120  # characters of the longest label or value


def are_facts(page: PageSummary, returns: Floats) -> Mask:
    """Return bool[m]: tables of facts, labels that return beside values that differ.

    ``returns`` is how often the texts of the page return, float32[KINDS, m].

    Blocks of two places in turns, twice or more: cells, terms, ``div`` beside ``div``. The labels
    of a page differ from one another; some values, such as a colour, stand on other pages as well.
    Numbers of other values may differ alone where the page-level model says that they are content.
    """
    mask = np.zeros(len(page), dtype=bool)
    often, texts, places = returns[1], page.texts.masked.tolist(), page.places.tolist()
    short = page.length <= _LONGEST_FACT
    pair = (often > 0)[:-1] & short[:-1] & (short & (2.0 * page.linked <= page.length))[1:]
    is_pair, stop = [*pair.tolist(), False], 0
    for at in np.flatnonzero(pair).tolist():
        if at < stop - 1:
            continue
        stop, turn = at + 2, places[at : at + 2]
        while stop < len(is_pair) and is_pair[stop] and places[stop : stop + 2] == turn:
            stop += 2
        likely = page.log_odds[at:stop].mean() > 0
        labels, values = texts[at:stop:2], returns[0 if likely else 1, at + 1 : stop : 2]
        differ = len(labels) > 1 and len({*labels}) == len(labels)
        if differ and often[at:stop:2].mean() >= _COMMON > values.mean():
            mask[at:stop] = True
            stop += 1
    return mask


LEAD_TYPES: Final = ("article", "documentation")
"""Page types whose text has a lead."""
_PROSE_LEAD_PLACES: Final = 50.0
"""Characters from which a text counts in full; the square of its share below."""
_MOST_DOUBT: Final = -1.5
"""Mean log-odds of a slot below which the page-level model doesn't doubt but denies."""
_ABOVE: Final = 0.5  # largest share of a page's likely content above a lead


def lead_shares(page: PageSummary, tables: PageTables, returns: Floats) -> NDArray[np.float64]:
    """Return float64[m] in 0..1: how far each block's place is that of a lead.

    The page-level model doubts a standfirst, or the caption of the picture at the top, on each page
    alike, and its slot's mean makes the doubt certain. What speaks for such a place is what its
    pages have in common: nearly all of them have it, once, above most of the content, with a text
    that returns on none of the others and has no links. ``returns`` is as in `BlockEvidence`.
    """
    having, blocks, log_odds, linked, length = tables.values(
        page.places, "having", "blocks", "log_odds", "linked", "length"
    )
    own = page.length.astype(np.float64)
    share = np.minimum(having / max(tables.pages, 1), 1) * having / np.maximum(blocks, 1)
    share *= 1 - np.minimum(2 * linked, 1)
    share *= np.minimum(length / _PROSE_LEAD_PLACES, 1) ** 2 * np.minimum(
        own / _PROSE_LEAD_PLACES, 1
    )
    share *= 1 - returns.max(axis=0).astype(np.float64)
    likely = page.length / (1 + np.exp(-page.log_odds.astype(np.float64)))
    above = (np.cumsum(likely) - likely) / max(float(likely.sum()), 1e-9)
    share[(log_odds <= _MOST_DOUBT) | (above > _ABOVE)] = 0
    return share


_OWN_COUNT: Final = 2.0
"""Weight, in blocks, of a block's own values in the means of its slot: shrinks the means of slots
that few blocks were learned from towards the block's own values."""
_ENOUGH_BLOCKS: Final = 3
"""Blocks from which a slot's means over the pages of a group count in place of those over all."""
_DENIED_VOTE: Final = 0.5
"""Share of a vote for content that counts where the page-level model denies the block and, in the
mean, its place: of what rules keep there, as little is content as not. Chosen by leaving sources
out."""


@dataclass(frozen=True, kw_only=True)
class EvidenceWeights:
    """Weights: ``(own·l + slot·m - returns·r - links·k + leads·d + rules·v) / temperature``."""

    own: float  # of the block's own log-odds l
    slot: float  # of the mean log-odds m of its slot
    returns: float  # of the share r of pages on which its text returns
    masked: float  # 0..1, weight of a return with numbers masked, relative to a verbatim one
    links: float  # of the share k of the slot's text that is links
    leads: float  # of how far d its slot is the place of a lead
    rules: float  # of the vote v of the template's learned rules
    temperature: float  # divisor of the sum; above 1, because the pieces of evidence are dependent


@cache
def shipped_weights() -> EvidenceWeights:
    text = resources.files(__package__).joinpath("weights.json").read_text(encoding="utf-8")
    return EvidenceWeights(**json.loads(text))


@dataclass(frozen=True, eq=False)
class BlockEvidence:
    """Evidence for the m blocks of a page."""

    own: NDArray[np.float64]  # float64[m], the blocks' own log-odds
    slot: NDArray[np.float64]  # float64[m], mean log-odds of their slots
    # float32[KINDS, m] in 0..1, share of pages on which their texts return, by kind; 0 for tables
    # of facts (`are_facts`)
    returns: Floats
    links: NDArray[np.float64]  # float64[m] in 0..1, share of their slots' text in links
    known: NDArray[np.float64]  # float64[m], number of blocks that their slots were learned from
    heading: Mask  # bool[m], blocks that head others, as in `PageSummary`
    # float64[m] in 0..1, how far their slots are the place of an article's lead; all 0 on a page of
    # another type
    leads: NDArray[np.float64]
    # float32[m], 1 where the template's learned rules keep a block, -1 where they don't; all 0
    # where they say nothing of the page, as while they are being learned
    votes: Floats

    @classmethod
    def of(
        cls,
        page: PageSummary,
        tables: Mapping[str, PageTables],
        *,
        own: bool = False,
        votes: Floats | None = None,
    ) -> "BlockEvidence":
        """Return the evidence that a template's tables give for a page's blocks.

        Args:
            page: the page.
            tables: as of `tables_of`; those of the page's own group count as well: their means in
                the slots that they know well, and of how often a text returns on the group's pages
                and on all, the more.
            own: the tables were learned from this page, among others: its own texts don't count as
                returns.
            votes: float32[m], those of the template's learned rules; None for none.
        """
        by_itself = page.log_odds.astype(np.float64)
        whole = tables[WHOLE]
        slot, returns, links, known = _means(page, whole, own=own)
        leads = lead_shares(page, whole, returns)
        if (group := tables.get(group_name(page))) is not None:
            own_slot, own_returns, own_links, own_known = _means(page, group, own=own)
            is_known = own_known >= _ENOUGH_BLOCKS
            slot = np.where(is_known, own_slot, slot)
            links = np.where(is_known, own_links, links)
            returns = np.maximum(returns, own_returns)
        if votes is None:
            votes = np.zeros(len(page), dtype=np.float32)
        return cls(by_itself, slot, returns, links, known, page.heading, leads, votes)

    @property
    def counted_votes(self) -> Floats:
        """float32[m]: the votes, those for content less where the model alone says otherwise."""
        denied = (self.votes > 0) & (self.own < 0) & (self.slot < 0)
        return np.where(denied, np.float32(_DENIED_VOTE) * self.votes, self.votes)

    def return_share(self, weights: EvidenceWeights) -> NDArray[np.float64]:
        """Return float64[m] in 0..1: how far each text returns, the strongest of the `KINDS`."""
        verbatim, masked = self.returns.astype(np.float64)
        share: NDArray[np.float64] = np.maximum(verbatim, weights.masked * masked)
        headings = np.flatnonzero(self.heading)
        if len(headings):
            below = np.append(np.flatnonzero(~self.heading), len(share))
            text = below[np.searchsorted(below, headings)]
            # A heading such as «Usage» stands on every page of a manual, above a text that doesn't.
            share[headings] = np.minimum(share[headings], np.append(share, 1.0)[text])
        return share

    def probability(self, weights: EvidenceWeights) -> Floats:
        """Return float32[m] in 0..1: the probability that each block is content."""
        joined = (
            weights.own * self.own
            + weights.slot * self.slot
            - weights.returns * self.return_share(weights)
            - weights.links * self.links
            + weights.leads * self.leads
            + weights.rules * self.counted_votes
        )
        return (1 / (1 + np.exp(-joined / weights.temperature))).astype(np.float32)


def _means(page: PageSummary, tables: PageTables, *, own: bool) -> tuple[NDArray[Any], ...]:
    """Return what tables say of a page: slot, returns, links, known, as of `BlockEvidence`."""
    by_itself = page.log_odds.astype(np.float64)
    linked = page.linked / np.maximum(page.length.astype(np.float64), 1)
    known, log_odds, links = tables.values(page.places, "blocks", "log_odds", "linked")
    slot = (known * log_odds + _OWN_COUNT * by_itself) / (known + _OWN_COUNT)
    links = (known * links + _OWN_COUNT * linked) / (known + _OWN_COUNT)
    returns = tables.shares(page.texts, own=own)
    facts = are_facts(page, returns)
    returns[:, facts] = 0
    slot[facts] = np.maximum(slot, by_itself)[facts]
    return slot, returns, links, known
