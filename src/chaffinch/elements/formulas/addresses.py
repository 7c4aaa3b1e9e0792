r"""Addresses in TeX: MathJax makes a link of ``\href{javascript:…}{x}``, which runs on a click."""

from __future__ import annotations

import re
from typing import Final

_LINK: Final = re.compile(
    r"\\(?:href|url|nolinkurl)(?![A-Za-z])"
    r"(?!\s{0,9}\{\s{0,9}(?:https?://|mailto:|\\?#[\w-]))"  # these lead somewhere and run nothing
    r"(?:\s{0,9}\{[^{}]{0,9999}\})?+"
    r"|\\csname(?![A-Za-z])",
    re.IGNORECASE,
)


def without_scripts(tex: str) -> str:
    r"""Return TeX, or text that may hold any, without links that could run something.

    Links keep their text, behind an empty group. An address must be written out, and be of the
    web, of mail or of the page itself; of a link whose address a macro makes, the command is left
    out. So is ``\csname``, which makes commands of their names.
    """
    return _LINK.sub("{}", tex) if "\\" in tex else tex
