"""On how many pages of a template each text returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.site.sorted_hashes import concatenated, indices

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from chaffinch.page.arrays import Floats
    from chaffinch.site.page_summary import PageSummary
    from chaffinch.site.text_hashes import TextHashes

_MANY: Final = 12
"""Pages from which a text that one of them holds is left out: a model keeps no list of them all."""
KINDS: Final = ("verbatim", "masked", "head", "tail")
"""The ways in which a text can return; the columns of `TextHashes`."""


@dataclass(frozen=True, eq=False)
class ReturningTexts:
    """Hashes of texts, ascending, and the number of pages that hold each, for each of `KINDS`.

    Attributes:
        pages: number of pages that were counted.
        hashes: uint32[t] by kind.
        counts: int32[t] by kind, pages.
    """

    pages: int
    hashes: tuple[NDArray[np.uint32], ...]
    counts: tuple[NDArray[np.int32], ...]

    def shares(self, texts: TextHashes, *, own: bool = False) -> Floats:
        """Return float32[KINDS, m] in 0..1: the share of pages that hold each text.

        Args:
            texts: hashes of m texts.
            own: the texts are of one of the counted pages; the share is that of the others.
        """
        out = np.zeros((len(KINDS), len(texts.verbatim)), dtype=np.float32)
        for kind, name in enumerate(KINDS):
            at = indices(self.hashes[kind], getattr(texts, name))
            found = at >= 0
            out[kind, found] = self.counts[kind][at[found]] - own
        return out / np.float32(max(self.pages - own, 1))


def lasting_texts(pages: Sequence[PageSummary]) -> ReturningTexts:
    """Return the texts of ``pages``, of many pages only those that two of them hold.

    What a single page of few says returns where a further page says it, too.
    """
    return returning_texts(pages, least=1 if len(pages) < _MANY else 2)


def returning_texts(pages: Sequence[PageSummary], *, least: int = 1) -> ReturningTexts:
    """Return the texts that at least ``least`` of ``pages`` hold."""
    hashes, counts = [], []
    for name in KINDS:
        each = [np.unique(getattr(page.texts, name)) for page in pages]
        known, count = np.unique(concatenated(each, np.uint32), return_counts=True)
        hashes.append(known[count >= least])
        counts.append(count[count >= least].astype(np.int32))
    return ReturningTexts(len(pages), tuple(hashes), tuple(counts))
