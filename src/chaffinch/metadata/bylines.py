"""Who wrote a page.

Candidates: JSON-LD, metas, microdata, links with ``rel=author``, elements whose class or id names
an author, and labels in lines near the headline or behind the content (`credits_of`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import compress, count, filterfalse, islice, repeat, takewhile
from typing import Any, Final

from chaffinch import kernels
from chaffinch.elements import WORDS as WORDS_OF_ELEMENTS
from chaffinch.elements.dates_in_text import parse_date
from chaffinch.metadata.byline_labels import (
    AND,
    CONTRIBUTORS,
    FIRST_AND,
    LONGEST_LINE,
    byline_parts,
    is_label,
)
from chaffinch.metadata.credited import (
    Names,
    authors_in,
    by_nearness,
    credits_of,
    introduced,
    is_japanese,
    line_at,
    names_of,
    names_only_as,
    parts_of,
    undated_lines,
)
from chaffinch.metadata.date_labels import label_before
from chaffinch.metadata.json_ld import PAGE, WORK, types_of
from chaffinch.metadata.language import language
from chaffinch.metadata.names import (
    is_collective,
    is_outlet,
    japanese_names,
    split_names,
    whole_names,
    without_label,
)
from chaffinch.metadata.places import BYLINES, TEXT, USERS, shown_texts
from chaffinch.metadata.sources import Evidence, value_by_rule, written
from chaffinch.metadata.values import (
    FIRST_WITHOUT_CASE,
    METAS,
    WORDS,
    FieldCandidate,
    FieldValue,
    choose_value,
    clean,
    fold,
    one_line,
    places_of,
    shared,
    word_set,
)
from chaffinch.page import Page, tags
from chaffinch.page.attributes import Search
from chaffinch.page.selectors import Selected
from chaffinch.wording import any_of, fold_words

_TWITTER_LABELS: Final = tuple(WORDS["labels of authors in cards"].split("|"))
_BYLINE_STARTS: Final = ("ritten by ", "ritten by:", "erfasst von ", "crit par ", "scrito por ")
_THIS: Final = re.compile(r"\b(?:this|dies\w*|cet(?:te)?|este|esta)\b", re.IGNORECASE)
"""What stands amid a line before one of these: "This article was written by"; a book is prose."""
_AMID: Final = re.compile(r"[\w,]\s?\Z")
_CONTROLS: Final = frozenset(map(fold_words, word_set("controls")))
"""What stands on controls beside a name."""
_BESIDE: Final = frozenset(("button", "select", "option", "label", "sup", "svg"))
"""Elements with what stands beside a name: controls, and the numbers of notes."""
_CODE: Final = frozenset(("code", "pre"))
"""What is named in these is the member of a class, not of a site."""
_JOINING: Final = frozenset((*AND, "with", "by", "mit", "avec", "con", "|", ";", "/", "、"))
_IN: Final = frozenset("in dans em en à aus a".split())  # a place, behind a name
_LABEL_IN: Final = {"de": "ro", "per": "ca", "theo": "vi"}  # what stands before authors, language
_INVERTED: Final = re.compile(r"[^\W\d_][\w'’-]{1,40},\s[^,]{1,40}\Z")
"""A name that begins with the family's, as in Dublin Core; two whole names have a space before."""
_AFFILIATION: Final = re.compile(rf"(?<![a-z])(?:{WORDS['names of affiliations']})", re.IGNORECASE)
_OF_AUTHOR: Final = re.compile(WORDS["names of what authors are"])
"""Class names of an element with what an author is, or has done, or where one signs in."""
_LIFE: Final = re.compile(
    r"(?<!\s)\s?[,(]\s?(?:ca?\. ?)?\d{3,4}\??\s?[-–]\s?(?:(?:ca?\. ?)?\d{3,4}\??)?\)?\.?\Z"
)
"""Years of birth and death behind a name, as catalogues of libraries have them."""
_SEVERAL: Final = re.compile(
    r"(?<![a-z])(?:(?:author|writer|byline|autor|auteur|contributor)(?:e?s|en)(?![a-z])|contrib-group)"
)
"""Class names of an element with a line for each of several authors."""
_FOR_AUTHORS: Final = re.compile(
    r"[/-](?:log-?in|sign-?[iu][np]|register|registration|dashboard|submit|submission|guidelines|panel)\b"
)
"""In addresses of what authors do, not of an author."""
_OF_AUTHORS: Final = Search(
    "href", "/author", "/autor", "/auteur", "/contributor", "/columnist", "/writer", "/@"
)
"""In addresses of pages of an author."""
_BY_REL: Final = Search("rel", "author")
_BYLINES: Final = Search("class", "byline", "author", "autor")
_LEAST_LABEL: Final = 5  # letters of a label that is sought on the whole page
_HEADINGS: Final = frozenset(map(fold_words, word_set("headings_of_authors")))
"""What stands above the box of the author, whose name comes first."""
_LABELS: Final = frozenset(
    fold_words(one) for one in word_set("bylines_alone") if len(one) >= _LEAST_LABEL
)
"""Labels of the name below them."""
_SIGNS: Final = " :：.,-–—|?？!"  # around them
_SIGNED: Final = re.compile(
    "(?:\\A|(?<=[。」]))[（【](?>(?:(?:聞き手|取材|構成|文)[・＝:：/／])?)"
    "((?!敬称略|編集|論説|以下)"
    "(?:[\u3400-\u9fff々 ]{3,7}|[\u3400-\u9fff々]{2,3} ?[ぁ-ん]{2,3}))[）】]\\Z"
)
"""How Japanese newspapers end a text."""
_DASHES: Final = "–—―"
_RIGHT: Final = re.compile(r"(?<![a-z])right(?![a-z])", re.IGNORECASE)
_DIGIT: Final = re.compile(r"\d")
_ACCOUNT: Final = re.compile(r"[A-Za-z]{1,30}(?:[a-z][A-Z]|[\d_])[\w.-]{0,30}", re.ASCII)
"""A declared name that is one of a user, where the page shows that of a person: "KatieS"."""
_BETWEEN: Final = re.compile(r"(?:(?<!\s)\s++)?[·•|/–—]\s*|,?\s\d{4}|\d{4}-\d{2}-\d{2}")
_ENTERED: Final = re.compile(
    rf"([{WORDS['surnames_korean']}][가-힣]{{2}})(?<![부팀판면국실]) "
    r"(?:기사)?(?:입력|승인|등록) ?:? ?\d"
)
"""How Korean papers name who wrote before the day, but for their sections."""
_BY: Final = re.compile(rf"\A\s*{any_of((WORDS['by'] + '|' + WORDS['of']).split('|'))}\s")
_BEFORE: Final = re.compile(
    rf"{any_of(WORDS['filed under'].split('|'))}[\s:].{{1,60}}?\s{any_of(WORDS['by'].split('|'))}"
    rf"\s(?=(?-i:[^\W\d_a-z]))|(?P<word>{any_of(_LABEL_IN)})(?: |\Z)",
    re.IGNORECASE,
)
"""What stands before an author: a category, as in "Filed under: News by …", or `_LABEL_IN`."""
_SENTENCE: Final = 80  # characters of a line that a full stop ends, from which on it is none
_AND_SITE: Final = re.compile(
    r"([^\s|/–—-][^|/–—-]{3,40})(?<!\s)(?: ?[|–—] ?| [/-] |, )([^|/–—-]{3,40})"
)
"""A name, and the site's, as in "Ann Roe - River Post"."""
_MAY_NAME: Final = re.compile(rf"{_BEFORE.pattern}|(?:{_AND_SITE.pattern})\Z", re.IGNORECASE)
"""A line that may name somebody though it has no date, from its beginning."""
_SENT: Final = re.compile(
    rf"(?P<label>(?:{WORDS_OF_ELEMENTS['senders']})\s?[:：]\s?)?(?P<name>[^\s:：<>()@,][^:：<>()@,]{{1,40}}?)"
    r"(?<!\s)\s[<(\[]?[\w.+-]{1,60}(?:@| at )[\w-]{1,60}\.[\w.-]{2,60}[>)\]]?",
    re.IGNORECASE,
)
"""Who sent a mail, as archives of lists have it: "From: Ann Roe <ann@mill.example>"."""
_ADDRESSED: Final = re.compile(r"@| at [\w-]{1,60}\.\w")
_MOST_ELEMENTS: Final = 40  # of those that are read for names
_BETWEEN_AUTHORS: Final = 40  # characters between two elements that name authors of one text
_CERTAIN: Final = 0.7
_LIKELY: Final = 0.5  # confidence of a declared author; chosen on half of the domains of wcxb
_ANYWHERE: Final = 0.3  # weight of who is named anywhere on the page
_SEEN: Final = 0.4  # weight of a byline near the headline
_OF_MANY: Final = frozenset(("collection", "listing", "service", "documentation"))
"""Types of pages on which who is named further down wrote an entry, a testimonial or a comment."""
_NEAR_HEADLINE: Final = 160  # characters from its beginning to that of a byline there
_FIRST_USERS, _USER_LENGTH = 5, 30
_PROFILE: Final = 400  # characters of an element that names a user; one with more is an article
_MOST_STARTS: Final = 5  # places of such words that are looked at
_FEWEST_ENTRIES: Final = 3  # of a list


