"""Bounds on a page, held before the parser sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from chaffinch.errors import PageError

Source = TypeVar("Source", str, bytes)


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Bounds on the size and the structure of a page."""

    max_bytes: int = 64 << 20
    max_rows: int = 2_000_000
    max_depth: int = 512

    def check_size(self, size: int) -> None:
        """Raise where a page of ``size`` bytes or characters is too big.

        Raises:
            PageError: The page is larger than ``max_bytes``.
        """
        if size > self.max_bytes:
            raise PageError(f"page too big: {size:,} bytes, limit {self.max_bytes:,}")


def bound(html: Source, limits: Limits) -> Source:
    """Return the page."""
    limits.check_size(len(html))
    return html
