"""Names of people and of sources in bylines and fields: "By Jane Doe", "张晓玲 北京报道"."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import groupby
from typing import Final

from chaffinch.elements.date_words import month_of
from chaffinch.metadata.values import (
    FIRST_HAN,
    LONGEST_TEXT,
    WORDS,
    clean,
    fold,
    one_line,
    word_set,
)
from chaffinch.wording import any_of, fold_words

HAN: Final = re.compile("[\u3400-\u9fff]")
_HAN_WORD: Final = re.compile("[\u3400-\u9fff]+")
_SINGLE, _PAIR = 1, 2  # Han letters

# Names in bylines: "By Jane Doe and John Roe, Staff" → Jane Doe; John Roe.
_AROUND_NAME: Final = " \t●▪■◆★.,،:：;؛-–—|·•©¹²³⁴⁵⁶⁷⁸⁹\"'“”‘’()[]（）【】*†‡"
_LONGEST_NAME: Final = 60  # characters; the longest of the labelled corpora has 47
_MOST_WORDS: Final = 7
SUFFIXES: Final = (" Jr.", " Sr.")
_BEFORE_SUFFIX: Final = re.compile(r",(?= (?:[JS]r\.?|I{2,3}|IV)(?:\Z|[,;]| and | & ))")
_ABBREVIATION: Final = 5  # letters of the name of a paper or an agency in capitals
_PHRASE_WORDS: Final = 3  # in lower case, which are no name
_STRICT_WORDS, _STRICT_CJK = 5, 12  # words and letters of what may be no byline
_DATELINE: Final = re.compile(
    r"\A[\u0600-\u06ff]{3,20}\s[-–—]\s(?=[\u0600-\u06ff]+\s[\u0600-\u06ff])"
)
"""A place or a paper before a name, as Arabic papers have it: القاهرة - أحمد سالم."""
_ADDRESS: Final = re.compile(
    r"https?://\S+|www\.\S+|\S[^\s@(\[]{0,99}(?:@|[(\[]at[)\]])\S{1,99}\.\w+|@\w+|\([^()@]*+@[^()]*\)",
    re.IGNORECASE,
)
_ALONE: Final = any_of(word_set("bylines_alone"))
ENDINGS: Final = (
    rf"(?:/{_ALONE})?"
    r"(?:(?:[/*_·•]-?(?:trice|rice|ice|ka|as|es|a|e|s|innen|in)|:(?:innen|in))(?![^\W_]|\.)"
    r"|\((?:in|a|e|s)\))?"
)
"""Behind a label, what leaves open who it is: Autor:in, auteur·rice, autor(a), Autorin/Autor."""
_BYLINES: Final = WORDS["bylines"].split("|")
"""Labels in front of names at the start of a line, with or without a colon."""
LABEL_ALONE: Final = re.compile(rf"{_ALONE}{ENDINGS}[:： ]*\Z", re.IGNORECASE)
"""A line that is the label of the names below it: "Authors:"."""
_BYLINE_LABEL: Final = re.compile(
    rf"^\W*(?:{any_of(_BYLINES).replace(re.escape(' '), chr(92) + 's+')}{ENDINGS}"
    r"(?:\s*[:：]\s*|\s+|(?<=\sd['’]))"
    r"|(?-i:By(?=[A-Z][a-z]+\s[A-Z]))"  # two elements without a space between them
    r"|(?:编辑|編輯|责任编辑|責任編輯|责编|来源|來源|文字|文|撰文|撰稿|通讯员)\s*[:：/｜|丨]\s*)",
    re.IGNORECASE,
)
LABELLED: Final = re.compile(rf"{_BYLINE_LABEL.pattern}|{LABEL_ALONE.pattern}", re.IGNORECASE)
"""What begins a byline with a label."""
_HAN_OTHER: Final = re.compile(WORDS["ends of what is no name"])
_MONTH: Final = rf"(?:{WORDS['beginnings of months']})[a-zäéû]*\.?"
_WEEKDAYS: Final = "mon tue tues wed wednes thu thurs fri sat satur sun".split()
_WEEKDAY: Final = rf"{any_of(_WEEKDAYS)}(?:day\b|\b(?=[.,]?\s+(?:\d|{_MONTH}\s+\d)))"
_WEEKDAY_BEFORE_DATE: Final = re.compile(rf"(?:\bon\s)?\b{_WEEKDAY},", re.IGNORECASE)
"""Short ones are parts of names, too: Lê Thu Hà, Sun Li."""
_BYLINE_END: Final = re.compile(
    rf"(?:\||｜|•|·\s|\s[-–—]\s|\((?!\w+\)\s\w)|（|(?P<paper>\b(?:for|für|pour|voor)\s+(?:the\b|(?-i:[A-Z])))"
    rf"|\b(?:e-?mail|fact.checked|{any_of(WORDS['behind_names'].split('|'))})\b"
    rf"|\b(?:am|on|at|vom|le|el)\s+(?:\d|(?P<of>{_MONTH})\b)|\d{{4}}|\d{{1,2}}[.:/]\d|\s\d{{1,5}}\s(?=[a-z])"
    rf"|\b(?P<month>{_MONTH})\s+\d|\b\d{{1,2}}\.?\s+{_MONTH}\b|\b(?P<weekday>{_WEEKDAY})"
    rf"|\s{any_of(WORDS['announcing_dates'].split('|'))}\s?[:：]"
    rf"|责任编辑|來源|来源|编辑[:：])",
    re.IGNORECASE,
)
_INNER_LABEL: Final = re.compile(WORDS["labels within lines"])
_PARTICLES: Final = word_set("particles")
_PICTURES: Final = re.compile("[\u200d\u2600-\u27bf\ufe0f\U0001f000-\U0001faff]+")
_FROM: Final = re.compile(r"\A(?:aus|da|de|do|em|en|från|fra|from|in|z|à)\s")
_IN_PLACE: Final = re.compile(r"\s(?:in|from|dans|em|en|à|aus)\s(?=[^\W\d_])")
"""What stands between a name and where somebody is: "Ann Roe in Oslo"."""
_CASED: Final = re.compile(r"[A-Za-zÀ-ɏͰ-ϿЀ-ӿ]")
_CATEGORY: Final = re.compile(
    rf"(?<=\w)\s(?:(?:In|IN)\s(?=[^\W\d_])|(?i:{any_of(WORDS['invitations'].split('|'))}))"
)
"""What stands behind the author of a blog's entry: its category, the way to its comments."""
_NICKNAME: Final = re.compile(r"(?<=\w) [\"“„«][^\W\d_]+[\"”“»](?= \w)")
_PHRASE: Final = re.compile(r"[?!:;。？！；／を\"“”«»=<>{}#%+*/\\€£¥₩₹₽₴₺₫]|\$(?!\w)|\d")
_FURTHER: Final = re.compile(r"[|｜•·(（\d]")
"""What begins something else behind a name in a script without case: a date, a place."""
_SALUTATION: Final = re.compile(WORDS["salutations"], re.IGNORECASE)
_SPLIT: Final = re.compile(
    rf"\s?(?:[;；、]|\s/\s|\s&\s|,?\s(?:{any_of(word_set('joining names'))}|and by"
    r"|(?:a|ir|un|oraz)(?=\s[^\W\d_a-z]))\s|\s?[,，،]\s?|(?<=[가-힣])[·ㆍ](?=[가-힣])"
    r"|(?<=[^\W\d_A-Z])/(?=[^\W\d_a-z][^\W\d_]+\s[^\W\d_])"  # Ann Roe/River Post
    r"|\s(?:avec|mit|con|com|met)\s(?=[A-Z]{2,5}\b|dpa|agenc|agenz|agentur|[^\W\d_a-z]\w+\s[^\W\d_a-z]))\s?"
)
_JOINED: Final = re.compile(r"(?<!\w)(\w++ \w++(?: \w++)?) (?:[وו]|[YEI] )(\w{2,}+ \w++(?: \w++)?)")
"""Two names of two words or more with an "and" that is a letter: in Arabic, Hebrew, capitals."""
_PEOPLE_ROLES: Final = word_set("people_roles")
_ROLES: Final = re.compile(
    rf"(?:\A{any_of(word_set('reporters'))}|\b(?:{any_of(_PEOPLE_ROLES)}|redacción|rédaction"
    r"|a\.s|s\.r\.[lo]|ph\.?d\.?|m\.?d\.?|(?<![\w.]\s)(?:jr|sr|esq)|head of|special to))\b",
    re.IGNORECASE,
)
_REPORTER: Final = re.compile(rf"\b{any_of(word_set('reporters'))}\b", re.IGNORECASE)
_ROLE_BEFORE: Final = re.compile(
    rf"\A(?:[^\s,]+\s){{0,4}}?(?:[\w&]+-)*{any_of(word_set('reporters'))}\s++"
    r"(?=(?-i:[^\sa-zà-ÿа-яё])\S*+\s)",
    re.IGNORECASE,
)
"""What somebody does for a paper, before the first and last name."""
_OUTLETS: Final = word_set("last words of outlets")
_CAPITALS: Final = re.compile(
    r"\A(?:(?:[A-ZÀ-Þ]\.|(?:Ma?c|O['’])?[A-ZÀ-Þ]{2}[A-ZÀ-Þ'’-]*)\s){1,4}"
    r"(?!AP\s)(?:Ma?c|O['’])?[A-ZÀ-Þ]{2}[A-ZÀ-Þ'’-]*(?=(?:\sAP)?\s[A-Z][a-z]{2})"
)
"""A name in capitals, behind which a paper stands that isn't: "ANN ROE River Post"."""
_BEHIND_NAME: Final = re.compile(
    rf"(?<=\S)\s(?:(?:the\s)?{any_of(word_set('agencies'))}"
    r"|special\sto\s.*|of\sthe\s(?-i:[A-Z]).*"
    rf"|(?P<field>{any_of(word_set('fields of reporters'))}\s){{0,3}}"
    rf"(?P<role>critic|{any_of(word_set('reporters'))}))\Z",
    re.IGNORECASE,
)
"""What stands behind a name though nothing parts it: what somebody does, and for whom."""
_LABELS: Final = ("by", "bylines", "reporters", "not_names")
_NOT_NAMES: Final = frozenset(
    map(fold, "|".join((*WORDS["credits"].values(), *map(WORDS.__getitem__, _LABELS))).split("|"))
)
_VISIT: Final = re.compile(rf"(?:{WORDS['ways_to_shops']}) ", re.IGNORECASE)
"""What leads to the shop of a brand: "Visit the Oatmill Store"."""
_COLLECTIVES: Final = frozenset(map(fold_words, word_set("collectives")))
_ARTICLES: Final = frozenset("the das die la le il".split())


