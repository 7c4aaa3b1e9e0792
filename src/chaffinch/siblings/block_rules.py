"""Clusters of pages with the same template, and a rule for the content block of each.

Clusters of pages with the same template, by the sets of their blocks' tag paths.

Source: page-clustering. Its section that defines a page's set of paths and the similarity of two
sets is missing in the text at hand; this is the project's choice:

- A page is the set of the tag paths of its blocks (`BLOCKS`), or, with ``counts``, how often each
  occurs.
- A cluster is the mean of its pages: of each path the share of pages that have it, or the mean of
  its counts.
- Similarity is that of Jaccard for such vectors: sum of minima / sum of maxima. For a cluster of
  one page and without counts it is common paths / all paths.
- Pages are taken in order; each joins the most similar cluster (the oldest of those
  equally similar) or, where none reaches ``threshold``, opens one. So the order matters a little.

Cost: a page is compared only with clusters that share one of its rarest paths: all others can't
reach the threshold (prefix filtering: Chaudhuri, Ganti, Kaushik, ICDE 2006). Time grows with the
number of pages and hardly with the number of clusters; ``bench/papers/page_clustering.py``.

Rules for the content block of each cluster of pages: one rule a cluster, as data.

Source: page-clustering, section 5.2 and algorithm 2. Of each page the block of the highest H(b) is
taken, with its features L = (id, class, path); H is summed by L over the cluster's pages, and the L
with the largest sum is the rule.

The sum favours small blocks, whose H is high, even where a larger one is the densest on more pages;
``choose_by="support"`` counts pages instead.

Readings: two L are the same where all three features are; an attribute that is absent or blank
counts as absent; of equal sums the L that was met first wins.

The envelope names the kind and the version of the format; keys are sorted, a path and its share
are on one line. Invalid rules raise a `RulesError` that names the place.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from chaffinch.errors import (
    OptionError,
    RulesError,
    require_between,
    require_flag,
    require_one_of,
    require_whole,
)
from chaffinch.page import Page
from chaffinch.page.arrays import Rows
from chaffinch.page.selectors import hashes_of, tag_paths
from chaffinch.page.urls import host_name
from chaffinch.segment.densities import BLOCKS, blocks_of, combined_density, require_blocks
from chaffinch.storage import read_json, require_field

_NO_PATH = -1  # the path of a page without any block


@dataclass(frozen=True, kw_only=True)
class Likeness:
    """Settings of the clustering: how similar pages of one cluster are, and by which blocks.

    Attributes:
        threshold: least similarity (0..1) of a page to a cluster that it joins.
        counts: compare how often paths occur, not only whether they do.
        blocks: tags that make blocks.

    Raises:
        OptionError: a value is impossible.
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


@dataclass(frozen=True, eq=False)
class Clusters:
    """Pages grouped by likeness; k clusters in order of their first page.

    Attributes:
        cluster: int32[pages], the cluster of each page, from 0.
        size: int32[k], pages of each.
        means: of each cluster, hash of path → mean over its pages, above 0.
    """

    cluster: Rows
    size: Rows
    means: tuple[Mapping[int, float], ...]

    def __post_init__(self) -> None:
        for column in (self.cluster, self.size):
            column.flags.writeable = False

    def __len__(self) -> int:
        return len(self.means)

    def pages_of(self, cluster: int) -> NDArray[np.intp]:
        """Return the positions of a cluster's pages among all pages, in order."""
        return np.flatnonzero(self.cluster == cluster)


def cluster_pages(pages: Iterable[Page], *, likeness: Likeness | None = None) -> Clusters:
    """Group ``pages`` by likeness, one after the other.

    Returns:
        The clusters; the same for the same pages in the same order.
    """
    likeness = likeness or Likeness()
    vectors = [likeness.paths(page) for page in pages]
    growing = _Growing(likeness.threshold, Counter(path for paths in vectors for path in paths))
    cluster = np.array([growing.add(paths) for paths in vectors], dtype=np.int32)
    size = np.array(growing.sizes, dtype=np.int32)
    means = tuple(
        {path: total / count for path, total in sums.items()}
        for sums, count in zip(growing.sums, growing.sizes, strict=True)
    )
    return Clusters(cluster, size, means)


def similarity(paths: Mapping[int, float], mean: Mapping[int, float]) -> float:
    """Return the sum of minima / sum of maxima of two vectors, 0..1."""
    common = sum(min(value, mean.get(path, 0.0)) for path, value in paths.items())
    return common / (sum(paths.values()) + sum(mean.values()) - common)


