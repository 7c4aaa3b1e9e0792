"""The limits of a page: how large and how deeply nested one may be, and how long work may take."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

from chaffinch.errors import PageError, require_between, require_whole

_LEAST_SECONDS: Final = 0.001


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Bounds on the size and the structure of a page, and on the time that it takes.

    Of the 6,891 pages of the corpora none reaches any of them (largest page 5.3 MB, 26,159 «<»,
    650 options in a select); browsers stop nesting at 512, too.
    """

    max_bytes: int = 64 << 20
    """Bytes (or characters of a str) of a page; more is a `PageError`."""
    max_rows: int = 2_000_000
    """Elements and text runs; more is a `PageError`. A row costs Lexbor about 370 bytes."""
    max_tags_per_megabyte: int = 32_768
    """Start tags of a page of up to 1 MiB, and as many of each further one: start tags beyond them
    are dropped, their text is kept. Of the corpora's pages the one with the most has 15,793; none
    of those with 2,000 or more has one for each 33 bytes or less."""
    max_depth: int = 512
    """Nesting of the page's table; what is deeper is kept, as children of the row at the bound.
    The parser is given at most twice as much: from there on start tags are dropped."""
    max_attributes: int = 512
    """Attributes of one tag; the rest is dropped."""
    max_formatting: int = 64
    """Formatting elements (``b``, ``font``, …) left open; further ones are dropped."""
    max_options: int = 1024
    """Options of one select; the tags of further ones are dropped, their text is kept."""
    max_unmatched_end_tags: int = 10_000
    """End tags of elements that aren't open; further ones are dropped."""
    max_names: int = 32_768
    """Different names of tags, and of attributes, in one page; further ones are dropped."""
    seconds: float | None = None
    """Elapsed time that one call may take: `extract`, and each output of its Extract by itself.
    More is a `TimeLimitError`; None for any. Time is checked between stages and in long loops, so
    that a call ends a little later; one that must end at the second belongs in a guarded child
    (`chaffinch.workers`)."""

    max_base: int = 1_024
    """Characters of the address that links are resolved against, for each of them repeats it: a
    longer ``base`` or address of the page is left out of account. The longest of the corpora has
    454."""
    max_repeated_base: int = 4 << 20
    """Characters of that address times the links that repeat it, where it has more than 256: beyond
    them it is left out of account, too."""

    def __post_init__(self) -> None:
        for field in fields(self):
            if field.name != "seconds":
                require_whole(field.name, getattr(self, field.name), 1)
        if self.seconds is not None:
            require_between("seconds", self.seconds, _LEAST_SECONDS)

    def most_tags(self, size: int) -> int:
        """Return how many start tags a page of ``size`` bytes keeps."""
        return self.max_tags_per_megabyte * max(size, 1 << 20) >> 20

    def check_size(self, size: int) -> None:
        """Raise where a page of ``size`` bytes or characters is too big.

        Raises:
            PageError: The page is larger than ``max_bytes``.
        """
        if size > self.max_bytes:
            raise PageError(f"page too big: {size:,} bytes, limit {self.max_bytes:,}")