def authors(evidence: Evidence) -> FieldValue[Names] | None:
    """Return the authors' names, by a rule or by what is found; None where there is none.

    Where a learned rule selects an element that names those of the general finder, among other
    things such as links, or only some of them, the general finder has read the page better.
    """
    page = evidence.page

    def read(one: Selected) -> Names:
        return evidence.people(split_names(written(page, one)))

    def is_better(general: Names, found: FieldValue[Names]) -> bool:
        names = written(page, Selected(found.row)) if found.row >= 0 else ""
        return all(name in names for name in general) or {*found.value} < {*general}

    return value_by_rule(evidence, "author", read, _found(evidence), is_better)


def _found(evidence: Evidence) -> FieldValue[Names] | None:
    if any("Product" in node.type for node in evidence.main_nodes):
        # On a product page "by …" names the brand.
        return choose_value(_declared_authors(evidence), _contained)
    declared = sorted(
        _declared_authors(evidence), key=lambda one: (-len(one.value), -str(one.value).count(" "))
    )
    if any(not name.isascii() for one in declared for name in one.value):
        # Not all of the page's editors, nor the site itself where the page names its source.
        editors_only, sourced = names_only_as(evidence, "editor"), credits_of(evidence, "source")
        declared = [
            one for one in declared
            if not editors_only.issuperset(map(fold, one.value))
            and not (sourced and all(map(evidence.names_publisher, one.value)))
        ]  # fmt: skip
    # "Ann Roe Per Holm" and "ann-roe" are what another source writes as two names, or as a name
    whole = {fold(" ".join(one.value)): one for one in reversed(declared)}
    same = ((one, whole[fold(" ".join(one.value))]) for one in declared)
    declared = [one._replace(value=two.value, key=two.key) for one, two in same]
    organizations = {
        fold(evidence.text(one, "name"))
        for node in evidence.own_nodes
        for one in evidence.values(node.properties.get("author") or ())
        if isinstance(one, dict) and "Organization" in " ".join(types_of(one))
    }
    people = [  # nor accounts: "Pier feed", "KatieS"
        one for one in declared
        if not organizations.issuperset(map(fold, one.value))
        and not all(
            name.split()[-1].islower() or _ACCOUNT.fullmatch(name) for name in one.value
        )
    ]  # fmt: skip
    found = choose_value(people, _contained)
    if found is not None and found.confidence >= _CERTAIN:
        return found
    name, row, _ = evidence.opener
    opener = _candidate(evidence, (name,), "thread:opener", row, 0.8) if name else ()
    is_unsure = found is None or found.confidence < _LIKELY
    if is_unsure and (opened := choose_value(opener)):
        return opened
    visible = [*_visible(evidence)]
    if is_of_many := evidence.page_type in _OF_MANY:
        is_near = evidence.places.is_below_headline
        visible = [one for one in visible if is_near(one.row, _NEAR_HEADLINE)]
    shows_people = any(
        one.weight >= _SEEN
        and all(" " in name and not evidence.names_publisher(name) for name in one.value)
        for one in visible
    )
    known = people if shows_people else declared
    found = choose_value([*known, *visible], shared)
    is_site = found and found.confidence < _ANYWHERE and evidence.names_publisher(found.value[0])
    if is_of_many or (found and not is_site):
        return found
    other = choose_value(_from_whole_page(evidence))
    return found if found and other and evidence.names_publisher(other.value[0]) else other or found


