"""The dates of publication and of the last modification.

Declared: JSON-LD, metas, the page's address, title and embedded state. Visible: microdata, time
elements, elements whose class or id names a date, lines near the headline, any text. Dates in
comments, teasers and footers have low weights; dates in the future are ignored.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from functools import lru_cache
from heapq import merge
from itertools import chain, islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.elements.date_words import (
    MOMENT_NAMES,
    MOMENTS,
    half_of_day,
    month_of,
    order_of,
    tells_when,
)
from chaffinch.elements.dates_in_text import (
    dates_in,
    day_of,
    may_hold_date,
    parse_both_ways,
    parse_date,
    plausible,
)
from chaffinch.metadata.date_labels import AROUND, DateRole, dated_parts, label_before, labels_in
from chaffinch.metadata.json_ld import ARTICLE
from chaffinch.metadata.language import language
from chaffinch.metadata.names import has_label
from chaffinch.metadata.places import DATES, TEXT, Places
from chaffinch.metadata.sources import OF_LISTS, Evidence, value_by_rule, written
from chaffinch.metadata.values import (
    METAS,
    WORDS,
    FieldCandidate,
    FieldValue,
    choose_value,
    clean,
    one_line,
    places_of,
)
from chaffinch.page import Page, tags
from chaffinch.page.attributes import Search
from chaffinch.wording import any_of

_PUBLISHED: Final = METAS["published"]
_MODIFIED: Final = METAS["modified"]
_META_PUBLISHED: Final = re.compile(
    r"publi[sc]|posted|issued|release|creat|(?:pub|reg)[_-]?(?:date|time)"
)
_META_MODIFIED: Final = re.compile(r"modif|updat|revis|changed")
_META_DATE: Final = re.compile(r"date$")
_META_OTHER: Final = re.compile(
    r"expir|valid|event|start|end|until|birth|copyright|publisher|verif|upload"
)
_ADDRESS: Final = re.compile(
    r"(?<![\d])((?:19|20)\d\d)([/_-]?)(0[1-9]|1[0-2]|[1-9](?=\D))"
    r"(?:\2|(?<=[/-]\d\d)[/-]?(?=\d\d))(0[1-9]|[12]\d|3[01]|[1-9](?=\D|$))(?!\d)"
)
_ADDRESS_NAMED: Final = re.compile(
    r"/((?:19|20)\d\d)/([a-z]{3,9})/(0?[1-9]|[12]\d|3[01])(?=/|$)", re.IGNORECASE
)
_STATE: Final = re.compile(
    r"(?:[cC]reateTime(?=\s*=)|[Pp](?i:(?:(?<=date.)|(?<=date_.))ublished"
    r"|ublish(?:ed)?_?(?:date|at|on|time)|ublication_?date|ost_?date|ub_?(?:date|time)))"
    r"(?:\\?[\"'])?\s*[:=]\s*\\?[\"']((?:19|20)\d\d[-/][^\"'\\]{4,25}|1\d{9}(?!\d))"
)
_FIELDS: Final = {"datePublished": 0.0, "datePosted": 0.0, "dateCreated": 0.15, "uploadDate": 0.3}
"""Fields of JSON-LD with the day on which a page appeared, and what each weighs less."""
_LIKELY_BUILD_DATE: Final = 0.85
"""Factor on the weight of a publication date equal to the modification date to the second: often
it is the time of the last build. Chosen on the tuning half of wcxb (bench/quality/metadata.py)."""
_CERTAIN: Final = 0.7
_OF_OPENER: Final = 0.5  # weight of the day of a thread's first post
_EAST: Final = 10  # the first hour of UTC in which it is tomorrow somewhere
_WEST: Final = 12  # until this hour of UTC it is yesterday somewhere


def published(evidence: Evidence) -> FieldValue[date] | None:
    """Return the date of publication, as date or datetime; None where the page gives none.

    Where the general finder's date is of the day that a rule selects and has a time, it is the
    more precise one.
    """
    return value_by_rule(
        evidence,
        "date",
        lambda one: parse_date(written(evidence.page, one), locale=evidence.locale),
        _published(evidence),
        lambda own, found: isinstance(own, datetime) and own.date() == day_of(found.value),
    )


def _published(evidence: Evidence) -> FieldValue[Any] | None:
    candidates = list(_declared(evidence, _PUBLISHED, _FIELDS))
    url = evidence.page.url or evidence.address
    days = list(_in_addresses(evidence, [(-1, "url", url)], 0.5))
    candidates = [*(_on_day(one, days) for one in _local(evidence, candidates)), *days]
    found = choose_value(candidates, _near_days)
    if found is not None and found.confidence >= _CERTAIN:
        return found
    head = evidence.page.head
    last = head.title.rpartition("|")[2].strip()  # a whole part of the title element
    candidates += _by_name(evidence, changed=False)
    plain, dates = dates_in(last, evidence.locale)
    if dates and dates[0].start == 0 and len(plain) <= dates[0].stop + 1:  # 2021年3月4日
        candidates += _read(evidence, last, "title", head.title_row, 0.5)
    is_list, is_near = evidence.page_type in OF_LISTS, evidence.places.is_below_headline
    candidates += [
        one
        for one, changed in evidence.derived(_visible)
        if not changed and (not is_list or is_near(one.row, _NEAR_HEADLINE))
    ]
    _, row, day = evidence.opener
    if row >= 0:
        candidates += _read(evidence, day, "thread:opener", row, _OF_OPENER)
    if not candidates:
        candidates = _labelled(evidence, _PUBLISHED_LABELS) or [
            one._replace(weight=one.weight / 2) for one in evidence.derived(_changes)
        ]
    if not candidates and not is_list and evidence.page_type != "service":
        images = evidence.metas("og:image", "twitter:image")
        anywhere = (one for one in _in_text(evidence) if not _is_of_work(evidence, one))
        candidates = [*_in_embedded_state(evidence), *anywhere] or list(
            islice(_in_addresses(evidence, images, 0.2), 2)
        )
    return choose_value(_with_times(candidates), _near_days)


def modified(evidence: Evidence) -> FieldValue[date] | None:
    return choose_value(_with_times(_local(evidence, evidence.derived(_changes))), _near_days)


def _changes(evidence: Evidence) -> list[FieldCandidate]:
    """Return the dates of modification; where there are none, those behind labels anywhere."""
    found = [
        *_declared(evidence, _MODIFIED, {"dateModified": 0.0}),
        *_by_name(evidence, changed=True),
        *(one for one, changed in evidence.derived(_visible) if changed),
    ]
    return found or _labelled(evidence, _MODIFIED_LABELS)


def _local(evidence: Evidence, candidates: list[FieldCandidate]) -> list[FieldCandidate]:
    """Return the candidates, times in UTC converted to the zone of the page's time elements.

    Near midnight this is another day, the one that readers see.
    """
    page, moments = evidence.page, [one for one in candidates if _in_utc(one.value)]
    for row in page.is_tag("time").nonzero()[0][:_MOST_ROWS].tolist() if moments else ():
        own = parse_date(page.attribute(row, "datetime") or "")
        if not isinstance(own, datetime) or not own.utcoffset():
            continue
        same = [one for one in moments if abs(own - one.value) < timedelta(minutes=1)]
        if same:
            return [
                _at(one, one.value.astimezone(own.tzinfo)) if one in same else one
                for one in candidates
            ]
    return candidates


def _at(one: FieldCandidate, value: date) -> FieldCandidate:
    return one._replace(value=value, key=day_of(value))


def _on_day(one: FieldCandidate, addresses: list[FieldCandidate]) -> FieldCandidate:
    """Return a time in UTC on the day before or after that of the address as the latter.

    Where a time zone can explain the difference.
    """
    for day in addresses if _in_utc(one.value) else ():
        ahead, hour = (day.value - day_of(one.value)).days, one.value.hour
        if (ahead == 1 and hour >= _EAST) or (ahead == -1 and hour < _WEST):
            return _at(one, day.value)
    return one


def _in_utc(value: date | datetime) -> bool:
    return isinstance(value, datetime) and value.utcoffset() == timedelta(0)


def _with_times(candidates: Iterable[FieldCandidate]) -> list[FieldCandidate]:
    """Return the candidates, each with the most exact value that a source gives for its day."""
    known = list(candidates)
    exact: dict[Any, date] = {}
    for one in sorted(known, key=lambda c: (not isinstance(c.value, datetime), -c.weight)):
        exact.setdefault(one.key, one.value)
    return [one._replace(value=exact[one.key]) for one in known]


def _near_days(key: date, other: date) -> float:
    """Return how far a day supports another: adjacent days may be one time in two zones."""
    return 0.4 if abs((key - other).days) == 1 else 0.0


# Declared dates.


def _declared(
    evidence: Evidence, metas: dict[str, float], fields: dict[str, float]
) -> Iterator[FieldCandidate]:
    """Yield the dates of JSON-LD fields, in descending weight, and of metas by name."""
    for node in evidence.own_nodes:
        changed = evidence.text(node.properties.get("dateModified"))
        for field, less in fields.items():
            value = node.properties.get(field)
            text = evidence.text(value) or str(value or "")  # perhaps a number
            weight = (0.75 if node.rank == ARTICLE else 0.5) - less
            if metas is _PUBLISHED and text == changed:
                weight *= _LIKELY_BUILD_DATE
            yield from _read(evidence, text, node.source(field), node.row, weight)
    for name in filter(metas.__contains__, evidence.page.head.meta):  # in the page's order
        for row, source, text in evidence.metas(name):
            if not evidence.places.in_reply(row):
                yield from _read(evidence, text, source, row, metas[name])


def _by_name(evidence: Evidence, *, changed: bool) -> Iterator[FieldCandidate]:
    """Yield dates of other metas whose names contain a word for publication or modification."""
    metas = evidence.page.head.meta
    for name, (weight, of_change) in zip(metas, map(_named_date, metas), strict=True):
        if weight and of_change == changed:
            for row, source, text in evidence.metas(name):
                yield from _read(evidence, text, source, row, weight)


@lru_cache(maxsize=1024)
def _named_date(name: str) -> tuple[float, bool]:
    """Return the weight of a date in a meta by its name, 0 for none, and whether it is of a change.

    Cached, since pages share the names of their metas.
    """
    of_change = _META_MODIFIED.search(name) is not None
    if name in _PUBLISHED or name in _MODIFIED or _META_OTHER.search(name):
        return 0.0, of_change
    named = of_change or _META_PUBLISHED.search(name)
    return 0.5 if named else 0.35 if _META_DATE.search(name) else 0.0, of_change


def _read(
    evidence: Evidence, text: str, source: str, row: int, weight: float
) -> Iterator[FieldCandidate]:
    """Yield the date in a text, if it is plausible for a page.

    An ambiguous numeric date gives two candidates; the order of day and month that is usual in the
    page's language and country has the higher weight.
    """
    if text:
        both = parse_both_ways(text, evidence.locale)
        yield from _plausible(evidence, both, source, row, weight)


def _plausible(
    evidence: Evidence, both: tuple[date | None, date | None], source: str, row: int, weight: float
) -> Iterator[FieldCandidate]:
    """Yield a date that was read, and its other reading, if they are plausible for a page."""
    first, other = both
    if other != first and evidence.derived(_has_foreign_order):
        first, other = other, first
    if first is not None and plausible(first):
        yield FieldCandidate(first, day_of(first), source, row, weight)
    if other is not None and other != first and plausible(other):
        yield FieldCandidate(other, day_of(other), source, row, weight * 0.6)


def _has_foreign_order(evidence: Evidence) -> bool:
    """Return whether dates are read with the month in front on a page whose text says otherwise.

    Templates declare English, or nothing.
    """
    locale = evidence.locale
    if order_of(locale)[0] != "M" or locale.endswith("-mdy"):
        return False
    found = evidence.derived(language)
    return found is not None and order_of(found.value)[0] == "d"


def _in_addresses(
    evidence: Evidence, addresses: Iterable[tuple[int, str, str]], weight: float
) -> Iterator[FieldCandidate]:
    """Yield the day in the first address that has one, in numbers or with the month's name."""
    for row, source, url in addresses:
        if found := _ADDRESS.search(url[:500]):
            year, month, day = found[1], int(found[3]), found[4]
        elif named := next((m for m in _ADDRESS_NAMED.finditer(url[:500]) if month_of(m[2])), None):
            year, month, day = named[1], month_of(named[2]), named[3]
        else:
            continue
        yield from _read(evidence, f"{year}-{month:02}-{int(day):02}", source, row, weight)
        return


