"""Calls of functions in an XPath checked before it meets a page.

libxml2 finds a call with too few arguments, or of an unknown function, only where it is evaluated:
on the first page that has the elements before it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_TOKEN: Final = re.compile(r"\"[^\"]*+\"|'[^']*+'|(?<![\w.:-])([\w.:-]++)\s*+\(|[(\[\])]|,")
_ANY: Final = 1 << 20
_ARGUMENTS: Final = {
    "last": (0, 0),
    "position": (0, 0),
    "count": (1, 1),
    "id": (1, 1),
    "local-name": (0, 1),
    "namespace-uri": (0, 1),
    "name": (0, 1),
    "string": (0, 1),
    "concat": (2, _ANY),
    "starts-with": (2, 2),
    "contains": (2, 2),
    "substring-before": (2, 2),
    "substring-after": (2, 2),
    "substring": (2, 3),
    "string-length": (0, 1),
    "normalize-space": (0, 1),
    "translate": (3, 3),
    "boolean": (1, 1),
    "not": (1, 1),
    "true": (0, 0),
    "false": (0, 0),
    "lang": (1, 1),
    "number": (0, 1),
    "sum": (1, 1),
    "floor": (1, 1),
    "ceiling": (1, 1),
    "round": (1, 1),
    "re:test": (2, 3),
    "re:match": (2, 3),
    "re:replace": (4, 4),
    "text": (0, 0),
    "node": (0, 0),
    "comment": (0, 0),
    "processing-instruction": (0, 1),
}
"""Function or test of nodes → least and most arguments, of XPath 1.0 (section 4) and EXSLT."""
_OPERATORS: Final = frozenset({"and", "or", "div", "mod"})


@dataclass
class _Call:
    """A bracket that is open; ``name`` is "" where it is no call."""

    name: str
    start: int
    commas: int = 0

    def problem(self, inside: str) -> str:
        """Return what is wrong, given the text between its brackets; "" for nothing."""
        if not self.name:
            return ""
        if self.name not in _ARGUMENTS:
            return f"unknown function {self.name}()"
        least, most = _ARGUMENTS[self.name]
        count = self.commas + 1 if inside and not inside.isspace() else 0
        return "" if least <= count <= most else f"{self.name}() doesn't take {count} arguments"


def wrong_call(expression: str) -> str:
    """Return what is wrong with the first wrong call of an expression; "" for nothing."""
    calls: list[_Call] = []
    for token in _TOKEN.finditer(expression):
        written = token.group()
        if written[-1] in "([":
            name = (token[1] or "").rpartition("::")[2]
            calls.append(_Call("" if name in _OPERATORS else name, token.end()))
        elif written in {")", "]"} and calls:
            call = calls.pop()
            if problem := call.problem(expression[call.start : token.start()]):
                return problem
        elif written == "," and calls:
            calls[-1].commas += 1
    return ""
