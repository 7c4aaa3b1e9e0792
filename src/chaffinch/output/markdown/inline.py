"""Inline content of one block: text, code, images and the marks around them, then their Markdown.

White space is held back until something follows, and marks are held back until something stands in
them; so no mark is empty and none has white space inside. Emphasis that the flanking rules
(CommonMark 0.31, section 6.2) would not let be seen gives its outer punctuation away, as in
``“**重点**”的``, or goes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from chaffinch.output.markdown import escape
from chaffinch.output.markdown.escape import LETTER, PUNCTUATION, SPACE

TEXT: Final = 0
CODE: Final = 1
RAW: Final = 2
BREAK: Final = 3
OPEN: Final = 4
CLOSE: Final = 5

EMPHASIS: Final = frozenset({"strong", "em", "del"})
_PASSES: Final = 6
_DELIMITER: Final = {"strong": "**", "em": "_", "del": "~~"}


@dataclass(slots=True, eq=False)
class Mark:
    """One span of emphasis, link or raw element; its opening and closing pieces share it."""

    kind: str
    end: str = ""
    """What closes a link: its destination and title."""
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
        """Tell whether the mark it opens or closes isn't to be written."""
        return self.mark is not None and self.mark.dropped


class Inline:
    """Collects the inline content of a block."""

    def __init__(self) -> None:
        self.pieces: list[Piece] = []
        self.active: list[Mark] = []
        self.pending: list[Mark] = []
        self.space = False
        self.broken = False

    def has(self, kind: str) -> bool:
        """Tell whether a mark of ``kind`` is open."""
        return any(mark.kind == kind for mark in self.active)

    def open(self, kind: str, end: str = "") -> None:
        """Open a mark; it is written when something stands in it."""
        mark = Mark(kind, end)
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
        self.broken = True

    def add(self, raw: str, *, code_of: int = -1) -> None:
        """Add text; ``code_of`` is the row of the code element it stands in."""
        words = " ".join(raw.split())
        if not words:
            self.space |= bool(raw)
            return
        self.space |= raw[0].isspace()
        if code_of < 0:
            self._put(Piece(TEXT, words))
        else:
            self._put_code(words, code_of)
        self.space = raw[-1].isspace()

    def raw(self, markdown: str) -> None:
        """Add an image."""
        self._put(Piece(RAW, markdown))

    def _put_code(self, words: str, owner: int) -> None:
        last = self.pieces[-1] if self.pieces and not self.pending and not self.broken else None
        if self.space and last is not None and last.what == CODE and last.owner == owner:
            words = f" {words}"
            self.space = False
        self._put(Piece(CODE, words, owner=owner))

    def _put(self, piece: Piece) -> None:
        if not self.broken:
            self._continue_emphasis()
        if self.pieces:
            if self.broken:
                self.pieces.append(Piece(BREAK))
            elif self.space:
                self.pieces.append(Piece(TEXT, " "))
        self.space = self.broken = False
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
        if not self.pieces:
            self.space = self.broken = False
            return []
        written = [m for m in self.active if m not in self.pending]
        pieces = self.pieces + [Piece(CLOSE, mark=mark) for mark in reversed(written)]
        self.active = [Mark(mark.kind, mark.end) for mark in self.active]
        self.pending = list(self.active)
        self.pieces = []
        self.space = self.broken = False
        if any(piece.mark is not None for piece in pieces):
            pieces = _flanked(_merged(pieces))
        return _lines(_merged(pieces), prose=prose)


def _merged(pieces: list[Piece]) -> list[Piece]:
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


def _flanked(pieces: list[Piece]) -> list[Piece]:
    """Choose delimiters that are seen as such; move punctuation out or drop the others."""
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
            break
        pieces = _without_empty(_merged(pieces))
    else:
        for piece in pieces:
            if piece.mark is not None and piece.mark.kind in EMPHASIS:
                piece.mark.dropped = True
    return pieces


def _choose(pieces: list[Piece], edges: list[tuple[str, str]], start: int, stop: int) -> bool:
    """Give the mark a delimiter that works where it stands; tell whether there is one."""
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
    if mark.kind == "em" and not free:
        beside = (start - 1, start + 1, stop - 1, stop + 1)
        if any(0 <= i < len(pieces) and pieces[i].what >= OPEN for i in beside):
            return False
        mark.delimiter = "*"
    opens = inner == LETTER or outer <= PUNCTUATION
    closes = inner_end == LETTER or outer_end <= PUNCTUATION
    return opens and closes


def _give_away(pieces: list[Piece], edges: list[tuple[str, str]], start: int, stop: int) -> bool:
    """Move punctuation at the edges of a span out of it; tell whether any was."""
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
    return _merged(out)


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
        return "[" if opening else mark.end
    return f"<{mark.kind}>" if opening else f"</{mark.kind}>"
