"""Names of people and sources, and labels of bylines: "By Jane Doe", "文/李婕", "Photos: Per Holm".

A line may hold several labels in any order: "2021-03-04 来源：麦田报 作者：王小明 编辑：李磊". The
value of a Chinese label ends where the next one begins, at a bracket, a bar or a date, that of
others where the next one begins. Labels of Chinese and Japanese need no space around them; those of
other scripts stand in `CREDITS`, with words such as "by" between them and a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby, zip_longest
from typing import Final, Literal, NamedTuple

from chaffinch.metadata.values import FIRST_HAN, LONGEST_TEXT, WORDS, clean, fold, one_line

Role = Literal[
    "author", "editor", "translator", "photographer", "illustrator", "reviewer", "contributor",
    "other", "source", "published", "modified",
]  # fmt: skip
CONTRIBUTORS: Final[tuple[Role, ...]] = (
    "editor", "translator", "photographer", "illustrator", "reviewer", "contributor",
)  # fmt: skip
"""Roles of people who aren't the author."""
HAN: Final = re.compile("[\u3400-\u9fff]")
_HAN_WORD: Final = re.compile("[\u3400-\u9fff]+")
_SINGLE, _PAIR = 1, 2  # Han letters


def _words(name: str) -> frozenset[str]:
    return frozenset(WORDS[name].split("|"))


