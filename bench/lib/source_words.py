"""Short strings of the source: names of tags, attributes, fields, classes and keys that it reads.

Hostile pages are made of them, so that whatever begins to be read is also attacked.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

import chaffinch

PACKAGE: Final = Path(chaffinch.__file__).parent
_NO_READERS: Final = frozenset(
    ["batch", "cli", "crawl", "evaluate", "fetch", "plugins", "reports", "service", "workers"]
)
"""Rooms that read no page's markup."""
_STRING: Final = re.compile('"([^"\\\n]*)"')
_WORD: Final = re.compile(r"[A-Za-z@][\w:.@/-]{0,38}\Z|[^\x00-\x7f]{1,12}\Z")


@cache
def source_words() -> tuple[str, ...]:
    """Return the words in strings of rooms that read pages, sorted; docstrings left out."""
    found: set[str] = set()
    for path in PACKAGE.rglob("*.py"):
        if path.relative_to(PACKAGE).parts[0] not in _NO_READERS:
            parts = path.read_text(encoding="utf-8").split('"""')
            words = [one for text in parts[::2] for one in _STRING.findall(text)]
            is_list = [after.startswith(".split()") for after in parts[2::2]]
            words += [text for text, own in zip(parts[1::2], is_list, strict=False) if own]
            found.update(one for text in words for one in text.split() if _WORD.match(one))
    return tuple(sorted(found))
