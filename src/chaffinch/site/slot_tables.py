"""What the pages of a template have in common: how each slot behaves, and which texts return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from chaffinch.page.arrays import Floats, Hashes
    from chaffinch.site.page_summary import PageSummary, TextHashes

KINDS: Final = ("verbatim", "masked", "head", "tail")
"""The ways in which a text can return; the columns of `TextHashes`."""


@dataclass(frozen=True, eq=False)
class SlotTable:
    """How s slots behave on the pages of a template.

    Attributes:
        slots: uint64[s], ascending.
        pages: float32[s], pages that have text in the slot.
        blocks: float32[s], text blocks in the slot, over all pages.
        log_odds: float32[s], mean of the blocks' log-odds of being content, by the page alone.
        linked: float32[s] in 0..1, mean share of the blocks' text in links.
        length: float32[s], mean characters of a block.
        repeats: float32[s] in 0..1, mean share of the other pages that have the block's text, with
            numbers masked.
    """

    slots: Hashes
    pages: Floats
    blocks: Floats
    log_odds: Floats
    linked: Floats
    length: Floats
    repeats: Floats

    def __len__(self) -> int:
        return len(self.slots)

    def places(self, slots: Hashes) -> NDArray[np.intp]:
        """Return intp[k]: the place of each slot in the table, -1 where it isn't there."""
        return places(self.slots, slots)


@dataclass(frozen=True, eq=False)
class ReturningTexts:
    """On how many pages texts return; for each of `KINDS` hashes, ascending, and pages.

    Attributes:
        pages: how many pages were looked at.
        hashes: uint32[t] by kind.
        counts: int32[t] by kind.
    """

    pages: int
    hashes: tuple[NDArray[np.uint32], ...]
    counts: tuple[NDArray[np.int32], ...]

    def shares(self, texts: TextHashes, *, own: bool = False) -> Floats:
        """Return float32[KINDS, m] in 0..1: the share of pages that hold each text.

        With ``own`` the texts are those of one of the pages, and it is the share of the others.
        """
        out = np.zeros((len(KINDS), len(texts.verbatim)), dtype=np.float32)
        for kind, name in enumerate(KINDS):
            at = places(self.hashes[kind], getattr(texts, name))
            found = at >= 0
            out[kind, found] = self.counts[kind][at[found]] - own
        return out / np.float32(max(self.pages - own, 1))


def places(known: NDArray[Any], wanted: NDArray[Any]) -> NDArray[np.intp]:
    """Return intp[k]: where each of ``wanted`` stands in ``known``, ascending; -1 for nowhere."""
    if not len(known):
        return np.full(len(wanted), -1, dtype=np.intp)
    at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    return np.where(known[at] == wanted, at, -1)


def returning_texts(pages: Sequence[PageSummary], *, least: int = 1) -> ReturningTexts:
    """Return the texts that at least ``least`` of ``pages`` hold."""
    hashes, counts = [], []
    for name in KINDS:
        each = [np.unique(getattr(page.texts, name)) for page in pages]
        known, count = np.unique(_joined(each, np.uint32), return_counts=True)
        hashes.append(known[count >= least])
        counts.append(count[count >= least].astype(np.int32))
    return ReturningTexts(len(pages), tuple(hashes), tuple(counts))


def slot_table(pages: Sequence[PageSummary]) -> SlotTable:
    """Return how the slots of ``pages`` behave."""
    own = _joined([page.slots[page.slot] for page in pages], np.uint64)
    known, slot = np.unique(own, return_inverse=True)
    size = len(known)
    each = [page.slots[np.unique(page.slot)] for page in pages]
    on_pages = np.unique(_joined(each, np.uint64), return_counts=True)[1]
    log_odds = _joined([page.log_odds for page in pages], np.float16).astype(np.float64)
    length = _joined([page.length for page in pages], np.uint16).astype(np.float64)
    linked = _joined([page.linked for page in pages], np.uint16) / np.maximum(length, 1)
    blocks = np.bincount(slot, minlength=size)
    return SlotTable(
        known,
        on_pages.astype(np.float32),
        blocks.astype(np.float32),
        *(
            # Rounded as they are saved, so that a saved model judges as it did before.
            np.round(np.bincount(slot, values, minlength=size) / blocks, 3).astype(np.float32)
            for values in (log_odds, linked, length, _repeats(pages))
        ),
    )


def names_left_out(pages: Sequence[PageSummary]) -> dict[int, frozenset[int]]:
    """Return slot → hashes of class names that its step leaves out, on any of ``pages``."""
    found: dict[int, set[int]] = {}
    for page in pages:
        for slot, name in zip(page.further_slots.tolist(), page.further.tolist(), strict=True):
            found.setdefault(slot, set()).add(name)
    return {slot: frozenset(names) for slot, names in found.items()}


def _repeats(pages: Sequence[PageSummary]) -> NDArray[np.float64]:
    """Return float64[blocks of all pages]: the share of other pages with the block's text."""
    texts = returning_texts(pages)
    out = []
    for page in pages:
        at = places(texts.hashes[1], page.texts.masked)
        out.append((texts.counts[1][at] - 1) / max(len(pages) - 1, 1))
    return _joined(out, np.float64)


def _joined(columns: Sequence[NDArray[Any]], kind: Any) -> NDArray[Any]:
    return np.concatenate([*columns, np.zeros(0, dtype=kind)]).astype(kind)