def _in_embedded_state(evidence: Evidence) -> Iterator[FieldCandidate]:
    """Yield the first publication date in each embedded state; it may be another page's.

    Of JSON-LD only in such as is broken.
    """
    whole = {node.row for node in evidence.nodes}
    for row, kind, _, source in evidence.page.head.scripts:
        is_read = kind == "application/ld+json" and row in whole
        if not is_read and (found := _STATE.search(source)):
            yield from _read(evidence, found[1], "state", row, 0.2)


# Visible dates.
_NAMES_OF_CHANGES: Final = ("updat", "modif", "edited", "revis", "aktualis", "actualiz", "aggiorn")
"""Parts of names of elements that hold the date of a change."""
_OF_EVENT: Final = re.compile(rf"(?<![a-z])(?:{WORDS['names of what takes place']})(?![a-z])")
_IN_EVENTS: Final = tuple(WORDS["words in names of what takes place"].split())
"""What each such name holds."""
_EVENTS: Final = tuple(Search(name, *_IN_EVENTS) for name in ("class", "itemprop"))
_OF_VOCABULARIES: Final = ("datepublished", "datemodified", "datecreated", "dc:created", "dc:date")
"""What the properties of microdata and RDFa that hold a date of the page contain."""
_BEFORE, _MOST_BEFORE = 40, 4  # characters and texts before an element that may be its label
_MOST_READ: Final = 400  # characters of a text that are looked at for them, with white space
_H1: Final = tags.CODES["h1"]
_HEADINGS: Final = frozenset(tags.CODES[f"h{level}"] for level in range(2, 7))
_HEADS_OF_COLUMNS: Final = tags.CODES["thead"]
_ICONS: Final = tags.table(["i", "svg", "span", "img"])
_YEAR: Final = re.compile(r"(?<!\d)\d{4}(?!\d)")
_NAMING: Final = re.compile(r"[^\W\d_]{2,}")
_MOST_OF_DATE: Final = 3  # words in the link of a date, with which it is another page's
_EPOCH: Final = 10  # digits of seconds since 1970
_CLOCK, _LONGEST_MOMENT = 40, 60  # characters of what is shown of such a moment, and of itself
_NO_CLOCKS: Final = tags.table(["time", "ins", "del", "a"])  # the first are found by their tag
_START: Final = re.compile(r"(?:start date|開始日)\W{0,3}\Z", re.IGNORECASE)
"""The label of an event's first day, and of the day on which somebody began a thread."""
_PLACE: Final = re.compile(
    rf"(?<![^\W_]){any_of(WORDS['labels of places'].split('|'))}\s?(?:[:：]|$)",
    re.IGNORECASE | re.MULTILINE,
)
"""A line with the label of a place where something happens, which is near that of its day."""
_LINES_TO_PLACE: Final = 5
_BLOCK: Final = 200  # characters of an element that may be a dateline
_LABEL: Final = 25  # characters of a text that is only a label
_LINE: Final = 90  # characters of a line that gives a date; longer ones are prose
_MOST_ROWS: Final = 60
_NEAR_HEADLINE: Final = 250
"""Characters from the beginning of a list's headline to its date; further down are its entries'."""
_PUBLISHED_LABELS, _MODIFIED_LABELS = (
    tuple(WORDS["labels_of_visible_dates"][role].split("|")) for role in ("published", "modified")
)

