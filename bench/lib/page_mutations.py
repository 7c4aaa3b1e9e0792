"""Pages cut, doubled, spliced and sprinkled with pieces of markup, by random numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

_LENGTHS: Final = (1, 3, 30, 300, 3000)
_MOST: Final = 12


def mutated(pages: Sequence[bytes], piece: Callable[[], bytes], random: Random) -> bytes:
    """Return one of some pages after up to twelve changes: cut, doubled, spliced, pieces put in."""
    page = bytearray(random.choice(pages))
    for _ in range(random.randint(1, _MOST)):
        at = random.randrange(len(page) + 1)
        length = random.choice(_LENGTHS)
        match random.randrange(6):
            case 0:
                del page[at : at + length]
            case 1:
                page[at:at] = page[at : at + length]
            case 2 | 5:
                page[at:at] = piece()
            case 3:
                other = random.choice(pages)
                start = random.randrange(len(other) + 1)
                page[at:at] = other[start : start + length]
            case 4 if page:
                page[random.randrange(len(page))] = random.randrange(256)
    return bytes(page)


def cut(page: bytes, random: Random, most: int) -> bytes:
    """Return a stretch of a page, of up to ``most`` bytes and mostly far less."""
    length = min(int(random.paretovariate(0.8) * 300), most, len(page))
    start = random.choice([0, random.randrange(len(page) - length + 1)])
    return page[start : start + length]
