"""Emphasis that is seen as such: CommonMark 0.31, section 6.2 (flanking delimiter runs).

Emphasis that the rules would not let be seen gives its outer punctuation away, as in
``“**重点**”的``, or goes. Departure: strong is always ``**`` and emphasis ``_``, or ``*`` within a
word, so that no two runs of one mark touch.
"""

from __future__ import annotations

from typing import Final

from chaffinch.output.markdown import escape
from chaffinch.output.markdown.escape import LETTER, PUNCTUATION, SPACE
from chaffinch.output.pieces import (
    CLOSE,
    CODE,
    EMPHASIS,
    OPEN,
    RAW,
    TEXT,
    Mark,
    Piece,
    merged,
)

_PASSES: Final = 6
_DELIMITER: Final = {"bold": "**", "italic": "_", "strikethrough": "~~"}


def flanked(pieces: list[Piece]) -> list[Piece]:
    """Choose delimiters that are seen as such; move punctuation out or drop the others.

    No two texts stand side by side in ``pieces``, nor in what is returned.
    """
    for attempt in range(_PASSES):
        edges = [_edges(piece) for piece in pieces]
        changed = False
        last = attempt == _PASSES - 1
        opened: dict[Mark, int] = {}
        for at, piece in enumerate(pieces):
            mark = piece.mark
            if mark is None or mark.kind not in EMPHASIS:
                continue
            if piece.what == OPEN:
                opened[mark] = at
            elif not _choose(pieces, edges, opened[mark], at):
                changed = True
                if last or not _give_away(pieces, edges, opened[mark], at):
                    mark.dropped = True
        if not changed:
            return pieces
        pieces = _without_empty(merged(pieces))
    for piece in pieces:
        if piece.mark is not None and piece.mark.kind in EMPHASIS:
            piece.mark.dropped = True
    return merged(pieces)


def _choose(pieces: list[Piece], edges: list[tuple[str, str]], start: int, stop: int) -> bool:
    """Give the mark a delimiter that works where it stands; return whether there is one."""
    mark = pieces[start].mark
    if mark is None:
        return False
    before = edges[start - 1][1] if start else ""
    first, final = edges[start + 1][0], edges[stop - 1][1]
    after = edges[stop + 1][0] if stop + 1 < len(pieces) else ""
    outer, inner = escape.kind(before), escape.kind(first)
    outer_end, inner_end = escape.kind(after), escape.kind(final)
    if SPACE in (inner, inner_end):
        return False
    mark.delimiter = _DELIMITER[mark.kind]
    free = outer <= PUNCTUATION and outer_end <= PUNCTUATION
    if mark.kind == "italic" and not free:
        beside = (start - 1, start + 1, stop - 1, stop + 1)
        if any(0 <= i < len(pieces) and pieces[i].what >= OPEN for i in beside):
            return False
        mark.delimiter = "*"
    opens = inner == LETTER or outer <= PUNCTUATION
    closes = inner_end == LETTER or outer_end <= PUNCTUATION
    return opens and closes


def _give_away(pieces: list[Piece], edges: list[tuple[str, str]], start: int, stop: int) -> bool:
    """Move punctuation at the edges of a span out of it; return whether any was."""
    first, final = pieces[start + 1], pieces[stop - 1]
    moved = False
    if first.what == TEXT and escape.kind(edges[start + 1][0]) != LETTER:
        size = next((i for i, c in enumerate(first.text) if escape.kind(c) == LETTER), None)
        size = len(first.text) if size is None else size
        pieces[start].text += first.text[:size]
        first.text = first.text[size:]
        moved = True
    if final.what == TEXT and final.text and escape.kind(final.text[-1]) != LETTER:
        size = next((i for i, c in enumerate(final.text[::-1]) if escape.kind(c) == LETTER), None)
        size = len(final.text) if size is None else size
        pieces[stop].text = final.text[len(final.text) - size :] + pieces[stop].text
        final.text = final.text[: len(final.text) - size]
        moved = True
    return moved


def _without_empty(pieces: list[Piece]) -> list[Piece]:
    """Drop marks that hold nothing any more."""
    out: list[Piece] = []
    for piece in pieces:
        if piece.what == TEXT and not piece.text:
            continue
        if piece.what == CLOSE and out and out[-1].mark is piece.mark:
            out.pop()
            continue
        out.append(piece)
    return merged(out)


_OUTER: Final = {CODE: ("`", "`"), RAW: ("!", ")")}


def _edges(piece: Piece) -> tuple[str, str]:
    """Return the first and the last character that a piece will be written with."""
    mark = piece.mark
    if mark is None:
        if piece.what == TEXT and piece.text:
            return piece.text[0], piece.text[-1]
        return _OUTER.get(piece.what, ("", ""))
    if mark.kind in EMPHASIS:
        return "*", "*"
    if mark.kind == "link":
        return ("[", "[") if piece.what == OPEN else ("]", ")")
    return "<", ">"