def _contained(key: Names, other: Names) -> float:
    """Return `shared` of declared lists, 1 for a subset: some fields take only the first name."""
    return 1.0 if set(other) < set(key) else shared(key, other)


# Authors: what is declared.


def _declared_authors(evidence: Evidence) -> Iterator[FieldCandidate]:
    for node in evidence.own_nodes:
        own = node.properties
        creator = own.get("creator") if node.rank not in {WORK, PAGE} else None
        names: list[str] = []
        is_organization = False
        for one in evidence.values(own.get("author") or creator or ()):
            given: Iterable[Any] = (one,)
            if isinstance(one, dict):
                is_organization |= "Organization" in " ".join(types_of(one))
                keys = "givenName", "additionalName", "familyName"
                whole = " ".join(filter(None, map(clean, map(one.get, keys))))
                given = evidence.values(one.get("name") or whole)
            texts = [evidence.text(text, "name") for text in given]
            names += [name for text in texts for name in _declared_names(evidence, text)]
        weight = (0.4 if is_organization else 0.75) * (0.6 if node.rank == PAGE else 1.0)
        people = tuple(dict.fromkeys(names))
        yield from _candidate(evidence, people, node.source("author"), node.row, weight)
    engine = " ".join(text for _, _, text in evidence.metas("generator")).partition(" ")[0]
    for name in evidence.among(METAS["author"]):
        found = [
            (row, source, _LIFE.sub("", one.strip()))
            for row, source, text in evidence.metas(name)
            if not engine or engine not in text
            for one in text.split(";")
        ]
        inverted = name.startswith("citation") or (
            name.startswith("dc") and all(_INVERTED.match(text) for _, _, text in found)
        )
        parts = [_declared_names(evidence, text, inverted=inverted) for _, _, text in found]
        if people := tuple(dict.fromkeys(one for part in parts for one in part)):
            row, source, _ = found[0]
            yield from _candidate(evidence, people, source, row, METAS["author"][name])
    for number in ("1", "2"):
        for _, _, label in evidence.metas(f"twitter:label{number}"):
            if label.lower().startswith(_TWITTER_LABELS):
                for row, source, text in evidence.metas(f"twitter:data{number}"):
                    yield from _candidate(evidence, split_names(text), source, row, 0.5)


