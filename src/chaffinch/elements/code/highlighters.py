"""Names that highlighters give to what is around code: its container, lines, line numbers, buttons.

Most are looked up: pages and sites repeat their few class names.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache
from typing import TYPE_CHECKING, Final

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
CODE_BOX: Final = re.compile(
    r"(?:^|[\s_-])(?:block-?code|code-?(?:box|block|snippet)|bb-?code)(?=[\s_-]|$)", re.IGNORECASE
)
"""Boxes in which forums list code; others have such names, too."""
COPY_LABELS: Final = frozenset(
    line.strip()
    for line in """
    copy|copy code|copy to clipboard|copied|copied!|select all|select code|[select]|kopieren
    code kopieren|alles auswählen|copier|copier le code|tout sélectionner|copiar|copiar código
    seleccionar todo|selecionar tudo|copia|copia codice|kopiëren|kopiera|kopier|kopioi|kopiuj
    kopiuj kod|zaznacz wszystko|kopírovat|kopírovať|másolás|copiază|kopyala|kodu kopyala|salin
    salin kode|sao chép|копировать|скопировать|скопировать код|выделить всё|копіювати|копирай
    αντιγραφή|העתק|نسخ|کپی|कॉपी करें|คัดลอก|复制|复制代码|複製|複製程式碼|全选
    コピー|コードをコピー|복사|코드 복사
    """.replace("\n", "|").split("|")
) - {""}
"""What buttons beside code are called that copy or select it, in lower case."""
CONTAINER_WORDS: Final = (
    "syntaxhighlighter", "dp-", "CodeMirror-code", "ace_text-layer", "view-lines", "crayon-pre",
    "js-file-line-container", "enlighter-code", "react-code-lines",
)  # fmt: skip
"""Every class that names a container has one of them in it."""
_WORDS: Final = {
    CONTAINER: tuple(word.lower() for word in CONTAINER_WORDS),
    LINE: ("line", "react-code-text", "blob-code", *(f"l{digit}" for digit in range(10))),
    GUTTER: ("gutter", "line", "num", "ln", "gl"),
    COPY: ("copy", "clip", "toolbar"),
}
"""The same of each sign, in lower case."""

_FEW: Final = 64  # rows whose classes are looked at one by one


class HighlighterClasses:
    """Rows whose class matches one of `_WORDS`: of few rows, or of all, which are searched once."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._known: dict[re.Pattern[str], list[int]] = {}

    def on_page(self, sign: re.Pattern[str]) -> list[int]:
        """Return all rows whose class matches ``sign``, in order."""
        if sign not in self._known:
            self._known[sign] = self.page.rows_where(
                "class", lambda name: sign in _matched_by(name), *_WORDS[sign]
            )
        return self._known[sign]

    def between(self, sign: re.Pattern[str], begin: int, stop: int) -> list[int]:
        """Return those from row ``begin`` to before ``stop``."""
        if stop - begin <= _FEW:
            given = ((row, self.page.attribute(row, "class")) for row in range(begin, stop))
            return [row for row, name in given if name and sign in _matched_by(name)]
        rows = self.on_page(sign)
        return rows[bisect_left(rows, begin) : bisect_left(rows, stop)]


@lru_cache(maxsize=8192)
def _matched_by(name: str) -> tuple[re.Pattern[str], ...]:
    """Return which of `_WORDS` a class matches.

    Pages and sites repeat their few class names, so that most are looked up.
    """
    return tuple(sign for sign in _WORDS if sign.search(name))
