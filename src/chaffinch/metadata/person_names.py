"""Names of people in bylines: "By Jane Doe and John Roe, Staff" → Jane Doe; John Roe."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import groupby
from typing import Final

from chaffinch.metadata.shown_lines import LINE_START
from chaffinch.metadata.text_cleaning import LONGEST as READ
from chaffinch.metadata.text_cleaning import clean, fold, one_line

LONGEST: Final = 60  # characters of a name; the longest of the labelled corpora has 47
MOST_WORDS: Final = 7
MOST_NAMES: Final = 30

_ADDRESS: Final = re.compile(
    r"https?://\S+|www\.\S+|\S[^\s@]{0,99}@\S{1,99}\.\w+|@\w+|\([^()@]*+@[^()]*\)", re.IGNORECASE
)
_BYLINE_LABEL: Final = re.compile(
    r"^\W*(?:(?:(?:(?:written|posted|published|reported|reviewed|story|words|text|article|created"
    r"|submitted|compiled)\s+)?by|von|par|por|door|av|af|autorzy|autor(?:in|en|a|es)?|author[s]?"
    r"|auteur|autore|texte?|text|skrevet av|redakt(?:or|ion)|geschrieben von|ein beitrag von"
    r"|kommentar von|escrito por|publicado por|scritto da|di|автор[ы]?|текст|συντάκτης)"
    r"(?:\s*[:：]\s*|\s+)"
    r"|(?-i:By(?=[A-Z][a-z]+\s[A-Z]))"  # two elements without a space between them
    r"|(?:作者|記者|记者|编辑|編輯|责任编辑|責任編輯|撰文|撰稿|文字|文|来源|來源|责编|通讯员"
    r"|執筆|著者)\s*[:：/｜|丨]\s*|(?:本报|本網|本网)?(?:实习)?(?:记者|記者)\s+)",
    re.IGNORECASE,
)
_LABEL_ALONE: Final = re.compile(
    r"(?:(?:written|posted|reported|article|story|words) )?by|authors?|author\(s\)|von|por|par|door"
    r"|verfasst von|autor(?:in|es|a)?|auteurs?|autore|автор|συντάκτης|作者|記者|记者|執筆|著者",
    re.IGNORECASE,
)
_OPENERS: Final = frozenset(
    "written posted published reported reviewed story words text texte article created submitted"
    " compiled by von par por door av af autorzy autor autorin autoren autora autores author"
    " authors auteur auteurs autore skrevet redaktor redaktion geschrieben verfasst ein"
    " kommentar escrito publicado scritto di".split()
)
"""First words of labels, those of ASCII."""
_OPENERS_BY_LETTER: Final = "|".join(
    f"[{letter}{letter.upper()}](?i:{'|'.join(sorted(word[1:] for word in words))})"
    for letter, words in groupby(sorted(_OPENERS), lambda word: word[0])
)
_MAY_BE_LABEL: Final = re.compile(
    rf"{LINE_START}[^\w{LINE_START}]*+(?:(?:{_OPENERS_BY_LETTER})(?!\w)|By(?=[A-Z])|(?=[^\0-\x7f])"
    rf"(?:(?i:автор[ы]?|текст|συντάκτης|{'|'.join(sorted(_OPENERS))})(?!\w)"
    r"|作者|記者|记者|编辑|編輯|责任编辑|責任編輯|撰文|撰稿|文|来源|來源|责编|通讯员|執筆|著者"
    r"|本[报網网]|实习))"
)
"""The start of a line that may have a label, by its first word; a first letter beyond ASCII may be
another form of one of these."""
_LONGEST_LABEL: Final = 16
"""Characters that no label alone exceeds."""
_FIRST_HAN: Final = "\u3400"
_HAN: Final = re.compile("[\u3400-\u9fff]+")
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
_CASED: Final = re.compile(r"[A-Za-zÀ-ɏͰ-ϿЀ-ӿ]")
_PHRASE: Final = re.compile(r"[?!:;。？！；を\"“”«»=<>{}#%+*/\\]|\d")
STRICT_WORDS: Final = 5
STRICT_CJK: Final = 12
_SALUTATION: Final = re.compile(
    r"\A(?:dear|hello|hi|liebe[rs]?|sehr geehrte[rs]?|hallo|chers?|chères?|bonjour|querid[oa]s?"
    r"|estimad[oa]s?|caros?|caras?|cari|care|gentil[ei]|kære|kjære|käraste|hej|drodzy|szanowni"
    r"|vážení|beste|geachte|уважаем\w{2}|дорог\w{2}|шановн\w|sayın|değerli|عزيز\w*|سلام)\b|\A[各尊亲親敬]|\A全[体體]"
    r"|[同][志学學]们|[:：,，!！]\s*\Z",
    re.IGNORECASE,
)
_SPLIT: Final = re.compile(
    r"\s?(?:[;；、]|\s/\s|\s&\s|,?\s(?:and|und|et|y|og|och|en|e|i|ja|and by|with|και|и)\s"
    r"|\s?[,，]\s?)\s?"
)
_ROLE_WORDS: Final = frozenset(
    "editor reporter correspondent writer columnist staff author contributor journalist director"
    " manager founder ceo cto president professor producer photographer analyst redakteur"
    " redakteurin reporterin korrespondent korrespondentin redakcja redaktion redazione redaccion"
    " redaction redaktor journalisti journalistin journaliste periodista giornalista administrator"
    " admin webmaster guest team desk newsroom publisher bureau agency agencies phd md mba jr sr"
    " cfa rn esq pt dpt dds cpa senior chief expert specialist vice assistant associate deputy"
    " freelance".split()
)
_ROLES: Final = re.compile(
    rf"\b(?:{'|'.join(sorted(_ROLE_WORDS))}|redacción|rédaction"
    r"|ph\.?d\.?|m\.?d\.?|jr\.|sr\.|esq\.|head of|special to)\b",
    re.IGNORECASE,
)
_PARTING: Final = (
    _OPENERS
    | frozenset("and und et y og och en e i ja with for fact last updated modified".split())
    | frozenset("aktualisiert am on at vom le el".split())
    | {f"{day}{end}" for day in _WEEKDAYS for end in ("", "day")}
)
"""Words of ASCII with which a label, a list or what comes behind a name may begin."""
_NOT_NAMES: Final = frozenset(
    "admin administrator webmaster staff editor editors editorial author authors guest team user"
    " root super superuser unknown anonymous none null undefined nan true false by redaktion"
    " redakcja"
    " redaccion redazione redaction newsroom newsdesk staffwriter staffwriters staffreporter"
    " editorialteam editorialstaff websupport posted published share email home follow"
    " name startseite discussionstarter threadstarter members moderator"
    " 看全文 阅读全文 匿名 佚名 管理员 小编 编辑 记者 admin1 未知".split()
)


def split_names(text: str, *, inverted: bool = False, strict: bool = False) -> tuple[str, ...]:
    """Return the names in a byline, cleaned, in order, without duplicates.

    Args:
        text: a byline, or the value of a field for authors.
        inverted: "Doe, Jane" is one name, as in citation metas.
        strict: the text may be no byline: only what is written like a name is returned.
    """
    return _split_names(text[:READ], inverted, strict)


@lru_cache(maxsize=128)
def _split_names(text: str, inverted: bool, strict: bool) -> tuple[str, ...]:  # noqa: FBT001  a key
    """Return `split_names`; cached, for a byline, what stands in it and its line are one text."""
    text = clean(text)
    if "@" in text or "." in text or ":" in text:
        text = one_line(_ADDRESS.sub(" ", text))
    if inverted:
        last, comma, first = text.partition(",")
        text = f"{first.strip()} {last.strip()}" if comma and "," not in first else text
    if strict and ("by " in text or "by:" in text):
        text = _INNER_LABEL.sub("", text, count=1)
    if not _is_undivided(text):
        text = "" if _LABEL_ALONE.fullmatch(text) else without_label(text)
        text = _WEEKDAY_BEFORE_DATE.sub("|", text)
    names: dict[str, str] = {}
    pieces = [text] if _is_undivided(text) else _SPLIT.split(text)[:MOST_NAMES]
    parts = (one for part in pieces for one in _han_names(part))
    for number, part in enumerate(parts):
        name = _one_name(part, first=number == 0)
        if name and strict and not _written_as_name(name):
            break
        if name and _is_place(name, names):
            continue
        if name:
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
    if _CASED.search(text) or len(text) > LONGEST or _PHRASE.search(text) or _HAN.search(text):
        return ()
    names = split_names(text)
    return names if all(len(one.split()) <= STRICT_WORDS for one in names) else ()


def has_case(text: str) -> bool:
    """Return whether a text has letters of a script in which names begin with a capital."""
    return _CASED.search(text) is not None


def is_salutation(text: str) -> bool:
    """Return whether a line addresses its readers: "Dear residents,", "各部门："."""
    return _SALUTATION.search(text) is not None


def has_label(text: str) -> bool:
    """Return whether a text starts with the label of a byline: "By …", "作者：…"."""
    if _BYLINE_LABEL.match(text) is not None:
        return True
    alone = text.rstrip(":： ")
    return len(alone) <= _LONGEST_LABEL and _LABEL_ALONE.fullmatch(alone) is not None


def places_of_labels(lines: str) -> list[int]:
    """Return where in `ShownLines.raw` the lines begin for which `has_label` may be true."""
    return [found.start() for found in _MAY_BE_LABEL.finditer(lines)]


def without_label(text: str) -> str:
    """Return a byline without its label."""
    for _ in range(2):
        shorter = _BYLINE_LABEL.sub("", text, count=1)
        if shorter == text:
            break
        text = shorter
    return text


def _han_names(part: str) -> list[str]:
    """Return the names in a text of Han letters between spaces, without agencies and places.

    A space within a name of two letters is there to align it with longer ones.
    """
    if part.isascii():
        return [part]
    words = part.split()
    if len(words) == 1 or not all(_HAN.fullmatch(word) for word in words):
        return [part]
    words = join_single_letters(words)
    if len(words) == 1:
        return words
    if [len(word) for word in words] == [2, 2]:
        return [part]  # perhaps a Japanese name, its two parts
    return [word for word in words if not _HAN_OTHER.search(word)] or [part]


def join_single_letters(words: list[str]) -> list[str]:
    """Return the words, single Han letters joined: names of two letters are set wide, 李 婕."""
    out: list[str] = []
    for is_single, run in groupby(words, lambda word: len(word) == 1 and word >= _FIRST_HAN):
        own = list(run)
        size = (2 if len(own) % 2 == 0 else len(own)) if is_single else 1
        out += ["".join(own[at : at + size]) for at in range(0, len(own), size)]
    return out


def _one_name(part: str, *, first: bool) -> str:
    name = part
    if not _is_undivided(part):
        name = without_label(part)
        if end := _BYLINE_END.search(name):
            name = name[: end.start()].rstrip()
        if not name.isascii():
            name = _CJK_ROLE.sub("", name)
    name = name.strip(" \t.,:：;-–—|·•\"'“”‘’()[]（）【】").removesuffix("'s").strip()
    words = name.split()
    if not name or len(name) > LONGEST or len(words) > MOST_WORDS or fold(name) in _NOT_NAMES:
        return ""
    if not any(map(str.isalpha, name)) or (not first and _ROLES.search(name)):
        return ""
    if len(words) == 1 and name.count(".") > 1 and name.islower():
        return ""
    if name.isascii() and len(words) > 2 and name == name.lower():  # noqa: PLR2004  a phrase
        return ""
    return name


def _is_place(name: str, names: dict[str, str]) -> bool:
    """Return whether a single word after a full name is a place or a role, not a name."""
    before = next(iter(names.values()), "").count(" ")
    return before in {1, 2} and " " not in name and name.istitle() and name.isalpha()


def _is_role(word: str) -> bool:
    if word.isascii() and word.isalpha():
        return word.lower() in _ROLE_WORDS
    return _ROLES.search(word) is not None


def _written_as_name(name: str) -> bool:
    """Return whether a text is written like a name: few capitalised words, no signs or digits."""
    words = name.split()
    if len(words) == 1 and (
        "_" in name or (name.isalnum() and not name.isalpha() and name[0].isalpha())
    ):
        return True  # a user's name
    if _PHRASE.search(name) or _is_role(words[-1]):
        return False
    if not _CASED.search(name):
        return len(name) <= STRICT_CJK
    if len(words) > STRICT_WORDS:
        return False
    return all(w[0].isupper() or not w[0].isalpha() or w in _PARTICLES or "'" in w for w in words)