def split_names(
    text: str, *, inverted: bool = False, strict: bool = False, japanese: bool = False
) -> tuple[str, ...]:
    """Return the names in a byline or a field for authors, cleaned, in order, without duplicates.

    ``inverted``: "Doe, Jane" is one name, as in citation metas. ``strict``: it may be no byline;
    only what is written like a name is returned. ``japanese``: two words of Han letters are one
    name.
    """
    return _split_names(text[:LONGEST_TEXT], inverted=inverted, strict=strict, japanese=japanese)


_DOTS: Final = str.maketrans("⋅∙‧", "···")  # dots between the parts of a byline that look alike


@lru_cache(maxsize=128)
def _split_names(text: str, *, inverted: bool, strict: bool, japanese: bool) -> tuple[str, ...]:
    """Return `split_names`; cached, for a byline, what stands in it and its line are one text."""
    text = clean(text).translate(_DOTS)
    if "@" in text or "." in text or ":" in text:
        text = one_line(_ADDRESS.sub(" " if inverted else ", ", text)).strip("(), ")
    if inverted:
        last, comma, first = without_label(text).partition(",")
        text = f"{first.strip()} {last.strip()}" if comma and "," not in first else text
    if strict and ("by " in text or "by:" in text) and _BYLINE_LABEL.match(text) is None:
        text = _INNER_LABEL.sub("", text, count=1)
    text = "" if LABEL_ALONE.match(text) else _BEFORE_SUFFIX.sub("", without_label(text))
    text = _WEEKDAY_BEFORE_DATE.sub("|", _CATEGORY.split(text, maxsplit=1)[0])
    names: dict[str, str] = {}
    pieces = _SPLIT.split(text)[:30]
    parts = (one for piece in pieces for one in _between_spaces(piece, japanese=japanese))
    for number, part in enumerate(parts):
        name = _one_name(part, first=number == 0)
        name = _HONORIFIC.sub("", name) if japanese else name
        person = _IN_PLACE.split(name, maxsplit=1)[0] if strict else name
        name = person if " " in person else name
        if not name:
            continue
        if strict and not _written_as_name(name):
            if number == 0 and (_REPORTER.search(name) or _FROM.match(name)):  # in Oslo, Ann Roe
                continue
            break
        if not names:
            names[fold(name)] = name
            continue
        before = next(iter(names.values()))
        place = _FROM.sub("", name) if before.count(" ") in {1, 2, 3} else ""
        is_short = place.isupper() or (place.isalnum() and not place.isalpha())  # BBC, g1
        behind_name = any(f"{mark} {place}" in text for mark in ",/") or not part.startswith(place)
        is_paper = is_short and len(place) <= _ABBREVIATION and behind_name
        is_place = place.isalpha() and place[0].isupper()  # Oslo, İSTANBUL; no PER behind ANN ROE
        is_place = is_place and not (place.isupper() and (before.isupper() or not behind_name))
        is_paper |= " " in before and behind_name and is_outlet(name)
        if not (is_paper or is_place):  # nor a role
            names.setdefault(fold(name), name)
    people = tuple(one for one in names.values() if one.isascii() or not _HAN_OTHER.search(one))
    return people or tuple(names.values())


