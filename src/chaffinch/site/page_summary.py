"""The summary of a page that templates are learned from: a few kilobytes of columns.

Of the text only hashes are kept: verbatim, with numbers masked, and of its beginning and end; and
the first words of a few slots, as examples of what rules select.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from chaffinch.caching import cached_property
from chaffinch.decision.lone_links import links_alone
from chaffinch.metadata.values import clean
from chaffinch.page import hashing, tags
from chaffinch.segment.densities import BLOCKS
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.site.page_sketch import sketch
from chaffinch.site.rule_examples import words_by_slot
from chaffinch.site.slots import SlotStep, further_names, slot_hashes, step_of
from chaffinch.site.text_hashes import TextHashes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats, Hashes, Mask

MOST_BLOCKS: Final = 3000
"""Text blocks kept of one page, the first ones: most pages have a few hundred."""
STRONGEST: Final = 8.0
"""Bound of the absolute log-odds, so that one block of high probability can't outweigh its slot."""

LONGEST_TITLE: Final = 300

LONE_LINKS: Final = np.uint64(0x9E3779B97F4A7C15)
"""What the hash of a slot is combined with (by exclusive or) for the lone links in it."""
_HEADS: Final = tags.table("h2 h3 h4 h5 h6 th dt".split())
"""Tags of blocks that head what follows: a section, a row of a table, a list of definitions."""


@dataclass(frozen=True, eq=False)
class PageSummary:
    """One page of the sample that templates are learned from; m text blocks in s slots.

    Attributes:
        key: hash of the page's text; pages with the same text are one.
        url: the page's address; "" if unknown.
        kind: its type, as the method that classified it says; "" if unknown.
        sketch: uint64[64], the sketch that pages are clustered by; see
            `chaffinch.site.page_sketch`.
        slots: uint64[s], the slots of all elements that hold text, ascending.
        elements: uint16[s], how many such elements are in each slot.
        slot: int16[m], index in ``slots`` of the slot of each block's owner.
        texts: hashes of the blocks' texts.
        log_odds: float16[m] within ±`STRONGEST`, of being content, by the page-level model.
        length: uint16[m], folded characters of each block, at most 65,535.
        linked: uint16[m], those in links.
        heading: bool[m], blocks that head what follows: headings of sections, labels of rows in
            tables, terms.
        lone: bool[m], lone links: see `chaffinch.decision.lone_links.links_alone`.
        further_slots, further: uint64[k], uint32[k], slots and hashes of class names that
            their steps omit; see `chaffinch.site.slots.further_names`.
        roles: role → slot: where title, author, date, a picture of the content and the link to the
            next page stand.
        words: slot → the first words there, of the largest slots; see
            `chaffinch.site.rule_examples`.
        title: its title element, as one line; at most `LONGEST_TITLE` characters.
    """

    key: int
    url: str
    kind: str
    sketch: Hashes
    slots: Hashes
    elements: NDArray[np.uint16]
    slot: NDArray[np.int16]
    texts: TextHashes
    log_odds: NDArray[np.float16]
    length: NDArray[np.uint16]
    linked: NDArray[np.uint16]
    heading: Mask
    lone: Mask
    further_slots: Hashes
    further: NDArray[np.uint32]
    roles: Mapping[str, int]
    words: Mapping[int, str]
    title: str = ""

    def __len__(self) -> int:
        return len(self.slot)

    @cached_property
    def places(self) -> Hashes:
        """uint64[m]: the slot of each block; lone links have a slot of their own in each slot."""
        return self.slots[self.slot] ^ np.where(self.lone, LONE_LINKS, np.uint64(0))


class PageSlots(NamedTuple):
    """Where a page's rows stand, which is known before any block of it is scored.

    Attributes:
        hashes: uint64[n], its `slot_hashes`.
        sketch: that of its containers, by which the nearest template is found.
    """

    hashes: Hashes
    sketch: Hashes

    @classmethod
    def of(cls, page: Page) -> PageSlots:
        """Return the slots of ``page`` and their sketch."""
        hashes = slot_hashes(page)
        return cls(hashes, page_sketch(page, hashes))


def page_key(page: Page) -> int:
    """Return the hash of a page's text: a sample of pages is drawn by it."""
    return hashing.hash_string(page.text)


