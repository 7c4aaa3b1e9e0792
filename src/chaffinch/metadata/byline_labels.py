"""Labels of bylines and what they announce: "文/李婕", "Photos: Per Holm", "Reviewed by …".

A line may hold several labels in any order: "2021-03-04 来源：麦田报 作者：王小明 编辑：李磊". The
value of a Chinese label ends where the next one begins, at a bracket, a bar or a date, that of
others where the next one begins. Labels of Chinese and Japanese need no space around them; those of
other scripts stand in `CREDITS`, with words such as "by" between them and a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import compress, count, zip_longest
from typing import Final, Literal, NamedTuple

from chaffinch.elements import words_found
from chaffinch.metadata.names import (
    ENDINGS,
    HAN,
    LABELLED,
    has_label,
    is_salutation,
    japanese_names,
    names_of_source,
    names_written,
    people_named,
    whole_names,
)
from chaffinch.metadata.values import WORDS, word_set
from chaffinch.wording import any_of, fold_words

Role = Literal[
    "author", "editor", "translator", "photographer", "illustrator", "reviewer", "contributor",
    "other", "source", "published", "modified",
]  # fmt: skip
CONTRIBUTORS: Final[tuple[Role, ...]] = (
    "editor", "translator", "photographer", "illustrator", "reviewer", "contributor",
)  # fmt: skip
"""Roles of people who aren't the author."""
_SINGLE, _PAIR = 1, 2  # Han letters
_ROLE_OF_LABEL: Final[dict[str, Role]] = {
    label: role for role, labels in WORDS["byline_labels"].items() for label in labels.split("|")
}
"""Label → what it announces; "other" are labels that end a byline's value and give no field."""
_PEN_NAMES: Final = word_set("byline_labels_of_pen_names")
"""Labels before names of any length, of user accounts and organisations, too."""
_ORIGINAL: Final = "原创"  # before who wrote what is no copy, and whose account has it
_JAPANESE: Final = word_set("byline_labels_japanese")
"""Labels before names that are written with a space between their parts, or in kana."""
_FIRST_LETTERS: Final = "".join(
    {word[0] for word in (*_ROLE_OF_LABEL, *WORDS["byline_labels_ranks"].split("|"))}
)
_LABEL: Final = re.compile(
    rf"(?=[{_FIRST_LETTERS}])"  # fifteen times quicker where there is no label
    rf"(?>(?:{WORDS['byline_labels_ranks']}){{0,3}})(?P<label>"
    + "|".join(
        r"\s?".join(label) if len(label) == _PAIR else label  # 作 者, set wide
        for label in sorted(_ROLE_OF_LABEL, key=len, reverse=True)
    )
    + r")(?P<mark>\s?[:：]|\s?[/／｜丨|=＝・](?!\d)|)"
)
_OTHERS: Final = frozenset(("other", *CONTRIBUTORS)) - {"editor"}
_OF_PEOPLE: Final = frozenset(("author", *CONTRIBUTORS))
_KANA: Final = re.compile("[\u3040-\u30ff々]")
CREDITS: Final[dict[str, Role]] = {
    form: role
    for fold in (fold_words, str, str.casefold)  # in Greek the last letter may be another one
    for role, words in reversed(WORDS["credits"].items())
    for form in map(fold, words.split("|"))
}
"""Word → what who is named behind it did, for the scripts that aren't Han."""
_WITHOUT_MARK: Final = frozenset(map(fold_words, word_set("credits_without_mark")))
"""Words that need neither "by" nor a colon before a name."""
_BY: Final = WORDS["by"].split("|")
"""Words before a name that stand alone before an author's, or behind what a person did."""
_OF: Final = WORDS["of"].split("|")
"""Words that stand before a name behind what a person did alone: "photos de …"."""
AND: Final = WORDS["and"].split("|")
"""What joins the two things that one person did: "words and photographs by …"."""
_WORD: Final = any_of("|".join(WORDS["credits"].values()).split("|"))
_SEVERAL: Final = (
    rf"(?![\s&/+,·・])(?:(?:\s?[&/+,·・]\s?|\s{any_of(AND)}\s)?(?<![^\W_]){_WORD}){{1,3}}"
)
_CREDIT: Final = re.compile(
    rf"(?<![^\W_])(?P<words>{_SEVERAL})(?![^\W_]){ENDINGS}"
    r"(?:(?:\s[^|;:()]{3,24}\d{4},?)?"  # reviewed on 3 May 2021 by
    rf"\s(?P<by>{any_of([*_BY, *_OF])})(?![^\W_]))?"
    r"(?P<mark>\s?[:：=＝՝ঃ]|/(?=[가-힣])|)(?:\s|\Z|(?<=[:：=＝՝ঃ/]))"
    rf"|(?:\A[^\w]{{0,9}}|(?<=[.;|,/–—-]\s))(?P<alone>{any_of(_BY)})(?:\s?[:：])?\s",
    re.IGNORECASE,
)
"""What somebody did and the words behind it: "Photographs by ", "Foto: "."""
_EACH_WORD: Final = re.compile(rf"(?<![^\W_]){_WORD}(?![^\W_])", re.IGNORECASE)
_ROLE_BEHIND: Final = re.compile(rf"[(（]({_SEVERAL}|{any_of(_ROLE_OF_LABEL)})[)）]", re.IGNORECASE)
FIRST_AND: Final = re.compile(rf"\A{any_of(AND)}\s+", re.IGNORECASE)
_LAST_AND: Final = re.compile(
    rf"\s(?:{any_of(AND)}|with|mit|avec|con|com|med|met)\Z", re.IGNORECASE
)
_USER: Final = re.compile(r"[A-Za-z]\w{1,30}")
_WORD_OF_TEXT: Final = re.compile(r"[^\W_]++")
_FIRST_WORD: Final = re.compile(r"^(?:[^\w\n]|_)*([^\W_]*)", re.MULTILINE)  # "" without any


