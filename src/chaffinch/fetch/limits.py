"""Bounds of one request in time, size and redirects."""

from __future__ import annotations

from dataclasses import dataclass

from chaffinch.errors import OptionError


@dataclass(frozen=True, kw_only=True)
class FetchLimits:
    """Bounds of one request, redirects included.

    Attributes:
        connect: seconds to connect to one address, the TLS handshake included.
        read: seconds that the server may be silent.
        total: seconds in all, name resolution left out.
        max_bytes: size of the page, decompressed.
        max_redirects: redirects followed.

    Raises:
        OptionError: one is negative, or a time or size is zero.
    """

    connect: float = 10.0
    read: float = 20.0
    total: float = 60.0
    max_bytes: int = 64 << 20
    max_redirects: int = 10

    def __post_init__(self) -> None:
        for name in ("connect", "read", "total", "max_bytes"):
            if not getattr(self, name) > 0:
                raise OptionError(f"{name} must be above 0, not {getattr(self, name)}")
        if self.max_redirects < 0:
            raise OptionError(f"max_redirects must be 0 or more, not {self.max_redirects}")
