"""What a browser doesn't show: hidden for good, or folded. The one definition of both.

*Hidden for good* is what the page has no way to show: ``hidden``, styles that leave nothing to see
(`chaffinch.elements.hiding_styles`), names by which common style sheets hide, fallbacks of elements
that browsers draw, text in form controls. *Folded* is what a control of the page opens or a script
fades in: content like any other. A mark of hiding is one of folding where the row is a part by its
name or role (tabs, accordions), a link or control names its id, or a control stands beside it.

On a rendered page the browser says what is visible (`chaffinch.page.layout_columns`); that counts,
and what can be folded is still told by marks. Methods that a document describes have definitions of
their own (`chaffinch.layout.markup`), and the network's features are what it was trained on
(`chaffinch.model.name_hashes`).
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import compress, islice
from typing import Final

import numpy as np

from chaffinch import kernels
from chaffinch.caching import cached_property, finds, kept_with_page
from chaffinch.elements import WORDS
from chaffinch.elements.hiding_styles import (
    BLANK,
    CLASSES,
    DISPLAYED,
    FAINT,
    GONE,
    HIDES,
    SEEN,
    STYLES,
    SURE,
    class_says,
    hiding_rules,
    style_says,
)
from chaffinch.elements.opening import BOXES, Controls, closed, names_of, near
from chaffinch.kernels.arrays import Mask, Rows, marked
from chaffinch.page import Page, layout_columns, tags
from chaffinch.page.attributes import NO_ROWS
from chaffinch.page.visibility import Compound

_FADES: Final = re.compile(
    rf"(?:^|[\s_-])(?:{WORDS['names of what fades in']})(?=[\s_-]|\d|$)", re.IGNORECASE
)
"""Names of what a script fades in."""
_names_fading: Final = finds(_FADES, 2048)
_FADE_ATTRIBUTES: Final = tuple(WORDS["attributes of what fades in"].split())
_SCREEN: Final = re.compile(r"\b(?:all|screen)\b(?!\s*+and)")
_SHOWN_STATE: Final = re.compile(
    r"(?:^|[\s_-])(?:open(?:ed)?|active|show[ns]?|current|visible|in)(?=\s|$)"
)
"""Names of a state in which another rule shows what a plain one hides."""
_WORD: Final = 12
"""Bytes of a word for screen readers that stays; sentences of no script are so short."""
_OF_SALE: Final = re.compile(r"(?:^|\s)price__(regular|sale)(?=\s|$)")
_ON_SALE, _PRICES_WITHIN = "price--on-sale", 3
"""Names in the themes of many shops (Shopify's Dawn), whose cards hold both prices of a product."""
_SIGN: Final = 40  # most characters of a text that stands for a sign, such as a tick in a table
_PICTURES: Final = tags.table(["img", "video", "picture"])
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
_PARENTHESIS: Final = tags.CODES["rp"]  # its sign is needed where ruby stands in a line

MOST: Final = 0.5
"""Share of the page's text that no mark hides: a larger part waits for a script to show it."""
MOST_KEPT: Final = 0.3
"""Share of the content that marks hide at most: where they are more, a script shows them."""
_LONGEST: Final = 200  # characters of a name that are read, and of the text of a control
_SEVERAL: Final = 2  # elements without opacity beyond which a script fades them in
_STORED: Final = 3
_STORED_LENGTH: Final = 80
"""Texts in a store that a script shows one of, and their characters on average."""
# Whole pages


def hidden(page: Page) -> Mask:
    """Return bool[n]: rows that are hidden for good, with all that stands in them.

    Left out are lazy images that are hidden themselves until they have loaded, and marks on more
    than `MOST` of the page's text. Computed once for a page.
    """
    return _of_page(page)[0]


def folded(page: Page) -> Mask:
    """Return bool[n]: rows that show after a click, or that a script fades in."""
    by_marks = _of_page(page)[1]
    if page.layout is not None and _unseen(page) is not None:
        return by_marks
    return by_marks | closed(page)


def _of_page(page: Page) -> tuple[Mask, ...]:
    return page.derived("hidden rows", lambda: hidden_of(page, may_be_marked(page).tolist()))


def hidden_of(page: Page, rows: Iterable[int]) -> tuple[Mask, Mask, Mask]:
    """Return bool[n] each: rows hidden for good, folded ones, those for no screen at all.

    Of `may_be_marked` the given ones count; on a rendered page all rows do.
    """
    if (unseen := _unseen(page)) is not None:
        rows = (unseen & ~unseen[page.parent] & (page.length > 0)).nonzero()[0].tolist()
        controls = Controls(page)
        opening = page.inside(marked(len(page), [row for row in rows if controls.open(row)]))
        return unseen & ~opening, unseen & opening, np.zeros(len(page), dtype=bool)
    found = _Judged(page)
    for row in found.that_say_something(sorted({*rows})):
        found.judge(row)
    return found.gone, found.folded, found.never


class _Judged:
    """The rows of a page that marks hide, judged in document order."""

    def __init__(self, page: Page) -> None:
        self.page, self.controls, self._marks = page, Controls(page), dict[int, int]()
        self.gone, self.folded, self.never = np.zeros((3, len(page)), dtype=bool)
        self.of_sheets = dict(_sheet_marks(page).T.tolist()) if page.styles else {}
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
        if names and not said and "price__" in names and (found := _OF_SALE.search(names)):
            around = islice(self.page.ancestors(row), _PRICES_WITHIN)
            is_sale = any(_ON_SALE in (self.page.attribute(up, "class") or "") for up in around)
            said = 0 if is_sale == (found[1] == "sale") else SURE
        if bare != _NO_BARE:
            said = GONE
        if _UNDRAWN.item(self.page.tag.item(row)):
            said = SURE
        said = self.of_sheets.get(row, said)
        if style:
            own = style_says(style)
            if not self.page.styles and bare[0] is None:  # nothing that a display overrules
                own &= ~DISPLAYED
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
            self.never[row:end] |= page.tag[row:end] == tags.TEXT  # its images are of lazy ones
            self.gone[row:end] |= self.never[row:end]
        elif (tag == tags.CODES["dialog"] and "open" in page.attributes(row)) or (
            tag == _PARENTHESIS and page.length[row] <= 1
        ):
            return
        elif said & HIDES == BLANK:
            self._blank(row, end)
        elif said & SURE:
            gone = _UNDRAWN[tag] or not self._stands_for_sign(row)
            self.gone[row:end] = self.never[row:end] = gone
        elif self._fades(row, said) or self.controls.open(row) or self._is_put_in(row, end):
            self.folded[row:end] = True
        elif not (_is_lazy(page, row) or self._names_picture(row)):
            self.gone[row:end] = True
            self.never[row:end] |= self._is_translation(row)

    def _is_translation(self, row: int) -> bool:
        """Return whether a row says that it isn't in the language of the page."""
        if not (own := self.page.attribute(row, "lang")):
            return False
        around = self.page.attribute(0, "lang") or own
        return own[:2].lower() != around[:2].lower()

    def _stands_for_sign(self, row: int) -> bool:
        """Return whether text for screen readers says what a sign does.

        It is a word (a unit beside a number) but no label, or all that a cell has.
        """
        page, above = self.page, int(self.page.parent[row])
        beside = self.controls.previous(row)
        shown = beside >= 0 and page.attribute(beside, "aria-hidden") == "true"
        if tags.HEADING[page.tag[row]] or (shown and any(map(str.isalnum, page.folded(beside)))):
            return False  # what it says is shown
        length = int(page.length[row])
        text = page.folded(row) if length <= _WORD else ""
        if text and len(text.encode("utf-8", "replace")) <= _WORD:
            return text not in "▢□☐◻☑" and text[-1] not in ":："
        while above > 0 and page.length[above] == length and not tags.CELL[page.tag[above]]:
            above = int(page.parent[above])
        return length <= _SIGN and bool(tags.CELL[page.tag[above]]) and page.length[above] == length

    def _is_put_in(self, row: int, end: int) -> bool:
        """Return whether a script puts a row's text elsewhere: the page declares or keys it."""
        for rows in self._declared.values():
            if row <= rows[0] and rows[-1] < end:
                return True  # and it is shown nowhere else
        page = self.page
        if not BOXES[page.tag[row]] or page.length[row] < _STORED * _STORED_LENGTH:
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
            if beside >= 0 and page.tag[beside] == tags.IMAGE:
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
        length, rows = self.page.length.item, {*may_be_marked(self.page).tolist()}
        faint = (row for row in rows if length(row) > 0 and self.marks(row) & FAINT)
        return len([*islice(faint, _SEVERAL + 1)]) > _SEVERAL

    def _fades(self, row: int, said: int) -> bool:
        if said & GONE:
            return False
        if said & FAINT and self._many_faint:
            return True
        for above in near(self.page, row):
            pairs = self.page.attributes(above)
            if _names_fading(names_of(pairs)):
                return True
            if any(name.startswith(_FADE_ATTRIBUTES) for name in pairs):
                return True
        return False


@kept_with_page
def may_be_marked(page: Page) -> Rows:
    """Return int32[…]: rows, in no order, some twice, among which are all that may bear marks."""
    names, attributes = page.attribute_names, page.own_attributes
    found: list[Rows] = []
    if "class" in names:
        found.append(CLASSES.candidates(page))
    found += [attributes.rows_of(name) for name in _ATTRIBUTES if name in names]
    if "style" in names:
        escaped = b"\\" in page.own_attributes.values
        found.append(attributes.rows_of("style") if escaped else STYLES.candidates(page))
    if not page.tag_names.isdisjoint(_NEVER):
        found.append(kernels.rows_of(page.tag, _UNDRAWN, page.shown[:0], 0, len(page)))
    if page.styles:
        found.append(_sheet_marks(page)[0])
    return np.concatenate(found) if found else NO_ROWS


@kept_with_page
def _sheet_marks(page: Page) -> Rows:
    """Return int32[2, …]: rows, and what the plain rules of the page's own sheets say of each."""
    rules = _rules_of_sheets(page)
    marks = _marks_of_rules(page, rules) if rules else {}
    return np.array([[*marks], [*marks.values()]], dtype=np.int32)


def _marks_of_rules(page: Page, rules: Mapping[tuple[Compound, ...], int]) -> dict[int, int]:
    some, marks = [*islice(rules.items(), 64)], dict[int, int]()
    rows_of = _rows_of_names(page, {one[1:] for selector, _ in some for one in selector})
    for selector, said in some:
        for row in _selected(page, selector, rows_of):
            marks[row] = marks.get(row, 0) | said
    if not marks:
        return marks
    states = page.own_attributes.values_of(np.array([*marks], dtype=np.int32), "class")
    return {
        row: said
        for (row, said), (own,) in zip(marks.items(), states, strict=True)
        if not own or not _SHOWN_STATE.search(own[:_LONGEST])
    }


def _rows_of_names(page: Page, names: set[tuple[str, str]]) -> dict[tuple[str, ...], list[int]]:
    """Return sign and name → the rows with that class or id."""
    rows_of = defaultdict[tuple[str, ...], list[int]](list)
    for sign, attribute in ((".", "class"), ("#", "id")):
        if own := {name for one, name in names if one == sign}:
            words = tuple(map(str.lower, own))
            for value, rows in page.own_attributes.candidate_values(attribute, words).items():
                for name in own & {*value.split()}:
                    rows_of[sign, name] += rows
    return rows_of


def _selected(
    page: Page, selector: tuple[Compound, ...], rows_of: Mapping[tuple[str, ...], list[int]]
) -> list[int]:
    """Return the rows that a selector matches, in elements of the body of which none is opened."""
    boxes: list[int] | None = None
    for tag, *name in selector:
        if boxes is not None and not boxes:
            break
        if tag in tags.CODES and not name[0]:
            rows = page.is_tag(tag).nonzero()[0].tolist()
        else:
            rows = [row for row in rows_of.get(tuple(name), ()) if not tag or page.name(row) == tag]
        boxes = rows if boxes is None else _inside(page, rows, boxes)
    return boxes or []


def _inside(page: Page, rows: list[int], boxes: list[int]) -> list[int]:
    """Return those of some rows that stand in some of the boxes, but in none that is opened."""
    boxes = [box for box in boxes if box > page.body]
    states = ((page.attribute(box, "class") or "")[:_LONGEST] for box in boxes)
    opened = [*compress(boxes, map(_SHOWN_STATE.search, states))]
    within = page.inside(marked(len(page), boxes))
    if opened:
        within = within & ~page.inside(marked(len(page), opened))
    return [row for row in rows if within[page.parent[row]]]


def _rules_of_sheets(page: Page) -> dict[tuple[Compound, ...], int]:
    rules: dict[tuple[Compound, ...], int] = {}
    for row, sheet in page.styles.items():
        if own := hiding_rules(sheet):
            media = (page.attribute(row, "media") or "all").lower()
            if page.name(int(page.parent[row])) != "noscript" and _SCREEN.search(media):
                rules |= own
    return rules


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
