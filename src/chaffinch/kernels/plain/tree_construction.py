"""Tree construction as far as depth goes: what tags open and close, without a tree.

HTML Standard, section 13.2.6. It leans to too many open elements where it is simpler than the
standard: quirks mode, the insertion modes before ``body`` and in ``frameset``, ``template``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from chaffinch.kernels.plain.open_elements import OpenElements
from chaffinch.kernels.tag_codes import (
    ANNOTATION,
    BUTTON,
    CLOSES_ALL,
    CLOSES_P,
    CLOSES_SELECT,
    ENDS_FOREIGN,
    FORM,
    FORMATTING,
    IMPLIED,
    ITEM,
    KEEPS_FORMATTING,
    KIN,
    LI,
    MATH_SCOPE,
    OPTGROUP,
    REPLACES,
    RUBY,
    RUBY_TEXT,
    SCOPE,
    SELECT,
    SHARES,
    SPECIAL,
    SVG,
    SVG_SCOPE,
    TABLE,
    TABLE_PART,
    TEMPLATE,
    UL,
    VOID,
    P,
)

if TYPE_CHECKING:
    from chaffinch.kernels.tag_codes import TagTable

_ADOPTIONS: Final = 8  # rounds of the adoption agency


class Construction:
    """Follows tags of a page; ``open`` are the open elements at one."""

    def __init__(self, table: TagTable) -> None:
        self.open = OpenElements(table)
        self.kinds = self.open.kinds
        self.copies = 0  # of formatting elements, opened again in another block
        self._inside: list[int] = table.inside.tolist()
        self._closes_top: list[int] = table.closes_top.tolist()
        self._html_types = table.html_types

    def open_again(self) -> None:
        """Open the formatting elements again that the end of a block closed."""
        active = self.open.scopes[-1].active
        if active.pending:
            for entry in active.entries:
                if not entry.is_open:
                    entry.is_open = True
                    self.open.push(entry.code)
                    self.copies += 1
            active.pending = 0

    # Start tags

    def follow_void(self, code: int) -> None:
        """Follow an element without content: some close others."""
        kind = self.kinds[code]
        if kind & CLOSES_SELECT and self.open.scope_name() == SELECT:
            self._close_scope()
        self._close_paragraph(kind)
        if not kind & KEEPS_FORMATTING:
            self.open_again()

    def make_room(self, code: int) -> bool:
        """Close what a start tag closes; return whether it opens an element at all."""
        opened = self.open
        kind = self.kinds[code]
        if kind & TABLE_PART:
            return self._make_room_in_table(code)
        if code in {TABLE, SELECT} and opened.scope_name() == code:
            self._close_scope()
            if code == SELECT:
                return False
        elif kind & REPLACES:
            self._close_formatting(code)
        elif code == FORM and opened.last(FORM) >= 0 > opened.last(TEMPLATE):
            return False
        if kind & ITEM:
            offset = opened.find_kin(code)
            if offset >= 0 and opened.reaches(offset, walls=True):
                opened.pop_to(offset)
        elif code == BUTTON and opened.find(code) >= 0:
            opened.pop_to(opened.find(code))
        self._close_top(code, kind)
        self._close_paragraph(kind)
        return True

    def push(self, code: int) -> None:
        """Open an element of HTML."""
        self.open.push(code)
        if self.kinds[code] & SCOPE:
            self.open.open_scope(shares=bool(self.kinds[code] & SHARES))

    def push_foreign(self, code: int, tag: bytes) -> None:
        """Open an element within svg or math; in some of them it's HTML again."""
        opened = self.open
        in_svg = opened.codes[opened.foreign[-1]] == SVG  # or in math, whatever is within
        if code == SVG and not in_svg and opened.top() == ANNOTATION:
            opened.open_scope(shares=False)
        opened.push(code)
        is_html = code == ANNOTATION and any(one in tag.lower() for one in self._html_types)
        if self.kinds[code] & (SVG_SCOPE if in_svg else MATH_SCOPE) or (is_html and not in_svg):
            opened.open_scope(shares=False)

    def _close_scope(self) -> None:
        self.open.pop_to(self.open.scopes[-1].start - 1)

    def _close_paragraph(self, kind: int) -> None:
        paragraph = self.open.find(P) if kind & CLOSES_P else -1
        if paragraph > self.open.find(BUTTON):
            self.open.pop_to(paragraph)

    def _close_top(self, code: int, kind: int) -> None:
        """Close the current element where the start tag of one like it ends it."""
        opened = self.open
        closed = self._closes_top[code] if code < len(self._closes_top) else -1
        if closed >= 0 and opened.are_kin(closed, opened.top()):
            opened.pop_to(len(opened.codes) - 1)
        if code == OPTGROUP == opened.top() and opened.scope_name() == SELECT:
            opened.pop_to(len(opened.codes) - 1)
        if kind & RUBY_TEXT and opened.find(RUBY) >= 0:
            while self.kinds[opened.top()] & IMPLIED:
                opened.pop_to(len(opened.codes) - 1)

    def _table(self) -> int:
        """Return the offset of the table around, -1 where there is none, or a template in it."""
        table = self.open.last(TABLE)
        return table if table > self.open.last(TEMPLATE) else -1

    def _make_room_in_table(self, code: int) -> bool:
        opened = self.open
        table = self._table()
        if table < 0:
            return opened.scope_name() == TEMPLATE
        while opened.scopes[-1].start > table + 1:
            self._close_scope()
        missing: list[int] = []
        offset, part = -1, self._inside[code]
        while part >= 0 and (offset := opened.find_kin(part)) < 0:
            missing.append(part)
            part = self._inside[part]
        opened.pop_to(max(offset, table) + 1)
        for part in reversed(missing):
            opened.push(part)
        return True

    # End tags

    def close(self, code: int) -> bool:
        """Follow an end tag; return whether it closed anything."""
        opened = self.open
        foreign = opened.foreign[-1]
        if 0 <= foreign <= opened.find(code):
            opened.pop_to(opened.find(code))
            return True
        kind = self.kinds[code]
        if foreign >= 0 and kind & ENDS_FOREIGN:
            opened.pop_to(foreign)
        if kind & VOID and kind & ENDS_FOREIGN:
            self.follow_void(code)
        if kind & FORMATTING and opened.scopes[-1].active.last(code):
            return self._close_formatting(code)
        if (kind & TABLE_PART or code in {TABLE, TEMPLATE}) and self._close_outer(code):
            return True
        hidden = kind & (SVG_SCOPE | MATH_SCOPE) and opened.top() >= 0
        if opened.scope_name() == code and not hidden:
            self._close_scope()
            return True
        return self._close_element(code, kind)

    def _close_outer(self, code: int) -> bool:
        """Close a template, a table or a part of it, with the scopes in it."""
        offset = self.open.last(code)
        if offset < 0 or (code != TEMPLATE and not 0 <= self._table() <= offset):
            return False
        self.open.pop_to(offset)
        return True

    def _close_element(self, code: int, kind: int) -> bool:
        opened = self.open
        offset = opened.find_kin(code) if kind & KIN else opened.find(code)
        if offset < 0:
            return False
        if code == FORM and offset < len(opened.codes) - 1:
            opened.take_out(offset)
            return True
        if code == LI:
            reached = opened.find_kin(UL) < offset
        else:
            reached = bool(kind & CLOSES_ALL) or opened.reaches(offset)
        if reached:
            opened.pop_to(offset)
        return reached

    def _close_formatting(self, code: int) -> bool:
        """Close a formatting element as the adoption agency does.

        What is special in it stays open, and formatting elements before the last of these. Where
        that is more than the agency moves, all of it is left open.
        """
        opened = self.open
        active = opened.scopes[-1].active
        entry = active.last(code)
        if entry is None:
            return False
        if entry.is_open:
            offset = opened.find(code)
            inner = opened.specials_above(offset, _ADOPTIONS)
            if offset < 0 or len(inner) == _ADOPTIONS:
                return False
            active.remove(entry)
            last = inner[-1] if inner else offset
            opened.pop_to(last + 1)
            opened.take_out(offset, SPECIAL | FORMATTING)
        else:
            active.remove(entry)
        return True
