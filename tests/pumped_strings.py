"""Hostile texts for a regular expression, made from its own parse tree.

A backtracking matcher is slow where a part that repeats can be read in several ways, or is read
anew from each position of a search. So each character that the expression tells apart, each pair of
them, each repeated part and each beginning of the expression is written many times, behind what
leads to it and before what can't follow; and two of them one behind the other, many times each.
"""

import re
from collections.abc import Iterator
from re import _parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

DOTALL, IGNORECASE, ASCII = re.DOTALL.value, re.IGNORECASE.value, re.ASCII.value
"""Flags as numbers, which are tested many times faster."""

REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
COMMON = "aZ0 \n_-.!<é中\x00"
"""Characters that most classes of an expression tell apart."""

CATEGORIES = {
    "CATEGORY_DIGIT": r"\d",
    "CATEGORY_NOT_DIGIT": r"\D",
    "CATEGORY_SPACE": r"\s",
    "CATEGORY_NOT_SPACE": r"\S",
    "CATEGORY_WORD": r"\w",
    "CATEGORY_NOT_WORD": r"\W",
}

MOST_SIGNS = 12
"""Classes of characters of which pairs are made; an expression of many letters has more."""

MOST_PARTS = 30
"""Parts of an expression that are repeated, a text each."""


MOST_PAIRED = 10
"""Parts of which pairs are repeated one behind the other."""


