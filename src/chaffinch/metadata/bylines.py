"""Labelled bylines of a page: authors, editors and the source, near the headline or at the end.

Candidates: JSON-LD, metas by name, and labels such as 来源 and 责任编辑 (see `byline_labels`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, Final

import numpy as np

from chaffinch.elements.dates import parse_date, places_of_dates
from chaffinch.metadata.names import (
    AND,
    CONTRIBUTORS,
    HAN,
    BylinePart,
    Role,
    byline_parts,
    has_label,
    is_label,
    is_salutation,
    names_of_source,
    names_written,
    places_of_credits,
    places_of_labels,
    split_names,
    value_below,
)
from chaffinch.metadata.regions import (
    BYLINES,
    USERS,
    belongs_elsewhere,
    in_boilerplate,
    in_boilerplate_except_sidebar,
    in_menu,
)
from chaffinch.metadata.sources import (
    Evidence,
    is_by_learned_rule,
    types_of,
    value_by_rule,
    written,
)
from chaffinch.metadata.values import (
    Contributor,
    FieldCandidate,
    FieldValue,
    choose_value,
    clean,
    fold,
    joined,
    one_line,
)
from chaffinch.page import Page, tags
from chaffinch.page.selectors import Selected

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


_METAS: Final = {
    "author": 0.55, "authors": 0.55, "article:author": 0.5, "og:article:author": 0.5,
    "parsely-author": 0.6, "sailthru.author": 0.6, "byl": 0.6, "dc.creator": 0.55,
    "dcterms.creator": 0.55, "dc.contributor": 0.3, "citation_author": 0.75,
    "cxenseparse:author": 0.5, "article.author": 0.5, "shareaholic:article_author_name": 0.5,
}  # fmt: skip
_TWITTER_LABELS: Final = (
    "written by", "verfasst von", "écrit par", "escrito por", "scritto da", "作者",
)  # fmt: skip
_BYLINE_STARTS: Final = ("ritten by ", "ritten by:", "erfasst von ", "crit par ", "scrito por ")
_BYLINE: Final = 160  # characters of an element that may be a byline
_BETWEEN_AUTHORS: Final = 40  # characters between two elements that name authors of one text
_JOINING: Final = frozenset((*AND, "with", "by", "mit", "avec", "con", "|", ";", "/", "、"))
_CONTROLS: Final = frozenset(
    (
        "follow|following|subscribe|folgen|abonnieren|suivre|s'abonner|seguir|segui|volg|volgen|följ|følg"
        "|seuraa|obserwuj|sledovat|követés|urmărește|takip et|подписаться|підписатися"
        "|关注|關注|フォロー|팔로우"
        "|theo dõi|ikuti|ติดตาม|متابعة|دنبال کردن|עקוב|फ़ॉलो करें|contact|email|e-mail|+|+ follow|share"
    ).split("|")
)
"""What stands on controls beside a name."""
_CERTAIN: Final = 0.7
_MOST_ROWS: Final = 40
_FIRST_USERS: Final = 5
_USER_LENGTH: Final = 30
_FIRST_HAN: Final = "\u3400"
_DIGIT: Final = re.compile(r"\d")
_BETWEEN: Final = re.compile(r"(?:(?<!\s)\s++)?[·•|/–—]\s*|,?\s\d{4}|\d{4}-\d{2}-\d{2}")


_Found = tuple[int, str, float, tuple[str, ...]]
"""An element that names authors: its row, the source, its weight, the names."""


def authors(evidence: Evidence) -> FieldValue[tuple[str, ...]] | None:
    """Return the authors' names; None where there is none."""
    if any("Product" in node.type for node in evidence.main_nodes):
        # On a product page "by …" names the brand.
        return choose_value(_declared_authors(evidence), _contained)
    declared = sorted(_declared_authors(evidence), key=lambda one: -len(one.value))
    if any(not name.isascii() for one in declared for name in one.value):
        declared = [one for one in declared if not _is_other_role(evidence, one)]
    found = choose_value(declared, _contained)
    if found is not None and found.confidence >= _CERTAIN:
        return found
    return choose_value([*declared, *_visible(evidence)], _overlap) or choose_value(
        _from_whole_page(evidence)
    )