def _declared_names(evidence: Evidence, text: str, *, inverted: bool = False) -> Names:
    if parts := parts_of(evidence, text):
        return names_of(parts, "author")
    return split_names(text, inverted=inverted, japanese=is_japanese(evidence, text))


def _candidate(
    evidence: Evidence, names: Names, source: str, row: int, weight: float
) -> Iterator[FieldCandidate]:
    names = evidence.people(names)
    people = tuple(
        name for name in names if is_collective(name) or not evidence.names_publisher(name)
    )
    if (
        names
        and all(one.istitle() and " " not in one for one in people)
        and (not people or evidence.names_publisher(names[0]))
    ):  # the site, and perhaps its town and country
        people, weight = names, weight * 0.25
    if people:
        weight *= 0.6 if all(map(is_collective, people)) else 1.0  # a person is more exact
        yield FieldCandidate(people, tuple(sorted(map(fold, people))), source, row, weight)


# Authors: what is visible.

_Found = tuple[int, str, float, Names]
"""An element that names authors: its row, the source, its weight, the names."""


def _visible(evidence: Evidence) -> Iterator[FieldCandidate]:
    page, places = evidence.page, evidence.places
    elements: list[tuple[int, str, float]] = []
    for row, names in places.having("itemprop"):
        if not {"author", "creator"}.isdisjoint(names.split()):
            elements.append((row, "microdata:author", 0.6))
    for row, value in places.having("rel"):
        href = page.attribute(row, "href") or ""
        if "author" in value.split() and page.name(row) == "a" and not _FOR_AUTHORS.search(href):
            elements.append((row, "rel:author", 0.55))
    elements += [
        (row, "byline:class", 0.5)
        for row in places.named(BYLINES)[:_MOST_ELEMENTS]
        if not _OF_AUTHOR.search(page.attribute(row, "class") or "")
    ]
    known = [
        (row, source, weight, people)
        for row, source, weight in elements
        if not (places.in_boilerplate(row) or places.belongs_elsewhere(row))
        and (people := _own(evidence, row, _byline(evidence, row)))
    ]
    for group in _side_by_side(page, known):
        row, source, weight, _ = group[0]
        people = tuple(dict.fromkeys(name for one in group for name in one[3]))
        yield from _candidate(evidence, people, source, row, weight * by_nearness(evidence, row))
    yield from () if known else _accounts(evidence)
    for row in places.named(USERS)[:_FIRST_USERS]:
        name = _user_name(page, row).rstrip(":： ")
        if (
            1 < len(name) <= _USER_LENGTH
            and page.length.item(row) <= _PROFILE
            and not name[0].isdigit()  # a count
            and not _OF_AUTHOR.search(page.attribute(row, "class") or "")
            and split_names(name)
            and not any(page.name(above) in _CODE for above in islice(page.ancestors(row), 2))
            and not (places.in_boilerplate(row) or places.belongs_elsewhere(row))
        ):
            weight = 0.25 * by_nearness(evidence, row)
            yield from _candidate(evidence, (name,), "user:class", row, weight)
    yield from _lines(evidence)
    yield from _senders(evidence)
    for one in credits_of(evidence, "author"):
        if not places.belongs_elsewhere(one.row):
            yield from _candidate(evidence, one.value, one.source, one.row, one.weight)