_OF_PAGE: Final = frozenset(("published", "created"))
_Dated = tuple[FieldCandidate, DateRole]


def _visible(evidence: Evidence) -> list[tuple[FieldCandidate, bool]]:
    """Return (candidate, whether it is of a modification) of visible dates outside replies."""
    page, places = evidence.page, evidence.places
    found: list[_Dated] = []
    for row, names in (*places.having("itemprop"), *places.having("property")):
        if field := next(filter(names.__contains__, _OF_VOCABULARIES), ""):
            own: DateRole = "modified" if "modified" in field else "published"
            dated = _in_elements(evidence, [row], f"microdata:{field}", 0.6)
            found += [(one, role or own) for one, role in dated]
    first, last = places.rows
    times = [row for row in page.is_tag("time").nonzero()[0].tolist() if first <= row < last]
    times = sorted({*times, *_clock(evidence)})
    for rows, source, weight in ((times, "time", 0.6), (places.named(DATES), "date:class", 0.5)):
        dated = _in_elements(evidence, rows[:_MOST_ROWS], source, weight)
        found += [(one, role or evidence.derived(_role_of_element, one.row)) for one, role in dated]
    found += _in_lines(evidence)
    return [
        (one, role == "modified")
        for one, role in _beside_others(evidence, found)
        if role != "other"
        and (role or not _is_of_work(evidence, one))
        and not places.in_reply(one.row)
    ]


