"""Aids beside content that are no content: permalinks, edit links, copy buttons, counters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from chaffinch import kernels
from chaffinch.page import Page, tags
from chaffinch.page.arrays import Mask, Rows

# Lines of nothing but characters that show nothing: what editors leave in empty paragraphs.
#
# A zero-width space or joiner alone in a paragraph holds its place on the screen; without style
# sheets it is an empty line. In listings such lines are blank lines of code and stay.

INVISIBLE: Final = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
"""Format characters without a width (Unicode, general category Cf) that stand alone on pages."""
_VISIBLE: Final = np.ones(0x10000, dtype=bool)
_VISIBLE[[*map(ord, INVISIBLE), *(code for code in range(0x3001) if chr(code).isspace())]] = False
_VISIBLE.flags.writeable = False
_CODE: Final = tags.PREFORMATTED | tags.table(["code"])


def invisible_lines(page: Page, kept: Mask) -> list[int]:
    """Return those texts of ``kept``, bool[n], in whose line no kept character is visible."""
    if page.text.isascii() or not any(sign in page.text for sign in INVISIBLE):
        return []
    visible = kernels.characters(page.text, page.text_at, _VISIBLE)
    rows = np.flatnonzero(kept & page.written & (visible == 0))
    if not len(rows):
        return []
    of_line = np.bincount(page.line, weights=np.where(kept, visible, 0))
    empty = (of_line[page.line[rows]] == 0) & ~page.inside(_CODE[page.tag])[rows]
    found: list[int] = rows[empty].tolist()
    return found


# Edit links: "[编辑]", "[edit source]", "[править]" beside the headings of a wiki's page.
#
# They stand in the heading, or beside it in an element whose class names them, and are no part of
# it. They are known by where they lead (``action=edit``), by the class of the link or of what is
# around it, in whatever language; where neither decides, by the words of a few, at the end of a
# heading.

_LINK: Final = tags.CODES["a"]
_MOST_ROWS: Final = 40
"""Rows of an element that holds nothing but links to edit, or of a heading."""
TEXTS: Final = frozenset(
    (
        "", "编辑", "編輯", "编辑源代码", "編輯原始碼", "編輯源代碼", "编辑本段", "編輯本段",
        "編集", "ソースを編集", "편집", "edit", "edit source", "edit section", "bearbeiten",
        "quelltext bearbeiten", "modifier", "modifier le code", "éditer", "editar", "editar código",
        "modifica", "modifica wikitesto", "bewerken", "edytuj", "edytuj kod", "redigera", "rediger",
        "править", "править код", "редагувати", "editovat", "szerkesztés", "muokkaa", "modificare",
        "değiştir", "kaynağı değiştir", "sửa", "sửa đổi", "sunting", "επεξεργασία", "редактиране",
        "עריכה", "تعديل", "عدل", "ویرایش", "संपादित करें", "แก้ไข",
    )
)  # fmt: skip
_LONGEST_TEXT: Final = max(map(len, TEXTS))
BARS: Final = re.compile(r"[\s\[\]［］【】()（）|｜/·]*+")
_AT_END: Final = re.compile(r"[\[［【][^\[\]［］【】]{1,24}+[\]］】]\s?\Z")
_PARTS: Final = re.compile(r"[\[\]［］【】|｜]")
_ADDRESS: Final = re.compile(r"[?&](?:action|do|mode)=(?:ve)?edit(?=&|$|#)|[?&]veaction=edit")
_CLASS: Final = re.compile(
    r"(?:^|[\s_-])(?:edit(?:section|links?|icon|btn|button)?|j-edit)(?=[\s_-]|$)|editsection",
    re.IGNORECASE,
)
_HEADINGS: Final = tags.table(["h1", "h2", "h3", "h4", "h5", "h6"])
_ALL: Final = np.zeros(0, dtype=bool)
_NEAR: Final = 24  # rows from the beginning of a heading to a link in or beside it
_LONGEST: Final = 60  # characters of all edit links of a heading
_HIGHEST: Final = 3  # elements above a link of which one is a heading or names the link


def edit_links(page: Page, links: Rows) -> list[int]:
    """Return the outermost rows that hold nothing but links to edit a section.

    Args:
        page: the page.
        links: int32[r], `short_links` of the page.
    """
    headings = kernels.rows_of(page.tag, _HEADINGS, _ALL, 0, len(page))
    if not len(headings):
        return []
    before = headings.take(headings.searchsorted(links) - 1)
    likely = links[(links > before) & (links - before <= _NEAR)]
    if not len(likely) or not _may_edit(page, likely):
        return []
    marks = _Marks.of(page)
    if not marks:
        likely = likely[page.length.take(likely) <= _LONGEST_TEXT]
    rows = (row for link in likely.tolist() for row in _around(page, link, marks))
    return list(dict.fromkeys(rows))


def _may_edit(page: Page, links: Rows) -> bool:
    """Return whether one of some links may be a link to edit, by its text or by a mark near it.

    Marks are sought on the whole page only where this says so.
    """
    rows, parent = set(links.tolist()), page.parent.item
    if any(page.folded(link).lower() in TEXTS for link in rows):
        return True
    around = rows
    for _ in range(_HIGHEST):
        around = {above for row in around if (above := parent(row)) >= 0}
        rows |= around
    near = page.own_attributes.values_of(np.array([*rows], dtype=np.int32), "class", "href")
    return any(
        (names and names_editing(names)) or (address and leads_to_edit(address))
        for names, address in near
    )


def without_edit_links(text: str) -> str:
    """Return the text of a heading without edit links at its end."""
    found = _AT_END.search(text)
    if found is None or not all(part.strip().lower() in TEXTS for part in _PARTS.split(found[0])):
        return text
    return text[: found.start()].rstrip()


@dataclass(frozen=True)
class _Marks:
    """Rows whose class names a link to edit, and links whose address is that of one."""

    named: frozenset[int]
    leading: frozenset[int]

    @classmethod
    def of(cls, page: Page) -> Self:
        """Return the marks on a page."""
        named = page.rows_where("class", names_editing, "edit")
        return cls(frozenset(named), frozenset(page.rows_where("href", leads_to_edit, "edit")))

    def __bool__(self) -> bool:
        """Return whether there are any."""
        return bool(self.named or self.leading)


def names_editing(names: str) -> bool:
    """Return whether the value of a class attribute names a link to edit."""
    may = "edit" in names.lower() or not names.isascii()
    return may and _CLASS.search(names) is not None


def leads_to_edit(address: str) -> bool:
    """Return whether an address is that of an editor."""
    return "edit" in address and _ADDRESS.search(address) is not None


def _is_text(page: Page, link: int) -> bool:
    """Return whether the text of a link is that of one to edit."""
    return page.length[link] <= _LONGEST_TEXT and page.folded(link).lower() in TEXTS


def _around(page: Page, link: int, marks: _Marks) -> Iterator[int]:
    """Yield the outermost row that links to edit a section fill, and its brackets; else none.

    Brackets without an element of their own stand beside the link, and are texts of the heading.
    """
    is_marked = _is_marked(page, link, marks)
    if not page.length[link] or not (is_marked or _is_text(page, link)):
        return
    top = _outermost(page, link, marks)
    above = int(page.parent[top])
    is_in_heading = bool(_HEADINGS[page.tag[[above, int(page.parent[above])]]].any())
    if is_in_heading:
        if not is_marked and not _ends(page, above, top):
            return
    elif not (is_marked and _is_beside_heading(page, top, marks)):
        return
    yield top
    for beside in (top - 1, int(page.end[top])):
        if beside == len(page) or page.tag[beside] != tags.TEXT or not page.own_length[beside]:
            continue
        if BARS.fullmatch(page.folded(beside)):
            yield beside


def _outermost(page: Page, link: int, marks: _Marks) -> int:
    """Return the outermost row around a link to edit that holds nothing but such links."""
    top = link
    while True:
        above = int(page.parent[top])
        if above < 0 or page.length[above] > _LONGEST or page.end[above] - above > _MOST_ROWS:
            return top
        if not _only_links(page, above, marks):
            return top
        top = above


def _is_marked(page: Page, link: int, marks: _Marks) -> bool:
    """Return whether the address or class of a link is that of an edit link."""
    if link in marks.leading:
        return True
    if not marks.named:
        return False
    rows = (link, *(above for _, above in zip(range(_HIGHEST), page.ancestors(link), strict=False)))
    return any(row in marks.named and page.length[row] <= _LONGEST for row in rows)


def _only_links(page: Page, row: int, marks: _Marks) -> bool:
    """Return whether an element holds links to edit, and brackets and bars, and nothing else."""
    at, stop = row, int(page.end[row])
    while at < stop:
        if page.tag[at] == _LINK:
            if not _is_marked(page, at, marks) and not _is_text(page, at):
                return False
            at = int(page.end[at])
            continue
        if page.tag[at] == tags.TEXT and not BARS.fullmatch(page.folded(at)):
            return False
        at += 1
    return True


def _ends(page: Page, heading: int, top: int) -> bool:
    """Return whether text precedes in the heading, and only edit links and brackets follow."""
    if page.written_before[top] == page.written_before[heading]:
        return False
    at, stop = int(page.end[top]), int(page.end[heading])
    rest = page.text[page.text_at[at] : page.text_at[stop]]
    return len(rest) <= _LONGEST and all(
        part.strip().lower() in TEXTS for part in _PARTS.split(rest)
    )


def _is_beside_heading(page: Page, row: int, marks: _Marks) -> bool:
    """Return whether a heading is, or is in, what stands before ``row`` in the same element.

    Other links to edit may stand between.
    """
    above = int(page.parent[row])
    for _ in range(_HIGHEST):
        before = row - 1
        while before > above and page.parent[before] != above:
            before = int(page.parent[before])
        if before <= above:
            return False
        inner = slice(before, min(int(page.end[before]), before + _MOST_ROWS))
        if _HEADINGS[page.tag[inner]].any():
            return True
        is_small = page.end[before] - before <= _MOST_ROWS and page.length[before] <= _LONGEST
        if page.length[before] and not (is_small and _only_links(page, before, marks)):
            return False
        row = before
    return False


# Permalinks: signs beside a heading or a term that link to it: ``¶``, ``#`` and the like.
#
# In a heading they may be words, too («Link to this heading», 复制链接): a short link beside the
# text, to the heading's own id or named by its class as an anchor.
#
# Generators of documentation write them for readers who want the address; they are no part of the
# text, though they stand in it.

_SIGN: Final = re.compile("[¶§#🔗⚓∞\ue000-\uf8ff][\ufe0e\ufe0f]?")
_ANCHOR_LINK: Final = tags.CODES["a"]
_MOST: Final = 2
"""Characters of a sign, the one that selects its form included."""
CLASS: Final = re.compile(
    r"(?:^|[\s_-])(?:anchor(?:js)?|permalink|header-?link|hash-?link|heading-?link|deep-?link|copy|share)"
    r"(?=[\s_-]|$)",
    re.IGNORECASE,
)
_INVISIBLE: Final = re.compile(f"[{INVISIBLE}]+")
_ANCHOR_LONGEST: Final = 24
"""Characters of any short link."""


def permalinks(page: Page, links: Rows) -> list[int]:
    """Return those of `short_links`, int32[r], that are such signs."""
    before = page.written_before
    written = before.take(page.end.take(links)) - before.take(links)
    few = links[written <= _MOST].tolist()
    found = [row for row in few if _is_sign(page.folded(row)) and stays(page, row)]
    above = page.parent.take(links)
    beside = tags.HEADING.take(page.tag.take(above)) | tags.HEADING.take(
        page.tag.take(page.parent.take(above))
    )
    found += [row for row in links[beside].tolist() if _links_to_heading(page, row)]
    return found


def _is_sign(text: str) -> bool:
    return bool(_SIGN.fullmatch(text) or _INVISIBLE.fullmatch(text))


def _links_to_heading(page: Page, link: int) -> bool:
    """Return whether a link in a heading is for the address of the heading, and no part of it."""
    heading = int(page.parent[link])
    if not tags.HEADING[page.tag[heading]]:
        heading = int(page.parent[heading])
    if page.length[link] >= page.length[heading] or not stays(page, link):
        return False
    if CLASS.search(page.attribute(link, "class") or ""):
        return True
    target = (page.attribute(link, "href") or "").partition("#")[2].strip()
    return target == page.attribute(heading, "id")


def short_links(page: Page, kept: Mask) -> Rows:
    """Return those of ``kept``, bool[n], that are links with a text as short as that of a sign.

    Signs are `permalinks`, and links to edit a section (`chaffinch.elements.edit_links`), which
    hold up to 24 characters.
    """
    return kernels.short_links(
        page.tag, page.end, kept, page.written_before, _ANCHOR_LINK, _ANCHOR_LONGEST
    )


def stays(page: Page, link: int) -> bool:
    """Return whether a link leads to an anchor on its own page."""
    address, _, name = (page.attribute(link, "href") or "").strip().partition("#")
    return bool(name) and address in ("", (page.url or "").partition("#")[0])


# Buttons that copy an address or a listing, «Copy», 复制代码, and counters: not for reading.
#
# A counter of remarks or likes hangs on the full stop of a paragraph. Buttons stand in a heading
# beside its text, or in the element that holds a listing, before or after it. Those within a
# listing are for `chaffinch.elements.code`.

_COPY_CLASS: Final = re.compile(
    r"(?:^|[\s_-])(?:copy|clipboard|copy-?(?:btn|button|code|link|to-?clipboard))(?=[\s_-]|$)",
    re.IGNORECASE,
)
_COUNTER: Final = re.compile(
    r"(?:^|[\s_-])(?:counter|(?:[a-z]+[_-]?)?(?:counts?|nums?)|badge|likes?|votes?|claps?)(?=[\s_-]|$)",
    re.IGNORECASE,
)
_LONGEST_COUNT: Final = 6
_ENDS: Final = '.!?…。！？”"»)）'
_BUTTONS: Final = tags.table(["button"])
_PRE: Final = tags.CODES["pre"]
_COPY_LONGEST: Final = 24
"""Characters of such a button."""
_AROUND: Final = 3
"""Elements around a button of which one holds the heading or the listing."""
_COPY_MOST_ROWS: Final = 400
"""Rows of an element in which a listing is looked for."""


def copy_buttons(page: Page, kept: Mask) -> list[int]:
    """Return those of ``kept``, bool[n], that are such buttons."""
    rows: list[int] = []
    if page.holds("pre"):
        named = page.rows_where("class", _is_copy, "copy", "clipboard")
        rows = [row for row in named if kept[row]]
    if page.holds("button"):
        rows += kernels.rows_of(page.tag, _BUTTONS, kept, 0, len(page)).tolist()
    return [row for row in dict.fromkeys(rows) if _is_button(page, row)]


def _is_copy(names: str) -> bool:
    return _COPY_CLASS.search(names) is not None


def _is_button(page: Page, row: int) -> bool:
    """Return whether a short element stands beside the text of a heading, or beside a listing."""
    length = int(page.length[row])
    if not 0 < length <= _COPY_LONGEST:
        return False
    is_named = _is_copy(page.attribute(row, "class") or "")
    for above, _ in zip(page.ancestors(row), range(_AROUND), strict=False):
        if tags.HEADING[page.tag[above]]:
            return length < int(page.length[above])
        inner = slice(above, min(int(page.end[above]), above + _COPY_MOST_ROWS))
        if is_named and (page.tag[inner] == _PRE).any():
            return True
    return False


def counters(page: Page, kept: Mask) -> list[int]:
    """Return those of ``kept``, bool[n], that are counters: behind a sentence without a space."""
    short = page.text_at[1:] - page.text_at[:-1] <= _LONGEST_COUNT
    found = []
    for row in np.flatnonzero(short & page.written & kept).tolist():
        begin = page.text_at.item(row)
        if begin and page.text[begin - 1] in _ENDS and _is_counter(page, row):
            found.append(row)
    return found


def _is_counter(page: Page, row: int) -> bool:
    """Return whether a text is a number that ends its line, in an element named for counts."""
    after = row + 1
    ends_line = after == len(page) or page.line[after] != page.line[row]
    if not (ends_line and page.text_of(row).strip().isdigit()):
        return False
    return _COUNTER.search(page.attribute(int(page.parent[row]), "class") or "") is not None


# Controls behind headings: edit links, permalinks, buttons that copy an address or share it.
#
# They stand beside a heading, in an element around both or none, and are no content of any kind. So
# they are no part of text blocks (`chaffinch.segment.text_blocks`): a block of their own between a
# heading and its text would part the two. Those within a heading are left out by outputs.

_CONTROL_ALL: Final = np.zeros(0, dtype=bool)
_CONTROLS: Final = tags.table(["a", "button"])
_BUTTON: Final = tags.CODES["button"]
_CONTROL_NEAR: Final = 60
"""Characters from the end of a heading to that of its last control, white space left out."""
_BETWEEN: Final = 3
"""Characters, brackets and bars, between a heading and its control, or two controls."""
_SHORT: Final = 24
"""Characters of a button, white space left out."""
_SHORTEST: Final = 12
"""Characters of a link that leads nowhere and shares an element with the heading alone."""
_NOWHERE: Final = ("", "#")
_SCRIPT: Final = "javascript:"
_QUESTION: Final = ("?", "？", "؟")


def heading_controls(page: Page) -> Mask | None:
    """Return bool[n]: texts of controls, brackets and bars around them included; None for none."""
    heads = kernels.rows_of(page.tag, tags.HEADING, _CONTROL_ALL, 0, len(page))
    links = (
        kernels.rows_of(page.tag, _CONTROLS, _CONTROL_ALL, 0, len(page)) if len(heads) else heads
    )
    if not len(links):
        return None
    before, end = page.written_before, page.end
    head = heads.take(heads.searchsorted(links) - 1)
    begin = before.take(end.take(head))
    stop = before.take(end.take(links))
    start = before.take(links)
    near = (
        (stop > start)
        & (stop - begin <= _CONTROL_NEAR)
        & (stop > begin)
        & (begin > before.take(head))
    )
    near &= (links > head) & (links >= end.take(head))
    first = near & (start - begin <= _BETWEEN)  # the others of its heading stand behind it
    if 1 not in first.tobytes():
        return None
    begins = np.zeros(len(page), dtype=bool)
    begins[head[first]] = True
    near &= begins.take(head)
    found = _controls(page, links[near], head[near])
    if not found:
        return None
    mask = np.zeros(len(page), dtype=bool)
    for above, controls in found.items():
        _mark(page, int(end[above]), controls, mask)
    return mask


def _controls(page: Page, links: Rows, heads: Rows) -> dict[int, list[int]]:
    """Return the controls of each heading that has some; heads, int32[r], are those of links."""
    found: dict[int, list[int]] = {}
    values = page.own_attributes.values_of(links, "class", "href")
    end, before = page.end.item, page.written_before.item
    for link, head, (names, address) in zip(links.tolist(), heads.tolist(), values, strict=True):
        last = found[head][-1] if head in found else head
        is_next = link >= end(last) and before(link) - before(end(last)) <= _BETWEEN
        if is_next and _is_control(page, link, head, names or "", address or ""):
            found.setdefault(head, []).append(link)
    return found


def _is_control(page: Page, link: int, head: int, names: str, address: str) -> bool:
    written = page.written_before.item(page.end.item(link)) - page.written_before.item(link)
    if page.tag.item(link) == _BUTTON:
        opens = any(page.attribute(link, f"aria-{one}") for one in ("expanded", "controls"))
        is_short = written <= _SHORT and not page.folded(link).endswith(_QUESTION)
        return is_short and not opens and _is_around_both(page, link, head)
    if names_editing(names) or leads_to_edit(address):
        return True
    leads_nowhere = address.strip() in _NOWHERE or address.lstrip().startswith(_SCRIPT)
    path, _, target = address.partition("#")
    stays = leads_nowhere or (not path and bool(target))
    if stays and target in _ids(page, head):
        return True
    if stays and CLASS.search(names) and _is_around_both(page, link, head):
        return True
    if written <= _SHORT and page.folded(link).strip("[]").lower() in TEXTS:
        return True
    return leads_nowhere and written <= _SHORTEST and _is_around_both(page, link, head)


def _ids(page: Page, head: int) -> set[str]:
    """Return the ids of a heading and of the element around it."""
    ids = (page.attribute(row, "id") for row in (head, int(page.parent[head])) if row >= 0)
    return {one.strip() for one in ids if one and one.strip()}


def _is_around_both(page: Page, link: int, head: int) -> bool:
    """Return whether a heading and a control are siblings, or all that an element holds."""
    above = int(page.parent[head])
    if page.parent[link] == above:
        return True
    holds = above >= 0 and page.end[above] > link
    return bool(holds and page.length[above] - page.length[head] <= _CONTROL_NEAR)


def _mark(page: Page, start: int, controls: list[int], mask: Mask) -> None:
    """Mark the texts of the controls behind a heading, and the brackets and bars around them."""
    for row in controls:
        mask[row : page.end[row]] = True
    last = int(page.end[controls[-1]])
    parent = int(page.parent[controls[-1]])
    stop = min(int(page.end[parent]), last + 4)
    for row in range(start, stop):
        is_text = not mask[row] and page.tag[row] == tags.TEXT and page.own_length[row]
        if is_text and BARS.fullmatch(page.folded(row)):
            mask[row] = True
