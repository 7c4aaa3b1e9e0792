"""Names in Chinese bylines, of people and of sources: "张晓玲 李 婕 北京报道" → 张晓玲; 李婕."""

from __future__ import annotations

import re
from typing import Final

from chaffinch.metadata.byline_words import COMPOUND_SURNAMES, NO_SOURCE, NOBODY, SURNAMES
from chaffinch.metadata.person_names import join_single_letters, split_names

_HAN: Final = re.compile("[\u3400-\u9fff]")
_BETWEEN: Final = re.compile(r"[、，,；;/／&＆\s]+")
_REPORTED: Final = re.compile(r"[\s/／]\S{0,20}(?:报道|報道|報導|整理|电)$")
_ENDS: Final = re.compile(r"(?:综合|綜合|专题|现场)?(?:报道|報道|報導|整理)$")
_PHOTOGRAPHED: Final = re.compile(r"[摄攝影]$")
_TITLED: Final = re.compile(
    r"(?:评论员|評論員|研究员|撰稿人|编辑|編輯|记者|記者|教授|主任|院长|会长|律师)$"
)
_WORD: Final = re.compile(r"\w++", re.ASCII)
_NAME: Final = re.compile(
    "[\u3400-\u9fff]{2,4}(?:[·•][\u3400-\u9fff]{1,8}){0,3}|[\u3400-\u9fff]{1,8}(?:[·•][\u3400-\u9fff]{1,8}){1,3}"
)
_LONG_NAME: Final = re.compile("[\u3400-\u9fff\\w·•]{2,12}")
_BETWEEN_JAPANESE: Final = re.compile(r"[、,，;；/／&＆]|\s{2,}")
_HONORIFIC: Final = re.compile(r"(?:さん|氏|記者|[(（][^()（）]{1,20}[)）])\Z")
_JAPANESE_NAME: Final = re.compile(
    "[\u3040-\u30ff\u3400-\u9fff々ー・]{1,12}(?: [\u3040-\u30ff\u3400-\u9fff々ー・]{1,8})?"
)
_LONGEST_SOURCE: Final = 40
_SHORTEST: Final = 2
_LONGEST_NAME: Final = 3  # letters of a name whose surname has one


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
    if not _HAN.search(value):
        return () if surnames_only else split_names(value, strict=True)
    names: dict[str, None] = {}
    words = join_single_letters(_BETWEEN.split(value))
    for word in words:
        name = _WORD.sub(_without_code, word).strip("_ ·•:：-—.《》“”\"'")
        if not name or name in NOBODY or (len(words) > 1 and _TITLED.search(name)):
            continue
        if surnames_only and not _begins_with_surname(name):
            return ()
        if not _NAME.fullmatch(name):
            if not names and pen_names and _LONG_NAME.fullmatch(name):
                names[name] = None
            break
        names[name] = None
    return tuple(names)


def japanese_names(value: str) -> tuple[str, ...]:
    """Return the names in a value of a Japanese label, each with the space between its parts."""
    names = (_HONORIFIC.sub("", one).strip() for one in _BETWEEN_JAPANESE.split(value))
    return tuple(dict.fromkeys(name for name in names if _JAPANESE_NAME.fullmatch(name)))


def _begins_with_surname(name: str) -> bool:
    """Return whether a name has a common surname, and at most two letters more."""
    if not _NAME.fullmatch(name):
        return False
    if name.startswith(COMPOUND_SURNAMES):
        return True
    return name[0] in SURNAMES and (len(name) <= _LONGEST_NAME or "·" in name)


def _without_code(found: re.Match[str]) -> str:
    """Return a word in ASCII letters, "" for the number of an employee: 谭章慧_NBJ6937."""
    word = found[0]
    return "" if word.startswith("_") or any(map(str.isdigit, word)) else word


def names_of_source(value: str) -> tuple[str, ...]:
    """Return the name of a source as a tuple of one; empty where it names none."""
    value = value.strip().removeprefix("《").replace("》", " ").strip(" :：、,，;；-—_")
    words = value.split()
    if not words or len(value) > 2 * _LONGEST_SOURCE:
        return ()
    # Words after a name in Han letters are of the page: "新华网 关注", "中国日报网 分享到".
    name = words[0] if _HAN.search(words[0]) else value
    name = name.strip("《》“”\"'、,，")
    if not _SHORTEST <= len(name) <= _LONGEST_SOURCE or name in NO_SOURCE:
        return ()
    return (name,) if any(letter.isalpha() for letter in name) else ()