def _declared_authors(evidence: Evidence) -> Iterator[FieldCandidate]:
    for node in evidence.main_nodes:
        if node.rank == 2:  # noqa: PLR2004
            values = node.properties.get("author") or ()
        else:
            values = node.properties.get("author") or node.properties.get("creator") or ()
        yield from _from_json_ld(evidence, values, node.source("author"), node.row)
    for node in () if evidence.main_nodes else evidence.graph.of_rank(1):
        values = node.properties.get("author") or ()
        yield from _from_json_ld(evidence, values, node.source("author"), node.row, share=0.6)
    engine = " ".join(text for _, _, text in evidence.metas("generator")).partition(" ")[0]
    for name, weight in evidence.among(_METAS):
        found = [one for one in evidence.metas(name) if not engine or engine not in one[2]]
        parts = [_names_of_meta(t, inverted=name.startswith("citation")) for _, _, t in found]
        if names := tuple(dict.fromkeys(one for part in parts for one in part)):
            yield from _candidate(evidence, names, found[0][1], found[0][0], weight)
    for number in ("1", "2"):
        for _, _, label in evidence.metas(f"twitter:label{number}"):
            if label.lower().startswith(_TWITTER_LABELS):
                for row, source, text in evidence.metas(f"twitter:data{number}"):
                    yield from _candidate(evidence, split_names(text), source, row, 0.5)


def _names_of_meta(text: str, *, inverted: bool) -> tuple[str, ...]:
    """Return the names in a meta: with Chinese labels, those that are of authors."""
    parts = byline_parts(text)
    names = tuple(name for part in parts if part.role == "author" for name in part.names)
    return tuple(dict.fromkeys(names)) if parts else split_names(text, inverted=inverted)


def _from_json_ld(
    evidence: Evidence, value: Any, source: str, row: int, *, share: float = 1.0
) -> Iterator[FieldCandidate]:
    names: list[str] = []
    is_organization = False
    for one in evidence.graph.values(value):
        if isinstance(one, dict):
            is_organization |= "Organization" in " ".join(types_of(one))
            for name in evidence.graph.values(one.get("name") or _full_name(one)):
                names.extend(split_names(clean(name)))
        else:
            names.extend(split_names(clean(one)))
    weight = (0.4 if is_organization else 0.75) * share
    yield from _candidate(evidence, tuple(dict.fromkeys(names)), source, row, weight)


def _full_name(person: dict[str, Any]) -> str:
    """Return the name of a person given in two fields."""
    return f"{clean(person.get('givenName'))} {clean(person.get('familyName'))}".strip()


def _candidate(
    evidence: Evidence, names: tuple[str, ...], source: str, row: int, weight: float
) -> Iterator[FieldCandidate]:
    names = evidence.people(names)
    people = tuple(name for name in names if not evidence.names_publisher(name))
    if (
        names
        and all(one.istitle() and " " not in one for one in people)
        and (not people or evidence.names_publisher(names[0]))
    ):  # the site, and perhaps its town and country
        people, weight = names, weight * 0.25
    if people:
        yield FieldCandidate(people, tuple(sorted(map(fold, people))), source, row, weight)


