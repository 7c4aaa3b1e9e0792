"""What ``style`` attributes declare, as a browser reads them: one reading for all that asks.

Style sheets aren't read. Of the declarations of one property the last counts, one that is important
before others (CSS Cascading 4, section 6).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_PARTS: Final = re.compile(
    r"/\*.*?(?:\*/|\Z)|\"(?:[^\"\\\n]|\\.)*+\"?|'(?:[^'\\\n]|\\.)*+'?|\\.|[;(){}\[\]]", re.DOTALL
)
_NOT_PLAIN: Final = "/\"'(\\{["
"""Signs without which a style is cut at its semicolons."""
_ESCAPE: Final = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
_LAST_CODE: Final = 0x10FFFF
_MAY_SHOW: Final = re.compile(r"display(?!\s*+:\s*+none)", re.IGNORECASE)
"""Most that declare a display declare none."""
_IMPORTANT: Final = "important"
_KNOWN: Final = {
    "display": frozenset(
        "none block inline inline-block flex inline-flex grid inline-grid table inline-table"
        " list-item table-row table-cell table-row-group table-header-group table-footer-group"
        " table-column table-caption table-column-group contents flow-root run-in ruby initial"
        " inherit unset revert -webkit-box -webkit-inline-box -webkit-flex -ms-flexbox".split()
    ),
    "visibility": frozenset("visible hidden collapse initial inherit unset revert".split()),
}
"""Values that a browser knows: a declaration of another is none."""
_BLOCKS: Final = frozenset(
    "block flex grid table list-item flow-root table-row -webkit-box -webkit-flex".split()
)
"""Values of ``display`` with which an element starts and ends a line of its own."""


def declared(style: str) -> Mapping[str, str]:
    """Return property → value of a style, both in lower case, without ``!important``."""
    found: dict[str, str] = {}
    important: set[str] = set()
    plain = not any(sign in style for sign in _NOT_PLAIN)
    for part in style.lower().split(";") if plain else _cut(style):
        name, _, value = part.partition(":")
        name, value = name.strip(), value.strip()
        is_important = value.endswith(_IMPORTANT) and "!" in value
        if is_important:
            value = value[: value.rfind("!")].rstrip()
        if name in _KNOWN and value not in _KNOWN[name]:
            continue
        if value and (is_important or name not in important):
            found[name] = value
            if is_important:
                important.add(name)
    return found


def _cut(style: str) -> Iterator[str]:
    """Yield the declarations of a style in lower case, without comments and escapes."""
    start, depth, own = 0, 0, list[str]()
    for found in _PARTS.finditer(style):
        sign = found[0]
        if sign[:2] == "/*":
            own += (style[start : found.start()], " ")
            start = found.end()
        elif sign in ("(", "{", "["):
            depth += 1
        elif sign in (")", "}", "]"):
            depth -= depth > 0
        elif sign == ";" and not depth:
            yield _unescaped("".join((*own, style[start : found.start()])))
            start, own = found.end(), []
    yield _unescaped("".join((*own, style[start:])))


def _unescaped(part: str) -> str:
    """Return a declaration without escapes, in lower case; an escaped colon parts nothing."""
    if "\\" in part:
        name, colon, value = part.partition(":")
        part = (
            _ESCAPE.sub(_character, name).replace(":", " ") + colon + _ESCAPE.sub(_character, value)
        )
    return part.lower()


def _character(found: re.Match[str]) -> str:
    if not found[1]:
        return found[2]
    code = int(found[1], 16)
    return chr(code) if 0 < code <= _LAST_CODE else "\ufffd"


def shows_as_block(style: str) -> bool:
    """Return whether an element of such a style starts and ends a line."""
    return _MAY_SHOW.search(style) is not None and declared(style).get("display") in _BLOCKS


def keeps_breaks(style: str) -> bool | None:
    """Return whether line breaks in the text of such an element are shown; None if inherited."""
    own = declared(style)
    value = own.get("white-space") or own.get("white-space-collapse")
    return None if value is None else value.startswith(("pre", "break-spaces"))
