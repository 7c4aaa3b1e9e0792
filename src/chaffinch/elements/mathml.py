"""What MathJax 3 draws (CommonHTML), as TeX, where it brings no MathML beside it.

Its elements are those of MathML with others around them for the layout. A character is the text of
an ``mjx-c``, or only in its class, from which a style sheet draws it.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple

from chaffinch.elements import WORDS
from chaffinch.page import Page, tags
from chaffinch.page_work import checked

# Signs of formulas as TeX: Greek letters, operators, relations, arrows, accents, alphabets.

_SIGNS: Final[dict[str, str]] = WORDS["signs"]
FUNCTIONS: Final = frozenset(WORDS["functions"].split())
BIG: Final = frozenset("∑∏∐∫∬∭∮⋂⋃⨁⨂⋀⋁")  # operators whose limits are written as scripts
INFIX: Final = frozenset("=+-−±∓×÷⋅·∗∘⊕⊗∧∨∩∪∖<>≤≥≠≈≡∼≃≅∝≪≫∈∉⊂⊃⊆⊇→←↔⇒⇐⇔↦⟹⟺≔")
OVER: Final[dict[str, str]] = WORDS["over"]
UNDER: Final[dict[str, str]] = WORDS["under"]
ALPHABETS: Final[dict[str, str]] = WORDS["alphabets"]
_UNICODE_ALPHABETS: Final[list[tuple[str, str]]] = WORDS["alphabets of Unicode"]


@lru_cache(maxsize=4096)
def sign(one: str) -> str:
    """Return a character as TeX; letters of mathematical alphabets by their alphabet."""
    if one in _SIGNS:
        return _SIGNS[one]
    plain = unicodedata.normalize("NFKC", one)
    if plain == one or len(plain) != 1:
        return one
    name = unicodedata.name(one, "")
    inner = _SIGNS.get(plain, plain)
    if name.startswith("MATHEMATICAL ") or "STRUCK" in name or "SCRIPT" in name or "LETTER" in name:
        for words, alphabet in _UNICODE_ALPHABETS:
            if words in name:
                return f"\\{alphabet}{{{inner}}}"
    return inner


# Parts of a formula put together as TeX: side by side, between fences, with scripts.

_MATRICES: Final = {
    "()": "pmatrix", "[]": "bmatrix", "{}": "Bmatrix", "||": "vmatrix", "‖‖": "Vmatrix",
}  # fmt: skip
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
    out, last = list[str](), ""
    for piece in filter(None, pieces):
        if piece[0].isalpha() and _WORD_END.search(last):
            out.append(" ")
        out.append(piece)
        last = piece
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
    gap = " " if _WORD_END.search(opened.tex) and tex[:1].isalpha() else ""
    return f"\\left{opened.tex}{gap}{tex} \\right{closed.tex}"


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


# MathML as TeX, for formulas of which the page carries no TeX.
#
# Source: MathML Core and MathML 3, chapter 3 (presentation elements). What has no form in TeX is
# written as what it holds. Tables between fences become ``pmatrix`` and the like, a table after a
# brace ``cases``; fences around what is tall grow with it. One pass over the rows, last one first,
# so that an element's parts are there before it; nothing recurses.

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

    def name_of(at: int) -> str:  # without a prefix of a namespace
        return page.name(at).rpartition(":")[2].rpartition(" ")[2]

    return "" if is_too_long(page, row) else _put_together(page, row, name_of, TOKENS, _made)


def is_too_long(page: Page, row: int) -> bool:
    """Return whether a ``math`` element holds more text than a formula, such as half a page."""
    return bool(page.length[row] > LONGEST)


def _put_together(
    page: Page,
    row: int,
    name_of: Callable[[int], str],
    leaves: frozenset[str],
    make: Callable[[Page, int, str, list[Part]], list[Part]],
) -> str:
    """Return the TeX of an element; what is in ``leaves`` isn't entered."""
    elements, at, stop = list[tuple[int, str]](), row, int(page.end[row])
    while at < stop:
        name = "" if page.tag[at] == tags.TEXT else name_of(at)
        if name:
            elements.append((at, name))
        at = int(page.end[at]) if name in leaves else at + 1
    parts: dict[int, list[Part]] = {}  # of each element, the last first
    for at, name in checked(reversed(elements), every=64):
        made = make(page, at, name, parts.pop(at, [])[::-1])
        if at == row or any(len(part.tex) > LONGEST for part in made):
            tex = "".join([part.tex for part in made])
            return tex.strip() if len(tex) <= LONGEST else ""
        parts.setdefault(int(page.parent[at]), []).extend(reversed(made))
    return ""