def _accounts(evidence: Evidence) -> Iterator[FieldCandidate]:
    """Yield the single words of links to authors' pages whose addresses end in them."""
    page, places = evidence.page, evidence.places
    first, last = places.rows
    for row in (row for row in _OF_AUTHORS.rows(page) if first <= row < last):
        name, href = one_line(page.text_of(row)), (page.attribute(row, "href") or "").lower()
        is_account = " " not in name and fold(name) == fold(href.rstrip("/").rpartition("/")[2])
        if is_account and not (places.in_boilerplate(row) or places.belongs_elsewhere(row)):
            weight = 0.25 * by_nearness(evidence, row)
            yield from _candidate(evidence, split_names(name), "href:author", row, weight)


def _own(evidence: Evidence, row: int, people: Names) -> Names:
    """Return those of the names in an element that the page gives no other role."""
    if not people:
        return ()
    others = evidence.derived(names_only_as, *CONTRIBUTORS)
    parts = parts_of(evidence, line_at(evidence, row)[1])
    others |= {fold(n) for one in parts if one.role in CONTRIBUTORS for n in one.names}
    others -= {fold(n) for one in parts if one.role == "author" for n in one.names}
    return tuple(one for one in people if fold(one) not in others)


def _side_by_side(page: Page, found: list[_Found]) -> list[list[_Found]]:
    """Return elements that name authors, those together that name the authors of one text."""
    groups: list[list[_Found]] = []
    for one in found:
        if groups and _goes_on(page, groups[-1][-1][0], one[0]):
            groups[-1].append(one)
        else:
            groups.append([one])
    return groups


def _goes_on(page: Page, before: int, row: int) -> bool:
    """Return whether two elements are alike, and no more than "and" stands between them."""
    told = next((at for at in range(int(page.end[before]), row) if page.length[at]), before)
    last = told if _OF_AUTHOR.search(page.attribute(told, "class") or "") else before
    stop, start = int(page.text_at[page.end[last]]), int(page.text_at[row])
    if not 0 <= start - stop <= _BETWEEN_AUTHORS or page.name(before) != page.name(row):
        return False
    words = page.text[stop:start].replace(",", " ").split()
    if words and words[0] in _IN:
        words = [word for word in words[1:] if not word[0].isupper()]
    return _JOINING.issuperset(map(str.casefold, words)) and all(
        page.attribute(before, name) == page.attribute(row, name)
        for name in ("class", "itemprop", "rel")
    )


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


