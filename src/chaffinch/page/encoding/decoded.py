"""What decoding makes of a page's bytes."""

from __future__ import annotations

from typing import Literal, NamedTuple

Source = Literal["bom", "utf-8", "transport", "meta", "detected", "default"]


class Decoded(NamedTuple):
    """A page's text and how it came to be."""

    text: str
    """The decoded page, without its byte-order mark."""
    encoding: str
    """The Encoding Standard's name in lower case; ``gb18030`` for all of its subsets."""
    source: Source
    """What decided."""
    replaced: int
    """How many U+FFFD were put where bytes made no character."""