def _beside_others(evidence: Evidence, found: list[_Dated]) -> list[_Dated]:
    """Return dates with what those around them say of them.

    Where the day of publication is labelled, that of creation isn't it, nor an unlabelled one
    beside, or above the headline: today's, which it is where another stands below it, too.
    """
    at = evidence.page.written_before
    if any(role == "published" for _, role in found):
        found = [it for it in found if it[1] != "created"]
    labelled = [int(at[one.row]) for one, role in found if role in _OF_PAGE]
    title = evidence.headline_row
    is_below = any(title < one.row and at[one.row] - at[title] <= _BLOCK for one, _ in found)

    def weighed(one: FieldCandidate, role: DateRole) -> _Dated:
        near = any(abs(int(at[one.row]) - other) <= _BLOCK for other in labelled)
        is_other = (labelled or is_below) if one.row < title else near
        return (one._replace(weight=0.4 * one.weight) if is_other and not role else one), role

    return [weighed(*it) for it in found]


def _clock(evidence: Evidence) -> list[int]:
    """Return the first element, if any, that shows what a script makes of one of its attributes."""
    page, (first, last) = evidence.page, evidence.places.rows
    may_be = page.length <= _CLOCK
    may_be &= ~_NO_CLOCKS.take(page.tag)
    may_be[:first] = may_be[last:] = False
    rows = sorted(
        row
        for name in page.attribute_names & MOMENT_NAMES
        for row, value in page.having(name, may_be)
        if len(value) <= _LONGEST_MOMENT
        and (may_hold_date(value) or (value.isdigit() and len(value) >= _EPOCH))
        and tells_when(name, page.text_of(row))
    )
    # Days of a calendar have such attributes, too, and show their numbers.
    return [*islice((row for row in rows if _NAMING.search(page.text_of(row))), 1)]


