"""The title of the page's main content, without the site's name.

Candidates: JSON-LD headline or name, Open Graph, Dublin Core and citation metas, microdata, h1
(weighted by nearness to the content) and the parts of the title element.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Final

from chaffinch.metadata.credited import line_at
from chaffinch.metadata.json_ld import ARTICLE
from chaffinch.metadata.places import TITLES
from chaffinch.metadata.sources import Evidence, value_by_rule, written
from chaffinch.metadata.values import (
    METAS,
    SHORTEST_TITLE,
    SOFT,
    WORDS,
    FieldCandidate,
    FieldValue,
    choose_value,
    clean,
    cuts,
    fold,
    named_like_site,
    one_line,
    path_of,
    places_of,
    places_of_parts,
    runs,
    split_title,
    title_words,
)
from chaffinch.page import Page, tags
from chaffinch.page.selectors import Selected

_DANGLING: Final = " |-–—·•›‹⋆★:_｜"  # separators at an end of a title, with nothing behind them
_LABELS: Final = 4  # places on a page where a part of its title is sought as a link of a menu
_NAME: Final = 40  # letters of a title element that may name a book or a site
_COPIES: Final = ("meta", "json-ld", "title")  # a CMS fills all three from one field
_PREFIX: Final = 12  # letters that a truncated title must share
_UNRELATED: Final = 0.5  # weight of an h1 that shares no word with the title element
_SEVERAL: Final = 2  # h1s that head parts of the content
_IN_BRACKETS: Final = re.compile(
    r"\A[（(【\[]([^（(【\[）)】\]]{2,20})[）)】\]]|[（(【\[]([^（(【\[）)】\]]{2,20})[）)】\]]\Z"
)
_SECTION: Final = re.compile(r"[\u3400-\u9fff]{1,8}(?:频道|頻道|中心|栏目|版)|看板 ?[\w-]{2,20}")
_SHORT_SECTION: Final = re.compile("[\u3400-\u9fff]{2,4}")
_NUMBER: Final = re.compile(r"\A(?:\[\d{4}\.\d{4,5}(?:v\d+)?\]|\(\d{1,2}\+?\)(?=\s)|【[图圖]】)\s?")
"""The number of a preprint before its title, that of messages unread, the mark of a list."""
_NUMBER_OF_PART: Final = re.compile(r"\s\([^\W\d]{1,12}\s\d{1,4}\)\Z")
_OF_NO_PAGE: Final = re.compile(rf"(?:{WORDS['titles of no page']})(?:[\s_-]?\d+)?", re.IGNORECASE)
"""What editors call a page that nobody has given a title."""
_JOINED: Final = re.compile(r"[a-zß-öø-ÿа-я](?=[A-ZÀ-ÖØ-ÞА-Я])")
_BOLD: Final = frozenset(("b", "big", "center", "font", "strong"))
_BARS: Final = frozenset(("|", "｜", "丨", "::", "_"))  # which titles seldom hold
_TIGHT: Final = frozenset("_-—")  # separators, without spaces, between a title and its sections
# Weights are set on the tuning half of bench/quality/metadata.py.


def title(evidence: Evidence) -> FieldValue[str] | None:
    """Return the title, by a rule or by what is found; None where the page gives none.

    Where a learned rule and the general finder give the same letters, the latter's has no marks
    that only the element has.
    """
    return value_by_rule(
        evidence,
        "title",
        lambda one: _selected(evidence, one),
        _found(evidence),
        lambda general, found: general != found.value and fold(general) == fold(found.value),
    )


def _selected(evidence: Evidence, one: Selected) -> str:
    if one.value is None and tags.HEADING[evidence.page.tag[one.row]]:
        return evidence.heading(one.row)
    return clean(written(evidence.page, one))


def _found(evidence: Evidence) -> FieldValue[str] | None:
    candidates: list[FieldCandidate] = []
    found: FieldValue[str] | None = None
    steps = ((1, _candidates), (0.8, _on_page), (0.65, _in_elements), (0, _in_bold))
    for least, more in steps:  # 0.8: two agree
        if (found is None or found.confidence < least) and (new := list(more(evidence))):
            candidates += new
            found = choose_value(candidates, _alike, copies=_COPIES)
    if found is not None:  # another source may write it otherwise
        texts = (one.value for one in candidates if one.key == fold(found.value))
        found = replace(found, value=min((found.value, *texts), key=_faults))
    return found


def _faults(text: str) -> int:
    """Return how many letters of a title are a word's end and the next one's beginning; or all."""
    return len(text) if text.isupper() else len(_JOINED.findall(text))


def _alike(key: str, other: str) -> float:
    """Return how far a title supports another: a prefix may be a truncated title."""
    short, long, within = (key, other, 0.3) if key in other else (other, key, 0.1)
    if short not in long or len(short) < _PREFIX:
        return 0.0
    return 0.6 if long.startswith(short) else within


def _candidates(evidence: Evidence) -> Iterator[FieldCandidate]:
    texts = []
    for node in evidence.main_nodes:
        headline = 0.72 if node.type.endswith("NewsArticle") else 0.65
        weights = {"headline": headline, "name": 0.5 if node.rank == ARTICLE else 0.6}
        for name, weight in weights.items():
            text = evidence.text(node.properties.get(name))
            texts.append((text, node.source(name), node.row, weight))
    banners = {fold(text) for row, text in evidence.headings if row in evidence.banners}
    for text, source, row, weight in [*texts, *evidence.weighed_metas(METAS["title"])]:
        if not text or _OF_NO_PAGE.fullmatch(text):
            continue
        bare, first = _without_site_and_sections(evidence, text)
        is_of_site = evidence.is_title_boilerplate(bare) or fold(bare) in banners
        weighed = weight * (0.3 if is_of_site else 1.0)
        if first:
            yield from _candidate(first, source, row, weighed)
        yield from _candidate(bare, source, row, weighed)
    yield from _headings(evidence)
    yield from _title_parts(evidence)


def _candidate(text: str, source: str, row: int, weight: float) -> Iterator[FieldCandidate]:
    text = text[:400].rstrip()
    if key := fold(text):
        yield FieldCandidate(text, key, source, row, weight)


def _without_site_and_sections(evidence: Evidence, text: str) -> tuple[str, str]:
    """Return a title without its site, and its first part if two or more short ones follow; or "".

    What is only written like a site's name counts as such a part.
    """
    bare = evidence.derived(_without_site, text)
    is_barred = bare != text and all(text[a:b].strip() in _BARS for a, b in cuts(text))
    is_site = bare != text and not is_barred and named_like_site(split_title(text)[-1])
    first, *sections = split_title(text if is_site else bare)
    first = first.rstrip()
    is_first = len(sections) > 1 - is_barred and 2 * max(map(len, sections)) <= len(first)
    return bare, first if is_first else ""


def _without_site(evidence: Evidence, text: str) -> str:
    """Return a title without leading and trailing parts up to the one that names the site."""
    for one in _IN_BRACKETS.finditer(text):
        if len(one[0]) < len(text) and _names_site(evidence, one[1] or one[2]):
            text = text.replace(one[0], "")
    text = _without_returning(evidence, text)
    for separators in (cuts(text), cuts(text, SOFT)):
        if not separators:
            continue
        stops = [*(stop for stop, _ in separators[1:]), len(text)]
        for (before, start), stop in zip(separators, stops, strict=True):
            if _names_site(evidence, text[start:stop]):
                text = _without_sections(evidence, text[:before])
                break
        else:
            before, start = separators[0]
            if text[before:start] != "-" and _names_site(evidence, text[:before]):
                text = text[start:]
                while (later := cuts(text)) and _is_in_menu(evidence, text[: later[0][0]]):
                    text = text[later[0][1] :]
    return text.strip()


def _names_site(evidence: Evidence, part: str) -> bool:
    """Return whether a part of a title names the site, as a link to its start or a notice does."""
    return evidence.names_site(part) or named_like_site(part) or evidence.names_owner(part)


def _without_returning(evidence: Evidence, text: str) -> str:
    """Return a title without leading and trailing parts that return on the site's pages.

    A title all of which returns stays.
    """
    if not evidence.title_boilerplate:
        return text
    parts = places_of_parts(text)
    own = [(a, b) for a, b in parts if not evidence.is_title_boilerplate(text[a:b])]
    return text[own[0][0] : own[-1][1]] if own else text


def _without_sections(evidence: Evidence, text: str) -> str:
    """Return a title, its site taken off, without sections behind that are Chinese or in a menu."""
    while separators := cuts(text):
        stop, start = separators[-1]
        section, is_tight = text[start:], _TIGHT.issuperset(text[stop:start])
        if stop < SHORTEST_TITLE or not (
            _SECTION.fullmatch(section)
            or (is_tight and _SHORT_SECTION.fullmatch(section))
            or _is_in_menu(evidence, section)
        ):
            break
        text = text[:stop]
    return text


def _is_in_menu(evidence: Evidence, section: str) -> bool:
    """Return whether a part of a title is a link of a menu, or of a list above all headings."""
    page = evidence.page

    def is_menu(row: int) -> bool:
        is_list = "li" in map(page.name, page.ancestors(row))
        is_first = is_list and not tags.HEADING.take(page.tag[:row]).any()
        return is_first or evidence.places.in_boilerplate(row)

    rows = map(evidence.row_at, islice(places_of(section, page.text, 0, len(page.text)), _LABELS))
    return any(page.in_link[row] and page.folded(row) == section and is_menu(row) for row in rows)


def _headings(evidence: Evidence) -> Iterator[FieldCandidate]:
    """Yield the h1s; of several, one whose text is in the title element has the higher weight."""
    headings, whole = evidence.headings, evidence.page.head.title
    if len(headings) == len(evidence.other_headings):
        below = evidence.heading_beginning_as_title(evidence.page.body) or _in_place_of_site(
            evidence
        )
        places = evidence.places
        if below and not (places.in_boilerplate(below) or places.is_behind_content(below)):
            yield from _candidate(evidence.heading(below), "heading", below, 0.65)
    if _head_chapters(evidence):
        row = evidence.headline_row
        yield from _candidate(dict(headings)[row], "h1", row, 0.68)
        return
    head = fold(whole)
    names_site = any(
        row < evidence.headline_row
        and fold(text) == head
        and (
            row in evidence.banners
            or evidence.places.in_boilerplate(row)
            or _with_menu(evidence.page, row)
        )
        for row, text in headings
    )
    if names_site and _declares_none(evidence, whole):
        for row, text in headings:
            yield from _candidate(text, "h1", row, 0.8 if row == evidence.headline_row else 0.1)
        return
    several = len(headings) - len(evidence.banners) > 1
    for row, text in headings:
        weight = 0.68 if row == evidence.headline_row else 0.3
        kept = evidence.content is not None and bool(evidence.content.kept[row])
        heads_content = kept or row <= evidence.content_start
        is_one_of_several = several or (len(headings) > 1 and not heads_content)
        if is_one_of_several and fold(text) not in head:
            weight *= 0.5
        if row in evidence.other_headings or _is_section(evidence, text):
            weight = 0.1
        elif weight > _UNRELATED and whole and evidence.is_unlike_title(text):
            weight = _UNRELATED
        yield from _candidate(text, "h1", row, weight)


def _in_place_of_site(evidence: Evidence) -> int | None:
    """Return the heading that begins the content where the title element names no page."""
    page, start = evidence.page, evidence.content_start
    whole = clean(page.head.title)
    if start < 0 or evidence.page_type != "article" or path_of(page.url or "/a") in {"", "/"}:
        return None
    is_other = _OF_NO_PAGE.fullmatch(whole) or _names_site(evidence, whole)
    if not (is_other and _declares_none(evidence, whole)):
        return None
    return next(
        (row for row in islice(page.ancestors(start), 3) if tags.HEADING[page.tag[row]]), None
    )


def _is_section(evidence: Evidence, heading: str) -> bool:
    """Return whether a heading ends the title element, behind a longer part."""
    whole = evidence.derived(_without_site, clean(evidence.page.head.title))
    *before, last = split_title(whole)
    if not before or fold(last) != fold(heading):
        return False
    return len(_NUMBER_OF_PART.sub("", whole[: cuts(whole)[0][0]])) > 2 * len(heading)


def _with_menu(page: Page, row: int) -> bool:
    """Return whether a heading shares a box, but not the page's body, with a menu."""
    around = (above for above in islice(page.ancestors(row), 2) if above > page.body)
    return any((page.tag[above : page.end[above]] == tags.CODES["nav"]).any() for above in around)


