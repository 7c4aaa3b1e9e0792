"""Runs of dense lines: where text is dense, by lines alone, without the tree.

Source: the line-block distribution (Chen Xin 2009 to 2011, 基于行块分布函数的通用网页正文抽取;
program cx-extractor). The block at line i is the lines i to i + width - 1, its length their
characters without white space.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

WIDTH: Final = 3
"""Lines in a block, as published."""

THRESHOLD: Final[float] = 86
"""Characters of a block at which content starts, for a page in Chinese: the program's figure."""

OTHER_SCRIPTS: Final[float] = 2
"""How many times as high the threshold is without Chinese: docs/methods/line_blocks.md."""

END_BLOCKS: Final = 2
"""So many empty blocks in a row end a run, as published."""

_FOLLOWING: Final = 3  # blocks after the first, of which one mustn't be empty: the program's figure


def scaled_threshold(threshold: float, wide_share: float, other_scripts: float) -> float:
    """Return ``threshold`` for a page with this share of Chinese, Japanese and Korean characters.

    Other scripts need ``other_scripts`` times as many characters for the same content.
    """
    return threshold * (wide_share + (1 - wide_share) * other_scripts)


def block_lengths(length: NDArray[np.int64], width: int) -> NDArray[np.int64]:
    """Return int64[m]: characters of the block at each line, the line and ``width`` - 1 after it.

    Blocks at the end have fewer lines.
    """
    total = np.zeros(len(length) + 1, dtype=np.int64)
    np.cumsum(length, out=total[1:])
    stop = np.minimum(np.arange(len(length)) + width, len(length))
    return total[stop] - total[:-1]


def dense_runs(
    block: NDArray[np.int64], *, threshold: float, end_blocks: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the runs of lines that are content, as half-open ranges in order.

    Args:
        block: int64[m], length of the block at each line.
        threshold: a run starts at the first block above it that one of the next three follows.
        end_blocks: a run ends at the first of so many empty blocks; past the last line all are.

    Returns:
        Starts and stops, intp[r] each.
    """
    count = len(block)
    empty = np.append(block == 0, np.ones(end_blocks + _FOLLOWING, dtype=bool))
    ends = _all_of_window(empty, end_blocks)[: count + 1]
    followed = ~_all_of_window(empty[1:], _FOLLOWING)[:count]
    may_start = np.flatnonzero((block > threshold) & followed)
    stops = np.flatnonzero(ends)
    stop = stops[np.searchsorted(stops, may_start)]
    run_stops, first = np.unique(stop, return_index=True)
    return may_start[first], run_stops


def _all_of_window(flags: NDArray[np.bool_], width: int) -> NDArray[np.bool_]:
    """Return bool: whether ``width`` flags are set from each position that has so many."""
    counts = np.append(0, np.cumsum(flags))
    full: NDArray[np.bool_] = counts[width:] - counts[:-width] == width
    return full