def _visible(evidence: Evidence) -> Iterator[FieldCandidate]:
    page = evidence.page
    elements: list[tuple[int, str, float]] = []
    for row, names in evidence.window.having("itemprop"):
        if "author" in names.split() or "creator" in names.split():
            elements.append((row, "microdata:author", 0.6))
    for row, value in evidence.window.having("rel"):
        if "author" in value.split() and page.name(row) == "a":
            elements.append((row, "rel:author", 0.55))
    elements.extend(
        (row, "byline:class", 0.5) for row in evidence.window.named(BYLINES)[:_MOST_ROWS]
    )
    known = [
        (row, source, weight, people)
        for row, source, weight in elements
        if not in_boilerplate(evidence, row)
        and (people := _own(evidence, row, _byline(evidence, row)))
        and not belongs_elsewhere(evidence, row)
    ]
    for group in _side_by_side(evidence, known):
        row, source, weight, _ = group[0]
        people = tuple(dict.fromkeys(name for one in group for name in one[3]))
        factor = 0.4 + 0.6 * evidence.window.nearness(row)
        yield from _candidate(evidence, people, source, row, weight * factor)
    for row in evidence.window.named(USERS)[:_FIRST_USERS]:
        name = _user_name(page, row).rstrip(":： ")
        if (
            _names_user(name)
            and not in_boilerplate(evidence, row)
            and not belongs_elsewhere(evidence, row)
        ):
            weight = 0.25 * (0.4 + 0.6 * evidence.window.nearness(row))
            yield from _candidate(evidence, (name,), "user:class", row, weight)
    yield from _lines(evidence)
    yield from _labelled(evidence)


def _contributors(evidence: Evidence) -> frozenset[str]:
    return names_only_as(evidence, *CONTRIBUTORS)


