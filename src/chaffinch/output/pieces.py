"""The pieces of a line: text, code, images, breaks, and the marks that open and close."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from chaffinch.kernels.codes import RUN_AFTER_SPACE, RUN_BEFORE_SPACE

TEXT: Final = 0
CODE: Final = 1
RAW: Final = 2
BREAK: Final = 3
OPEN: Final = 4
CLOSE: Final = 5

ANY_SIGNS: Final = ~(RUN_AFTER_SPACE | RUN_BEFORE_SPACE)
"""What is known of a text whose characters weren't looked at."""

EMPHASIS: Final = frozenset({"bold", "italic", "strikethrough"})


@dataclass(slots=True, eq=False)
class Mark:
    """One span of emphasis, link or raw element; its opening and closing pieces share it."""

    kind: str
    markup: str = ""
    """What a writer makes it of; in Markdown, what closes a link or the element that stays HTML."""
    delimiter: str = ""
    dropped: bool = False


@dataclass(slots=True, eq=False)
class Piece:
    """A part of the line: what it is, its text or its mark, and what is known of the text."""

    what: int
    text: str = ""
    mark: Mark | None = None
    signs: int = ANY_SIGNS
    """Bits that characters of the text stand for, or more of them; see `text_runs`."""


def merged(pieces: list[Piece]) -> list[Piece]:
    """Join texts that touch, and code that does; leave dropped marks out."""
    out: list[Piece] = []
    run: list[str] = []
    what = TEXT
    for piece in pieces:
        kind, text, mark = piece.what, piece.text, piece.mark
        is_mark = kind > CODE and (mark is None or not mark.dropped)
        if not text or kind == RAW:
            if is_mark:
                if run:
                    out.append(Piece(what, "".join(run)))
                    run.clear()
                out.append(piece)
            continue
        own = CODE if kind == CODE else TEXT
        if run and (own != what or (is_mark and kind == CLOSE)):
            out.append(Piece(what, "".join(run)))
            run.clear()
        if is_mark and kind == CLOSE:
            out.append(Piece(CLOSE, mark=mark))
        what = own
        run.append(text)
        if is_mark and kind == OPEN:
            out.append(Piece(what, "".join(run)))
            run.clear()
            out.append(Piece(OPEN, mark=mark))
    if run:
        out.append(Piece(what, "".join(run)))
    return out
