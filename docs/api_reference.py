"""Writes docs/api.md's reference from the public names and their docstrings; run by cog."""

from __future__ import annotations

import inspect
import re
from dataclasses import is_dataclass
from typing import get_args, get_origin

import chaffinch
from chaffinch.caching import cached_property

_PAGE_INPUT = """What is taken as a page wherever one is: bytes (best: their encoding is found),
text, a path, an open file (`Readable`: it has `read`), an element or a tree of lxml or `xml.etree`,
or a page that is parsed. Bytes and files may be packed by gzip, or hold MHTML.
"""
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def reference() -> str:
    """Return the reference of all public names as Markdown."""
    functions = [n for n in chaffinch.__all__ if inspect.isfunction(getattr(chaffinch, n))]
    classes = [n for n in chaffinch.__all__ if inspect.isclass(getattr(chaffinch, n))]
    errors = [n for n in classes if issubclass(getattr(chaffinch, n), Exception)]
    others = [n for n in classes if n not in errors]
    parts = ["## Functions\n"]
    parts += [_function(name, getattr(chaffinch, name)) for name in functions]
    parts.append("## Classes\n")
    parts += [_class(name, getattr(chaffinch, name)) for name in others]
    parts.append("## Types\n")
    parts.append(f"### PageInput\n\n`{_union(chaffinch.PageInput)}`\n\n{_PAGE_INPUT}\n")
    parts.append("## Errors\n")
    parts += [f"- `{name}`: {_first(getattr(chaffinch, name))}" for name in errors]
    # What ends a piece of generated text for cog must not stand in it.
    return "\n".join(parts).replace("]]]", "]] ]")


def _function(name: str, function: object) -> str:
    return f"### {name}\n\n```python\n{name}{_signature(function)}\n```\n\n{_body(function)}\n"


def _class(name: str, kind: type) -> str:
    lines = [f"### {name}\n"]
    if is_dataclass(kind):
        lines.append(_body(kind) + "\n")
    else:
        lines.append(_first(kind) + "\n")
    members = []
    inherited = [pair for base in reversed(kind.__mro__[1:-1]) for pair in vars(base).items()]
    for key, value in dict([*inherited, *vars(kind).items()]).items():
        if key.startswith("_"):
            continue
        if isinstance(value, property | cached_property):
            function = value.fget if isinstance(value, property) else value.func
            members.append(f"- `.{key}`: {_first(function)}")
        elif isinstance(value, classmethod | staticmethod):
            members.append(f"- `{name}.{key}{_signature(value.__func__)}`: {_first(value)}")
        elif inspect.isfunction(value):
            members.append(f"- `.{key}{_signature(value)}`: {_first(value)}")
    return "\n".join([*lines, *members, ""])


def _signature(function: object) -> str:
    text = _ADDRESS.sub("", str(inspect.signature(function)))  # type: ignore[arg-type]
    text = text.replace("'", "").replace("(self, ", "(").replace("(self)", "()")
    return text.replace("(cls, ", "(")


def _union(kinds: object) -> str:
    """Return the names of a union's types."""
    return " | ".join(
        str(one).removeprefix("os.") if get_origin(one) else one.__name__ for one in get_args(kinds)
    )


def _first(thing: object) -> str:
    return " ".join((inspect.getdoc(thing) or "").split("\n\n", maxsplit=1)[0].split())


def _body(thing: object) -> str:
    """Return a docstring with its sections as lists."""
    out = []
    for line in (inspect.getdoc(thing) or "").splitlines():
        section = re.fullmatch(r"(Args|Returns|Raises|Yields|Attributes):", line)
        entry = re.fullmatch(r" {4}(\*{0,2}[\w.]+)(?: \([^)]*\))?: (.*)", line)
        if section:
            out.append(f"**{section[1]}**\n")
        elif entry:
            out.append(f"- `{entry[1]}`: {entry[2]}")
        else:
            out.append("  " + line.strip() if line.startswith("        ") else line.strip())
    return "\n".join(out)