def _is_of_work(evidence: Evidence, one: FieldCandidate) -> bool:
    """Return whether a date without a label is of what the page declares: a review, an event."""
    is_product = any("Product" in node.type for node in evidence.main_nodes)
    return is_product or one.key in evidence.derived(_days_of_events)


def _days_of_events(evidence: Evidence) -> frozenset[date]:
    """Return the days on which something begins, ends or is valid the last time.

    What the page declares, or what its lines announce with a place: "Date: … | Venue: …".
    """
    texts = (
        evidence.text(node.properties.get(field))
        for node in evidence.main_nodes
        for field in ("startDate", "endDate", "validThrough")
    )
    days = [day_of(found) for text in texts if text and (found := parse_date(text))]
    lines = evidence.places.near
    for number in evidence.places.dated:
        if _PLACE.search("\n".join(map(TEXT, lines[number : number + _LINES_TO_PLACE]))):
            near = map(TEXT, lines[max(0, number - 2) : number + _LINES_TO_PLACE])
            if not any(map(has_label, near)):  # no dateline: By: … Date: … Place: …
                days += (
                    day_of(one.value) for one in dates_in(lines[number][1], evidence.locale)[1]
                )
    return frozenset(days)


def _in_elements(
    evidence: Evidence, rows: list[int], source: str, weight: float
) -> Iterator[_Dated]:
    """Yield (date, role by a label in it) of elements: of `MOMENTS`, or their text.

    Most elements that are looked at have no date; what costs more than finding that out comes
    after it.
    """
    if not rows:
        return
    page, places = evidence.page, evidence.places
    names = [*filter(page.attribute_names.__contains__, MOMENTS)]
    values = page.own_attributes.values_of(np.array(rows, dtype=np.int32), *names)
    for row, own in zip(rows, values, strict=True):
        # A reference to a character may be one of a digit, and be escaped twice.
        texts = [
            clean(one)
            for one in filter(None, own)
            if "&" in one or may_hold_date(one) or one.strip().isdigit()
        ]
        line = _dateline(page, row)
        if not (texts or line):
            continue
        region = places.boilerplate_at(row)  # within an article, one without links is its own
        if region >= 0 and (page.link_length[region] or places.in_boilerplate_except_sidebar(row)):
            continue
        if places.belongs_elsewhere(row) or places.in_masthead(row):
            continue
        if _is_of_other_page(evidence, row):
            continue
        weighed = weight * (0.25 + 0.75 * places.nearness(row))
        read = (one for text in texts for one in _read(evidence, text, source, row, weighed))
        found: list[_Dated] = [(one, "") for one in islice(read, 1)]
        yield from found or _in_line(evidence, line, row, weighed, source)