def names_written(text: str, *, japanese: bool = False) -> tuple[str, ...]:
    """Return the names in a text that is known for a byline's; without case, a few words."""
    if names := split_names(text, strict=True, japanese=japanese):
        return names
    text = without_label(_FURTHER.split(text, maxsplit=1)[0])
    if _CASED.search(text) or len(text) > _LONGEST_NAME or _PHRASE.search(text) or HAN.search(text):
        return ()
    return split_names(text)


def whole_names(text: str) -> tuple[str, ...]:
    """Return `names_written` without single words in a script in which names have capitals."""
    return tuple(one for one in names_written(text) if " " in one or not _CASED.search(one))


def is_salutation(text: str) -> bool:
    """Return whether a line addresses its readers: "Dear residents,", "各部门："."""
    return _SALUTATION.search(text) is not None


def has_label(text: str) -> bool:
    """Return whether a text starts with the label of a byline: "By …", "作者：…"."""
    return LABELLED.match(text) is not None


def without_label(text: str) -> str:
    """Return a byline without the label that it begins with."""
    for _ in range(2):
        text = _BYLINE_LABEL.sub("", text, count=1)
    return text


def _between_spaces(part: str, *, japanese: bool) -> list[str]:
    """Return the names in a text of Han letters between spaces, without agencies and places.

    A space within a name of two letters is there to align it with longer ones.
    """
    if part.isascii() and not part.isupper():
        return [part]
    if two := _JOINED.fullmatch(part):
        return [two[1], two[2]]
    words = part.split()
    is_one = len(words) == 1 or (japanese and len(words) == _PAIR)
    if is_one or not all(_HAN_WORD.fullmatch(word) for word in words):
        return [part]
    return [word for word in _join_single_letters(words) if not _HAN_OTHER.search(word)] or [part]


