"""Labelled bylines of a page: authors, editors and the source, near the headline or at the end.

Candidates: JSON-LD, metas by name, and labels such as 来源 and 责任编辑 (see `byline_labels`).
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.metadata.byline_labels import (
    HAN,
    BylinePart,
    byline_parts,
    places_of_credits,
    value_below,
)
from chaffinch.metadata.byline_words import CONTRIBUTORS
from chaffinch.metadata.candidates import FieldCandidate, choose_value
from chaffinch.metadata.class_words import BYLINES
from chaffinch.metadata.field_value import Contributor, FieldValue
from chaffinch.metadata.han_names import names_of_source
from chaffinch.metadata.page_regions import in_boilerplate
from chaffinch.metadata.person_names import split_names
from chaffinch.metadata.text_cleaning import fold, joined

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from chaffinch.metadata.byline_words import Role
    from chaffinch.metadata.evidence import Evidence

_EDITOR_METAS: Final = {
    "editor": 0.5, "editors": 0.5, "article:editor": 0.5, "responsible-editor": 0.5,
}  # fmt: skip
_SOURCE_METAS: Final = {
    "contentsource": 0.6, "source": 0.45, "mediaid": 0.5, "article:source": 0.5,
}  # fmt: skip
_PROPERTIES: Final = {"reviewer": "reviewedBy"}
"""Names of properties in JSON-LD that aren't those of roles."""
_MOST_MARKED: Final = 20  # elements named for authors whose lines are read
_NEAR: Final = 0.5  # weight of a label near the headline, before its distance
_FAR: Final = 0.35  # of one further below
_BARE: Final = 0.8  # factor where no colon follows the label
_ANYWHERE: Final = (
    "责任编辑", "責任編輯", "责编", "責編", "编辑：", "编辑:", "編輯：", "编审",
    "本文来源", "文章来源", "稿源", "来源：", "来源:", "來源：",
    "作者：", "作者:",
)  # fmt: skip
_IN_TEXT: Final = ("（记者", "(记者", "（記者", "（作者", "(作者", "记者 ")
"""Labels within the text: behind the content they would be those of other articles."""
_APART: Final = 100  # characters of text between two lines of one byline
_MOST_OCCURRENCES: Final = 3  # of a label that are examined
_AFTER_CONTENT: Final = 4_000  # characters after the content, blanks included, with its credits
_LONGEST: Final = 600  # characters of a line whose labels are read


def original_source(evidence: Evidence) -> FieldValue[str] | None:
    """Return who published the text first, as the page declares; None where it doesn't."""
    candidates = []
    for node in evidence.main_nodes:
        text = evidence.graph.text(node.properties.get("sourceOrganization"), "name")
        candidates += _source(text, node.source("sourceOrganization"), node.row, 0.6)
    for name, weight in evidence.among(_SOURCE_METAS):
        for row, source, text in evidence.metas(name):
            parts = [p for p in byline_parts(text) if p.role == "source"]
            value = parts[0].value if parts else text
            if "://" not in value:
                candidates += _source(value, source, row, weight)
    found = credits_of(evidence, "source")
    candidates += [replaced for one in found for replaced in _single(one)]
    return choose_value(candidates, _within)


def editors(evidence: Evidence) -> FieldValue[tuple[str, ...]] | None:
    """Return the names of the editors, in the page's order; None where it names none."""
    candidates = list(_declared(evidence, "editor"))
    for name, weight in evidence.among(_EDITOR_METAS):
        for row, source, text in evidence.metas(name):
            parts = [n for p in byline_parts(text) if p.role == "editor" for n in p.names]
            candidates += _people(tuple(parts) or split_names(text), source, row, weight)
    candidates += _named(evidence, "editor")
    return choose_value(candidates, _shared)