def _is_of_other_page(evidence: Evidence, row: int, least: int = _MOST_OF_DATE) -> bool:
    """Return whether the link around a row has so many words that aren't of its dates.

    That of the page has the headline in it, or begins with a label: "Edited on …".
    """
    page, title = evidence.page, evidence.headline_row
    if not page.in_link[row]:
        return False
    link = next(up for up in (row, *page.ancestors(row)) if page.name(up) == "a")
    text = _apart(page, link)
    is_own = link <= title < page.end[link] or title in page.ancestors(link)
    if is_own or not may_hold_date(text) or any(start == 0 for start, _, _ in labels_in(text)):
        return False  # or the date stands behind the link
    return len([*islice(_other_words(evidence, text), least)]) == least


def _other_words(evidence: Evidence, text: str) -> Iterator[str]:
    """Yield the words of a text that are no part of its dates, and no label of one."""
    plain, found = dates_in(text, evidence.locale)
    for one in reversed(found):
        plain = f"{plain[: one.start]} {plain[one.stop :]}"
    for word in _NAMING.findall(plain):
        if half_of_day(word) is None and not (month_of(word) or labels_in(word)):
            yield word


def _dateline(page: Page, row: int) -> str:
    """Return the text of an element as one line if it may be a dateline; else ""."""
    start, stop = page.text_at.item(row), page.text_at.item(page.end.item(row))
    if not 0 < page.length[row] <= 2 * _BLOCK or not may_hold_date(page.text, start, stop):
        return ""
    line = _apart(page, row)
    return line if len(line) <= _BLOCK else ""


def _apart(page: Page, row: int) -> str:
    """Return the texts of an element with spaces between: scripts and styles often show them so."""
    rows, at = page.written[row : page.end.item(row)].nonzero()[0] + row, page.text_at
    return one_line(" ".join(kernels.folded_texts(page.text, at[rows], at[rows + 1])))


def _in_line(
    evidence: Evidence, line: str, row: int, weight: float, source: str = "text"
) -> Iterator[_Dated]:
    """Yield the dates of a line that aren't of something else, with the roles by their labels.

    Of those without a label the first one, where none is labelled as that of publication; of a day
    in two calendars, the Gregorian one.
    """
    parts = dated_parts(line, evidence.locale) if line else ()
    parts = tuple(part for part in parts if part.reading.gregorian) or parts
    unlabelled = any(role in _OF_PAGE for _, role in parts)
    for reading, role in parts:
        if role == "other" or (not role and unlabelled):
            continue
        unlabelled |= not role
        both = reading.value, reading.other
        for one in _plausible(evidence, both, source, row, weight):
            yield one, role


def _role_of_element(evidence: Evidence, row: int) -> DateRole:
    """Return what the date of an element is of, by its names and the text that it follows."""
    page = evidence.page
    pairs = page.attributes(row)
    own = f"{pairs.get('class') or ''} {pairs.get('itemprop') or ''}".lower()
    if _is_of_event(evidence, row):
        return "other"
    before = evidence.derived(_text_before, row)
    digits = [*filter(str.isdigit, before)]
    role = label_before(before.rpartition(digits[-1])[2] if digits else before)
    # WordPress calls the time of publication "published updated" where nothing was changed.
    is_named = "publish" not in own and any(map(own.__contains__, _NAMES_OF_CHANGES))
    if is_named and role != "created":
        return "modified"
    if role == "other" and _START.search(before) and evidence.page_type == "forum":
        return "published"
    return role


def _is_of_event(evidence: Evidence, row: int) -> bool:
    """Return whether a row is in an element that is named for when something takes place."""
    if not (named := evidence.derived(_of_events)):
        return False
    page = evidence.page
    around = (row, *islice(page.ancestors(row), 2))
    return any(at in named and page.length[at] <= _BLOCK for at in around)


def _of_events(evidence: Evidence) -> frozenset[int]:
    """Return the elements that are named for when something takes place."""
    page = evidence.page
    found = (one.where(page, lambda own: bool(_OF_EVENT.search(own.lower()))) for one in _EVENTS)
    return frozenset(chain.from_iterable(found))


