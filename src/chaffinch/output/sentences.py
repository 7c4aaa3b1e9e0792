"""Where sentences end: at marks of any script, in short (Unicode Standard Annex 29, section 5).

Full stops, question and exclamation marks before white space and no lower-case letter, and those
of Chinese and Japanese anywhere.
"""

from __future__ import annotations

import re
from typing import Final

_END: Final = r"(?<![.!?…])[.!?…]++[\"'”’»)\]]*+(?=\s+(?![a-z])|\s*$){}|[。！？｡]++[”’」』）】]*+{}"
"""The end of a sentence; the blanks take what is added to either form."""

SENTENCE: Final = re.compile(rf".+?(?:{_END.format(chr(92) + 's*', chr(92) + 's*')}|$)", re.DOTALL)
"""A sentence with the white space after it."""
_ENDS: Final = re.compile(_END.format("", ""))


def sentence_ends(text: str) -> list[int]:
    """Return the offset after the last character of each sentence of a line that has an end."""
    return [found.end() for found in _ENDS.finditer(text)]
