"""Front matter: values as YAML between two lines of dashes, as site makers and editors read it.

Strings and lists are written as JSON, which is YAML 1.2 (section 1.2), so that no value can be
taken for a number, a date or markup. Readers that know no front matter see text there, of Markdown
or of HTML: what would begin a tag or a link in it is written by its code.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_BASIC: Final = 0xFFFF
"""The last character that four digits can name."""
_SURROGATES: Final = range(0xD800, 0xE000)
_UNKNOWN: Final = 0xFFFD
"""What Unicode puts in the place of what is no character."""
_MARKUP: Final = re.compile(r"<(?=[A-Za-z/!?])|(?<=\])\(")
"""What may begin a tag, a comment or an address; it stands within strings only."""


def render(values: Mapping[str, Any]) -> str:
    """Return the values that are known as front matter, a line each; "" where none is."""
    lines = [
        f"{name}: {_written(value)}\n" for name, value in values.items() if value not in (None, "")
    ]
    return "".join(["---\n", *lines, "---\n\n"]) if lines else ""


def _written(value: Any) -> str:
    quoted = json.dumps(value, ensure_ascii=False)
    quoted = _MARKUP.sub(lambda found: _escaped(found[0]), quoted)
    return "".join(c if c.isprintable() else _escaped(c) for c in quoted)


def _escaped(character: str) -> str:
    """Return what stands for a character that YAML has no plain form of (section 5.7).

    JSON's pairs of surrogates are two characters to YAML, and a lone one is none.
    """
    code = ord(character)
    if code > _BASIC:
        return f"\\U{code:08X}"
    return f"\\u{_UNKNOWN if code in _SURROGATES else code:04x}"
