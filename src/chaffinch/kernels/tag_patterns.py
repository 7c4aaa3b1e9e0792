"""How the tags of a page are written, as patterns of bytes (HTML Standard, section 13.2.5)."""

from __future__ import annotations

import re
from typing import Final

TAG: Final = re.compile(rb"""<[a-zA-Z][^>"']*+(?:(?:"[^"]*+"|'[^']*+'|["'])[^>"']*+)*+""")
"""A start tag up to its end, which isn't part of the match; a quote left open is a letter."""
TAG_NAME: Final = re.compile(rb"<(/?)([a-zA-Z][^\t\n\f\r />]*)")
ATTRIBUTE: Final = (
    rb"([^\t\n\f\r />][^\t\n\f\r />=]*+)(?:[\t\n\f\r ]*+=[\t\n\f\r ]*+"
    rb"(?:\"[^\"]*+\"|'[^']*+'|[^\t\n\f\r >\"'][^\t\n\f\r >]*+|(?=>)))?"
)
"""One attribute; its name is a group."""
ONE_ATTRIBUTE: Final = re.compile(ATTRIBUTE)
