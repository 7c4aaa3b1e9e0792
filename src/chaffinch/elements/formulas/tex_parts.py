"""Parts of a formula put together as TeX: side by side, between fences, with scripts."""

from __future__ import annotations

import re
from string import ascii_letters
from typing import Final, NamedTuple

from chaffinch.elements.formulas.math_symbols import INFIX

_MATRICES: Final = {
    "()": "pmatrix",
    "[]": "bmatrix",
    "{}": "Bmatrix",
    "||": "vmatrix",
    "‖‖": "Vmatrix",
}
_FENCES: Final = frozenset("()[]{}|‖⟨⟩〈〉⌊⌋⌈⌉")
_TALL: Final = re.compile(r"\\(?:frac|begin|sum|prod|int|iint|oint|binom|sqrt)\b")
_WORD_END: Final = re.compile(r"\\[A-Za-z]+$")
_TABLE: Final = re.compile(r"^\\begin\{matrix\}(.*)\\end\{matrix\}$", re.DOTALL)
PLAIN: Final = frozenset(["mi", "mn", "mo"])


class Part(NamedTuple):
    """An element as TeX: ``name`` without a prefix of a namespace, ``text`` of a token."""

    name: str
    tex: str
    text: str = ""


def joined(pieces: list[str]) -> str:
    """Return pieces side by side, a space between a command that ends in a letter and a letter."""
    out: list[str] = []
    end = ""  # of what is joined: a backslash, a backslash and a letter for a command, or neither
    for piece in pieces:
        if len(end) > 1 and piece[:1].isalpha():
            out.append(" ")
            end = ""
        out.append(piece)
        before = piece.rstrip(ascii_letters)
        letter = piece[len(before) :][:1]
        if before:
            end = "\\" + letter if before.endswith("\\") else ""
        elif letter and end:
            end = "\\" + letter
    return "".join(out)


def in_row(parts: list[Part]) -> str:
    """Return parts side by side; fences at both ends are as tall as what they hold."""
    parts = [part for part in parts if part.tex]
    fenced = _fenced(parts) if len(parts) > 1 and parts[0].text in _FENCES else ""
    return fenced or _side_by_side(parts)


def _side_by_side(parts: list[Part]) -> str:
    pieces = []
    for at, part in enumerate(parts):
        infix = part.name == "mo" and part.text in INFIX and 0 < at < len(parts) - 1
        comma = part.name == "mo" and part.text in {",", ";"}
        pieces.append(f" {part.tex} " if infix else f"{part.tex} " if comma else part.tex)
    return joined(pieces)


def _fenced(parts: list[Part]) -> str:
    """Return parts between fences where these make a form of their own; else ""."""
    opened, inner, closed = parts[0], parts[1:-1], parts[-1]
    if len(inner) == 1 and (table := _TABLE.match(inner[0].tex)):
        name = _MATRICES.get(opened.text + closed.text, "")
        return f"\\begin{{{name}}}{table[1]}\\end{{{name}}}" if name else ""
    if not inner and opened.text == "{" and (table := _TABLE.match(closed.tex)):
        return f"\\begin{{cases}}{table[1]}\\end{{cases}}"
    if not inner or closed.text not in _FENCES or any(part.text in _FENCES for part in inner):
        return ""
    tex = _side_by_side(inner)
    if not _TALL.search(tex):
        return ""
    return f"\\left{opened.tex}{_apart(opened.tex, tex)} \\right{closed.tex}"


def _apart(before: str, after: str) -> str:
    return f" {after}" if _WORD_END.search(before) and after[:1].isalpha() else after


def base_of(part: Part) -> str:
    """Return what a script is put at: one sign as it is, more in braces."""
    simple = part.name in PLAIN and (len(part.text) <= 1 or part.tex.startswith("\\"))
    return part.tex if simple and part.tex else f"{{{part.tex}}}"


def scripts(under: Part | None, over: Part | None) -> str:
    """Return what stands under and over a base, primes as such."""
    out = f"_{{{under.tex.strip()}}}" if under is not None and under.tex else ""
    if over is not None and over.tex:
        primes = over.text and set(over.text) <= {"′", "'", "″"}
        count = len(over.text.replace("″", "′′"))
        out = "'" * count + out if primes else f"{out}^{{{over.tex.strip()}}}"
    return out


def first_parts(parts: list[Part], count: int) -> list[Part]:
    """Return the first parts, filled up with empty ones."""
    return [*parts, *[Part("none", "")] * count][:count]
