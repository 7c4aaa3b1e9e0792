"""Formulas whose TeX the page carries, each once, though pages show them two or three times over.

Where TeX stands: MathML's ``annotation`` (KaTeX, LaTeXML, MediaWiki) and ``alttext``; MathJax's
scripts of type ``math/tex``; ``data-tex`` and ``data-latex``; the alternative text or the address
of images of formulas; any attribute ``data-…`` of what holds nothing but a formula that KaTeX drew.
MathML without TeX and what MathJax 3 draws are converted. A formula is the outermost element that
holds its copies: the HTML drawn from it, the MathML for screen readers, the fallback image.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final
from urllib.parse import unquote

import numpy as np

from chaffinch.elements import WORDS, class_names
from chaffinch.elements.mathml import chtml_tex, is_too_long, mathml_tex
from chaffinch.page import Page, tags
from chaffinch.page.attributes import Search, Searches
from chaffinch.page.flattening import block_around, siblings_before
from chaffinch.page_work import checked

# Addresses in TeX: MathJax makes a link of ``\href{javascript:…}{x}``, which runs on a click.

_LINK: Final = re.compile(
    r"\\(?:href|url|nolinkurl)(?![A-Za-z])"
    r"(?!\s{0,9}\{\s{0,9}(?:https?://|mailto:|\\?#[\w-]))"  # these lead somewhere and run nothing
    r"(?>(?:\s{0,9}\{[^{}]{0,9999}\})?)"
    r"|\\csname(?![A-Za-z])",
    re.IGNORECASE,
)


def without_scripts(tex: str) -> str:
    r"""Return TeX, or text that may hold any, without links that could run something.

    Links keep their text, behind an empty group. An address must be written out, and be of the
    web, of mail or of the page itself; of a link whose address a macro makes, the command is left
    out. So is ``\csname``, which makes commands of their names.
    """
    return _LINK.sub("{}", tex) if "\\" in tex else tex


# Delimiters of TeX in a text: formulas left to a script.

_ENVIRONMENT: Final = r"\{(?:align(?:at)?|equation|eqnarray|flalign|gather|multline)\*?\}"
_DELIMITED: Final = re.compile(
    r"(?<!\\)\\(?:\(((?>(?:[^\\\n]|\\[^()\n])+))\\\)|\[((?>(?:[^\\]|\\[^][])+))\\\])"
    r"|\$\$([^$]+)\$\$|(?<![\w$\\])\$(?=[^\s$])((?>[^$\n]{1,200})(?<![\s\\]))\$(?![\w$])"
    rf"|(\\begin{_ENVIRONMENT}(?>(?:[^\\]|\\(?!(?:begin|end){_ENVIRONMENT}))+)\\end{_ENVIRONMENT})"
)
_HAS_TEX: Final = {3: re.compile(r"[\\^_={}]"), 4: re.compile(r"\\[A-Za-z]|[_^]\{")}
"""Group of what stands between double, and single, dollar signs → what it then holds."""
_STYLE: Final = re.compile(r"^\{\\(?:displaystyle|textstyle|scriptstyle)\s*+(.*)\}$", re.DOTALL)
_ESCAPED: Final = re.compile(r"\\.")


def left_in_text(raw: str) -> Iterator[tuple[int, int, str, bool]]:
    r"""Yield (begin, end, TeX, whether displayed) of the formulas that a text leaves to a script.

    These stand between ``\(`` and ``\)``, ``\[`` and ``\]``, or double dollar signs; with a command
    in it also between single ones. Environments of lines stand by themselves.
    """
    at = 0
    while found := _DELIMITED.search(raw, at):
        kind = found.lastindex or 0
        is_tex = kind not in _HAS_TEX or _HAS_TEX[kind].search(found[kind]) is not None
        at = found.end() if is_tex else found.start() + 1
        if is_tex and (tex := " ".join(found[kind].split())):
            yield found.start(), at, tex, kind in (2, 3, 5)


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


_TEX: Final = re.compile(r"(?:^|/)(?:x-)?(?:la)?tex$", re.IGNORECASE)
_HOLDER: Final = re.compile(class_names("holders of formulas"))
_DRAWN: Final = re.compile(class_names("names of drawn formulas"))
_DISPLAY: Final = re.compile(class_names("names of formulas in lines of their own"))
_IMAGE_CLASS: Final = re.compile(class_names("names of images of formulas"))
_IMAGE_ADDRESS: Final = re.compile(WORDS["addresses of images of formulas"])
_QUERY_IS_TEX: Final = re.compile(r"codecogs|\.cgi|\.(?:image|latex)\?")
_TEX_IN_ADDRESS: Final = re.compile(r"(?:^|&)(?:latex|tex|math|chl)=([^&]+)")
_OF_IMAGES: Final = Searches(
    Search(
        "class",
        *("latex", "math", "ee_img", "equation", "formula", "katex"),
        *(f"tex{blank}" for blank in " \t\n\r\f\v\x1c\x1d\x1e\x1f"),  # "text" is in many names
    ),
    Search("src", "latex", "?tex=", "codecogs", "cht=tx", "image?", "math", "mimetex"),
)
"""Every class and address that these two find has one of these in it."""
_MATHJAX: Final = "mjx-container"  # the element in which MathJax 3 draws
_FORMULA_ATTRIBUTE: Final = "eeimg"  # an attribute that only images of formulas have
_IF_DRAWN: Final = "data-formula"  # an attribute of formulas where it stands in place of text
_DATA: Final = ("data-tex", "data-latex", _IF_DRAWN)
_NO_TEX: Final = ("", "inline", "display", "block")
_KATEX: Final = re.compile(r"(?:^|\s)katex(?:-display)?(?=\s|$)")
_KATEX_NAMES: Final = Search("class", "katex")
_LEFT_NAMES: Final = Search("class", "math", "katex")
_DRAWN_NAMES: Final = Searches(_KATEX_NAMES, _LEFT_NAMES)
_LEFT: Final = re.compile(class_names("names of formulas left to scripts"))
"""Names of what holds TeX until a script draws it, bare or in dollars: of pandoc, of plug-ins."""
_ALONE: Final = 2  # rows of an element that holds a text alone
_TEX_NAME: Final = re.compile(r"-(?:math|tex|latex|katex|expr|formula|equation)(?:-|$)")
_SURE_SIGN: Final = re.compile(r"[\\^=]")
_SIGN: Final = re.compile(r"[\\^_=+<>{}|/]|^\s*-?\w\s*$")
_MATH: Final = tags.CODES["math"]
_CLIMB: Final = 5
_LONGEST_TEX: Final = 10_000  # characters of TeX in an attribute


@dataclass(frozen=True)
class PageFormula:
    """A formula on the page."""

    row: int  # row of the outermost element that holds it
    end: int  # first row after all its copies
    tex: str  # its TeX, without delimiters
    display: bool  # whether it stands on a line of its own
    # where the TeX came from: "mathml" (carried by it), "converted" (made from it),
    # "mathjax", "data" or "image"
    kind: str

    @property
    def marked(self) -> str:
        return dollars(self.tex, display=self.display)


def formulas(page: Page) -> list[PageFormula]:
    """Return the formulas of a page in order; none stands within another."""
    found = _in_mathml(page) if "math" in page.tag_names else []
    if page.sources:
        found += _in_scripts(page)
    if not page.attribute_names.isdisjoint(_DATA):
        found += _in_data(page)
    if _MATHJAX in page.names.values() or _DRAWN_NAMES.may_find(page):
        found += _drawn(page)
    if _FORMULA_ATTRIBUTE in page.attribute_names or _OF_IMAGES.may_find(page):
        found += _in_images(page)
    out: list[PageFormula] = []
    for one in sorted(found, key=lambda one: (one.row, -one.end, one.kind == "converted")):
        if one.tex and (not out or one.row >= out[-1].end):
            out.append(one)
    return out


def _in_mathml(page: Page) -> list[PageFormula]:
    """Return the formulas in ``math`` elements; one within another is part of it.

    Only where the outer one is too long to be a formula, those in it are read.
    """
    found: list[PageFormula] = []
    rows = page.is_tag("annotation").nonzero()[0].tolist()
    sources = [at for at in rows if _TEX.search((page.attribute(at, "encoding") or "").strip())]
    after = 0
    for row in checked((page.tag == _MATH).nonzero()[0].tolist(), every=64):
        if row < after:
            continue
        at = bisect_left(sources, row)
        source = sources[at] if at < len(sources) else len(page)
        tex = page.text_of(source) if source < page.end[row] else ""
        tex = tex or page.attribute(row, "alttext") or ""
        if tex.strip():
            found.append(_held(page, row, tex, "mathml"))
        elif is_too_long(page, row):
            continue
        elif tex := mathml_tex(page, row):
            found.append(_held(page, row, tex, "converted"))
        after = int(page.end[row])
    return found


def _in_scripts(page: Page) -> list[PageFormula]:
    found = []
    for row, source in checked(page.sources.items(), every=64):
        kind = (page.attribute(row, "type") or "").lower()
        if not kind.startswith("math/tex"):
            continue
        begin = row
        for sibling in siblings_before(page, row):
            names = page.attribute(sibling, "class") or ""
            blank = page.tag[sibling] == tags.TEXT and not page.written[sibling]
            if sibling in page.sources or (not blank and not _DRAWN.search(names)):
                break
            begin = begin if blank else sibling
        display = "mode=display" in kind.replace(" ", "")
        found.append(PageFormula(begin, int(page.end[row]), bare(source), display, "mathjax"))
    return found


def _in_data(page: Page) -> list[PageFormula]:
    return [
        _held(page, row, tex, "data")
        for name in _DATA
        for row, tex in page.having(name)
        if tex.strip() not in _NO_TEX and (name != _IF_DRAWN or not page.length[row])
    ]


def _drawn(page: Page) -> list[PageFormula]:
    """Return the formulas that are only drawn: by KaTeX in what has the TeX, and by MathJax 3."""
    found = []
    drawn = _KATEX_NAMES.where(page, lambda own: _KATEX.search(own) is not None)
    for row in checked(drawn, every=16):
        if (page.tag[row : page.end[row]] == _MATH).any():
            continue
        if tex := _unmarked(page, row + 1):
            found.append(_held(page, row, tex, "mathml"))
            continue
        near = [row, *islice(page.ancestors(row), _CLIMB)]
        around = [at for at in near if page.length[at] == page.length[row]]
        given = ((at, tex) for at in around if (tex := _carried(page, at)))
        for holder, tex in islice(given, 1):
            display = any(_is_display(page, at) for at in range(holder, row + 1))
            end = int(page.end[holder])
            found.append(PageFormula(holder, end, bare(tex), display, "data"))
    for row in _LEFT_NAMES.where(page, lambda own: _LEFT.search(own) is not None):
        text = page.text_of(row).strip()
        tex, end = bare(text), int(page.end[row])
        if end - row <= _ALONE and _balanced(tex) and (tex == text or text[0] == "$"):
            display = text.startswith("$$") or _is_display(page, row)
            found.append(PageFormula(row, end, tex, display, "data"))
    containers = [row for row, name in page.names.items() if name == _MATHJAX]
    for row in checked(containers, every=16):
        if not (page.tag[row : page.end[row]] == _MATH).any() and (tex := chtml_tex(page, row)):
            display = _is_display(page, row)
            found.append(PageFormula(row, int(page.end[row]), tex, display, "converted"))
    return found


def _unmarked(page: Page, row: int) -> str:
    """Return the TeX of KaTeX's MathML without its tags: the last of its lines; "" for none."""
    if row >= len(page) or "katex-mathml" not in (page.attribute(row, "class") or ""):
        return ""
    text, _, tex = page.text_of(row).strip().rpartition("\n")
    return bare(tex) if text else ""