def _first_words(labels: Iterable[str]) -> frozenset[str]:
    first = [one[0] for one in map(_WORD_OF_TEXT.search, labels) if one]
    return frozenset((*map(str.casefold, first), *map(fold_words, first)))


_FIRST_WORDS: Final = _first_words(CREDITS)
_FIRST_OR_BY: Final = _FIRST_WORDS | _first_words(_BY)
_REPORTER: Final = re.compile(
    r"(?<![가-힣])((?:(?<=\))\s?(?:[가-힣]{3}\s){1,4}(?=[가-힣]{3}\s기자\s?=))?"
    r"[가-힣]{2,4}(?:\s?[·ㆍ・]\s?[가-힣]{2,4}){0,4})"
    r"\s?(?:(?:[가-힣]{2}\s?)?기자|특파원|논설위원)(?![가-힣])"
)
"""Who reports; in front of a report of an agency, behind its place, names stand side by side."""
_PICTURED: Final = re.compile(r"(?<![·ㆍ/])사진(?:\s?[=:/]\s?|\s)[가-힣]{2,4}(?:\s?기자)?")
_OF_REPORTERS: Final = re.compile("[가-힣]+")
_BEHIND: Final = re.compile(
    rf"{any_of(WORDS['behind authors'].split('|'))}(?:\s\w{{4,12}})?(?:\Z|\s?\|)"
)
_AND_REPORTER: Final = re.compile(
    r"([^\s,|][^,|·•]{3,40})(?<!\s)(?:,| [|·•–—-]) (?:[^\W\d_]+ ){0,3}"
    rf"{any_of(word_set('reporters'))}",
    re.IGNORECASE,
)
"""A name, and what its owner does for the paper."""
_ROLE: Final = re.compile(rf"\A(?:[^\W\d_]+ ){{0,3}}{any_of(word_set('reporters'))}", re.IGNORECASE)
_INTERVIEWED: Final = re.compile(rf" {any_of(WORDS['interviewed'].split('|'))} (?=[^\W\d_a-z])")
"""What stands amid a line, before who asked: "Z kapitanem rozmawiała Anna Roe"."""
_NEWSROOM: Final = (
    *("기자", "특파원", "논설위원"),
    *(w.lower() for of in ("reporters", "behind authors", "interviewed") for w in word_set(of)),
)
"""A word of each line in which one of these patterns finds anything, in lower case."""
_PUBLISHER: Final = re.compile(r"[报報网網社台刊视視端]$")
_AFTER: Final = re.compile(r"[|｜丨。！？!?\[\](（)）【】〔〕]|\s[-–—•/]\s|(?:19|20)\d\d\s?[-/.年]")
_AFTER_DATE: Final = re.compile(r"[|｜丨。\])）】]")
_TRAINEE: Final = re.compile(r"[(（](?:实习生?|實習生?|见习|見習|实习编辑)[)）]")
_BRACKETED: Final = re.compile(r"[(（【〔][^()（）【】〔〕]{3,60}+[)）】〕]")
_AGENCY: Final = re.compile(r"(?:\A|[(（\s])([^\s()（）,，。:：]{1,14}+)\Z")  # 重庆广电记者 谭博治
_STARTS: Final = " (（[【〔|｜丨、,，;；>》」•·-—■●"
_DATE: Final = re.compile(r"(?:19|20)\d\d")
_SIGNS: Final = " \t,.;|/–—-·•&+、，；،"
_BETWEEN: Final = f"{_SIGNS}()[]:："  # what stands between what one person did and the next label
LONGEST_LINE: Final = 160  # characters of a line that is a byline; longer ones are prose


