"""A page read tag by tag, so that what exceeds a limit is cut out before the parser sees it.

Tags are found as the HTML Standard's tokenizer finds them (section 13.2.5), with comments, quoted
values and raw text; open elements are followed as its tree construction does (13.2.6), leaning to
too many where they differ: an end tag closes only what it surely closes. So the parser's depth is
not underestimated, and a page that stays under the limits by this count is returned as it is.
One pass; nothing looks further back than the limits allow.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from chaffinch.errors import PageError
from chaffinch.kernels.tag_patterns import ONE_ATTRIBUTE, TAG_NAME
from chaffinch.page.guard import open_elements as html
from chaffinch.page.guard.construction import Construction
from chaffinch.page.guard.tokens import Tokens
from chaffinch.page_work import check_time

if TYPE_CHECKING:
    from chaffinch.page.guard.limits import Limits

_MARKUP = re.compile(rb"<(?=[a-zA-Z/!?])")
_MOST_ROOTS: Final = 16  # html, head and body tags; more only merge attributes, slowly
_DEEPER: Final = 2  # times `max_depth` that the parser may nest: the page's table flattens the rest
_TAGS_BETWEEN_CHECKS: Final = 1024  # of the time: four milliseconds of work
_SEEN: Final = 100_000  # tags remembered so as not to read their attributes' names again


def bounded(data: bytes, limits: Limits) -> bytes:
    """Return ``data``, or what is left of it where a limit is exceeded.

    Args:
        data: A page in UTF-8.
        limits: What is allowed; ``max_bytes`` is not considered.

    Raises:
        PageError: There are more than ``max_rows`` start tags and comments, or end tags, or copies
            of formatting elements.
    """
    walk = _Walk(data, limits)
    walk.read()
    if not walk.cuts:
        return data
    kept: list[bytes] = []
    at = 0
    for start, end, instead in walk.cuts:
        kept += (data[at:start], instead)
        at = end
    return b"".join([*kept, data[at:]])


class _Walk:
    """One walk over the tags of a page; ``cuts`` is what has to go."""

    def __init__(self, data: bytes, limits: Limits) -> None:
        self.data = data
        self.limits = limits
        self.cuts: list[tuple[int, int, bytes]] = []
        self.tokens = Tokens(data, 2 * limits.max_attributes)
        self.tree = Construction()
        self.most_tags = limits.most_tags(len(data))
        self.opened = self.closed = self.unmatched = self.roots = self.framesets = 0
        self.dropped: dict[bytes, int] = {}
        self.tag_names: set[bytes] = set()
        self.attribute_names: set[bytes] = set()
        self.seen: set[int] = set()
        self.names_matter = len(data) > 4 * limits.max_names
        self.short = 1 if self.names_matter else 2 * limits.max_attributes  # bytes: nothing to trim

    def read(self) -> None:
        """Read the page to its end."""
        data, find, match = self.data, self.data.find, TAG_NAME.match
        at = find(b"<")
        after = seen = 0
        while at >= 0:
            seen += 1
            if not seen % _TAGS_BETWEEN_CHECKS:
                check_time()
            named = match(data, at)
            if named is None:
                after = self._markup(at)
            else:
                name = named[2].lower()
                end = self.tokens.tag_end(named.end())
                if end < 0:
                    return
                if at > after:
                    self.tree.open_again()
                if named[1]:
                    self._close(name, at, end)
                    after = end
                else:
                    after = self._open(name, at, end, named.end())
            at = find(b"<", after)

    def _markup(self, at: int) -> int:
        """Return where a comment, a declaration or a «<» of the text ends."""
        data = self.data
        if data.startswith(b"<!--", at):
            self._count_row()
            return min(self.tokens.next(b"-->", at + 2) + 3, self.tokens.next(b"--!>", at + 4) + 4)
        if data.startswith(b"<![CDATA[", at) and self.tree.foreign() >= 0:
            return self.tokens.next(b"]]>", at + 9) + 3
        if data[at + 1 : at + 2] in (b"!", b"?", b"/"):
            self._count_row()
            return self.tokens.next(b">", at + 2) + 1
        markup = _MARKUP.search(data, at + 1)
        return markup.start() if markup else len(data)

    def _trim(self, start: int, end: int) -> None:
        """Cut the attributes of one tag that are too many or bring too many new names."""
        most = self.limits.max_attributes
        tag = hash(self.data[start:end])
        if self.names_matter and tag not in self.seen:
            if len(self.seen) < _SEEN:
                self.seen.add(tag)
            found = ONE_ATTRIBUTE.finditer(self.data, start, end - 1)
            self.attribute_names.update(one[1].lower() for one in islice(found, most))
            if len(self.attribute_names) > self.limits.max_names:
                self._cut(start, end - 1)
                return
        if end - start > 2 * most:
            found = ONE_ATTRIBUTE.finditer(self.data, start, end - 1)
            last = next(islice(found, most - 1, None), None)
            if last and next(found, None):
                self._cut(last.end(), end - 1, b" ")

    # Changes

    def _cut(self, start: int, end: int, instead: bytes = b"") -> None:
        cuts = self.cuts
        while cuts and cuts[-1][0] >= start:
            cuts.pop()
        if cuts and cuts[-1][1] == start and not cuts[-1][2] and not instead:
            start = cuts.pop()[0]
        cuts.append((start, end, instead))

    def _drop(self, name: bytes, at: int, end: int, instead: bytes = b"") -> int:
        """Cut a start tag; its end tag will go, too."""
        self._cut(at, end, instead)
        self.dropped[name] = self.dropped.get(name, 0) + 1
        return end

    def _count_row(self) -> None:
        self.opened += 1
        if self.opened + self.tree.copies > self.limits.max_rows:
            raise PageError(f"more than {self.limits.max_rows:,} tags and what they repeat")

    # Start tags

    def _open(self, name: bytes, at: int, end: int, attributes: int) -> int:
        """Follow a start tag; return where to read on."""
        self._count_row()
        foreign = self.tree.foreign()
        if self.opened > self.most_tags and (foreign >= 0 or name not in html.RAW):
            return self._drop(name, at, end, b" ")  # texts around it were apart
        if end - attributes > self.short:
            self._trim(attributes, end)
        if name not in self.tag_names:
            if len(self.tag_names) >= self.limits.max_names:
                return self._drop(name, at, end)
            self.tag_names.add(name)
        if foreign >= 0 and name in html.BREAKS_OUT:
            self.tree.close_from(foreign)
            foreign = -1
        if foreign >= 0:
            return self._open_foreign(name, at, end)
        after = self._passed(name, at, end, attributes)
        if after >= 0:
            return after
        return end if self._enter(name, at, end) else self._drop(name, at, end)

    def _enter(self, name: bytes, at: int, end: int) -> bool:
        """Follow a start tag of HTML; return False where the element would be one too many."""
        tree = self.tree
        if tree.make_room(name):
            if name not in html.KEEPS_FORMATTING:
                tree.open_again()
            if self._too_many(name):
                return False
            if name in html.FORMATTING:
                tree.scopes[-1].active.add(name, self.data[at:end])
            tree.push(name)
        return True

    def _open_foreign(self, name: bytes, at: int, end: int) -> int:
        """Follow a start tag within svg or math, where no element but these has a meaning."""
        if self.data[end - 2] != ord("/"):
            if self.tree.depth >= _DEEPER * self.limits.max_depth:
                return self._drop(name, at, end)
            self.tree.push_foreign(name, self.data[at:end])
        return end

    def _passed(self, name: bytes, at: int, end: int, attributes: int) -> int:
        """Return where to read on after a tag that opens no element to follow, else -1."""
        if name in html.VOID:
            self.tree.follow_void(name)
            return end
        if name in html.ROOTS:
            self.roots += 1
            if self.roots > _MOST_ROOTS and end - attributes > 1:
                self._cut(at, end)
            return end
        if name == b"frameset":  # ignored but in a page without a body
            self.framesets += 1
            if self.framesets > self.limits.max_depth:
                self._cut(at, end)
            return end
        if name in html.RAW:
            raw = name in {b"script", b"style"} or self.tree.scopes[-1].name != b"select"
            return self.tokens.raw_end(name, end) if raw else end
        return -1

    def _too_many(self, name: bytes) -> bool:
        """Return whether a start tag would exceed a limit."""
        limits, scope = self.limits, self.tree.scopes[-1]
        if name in {b"option", b"optgroup"} and scope.name == b"select":
            scope.options += 1
            if scope.options > limits.max_options:
                return True
        if name in html.FORMATTING and len(scope.active.entries) >= limits.max_formatting:
            return True
        return self.tree.depth >= _DEEPER * limits.max_depth

    # End tags

    def _close(self, name: bytes, at: int, end: int) -> None:
        """Follow an end tag; cut it where its start tag was, or where it closes nothing."""
        self.closed += 1
        if self.closed > self.limits.max_rows:
            raise PageError(f"more than {self.limits.max_rows:,} end tags")
        if self.dropped.get(name):
            self.dropped[name] -= 1
            self._cut(at, end)
        elif not self.tree.close(name):
            self.unmatched += 1
            if self.unmatched > self.limits.max_unmatched_end_tags:
                self._cut(at, end)