def _text_before(evidence: Evidence, row: int, stop: int = 0) -> str:
    """Return the text before a place in a row, texts of different rows apart, with icons' names.

    The place is by default that where the row's text begins.
    """
    page = evidence.page
    parts: list[str] = []
    begins, before, left = page.text_at, page.written_before, _BEFORE
    stop = stop or begins.item(row)
    first = max(int(before.searchsorted(before[row] - _BEFORE)) - 1, 0)
    around = slice(first, row + 1)
    icons = _ICONS.take(page.tag[around]) & (page.length[around] == 0)
    rows = (icons | page.written[around]).nonzero()[0][::-1] + first
    in_headings = evidence.derived(_in_headings)
    for at in rows.tolist():
        if left <= 0 or len(parts) >= _MOST_BEFORE:
            break
        if icons[at - first]:
            if named := page.attribute(at, "title") or page.attribute(at, "aria-label"):
                parts.append(f"{named}:")
            continue
        end = min(begins.item(at + 1), stop)
        own = one_line(page.text[max(begins.item(at), end - _MOST_READ) : end])[-left:]
        tag = set[int]()
        if in_headings[at]:
            tag = {page.tag.item(above) for above in islice(page.ancestors(at), 3)}
        if own and (_H1 in tag or (page.in_link[at] and tag & _HEADINGS)):  # titles of pages
            break
        parts.append(own)
        left -= len(own)
        if own and tag & _HEADINGS:  # what stands above is of another section
            break
    return one_line(" ".join(parts[::-1]))


def _in_headings(evidence: Evidence) -> NDArray[np.bool_]:
    return evidence.page.inside(tags.HEADING.take(evidence.page.tag))


def _in_lines(evidence: Evidence) -> Iterator[_Dated]:
    """Yield the dates in short lines of text around the headline."""
    page, places = evidence.page, evidence.places
    lines = [places.near[number] for number in places.dated]
    lines = [(row, text) for row, text in lines if len(text) <= _BLOCK]
    apart = [places.boilerplate_at(row) for row, _ in lines]
    posted: Any = None
    for (row, text), region in zip(lines, apart, strict=True):
        last = int(page.line.searchsorted(page.line[row], "right")) - 1
        if _is_apart(places, last) or _is_of_event(evidence, row):
            continue
        # In the headline it is of what the page is about.
        whole = 0.2 if evidence.in_heading(row) else 0.4
        found = list(_in_line(evidence, text, row, whole * (0.25 + 0.75 * places.nearness(row))))
        if found and not found[0][1] and _has_label_apart(evidence, row, text):
            found = [(one, role or evidence.derived(_role_of_element, row)) for one, role in found]
        if not found or found[0][1] == "other":
            continue
        labelled = any(role for _, role in found)
        # Of a list of pages.
        is_link = page.name(int(page.parent[row])) == "a"
        begins_with_link = is_link and not may_hold_date(page.text_of(row))
        if not labelled and (
            _is_prose(evidence, text)
            # Several lines with dates in a sidebar are of teasers.
            or (region >= 0 and apart.count(region) > 1)
            or (places.is_behind_content(row) and (region >= 0 or begins_with_link))
            or places.in_masthead(row)
            or _is_of_other_page(evidence, row, 1)
        ):
            continue
        # The first post of a thread has the time of its day; what follows are answers.
        if posted is None or labelled or found[0][0].key == posted:
            yield from found
        if posted is None and not labelled and evidence.page_type == "forum":
            posted = found[0][0].key if isinstance(found[0][0].value, datetime) else None


def _is_apart(places: Places, row: int) -> bool:
    """Return whether a row is in a card, a caption, a comment, or below the heads of columns."""
    page = places.page
    tables = (at for at in page.ancestors(row) if page.name(at) == "table")
    table = next(tables, row) if "thead" in page.tag_names else row
    is_below_heads = bool((page.tag[table:row] == _HEADS_OF_COLUMNS).any())
    return is_below_heads or places.belongs_elsewhere(row)


def _has_label_apart(evidence: Evidence, row: int, line: str) -> bool:
    """Return whether a line begins with a date and its label is in what stands before it.

    A date begins with its day, or the month before.
    """
    page, (plain, found) = evidence.page, dates_in(line, evidence.locale)
    words = _NAMING.findall(plain[: found[0].start]) if found else ("?",)
    if not all(map(month_of, words)):
        return False
    is_cell = any(page.name(at) in {"td", "dd"} for at in islice(page.ancestors(row), 3))
    if is_cell or evidence.derived(_text_before, row)[-1:] in {":", "："}:
        return True
    before = next((at for at in range(row - 1, max(0, row - _BEFORE), -1) if page.written[at]), row)
    if "label" in (page.attribute(int(page.parent[before]), "class") or ""):
        return True
    text = one_line(page.text_of(before))
    return len(text) <= _LABEL and label_before(text) in {*_OF_PAGE, "modified"}


