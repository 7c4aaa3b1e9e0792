"""Cluster rules: the content block by rules learned from clusters of a site's pages.

Source: page-clustering, sections 4 and 5.2, algorithm 2; steps and departures: docs/methods.md. Two
L are the same where all three features are; an attribute that is absent or blank counts as absent;
of equal sums the L that was met first wins. Where several blocks of a page have the rule's id (or
class, or path), the densest is taken.

A page is compared only with clusters that share one of its rarest paths: all others can't reach the
threshold (prefix filtering: Chaudhuri, Ganti, Kaushik, ICDE 2006). Time grows with the number of
pages and hardly with that of clusters; ``bench/papers/page_clustering.py``.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

from chaffinch.caching import cached_property
from chaffinch.errors import (
    OptionError,
    require_between,
    require_flag,
    require_one_of,
    require_text,
    require_whole,
)
from chaffinch.kernels.arrays import Mask
from chaffinch.page import Page
from chaffinch.page.selectors import hash_of
from chaffinch.segment.densities import BLOCKS, blocks_of, combined_density, highest, require_blocks
from chaffinch.siblings import require_siblings
from chaffinch.storage import read_json
from chaffinch.verdict import Method, NotedBlock, Notes, Verdict
from chaffinch.wording import cause

_NO_PATH = -1  # the path of a page without any block


@dataclass(frozen=True, kw_only=True)
class Likeness:
    """Settings of the clustering: how similar pages of one cluster are, and by which blocks.

    Attributes:
        threshold: least similarity (0..1) of a page to a cluster that it joins.
        counts: compare how often paths occur, not only whether they do.
        blocks: tags that make blocks.
    """

    threshold: float = 0.6
    counts: bool = False
    blocks: Sequence[str] = BLOCKS

    def __post_init__(self) -> None:
        require_between("threshold", self.threshold, 0, 1)
        require_flag("counts", self.counts)
        require_blocks(self.blocks)
        object.__setattr__(self, "blocks", tuple(self.blocks))

    def paths(self, page: Page) -> dict[int, float]:
        """Return hash of path → 1, or with ``counts`` how often it occurs, of a page's blocks."""
        hashes = page.path_hash[blocks_of(page, self.blocks)].tolist()
        if not hashes:
            return {_NO_PATH: 1.0}
        if self.counts:
            return {path: float(count) for path, count in Counter(hashes).items()}
        return dict.fromkeys(hashes, 1.0)


def similarity(paths: Mapping[int, float], mean: Mapping[int, float]) -> float:
    """Return the sum of minima / sum of maxima of two vectors, 0..1."""
    common = sum(min(value, mean.get(path, 0.0)) for path, value in paths.items())
    return common / (sum(paths.values()) + sum(mean.values()) - common)


class Clusters:
    """Pages grouped by likeness, one after the other; clusters in order of their first page.

    They are the same for the same pages in the same order.

    Attributes:
        pages: of each cluster, the places of its pages among all, in order.
        sums: of each, hash of path → sum over its pages.
        having: path → clusters with a page that has it.
    """

    def __init__(self, pages: Iterable[Page], likeness: Likeness) -> None:
        vectors = [likeness.paths(page) for page in pages]
        self.threshold = likeness.threshold
        self.frequency = Counter(path for paths in vectors for path in paths)
        self.pages: list[list[int]] = []
        self.sums: list[dict[int, float]] = []
        self.weights: list[float] = []
        self.having: dict[int, list[int]] = {}
        for place, paths in enumerate(vectors):
            self._add(place, paths)

    def __len__(self) -> int:
        return len(self.pages)

    def _add(self, place: int, paths: Mapping[int, float]) -> None:
        weight = sum(paths.values())
        best, best_similarity = len(self), -1.0
        for cluster in sorted(self._joinable(paths, weight)):
            value = self._similarity(paths, weight, cluster)
            if value >= self.threshold and value > best_similarity:
                best, best_similarity = cluster, value
        if best == len(self):
            self.pages.append([])
            self.sums.append({})
            self.weights.append(0.0)
        sums = self.sums[best]
        for path, value in paths.items():
            if path not in sums:
                self.having.setdefault(path, []).append(best)
                sums[path] = 0.0
            sums[path] += value
        self.pages[best].append(place)
        self.weights[best] += weight

    def _joinable(self, paths: Mapping[int, float], weight: float) -> set[int]:
        """Return the clusters with one of the page's rarest paths: all that the page could join.

        A similarity of t needs t of the page's weight in common. Paths of more than 1 - t of it
        can't all be missing.
        """
        spare = (1 - self.threshold) * weight + 1e-9
        found: set[int] = set()
        for path in sorted(paths, key=lambda path: (self.frequency[path], path)):
            found.update(self.having.get(path, ()))
            spare -= paths[path]
            if spare < 0:
                break
        return found

    def _similarity(self, paths: Mapping[int, float], weight: float, cluster: int) -> float:
        sums, size = self.sums[cluster], len(self.pages[cluster])
        common = sum(min(value * size, sums.get(path, 0.0)) for path, value in paths.items())
        return common / (weight * size + self.weights[cluster] - common)