def _carried(page: Page, row: int) -> str:
    """Return the TeX that an element has in an attribute, "" for none."""
    for name, value in page.attributes(row).items():
        if value and name.startswith("data-") and len(value) <= _LONGEST_TEX:
            is_sure = "://" not in value and value.strip()[:1] not in "{["
            if _TEX_NAME.search(name) or (is_sure and _SURE_SIGN.search(value)):
                return value.strip()
    return ""


def _in_images(page: Page) -> list[PageFormula]:
    found: list[PageFormula] = []
    may = [search.candidates(page) for search in _OF_IMAGES.searches]
    rows = np.concatenate([*may, page.own_attributes.rows_of(_FORMULA_ATTRIBUTE)])
    if not len(rows):
        return found
    rows = rows[page.tag.take(rows) == tags.IMAGE]
    if not len(rows):
        return found
    copies = page.inside(page.is_tag("noscript"))
    said = page.own_attributes.values_of(rows, "class", "src", _FORMULA_ATTRIBUTE)
    for row, (names, given, marked) in sorted(dict(zip(rows.tolist(), said, strict=True)).items()):
        source = given or ""
        certain = marked is not None or bool(_IMAGE_ADDRESS.search(source))
        if not certain and not _IMAGE_CLASS.search(names or ""):
            continue
        tex = (page.attribute(row, "alt") or "").strip() or _from_address(source)
        last = found[-1] if found and copies[row] else None
        is_copy = last and last.tex == bare(tex) and not page.own_length[last.end : row].any()
        if tex and not is_copy and (certain or _SIGN.search(tex)):
            found.append(_held(page, row, tex, "image"))
    return found


