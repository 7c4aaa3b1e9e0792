"""Aids for a page's readers that are no content: permalinks, edit links, copy buttons.

Outputs, headings and titles leave them out (`reading_aids`). Controls behind headings are in no
text block, either (`heading_controls`): a block between a heading and its text would part the two.
Buttons within a listing are for `chaffinch.elements.code`.
"""

import re
from collections.abc import Iterator
from itertools import islice, pairwise, takewhile
from typing import Final

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.caching import finds, kept_of_short_texts, kept_with_page
from chaffinch.elements import WORDS, whole_names
from chaffinch.elements.hiding_styles import hides_itself
from chaffinch.elements.opening import is_control
from chaffinch.kernels.arrays import Mask, Rows
from chaffinch.page import Page, tags
from chaffinch.page.attributes import Search, Searches
from chaffinch.page.flattening import siblings_before

EDIT, ANCHOR, COPY, COUNT = 1, 2, 4, 8
_NAMED: Final = {
    EDIT: re.compile(f"{whole_names('names of edit links')}|editsection", re.IGNORECASE),
    ANCHOR: re.compile(whole_names("names of permalinks"), re.IGNORECASE),
    COPY: re.compile(whole_names("names of what copies"), re.IGNORECASE),
    COUNT: re.compile(whole_names("names of counters"), re.IGNORECASE),
}
"""Names of each kind of aid, as class names."""
_TOP: Final = re.compile(r"(?:^|[_-])(?:top|toc|contents|pagetop)(?:[_-]|$)", re.IGNORECASE)
"""Names of where a page, or its table of contents, begins."""
_COUNTS: Final = Search("class", "count", "num", "badge", "like", "vote", "clap")
_LONGEST_COUNT: Final = 6
UNFOLDS: Final = "expandlink"  # part of the class names of links that unfold a quotation
_CONTROLS: Final = Search("class", *WORDS["words in names of baskets and controls"])
"""Parts of class names of such links, of those into a basket, and of signs that open something."""
_EDITS: Final = frozenset(WORDS["labels of edit links"].split("|"))
"""What links to edit are called, in lower case; some have no words."""
_LEADS_TO_EDIT: Final = re.compile(r"[?&](?:action|do|mode)=(?:ve)?edit(?=&|$|#)|[?&]veaction=edit")
_SOURCES: Final = frozenset(WORDS["labels of links to source code"].split("|"))
_SURE_NAMES: Final[list[str]] = WORDS["names of what is no content"]
"""Names of what is no content for sure: a file and its line, the numbers of a notebook's cells."""
_MAY_NAME: Final = Search("class", "source", "src", "prompt")
"""Each of them, and each name of a link to source code, has one of these in it."""
_LISTING: Final = re.compile(
    r"(?:\A|/)(?:blob|src|_modules)/|[#;](?:L|l=|line-?)\d|\.\w{1,5}\.html#"
)
"""Addresses of source code, or of a line of it."""
_OPEN_ALL: Final = frozenset(WORDS["labels of what opens all sections"].split("|"))
_BETWEEN_LABELS: Final = re.compile(r" ?[/|·] ?")
_OPENING: Final = Search("class", "toggle", "expand", "collaps", "accord", "faq")
_COPYING: Final = Search("class", "copy", "clipboard")
_PAGE_BREAKS: Final = (Search("epub:type", "pagebreak"), Search("role", "pagebreak"))
_SELDOM: Final = Searches(_CONTROLS, *_PAGE_BREAKS)
_BARS: Final = re.compile(r"[\s\[\]［］【】()（）|｜/·]*+")
_LINKS: Final = tags.table(["a"])
_BUTTONS: Final = tags.table(["button"])
_SHORT: Final = 24  # characters of a short link or a button: of a sign, or words that stand for one
_LONGEST: Final = 60  # characters of all edit links of a heading
_ABOVE: Final = 3
"""Elements above an aid of which one names it, is the heading, or holds the listing."""
_INVISIBLE: Final = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
"""Format characters without a width (Unicode, general category Cf) that stand alone on pages."""
_ENDS: Final = '.!?…。！？”"»)）'
_SIGN: Final = re.compile(f"[¶§#🔗⚓∞↩↑⤴⏎^\ue000-\uf8ff][\ufe0e\ufe0f]?|[{_INVISIBLE}]+")
_NOTHING: Final = np.zeros(0, dtype=bool)


