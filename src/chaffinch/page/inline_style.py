"""What ``style`` attributes declare, as a browser reads them: one reading for all that asks.

Style sheets aren't read. Of the declarations of one property the last counts, one that is important
before others (CSS Cascading 4, section 6).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_COMMENT: Final = re.compile(r"/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)")
_IMPORTANT: Final = "important"
_BLOCKS: Final = frozenset(
    "block flex grid table list-item flow-root table-row -webkit-box -webkit-flex".split()
)
"""Values of ``display`` with which an element starts and ends a line of its own."""


def declared(style: str) -> Mapping[str, str]:
    """Return property → value of a ``style`` attribute, both in lower case, without ``!important``.

    A semicolon in quotes or parentheses parts declarations here, too.
    """
    found: dict[str, str] = {}
    important: set[str] = set()
    style = _COMMENT.sub("", style) if "/*" in style else style
    for part in style.lower().split(";"):
        name, _, value = part.partition(":")
        name, value = name.strip(), value.strip()
        is_important = value.endswith(_IMPORTANT) and "!" in value
        if is_important:
            value = value[: value.rfind("!")].rstrip()
        if value and (is_important or name not in important):
            found[name] = value
            if is_important:
                important.add(name)
    return found


def shows_as_block(style: str) -> bool:
    """Return whether an element of such a style starts and ends a line."""
    return declared(style).get("display") in _BLOCKS


def keeps_breaks(style: str) -> bool | None:
    """Return whether line breaks in the text of such an element are shown; None if inherited."""
    own = declared(style)
    value = own.get("white-space") or own.get("white-space-collapse")
    return None if value is None else value.startswith(("pre", "break-spaces"))
