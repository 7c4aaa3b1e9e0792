r"""TeX in Markdown: between dollar signs, and such that no renderer finds markup in it.

CommonMark knows no formulas. It reads what stands between dollar signs as any text, and nothing in
TeX may be escaped, since renderers that do know formulas read it as it is. So where the TeX holds a
tag, an autolink, a comment, an entity, a link or a code span for CommonMark, it is written in a way
that means the same in TeX and nothing in Markdown:

- a space after ``<`` and ``&``, and between ``]`` and ``(``; in text (``\text{…}``), where a space
  would be seen, an empty group;
- ``\lq`` for a backtick;
- in the text of a link ``\lbrack`` and ``\rbrack`` for brackets without their like, which would
  end the link and leave its address and its title to be read as text.
"""

from __future__ import annotations

import re
from typing import Final

from chaffinch.elements.formulas import dollars, without_scripts

_MAY_MEAN: Final = re.compile(r"[<`&\[\]]")
_TOKEN: Final = re.compile(r"\\(?:[A-Za-z]+|.)?|[{}<`&\[\]]", re.DOTALL)
_TAG: Final = re.compile(r"[A-Za-z/!?]|[^\s<>]*@")
_ENTITY: Final = re.compile(r"#?[A-Za-z0-9]{1,40};")
_TEXT_COMMAND: Final = re.compile(r"\\(?:text[a-z]*|[mhf]box|intertext|tag)$")


def written(tex: str, *, display: bool, in_link: bool) -> str:
    """Return TeX between dollar signs; ``in_link``: it stands in the text of a link."""
    tex = without_scripts(" ".join(tex.split()))
    if _MAY_MEAN.search(tex):
        tex = _without_markup(tex, _unpaired(tex) if in_link else frozenset())
    return dollars(tex, display=display)


def _without_markup(tex: str, unpaired: frozenset[int]) -> str:
    """Return TeX that holds no markup; ``unpaired`` are places of brackets to name."""
    parts: list[str] = []
    groups = [False]
    """Of each group that is open, whether it holds text."""
    at = 0
    is_command = False
    for found in _TOKEN.finditer(tex):
        between, mark, end = tex[at : found.start()], found[0], found.end()
        is_command &= not between.strip()
        gap = "{}" if groups[-1] else " "
        parts += [between, mark]
        at = end
        match mark:
            case "{":
                groups.append(groups[-1] or is_command)
            case "}":
                if len(groups) > 1:
                    groups.pop()
            case "`":
                parts[-1] = "\\lq "
            case "[" | "]" if found.start() in unpaired:
                parts[-1] = "\\lbrack " if mark == "[" else "\\rbrack "
            case "]" if tex.startswith("(", end):
                parts.append(gap)
            case "<" | "\\<" if _TAG.match(tex, end):
                parts.append(gap)
            case "&" if _ENTITY.match(tex, end):
                parts.append(" ")
        is_command = bool(_TEXT_COMMAND.match(mark))
    return "".join([*parts, tex[at:]])


def _unpaired(tex: str) -> frozenset[int]:
    """Return the places of brackets without their like."""
    unpaired: list[int] = []
    for found in _TOKEN.finditer(tex):
        if found[0] == "]" and unpaired and tex[unpaired[-1]] == "[":
            unpaired.pop()
        elif found[0] in ("[", "]"):
            unpaired.append(found.start())
    return frozenset(unpaired)