def _join_single_letters(words: list[str]) -> list[str]:
    """Return the words, single Han letters joined: names of two letters are set wide, 李 婕."""
    out: list[str] = []
    for is_single, run in groupby(words, lambda word: len(word) == _SINGLE and word >= FIRST_HAN):
        own = list(run)
        size = (_PAIR if len(own) % _PAIR == 0 else len(own)) if is_single else _SINGLE
        out += ["".join(own[at : at + size]) for at in range(0, len(own), size)]
    return out


def _end_of_name(name: str, end: re.Match[str] | None) -> int:
    """Return where what may stand behind a name begins, such as a date; no part of a name does."""
    while end is not None:
        before, behind = name[: end.start()].rstrip(), name[end.end() :].lstrip()[:1]
        is_month = not (month := end["month"] or end["of"]) or month_of(month)  # Ann Marsh 4
        is_day = end["weekday"] and not behind.isdigit() and (before or behind.isalpha())
        is_first_name = (end["paper"] or is_day) and " " not in before  # Grace Friday
        if is_month and not is_first_name:
            return end.start()
        end = _BYLINE_END.search(name, end.start() + 1)
    return len(name)


def _one_name(part: str, *, first: bool) -> str:
    name = _DATELINE.sub("", without_label(part))
    if end := _BYLINE_END.search(name):
        name = name[: _end_of_name(name, end)].rstrip()
    if not name.isascii():
        name = one_line(_PICTURES.sub("", name))
    whole, _, agency = map(str.strip, name.partition("/"))  # Ann Roe/AP, Ann Roe/OSLO
    is_capitals = agency.isalpha() and agency.isupper()
    is_agency = len(agency) <= _ABBREVIATION or agency.islower() or is_capitals
    name = whole if " " in whole and is_agency else name
    shown = name.rstrip(_AROUND_NAME.replace(".", ""))
    name = name.strip(_AROUND_NAME).removesuffix("'s").removesuffix(" @").strip()
    name = _ROLE_BEFORE.sub("", f"{name}." if shown.endswith(SUFFIXES) else name)
    if capitals := _CAPITALS.match(name):
        name = capitals[0]
    elif behind := _BEHIND_NAME.search(name):
        before = name[: behind.start()].count(" ")
        is_clear = before == 1 or not behind["role"] or behind["field"] or behind[0].islower()
        is_whole = name[0] >= FIRST_HAN or (before and is_clear)
        name = name[: behind.start()] if is_whole else name
    words = name.split()
    is_none = fold(name) in _NOT_NAMES or not any(map(str.isalpha, name)) or _VISIT.match(name)
    if is_none or len(name) > _LONGEST_NAME or len(words) > _MOST_WORDS:
        return ""
    is_user = len(words) == 1 and name.count(".") > 1 and name.islower()
    is_phrase = name.isascii() and len(words) >= _PHRASE_WORDS and name == name.lower()
    return "" if is_user or is_phrase or (not first and _ROLES.search(name)) else name


