"""The columns of a rendered page's layout: where a browser put each row, and how it looks.

``Page.layout`` is float32[n, len(COLUMNS)]. NaN stands where the browser gives no value (elements
without a box of their own, a transparent background). Lengths are CSS pixels from the top left
corner of the page, colours 0xRRGGBB (exact in float32), weights 1 to 1000, ``VISIBLE`` is 0 or 1.
"""

from typing import Final

COLUMNS: Final = (
    "x",
    "y",
    "width",
    "height",
    "font_size",
    "font_weight",
    "colour",
    "background",
    "visible",
)
X, Y, WIDTH, HEIGHT, FONT_SIZE, FONT_WEIGHT, COLOUR, BACKGROUND, VISIBLE = range(len(COLUMNS))
