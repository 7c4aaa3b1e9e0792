"""Features of a block's own text, in any script, and its overlap with the page's head."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from chaffinch import kernels
from chaffinch.kernels.codes import TEXT_COLUMNS
from chaffinch.model import writing_systems
from chaffinch.model.head_signals import read_head_signals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page.arrays import Floats
    from chaffinch.segment.text_blocks import TextBlocks

NAMES: Final = TEXT_COLUMNS
_AT: Final = {name: number for number, name in enumerate(NAMES)}
_LOGS: Final = slice(_AT["log_units"], _AT["log_units_after"] + 1)
_BESIDE: Final = slice(_AT["log_units_before"], _AT["log_units_after"] + 1)
_LONG: Final = np.float32(5.0)


class TextFeatures(NamedTuple):
    """What comes with the text features of m blocks.

    Attributes:
        sums: int32[3, m], units, units in links, and marks that end a sentence.
        units: float32[m], words (characters in scripts without spaces), at least 1.
        words: uint16[words.SLOTS, m], buckets of the words at the start of each block.
        facts: float32[len(head_signals.FACTS)].
    """

    sums: NDArray[np.int32]
    units: Floats
    words: NDArray[np.uint16]
    facts: Floats


def read(blocks: TextBlocks, out: Floats) -> TextFeatures:
    """Write the text features of m ``blocks`` to float32[len(NAMES), m]."""
    page = blocks.page
    head = read_head_signals(page)
    sums = np.empty((3, out.shape[1]), dtype=np.int32)
    firsts = kernels.text_features(
        page.text,
        head.title,
        head.description,
        head.body,
        writing_systems.kinds_table(),
        writing_systems.letter_hashes(),
        page.written_before,
        page.text_at,
        page.in_link,
        blocks.first,
        blocks.last,
        out,
        sums,
    )
    logs = out[_LOGS]
    np.log(logs, out=logs)
    beside = out[_BESIDE]
    beside /= _LONG
    return TextFeatures(sums, sums[0].astype(np.float32), firsts, head.facts)
