"""A page read tag by tag, so that what exceeds a limit is cut out before the parser sees it.

Tags are found as the HTML Standard's tokenizer finds them (section 13.2.5), with comments, quoted
values and raw text; open elements are followed as its tree construction does (13.2.6), leaning to
too many where they differ: an end tag closes only what it surely closes. So the parser's depth is
not underestimated, and a page that stays under the limits by this count is returned as it is.
One pass; nothing looks further back than the limits allow.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from chaffinch.kernels.plain.token_ends import TokenEnds
from chaffinch.kernels.plain.tree_construction import Construction
from chaffinch.kernels.tag_codes import (
    BREAKS_OUT,
    CHOICE,
    FORMATTING,
    FRAMESET,
    KEEPS_FORMATTING,
    RAW,
    ROOT,
    SELECT,
    VOID,
    TagLimits,
    TagsRead,
    TagTable,
)
from chaffinch.kernels.tag_patterns import ONE_ATTRIBUTE, TAG_NAME

if TYPE_CHECKING:
    from collections.abc import Callable

_MARKUP = re.compile(rb"<(?=[a-zA-Z/!?])")
_BETWEEN_CHECKS: Final = 1024  # tags between two looks at the time: four milliseconds of work
_NAME_BYTES: Final = 4  # a page of fewer for each name allowed has no more names


def read_tags(
    data: bytes, table: TagTable, limits: TagLimits, check: Callable[[], object], /
) -> TagsRead:
    """Read a page tag by tag and cut what is beyond a limit; text is never cut.

    Args:
        data: a page in UTF-8.
        table: what names of tags are.
        limits: how many of each there may be.
        check: is called now and then, and may raise.

    Returns:
        The page, and counts; where there are more rows than allowed the reading ends, and what is
        returned as the page isn't to be used.
    """
    reading = _Reading(data, table, limits)
    reading.read(check)
    opened = reading.opened + reading.tree.copies
    deepest = reading.tree.open.deepest
    return TagsRead(reading.without_cuts(), opened, reading.closed, deepest)


class _Reading:
    """One reading of the tags of a page; ``cuts`` is what has to go."""

    def __init__(self, data: bytes, table: TagTable, limits: TagLimits) -> None:
        self.data = data
        self.limits = limits
        self.cuts: list[tuple[int, int, bytes]] = []
        self.ends = TokenEnds(data)
        self.tree = Construction(table)
        self.names = table.names
        self.codes = {name: code for code, name in enumerate(table.names)}
        self.opened = self.closed = self.unmatched = self.roots = self.framesets = 0
        self.dropped: Counter[int] = Counter()
        self.tag_names: set[int] = set()
        self.attribute_names: set[bytes] = set()
        self.names_matter = len(data) > _NAME_BYTES * limits.names
        self.short = 1 if self.names_matter else 2 * limits.attributes  # bytes: nothing to trim

    def read(self, check: Callable[[], object]) -> None:
        """Read the page to its end, or until there are too many rows."""
        data, match = self.data, TAG_NAME.match
        after = seen = 0
        while found := _MARKUP.search(data, after):
            at = found.start()
            seen += 1
            if not seen % _BETWEEN_CHECKS:
                check()
            named = match(data, at)
            if named is None:
                after = self._declaration(at)
            else:
                end, is_closed = self.ends.tag_end(named.end())
                if end < 0:
                    return
                if at > after:
                    self.tree.open_again()
                name = named[2].lower()
                if named[1]:
                    after = self._close(self.codes.get(name, -1), at, end)
                else:
                    code = self.codes.setdefault(name, len(self.codes))
                    after = self._open(code, at, named.end(), end, is_closed=is_closed)
            if max(self.opened + self.tree.copies, self.closed) > self.limits.rows:
                return

    def without_cuts(self) -> bytes:
        """Return what is left of the page."""
        if not self.cuts:
            return self.data
        kept: list[bytes] = []
        at = 0
        for start, end, instead in self.cuts:
            kept += (self.data[at:start], instead)
            at = end
        return b"".join([*kept, self.data[at:]])

    def _declaration(self, at: int) -> int:
        """Return where a comment or a declaration ends."""
        data = self.data
        if data.startswith(b"<![CDATA[", at) and self.tree.open.foreign[-1] >= 0:
            return self.ends.next(b"]]>", at + 9) + 3
        self.opened += 1
        if data.startswith(b"<!--", at):
            return self.ends.comment_end(at)
        return self.ends.next(b">", at + 2) + 1

    def _trim(self, start: int, end: int, *, is_closed: bool) -> None:
        """Cut the attributes of one tag that are too many, or all where one's name is."""
        most, names = self.limits.attributes, self.attribute_names
        stop = end - 1 - is_closed
        last = start
        for count, one in enumerate(ONE_ATTRIBUTE.finditer(self.data, start, end)):
            if count == most:
                self._cut(last, stop, b" ")
                return
            last = one.end()
            name = one[1].lower()
            if self.names_matter and name not in names:
                if len(names) >= self.limits.names:
                    self._cut(start, stop)
                    return
                names.add(name)

    # Changes

    def _cut(self, start: int, end: int, instead: bytes = b"") -> None:
        cuts = self.cuts
        while cuts and cuts[-1][0] >= start:
            cuts.pop()
        if cuts and cuts[-1][1] == start and not cuts[-1][2] and not instead:
            start = cuts.pop()[0]
        cuts.append((start, end, instead))

    def _drop(self, code: int, at: int, end: int, instead: bytes = b"") -> int:
        """Cut a start tag; its end tag will go, too."""
        self._cut(at, end, instead)
        self.dropped[code] += 1
        return end

    # Start tags

    def _open(self, code: int, at: int, attributes: int, end: int, *, is_closed: bool) -> int:
        """Follow a start tag; return where to read on."""
        self.opened += 1
        opened, kind = self.tree.open, self.tree.kinds[code]
        foreign = opened.foreign[-1]
        if self.opened > self.limits.tags and (foreign >= 0 or not kind & RAW):
            return self._drop(code, at, end, b" ")  # texts around it were apart
        if end - attributes > self.short:
            self._trim(attributes, end, is_closed=is_closed)
        if code not in self.tag_names:
            if len(self.tag_names) >= self.limits.names:
                return self._drop(code, at, end)
            self.tag_names.add(code)
        if foreign >= 0 and not kind & BREAKS_OUT:
            is_entered = is_closed or self._enter_foreign(code, at, end)
            return end if is_entered else self._drop(code, at, end)
        if foreign >= 0:
            opened.pop_to(foreign)
        if kind & (VOID | ROOT | RAW) or code == FRAMESET:
            return self._pass(code, kind, at, attributes, end)
        return end if self._enter(code, at, end) else self._drop(code, at, end)

    def _enter_foreign(self, code: int, at: int, end: int) -> bool:
        """Follow a start tag within svg or math; False where it would be nested too deeply."""
        if len(self.tree.open.codes) >= self.limits.depth:
            return False
        self.tree.push_foreign(code, self.data[at:end])
        return True

    def _enter(self, code: int, at: int, end: int) -> bool:
        """Follow a start tag of HTML; return False where the element would be one too many."""
        tree = self.tree
        if tree.make_room(code):
            kind = tree.kinds[code]
            if not kind & KEEPS_FORMATTING:
                tree.open_again()
            if self._is_too_many(code):
                return False
            if kind & FORMATTING:
                tree.open.scopes[-1].active.add(code, self.data[at:end])
            tree.push(code)
        return True

    def _pass(self, code: int, kind: int, at: int, attributes: int, end: int) -> int:
        """Return where to read on after a tag that opens no element to follow."""
        if kind & VOID:
            self.tree.follow_void(code)
        elif kind & ROOT:
            self.roots += 1
            if self.roots > self.limits.roots and end - attributes > 1:
                self._cut(at, end)
        elif code == FRAMESET:  # ignored but in a page without a body
            self.framesets += 1
            if self.framesets > self.limits.framesets:
                self._cut(at, end)
        else:
            return self.ends.raw_end(self.names[code], end)
        return end

    def _is_too_many(self, code: int) -> bool:
        """Return whether a start tag would exceed a limit."""
        limits, opened = self.limits, self.tree.open
        kind = self.tree.kinds[code]
        if kind & CHOICE and opened.scope_name() == SELECT:
            opened.options[-1] += 1
            if opened.options[-1] > limits.options:
                return True
        if kind & FORMATTING and len(opened.scopes[-1].active.entries) >= limits.formatting:
            return True
        return len(opened.codes) >= limits.depth

    # End tags

    def _close(self, code: int, at: int, end: int) -> int:
        """Follow an end tag; cut it where its start tag was, or where it closes nothing."""
        self.closed += 1
        if self.dropped[code]:
            self.dropped[code] -= 1
            self._cut(at, end)
        elif code < 0 or not self.tree.close(code):
            self.unmatched += 1
            if self.unmatched > self.limits.unmatched:
                self._cut(at, end)
        return end