def _any_of(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


# Names in bylines: "By Jane Doe and John Roe, Staff" → Jane Doe; John Roe.
_LONGEST_NAME: Final = 60  # characters; the longest of the labelled corpora has 47
_MOST_WORDS: Final = 7
_MOST_NAMES: Final = 30
_PHRASE_WORDS: Final = 3  # in lower case, which are no name
_STRICT_WORDS, _STRICT_CJK = 5, 12  # words and letters of what may be no byline
_ADDRESS: Final = re.compile(
    r"https?://\S+|www\.\S+|\S[^\s@]{0,99}@\S{1,99}\.\w+|@\w+|\([^()@]*+@[^()]*\)", re.IGNORECASE
)
_BYLINES: Final = WORDS["bylines"].split("|")
"""Labels in front of names at the start of a line, with or without a colon."""
_ALONE: Final = frozenset(map(str.casefold, WORDS["bylines_alone"].split("|")))
"""Lines that are a label of the names below."""
_BYLINE_LABEL: Final = re.compile(
    rf"^\W*(?:(?:{_any_of(_BYLINES).replace(re.escape(' '), chr(92) + 's+')})(?:\s*[:：]\s*|\s+)"
    r"|(?-i:By(?=[A-Z][a-z]+\s[A-Z]))"  # two elements without a space between them
    r"|(?:作者|記者|记者|编辑|編輯|责任编辑|責任編輯|撰文|撰稿|文字|文|来源|來源|责编|通讯员"
    r"|執筆|著者)\s*[:：/｜|丨]\s*|(?:本报|本網|本网)?(?:实习)?(?:记者|記者)\s+)",
    re.IGNORECASE,
)
_FIRST_WORD: Final = re.compile(r"^\W*+([^\W_]++)")


def first_word(text: str) -> str:
    """Return the first word of a line, without capitals, by which most have no label."""
    found = _FIRST_WORD.match(text)
    return "" if found is None else found[1].casefold()


_OPENERS: Final = frozenset(first_word(one) for one in (*_BYLINES, *_ALONE) if one.isascii())
"""First words of labels, those of ASCII."""


_HAN_OTHER: Final = re.compile(
    "(?:报道|報道|報導|报|報|网|網|社|摄|攝|电|電|讯|訊)$|^(?:北京|上海|广州|深圳|香港|台北|东京)$"
)
_CJK_ROLE: Final = re.compile(
    r"(?:本报|本網|本网)?(?:实习)?(?:记者|記者|通讯员)\s+|(?:(?<!\s)\s++)?[(（]?(?:记者|記者|编辑|編輯|实习生|通讯员|特約|特约)[)）]?$"
    r"|(?<!\s)\s++기자(?:\s(?s:.*))?$"
)
_MONTH: Final = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mai|juni|juli|okt|dez|janv|févr|août"
    r"|ene|abr|ago|dic)[a-zäéû]*\.?"
)
_WEEKDAYS: Final = "mon tue tues wed wednes thu thurs fri sat satur sun".split()
_WEEKDAY: Final = rf"(?:{'|'.join(_WEEKDAYS)})(?:day\b|\b(?=[.,]?\s+(?:\d|{_MONTH}\b)))"
_WEEKDAY_BEFORE_DATE: Final = re.compile(rf"\b{_WEEKDAY},", re.IGNORECASE)
"""Short ones are parts of names, too: Lê Thu Hà, Sun Li."""
_BYLINE_END: Final = re.compile(
    rf"(?:\||｜|•|·\s|\s[-–—]\s|\((?!\w+\)\s\w)|（|\bfor\s+the\b|\b(?:posted|published|updated|modified"
    rf"|last|created|reviewed|fact.checked|veröffentlicht|aktualisiert|publié|publicado)\b"
    rf"|\b(?:am|on|at|vom|le|el)\s+(?:\d|{_MONTH}\b)|\d{{4}}|\d{{1,2}}[.:/]\d"
    rf"|\b{_MONTH}\s+\d|\b\d{{1,2}}\.?\s+{_MONTH}\b|\b{_WEEKDAY}"
    rf"|责任编辑|來源|来源|编辑[:：])",
    re.IGNORECASE,
)
_INNER_LABEL: Final = re.compile(
    r".{0,100}?\b(?:written|posted|published|reported|article|story|words|post)\s+by"
    r"\b[\s:]*|.{0,40}\s[Bb]y\s+(?=[A-Z])",
)
_PARTICLES: Final = frozenset(
    "de da do dos das di del della der den des du la le van von vom zu zum zur ten ter el al bin"
    " ibn y e af av und and und og och i of the ap mac mc".split()
)
_FROM: Final = re.compile(r"\A(?:aus|da|de|do|em|en|från|fra|from|in|z|à)\s")
_IN_PLACE: Final = re.compile(r"\s(?:in|dans|em|en|à|aus)\s(?=[^\W\d_])")
"""What stands between a name and where somebody is: "Ann Roe in Oslo"."""
_CASED: Final = re.compile(r"[A-Za-zÀ-ɏͰ-ϿЀ-ӿ]")
_PHRASE: Final = re.compile(r"[?!:;。？！；を\"“”«»=<>{}#%+*/\\]|\d")
_FURTHER: Final = re.compile(r"[|｜•·(（\d]")
"""What begins something else behind a name in a script without case: a date, a place."""
_SALUTATION: Final = re.compile(
    r"\A(?:dear|hello|hi|liebe[rs]?|sehr geehrte[rs]?|hallo|chers?|chères?|bonjour|querid[oa]s?"
    r"|estimad[oa]s?|caros?|caras?|cari|care|gentil[ei]|kære|kjære|käraste|hej|drodzy|szanowni"
    r"|vážení|beste|geachte|уважаем\w{2}|дорог\w{2}|шановн\w|sayın|değerli|عزيز\w*|سلام)\b|\A[各尊亲親敬]|\A全[体體]"
    r"|[同][志学學]们|[:：,，!！]\s*\Z",
    re.IGNORECASE,
)
_JOINING: Final = (
    "and und et y og och en e i ja with eta ve və và dan és și та й и και و और এবং ও และ"
)
_SPLIT: Final = re.compile(
    rf"\s?(?:[;；、]|\s/\s|\s&\s|,?\s(?:{'|'.join(_JOINING.split())}|and by)\s|\s?[,，،]\s?"
    r"|\s(?:avec|mit|con|com|met)\s(?=[A-Z]{2,5}\b|dpa|agenc|agenz|agentur))\s?"
)
_JOINED: Final = re.compile(r"(?<!\w)(\w++ \w++(?: \w++)?) [وו](\w{2,}+ \w++(?: \w++)?)")
"""Two names of two words or more with the "and" of Arabic and Hebrew, which is a letter."""
_PEOPLE_ROLES: Final = _words("people_roles")
_ROLES: Final = re.compile(
    rf"\b(?:{'|'.join(sorted(_PEOPLE_ROLES))}|redacción|rédaction"
    r"|ph\.?d\.?|m\.?d\.?|jr\.|sr\.|esq\.|head of|special to)\b",
    re.IGNORECASE,
)
_PARTING: Final = (
    _OPENERS
    | frozenset(_JOINING.split())
    | frozenset("for fact last updated modified".split())
    | frozenset("aktualisiert am on at vom le el avec mit con com met".split())
    | {f"{day}{end}" for day in _WEEKDAYS for end in ("", "day")}
)
"""Words of ASCII with which a label, a list or what comes behind a name may begin."""
_NOT_NAMES: Final = _words("not_names")


