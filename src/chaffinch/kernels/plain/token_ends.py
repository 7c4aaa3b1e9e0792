"""Where tokens of a page end, as the HTML Standard's tokenizer finds them (section 13.2.5).

Tags with their attributes, and raw text. Every search is linear in the page in all.
"""

from __future__ import annotations

import functools
import re
from typing import Final

from chaffinch.kernels.tag_patterns import ATTRIBUTE

_MANY: Final = 256  # attributes that one match may take: a match keeps a state for each
_PLAIN: Final = 1024  # bytes of attributes up to which a tag without values is read at one go
_ATTRIBUTES = re.compile(
    rb"(?:[\t\n\f\r /]*+%s){1,%d}" % (ATTRIBUTE.replace(b"(", b"(?:", 1), _MANY)
)
_PLAIN_END = re.compile(rb"[^>\"'=]{0,%d}+>" % _PLAIN)
_TAG_END = re.compile(rb"[\t\n\f\r /]*+>")
_SCRIPT_STEP = re.compile(rb"-->|<(/?)script(?=[\t\n\f\r />])", re.IGNORECASE)


class TokenEnds:
    """Finds the ends of a page's tokens."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.ahead: dict[bytes, int] = {}

    def next(self, token: bytes, start: int) -> int:
        """Return where ``token`` is next, the page's length where it isn't; linear in all."""
        known = self.ahead.get(token, -1)
        if known < start:
            known = self.data.find(token, start)
            self.ahead[token] = known = len(self.data) if known < 0 else known
        return known

    def tag_end(self, start: int) -> tuple[int, bool]:
        """Return where the tag with attributes from ``start`` ends, and whether by «/>».

        The end is -1 where the page ends before.
        """
        data, at = self.data, start
        end = _PLAIN_END.match(data, at)
        if end is None:
            while many := _ATTRIBUTES.match(data, at):
                at = many.end()
            end = _TAG_END.match(data, at)
            if end is None:
                return -1, False
        slash = end.end() - 2
        return slash + 2, slash >= at and data[slash] == ord("/")

    def comment_end(self, at: int) -> int:
        """Return where the comment ends that begins at ``at``."""
        return min(self.next(b"-->", at + 2) + 3, self.next(b"--!>", at + 4) + 4)

    def raw_end(self, name: bytes, at: int) -> int:
        """Return where an element of raw text ends, its end tag included."""
        if name == b"plaintext":
            return len(self.data)
        if name == b"script":
            at = self._script_end(at)
        else:
            close = _closing(name).search(self.data, at)
            at = close.start() if close else len(self.data)
        end, _ = self.tag_end(min(at + 2 + len(name), len(self.data)))
        return len(self.data) if end < 0 else end

    def _script_end(self, at: int) -> int:
        """Return where the end tag of a script is: within a comment, one may belong to another."""
        data = self.data
        close = _closing(b"script").search(data, at)
        while True:
            if close is not None and close.start() < at:
                close = _closing(b"script").search(data, at)
            if close is None:
                return len(data)
            comment = self.next(b"<!--", at)
            if close.start() < comment:
                return close.start()
            doubly = False
            for step in _SCRIPT_STEP.finditer(data, comment + 2):
                if step[1] is None:
                    at = step.end()
                    break
                if step[1] and not doubly:
                    return step.start()
                doubly = not step[1]
            else:
                return len(data)


@functools.cache
def _closing(name: bytes) -> re.Pattern[bytes]:
    return re.compile(rb"</%s(?=[\t\n\f\r />])" % name, re.IGNORECASE)
