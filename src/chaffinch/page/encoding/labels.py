"""Names of encodings: what a label means, and which one a page declares.

Labels and the prescan follow the Encoding Standard
(https://encoding.spec.whatwg.org/) and the HTML Standard, section 13.2.3.2.
"""

from __future__ import annotations

import re
from typing import Final

import webencodings

# Labels that the Encoding Standard doesn't decode, or that it doesn't know.
OLD_LABELS: Final = {
    "hz-gb-2312": "hz",
    "iso-2022-kr": "iso-2022-kr",
    "big5hkscs": "big5",
    "big5-hkscs": "big5",
    "cp874": "windows-874",
    "cp949": "euc-kr",
    "euc-jis-2004": "euc-jp",
    "euc_jis_2004": "euc-jp",
    "cp932": "shift_jis",
    "cp936": "gb18030",
}
PRESCAN: Final = 4096  # bytes; 1024 by the standard, and pages exist that need more

_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
DECLARED = re.compile(
    rb"""<meta\b[^<>]*?\bcharset\s*+=\s*+(?:["']\s*+)?([\w:.-]+)"""
    rb"""|<\?xml\b[^<>]*?\bencoding\s*+=\s*+["']\s*+([\w:.-]+)""",
    re.IGNORECASE,
)


def encoding_of(label: str) -> str | None:
    """Return the Encoding Standard's name for a label, or None where there is none.

    ``gbk`` becomes ``gb18030``, which extends it.
    """
    label = label.strip().strip("\"'").lower()
    if label in OLD_LABELS:
        return OLD_LABELS[label]
    found = webencodings.lookup(label) if label.isascii() else None
    if found is None or found.name in {"replacement", "x-user-defined"}:
        return None
    return "gb18030" if found.name == "gbk" else found.name


def declared_encoding(data: bytes) -> str | None:
    """Return what the page declares in its first 4,096 bytes, by ``meta`` or XML declaration.

    UTF-16 means UTF-8 here, as in the standard: the declaration could not be read otherwise.
    """
    for match in DECLARED.finditer(_COMMENT.sub(b"", data[:PRESCAN])):
        name = encoding_of((match[1] or match[2]).decode("ascii", "replace"))
        if name:
            return "utf-8" if name.startswith("utf-16") else name
    return None