def reading_aids(page: Page, kept: Mask) -> list[int]:
    """Return those of ``kept``, bool[n], that aren't for reading.

    Permalinks, links to code, to edit, to unfold or into a basket, buttons that copy, counters,
    icons, the parentheses of ruby texts, and what a line repeats for another width or to run on.
    """
    rows = page.is_tag("rp").nonzero()[0].tolist() if "rp" in page.tag_names else []
    if len(controls := heading_controls(page)):
        rows += (kept & controls).nonzero()[0].tolist()
    links = kernels.rows_of(page.tag, _LINKS, kept, 0, len(page))
    before = page.written_before
    written = before.take(page.end.take(links)) - before.take(links)
    short = (written > 0) & (written <= _SHORT)
    links, written = links[short], written[short]
    if len(links):
        rows += _permalinks(page, links, written)
        headed = links[page.inside(tags.HEADING.take(page.tag)).take(links)].tolist()
        rows += dict.fromkeys(row for link in headed for row in _edit_link(page, link))
        likely = links[(written == 8) | (written == 5)].tolist()  # noqa: PLR2004  of what follows
        rows += [row for row in likely if page.folded(row) in ("[source]", "[src]")]
        likely = links[written == len("source")].tolist()
        rows += [
            row for row in likely if page.folded(row) == "Source" and _leads_to_code(page, row)
        ]
    if len(named := _MAY_NAME.candidates(page)):
        rows += [row for row in named[kept.take(named)].tolist() if _is_of_source(page, row)]
    buttons: list[int] = []
    if "button" in page.tag_names:
        buttons = kernels.rows_of(page.tag, _BUTTONS, kept, 0, len(page)).tolist()
    rows += [*_open_all(page, kept, buttons), *_doubled_numbers(page, kept)]
    if _SELDOM.may_find(page):
        rows += [row for search in _PAGE_BREAKS for row in search.rows(page) if kept[row]]
        own = [row for row in _CONTROLS.rows(page) if kept[row] and page.length[row] <= _SHORT]
        rows += [row for row in own if not any(map(str.isdigit, page.folded(row)))]  # no price
    rows += [*_icons(page, kept), *_copies_for_widths(page, kept), *_silent_copies(page, kept)]
    rows += [*_opening_signs(page, kept), *_copy_buttons(page, kept, buttons)]
    return rows + _counters(page, kept)


@kept_of_short_texts(2048)
def _named(names: str) -> int:
    return sum(aid for aid, pattern in _NAMED.items() if pattern.search(names))


def _is_named(page: Page, row: int, aid: int) -> bool:
    return bool((names := page.attribute(row, "class")) and _named(names) & aid)


# Permalinks: signs beside a heading or a term that link to it, ``¶``, ``#`` and the like, and ``↩``
# behind a note. In a heading they may be words («Link to this heading», 复制链接), to the heading's
# own id or so named.


def _permalinks(page: Page, links: Rows, written: NDArray[np.intp]) -> list[int]:
    parent = page.parent
    few = links[written <= 2].tolist()  # noqa: PLR2004  a sign, and the one that selects its form
    found = [row for row in few if _SIGN.fullmatch(page.folded(row)) and page.anchor(row)]
    above = parent.take(links)
    beside = tags.HEADING.take(page.tag.take(above))
    beside |= tags.HEADING.take(page.tag.take(parent.take(above)))
    return found + [row for row in links[beside].tolist() if _links_to_heading(page, row)]


def _links_to_heading(page: Page, link: int) -> bool:
    heading = int(page.parent[link])
    if not tags.HEADING[page.tag[heading]]:
        heading = int(page.parent[heading])
    if page.length[link] >= page.length[heading] or not (target := page.anchor(link)):
        return False
    if _is_named(page, link, ANCHOR) or _TOP.search(target):
        return True
    begins = page.written_before[link] == page.written_before[heading]
    return target == page.attribute(heading, "id") and not begins


# Edit links: "[编辑]", "[edit source]", "[править]", in the headings of a wiki's page; those beside
# them are `heading_controls`. They are known by where they lead, by the class of the link or of
# what is around it.