CHOOSE_BY: Final = ("density", "support")

_LEAST_SHARE: Final = 0.1
"""Least share of a cluster's pages (or mean count) of a path that is kept to recognise it."""


@dataclass(frozen=True)
class BlockFeatures:
    """A block's features L; "" where it has no id or class."""

    id: str
    class_: str
    path: str

    @classmethod
    def of(cls, page: Page, row: int) -> "BlockFeatures":
        own, named = page.attribute(row, "id"), page.attribute(row, "class")
        return cls(_folded(own or ""), _folded(named or ""), page.tag_path(row))


@dataclass(frozen=True)
class BlockRule:
    """How a cluster's pages are recognised, and which of their blocks is the content.

    Attributes:
        features: of the content block; None where no page of the cluster has any.
        pages: pages of the cluster.
        support: pages whose densest block has exactly these features.
        paths: hash of path → share of the pages that have it, or mean count.
    """

    features: BlockFeatures | None
    pages: int
    support: int
    paths: Mapping[int, float]


@dataclass(frozen=True)
class BlockRules:
    """The rules of a site; rule k is that of cluster k.

    Attributes:
        rules: one for each cluster, in order of their first page.
        likeness: settings of the clustering.
        alpha: exponent of the number of descendants in H.
    """

    rules: tuple[BlockRule, ...]
    likeness: Likeness
    alpha: float

    def nearest(self, page: Page) -> tuple[int, float]:
        """Return the most similar cluster and the similarity, 0..1; -1 and 0 for none."""
        paths = self.likeness.paths(page)
        found = [similarity(paths, rule.paths) for rule in self.rules]
        best = int(np.argmax(found)) if found else -1
        return (best, found[best]) if found and found[best] > 0 else (-1, 0.0)

    def to_json(self) -> str:
        """Return the rules as JSON, which `from_json` reads."""
        return json.dumps({"kind": _KIND, **asdict(self)}, ensure_ascii=False, indent=1)

    @classmethod
    def from_json(cls, text: str, name: str = "rules") -> Self:
        """Return rules that were saved.

        Raises:
            OptionError: the text isn't that of such rules; ``name`` says what it is.
        """
        try:
            saved = read_json(text)
            if saved["kind"] != _KIND:
                raise OptionError("it is of another kind")  # noqa: TRY301  as any other fault
            for one in saved["rules"]:
                require_whole("pages", one["pages"], 1)
                require_whole("support", one["support"], 0)
                for feature, value in (one["features"] or {}).items():
                    require_text(feature, value)
            rules = tuple(
                BlockRule(
                    None if one["features"] is None else BlockFeatures(**one["features"]),
                    one["pages"],
                    one["support"],
                    {int(path): float(share) for path, share in one["paths"].items()},
                )
                for one in saved["rules"]
            )
            alpha = float(saved["alpha"])
            require_between("alpha", alpha, 0, 10)
            return cls(rules, Likeness(**saved["likeness"]), alpha)
        except (ValueError, TypeError, KeyError, AttributeError, OptionError) as error:
            raise OptionError(f"{name} holds no rules of cluster_rules: {error}") from error


_KIND: Final = "chaffinch cluster rules"


