"""The thresholds of VIPS, as fields.

The report names the settings' roles and gives no figures but the ranges of DoC by rule. These were
chosen by looking at the blocks of example pages and real ones;
base and like weight also by how many blocks it takes to part content from noise
(`bench/papers/vips_sites.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

from chaffinch.errors import OptionError

MOST = 10


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What may be tuned; sizes are areas as shares of the page's.

    Attributes:
        pdoc: permitted degree of coherence, 1 (the whole page is one block) to 10 (the finest).
        relative_size: rule 9: a smaller node that holds text itself isn't divided.
        largest_child: rule 10: a table cell whose largest child is smaller isn't divided.
        whole_size: rule 8: a child with another background stays whole unless it is bigger.
        doc_sizes: rules 10, 11 and 13: a node loses a degree for each of these sizes that it
            reaches; descending.
        longest: pages are measured as at most this many times as long as wide, so that
            a thousand comments don't make an article small.
        distances: a separator gains a weight for each of these distances (pixels) between the
            blocks on its sides; ascending.
        base_weight: weight of any separator.
        hr_weight: added where an hr lies in the separator.
        background_weight: added where the backgrounds on both sides differ.
        font_ratio: horizontal: one is added for every such ratio between the sizes of the fonts.
        font_weight: horizontal: added where one side is bold.
        smaller_before_weight: horizontal: added where the text before is smaller than after.
        like_weight: taken off where both sides have like structure.
        overlap: pixels that blocks may overlap with a separator still between them.

    Raises:
        OptionError: `pdoc` isn't in 1..10, or steps aren't in order.
    """

    pdoc: int = 5
    relative_size: float = 0.06
    largest_child: float = 0.06
    whole_size: float = 0.3
    doc_sizes: tuple[float, ...] = (0.6, 0.4, 0.25, 0.12, 0.06, 0.02)
    longest: float = 6.0
    distances: tuple[float, ...] = (2.0, 8.0, 15.0, 25.0, 40.0)
    base_weight: int = 4
    hr_weight: int = 3
    background_weight: int = 2
    font_ratio: float = 1.25
    font_weight: int = 1
    smaller_before_weight: int = 1
    like_weight: int = 5
    overlap: float = 2.0

    def __post_init__(self) -> None:
        if not 1 <= self.pdoc <= MOST:
            raise OptionError(f"pdoc must be in 1..10, not {self.pdoc}")
        if self.font_ratio <= 1:
            raise OptionError(f"font_ratio must be above 1, not {self.font_ratio}")
        if list(self.doc_sizes) != sorted(self.doc_sizes, reverse=True):
            raise OptionError("doc_sizes must descend")
        if list(self.distances) != sorted(self.distances):
            raise OptionError("distances must ascend")