def _leads_to_edit(address: str) -> bool:
    return "edit" in address and _LEADS_TO_EDIT.search(address) is not None


def _edit_link(page: Page, link: int) -> Iterator[int]:
    """Yield a link to edit a section in the heading of that, and the texts of brackets around."""
    around = (link, *islice(page.ancestors(link), _ABOVE))
    is_marked = _leads_to_edit(page.attribute(link, "href") or "") or any(
        page.length[row] <= _LONGEST and _is_named(page, row, EDIT) for row in around
    )
    if not is_marked:
        return
    heading = next(row for row in page.ancestors(link) if tags.HEADING[page.tag[row]])
    start, end, before = int(page.end[link]), int(page.end[heading]), page.written_before
    if not 0 < page.length[link] < page.length[heading] - _BETWEEN:
        return
    yield link
    for beside in (
        before.searchsorted(before[link]) - 1,
        before.searchsorted(before[start], "right") - 1,
    ):
        if heading < beside < end and _BARS.fullmatch(page.folded(beside)):
            yield int(beside)


# Links from what a manual describes to its source code: «View Source», (source); and prompts.


def _is_of_source(page: Page, row: int) -> bool:
    """Return whether a named element is such a link, a line about it, or all that holds one."""
    if page.length[row] > _LONGEST:
        return False
    if any(map((page.attribute(row, "class") or "").__contains__, _SURE_NAMES)):
        return True
    if page.folded(row).strip("[]()").lower() not in _SOURCES:
        return False
    links = (at for at in range(row, page.end.item(row)) if page.tag[at] == tags.LINK)
    return any(_leads_to_code(page, at) for at in links)


def _leads_to_code(page: Page, link: int) -> bool:
    return _LISTING.search(page.attribute(link, "href") or "") is not None


# What opens or closes all sections: «Expand all», «Alle aufklappen / Alle zuklappen».


def _open_all(page: Page, kept: Mask, buttons: list[int]) -> list[int]:
    named = _OPENING.candidates(page)
    return [
        row
        for row in {*buttons, *named[kept.take(named)].tolist()}
        if 0 < page.length[row] <= _LONGEST
        and _OPEN_ALL.issuperset(_BETWEEN_LABELS.split(page.folded(row).lower()))
    ]


# Numbers in elements of their own that begin the items of a list that counts by itself.


def _doubled_numbers(page: Page, kept: Mask) -> list[int]:
    if "ol" not in page.tag_names:
        return []
    in_list = page.is_tag("ol")[page.parent] & page.is_tag("li") & kept
    found = list[int]()
    for item in in_list.nonzero()[0].tolist():
        first = item + page.written[item : page.end[item]].tobytes().find(1)
        own = page.text_of(first).strip(" .)\n")
        if own == str(page.index_of_type[item] + 1) and page.length[item] > page.length[first]:
            is_apart = page.parent[first] != item and page.line[first + 1] != page.line[first]
            found += [first] if is_apart else []
    return found


# Buttons that copy an address or a listing, «Copy», 复制代码: in a heading beside its text, or in
# the element that holds a listing, before or after it; and what else is pressed beside a text.


def _copy_buttons(page: Page, kept: Mask, buttons: list[int]) -> list[int]:
    named = _COPYING.where(page, lambda own: _named(own) & COPY > 0)
    rows = [row for row in named if kept[row]] + buttons
    rows = list(dict.fromkeys(rows))
    return [row for row in rows if _copies(page, row, kept) or _is_beside_text(page, row, kept)]


def _is_beside_text(page: Page, row: int, kept: Mask) -> bool:
    """Return whether a short button begins a line of much text, or stands behind a field in it."""
    opens = any(page.attribute(row, f"aria-{one}") for one in ("expanded", "controls"))
    if opens or not _BUTTONS[page.tag[row]] or not 0 < page.length[row] <= _SHORT:
        return False
    end, line = int(page.end[row]), page.line[row + 1]
    start, stop = (int(page.line.searchsorted(line, side)) for side in ("left", "right"))
    if (kept & page.written)[start:row].any():
        return bool((page.tag[start:row] == tags.CODES["input"]).any())
    return bool(page.own_length[end:stop][kept[end:stop]].sum() >= _LONGEST)