def _head_chapters(evidence: Evidence) -> bool:
    """Return whether h1s head the parts of the content, and the title element a larger work.

    It is short, has no word of theirs, and nothing declares another title.
    """
    whole, content = evidence.page.head.title, evidence.content
    if len(evidence.headings) < _SEVERAL or content is None or not 0 < len(whole) <= _NAME:
        return False
    rows = [row for row, _ in evidence.headings if row not in evidence.other_headings]
    if len(rows) < _SEVERAL or evidence.headline_row != rows[0]:
        return False
    if not (content.kept[rows[1:]].all() and _declares_none(evidence, whole)):
        return False
    headed = (word for _, text in evidence.headings for word in title_words(text))
    return frozenset(title_words(whole)).isdisjoint(headed)


def _declares_none(evidence: Evidence, whole: str) -> bool:
    """Return whether a page declares no title but parts of its title element."""
    metas = (text for _, _, text in evidence.metas(*METAS["title"]))
    others = (one for one in metas if fold(one) not in fold(whole))
    return bool(not evidence.main_nodes and all(map(_OF_NO_PAGE.fullmatch, others)))


def _title_parts(evidence: Evidence) -> Iterator[FieldCandidate]:
    head = evidence.page.head
    whole = _NUMBER.sub("", clean(head.title)).lstrip(f"{_DANGLING}»").rstrip(f"{_DANGLING}«")
    if _OF_NO_PAGE.fullmatch(whole):
        return
    bare, first = _without_site_and_sections(evidence, whole)
    named = len(bare) < len(whole)
    found = [(first, 0.45), (bare, 0.45 if named else 0.35)]
    found += [(text, 0.45) for text in _beside_site(evidence, bare)]
    separators = cuts(bare)
    for number, (stop, start) in enumerate(separators):
        goes_on = bare[start].islower() and bare.count(" ", start) > 1  # "Rye – a short history"
        last = not named and number == len(separators) - 1 and not goes_on
        before = _without_sections(evidence, bare[:stop]) if last else bare[:stop]
        found += [(before, 0.37 if last else 0.25), (bare[start:], 0.15)]
    for text, weight in found:
        yield from _candidate(text, "title", head.title_row, weight)


