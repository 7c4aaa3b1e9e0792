"""Inline content of one block: text, code, images and the marks around them, then their Markdown.

White space is held back until something follows, and marks are held back until something stands in
them; so no mark is empty and none has white space inside.
"""

from __future__ import annotations

from chaffinch.output.markdown import escape
from chaffinch.output.markdown.flanking import flanked
from chaffinch.output.markdown.pieces import (
    BREAK,
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


class Inline:
    """Collects the inline content of a block."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.active: list[Mark] = []
        self.pending: list[Mark] = []
        self.space = False
        self.broken = False
        self.first = self.last = -1
        """The half-open range of rows that what was collected is from; -1 for nothing."""

    def has(self, kind: str) -> bool:
        """Tell whether a mark of ``kind`` is open."""
        return any(mark.kind == kind for mark in self.active)

    def open(self, kind: str, markup: str) -> None:
        """Open a mark; it is written when something stands in it."""
        mark = Mark(kind, markup)
        self.active.append(mark)
        self.pending.append(mark)

    def close(self) -> None:
        """Close the mark that was opened last."""
        mark = self.active.pop()
        if self.pending:
            self.pending.pop()
        else:
            self.pieces.append(Piece(CLOSE, mark=mark))

    def line_break(self) -> None:
        """Break the line before what follows, if anything does."""
        self.broken = bool(self.pieces)

    def blank(self) -> None:
        """Part what follows from what was."""
        self.space = bool(self.pieces)

    def join(self, raw: str, row: int) -> None:
        """Add text with no space before it."""
        self.space = False
        self.text(raw, row)

    def text(self, raw: str, row: int, *, code_of: int = -1) -> None:
        """Add the text of a row; ``code_of`` is the row of the code element it stands in."""
        words = " ".join(raw.split())
        if not words:
            self.space |= bool(raw)
            return
        self.space |= raw[0].isspace()
        self._from(row)
        if code_of < 0:
            self._put(Piece(TEXT, words))
        else:
            self._put_code(words, code_of)
        self.space = raw[-1].isspace()

    def raw(self, markup: str, row: int) -> None:
        """Add a formula as it is written."""
        self._from(row)
        self._put(Piece(RAW, markup))

    image = raw

    def _from(self, row: int) -> None:
        self.first = row if self.first < 0 else self.first
        self.last = row + 1

    def _put_code(self, words: str, owner: int) -> None:
        last = self.pieces[-1] if self.pieces and not self.pending and not self.broken else None
        if self.space and last is not None and last.what == CODE and last.owner == owner:
            words = f" {words}"
            self.space = False
        self._put(Piece(CODE, words, owner=owner))

    def _put(self, piece: Piece) -> None:
        if self.pending and not self.broken:
            self._continue_emphasis()
        if self.pieces:
            if self.broken:
                self.pieces.append(Piece(BREAK))
            elif self.space:
                self.pieces.append(Piece(TEXT, " "))
        self.space = self.broken = False
        if self.pending:
            self.pieces.extend(Piece(OPEN, mark=mark) for mark in self.pending)
            self.pending.clear()
        self.pieces.append(piece)

    def _continue_emphasis(self) -> None:
        """Take back closing marks that are opened again at once, as in ``<b>a</b><b>b</b>``."""
        while self.pending and self.pieces and self.pieces[-1].what == CLOSE:
            old, new = self.pieces[-1].mark, self.pending[0]
            if old is None or old.kind != new.kind or new.kind not in EMPHASIS:
                return
            self.pieces.pop()
            self.active[self.active.index(new)] = old
            self.pending.pop(0)

    def take(self, *, prose: bool = True) -> list[str]:
        """Return the lines collected so far, and begin anew within the same marks.

        ``prose`` tells that each is the line of a paragraph, where list and heading marks count.
        """
        self.first = self.last = -1
        self.space = self.broken = False
        if not self.pieces:
            return []
        if not self.active and len(self.pieces) == 1:  # most blocks are one text
            pieces, self.pieces = self.pieces, []
            return _lines(pieces, prose=prose)
        written = [m for m in self.active if m not in self.pending]
        pieces = self.pieces + [Piece(CLOSE, mark=mark) for mark in reversed(written)]
        self.active = [Mark(mark.kind, mark.markup) for mark in self.active]
        self.pending = list(self.active)
        self.pieces = []
        if any(piece.mark is not None for piece in pieces):
            pieces = flanked(merged(pieces))
        return _lines(merged(pieces), prose=prose)


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
