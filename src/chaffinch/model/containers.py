"""Features of the containers above each block, each of which holds more blocks than the last."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.kernels.codes import CONTAINER_LEVELS as LEVELS
from chaffinch.kernels.codes import NEAR_ROWS as NEAR
from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.kernels.plain.containers import Containers
    from chaffinch.model.ancestors import Ancestors
    from chaffinch.page.arrays import Floats

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


def read(above: Ancestors, sums: NDArray[np.int32], out: Floats) -> Containers:
    """Return the containers among the elements ``above`` blocks, and write what they hold.

    Args:
        above: the elements above m blocks.
        sums: int32[3, m], units of text, units in links, and marks that end a sentence.
        out: float32[len(NAMES), m], what to write to.
    """
    blocks, page = above.blocks, above.blocks.page
    given = page.tag, page.parent, page.end, blocks.first, blocks.owner
    elements = above.begun, above.place, above.up, above.rows
    around = kernels.containers(*given, *elements, sums, _KINDS, out)
    logs = out[: LEVELS * len(_LOGS)]
    np.log(logs, out=logs)
    return around


__all__ = ["LEVELS", "NAMES", "NEAR", "read"]
