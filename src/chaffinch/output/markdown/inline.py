"""Pieces of a block as lines of Markdown."""

from __future__ import annotations

from chaffinch.output.markdown import escape
from chaffinch.output.markdown.flanking import flanked
from chaffinch.output.pieces import EMPHASIS, OPEN, Mark, Piece, merged


def lines(pieces: list[Piece], *, prose: bool = True) -> list[str]:
    """Return pieces as Markdown, a string a line; none for no pieces.

    ``prose`` tells that each is the line of a paragraph, where list and heading marks count.
    """
    if len(pieces) > 1:  # most blocks are one text
        if any(piece.mark is not None for piece in pieces):
            pieces = flanked(merged(pieces))
        pieces = merged(pieces)
    return _lines(pieces, prose=prose) if pieces else []


def _lines(pieces: list[Piece], *, prose: bool) -> list[str]:
    """Write the pieces as Markdown, a string a line."""
    lines: list[str] = []
    line: list[str] = []
    in_link = False
    for at, piece in enumerate(pieces):
        match piece.what:
            case 0:
                start = prose and not line
                words = escape.text(piece.text, line_start=start, in_link=in_link)
                if words.endswith("!") and _opens_link(pieces, at + 1):
                    words = f"{words[:-1]}\\!"
                line.append(words)
            case 1:
                line.append(escape.code(piece.text))
            case 2:
                line.append(piece.text)
            case 3:
                lines.append("".join(line))
                line = []
            case _:
                if piece.mark is not None:
                    in_link ^= piece.mark.kind == "link"
                    line.append(_written(piece.mark, opening=piece.what == OPEN))
    lines.append("".join(line))
    return lines


def _opens_link(pieces: list[Piece], at: int) -> bool:
    mark = pieces[at].mark if at < len(pieces) else None
    return mark is not None and pieces[at].what == OPEN and mark.kind == "link"


def _written(mark: Mark, *, opening: bool) -> str:
    if mark.kind in EMPHASIS:
        return mark.delimiter
    if mark.kind == "link":
        return "[" if opening else mark.markup
    return f"<{mark.markup}>" if opening else f"</{mark.markup}>"
