"""Amounts by row that published densities are made of: text outside links, marks, text nodes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.errors import OptionError, require_one_of
from chaffinch.page import tags
from chaffinch.page.arrays import frozen

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask, Rows

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

    Args:
        page: the page.
        block: bool[n], the rows that are blocks.
        alpha: exponent of the number of descendants.
        weights: of p1, p2 and p3 where they are added; None where they are multiplied.
    """
    plain = plain_length(page)
    links = page.total(page.is_tag("a"))
    text_share = shares(plain, plain[0])
    other_links = 1 - shares(links, links[0])
    plain_share = shares(plain, page.length)
    if weights is None:
        density = text_share * other_links * plain_share
        if not density[block].any():
            density = text_share * plain_share * (plain_share > _MOSTLY_PLAIN)
    else:
        first, second, third = (weight / sum(weights) for weight in weights)
        density = first * text_share + second * other_links + third * plain_share
    density /= np.maximum(page.size - 1, 1) ** float(alpha)  # of whole numbers it may overflow
    return np.where(block & (plain > 0), density, 0.0)


def blocks_of(page: Page, names: Sequence[str] = BLOCKS) -> Mask:
    """Return bool[n]: rows from the body on whose tag is one of ``names``."""
    block = page.is_tag(*names)
    block[: max(page.body, 0)] = False
    return block


def require_blocks(names: object) -> None:
    """Check that ``names``, the option ``blocks``, are tags.

    Raises:
        OptionError: they aren't a list of known tags.
    """
    if isinstance(names, str) or not isinstance(names, Sequence) or not names:
        raise OptionError(f"blocks must be a list of tags, not {names!r}")
    for name in names:
        require_one_of("tag in blocks", name, tags.NAMES[2:])