def split_names(text: str, *, inverted: bool = False, strict: bool = False) -> tuple[str, ...]:
    """Return the names in a byline, cleaned, in order, without duplicates.

    Args:
        text: a byline, or the value of a field for authors.
        inverted: "Doe, Jane" is one name, as in citation metas.
        strict: the text may be no byline: only what is written like a name is returned.
    """
    return _split_names(text[:LONGEST_TEXT], inverted=inverted, strict=strict)


_DOTS: Final = str.maketrans("⋅∙‧", "···")
"""Dots between the parts of a byline that look alike."""


@lru_cache(maxsize=128)
def _split_names(text: str, *, inverted: bool, strict: bool) -> tuple[str, ...]:
    """Return `split_names`; cached, for a byline, what stands in it and its line are one text."""
    text = clean(text).translate(_DOTS)
    if "@" in text or "." in text or ":" in text:
        text = one_line(_ADDRESS.sub(" ", text)).strip("() ")
    if inverted:
        last, comma, first = text.partition(",")
        text = f"{first.strip()} {last.strip()}" if comma and "," not in first else text
    if strict and ("by " in text or "by:" in text):
        text = _INNER_LABEL.sub("", text, count=1)
    if not _is_undivided(text):
        text = "" if text.casefold() in _ALONE else _without_label(text)
        text = _WEEKDAY_BEFORE_DATE.sub("|", text)
    names: dict[str, str] = {}
    pieces = [text] if _is_undivided(text) else _SPLIT.split(text)[:_MOST_NAMES]
    for number, part in enumerate(one for piece in pieces for one in _between_spaces(piece)):
        name = _one_name(part, first=number == 0)
        person = _IN_PLACE.split(name, maxsplit=1)[0] if strict else name
        name = person if " " in person else name
        if name and strict and not _written_as_name(name):
            break
        before = next(iter(names.values()), "").count(" ")
        place = _FROM.sub("", name)
        is_place = before in {1, 2} and " " not in place and place.istitle() and place.isalpha()
        if name and not is_place:  # nor a role
            names.setdefault(fold(name), name)
    people = tuple(one for one in names.values() if one.isascii() or not _HAN_OTHER.search(one))
    return people or tuple(names.values())


def _is_undivided(text: str) -> bool:
    """Return whether a text is words of ASCII letters alone, none of them of `_PARTING`.

    No label, sign or word parts it; the expressions that seek them needn't be tried.
    """
    return (
        text.isascii()
        and text.replace(" ", "").isalpha()
        and _PARTING.isdisjoint(text.lower().split())
        and "By" not in text
    )


def names_written(text: str) -> tuple[str, ...]:
    """Return the names in a text that is known for a byline's; without case, a few words."""
    if names := split_names(text, strict=True):
        return names
    text = _without_label(_FURTHER.split(text, maxsplit=1)[0])
    if _CASED.search(text) or len(text) > _LONGEST_NAME or _PHRASE.search(text) or HAN.search(text):
        return ()
    names = split_names(text)
    return names if all(len(one.split()) <= _STRICT_WORDS for one in names) else ()


def whole_names(text: str) -> tuple[str, ...]:
    """Return `names_written` without single words in a script in which names have capitals."""
    return tuple(one for one in names_written(text) if " " in one or not _CASED.search(one))


def is_salutation(text: str) -> bool:
    """Return whether a line addresses its readers: "Dear residents,", "各部门："."""
    return _SALUTATION.search(text) is not None


def may_begin_with_label(word: str) -> bool:
    """Return whether `has_label` may be true for a line by its `first_word`."""
    return word in _OPENERS or word.startswith("by") or not word.isascii()


def has_label(text: str) -> bool:
    """Return whether a text starts with the label of a byline: "By …", "作者：…"."""
    return _BYLINE_LABEL.match(text) is not None or text.rstrip(":： ").casefold() in _ALONE


def _without_label(text: str) -> str:
    for _ in range(2):
        text = _BYLINE_LABEL.sub("", text, count=1)
    return text


def _between_spaces(part: str) -> list[str]:
    """Return the names in a text of Han letters between spaces, without agencies and places.

    A space within a name of two letters is there to align it with longer ones.
    """
    if part.isascii():
        return [part]
    if two := _JOINED.fullmatch(part):
        return [two[1], two[2]]
    words = part.split()
    if len(words) == 1 or not all(_HAN_WORD.fullmatch(word) for word in words):
        return [part]
    words = _join_single_letters(words)
    if len(words) == 1:
        return words
    if [len(word) for word in words] == [_PAIR, _PAIR]:
        return [part]  # perhaps a Japanese name, its two parts
    return [word for word in words if not _HAN_OTHER.search(word)] or [part]


