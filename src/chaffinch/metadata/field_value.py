"""The value of one field of metadata, with its provenance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True)
class FieldValue(Generic[T_co]):
    """A value and where it came from.

    Attributes:
        value: the value.
        source: what gave it, such as ``json-ld:NewsArticle.headline`` or ``meta:og:title``.
        row: the row of the page that gave it; -1 for the page's address.
        confidence: 0..1, how well the page's own sources support it; no probability.
        agreeing: other sources that give the same value.
    """

    value: T_co
    source: str
    row: int
    confidence: float
    agreeing: tuple[str, ...] = ()


class Contributor(NamedTuple):
    """Somebody who isn't the author.

    Attributes:
        role: "editor", "translator", "photographer", "illustrator", "reviewer" or "contributor".
        name: as the page writes it.
    """

    role: str
    name: str
