"""Text of pages made safe for reports: no markup, no character that HTML may not hold.

Reports need nothing but themselves: no scripts, no fonts, no images; `POLICY` lets none in.
"""

from __future__ import annotations

import re
from html import escape
from typing import Final

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"
"""The content security policy of reports."""
_FORBIDDEN: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def safe(text: str) -> str:
    """Return ``text`` escaped; characters that HTML may not hold become U+FFFD."""
    return escape(_FORBIDDEN.sub("\ufffd", text))


def shortened(text: str, longest: int) -> str:
    """Return ``text`` made `safe`; beyond ``longest`` characters it is cut, and says so."""
    more = len(text) - longest
    if more <= 0:
        return safe(text)
    return f"{safe(text[:longest])}… <small>and {more:,} characters more</small>"