def _join_single_letters(words: list[str]) -> list[str]:
    """Return the words, single Han letters joined: names of two letters are set wide, 李 婕."""
    out: list[str] = []
    for is_single, run in groupby(words, lambda word: len(word) == _SINGLE and word >= FIRST_HAN):
        own = list(run)
        size = (_PAIR if len(own) % _PAIR == 0 else len(own)) if is_single else _SINGLE
        out += ["".join(own[at : at + size]) for at in range(0, len(own), size)]
    return out


def _one_name(part: str, *, first: bool) -> str:
    name = part
    if not _is_undivided(part):
        name = _without_label(part)
        if end := _BYLINE_END.search(name):
            name = name[: end.start()].rstrip()
        if not name.isascii():
            name = _CJK_ROLE.sub("", name)
    name = name.strip(" \t.,،:：;؛-–—|·•\"'“”‘’()[]（）【】*†‡").removesuffix("'s").strip()
    words = name.split()
    if not name or len(name) > _LONGEST_NAME or len(words) > _MOST_WORDS:
        return ""
    if fold(name) in _NOT_NAMES or not any(map(str.isalpha, name)):
        return ""
    is_user = len(words) == 1 and name.count(".") > 1 and name.islower()
    is_phrase = name.isascii() and len(words) >= _PHRASE_WORDS and name == name.lower()
    return "" if is_user or is_phrase or (not first and _ROLES.search(name)) else name


def _written_as_name(name: str) -> bool:
    """Return whether a text is written like a name: few capitalised words, no signs or digits."""
    words = name.split()
    if len(words) == 1 and (
        "_" in name or (name.isalnum() and not name.isalpha() and name[0].isalpha())
    ):
        return True  # a user's name
    last = words[-1]
    is_plain = last.isascii() and last.isalpha()
    is_role = last.lower() in _PEOPLE_ROLES if is_plain else _ROLES.search(last) is not None
    if is_role or _PHRASE.search(name):
        return False
    if not _CASED.search(name):
        return len(name) <= _STRICT_CJK
    if len(words) > _STRICT_WORDS:
        return False
    return all(w[0].isupper() or not w[0].isalpha() or w in _PARTICLES or "'" in w for w in words)


# Names in Chinese bylines, of people and of sources: "张晓玲 李 婕 北京报道" → 张晓玲; 李婕.
_NOBODY: Final = _words("nobody")
_NO_SOURCE: Final = _words("no_source")
_SURNAMES: Final = frozenset(WORDS["surnames"])
_COMPOUND_SURNAMES: Final = tuple(WORDS["compound_surnames"].split("|"))
_BETWEEN_HAN: Final = re.compile(r"[、，,；;/／&＆\s]+")
_REPORTED: Final = re.compile(
    r"[\s/／]\S{0,20}(?:报道|報道|報導|整理|电)$"
    r"|(?:(?<=^...).{2,3}|(?<=^..)..)\d{1,2}日[专專]?[电電]$"  # a place behind the reporter
)
_ENDS: Final = re.compile(r"(?:综合|綜合|专题|现场)?(?:报道|報道|報導|整理)$")
_PHOTOGRAPHED: Final = re.compile(r"[摄攝影]$")
_TITLED: Final = re.compile(
    r"(?:评论员|評論員|研究员|撰稿人|编辑|編輯|记者|記者|教授|主任|院长|会长|律师)$"
)
_ASCII_WORD: Final = re.compile(r"\w++", re.ASCII)
_NAME: Final = re.compile(
    "[\u3400-\u9fff]{2,4}(?:[·•][\u3400-\u9fff]{1,8}){0,3}|[\u3400-\u9fff]{1,8}(?:[·•][\u3400-\u9fff]{1,8}){1,3}"
)
_PEN_NAME: Final = re.compile("[\u3400-\u9fff\\w·•]{2,12}")
_BETWEEN_JAPANESE: Final = re.compile(r"[、，,；;/／&＆]|\s{2,}")
_HONORIFIC: Final = re.compile(r"(?:さん|氏|記者|[(（][^()（）]{1,20}[)）])\Z")
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
        name = _ASCII_WORD.sub(_without_code, word).strip("_ ·•:：-—.《》“”\"'")
        if not name or name in _NOBODY or (len(words) > 1 and _TITLED.search(name)):
            continue
        is_name = _NAME.fullmatch(name) is not None
        if surnames_only and not (
            is_name
            and (
                name.startswith(_COMPOUND_SURNAMES)
                or (name[0] in _SURNAMES and (len(name) <= _LONGEST_PERSON or "·" in name))
            )
        ):
            return ()
        if is_name or (not names and pen_names and _PEN_NAME.fullmatch(name)):
            names[name] = None
        if not is_name:
            break
    return tuple(names)


