"""Pages that fit no template, where the page-level model doubts itself: what returns speaks there.

A site's frame outlasts its templates: menus and boxes of a page that is built like no other stand
on its other pages, too. On a page of which the default is sure, what returns may well be content
(the lines of a marketplace, a portal's disclaimer), so that it is asked only where the default
expects little of itself, and weighs half of what it weighs within a template.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.decision.deciding import settle
from chaffinch.site.block_evidence import BlockEvidence, shipped_weights
from chaffinch.site.returning_texts import KINDS, ReturningTexts
from chaffinch.site.slot_table import slot_table
from chaffinch.site.sorted_hashes import concatenated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from chaffinch.page.arrays import Floats, Mask
    from chaffinch.result import Verdict
    from chaffinch.site.joined_scores import ScoredPage
    from chaffinch.site.site_model import SiteModel
    from chaffinch.site.template import Template

_UNSURE: Final = 0.84
"""Confidence of the default below which it is unsure. Of 0.78 to 0.85 none costs a source."""
_LEAST_PAGES: Final = 5
"""Pages that a site must have been learned from."""
_ON: Final = 2
"""Pages on which a text must stand."""
_HALF: Final = 0.5
"""Share of the join's weight that what returns has (docs/site-figures.md)."""
_NO_SLOTS: Final = slot_table([])


def site_texts(templates: Sequence[Template]) -> ReturningTexts:
    """Return the texts that stand on two pages or more of all templates together."""
    hashes, counts = [], []
    for kind in range(len(KINDS)):
        every = concatenated([one.texts.hashes[kind] for one in templates], np.uint32)
        each = concatenated([one.texts.counts[kind] for one in templates], np.int32)
        known, at = np.unique(every, return_inverse=True)
        pages = np.bincount(at, each, len(known)).astype(np.int32)
        hashes.append(known[pages >= _ON])
        counts.append(pages[pages >= _ON])
    return ReturningTexts(sum(one.texts.pages for one in templates), tuple(hashes), tuple(counts))


def score_on_site(
    site: SiteModel, scored: ScoredPage, confidence: float | None
) -> tuple[Floats, NDArray[np.float64]] | None:
    """Return float32[m] and float64[k], both 0..1: of the blocks of a page that fits no template.

    The probability of content, what returns on the site considered, and of the summary's blocks the
    share of the site's pages on which they return. None where the default is sure, or few pages of
    the site are known.

    Args:
        site: the model.
        scored: the page.
        confidence: that of the default on the page, 0..1; None if unknown.
    """
    if confidence is None or confidence >= _UNSURE or site.texts.pages < _LEAST_PAGES:
        return None
    weights, page = shipped_weights(), scored.summary
    own = any((one.keys == np.uint64(page.key)).any() for one in site.templates)
    evidence = BlockEvidence.of(page, _NO_SLOTS, site.texts, own=own)
    share = evidence.return_share(weights)
    log_odds = evidence.own - _HALF * weights.returns / weights.temperature * share
    score = scored.scores.score.copy()
    score[: len(page)] = 1 / (1 + np.exp(-log_odds))
    return score, share


def kept_on_site(site: SiteModel, scored: ScoredPage, verdict: Verdict) -> Mask:
    """Return bool[n]: the rows that the default's ``verdict`` keeps, or it and what returns."""
    found = score_on_site(site, scored, verdict.confidence)
    if found is None:
        return verdict.keep.copy()
    decision = settle(scored.draft(found[0]))
    rows: Mask = scored.scores.features.blocks.spread(decision.keep) | decision.media
    return rows
