"""Which of several pages are others than the page at hand.

People hand over a whole folder, the page itself among it. A page compared with itself has nothing
of its own, so it has to go before any method looks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urldefrag

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.page import Page


def other_pages(page: Page, candidates: Sequence[Page]) -> tuple[Page, ...]:
    """Return the ``candidates`` that aren't ``page`` itself, in their order."""
    return tuple(one for one in candidates if not is_same(page, one))


def is_same(page: Page, other: Page) -> bool:
    """Tell whether two pages are one: the same address but its fragment, or the same rows."""
    if page is other:
        return True
    if page.url and other.url and urldefrag(page.url).url == urldefrag(other.url).url:
        return True
    return (
        len(page) == len(other)
        and page.text == other.text
        and np.array_equal(page.tag, other.tag)
        and np.array_equal(page.parent, other.parent)
    )