class BylinePart(NamedTuple):
    """What one label announces."""

    role: Role  # whose or what the value is
    value: str  # the text after the label, as it stands; "" where the line ends with the label
    names: tuple[str, ...]  # of people, or the one of the source; empty for dates and other labels
    marked: bool  # a colon or stroke follows the label


_NAME_AND_ROLE: Final = re.compile(
    r"(?<!\w)([\u3040-\u30ff\u3400-\u9fff]{2,8})\s?([/／=＝])\s?([文图圖摄攝]|写真)(?!\w|\s?[:：])"
)
"""A name in front of what somebody did: 李婕/文."""


@lru_cache(maxsize=256)
def byline_parts(text: str, *, japanese: bool = False) -> tuple[BylinePart, ...]:
    """Return what the labels in a line announce, in order; of prose, what stands in brackets.

    In a line of a Japanese page names have a space between their parts.
    Cached: several fields read one line.
    """
    parts = _parts(text, japanese=japanese)
    if parts or len(text) > LONGEST_LINE or not has_label(text):
        return parts
    names = names_written(text)
    return (BylinePart("author", text, names, marked=True),) if names else ()


def _parts(text: str, *, japanese: bool) -> tuple[BylinePart, ...]:
    if ("(" in text or "（" in text) and (parts := _with_roles_behind(text)):
        return parts
    if text.isascii() or not HAN.search(text):
        return tuple(_credits(text))
    text = _NAME_AND_ROLE.sub(r"\3\2\1 ", _TRAINEE.sub("", text))
    if len(text) <= LONGEST_LINE:
        return tuple(_han_parts(text, japanese=japanese))
    within = (found[0] for found in _BRACKETED.finditer(text[: 4 * LONGEST_LINE]))
    return tuple(
        part for inner in within for part in _han_parts(inner, japanese=japanese) if part.names
    )


