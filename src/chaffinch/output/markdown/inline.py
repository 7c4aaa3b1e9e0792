"""Pieces of a block as lines of Markdown."""

from __future__ import annotations

from typing import Final

from chaffinch.output.markdown import escape
from chaffinch.output.markdown.flanking import flanked
from chaffinch.output.pieces import BREAK, EMPHASIS, OPEN, RAW, TEXT, Mark, Piece
from chaffinch.output.sentences import sentence_ends

SPECIAL: Final = 8
"""Bit of characters that may have to be escaped; see `chaffinch.output.pieces.Piece.signs`."""
_FILLER: Final = "x"
"""A letter, which neither ends a sentence nor begins one."""


def lines(
    pieces: list[Piece], *, prose: bool = True, ends: list[tuple[int, int]] | None = None
) -> list[str]:
    """Return pieces as Markdown, a string a line; none for no pieces.

    Args:
        pieces: of one block, as `Inline.take` returns them.
        prose: each is the line of a paragraph, where list and heading marks count.
        ends: takes (line, character after it) of each end of a sentence that stands in no mark.
    """
    if len(pieces) == 1 and pieces[0].what == TEXT and ends is None:  # as most blocks are
        words = pieces[0].text
        if pieces[0].signs & SPECIAL or (prose and not words[:1].isalpha()):
            words = escape.text(words, line_start=prose)
        return [words]
    for piece in pieces:
        if piece.mark is not None and piece.mark.kind in EMPHASIS:
            pieces = flanked(pieces)
            break
    return _lines(pieces, prose=prose, ends=ends) if pieces else []


def plain(pieces: list[Piece]) -> str:
    """Return the words of pieces: text, code and formulas, without marks and images."""
    held = [one for one in pieces if one.what <= BREAK]
    held = [one for one in held if one.what != RAW or not one.text.startswith("![")]
    return " ".join("".join(" " if one.what == BREAK else one.text for one in held).split())


def _lines(
    pieces: list[Piece], *, prose: bool, ends: list[tuple[int, int]] | None = None
) -> list[str]:
    """Write the pieces as Markdown, a string a line."""
    lines: list[str] = []
    line: list[str] = []
    bare: list[str] = []
    marks = 0
    in_link = False
    for at, piece in enumerate(pieces):
        mark = piece.mark
        match piece.what:
            case 0:
                words = piece.text
                if piece.signs & SPECIAL or (prose and not line and not words[:1].isalpha()):
                    words = escape.text(words, line_start=prose and not line, in_link=in_link)
                if words[-1:] == "!" and _opens_link(pieces, at + 1):
                    words = f"{words[:-1]}\\!"
                line.append(words)
            case 1:
                line.append(escape.code(piece.text))
            case 2:
                line.append(piece.text)
            case 3:
                _note_ends(bare, len(lines), ends)
                lines.append("".join(line))
                line, bare = [], []
                continue
            case _ if mark is not None:
                opening = piece.what == OPEN
                in_link ^= mark.kind == "link"
                marks += 1 if opening else -1
                line.append(_written(mark, opening=opening))
        if ends is not None and line:
            own = piece.what == TEXT and not marks
            bare.append(line[-1] if own else _FILLER * len(line[-1]))
    _note_ends(bare, len(lines), ends)
    lines.append("".join(line))
    return lines


def _note_ends(bare: list[str], line: int, ends: list[tuple[int, int]] | None) -> None:
    """Note where sentences of a line end; all that stands in marks is filled over in ``bare``."""
    if ends is not None:
        ends.extend((line, end) for end in sentence_ends("".join(bare)))


def _opens_link(pieces: list[Piece], at: int) -> bool:
    mark = pieces[at].mark if at < len(pieces) else None
    return mark is not None and pieces[at].what == OPEN and mark.kind == "link"


def _written(mark: Mark, *, opening: bool) -> str:
    if mark.kind in EMPHASIS:
        return mark.delimiter
    if mark.kind == "link":
        return "[" if opening else mark.markup
    return f"<{mark.markup}>" if opening else f"</{mark.markup}>"
