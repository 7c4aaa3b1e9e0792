"""Names that highlighters give to what is around code: its container, lines, line numbers, buttons.

Most are looked up: pages and sites repeat their few class names.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from chaffinch.caching import cached_property

if TYPE_CHECKING:
    from chaffinch.page import Page

CONTAINER: Final = re.compile(
    r"(?:^|\s)(?:syntaxhighlighter|dp-(?!highlighter)[a-z]+|CodeMirror-code|ace_text-layer"
    r"|view-lines|crayon-pre|js-file-line-container|enlighter-code|react-code-lines)(?=\s|$)"
)
GUTTER: Final = re.compile(
    r"(?:^|[\s_-])(?:gutter|line-?no?s?|line-?num(?:ber)?s?|lnum|lineno|linenos|blob-num|ln-num"
    r"|ln-numbers|linenodiv|linenumber|linenumbers|ln|lnt|gl|crayon-nums?|line-number|num)"
    r"(?:$|[\s_-])",
    re.IGNORECASE,
)
LINE: Final = re.compile(
    r"(?:^|\s)(?:line|code-line|view-line|ace_line|crayon-line|hljs-ln-line|CodeMirror-line"
    r"|token-line|react-code-text|blob-code|L\d)(?:\s|$)"
)
COPY: Final = re.compile(
    r"(?:^|[\s_-])(?:copy|copybtn|copy-?button|copy-?code|clipboard|clippy|toolbar)(?:$|[\s_-])",
    re.IGNORECASE,
)
CONTAINER_WORDS: Final = (
    "syntaxhighlighter", "dp-", "CodeMirror-code", "ace_text-layer", "view-lines", "crayon-pre",
    "js-file-line-container", "enlighter-code", "react-code-lines",
)  # fmt: skip
"""Every class that names a container has one of them in it."""
_NAMES: Final = (CONTAINER, LINE, GUTTER, COPY)

_FEW: Final = 64  # rows whose classes are looked at one by one


class HighlighterClasses:
    """Rows whose class matches one of `_NAMES`: of few rows, or of all, which are searched once."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def on_page(self, sign: re.Pattern[str]) -> list[int]:
        """Return all rows whose class matches ``sign``, in order."""
        return self._rows[sign]

    def between(self, sign: re.Pattern[str], begin: int, stop: int) -> list[int]:
        """Return those from row ``begin`` to before ``stop``."""
        if stop - begin <= _FEW:
            given = ((row, self.page.attribute(row, "class")) for row in range(begin, stop))
            return [row for row, name in given if name and sign in _matched_by(name)]
        rows = self._rows[sign]
        return rows[bisect_left(rows, begin) : bisect_left(rows, stop)]

    @cached_property
    def _rows(self) -> dict[re.Pattern[str], list[int]]:
        values = self.page.values("class")
        names: dict[re.Pattern[str], list[str]] = {sign: [] for sign in _NAMES}
        for name, signs in zip(values.rows, map(_matched_by, values.rows), strict=True):
            for sign in signs:
                names[sign].append(name)
        return {sign: values.rows_of(own) for sign, own in names.items()}


@lru_cache(maxsize=8192)
def _matched_by(name: str) -> tuple[re.Pattern[str], ...]:
    """Return which of `_NAMES` a class matches.

    Pages and sites repeat their few class names, so that most are looked up.
    """
    return tuple(sign for sign in _NAMES if sign.search(name))