def _copies(page: Page, row: int, kept: Mask) -> bool:
    """Return whether a short element stands beside kept text of a heading, or beside a listing."""
    length = int(page.length[row])
    own = page.tag[row : page.end.item(row)]
    if not 0 < length <= _SHORT or (own == tags.CODES["pre"]).any():  # it holds what is copied
        return False
    is_named = _is_named(page, row, COPY)
    for above in islice(page.ancestors(row), _ABOVE):
        if tags.HEADING[page.tag[above]]:
            first, stop, end = (int(at) for at in (row, page.end[row], page.end[above]))
            text = kept[above:end] & page.written[above:end]
            return bool(text[: first - above].any() or text[stop - above :].any())
        inner = slice(above, min(int(page.end[above]), above + 400))
        if is_named and (page.tag[inner] == tags.CODES["pre"]).any():
            return True
    return False


def _counters(page: Page, kept: Mask) -> list[int]:
    """Return numbers of remarks or likes, which hang on a sentence and end its line."""
    found, named = list[int](), _COUNTS.candidates(page)
    for row in named[kept.take(named)].tolist() if len(named) else ():
        begin, end = page.text_at.item(row), page.end.item(row)
        is_short = 0 < page.length[row] <= _LONGEST_COUNT
        if is_short and begin and page.text[begin - 1] in _ENDS and page.folded(row).isdigit():
            rest = page.written[end : page.line.searchsorted(page.line[end - 1], "right")]
            found += [row] if not rest.any() and _is_named(page, row, COUNT) else []
    return found


_ICON: Final = re.compile(r"[\ue000-\uf8ff\s]+")
_NAMED_ICON: Final = re.compile(r"[a-z][a-z\d_]*")
_OPENS: Final = frozenset("+-−–×✕✖✚➕▼▽▾▿▶▸►▲△▴›❯»⌄⌃˅∨")
"""Signs by which a heading or a control says that it opens something, or closes it."""
_ANCHORS: Final = frozenset("#¶§🔗")
"""Signs of a link around a whole heading that leads to it."""
_NAMING_FONTS: Final = ("material-icons", "material-symbols", "mat-icon", "google-symbols")
"""Names of fonts that draw an icon in place of its name."""
_ICONS: Final = Search("class", "icon", "symbols", "glyph", "fa-", "fa ", "fa\n")


def _icons(page: Page, kept: Mask) -> list[int]:
    """Return elements of icons whose text is a sign of a font, or the name of one."""
    found, rows = list[int](), _ICONS.candidates(page)
    short = kept.take(rows) & (page.length.take(rows) <= _SHORT)
    for row in rows[short].tolist():
        text, names = page.text_of(row).strip(), page.attribute(row, "class") or ""
        is_named = _NAMED_ICON.fullmatch(text) and any(map(names.__contains__, _NAMING_FONTS))
        if not (is_named or _ICON.fullmatch(text)):
            continue
        around = takewhile(lambda up: page.length[up] == page.length[row], page.ancestors(row))  # noqa: B023
        if not any(tags.CELL[page.tag[up]] for up in around):  # all of a cell says yes or no
            found.append(row)
    return found


def _opening_signs(page: Page, kept: Mask) -> list[int]:
    """Return elements of a sign at an end of a heading or a control: ``+``, ``▼``, ``#`` and such.

    The element is named, or hidden from screen readers.
    """
    found, parent = list[int](), page.parent.item
    for row in (kept & (page.own_length == 1)).nonzero()[0].tolist():
        said = page.text_of(row).strip()
        is_anchor = said in _ANCHORS and any(map(page.anchor, islice(page.ancestors(row), _ABOVE)))
        if said not in _OPENS and not is_anchor:
            continue
        sign = row
        while (above := parent(sign)) > page.body and page.length[above] == 1:
            sign = above
        at = page.text_at.item(sign)
        is_in_word = page.text[at - 1 : at].isalpha() and page.text[at] == "+"  # Disney+
        marks = {"aria-hidden"} if is_in_word else {"aria-hidden", "class"}
        is_named = not marks.isdisjoint(page.attributes(sign))
        around = islice(page.ancestors(sign), _ABOVE)
        found += [sign] * (is_named and any(_opens(page, one, sign) for one in around))
    return found


