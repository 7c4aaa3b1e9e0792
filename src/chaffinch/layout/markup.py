"""Fonts, colours, sizes and hiding as markup alone gives them, without a browser.

Defaults of tags follow the rendering section of the HTML standard (15.3); style sheets aren't
read, only ``style`` and the presentational attributes.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from chaffinch.kernels.arrays import Floats, Mask
from chaffinch.page import Page, tags

FONT_SIZE: Final = 16.0
FONT_WEIGHT: Final = 400.0
WHITE: Final = 0xFFFFFF

REPLACED: Final = tags.table(
    "img image input select textarea button iframe embed object applet video audio canvas svg"
    " progress meter keygen math".split()
)
"""Elements that are visible without text: replaced elements and controls."""

_TAG_SIZES: Final = {
    "h1": 32.0, "h2": 24.0, "h3": 18.72, "h5": 13.28, "h6": 10.72, "small": 13.33, "big": 19.2,
    "sub": 13.33, "sup": 13.33, "h4": 16.0, "pre": 13.0, "code": 13.0, "tt": 13.0,
}  # fmt: skip
_BOLD: Final = tags.table("h1 h2 h3 h4 h5 h6 b strong th".split())
_FONT_SIZES: Final = (10.0, 13.0, 16.0, 18.0, 24.0, 32.0, 48.0)  # of <font size=1> to 7
_SIZE_WORDS: Final = {
    "xx-small": 9.0, "x-small": 10.0, "small": 13.0, "medium": 16.0, "large": 18.0,
    "x-large": 24.0, "xx-large": 32.0, "smaller": 13.33, "larger": 19.2,
}  # fmt: skip
_UNITS: Final = {"px": 1.0, "pt": 4 / 3, "em": 16.0, "rem": 16.0, "%": 0.16}
_COLOURS: Final = {
    "black": 0x000000, "silver": 0xC0C0C0, "gray": 0x808080, "grey": 0x808080, "white": 0xFFFFFF,
    "maroon": 0x800000, "red": 0xFF0000, "purple": 0x800080, "fuchsia": 0xFF00FF,
    "green": 0x008000, "lime": 0x00FF00, "olive": 0x808000, "yellow": 0xFFFF00, "navy": 0x000080,
    "blue": 0x0000FF, "teal": 0x008080, "aqua": 0x00FFFF, "orange": 0xFFA500,
}  # fmt: skip
_HEX = re.compile(r"#([0-9a-f]{6}|[0-9a-f]{3})\b")
_RGB = re.compile(r"rgba?\(\s*(\d{1,3})[\s,]+(\d{1,3})[\s,]+(\d{1,3})(?:[\s,/]+([\d.]+))?")
_LENGTH = re.compile(r"\A\s*+\+?(\d{1,6}(?:\.\d{1,6})?)\s*+(?:(px|pt|r?em|%)\s*+)?(?:;|!|$)")
_FONT_WEIGHTS: Final = {"bold": 700.0, "bolder": 700.0, "normal": 400.0, "lighter": 300.0}
_INVISIBLE: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)")
_DECLARATION = re.compile(
    r"(?:^|;)\s*(font-size|font-weight|background(?:-color)?|width|height)\s*:\s*([^;]+)"
)


@dataclass(frozen=True, eq=False)
class Markup:
    """What the markup gives for each row; NaN where it gives nothing."""

    hidden: Mask  # bool[n], hidden by ``style``, ``hidden`` or ``type=hidden``, or in a noscript
    font_size: Floats  # float32[n], pixels, inherited
    font_weight: Floats  # float32[n], 100 to 900, inherited
    background: Floats  # float32[n], 0xRRGGBB, the nearest one given above; white where none is
    width: Floats  # float32[n], pixels where given
    share: Floats  # float32[n], width as a share of the parent's, where given
    height: Floats  # float32[n], pixels where given


def read_markup(page: Page) -> Markup:
    """Return what tags and attributes of ``page`` declare of fonts, colours, sizes and hiding."""
    count = len(page)
    hidden = page.is_tag("noscript").copy()  # browsers run scripts
    names = ("size", "weight", "background", "width", "share", "height")
    own = {name: np.full(count, np.nan, dtype=np.float32) for name in names}
    sizes = np.full(len(tags.NAMES), np.nan, dtype=np.float32)
    for name, size in _TAG_SIZES.items():
        sizes[tags.CODES[name]] = size
    own["size"][:] = sizes[page.tag]
    own["weight"][_BOLD[page.tag]] = 700.0
    _read_attributes(page, own, hidden)
    for row, style in page.having("style"):
        _read_style(style.lower(), row, own, hidden)
    for row, _ in page.having("hidden"):
        hidden[row] = True
    return Markup(
        page.inside(hidden) if hidden.any() else hidden,
        inherited(page, own["size"], FONT_SIZE),
        inherited(page, own["weight"], FONT_WEIGHT),
        inherited(page, own["background"], WHITE),
        own["width"],
        own["share"],
        own["height"],
    )


def inherited(page: Page, own: Floats, default: float) -> Floats:
    """Return float32[n]: ``own`` with every NaN replaced by the nearest value above.

    ``default`` stands where there is none.
    """
    values = own.copy()
    if len(values) and np.isnan(values[0]):
        values[0] = default
    source = np.where(np.isnan(values), page.parent, np.arange(len(values), dtype=np.int32))
    while True:  # each round doubles the reach of a jump, so that depth 512 needs nine
        further = source[source]
        if np.array_equal(further, source):
            return values[source]
        source = further


def colour(value: str) -> float:
    """Return the colour 0xRRGGBB that a CSS or HTML colour names; NaN for none or transparent.

    A name outside the table of basic colours gets a hash as its colour: colours are only compared
    for equality.
    """
    if match := _HEX.search(value):
        digits = match[1] if len(match[1]) == 6 else "".join(2 * digit for digit in match[1])  # noqa: PLR2004
        return float(int(digits, 16))
    if match := _RGB.search(value):
        if match[4] is not None and float(match[4].strip(".") or 0) == 0:
            return float("nan")
        red, green, blue = (min(int(part), 255) for part in match.groups()[:3])
        return float(red << 16 | green << 8 | blue)
    words = value.replace("!important", "").split()
    for word in words:
        if word in _COLOURS:
            return float(_COLOURS[word])
    if len(words) == 1 and words[0].isalpha() and words[0] not in _NO_COLOURS:
        return float(crc32(words[0].encode()) & WHITE)
    return float("nan")


_NO_COLOURS: Final = {"transparent", "none", "inherit", "initial", "unset", "currentcolor"}


def _read_attributes(page: Page, own: Mapping[str, Floats], hidden: Mask) -> None:
    tag = page.tag
    for row, value in page.having("bgcolor"):
        text = value.strip().lower()
        own["background"][row] = colour(text if not _BARE_HEX.fullmatch(text) else f"#{text}")
    for name in ("width", "height"):
        for row, value in page.having(name):
            _read_length(name, value, row, own)
    for row, value in page.having("size"):
        if tag[row] == tags.CODES["font"]:
            own["size"][row] = _font_size(value)
    for row, value in page.having("type"):
        if tag[row] == tags.CODES["input"] and value.strip().lower() == "hidden":
            hidden[row] = True


_BARE_HEX = re.compile(r"[0-9a-f]{6}")
_FONT_STEP = re.compile(r"[+-]?[0-9]{1,2}")
_HUNDREDS = re.compile(r"[1-9]00")


def _font_size(value: str) -> float:
    digits = value.strip()
    number = int(digits.lstrip("+-")) if _FONT_STEP.fullmatch(digits) else 3
    step = 3 + number if digits[:1] == "+" else 3 - number if digits[:1] == "-" else number
    return _FONT_SIZES[min(max(step, 1), len(_FONT_SIZES)) - 1]


def _read_length(name: str, value: str, row: int, own: Mapping[str, Floats]) -> None:
    match = _LENGTH.match(value)
    if not match:
        return
    number, unit = float(match[1]), match[2] or "px"
    if unit == "%":
        if name == "width":
            own["share"][row] = min(number / 100, 1.0)
        return
    own[name][row] = number * _UNITS[unit]


def _read_style(style: str, row: int, own: Mapping[str, Floats], hidden: Mask) -> None:
    if _INVISIBLE.search(style):
        hidden[row] = True
    for name, value in _DECLARATION.findall(style):
        if name == "font-size":
            match = _LENGTH.match(value)
            size = (
                float(match[1]) * _UNITS[match[2] or "px"]
                if match
                else _SIZE_WORDS.get(value.strip(), np.nan)
            )
            if size >= 1:
                own["size"][row] = size
        elif name == "font-weight":
            word = value.split("!")[0].strip()
            own["weight"][row] = _FONT_WEIGHTS.get(
                word, float(word) if _HUNDREDS.fullmatch(word) else np.nan
            )
        elif name in ("width", "height"):
            _read_length(name, value, row, own)
        else:
            own["background"][row] = colour(value)


def seen_without_text(page: Page) -> NDArray[np.bool_]:
    """Return bool[n]: elements that a browser shows although they hold no text."""
    return REPLACED[page.tag] & page.shown
