"""Amounts that published densities are made of, by rows and by lines.

The page as lines of text, as a program sees it that knows no tree: tags stripped, breaks kept.

Every start and every end of a block element, every br and every hr ends a line, so that lines
without text show how far the structure jumps between two texts. (`Page.line` numbers the runs of
inline content instead, and counts any number of boundaries between two texts as one.)

Runs of dense lines: where text is dense, by lines alone, without the tree.

Source: the line-block distribution (Chen Xin 2009 to 2011, 基于行块分布函数的通用网页正文抽取;
program cx-extractor). The block at line i is the lines i to i + width - 1, its length their
characters without white space.
"""

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.errors import OptionError, require_one_of
from chaffinch.kernels.arrays import Mask, Rows, frozen
from chaffinch.page import Page, tags

_WIDE_SIGNS: Final = np.arange(0x3002) >= 0x2E80  # noqa: PLR2004  Han, kana, Hangul and their marks
_WIDE_SIGNS[0x3000] = False  # a space
"""Wide characters, all from U+2E80 on; jamo from U+1100 on are left out."""

BLOCKS: Final = ("body", "div", "table", "td", "section", "article", "main", "ul", "ol")
"""Tags that make blocks, by default."""

_MOSTLY_PLAIN: Final = 0.5


def plain_length(page: Page) -> NDArray[np.int64]:
    """Return int64[n]: folded characters outside links, of each subtree."""
    return page.length - page.link_length


def shares(part: NDArray[np.int64], whole: NDArray[np.int64] | int) -> NDArray[np.float64]:
    """Return float64[n]: ``part`` / ``whole``, 0 where ``whole`` is 0."""
    return np.divide(part, whole, out=np.zeros(len(part)), where=np.asarray(whole) > 0)


def own_marks(page: Page, marks: str) -> Rows:
    """Return int32[n]: how many characters of each row's own shown text are in ``marks``.

    Marks are characters of the basic plane, up to U+FFFF.
    """
    own = kernels.characters(page.text, page.text_at, _table(marks))
    own[~page.shown] = 0
    return own


@cache
def _table(marks: str) -> Mask:
    """Return bool[65537]: code points that are in ``marks``; those beyond share the last item."""
    table = np.zeros((1 << 16) + 1, dtype=bool)
    table[[ord(mark) for mark in marks]] = True
    return frozen(table)


def text_rows(page: Page) -> Mask:
    """Return bool[n]: the shown text rows that hold more than white space."""
    mask: Mask = (page.tag == tags.TEXT) & page.written & page.shown
    return mask


def combined_density(
    page: Page, block: Mask, *, alpha: float, weights: Sequence[float] | None = None
) -> NDArray[np.float64]:
    """Return float64[n] in 0..1: H(b) of each row of ``block``, 0 of all other rows.

    Source: page-clustering, section 5.1; for its readings see `chaffinch.methods.block_density`.
    ``alpha`` is the exponent of the number of descendants, ``weights`` are those of p1, p2 and p3
    where they are added; None where they are multiplied.
    """
    plain = plain_length(page)
    links = page.total(page.is_tag("a"))
    text_share = shares(plain, plain[0])
    other_links = 1 - shares(links, links[0])
    plain_share = shares(plain, page.length)
    if weights is not None:
        first, second, third = (weight / sum(weights) for weight in weights)
        density = first * text_share + second * other_links + third * plain_share
    else:
        density = text_share * other_links * plain_share
        if not density[block].any():
            density = text_share * plain_share * (plain_share > _MOSTLY_PLAIN)
    density /= np.maximum(page.size - 1, 1) ** float(alpha)  # of whole numbers it may overflow
    return np.where(block & (plain > 0), density, 0.0)


