"""Labels of bylines, 来源, 责任编辑, "photographs by" and the like, each with what it announces.

A line may hold several labels in any order: "2021-03-04 来源：麦田报 作者：王小明 编辑：李磊". The
value of a Chinese label ends where the next one begins, at a bracket, a bar or a date, that of
others where the next one begins.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING, Final, NamedTuple

from chaffinch.metadata.byline_words import (
    AND,
    BY,
    CONTRIBUTIONS,
    CONTRIBUTORS,
    JAPANESE,
    OF,
    PEN_NAMES,
    PHOTOGRAPHY,
    RANKS,
    ROLES,
    WITHOUT_MARK,
)
from chaffinch.metadata.han_names import japanese_names, names_of_source, people_named
from chaffinch.metadata.person_names import has_case, has_label, is_salutation, names_written
from chaffinch.metadata.shown_lines import LINE_START

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from chaffinch.metadata.byline_words import Role

HAN: Final = re.compile("[\u3400-\u9fff]")
"""A letter such as every label has."""
_LABEL: Final = re.compile(
    rf"(?:{'|'.join(RANKS)}){{0,3}}+(?P<label>"
    + "|".join(
        r"\s?".join(label) if len(label) == 2 else label  # noqa: PLR2004  作 者, set wide
        for label in sorted(ROLES, key=len, reverse=True)
    )
    + r")(?P<mark>\s?[:：]|\s?[/／｜丨|=＝](?!\d)|)"
)
_OTHERS: Final = frozenset(("other", *CONTRIBUTORS)) - {"editor"}
_OF_PEOPLE: Final = frozenset(("author", *CONTRIBUTORS))
_KANA: Final = re.compile("[\u3040-\u30ff々]")


def _any_of(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))


_WORD: Final = _any_of(CONTRIBUTIONS)
_CREDIT: Final = re.compile(
    rf"(?<![^\W_])(?P<words>(?:{_WORD})"
    rf"(?:(?:\s?[&/+,·・]\s?|\s(?:{_any_of(AND)})\s)(?:{_WORD})){{0,2}})(?![^\W_])"
    rf"(?:\s(?P<by>{_any_of([*BY, *OF])})(?![^\W_]))?"
    r"(?P<mark>\s?[:：=＝՝]|)(?:\s|\Z|(?<=[:：=＝՝]))"
    rf"|(?:\A[^\w]{{0,9}}|(?<=[.;|,/–—-]\s))(?P<alone>{_any_of(BY)})(?:\s?[:：])?\s",
    re.IGNORECASE,
)
"""What somebody did and the words behind it: "Photographs by ", "Foto: "."""
_EACH_WORD: Final = re.compile(rf"(?<![^\W_])(?:{_WORD})(?![^\W_])", re.IGNORECASE)
_ROLE_BEHIND: Final = re.compile(
    rf"[(（]((?:{_WORD})(?:(?:\s?[&/+,·・]\s?|\s(?:{_any_of(AND)})\s)(?:{_WORD})){{0,2}}"
    rf"|{_any_of(ROLES)})[)）]",
    re.IGNORECASE,
)
_FIRST_AND: Final = re.compile(rf"\A(?:{_any_of(AND)})\s+", re.IGNORECASE)
_LAST_AND: Final = re.compile(rf"\s(?:{_any_of(AND)})\Z", re.IGNORECASE)
_USER: Final = re.compile(r"[A-Za-z]\w{1,30}")
_WORD_OF_TEXT: Final = re.compile(r"[^\W_]++")
_FIRST_WORD: Final = re.compile(rf"{LINE_START}[^\w{LINE_START}]*+([^\W_]++)")


def _first_words(labels: Iterable[str]) -> frozenset[str]:
    found = (_WORD_OF_TEXT.search(label) for label in labels)
    return frozenset(one[0].casefold() for one in found if one)


_FIRST_WORDS: Final = _first_words(CONTRIBUTIONS)
_FIRST_OR_BY: Final = _FIRST_WORDS | _first_words(BY)
_REPORTER: Final = re.compile(
    r"(?<![가-힣])([가-힣]{2,4}(?:\s?[·ㆍ・]\s?[가-힣]{2,4}){0,4})\s?(?:[가-힣]{2}\s?)?기자(?![가-힣])"
)
_OF_REPORTERS: Final = re.compile("[가-힣]+")
_BEHIND: Final = re.compile(r"(?:\s द्वारा|\starafından(?:\s\w{4,12})?|\sद्वारा)\Z")
_START_OF_PROSE: Final = 60  # characters of a text whose reporter is named in front
_PUBLISHER: Final = re.compile(r"[报報网網社台刊视視端]$")
_AFTER: Final = re.compile(r"[|｜丨。！？!?\[\](（)）【】〔〕]|\s[-–—•/]\s|(?:19|20)\d\d\s?[-/.年]")
_AFTER_DATE: Final = re.compile(r"[|｜丨。\])）】]")
_TRAINEE: Final = re.compile(r"[(（](?:实习生?|實習生?|见习|見習|实习编辑)[)）]")
_BRACKETED: Final = re.compile(r"[(（【〔][^()（）【】〔〕]{3,60}+[)）】〕]")
_AGENCY: Final = re.compile(r"(?:\A|[(（\s])([^\s()（）,，。:：]{1,14}+)\Z")  # 重庆广电记者 谭博治
_STARTS: Final = " (（[【〔|｜丨、,，;；>》」•·-—■●"
_DATE: Final = re.compile(r"(?:19|20)\d\d")
_AROUND: Final = " \t,.;|/–—-·•&+、，；"
_BETWEEN: Final = f"{_AROUND}()[]"
"""What stands between what one person did and the next label."""
LONGEST: Final = 160  # characters of a line that is a byline; longer ones are prose


@dataclass(frozen=True, slots=True)
class BylinePart:
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


def byline_parts(text: str) -> tuple[BylinePart, ...]:
    """Return what the labels in a line announce, in order; of prose, what stands in brackets."""
    if ("(" in text or "（" in text) and (parts := _with_roles_behind(text)):
        return parts
    return _byline_parts(text) if not text.isascii() and HAN.search(text) else _credits(text)


@lru_cache(maxsize=128)
def _with_roles_behind(text: str) -> tuple[BylinePart, ...]:
    """Return what brackets behind names say: "Ann Roe (text), Per Holm (photos)"."""
    if len(text) > LONGEST or _TRAINEE.search(text):
        return ()
    parts: list[BylinePart] = []
    stop = 0
    for found in _ROLE_BEHIND.finditer(text):
        value = _FIRST_AND.sub("", text[stop : found.start()].strip(_AROUND))
        names = names_written(value)
        words = _EACH_WORD.findall(found[1]) or [found[1]]
        known = (ROLES.get(word) or CONTRIBUTIONS.get(word.casefold()) for word in words)
        roles = [role for role in dict.fromkeys(known) if role and names]
        parts += [BylinePart(role, value, names, marked=True) for role in roles]
        stop = found.end()
    return tuple(parts)


@lru_cache(maxsize=128)
def _credits(text: str) -> tuple[BylinePart, ...]:
    """Return what labels of other scripts announce; empty where a text has none."""
    if "기자" in text and (reporters := _REPORTER.findall(text[:_START_OF_PROSE])):
        people = dict.fromkeys(_OF_REPORTERS.findall(" ".join(reporters)))
        return (BylinePart("author", text, tuple(people), marked=True),)
    if len(text) > LONGEST:
        return ()
    if found := _BEHIND.search(text):
        names = names_written(text[: found.start()])
        return (BylinePart("author", text, names, marked=True),) if names else ()
    if not _may_credit(text):
        return ()
    labels = [(one, roles) for one in _CREDIT.finditer(text) if (roles := _contributions(one))]
    if not labels or (has_label(text) and all(roles == ("author",) for _, roles in labels)):
        return ()  # `split_names` reads it
    parts = []
    before = text[: labels[0][0].start()].strip(_BETWEEN)
    if before and "author" not in labels[0][1] and (names := names_written(before)):
        parts.append(BylinePart("author", before, names, marked=False))
    for (label, roles), following in zip_longest(labels, labels[1:]):
        value = text[label.end() : following[0].start() if following else None].strip(_BETWEEN)
        value = _LAST_AND.sub("", value)
        names = names_written(value)
        if label["alone"]:  # "By the sea", "Του Μαΐου": a word behind it may be no name
            names = tuple(one for one in names if " " in one or not has_case(one))
        parts += [BylinePart(role, value, names, marked=True) for role in roles]
    return tuple(parts)


def _may_credit(text: str) -> bool:
    """Return whether any word of a text begins a label that `split_names` doesn't read itself."""
    words = frozenset(_WORD_OF_TEXT.findall(text.casefold()))
    if not _FIRST_WORDS.isdisjoint(words):
        return True
    return not _FIRST_OR_BY.isdisjoint(words) and not has_label(text)


