"""From the probability of each block to what is kept: the choice of the highest expected F.

The probabilities are made consistent along the tree first (`chaffinch.decision.atomic_elements`,
`chaffinch.decision.expandable_widgets`), and a heading that stands directly above kept text is kept
with it. What the markup sets apart (`chaffinch.decision.page_chrome`) and copies
(`chaffinch.decision.repeated_passages`) go last.

Where blocks are independent, the expected F measure of a choice is near the ratio of expected
sums, and the best choice keeps every block over a threshold that is F* / (1 + beta^2), F* being
the best value itself (Lipton, Elkan and Naryanaswamy 2014, «Optimal thresholding of classifiers to
maximize F1 measure», theorem 1): a page read with certainty is cut at a half, a doubtful one lower.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.decision import repeated_products
from chaffinch.decision.atomic_elements import agreed, wholes
from chaffinch.decision.expandable_widgets import opened
from chaffinch.decision.page_chrome import lone_links, within_content
from chaffinch.decision.policy_rules import as_asked, in_data, within
from chaffinch.decision.repeated_passages import copies
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.decision.policy import Policy
    from chaffinch.model.features import Features
    from chaffinch.page.arrays import Floats, Mask, Rows

ARTICLE: Final = "article"
THREAD: Final = "forum"
_READ: Final = frozenset({ARTICLE, "service"})
"""Page types that are read; on others links alone may be what a reader came for."""
LOWEST: Final = 0.05
"""No block below this is kept by its score, and pages with nothing above have one part kept."""

_HEADING: Final = 0.8
"""A heading directly above kept text needs this share of the score that text needs."""
_SECTION: Final = tags.table("h2 h3 h4 h5 h6".split())


@dataclass(frozen=True)
class Choice:
    """Which blocks are kept.

    Attributes:
        keep: bool[m].
        threshold: the score from which blocks are kept, in 0..1.
        expected: expected F1 of the choice in 0..1, not calibrated.
        guessed: whether nothing was over the lowest score, so that the best part was taken.
    """

    keep: Mask
    threshold: float
    expected: float
    guessed: bool


def decide(
    score: Floats,
    found: Features,
    *,
    beta: float = 1.0,
    kind: str = ARTICLE,
    policy: Policy | None = None,
) -> Choice:
    """Return the choice that is consistent along the tree.

    Args:
        score: float32[m], probability that each block is content.
        found: the features of the page's blocks.
        beta: weight of recall against precision.
        kind: the page's type. The posts of a thread repeat one another and may be items of a list;
            elsewhere a list is kept as one, and what stands there twice is kept once: on articles
            passages of some blocks, whose summary may repeat a sentence, else single ones, too,
            and in shops the shortest. A short link that stands alone leads on, from articles and
            services; on pages of other types it may be what a reader came for.
        policy: what belongs to the content, as far as structure tells. If it says nothing of
            tables, those within the text stay unless they are nearly surely noise: not in threads,
            whose posts may be laid out in tables, nor where precision counts.
    """
    thread = kind == THREAD
    tables = policy is not None and policy.tables is None and not thread and beta >= 1
    choice = consistent(score, found, beta=beta, lists=not thread, tables=tables)
    keep = within_content(found, choice.keep)
    if not thread:
        keep &= ~copies(found.blocks, keep, single=kind != ARTICLE)
    if kind in repeated_products.KINDS:
        keep &= ~repeated_products.told_before(found.blocks, keep)
    if kind in _READ:
        keep &= ~lone_links(found, keep)
    if policy is not None:
        keep = as_asked(found.blocks, keep, policy)
    return Choice(keep, choice.threshold, _expected_f1(score, found.units, keep), choice.guessed)


def consistent(
    score: Floats,
    found: Features,
    *,
    beta: float = 1.0,
    lists: bool = True,
    tables: bool = False,
) -> Choice:
    """Return the choice over scores that agree along the tree, with headings above kept text.

    Args:
        score: float32[m], probability that each block is content.
        found: the features of the page's blocks.
        beta: weight of recall against precision.
        lists: whether a list is kept or dropped as one.
        tables: whether data tables within the text are kept down to `LOWEST`.
    """
    whole = wholes(found.blocks, lists=lists)
    further = in_data(found.blocks, tables=tables, code=beta >= 1)
    agreeing = agreed(score, found.units, found.group, whole)
    agreeing = opened(agreeing, found.units, found.blocks, found.marks)
    choice = choose(agreeing, found.units, found.group, beta=beta)
    keep = choice.keep
    if further is not None:
        keep = keep | (within(further, keep) & (agreeing >= LOWEST))
    owner = found.blocks.page.tag[found.blocks.owner]
    above = _SECTION[owner] & (agreeing >= _HEADING * choice.threshold)
    above[:-1] &= keep[1:] & ~tags.HEADING[owner[1:]]
    above[-1] = False
    return Choice(keep | above, choice.threshold, choice.expected, choice.guessed)


def choose(score: Floats, units: Floats, group: Rows, *, beta: float = 1.0) -> Choice:
    """Return the choice with the highest expected F measure.

    Args:
        score: float32[m], probability that each block is content.
        units: float32[m], words of each block.
        group: int32[m], blocks that hang alike have the same number.
        beta: weight of recall against precision.
    """
    order = np.argsort(-score, kind="stable")
    best = kernels.best_prefix(order, score, units, beta)
    threshold = max(float(score[order[best]]), LOWEST)
    keep = score >= threshold
    guessed = not keep.any()
    if guessed:
        keep = _best_part(score, units, group)
    return Choice(keep, threshold, _expected_f1(score, units, keep), guessed)


def _best_part(score: Floats, units: Floats, group: Rows) -> Mask:
    """Return bool[m]: the group of blocks that hang alike with the most expected content."""
    mask: Mask = group == np.argmax(np.bincount(group, weights=score * units))
    return mask


def _expected_f1(score: Floats, units: Floats, keep: Mask) -> float:
    likely, kept, taken = kernels.kept_sums(score, units, keep)
    return 2 * kept / (taken + likely + 1e-9)
