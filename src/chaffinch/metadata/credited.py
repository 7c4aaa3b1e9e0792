"""What labels of bylines give near the headline and far from it: editors, the source, and others.

Labels are those of `byline_labels`, in lines near the headline or behind the content, and in
elements named for authors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final

from chaffinch.metadata.byline_labels import (
    CONTRIBUTORS,
    LONGEST_LINE,
    BylinePart,
    Role,
    byline_parts,
    is_label,
    is_role,
    label_at_end,
    lines_with_credits,
    value_below,
)
from chaffinch.metadata.date_labels import without_dates
from chaffinch.metadata.language import language
from chaffinch.metadata.names import (
    HAN,
    has_label,
    is_collective,
    names_of_source,
    names_written,
    split_names,
    whole_names,
)
from chaffinch.metadata.places import BYLINES, TEXT, Line
from chaffinch.metadata.sources import Evidence
from chaffinch.metadata.values import (
    METAS,
    WORDS,
    Contributor,
    FieldCandidate,
    FieldValue,
    choose_value,
    fold,
    joined,
    places_of,
    shared,
)
from chaffinch.page import tags
from chaffinch.wording import any_of

Names = tuple[str, ...]

_ANYWHERE: Final = tuple(WORDS["labels behind the content"].split("|"))
_IN_TEXT: Final = ("（记者", "(记者", "（記者", "（作者", "(作者", "记者 ")
"""Labels within the text: behind the content they would be those of other articles."""
_NEAR, _FAR = 0.5, 0.35  # weight of a label near the headline and further below
_APART: Final = 80  # characters, without white space, between two lines of one byline
_MOST_MARKED: Final = 20  # elements named for authors
_LONGEST: Final = 600  # characters of a line whose labels are read
_BEFORE_NAME: Final = re.compile(
    rf"{any_of([*WORDS['about'].split('|'), *WORDS['credits']['author'].split('|')])}\s",
    re.IGNORECASE,
)
"""What heads the box of an author, or announces one without a colon."""
_WHO_IS: Final = re.compile(
    rf"(.{{4,40}}?),? {any_of(WORDS['what begins who somebody is'].split('|'))} "
)
"""What introduces an author: "Ann Roe is a writer who lives in Oslo."."""
_CUT: Final = re.compile(rf"(?:\A|\| ){any_of(WORDS['by'].split('|'))} ")  # reviewed on 3 May by …


def names_of(parts: Iterable[BylinePart], role: Role) -> Names:
    return tuple(name for part in parts if part.role == role for name in part.names)


def is_japanese(evidence: Evidence, text: str) -> bool:
    """Return whether Han letters in a text are of a Japanese page, where names have two parts."""
    if text.isascii() or not HAN.search(text):
        return False
    known = evidence.derived(language)
    return known is not None and known.value == "ja"


def parts_of(evidence: Evidence, text: str) -> tuple[BylinePart, ...]:
    return byline_parts(text, japanese=is_japanese(evidence, text))


def authors_in(evidence: Evidence, text: str) -> Names:
    """Return the authors whom a line of a byline names."""
    if parts := parts_of(evidence, text):
        return names_of(parts, "author")
    label = None if is_collective(text) else _BEFORE_NAME.match(text)
    named = whole_names(text[label.end() :]) if label else introduced(text)
    return named or names_written(text, japanese=is_japanese(evidence, text))


def introduced(text: str) -> Names:
    """Return whom a text introduces as an author is introduced."""
    who = _WHO_IS.match(text)
    return whole_names(who[1]) if who else ()


def original_source(evidence: Evidence) -> FieldValue[str] | None:
    declared = evidence.of_nodes("sourceOrganization", 0.6, "name")
    for text, source, row, weight in evidence.weighed_metas(METAS["source"]):
        sources = (part.value for part in byline_parts(text) if part.role == "source")
        declared.append((next(sources, text), source, row, weight))
    candidates = [
        FieldCandidate(name, fold(name), source, row, weight)
        for text, source, row, weight in declared
        for name in names_of_source(text)
    ]
    named = credits_of(evidence, "source")
    candidates += [one._replace(value=one.value[0], key=fold(one.value[0])) for one in named]
    return choose_value(candidates)


def editors(evidence: Evidence) -> FieldValue[Names] | None:
    return _of_role(evidence, "editor")


def contributors(evidence: Evidence) -> FieldValue[tuple[Contributor, ...]] | None:
    named = [(role, one) for role in CONTRIBUTORS if (one := _of_role(evidence, role))]
    if not named:
        return None
    best = max((one for _, one in named), key=lambda one: one.confidence)
    people = tuple(Contributor(role, name) for role, one in named for name in one.value)
    return FieldValue(people, best.source, best.row, best.confidence, best.agreeing)


def _of_role(evidence: Evidence, role: Role) -> FieldValue[Names] | None:
    """Return the people whom JSON-LD, metas or labels give a role, one other than the author's."""
    candidates = []
    key = "reviewedBy" if role == "reviewer" else role
    for node in evidence.main_nodes:
        if not (value := node.properties.get(key)):
            continue
        texts = (evidence.text(one, "name") for one in evidence.values(value))
        names = tuple(dict.fromkeys(name for text in texts for name in split_names(text)))
        candidates += _people(names, node.source(role), node.row, 0.65)
    metas = evidence.weighed_metas(METAS["editor"]) if role == "editor" else ()
    for text, source, row, weight in metas:
        names = names_of(byline_parts(text), role) or split_names(text)
        candidates += _people(names, source, row, weight)
    named = credits_of(evidence, role) or _by_place(evidence, _marked_parts, role, _NEAR)
    return choose_value([*candidates, *named], shared)