def _from_address(url: str) -> str:
    """Return the TeX that an address of an image of a formula holds, "" for none."""
    query = url.partition("?")[2].partition("#")[0]
    if named := _TEX_IN_ADDRESS.search(query):
        return unquote(named[1])
    return unquote(query).replace("&space;", " ") if _QUERY_IS_TEX.search(url) else ""


def _held(page: Page, row: int, tex: str, kind: str) -> PageFormula:
    """Return the formula with the elements around it that hold nothing but its copies."""
    display = _is_display(page, row)
    outer = row
    for at in islice(page.ancestors(row), _CLIMB):
        if _HOLDER.search(page.attribute(at, "class") or "") or page.name(at).startswith("mjx-"):
            outer = at
            display |= _is_display(page, at)
    if tex.lstrip().startswith("{\\displaystyle"):
        above = block_around(page, outer)  # with nothing else in it, it is a line
        display |= above >= 0 and bool(page.length[above] <= page.length[outer])
    return PageFormula(outer, int(page.end[outer]), bare(tex), display, kind)


def _is_display(page: Page, row: int) -> bool:
    value = page.attribute(row, "display") or page.attribute(row, "mode") or ""
    names = page.attribute(row, "class") or ""
    return value in ("block", "true", "display") or bool(_DISPLAY.search(names))