def _beside_site(evidence: Evidence, whole: str) -> Iterator[str]:
    """Yield what a title has before or behind its site's host or a banner, with no sign between."""
    first, _, behind = whole.partition(" ")
    before, _, last = whole.rpartition(" ")
    names = {text for row, text in evidence.headings if row in evidence.banners}
    for name, rest in ((first, behind), (last, before)):
        if "." in name and rest and any(label in fold(name) for label in evidence.host_labels):
            yield rest
    yield from (whole[len(name) + 1 :] for name in names if whole.startswith(f"{name} "))


def _on_page(evidence: Evidence) -> Iterator[FieldCandidate]:
    """Yield the longest part of the declared titles that is a whole line, or a whole text of an h1.

    Without an h1, or where it names the site, this separates the headline from the site's name;
    within an h1 it separates it from a label, a date or a number.
    """
    page = evidence.page
    texts = dict.fromkeys([clean(page.head.title), *(t for _, _, t in evidence.metas("og:title"))])
    banners = {text for row, text in evidence.headings if row in evidence.banners}
    pieces = {part: len(fold(part)) for text in texts for part in runs(text)}
    row = page.head.title_row  # between wide spaces, where letters are words
    wide = page.text_of(row).strip().split("\u3000") if row >= 0 else []
    pieces |= {part: 2 * len(fold(part)) for part in map(one_line, wide) if part and wide[1:]}
    for part in sorted(pieces, key=pieces.__getitem__, reverse=True):
        if part in banners or pieces[part] < SHORTEST_TITLE or len(cuts(part)) > 1:
            continue
        if evidence.is_title_boilerplate(part) or named_like_site(split_title(part)[-1]):
            continue
        for at in islice(places_of(part, page.text, 0, len(page.text)), 4):
            row = evidence.row_at(at)
            if page.shown[row] and _may_be_headline(evidence, row, part):
                yield from _candidate(part, "line", row, 0.6)
                return


