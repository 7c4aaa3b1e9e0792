"""The guard before the parser: pages that would make it slow or huge are bounded first.

Lexbor's tree construction is the HTML Standard's (section 13.2.6), and some steps of the standard
walk up the stack of open elements or copy formatting elements without a bound: time grows with the
square of depth, of the attributes of one tag and of the options of one select, and memory with the
product of open formatting elements and blocks. A page can be made of these on purpose.

A normal page costs one count of «<» (2 % of Lexbor's time). Only a page whose size or number of
tags would let the worst of its size take seconds is read tag by tag
(`chaffinch.page.guard.bounding`), and only what exceeds a limit is changed. Figures and classes:
``docs/hostile-input.md``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.kernels.tag_patterns import TAG
from chaffinch.page.guard.bounding import bounded

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page.guard.limits import Limits

# Under each bound the worst page that can be made of its bytes and tags takes Lexbor up to about
# five seconds and 1 GB.
SAFE_TAGS: Final = 20_000  # «<» in a page: depth, options, end tags, names of tags
SAFE_FORMATTING_TAGS: Final = 2_400  # formatting elements; above, they are counted
SAFE_COPIES: Final = 1_500_000  # formatting tags times the other tags
SAFE_BYTES: Final = 256 << 10  # attributes of one tag; above, long tags are looked at
SAFE_ATTRIBUTES: Final = 8_192  # of one tag, in a page above that
SAFE_NAME_BYTES: Final = 768 << 10  # names of attributes; above, they are bounded
SAFE_NAMES: Final = 100_000

_ATTRIBUTE_NAME = re.compile(rb"""[\t\n\f\r /"']([^\t\n\f\r />="']+)""")
_FORMATTING = re.compile(
    rb"<(?:[bisu]|big|code|em|font|nobr|small|strike|strong|tt)(?=[\s/>])", re.IGNORECASE
)
_SEPARATES = np.zeros(256, dtype=bool)
_SEPARATES[list(b"\t\n\f\r /\"'")] = True


def _formatting_pairs() -> NDArray[np.bool_]:
    """Return bool[65536]: which two bytes after «<» may begin a formatting element's tag."""
    pairs = np.zeros(1 << 16, dtype=bool)
    words = [letter + end for letter in "bisu" for end in "\t\n\f\r />"]
    for word in (*words, "bi", "co", "em", "fo", "no", "sm", "st", "tt"):
        for first in {word[0], word[0].upper()}:
            for second in {word[1], word[1].upper()}:
                pairs[ord(first) << 8 | ord(second)] = True
    return pairs


_PAIRS = _formatting_pairs()


def bound(html: bytes | str, limits: Limits) -> bytes | str:
    """Return the page such that the parser's time and memory stay bounded.

    Args:
        html: The page as text or in UTF-8.
        limits: What is allowed.

    Returns:
        The same object, but where a limit is exceeded: then a page without the tags and
        attributes beyond it. Text is never dropped.

    Raises:
        PageError: The page is larger than ``max_bytes`` or has more than ``max_rows`` tags.
    """
    limits.check_size(len(html))
    data = html.encode("utf-8", "replace") if isinstance(html, str) else html
    if not suspicious(data, limits):
        return html
    changed = bounded(data, limits)
    if changed is data:
        return html
    return changed if isinstance(html, bytes) else changed.decode("utf-8", "replace")


def suspicious(data: bytes, limits: Limits) -> bool:
    """Return whether a page in UTF-8 has to be read tag by tag.

    It has when it is large enough for the parser to take seconds and may exceed a limit.
    """
    tags = kernels.count_tags(data)
    if tags > min(SAFE_TAGS, limits.max_rows, limits.max_tags_per_megabyte):
        return True
    if tags > SAFE_FORMATTING_TAGS and _copies(data) > SAFE_COPIES:
        return True
    return len(data) > SAFE_BYTES and _attributes_matter(data, limits)


def _copies(data: bytes) -> int:
    """Return how many copies of formatting elements the page may have at the very most."""
    count, formatting = kernels.count_pairs(data, _PAIRS)
    if formatting * (count - formatting) > SAFE_COPIES:
        formatting = len(_FORMATTING.findall(data))
    return formatting * (count - formatting)


def _attributes_matter(data: bytes, limits: Limits) -> bool:
    """Return whether a tag has too many attributes, or the page too many names of them."""
    most = min(max(limits.max_attributes, SAFE_ATTRIBUTES), len(data))
    separators = kernels.count_separators(data, most, len(data) > SAFE_NAME_BYTES)
    if separators <= SAFE_NAMES:
        return separators < 0
    different = b"".join(set(TAG.findall(data)))
    separates = _SEPARATES[np.frombuffer(different, dtype=np.uint8)]
    return int(np.count_nonzero(separates)) > SAFE_NAMES and (
        len(set(_ATTRIBUTE_NAME.findall(different))) > limits.max_names
    )
