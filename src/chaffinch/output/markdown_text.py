r"""Characters of Markdown: escapes, addresses, code, emphasis that is seen as such, and TeX.

CommonMark 0.31 (https://spec.commonmark.org/0.31.2/) and GFM (https://github.github.com/gfm/).
Only what could be read as markup is escaped, so that ``snake_case``, ``[1]`` and ``2 * 3`` stay
readable. The ends of a piece count as if markup followed, for it does.

Emphasis that the rules (section 6.2, flanking delimiter runs) would not let be seen gives its outer
punctuation away, as in ``“**重点**”的``, or goes. Departure: strong is always ``**`` and emphasis
``_``, or ``*`` within a word, so that no two runs of one mark touch.

CommonMark knows no formulas. It reads what stands between dollar signs as any text, and nothing in
TeX may be escaped, since renderers that do know formulas read it as it is. So where the TeX holds a
tag, an autolink, a comment, an entity, a link or a code span for CommonMark, it is written in a way
that means the same in TeX and nothing in Markdown:

- a space after ``<`` and ``&``, and between ``]`` and ``(``, which only ``\text`` shows;
- ``\lq`` for a backtick;
- in the text of a link ``\lbrack`` and ``\rbrack`` for brackets that don't pair, which would end
  the link and leave its address to be read as text.
"""

import re
import unicodedata
from functools import lru_cache
from itertools import count
from typing import Final

from chaffinch.elements.formulas import dollars, without_scripts
from chaffinch.output.walk import BREAK, CLOSE, CODE, EMPHASIS, OPEN, RAW, TEXT, Mark, Piece

SPECIAL: Final = "\\`*_[]<&~"
"""Characters that may mean something wherever they stand in a text."""
_SPECIAL: Final = re.compile(f"[{re.escape(SPECIAL)}]")
_ENTITY: Final = re.compile(r"&(?=(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]*);)")
_ASCII_PUNCTUATION: Final = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_NUMBERED: Final = re.compile(r"([0-9]{1,9})([.)])(?=\s|$)")
_LINE_MARK: Final = re.compile(r"\A(?:#{1,6}(?:\s|$)|[-+](?:\s|$)|>|[:|\s]*+-[-:|\s]*+$|=+\s*$)")
_WITHIN: Final = re.compile(r"\A(?:\*\s|[*_]{3,}$|~{3}|\[(?>(?:[^\[\]\\]++|\\.)*)\]:)")
"""What else begins another block, and is escaped by `escaped` where a line begins."""
_BACKTICKS: Final = re.compile(r"`+")
_PARENTHESES: Final = re.compile(r"[()]")

_BRACKETS: Final = 32
"""Brackets in a text, beyond which all are escaped: parsers look for the end of each."""

SPACE: Final = 0
PUNCTUATION: Final = 1
SYMBOL: Final = 2
LETTER: Final = 3


def escaped(raw: str, *, line_start: bool = False, in_link: bool = False) -> str:
    """Return ``raw`` (one line, white space folded) so that it reads as itself.

    ``line_start``: a line of a paragraph begins with it; ``in_link``, that it stands in
    the text of a link or an image, where brackets would end it. Where no line begins, a text that
    holds none of `SPECIAL` is as it was.
    """
    out = raw
    if _SPECIAL.search(raw):
        in_link = in_link or raw.count("[") > _BRACKETS
        out = _SPECIAL.sub(
            lambda found: _inline(raw, found.start(), in_link=in_link, line_start=line_start), raw
        )
    if not line_start or raw[0].isalpha():
        return out
    if out[0] == "[":
        return "\\" + out
    if numbered := _NUMBERED.match(raw):
        return f"{numbered[1]}\\{out[len(numbered[1]) :]}"
    return "\\" + out if _LINE_MARK.match(raw) else out


def at_line_start(markdown: str) -> str:
    """Return Markdown from within a line so that it reads the same where it begins a paragraph."""
    if numbered := _NUMBERED.match(markdown):
        return f"{numbered[1]}\\{markdown[len(numbered[1]) :]}"
    return "\\" + markdown if _LINE_MARK.match(markdown) or _WITHIN.match(markdown) else markdown


def heading(words: str, level: int) -> str:
    """Return a heading of one line of Markdown; a ``#`` at its end would be taken for its close."""
    words = f"{words[:-1]}\\#" if words.endswith("#") else words
    return f"{'#' * level} {words}"


