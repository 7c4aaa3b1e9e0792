"""Line blocks: runs of dense lines, without use of the tree.

Source: the line-block distribution (Chen Xin 2009 to 2011, 基于行块分布函数的通用网页正文抽取;
program cx-extractor), cited by layout-similarity, section 2.4; steps and departures:
docs/methods.md. Of 1, 2, 3, 4 and 6 times the threshold for other scripts, 2 gave the best word F1
on training pages in Latin, Cyrillic and Greek script. Images, br and hr in the kept lines are kept.
"""

from dataclasses import dataclass
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from chaffinch.errors import require_one_of
from chaffinch.kernels.arrays import Floats
from chaffinch.page import Page
from chaffinch.segment import densities
from chaffinch.segment.densities import line_runs
from chaffinch.verdict import Method, Verdict

RUNS: Final = ("all", "longest", "peak")


@dataclass(frozen=True, kw_only=True)
class LineBlocks(Method):
    """Content is the runs of lines whose blocks are dense.

    Attributes:
        width: lines in a block.
        threshold: characters of a block at which content starts, for a page in Chinese.
        other_scripts: the threshold of a page without Chinese, Japanese or Korean is this many
            times as high.
        end_blocks: so many empty blocks in a row end a run.
        runs: ``all`` of them, the ``longest`` (by its characters), or the one with the longest
            block (``peak``).
    """

    width: int = densities.WIDTH
    threshold: float = densities.THRESHOLD
    other_scripts: float = densities.OTHER_SCRIPTS
    end_blocks: int = densities.END_BLOCKS
    runs: str = "all"

    bounds: ClassVar = {"width": (1, 100), "other_scripts": (0.1, 100), "end_blocks": (1, 1000)}
    reasons: ClassVar[tuple[str, ...]] = (
        "in no dense run of lines",
        "in a dense run of lines",
        "in a dense run that isn't the chosen one",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        require_one_of("runs", self.runs, RUNS)

    def __call__(self, page: Page) -> Verdict:
        """Return the verdict on ``page``; its ``score`` is `line_scores` of each row's line."""
        if page.body < 0:
            return Verdict.empty(len(page))
        line, block, threshold, runs = line_runs(
            page,
            width=self.width,
            threshold=self.threshold,
            other_scripts=self.other_scripts,
            end_blocks=self.end_blocks,
        )
        is_all = self.runs == "all"
        if self.runs == "peak":
            rank = [block[run].max() for run in runs]
        else:
            own = np.bincount(line, np.diff(page.written_before) * page.shown)
            rank = [own[run].sum() for run in runs]
        best = runs[int(np.argmax(rank))] if runs and not is_all else None
        of_line = np.zeros(len(block), dtype=np.int8)
        for run in runs:
            of_line[run] = 1 if is_all or run is best else 2
        why = np.where(page.shown, of_line[line], np.int8(0))
        why[: page.body] = 0
        score = np.where(page.shown, line_scores(block, self.width, threshold)[line], 0)
        return Verdict(why == 1, score.astype(np.float32), why)


def line_scores(block: NDArray[np.int64], width: int, threshold: float) -> Floats:
    """Return float32[m] in 0..1: B / (B + threshold), B the longest block that contains the line.

    A line in a block just at the threshold has 0.5.
    """
    own = block.astype(np.float32)
    longest = own.copy()
    for before in range(1, min(width, len(own))):
        np.maximum(longest[before:], own[:-before], out=longest[before:])
    scores: Floats = longest / np.maximum(longest + np.float32(threshold), np.float32(1e-9))
    return scores
