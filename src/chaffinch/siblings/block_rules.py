"""Rules for the content block of each cluster of pages: one rule a cluster, as data.

Source: page-clustering, section 5.2 and algorithm 2. Of each page the block of the highest H(b) is
taken, with its features L = (id, class, path); H is summed by L over the cluster's pages, and the L
with the largest sum is the rule.

The sum favours small blocks, whose H is high, even where a larger one is the densest on more pages;
``choose_by="support"`` counts pages instead.

Readings: two L are the same where all three features are; an attribute that is absent or blank
counts as absent; of equal sums the L that was met first wins.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.errors import require_between, require_one_of
from chaffinch.page.selectors import hashes_of, tag_paths
from chaffinch.page.urls import host_name
from chaffinch.segment.densities import blocks_of, combined_density
from chaffinch.siblings.clusters import Likeness, cluster_pages, similarity

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from chaffinch.page import Page

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
    def of(cls, page: Page, row: int) -> BlockFeatures:
        """Return the features of the block ``row``."""
        own, named = page.attribute(row, "id"), page.attribute(row, "class")
        return cls(folded(own or ""), folded(named or ""), page.tag_path(row))


@dataclass(frozen=True)
class BlockRule:
    """How a cluster's pages are recognised, and which of their blocks is the content.

    Attributes:
        features: of the content block; None where no page of the cluster has any.
        pages: pages of the cluster.
        support: pages whose densest block has exactly these features.
        density: sum of H over those.
        paths: (tag path, share of the pages that have it, or mean count), in order of the path.
    """

    features: BlockFeatures | None
    pages: int
    support: int
    density: float
    paths: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class BlockRules:
    """The rules of a site; rule k is that of cluster k.

    Attributes:
        rules: one for each cluster, in order of their first page.
        likeness: settings of the clustering.
        alpha: exponent of the number of descendants in H.
        site: host that all the pages have; "" where they differ or none is known.
        date: when the rules were learned, ISO 8601; "" if unknown.
    """

    rules: tuple[BlockRule, ...]
    likeness: Likeness
    alpha: float
    site: str = ""
    date: str = ""

    def __post_init__(self) -> None:
        hashes = iter(hashes_of(path for rule in self.rules for path, _ in rule.paths))
        means = tuple({next(hashes): share for _, share in rule.paths} for rule in self.rules)
        object.__setattr__(self, "_means", means)

    @property
    def pages(self) -> int:
        """How many pages were learned from."""
        return sum(rule.pages for rule in self.rules)

    def nearest(self, page: Page) -> tuple[int, float]:
        """Return the most similar cluster and the similarity, 0..1; -1 and 0 for none."""
        paths = self.likeness.paths(page)
        found = [similarity(paths, mean) for mean in self.__dict__["_means"]]
        best = int(np.argmax(found)) if found else -1
        return (best, found[best]) if found and found[best] > 0 else (-1, 0.0)

    def density(self, page: Page) -> NDArray[np.float64]:
        """Return float64[n]: H of each block of ``page``, 0 of all other rows."""
        return combined_density(page, blocks_of(page, self.likeness.blocks), alpha=self.alpha)


def learn(
    pages: Sequence[Page],
    *,
    likeness: Likeness | None = None,
    alpha: float = 0.3,
    choose_by: str = "density",
    date: str = "",
) -> BlockRules:
    """Cluster ``pages`` and return the rule of each cluster.

    Args:
        pages: pages of one site.
        likeness: settings of the clustering.
        alpha: exponent of the number of descendants in H.
        choose_by: ``density``, the largest sum of H, or ``support``, the most pages.
        date: stored with the rules, ISO 8601.

    Raises:
        OptionError: ``choose_by`` or ``alpha`` is impossible.
    """
    require_between("alpha", alpha, 0, 10)
    require_one_of("choose_by", choose_by, CHOOSE_BY)
    likeness = likeness or Likeness()
    clusters = cluster_pages(pages, likeness=likeness)
    rules = []
    for number, mean in enumerate(clusters.means):
        members = [pages[place] for place in clusters.pages_of(number).tolist()]
        rules.append(_rule(members, mean, likeness, alpha, by_support=choose_by == "support"))
    hosts = {host_name(page.url) for page in pages}
    return BlockRules(tuple(rules), likeness, alpha, hosts.pop() if len(hosts) == 1 else "", date)


def _rule(
    members: Sequence[Page],
    means: Mapping[int, float],
    likeness: Likeness,
    alpha: float,
    *,
    by_support: bool,
) -> BlockRule:
    sums: dict[BlockFeatures, float] = {}
    support: dict[BlockFeatures, int] = {}
    for page in members:
        density = combined_density(page, blocks_of(page, likeness.blocks), alpha=alpha)
        best = int(np.argmax(density)) if len(page) else -1
        if best >= 0 and density[best] > 0:
            features = BlockFeatures.of(page, best)
            sums[features] = sums.get(features, 0.0) + float(density[best])
            support[features] = support.get(features, 0) + 1
    chosen = max(sums, key=(support if by_support else sums).__getitem__, default=None)
    mean = {path: share for path, share in means.items() if share >= _LEAST_SHARE}
    paths = tuple(sorted((name, round(mean[path], 4)) for path, name in _named(members, mean)))
    return BlockRule(
        chosen,
        len(members),
        support[chosen] if chosen else 0,
        round(sums[chosen], 6) if chosen else 0.0,
        paths,
    )


def _named(pages: Iterable[Page], wanted: Iterable[int]) -> list[tuple[int, str]]:
    """Return (hash, tag path) of each of ``wanted`` that one of the pages has."""
    missing = set(wanted)
    found: list[tuple[int, str]] = []
    for page in pages:
        if not missing:
            break
        hashes, rows = np.unique(page.path_hash, return_index=True)
        here = {
            path: row
            for path, row in zip(hashes.tolist(), rows.tolist(), strict=True)
            if path in missing
        }
        missing -= here.keys()
        found += zip(here, tag_paths(page, here.values()), strict=True)
    return found


def folded(value: str) -> str:
    """Return an attribute's value with white space folded, as features hold it."""
    return " ".join(value.split())