def _made(page: Page, row: int, name: str, parts: list[Part]) -> list[Part]:
    if name in TOKENS:
        if is_too_long(page, row):
            return [Part(name, " " * (LONGEST + 1))]
        raw = page.text_of(row)
        text = _WHITE_SPACE.sub(" ", raw) if name == "mtext" else " ".join(raw.split())
        return [Part(name, token_tex(page, row, name, text), text)]
    if (tex := _tex_of(page, row, name, parts)) is not None:
        return [Part(name, tex)]
    kept = [part for part in parts if part.name not in _SKIPPED]
    if name in ("semantics", "maction"):
        kept = kept[:1]
    is_one = len(kept) == 1 and kept[0].name in PLAIN
    return kept if is_one else [Part(name, in_row(kept))]


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


def _tex_of(page: Page, row: int, name: str, parts: list[Part]) -> str | None:
    """Return the TeX of an element of its parts; None for one that is but a row of them."""
    (first, second), tex = first_parts(parts, 2), None
    match name:
        case "mfrac":
            above, below = first.tex.strip(), second.tex.strip()
            is_bare = _ZERO.match(page.attribute(row, "linethickness") or "")
            tex = f"{{{above} \\atop {below}}}" if is_bare else f"\\frac{{{above}}}{{{below}}}"
        case "mroot":
            tex = f"\\sqrt[{second.tex}]{{{first.tex}}}"
        case "msqrt" | "mphantom":
            tex = f"\\{name[1:]}{{{in_row(parts)}}}"
        case "msub" | "msup" | "msubsup" | "munder" | "mover" | "munderover":
            tex = _scripted(name, parts)
        case "mmultiscripts":
            tex = _many(parts)
        case "mtable":
            lines = " \\\\ ".join(part.tex for part in parts)
            tex = f"\\begin{{matrix}} {lines} \\end{{matrix}}"
        case "mtr" | "mlabeledtr":
            tex = " & ".join(part.tex.strip() for part in parts)
        case "mfenced":
            tex = _fence(page, row, parts)
        case "mspace":
            width = _EMS.match(page.attribute(row, "width") or "")
            is_wide = width and width[1].replace(".", "", 1).isdigit() and float(width[1]) >= 1
            tex = "\\quad " if is_wide else "\\;"
    return tex


def _scripted(name: str, parts: list[Part]) -> str:
    """Return a base with what stands under and over it, as scripts or as limits."""
    limits = "under" in name or "over" in name
    under, over = "sub" in name or "under" in name, "sup" in name or "over" in name
    base, *rest = first_parts(parts, 1 + under + over)
    below, above = rest[0] if under else None, rest[-1] if over else None
    if not limits or base.text in BIG or base.text in FUNCTIONS:
        return (base.tex if limits else base_of(base)) + scripts(below, above)
    tex = base.tex
    if below is not None:
        if below.text in UNDER:
            tex = f"\\{UNDER[below.text]}{{{tex}}}"
        elif tex.startswith("\\underbrace"):
            tex += scripts(below, None)
        else:
            tex = f"\\underset{{{below.tex}}}{{{tex}}}"
    if above is None:
        return tex
    if tex.startswith("\\overbrace"):
        return tex + scripts(None, above)
    if above.text in OVER:
        return f"\\{OVER[above.text]}{{{tex}}}"
    return f"\\overset{{{above.tex}}}{{{tex}}}"


