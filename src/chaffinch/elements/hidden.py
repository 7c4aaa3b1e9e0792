"""What a browser doesn't show: hidden for good, or folded. The one definition of both.

*Hidden for good* is what the page has no way to show: ``hidden``, styles that leave nothing to see
(`chaffinch.elements.hiding_styles`), names by which common style sheets hide, fallbacks of elements
that browsers draw, text in form controls. *Folded* is what a control of the page opens or a script
fades in: content like any other. A mark of hiding is one of folding where the row is a part by its
name or role (tabs, accordions), a link or control names its id, a control stands beside it, or the
page has several like it, each below a heading.

On a rendered page the browser says what is visible (`chaffinch.page.layout_columns`); that counts,
and what can be folded is still told by marks. Methods that a document describes have definitions of
their own (`chaffinch.layout.markup`), and the network's features are what it was trained on
(`chaffinch.model.name_hashes`).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import islice
from string import ascii_lowercase
from typing import Final

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.caching import cached_property, finds, kept_of_short_texts
from chaffinch.elements.hiding_styles import (
    BLANK,
    DISPLAYED,
    FAINT,
    GONE,
    HIDES,
    SEEN,
    STYLE_WORDS,
    SURE,
    UNSEEN,
    hiding_rules,
    style_says,
)
from chaffinch.page import Page, layout_columns, tags
from chaffinch.page.arrays import Mask, Rows

_CLASS: Final = re.compile(
    r"(?:^|\s)(?:(?:is-|u-|js-|uk-|w-)?hidden|hide|(?:d|display)-none"
    r"|[\w-]{1,60}__(?:sr-(?:only|text)|visually-?hidden)|(?:[a-z]{1,12}-)?visually-?hidden"
    r"(?:-focusable)?|(?:[a-z]{1,12}-)?sr-only(?:-focusable)?|screen-?reader(?:-(?:text|only))?"
    r"|show-for-sr|(?:is-|element-)?invisible|element-hidden|off-?screen|assistive-text"
    r"|ui-helper-hidden(?:-accessible)?|(?:a11y|accessibly|accessibility)-(?:hidden|only)"
    r"|(?:visible-)?print-only|d-print-\S++|visible-print-\S++"
    r"|(?:[a-z]{1,12}-)*cloned?|[a-z_]{1,24}--clone|swiper-slide-duplicate)(?=\s|$)",
    re.IGNORECASE,
)
_NEVER_READ: Final = re.compile(
    r"sr-(?:only|text)|screen-?reader|visually-?hidden|for-sr|assistive|clone|-duplicate",
    re.IGNORECASE,
)
"""Names of what is read aloud alone, and of slides that a carousel shows twice."""
_SHOWN_AGAIN: Final = re.compile(
    r"(?:^|\s)(?:(?:sm|md|lg|xl|xxl|2xl):(?:block|flex|grid|inline\S*+|table\S*+|contents|not-sr-only)"
    r"|d-(?:sm|md|lg|xl|xxl)-(?!none)\S++|(?:show|open|active|in|is-(?:open|active|visible|shown))(?=\s|$))"
)
_OF_PRINT: Final = re.compile(r"(?:^|\s)(?:d-print-\S++|visible-print-\S++)(?=\s|$)", re.IGNORECASE)
_NONE_BESIDE: Final = re.compile(r"(?:^|\s)d-none(?=\s|$)", re.IGNORECASE)
CLASS_WORDS: Final = tuple(
    "hid -none sr- -sr screen invisible -only assistive print- clone slide-duplicate".split()
)
"""Every name by which `class_says` has one of these in it."""
_FOLDED_CLASS: Final = re.compile(
    r"(?:^|[\s_-])(?:tabs?[_-]?(?:pane|panel|content)\w*|accordion\S*|collaps(?:e|ed|ible)"
    r"|panel-(?:body|collapse)|toggle-content|spoiler\S*|faq\S*)(?=[\s_-]|$)",
    re.IGNORECASE,
)
class_folds: Final = finds(_FOLDED_CLASS)
FOLDED_WORDS: Final = ("tab", "accordion", "collaps", "panel-", "toggle-content", "spoiler", "faq")
"""Every name that `_FOLDED_CLASS` finds has one of these in it."""
_FOLDED_ROLES: Final = frozenset({"tabpanel", "region"})
_OPENED: Final = re.compile(
    r"(?:^|[\s_-])(?:tabs?|accordion|acc|collaps\w*|panels?|pane|toggle\w*|spoiler|faq|answers?|expand\w*"
    r"|unfold\w*|(?:read|show|see|view|load)?-?_?more|full-?text|carousel|slides?|slider|swiper|slick"
    r"|splide|glide|owl|gallery|steps?|drawer|dropdown|reveal)(?=[\s_-]|\d|$)|(?:read|show|see)More",
    re.IGNORECASE,
)
"""Names, as class or id of a hidden element or of what holds it, of what a control opens."""
_names_opened: Final = finds(_OPENED, 2048)
_FADES: Final = re.compile(
    r"(?:^|[\s_-])(?:aos|wow|sal|fade\w*|anim\w*|reveal\w*|appear\w*|in-?view\w*|scroll\w*|motion"
    r"|gsap|slide\w*|lazy\w*|loading|elementor-invisible|transition\w*|parallax|cloak)(?=[\s_-]|\d|$)",
    re.IGNORECASE,
)
"""Names of what a script fades in."""
_names_fading: Final = finds(_FADES, 2048)
_FADE_ATTRIBUTES: Final = (
    "data-aos", "data-sal", "data-sr", "data-anim", "data-scroll", "data-wow", "data-framer",
    "data-motion", "data-reveal", "v-cloak",
)  # fmt: skip
_CONTROL_CLASS: Final = re.compile(
    r"(?:^|[\s_-])(?:toggle\w*|trigger|opener|expander|collapser|accordion-?(?:title|head\w*)"
    r"|question|more|read-?more|show-?more|handle|tabs?|btn|button|summary)(?=[\s_-]|$)",
    re.IGNORECASE,
)
_names_control: Final = finds(_CONTROL_CLASS, 2048)
_CONTROL_ATTRIBUTES: Final = (
    "aria-expanded", "aria-controls", "data-toggle", "data-bs-toggle", "data-target",
    "data-bs-target", "onclick",
)  # fmt: skip
_NAMES_ID: Final = frozenset(
    "aria-controls href data-target data-bs-target data-tab data-toggle data-id data-href for"
    " aria-owns data-controls".split()
)
_ANCHORS: Final = tuple(f"#{first}" for first in ascii_lowercase)
_SELECTOR: Final = re.compile(r"([a-zA-Z][\w-]*+)?(?:([.#])([\w-]++))?")
_SCREEN: Final = re.compile(r"\b(?:all|screen)\b(?!\s*+and)")
_SHOWN_STATE: Final = re.compile(
    r"(?:^|[\s_-])(?:open(?:ed)?|active|show[ns]?|current|visible|in)(?=\s|$)"
)
"""Names of a state in which another rule shows what a plain one hides."""
_MOST_RULES: Final = 64
_CELLS: Final = tags.table(["td", "th"])
_BOXES: Final = tags.table("div section article figure".split())
_WORD: Final = 12
"""Bytes of a word for screen readers that stays; sentences of no script are so short."""
_TICK_BOXES: Final = "▢□☐◻☑"
_SIGN: Final = 40
"""Most characters of a text that stands for a sign, such as a tick in a table."""
_HEADINGS: Final = tags.HEADING | tags.table("dt summary legend label button strong b".split())
_PICTURES: Final = tags.table(["img", "video", "picture"])
_IMAGE: Final = tags.CODES["img"]
_DECLARED: Final = frozenset("recipeIngredient ingredients recipeInstructions articleBody".split())
"""Properties of microdata that say that a text is what the page is about."""
_ATTRIBUTES: Final = ("hidden", "popover", "inert")
_MARKS: Final = ("class", "style", *_ATTRIBUTES)
_NO_BARE: Final = (None,) * len(_ATTRIBUTES)
_FALLBACKS: Final = (
    "object applet video audio canvas progress meter textarea select noscript".split()
)
"""Elements whose text stands in for what a browser draws, or is a form's."""
_NEVER: Final = (*_FALLBACKS, "rp", "desc", "defs", "symbol", "dialog")
_STANDS_IN: Final = tags.table(_FALLBACKS)
_UNDRAWN: Final = tags.table(_NEVER)
_NO_ROWS: Final = np.zeros(0, dtype=np.int32)
_DIALOG: Final = tags.CODES["dialog"]
_PARENTHESIS: Final = tags.CODES["rp"]
"""Its sign is needed where ruby stands in a line."""
_DETAILS: Final = tags.CODES["details"]
_SKIPPED: Final = frozenset({tags.TEXT, tags.CODES["script"], tags.CODES["style"]})
_TABLE_BODY: Final = tags.CODES["tbody"]

