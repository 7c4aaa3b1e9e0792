"""What MathJax 3 draws (CommonHTML), as TeX, where it brings no MathML beside it.

Its elements are those of MathML with others around them for the layout. A character is the text of
an ``mjx-c``, or only in its class, from which a style sheet draws it.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from chaffinch.elements.formulas.mathml import LONGEST, MAKERS, TOKENS, token_tex
from chaffinch.elements.formulas.tex_parts import PLAIN, Part, in_row
from chaffinch.page import tags
from chaffinch.page_work import checked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.page import Page

_CHARACTER: Final = re.compile(r"(?:^|\s)mjx-c([0-9A-F]{2,5})(?=\s|$)")
_PASSED: Final = frozenset("frac dbox dtable sqrt table itable row munder-row".split())
"""Elements of the layout, whose parts are those of the element around."""
_SKIPPED: Final = frozenset(
    "surd nstrut dstrut tstrut strut spacer line mark assistive-mml mstrut c".split()
)
_SCRIPTS: Final = frozenset(["msubsup", "munderover"])
_MOST_ROWS: Final = 5_000


def chtml_tex(page: Page, row: int) -> str:
    """Return the TeX of an ``mjx-container``, "" where it is empty or too large for a formula."""
    if page.end[row] - row > _MOST_ROWS:
        return ""
    parts: dict[int, list[Part]] = {}
    for at, name in checked(reversed(list(_elements(page, row))), every=64):
        own = parts.pop(at, [])
        above = parts.setdefault(int(page.parent[at]), [])
        if name in TOKENS:
            text = _text(page, at)
            above.insert(0, Part(name, token_tex(page, at, name, text), text))
        elif name in _PASSED or (name == "script" and _short_name(page, at, up=1) in _SCRIPTS):
            above[:0] = own
        elif name not in _SKIPPED:
            made = _made(page, at, name, own)
            if len(made.tex) > LONGEST:
                return ""
            if at == row:
                return made.tex.strip()
            above.insert(0, made)
    return ""


def _short_name(page: Page, row: int, *, up: int = 0) -> str:
    for _ in range(up):
        row = int(page.parent[row])
    return page.name(row).removeprefix("mjx-")


def _elements(page: Page, row: int) -> Iterator[tuple[int, str]]:
    """Yield row and name of ``row`` and each element in it, but in tokens and what is skipped."""
    at, stop = row, int(page.end[row])
    while at < stop:
        if page.tag[at] == tags.TEXT:
            at += 1
            continue
        name = _short_name(page, at)
        yield at, name
        at = int(page.end[at]) if name in TOKENS or name in _SKIPPED else at + 1


def _text(page: Page, row: int) -> str:
    """Return the characters of a token."""
    found = []
    for at in range(row + 1, int(page.end[row])):
        if page.tag[at] == tags.TEXT:
            found.append(page.text_of(at))
        elif page.end[at] == at + 1:
            drawn = _CHARACTER.search(page.attribute(at, "class") or "")
            found.append(chr(int(drawn[1], 16)) if drawn else "")
    return unicodedata.normalize("NFKC", "".join(found)).strip()


def _made(page: Page, row: int, name: str, parts: list[Part]) -> Part:
    """Return an element as TeX, its parts in the order in which MathML has them."""
    if name == "msubsup" and len(parts) == 3:  # noqa: PLR2004  the script above comes first
        parts = [parts[0], parts[2], parts[1]]
    elif name == "mroot":
        parts = parts[::-1]
    elif name in ("munder", "mover", "munderover"):
        return _with_limits(page, row, name, {part.name: part for part in parts}, parts)
    maker = MAKERS.get(name)
    if maker is not None:
        return Part(name, maker(page, row, parts))
    only = parts[0] if len(parts) == 1 else None
    if only is not None and only.name in PLAIN:
        return Part(name, only.tex, only.text)
    return Part(name, in_row(parts))


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
    maker = MAKERS.get(kind)
    return Part(kind, maker(page, row, given) if maker is not None else in_row(given))
