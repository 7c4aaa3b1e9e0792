"""Sibling subtrees: blocks that other pages of the same layer also have are noise.

Source: same-layer-similarity, section 3; steps and departures: docs/methods.md. Colour, font and
other attributes aren't compared, so that a subtree without text, such as a picture in a link, is
found wherever its tags are. A page of 1,070 rows takes about 7 ms against five siblings, most of it
VIPS; a sibling is prepared once for all pages, and those beyond ``max_siblings`` cost only the
tests for further parts and the comparison of addresses.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.caching import cached_property
from chaffinch.errors import LARGEST
from chaffinch.kernels.arrays import Floats, Reasons
from chaffinch.page import Page
from chaffinch.page_work import checked
from chaffinch.segment.vips import Vips
from chaffinch.siblings import require_siblings
from chaffinch.siblings.pagination import further_parts
from chaffinch.siblings.sibling_links import choose_references
from chaffinch.siblings.subtrees import (
    SubtreeIndex,
    SubtreeReason,
    SubtreeSearch,
    TextNumbers,
    node_string,
)
from chaffinch.verdict import Method, Notes, Verdict


@dataclass(frozen=True, kw_only=True)
class SubtreeNotes(Notes):
    """The comparison with the siblings, in numbers.

    Attributes:
        siblings: how many there are.
        compared: how many of them were compared.
        further_parts: addresses of those that are further parts of the same article, left out.
        subtrees: subtrees that the page was cut into.
        noise: those of them that are noise.
        gave_up: the step budget was spent, and some subtrees were not compared.
    """

    siblings: int
    compared: int
    further_parts: tuple[str, ...]
    subtrees: int
    noise: int
    gave_up: bool


@dataclass(frozen=True, kw_only=True)
class SiblingSubtrees(Method):
    """Content is the visual blocks that no other page of the same layer has.

    Attributes:
        siblings: pages of the same layer: children of one node of the site's navigation.
        alpha: least share (0..1) of a subtree's nodes that match.
        beta: least share (0..1) of its text, in characters.
        link_beta: the same for subtrees with more than half of their text in links, since lists of
            links change from page to page; None for ``beta``, as published.
        max_moves: subtrees that the matcher slides over at one mismatch, at most.
        pdoc: permitted degree of coherence of the blocks, 1 (coarse) to 10 (fine).
        min_siblings: a subtree is noise when so many siblings have it.
        max_siblings: of more siblings, so many are compared, the most similar by address.
    """

    siblings: Sequence[Page] = ()
    alpha: float = 0.8
    beta: float = 0.6
    link_beta: float | None = None
    max_moves: int = 3
    pdoc: int = 5
    min_siblings: int = 1
    max_siblings: int = 16

    needs_siblings: ClassVar[bool] = True
    bounds: ClassVar = {
        **dict.fromkeys(("alpha", "beta", "link_beta"), (0, 1)),
        **dict.fromkeys(("min_siblings", "max_siblings"), (1, LARGEST)),
        "pdoc": (1, 10),
    }
    reasons: ClassVar[tuple[str, ...]] = (
        "outside every visual block",
        "in no sibling, or in too few",
        "in a sibling, exactly",
        "in a sibling, more or less",
    )

    def __post_init__(self) -> None:
        siblings = require_siblings("sibling_subtrees", self.siblings)
        object.__setattr__(self, "siblings", siblings)
        super().__post_init__()

    def __call__(self, page: Page) -> Verdict:
        """Return the verdict on ``page``.

        The ``score`` of noise is 0; of other subtrees it is the share of their characters that the
        sibling which has most of them doesn't have anywhere, 1 where they have none.
        """
        if page.body < 0:
            return Verdict.empty(len(page))
        parts = further_parts(page, self.siblings)
        compared = self._compared(page, parts)
        chosen = [index for index in compared if len(self.siblings[index])]
        found = Vips(pdoc=self.pdoc)(page)
        roots = np.unique([row for leaf in found.leaves for row in found.roots(leaf)])
        roots = roots.astype(np.int64)
        search = self._searched(page, roots, chosen)
        whys, scores = _of_rows(page, roots, search.why, search.score())
        notes = SubtreeNotes(
            siblings=len(self.siblings),
            compared=len(compared),
            further_parts=tuple(
                self.siblings[index].url or f"sibling {index}"
                for index in np.flatnonzero(parts).tolist()
            ),
            subtrees=len(roots),
            noise=int((search.why > SubtreeReason.CONTENT).sum()),
            gave_up=search.budget.left <= 0,
        )
        return Verdict((whys == SubtreeReason.CONTENT) & page.shown, scores, whys, notes=notes)

    @cached_property
    def _prepared(self) -> tuple[TextNumbers, tuple[SubtreeIndex, ...]]:
        """The siblings as strings of nodes, and the texts they have."""
        texts: TextNumbers = {}
        strings = [node_string(page, texts, learn=True) for page in self.siblings]
        return texts, tuple(SubtreeIndex(string, texts) for string in strings)

    def _compared(self, page: Page, parts: NDArray[np.bool_]) -> list[int]:
        chosen: list[int] = np.flatnonzero(~parts).tolist()
        if len(chosen) > self.max_siblings:
            usable = [self.siblings[index] for index in chosen]
            choices = choose_references(page, usable, most=self.max_siblings)
            chosen = [chosen[choice.index] for choice in choices if choice]
        return chosen

    def _searched(self, page: Page, roots: NDArray[np.int64], chosen: list[int]) -> SubtreeSearch:
        texts, indexes = self._prepared
        linked = 2 * page.link_length[roots] > page.length[roots]
        link_beta = self.beta if self.link_beta is None else self.link_beta
        betas = np.where(linked, link_beta, self.beta)
        search = SubtreeSearch(node_string(page, texts, learn=False), roots, betas)
        for index in checked(chosen, every=1):
            search.search_in(indexes[index], self.alpha, self.max_moves)
            search.count(self.min_siblings)
        return search


def _of_rows(
    page: Page, roots: NDArray[np.int64], why: Reasons, score: Floats
) -> tuple[Reasons, Floats]:
    """Return int8[n] and float32[n]: of each row what the innermost subtree around it has, else 0.

    Args:
        page: the page.
        roots: int64[k], the first rows of subtrees, in order.
        why: int8[k], codes of `SubtreeReason`.
        score: float32[k] in 0..1.
    """
    is_root = np.zeros(len(page), dtype=bool)
    is_root[roots] = True
    root = kernels.nearest(page.parent, is_root)
    inside = root >= 0
    subtree = np.searchsorted(roots, root[inside])
    whys = np.zeros(len(page), dtype=np.int8)
    scores = np.zeros(len(page), dtype=np.float32)
    whys[inside], scores[inside] = why[subtree], score[subtree]
    return whys, scores
