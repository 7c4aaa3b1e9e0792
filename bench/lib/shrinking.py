"""A page made shorter as long as it shows the same thing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

TRIES: Final = 600


def shrunk(page: bytes, shows: Callable[[bytes], bool], tries: int = TRIES) -> bytes:
    """Return what is left of a page where stretches are cut out, halves first, then ever less."""
    length = len(page) // 2
    while length and tries > 0:
        at = 0
        while at < len(page) and tries > 0:
            shorter = page[:at] + page[at + length :]
            tries -= 1
            if shows(shorter):
                page = shorter
            else:
                at += length
        length //= 2
    return page