def _without_code(found: re.Match[str]) -> str:
    """Return a word in ASCII letters, "" for the number of an employee: 谭章慧_NBJ6937."""
    word = found[0]
    return "" if word.startswith("_") or any(map(str.isdigit, word)) else word


def _japanese_names(value: str) -> tuple[str, ...]:
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
    if not _SHORTEST_SOURCE <= len(name) <= _LONGEST_SOURCE or name in _NO_SOURCE:
        return ()
    return (name,) if any(map(str.isalpha, name)) else ()


# Labels.
_ROLE_OF_LABEL: Final[dict[str, Role]] = {
    label: role for role, labels in WORDS["byline_labels"].items() for label in labels.split("|")
}
"""Label → what it announces; "other" are labels that end a byline's value and give no field."""
_PEN_NAMES: Final = _words("byline_labels_of_pen_names")
"""Labels before names of any length, of user accounts and organisations, too."""
_JAPANESE: Final = _words("byline_labels_japanese")
"""Labels before names that are written with a space between their parts, or in kana."""
_PHOTOGRAPHY: Final = frozenset(("摄影", "攝影"))
_FIRST_LETTERS: Final = "".join(
    {word[0] for word in (*_ROLE_OF_LABEL, *WORDS["byline_labels_ranks"].split("|"))}
)
_LABEL: Final = re.compile(
    rf"(?=[{_FIRST_LETTERS}])"  # fifteen times quicker where there is no label
    rf"(?:{WORDS['byline_labels_ranks']}){{0,3}}+(?P<label>"
    + "|".join(
        r"\s?".join(label) if len(label) == _PAIR else label  # 作 者, set wide
        for label in sorted(_ROLE_OF_LABEL, key=len, reverse=True)
    )
    + r")(?P<mark>\s?[:：]|\s?[/／｜丨|=＝](?!\d)|)"
)
_OTHERS: Final = frozenset(("other", *CONTRIBUTORS)) - {"editor"}
_OF_PEOPLE: Final = frozenset(("author", *CONTRIBUTORS))
_KANA: Final = re.compile("[\u3040-\u30ff々]")
CREDITS: Final[dict[str, Role]] = {
    form: role
    for role, words in reversed(WORDS["credits"].items())
    for word in words.split("|")
    for form in (word, word.casefold())  # in Greek the last letter may be another one
}
"""Word → what who is named behind it did, for the scripts that aren't Han."""
_WITHOUT_MARK: Final = _words("credits_without_mark")
"""Words that need neither "by" nor a colon before a name."""
_BY: Final = WORDS["by"].split("|")
"""Words before a name that stand alone before an author's, or behind what a person did."""
_OF: Final = WORDS["of"].split("|")
"""Words that stand before a name behind what a person did alone: "photos de …"."""
AND: Final = WORDS["and"].split("|")
"""What joins the two things that one person did: "words and photographs by …"."""
_WORD: Final = _any_of(CREDITS)
_SEVERAL: Final = rf"(?:{_WORD})(?:(?:\s?[&/+,·・]\s?|\s(?:{_any_of(AND)})\s)(?:{_WORD})){{0,2}}"
_CREDIT: Final = re.compile(
    rf"(?<![^\W_])(?P<words>{_SEVERAL})(?![^\W_])"
    rf"(?:\s(?P<by>{_any_of([*_BY, *_OF])})(?![^\W_]))?"
    r"(?P<mark>\s?[:：=＝՝]|)(?:\s|\Z|(?<=[:：=＝՝]))"
    rf"|(?:\A[^\w]{{0,9}}|(?<=[.;|,/–—-]\s))(?P<alone>{_any_of(_BY)})(?:\s?[:：])?\s",
    re.IGNORECASE,
)
"""What somebody did and the words behind it: "Photographs by ", "Foto: "."""
_EACH_WORD: Final = re.compile(rf"(?<![^\W_])(?:{_WORD})(?![^\W_])", re.IGNORECASE)
_ROLE_BEHIND: Final = re.compile(
    rf"[(（]({_SEVERAL}|{_any_of(_ROLE_OF_LABEL)})[)）]", re.IGNORECASE
)
_FIRST_AND: Final = re.compile(rf"\A(?:{_any_of(AND)})\s+", re.IGNORECASE)
_LAST_AND: Final = re.compile(rf"\s(?:{_any_of(AND)})\Z", re.IGNORECASE)
_USER: Final = re.compile(r"[A-Za-z]\w{1,30}")
_WORD_OF_TEXT: Final = re.compile(r"[^\W_]++")