def contributors(evidence: Evidence) -> FieldValue[tuple[Contributor, ...]] | None:
    """Return who else worked on the text or its pictures; None where the page names nobody."""
    named: list[tuple[Role, FieldValue[tuple[str, ...]]]] = []
    for role in CONTRIBUTORS:
        if role == "editor":
            found = editors(evidence)
        else:
            found = choose_value([*_declared(evidence, role), *_named(evidence, role)], _shared)
        if found is not None:
            named.append((role, found))
    if not named:
        return None
    best = max((one for _, one in named), key=lambda one: one.confidence)
    people = tuple(Contributor(role, name) for role, one in named for name in one.value)
    return FieldValue(people, best.source, best.row, best.confidence, best.agreeing)


def _named(evidence: Evidence, role: Role) -> list[FieldCandidate]:
    """Return what labels of a role announce, anywhere in the lines of elements for bylines, too."""
    return credits_of(evidence, role) or _by_place(
        evidence, [one for one in evidence.derived(_marked_parts) if one[1].role == role], _NEAR
    )


def _marked_parts(evidence: Evidence) -> list[tuple[int, BylinePart]]:
    """Return (first row of the line, part) of the labels in lines of elements named for authors."""
    rows = [row for row in evidence.window.named(BYLINES) if not in_boilerplate(evidence, row)]
    last = len(evidence.page) - 1
    lines = dict(line_at(evidence, row + 1) for row in rows[:_MOST_MARKED] if row < last)
    return [(row, part) for row, text in lines.items() for part in byline_parts(text)]


def _declared(evidence: Evidence, role: Role) -> Iterator[FieldCandidate]:
    """Yield the people whom JSON-LD gives a role."""
    for node in evidence.main_nodes:
        given = node.properties.get(_PROPERTIES.get(role, role)) or ()
        texts = [evidence.graph.text(one, "name") for one in evidence.graph.values(given)]
        names = tuple(dict.fromkeys(name for text in texts for name in split_names(text)))
        yield from _people(names, node.source(role), node.row, 0.65)


def credits_of(evidence: Evidence, role: Role) -> list[FieldCandidate]:
    """Return what labels of a role announce; tuples of names, those of one byline together.

    Labels further from the headline are read only where none near it gives a name.
    """
    for parts, weight in ((_near_parts, _NEAR), (_far_parts, _FAR)):
        own = [one for one in evidence.derived(parts) if one[1].role == role]
        if own and (found := _by_place(evidence, own, weight)):
            return found
    return []


def _near_parts(evidence: Evidence) -> list[tuple[int, BylinePart]]:
    """Return (first row of the line, part) of the labels around the headlines, not within."""
    lines = evidence.window.near
    if evidence.derived(_in_han):
        pairs = list(pairwise([*lines, (-1, "")]))
    else:
        numbers = lines.at(places_of_credits(lines.raw))
        pairs = [(lines[at], lines[at + 1] if at + 1 < len(lines) else (-1, "")) for at in numbers]
    return list(_with_values_below(p for p in pairs if not _in_headline(evidence, p[0][0])))


def _in_han(evidence: Evidence) -> bool:
    """Return whether any line near the headline, or the title, has Han letters."""
    if HAN.search(evidence.page.head.title):
        return True
    return HAN.search(evidence.window.near.raw) is not None and any(
        HAN.search(text) for _, text in evidence.window.near
    )


def _in_headline(evidence: Evidence, row: int) -> bool:
    end = evidence.page.end
    return any(heading < row < end[heading] for heading, _ in evidence.headings)


def names_only_as(evidence: Evidence, *roles: Role) -> frozenset[str]:
    """Return the folded names that labels give the roles, and that they give to no author."""
    found = {fold(n) for role in roles for one in credits_of(evidence, role) for n in one.value}
    if found:
        found -= {fold(n) for one in credits_of(evidence, "author") for n in one.value}
    return frozenset(found)


def _with_values_below(
    pairs: Iterable[tuple[tuple[int, str], tuple[int, str]]],
) -> Iterator[tuple[int, BylinePart]]:
    """Yield the parts of lines; a label that ends its line has its value in the line below."""
    for (row, text), (_, below) in pairs:
        if len(text) > _LONGEST:
            continue
        yield from ((row, part) for part in byline_parts(text) if part.value)
        if (named := value_below(text, below)) is not None:
            yield row, named