def _written_as_name(name: str) -> bool:
    """Return whether a text is written like a name: few capitalised words, no signs or digits."""
    name = _NICKNAME.sub("", name)
    words = name.replace("’", "'").split()
    is_mixed = name.isalnum() and not name.isalpha() and name[0].isalpha()
    if (len(words) == 1 and ("_" in name or is_mixed)) or is_collective(name):  # a user's name
        return True
    last = words[-1].removesuffix(".")
    is_plain = last.isascii() and last.isalpha()
    is_role = last.lower() in _PEOPLE_ROLES if is_plain else _ROLES.search(last) is not None
    if is_role or words[-1] in _PARTICLES or _PHRASE.search(name):
        return False
    if not _CASED.search(name):
        return len(name) <= _STRICT_CJK
    if len(words) > _STRICT_WORDS:
        return False
    return all(
        w[0].isupper() or not w[0].isalpha() or w.partition("-")[0] in _PARTICLES or "'" in w
        for w in words
    )


def is_outlet(name: str) -> bool:
    """Return whether a name is that of an agency, a paper or a station: "BBC News"."""
    words = name.replace("-", " ").split()
    if len(words) < 2:  # noqa: PLR2004  a name has two
        return False
    is_station = words[0].isupper() and "." not in words[0] and len(words[0]) <= _ABBREVIATION
    folded = [word.casefold() for word in words]
    is_known = folded[0] in _ARTICLES or not _OUTLETS.isdisjoint(folded)  # Le Figaro
    return is_known or (is_station and not words[-1].isupper())


def is_collective(name: str) -> bool:
    """Return whether a name is that of those who write for a site: "The Oat Mill Team"."""
    words = name.split()
    if words and words[0].casefold() in _ARTICLES:
        del words[0]
    return (
        1 < len(words) < _STRICT_WORDS
        and not _COLLECTIVES.isdisjoint((fold_words(words[0]), fold_words(words[-1])))
        and any(word[0].isupper() and fold_words(word) not in _COLLECTIVES for word in words)
        and _PHRASE.search(name) is None
    )


