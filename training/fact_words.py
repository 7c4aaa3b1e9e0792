"""Write the words of numbers and weekdays by which quotes are checked.

``python -m training.fact_words`` needs `num2words` and `babel` (CLDR); what it writes are facts,
not code of either. Words of one token alone: longer numbers are put together where they are read.
"""

from __future__ import annotations

import json
import re
import unicodedata
from importlib import import_module
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent.parent / "src/chaffinch/reading/fact_words.json"
LANGUAGES = (
    "ar az bg bn ca cs da de el en es et eu fa fi fr he hi hr hu hy id is it ka kk ko lt lv mk nb"
    " nl pl pt ro ru sk sl sq sr sv th tr uk vi"
).split()
NUMBERS = (*range(100), *range(100, 1001, 100), 10**6, 10**9)
_ONE = re.compile(r"\A(?:one|eine?|uno?|en|ett?|één|jeden|один|одна|bir|một|satu|um) ")
_LONG = re.compile(r"[\s\d,\u2010-]")


def numbers(language: str) -> dict[str, int]:
    """Return word → value."""
    found: dict[str, int] = {}
    for number in NUMBERS:
        try:
            spoken = import_module("num2words").num2words(number, lang=language.replace("nb", "no"))
        except NotImplementedError:
            return {}
        word = _plain(spoken)
        word = _ONE.sub("", word, count=1) if number in NUMBERS[100:] else word
        if not _LONG.search(word):
            found.setdefault(word, number)
    return found


def names(table: Any) -> dict[str, int]:
    """Return name → number of weekdays, in all forms that CLDR has."""
    forms = [table[context]["wide"].items() for context in ("format", "stand-alone")]
    found = {_plain(name): number for own in forms for number, name in own}
    return {name: number for name, number in found.items() if not _LONG.search(name)}


def _plain(word: str) -> str:
    return unicodedata.normalize("NFKC", word.lower()).replace("\u00ad", "").strip()


def main() -> None:
    """Write the file, a language a line."""
    lines = []
    for language in LANGUAGES:
        locale = import_module("babel").Locale.parse(language)
        held = {"numbers": numbers(language), "weekdays": names(locale.days)}
        code = language.replace("nb", "no")
        lines.append(f' "{code}": {json.dumps(held, ensure_ascii=False, separators=(",", ":"))}')
    FILE.write_text("{\n" + ",\n".join(sorted(lines)) + "\n}\n", "utf-8")


if __name__ == "__main__":
    main()
