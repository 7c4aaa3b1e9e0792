"""Lines of inline content, and lengths with white space folded.

Every threshold of every method counts folded characters: runs of white space count as one, and at
the edges of a line (where a block starts or ends, or at a br) as none. White space is what
``str.isspace`` calls so. Verbatim text is 1.5 to 2 times as long, because sources are indented.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from chaffinch.kernels import kernels
from chaffinch.page import tags

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page.arrays import Codes, Mask, Rows

    Places: TypeAlias = NDArray[np.intp]

_WRITTEN: Final = np.ones(1 << 16, dtype=bool)
_WRITTEN[[code for code in range(0x3002) if chr(code).isspace()]] = False
_WRITTEN.flags.writeable = False
"""Which characters aren't white space; none of those beyond is."""
_KINDS: Final = tags.BLOCK.astype(np.uint8) | tags.BREAK.astype(np.uint8) << np.uint8(1)
"""What lines start and end at, as the kernel reads it."""


def line_ids(tag: Codes, end: Rows) -> Rows:
    """Return int32[n]: the number of the line that each row belongs to.

    A line is a run of rows with no start or end of a block element and no br between them. An
    element that starts a line bears the number of that line.
    """
    count = len(tag)
    if count == 0:
        return np.zeros(0, dtype=np.int32)
    if compiled := kernels():
        line = np.empty(count, dtype=np.int32)
        compiled.line_ids(tag, end, _KINDS, line)
        return line
    starts = np.zeros(count + 1, dtype=bool)
    block, breaks = tags.BLOCK.take(tag), tags.BREAK.take(tag)
    np.bitwise_or(block, breaks, out=starts[:count])
    starts[1:] |= breaks
    starts[end.take(np.flatnonzero(block))] = True
    lines: Rows = np.add.accumulate(starts[:count], dtype=np.int32)
    return lines


def own_lengths(text: str, text_at: Rows, line: Rows, shown: Mask) -> tuple[Places, Rows]:
    """Return how much is written before each row's own text, and how long that is.

    Args:
        text: all text of the page.
        text_at: int32[n+1], where in ``text`` each row's own text starts.
        line: int32[n], number of the line each row belongs to.
        shown: bool[n], rows that a browser shows as text; others (title, template, …) count 0.

    Returns:
        intp[n+1], characters that aren't white space before the row's own text; int32[n], folded
        characters of that text (0 for elements). A white-space run that lies in several rows
        counts for the row in which it starts.
    """
    count = len(line)
    if compiled := kernels():
        written, own = np.empty(count + 1, dtype=np.intp), np.empty(count, dtype=np.int32)
        compiled.own_lengths(text, text_at, line, shown, written, own)
        return written, own
    at = written_places(text)
    return np.searchsorted(at, text_at), _lengths(at, text_at, line, shown)


def _lengths(at: Places, text_at: Rows, line: Rows, shown: Mask) -> Rows:
    """Return int32[n]: folded characters of each row's own text; ``at`` as of `written_places`."""
    count = len(line)
    counted = np.zeros(int(text_at[-1]) + 1, dtype=np.int32)
    if len(at) == 0:
        return np.zeros(count, dtype=np.int32)
    counted[at + 1] = 1
    holes = np.flatnonzero(np.diff(at) > 1)
    if len(holes):
        before, after = at[holes], at[holes + 1]
        row_of = np.searchsorted(text_at, before, side="right") - 1
        next_row = np.searchsorted(text_at, after, side="right") - 1
        inner = line[row_of] == line[next_row]
        counted[before[inner] + 2] = 1
    prefix = np.cumsum(counted, dtype=np.int32)
    lengths: Rows = prefix[text_at[1:]] - prefix[text_at[:-1]]
    lengths[~shown] = 0
    return lengths


def written_places(text: str) -> Places:
    """Return the positions of all characters of ``text`` that are not white space."""
    if compiled := kernels():
        places = np.empty(len(text), dtype=np.intp)
        return places[: compiled.written_places(text, places)]
    return np.flatnonzero(_WRITTEN.take(_codes(text), mode="clip"))


def characters(text: str, text_at: Rows, counted: Mask) -> Rows:
    """Return int32[n]: how many characters of each row's own text ``counted`` says yes to.

    ``counted`` is bool, by code point; its last item speaks for all code points from there on.
    """
    if compiled := kernels():
        counts: Rows = np.empty(len(text_at) - 1, dtype=np.int32)
        compiled.characters(text, text_at, counted, counts)
        return counts
    places = np.flatnonzero(counted.take(_codes(text), mode="clip"))
    return np.diff(np.searchsorted(places, text_at)).astype(np.int32)


def _codes(text: str) -> NDArray[Any]:
    """Return the code points of ``text``, in as few bytes as they need."""
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), dtype=np.uint8)
    narrow = text.encode("utf-16-le", "surrogatepass")
    if len(narrow) == 2 * len(text):
        return np.frombuffer(narrow, dtype="<u2")
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