def _may_be_headline(evidence: Evidence, row: int, part: str) -> bool:
    """Return whether a title part is a whole line outside links, or a whole text in an h1.

    A heading may be a link; forums link the subject of a topic to the topic itself.
    """
    page = evidence.page
    if page.in_link[row] and (
        not (
            any(tags.HEADING[page.tag[above]] for above in islice(page.ancestors(row), 3))
            or _leads_to_thread(evidence, row)
        )
        or _names_site(evidence, part)
        or evidence.places.in_boilerplate(row)
    ):
        return False
    if evidence.in_heading(row) and _is_section(evidence, part):
        return False
    return part == (page.folded(row) if evidence.in_heading(row) else line_at(evidence, row)[1])


def _leads_to_thread(evidence: Evidence, row: int) -> bool:
    """Return whether a row of a forum's page is in a link to a page of the same path."""
    page, own = evidence.page, path_of(evidence.page.url or "")
    if evidence.page_type != "forum" or own in {"", "/"}:
        return False
    hrefs = (page.attribute(above, "href") for above in islice(page.ancestors(row), 3))
    return any(path_of(evidence.absolute(href)) == own for href in hrefs if href)


def _in_elements(evidence: Evidence) -> Iterator[FieldCandidate]:
    """Yield the texts of elements near the headline that microdata or their names call a title."""
    page, places = evidence.page, evidence.places
    said = [
        (row, "microdata:headline", 0.6)
        for row, of in places.having("itemprop")
        if "headline" in of
    ]
    said += [(row, "title:class", 0.4) for row in places.named(TITLES)[:5]]
    for row, source, weight in said:
        text = one_line(page.text_of(row))
        if not evidence.names_other_page(row, text):
            yield from _candidate(text, source, row, weight * places.nearness(row))


def _in_bold(evidence: Evidence) -> Iterator[FieldCandidate]:
    """Yield the first line of the content where it is bold, large or in the middle."""
    page, content = evidence.page, evidence.content
    kept = page.shown if content is None else content.kept
    for row in (kept & page.written).nonzero()[0][:1].tolist():
        if any(page.name(above) in _BOLD for above in islice(page.ancestors(row), 3)):
            yield from _candidate(line_at(evidence, row)[1][:100], "line", row, 0.3)
