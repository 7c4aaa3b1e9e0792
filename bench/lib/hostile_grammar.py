"""Random hostile pages by the rules of ``hostile_rules.txt``, which says how they are written.

They are made of ``hostile_words.toml`` and of short strings of the source (names of tags,
attributes, fields, classes and keys that it reads), so that whatever begins to be read is also
attacked. Who asks with the same random numbers gets the same page.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

import chaffinch

_WORDS: Final = tomllib.loads(Path(__file__).with_name("hostile_words.toml").read_text("utf-8"))
TAGS, FORMATTING, TYPES, _KEYS = (
    tuple(_WORDS[name].split()) for name in ("tags", "formatting", "types", "keys")
)
TEXTS: Final[list[str]] = _WORDS["texts"]
VALUES: Final[list[str]] = _WORDS["values"]
PIECES: Final[dict[str, int]] = _WORDS["pieces"]
NESTS: Final = [(begin, end) for begin, end in _WORDS["nests"]]
PACKAGE: Final = Path(chaffinch.__file__).parent
_NO_READERS: Final = frozenset(
    ["cli", "corpus", "evaluate", "plugins", "reports", "service", "web", "workers"]
)
"""Rooms that read no page's markup."""
_STRING: Final = re.compile('"([^"\\\n]*)"')
_WORD: Final = re.compile(r"[A-Za-z@][\w:.@/-]{0,38}\Z|[^\x00-\x7f]{1,12}\Z")


@cache
def source_words() -> tuple[str, ...]:
    """Return the words in strings of rooms that read pages, sorted; docstrings left out."""
    found: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        if path.relative_to(PACKAGE).parts[0] not in _NO_READERS:
            parts = path.read_text(encoding="utf-8").split('"""')
            words = [one for text in parts[::2] for one in _STRING.findall(text)]
            is_list = [after.startswith(".split()") for after in parts[2::2]]
            words += [text for text, own in zip(parts[1::2], is_list, strict=False) if own]
            found.update(one for text in words for one in text.split() if _WORD.match(one))
    return tuple(sorted(found))


_PLACE: Final = re.compile("«(@?)([^»*+]+)([*+]?)(\\d*)»")
_DEPTH: Final = 12
"""Rules within one another, from where on pieces are texts."""
_HEADS: Final = (
    "",
    "<!doctype html>",
    "<!doctype html><title>Oats</title>",
    "\ufeff",
    "<?xml version='1.0'?>",
)
_ENCODINGS: Final = {
    "utf-8": 40, "utf-16": 1, "gb18030": 1, "cp1252": 1, "shift_jis": 1, "utf-16-be": 1,
}  # fmt: skip
_JSON_DEPTH: Final = 6
_WHOLE: Final = 0.9
"""Share of pages that aren't cut short."""


