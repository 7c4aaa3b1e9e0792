"""Tree construction as far as depth goes: what tags open and close, without a tree.

HTML Standard, section 13.2.6. It leans to too many open elements where it is simpler than the
standard: quirks mode, the insertion modes before ``body`` and in ``frameset``, ``template``.
"""

from __future__ import annotations

import re

from chaffinch.page.guard.open_elements import (
    CELLS,
    CLOSES_ALL,
    CLOSES_P,
    FORMATTING,
    HEADINGS,
    HTML_SCOPES,
    IMPLIED,
    MATH_SCOPES,
    ROWS,
    SVG_SCOPES,
    VOID_INLINE,
    Active,
    Scope,
)

_HTML_INSIDE = re.compile(
    rb"encoding\s*=\s*[\"']?(?:text/html|application/xhtml\+xml)[\"'\s/>]", re.IGNORECASE
)


class Construction:
    """The open elements at some tag of a page; ``depth`` is how many they are."""

    def __init__(self) -> None:
        self.scopes = [Scope(b"", Active())]
        self.depth = 0
        self.copies = 0  # of formatting elements, opened again in another block

    def close(self, name: bytes) -> bool:
        """Follow an end tag; return whether it closed anything."""
        if name in FORMATTING:
            return self._close_formatting(name)
        return self._close_scoped(name) or self._close_element(name)

    def close_from(self, offset: int) -> None:
        """Close the element at an offset of the innermost scope and all in it."""
        self.depth -= self.scopes[-1].pop_to(offset)

    def push(self, name: bytes) -> None:
        """Open an element of HTML."""
        scope = self.scopes[-1]
        scope.push(name)
        self.depth += 1
        if name in HTML_SCOPES:
            shared = name in {b"table", b"select"}
            self.scopes.append(Scope(name, scope.active if shared else Active()))

    def push_foreign(self, name: bytes, tag: bytes) -> None:
        """Open an element within svg or math; in some of them it's HTML again."""
        scope = self.scopes[-1]
        in_svg = scope.last(b"svg") > scope.last(b"math")
        scope.push(name)
        self.depth += 1
        if name in (SVG_SCOPES if in_svg else MATH_SCOPES) or (
            name == b"annotation-xml" and not in_svg and _HTML_INSIDE.search(tag)
        ):
            self.scopes.append(Scope(name, Active()))

    def follow_void(self, name: bytes) -> None:
        """Follow an element without content: some close others."""
        scope = self.scopes[-1]
        if scope.name == b"select" and name in {b"input", b"keygen"}:
            self._close_scopes(len(self.scopes) - 1)
        if name == b"hr" and scope.last(b"p") >= 0:
            self.close_from(scope.last(b"p"))
        if name in VOID_INLINE:
            self.open_again()

    def open_again(self) -> None:
        """Open the formatting elements again that the end of a block closed."""
        scope = self.scopes[-1]
        if not scope.active.pending:
            return
        for entry in scope.active.entries:
            if not entry[2]:
                entry[2] = True
                scope.push(bytes(entry[0]))
                self.depth += 1
                self.copies += 1
        scope.active.pending = 0

    def make_room(self, name: bytes) -> bool:
        """Close what a start tag closes; return whether it opens an element at all."""
        scope = self.scopes[-1]
        if name in ROWS or name in CELLS:
            return self._make_room_in_table(name)
        if name == b"table" and scope.name == b"table":
            self._close_scopes(len(self.scopes) - 1)
            scope = self.scopes[-1]
        elif name in {b"a", b"nobr"}:
            self._close_formatting(name)
        elif name == b"form":
            inside = any(each.last(b"form") >= 0 for each in self.scopes)
            if inside and not any(each.name == b"template" for each in self.scopes):
                return False
        elif name == b"select" and scope.name == name:
            self._close_scopes(len(self.scopes) - 1)
            return False
        self._close_siblings(scope, name)
        return True

    def _close_siblings(self, scope: Scope, name: bytes) -> None:
        offset = -1
        if name == b"li":
            offset = scope.last(b"li")
        elif name in {b"dd", b"dt"}:
            offset = max(scope.last(b"dd"), scope.last(b"dt"))
        elif name == b"button":
            offset = scope.last(name)
        top = scope.top()
        if offset >= 0 and (name == b"button" or scope.walls[-1] <= offset):
            self.depth -= scope.pop_to(offset)
        elif (name in HEADINGS and top in HEADINGS) or (
            name in {b"option", b"optgroup"} and top == b"option"
        ):
            self.depth -= scope.pop_to(len(scope.names) - 1)
        if name in {b"rb", b"rp", b"rt", b"rtc"} and scope.last(b"ruby") >= 0:
            while scope.top() in IMPLIED:
                self.close_from(len(scope.names) - 1)
        if name == b"optgroup" and scope.top() == name and scope.name == b"select":
            self.depth -= scope.pop_to(len(scope.names) - 1)
        paragraph = scope.last(b"p")
        if name in CLOSES_P and paragraph > scope.last(b"button"):
            self.depth -= scope.pop_to(paragraph)

    def _table_scope(self) -> int:
        """Return which scope is the innermost table, -1 where there is none."""
        for index in range(len(self.scopes) - 1, 0, -1):
            name = self.scopes[index].name
            if name in {b"table", b"template"}:
                return index if name == b"table" else -1
        return -1

    def _make_room_in_table(self, name: bytes) -> bool:
        index = self._table_scope()
        if index < 0:
            return self.scopes[-1].name == b"template"
        self._close_scopes(index + 1)
        table = self.scopes[index]
        within: tuple[bytes, ...] = ()
        implied: tuple[bytes, ...] = ()
        if name in {b"td", b"th"}:
            within, implied = (b"tr",), (b"tbody", b"tr")
        elif name == b"tr":
            within, implied = (b"tbody", b"thead", b"tfoot"), (b"tbody",)
        offset = max((table.last(row) for row in within), default=-1)
        self.depth -= table.pop_to(offset + 1)
        if offset < 0:
            for each in implied:
                self.push(each)
        return True

    def _close_scopes(self, count: int) -> None:
        """Close scopes, with the elements that made them, until ``count`` are left."""
        while len(self.scopes) > count:
            inner = self.scopes.pop()
            self.depth -= inner.pop_to(0)
            outer = self.scopes[-1]
            self.depth -= outer.pop_to(outer.last(inner.name))

    def _close_formatting(self, name: bytes) -> bool:
        scope = self.scopes[-1]
        entry = scope.active.last(name)
        if entry is None:
            return False
        offset = scope.last(name)
        if entry[2]:
            if offset < 0:
                return False
            many = scope.live
            scope.active.remove(entry)
            self.depth -= scope.adopt(name)
            if scope.last(name) == offset:
                scope.active.entries.append(entry)  # too many blocks in it: its copy stays open
            return scope.live < many
        scope.active.remove(entry)
        return True

    def _close_scoped(self, name: bytes) -> bool:
        """Close a scope, or a row around the cell that is open."""
        if name in CELLS or name in ROWS or name == b"table":
            return self._close_in_table(name)
        if name == b"template":
            inside = [at for at, each in enumerate(self.scopes) if each.name == name]
            self._close_scopes(inside[-1] if inside else len(self.scopes))
            return bool(inside)
        if self.scopes[-1].live and (name in SVG_SCOPES or name in MATH_SCOPES):
            return False  # HTML inside hides them
        if name and self.scopes[-1].name == name:
            self._close_scopes(len(self.scopes) - 1)
            return True
        return False

    def _close_in_table(self, name: bytes) -> bool:
        index = self._table_scope()
        if index < 0:
            return False
        if name == b"table":
            self._close_scopes(index)
        elif name in ROWS:
            if self.scopes[index].last(name) < 0:
                return False
            self._close_scopes(index + 1)
            return self._close_element(name)
        elif index + 1 < len(self.scopes) and self.scopes[index + 1].name == name:
            self._close_scopes(index + 1)
        else:
            return False
        return True

    def _close_element(self, name: bytes) -> bool:
        scope = self.scopes[-1]
        offset = scope.last(name)
        if name in HEADINGS:
            offset = max(map(scope.last, HEADINGS))
        if offset < 0:
            return False
        if name == b"form" and scope.top() != name:
            scope.take_out(name)
            self.depth -= 1
            return True
        if name == b"li":
            reached = max(scope.last(b"ul"), scope.last(b"ol")) < offset
        elif name in CLOSES_ALL or name in ROWS:
            reached = True
        else:
            reached = not scope.special or scope.special[-1] <= offset
        if reached:
            self.depth -= scope.pop_to(offset)
        return reached

    def foreign(self) -> int:
        """Return where the outermost open svg or math of the scope is, -1 where there is none."""
        scope = self.scopes[-1]
        offsets = [found[0] for name in (b"svg", b"math") if (found := scope.at.get(name))]
        return min(offsets, default=-1)
