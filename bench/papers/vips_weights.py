"""VIPS: which weights join a page's footer with what stands above it, chosen with sites left out.

For each pair of ``base_weight`` and ``like_weight``: blocks a page, pure text as in vips_sites.py,
and the share of footers that stand in one block with text from outside. A footer is the last
element that its tag, role, id or class calls one.

    python -m bench.papers.vips_weights [--pages 6]

The choice for each site is the pair that joins the fewest footers on all other sites, then that of
the purest text, of those that make at most `MORE` times as many blocks there as the defaults, and
text that is as pure but for `LESS`.
"""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING, Final

import numpy as np

from bench.lib.site_pages import heading
from bench.lib.timing import corpora
from bench.papers.vips_sites import LEAST, labelled
from chaffinch.page import parse, tags
from chaffinch.segment.vips import Vips

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from chaffinch.page import Page

    Figures = NDArray[np.float64]

PAIRS: Final = tuple((base, like) for base in (3, 4, 5) for like in (2, 3, 4, 5, 6))
DEFAULT: Final = (Vips().base_weight, Vips().like_weight)
MORE: Final = 1.05
LESS: Final = 0.0005
_FOOTER: Final = re.compile(r"\bfooter\b|\bcontentinfo\b")


def footer_of(page: Page) -> int:
    """Return the row of the page's footer, the outermost of the last; -1 for none."""
    found = -1
    for row in range(max(page.body, 0), len(page)):
        if page.tag[row] == tags.TEXT or row < (page.end[found] if found >= 0 else 0):
            continue
        said = (page.attribute(row, name) or "" for name in ("role", "id", "class"))
        if page.length[row] and (page.name(row) == "footer" or _FOOTER.search(" ".join(said))):
            found = row
    return found


def measured(page: Page, gold: str) -> Figures:
    """Return float64[pairs, 3]: blocks, pure text, whether the footer is joined (NaN for none)."""
    rows = np.flatnonzero((page.tag == tags.TEXT) & page.written & page.shown)
    texts = ["".join(page.text_of(row).split()) for row in rows.tolist()]
    length = np.array([len(text) if len(text) >= LEAST else 0 for text in texts])
    content = np.array([text in gold for text in texts], dtype=bool)
    footer = footer_of(page)
    inside = (rows >= footer) & (rows < page.end[footer]) if footer >= 0 else rows < 0
    out = np.full((len(PAIRS), 3), np.nan)
    for at, (base, like) in enumerate(PAIRS):
        found = Vips(base_weight=base, like_weight=like)(page)
        block = found.block[rows]
        sums = np.zeros((len(found), 2))
        placed = block >= 0
        np.add.at(sums, (block[placed], content[placed].astype(int)), length[placed])
        out[at, :2] = len(found.leaves), sums.max(axis=1).sum() / max(sums.sum(), 1)
        if inside.any():
            joined = np.isin(block[inside & placed], block[~inside & placed])
            out[at, 2] = joined.any()
    return out


def choice(others: Figures) -> int:
    """Return which pair is chosen by float64[sites, pairs, 3], the figures of other sites."""
    blocks, pure = others[:, :, 0].mean(axis=0), others[:, :, 1].mean(axis=0)
    joined, default = np.nanmean(others[:, :, 2], axis=0), PAIRS.index(DEFAULT)
    allowed = (blocks <= MORE * blocks[default]) & (pure >= pure[default] - LESS)
    return int(np.lexsort((-pure, joined, ~allowed))[0])


def line(name: str, figures: Figures) -> str:
    """Return a row of the table; ``figures`` is float64[sites, 3]."""
    blocks, pure, joined = (float(np.nanmean(figures[:, column])) for column in range(3))
    some, every = (figures[:, 2] > 0).sum(), (~np.isnan(figures[:, 2])).sum()
    return f"| {name} | {blocks:.1f} | {pure:.4f} | {joined:.3f} | {some} of {every} |"


def table(sites: Sequence[Figures]) -> None:
    """Print the figures of each pair, and of the pairs chosen with the site left out."""
    every = np.stack(sites)
    print("\n| `base_weight`, `like_weight` | blocks | pure text | footers joined | on sites |")
    print("|---|---:|---:|---:|---:|")
    for at, (base, like) in enumerate(PAIRS):
        print(line(f"{base}, {like}", every[:, at]))
    chosen = [choice(np.delete(every, site, axis=0)) for site in range(len(every))]
    unseen = np.stack([every[site, at] for site, at in enumerate(chosen)])
    print(line("chosen with the site left out", unseen))
    print("chosen:", {PAIRS[at]: chosen.count(at) for at in sorted(set(chosen))})


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=6, help="of each site")
    given = parser.parse_args()
    print(heading())
    sites, pages = [], 0
    for path in sorted((corpora() / "sites").glob("*.jsonl.xz")):
        found = [measured(parse(data), gold) for data, gold in labelled(path, given.pages)]
        if found:
            pages += len(found)
            one = np.stack(found)
            some = ~np.isnan(one[:, 0, 2])
            mean = one.mean(axis=0)
            mean[:, 2] = one[some, :, 2].mean(axis=0) if some.any() else np.nan
            sites.append(mean)
    print(f"{pages} pages of {len(sites)} sites")
    table(sites)


if __name__ == "__main__":
    main()
