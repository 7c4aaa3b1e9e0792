"""Evidence for and against each text block of a page, joined to a probability.

The log-odds that the page-level model gives a block are joined with the mean log-odds of its slot
(a block with low log-odds is kept where the same slot is content on the site's other pages), with
how often its text returns (a paragraph that stands on every page is noise; a section's heading only
where the text below it returns as well), with the link density of the slot, and with what the
template's learned rules say, which decide a doubtful place alike on all pages. The weights are
data, ``weights.json``, learned on sites with labels: ``python -m training.site_weights``, which
measures each site with weights from the others.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, fields, replace
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.site.entry_places import are_entries
from chaffinch.site.lead_places import lead_shares
from chaffinch.site.page_groups import group_name
from chaffinch.site.repeated_links import are_repeated_links
from chaffinch.site.sorted_hashes import values_at

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from chaffinch.page.arrays import Floats, Mask
    from chaffinch.site.page_groups import PageGroup
    from chaffinch.site.page_summary import PageSummary
    from chaffinch.site.returning_texts import ReturningTexts
    from chaffinch.site.slot_table import SlotTable

_OWN_COUNT: Final = 2.0
"""Weight, in blocks, of a block's own values in the means of its slot: shrinks the means of slots
that few blocks were learned from towards the block's own values."""
_NO_GROUPS: Final[Mapping[str, PageGroup]] = MappingProxyType({})
_ENOUGH_BLOCKS: Final = 3
"""Blocks from which a slot's means over the pages of a group count in place of those over all."""
_DENIED_VOTE: Final = 0.5
"""Share of a vote for content that counts where the page-level model denies the block and, in the
mean, its place: of what rules keep there, as little is content as not. Chosen by leaving sources
out."""


@dataclass(frozen=True, kw_only=True)
class EvidenceWeights:
    """Weights: ``(own·l + slot·m - returns·r - links·k + leads·d + rules·v) / temperature``.

    Attributes:
        own: of the block's own log-odds l.
        slot: of the mean log-odds m of its slot.
        returns: of the share r of pages on which its text returns.
        masked: 0..1, weight of a return with numbers masked, relative to a verbatim one.
        edges: 0..1, the same of a text whose beginning and end return, each on some page.
        links: of the share k of the slot's text that is links.
        leads: of how far d its slot is the place of a lead.
        rules: of the vote v of the template's learned rules.
        temperature: divisor of the sum; above 1, because the pieces of evidence are dependent.
    """

    own: float
    slot: float
    returns: float
    masked: float
    edges: float
    links: float
    leads: float
    rules: float
    temperature: float


@cache
def shipped_weights() -> EvidenceWeights:
    """Return the weights that come with the package."""
    text = resources.files(__package__).joinpath("weights.json").read_text(encoding="utf-8")
    known = {field.name for field in fields(EvidenceWeights)}
    return EvidenceWeights(
        **{name: value for name, value in json.loads(text).items() if name in known}
    )


@dataclass(frozen=True, eq=False)
class BlockEvidence:
    """Evidence for the m blocks of a page.

    Attributes:
        own: float64[m], the blocks' own log-odds.
        slot: float64[m], mean log-odds of their slots.
        returns: float32[KINDS, m] in 0..1, share of pages on which their texts return, by kind; 0
            for the entries of lists, see `chaffinch.site.entry_places`, and 1 for links that recur
            on the page, see `chaffinch.site.repeated_links`.
        links: float64[m] in 0..1, share of their slots' text in links.
        known: float64[m], number of blocks that their slots were learned from.
        heading: bool[m], blocks that head others, as in `PageSummary`.
        leads: float64[m] in 0..1, how far their slots are the place of an article's lead; all 0 on
            a page of another type.
        votes: float32[m], 1 where the template's learned rules keep a block, -1 where they don't;
            all 0 where they say nothing of the page, as while they are being learned.
    """

    own: NDArray[np.float64]
    slot: NDArray[np.float64]
    returns: Floats
    links: NDArray[np.float64]
    known: NDArray[np.float64]
    heading: Mask
    leads: NDArray[np.float64]
    votes: Floats

    @classmethod
    def of(  # noqa: PLR0913  the last three are keyword-only
        cls,
        page: PageSummary,
        slots: SlotTable,
        texts: ReturningTexts,
        *,
        groups: Mapping[str, PageGroup] = _NO_GROUPS,
        own: bool = False,
        votes: Floats | None = None,
    ) -> BlockEvidence:
        """Return the evidence that a template's tables give for a page's blocks.

        Args:
            page: the page.
            slots: statistics of the template's slots.
            texts: the template's returning texts.
            groups: the tables of groups of its pages; that of the page's own counts as well.
            own: the tables were learned from this page, among others: its own texts don't count as
                returns.
            votes: float32[m], those of the template's learned rules, see `RuleSet.votes`; None for
                none.
        """
        if votes is None:
            votes = np.zeros(len(page), dtype=np.float32)
        every = cls._by_tables(page, slots, texts, votes, own=own)
        group = groups.get(group_name(page)) if groups else None
        if group is None:
            return every
        return every.joined_with(cls._by_tables(page, group.slots, group.texts, votes, own=own))

    @classmethod
    def _by_tables(
        cls,
        page: PageSummary,
        slots: SlotTable,
        texts: ReturningTexts,
        votes: Floats,
        *,
        own: bool,
    ) -> BlockEvidence:
        """Return the evidence that one pair of tables gives."""
        at = slots.indices(page.places)
        by_itself = page.log_odds.astype(np.float64)
        linked = page.linked / np.maximum(page.length.astype(np.float64), 1)
        columns = (slots.blocks, slots.log_odds, slots.linked)
        known, log_odds, links = (values_at(column, at).astype(np.float64) for column in columns)
        whole = known + _OWN_COUNT
        returns = texts.shares(page.texts, own=own)
        returns[:, are_entries(page, slots, returns, texts.pages)] = 0
        returns[:, are_repeated_links(page)] = 1
        return cls(
            by_itself,
            (known * log_odds + _OWN_COUNT * by_itself) / whole,
            returns,
            (known * links + _OWN_COUNT * linked) / whole,
            known,
            page.heading,
            lead_shares(page, slots, returns, texts.pages),
            votes,
        )

    def joined_with(self, group: BlockEvidence) -> BlockEvidence:
        """Return this evidence with that of a group of the template's pages, for the same blocks.

        The group's means count in the slots that it knows well, and of how often a text returns
        on its pages and on all, the more.
        """
        known = group.known >= _ENOUGH_BLOCKS
        return replace(
            self,
            slot=np.where(known, group.slot, self.slot),
            links=np.where(known, group.links, self.links),
            returns=np.maximum(self.returns, group.returns),
        )

    @property
    def counted_votes(self) -> Floats:
        """float32[m]: the votes, those for content less where the model alone says otherwise."""
        denied = (self.votes > 0) & (self.own < 0) & (self.slot < 0)
        return np.where(denied, np.float32(_DENIED_VOTE) * self.votes, self.votes)

    def return_share(self, weights: EvidenceWeights) -> NDArray[np.float64]:
        """Return float64[m] in 0..1: how far each text returns, the strongest of the `KINDS`."""
        verbatim, masked, head, tail = self.returns.astype(np.float64)
        masked, edges = weights.masked * masked, weights.edges * np.minimum(head, tail)
        share: NDArray[np.float64] = np.maximum(verbatim, np.maximum(masked, edges))
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
