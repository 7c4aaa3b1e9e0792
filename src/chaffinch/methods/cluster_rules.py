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
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

from chaffinch.caching import cached_property
from chaffinch.errors import (
    OptionError,
    require_between,
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
from chaffinch.verdict import Method, Notes, Verdict
from chaffinch.wording import cause

_NO_PATH: Final = -1  # the path of a page without any block


def _paths(page: Page, blocks: Sequence[str]) -> list[int]:
    """Return the hashes of the paths of a page's blocks, each once; `_NO_PATH` for no block."""
    return [*dict.fromkeys(page.path_hash[blocks_of(page, blocks)].tolist())] or [_NO_PATH]


@dataclass(eq=False, slots=True)
class Cluster:
    """Pages that are alike."""

    pages: list[int] = field(default_factory=list)  # their places among all, in order
    counts: Counter[int] = field(default_factory=Counter)  # hash of path → pages that have it


def clustered(
    pages: Sequence[Page], *, threshold: float = 0.6, blocks: Sequence[str] = BLOCKS
) -> list[Cluster]:
    """Return pages grouped by likeness, one after the other; clusters in order of their first page.

    They are the same for the same pages in the same order.
    """
    paths_of = [_paths(page, blocks) for page in pages]
    frequency = Counter(chain.from_iterable(paths_of))
    having = defaultdict[int, list[int]](list)  # path → clusters with a page that has it
    found: list[Cluster] = []
    for place, paths in enumerate(paths_of):
        # A similarity of t needs t of the page's paths: of more than 1 - t of them one is there.
        rarest = sorted(paths, key=lambda path: (frequency[path], path))
        rarest = rarest[: int((1 - threshold) * len(paths) + 1e-9) + 1]
        joinable = sorted({one for path in rarest for one in having.get(path, ())})
        alike = {one: _similarity(paths, found[one]) for one in joinable}
        best = max(joinable, key=alike.__getitem__, default=-1)
        if best < 0 or alike[best] < threshold:
            best = len(found)
            found.append(Cluster())
        for path in paths:
            if path not in found[best].counts:
                having[path].append(best)
        found[best].counts.update(paths)
        found[best].pages.append(place)
    return found


def _similarity(paths: list[int], cluster: Cluster) -> float:
    common = sum(map(cluster.counts.__getitem__, paths))
    return common / (len(paths) * len(cluster.pages) + cluster.counts.total() - common)


CHOOSE_BY: Final = ("density", "support")

_LEAST_SHARE: Final = 0.1
"""Least share of a cluster's pages with a path that is kept to recognise it."""


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
    """How a cluster's pages are recognised, and which of their blocks is the content."""

    # of the content block; None where no page of the cluster has any
    features: BlockFeatures | None
    pages: int  # pages of the cluster
    support: int  # pages whose densest block has exactly these features
    paths: Mapping[int, float]  # hash of path → share of the pages that have it


@dataclass(frozen=True)
class BlockRules:
    """The rules of a site; rule k is that of cluster k.

    Attributes:
        rules: one for each cluster, in order of their first page.
        threshold, blocks, alpha: as of `ClusterRules`.
    """

    rules: tuple[BlockRule, ...]
    threshold: float
    blocks: tuple[str, ...]
    alpha: float

    def nearest(self, page: Page) -> tuple[int, float]:
        """Return the most similar cluster and the similarity, 0..1; -1 and 0 for none."""
        paths, best, highest = _paths(page, self.blocks), -1, 0.0
        for number, rule in enumerate(self.rules):
            common = sum(rule.paths.get(path, 0.0) for path in paths)
            alike = common / (len(paths) + sum(rule.paths.values()) - common)
            if alike > highest:
                best, highest = number, alike
        return best, highest

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
            require_between("threshold", saved["threshold"], 0, 1)
            require_between("alpha", saved["alpha"], 0, 10)
            require_blocks(saved["blocks"])
            return cls(rules, saved["threshold"], tuple(saved["blocks"]), saved["alpha"])
        except (ValueError, TypeError, KeyError, AttributeError, OptionError) as error:
            raise OptionError(f"{name} holds no rules of cluster_rules: {error}") from error


_KIND: Final = "chaffinch cluster rules"


def _folded(value: str) -> str:
    return " ".join(value.split())


_OUTSIDE, _ID, _CLASS, _PATH, _DENSEST = range(5)
"""The steps that decide; see `ClusterRules.reasons`."""


@dataclass(frozen=True, kw_only=True)
class ClusterNotes(Notes):
    """The cluster of a page, and what its rule stands on."""

    cluster: int | None  # number of its cluster; None where it belongs to none
    similarity: float  # to the nearest cluster, 0..1
    # pages of the cluster that support the rule; None where no rule found the block
    support: int | None
    pages: int | None  # pages of the cluster; None likewise


@dataclass(frozen=True, kw_only=True)
class ClusterRules(Method):
    """Content is the block that the rule of the page's cluster names, whole.

    Attributes:
        siblings: pages of the same site to learn from; unused with ``rules``.
        rules: rules learned before, or the path of a file of them (`chaffinch learn --method
            cluster_rules`). Then ``threshold``, ``blocks`` and ``alpha`` are those of the rules.
        threshold: least similarity (0..1) of a page to a cluster that it belongs to.
        blocks: tags that make blocks.
        alpha: how fast a block's density falls with the number of its descendants.
        choose_by: a cluster's rule is that of most ``support``, the number of pages, or of the
            largest sum of ``density``, as published.
    """

    siblings: Sequence[Page] = ()
    rules: BlockRules | str | None = None
    threshold: float = 0.6
    blocks: Sequence[str] = BLOCKS
    alpha: float = 0.3
    choose_by: str = "support"

    needs_siblings: ClassVar[bool] = True
    bounds: ClassVar = {"threshold": (0, 1), "alpha": (0, 10)}
    reasons: ClassVar[tuple[str, ...]] = (
        "outside the chosen block",
        "in the block of the rule's id",
        "in the block of the rule's class",
        "in the block of the rule's path",
        "no rule applies: in the densest block",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        require_blocks(self.blocks)
        require_one_of("choose_by", self.choose_by, CHOOSE_BY)
        object.__setattr__(self, "blocks", tuple(self.blocks))
        if self.rules is None:
            siblings = require_siblings("cluster_rules", self.siblings)
            object.__setattr__(self, "siblings", siblings)
            return
        object.__setattr__(self, "siblings", ())
        for name in ("threshold", "blocks", "alpha"):
            object.__setattr__(self, name, getattr(self.learned, name))

    @classmethod
    def learn(cls, pages: Sequence[Page], **settings: Any) -> Self:
        """Return the method with the rules of ``pages`` of one site, and without the pages."""
        return cls(rules=cls(siblings=pages, **settings).learned)

    @cached_property
    def learned(self) -> BlockRules:
        """The rules, learned from the siblings unless passed as ``rules``."""
        if isinstance(self.rules, BlockRules):
            return self.rules
        if isinstance(self.rules, str):
            return BlockRules.from_json(_text_of(self.rules), self.rules)
        if self.rules is not None:
            raise OptionError(f"rules must be learned ones or a file's path, not {self.rules!r}")
        clusters = clustered(self.siblings, threshold=self.threshold, blocks=self.blocks)
        rules = tuple(map(self._rule_of, clusters))
        return BlockRules(rules, self.threshold, tuple(self.blocks), self.alpha)

    def _rule_of(self, cluster: Cluster) -> BlockRule:
        sums, support = defaultdict[BlockFeatures, float](float), Counter[BlockFeatures]()
        for page in map(self.siblings.__getitem__, cluster.pages):
            density = combined_density(page, blocks_of(page, self.blocks), alpha=self.alpha)
            best = int(np.argmax(density)) if len(page) else -1
            if best >= 0 and density[best] > 0:
                features = BlockFeatures.of(page, best)
                sums[features] += float(density[best])
                support[features] += 1
        weights: Mapping[BlockFeatures, float] = support if self.choose_by == "support" else sums
        chosen = max(sums, key=weights.__getitem__, default=None)
        count = len(cluster.pages)
        shares = {path: total / count for path, total in cluster.counts.items()}
        paths = {path: round(share, 4) for path, share in shares.items() if share >= _LEAST_SHARE}
        return BlockRule(chosen, count, support[chosen] if chosen else 0, paths)

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