MOST: Final = 0.5
"""Share of the page's text that no mark hides: a larger part waits for a script to show it."""
MOST_KEPT: Final = 0.3
"""Share of the content that marks hide at most: where they are more, a script shows them."""
_LONGEST: Final = 200
"""Characters of a name that are read, and of the text of a control."""
_SEVERAL: Final = 2
"""Hidden elements of the same tag and class, each below a heading, that are answers to open; and
elements without opacity beyond which a script fades them in."""
_STORED: Final = 3
_STORED_LENGTH: Final = 80
"""Texts in a store that a script shows one of, and their characters on average."""
_ABOVE: Final = 2
"""Ancestors whose names say that a control opens what is in them."""

# Whole pages


def hidden(page: Page) -> Mask:
    """Return bool[n]: rows that are hidden for good, with all that stands in them.

    Left out are lazy images that are hidden themselves until they have loaded, and marks on more
    than `MOST` of the page's text. Computed once for a page.
    """
    return _of_page(page)[0]


def folded(page: Page) -> Mask:
    """Return bool[n]: rows that show after a click, or that a script fades in."""
    marked = _of_page(page)[1]
    if page.layout is not None and _unseen(page) is not None:
        return marked
    named, folds = unfolding(page), np.zeros(len(page), dtype=bool)
    for row in (named | page.is_tag("details")).nonzero()[0].tolist():
        if is_closed(page, row, named=bool(named[row])):
            is_details = page.tag[row] == _DETAILS
            inner = page.children(row) if is_details else [row]
            folds[[one for one in inner if not is_details or page.name(one) != "summary"]] = True
    return marked | page.inside(folds)


