"""Inline content of one block: text, code, images, formulas and the marks around them.

White space is held back until something follows, and marks are held back until something stands in
them; so no mark is empty and none has white space inside.
"""

from __future__ import annotations

from chaffinch.kernels.codes import RUN_AFTER_SPACE, RUN_BEFORE_SPACE
from chaffinch.output.pieces import (
    ANY_SIGNS,
    BREAK,
    CLOSE,
    CODE,
    OPEN,
    RAW,
    TEXT,
    Mark,
    Piece,
    merged,
)


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
        self._code_row = -1
        """Row of the code element that the last piece of code is of."""
        self._touching = False
        """Two texts stand side by side, or two pieces of code."""

    def has(self, kind: str) -> bool:
        """Return whether a mark of ``kind`` is open."""
        for mark in self.active:  # noqa: SIM110  a generator would cost more than the search
            if mark.kind == kind:
                return True
        return False

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

    def text(self, raw: str, row: int, stop: int) -> None:
        """Add the text of rows, or another in their place."""
        if words := " ".join(raw.split()):
            spaces = raw[0].isspace() * RUN_AFTER_SPACE | raw[-1].isspace() * RUN_BEFORE_SPACE
            self.words(words, spaces | ANY_SIGNS, row, stop)
        else:
            self.space |= bool(raw)

    def words(self, words: str, signs: int, row: int, stop: int, *, code_of: int = -1) -> None:
        """Add the text of rows, white space folded.

        Args:
            words: the text, not "".
            signs: what is known of it; see `chaffinch.kernels.codes.RUN_AFTER_SPACE`.
            row: the first of the rows.
            stop: the first row after them.
            code_of: row of the code element it stands in; -1 for none.
        """
        if signs & RUN_AFTER_SPACE:
            self.space = True
        if self.first < 0:
            self.first = row
        self.last = stop
        if code_of >= 0:
            self._put_code(words, code_of)
        elif self.pieces or self.pending:
            self._put(Piece(TEXT, words, None, signs))
        else:  # the first of a block, as most are
            self.pieces.append(Piece(TEXT, words, None, signs))
            self.broken = False
        self.space = signs & RUN_BEFORE_SPACE != 0

    def raw(self, markup: str, row: int) -> None:
        """Add an image or a formula as it is written."""
        if self.first < 0:
            self.first = row
        self.last = row + 1
        self._put(Piece(RAW, markup))

    def _put_code(self, words: str, code_of: int) -> None:
        follows = self.pieces and not self.pending and self.pieces[-1].what == CODE
        if follows and self.space and not self.broken and self._code_row == code_of:
            words = f" {words}"
            self.space = False
        self._code_row = code_of
        self._put(Piece(CODE, words))

    def _put(self, piece: Piece) -> None:
        pieces, pending = self.pieces, self.pending
        if pending and not self.broken:
            self._continue_emphasis()
        if pieces:
            if self.broken:
                pieces.append(Piece(BREAK))
            elif self.space:
                self._put_space(piece)
            if not pending and piece.what <= CODE and piece.what == pieces[-1].what:
                self._touching = True
        self.space = self.broken = False
        if pending:
            pieces.extend([Piece(OPEN, mark=mark) for mark in pending])
            pending.clear()
        pieces.append(piece)

    def _put_space(self, piece: Piece) -> None:
        """Write the space before a piece: in the text before or after it, if there is one."""
        last = self.pieces[-1]
        if last.what == TEXT:
            last.text += " "
        elif piece.what == TEXT and not self.pending:
            piece.text = f" {piece.text}"
        else:
            self.pieces.append(Piece(TEXT, " "))

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
        """Return what was collected so far, and begin anew within the same marks.

        No two texts stand side by side in it, and no two pieces of code.
        """
        pieces = merged(self.pieces) if self._touching else self.pieces
        self.pieces = []
        self.first = self.last = -1
        self.space = self.broken = self._touching = False
        if pieces and self.active:
            written = [mark for mark in self.active if mark not in self.pending]
            pieces.extend([Piece(CLOSE, mark=mark) for mark in reversed(written)])
            self.active = [Mark(mark.kind, mark.markup) for mark in self.active]
            self.pending = list(self.active)
        return pieces
