"""Hashes of the texts of blocks, by which texts that return are found."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import hashing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.segment.text_blocks import TextBlocks

EDGE: Final = 12
"""Characters, numbers masked, of the beginning and the end by which texts are nearly the same."""

_NUMBERS: Final = re.compile(r"\d+")
_SHORT: Final = 2 * EDGE


@dataclass(frozen=True, eq=False)
class TextHashes:
    """Hashes of the texts of m blocks, each uint32[m].

    Attributes:
        verbatim: of the text, white space folded.
        masked: of the text with runs of digits masked.
        head, tail: of the first and last `EDGE` characters of the masked text; of the whole of it
            where it is less than twice as long.
    """

    verbatim: NDArray[np.uint32]
    masked: NDArray[np.uint32]
    head: NDArray[np.uint32]
    tail: NDArray[np.uint32]

    @classmethod
    def of(cls, blocks: TextBlocks) -> TextHashes:
        """Return the hashes of the texts of ``blocks``."""
        texts = list(blocks.texts())
        masked = [_NUMBERS.sub("0", text) for text in texts]
        known: dict[str, int] = {}
        return cls(
            _hashed(texts, known),
            _hashed(masked, known),
            _hashed([t if len(t) < _SHORT else "<" + t[:EDGE] for t in masked], known),
            _hashed([t if len(t) < _SHORT else ">" + t[-EDGE:] for t in masked], known),
        )


def _hashed(texts: list[str], known: dict[str, int]) -> NDArray[np.uint32]:
    """Return the hashes of texts; ``known`` has those of the same page, most of which recur."""
    hash_string = hashing.hash_string
    for text in texts:
        if text not in known:
            known[text] = hash_string(text) & 0xFFFFFFFF
    return np.array([known[text] for text in texts], dtype=np.uint32)
