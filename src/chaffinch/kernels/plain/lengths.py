"""Characters that aren't white space, lengths with white space folded, bytes of what is kept.

White space is what ``str.isspace`` calls so, but where bytes are counted: there it is ASCII's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.kernels.character_kinds import narrow_code_points

if TYPE_CHECKING:
    from chaffinch.kernels.arrays import Mask, Places, Rows

_WRITTEN: Final = np.ones(1 << 16, dtype=bool)
_WRITTEN[[code for code in range(0x3002) if chr(code).isspace()]] = False
_WRITTEN.flags.writeable = False
"""Which characters aren't white space; none of those beyond is."""
_BLANK: Final = b" \t\n\r\f\v"


def written_places(text: str, /) -> Places:
    """Return intp[w]: the positions of all characters of ``text`` that are not white space."""
    return np.flatnonzero(_WRITTEN.take(narrow_code_points(text), mode="clip"))


def own_lengths(text: str, text_at: Rows, line: Rows, shown: Mask, /) -> tuple[Places, Rows]:
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
