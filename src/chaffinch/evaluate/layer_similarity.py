"""How alike pages of one layer of a site are: the measure of same-layer-similarity's Table 1.

Source: same-layer-similarity, section 2.2. Head, navigation, foot and advertisements of a page are
compared with those of another page of its layer; each that is alike scores 1, and the similarity is
the sum of scores over the most that it could be.

Departures, as the source scored by eye:

- The parts are blocks of VIPS: head and foot are the first and the last block of noise with text,
  navigation is the one with the most links, advertisements are those without text but with a
  picture, frame or script. What is noise on a page without labels is what the default method drops.
- A part is alike when half of its nodes or more are matched in the other page by `SiblingSubtrees`:
  by tags alone, as for the eye, and by tags and text.
- A part that a page doesn't have isn't scored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from chaffinch.kernels.arrays import Mask
from chaffinch.methods.layout_similarity import LayoutNotes, LayoutSimilarity
from chaffinch.methods.learned import Learned
from chaffinch.methods.sibling_subtrees import SiblingSubtrees
from chaffinch.page import Page
from chaffinch.segment.vips import Segmentation, Vips
from chaffinch.siblings.sibling_links import choose_references, common_paths

PARTS: Final = ("head", "navigation", "foot", "advertisements")
"""Parts of a page that pages of one layer have in common."""
_ALIKE: Final = 0.5
"""Share of a part's nodes that must be matched; and of a block's text, dropped, to be noise."""
_MATCHED: Final = 2  # from this reason of `SiblingSubtrees` on a row is matched in a sibling
_PICTURES: Final = ("img", "iframe", "script", "ins", "object", "embed")

Alike = list[tuple[str, bool]]
"""Of each part that a page has: its name, and whether another page has it, too."""


@dataclass(frozen=True)
class PageLikeness:
    """How alike a page is to others of its layer."""

    # the pages that it was compared with, by their places; the most similar ones first
    others: tuple[int, ...]
    tags: Alike  # its parts beside each of them by tags alone
    texts: Alike  # the same by tags and text
    # mean share (0..1) of the tag paths of two pages that both have; None without others
    paths: float | None
    # share (0..1) of its nodes that the first of the others has, too, as layout_similarity compares
    # them; None without others
    equal: float | None


def layer_similarity(pages: Sequence[Page], *, most: int = 4) -> list[PageLikeness]:
    """Return how alike each page is to ``most`` of the others that are nearest by address.

    Those of other hosts, and further parts of the same article, aren't compared.
    """
    return [_likeness(pages, place, most) for place in range(len(pages))]


def _likeness(pages: Sequence[Page], place: int, most: int) -> PageLikeness:
    page = pages[place]
    others = [number for number in range(len(pages)) if number != place]
    chosen = choose_references(page, [pages[number] for number in others], most=most)
    found = tuple(others[one.index] for one in chosen if one)
    if not found:
        return PageLikeness((), [], [], None, None)
    blocks = Vips()(page)
    parts = parts_of(blocks, noise_of(blocks, Learned()(page).keep))
    siblings = [pages[number] for number in found]
    return PageLikeness(
        found,
        [pair for one in siblings for pair in alike_parts(page, one, parts, beta=0.0)],
        [pair for one in siblings for pair in alike_parts(page, one, parts)],
        float(np.mean([common_paths(page, one) for one in siblings])),
        _equal_share(page, siblings[0]),
    )


def noise_of(blocks: Segmentation, keep: Mask) -> Mask:
    """Return bool[leaves]: blocks of which at most half of the text is kept, by bool[n]."""
    page, out = blocks.page, []
    kept = np.where(keep, page.own_length, 0)
    for leaf in blocks.leaves.tolist():
        rows = _rows_below(page, blocks.roots(leaf).tolist())
        out.append(kept[rows].sum() <= _ALIKE * page.own_length[rows].sum())
    return np.array(out, dtype=bool)


def parts_of(blocks: Segmentation, noise: Mask) -> dict[str, list[int]]:
    """Return the roots of head, navigation, foot and advertisements, where a page has them.

    ``noise`` is bool[leaves]: which of the leaves are noise.
    """
    page, leaves = blocks.page, blocks.leaves.tolist()
    links, pictures = page.total(page.is_tag("a")), page.total(page.is_tag(*_PICTURES))
    roots = {leaf: blocks.roots(leaf) for leaf in leaves}
    noisy = [leaf for leaf, is_noise in zip(leaves, noise, strict=True) if is_noise]
    worded = [leaf for leaf in noisy if page.length[roots[leaf]].sum()]
    bare = [k for k in leaves if not page.length[roots[k]].sum() and pictures[roots[k]].sum()]
    out: dict[str, list[int]] = {}
    if worded:
        linked = max(worded, key=lambda leaf: links[roots[leaf]].sum())
        out = {"head": [worded[0]], "navigation": [linked], "foot": [worded[-1]]}
    out |= {"advertisements": bare} if bare else {}
    return {name: [r for k in some for r in roots[k].tolist()] for name, some in out.items()}


def alike_parts(
    page: Page, sibling: Page, parts: Mapping[str, Sequence[int]], *, beta: float | None = None
) -> Alike:
    """Return which parts of a page, named with their roots, another page has, too.

    ``beta`` is the least share of the text that must match; None for the method's own, 0 for tags
    alone.
    """
    method = SiblingSubtrees(siblings=(sibling,))
    if beta is not None:
        method = replace(method, beta=beta)
    matched = method(page).why >= _MATCHED
    return [
        (name, bool(matched[_rows_below(page, roots)].mean() >= _ALIKE))
        for name, roots in parts.items()
    ]


def _rows_below(page: Page, roots: Sequence[int]) -> list[int]:
    return [row for root in roots for row in range(root, int(page.end[root]))]


def _equal_share(page: Page, sibling: Page) -> float | None:
    notes = LayoutSimilarity(siblings=(sibling,))(page).notes
    if not isinstance(notes, LayoutNotes) or not notes.compared_nodes:
        return None
    return notes.equal_nodes / notes.compared_nodes
