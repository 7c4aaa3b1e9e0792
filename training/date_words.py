"""Words of dates in the world's languages, from CLDR: months, weekdays, what counts from now.

Run ``python -m training.date_words``; it writes `WORDS`. babel has the names of Gregorian months
and days, their cases and short forms, the order of day, month and year, the words between these
and "3 days ago". Other calendars, "yesterday" and the months of Umm al-Qura come from the same CLDR
by way of ICU, in the node that playwright brings.
"""

from __future__ import annotations

import json
import re
import subprocess
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, Final

from babel import localedata
from babel.core import get_global
from playwright._impl._driver import compute_driver_executable

from bench import ROOT
from chaffinch.elements.date_words import folded_word

WORDS: Final = ROOT / "src/chaffinch/elements/date_words.json"
LANGUAGES: Final = (
    "en de fr es pt it nl ru pl uk cs sk sv da nb no nn fi is et lv lt hu ro bg el tr hr sl "
    "sr bs mk sq ca gl eu ga cy mt be kk az uz ky tg tk mn tt ba ka hy he ar fa ps ur ckb ku "
    "hi mr ne bn pa gu or as ta te kn ml si th lo km my vi id ms jv su fil ceb sw so am ti ha "
    "yo ig zu xh af eo la lb br fy oc gd fo ast ia rm sc fur vec nds hsb dsb szl se mg mi to "
    "sm haw yi ko ja zh yue bo ug sd kok"
).split()
"""Languages of which all words are read; where two differ over a word, the earlier one says what
it means in others. Of languages beyond these, only long names of months are read."""
LONG: Final = 5  # letters of such a name
CALENDARS: Final = ("persian", "islamic")
YEARS: Final = {"islamic": ("islamic-umalqura", 1400, 1465), "persian": ("persian", 1360, 1465)}
"""Calendars of which the days of each month are kept: ICU's name, the first year and the last."""
_RARE_SCRIPTS: Final = ("Adlm", "Dsrt", "Mong", "Shaw", "Vaii", "Yiii")
_UNITS: Final = ("second", "minute", "hour", "day", "week", "month", "year")
_NUMBER: Final = re.compile("\\d|[一二三四五六七八九十](?=月)")
_LITERAL: Final = re.compile(r"'([^']+)'")
_HALVES: Final = {
    "am": ("am", "morning1", "morning2", "night2"),
    "pm": ("pm", "afternoon1", "afternoon2", "evening1"),
}
_MORE: Final = json.loads(Path(__file__).with_name("date_words_more.json").read_text("utf-8"))
"""What pages write and CLDR doesn't have: ordinal signs and the like, numbers in words."""
_ASK: Final = r"""
const [languages, years] = JSON.parse(process.argv[1]);
const out = {persian: {}, islamic: {}, near: {}, starts: {}};
const day = 86400000;
const parts = (format, time) => Object.fromEntries(
  format.formatToParts(time).map((one) => [one.type, one.value]));
for (const language of languages) {
  for (const [calendar, name] of [["persian", "persian"], ["islamic", "islamic-umalqura"]])
    for (const month of ["long", "short"]) {
      const written = new Intl.DateTimeFormat(language, {calendar: name, month, day: "numeric",
        year: "numeric", timeZone: "UTC"});
      const alone = new Intl.DateTimeFormat(language, {calendar: name, month, timeZone: "UTC"});
      const number = new Intl.DateTimeFormat("en", {calendar: name, month: "numeric",
        numberingSystem: "latn", timeZone: "UTC"});
      for (let time = Date.UTC(2023, 0, 5), i = 0; i < 13; i++, time += 29 * day)
        (out[calendar][number.format(time)] ??= []).push(
          parts(written, time).month, alone.format(time));
    }
  const relative = new Intl.RelativeTimeFormat(language, {numeric: "auto"});
  out.near[language] = [0, -1, -2].map((ago) => relative.format(ago, "day"));
  out.near[language].push(relative.format(0, "second"));
}
for (const [name, [calendar, first, last]] of Object.entries(years)) {
  const written = new Intl.DateTimeFormat("en", {calendar, year: "numeric", month: "numeric",
    day: "numeric", timeZone: "UTC"});
  out.starts[name] = [];
  for (let time = Date.UTC(1979, 0, 1); ; time += day) {
    const found = parts(written, time);
    const year = parseInt(found.year);
    if (year > last) break;
    if (year >= first && found.day === "1") out.starts[name].push(time / day);
  }
}
console.log(JSON.stringify(out));
"""


def main() -> None:
    """Write the words."""
    asked = json.dumps([[*LANGUAGES, "fa-AF"], YEARS])
    node = compute_driver_executable()[0]
    answer = subprocess.run([node, "-e", _ASK, asked], check=True, capture_output=True)  # noqa: S603
    icu = json.loads(answer.stdout)
    months, of_language = _gregorian()
    found = {
        "months": months,
        "of_language": of_language | _MORE["of_language"],
        **{
            name: {
                n: _joined([*_spaced(own), _MORE[name].get(n, "")]) for n, own in icu[name].items()
            }
            for name in CALENDARS
        },
        "zeros": [n for n in range(0x110000) if unicodedata.decimal(chr(n), 1) == 0],
        "tables": {name: _lengths(name, own) for name, own in icu["starts"].items()}
        | {"nepali": _MORE["nepali"]},
        "weekdays": {n: _joined(own) for n, own in _weekdays().items()},
        "fillers": "|".join(sorted({folded_word(one) for one in _fillers()} - {""})),
        **{half: _joined(_halves(names)) for half, names in _HALVES.items()},
        "orders": _orders(),
        "relative": "|".join(sorted(_relative(icu["near"]))),
    }.items()
    lines = (f"{json.dumps(key)}: {json.dumps(own, ensure_ascii=False)}" for key, own in found)
    WORDS.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


