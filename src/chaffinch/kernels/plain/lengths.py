"""Characters that aren't white space, lengths with white space folded, bytes of what is kept.

White space is what ``str.isspace`` calls so, but where bytes are counted: there it is ASCII's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from chaffinch.kernels.character_kinds import narrow_code_points
from chaffinch.kernels.codes import LINE_BREAKS, LINE_STARTS
from chaffinch.kernels.plain.rows import inside

if TYPE_CHECKING:
    from chaffinch.kernels.arrays import Codes, Kinds, Mask, Places, Rows

_WRITTEN: Final = np.ones(1 << 16, dtype=bool)
_WRITTEN[[code for code in range(0x3002) if chr(code).isspace()]] = False
_WRITTEN.flags.writeable = False
"""Which characters aren't white space; none of those beyond is."""
_BLANK: Final = b" \t\n\r\f\v"


def written_places(text: str, /) -> Places:
    """Return intp[w]: the positions of all characters of ``text`` that are not white space."""
    return np.flatnonzero(_WRITTEN.take(narrow_code_points(text), mode="clip"))


class TextColumns(NamedTuple):
    """What follows for each of n rows from the page's tags and text.

    Attributes:
        shown: bool[n], rows in no element whose text a browser doesn't show (title, template, …).
        in_link: bool[n], links and all that stands in them.
        written: bool[n], rows whose own text holds something other than white space.
        line: int32[n], number of the line that each row belongs to.
        own: int32[n], folded characters of each row's own text; 0 for elements and for rows that
            aren't shown. A white-space run that lies in several rows counts for the row in which it
            starts.
        before: intp[n+1], characters that aren't white space before each row's own text.
    """

    shown: Mask
    in_link: Mask
    written: Mask
    line: Rows
    own: Rows
    before: Places


def text_columns(
    tag: Codes,
    end: Rows,
    text: str,
    text_at: Rows,
    kinds: Kinds,
    invisible: Mask,
    links: Mask,
    /,
) -> TextColumns:
    """Return what follows for each row from the page's tags and text.

    Args:
        tag: uint16[n].
        end: int32[n].
        text: all text of the page.
        text_at: int32[n+1], where in ``text`` each row's own text starts.
        kinds: uint8[tags], `LINE_STARTS` and `LINE_BREAKS` of `chaffinch.kernels.codes`.
        invisible: bool[tags], elements whose text a browser doesn't show.
        links: bool[tags], the tags of links.
    """
    shown = ~inside(end, invisible.take(tag))
    line, at = _lines(end, kinds.take(tag)), written_places(text)
    before = np.searchsorted(at, text_at)
    own = _lengths(at, text_at, line, shown)
    return TextColumns(
        shown, inside(end, links.take(tag)), before[1:] > before[:-1], line, own, before
    )


def _lines(end: Rows, kind: Kinds) -> Rows:
    """Return int32[n]: the number of each row's line; ``kind`` is that of its tag."""
    count = len(end)
    starts = np.zeros(count + 1, dtype=bool)
    block, breaks = kind & LINE_STARTS, kind & LINE_BREAKS
    np.not_equal(kind, 0, out=starts[:count])
    starts[1:] |= breaks > 0
    starts[end.take(np.flatnonzero(block))] = True
    lines: Rows = np.add.accumulate(starts[:count], dtype=np.int32)
    return lines


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


def characters(text: str, text_at: Rows, counted: Mask, /) -> Rows:
    """Return int32[n]: how many characters of each row's own text are counted.

    Args:
        text: all text of the page.
        text_at: int32[n+1], where in ``text`` each row's own text starts.
        counted: bool[c], which characters, by code point; the last item is that of all code points
            from there on.
    """
    places = np.flatnonzero(counted.take(narrow_code_points(text), mode="clip"))
    return np.diff(np.searchsorted(places, text_at)).astype(np.int32)


def kept_bytes(text_at: Rows, keep: Mask, text: str, start: int, /) -> tuple[int, int]:
    """Return how many bytes are kept, and how many there are from row ``start`` on.

    In UTF-8, white space of ASCII left out.

    Args:
        text_at: int32[n+1], where in ``text`` each row's own text starts.
        keep: bool[n].
        text: all text of the page.
        start: a row.
    """
    padded = np.zeros(len(keep) + 2, dtype=bool)
    padded[1:-1] = keep
    spans = text_at[np.flatnonzero(padded[1:] != padded[:-1])].tolist()
    kept = "".join([text[a:b] for a, b in zip(spans[::2], spans[1::2], strict=True)])
    return _written(kept), _written(text[text_at[start] :])


def _written(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass").translate(None, _BLANK))
