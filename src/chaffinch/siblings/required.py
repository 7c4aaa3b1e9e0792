"""The other pages of a site that a method was given, checked."""

from __future__ import annotations

from collections.abc import Sequence

from chaffinch.errors import OptionError
from chaffinch.page import Page


def require_siblings(method: str, siblings: object) -> tuple[Page, ...]:
    """Return ``siblings`` as a tuple, one parsed page at least.

    Raises:
        OptionError: there is none, or one of them is no `Page`.
    """
    given = tuple(siblings) if isinstance(siblings, Sequence) else (siblings,)
    if not given or not all(isinstance(page, Page) for page in given):
        raise OptionError(f"{method} needs siblings: other pages of the same site, parsed")
    return given