def _inline(  # noqa: PLR0911  a table of cases
    raw: str, at: int, *, in_link: bool, line_start: bool
) -> str:
    """Return the mark at ``at``, escaped where the marks around make it mean something."""
    mark = raw[at]
    before = raw[at - 1] if at else ""
    after = raw[at + 1] if at + 1 < len(raw) else ""
    escaped = "\\" + mark
    match mark:
        case "*":
            return mark if before.isspace() and after.isspace() else escaped
        case "_":
            return mark if before.isalnum() and after.isalnum() else escaped
        case "\\":
            return escaped if not after or after in _ASCII_PUNCTUATION else mark
        case "[":
            return escaped if in_link or after == "^" else mark
        case "]":
            return escaped if in_link or after == "(" else mark
        case "<":
            return escaped if not after or after.isalpha() or after in "/!?" else mark
        case "&":
            return escaped if _ENTITY.match(raw, at) else mark
        case "~":
            alone = before.isspace() or (line_start and not before)
            return mark if alone and after not in ("", "~") else escaped
    return escaped


def address(url: str) -> str:
    if "&" in url:
        url = _ENTITY.sub(r"\\&", url)
    if "(" not in url and ")" not in url:
        return url
    depth = 0
    for mark in _PARENTHESES.findall(url):
        depth += 1 if mark == "(" else -1
        if not 0 <= depth < 32:  # noqa: PLR2004  CommonMark requires at least three levels
            break
    if depth or "](" in url:  # where the link were none, this would begin one
        url = url.replace("(", "\\(").replace(")", "\\)")
    return url


def code_span(raw: str) -> str:
    runs = set(map(len, _BACKTICKS.findall(raw)))
    fence = "`" * next(size for size in count(1) if size not in runs)
    pad = " " if raw[0] == "`" or raw[-1] == "`" else ""
    return f"{fence}{pad}{raw}{pad}{fence}"


def fence(raw: str) -> str:
    """Return the fence for a block of code: longer than any run of backticks within."""
    longest = max(map(len, _BACKTICKS.findall(raw)), default=0)
    return "`" * max(3, longest + 1)


@lru_cache(maxsize=4096)
def mark_kind(mark: str) -> int:
    """Return what a character is to the flanking rules of emphasis; "" is the edge of a line.

    Symbols (Unicode S) count as punctuation since CommonMark 0.31 and as letters before: they are
    a class of their own, so that what is written reads the same for both.
    """
    if not mark or mark.isspace():
        return SPACE
    if mark in _ASCII_PUNCTUATION:
        return PUNCTUATION
    match unicodedata.category(mark)[0]:
        case "P":
            return PUNCTUATION
        case "S":
            return SYMBOL
    return LETTER


_PASSES: Final = 6
_DELIMITER: Final = {"bold": "**", "italic": "_", "strikethrough": "~~"}


def flanked(pieces: list[Piece]) -> list[Piece]:
    """Choose delimiters that are seen as such; move punctuation out or drop the others.

    No two texts stand side by side in ``pieces``, nor in what is returned.
    """
    for attempt in range(_PASSES):
        edges = [
            (one.text[0], one.text[-1]) if one.what == TEXT and one.text else _edges(one)
            for one in pieces
        ]
        changed = False
        last = attempt == _PASSES - 1
        opened: dict[Mark, int] = {}
        for at, piece in enumerate(pieces):
            mark = piece.mark
            if mark.kind not in EMPHASIS:
                continue
            if piece.what == OPEN:
                opened[mark] = at
            elif not _choose(pieces, edges, opened[mark], at):
                changed = True
                if last or not _give_away(pieces, edges, opened[mark], at):
                    mark.dropped = True
        if not changed:
            return pieces
        pieces = _tidied(pieces)
    for piece in pieces:
        if piece.mark.kind in EMPHASIS:
            piece.mark.dropped = True
    return _tidied(pieces)