def _of_page(page: Page) -> tuple[Mask, Mask]:
    def made() -> tuple[Mask, Mask]:
        return hidden_of(page, may_be_marked(page).tolist())

    gone, opened = page.derived("hidden rows", made)
    return gone, opened


def hidden_of(page: Page, rows: Iterable[int]) -> tuple[Mask, Mask]:
    """Return (bool[n], bool[n]): rows hidden for good and rows folded.

    Args:
        page: the page.
        rows: those of `may_be_marked` that count, in order; on a rendered page all rows do.
    """
    if (unseen := _unseen(page)) is not None:
        rows = (unseen & ~unseen[page.parent] & (page.length > 0)).nonzero()[0].tolist()
        opening, controls = np.zeros(len(page), dtype=bool), Controls(page)
        opening[[row for row in rows if controls.open(row)]] = True
        opening = page.inside(opening)
        return unseen & ~opening, unseen & opening
    found = _Judged(page)
    for row in found.that_say_something([*rows]):
        found.judge(row)
    return found.gone, found.folded


class _Judged:
    """The rows of a page that marks hide, judged in document order."""

    def __init__(self, page: Page) -> None:
        self.page, self.controls, self._marks = page, Controls(page), dict[int, int]()
        self.gone = np.zeros(len(page), dtype=bool)
        self.folded = np.zeros(len(page), dtype=bool)
        self.of_sheets = _sheet_marks(page) if page.styles else {}
        self.most = MOST * max(int(page.length[0]), 1)  # the first row is the root

    def marks(self, row: int) -> int:
        """Return what the marks of a row say (`chaffinch.elements.hiding_styles`), as bits."""
        if row not in self._marks:
            self.that_say_something([row])
        return self._marks[row]

    def that_say_something(self, rows: list[int]) -> list[int]:
        """Return the rows whose marks say something, read at once."""
        columns = self.page.own_attributes
        values = columns.values_of(np.array(rows, dtype=np.int32), *_MARKS) if rows else []
        for row, pairs in zip(rows, values, strict=True):
            self._marks[row] = self._said(row, *pairs)
        return [row for row in rows if self._marks[row]]

    def _said(self, row: int, names: str | None, style: str | None, *bare: str | None) -> int:
        said = class_says(names) if names else 0
        if bare != _NO_BARE:
            said = GONE
        if _UNDRAWN.item(self.page.tag.item(row)):
            said = SURE
        said = self.of_sheets.get(row, said)
        if style:
            own = style_says(style, shows=bool(self.page.styles) or bare[0] is not None)
            # a style has more weight than the attribute
            said = ((0 if own & DISPLAYED else said) | own) & (HIDES | SEEN) if own else said
        return said

    def judge(self, row: int) -> None:
        """Add a row that bears marks to what is gone or folded, with all that stands in it."""
        page, said, end = self.page, self.marks(row), int(self.page.end[row])
        tag = int(page.tag[row])
        if said & SEEN and not said & (GONE | FAINT):
            self._show_again(row, end)
        if not said & HIDES or self.gone[row] or page.length[row] > self.most:
            return
        if _STANDS_IN[tag]:
            self.gone[row:end] |= page.tag[row:end] == tags.TEXT  # its images are of lazy ones
        elif (tag == _DIALOG and "open" in page.attributes(row)) or (
            tag == _PARENTHESIS and page.length[row] <= 1
        ):
            return
        elif said & HIDES == BLANK:
            self._blank(row, end)
        elif said & SURE:
            self.gone[row:end] = bool(_UNDRAWN[tag]) or not self._stands_for_sign(row)
        elif self._fades(row, said) or self.controls.open(row) or self._is_put_in(row, end):
            self.folded[row:end] = True
        elif not (_is_lazy(page, row) or self._names_picture(row)):
            self.gone[row:end] = True

    def _stands_for_sign(self, row: int) -> bool:
        """Return whether text for screen readers says what a sign does.

        It is a word (a unit beside a number), or all that a cell has.
        """
        page, above = self.page, int(self.page.parent[row])
        length = int(page.length[row])
        if length == 0:
            return False
        text = page.folded(row) if length <= _WORD else ""
        if text and len(text.encode("utf-8", "replace")) <= _WORD:
            return text not in _TICK_BOXES
        while above > 0 and page.length[above] == length and not _CELLS[page.tag[above]]:
            above = int(page.parent[above])
        return length <= _SIGN and bool(_CELLS[page.tag[above]]) and page.length[above] == length

    def _is_put_in(self, row: int, end: int) -> bool:
        """Return whether a script puts a row's text elsewhere: the page declares or keys it."""
        for rows in self._declared.values():
            if row <= rows[0] and rows[-1] < end:
                return True  # and it is shown nowhere else
        page = self.page
        if not _BOXES[page.tag[row]] or page.length[row] < _STORED * _STORED_LENGTH:
            return False
        stored = [one for one in page.children(row) if page.tag[one] != tags.TEXT]
        if len(stored) < _STORED or page.length[row] < len(stored) * _STORED_LENGTH:
            return False
        keys = [
            tuple(pair for pair in page.attributes(one).items() if pair[0].startswith("data-"))
            for one in stored
        ]
        alike = len({(page.name(one), *dict(key)) for one, key in zip(stored, keys, strict=True)})
        return alike == 1 and all(keys) and len(set(keys)) == len(keys)

    @cached_property
    def _declared(self) -> dict[str, list[int]]:
        if "itemprop" not in self.page.attribute_names:
            return {}
        found = self.page.own_attributes.rows_by_value("itemprop")
        return {name: sorted(rows) for name, rows in found.items() if name in _DECLARED}

    def _names_picture(self, row: int) -> bool:
        """Return whether a short text says in a line what the picture beside it is."""
        page = self.page
        if not 0 < page.length[row] <= _SIGN:
            return False
        own = [*filter(str.isalnum, page.folded(row).casefold())]
        for beside in (self.controls.previous(row), self.controls.following(row)):
            if beside >= 0 and page.tag[beside] == _IMAGE:
                said = page.attribute(beside, "alt") or page.attribute(beside, "title") or ""
                if own and own == [*filter(str.isalnum, said[:_LONGEST].casefold())]:
                    return True
        return False

    def _show_again(self, row: int, end: int) -> None:
        """Show what is visible within what isn't, unless something around it is gone at all."""
        for above in self.page.ancestors(row):
            said = self.marks(above)
            if said & (GONE | FAINT) and self.gone[above]:
                return
        self.gone[row:end] = False

    def _blank(self, row: int, end: int) -> None:
        """Hide the text in an element without size or colour, but what a style may show again."""
        page, at = self.page, row + 1
        while at < end:
            if page.tag[at] == tags.TEXT:
                self.gone[at] = True
            elif page.attribute(at, "class") is not None or page.attribute(at, "style") is not None:
                at = int(page.end[at])
                continue
            at += 1

    @cached_property
    def _many_faint(self) -> bool:
        length, rows = self.page.length.item, may_be_marked(self.page).tolist()
        faint = (row for row in rows if length(row) > 0 and self.marks(row) & FAINT)
        return len([*islice(faint, _SEVERAL + 1)]) > _SEVERAL

    def _fades(self, row: int, said: int) -> bool:
        """Return whether a script fades a row in."""
        if said & GONE:
            return False
        if said & FAINT and self._many_faint:
            return True
        for above in _near(self.page, row):
            pairs = self.page.attributes(above)
            if _names_fading(_names(pairs)):
                return True
            if any(name.startswith(_FADE_ATTRIBUTES) for name in pairs):
                return True
        return False


