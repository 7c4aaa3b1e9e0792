"""Cluster rules: the content block by rules learned from clusters of a site's pages.

Source: page-clustering, sections 4 and 5.2, algorithm 2: pages are clustered by the sets of their
blocks' paths, and each cluster has one rule, the features (id, class, path) of the blocks that are
densest on most of its pages. A rule finds its block by id, else by class, else by path.

Departures and readings:

- Clustering and its measure: see `chaffinch.siblings.block_rules`; the source's section is missing.
- Where several blocks of a page have the rule's id (or class, or path), the densest is taken.
- A page that is similar to no cluster, and one on which its cluster's rule finds nothing, gets its
  densest block, as `block_density` chooses it; ``why`` and the notes record this.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from chaffinch.caching import cached_property
from chaffinch.errors import OptionError, require_between, require_one_of
from chaffinch.page import Page
from chaffinch.page.arrays import Mask
from chaffinch.page.flattening import highest
from chaffinch.page.selectors import hash_of
from chaffinch.segment.densities import BLOCKS, blocks_of
from chaffinch.siblings.block_rules import (
    CHOOSE_BY,
    BlockFeatures,
    BlockRule,
    BlockRules,
    Likeness,
    folded,
    from_text,
    learn,
    to_text,
)
from chaffinch.siblings.other_pages import require_siblings
from chaffinch.verdict import Method, NotedBlock, Notes, Verdict


class ClusterReason(IntEnum):
    """The steps that decide; see `ClusterRules.reasons`."""

    OUTSIDE = 0
    ID = 1
    CLASS = 2
    PATH = 3
    DENSEST = 4


@dataclass(frozen=True, kw_only=True)
class ClusterNotes(Notes):
    """The cluster of a page, and the block that its rule chose.

    Attributes:
        cluster: number of its cluster; None where it belongs to none.
        similarity: to the nearest cluster, 0..1.
        block: the block that was kept; None for none.
        support: pages of the cluster that support the rule; None where no rule found the block.
        pages: pages of the cluster; None likewise.
    """

    cluster: int | None
    similarity: float
    block: NotedBlock | None
    support: int | None
    pages: int | None


@dataclass(frozen=True, kw_only=True)
class ClusterRules(Method):
    """Content is the block that the rule of the page's cluster names, whole.

    Attributes:
        siblings: pages of the same site to learn from; unused with ``rules``.
        rules: rules learned before. Then ``threshold``, ``counts``, ``blocks`` and ``alpha`` are
            those of the rules.
        threshold: least similarity (0..1) of a page to a cluster that it belongs to.
        counts: compare how often block paths occur, not only whether they do.
        blocks: tags that make blocks.
        alpha: how fast a block's density falls with the number of its descendants.
        choose_by: a cluster's rule is that of the largest sum of ``density``, as published, or of
            most ``support``, the number of pages.
    """

    siblings: Sequence[Page] = ()
    rules: BlockRules | None = None
    threshold: float = 0.6
    counts: bool = False
    blocks: Sequence[str] = BLOCKS
    alpha: float = 0.3
    choose_by: str = "density"

    needs_siblings: ClassVar[bool] = True
    reasons: ClassVar[tuple[str, ...]] = (
        "outside the chosen block",
        "in the block of the rule's id",
        "in the block of the rule's class",
        "in the block of the rule's path",
        "no rule applies: in the densest block",
    )

    def __post_init__(self) -> None:
        likeness = Likeness(threshold=self.threshold, counts=self.counts, blocks=self.blocks)
        require_between("alpha", self.alpha, 0, 10)
        require_one_of("choose_by", self.choose_by, CHOOSE_BY)
        alpha = self.alpha
        siblings: Sequence[Page] = ()
        if self.rules is None:
            siblings = require_siblings("cluster_rules", self.siblings)
        elif isinstance(self.rules, BlockRules):
            likeness, alpha = self.rules.likeness, self.rules.alpha
        else:
            raise OptionError(f"rules must be learned ones, not {self.rules!r}")
        object.__setattr__(self, "siblings", siblings)
        object.__setattr__(self, "threshold", likeness.threshold)
        object.__setattr__(self, "counts", likeness.counts)
        object.__setattr__(self, "blocks", likeness.blocks)
        object.__setattr__(self, "alpha", alpha)

    @classmethod
    def learn(cls, pages: Sequence[Page], **settings: Any) -> Self:
        """Return the method with the rules of ``pages``, and without the pages.

        Args:
            pages: pages of one site.
            **settings: as of `chaffinch.siblings.block_rules.learn`.

        Raises:
            OptionError: there are no pages, or a value is impossible.
        """
        return cls(rules=learn(require_siblings("cluster_rules", pages), **settings))

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return the method with saved rules.

        Raises:
            RulesError: the text holds none.
        """
        return cls(rules=from_text(text))

    def to_text(self) -> str:
        """Return the rules as JSON to be read, edited and passed to `from_text`."""
        return to_text(self.learned)

    @cached_property
    def learned(self) -> BlockRules:
        """The rules, learned from the siblings unless passed as ``rules``."""
        if self.rules is not None:
            return self.rules
        likeness = Likeness(threshold=self.threshold, counts=self.counts, blocks=self.blocks)
        return learn(self.siblings, likeness=likeness, alpha=self.alpha, choose_by=self.choose_by)

    def __call__(self, page: Page) -> Verdict:
        """Return the verdict on ``page``.

        In the block of a rule the ``score`` is the share of the cluster's pages that support the
        rule; where no rule applies it is the highest density of a row's blocks.
        """
        if page.body < 0:
            return Verdict.empty(len(page))
        rules = self.learned
        density = rules.density(page)
        cluster, similarity = rules.nearest(page)
        rule = rules.rules[cluster] if similarity >= self.threshold and cluster >= 0 else None
        row, why = self._content_block(page, rule, density)
        keep = np.zeros(len(page), dtype=bool)
        if row >= 0:
            keep[row : page.end[row]] = True
        by_rule = rule is not None and why is not ClusterReason.DENSEST
        if rule is not None and by_rule:
            score = np.where(keep, np.float32(rule.support / rule.pages), np.float32(0))
        else:
            score = highest(page, density).astype(np.float32)
        code = np.where(keep, why, ClusterReason.OUTSIDE).astype(np.int8)
        notes = ClusterNotes(
            cluster=int(cluster) if rule else None,
            similarity=round(float(similarity), 4),
            block=NotedBlock.of(page, row) if row >= 0 else None,
            support=rule.support if rule and by_rule else None,
            pages=rule.pages if rule and by_rule else None,
        )
        return Verdict(keep & page.shown, score, code, notes=notes)

    def _content_block(
        self, page: Page, rule: BlockRule | None, density: NDArray[np.float64]
    ) -> tuple[int, ClusterReason]:
        """Return the row of the content block, -1 for none, and the step that chose it."""
        if rule is not None and rule.features is not None:
            block = blocks_of(page, self.blocks)
            for why, rows in _matching(page, rule.features, block):
                if len(rows):
                    return int(rows[np.argmax(density[rows])]), why
        best = int(np.argmax(density))
        return (best if density[best] > 0 else -1), ClusterReason.DENSEST


def _matching(
    page: Page, features: BlockFeatures, block: Mask
) -> list[tuple[ClusterReason, NDArray[np.intp]]]:
    """Return, for each feature of the rule, the blocks of ``page`` that have it."""
    out = []
    named = ((ClusterReason.ID, "id", features.id), (ClusterReason.CLASS, "class", features.class_))
    for why, name, value in named:
        if value:
            having = [row for row, own in page.having(name) if folded(own) == value]
            rows = np.array(having, dtype=np.intp)
            out.append((why, rows[block[rows]]))
    path = np.uint64(hash_of(features.path))
    return [*out, (ClusterReason.PATH, np.flatnonzero(block & (page.path_hash == path)))]