def _own(evidence: Evidence, row: int, people: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of the names in an element that the page gives no other role."""
    if not people:
        return ()
    others = evidence.derived(_contributors)
    if any(not one.isascii() for one in people):
        others |= names_only_as(evidence, "source")
    parts = byline_parts(line_at(evidence, row)[1])
    others |= {fold(n) for one in parts if one.role in CONTRIBUTORS for n in one.names}
    others -= {fold(n) for one in parts if one.role == "author" for n in one.names}
    return tuple(one for one in people if fold(one) not in others)


def _side_by_side(evidence: Evidence, found: list[_Found]) -> Iterator[list[_Found]]:
    """Yield elements that name authors, those of one kind together between which no text stands."""
    page = evidence.page
    group: list[_Found] = []
    for one in found:
        if group:
            last = group[-1]
            stop, start = int(page.text_at[page.end[last[0]]]), int(page.text_at[one[0]])
            between = page.text[stop:start] if 0 <= start - stop <= _BETWEEN_AUTHORS else "?"
            words = frozenset(between.casefold().replace(",", " ").split())
            if _look(page, last[0]) != _look(page, one[0]) or not words <= _JOINING:
                yield group
                group = []
        group.append(one)
    if group:
        yield group


def _look(page: Page, row: int) -> tuple[str | None, ...]:
    """Return what elements have in common of which each names one author of several."""
    return page.name(row), *(page.attribute(row, name) for name in ("class", "itemprop", "rel"))


def _labelled(evidence: Evidence) -> Iterator[FieldCandidate]:
    """Yield the people whom Chinese labels name as authors: 作者, 记者, 通讯员."""
    for one in credits_of(evidence, "author"):
        if belongs_elsewhere(evidence, one.row):
            continue
        yield from _candidate(evidence, one.value, one.source, one.row, one.weight)


def _user_name(page: Page, row: int) -> str:
    """Return the text of an element that may name a user, without what stands beside the name.

    A text with a digit after the name is when the user registered, or a count of posts.
    """
    inner = range(row, int(page.end[row]))
    texts = [one_line(page.text_of(at)) for at in inner if page.tag[at] == tags.TEXT]
    texts = [text for text in texts if text]
    if len(texts) > 1 and any(_DIGIT.search(text) for text in texts[1:]):
        return next((text for text in texts if text[-1] not in ":："), "")
    return one_line(page.text_of(row))


def _names_user(text: str) -> bool:
    """Return whether a text may be a user's name: neither a count nor a date."""
    return (
        1 < len(text) <= _USER_LENGTH
        and not text[0].isdigit()
        and "·" not in text
        and bool(split_names(text))
        and parse_date(text) is None
    )


def _from_whole_page(evidence: Evidence) -> Iterator[FieldCandidate]:
    """Yield names anywhere on the page: links to authors' pages, "Written by …".

    Several such names mean that the page is probably a list: then none is taken.
    """
    page = evidence.page
    people: dict[tuple[str, ...], tuple[int, str]] = {}
    links = {*page.rows_holding("href", "/author"), *page.rows_holding("rel", "author")}
    for row in sorted(links):
        href = page.attribute(row, "href")
        if href is None:
            continue
        if "/author" in href or "author" in (page.attribute(row, "rel") or ""):
            names = split_names(one_line(page.text_of(row)), strict=True)
            if names and _is_of_author(evidence, row, href, names):
                people.setdefault(names, (row, "href:author"))
    for word in evidence.words_in_text(_BYLINE_STARTS):
        at = page.text.find(word)
        row = int(np.searchsorted(page.text_at, at, "right")) - 1
        if (
            at >= 0
            and page.shown[row]
            and not in_boilerplate_except_sidebar(evidence, row)
            and not belongs_elsewhere(evidence, row)
        ):
            line = page.text[at + len(word) : at + _BYLINE].strip().partition("\n")[0]
            if names := split_names(line, strict=True):
                people.setdefault(names[:1], (row, "text"))
    if len(people) == 1:
        for names, (row, source) in people.items():
            yield from _candidate(evidence, names, source, row, 0.3)


def _is_of_author(evidence: Evidence, row: int, href: str, names: tuple[str, ...]) -> bool:
    """Return whether a link far from the headline leads to the page of the author it names.

    In menus it leads to what authors do; a single word is a name where the address has it.
    """
    if in_boilerplate_except_sidebar(evidence, row) or belongs_elsewhere(evidence, row):
        return False
    slug = fold(href.rstrip("/").rpartition("/")[2])
    if " " not in names[0] and names[0].isascii() and fold(names[0]) not in slug:
        return False
    return not in_menu(evidence, row)


def _lines(evidence: Evidence) -> Iterator[FieldCandidate]:
    """Yield bylines among the lines around the headline: "By …", "来源：…", "date · name"."""
    lines = evidence.window.near
    may_be_dated = lines.at(places_of_dates(lines.raw))
    for number in sorted({*may_be_dated, *lines.at(places_of_labels(lines.raw))}):
        row, text = lines[number]
        if len(text) > _BYLINE or byline_parts(text):
            continue
        dated = number in may_be_dated and parse_date(text) is not None
        labelled = has_label(text)
        if not (labelled or dated) or belongs_elsewhere(evidence, row):
            continue
        factor = 0.4 + 0.6 * evidence.window.nearness(row)
        if labelled:
            people = split_names(text, strict=True)
            if not people and number + 1 < len(lines) and not is_salutation(lines[number + 1][1]):
                below = split_names(lines[number + 1][1], strict=True)
                people = tuple(one for one in below if " " in one or not one.isascii())
            yield from _candidate(evidence, people, "text", row, 0.45 * factor)
        if dated:
            for part in _BETWEEN.split(text):
                people = split_names(part, strict=True)
                if len(people) == 1 and people[0].count(" ") in {1, 2} and people[0] in text:
                    yield from _candidate(evidence, people, "text", row, 0.25 * factor)


def _is_other_role(evidence: Evidence, one: FieldCandidate) -> bool:
    """Return whether the page names all of a declared author as its editors.

    The site itself is no author, either, where the page names the source of its text.
    """
    if names_only_as(evidence, "editor").issuperset(map(fold, one.value)):
        return True
    return bool(credits_of(evidence, "source")) and all(map(evidence.names_publisher, one.value))


def _byline(evidence: Evidence, row: int) -> tuple[str, ...]:
    """Return the names in an element that may be a byline: of its first line with names."""
    page = evidence.page
    stop = int(page.end[row])
    for inner, names in evidence.window.having("itemprop"):
        if row < inner < stop and "name" in names.split():
            row, stop = inner, int(page.end[inner])
            break
    if content := page.attribute(row, "content"):
        return names_written(one_line(content))
    if not 0 < int(page.text_at[stop]) - int(page.text_at[row]) <= 4 * _BYLINE:
        return ()
    out: tuple[str, ...] = ()
    is_list = page.name(row) in {"ul", "ol"}
    for text in _texts(evidence, row, stop):
        if len(text) > _BYLINE or is_label(text):
            continue
        parts = byline_parts(text)
        labelled = tuple(name for part in parts if part.role == "author" for name in part.names)
        out += labelled if parts else names_written(text)
        if out and not is_list:
            break
    return tuple(dict.fromkeys(out))


def _texts(evidence: Evidence, row: int, stop: int) -> Iterator[str]:
    """Yield the lines of an element, without controls; two whole names in a line with a comma."""
    page = evidence.page
    lines = page.line
    line, last, text = -1, "", ""
    for at in evidence.window.text_rows(row, stop):
        piece = one_line(page.text_of(at))
        if piece.casefold() in _CONTROLS or _in_control(page, at, row):
            continue
        if lines[at] != line and text:
            yield text
            text = ""
        if text and _is_whole_name(last) and _is_whole_name(piece):
            text += f", {piece}"
        elif text:
            apart = _apart(page, at) or (text[-1] >= _FIRST_HAN and piece[:1] >= _FIRST_HAN)
            text += f" {piece}" if apart else piece
        else:
            text = piece
        line, last = lines[at], piece
    if text:
        yield text


def _in_control(page: Page, row: int, top: int) -> bool:
    """Return whether a text stands in a button within an element."""
    parent = int(page.parent[row])
    for _ in range(3):
        if parent <= top:
            break
        if page.name(parent) in {"button", "select", "option", "label"}:
            return True
        parent = int(page.parent[parent])
    return False


def _apart(page: Page, row: int) -> bool:
    """Return whether white space stands before a text on the page."""
    at = int(page.text_at[row])
    return page.text[at : at + 1].isspace() or page.text[at - 1 : at].isspace()


def _is_whole_name(text: str) -> bool:
    """Return whether a text is the first and last name of somebody, or one of three Han letters."""
    if not text or text[0] in ",;&/|" or text[-1] in ",;&/|:：":
        return False
    names = split_names(text, strict=True)
    return len(names) == 1 and names[0] == text and (" " in text or "가" <= text[0] <= "힣")


def _overlap(key: tuple[str, ...], other: tuple[str, ...]) -> float:
    """Return how far one list of names supports another: Jaccard index, 0..1."""
    shared = len(set(key) & set(other))
    return shared / len(set(key) | set(other)) if shared else 0.0


def _contained(key: tuple[str, ...], other: tuple[str, ...]) -> float:
    """Return the same for declared lists, 1 for a subset: some fields take only the first name."""
    return 1.0 if set(other) < set(key) else _overlap(key, other)


def authors_by_rule(
    evidence: Evidence, general: FieldValue[tuple[str, ...]] | None
) -> FieldValue[tuple[str, ...]] | None:
    """Return the authors that a rule selects; None for none.

    Where a learned rule selects an element that names those of the general finder, among other
    things such as links, or only some of them, the general finder has read the page better.
    """
    page = evidence.page
    found = value_by_rule(
        evidence, "author", lambda one: evidence.people(split_names(written(page, one)))
    )
    if found is None or general is None:
        return found
    if not is_by_learned_rule(evidence, "author", found):
        return found
    names = written(page, Selected(found.row)) if found.row >= 0 else ""
    is_better = all(name in names for name in general.value) or {*found.value} < {*general.value}
    return general if is_better else found
