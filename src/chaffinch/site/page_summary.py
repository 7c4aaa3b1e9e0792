"""What learning remembers of one page: its slots and text blocks, as columns of a few kilobytes.

No text is kept, only hashes of it: verbatim, with numbers masked, and of its beginning and end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.page import hashing, tags
from chaffinch.segment.densities import BLOCKS
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.site.page_sketch import sketch
from chaffinch.site.slots import further_names, slot_hashes, step_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats, Hashes, Mask
    from chaffinch.segment.text_blocks import TextBlocks

MOST_BLOCKS: Final = 3000
"""Text blocks remembered of one page, the first ones: pages of sites have some hundreds."""
EDGE: Final = 12
"""Characters, numbers masked, of the beginning and the end by which texts are nearly the same."""
STRONGEST: Final = 8.0
"""Log-odds beyond this are cut: one certain block shall not outweigh a slot."""

_NUMBERS: Final = re.compile(r"\d+")
_SECTION: Final = tags.table("h2 h3 h4 h5 h6".split())


@dataclass(frozen=True)
class Step:
    """A slot by its last step: ``up`` is the slot around it (0 above the root)."""

    up: int
    text: str


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
        short = 2 * EDGE
        return cls(
            _hashed(texts),
            _hashed(masked),
            _hashed([t if len(t) < short else "<" + t[:EDGE] for t in masked]),
            _hashed([t if len(t) < short else ">" + t[-EDGE:] for t in masked]),
        )


@dataclass(frozen=True, eq=False)
class PageSummary:
    """One page as learning remembers it; m text blocks in s slots.

    Attributes:
        key: hash of the page's text; pages with the same text are one.
        url: the page's address; "" if unknown.
        sketch: uint64[64], the sketch that pages are clustered by; see
        `chaffinch.site.page_sketch`.
        slots: uint64[s], the slots of all elements that hold text, ascending.
        elements: uint16[s], how many such elements are in each slot.
        slot: int16[m], place in ``slots`` of the slot that each block's owner is in.
        texts: hashes of the blocks' texts.
        log_odds: float16[m] within ±`STRONGEST`, of being content as the page alone tells.
        length: uint16[m], folded characters of each block, at most 65,535.
        linked: uint16[m], those in links.
        heading: bool[m], blocks that are the heading of a section, h2 to h6.
        further_slots, further: uint64[k], uint32[k], slots and hashes of class names that
            their steps leave out; see `chaffinch.site.slots.further_names`.
        roles: role → slot: where title, author, date, a picture of the content and the link to the
            next page stand.
    """

    key: int
    url: str
    sketch: Hashes
    slots: Hashes
    elements: NDArray[np.uint16]
    slot: NDArray[np.int16]
    texts: TextHashes
    log_odds: NDArray[np.float16]
    length: NDArray[np.uint16]
    linked: NDArray[np.uint16]
    heading: Mask
    further_slots: Hashes
    further: NDArray[np.uint32]
    roles: Mapping[str, int]

    def __len__(self) -> int:
        return len(self.slot)


def page_key(page: Page) -> int:
    """Return the hash of a page's text: a sample of pages is drawn by it."""
    return hashing.hash_string(page.text)


def look_at(page: Page, score: Floats, hashes: Hashes | None = None) -> PageSummary:
    """Return what a template's tables are asked about ``page``; without roles and further names.

    Args:
        page: the page.
        score: float32[n] in 0..1, how likely each text row is content by the page-level model.
        hashes: `slot_hashes` of the page, if they are at hand.
    """
    blocks = text_blocks(page)
    most = min(len(blocks), MOST_BLOCKS)
    hashes = slot_hashes(page) if hashes is None else hashes
    owner = blocks.owner[:most]
    holding = np.zeros(len(page), dtype=bool)
    holding[owner] = True
    slots, elements = np.unique(hashes[page.around(holding)], return_counts=True)
    texts = TextHashes.of(blocks)
    return PageSummary(
        key=page_key(page),
        url=page.url or "",
        sketch=page_sketch(page, hashes),
        slots=slots,
        elements=np.minimum(elements, 65_535).astype(np.uint16),
        slot=np.searchsorted(slots, hashes[owner]).astype(np.int16),
        texts=TextHashes(*(column[:most] for column in vars(texts).values())),
        log_odds=log_odds(score[blocks.first[:most]]).astype(np.float16),
        length=np.minimum(blocks.length[:most], 65_535).astype(np.uint16),
        linked=np.minimum(blocks.link_length[:most], 65_535).astype(np.uint16),
        heading=_SECTION[page.tag[owner]],
        further_slots=np.zeros(0, dtype=np.uint64),
        further=np.zeros(0, dtype=np.uint32),
        roles={},
    )


def page_sketch(page: Page, hashes: Hashes) -> Hashes:
    """Return the sketch of a page's containers; ``hashes`` are its `slot_hashes`."""
    return sketch(hashes[page.is_tag(*BLOCKS)])


def summarise(
    page: Page, score: Floats, roles: Mapping[str, int]
) -> tuple[PageSummary, dict[int, Step]]:
    """Return what is remembered of ``page``, and the steps of its slots.

    Args:
        page: the page.
        score: float32[n] in 0..1, how likely each text row is content by the page-level model.
        roles: role → row, as `chaffinch.site.roles.role_rows` finds them.
    """
    hashes = slot_hashes(page)
    slots, names = further_names(page, hashes)
    looked = look_at(page, score, hashes)
    held = np.isin(slots, looked.slots)
    summary = replace(
        looked,
        further_slots=slots[held],
        further=names[held],
        roles={role: int(hashes[row]) for role, row in roles.items()},
    )
    return summary, _steps(page, hashes, [*text_blocks(page).owner.tolist(), *roles.values()])


def log_odds(score: NDArray[Any]) -> NDArray[np.float64]:
    """Return float64: the log-odds of probabilities, cut at ±`STRONGEST`."""
    inner = np.clip(score.astype(np.float64), 1e-6, 1 - 1e-6)
    return np.clip(np.log(inner / (1 - inner)), -STRONGEST, STRONGEST)


def _steps(page: Page, hashes: Hashes, rows: list[int]) -> dict[int, Step]:
    """Return the steps of the slots of ``rows`` and of all that they stand in."""
    steps: dict[int, Step] = {}
    for start in rows:
        row = start
        while row >= 0 and (slot := int(hashes[row])) not in steps:
            up = int(page.parent[row])
            steps[slot] = Step(int(hashes[up]) if up >= 0 else 0, step_of(page, row))
            row = up
    return steps


def _hashed(texts: list[str]) -> NDArray[np.uint32]:
    return np.array([hashing.hash_string(text) & 0xFFFFFFFF for text in texts], dtype=np.uint32)