def _contributions(label: re.Match[str]) -> tuple[Role, ...]:
    """Return what people are named for by a label; nothing where it is none."""
    if label["alone"]:
        return ("author",)
    if not label.start() and label["words"] in BY:
        return ("author",)
    words = [word.casefold() for word in _EACH_WORD.findall(label["words"])]
    by = (label["by"] or "").casefold()
    roles = tuple(dict.fromkeys(CONTRIBUTIONS[word] for word in words if word in CONTRIBUTIONS))
    weak = by in OF and by not in BY
    is_label = label["mark"] or (by and not (weak and not label.start() and "author" not in roles))
    return roles if is_label or words[-1] in WITHOUT_MARK else ()


def places_of_credits(lines: str) -> list[int]:
    """Return where in `ShownLines.raw` the lines begin that may begin with such a label."""
    found = _FIRST_WORD.finditer(lines)
    places = [one.start() for one in found if one[1].casefold() in _FIRST_OR_BY]
    if "기자" in lines:
        places += [one.start() for one in _REPORTER.finditer(lines)]
    return places


@lru_cache(maxsize=128)
def _byline_parts(text: str) -> tuple[BylinePart, ...]:
    """Return `byline_parts` of a text with Han letters; cached: several fields read it."""
    text = _TRAINEE.sub("", text)
    if len(text) <= LONGEST:
        return tuple(_parts(text))
    within = (found[0] for found in _BRACKETED.finditer(text[: 4 * LONGEST]))
    return tuple(part for inner in within for part in _parts(inner) if part.names)