def _choose(pieces: list[Piece], edges: list[tuple[str, str]], start: int, stop: int) -> bool:
    """Give the mark a delimiter that works where it stands; return whether there is one."""
    mark = pieces[start].mark
    outer = mark_kind(edges[start - 1][1] if start else "")
    outer_end = mark_kind(edges[stop + 1][0] if stop + 1 < len(pieces) else "")
    inner, inner_end = mark_kind(edges[start + 1][0]), mark_kind(edges[stop - 1][1])
    if SPACE in (inner, inner_end):
        return False
    delimiter = _DELIMITER[mark.kind]
    free = outer <= PUNCTUATION and outer_end <= PUNCTUATION
    if mark.kind == "italic" and not free:
        beside = (start - 1, start + 1, stop - 1, stop + 1)
        if any(0 <= i < len(pieces) and pieces[i].what >= OPEN for i in beside):
            return False
        delimiter = "*"
    mark.opening = mark.closing = delimiter
    return (inner == LETTER or outer <= PUNCTUATION) and (
        inner_end == LETTER or outer_end <= PUNCTUATION
    )


def _give_away(pieces: list[Piece], edges: list[tuple[str, str]], start: int, stop: int) -> bool:
    """Move punctuation at the edges of a span out of it; return whether any was."""
    first, final = pieces[start + 1], pieces[stop - 1]
    moved = False
    if first.what == TEXT and mark_kind(edges[start + 1][0]) != LETTER:
        size = _without_letters(first.text)
        pieces[start].text += first.text[:size]
        first.text = first.text[size:]
        moved = True
    if final.what == TEXT and final.text and mark_kind(final.text[-1]) != LETTER:
        kept = len(final.text) - _without_letters(final.text[::-1])
        pieces[stop].text = final.text[kept:] + pieces[stop].text
        final.text = final.text[:kept]
        moved = True
    return moved


def _without_letters(text: str) -> int:
    return next((at for at, one in enumerate(text) if mark_kind(one) == LETTER), len(text))


def _tidied(pieces: list[Piece]) -> list[Piece]:
    """Return pieces without marks that are dropped or hold nothing, and without empty texts.

    What a mark took in stands before it opens, or behind it where it closes.
    """
    out = [Piece(BREAK)]
    for piece in pieces:
        parts = [piece]
        if piece.what >= OPEN:
            parts = [] if piece.mark.dropped else [Piece(piece.what, mark=piece.mark)]
            parts.insert(len(parts) if piece.what == CLOSE else 0, Piece(TEXT, piece.text))
        for part in parts:
            if part.what == out[-1].what <= CODE:
                out[-1].text += part.text
                out[-1].signs |= part.signs
            elif part.what == CLOSE and out[-1].mark is part.mark:
                out.pop()
            elif part.text or part.what > CODE:
                out.append(part)
    return out[1:]


_OUTER: Final = {CODE: ("`", "`"), RAW: ("!", ")")}


def _edges(piece: Piece) -> tuple[str, str]:
    """Return the first and the last character of what isn't a text, as it is written."""
    if piece.what < OPEN:
        return _OUTER.get(piece.what, ("", ""))
    if piece.mark.kind in EMPHASIS:
        return "*", "*"
    if piece.mark.kind == "link":
        return ("[", "[") if piece.what == OPEN else ("]", ")")
    return "<", ">"


_MEANS: Final = re.compile(
    r"\\?<(?=[A-Za-z/!?]|[^\s<>]*@)|&(?=#?[A-Za-z0-9]{1,40};)|\](?=\()|`|\\(?:[A-Za-z]+|.)?",
    re.DOTALL,
)
"""How a tag, an autolink, an entity, a link or code begins; and commands, which begin none."""
_BRACKET: Final = re.compile(r"\\.|[\[\]]", re.DOTALL)
_BRACKET_NAMES: Final = {"[": "\\lbrack ", "]": "\\rbrack "}


def formula(tex: str, *, display: bool, in_link: bool) -> str:
    """Return TeX between dollar signs; ``in_link``: it stands in the text of a link."""
    tex = _MEANS.sub(_without_meaning, without_scripts(" ".join(tex.split())))
    brackets = [one for one in _BRACKET.findall(tex) if one in _BRACKET_NAMES] if in_link else []
    if brackets != ["[", "]"] * (len(brackets) // 2):
        tex = _BRACKET.sub(lambda found: _BRACKET_NAMES.get(found[0], found[0]), tex)
    return dollars(tex, display=display)


def _without_meaning(found: re.Match[str]) -> str:
    mark = found[0]
    if mark == "`":
        return "\\lq "
    return f"{mark} " if mark in {"<", "\\<", "&", "]"} else mark
