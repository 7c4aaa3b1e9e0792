"""Block density: the one block with the highest combined density of text outside links.

Source: page-clustering, section 5.1; formula and departures: docs/methods.md. The body is a block,
so that pages without any other have one. Where every block has H = 0, as where all links are in the
body, p2 is left out, and blocks with more text in links than outside are excluded; a page on which
every block still has H = 0 has no main content. Of several blocks with the same H the first one in
document order, the outermost, is taken.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from chaffinch.errors import LARGEST, OptionError, require_between
from chaffinch.page import Page
from chaffinch.segment.densities import BLOCKS, blocks_of, combined_density, highest, require_blocks
from chaffinch.verdict import Method, Verdict


@dataclass(frozen=True, kw_only=True)
class BlockDensity(Method):
    """Content is the block of the highest H(b), whole.

    Attributes:
        alpha: how fast H falls with the number of a block's descendants; 0 for not at all.
        blocks: tags that make blocks.
        weights: of p1, p2 and p3 where they are added, scaled to sum to 1; None where they are
            multiplied.
    """

    alpha: float = 0.3
    blocks: Sequence[str] = BLOCKS
    weights: Sequence[float] | None = None

    bounds: ClassVar = {"alpha": (0, 10)}
    reasons: ClassVar[tuple[str, ...]] = ("outside the densest block", "in the densest block")

    def __post_init__(self) -> None:
        super().__post_init__()
        require_blocks(self.blocks)
        object.__setattr__(self, "blocks", tuple(self.blocks))
        if self.weights is not None:
            if not isinstance(self.weights, list | tuple) or len(self.weights) != len("123"):
                raise OptionError(f"weights must be three numbers, not {self.weights!r}")
            for weight in self.weights:
                require_between("weights", weight, 0, LARGEST)
            if sum(self.weights) <= 0:
                raise OptionError("one of the weights must be above 0")
            object.__setattr__(self, "weights", tuple(self.weights))

    def __call__(self, page: Page) -> Verdict:
        """Return the verdict on ``page``; a row's ``score`` is the highest H of its blocks."""
        if page.body < 0:
            return Verdict.empty(len(page))
        block = blocks_of(page, self.blocks)
        density = combined_density(page, block, alpha=self.alpha, weights=self.weights)
        best = int(np.argmax(density))
        keep = np.zeros(len(page), dtype=bool)
        if density[best] > 0:
            keep[best : page.end[best]] = True
        score = highest(page, density).astype(np.float32)
        return Verdict(keep & page.shown, score, keep.astype(np.int8))
