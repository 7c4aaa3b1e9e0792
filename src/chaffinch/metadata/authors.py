"""The authors of a page.

Candidates: JSON-LD author, metas, microdata, links with ``rel=author``, elements whose class or id
names an author, and lines near the headline that start like a byline.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.elements.dates import parse_date, places_of_dates
from chaffinch.metadata.byline_labels import byline_parts, is_label
from chaffinch.metadata.byline_words import AND, CONTRIBUTORS
from chaffinch.metadata.bylines import credits_of, line_at, names_only_as
from chaffinch.metadata.candidates import FieldCandidate, choose_value
from chaffinch.metadata.class_words import BYLINES, USERS
from chaffinch.metadata.json_ld import types_of
from chaffinch.metadata.page_regions import (
    belongs_elsewhere,
    in_boilerplate,
    in_boilerplate_except_sidebar,
    in_menu,
)
from chaffinch.metadata.person_names import (
    has_label,
    is_salutation,
    names_written,
    places_of_labels,
    split_names,
)
from chaffinch.metadata.text_cleaning import clean, fold, one_line
from chaffinch.page import tags

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.metadata.evidence import Evidence
    from chaffinch.metadata.field_value import FieldValue
    from chaffinch.page import Page

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
        return choose_value(_declared(evidence), _contained)
    declared = sorted(_declared(evidence), key=lambda one: -len(one.value))
    if any(not name.isascii() for one in declared for name in one.value):
        declared = [one for one in declared if not _is_other_role(evidence, one)]
    found = choose_value(declared, _contained)
    if found is not None and found.confidence >= _CERTAIN:
        return found
    return choose_value([*declared, *_visible(evidence)], _overlap) or choose_value(
        _from_whole_page(evidence)
    )


def _declared(evidence: Evidence) -> Iterator[FieldCandidate]:
    for node in evidence.main_nodes:
        if node.rank == 2:  # noqa: PLR2004  a work or product: no "creator"
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