def _with_roles_behind(text: str) -> tuple[BylinePart, ...]:
    """Return what brackets behind names say: "Ann Roe (text), Per Holm (photos)"."""
    if len(text) > LONGEST_LINE or _TRAINEE.search(text):
        return ()
    parts: list[BylinePart] = []
    stop = 0
    for found in _ROLE_BEHIND.finditer(text):
        value = FIRST_AND.sub("", text[stop : found.start()].strip(_SIGNS))
        names = names_written(value)
        words = [one[0] for one in _at_words(_EACH_WORD, found[1])] or [found[1]]
        known = (_ROLE_OF_LABEL.get(word) or _did(word) for word in words)
        roles = [role for role in dict.fromkeys(known) if role and names]
        parts += [BylinePart(role, value, names, marked=True) for role in roles]
        stop = found.end()
    if parts and parts[0].names[1:] and all(one.role != "author" for one in parts):
        *authors, last = parts[0].names  # By Ann Roe and Per Holm (photos)
        parts[0] = parts[0]._replace(names=(last,))
        parts.insert(0, BylinePart("author", parts[0].value, tuple(authors), marked=True))
    return tuple(parts)


def _credits(text: str) -> list[BylinePart]:
    """Return what labels of other scripts announce; empty where a text has none."""
    start = text[:60]  # in front of prose
    if _OF_REPORTERS.search(start) and (reporters := _REPORTER.findall(_PICTURED.sub("", start))):
        people = dict.fromkeys(_OF_REPORTERS.findall(" ".join(reporters)))
        return [BylinePart("author", text, tuple(people), marked=True)]
    if len(text) > LONGEST_LINE:
        return []
    if found := _AND_REPORTER.fullmatch(text) or _BEHIND.search(text):
        end = found.end(1) if found.re is _AND_REPORTER else found.start()
        if names := whole_names(text[:end].rstrip()):
            return [BylinePart("author", text, names, marked=True)]
    labels = _labels_of_credits(text)
    parts = []
    before = text[: labels[0][0].start()].strip(_BETWEEN) if labels else ""
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


def _labels_of_credits(text: str) -> list[tuple[re.Match[str], tuple[Role, ...]]]:
    """Return the labels of a text with their roles; none where `split_names` reads it."""
    found = _at_words(_CREDIT, text) if _may_credit(text) else ()
    labels = [(one, roles) for one in found if (roles := _contributions(one))]
    if labels and (own := LABELLED.match(text)):
        (first, _), *others = labels
        if not first.start() and not any("author" in roles for _, roles in labels):
            labels = [(first, ("author",)), *others]  # "Reviewed by" alone, "Redaktion:"
        is_longer = labels[0][0].end() > own.end()  # "Autor invitado:"
        if not is_longer and all(roles == ("author",) for _, roles in labels):
            return []
    return labels


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
    words = [found[0] for found in _at_words(_EACH_WORD, label["words"])]
    roles = tuple(dict.fromkeys(role for role in map(_did, words) if role))
    is_marked = label["mark"] or label["by"] or fold_words(words[-1]) in _WITHOUT_MARK
    return roles if is_marked else ()


def _did(word: str) -> Role | None:
    """Return what a word says of whom it names; as it is written, then as `fold_words` has it."""
    return CREDITS.get(word.casefold()) or CREDITS.get(fold_words(word))


def lines_with_credits(lines: Sequence[str]) -> list[int]:
    """Return the numbers of lines that may name who wrote, reported or asked, in order.

    Their first word begins such a label, or the line below says what somebody does for a paper.
    """
    text = "\n".join(lines)
    first = map(str.casefold, _FIRST_WORD.findall(text))
    numbers = {*compress(count(), map(_FIRST_OR_BY.__contains__, first))}
    numbers.update(compress(count(), map(LABELLED.match, map("{} ".format, lines))))
    for at in [at for at, line in enumerate(lines) if "|" in line] if "|" in text else ():
        parts = (part.strip() for part in lines[at].split("|")[1:])
        parts = (one for one in parts if not _FIRST_OR_BY.isdisjoint(_first_words([one])))
        if any(found.role == "author" for part in parts for found in byline_parts(part)):
            numbers.add(at)
    # Patterns take 90 of 100 µs, and few lines have any of their words.
    said = words_found(text.lower().encode("utf-8", "surrogatepass"), _NEWSROOM)
    finders = _REPORTER.search, _AND_REPORTER.fullmatch, _BEHIND.search, _INTERVIEWED.search
    for at, line in enumerate(lines) if said else ():
        if any(map(line.lower().__contains__, said)):
            numbers.update([at] if any(find(line) for find in finders) else ())
            numbers.update([at - 1] if at and is_role(line) else ())
    return sorted(numbers)