def may_be_marked(page: Page) -> Rows:
    """Return int32[…]: rows, in order, among which are all that may bear marks."""
    (rows,) = page.derived("rows that may bear marks of hiding", lambda: (_may_be_marked(page),))
    return rows


def _may_be_marked(page: Page) -> Rows:
    names, attributes = page.attribute_names, page.own_attributes
    found: list[Rows] = []
    if "class" in names:
        found.append(page.rows_that_may("class", CLASS_WORDS))
    found += [attributes.rows_of(name) for name in _ATTRIBUTES if name in names]
    if "style" in names:
        escaped = b"\\" in page.own_attributes.values
        found.append(
            attributes.rows_of("style") if escaped else page.rows_that_may("style", STYLE_WORDS)
        )
    if page.holds(*_NEVER):
        found.append(kernels.rows_of(page.tag, _UNDRAWN, page.shown[:0], 0, len(page)))
    if page.styles:
        found.append(np.array([*_sheet_marks(page)], dtype=np.int32))
    found = [rows for rows in found if len(rows)]
    if len(found) <= 1:
        return found[0] if found else _NO_ROWS
    marked = np.zeros(len(page), dtype=bool)
    for rows in found:
        marked[rows] = True
    return marked.nonzero()[0].astype(np.int32)


def _sheet_marks(page: Page) -> dict[int, int]:
    """Return row → what the plain rules of the page's own style elements say of it."""

    def made() -> tuple[Rows, Rows]:
        rules = _rules_of_sheets(page)
        marks = _marks_of_rules(page, rules) if rules else {}
        return np.array([*marks], dtype=np.int32), np.array([*marks.values()], dtype=np.int32)

    rows, said = page.derived("marks of sheets", made)
    return dict(zip(rows.tolist(), said.tolist(), strict=True))


