"""What the signals of a page are made of: its prose by blocks, its frame, its short texts.

Lengths count East Asian characters as three.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.assessment.phrase_search import phrases_in
from chaffinch.assessment.signal_values import MOST_ROWS, emptiness_of
from chaffinch.caching import cached_property
from chaffinch.model.block_scores import score_blocks
from chaffinch.model.weights import shipped
from chaffinch.page import tags
from chaffinch.segment.prose_length import block_prose
from chaffinch.segment.text_blocks import text_blocks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.model.block_scores import BlockScores
    from chaffinch.model.weights import Model
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask
    from chaffinch.segment.text_blocks import TextBlocks

LONG: Final = 60
"""Characters from which on a block is prose."""
_LIKELY: Final = 0.5
"""Score from which on a block counts as content."""
_SHORT: Final = 400
"""Characters of a block that is searched for phrases."""
_MOST_SEARCHED: Final = 8000
"""Characters of such blocks that are searched in all."""
_CHROME: Final = tags.table("nav header footer aside form noscript dialog".split())
_FRAME: Final = tags.table("nav header footer aside".split())
_CONTAINERS: Final = tags.table("div main section article ul ol table td form #unknown".split())
_FILLED: Final = tags.table(
    "img image iframe video audio object embed canvas input select textarea button svg".split()
)
OPEN_ENDS: Final = ("…", "...", "[…]")
SENTENCE_ENDS: Final = tuple(".!?。！？…»”\"')）」』:;؟।")
_HEADINGS: Final = ("h1", "h2", "h3")
_HEADINGS_READ: Final = 40
_NAME: Final = 3  # characters of a heading that a title can name


@dataclass(frozen=True, eq=False)
class MeasuredPage:
    """What several signals are made of.

    Attributes:
        page: the page.
        model: page-level model that scores its blocks; None for that which comes with the package.
    """

    page: Page
    model: Model | None = None

    @cached_property
    def blocks(self) -> TextBlocks:
        """The text blocks of the page."""
        return text_blocks(self.page)

    @cached_property
    def prose(self) -> NDArray[np.float64]:
        """float64[m]: characters outside links of each block, East Asian ones as three."""
        return block_prose(self.blocks)

    @cached_property
    def in_chrome(self) -> Mask:
        """bool[m]: blocks in navigation, header, footer, aside, form or dialog."""
        return self.blocks.inside(_CHROME)

    @cached_property
    def chrome_rows(self) -> Mask:
        """bool[n]: rows in navigation, header, footer or aside."""
        return self.page.inside(_FRAME[self.page.tag])

    @cached_property
    def main_prose(self) -> float:
        """Characters of prose outside chrome."""
        return float(self.prose[(self.prose >= LONG) & ~self.in_chrome].sum())

    @cached_property
    def scores(self) -> BlockScores | None:
        """What the page-level model makes of the blocks; None where there are none."""
        return score_blocks(self.page, model=self.model) if len(self.prose) else None

    @cached_property
    def score(self) -> NDArray[np.float64]:
        """float64[m]: how likely each block is content, 0..1."""
        return np.zeros(0) if self.scores is None else self.scores.score.astype(np.float64)

    @cached_property
    def kinds(self) -> dict[str, float]:
        """Page type → how likely it is, 0..1."""
        names = (self.model or shipped()).kinds
        if self.scores is None:
            return dict.fromkeys(names, 0.0)
        return dict(zip(names, self.scores.kinds.tolist(), strict=True))

    @cached_property
    def is_content(self) -> Mask:
        """bool[m]: blocks that are more likely content than not."""
        return np.asarray(self.score >= _LIKELY)

    @cached_property
    def content(self) -> float:
        """Characters outside links in blocks that are content."""
        return float(self.prose[self.is_content].sum())

    @cached_property
    def emptiness(self) -> float:
        """1 for a page without content, a half at `_LITTLE` characters, to 0."""
        return emptiness_of(self.content)

    @cached_property
    def holders(self) -> NDArray[np.intp]:
        """intp[m]: parents of the elements that own the blocks."""
        return np.maximum(self.page.parent[self.blocks.owner], 0)

    @cached_property
    def lone_content(self) -> float:
        """Characters of content in `is_lone`."""
        return float(self.prose[self.is_lone].sum())

    @cached_property
    def is_lone(self) -> Mask:
        """bool[m]: blocks of content whose holder has no other element of its tag and classes.

        Teasers stand in elements that repeat; so do posts.
        """
        page = self.page
        rows = np.unique(self.holders[self.is_content]).tolist() if len(self.prose) else []
        keys = [(int(page.tag[row]), page.attribute(row, "class")) for row in rows]
        counts = Counter(keys)
        lone = [row for row, key in zip(rows, keys, strict=True) if counts[key] == 1]
        return np.asarray(self.is_content & np.isin(self.holders, lone))

    @cached_property
    def most_held(self) -> float:
        """Characters of content of the element that holds most of it in its own children.

        An article's paragraphs stand beside each other; teasers each have an element of their own.
        """
        if not len(self.prose):
            return 0.0
        return float(np.bincount(self.holders, np.where(self.is_content, self.prose, 0.0)).max())

    @cached_property
    def thinness(self) -> float:
        """As `emptiness`, of the content that one element holds."""
        return emptiness_of(self.most_held)

    @cached_property
    def holes(self) -> NDArray[np.intp]:
        """Rows of the outermost containers outside chrome without text, pictures and fields."""
        page = self.page
        if not len(page):
            return np.zeros(0, dtype=np.intp)
        bare = (page.length == 0) & (page.total(_FILLED[page.tag]) == 0) & _CONTAINERS[page.tag]
        holes = bare & page.shown & ~self.chrome_rows
        return np.flatnonzero(holes & ~holes[np.maximum(page.parent, 0)])

    @cached_property
    def unread(self) -> list[int]:
        """Rows that are hidden from screen readers."""
        page = self.page
        hidden = page.having("aria-hidden") if len(page) else ()
        return [row for row, value in hidden if value == "true"]

    @cached_property
    def declares_article(self) -> float:
        """1 where the head declares an article: Open Graph, or JSON-LD with a headline."""
        head = self.page.head
        if head.first_meta("og:type").lower() == "article":
            return 1.0
        return float(any(node.get("headline") for _, node in head.json_ld))

    @cached_property
    def secrets(self) -> list[int]:
        """Rows of the fields for passwords."""
        page = self.page
        if not len(page):
            return []
        inputs = page.is_tag("input")
        kinds = page.having("type")
        return [row for row, kind in kinds if inputs[row] and kind.lower() == "password"]

    @cached_property
    def all_prose(self) -> float:
        """Characters outside links, of short blocks, too."""
        return float(self.prose.sum())

    def prose_in(self, rows: list[int]) -> float:
        """Return the characters outside links of the blocks that begin in some rows, in order."""
        if not rows:
            return 0.0
        first = self.blocks.first
        start = np.searchsorted(first, rows)
        stop = np.maximum.accumulate(np.searchsorted(first, self.page.end[rows]))
        start[1:] = np.maximum(start[1:], stop[:-1])  # what an element around it has counted
        return float((self.prose_before[stop] - self.prose_before[np.minimum(start, stop)]).sum())

    @cached_property
    def prose_before(self) -> NDArray[np.float64]:
        """float64[m+1]: characters outside links before each block."""
        return np.append(0.0, np.cumsum(self.prose))

    @cached_property
    def short(self) -> list[tuple[int, str]]:
        """(row, text in lower case) of short blocks outside links, up to a sum of lengths."""
        blocks = self.blocks
        linked = blocks.link_length * 2 > blocks.length
        rows = np.flatnonzero((blocks.length <= _SHORT) & ~linked)
        rows = rows[np.cumsum(blocks.length[rows]) <= _MOST_SEARCHED]
        return [(int(blocks.first[one]), blocks.text(one).lower()) for one in rows.tolist()]

    @cached_property
    def short_text(self) -> str:
        """The texts of `short`, a line each."""
        return "\n".join(text for _, text in self.short)

    @cached_property
    def title(self) -> str:
        """The page's title in lower case."""
        return self.page.title.lower() if len(self.page) else ""

    @cached_property
    def text(self) -> str:
        """The text of the body, in lower case."""
        page = self.page
        return page.text[page.text_at[page.body] :].lower() if len(page) else ""

    @cached_property
    def first_headings(self) -> list[tuple[int, str]]:
        """(row, text in lower case) of the first headings."""
        return [(row, self.page.folded(row).lower()) for row in self.headings[:MOST_ROWS]]

    @cached_property
    def phrases(self) -> dict[str, tuple[str, ...]]:
        """State → its phrases that stand in title, first headings or short blocks."""
        texts = (self.title, *(text for _, text in self.first_headings), self.short_text)
        return phrases_in("\n".join(texts))

    @cached_property
    def short_phrases(self) -> dict[str, list[str]]:
        """State → its phrases that stand in short blocks."""
        text = self.short_text
        return {state: [one for one in some if one in text] for state, some in self.phrases.items()}

    @cached_property
    def headings(self) -> list[int]:
        """Rows of the headings of the first three levels."""
        page = self.page
        return np.flatnonzero(page.is_tag(*_HEADINGS) & page.shown).tolist() if len(page) else []

    @cached_property
    def main_heading(self) -> int:
        """Row of the heading that the page's title names, else of the first outside chrome; -1."""
        named = [row for row in self.headings[:_HEADINGS_READ] if self._is_named(row)]
        others = (row for row in self.headings if not self.chrome_rows[row])
        return named[0] if named else next(others, -1)

    @property
    def is_titled(self) -> bool:
        """Whether the title names the main heading."""
        return self.main_heading >= 0 and self._is_named(self.main_heading)

    def _is_named(self, row: int) -> bool:
        text = self.page.folded(row).lower()
        return len(text) >= _NAME and text in self.page.title.lower()