def _many(parts: list[Part]) -> str:
    """Return a base with pairs of scripts after it, and before it those behind ``mprescripts``."""
    before = next((at for at, part in enumerate(parts) if part.name == "mprescripts"), len(parts))
    base, after = first_parts(parts, 1)[0], parts[1:before]
    ahead = parts[before + 1 :]
    pairs = ["".join(scripts(*first_parts(side[at : at + 2], 2)) for at in range(0, len(side), 2))
             for side in (ahead, after)]  # fmt: skip
    return (f"{{}}{pairs[0]}" if pairs[0] else "") + base_of(base) + pairs[1]


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


_CHARACTER: Final = re.compile(r"(?:^|\s)mjx-c([0-9A-F]{2,5})(?=\s|$)")
_PASSED: Final = frozenset("frac dbox dtable sqrt table itable row munder-row".split())
"""Elements of the layout, whose parts are those of the element around."""
_CHTML_SKIPPED: Final = frozenset(
    "surd nstrut dstrut tstrut strut spacer line mark assistive-mml mstrut c".split()
)
_MOST_ROWS: Final = 5_000


def chtml_tex(page: Page, row: int) -> str:
    """Return the TeX of an ``mjx-container``, "" where it is empty or too large for a formula."""
    if page.end[row] - row > _MOST_ROWS:
        return ""

    def name_of(at: int) -> str:
        return page.name(at).removeprefix("mjx-")

    return _put_together(page, row, name_of, TOKENS | _CHTML_SKIPPED, _chtml_made)


def _text(page: Page, row: int) -> str:
    found = []
    for at in range(row + 1, int(page.end[row])):
        if page.tag[at] == tags.TEXT:
            found.append(page.text_of(at))
        elif page.end[at] == at + 1:
            drawn = _CHARACTER.search(page.attribute(at, "class") or "")
            found.append(chr(int(drawn[1], 16)) if drawn else "")
    return unicodedata.normalize("NFKC", "".join(found)).strip()


def _chtml_made(page: Page, row: int, name: str, parts: list[Part]) -> list[Part]:
    """Return an element as TeX, its parts in the order in which MathML has them."""
    if name in TOKENS:
        text = _text(page, row)
        return [Part(name, token_tex(page, row, name, text), text)]
    above = page.name(int(page.parent[row])).removeprefix("mjx-")
    if name in _PASSED or (name == "script" and above in {"msubsup", "munderover"}):
        return parts
    if name in _CHTML_SKIPPED:
        return []
    if name == "msubsup" and len(parts) == 3:  # noqa: PLR2004  the script above comes first
        parts = [parts[0], parts[2], parts[1]]
    elif name == "mroot":
        parts = parts[::-1]
    elif name in ("munder", "mover", "munderover"):
        return [_with_limits(page, row, name, {part.name: part for part in parts}, parts)]
    if (tex := _tex_of(page, row, name, parts)) is not None:
        return [Part(name, tex)]
    is_one = len(parts) == 1 and parts[0].name in PLAIN
    return [Part(name, parts[0].tex, parts[0].text) if is_one else Part(name, in_row(parts))]


def _with_limits(
    page: Page, row: int, name: str, named: dict[str, Part], parts: list[Part]
) -> Part:
    base, under, over = named.get("base"), named.get("under"), named.get("over")
    if base is None and "box" in named and over is not None:  # holds what stands under the base
        return Part(name, f"{named['box'].tex}^{{{over.tex}}}")
    if base is None:  # limits as scripts, the one above first
        base, *others = parts or [Part("none", "")]
        over, under = (others[0], others[1]) if len(others) > 1 else (None, None)
        if others and over is None:
            under, over = (others[0], None) if name == "munder" else (None, others[0])
    given = [part for part in (base, under, over) if part is not None]
    kind = {2: "munder" if under is not None else "mover", 3: "munderover"}.get(len(given), "mrow")
    tex = _tex_of(page, row, kind, given)
    return Part(kind, in_row(given) if tex is None else tex)
