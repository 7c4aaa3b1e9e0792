"""Options as typed fields of frozen dataclasses, described once.

Name, type and default of an option are its field's, and what it does is its entry in the
``Attributes:`` section of the class. Options of the command, keys of files of settings and the
service's schema are made from these.
"""

from __future__ import annotations

import inspect
import re
import sys
from dataclasses import MISSING, fields
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

_TYPES: Final[dict[str, Any]] = {one.__name__: one for one in (bool, int, float, str, Path)}
_ATTRIBUTE: Final = re.compile(r"^(\w+(?:, \w+)*): (.*)$")


class Described(NamedTuple):
    """An option."""

    name: str  # of the field
    type: Any  # bool, int, float, str, Path …; of a tuple that of its members
    default: Any  # its value where none is given; None for none
    meaning: str  # what it does
    is_several: bool  # it is a tuple of any length
    may_be_none: bool  # None is a value of its own


@cache
def described(options: type) -> dict[str, Described]:
    """Return the fields of a dataclass by name."""
    meanings, module = meanings_of(options), sys.modules[options.__module__]
    found = {}
    for one in (one for one in fields(options) if one.init):
        parts = [part.strip() for part in str(one.type).split("|")]
        (name, *_) = [part for part in parts if part != "None"]
        is_several = name.startswith("tuple[")
        name = name.removeprefix("tuple[").partition(",")[0]
        kind = _TYPES.get(name) or getattr(module, name, Any)
        default = one.default if one.default is not MISSING else None
        meaning, may_be_none = meanings.get(one.name, ""), "None" in parts
        found[one.name] = Described(one.name, kind, default, meaning, is_several, may_be_none)
    return found


def meanings_of(described: type) -> dict[str, str]:
    """Return field → meaning, from the Attributes sections of a class and what it is made of."""
    found: dict[str, str] = {}
    for kind in reversed(described.__mro__):
        _, _, section = inspect.cleandoc(kind.__doc__ or "").partition("Attributes:\n")
        names: list[str] = []
        for line in section.splitlines():
            if line and not line.startswith(" "):
                break
            if not line.startswith("     ") and (start := _ATTRIBUTE.match(line.strip())):
                names = start[1].split(", ")
                found |= dict.fromkeys(names, start[2])
            elif line.strip():
                for name in names:
                    found[name] += " " + line.strip()
    return found
