"""Sentences, names and labels of made-up sites, in one of several languages."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

_JOINED: Final = "zh"
"""The language that parts words by nothing."""


@cache
def _tables() -> dict[str, dict[str, str]]:
    text = Path(__file__).with_name("languages.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def languages() -> list[str]:
    """Return the codes of all languages."""
    return sorted(_tables())


@dataclass(frozen=True)
class Language:
    """One language: labels as they stand in the file, and sentences drawn from its words."""

    code: str

    def label(self, name: str) -> str:
        """Return a label, such as ``more``."""
        return _tables()[self.code][name]

    def labels(self, name: str) -> list[str]:
        """Return the labels of a list, such as ``menu``."""
        return self.label(name).split(";")

    def words(self, dice: Random, count: int) -> str:
        """Return a run of so many words, small ones between the others."""
        small, large = self.label("small").split(), self.label("words").split()
        some = [dice.choice(large if dice.random() < 0.55 else small) for _ in range(count)]
        return ("" if self.code == _JOINED else " ").join(some)

    def title(self, dice: Random) -> str:
        """Return a headline."""
        text = self.words(dice, dice.randint(4, 9))
        return text[:1].upper() + text[1:]

    def sentence(self, dice: Random) -> str:
        """Return a sentence, now and then with a comma or a number in it."""
        parts = [self.words(dice, dice.randint(4, 12)) for _ in range(dice.randint(1, 2))]
        if dice.random() < 0.2:
            parts.append(f"{dice.randint(2, 1999)} {self.words(dice, 2)}")
        comma, stop = ("，", "。") if self.code == _JOINED else (", ", ".")
        text = comma.join(parts)
        return text[:1].upper() + text[1:] + stop

    def paragraph(self, dice: Random, least: int = 2, most: int = 6) -> str:
        """Return a paragraph of some sentences."""
        space = "" if self.code == _JOINED else " "
        return space.join(self.sentence(dice) for _ in range(dice.randint(least, most)))