def _people(names: Names, source: str, row: int, weight: float) -> list[FieldCandidate]:
    key = tuple(sorted(map(fold, names)))
    return [FieldCandidate(names, key, source, row, weight)] if any(key) else []


# What labels announce.

_Parts = list[tuple[int, BylinePart]]  # (first row of the line, part), in the page's order


def credits_of(evidence: Evidence, role: Role) -> list[FieldCandidate]:
    """Return what labels of a role announce; tuples of names, those of one byline together.

    Labels further from the headline are read only where none near it gives a name.
    """
    if role not in evidence.derived(_roles_of_people):
        return []
    near = _by_place(evidence, _near_parts, role, _NEAR)
    return near or _by_place(evidence, _far_parts, role, _FAR)


def _roles_of_people(evidence: Evidence) -> frozenset[Role]:
    """Return the roles for which labels near the headline or far from it give names."""
    parts = evidence.derived(_near_parts) + evidence.derived(_far_parts)
    return frozenset([part.role for _, part in parts if part.names])


def _near_parts(evidence: Evidence) -> _Parts:
    """Return what labels announce around the headlines, not within."""
    lines = evidence.derived(undated_lines)
    numbers: Iterable[int] = range(len(lines))
    if not evidence.derived(_in_han):
        numbers = lines_with_credits([*map(TEXT, lines)])
    return [
        found
        for number in numbers
        if not evidence.in_heading(lines[number][0])
        for found in _with_value_below(evidence, lines, number)
    ]


def undated_lines(evidence: Evidence) -> list[Line]:
    """Return the lines near the headline, in place of each date and its label a bar."""
    lines, locale = evidence.places.near.copy(), evidence.locale
    for number in evidence.places.dated:
        row, text = lines[number]
        if len(text) <= LONGEST_LINE:
            undated = without_dates(text, locale)
            is_cut = _CUT.search(undated) and names_of(byline_parts(text), "reviewer")
            lines[number] = row, text if is_cut else undated
    return lines


def _far_parts(evidence: Evidence) -> _Parts:
    """Return what labels announce from the headline to a little after the content."""
    lines = _far_lines(evidence) if evidence.derived(_in_han) else []
    return [found for at in range(len(lines)) for found in _with_value_below(evidence, lines, at)]


def _marked_parts(evidence: Evidence) -> _Parts:
    """Return what labels announce anywhere in the lines of elements named for authors."""
    places, last = evidence.places, len(evidence.page) - 1
    rows = places.named(BYLINES)
    if len(rows) > _MOST_MARKED:
        rows = [row for row in rows if not places.in_boilerplate(row)][:_MOST_MARKED]
    lines = [(row, *line_at(evidence, row + 1)) for row in rows if row < last]
    named = {
        first: parts
        for row, first, text in lines
        if (parts := parts_of(evidence, text)) and not places.in_boilerplate(row)
    }
    return [(first, part) for first, parts in named.items() for part in parts]


