"""Hashes of the texts of blocks, by which texts that return are found."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain
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
        texts = blocks.texts()
        masked = with_masked_numbers(texts)
        columns = (
            texts,
            masked,
            [t if len(t) < _SHORT else "<" + t[:EDGE] for t in masked],
            [t if len(t) < _SHORT else ">" + t[-EDGE:] for t in masked],
        )
        each = list(dict.fromkeys(chain(*columns)))  # most of them recur
        hashes = hashing.hash_strings(each).astype(np.uint32).tolist()
        of_text = dict(zip(each, hashes, strict=True)).__getitem__
        return cls(*(np.fromiter(map(of_text, one), np.uint32, len(one)) for one in columns))


def with_masked_numbers(texts: list[str]) -> list[str]:
    """Return each of some texts, whose white space is folded, with runs of digits masked.

    All at once: a folded text has no line break.
    """
    return _NUMBERS.sub("0", "\n".join(texts)).split("\n") if texts else []
