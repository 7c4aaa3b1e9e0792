"""Inline content of one block: text, code, images, formulas and the marks around them.

White space is held back until something follows, and marks are held back until something stands in
them; so no mark is empty and none has white space inside.
"""

from __future__ import annotations

from chaffinch.output.pieces import BREAK, CLOSE, CODE, OPEN, RAW, TEXT, Mark, Piece


class Inline:
    """Collects the inline content of a block.

    Attributes:
        joined: kinds of marks that go on where one ends and another begins.
        pieces: what was collected.
        active: the marks that are open, innermost last.
        pending: those of them in which nothing stands so far.
        first: first row that it is from; -1 where nothing was collected.
        last: first row after those that it is from.
    """

    def __init__(self, joined: frozenset[str] = frozenset()) -> None:
        self.joined = joined
        self.pieces: list[Piece] = []
        self.active: list[Mark] = []
        self.pending: list[Mark] = []
        self.space = False
        self.broken = False
        self.first = self.last = -1

    def has(self, kind: str) -> bool:
        """Return whether a mark of ``kind`` is open."""
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
        """Add text with no space before it, where there is anything before it."""
        self.space = False
        if self.pieces:
            self.text(raw, row, row + 1)

    def text(self, raw: str, row: int, stop: int, *, code_of: int = -1) -> None:
        """Add the text of rows; ``code_of`` is the row of the code element it stands in."""
        words = " ".join(raw.split())
        if not words:
            self.space |= bool(raw)
            return
        self.space |= raw[0].isspace()
        self._from(row, stop)
        if code_of < 0:
            self._put(Piece(TEXT, words))
        else:
            self._put_code(words, code_of)
        self.space = raw[-1].isspace()

    def raw(self, markup: str, row: int) -> None:
        """Add an image or a formula as it is written."""
        self._from(row, row + 1)
        self._put(Piece(RAW, markup))

    def _from(self, row: int, stop: int) -> None:
        self.first = row if self.first < 0 else self.first
        self.last = stop

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
            if old is None or old.kind != new.kind or new.kind not in self.joined:
                return
            self.pieces.pop()
            self.active[self.active.index(new)] = old
            self.pending.pop(0)

    def take(self) -> list[Piece]:
        """Return the pieces collected so far, and begin anew within the same marks."""
        pieces, self.pieces = self.pieces, []
        self.first = self.last = -1
        self.space = self.broken = False
        if pieces and self.active:
            written = [mark for mark in self.active if mark not in self.pending]
            pieces.extend(Piece(CLOSE, mark=mark) for mark in reversed(written))
            self.active = [Mark(mark.kind, mark.markup) for mark in self.active]
            self.pending = list(self.active)
        return pieces
