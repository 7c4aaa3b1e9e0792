"""VIPS on boxes of a browser and on boxes estimated from markup: do they cut a page alike?

Agreement is the adjusted Rand index of the two partitions into leaf blocks, over characters of text
that stand in blocks of both: 1 for the same blocks, 0 for what chance would give. `pure text` is as
in `bench/papers/vips_sites.py`, for each of the two.

    python -m bench.papers.vips_rendered [--pages 4] [--pdoc 5] [--of GROUP]
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import numpy as np

from bench.lib.saved_pages import groups, pairs
from bench.papers.vips_sites import purity
from chaffinch.page import tags
from chaffinch.render import Renderer
from chaffinch.segment.vips import Vips

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.segment.vips import Segmentation


def agreement(one: Segmentation, other: Segmentation) -> float:
    """Return the adjusted Rand index (Hubert, Arabie 1985) of two segmentations of one table."""
    page = one.page
    rows = (page.tag == tags.TEXT) & (one.block >= 0) & (other.block >= 0)
    weight = page.own_length[rows].astype(np.float64)
    table = np.zeros((len(one), len(other)))
    np.add.at(table, (one.block[rows], other.block[rows]), weight)
    both, ours, theirs = _pairs(table), _pairs(table.sum(axis=1)), _pairs(table.sum(axis=0))
    chance = ours * theirs / max(_pairs(np.array([weight.sum()])), 1.0)
    most = (ours + theirs) / 2
    return 1.0 if most == chance else float((both - chance) / (most - chance))


def _pairs(counts: np.ndarray) -> float:
    return float((counts * (counts - 1) / 2).sum())


def main() -> None:
    """Print a line for each group of pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=4, help="of each group")
    parser.add_argument("--pdoc", type=int, default=5)
    parser.add_argument("--of", default="", metavar="GROUP", help="this group of pages alone")
    given = parser.parse_args()
    vips = Vips(pdoc=given.pdoc)
    print("| pages of | pages | blocks, markup | blocks, rendered | agreement ", end="")
    print("| pure text, markup | pure text, rendered |\n|---|---|---|---|---|---|---|")
    every = []
    with Renderer() as renderer:
        for name, rows in groups(given.pages, given.of):
            figures = []
            for pair in pairs(rows, renderer):
                one, other = vips(pair.markup), vips(pair.rendered)
                figures.append(
                    (
                        len(one.leaves),
                        len(other.leaves),
                        agreement(one, other),
                        purity(one, pair.gold),
                        purity(other, pair.gold),
                    )
                )
            every += figures
            print(line(name, figures), flush=True)
    print(line("all", every))


def line(name: str, figures: Sequence[tuple[float, ...]]) -> str:
    """Return a row of the table: means over pages."""
    if not figures:
        return f"| {name} | 0 | | | | | |"
    means = np.mean(figures, axis=0)
    cells = (f"{means[0]:.1f}", f"{means[1]:.1f}", *(f"{mean:.2f}" for mean in means[2:]))
    return f"| {name} | {len(figures)} | {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
