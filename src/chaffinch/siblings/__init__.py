"""Pages of one site beside a page: without itself, its reference, links to more, parts, addresses.

Callers often pass a whole folder that includes the page. Compared with itself, a page has no
content of its own, so it is removed before any method runs.
"""

from collections.abc import Sequence
from urllib.parse import urldefrag

import numpy as np

from chaffinch.errors import OptionError
from chaffinch.page import Page


def require_siblings(method: str, siblings: object) -> tuple[Page, ...]:
    """Return ``siblings`` as a tuple, one parsed page at least."""
    pages = tuple(siblings) if isinstance(siblings, Sequence) else (siblings,)
    if not pages or not all(isinstance(page, Page) for page in pages):
        raise OptionError(f"{method} needs siblings: other pages of the same site, parsed")
    return pages


def other_pages(page: Page, candidates: Sequence[Page]) -> tuple[Page, ...]:
    return tuple(one for one in candidates if not is_same(page, one))


def is_same(page: Page, other: Page) -> bool:
    """Return whether two pages are the same: equal address without fragment, or equal rows."""
    if page is other:
        return True
    if page.url and other.url and urldefrag(page.url).url == urldefrag(other.url).url:
        return True
    return same_rows(page, other)


def same_rows(page: Page, other: Page) -> bool:
    return (
        len(page) == len(other)
        and page.text == other.text
        and np.array_equal(page.tag, other.tag)
        and np.array_equal(page.parent, other.parent)
    )
