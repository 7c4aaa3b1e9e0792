"""The caption of an image and whom it credits.

A caption is a figcaption, an element of such a class in the box of the image, an attribute of
the image such as WordPress writes, or a short line next to it that is set or worded as one.
"""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Final

from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

MOST_LEVELS: Final = 4
"""Boxes around an image that may hold its caption."""
LONGEST: Final = 500
"""Characters of a caption, at most."""
SHORT: Final = 150
"""Characters of a line that may be a caption without markup of one."""
MOST_ROWS: Final = 60

CAPTION_CLASS: Final = re.compile(
    r"caption|legend|bildunterschrift|cutline|img-?desc|image-?desc|photo-?desc|thumbcaption",
    re.IGNORECASE,
)
CAPTION_WORDS: Final = ("caption", "legend", "bildunterschrift", "cutline", "desc")
"""What each match of `CAPTION_CLASS` holds."""
_CREDIT_CLASS: Final = re.compile(
    r"credit|copyright|photographer|image-?source|photo-?by|byline|quelle|rights", re.IGNORECASE
)
_WORDED: Final = re.compile(
    r"(?:fig(?:ure|\.)?\s*\d|abb(?:ildung|\.)?\s*\d|рис(?:унок|\.)?\s*\d|图\s?[\d一二三四五六七八九十：:为]"
    r"|photo\b|image\b|foto\b|bild\b|△|▲|▼|↑|©|\(c\)|（图|配图)",
    re.IGNORECASE,
)
_CREDIT: Final = re.compile(
    r"(?:\b(?:photo(?:graph)?s?|images?|pictures?|illustration|foto|bild|fotografía|imagen"
    r"|crédit(?:\s?photo)?|crédito|credits?|source|quelle|fuente|fonte|zdroj|źródło|copyright"
    r"|courtesy)\b(?:\s+(?:credits?|courtesy|source))?\s*(?:[:：/]|\b(?:by|of|von|par|de)\b)"
    r"|©|\(c\)|图片来源\s?[:：]|圖片來源\s?[:：]|供图\s?[:：/]?|摄影\s?[:：/]?|图\s?[:：/]|来源\s?[:：])"
    r"\s*(?P<name>[^.;；。|()（）\[\]]{2,80})",
    re.IGNORECASE,
)
_ATTRIBUTES: Final = ("data-image-caption", "data-caption")
_MARKUP: Final = re.compile(r"<[^<>]{1,300}>")
_SET_APART: Final = tags.table("em i small center font cite".split())


def caption_of(page: Page, row: int, pictures: Mask) -> tuple[str, str]:
    """Return (caption, credit) of the image ``row``; "" for each that isn't there.

    Args:
        page: the page.
        row: the image.
        pictures: bool[n], rows of images: a box with several has no caption for one of them.
    """
    caption_row, credit_row = _marked(page, row, pictures)
    caption = page.folded(caption_row) if caption_row >= 0 else _attribute(page, row)
    caption = caption or _text(page, *_next_line(page, row, pictures))
    credit = page.folded(credit_row) if credit_row >= 0 else ""
    if credit and caption.endswith(credit) and caption != credit:
        caption = caption.removesuffix(credit).rstrip(" -–—|/·(")
    named = _CREDIT.search(credit or caption)
    if named is not None:
        credit = named["name"]
    return caption[:LONGEST], credit.strip(" -–—:：|/·")[:SHORT]


def caption_rows(page: Page, row: int, pictures: Mask) -> list[tuple[int, int]]:
    """Return half-open ranges of rows: the caption and the credit of the image ``row``, if shown.

    Arguments are those of `caption_of`.
    """
    caption, credit = _marked(page, row, pictures)
    found = [(one, int(page.end[one])) for one in (caption, credit) if one >= 0]
    if caption < 0 and not _attribute(page, row):
        first, last = _next_line(page, row, pictures)
        found += [(first, last)] if first < last else []
    return found


def _attribute(page: Page, row: int) -> str:
    """Return the caption that an image bears itself, without its markup; "" if none."""
    for name in _ATTRIBUTES:
        if value := page.attribute(row, name):
            text = html.unescape(_MARKUP.sub(" ", value))
            if text.strip():
                return " ".join(text.split())
    return ""


def _marked(page: Page, row: int, pictures: Mask) -> tuple[int, int]:
    """Return the rows of the caption and of the credit in the boxes around; -1 where none is."""
    caption = credit = -1
    for level, box in enumerate(page.ancestors(row)):
        stop = int(page.end[box])
        name = page.name(box)
        if level >= MOST_LEVELS or name in ("body", "article", "main"):
            break
        if stop - box > MOST_ROWS or (name != "figure" and pictures[box:stop].sum() > 1):
            break
        for inner in range(box + 1, stop):
            if page.tag[inner] == tags.TEXT or not 0 < page.length[inner] <= LONGEST:
                continue
            names = page.attribute(inner, "class") or ""
            is_caption = page.name(inner) == "figcaption" or CAPTION_CLASS.search(names)
            if credit < 0 and _CREDIT_CLASS.search(names):
                credit = inner
            elif caption < 0 and is_caption and not inner <= row < int(page.end[inner]):
                caption = inner
        if caption >= 0 or name == "figure":
            break
    return caption, credit


def _text(page: Page, first: int, last: int) -> str:
    return " ".join(page.text[page.text_at[first] : page.text_at[last]].split())


def _next_line(page: Page, row: int, pictures: Mask) -> tuple[int, int]:
    """Return the rows, half-open, of the short line after an image that is set or worded as one.

    The range is empty where there is no such line.
    """
    stop = min(row + MOST_ROWS, len(page))
    line = at = -1
    for inner in range(row + 1, stop):
        if pictures[inner]:
            return 0, 0
        if page.own_length[inner]:
            line, at = int(page.line[inner]), inner
            break
    if at < 0 or line == page.line[row]:
        return 0, 0
    last = at + 1
    while last < stop and page.line[last] == line:
        last += 1
    text = _text(page, at, last)
    if not 0 < len(text) <= SHORT or any(tags.HEADING[page.tag[r]] for r in page.ancestors(at)):
        return 0, 0
    set_apart = any(
        _SET_APART[page.tag[above]] and page.length[above] >= len(text) - 2
        for _, above in zip(range(MOST_LEVELS), page.ancestors(at), strict=False)
    )
    return (at, last) if set_apart or _WORDED.match(text) else (0, 0)
