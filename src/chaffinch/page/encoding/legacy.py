"""Pages that aren't in Unicode: the label whose text is plausible, else detection."""

from __future__ import annotations

import re
from typing import Final

from chaffinch.page.encoding.codec import text_in
from chaffinch.page.encoding.decoded import Decoded, Source
from chaffinch.page.encoding.detection import detected
from chaffinch.page.encoding.labels import declared_encoding, encoding_of
from chaffinch.page.encoding.mixed import UTF8_ODDS, by_pieces
from chaffinch.page.encoding.plausibility import better_latin, foreign_count, is_plausible

_JAPANESE: Final = re.compile(rb"\x1b\$[@B]")
MOST_LOST: Final = 0.1  # characters lost of those beyond ASCII: more, and the encoding is wrong


def in_seven_bits(data: bytes, transport: str | None) -> Decoded | None:
    """Return a page of ASCII bytes that is ISO-2022 or HZ, which shift by escape sequences."""
    labels: tuple[tuple[str | None, Source], ...] = (
        (encoding_of(transport) if transport else None, "transport"),
        (declared_encoding(data), "meta"),
        ("iso-2022-kr" if b"\x1b$)C" in data else None, "detected"),
        ("iso-2022-jp" if _JAPANESE.search(data) else None, "detected"),
    )
    for name, source in labels:
        if name == "hz" or (name and name.startswith("iso-2022")):
            shifted = text_in(data, name)
            return Decoded(shifted, name, source, shifted.count("\ufffd"))
    return None


def in_legacy(data: bytes, transport: str | None, start: int) -> Decoded:
    """Return the text of bytes that aren't valid UTF-8 from offset ``start`` on."""
    labels: list[tuple[str, Source]] = []
    if transport and (name := encoding_of(transport)):
        labels.append((name, "transport"))
    if name := declared_encoding(data):
        labels.append((name, "meta"))
    legacy = [(name, source) for name, source in labels if not name.startswith("utf-")]
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    valid = foreign_count(text) - broken
    if valid > UTF8_ODDS * broken:
        mended = by_pieces(data, "utf-8", legacy[0][0] if legacy else None)
        return Decoded(mended, "utf-8", "utf-8", mended.count("\ufffd"))
    return _best(data, legacy, start)


def _best(data: bytes, legacy: list[tuple[str, Source]], start: int) -> Decoded:
    """Return the text in the first encoding that is plausible, else in that with fewest errors."""
    tried: list[Decoded] = []
    labels: list[tuple[str | None, Source]] = [*legacy, (None, "detected")]
    for label, source in labels:
        encoding = label or detected(data, start)
        if encoding:
            text = text_in(data, encoding)
            tried.append(Decoded(text, encoding, source, text.count("\ufffd")))
            if is_plausible(text, encoding):
                return _mended(data, _in_better_latin(data, tried[-1]))
    likeliest = min(tried, key=lambda found: found.replaced, default=None)
    if likeliest and likeliest.replaced <= MOST_LOST * foreign_count(likeliest.text):
        return _mended(data, _in_better_latin(data, likeliest))
    text = text_in(data, "windows-1252")
    return Decoded(text, "windows-1252", "default", text.count("\ufffd"))


def _in_better_latin(data: bytes, found: Decoded) -> Decoded:
    other = better_latin(data, found.encoding)
    if not other:
        return found
    text = text_in(data, other)
    return Decoded(text, other, "detected", text.count("\ufffd"))


def _mended(data: bytes, found: Decoded) -> Decoded:
    if not found.replaced:
        return found
    text = by_pieces(data, found.encoding, "utf-8")
    replaced = text.count("\ufffd")
    return found._replace(text=text, replaced=replaced) if replaced < found.replaced else found
