"""Near-copies among a template's pages: only the first of each is learned from.

A page that occurs twice (for print, under another address, with another date in its footer) would
make its own text count as returning. Two pages are near-copies where nearly all of the text that
the page-level model classifies as content is the same, numbers masked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.site.page_summary import PageSummary

_SAME: Final = 0.95
"""Least share of both pages' likely content, in characters, that near-copies have in common."""
_LEAST: Final = 2
"""Distinct pages that must remain; else the shared text belongs to the site, not to one page."""


def distinct(pages: Sequence[PageSummary]) -> list[PageSummary]:
    """Return ``pages`` without near-copies of earlier ones; all, if too few would be left."""
    likely = [_likely(page) for page in pages]
    seen: dict[int, list[int]] = {}
    out: list[PageSummary] = []
    for number, (page, own) in enumerate(zip(pages, likely, strict=True)):
        longest = max(own, key=lambda text: (own[text], text), default=-1)
        if own and any(_are_near_copies(own, likely[other]) for other in seen.get(longest, ())):
            continue
        seen.setdefault(longest, []).append(number)
        out.append(page)
    return out if len(out) >= min(_LEAST, len(pages)) else list(pages)


def _likely(page: PageSummary) -> dict[int, int]:
    """Return text → characters of the blocks that are content by the page-level model."""
    likely = np.flatnonzero(page.log_odds > 0)
    return dict(zip(page.texts.masked[likely].tolist(), page.length[likely].tolist(), strict=True))


def _are_near_copies(one: dict[int, int], other: dict[int, int]) -> bool:
    common = sum(length for text, length in one.items() if text in other)
    return common >= _SAME * max(sum(one.values()), sum(other.values()))
