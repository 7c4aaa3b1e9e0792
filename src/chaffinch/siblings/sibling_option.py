"""The option ``siblings`` of methods that compare a page with others of its site, checked."""

from __future__ import annotations

from collections.abc import Sequence

from chaffinch.errors import OptionError
from chaffinch.page import Page


def require_siblings(method: str, siblings: object) -> tuple[Page, ...]:
    """Return ``siblings`` as a tuple, one parsed page at least.

    Raises:
        OptionError: there is none, or one of them is no `Page`.
    """
    pages = tuple(siblings) if isinstance(siblings, Sequence) else (siblings,)
    if not pages or not all(isinstance(page, Page) for page in pages):
        raise OptionError(f"{method} needs siblings: other pages of the same site, parsed")
    return pages
