"""Clusters of pages with the same template, by the sets of their blocks' tag paths.

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
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chaffinch.errors import require_between, require_flag
from chaffinch.segment.densities import BLOCKS, blocks_of, require_blocks

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Rows

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