def _marks_of_rules(page: Page, rules: dict[str, int]) -> dict[int, int]:
    by_tag, named = _by_sign(tuple(islice(rules.items(), _MOST_RULES)))
    marks: dict[int, int] = {}
    for tag, said in by_tag:
        for row in page.is_tag(tag).nonzero()[0].tolist() if page.holds(tag) else ():
            marks[row] = marks.get(row, 0) | said
    for attribute, says in named.items():
        _add_named(page, attribute, says, marks)
    if not marks:
        return marks
    states = page.own_attributes.values_of(np.array([*marks], dtype=np.int32), "class")
    return {
        row: said
        for (row, said), (own,) in zip(marks.items(), states, strict=True)
        if not own or not _SHOWN_STATE.search(own[:_LONGEST])
    }


@lru_cache(maxsize=256)
def _by_sign(
    rules: tuple[tuple[str, int], ...],
) -> tuple[list[tuple[str, int]], dict[str, dict[str, list[tuple[str, int]]]]]:
    """Return what rules say of tags, and of class and id: of each name, of any tag or of one."""
    by_tag: list[tuple[str, int]] = []
    named: dict[str, dict[str, list[tuple[str, int]]]] = {}
    for selector, said in rules:
        if (found := _SELECTOR.fullmatch(selector)) is None:
            continue
        tag, sign, name = found.groups()
        tag = tag and tag.lower()
        if sign:
            says = named.setdefault("class" if sign == "." else "id", {})
            says.setdefault(name, []).append((tag, said))
        elif tag in tags.CODES:
            by_tag.append((tag, said))
    return by_tag, named