class Pump(NamedTuple):
    """A text ``before + repeated * n + then * m + after``."""

    before: str
    repeated: str
    after: str
    then: str = ""

    def text(self, length: int) -> str:
        """Return the text with about ``length`` characters, half of them ``then`` if given."""
        half = length // 2 if self.then else length
        then = self.then * max(1, half // len(self.then)) if self.then else ""
        return self.before + self.repeated * max(1, half // len(self.repeated)) + then + self.after


def parse(pattern: re.Pattern[Any]) -> Any:
    """Return the parse tree of a pattern, of bytes or text."""
    return _parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)


def _items(tree: Any) -> Iterator[tuple[str, Any]]:
    """Yield the nodes of a sequence as (name, value)."""
    for code, value in tree:
        yield str(code), value


def _parts(name: str, value: Any) -> list[Any]:
    """Return the sequences below a node, each of which may stand for it."""
    if name == "BRANCH":
        return list(value[1])
    if name == "GROUPREF_EXISTS":
        return [part for part in value[1:] if part is not None]
    place = {**dict.fromkeys(REPEATS, 2), "SUBPATTERN": 3, "ASSERT": 1, "ASSERT_NOT": 1}.get(name)
    if place is not None:
        return [value[place]]
    return [value] if name == "ATOMIC_GROUP" else []


def _classes(tree: Any) -> Iterator[tuple[str, Any]]:
    """Yield each node that reads one character, at any depth."""
    for name, value in _items(tree):
        if name in {"LITERAL", "NOT_LITERAL", "IN", "ANY"}:
            yield name, value
        for part in _parts(name, value):
            yield from _classes(part)


def _reads(name: str, value: Any, sign: str, flags: int) -> bool:
    """Whether a node reads a character."""
    if name == "ANY":
        return bool(flags & DOTALL) or sign != "\n"
    cases = {sign, sign.lower(), sign.upper()} if flags & IGNORECASE else {sign}
    codes = {ord(case) for case in cases if len(case) == 1}
    if name == "LITERAL":
        return value in codes
    if name == "NOT_LITERAL":
        return value not in codes
    found, negated = False, False
    for member, detail in _items(value):
        if member == "NEGATE":
            negated = True
        elif member == "LITERAL":
            found |= detail in codes
        elif member == "RANGE":
            found |= any(detail[0] <= code <= detail[1] for code in codes)
        elif member == "CATEGORY":
            kind = flags & ASCII
            found |= re.match(CATEGORIES[str(detail)], sign, kind) is not None
    return found != negated


def _candidates(tree: Any, top: int) -> str:
    """Return the characters at the bounds of each class, and common ones."""
    codes = [ord(sign) for sign in COMMON]
    for name, value in _classes(tree):
        members = [(name, value)] if name != "IN" else _items(value)
        for member, detail in members:
            if member in {"LITERAL", "NOT_LITERAL"}:
                codes.append(detail)
            elif member == "RANGE":
                codes += [detail[0], detail[1], detail[1] + 1]
    return "".join(
        dict.fromkeys(chr(code) for code in codes if code < top and not 0xD800 <= code < 0xE000)
    )


class Alphabet:
    """The characters that an expression tells apart, one for each way to be read."""

    def __init__(self, tree: Any, pattern: re.Pattern[Any]) -> None:
        flags = pattern.flags | (ASCII if isinstance(pattern.pattern, bytes) else 0)
        self.flags = flags
        top = 256 if isinstance(pattern.pattern, bytes) else 0x110000
        classes = list(_classes(tree))
        kinds: dict[tuple[bool, ...], str] = {}
        for sign in _candidates(tree, top):
            kinds.setdefault(tuple(_reads(*each, sign, flags) for each in classes), sign)
        self.signs = sorted(kinds.values(), key=lambda sign: self._breadth(kinds, sign))
        """Characters, those of most classes first."""
        self.failing = self.signs[-1]
        """The character that fewest classes read."""

    @staticmethod
    def _breadth(kinds: dict[tuple[bool, ...], str], sign: str) -> int:
        return -sum(next(kind for kind, one in kinds.items() if one == sign))

    def read_by(self, name: str, value: Any) -> list[str]:
        """Return the characters that a node reads, one for each kind."""
        return [sign for sign in self.signs if _reads(name, value, sign, self.flags)]


class Samples:
    """Short texts that parts of an expression read."""

    def __init__(self, alphabet: Alphabet) -> None:
        self.alphabet = alphabet
        self.groups: dict[int, str] = {}

    def of(self, tree: Any, turn: int = 0, repeats: int = 1) -> str:
        """Return a text that a sequence reads; turns take other alternatives and characters."""
        return "".join(self._node(name, value, turn, repeats) for name, value in _items(tree))

    def _node(self, name: str, value: Any, turn: int, repeats: int) -> str:
        if name == "LITERAL":
            return chr(value)
        if name in {"NOT_LITERAL", "IN", "ANY"}:
            signs = self.alphabet.read_by(name, value)
            return signs[turn % len(signs)] if signs else ""
        if name == "GROUPREF":
            return self.groups.get(value, "")
        parts = [] if name in {"ASSERT", "ASSERT_NOT"} else _parts(name, value)
        text = self.of(parts[turn % len(parts)], turn, repeats) if parts else ""
        if name == "SUBPATTERN":
            self.groups[value[0]] = text
        return (
            text * min(max(value[0], repeats), value[1], value[0] + 2) if name in REPEATS else text
        )


def _paths(tree: Any, before: list[tuple[Any, int]]) -> Iterator[tuple[list[tuple[Any, int]], Any]]:
    """Yield (what stands before, node) for each repeat, at any depth."""
    for at, (name, value) in enumerate(_items(tree)):
        here = [*before, (tree, at)]
        if name in REPEATS:
            yield here, value
        for part in _parts(name, value):
            yield from _paths(part, here)


def _spread(texts: list[str], most: int) -> list[str]:
    """Return at most so many different texts, evenly out of all."""
    unique = list(dict.fromkeys(text for text in texts if text))
    step = max(1, -(-len(unique) // most))
    return unique[::step]


def pumps(pattern: re.Pattern[Any]) -> list[Pump]:
    """Return the pumps of a pattern, each once."""
    tree = parse(pattern)
    alphabet = Alphabet(tree, pattern)
    samples = Samples(alphabet)
    signs = alphabet.signs[:MOST_SIGNS]
    words = [*alphabet.signs[: 3 * MOST_SIGNS], *(a + b for a in signs for b in signs if a != b)]
    leading, bodies, beginnings = [], [], []
    for before, (_, _, body) in _paths(tree, []):
        for turn in range(3):
            leading.append("".join(samples.of(outer[:at], turn) for outer, at in before))
            bodies.append(samples.of(body, turn))
            bodies.append(samples.of(body, turn) + samples.of(body, turn + 1))
            bodies.append(samples.of(body, turn, 0))
            beginnings.append(leading[-1] + bodies[-3])
    wholes = [samples.of(tree, turn, repeats) for turn in range(12) for repeats in range(3)]
    for whole in wholes:
        beginnings += [whole[:end] for end in range(1, min(len(whole), 24) + 1)]
    beginnings += wholes
    leading = ["", *_spread(leading, MOST_PARTS // 2)]
    bodies = _spread(bodies, MOST_PARTS)
    endings = ["", alphabet.failing, "\n" + alphabet.failing]
    found = [Pump("", word, end) for word in words for end in endings]
    found += [Pump("", word, end) for word in _spread(beginnings, MOST_PARTS) for end in endings]
    found += [Pump(lead, word, end) for lead in leading for word in bodies for end in endings]
    found += [Pump(lead, sign, alphabet.failing) for lead in leading for sign in signs]
    found += [Pump("", one, other) for one in signs for other in wholes[:6]]
    starts = _spread([*bodies, *beginnings], MOST_PAIRED)
    found += [
        Pump("", one, end, two)
        for one in starts
        for two in bodies[:MOST_PAIRED]
        for end in endings[:2]
    ]
    return list(dict.fromkeys(found))
