"""The siblings without the page itself.

Callers often pass a whole folder that includes the page. Compared with itself, a page has no
content of its own, so it is removed before any method runs.
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
    """Return whether two pages are the same: equal address without fragment, or equal rows."""
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
