"""Pages damaged by an XML writer: ``<iframe …/>`` and its like swallow what follows as their text.

Such an element has no end in its start tag by the HTML Standard (13.2.5.40, 13.2.6.4.7): a parser
reads on to an end tag that never comes, and the page's content is gone. Pages that were kept by a
crawler which wrote its tree as XML have many. Whether one did swallow the rest is seen from the
table at no cost, for then it is the last element; only then is its source searched.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.page.arrays import Codes

_NAMES: Final = "iframe noembed noframes style textarea title xmp".split()
_RAW: Final = frozenset(tags.CODES[name] for name in _NAMES)
_CLOSED: Final = re.compile(rb"<(%s)(?=[\s/])([^<>]*)/>" % "|".join(_NAMES).encode(), re.IGNORECASE)
_END_TAG: Final = re.compile(rb"</(%s)" % "|".join(_NAMES).encode(), re.IGNORECASE)


def may_have_swallowed(tag: Codes) -> bool:
    """Return whether the last element is of raw text, which may be the rest of the page.

    Args:
        tag: uint16[n], the codes of the page's tags.
    """
    return not _RAW.isdisjoint(tag[-2:].tolist())


def with_ends(data: bytes) -> bytes:
    """Return the page with an end tag after each element of raw text closed in its start tag.

    Args:
        data: the page in UTF-8.

    Returns:
        The same object where the last such element has its end tag: then none swallows the rest.
    """
    found = list(_CLOSED.finditer(data))
    if not found:
        return data
    last = found[-1]
    name = last[1].lower()
    if any(end[1].lower() == name for end in _END_TAG.finditer(data, last.end())):
        return data
    return _CLOSED.sub(rb"<\1\2></\1>", data)
