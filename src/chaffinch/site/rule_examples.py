"""An example of what a rule selects, as a page shows it: the first words there, and its address.

The words stand in a page's summary, of its largest slots only. They are text of the page: of one
line, short, and without characters that a terminal or an editor would obey.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from chaffinch.metadata.page_fields import image_address
from chaffinch.segment.text_blocks import text_blocks

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Hashes
    from chaffinch.site.page_summary import PageSummary
    from chaffinch.site.slot_tree import SlotTree

LONGEST: Final = 60
"""Characters of an example."""
LONGEST_ADDRESS: Final = 300
_ENOUGH: Final = 4
"""Characters of a text that are looked at for each one that is shown: some are white space."""
MOST_SLOTS: Final = 32
"""Slots of a page whose first words are kept, those with the most text."""


class Example(NamedTuple):
    """The first words that a rule selects on a page, and the page's address; "" where unknown."""

    text: str = ""
    page: str = ""


def shown_words(text: str, most: int = LONGEST) -> str:
    """Return the beginning of a text as one line of printable characters, at most ``most``.

    Controls, characters that turn text around or have no width, and surrogates are left out.
    """
    line = " ".join(text[: _ENOUGH * most].split())
    if not line.isprintable():
        line = "".join(one for one in line if one.isprintable())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def words_by_slot(page: Page, hashes: Hashes, roles: Iterable[int]) -> dict[int, str]:
    """Return slot → the first words of its first block, of the largest slots of a page.

    Args:
        page: the page.
        hashes: its `slot_hashes`.
        roles: rows of its fields, whose own first words are kept, too.
    """
    blocks = text_blocks(page)
    slots, first, at = np.unique(hashes[blocks.owner], return_index=True, return_inverse=True)
    size = np.bincount(at, weights=blocks.length)
    chosen = np.zeros(len(slots), dtype=bool)
    chosen[np.argsort(-size, kind="stable")[:MOST_SLOTS]] = True
    pairs = zip(slots[chosen].tolist(), first[chosen].tolist(), strict=True)
    texts = {slot: blocks.text(block) for slot, block in pairs}
    texts |= {int(hashes[row]): _beginning(page, row) for row in [*roles][::-1]}
    return {slot: words for slot, text in texts.items() if (words := shown_words(text))}


def _beginning(page: Page, row: int) -> str:
    """Return the first words of an element; of an image the end of its address."""
    if page.name(row) == "img":
        address = image_address(page, row)
        return address if len(address) <= LONGEST else "…" + address[1 - LONGEST :]
    start, stop = page.text_at[[row, page.end[row]]].tolist()
    return page.text[start : min(stop, start + _ENOUGH * LONGEST)].strip()


@dataclass(frozen=True, eq=False)
class ExampleFinder:
    """Finds examples among the pages of a template.

    Attributes:
        tree: the template's slots, k nodes.
        pages: its pages, in the order in which they are looked at.
    """

    tree: SlotTree
    pages: Sequence[PageSummary]

    def within(self, tops: AbstractSet[int], mass: NDArray[np.float64]) -> Example:
        """Return an example of the text in the nodes ``tops`` and below them.

        Args:
            tops: nodes of the tree.
            mass: float[k], how much text each node has of what is wanted, without descendants.
        """
        for node in np.argsort(-mass, kind="stable").tolist():
            if mass[node] <= 0:
                break
            if node in tops or not tops.isdisjoint(self.tree.above(node)):
                found = self.of_node(node)
                if found.text:
                    return found
        return Example()

    def of_node(self, node: int) -> Example:
        """Return an example of the text of a node without descendants."""
        slot = self.tree.slots[node]
        for page in self.pages:
            if slot in page.words:
                return Example(page.words[slot], shown_words(page.url, LONGEST_ADDRESS))
        return Example()