def learn(
    pages: Sequence[Page],
    *,
    likeness: Likeness | None = None,
    alpha: float = 0.3,
    choose_by: str = "support",
) -> BlockRules:
    """Cluster ``pages`` of one site and return the rule of each cluster.

    ``choose_by`` is ``support``, the most pages, or ``density``, the largest sum of H (published).
    """
    require_between("alpha", alpha, 0, 10)
    require_one_of("choose_by", choose_by, CHOOSE_BY)
    likeness = likeness or Likeness()
    clusters = Clusters(pages, likeness)
    rules = []
    for places, totals in zip(clusters.pages, clusters.sums, strict=True):
        sums: dict[BlockFeatures, float] = {}
        support: Counter[BlockFeatures] = Counter()
        for page in map(pages.__getitem__, places):
            density = combined_density(page, blocks_of(page, likeness.blocks), alpha=alpha)
            best = int(np.argmax(density)) if len(page) else -1
            if best >= 0 and density[best] > 0:
                features = BlockFeatures.of(page, best)
                sums[features] = sums.get(features, 0.0) + float(density[best])
                support[features] += 1
        weights: Mapping[BlockFeatures, float] = support if choose_by == "support" else sums
        chosen = max(sums, key=weights.__getitem__, default=None)
        count = len(places)
        shares = {path: total / count for path, total in totals.items()}
        paths = {path: round(share, 4) for path, share in shares.items() if share >= _LEAST_SHARE}
        rules.append(BlockRule(chosen, count, support[chosen] if chosen else 0, paths))
    return BlockRules(tuple(rules), likeness, alpha)


def _folded(value: str) -> str:
    return " ".join(value.split())


_OUTSIDE, _ID, _CLASS, _PATH, _DENSEST = range(5)
"""The steps that decide; see `ClusterRules.reasons`."""


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
        rules: rules learned before, or the path of a file of them (`chaffinch learn --method
            cluster_rules`). Then ``threshold``, ``counts``, ``blocks`` and ``alpha`` are
            those of the rules.
        threshold: least similarity (0..1) of a page to a cluster that it belongs to.
        counts: compare how often block paths occur, not only whether they do.
        blocks: tags that make blocks.
        alpha: how fast a block's density falls with the number of its descendants.
        choose_by: a cluster's rule is that of most ``support``, the number of pages, or of the
            largest sum of ``density``, as published.
    """

    siblings: Sequence[Page] = ()
    rules: BlockRules | str | None = None
    threshold: float = 0.6
    counts: bool = False
    blocks: Sequence[str] = BLOCKS
    alpha: float = 0.3
    choose_by: str = "support"

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
        else:
            likeness, alpha = self.learned.likeness, self.learned.alpha
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
            **settings: as of `learn`.
        """
        return cls(rules=learn(require_siblings("cluster_rules", pages), **settings))

    @cached_property
    def learned(self) -> BlockRules:
        """The rules, learned from the siblings unless passed as ``rules``."""
        if isinstance(self.rules, BlockRules):
            return self.rules
        if isinstance(self.rules, str):
            return BlockRules.from_json(_text_of(self.rules), self.rules)
        if self.rules is not None:
            raise OptionError(f"rules must be learned ones or a file's path, not {self.rules!r}")
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
        density = combined_density(page, blocks_of(page, self.blocks), alpha=self.alpha)
        cluster, similarity = rules.nearest(page)
        rule = rules.rules[cluster] if similarity >= self.threshold and cluster >= 0 else None
        row, why = self._content_block(page, rule, density)
        keep = np.zeros(len(page), dtype=bool)
        if row >= 0:
            keep[row : page.end[row]] = True
        by_rule = rule is not None and why != _DENSEST
        if rule is not None and by_rule:
            score = np.where(keep, np.float32(rule.support / rule.pages), np.float32(0))
        else:
            score = highest(page, density).astype(np.float32)
        code = np.where(keep, why, _OUTSIDE).astype(np.int8)
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
    ) -> tuple[int, int]:
        """Return the row of the content block, -1 for none, and the step that chose it."""
        if rule is not None and rule.features is not None:
            block = blocks_of(page, self.blocks)
            for why, rows in _matching(page, rule.features, block):
                if len(rows):
                    return int(rows[np.argmax(density[rows])]), why
        best = int(np.argmax(density))
        return (best if density[best] > 0 else -1), _DENSEST


def _text_of(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise OptionError(f"rules: {path} can't be read: {cause(error)}") from error


def _matching(
    page: Page, features: BlockFeatures, block: Mask
) -> list[tuple[int, NDArray[np.intp]]]:
    out = []
    named = ((_ID, "id", features.id), (_CLASS, "class", features.class_))
    for why, name, value in named:
        if value:
            having = [row for row, own in page.having(name) if _folded(own) == value]
            rows = np.array(having, dtype=np.intp)
            out.append((why, rows[block[rows]]))
    path = np.uint64(hash_of(features.path))
    return [*out, (_PATH, np.flatnonzero(block & (page.path_hash == path)))]