def highest(page: Page, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return float64[n]: the highest of ``values`` [n] at or above each row."""
    best, above = values, np.maximum(page.parent, 0)
    while above.any():  # each round doubles the reach
        best, above = np.maximum(best, best[above]), above[above]
    return np.maximum(best, best[:1])


def blocks_of(page: Page, names: Sequence[str] = BLOCKS) -> Mask:
    """Return bool[n]: rows from the body on whose tag is one of ``names``."""
    block = page.is_tag(*names)
    block[: max(page.body, 0)] = False
    return block


def require_blocks(names: object) -> None:
    """Check that ``names``, the option ``blocks``, are tags."""
    if isinstance(names, str) or not isinstance(names, Sequence) or not names:
        raise OptionError(f"blocks must be a list of tags, not {names!r}")
    for name in names:
        require_one_of("tag in blocks", name, tags.NAMES[2:])


WIDTH: Final = 3  # lines in a block, as published

THRESHOLD: Final[float] = 86
"""Characters of a block at which content starts, for a page in Chinese: the program's figure."""

OTHER_SCRIPTS: Final[float] = 2
"""How many times as high the threshold is without Chinese: docs/methods.md."""

END_BLOCKS: Final = 2  # so many empty blocks in a row end a run, as published

_FOLLOWING: Final = 3  # blocks after the first, of which one mustn't be empty: the program's figure


class LineRuns(NamedTuple):
    """A page of m lines, empty ones included, and the runs of them that are content."""

    line: Rows  # int32[n], the line in which each row starts
    # int64[m], length of the block at each line: of it and of those after it
    block: NDArray[np.int64]
    threshold: float  # that of this page, by its script
    runs: list[slice]  # ranges of lines, in order


def line_runs(  # noqa: PLR0913  the figures are keyword-only
    page: Page,
    rows: Mask | None = None,
    *,
    width: int = WIDTH,
    threshold: float = THRESHOLD,
    other_scripts: float = OTHER_SCRIPTS,
    end_blocks: int = END_BLOCKS,
) -> LineRuns:
    """Return the dense runs of lines of ``page``, as if it had the rows ``rows`` alone.

    The threshold is for a page in Chinese, Japanese and Korean: other scripts need
    ``other_scripts`` times as many characters for the same content.
    """
    count, rows = len(page), np.ones(len(page), dtype=bool) if rows is None else rows
    starts = tags.BLOCK[page.tag] & rows
    ends = np.bincount(page.end[starts | (page.is_tag("br") & rows)], minlength=count + 1)
    ends[:count] += starts & ~page.is_tag("hr")
    line = np.cumsum(ends[:count], dtype=np.int32)
    own = np.diff(page.written_before)
    own[~(page.shown & rows)] = 0
    total = np.append(0, np.cumsum(np.bincount(line, weights=own).astype(np.int64)))
    block = total[np.minimum(np.arange(len(total) - 1) + width, len(total) - 1)] - total[:-1]
    wide = _wide_share(page, own)
    least = threshold * (wide + (1 - wide) * other_scripts)
    return LineRuns(line, block, least, _dense_runs(block, least, end_blocks))


def _wide_share(page: Page, own: NDArray[np.int64]) -> float:
    """Return the share (0..1) of Chinese, Japanese and Korean characters in the rows' own text."""
    total = int(own.sum())
    if total == 0 or page.text.isascii():
        return 0.0
    wide = kernels.characters(page.text, page.text_at, _WIDE_SIGNS)
    return int(wide[own > 0].sum()) / total


def _dense_runs(block: NDArray[np.int64], threshold: float, end_blocks: int) -> list[slice]:
    """Return the runs of lines that are content, in order.

    A run starts at the first block above ``threshold`` that one of the next three follows, and ends
    at the first of ``end_blocks`` empty ones; past the last line all are.
    """
    count = len(block)
    empty = np.append(block == 0, np.ones(end_blocks + _FOLLOWING, dtype=bool))
    ends = _all_of_window(empty, end_blocks)[: count + 1]
    followed = ~_all_of_window(empty[1:], _FOLLOWING)[:count]
    may_start = np.flatnonzero((block > threshold) & followed)
    stops = np.flatnonzero(ends)
    run_stops, first = np.unique(stops[np.searchsorted(stops, may_start)], return_index=True)
    return list(map(slice, may_start[first].tolist(), run_stops.tolist()))


def _all_of_window(flags: NDArray[np.bool_], width: int) -> NDArray[np.bool_]:
    """Return bool: whether ``width`` flags are set from each position that has so many."""
    counts = np.append(0, np.cumsum(flags))
    full: NDArray[np.bool_] = counts[width:] - counts[:-width] == width
    return full