def _opens(page: Page, above: int, sign: int) -> bool:
    """Return whether an element around a sign is a heading or a control that it begins or ends."""
    start, end, before = page.end.item(sign), page.end.item(above), page.written_before.item
    if not (before(sign) == before(above) or before(start) == before(end)):
        return False
    after = end + (end < len(page) and page.tag[end] == tags.TEXT)  # white space between
    is_head = tags.HEADING[page.tag[above]] or is_control(page, above)
    return bool(is_head or (after < len(page) and hides_itself(page, after)))


# Copies for widths of the screen, of which a browser shows one: `chaffinch.decision.repeated` drops
# blocks; in a line, as in a heading that is broken otherwise on telephones, the second one goes.

_WIDTHS: Final = "mobile|desktop|phone|smartphone|tablet|handheld|pc|sp"
_SHOWS: Final = (
    "hidden|visible|show|hide|d-none|d-block|block|flex|grid|inline|none|only|view|version|copy"
)
_OF_WIDTH: Final = re.compile(
    rf"(?:^|[\s:_@-])(?:(?:{_SHOWS})(?:[:_@-](?:for-)?(?:xs|sm|md|lg|xl|xxl|small|medium|large|m|l)"
    rf"|[:_@-]?(?:for-)?(?:{_WIDTHS}))"
    rf"|(?:xs|sm|md|lg|xl|2xl|small|medium|large|m|wap)[:_@-](?:{_SHOWS})"
    rf"|(?:{_WIDTHS})(?:{_SHOWS})?)(?=[\s:_@-]|$)",
    re.IGNORECASE,
)
"""Class names that show or hide an element by the width of the screen."""
is_of_width: Final = finds(_OF_WIDTH, 2048)
WIDTH_NAMES: Final = Search("class", *WORDS["words in names of widths"])
"""Each such name has one of these in it; the pattern takes a microsecond for two letters."""


def _copies_for_widths(page: Page, kept: Mask) -> list[int]:
    may = WIDTH_NAMES.candidates(page)
    may = may[kept.take(may) & ~tags.BLOCK.take(page.tag.take(may))] if len(may) else may
    found, parent = list[int](), page.parent.item
    for row, after in pairwise(may.tolist()):
        if parent(row) != parent(after):
            continue
        if page.text[page.text_at.item(page.end.item(row)) : page.text_at.item(after)].strip():
            continue
        names, others = (page.attribute(one, "class") or "" for one in (row, after))
        own, again = ("".join(page.text_of(one).split()) for one in (row, after))
        if own and own == again and names != others and is_of_width(names) and is_of_width(others):
            found.append(after)
    return found


def _silent_copies(page: Page, kept: Mask) -> list[int]:
    """Return elements that repeat what stands before them, and aren't for screen readers."""
    found = list[int]()
    if "aria-hidden" not in page.attribute_names:
        return found
    for row, value in page.having("aria-hidden", kept & (page.length > 0)):
        if value.strip().lower() != "true":
            continue
        before = next((one for one in siblings_before(page, row) if page.length[one]), -1)
        if before < 0 or not kept[before]:
            continue
        written = page.written_before[page.end[[before, row]]] - page.written_before[[before, row]]
        if written[0] == written[1]:  # texts are made where they may be one
            own, again = ("".join(page.text_of(one).split()) for one in (before, row))
            found += [row] if own == again else []
    return found


# Controls behind headings: edit links, permalinks, buttons that copy an address or share it.
#
# They stand beside a heading, in an element around both or none.

_KINDS: Final = (
    tags.HEADING + 2 * tags.table(["button"]).astype(np.uint8) + 3 * tags.table(["a", "span"])
).astype(np.uint8)
_EDITS_BEGIN: Final = np.zeros(0x10000, dtype=bool)
"""Letters with which the words of `_EDITS` begin, in any case, and brackets around them."""
_EDITS_BEGIN[[ord(one) for word in _EDITS for one in f"{word[:1]}{word[:1].upper()}[]"]] = True
_CONTROL_NEAR: Final = 60
"""Characters from the end of a heading to that of its last control, white space left out."""
_BETWEEN: Final = 3
"""Characters, brackets and bars, between a heading and its control, or two controls."""
_SHORTEST: Final = 12
"""Characters of a link that leads nowhere and shares an element with the heading alone."""
_QUESTION: Final = ("?", "？", "؟")
_SPAN, _IN_SPAN = tags.CODES["span"], 4  # characters of a control in a span: edit, 编辑