def _in_han(evidence: Evidence) -> bool:
    """Return whether any line near the headline, or the title, has Han letters."""
    texts = "".join(map(TEXT, evidence.places.near))
    return HAN.search(evidence.page.head.title + texts) is not None


_TERMS: Final = tags.table(["dt", "th"])  # elements whose text needs no colon to be a label


def _with_value_below(
    evidence: Evidence, lines: list[Line], at: int
) -> Iterator[tuple[int, BylinePart]]:
    """Yield the parts of a line; a label that ends it has its value in the line below."""
    row, text = lines[at]
    if len(text) > _LONGEST:
        return
    below = lines[at + 1][1] if at + 1 < len(lines) else ""
    around = evidence.page.tag[[*islice(evidence.page.ancestors(row), 2)]]
    if below and _TERMS[around].any():
        text = f"{text.rstrip(' :：')}:"
    if is_role(below) and not is_label(below):
        text += f", {below}"
    yield from ((row, part) for part in parts_of(evidence, text) if part.value)
    if below and (label := label_at_end(text)) is not None:
        named = value_below(text, label, below)
        if named is not None:
            yield row, named


def _far_lines(evidence: Evidence) -> list[Line]:
    """Return the lines with labels, in the page's order."""
    page, content = evidence.page, evidence.content
    start, stop = int(page.text_at[max(evidence.headline_row, 0)]), len(page.text)
    kept = page.shown
    if content is not None:
        kept = content.kept
        last = (kept & page.written).nonzero()[0][-1:]
        end = int(page.text_at[last[0] + 1]) if len(last) else stop
        stop = min(stop, end + 4_000)  # characters, with the credits
    rows: set[int] = set()
    for label in (*_ANYWHERE, *_IN_TEXT):
        for at in islice(places_of(label, page.text, start, stop), 3):
            row = evidence.row_at(at)
            read = kept[row] if label in _IN_TEXT else page.shown[row]
            if read and not evidence.in_heading(row):
                rows.add(row)
    apart = filter(evidence.places.in_boilerplate, rows)
    lines = dict(line_at(evidence, row) for row in sorted(rows.difference(apart)))
    return [(first, text) for first, text in lines.items() if text]


def line_at(evidence: Evidence, row: int) -> Line:
    """Return the first row and the shown text of the line that a row is in, "" of a long one."""
    page, at = evidence.page, evidence.page.text_at
    first, last = (int(page.line.searchsorted(page.line[row], side)) for side in ("left", "right"))
    if page.written_before[last] - page.written_before[first] > _LONGEST:
        return first, ""
    shown = (page.shown[first:last] & (page.tag[first:last] == tags.TEXT)).nonzero()[0] + first
    spans = map(slice, at[shown].tolist(), at[shown + 1].tolist())
    return first, joined(map(page.text.__getitem__, spans))


def _by_place(
    evidence: Evidence, make: Callable[[Evidence], _Parts], role: Role, weight: float
) -> list[FieldCandidate]:
    """Return a candidate for each byline of a role; its lines stand close together."""
    lines: dict[int, list[BylinePart]] = {}
    at, first, last = evidence.page.written_before, -1, -1
    for row, part in evidence.derived(make):
        if part.names and part.role == role:
            is_apart = first < 0 or int(at[row]) - int(at[last]) > _APART
            if is_apart or has_label(part.value):  # which is the whole line then
                first = row
            last = row
            lines.setdefault(first, []).append(part)
    out: list[FieldCandidate] = []
    for row, own in lines.items():
        names = tuple(dict.fromkeys(name for part in own for name in part.names))
        sure = 1 if any(part.marked for part in own) else 0.8
        sure *= 0.9 if has_label(own[0].value) else 1
        out += _people(names, "text", row, weight * sure * by_nearness(evidence, row))
    return out


def by_nearness(evidence: Evidence, row: int) -> float:
    """Return the factor of weights of what is near the headline or not, 0.4..1."""
    return 0.4 + 0.6 * evidence.places.nearness(row)


def names_only_as(evidence: Evidence, *roles: Role) -> frozenset[str]:
    """Return the folded names that labels give the roles, and that they give to no author."""
    found = {fold(n) for role in roles for one in credits_of(evidence, role) for n in one.value}
    if found:
        found -= {fold(n) for one in credits_of(evidence, "author") for n in one.value}
    return frozenset(found)
