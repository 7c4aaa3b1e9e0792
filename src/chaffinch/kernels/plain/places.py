"""Position of each block: in the page, in depth, after headings, and after the block before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from chaffinch.kernels.arrays import Codes, Depths, Floats, Mask, Places, Rows

_DEEP: Final = 64
"""Largest depth that counts; deeper nesting is seldom meant."""


def places(
    tag: Codes,
    depth: Depths,
    first: Rows,
    owner: Rows,
    media: Mask,
    level: Floats,
    first_level: int,
    out: Floats,
    /,
) -> tuple[Rows, int]:
    """Write where each of m blocks stands, and return the headings before them.

    Args:
        tag: uint16[n].
        depth: int16[n].
        first, owner: int32[m], the first row of each block and the block element around it.
        media: bool[tags], what counts between blocks.
        level: float32[tags], the level of a heading, 0 for other tags.
        first_level: the tag of the highest heading.
        out: float32[14, m], what is written to, all but its second column: position in 0..1;
            depth; steps in depth before and after; whether the owner is the same, before and after;
            the owner's level; blocks since the last heading, itself included; whether the highest
            heading is before, 2 where there is none, and how far; with 1 added, rows and media
            since the block before; levels that the path from that block goes up.

    Returns:
        int32[m], the last heading before each block, m where there is none; how many blocks stand
        before any.
    """
    numbers = np.arange(len(first))
    deep = depth[owner]
    out[0] = numbers
    out[0] /= len(first)
    np.minimum(deep, _DEEP, out=out[2], casting="unsafe")
    out[2] /= 16
    _write_steps(deep, owner, out[3:7])
    last = _write_headings(tag[owner], numbers, level, first_level, out[7:11])
    _write_gaps(media[tag], first, depth, deep, out[11:])
    heading = np.full(len(first), len(first), dtype=np.int32)
    np.copyto(heading[1:], last[:-1], casting="unsafe", where=last[:-1] >= 0)
    return heading, int(np.count_nonzero(last < 0))


def _write_steps(depth: Depths, owner: Rows, out: Floats) -> None:
    """Write steps in depth and whether the owner is the same, before and after each block."""
    step_before, step_after, same_before, same_after = out
    step_before[:1] = step_after[-1:] = same_before[:1] = same_after[-1:] = 0
    step = step_before[1:]
    np.subtract(depth[1:], depth[:-1], out=step, casting="unsafe")
    np.minimum(np.maximum(step, -8, out=step), 8, out=step)
    step /= 4
    step_after[:-1] = step
    same_before[1:] = same_after[:-1] = owner[1:] == owner[:-1]


def _write_headings(
    tag: Codes, numbers: Places, level_of: Floats, first_level: int, out: Floats
) -> Places:
    """Write levels of and distances to headings; return the last heading up to each block or -1."""
    level, distance, after_first, first_distance = out
    level[:] = level_of[tag]
    last = np.where(level > 0, numbers, -1)
    np.maximum.accumulate(last, out=last)
    np.subtract(numbers, last - 1, out=distance, casting="unsafe")
    first = np.flatnonzero(tag == first_level)
    if len(first):
        np.subtract(numbers, first[0], out=first_distance, casting="unsafe")
        first_distance /= len(numbers)
        np.sign(first_distance, out=after_first)
    else:
        first_distance[:], after_first[:] = 0, 2
    return last


def _write_gaps(media: Mask, first: Rows, depth: Depths, deep: Depths, out: Floats) -> None:
    """Write what lies between each block and the one before: rows, media, levels upwards."""
    gap, between, level = out
    before = np.add.accumulate(media, dtype=np.int32)[first]  # a first row is text
    gap[:1], between[:1] = first[0], before[0]
    gap[1:], between[1:] = first[1:] - first[:-1], before[1:] - before[:-1]
    out[:2] += 1
    level[:] = deep
    level[1:] -= np.minimum.reduceat(depth, first)[:-1]
    level /= 4
    np.minimum(np.maximum(level, -1, out=level), 4, out=level)