def _lines(evidence: Evidence) -> Iterator[FieldCandidate]:
    """Yield names in lines around the headline without a label: "date · name", "name - site"."""
    lines, may_be_dated = evidence.places.near, set(evidence.places.dated)
    linked = {number for number in may_be_dated if evidence.page.in_link[lines[number][0]]}
    if len(linked) >= _FEWEST_ENTRIES:  # of a list
        may_be_dated -= linked
    titles, undated = {text for _, text in evidence.headings}, evidence.derived(undated_lines)
    named = compress(count(), map(_MAY_NAME.match, map(TEXT, undated)))
    for number in sorted(may_be_dated.union(named)):
        row, text = undated[number]
        if len(text) > LONGEST_LINE or lines[number][1] in titles or byline_parts(text):
            continue
        own = _without_of(evidence, text)
        ends = _AND_SITE.fullmatch(text)
        of_site = ends[1] if ends is not None and evidence.names_publisher(ends[2]) else ""
        before = lines[number - 1][1] if number else ""
        of_other = before.isalpha() and label_before(before) == "other"  # Born | 4 May 1992, Oslo
        is_sentence = len(lines[number][1]) > _SENTENCE and lines[number][1].endswith(".")
        dated = number in may_be_dated and not (of_other or is_sentence)
        dated = dated and parse_date(lines[number][1], locale=evidence.locale) is not None
        if not (own != text or of_site or dated) or evidence.places.belongs_elsewhere(row):
            continue
        factor = by_nearness(evidence, row)
        is_other = _is_whole_name(of_site) and evidence.is_unlike_title(of_site)
        if is_other and not evidence.names_publisher(of_site):
            yield from _candidate(evidence, (of_site,), "text", row, 0.3 * factor)
        if own != text:
            yield from _candidate(evidence, whole_names(own), "text", row, 0.45 * factor)
        if not dated or evidence.places.in_boilerplate_except_sidebar(row):
            continue
        entered = _ENTERED.match(lines[number][1])
        several = (entered[1],) if entered else _beside_date(own)  # 3 May 2021 Ann Roe, Per Holm
        is_whole = entered or len(several) > 1 or lines[number][1].endswith(own)
        for part in _BETWEEN.split(_without_of(evidence, lines[number][1])):
            people = several if several and is_whole else _beside_date(part)
            yield from _candidate(evidence, people, "text", row, 0.25 * factor)


def _senders(evidence: Evidence) -> Iterator[FieldCandidate]:
    """Yield who sent a mail, in a line with the address near the headline."""
    near = evidence.places.near
    for row, text in near if _ADDRESSED.search("\n".join(map(TEXT, near))) else ():
        found = _SENT.fullmatch(text)
        if found and (found["label"] or _is_whole_name(found["name"])):
            weight = 0.45 * by_nearness(evidence, row)
            yield from _candidate(evidence, (found["name"],), "text", row, weight)


def _beside_date(part: str) -> Names:
    """Return the whole names in what stands beside a date; none in «Week of» or with a control."""
    if not _CONTROLS.isdisjoint(fold_words(part).split()):
        return ()
    people = split_names(_BY.sub("", part), strict=True)
    whole = (" " in one and one in part for one in people)
    return people if all(whole) and not any(one.split()[-1].islower() for one in people) else ()


def _without_of(evidence: Evidence, text: str) -> str:
    """Return a line without its category, or what elsewhere begins names: "de" in Romanian."""
    found = _BEFORE.match(text)
    if found is not None and (word := found["word"]):
        known = evidence.derived(language)
        found = found if known and known.value == _LABEL_IN[word.lower()] else None
    return text if found is None else text[found.end() :]


def _byline(evidence: Evidence, row: int) -> Names:
    """Return the names in an element that may be a byline: of its first line with names."""
    page = evidence.page
    stop = int(page.end[row])
    for inner, names in (evidence.places if page.length[row] else page).having("itemprop"):
        if row < inner < stop and "name" in names.split():
            row, stop = inner, int(page.end[inner])
            break
    if content := page.attribute(row, "content"):
        known = authors_in(evidence, one_line(content))
        return tuple(one for one in known if not evidence.names_publisher(one))
    if not 0 < page.length[row] <= 4 * LONGEST_LINE:
        return ()
    out: Names = ()
    is_list = page.name(row) in {"ul", "ol"} or _SEVERAL.search(page.attribute(row, "class") or "")
    has_items = page.tag[row:stop].tolist().count(tags.CODES["li"]) > 1
    hrefs = (page.attribute(at, "href") or "" for at in range(row, stop))
    before = ""
    for line in _texts(page, row, stop):
        is_heading = fold_words(line).strip(_SIGNS) in _HEADINGS
        if len(line) > LONGEST_LINE or is_label(line) or is_heading:
            continue
        if out:  # another line: each author's, with a mail
            has_items |= sum(one.startswith("mailto:") for one in hrefs) > 1
        bare = line.rstrip(", ")
        rest = FIRST_AND.sub("", bare)
        joins = has_items or before.endswith(",") or rest != bare
        joins = bool(out) and joins and _is_whole_name(rest)
        if out and not (is_list or joins):
            break
        before = line
        people = authors_in(evidence, _without_of(evidence, rest if joins else line))
        out += tuple(one for one in people if not (out and is_outlet(one)))  # where they work
    return tuple(dict.fromkeys(out))