def _labelled(evidence: Evidence, labels: tuple[str, ...]) -> list[FieldCandidate]:
    """Return dates anywhere on the page after words such as "published on", the first ones.

    Those of changes may stand in the footer, and before their label in Korean and Hindi.
    """
    page = evidence.page
    out: list[FieldCandidate] = []
    changed = labels is _MODIFIED_LABELS
    for word in evidence.words_in_text(labels):
        for at in islice(places_of(word, page.text, 0, len(page.text)), 5):
            row = evidence.row_at(at)
            begin = max(int(page.text_at[row]), at - AROUND) if changed else max(0, at - 1)
            if not may_hold_date(page.text, begin, at + _LINE):
                continue
            text = one_line(page.text[begin : at + _LINE])
            wanted = {"modified", ""} if changed else {"published", "created", ""}
            found = [one for one, role in _in_line(evidence, text, row, 0.2) if role in wanted]
            is_apart = not changed and evidence.places.in_boilerplate_except_sidebar(row)
            if found and page.shown[row] and not is_apart:
                out += found
                break
    return out


def _in_text(evidence: Evidence) -> Iterator[FieldCandidate]:
    """Yield every date on the page, weighted by nearness to the headline: the last resort."""
    page, places = evidence.page, evidence.places
    for row in _without_teasers(evidence, page.is_tag("time").nonzero()[0][:_MOST_ROWS].tolist()):
        text = page.attribute(row, "datetime") or page.folded(row)
        weight = 0.15 * places.nearness(row) + 0.02
        if evidence.derived(_role_of_element, row) != "other":
            yield from _read(evidence, clean(text), "time", row, weight)
    whole = (places_of(century, page.text, 0, len(page.text)) for century in ("19", "20"))
    years = islice((at for at in merge(*whole) if _YEAR.match(page.text, at)), _MOST_ROWS)
    rows = [(at, evidence.row_at(at)) for at in years]
    kept = {*_without_teasers(evidence, [row for _, row in rows])}
    for at, row in rows:
        if row not in kept or not page.shown[row] or _is_of_event(evidence, row):
            continue
        line = one_line(page.text_of(row))
        is_other = label_before(_text_before(evidence, row, at)) == "other"
        is_other |= any(one.role == "other" for one in dated_parts(line, evidence.locale))
        if is_other or _is_prose(evidence, line) or _is_of_other_page(evidence, row, 1):
            continue
        weight = 0.12 * places.nearness(row) + 0.01
        # Where this text has no day and month, they may be in the element before.
        own = max(int(page.text_at[row]), at - 20)
        texts = (one_line(page.text[start : at + 12]) for start in (own, max(0, at - 20)))
        read = (list(_read(evidence, text, "text", row, weight)) for text in texts)
        yield from next(filter(None, read), ())


def _is_prose(evidence: Evidence, line: str) -> bool:
    """Return whether a line is a sentence, but for one that begins as «OSLO, 3 May 2021 – …»."""
    if len(line) <= {"。": 0, "।": 0, ".": 2 * _LINE // 5}.get(line[-1:], _LINE):
        return False
    plain, found = dates_in(line, evidence.locale)
    begins = bool(found) and found[0].start <= _BEFORE
    return not (begins and plain[found[0].stop :].lstrip(" 日일").startswith(tuple("-—(:|)/")))


def _without_teasers(evidence: Evidence, rows: list[int]) -> list[int]:
    """Return the dated rows outside boilerplate and cards; several in a sidebar are of teasers.

    Several in a list are of what it lists: sources, what happened when.
    """
    page, places = evidence.page, evidence.places
    lists = kernels.nearest(page.parent, page.is_tag("dl", "ol", "ul")).take(rows).tolist()
    dated = Counter(at for at, _ in {*zip(lists, rows, strict=True)})
    apart, is_aside = [*map(places.boilerplate_at, rows)], places.in_boilerplate_except_sidebar
    return [
        row
        for row, around, region in zip(rows, lists, apart, strict=True)
        if around < 0 or dated[around] == 1
        if region < 0 or (apart.count(region) == 1 and not is_aside(row))
        if not (_is_apart(places, row) or places.in_masthead(row))
    ]
