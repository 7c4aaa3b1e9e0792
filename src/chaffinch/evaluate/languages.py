"""The language of a page, for peers that require it: by its script, else as declared.

The corpora's own labels aren't used, since they aren't known when pages are extracted.
"""

from __future__ import annotations

import re

_DECLARED = re.compile(
    r"<html\b[^<>]*?\blang\s*+=\s*+(?:[\"']\s*+)?([a-zA-Z]{2,3})\b", re.IGNORECASE
)
_MARKUP = re.compile(
    r"<(script|style)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)|<[^>]*+(?:>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_KANA = re.compile(r"[\u3040-\u30ff]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")
_THAI = re.compile(r"[\u0e00-\u0e7f]")
_LETTER = re.compile(r"[^\W\d_]")

_SCRIPT_SHARE = 0.2
"""A script decides from this share of the letters on; navigation and code are often Latin."""


def page_language(html: str) -> str | None:
    """Return the ISO 639 code of a page's language, or None where it is unknown.

    Letters decide first, where they can (Chinese, Japanese, Korean, Thai: templates often
    declare English for them), then the ``lang`` attribute of the html element.
    """
    text = _MARKUP.sub(" ", html)
    letters = len(_LETTER.findall(text))
    if letters:
        if len(_HANGUL.findall(text)) / letters >= _SCRIPT_SHARE:
            return "ko"
        if len(_THAI.findall(text)) / letters >= _SCRIPT_SHARE:
            return "th"
        kana, han = len(_KANA.findall(text)), len(_HAN.findall(text))
        if (kana + han) / letters >= _SCRIPT_SHARE:
            return "ja" if kana > han / 10 else "zh"
    declared = _DECLARED.search(html[:5000])
    return declared.group(1).lower() if declared else None
