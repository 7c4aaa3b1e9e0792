"""What generators of made-up pages share: a source of chance, phrases, filler text, statuses."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

_JOINED: Final = frozenset({"zh", "ja"})
"""Languages that part words by nothing."""
_FULL_STOP: Final = {"zh": "。", "ja": "。"}
_STATUSES: Final = {
    "missing": (404, 404, 404, 410, 200),
    "server": (500, 502, 503, 503, 200),
    "block_page": (403, 403, 429, 503, 200),
    "login": (401, 200, 200, 200),
    "paywall": (402, 200, 200, 200, 200, 200),
}
_UNKNOWN: Final = 0.5
"""Share of pages whose status isn't known."""


@cache
def phrase_bank(name: str) -> dict[str, dict[str, Any]]:
    """Return language → phrases, of ``phrases_NAME.json``."""
    text = Path(__file__).with_name(f"phrases_{name}.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


@dataclass(frozen=True)
class Kit:
    """Chance and phrases for one page.

    Attributes:
        rng: the source of chance.
        lang: code of the language.
        phrases: of the language.
    """

    rng: Random
    lang: str
    phrases: dict[str, Any]

    @classmethod
    def of(cls, rng: Random, bank: str) -> Kit:
        """Return a kit in one of the bank's languages."""
        lang = rng.choice(sorted(phrase_bank(bank)))
        return cls(rng, lang, phrase_bank(bank)[lang])

    def words(self, count: int) -> str:
        """Return a run of filler words."""
        some = self.rng.choices(self.phrases["filler"].split(), k=count)
        return ("" if self.lang in _JOINED else " ").join(some)

    def headline(self) -> str:
        """Return a title of four to nine words."""
        return self.words(self.rng.randint(4, 9)).capitalize()

    def sentence(self) -> str:
        """Return a sentence of 6 to 22 words."""
        return self.words(self.rng.randint(6, 22)).capitalize() + _FULL_STOP.get(self.lang, ".")

    def paragraph(self) -> str:
        """Return one to six sentences."""
        parts = [self.sentence() for _ in range(self.rng.randint(1, 6))]
        return ("" if self.lang in _JOINED else " ").join(parts)

    def paragraphs(self, least: int, most: int) -> list[str]:
        """Return some paragraphs."""
        return [self.paragraph() for _ in range(self.rng.randint(least, most))]

    def nav(self) -> list[str]:
        """Return the texts of a menu."""
        return list(self.phrases["nav"])

    def said(self, state: str) -> tuple[str, str, str]:
        """Return title, sentence and button of a state, empty for one that says nothing.

        An error is ``missing`` or the ``server``'s.
        """
        title, text, action = self.phrases.get(state, ("", "", ""))
        return title, text, action

    def chance(self, share: float) -> bool:
        """Return true in ``share`` of all calls."""
        return self.rng.random() < share

    def host(self) -> str:
        """Return a made-up domain name."""
        letters = "bcdfgklmnprstvz"
        name = "".join(self.rng.choice(letters) + self.rng.choice("aeiou") for _ in range(4))
        return f"{name}.{self.rng.choice(['example', 'test', 'invalid'])}"

    def status(self, state: str) -> int | None:
        """Return a status that servers send with a state; None where it isn't known."""
        if self.chance(_UNKNOWN):
            return None
        return self.rng.choice(_STATUSES.get(state, (200,)))


@dataclass(frozen=True)
class MadePage:
    """A made-up page.

    Attributes:
        html: its source.
        state: what it is.
        generator: what made it.
        lang: code of its language.
        status: HTTP status; None if it isn't known.
    """

    html: str
    state: str
    generator: str
    lang: str
    status: int | None


def links(texts: list[str], *, around: str = "{}") -> str:
    """Return links, each within ``around``."""
    return "".join(around.format(f'<a href="/{n}">{text}</a>') for n, text in enumerate(texts))