# Names in Chinese bylines, of people and of sources: "张晓玲 李 婕 北京报道" → 张晓玲; 李婕.
_NOBODY: Final = word_set("nobody")
_NO_SOURCE: Final = word_set("no_source")
_SURNAMES: Final = frozenset(WORDS["surnames"])
_COMPOUND_SURNAMES: Final = tuple(WORDS["compound_surnames"].split("|"))
_BETWEEN_HAN: Final = re.compile(r"[、，,；;/／&＆\s]+")
_REPORTED: Final = re.compile(
    r"[\s/／]\S{0,20}(?:报道|報道|報導|整理|电)$"
    r"|(?:(?<=^...).{2,3}|(?<=^..)..)\d{1,2}日[专專]?[电電]$"  # a place behind the reporter
)
_ENDS: Final = re.compile(r"(?:综合|綜合|专题|现场)?(?:报道|報道|報導|整理)$")
_PHOTOGRAPHED: Final = re.compile(r"[摄攝影]$")
_TITLED: Final = re.compile(rf"(?:{WORDS['titles behind Chinese names']})$")
_CODE: Final = re.compile(r"(?<!\w)(?:_|[A-Za-z_]*\d)\w*", re.ASCII)
"""The number of an employee behind a name: 谭章慧_NBJ6937."""
_NAME: Final = re.compile(
    "[\u3400-\u9fff]{2,4}(?:[·•][\u3400-\u9fff]{1,8}){0,3}|[\u3400-\u9fff]{1,8}(?:[·•][\u3400-\u9fff]{1,8}){1,3}"
)
_PEN_NAME: Final = re.compile("[\u3400-\u9fff\\w·•]{2,12}")
_BETWEEN_JAPANESE: Final = re.compile(r"[、，,；;/／&＆]|\s{2,}")
_HONORIFIC: Final = re.compile(WORDS["honorifics in Japanese"])
_JAPANESE_NAME: Final = re.compile(
    "[\u3040-\u30ff\u3400-\u9fff々ー・]{1,12}(?: [\u3040-\u30ff\u3400-\u9fff々ー・]{1,8})?"
)
_SHORTEST_SOURCE, _LONGEST_SOURCE = 2, 40
_LONGEST_PERSON: Final = 3  # letters of a name whose surname has one


def people_named(
    value: str, *, pen_names: bool = False, surnames_only: bool = False
) -> tuple[str, ...]:
    """Return the names of people in a value of a byline, without places, codes and agencies.

    Args:
        value: what follows a label.
        pen_names: a name may be longer than those of people, if it is the first.
        surnames_only: only a common surname distinguishes a name from prose, as after 记者
            without a colon; then a value that holds anything else names nobody.
    """
    value = _ENDS.sub("", _REPORTED.sub("", value.strip())).strip()
    if not value or _PHOTOGRAPHED.search(value):
        return ()
    if not HAN.search(value):
        return () if surnames_only else split_names(value, strict=True)
    names: dict[str, None] = {}
    words = _join_single_letters(_BETWEEN_HAN.split(value))
    for word in words:
        name = _CODE.sub("", word).strip("_ ·•:：-—.《》“”\"'")
        if not name or name in _NOBODY or (len(words) > 1 and _TITLED.search(name)):
            continue
        is_name = _NAME.fullmatch(name) is not None
        is_usual = name[0] in _SURNAMES and len(name) <= _LONGEST_PERSON
        has_surname = is_usual or name.startswith(_COMPOUND_SURNAMES)
        if surnames_only and not (is_name and has_surname):
            return ()
        if is_name or (not names and pen_names and _PEN_NAME.fullmatch(name)):
            names[name] = None
        if not is_name:
            break
    return tuple(names)


def japanese_names(value: str) -> tuple[str, ...]:
    """Return the names in a value of a Japanese label, each with the space between its parts."""
    names = (_HONORIFIC.sub("", one).strip() for one in _BETWEEN_JAPANESE.split(value))
    return tuple(dict.fromkeys(name for name in names if _JAPANESE_NAME.fullmatch(name)))


def names_of_source(value: str) -> tuple[str, ...]:
    """Return the name of a source as a tuple of one; empty where it names none."""
    value = value.strip().removeprefix("《").replace("》", " ").strip(" :：、,，;；-—_")
    words = value.split()
    if not words or len(value) > 2 * _LONGEST_SOURCE:
        return ()
    # Words after a name in Han letters are of the page: "新华网 关注", "中国日报网 分享到".
    name = words[0] if HAN.search(words[0]) else value
    name = name.strip("《》“”\"'、,，")
    is_named = _SHORTEST_SOURCE <= len(name) <= _LONGEST_SOURCE and name not in _NO_SOURCE
    return (name,) if is_named and any(map(str.isalpha, name)) else ()