def _rules_of_sheets(page: Page) -> dict[str, int]:
    rules: dict[str, int] = {}
    for row, sheet in page.styles.items():
        if own := hiding_rules(sheet):
            media = (page.attribute(row, "media") or "all").lower()
            if page.name(int(page.parent[row])) != "noscript" and _SCREEN.search(media):
                rules |= own
    return rules


def _add_named(
    page: Page, attribute: str, says: dict[str, list[tuple[str, int]]], marks: dict[int, int]
) -> None:
    """Add what rules say of the rows whose class or id has a name: of any tag, or of one."""
    words = tuple(map(str.lower, says))
    for value, rows in page.own_attributes.candidate_values(attribute, words).items():
        for name in says.keys() & value.split():
            for row in rows:
                for tag, said in says[name]:
                    if not tag or page.name(row) == tag:
                        marks[row] = marks.get(row, 0) | said


@kept_of_short_texts(4096)
def class_says(names: str) -> int:
    """Return what class names say by convention."""
    if _CLASS.search(names) is None or _SHOWN_AGAIN.search(names) is not None:
        return 0
    if _OF_PRINT.search(names) is not None and _NONE_BESIDE.search(names) is None:
        return 0
    return SURE if _NEVER_READ.search(names) is not None else GONE


# What opens


