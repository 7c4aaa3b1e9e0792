"""Names of people out of bylines: "By Jane Doe and John Roe, Staff" → Jane Doe; John Roe."""

from __future__ import annotations

import re
from typing import Final

from chaffinch.metadata.strings import clean, fold

LONGEST: Final = 60  # characters of a name; the longest in the labels has 47
MOST_WORDS: Final = 7
MOST_NAMES: Final = 30

_ADDRESS: Final = re.compile(
    r"https?://\S+|www\.\S+|\S+@\S+\.\w+|@\w+|\([^()]*@[^()]*\)", re.IGNORECASE
)
_BEFORE: Final = re.compile(
    r"^\W*(?:(?:(?:(?:written|posted|published|reported|reviewed|story|words|text|article|created"
    r"|submitted|compiled)\s+)?by|von|par|por|door|av|af|autorzy|autor(?:in|en|a|es)?|author[s]?"
    r"|auteur|autore|texte?|text|skrevet av|redakt(?:or|ion)|geschrieben von|ein beitrag von"
    r"|kommentar von|escrito por|publicado por|scritto da|di|автор[ы]?|текст|συντάκτης)"
    r"(?:\s*[:：]\s*|\s+)"
    r"|(?:作者|記者|记者|编辑|編輯|责任编辑|責任編輯|撰文|撰稿|文字|文|来源|來源|责编|通讯员|執筆|著者)\s*[:：/｜|丨]\s*)",
    re.IGNORECASE,
)
_CJK_ROLE: Final = re.compile(
    r"(?:本报|本網|本网)?(?:实习)?(?:记者|記者|通讯员)\s+|\s*[(（]?(?:记者|記者|编辑|編輯|实习生|通讯员|特約|特约)[)）]?$"
)
_AFTER: Final = re.compile(
    r"\s*(?:\||｜|•|·\s|\s[-–—]\s|\(|（|\bfor\s+the\b|\bfor\s+[A-Z]|\bposted\b|\bpublished\b"
    r"|\bupdated\b|\b(?:am|on|at|vom)\s+\d|\d{4}|\d{1,2}[.:/]\d|责任编辑|來源|来源|编辑[:：]).*$"
)
_SPLIT: Final = re.compile(
    r"\s*(?:[;；、|｜\n\t]|\s/\s|\s&\s|,?\s(?:and|und|et|y|og|och|en|e|i|ja|and by|with|και|и)\s"
    r"|\s?[,，]\s?)\s*"
)
_ROLES: Final = re.compile(
    r"\b(?:editor|reporter|correspondent|writer|columnist|staff|author|contributor|journalist"
    r"|director|manager|founder|ceo|cto|president|professor|producer|photographer|analyst"
    r"|redakteur(?:in)?|reporter(?:in)?|korrespondent(?:in)?|redakcja|redaktion|redazione"
    r"|redacci[oó]n|r[ée]daction|redaktor|journalistin?|journaliste|periodista|giornalista"
    r"|administrator|admin|webmaster|guest|team|desk|newsroom|publisher|bureau|agency|agencies"
    r"|ph\.?d\.?|m\.?d\.?|mba|jr\.?|sr\.?|cfa|rn|esq\.?|md|phd|pt|dpt|dds|cpa"
    r"|senior|chief|head of|vice|assistant|associate|deputy|freelance|special to)\b",
    re.IGNORECASE,
)
_NOBODY: Final = frozenset(
    "admin administrator webmaster staff editor editors editorial author authors guest team user"
    " root super superuser unknown anonymous none null undefined nan true false by redaktion"
    " redakcja"
    " redaccion redazione redaction newsroom newsdesk staffwriter staffwriters staffreporter"
    " editorialteam editorialstaff websupport posted published share email home follow"
    " 匿名 佚名 管理员 小编 编辑 记者 admin1 未知".split()
)


def split_names(text: str, *, inverted: bool = False) -> tuple[str, ...]:
    """Return the people that a byline names, cleaned, in order, each once.

    Args:
        text: what a page gives for an author.
        inverted: "Doe, Jane" is one name, as citation metas write it.
    """
    text = _ADDRESS.sub(" ", clean(text)).strip()
    if inverted:
        last, comma, first = text.partition(",")
        text = f"{first.strip()} {last.strip()}" if comma and "," not in first else text
    text = without_label(text)
    names: dict[str, str] = {}
    for number, part in enumerate(_SPLIT.split(text)[:MOST_NAMES]):
        name = _one_name(part, first=number == 0)
        if name:
            names.setdefault(fold(name), name)
    return tuple(names.values())


def has_label(text: str) -> bool:
    """Tell whether a text starts as a byline does: "By …", "作者：…"."""
    return _BEFORE.match(text) is not None


def without_label(text: str) -> str:
    """Return a byline without what introduces it."""
    for _ in range(2):
        shorter = _BEFORE.sub("", text, count=1)
        if shorter == text:
            break
        text = shorter
    return text


def _one_name(part: str, *, first: bool) -> str:
    name = _CJK_ROLE.sub("", _AFTER.sub("", without_label(part)))
    name = name.strip(" \t.,:：;-–—|·•\"'“”‘’()[]（）【】").removesuffix("'s").strip()
    words = name.split()
    if not name or len(name) > LONGEST or len(words) > MOST_WORDS or fold(name) in _NOBODY:
        return ""
    if not any(c.isalpha() for c in name) or (not first and _ROLES.search(name)):
        return ""
    if name.isascii() and len(words) > 2 and name == name.lower():  # noqa: PLR2004  a phrase
        return ""
    return name