def block_summary(
    page: Page, score: Floats, own: PageSlots | None = None, *, kind: str = ""
) -> PageSummary:
    """Return the summary of ``page`` without roles, words, title and further class names.

    That is all that a template needs to apply its tables to the page's blocks.

    Args:
        page: the page.
        score: float32[n] in 0..1, how likely each text row is content by the page-level model.
        own: the slots of the page, if they are at hand.
        kind: the page's type; "" if unknown.
    """
    blocks = text_blocks(page)
    most = min(len(blocks), MOST_BLOCKS)
    hashes, sketched = own or PageSlots.of(page)
    owner = blocks.owner[:most]
    holding = np.zeros(len(page), dtype=bool)
    holding[owner] = True
    slots, elements = np.unique(hashes[page.around(holding)], return_counts=True)
    texts = TextHashes.of(blocks)
    return PageSummary(
        key=page_key(page),
        url=page.url or "",
        kind=kind,
        sketch=sketched,
        slots=slots,
        elements=np.minimum(elements, 65_535).astype(np.uint16),
        slot=np.searchsorted(slots, hashes[owner]).astype(np.int16),
        texts=TextHashes(*(column[:most] for column in vars(texts).values())),
        log_odds=log_odds(score[blocks.first[:most]]).astype(np.float16),
        length=np.minimum(blocks.length[:most], 65_535).astype(np.uint16),
        linked=np.minimum(blocks.link_length[:most], 65_535).astype(np.uint16),
        heading=_HEADS[page.tag[owner]],
        lone=links_alone(blocks)[:most],
        further_slots=np.zeros(0, dtype=np.uint64),
        further=np.zeros(0, dtype=np.uint32),
        roles={},
        words={},
    )


def page_sketch(page: Page, hashes: Hashes) -> Hashes:
    """Return the sketch of a page's containers; ``hashes`` are its `slot_hashes`."""
    return sketch(hashes[page.is_tag(*BLOCKS)])


def summarise(
    page: Page, score: Floats, roles: Mapping[str, int], *, kind: str = ""
) -> tuple[PageSummary, dict[int, SlotStep]]:
    """Return the whole summary of ``page``, and slot → step.

    Args:
        page: the page.
        score: float32[n] in 0..1, how likely each text row is content by the page-level model.
        roles: role → row, by `chaffinch.site.roles.role_rows`.
        kind: the page's type; "" if unknown.
    """
    own = PageSlots.of(page)
    hashes = own.hashes
    slots, names = further_names(page, hashes)
    basic = block_summary(page, score, own, kind=kind)
    held = np.isin(slots, basic.slots)
    summary = replace(
        basic,
        further_slots=slots[held],
        further=names[held],
        roles={role: int(hashes[row]) for role, row in roles.items()},
        words=words_by_slot(page, hashes, roles.values()),
        title=clean(page.head.title)[:LONGEST_TITLE],
    )
    return summary, steps_of(page, hashes, [*text_blocks(page).owner.tolist(), *roles.values()])


def omitted_class_names(pages: Sequence[PageSummary]) -> dict[int, frozenset[int]]:
    """Return slot → hashes of class names that its step omits, on any of ``pages``."""
    found: dict[int, set[int]] = {}
    for page in pages:
        for slot, name in zip(page.further_slots.tolist(), page.further.tolist(), strict=True):
            found.setdefault(slot, set()).add(name)
    return {slot: frozenset(names) for slot, names in found.items()}


def log_odds(score: NDArray[Any]) -> NDArray[np.float64]:
    """Return float64: the log-odds of probabilities, cut at ±`STRONGEST`."""
    inner = np.clip(score.astype(np.float64), 1e-6, 1 - 1e-6)
    return np.clip(np.log(inner / (1 - inner)), -STRONGEST, STRONGEST)


def steps_of(page: Page, hashes: Hashes, rows: list[int]) -> dict[int, SlotStep]:
    """Return the steps of the slots of ``rows`` and of their ancestors."""
    steps: dict[int, SlotStep] = {}
    for start in rows:
        row = start
        while row >= 0 and (slot := int(hashes[row])) not in steps:
            up = int(page.parent[row])
            steps[slot] = SlotStep(int(hashes[up]) if up >= 0 else 0, step_of(page, row))
            row = up
    return steps