def _far_parts(evidence: Evidence) -> list[tuple[int, BylinePart]]:
    """Return the labelled parts from the headline to a little after the content, page order."""
    if not evidence.derived(_in_han):
        return []
    return list(_with_values_below(pairwise([*_far_lines(evidence), (-1, "")])))


def _far_lines(evidence: Evidence) -> list[tuple[int, str]]:
    """Return (first row, text) of the lines with labels, page order."""
    page = evidence.page
    start = int(page.text_at[max(evidence.headline_row, 0)])
    stop = _end_of_content(evidence)
    rows: dict[int, None] = {}
    kept = evidence.content.kept if evidence.content is not None else page.shown
    for label in (*_ANYWHERE, *_IN_TEXT):
        at = page.text.find(label, start, stop)
        for _ in range(_MOST_OCCURRENCES):
            if at < 0:
                break
            row = int(np.searchsorted(page.text_at, at, "right")) - 1
            read = kept[row] if label in _IN_TEXT else page.shown[row]
            if read and not _in_headline(evidence, row):
                rows[row] = None
            at = page.text.find(label, at + len(label), stop)
    lines: dict[int, str] = {}
    for row in sorted(rows):
        first, text = line_at(evidence, row)
        if text and not in_boilerplate(evidence, row):
            lines[first] = text
    return list(lines.items())


def _end_of_content(evidence: Evidence) -> int:
    page = evidence.page
    if evidence.content is None:
        return len(page.text)
    rows = np.flatnonzero(evidence.content.kept & page.written)
    last = int(rows[-1]) if len(rows) else len(page) - 1
    return min(len(page.text), int(page.text_at[last + 1]) + _AFTER_CONTENT)


def line_at(evidence: Evidence, row: int) -> tuple[int, str]:
    """Return the first row and the shown text of the line that a row is in, "" of a long one."""
    page = evidence.page
    line = page.line[row]
    first = int(page.line.searchsorted(line))
    last = int(page.line.searchsorted(line, "right"))
    at = page.text_at
    if int(at[last]) - int(at[first]) > 4 * _LONGEST:
        return first, ""
    shown = [r for r in range(first, last) if page.shown[r] and page.tag[r] == 0]
    return first, joined(page.text[at[r] : at[r + 1]] for r in shown)


def _by_place(
    evidence: Evidence, parts: list[tuple[int, BylinePart]], weight: float
) -> list[FieldCandidate]:
    """Return a candidate for each byline that names anyone; its lines stand close together."""
    lines: dict[int, list[BylinePart]] = {}
    first = last = -1
    for row, part in parts:
        if part.names:
            if first < 0 or evidence.window.distance(row, last) > _APART:
                first = row
            last = row
            lines.setdefault(first, []).append(part)
    out: list[FieldCandidate] = []
    for row, own in lines.items():
        names = tuple(dict.fromkeys(name for part in own for name in part.names))
        marked = any(part.marked for part in own)
        factor = (0.4 + 0.6 * evidence.window.nearness(row)) * (1 if marked else _BARE)
        out += _people(names, "text", row, weight * factor)
    return out


def _people(names: tuple[str, ...], source: str, row: int, weight: float) -> list[FieldCandidate]:
    key = tuple(sorted(map(fold, names)))
    return [FieldCandidate(names, key, source, row, weight)] if any(key) else []


def _source(text: str, source: str, row: int, weight: float) -> list[FieldCandidate]:
    return [FieldCandidate(name, fold(name), source, row, weight) for name in names_of_source(text)]


def _single(one: FieldCandidate) -> list[FieldCandidate]:
    """Return a candidate of one name of a line's sources, the first."""
    name: str = one.value[0]
    return [FieldCandidate(name, fold(name), one.source, one.row, one.weight)]


def _within(key: str, other: str) -> float:
    """Return how far a source supports another: 新华网 and 新华网北京."""
    return 0.5 if other.startswith(key) or key.startswith(other) else 0.0


def _shared(key: tuple[str, ...], other: tuple[str, ...]) -> Any:
    """Return how far one list of names supports another: Jaccard index, 0..1."""
    shared = len(set(key) & set(other))
    return shared / len(set(key) | set(other)) if shared else 0.0
