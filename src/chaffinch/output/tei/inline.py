"""Pieces of a block as a line of TEI."""

from __future__ import annotations

from typing import NamedTuple

from chaffinch.output.pieces import BREAK, CODE, OPEN, RAW, TEXT, Piece
from chaffinch.output.tei.xml import escaped


class Line(NamedTuple):
    """The content of a block, and the half-open range of rows that it is from."""

    xml: str
    rows: tuple[int, int]
    is_picture: bool
    """It is nothing but graphics, in no other element."""


def line(pieces: list[Piece], rows: tuple[int, int]) -> Line | None:
    """Return pieces as a line; None for no pieces."""
    if not pieces:
        return None
    xml = "".join(map(_written, pieces))
    return Line(xml, rows, is_picture=all(map(_is_picture, pieces)))


def _written(piece: Piece) -> str:
    if piece.what == TEXT:
        return escaped(piece.text)
    if piece.what == CODE:
        return f"<code>{escaped(piece.text)}</code>"
    if piece.mark is not None:
        markup = piece.mark.markup
        return f"<{markup}>" if piece.what == OPEN else f"</{markup.split(' ', 1)[0]}>"
    return piece.text if piece.what == RAW else "<lb/>"


def _is_picture(piece: Piece) -> bool:
    """Return whether a piece is a graphic or stands between two."""
    is_graphic = piece.what == RAW and piece.text.startswith("<graphic")
    return is_graphic or piece.what == BREAK or (piece.what == TEXT and piece.text == " ")
