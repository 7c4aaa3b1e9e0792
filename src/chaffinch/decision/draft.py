"""The draft of a decision, which rules change one after the other, and what they ask in common."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.caching import cached_property
from chaffinch.decision.policy import Policy
from chaffinch.kernels.arrays import Floats, Hashes, Mask, frozen
from chaffinch.lists.post_features import element_kinds
from chaffinch.model.features import NUMBERS, Features
from chaffinch.page import Page, tags
from chaffinch.segment.text_blocks import TextBlocks

ARTICLE: Final = "article"
THREAD: Final = "forum"
MANUAL: Final = "documentation"
OF_RUNNING_TEXT: Final = (ARTICLE, "service")
OF_SECTIONS: Final = (ARTICLE, MANUAL, "service")  # page types of running text under headings
OF_ONE_TEXT: Final = (ARTICLE, "product", MANUAL)
"""Page types whose content isn't what readers wrote."""
OF_ANSWERS: Final = (ARTICLE, MANUAL, "product", "service")
"""Page types on which people don't ask each other."""
OF_ONE_PRODUCT: Final = ("product",)
OF_SHOPS: Final = ("product", "collection")
OF_LISTS: Final = ("collection", "listing")
"""Page types whose entries show their prices; so may pages whose type isn't sure."""
OF_NAMED_TITLES: Final = ("product", "service", "collection")
"""Page types on which a line is a heading by its name; elsewhere so are bylines and dates."""
SURE: Final = 0.7  # least probability of a page type where a rule acts on pages of that type alone
UNSURE: Final = 0.5  # probability of a page's type below which it counts as any
LOWEST: Final = 0.05
"""The lowest threshold; on a page with no block above it the likeliest part is kept."""
LINKED: Final = 0.95
"""Share of a line's characters in links, white space apart, from which it is links alone."""
_LINK_SHARE, _DECLARED = NUMBERS.index("link_share"), NUMBERS.index("description")
FEWEST_LINKS: Final = 3  # links that make a menu, and that say the same
LABEL: Final = 40  # characters of a label; twice as many with the marks around it
MOST_LEVELS: Final = 6
"""Elements around a label or a link, the outermost of which is its box at most."""
PRESSED: Final = tags.CODES["button"]
LEAST_LEFT: Final = 10  # words that must be left, or nothing is dropped
SHARE_LEFT: Final = 0.3
"""Share of the kept words that must be left: else what would be dropped is the main content."""
_SPREAD: Final = np.uint64(0x9E3779B97F4A7C15)  # parts the numbers of tags by more than any set's
_APART: Final = np.uint64(int(_SPREAD) ** 2 % (1 << 64))  # and columns of such by more than these
_NOTHING: Final = frozen(np.zeros(0, dtype=bool))


@dataclass(eq=False)
class Draft:
    """The decision as far as the rules that ran have brought it, for m blocks of n rows."""

    features: Features  # the features of the blocks
    score: NDArray[np.floating]  # float[m] in 0..1, probability that each block is content
    beta: float = 1.0  # weight of recall against precision
    kind: str = ARTICLE  # the page's type
    certainty: float = 0.0  # its probability in 0..1
    policy: Policy | None = None  # what counts as content; None for scores alone
    # bool[m], the blocks that are kept; bool[0] before the choice
    keep: Mask = field(default_factory=lambda: _NOTHING)
    threshold: float = 1.0  # the score from which blocks were chosen, in 0..1
    expected: float = 0.0  # expected F1 of what is kept in 0..1, not calibrated; after all rules
    guessed: bool = False  # whether no block was likely, so that the likeliest part was chosen
    # bool[n], rows without text that are kept; bool[0] before their rule
    media: Mask = field(default_factory=lambda: _NOTHING)
    # bool[m], blocks that are known to be of the site's template, so that no other block
    # speaks for them; bool[0] for none
    template: Mask = field(default_factory=lambda: _NOTHING)
    # bool[m], the kept blocks that were looked at for what isn't shown; None for none
    judged: Mask | None = None
    # bool[m], blocks of which nothing is shown, so that no rule keeps them again; None for none
    hidden: Mask | None = None
    unseen: Mask | None = None  # bool[n], rows of kept blocks that aren't shown; None for none
    adverts: Mask | None = None  # bool[n], rows in advertisements; None for none
    notices: list[int] = field(default_factory=list)  # blocks that are notices
    blocks: TextBlocks = field(init=False)
    units: Floats = field(init=False)  # float32[m], the words of each
    page: Page = field(init=False)
    # float32[m], the share of each block's characters in links, white space apart
    link_share: Floats = field(init=False)
    linked: Mask = field(init=False)  # bool[m], the blocks with such characters
    alone: Mask = field(init=False)  # bool[m], the blocks that are links alone

    def __post_init__(self) -> None:
        self.blocks, self.units = self.features.blocks, self.features.units
        self.page = self.blocks.page
        self.link_share = self.features.numbers[:, _LINK_SHARE].copy()
        self.linked, self.alone = self.link_share > 0, self.link_share > LINKED

    @property
    def declared(self) -> Floats:
        """float32[m]: the share of each block's words in the page's description."""
        return self.features.numbers[:, _DECLARED]

    @cached_property
    def kinds(self) -> Hashes:
        """uint64[n]: equal for elements of one tag with the same names.

        On a list entries of different categories or tags are alike: those are named behind the
        first name.
        """
        if self.kind in OF_LISTS or (self.kind == THREAD and self.certainty < SURE):
            return element_kinds(self.page)
        return self.page.symbols * _SPREAD + self.features.names.alike.astype(np.uint64)

    def is_surely(self, kinds: tuple[str, ...], least: float = UNSURE) -> bool:
        """Return whether the page is of one of some types, by so much probability."""
        return self.kind in kinds and self.certainty >= least

    def leaves(self, dropped: Mask, share: float = 0.0) -> bool:
        """Return whether without some enough kept words are left, and that ``share`` of them."""
        left = self.units[self.keep & ~dropped].sum(dtype=np.float64)
        least = share * self.units[self.keep].sum(dtype=np.float64) if share else 0.0
        return bool(left >= max(LEAST_LEFT, least))


def numbered(*columns: NDArray[np.integer]) -> NDArray[np.intp]:
    """Return intp[k]: the number of each combination of values, equal for equal ones."""
    key = columns[0].astype(np.uint64)
    for column in columns[1:]:
        key = key * _APART + column.astype(np.uint64)
    return kernels.numbered(key)


def like_siblings(
    blocks: TextBlocks, rows: NDArray[np.integer], kinds: Hashes, least: int = 2
) -> list[list[tuple[int, slice]]]:
    """Return those of some elements that are ``least`` or more of a kind below one parent.

    By parent and kind, uint64[n], each with the blocks that it holds.
    """
    page, groups = blocks.page, defaultdict[int, list[tuple[int, slice]]](list)
    number = numbered(page.parent.take(rows), kinds.take(rows))
    several = np.bincount(number).take(number) >= least
    rows, number = rows[several], number[several]
    spans = map(slice, *blocks.first.searchsorted((rows, page.end.take(rows))).tolist())
    for group, row, own in zip(number.tolist(), rows.tolist(), spans, strict=True):
        groups[group].append((row, own))
    return [*groups.values()]