def is_role(text: str) -> bool:
    """Return whether a line says what somebody does for a paper: "Leaflet Staff Writer"."""
    return len(text) < LONGEST_LINE // 4 and _ROLE.fullmatch(text) is not None


def is_label(text: str) -> bool:
    return _label_alone(text) is not None


def _label_alone(text: str) -> tuple[Role, bool] | None:
    """Return what a line that is a label announces, and whether it is marked; None for others."""
    if (han := _LABEL.fullmatch(text)) is not None:
        return _ROLE_OF_LABEL["".join(han["label"].split())], bool(han["mark"])
    if LABELLED.fullmatch(f"{text} "):
        return "author", True
    may_be = len(text) <= LONGEST_LINE // 4 and _may_credit(text)
    found = _CREDIT.fullmatch(text) if may_be else None
    roles = () if found is None or found["alone"] else _contributions(found)
    return (roles[0], True) if roles else None


def label_at_end(text: str) -> tuple[Role, bool] | None:
    """Return what the label that ends a line, or is one, announces, and whether it is marked."""
    if len(text) > LONGEST_LINE // 2:
        return None
    parts = byline_parts(text)
    return (parts[-1].role, True) if parts and not parts[-1].value else _label_alone(text)


def value_below(text: str, label: tuple[Role, bool], below: str) -> BylinePart | None:
    """Return what `label_at_end` of a line announces in the line below; None for prose."""
    of_author = LABELLED.fullmatch(f"{text} ") is not None
    longest = LONGEST_LINE if of_author else LONGEST_LINE // 4
    if not 0 < len(below) <= longest or is_salutation(below) or byline_parts(below):
        return None
    role, marked = label
    in_han = HAN.search(text) and not of_author
    names = _names(role, below, marked=marked) if in_han else whole_names(below)
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
            begins &= label != _ORIGINAL
        elif role in {"published", "modified"}:
            begins = own
        elif role in _OTHERS:
            begins = bool(after) and len(label) > _SINGLE
            begins &= label[:2] in {"摄影", "攝影"} or (own and not HAN.match(after))
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


def _han_parts(text: str, *, japanese: bool) -> Iterator[BylinePart]:
    labels = _labels(text)
    if not labels:
        return
    japanese = japanese or any(one.text in _JAPANESE for one in labels) or bool(_KANA.search(text))
    stops = [*(one.start for one in labels[1:]), len(text)]
    for label, stop in zip(labels, stops, strict=False):
        value = text[label.stop : stop].strip()
        if label.role in {"published", "modified"}:
            if _DATE.search(value):
                date = _AFTER_DATE.split(value, maxsplit=1)[0].strip()
                yield BylinePart(label.role, date, (), label.marked)
            continue
        own = _AFTER.split(value, maxsplit=1)[0].strip(_SIGNS)
        is_apart = text[label.stop : label.stop + 1] == " " and label.role == "author"
        marked = label.marked or (is_apart and (label.text == "記者" or label.text in _JAPANESE))
        if japanese and marked and label.role in _OF_PEOPLE:
            names = japanese_names(own)
        else:
            is_plain = label.text != _ORIGINAL
            own, marked = own if is_plain else own.partition(" ")[0], label.marked and is_plain
            names = _names(label.role, own, pen_names=label.text in _PEN_NAMES, marked=marked)
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