@kept_with_page
def heading_controls(page: Page) -> Mask:
    """Return bool[n]: texts of controls, brackets and bars around them included; [] for none."""
    if page.tag_names.isdisjoint(("h1", "h2", "h3", "h4", "h5", "h6")):
        return _NOTHING
    columns, found = page.own_attributes, dict[int, list[int]]()
    wanted = np.array([columns.number_of.get(one, -1) for one in ("class", "href")], dtype=np.int32)
    heads, links = kernels.followers(
        (page.tag, page.end, page.written_before),
        _KINDS,
        (_CONTROL_NEAR, _BETWEEN),
        (columns.for_kernels, wanted),
        (page.text, page.text_at, _EDITS_BEGIN),
    )
    if not len(links):
        return _NOTHING
    may = (page.tag.take(links) != _SPAN) | (page.length.take(links) <= _IN_SPAN)
    heads, links = heads[may], links[may]
    values = columns.values_of(links, "class", "href")
    before, end = page.written_before.item, page.end.item
    of_head = last = -1  # the row behind the heading or its last control
    for head, link, (names, address) in zip(heads.tolist(), links.tolist(), values, strict=True):
        if head != of_head:
            of_head, last = head, end(head)
        if link < last or before(link) - before(last) > _BETWEEN:
            continue
        written = before(end(link)) - before(link)
        if (
            _is_button(page, link, head, written)
            if page.tag[link] == tags.CODES["button"]
            else (names and "edit" in names.lower() and _named(names) & EDIT)
            or (address and _leads_to_edit(address))
            or (
                page.tag[link] == tags.LINK
                and (not address or address[0] in "#j" or address[0].isspace())  # or "javascript:"
                and _is_anchor(page, link, head, written, (names, address or ""))
            )
            or (written <= _SHORT and page.folded(link).strip("[]").lower() in _EDITS)
        ):
            found.setdefault(head, []).append(link)
            last = end(link)
    if not found:
        return _NOTHING
    mask = np.zeros(len(page), dtype=bool)
    for above, controls in found.items():
        _mark(page, int(page.end[above]), controls, mask)
    return mask


def _mark(page: Page, start: int, controls: list[int], mask: Mask) -> None:
    for row in controls:
        mask[row : page.end[row]] = True
    last, around = int(page.end[controls[-1]]), int(page.parent[controls[-1]])
    for row in range(start, min(int(page.end[around]), last + 4)):
        is_text = not mask[row] and page.tag[row] == tags.TEXT and page.own_length[row]
        if is_text and _BARS.fullmatch(page.folded(row)):
            mask[row] = True


def _is_button(page: Page, link: int, head: int, written: int) -> bool:
    """Return whether a button of ``written`` characters is a control of a heading."""
    opens = any(page.attribute(link, f"aria-{one}") for one in ("expanded", "controls"))
    is_short = written <= _SHORT and not page.folded(link).endswith(_QUESTION)
    return is_short and not opens and _is_around_both(page, link, head)


def _is_anchor(
    page: Page, link: int, head: int, written: int, said: tuple[str | None, str]
) -> bool:
    """Return whether a link that stays on the page, by class and address, is a control of one."""
    names, address = said
    path, _, target = address.partition("#")
    leads_nowhere = not (path.strip() or target.strip())
    leads_nowhere = leads_nowhere or path.lstrip().startswith("javascript:")
    if not leads_nowhere and (path or not target):
        return False
    ids = (page.attribute(row, "id") for row in (head, int(page.parent[head])) if row >= 0)
    return (target != "" and target in {(one or "").strip() for one in ids}) or bool(
        ((names and _named(names) & ANCHOR) or (leads_nowhere and written <= _SHORTEST))
        and _is_around_both(page, link, head)
    )


def _is_around_both(page: Page, link: int, head: int) -> bool:
    """Return whether a heading and a control are siblings, or all that an element holds."""
    above = int(page.parent[head])
    if page.parent[link] == above:
        return True
    holds = above >= 0 and page.end[above] > link
    return bool(holds and page.length[above] - page.length[head] <= _CONTROL_NEAR)