def _first_words(labels: Iterable[str]) -> frozenset[str]:
    return frozenset(one[0].casefold() for one in map(_WORD_OF_TEXT.search, labels) if one)


_FIRST_WORDS: Final = _first_words(CREDITS)
_FIRST_OR_BY: Final = _FIRST_WORDS | _first_words(_BY)
_REPORTER: Final = re.compile(
    r"(?<![가-힣])([가-힣]{2,4}(?:\s?[·ㆍ・]\s?[가-힣]{2,4}){0,4})\s?(?:[가-힣]{2}\s?)?기자(?![가-힣])"
)
_OF_REPORTERS: Final = re.compile("[가-힣]+")
_BEHIND: Final = re.compile(r"(?:\s द्वारा|\starafından(?:\s\w{4,12})?|\sद्वारा)\Z")
_AND_REPORTER: Final = re.compile(
    rf"([^\s,][^,]{{3,40}}), (?:[^\W\d_]+ ){{0,3}}(?:{_any_of(_words('reporters'))})", re.IGNORECASE
)
"""A name, and what its owner does for the paper."""
_START_OF_PROSE: Final = 60  # characters of a text whose reporter is named in front
_PUBLISHER: Final = re.compile(r"[报報网網社台刊视視端]$")
_AFTER: Final = re.compile(r"[|｜丨。！？!?\[\](（)）【】〔〕]|\s[-–—•/]\s|(?:19|20)\d\d\s?[-/.年]")
_AFTER_DATE: Final = re.compile(r"[|｜丨。\])）】]")
_TRAINEE: Final = re.compile(r"[(（](?:实习生?|實習生?|见习|見習|实习编辑)[)）]")
_BRACKETED: Final = re.compile(r"[(（【〔][^()（）【】〔〕]{3,60}+[)）】〕]")
_AGENCY: Final = re.compile(r"(?:\A|[(（\s])([^\s()（）,，。:：]{1,14}+)\Z")  # 重庆广电记者 谭博治
_STARTS: Final = " (（[【〔|｜丨、,，;；>》」•·-—■●"
_DATE: Final = re.compile(r"(?:19|20)\d\d")
_SIGNS: Final = " \t,.;|/–—-·•&+、，；،"
_BETWEEN: Final = f"{_SIGNS}()[]"
"""What stands between what one person did and the next label."""
LONGEST_LINE: Final = 160  # characters of a line that is a byline; longer ones are prose


class BylinePart(NamedTuple):
    """What one label announces.

    Attributes:
        role: whose or what the value is.
        value: the text after the label, as it stands; "" where the line ends with the label.
        names: of people, or the one of the source; empty for dates and other labels.
        marked: a colon or stroke follows the label.
    """

    role: Role
    value: str
    names: tuple[str, ...]
    marked: bool


_NAME_AND_ROLE: Final = re.compile(
    r"(?<!\w)([\u3400-\u9fff]{2,4})\s?([/／])\s?([文图圖摄攝])(?!\w)"
)
"""A name in front of what somebody did: 李婕/文."""


@lru_cache(maxsize=256)
def byline_parts(text: str) -> tuple[BylinePart, ...]:
    """Return what the labels in a line announce, in order; of prose, what stands in brackets.

    Cached: several fields read one line.
    """
    if ("(" in text or "（" in text) and (parts := _with_roles_behind(text)):
        return parts
    if text.isascii() or not HAN.search(text):
        return tuple(_credits(text))
    text = _NAME_AND_ROLE.sub(r"\3\2\1 ", _TRAINEE.sub("", text))
    if len(text) <= LONGEST_LINE:
        return tuple(_han_parts(text))
    within = (found[0] for found in _BRACKETED.finditer(text[: 4 * LONGEST_LINE]))
    return tuple(part for inner in within for part in _han_parts(inner) if part.names)


def names_by_role(text: str, role: Role) -> tuple[str, ...]:
    """Return the names that the labels in a line give a role."""
    return tuple(name for part in byline_parts(text) if part.role == role for name in part.names)