def _texts(page: Page, row: int, stop: int) -> Iterator[str]:
    """Yield the lines of an element, without controls, and with signs behind whole names."""
    before, last, text = 0, "", ""
    for at in shown_texts(page, row, stop).tolist():
        piece = one_line(page.text_of(at))
        around = takewhile(lambda above: above >= row, islice(page.ancestors(at), 4))
        if fold_words(piece) in _CONTROLS or any(_is_beside(page, one, piece) for one in around):
            continue
        if page.line[at] != page.line[before] and text:
            yield text
            last = text = ""
        begin, is_name = int(page.text_at[at]), _is_whole_name(piece)
        if is_name and text == "".join(word[0] for word in piece.split()):
            last = text = ""  # initials in place of a picture
        if _is_whole_name(last) and (is_name or piece[:1].isupper() or piece[:1].isdigit()):
            # A date, the minutes that it takes to read, or what somebody is by profession.
            text += ", " if is_name else " | "
        elif text:
            apart = page.text[begin : begin + 1].isspace() or page.text[begin - 1 : begin].isspace()
            apart |= min(text[-1], piece[:1]) >= FIRST_WITHOUT_CASE
            apart |= not _JOINING.isdisjoint((piece, last))  # an initial "A" is a part of a name
            apart |= piece[:1].islower() and _is_whole_name(last)
            text += " " * apart
        text += piece
        before, last = at, without_label(piece) if " " in piece else piece
    if text:
        yield text


def _is_beside(page: Page, row: int, text: str) -> bool:
    """Return whether an element is a control beside names, or says where their owners work."""
    pairs = page.attributes(row)
    names, href = pairs.get("class"), pairs.get("href")
    return (
        page.name(row) in _BESIDE
        or (names is not None and _AFFILIATION.search(names) is not None)
        or (href is not None and href.startswith("mailto:") and not whole_names(text))
    )


def _is_whole_name(text: str) -> bool:
    """Return whether a text is the first and last name of somebody, or one of three Han letters."""
    if not text or text[0] in ",;&/|" or text[-1] in ",;&/|:：":
        return False
    names = split_names(text, strict=True)
    return len(names) == 1 and names[0] == text and (" " in text or "가" <= text[0] <= "힣")


def _from_whole_page(evidence: Evidence) -> Iterator[FieldCandidate]:
    """Yield names anywhere on the page: in links to authors' pages, boxes, "Written by …".

    Several apart mean that the page is probably a list: then none is taken.
    """
    named = [*_in_elements(evidence), *_behind_labels(evidence)]
    named += [*_below(evidence, _HEADINGS), *_at_end(evidence)]
    if not named and evidence.page_type != "product":  # that of a book
        named = [*_below(evidence, _LABELS)]
    people = {names: (row, source) for names, row, source in reversed(named)}
    persons = [names for names in people if not all(map(is_collective, names))]
    found = sorted((*people[names], _ANYWHERE, names) for names in persons or people)
    for group in _side_by_side(evidence.page, found):
        row, source, weight, _ = group[0]
        is_near = evidence.places.is_below_headline(row, _NEAR_HEADLINE)
        if len(group) == len(found) and (len(found) == 1 or is_near):
            names = tuple(dict.fromkeys(name for one in group for name in one[3]))
            yield from _candidate(evidence, names, source, row, weight)


def _in_elements(evidence: Evidence) -> Iterator[tuple[Names, int, str]]:
    """Yield the names in links that lead to authors' pages, and in elements named for authors."""
    page, places = evidence.page, evidence.places
    links = {*_OF_AUTHORS.rows(page), *_BY_REL.rows(page)}
    for row in sorted(links):
        if (href := page.attribute(row, "href")) is not None:
            names = split_names(one_line(page.text_of(row)), strict=True)
            if names and _is_of_author(evidence, row, href, names):
                yield names, row, "href:author"
    for row in _BYLINES.rows(page):
        is_other = _OF_AUTHOR.search(page.attribute(row, "class") or "")
        if is_other or places.in_boilerplate(row) or places.belongs_elsewhere(row):
            continue
        if names := _own(evidence, row, _byline(evidence, row)):
            yield names, row, "byline:class"