class Controls:
    """The controls of a page, as far as they open what is hidden."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._answers: dict[tuple[int, bool], Counter[tuple[int, str | None]]] = {}
        self._opening: dict[int, bool] = {}
        self._runs: dict[int, tuple[int, int]] = {}

    def open(self, row: int) -> bool:
        """Return whether a control of the page opens a row that bears a mark of hiding."""
        page = self.page
        if any(map(self._opens, _near(page, row))):
            return True
        pairs = page.attributes(row)
        if (pairs.get("hidden") or "").strip().lower() == "until-found":
            return True
        own = pairs.get("id")
        return bool(own and own in self._named) or self._is_beside(row) or self._is_answer(row)

    def _opens(self, row: int) -> bool:
        """Return whether an element is one that opens, by its tag, role or name."""
        if (known := self._opening.get(row)) is None:
            page, pairs = self.page, self.page.attributes(row)
            known = self._opening[row] = (
                page.tag.item(row) == _DETAILS
                or role_folds(pairs.get("role") or "")
                or _names_opened(_names(pairs))
            )
        return known

    @cached_property
    def _named(self) -> frozenset[str]:
        """The ids that links and controls name."""
        columns, found = self.page.own_attributes, set[str]()
        for name in self.page.attribute_names & _NAMES_ID:
            for value in columns.rows_by_value(name) if name != "href" else ():
                found.update(one.removeprefix("#") for one in value.split())
        if "href" in self.page.attribute_names:
            rows = self.page.rows_that_may("href", _ANCHORS)
            found.update((value or "")[1:] for (value,) in columns.values_of(rows, "href"))
        return frozenset(found)

    def _is_beside(self, row: int) -> bool:
        """Return whether an element next to a row is a control, or one that ends what follows."""
        page = self.page
        for at in self._around(row):
            if at < 0:
                continue
            if self._takes_turns(row, at):
                return True
            inner = at + 1  # the one element in it, where there is one
            while inner < page.end[at] and page.tag[inner] == tags.TEXT:
                inner += 1
            if _is_control(page, at) or (inner < page.end[at] and _is_control(page, inner)):
                return True
        return False

    def _around(self, row: int) -> tuple[int, int]:
        """Return the elements before and behind a row and its like that hide beside it, or -1.

        A control shows them all: the rest of a list, or of a table. Behind the last row in an
        element stands what stands behind that.
        """
        if row not in self._runs:
            page, above = self.page, int(self.page.parent[row])
            before, earlier = self._passed(row, self.previous)
            after, later = self._passed(row, self.following)
            if after < 0 and page.tag[above] == _TABLE_BODY:
                above = int(page.parent[above])
            if after < 0 and above > page.body:
                after = self.following(above)
            self._runs.update(dict.fromkeys((row, *earlier, *later), (before, after)))
        return self._runs[row]

    def _passed(self, row: int, step: Callable[[int], int]) -> tuple[int, list[int]]:
        """Return the first sibling, step by step, that doesn't hide like a row; and what does."""
        passed, tag, at = list[int](), self.page.tag.item, step(row)
        while at >= 0 and tag(at) == tag(row) and _hides_itself(self.page, at):
            passed.append(at)
            at = step(at)
        return at, passed

    def _takes_turns(self, row: int, other: int) -> bool:
        """Return whether a box beside a hidden one is like it and shown: a script swaps them."""
        page = self.page
        names = page.attribute(row, "class")
        return (
            bool(names)
            and bool(_BOXES[page.tag[row]])
            and page.tag[other] == page.tag[row]
            and page.attribute(other, "class") == names
            and not _hides_itself(page, other)
        )

    def following(self, row: int) -> int:
        """Return the sibling behind that is an element, other than a script; -1 for none."""
        end, tag = self.page.end.item, self.page.tag.item
        at, stop = end(row), end(self.page.parent.item(row)) if row else 0
        while at < stop and tag(at) in _SKIPPED:
            at = end(at)
        return at if at < stop else -1

    def previous(self, row: int) -> int:
        """Return the sibling before that is an element; -1 for none."""
        parent, tag = self.page.parent.item, self.page.tag.item
        above, at = parent(row), row - 1
        while at > above and tag(at) == tags.TEXT and parent(at) == above:
            at -= 1
        while at > above and (holder := parent(at)) != above:
            at = holder
        return at if at > above else -1

    def _is_answer(self, row: int) -> bool:
        """Return whether a row and others like it stand each below a heading, as answers do."""
        page, above = self.page, self.page.parent.item(row)
        outer = page.parent.item(above) if above > page.body else -1
        top, before = outer if outer >= 0 else above, self._headings_before
        if before.item(page.end.item(top)) - before.item(top) < _SEVERAL:
            return False
        key = page.tag.item(row), page.attribute(row, "class")
        if self._below_headings(above)[key] >= _SEVERAL:
            return True
        return outer >= 0 and self._below_headings(outer, inner=True)[key] >= _SEVERAL

    @cached_property
    def _headings_before(self) -> NDArray[np.intp]:
        """intp[n+1]: what can be a heading before each row."""
        return np.append(0, _HEADINGS.take(self.page.tag).cumsum())

    def _below_headings(
        self, above: int, *, inner: bool = False
    ) -> Counter[tuple[int, str | None]]:
        """Return tag and class of the elements in one that hide just below a heading, counted.

        With ``inner``, of those in the elements in it.
        """
        if (known := self._answers.get((above, inner))) is not None:
            return known
        page, before = self.page, self._headings_before
        found = self._answers[above, inner] = Counter[tuple[int, str | None]]()
        rows = (page.parent[above + 1 : page.end[above]] == above).nonzero()[0] + above + 1
        rows = rows[page.tag.take(rows) != tags.TEXT]
        if inner:
            for row in rows[before.take(page.end.take(rows)) > before.take(rows)].tolist():
                found.update(self._below_headings(row))
            return found
        for row in rows[1:][_HEADINGS.take(page.tag.take(rows[:-1]))].tolist():
            if _hides_itself(page, row):
                found[page.tag.item(row), page.attribute(row, "class")] += 1
        return found


def _near(page: Page, row: int) -> list[int]:
    """Return a row and the next ones above it, but the body and what holds that."""
    rows, parent, body = [row], page.parent.item, page.body
    while len(rows) <= _ABOVE and (above := parent(rows[-1])) > body:
        rows.append(above)
    return rows


