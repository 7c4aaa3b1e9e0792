"""Passages that stand on the page more than once: copies for narrow screens, carousels, tabs.

A reader sees one of them at a time. The first copy stays. What repeats as a part of running text,
such as the same list under the headings of two days, is no copy: a copy has a box of its own.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask
    from chaffinch.segment.text_blocks import TextBlocks

_FEWEST: Final = 3
"""Blocks in a row that make a copy, but where single ones count: a slogan or a note may be meant to
come again. Chosen on folds of the training corpora (`python -m training.decoding`)."""
_LEAST: Final = 100
"""Characters of a copy."""
_EXEMPT: Final = tags.table(["pre", "table"])
_FLOW: Final = tags.table("p h2 h3 h4 h5 h6 ul ol dl blockquote".split())
"""What running text is made of."""
_SHORTEST: Final = ceil(_LEAST / _FEWEST / 2)
"""Written characters of a kept block that is long enough to carry a copy: lengths with white space
folded, of which they are at least half, take longer to count."""


def copies(blocks: TextBlocks, keep: Mask, *, single: bool = False) -> Mask:
    """Return bool[m]: kept blocks that repeat, in the same order, what was kept before.

    With ``single``, one long block is enough: shops tell a thing again for narrow screens. Without
    it, what repeats in running text stays.

    Code and data have their reasons to repeat: runs with a block in pre or a table don't count.
    """
    mask = np.zeros(len(blocks), dtype=bool)
    if not _any_repeats(blocks, keep):
        return mask
    kept = np.flatnonzero(keep)
    first: dict[str, int] = {}
    texts = _texts(blocks, kept)
    original = np.array([first.setdefault(text, at) for at, text in enumerate(texts)])
    again = original < np.arange(len(kept))
    follows = again[1:] & again[:-1] & (np.diff(original) == 1)
    run = np.cumsum(np.concatenate([[True], ~follows]))
    exempt = blocks.inside(_EXEMPT)[kept]
    count = int(run[-1]) + 1
    amount = np.bincount(run[again], minlength=count)
    size = np.bincount(run[again], weights=blocks.length[kept][again], minlength=count)
    copied = (amount >= (1 if single else _FEWEST)) & (size >= _LEAST)
    copied &= np.bincount(run[again & exempt], minlength=count) == 0
    if not single:
        first_row = blocks.first[kept]
        for number in np.flatnonzero(copied).tolist():
            at = int(np.argmax(again & (run == number)))
            copied[number] = not _flows_on(blocks.page, first_row[original[at]], first_row[at])
    mask[kept[again & copied[run]]] = True
    return mask


def _flows_on(page: Page, first: int, again: int) -> bool:
    """Tell whether what comes again is part of the text that the first telling stands in."""
    part = again
    for above in page.ancestors(again):
        if above <= first < page.end[above]:
            break
        part = above
    return bool(_FLOW[page.tag[part]])


def _any_repeats(blocks: TextBlocks, keep: Mask) -> bool:
    """Tell whether the text of a kept block that is not too short stands there twice."""
    before = blocks.page.written_before
    alike = kernels.recurring(before, blocks.first, blocks.last, keep, _SHORTEST)
    texts = _texts(blocks, alike)
    return len(set(texts)) < len(texts)


def _texts(blocks: TextBlocks, chosen: NDArray[np.integer]) -> list[str]:
    text_at, text = blocks.page.text_at, blocks.page.text
    start, stop = text_at[blocks.first[chosen]], text_at[blocks.last[chosen]]
    return [text[a:b].strip() for a, b in zip(start.tolist(), stop.tolist(), strict=True)]