def _behind_labels(evidence: Evidence) -> Iterator[tuple[Names, int, str]]:
    """Yield the name behind the first of each of `_BYLINE_STARTS` that one follows."""
    page, places = evidence.page, evidence.places
    for word in evidence.words_in_text(_BYLINE_STARTS):
        for at in islice(places_of(word, page.text, 0, len(page.text)), _MOST_STARTS):
            row = evidence.row_at(at)
            is_apart = places.in_boilerplate_except_sidebar(row) or places.belongs_elsewhere(row)
            line = line_at(evidence, row)[1] or page.text[max(at - LONGEST_LINE, 0) : at]
            before, _, line = line.partition(word)
            is_prose = line.strip() and _AMID.search(before[:-1]) and not _THIS.search(before)
            line = line or page.text[at + len(word) : at + LONGEST_LINE].strip().partition("\n")[0]
            is_read = page.shown[row] and not (is_apart or is_prose)
            names = split_names(line, strict=True) if is_read else ()
            if names:
                yield names[:1], row, "text"
                break


def _below(evidence: Evidence, headings: frozenset[str]) -> Iterator[tuple[Names, int, str]]:
    """Yield the name in the first text below each text that is one of the headings alone."""
    page, places = evidence.page, evidence.places
    rows = (page.written & (page.length <= _USER_LENGTH)).nonzero()[0]
    texts = kernels.folded_texts(page.text, page.text_at[rows], page.text_at[rows + 1])
    bare = map(str.strip, fold_words("\n".join(texts)).split("\n"), repeat(_SIGNS))
    for above in compress(rows.tolist(), map(headings.__contains__, bare)):
        below = (page.written & page.shown)[above + 1 :].nonzero()[0][:1] + above + 1
        for row in below.tolist():
            name = page.folded(row)
            is_apart = places.in_boilerplate_except_sidebar(row) or places.belongs_elsewhere(row)
            is_name = _is_whole_name(name) or (
                is_japanese(evidence, name) and japanese_names(name) == (name,)
            )
            if is_name and not is_apart:
                yield (name,), row, "text"


def _at_end(evidence: Evidence) -> Iterator[tuple[Names, int, str]]:
    """Yield the name that ends the content or stands just below, in brackets or on the right."""
    page, content = evidence.page, evidence.content
    shown = page.written & page.shown
    for last in () if content is None else (content.kept & shown).nonzero()[0][-1:].tolist():
        # the first element around that says more than the last line, whose boxes may be many
        boxes = (row for row in page.ancestors(last) if tags.BLOCK[page.tag[row]])
        length = page.length[(line := next(boxes))]
        around = int(page.end[next((box for box in boxes if page.length[box] > length), line)])
        rows = [last, *(shown[last + 1 : around].nonzero()[0][:1] + last + 1).tolist()]
        for row in filterfalse(evidence.places.is_quoted, rows):
            first, text = line_at(evidence, row)
            if "の" in page.text and (signed := _SIGNED.search(text[-14:])):
                yield (signed[1],), first, "text"
            elif text[:1] in _DASHES and row == last and _is_whole_name(text.lstrip(f"{_DASHES} ")):
                yield (text.lstrip(f"{_DASHES} "),), first, "text"
            elif page.name(page.parent[row]) in {"em", "i"} and (names := introduced(text)):
                yield names, first, "text"
            elif _is_whole_name(text) and any(
                _RIGHT.search(page.attribute(above, name) or "")
                for above in islice(page.ancestors(row), 3)
                for name in ("style", "align", "class")
            ):
                yield (text,), first, "text"


def _is_of_author(evidence: Evidence, row: int, href: str, names: Names) -> bool:
    """Return whether a link far from the headline leads to the page of the author it names.

    In menus it leads to what authors do, unless its address is the name's.
    """
    places = evidence.places
    is_apart = places.in_boilerplate_except_sidebar(row) or places.belongs_elsewhere(row)
    if is_apart or _FOR_AUTHORS.search(href):
        return False
    slug = fold(href.rstrip("/").rpartition("/")[2])
    return slug == fold(names[0]) or not places.in_menu(row)
