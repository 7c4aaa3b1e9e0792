"""Choices that look random and never change, on any platform or Python version."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")


@dataclass
class Dice:
    """Numbers from a seed; `random` promises its sequence for fewer of its functions."""

    seed: str
    thrown: int = 0

    def below(self, bound: int) -> int:
        """An integer in 0..bound, exclusive."""
        self.thrown += 1
        digest = blake2b(f"{self.seed}#{self.thrown}".encode(), digest_size=8).digest()
        return int.from_bytes(digest, "big") % bound

    def choice(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.below(len(items))]

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """Up to `count` different items, in an order of its own."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(min(count, len(left)))]
