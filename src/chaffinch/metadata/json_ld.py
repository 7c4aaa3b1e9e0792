"""Objects that a page declares: JSON-LD, and states of its scripts in the words of schema.org.

Pages use that vocabulary loosely: any value may be a string, an object, a reference to another node
or a list of these, and may be of a wrong type.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from chaffinch.metadata.values import WORDS, clean, fold
from chaffinch.page import Page

ARTICLE, WORK, PAGE = 3, 2, 1
"""Ranks of nodes; 0 is that of anything else."""
_RANKS: Final = {
    name: rank
    for rank, kind in ((PAGE, "page"), (WORK, "work"), (ARTICLE, "article"))
    for name in WORDS["types"][kind].split("|")
}
MOST_VALUES: Final = 50


@dataclass(frozen=True, slots=True)
class JsonLdNode:
    """A JSON-LD object."""

    row: int  # row of the script that holds it
    type: str  # its schema.org type; of several the one of the highest rank
    rank: int  # `ARTICLE`, `WORK` (creative work or product), `PAGE` or 0
    properties: dict[str, Any]  # the object
    # name of the data that it is of: JSON-LD, or a state of the page's scripts
    origin: str = "json-ld"

    @classmethod
    def of(cls, row: int, own: dict[str, Any]) -> JsonLdNode:
        best = max(types_of(own), key=lambda name: _RANKS.get(name, 0), default="")
        return cls(row, clean(best)[:60], _RANKS.get(best, 0), own)

    def source(self, name: str) -> str:
        return f"{self.origin}:{self.type}.{name}"

    @property
    def title(self) -> str:
        """Its headline or name, folded."""
        values = (self.properties.get("headline"), self.properties.get("name"))
        return fold(next(filter(None, map(first_string, values)), ""))


def types_of(own: dict[str, Any]) -> list[str]:
    """Return the types of an object, without the vocabulary's address."""
    value = own.get("@type")
    named = value if isinstance(value, list) else [value]
    return [k.rpartition("/")[2].rpartition(":")[2] for k in named if isinstance(k, str)]


_STATE_KEYS: Final = {field: keys.split("|") for field, keys in WORDS["state"].items()}
_NAME_KEYS: Final = WORDS["names in states"].split("|")
LEAST_TEXT: Final = 120
"""Characters of a text, of a page or in its state."""


def nodes_of_states(page: Page) -> Iterator[JsonLdNode]:
    """Yield the object of a state that holds the longest text, in schema.org's words."""
    rows = {own or kind: row for row, kind, own, _ in page.head.scripts}
    for name, state in page.head.state.items():
        best, longest, left = None, LEAST_TEXT, 20_000  # objects that are read
        waiting: list[Any] = [[state]]  # a state may be no object
        while waiting and left:
            left -= 1
            one = waiting.pop()
            if isinstance(one, dict):
                size = max((len(own) for own in one.values() if isinstance(own, str)), default=0)
                best, longest = (one, size) if size > longest else (best, longest)
            inner = one.values() if isinstance(one, dict) else one
            waiting += [own for own in inner if isinstance(own, dict | list)]
        if best is not None:
            yield JsonLdNode(
                rows.get(name, page.head.scripts[0][0]), "article", ARTICLE, _said(best), name
            )


def _said(own: dict[str, Any]) -> dict[str, Any]:
    """Return what an object of a state says, by the names of schema.org; persons have a name."""
    folded, said = _folded(own), {}
    for field, keys in _STATE_KEYS.items():
        value = next((folded[key] for key in keys if folded.get(key)), None)
        if value is not None:
            some = value[:MOST_VALUES] if isinstance(value, list) else [value]
            said[field] = [_person(one) for one in some if isinstance(one, dict)] or value
    return said


def _person(own: dict[str, Any]) -> dict[str, Any]:
    folded = _folded(own)
    return {"name": next((folded[key] for key in _NAME_KEYS if folded.get(key)), "")}


def _folded(own: dict[str, Any]) -> dict[str, Any]:
    return {key.replace("_", "").replace("-", "").lower(): own[key] for key in reversed(own)}


def first_string(value: Any) -> str:
    if isinstance(value, list):
        value = value[0] if value else None
    return clean(value)