def _locales(language: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (identifier, its own data) of the locales of a language, or of all of them."""
    for name in sorted(localedata.locale_identifiers()):
        own_script = not any(script in name for script in _RARE_SCRIPTS)
        if own_script and (not language or name.split("_")[0] == language):
            yield name, localedata.load(name, merge_inherited=False)


def _names(data: dict[str, Any], kind: str, widths: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    for case in ("format", "stand-alone"):
        for width in widths:
            own = data.get(kind, {}).get(case, {})
            own = own.get(width, {}) if hasattr(own, "get") else {}
            if hasattr(own, "items"):
                yield from own.items()


def _gregorian() -> tuple[dict[int, str], dict[str, dict[str, int]]]:
    """Return the names of each month, and by language those that mean another month there."""
    found: dict[str, int] = {}
    others: dict[str, dict[str, int]] = defaultdict(dict)
    for language in LANGUAGES:
        for _, data in _locales(language):
            for number, name in _names(data, "months", ("wide", "abbreviated")):
                word = _word(*_spaced([name]))
                if word and found.setdefault(word, number) != number:
                    others[language][word] = number
    for number, names in _MORE["months"].items():
        for word in names.split("|"):
            found.setdefault(word, int(number))
    beyond: dict[str, set[int]] = defaultdict(set)
    for _, data in _locales():
        for number, name in _names(data, "months", ("wide",)):
            if len(word := _word(*_spaced([name]))) >= LONG and word not in found:
                beyond[word].add(number)
    found |= {word: min(numbers) for word, numbers in beyond.items() if len(numbers) == 1}
    by_month = {n: _joined([w for w, own in found.items() if own == n]) for n in range(1, 13)}
    return by_month, dict(others)


def _weekdays() -> dict[int, list[str]]:
    """Return the names of each day of the week, 0 for Monday."""
    found: dict[int, list[str]] = defaultdict(list)
    for language in LANGUAGES:
        for _, data in _locales(language):
            for number, name in _names(data, "days", ("wide", "abbreviated")):
                found[number].append(name)
    return dict(sorted(found.items()))


def _halves(names: tuple[str, ...]) -> Iterator[str]:
    for language in LANGUAGES:
        for _, data in _locales(language):
            for name, word in _names(data, "day_periods", ("wide", "abbreviated", "narrow")):
                if name in names:
                    yield word


def _fillers() -> Iterator[str]:
    """Yield the words between day, month and year of written dates."""
    for _, data in _locales():
        for one in data.get("date_formats", {}).values():
            for literal in _LITERAL.findall(getattr(one, "pattern", "")):
                yield from literal.split()
    yield from _MORE["fillers"].split("|")


def _orders() -> dict[str, str]:
    """Return the order of locales unlike their language's or "d/M/y", with the sign between."""
    own = {
        name: re.sub(r"'[^']*'|[^dMy./-]", "", one.pattern.replace("L", "M"))
        for name, data in _locales()
        if (one := data.get("date_formats", {}).get("short")) is not None
    }
    found: dict[str, str] = {}
    parents = get_global("parent_exceptions")
    for name, _ in _locales():
        language, place = name.split("_")[0], name
        while place not in own and "_" in place:
            place = parents.get(place) or place.rpartition("_")[0]
        order = re.sub(r"(.)\1+", r"\1", own.get(place, "")).strip("./-")
        if order and language in LANGUAGES and order[0] != found.get(language, "d")[0]:
            found[name.replace("_", "-").lower()] = order
    return found


def _relative(near: dict[str, list[str]]) -> set[str]:
    """Return dates from now, folded, "#" for the number."""
    found = set(_MORE["relative"].split("|")) | set(chain.from_iterable(near.values()))
    for language in LANGUAGES:
        for _, data in _locales(language):
            for unit, width in ((unit, width) for unit in _UNITS for width in ("", "-short")):
                past = data.get("date_fields", {}).get(unit + width, {}).get("past", {})
                found.update(past.values())
    folded = {" ".join(folded_word(one.replace("{0}", "#")).split()) for one in found}
    return {
        one for one in folded if _NUMBER.search(one) is None and one.strip("# +-.") and len(one) > 1
    }


def _lengths(calendar: str, starts: list[int]) -> list[int]:
    """Return the first year, its first day from 1970, bits a month and days over 29 of years."""
    lengths = [later - earlier for earlier, later in pairwise(starts)]
    years = [lengths[at : at + 12] for at in range(0, len(lengths) - 11, 12)]
    bits = (max(lengths) - 29).bit_length()
    over = (sum(n - 29 << bits * at for at, n in enumerate(year)) for year in years)
    return [YEARS[calendar][1], starts[0], bits, *over]


def _spaced(months: Iterable[str]) -> list[str]:
    """Return names of months without hyphens, as texts are split."""
    return [one.replace("-", " ") for one in months]


def _word(name: str) -> str:
    """Return the key of a month's name; "" where it has a digit or is longer than three words."""
    words = [one for one in folded_word(name).split() if one not in {"de", "d", "do", "of"}]
    word = " ".join(words)
    short = len(word) < 2 and word.isascii()  # noqa: PLR2004
    return "" if short or len(words) > 3 or _NUMBER.search(word) else word  # noqa: PLR2004


def _joined(names: Any) -> str:
    return "|".join(dict.fromkeys(word for name in names if (word := _word(name))))


if __name__ == "__main__":
    main()
