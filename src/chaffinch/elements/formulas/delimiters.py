"""Delimiters of TeX in a text: formulas left to a script, with and without them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_OPENED: Final = re.compile(r"\\[(\[]|\$\$")
_CLOSED_BY: Final = {"\\(": "\\)", "\\[": "\\]", "$$": "$"}
_IN_DOLLARS: Final = re.compile(r"[\\^_={}]")
_STYLE: Final = re.compile(r"^\{\\(?:displaystyle|textstyle|scriptstyle)\s*+(.*)\}$", re.DOTALL)
_ESCAPED: Final = re.compile(r"\\.")


def left_in_text(raw: str) -> Iterator[tuple[int, int, str, bool]]:
    r"""Yield (begin, end, TeX, whether displayed) of the formulas that a text leaves to a script.

    These stand between ``\(`` and ``\)``, ``\[`` and ``\]``, or double dollar signs.
    """
    ahead: dict[str, int] = {}
    at = 0
    while found := _OPENED.search(raw, at):
        end = _formula_end(raw, found, ahead)
        at = end or found.start() + 1
        if tex := " ".join(raw[found.end() : end - 2].split()) if end else "":
            yield found.start(), end, tex, found[0] != "\\("


def _formula_end(raw: str, opened: re.Match[str], ahead: dict[str, int]) -> int:
    """Return where the formula that is opened ends, its delimiter included; 0 where it doesn't.

    Between dollar signs stand no others, and a sign of TeX. ``ahead`` keeps where each delimiter
    was found next, so that a text is searched once for each.
    """
    begin = opened.end()
    if opened[0] == "$$":
        stop = _next(raw, "$", begin, ahead)
        holds_tex = _IN_DOLLARS.search(raw, begin, stop) is not None
        return stop + 2 if holds_tex and raw.startswith("$$", stop) else 0
    stop = _next(raw, _CLOSED_BY[opened[0]], begin + 1, ahead)
    within = opened[0] == "\\[" or _next(raw, "\n", begin, ahead) > stop
    return stop + 2 if stop < len(raw) and within else 0


def _next(raw: str, sign: str, at: int, ahead: dict[str, int]) -> int:
    """Return where ``sign`` stands next, the text's length where it doesn't."""
    if ahead.get(sign, -1) < at:
        found = raw.find(sign, at)
        ahead[sign] = found if found >= 0 else len(raw)
    return ahead[sign]


def undelimited(raw: str) -> str:
    """Return a text without the delimiters of the formulas that it leaves to a script."""
    parts, at = [], 0
    for begin, end, tex, _ in left_in_text(raw):
        parts += [raw[at:begin], tex]
        at = end
    return "".join([*parts, raw[at:]])


def dollars(tex: str, *, display: bool) -> str:
    """Return TeX between dollar signs, on one line."""
    tex = " ".join(tex.split())
    return f"$${tex}$$" if display else f"${tex}$"


def bare(tex: str) -> str:
    """Return TeX without delimiters and without the style that converters wrap it in."""
    tex = tex.strip()
    for begin, end in (("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$")):
        if len(tex) > len(begin) + len(end) and tex.startswith(begin) and tex.endswith(end):
            tex = tex[len(begin) : -len(end)].strip()
            break
    tex = tex.removeprefix("% <![CDATA[").removesuffix("%]]>").strip()
    found = _STYLE.match(tex)
    if found is not None and _balanced(found[1]):
        tex = found[1].strip()
    return tex


def _balanced(tex: str) -> bool:
    depth = 0
    for mark in _ESCAPED.sub("", tex):
        depth += (mark == "{") - (mark == "}")
        if depth < 0:
            return False
    return depth == 0
