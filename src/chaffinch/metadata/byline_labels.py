"""Labels of Chinese bylines, 来源, 作者, 责任编辑 and the like, each with what it announces.

A line may hold several labels in any order: "2021-03-04 来源：麦田报 作者：王小明 编辑：李磊".
The value of a label ends where the next one begins, at a bracket, a bar or a date.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import TYPE_CHECKING, Final, NamedTuple

from chaffinch.metadata.byline_words import PEN_NAMES, PHOTOGRAPHY, RANKS, ROLES
from chaffinch.metadata.han_names import names_of_source, people_named

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.metadata.byline_words import Role

HAN: Final = re.compile("[\u3400-\u9fff]")
"""A letter such as every label has."""
_LABEL: Final = re.compile(
    rf"(?:{'|'.join(RANKS)}){{0,3}}+(?P<label>"
    + "|".join(
        r"\s?".join(label) if len(label) == 2 else label  # noqa: PLR2004  作 者, set wide
        for label in sorted(ROLES, key=len, reverse=True)
    )
    + r")(?P<mark>\s?[:：]|\s?[/／｜丨|](?!\d)|)"
)
_PUBLISHER: Final = re.compile(r"[报報网網社台刊视視端]$")
_AFTER: Final = re.compile(r"[|｜丨。！？!?\[\](（)）【】]|\s[-–—•/]\s|(?:19|20)\d\d\s?[-/.年]")
_AFTER_DATE: Final = re.compile(r"[|｜丨。\])）】]")
_TRAINEE: Final = re.compile(r"[(（](?:实习生?|實習生?|见习|見習|实习编辑)[)）]")
_BRACKETED: Final = re.compile(r"[(（][^()（）]{3,60}+[)）]")
_AGENCY: Final = re.compile(r"(?:\A|[(（\s])([^\s()（）,，。:：]{1,14}+)\Z")  # 重庆广电记者 谭博治
_STARTS: Final = " (（[【|｜丨、,，;；>》」•·-—■●"
_DATE: Final = re.compile(r"(?:19|20)\d\d")
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
    return () if text.isascii() or not HAN.search(text) else _byline_parts(text)


@lru_cache(maxsize=128)
def _byline_parts(text: str) -> tuple[BylinePart, ...]:
    """Return `byline_parts` of a text with Han letters; cached: several fields read it."""
    text = _TRAINEE.sub("", text)
    if len(text) <= LONGEST:
        return tuple(_parts(text))
    within = (found[0] for found in _BRACKETED.finditer(text[: 4 * LONGEST]))
    return tuple(part for inner in within for part in _parts(inner) if part.names)


def dated_parts(text: str) -> list[tuple[str, bool]]:
    """Return the texts of a line that hold its dates, each with whether its label is of a change.

    Empty where no label of a line announces a date: then its words don't separate its dates.
    """
    if text.isascii() or not _DATE.search(text):
        return []
    labels = _labels(text)
    parts: list[tuple[str, bool]] = []
    if labels and _DATE.search(text[: labels[0].start]):
        parts.append((text[: labels[0].start], False))
    announced = False
    for label, value in _values(text, labels):
        dated = _DATE.search(value) is not None
        of_change = label.role == "modified"
        if (
            of_change
            and not dated
            and parts
            and _DATE.search(text[max(0, label.start - 24) : label.start])
        ):
            announced = True
            parts[-1:] = _with_last_changed(parts[-1][0])  # "2021-03-05 更新"
        elif dated:
            announced |= label.role in {"published", "modified"}
            parts.append((value, of_change))
    return parts if announced else []


def _with_last_changed(text: str) -> list[tuple[str, bool]]:
    """Return the parts of a text whose last date is of a change, an earlier one of publication."""
    *_, last = _DATE.finditer(text)
    before, after = text[: last.start()], text[last.start() :]
    return [(before, False), (after, True)] if _DATE.search(before) else [(text, True)]


def announces_change(text: str) -> bool | None:
    """Return whether the last label of a date in a text is of a change; None where it has none."""
    if text.isascii():
        return None
    roles = [one.role for one in _labels(text) if one.role in {"published", "modified"}]
    return roles[-1] == "modified" if roles else None


def is_label(text: str) -> bool:
    """Return whether a line is a label alone."""
    return _LABEL.fullmatch(text) is not None


def value_below(text: str, below: str) -> BylinePart | None:
    """Return what the label that ends a line announces in the line below; None for prose.

    Args:
        text: a line that ends with a label, or is one.
        below: the next line.
    """
    parts = byline_parts(text)
    if parts and not parts[-1].value:
        role, marked = parts[-1].role, True
    elif (found := _LABEL.fullmatch(text)) is not None:
        role, marked = ROLES["".join(found["label"].split())], bool(found["mark"])
    else:
        return None
    if not below or len(below) > LONGEST // 4 or byline_parts(below):
        return None
    names = _names(role, below, marked=marked)
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
            begins = own and (mark not in {"/", "／"} or role in {"author", "editor", "other"})
        elif role in {"published", "modified"}:
            begins = own
        elif role == "other":
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
    for label, value in _values(text, _labels(text)):
        if label.role in {"published", "modified"}:
            if _DATE.search(value):
                date = _AFTER_DATE.split(value, maxsplit=1)[0].strip()
                yield BylinePart(label.role, date, (), label.marked)
            continue
        own = _AFTER.split(value, maxsplit=1)[0].strip()
        names = _names(label.role, own, pen_names=label.text in PEN_NAMES, marked=label.marked)
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
    if role == "editor":
        # A number among editors is that of an employee: "HN666".
        names = people_named(value, surnames_only=not marked)
        return tuple(name for name in names if not any(map(str.isdigit, name)))
    return ()
