"""The result of one method on the page's text blocks: its column of a comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.extraction.extract import Extract
    from chaffinch.page.arrays import Mask, Rows
    from chaffinch.result import Verdict
    from chaffinch.segment.text_blocks import TextBlocks

STATES: Final = ("dropped", "partly kept", "kept")
"""States of a block, by the kept share of its characters: 0, below 1, and 1."""


@dataclass(frozen=True, eq=False)
class MethodColumn:
    """One method's verdict on a page of n rows and m text blocks.

    Attributes:
        name: of the method.
        kept: bool[n], text rows that outputs show.
        rows: how many rows outputs show, elements included.
        length: characters kept, white space folded.
        share: their share (0..1) of the page's shown text; 0 on a page without.
        milliseconds: time of one call, parsing left out.
        verdict: the verdict, for its facts.
        embedded: characters of content that is only in the page's embedded data.
        kept_share: float64[m] in 0..1, kept share of the characters of each block.
        score: float32[m] in 0..1, the method's score of each block's longest text row.
        reasons: m reasons, of the same rows.
    """

    name: str
    kept: Mask
    rows: int
    length: int
    share: float
    milliseconds: float
    verdict: Verdict
    embedded: int
    kept_share: NDArray[np.float64]
    score: NDArray[np.float32]
    reasons: tuple[str, ...]

    @property
    def keep(self) -> Mask:
        """bool[m]: blocks of which at least half the characters are kept."""
        return self.kept_share >= 0.5  # noqa: PLR2004 - half

    @property
    def remarks(self) -> dict[str, str]:
        """Name → text of the verdict's facts, and of the length of embedded content, for people."""
        facts = self.verdict.in_words()
        if not self.embedded:
            return facts
        return {**facts, "embedded": f"{self.embedded:,} characters that no row has"}

    def state(self, block: int) -> str:
        """Return which of `STATES` a block is in."""
        share = self.kept_share[block]
        return STATES[0] if share == 0 else STATES[2] if share == 1 else STATES[1]

    @classmethod
    def of(
        cls, extract: Extract, blocks: TextBlocks, *, name: str, milliseconds: float
    ) -> MethodColumn:
        """Return the column of ``extract``, made from the page of ``blocks`` or an equal one."""
        page, content = blocks.page, extract.in_rows
        shown = content.kept
        kept = shown & (blocks.block >= 0)
        length = int(page.own_length[kept].sum())
        whole = _by_block(blocks, blocks.block >= 0)
        longest = longest_rows(blocks)
        names = content.reasons
        codes = content.verdict.why[longest].tolist()
        return cls(
            name,
            kept,
            int(shown.sum()),
            length,
            length / max(float(whole.sum()), 1),
            milliseconds,
            extract.content.verdict,
            0 if extract.replaced is None else int(extract.page.own_length.sum()),
            _by_block(blocks, kept) / np.maximum(whole, 1),
            content.verdict.score[longest],
            tuple(names[code] if code < len(names) else str(code) for code in codes),
        )


def _by_block(blocks: TextBlocks, rows: Mask) -> NDArray[np.float64]:
    """Return float64[m]: characters of ``rows`` in each block."""
    weights = blocks.page.own_length[rows].astype(np.float64)
    sums = np.bincount(blocks.block[rows], weights=weights, minlength=len(blocks))
    return sums.astype(np.float64)


def longest_rows(blocks: TextBlocks) -> Rows:
    """Return int32[m]: the longest text row of each block, the first of several."""
    rows = np.flatnonzero(blocks.block >= 0).astype(np.int32)
    block = blocks.block[rows]
    ranked = rows[np.lexsort((rows, -blocks.page.own_length[rows], block))]
    starts = np.flatnonzero(np.diff(block, prepend=-1))
    return ranked[starts]


def agreement(one: MethodColumn, other: MethodColumn, length: Rows) -> float:
    """Return the Jaccard index of what two methods keep, in characters: both / either, 0..1.

    Args:
        one: a method's column.
        other: another's.
        length: int32[n], characters of each row.

    1 where neither keeps anything.
    """
    either = int(length[one.kept | other.kept].sum())
    return int(length[one.kept & other.kept].sum()) / either if either else 1.0