class _Growing:
    """Clusters while pages are added.

    Attributes:
        sums: of each cluster, path → sum over its pages.
        sizes: pages of each.
        having: path → clusters with a page that has it.
    """

    def __init__(self, threshold: float, frequency: Mapping[int, int]) -> None:
        self.threshold = threshold
        self.frequency = frequency
        self.sums: list[dict[int, float]] = []
        self.sizes: list[int] = []
        self.weights: list[float] = []
        self.having: dict[int, list[int]] = {}

    def add(self, paths: Mapping[int, float]) -> int:
        """Return the cluster that a page joins or opens."""
        weight = sum(paths.values())
        best, best_similarity = len(self.sums), -1.0
        for cluster in sorted(self._joinable(paths, weight)):
            value = self._similarity(paths, weight, cluster)
            if value >= self.threshold and value > best_similarity:
                best, best_similarity = cluster, value
        if best == len(self.sums):
            self.sums.append({})
            self.sizes.append(0)
            self.weights.append(0.0)
        sums = self.sums[best]
        for path, value in paths.items():
            if path not in sums:
                self.having.setdefault(path, []).append(best)
                sums[path] = 0.0
            sums[path] += value
        self.sizes[best] += 1
        self.weights[best] += weight
        return best

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
        sums, size = self.sums[cluster], self.sizes[cluster]
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


KIND: Final = "chaffinch cluster rules"
VERSION: Final = 1


def to_text(rules: BlockRules) -> str:
    """Return the rules as JSON; the same for the same rules."""
    clusters = []
    for rule in rules.rules:
        own = {name: getattr(rule, name) for name in ("pages", "support", "density")}
        clusters.append(own | {"paths": dict(rule.paths)})
        if one := rule.features:
            clusters[-1]["content"] = {"id": one.id, "class": one.class_, "path": one.path}
    likeness = rules.likeness
    envelope = {
        "kind": KIND,
        "version": VERSION,
        "site": rules.site,
        "date": rules.date,
        "pages": rules.pages,
        "alpha": rules.alpha,
        "threshold": likeness.threshold,
        "counts": likeness.counts,
        "blocks": list(likeness.blocks),
        "clusters": clusters,
    }
    return json.dumps(envelope, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def from_text(text: str) -> BlockRules:
    """Return the rules that ``text`` holds.

    Raises:
        RulesError: it isn't JSON, of another kind or version, or something in it is missing or
            impossible.
    """
    try:
        saved = read_json(text)
    except ValueError as error:
        raise RulesError(f"the rules are not JSON: {error}") from error
    if not isinstance(saved, dict) or saved.get("kind") != KIND:
        raise RulesError(f"not a file of {KIND}")
    if saved.get("version") != VERSION:
        raise RulesError(f"rules of version {saved.get('version')!r}; this reads {VERSION}")
    where = "the rules"
    try:
        require_between("alpha", saved.get("alpha"), 0, 10)
        likeness = Likeness(
            threshold=saved.get("threshold", ""),
            counts=saved.get("counts", ""),
            blocks=saved.get("blocks", ""),
        )
        rules = []
        for number, one in enumerate(require_field(saved, "clusters", list)):
            where = f"cluster {number}"
            rules.append(_read(one, where))
        where = "the rules"
        site, date = (require_field(saved, name, str) for name in ("site", "date"))
    except (OptionError, ValueError) as error:
        raise RulesError(f"{where}: {error}") from error
    return BlockRules(tuple(rules), likeness, saved["alpha"], site, date)


def _read(saved: Any, where: str) -> BlockRule:
    features, paths = None, require_field(saved, "paths", dict)
    if "content" in saved:
        content = require_field(saved, "content", dict)
        try:
            features = BlockFeatures(
                *(require_field(content, key, str) for key in ("id", "class", "path"))
            )
        except ValueError as error:
            raise ValueError(f"content of {where}: {error}") from error
    for name, value in (("density", saved.get("density")), *paths.items()):
        require_between(name, value, 0)
    require_whole(f"pages of {where}", saved.get("pages"), 1)
    pages = int(saved["pages"])
    require_whole(f"support of {where}", saved.get("support"), 0, pages)
    numbers = pages, int(saved["support"]), float(saved["density"])
    named = ((path, float(share)) for path, share in paths.items())
    return BlockRule(features, *numbers, tuple(sorted(named)))
