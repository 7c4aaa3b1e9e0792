"""Every error that Chaffinch raises on purpose.

::

    ChaffinchError
    ├── PageError            skip this page and go on
    │   └── FetchError       the page could not be fetched
    └── SetupError           stop: something about the call or the installation is wrong
        ├── OptionError      an unknown or impossible option (also a ValueError)
        └── MissingExtraError  an optional package isn't installed (also an ImportError)
"""

from __future__ import annotations

from typing import Self


class ChaffinchError(Exception):
    """The root: catch this to catch everything that Chaffinch raises on purpose."""


class PageError(ChaffinchError):
    """This page can't be processed (too big, not HTML, too many rows, …); others can."""


class FetchError(PageError):
    """This page could not be fetched (address refused, time-out, HTTP status, too large)."""


class SetupError(ChaffinchError):
    """The call or the installation is wrong; no page will succeed until it is mended."""


class OptionError(SetupError, ValueError):
    """An option is unknown or its value is impossible; the message lists what is known."""


class MissingExtraError(SetupError, ImportError):
    """An optional package isn't installed; the message names the pip command."""

    @classmethod
    def of(cls, package: str, extra: str) -> Self:
        """Return the error for a missing ``package`` that the ``extra`` would install."""
        return cls(f"{package} is not installed: pip install 'chaffinch[{extra}]'")
