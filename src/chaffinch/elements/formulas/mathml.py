r"""MathML as TeX, for formulas of which the page carries no TeX.

Source: MathML Core and MathML 3, chapter 3 (presentation elements). What has no form in TeX is
written as what it holds. Tables between fences become ``pmatrix`` and the like, a table after a
brace ``cases``; fences around what is tall grow with it. One pass over the rows, last one first, so
that an element's parts are there before it; nothing recurses.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from chaffinch.elements.formulas.math_symbols import (
    ALPHABETS,
    BIG,
    FUNCTIONS,
    OVER,
    UNDER,
    sign,
)
from chaffinch.elements.formulas.tex_parts import (
    PLAIN,
    Part,
    base_of,
    first_parts,
    in_row,
    joined,
    scripts,
)
from chaffinch.page import tags
from chaffinch.page_work import checked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from chaffinch.page import Page

_SKIPPED: Final = frozenset(
    "annotation annotation-xml mprescripts none maligngroup malignmark".split()
)
_WHITE_SPACE: Final = re.compile(r"\s+")
_ZERO: Final = re.compile(r"\A\s*+0\D*$")
_EMS: Final = re.compile(r"\A\s*+([\d.]+)em")
TOKENS: Final = PLAIN | {"mtext", "ms"}
_ESCAPED: Final = re.compile(r"([#$%&_{}])")
LONGEST: Final = 20_000  # characters of TeX; what is longer isn't a formula


def mathml_tex(page: Page, row: int) -> str:
    """Return the TeX of a ``math`` element, "" where it is empty or too long."""
    if is_too_long(page, row):
        return ""
    parts: dict[int, list[Part]] = {}
    for at, name in checked(reversed(list(_elements(page, row)))):
        own = parts.pop(at, [])[::-1]
        made = _made(page, at, name, own)
        if at == row or len(made.tex) > LONGEST:
            return made.tex.strip() if len(made.tex) <= LONGEST else ""
        parts.setdefault(int(page.parent[at]), []).append(made)
    return ""


def is_too_long(page: Page, row: int) -> bool:
    """Return whether a ``math`` element holds more text than a formula, such as half a page."""
    return bool(page.length[row] > LONGEST)


def _elements(page: Page, row: int) -> Iterator[tuple[int, str]]:
    """Yield row and name, without a prefix, of ``row`` and each element in it but in tokens."""
    at, stop = row, int(page.end[row])
    while at < stop:
        if page.tag[at] == tags.TEXT:
            at += 1
            continue
        name = page.name(at).rpartition(":")[2].rpartition(" ")[2]
        yield at, name
        at = int(page.end[at]) if name in TOKENS else at + 1


def _made(page: Page, row: int, name: str, parts: list[Part]) -> Part:
    if name in TOKENS:
        if is_too_long(page, row):
            return Part(name, " " * (LONGEST + 1))
        raw = page.text_of(row)
        text = _WHITE_SPACE.sub(" ", raw) if name == "mtext" else " ".join(raw.split())
        return Part(name, token_tex(page, row, name, text), text)
    maker = MAKERS.get(name)
    if maker is not None:
        return Part(name, maker(page, row, parts))
    kept = [part for part in parts if part.name not in _SKIPPED]
    if name in ("semantics", "maction"):
        kept = kept[:1]
    only = kept[0] if len(kept) == 1 else None
    return only if only is not None and only.name in PLAIN else Part(name, in_row(kept))


def token_tex(page: Page, row: int, name: str, text: str) -> str:
    """Return the TeX of a token (``mi``, ``mtext``, …) that holds ``text``."""
    if name in ("mtext", "ms"):
        words = _ESCAPED.sub(r"\\\1", text.replace("\\", "\\backslash "))
        return f"\\text{{{words}}}" if words else "\\;"
    if text in FUNCTIONS:
        return f"\\{text}"
    tex = joined([sign(one) for one in text])
    if name == "mo":
        return f"\\operatorname{{{text}}}" if len(text) > 1 and text.isalpha() else tex
    variant = (page.attribute(row, "mathvariant") or "").strip().lower()
    if variant in ALPHABETS and not (variant == "normal" and not text.isascii()):
        return f"\\{ALPHABETS[variant]}{{{tex}}}" if text else ""
    return f"\\mathrm{{{tex}}}" if name == "mi" and len(text) > 1 and text.isalpha() else tex


def _frac(page: Page, row: int, parts: list[Part]) -> str:
    above, below = (part.tex.strip() for part in first_parts(parts, 2))
    if _ZERO.match(page.attribute(row, "linethickness") or ""):
        return f"{{{above} \\atop {below}}}"
    return f"\\frac{{{above}}}{{{below}}}"


def _sub(_: Page, __: int, parts: list[Part]) -> str:
    base, under = first_parts(parts, 2)
    return base_of(base) + scripts(under, None)


def _sup(_: Page, __: int, parts: list[Part]) -> str:
    base, over = first_parts(parts, 2)
    return base_of(base) + scripts(None, over)


def _sub_sup(_: Page, __: int, parts: list[Part]) -> str:
    base, under, over = first_parts(parts, 3)
    return base_of(base) + scripts(under, over)


def _takes_limits(base: Part) -> bool:
    return base.text in BIG or base.text in FUNCTIONS


def _under(_: Page, __: int, parts: list[Part]) -> str:
    base, under = first_parts(parts, 2)
    return _with_under(base, under)


def _with_under(base: Part, under: Part) -> str:
    if _takes_limits(base):
        return base.tex + scripts(under, None)
    if under.text in UNDER:
        return f"\\{UNDER[under.text]}{{{base.tex}}}"
    if base.tex.startswith("\\underbrace"):
        return base.tex + scripts(under, None)
    return f"\\underset{{{under.tex}}}{{{base.tex}}}"


def _over(_: Page, __: int, parts: list[Part]) -> str:
    base, over = first_parts(parts, 2)
    return _with_over(base, over)


def _with_over(base: Part, over: Part) -> str:
    if _takes_limits(base) or base.tex.startswith("\\overbrace"):
        return base.tex + scripts(None, over)
    if over.text in OVER:
        return f"\\{OVER[over.text]}{{{base.tex}}}"
    return f"\\overset{{{over.tex}}}{{{base.tex}}}"


def _under_over(_: Page, __: int, parts: list[Part]) -> str:
    base, under, over = first_parts(parts, 3)
    if _takes_limits(base):
        return base.tex + scripts(under, over)
    return _with_over(Part("mrow", _with_under(base, under)), over)


def _many(_: Page, __: int, parts: list[Part]) -> str:
    """Return a base with pairs of scripts after it, and before it those behind ``mprescripts``."""
    before = next((at for at, part in enumerate(parts) if part.name == "mprescripts"), len(parts))
    base, after = first_parts(parts, 1)[0], parts[1:before]
    ahead = parts[before + 1 :]
    pairs = ["".join(scripts(*first_parts(side[at : at + 2], 2)) for at in range(0, len(side), 2))
             for side in (ahead, after)]  # fmt: skip
    return (f"{{}}{pairs[0]}" if pairs[0] else "") + base_of(base) + pairs[1]


def _table(_: Page, __: int, parts: list[Part]) -> str:
    lines = " \\\\ ".join(part.tex for part in parts)
    return f"\\begin{{matrix}} {lines} \\end{{matrix}}"


def _table_row(_: Page, __: int, parts: list[Part]) -> str:
    return " & ".join(part.tex.strip() for part in parts)


def _fence(page: Page, row: int, parts: list[Part]) -> str:
    marks = [page.attribute(row, name) for name in ("open", "close", "separators")]
    opened, closed, between = (
        given if given is not None else usual
        for given, usual in zip(marks, ("(", ")", ","), strict=True)
    )
    commas = "".join(between.split())
    row_parts: list[Part] = [Part("mo", sign(opened) if opened else "", opened)]
    for at, part in enumerate(parts):
        if at and commas:
            comma = commas[min(at, len(commas)) - 1]
            row_parts.append(Part("mo", sign(comma), comma))
        row_parts.append(part)
    row_parts.append(Part("mo", sign(closed) if closed else "", closed))
    return in_row(row_parts)


def _space(page: Page, row: int, _: list[Part]) -> str:
    width = _EMS.match(page.attribute(row, "width") or "")
    return (
        "\\quad "
        if width and width[1].replace(".", "", 1).isdigit() and float(width[1]) >= 1
        else "\\;"
    )


def _wrapped(command: str) -> Callable[[Page, int, list[Part]], str]:
    return lambda _page, _row_number, parts: f"\\{command}{{{in_row(parts)}}}"


def _root(_: Page, __: int, parts: list[Part]) -> str:
    base, index = first_parts(parts, 2)
    return f"\\sqrt[{index.tex}]{{{base.tex}}}"


def _enclosed(page: Page, row: int, parts: list[Part]) -> str:
    how = (page.attribute(row, "notation") or "").lower()
    inner = in_row(parts)
    for notation, command in (("radical", "sqrt"), ("box", "boxed"), ("strike", "cancel"),
                              ("top", "overline"), ("bottom", "underline")):  # fmt: skip
        if notation in how:
            return f"\\{command}{{{inner}}}"
    return inner


MAKERS: Final[dict[str, Callable[[Page, int, list[Part]], str]]] = {
    "mfrac": _frac, "msqrt": _wrapped("sqrt"), "mroot": _root, "mphantom": _wrapped("phantom"),
    "msub": _sub, "msup": _sup, "msubsup": _sub_sup, "munder": _under, "mover": _over,
    "munderover": _under_over, "mmultiscripts": _many, "mtable": _table, "mtr": _table_row,
    "mlabeledtr": _table_row, "mfenced": _fence, "mspace": _space, "menclose": _enclosed,
}  # fmt: skip
"""Element → its TeX, of its parts; all other elements are rows."""