def _with_roles_behind(text: str) -> tuple[BylinePart, ...]:
    """Return what brackets behind names say: "Ann Roe (text), Per Holm (photos)"."""
    if len(text) > LONGEST_LINE or _TRAINEE.search(text):
        return ()
    parts: list[BylinePart] = []
    stop = 0
    for found in _ROLE_BEHIND.finditer(text):
        value = _FIRST_AND.sub("", text[stop : found.start()].strip(_SIGNS))
        names = names_written(value)
        words = [one[0] for one in _at_words(_EACH_WORD, found[1])] or [found[1]]
        known = (_ROLE_OF_LABEL.get(word) or CREDITS.get(word.casefold()) for word in words)
        roles = [role for role in dict.fromkeys(known) if role and names]
        parts += [BylinePart(role, value, names, marked=True) for role in roles]
        stop = found.end()
    return tuple(parts)


def _credits(text: str) -> list[BylinePart]:
    """Return what labels of other scripts announce; empty where a text has none."""
    if "기자" in text and (reporters := _REPORTER.findall(text[:_START_OF_PROSE])):
        people = dict.fromkeys(_OF_REPORTERS.findall(" ".join(reporters)))
        return [BylinePart("author", text, tuple(people), marked=True)]
    if len(text) > LONGEST_LINE:
        return []
    if found := _AND_REPORTER.fullmatch(text) or _BEHIND.search(text):
        names = whole_names(text[: found.end(1) if found.re is _AND_REPORTER else found.start()])
        return [BylinePart("author", text, names, marked=True)] if names else []
    if not _may_credit(text):
        return []
    labels = [(one, roles) for one in _at_words(_CREDIT, text) if (roles := _contributions(one))]
    is_review = len(labels) == 1 and labels[0][0]["words"] == "Reviewed"  # it has an author
    if not labels or (
        has_label(text) and (is_review or all(roles == ("author",) for _, roles in labels))
    ):
        return []  # `split_names` reads it
    parts = []
    before = text[: labels[0][0].start()].strip(_BETWEEN)
    if before and "author" not in labels[0][1] and (names := whole_names(before)):
        parts.append(BylinePart("author", before, names, marked=False))
    for (label, roles), following in zip_longest(labels, labels[1:]):
        value = text[label.end() : following[0].start() if following else None].strip(_BETWEEN)
        value = _LAST_AND.sub("", value)
        # "By the sea", "Του Μαΐου": a word behind it may be no name
        names = whole_names(value) if label["alone"] else names_written(value)
        if value[:2] == "ال" and not label["mark"]:  # a first name has no article
            names = ()
        parts += [BylinePart(role, value, names, marked=True) for role in roles]
    return parts