def is_label(text: str) -> bool:
    """Return whether a line is a label alone."""
    return _LABEL.fullmatch(text) is not None or bool(_label_alone(text))


def _label_alone(text: str) -> tuple[Role, ...]:
    """Return what a line that is a label of another script announces; nothing for other lines."""
    if len(text) > LONGEST // 4 or not _may_credit(text):
        return ()
    found = _CREDIT.fullmatch(text)
    return () if found is None or found["alone"] else _contributions(found)


def value_below(text: str, below: str) -> BylinePart | None:
    """Return what the label that ends a line announces in the line below; None for prose.

    Args:
        text: a line that ends with a label, or is one.
        below: the next line.
    """
    if len(text) > LONGEST // 2 or not below:
        return None
    parts = byline_parts(text)
    if parts and not parts[-1].value:
        role, marked = parts[-1].role, True
    elif (found := _LABEL.fullmatch(text)) is not None:
        role, marked = ROLES["".join(found["label"].split())], bool(found["mark"])
    elif alone := _label_alone(text):
        role, marked = alone[0], True
    else:
        return None
    if not below or len(below) > LONGEST // 4 or is_salutation(below) or byline_parts(below):
        return None
    if HAN.search(text):
        names = _names(role, below, marked=marked)
    else:
        names = tuple(n for n in names_written(below) if " " in n or not has_case(n))
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
    if not HAN.search(text):
        return labels
    for found in _LABEL.finditer(text):
        start, mark = found.start(), found["mark"].strip()
        label = "".join(found["label"].split())
        role = ROLES[label]
        before = text[start - 1 : start]
        own = not before or before in _STARTS or not _is_han(before)
        if mark in {":", "："}:
            # Within a byline a label may follow a value without a space.
            begins = own or bool(labels) or _PUBLISHER.search(before) is not None
        elif mark:
            begins = own and (mark not in {"/", "／"} or role in {"author", "editor", *_OTHERS})
        elif role in {"published", "modified"}:
            begins = own
        elif role in _OTHERS:
            after = text[found.end() : found.end() + 1]
            begins = bool(after) and len(label) > 1
            begins &= label in PHOTOGRAPHY or (own and not _is_han(after))
        else:
            after = text[found.end() : found.end() + 1]
            begins = role != "source" and len(label) > 1 and after not in _STARTS[1:]
            if begins and not own:
                earliest = max(start - 16, labels[-1].stop if labels else 0)
                agency = _AGENCY.search(text, earliest, start)
                begins = bool(labels or agency or _PUBLISHER.search(before))
                start = agency.start(1) if agency else start
        if begins:
            labels.append(_Label(start, found.end(), label, role, bool(mark)))
    return labels


def _is_han(letter: str) -> bool:
    return "\u3400" <= letter <= "\u9fff"


def _parts(text: str) -> Iterator[BylinePart]:
    labels = _labels(text)
    japanese = any(one.text in JAPANESE for one in labels) or _KANA.search(text) is not None
    for label, value in _values(text, labels):
        if label.role in {"published", "modified"}:
            if _DATE.search(value):
                date = _AFTER_DATE.split(value, maxsplit=1)[0].strip()
                yield BylinePart(label.role, date, (), label.marked)
            continue
        own = _AFTER.split(value, maxsplit=1)[0].strip()
        if japanese and label.marked and label.role in _OF_PEOPLE:
            names = japanese_names(own)
        else:
            names = _names(label.role, own, pen_names=label.text in PEN_NAMES, marked=label.marked)
        if not label.marked and not label.start and label.text == "作者" and _USER.fullmatch(own):
            names = (own,)  # label and value stand in elements of their own, without a colon
        if label.marked or names:
            yield BylinePart(label.role, own, names, label.marked)


def _values(text: str, labels: list[_Label]) -> Iterator[tuple[_Label, str]]:
    """Yield each label and the text up to the next one."""
    for label, following in zip_longest(labels, labels[1:]):
        if label is not None:
            stop = following.start if following else len(text)
            yield label, text[label.stop : stop].strip()


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