@cache
def rules() -> dict[str, list[str]]:
    """Return name → alternatives."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in Path(__file__).with_name("hostile_rules.txt").read_text("utf-8").splitlines():
        if line.startswith("  "):
            escaped = line[2:].encode("latin-1", "backslashreplace")
            found[name].append(escaped.decode("unicode_escape"))
        elif line and not line.startswith("#"):
            name, _, short = line.partition(": ")
            found[name] = short.split()
    return found


class Grammar:
    """Makes pieces and pages of random numbers."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self._depth = 0
        self._names = source_words()
        self._made: dict[str, Callable[[], str]] = {
            "piece": self.piece,
            "nothing": str,
            "word": lambda: random.choice(self._names),
            "value": self._value,
            "text": lambda: " ".join(random.choices(TEXTS, k=random.choice([1, 1, 1, 2, 6]))),
            "tag": lambda: random.choice(TAGS),
            "type": lambda: random.choice(TYPES),
            "marks": self._marks,
            "nest": self._nest,
            "again": lambda: self.piece() * random.choice([2, 3, 8]),
            "json": self._data,
        }

    def page(self, pieces: int) -> bytes:
        """Return a page of so many pieces, in one of several encodings, sometimes cut short."""
        random = self.random
        html = random.choice(_HEADS) + "".join(self.piece() for _ in range(pieces))
        encoding = random.choices(list(_ENCODINGS), list(_ENCODINGS.values()))[0]
        data = html.encode(encoding, "surrogatepass" if encoding == "utf-8" else "replace")
        return data if random.random() < _WHOLE else data[: random.randrange(len(data) + 1)]

    def piece(self) -> str:
        """Return a piece of markup."""
        if self._depth > _DEPTH:
            return "oats"
        rule = self.random.choices(list(PIECES), list(PIECES.values()))[0]
        return _PLACE.sub(self._filled, f"«{rule}»")

    def opening(self) -> str:
        """Return tags that stay open: where a piece may stand."""
        made = [self.random.choice(NESTS)[0], "<table><tr>", self._one("open")]
        return "".join(self.random.choices(made, k=self.random.randint(0, 3)))

    def _filled(self, place: re.Match[str]) -> str:
        is_attribute, name, repeated, most = place.groups()
        if is_attribute:
            quote = self.random.choice("\"'\"'")
            return f" {name}={quote}{self._value().replace(quote, '')}{quote}"
        count = self.random.randint(repeated == "+", int(most)) if repeated else 1
        return "".join(self._one(name) for _ in range(count))

    def _one(self, name: str) -> str:
        if name in self._made:
            return self._made[name]()
        self._depth += 1
        try:
            alternative = self.random.choice(rules()[name]) if self._depth < 2 * _DEPTH else ""
            return _PLACE.sub(self._filled, alternative)
        finally:
            self._depth -= 1

    def _value(self) -> str:
        random = self.random
        if random.random() < 0.4:
            return " ".join(random.choices(self._names, k=random.choice([1, 1, 2, 3])))
        return random.choice(VALUES if random.random() < 0.7 else TEXTS)

    def _marks(self) -> str:
        """Return formatting elements that are closed in another order."""
        tags = self.random.choices(FORMATTING, k=self.random.randint(1, 5))
        opened = "".join(f"<{tag}>" for tag in tags)
        self.random.shuffle(tags)
        between = self.random.choice(["", "<p>", "<table>", self._value()])
        return f"{opened}oats{between}" + "".join(f"</{tag}>" for tag in tags)

    def _nest(self) -> str:
        random = self.random
        units = random.choices(NESTS, k=random.randint(1, 2))
        depth = random.choice([2, 3, 10, 40])
        opened = "".join(one for one, _ in units) + random.choice(["", "", self._value()])
        closed = "".join(one for _, one in reversed(units))
        return opened * depth + "rye" + closed * random.choice([depth, depth, 0, depth // 2])

    def _json(self, depth: int = 0) -> Any:
        random = self.random
        kind = random.random()
        if depth > _JSON_DEPTH or kind < 0.45:
            return random.choice([None, True, 0, -1.5, 10**30, self._value(), "\ud800"])
        if kind < 0.6:
            return [self._json(depth + 1) for _ in range(random.randint(0, 3))]
        names = random.choices(self._names, k=random.randint(0, 4))
        names += random.sample(_KEYS, random.randint(0, 4))
        made = {name: self._json(depth + 1) for name in names}
        if random.random() < 0.8:
            made["@type"] = random.choice([random.choice(TYPES), list(TYPES[:3]), 3, None])
        return made

    def _data(self) -> str:
        """Return JSON, or what looks like it."""
        random = self.random
        text = json.dumps(self._json(), ensure_ascii=bool(random.getrandbits(1)))
        if random.random() < 0.8:
            return text
        return random.choice(
            [text[: len(text) // 2], "[" * 600, '{"a":' * 300, text + text, f"<!--{text}-->",
             f"<![CDATA[{text}]]>", f"{text};", "{'a':1,}", f"\ufeff{text}"]
        )  # fmt: skip


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