def _names(pairs: Mapping[str, str | None]) -> str:
    return f"{(pairs.get('class') or '')[:_LONGEST]} {(pairs.get('id') or '')[:_LONGEST]}"


def _is_control(page: Page, row: int) -> bool:
    pairs, tag = page.attributes(row), page.name(row)
    if tag in ("button", "summary") or not pairs.keys().isdisjoint(_CONTROL_ATTRIBUTES):
        return True
    if (pairs.get("role") or "").lower() in ("button", "tab"):
        return True
    if tag == "input":
        return (pairs.get("type") or "").lower() in ("checkbox", "radio", "button")
    if tag == "a" and (pairs.get("href") or "#").lower().startswith(("#", "javascript:")):
        return "href" in pairs or "class" in pairs
    names = (pairs.get("class") or "")[:_LONGEST]
    return page.length.item(row) <= _LONGEST and _names_control(names)


def is_closed(page: Page, row: int, *, named: bool) -> bool:
    if page.tag[row] == _DETAILS and "open" not in page.attributes(row):
        return True
    return named and _hides_itself(page, row)


def role_folds(role: str) -> bool:
    """Return whether a role is one of elements that a click opens."""
    return role.strip().lower() in _FOLDED_ROLES


def _hides_itself(page: Page, row: int) -> bool:
    pairs = page.attributes(row)
    return (
        "hidden" in pairs
        or (pairs.get("aria-hidden") or "").strip().lower() == "true"
        or class_says(pairs.get("class") or "") > 0
        or style_says(pairs.get("style") or "") & (GONE | FAINT | UNSEEN) > 0
    )


def unfolding(page: Page) -> Mask:
    """Return bool[n]: rows whose role or class is one of elements that a click opens."""
    rows = np.zeros(len(page), dtype=bool)
    rows[page.rows_where("class", class_folds, *FOLDED_WORDS)] = True
    rows[page.rows_where("role", role_folds, *_FOLDED_ROLES)] = True
    return rows


# Rendered pages


def _unseen(page: Page) -> Mask | None:
    """Return bool[n]: rows a browser shows nothing of; None where it isn't known.

    Where it shows next to nothing, as of a page that waits for a click, that doesn't count.
    """
    if page.layout is None:
        return None
    unseen: Mask = page.shown & (page.layout[:, layout_columns.VISIBLE] == 0)
    for row in (unseen & _PICTURES.take(page.tag)).nonzero()[0].tolist():
        if _is_lazy(page, row):
            unseen[row] = unseen[page.parent[row]]
    if int(page.own_length[unseen].sum()) > MOST * int(page.own_length.sum()):
        return None
    return unseen


def _is_lazy(page: Page, row: int) -> bool:
    return bool(_PICTURES[page.tag[row]]) and any(
        name[:5] == "data-" for name in page.attributes(row)
    )


# Widgets whose parts are opened by a click: tabs, accordions, lists of details.
#
# A part is what `folded` takes for one, opened or not; those that stand beside each other, or each
# in a box beside the others', are one widget if at least one of them is closed: what only bears
# the name of a panel and is never hidden is layout.


def parts_by_widget(page: Page, named: Mask | None = None) -> list[list[int]]:
    """Return the rows of each widget's parts; a part within a part belongs to the outer widget.

    ``named`` is bool[n], rows that are named as panels (`class_folds`, `role_folds`), where they
    are known; those without text may be left out.
    """
    named = unfolding(page) if named is None else named
    parts = named | page.is_tag("details") if page.holds("details") else named
    if np.count_nonzero(parts) <= 1:
        return []
    groups: dict[int, list[int]] = defaultdict(list)
    stop = 0
    for row in (parts & page.around(page.written & page.shown)).nonzero()[0].tolist():
        if row >= stop:
            stop = int(page.end[row])
            groups[int(page.parent[row])].append(row)
    boxes: dict[int, list[int]] = defaultdict(list)
    for above, rows in groups.items():
        # A box with one part is one of an accordion's; the boxes stand in the accordion.
        boxes[above if len(rows) > 1 else int(page.parent[above])] += rows
    return [
        rows
        for rows in boxes.values()
        if len(rows) > 1 and any(is_closed(page, row, named=bool(named[row])) for row in rows)
    ]