def _at_words(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern of labels, tried at the start and at their first words alone.

    Sought everywhere, one of some 900 words takes longer than all else of a line.
    """
    words = _WORD_OF_TEXT.finditer(text)
    places = (word.start() for word in words if word[0].casefold() in _FIRST_OR_BY)
    end = 0
    for place in dict.fromkeys((0, *places)):
        if place >= end and (found := pattern.match(text, place)) is not None:
            yield found
            end = found.end()


def _may_credit(text: str) -> bool:
    """Return whether any word of a text begins a label that `split_names` doesn't read itself."""
    words = _WORD_OF_TEXT.findall(text.casefold())
    if not _FIRST_WORDS.isdisjoint(words):
        return True
    return not _FIRST_OR_BY.isdisjoint(words) and not has_label(text)


def _contributions(label: re.Match[str]) -> tuple[Role, ...]:
    """Return what people are named for by a label; nothing where it is none."""
    if label["alone"] or (not label.start() and label["words"] in _BY):
        return ("author",)
    words = [found[0].casefold() for found in _at_words(_EACH_WORD, label["words"])]
    by = (label["by"] or "").casefold()
    roles = tuple(dict.fromkeys(CREDITS[word] for word in words if word in CREDITS))
    weak = by in _OF and by not in _BY
    is_label = label["mark"] or (by and not (weak and not label.start() and "author" not in roles))
    return roles if is_label or words[-1] in _WITHOUT_MARK else ()


def may_begin_with_credit(text: str, word: str) -> bool:
    """Return whether a line's `first_word` begins such a label, or it names a reporter."""
    return (
        word in _FIRST_OR_BY
        or ("기자" in text and _REPORTER.search(text) is not None)
        or _AND_REPORTER.fullmatch(text) is not None
    )


def is_label(text: str) -> bool:
    """Return whether a line is a label alone."""
    return (
        text.rstrip(":： ").casefold() in _ALONE
        or _LABEL.fullmatch(text) is not None
        or bool(_label_alone(text))
    )


def _label_alone(text: str) -> tuple[Role, ...]:
    """Return what a line that is a label of another script announces; nothing for other lines."""
    if len(text) > LONGEST_LINE // 4 or not _may_credit(text):
        return ()
    found = _CREDIT.fullmatch(text)
    return () if found is None or found["alone"] else _contributions(found)


def label_at_end(text: str) -> tuple[Role, bool] | None:
    """Return what the label that ends a line, or is one, announces, and whether it is marked."""
    if len(text) > LONGEST_LINE // 2:
        return None
    parts = byline_parts(text)
    if parts and not parts[-1].value:
        return parts[-1].role, True
    if (found := _LABEL.fullmatch(text)) is not None:
        return _ROLE_OF_LABEL["".join(found["label"].split())], bool(found["mark"])
    alone = _label_alone(text)
    return (alone[0], True) if alone else None


def value_below(text: str, label: tuple[Role, bool], below: str) -> BylinePart | None:
    """Return what `label_at_end` of a line announces in the line below; None for prose."""
    if not 0 < len(below) <= LONGEST_LINE // 4 or is_salutation(below) or byline_parts(below):
        return None
    role, marked = label
    names = _names(role, below, marked=marked) if HAN.search(text) else whole_names(below)
    return BylinePart(role, below, names, marked) if names else None


class _Label(NamedTuple):
    """A label of a line: where it starts and, with its mark, ends."""

    start: int
    stop: int
    text: str
    role: Role
    marked: bool


def _labels(text: str) -> list[_Label]:
    """Return what may be labels in a line, in order."""
    labels: list[_Label] = []
    for found in _LABEL.finditer(text) if HAN.search(text) else ():
        start, mark = found.start(), found["mark"].strip()
        label = "".join(found["label"].split())
        role = _ROLE_OF_LABEL[label]
        before, after = text[start - 1 : start], text[found.end() : found.end() + 1]
        own = not before or before in _STARTS or not HAN.match(before)
        if mark in {":", "："}:
            # Within a byline a label may follow a value without a space.
            begins = own or bool(labels) or _PUBLISHER.search(before) is not None
        elif mark:
            begins = own and (mark not in {"/", "／"} or role in {"author", "editor", *_OTHERS})
        elif role in {"published", "modified"}:
            begins = own
        elif role in _OTHERS:
            begins = bool(after) and len(label) > _SINGLE
            begins &= label in _PHOTOGRAPHY or (own and not HAN.match(after))
        else:
            begins = role != "source" and len(label) > _SINGLE and after not in _STARTS[1:]
            if begins and not own:
                earliest = max(start - 16, labels[-1].stop if labels else 0)
                agency = _AGENCY.search(text, earliest, start)
                begins = bool(labels or agency or _PUBLISHER.search(before))
                start = agency.start(1) if agency else start
        if begins:
            labels.append(_Label(start, found.end(), label, role, bool(mark)))
    return labels


def _han_parts(text: str) -> Iterator[BylinePart]:
    labels = _labels(text)
    if not labels:
        return
    japanese = any(one.text in _JAPANESE for one in labels) or _KANA.search(text) is not None
    stops = [*(one.start for one in labels[1:]), len(text)]
    for label, stop in zip(labels, stops, strict=False):
        value = text[label.stop : stop].strip()
        if label.role in {"published", "modified"}:
            if _DATE.search(value):
                date = _AFTER_DATE.split(value, maxsplit=1)[0].strip()
                yield BylinePart(label.role, date, (), label.marked)
            continue
        own = _AFTER.split(value, maxsplit=1)[0].strip()
        marked = label.marked or text[label.stop - 2 : label.stop + 1] == "記者 "
        if japanese and marked and label.role in _OF_PEOPLE:
            names = _japanese_names(own)
        else:
            names = _names(label.role, own, pen_names=label.text in _PEN_NAMES, marked=label.marked)
        if not label.marked and not label.start and label.text == "作者" and _USER.fullmatch(own):
            names = (own,)  # label and value stand in elements of their own, without a colon
        if label.marked or names:
            yield BylinePart(label.role, own, names, label.marked)


def _names(
    role: Role, value: str, *, pen_names: bool = False, marked: bool = True
) -> tuple[str, ...]:
    if role == "source":
        return names_of_source(value)
    if role == "author":
        return people_named(value, pen_names=pen_names, surnames_only=not marked)
    if role in CONTRIBUTORS:
        # A number among editors is that of an employee: "HN666".
        names = people_named(value, surnames_only=not marked)
        return tuple(name for name in names if not any(map(str.isdigit, name)))
    return ()
