"""The pieces of a line: text, code, images, breaks, and the marks that open and close."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

TEXT: Final = 0
CODE: Final = 1
RAW: Final = 2
BREAK: Final = 3
OPEN: Final = 4
CLOSE: Final = 5

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
    """A part of the line: what it is, its text, and its mark or the element it is of."""

    what: int
    text: str = ""
    mark: Mark | None = None
    owner: int = -1

    @property
    def mark_dropped(self) -> bool:
        """Return whether the mark it opens or closes isn't to be written."""
        return self.mark is not None and self.mark.dropped


def merged(pieces: list[Piece]) -> list[Piece]:
    """Join texts that touch, and code that does; leave dropped marks out."""
    out: list[Piece] = []
    run: list[str] = []
    what = TEXT

    def end_run() -> None:
        if run:
            out.append(Piece(what, "".join(run)))
            run.clear()

    for piece in pieces:
        kind = piece.what
        if piece.text and kind != RAW:
            own = kind if kind == CODE else TEXT
            if kind == CLOSE and not piece.mark_dropped:
                end_run()
                out.append(Piece(CLOSE, mark=piece.mark))
            if own != what:
                end_run()
                what = own
            run.append(piece.text)
            if kind == OPEN and not piece.mark_dropped:
                end_run()
                out.append(Piece(OPEN, mark=piece.mark))
        elif kind > CODE and not piece.mark_dropped:
            end_run()
            out.append(piece)
    end_run()
    return out
