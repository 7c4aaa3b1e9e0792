"""The containers above each block, each with more blocks than the one before: what they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from chaffinch.kernels import kernels
from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.model.ancestors import Ancestors
    from chaffinch.page.arrays import Floats, Rows

NEAR: Final = 4
"""Rows near a block whose names are read one by one."""
LEVELS: Final = 4
"""Containers looked at above each block."""
_LOGS: Final = (
    "log_blocks log_units log_units_a_block log_ends_a_block"
    " links media controls paragraphs headings items times bars"
).split()
_SHARES: Final = "link_share page_share place".split()
NAMES: Final = tuple(f"{name}_{level}" for name in (*_LOGS, *_SHARES) for level in range(LEVELS))
"""Columns of `read`."""
_KINDS: Final = tags.kinds(
    "a",
    "img picture video audio iframe svg canvas object embed",
    "input button select textarea form label",
    "p blockquote pre",
    "h1 h2 h3 h4 h5 h6",
    "li dt dd tr option",
    "time address",
    "nav aside footer header",
)
_CHAIN: Final = 5
"""Rounds of doubling: wrappers of wrappers are skipped up to 32 deep."""


class Containers(NamedTuple):
    """The containers of m blocks, from the inside out.

    First the outermost row that holds no more blocks than the owner, then, level by level, the
    outermost row that holds no more than the parent of the one before.

    Attributes:
        rows: int32[LEVELS, m], the containers.
        low, high: int32[LEVELS, m], their blocks: low:high.
        near: int32[m, NEAR], the element of each block's first text, its owner, the parent of that,
            and the container of level 1.
    """

    rows: Rows
    low: Rows
    high: Rows
    near: Rows


def read(above: Ancestors, sums: NDArray[np.int32], out: Floats) -> Containers:
    """Return the containers among the elements ``above`` blocks, and write what they hold.

    Args:
        above: the elements above m blocks.
        sums: int32[3, m], units of text, units in links, and marks that end a sentence.
        out: float32[len(NAMES), m], what to write to.
    """
    blocks, page = above.blocks, above.blocks.page
    rows, low, high = np.empty((3, LEVELS, len(blocks)), dtype=np.int32)
    around = Containers(rows, low, high, np.empty((len(blocks), NEAR), dtype=np.int32))
    if compiled := kernels():
        compiled.containers(
            *(page.tag, page.parent, page.end, blocks.first, blocks.owner),
            *(above.begun, above.place, above.up, above.rows, sums, _KINDS),
            *(rows, low, high, around.near, out),
        )
    else:
        _find(above, around)
        _write_held(above, around, sums, out)
    logs = out[: LEVELS * len(_LOGS)]
    np.log(logs, out=logs)
    return around


def _find(above: Ancestors, out: Containers) -> None:
    """Write the containers."""
    blocks, page, begun = above.blocks, above.blocks.page, above.begun
    held = begun[page.end[above.rows]] - begun[above.rows]
    top = np.where(held[above.up] == held, above.up, np.arange(len(above.rows), dtype=np.int32))
    for _ in range(_CHAIN):
        top = top.take(top)
    further = top[above.up]
    found = top[above.place[blocks.owner]]
    for row in out.rows:
        row[:] = above.rows[found]
        found = further[found]
    out.low[:], out.high[:] = begun[out.rows], begun[page.end[out.rows]]
    element, owner, over, container = out.near.T
    element[:], owner[:] = np.maximum(page.parent[blocks.first], 0), blocks.owner
    over[:], container[:] = np.maximum(page.parent[owner], 0), out.rows[1]


def _write_held(above: Ancestors, around: Containers, sums: NDArray[np.int32], out: Floats) -> None:
    """Write what the containers hold: shares, and counts with 1 added."""
    page = above.blocks.page
    count = sums.shape[1]
    rows, low, high = around.rows.ravel(), around.low.ravel(), around.high.ravel()
    by_name = out.reshape(-1, LEVELS * count)
    logs, shares = by_name[: len(_LOGS)], by_name[len(_LOGS) :]
    before = np.zeros((len(sums), count + 1), dtype=np.int32)
    np.add.accumulate(sums, axis=1, out=before[:, 1:])
    amount, units = logs[0], logs[1]
    amount[:] = high - low
    units[:], shares[0], logs[3] = before.take(high, axis=1) - before.take(low, axis=1)
    np.divide(units, amount, out=logs[2])
    logs[3] /= amount
    shares[0] /= units
    np.divide(units, np.float32(before[0, -1]), out=shares[1])
    shares[2].reshape(LEVELS, count)[:] = np.arange(count) - around.low
    shares[2] /= amount
    kinds = np.zeros((_KINDS.shape[1], len(page) + 1), dtype=np.int32)
    np.add.accumulate(_KINDS.T.take(page.tag, axis=1), axis=1, out=kinds[:, 1:])
    logs[4:] = kinds.take(page.end[rows], axis=1) - kinds.take(rows, axis=1)
    logs += 1
