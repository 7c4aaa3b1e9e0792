"""What stands in and around code and is none: its language, line numbers, buttons, labels."""

import re
from itertools import islice, pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from chaffinch.caching import kept_of_short_texts, kept_with_page
from chaffinch.elements import WORDS, class_names, whole_names
from chaffinch.kernels.arrays import Mask, Rows, marked
from chaffinch.page import Page, tags
from chaffinch.page.attributes import Search
from chaffinch.page_work import checked

# The language that the page names for code, by class names, attributes and its first line.

LANGUAGES: Final = frozenset(WORDS["languages of code"].split())
"""Names that are taken for a language wherever they stand alone."""

_SURE: Final = re.compile(
    r"(?:^|\s)(?:language-|lang-|highlight-source-|mw-highlight-lang-|brush:\s*)([A-Za-z0-9_+#.-]+)"
)
_PREFIX: Final = re.compile(
    r"^(?:language|lang|hl|highlight(?:-source|-text)?|source|src|dp|brush|code|type)[-:]"
)
_CODE: Final = re.compile(class_names("names around code"), re.IGNORECASE)
_ATTRIBUTES: Final = WORDS["attributes that name languages"].split()
_NONE: Final = frozenset("none default plain text plaintext nohighlight txt raw generic".split())
_PATH: Final = re.compile(
    r"\A#!\s*+(?>(?:\S*/)?)(?:env\s+(?:-\S+\s+)*)?(?:\S*/)?([A-Za-z+]+)[\d.]*(?:\s|$)"
)

_CELLS: Final = frozenset(("td", "tr", "tbody"))
"""Elements of a table with a column of line numbers: they don't count as levels."""


def language(page: Page, row: int, source: str = "") -> str:
    """Return the language of the code at ``row``, in lower case; "" if none is named.

    Looked for at the element, at its first children, then at the elements around, where only a
    known name counts; at last in the first line of ``source``.
    """
    inner = range(row + 1, min(row + 9, int(page.end[row])))  # buttons among them
    inside = (at for at in inner if page.name(at) in ("pre", "code", "samp"))
    around = (above for above in page.ancestors(row) if page.name(above) not in _CELLS)
    around = (above for above in islice(around, 4) if above > 0)
    for is_code, rows in ((True, (row, *inside)), (False, around)):
        for at in rows:
            if (found := _declared(page, at, is_code=is_code)) is not None:
                return found
    if path := _PATH.match(source):
        return path[1].lower()
    return "php" if source.startswith("<?php") else ""


def _declared(page: Page, row: int, *, is_code: bool) -> str | None:
    """Return the language an element names, "" for plain text, None where it names nothing."""
    for name in _ATTRIBUTES:
        value = (page.attribute(row, name) or "").strip().lower()
        if found := _SURE.search(value):
            value = found[1]
        if value in LANGUAGES:
            return value
        if value in _NONE:
            return ""
    classes = page.attribute(row, "class") or ""
    found = _SURE.search(classes)
    if found is not None and (is_code or found[1].lower() in LANGUAGES | _NONE):
        return "" if found[1].lower() in _NONE else found[1].lower()
    alone = is_code or bool(_CODE.search(classes))
    for name in classes.lower().split():
        bare = _PREFIX.sub("", name)
        if bare in LANGUAGES and (alone or bare != name):
            return bare
    return None


# Names that highlighters give to what is around code: its container, lines, line numbers, buttons

CONTAINER, GUTTER, LINE, _COPY = (1 << bit for bit in range(4))
_CONTAINERS: Final = WORDS["containers of code"].split()
SIGNS: Final = {
    CONTAINER: (
        re.compile(rf"(?:^|\s)(?:{'|'.join(_CONTAINERS)}|dp-(?!highlighter)[a-z]+)(?=\s|$)"),
        Search("class", "dp-", *(name.lower() for name in _CONTAINERS)),
    ),
    LINE: (
        re.compile(
            r"(?:^|\s)(?:(?:[A-Za-z]+[_-])*line|react-code-text|blob-code|ql-code-block|L\d)(?:\s|$)"
        ),
        Search(
            "class", *"line react-code-text blob-code ql-code l0 l1 l2 l3 l4 l5 l6 l7 l8 l9".split()
        ),
    ),
    GUTTER: (
        re.compile(whole_names("names of gutters"), re.IGNORECASE),
        Search("class", "gutter", "line", "num", "ln", "gl"),
    ),
    _COPY: (
        re.compile(whole_names("names of copy buttons"), re.IGNORECASE),
        Search("class", "copy", "clip", "toolbar", "btn", "button"),
    ),
}
"""Bit of a sign → how class names say it, and a search for words of which each holds one."""
_COPIES: Final = Search("onclick", "copy", "copi")
_SELECTS: Final = Search("onclick", "select")
CODE_BOX: Final = re.compile(WORDS["names of boxes of code"], re.IGNORECASE)
"""Boxes in which forums and manuals list code; others have such names, too."""
_COPY_LABELS: Final = frozenset(WORDS["labels of copy buttons"])
"""What buttons beside code are called that copy or select it, in lower case."""


@kept_with_page
def signed_rows(page: Page, sign: int) -> Rows:
    """Return int32[…]: the rows whose class has one of `SIGNS`, in order."""
    found = SIGNS[sign][1].where(page, lambda own: signs_of(own) & sign > 0)
    return np.array(found, dtype=np.int32)


@kept_of_short_texts(4096)
def signs_of(names: str) -> int:
    return sum(sign for sign, (pattern, _) in SIGNS.items() if pattern.search(names))


# Line numbers of code: elements in and beside its blocks that hold nothing else.
#
# Highlighters name their gutters. Where none is named, integers that count up are one: those that
# begin all lines of a block, each in an element of its own, or all of an element before the code.

_TABLES: Final = tags.table(["table"])
_DEEP: Final = 6  # elements from a table to the code in its cell, from a block to its numbers
_AROUND_NUMBERS: Final = ".:|#"
_VALUE: Final = re.compile(r"(?:^|\s)(?:hljs-number|number|constant|m[ifhob]?|nu)(?=\s|$)")
"""Names that highlighters give to numbers of the program."""
_OFF: Final = 2  # lines that a column of numbers may be longer or shorter than the code beside it


def line_numbers(page: Page, blocks: list[int]) -> tuple[Mask, frozenset[int]]:
    left_out = np.zeros(len(page), dtype=bool)
    lines: list[int] = []
    left_out[[row for block in blocks if (row := _column_before(page, block)) >= 0]] = True
    numbered = np.array([row for row, _ in page.having("data-line-number")], dtype=np.int32)
    for region, own in _regions(page, blocks).items():
        end = int(page.end[region])
        both = (_between(some, region + 1, end) for some in (signed_rows(page, GUTTER), numbered))
        rows = np.concatenate([*both]).tolist()
        if region != own[0]:
            cells = ((tags.CELL[page.tag[region:end]]).nonzero()[0] + region).tolist()
            rows += [one for one in cells if not (one < own[0] and own[-1] < page.end[one])]
        rows = [row for row in rows if all(map(str.isdigit, _words(page, row)))]
        left_out[rows] = True
        if not any(page.length[row] for row in rows):
            for block in own:
                found = counted_lines(page, block)
                left_out[found] = True
                holders = page.parent[found].tolist()  # the elements that begin with one each
                lines += holders if len(set(holders)) == len(found) > 1 else []
    return left_out, frozenset(lines)


def _column_before(page: Page, block: int) -> int:
    """Return the element before a block that holds the numbers of its lines alone; -1 for none."""
    before = page.written_before
    row = top = int(before.searchsorted(before[block])) - 1
    if row < 0 or not _numbers(page, row):
        return -1
    for above in islice(page.ancestors(row), _DEEP):
        if page.end[above] > block or not _numbers(page, above):
            break
        top = above
    count, lines = len(_numbers(page, top)), page.text_of(block).strip("\n").count("\n") + 1
    return top if count > 1 and abs(lines - count) <= _OFF else -1


def _regions(page: Page, blocks: list[int]) -> dict[int, list[int]]:
    """Return row → its blocks: tables of one line, which may have line numbers, and lone blocks."""
    regions: dict[int, list[int]] = {}
    is_line: dict[int, bool] = {}
    for block in blocks:
        near = islice(page.ancestors(block), _DEEP)
        table = next((row for row in near if page.tag[row] == tags.CODES["table"]), -1)
        if table >= 0 and table not in is_line:
            lines = np.count_nonzero(page.tag[table : page.end[table]] == tags.CODES["tr"])
            is_line[table] = bool(lines == 1)
        regions.setdefault(table if is_line.get(table) else block, []).append(block)
    return regions


def counted_lines(page: Page, block: int) -> list[int]:
    """Return elements of a block whose numbers count its lines, though nothing says so."""
    before = page.written_before
    written = int(before[block])
    if before[page.end[block]] == written:
        return []
    # the text in which the block's first character that is no white space stands
    first = int(np.searchsorted(before, written, side="right")) - 1
    if not _numbers(page, first):
        return []
    above = [row for row in islice(page.ancestors(first), _DEEP) if row > block]
    column = next((row for row in reversed(above) if _numbers(page, row)), -1)
    if column < 0:
        return []
    count = len(_numbers(page, column))
    if count > 1:
        rest = page.text[page.text_at[page.end[column]] : page.text_at[page.end[block]]].strip("\n")
        behind = slice(int(page.end[column]), int(page.end[block]))
        lines = rest.count("\n") + len(set(page.line[behind][page.written[behind]].tolist()))
        return [column] if rest and (lines == 1 or abs(lines - count) <= _OFF) else []
    return _at_starts(page, block, column)


def _numbers(page: Page, row: int) -> list[int]:
    """Return the integers that a row holds, if it holds nothing else and they count up."""
    words = _words(page, row) if len(page.text_of(row)) < 1 << 16 else []
    if not all(word.isascii() and word.isdigit() and len(word) < 7 for word in words):  # noqa: PLR2004
        return []
    found = [int(word) for word in words]
    return found if all(a + 1 == b for a, b in pairwise(found)) else []


def _words(page: Page, row: int) -> list[str]:
    """Return the words of each text in an element, without the marks beside numbers."""
    rows = page.written[row : page.end[row]].nonzero()[0] + row
    return [
        word.strip(_AROUND_NUMBERS) for one in rows.tolist() for word in page.text_of(one).split()
    ]


def _at_starts(page: Page, block: int, first: int) -> list[int]:
    """Return elements like ``first`` if they begin all lines of a block and count up."""
    if not tags.CELL[page.tag[first]] and _VALUE.search(page.attribute(first, "class") or ""):
        return []
    inner = slice(first, int(page.end[block]))
    alike = (page.tag[inner] == page.tag[first]) & (page.depth[inner] == page.depth[first])
    names = page.attribute(first, "class"), page.attribute(first, "style")
    rows, expected = [], _numbers(page, first)[0]
    for row in (alike.nonzero()[0] + first).tolist():
        same = (page.attribute(row, "class"), page.attribute(row, "style")) == names
        if same and _numbers(page, row) == [expected]:
            rows.append(row)
            expected += 1
    begins = [int(page.text_at[row]) for row in rows[1:]] + [int(page.text_at[page.end[block]])]
    of_lines = [
        page.text[page.text_at[page.end[row]] : begin]
        for row, begin in zip(rows, begins, strict=True)
    ]
    apart = all(
        text.endswith("\n") or page.parent[row] != page.parent[after]
        for text, row, after in zip(of_lines, rows, rows[1:], strict=False)
    )
    alone = all("\n" not in text.strip("\n") for text in of_lines)
    written = sum(bool(text.strip()) for text in of_lines)
    return rows if len(rows) > 1 and apart and alone and 2 * written >= len(rows) else []


# What stands around a block of code and is none: copy buttons, and the name of the language.

_CODE_TAG, _DIV, _PRE = (tags.CODES[name] for name in ("code", "div", "pre"))
_IS_CODE: Final = tags.PREFORMATTED | tags.table(["code"])
_WALL: Final = tags.table("body html li article".split())
_PROSE: Final = tags.table(["p", "h1", "h2", "h3", "h4"])
_AROUND: Final = 60  # characters of a block's header: language, file name, buttons
_LONG: Final = 30  # characters of a button's text


def read_headers(page: Page, blocks: list[int], left_out: Mask) -> dict[int, str]:
    """Return row of a block → the language that a label in or beside it names.

    Copy buttons and labels are marked in ``left_out``, bool[n].
    """
    labels: dict[int, str] = {}
    if not blocks:
        return labels
    long = page.length > _LONG  # a paragraph that is a label of the block is none
    prose, tables = (
        np.append(0, some.cumsum())
        for some in (_PROSE.take(page.tag) & long, _TABLES.take(page.tag))
    )
    written = page.written.nonzero()[0]
    outside = (page.written & ~page.inside(marked(len(page), blocks))).nonzero()[0]
    buttons = page.is_tag("button").nonzero()[0]
    clicked = _COPIES.where(page, lambda own: "cop" in own.lower()) + _SELECTS.rows(page)
    looked_at: set[int] = set()
    for block in checked(blocks, every=16):
        begin = _surroundings(page, block, prose, tables)
        code = (page.tag[block : page.end[block]] == _CODE_TAG).nonzero()[0] + block
        if not len(code):
            code = _between(signed_rows(page, CONTAINER), block, int(page.end[block]))
        within = int(code[0]) if len(code) else block
        if begin not in looked_at:
            looked_at.add(begin)
            end = int(page.end[begin])
            if len(code) == 1 and page.tag[block] == _PRE:
                bars = [row for row in page.children(block) if page.tag[row] == _DIV]
                bars = [row for row in bars if row > within or page.end[row] <= within]
                left_out[[row for row in bars if page.length[row] <= _AROUND]] = True
            left_out[_between(buttons, begin + 1, end)] = True
            copies = _between(signed_rows(page, _COPY), begin + 1, end).tolist()
            copies += [row for row in clicked if begin < row < end and not _IS_CODE[page.tag[row]]]
            left_out[[row for row in copies if page.length[row] <= _LONG]] = True
        stop = int(page.end[block])
        beside = (
            _between(outside, begin, int(page.end[begin])),
            _between(written, block, within),
            _between(written, int(page.end[within]), stop),
        )
        for row in np.concatenate(beside).tolist():
            word = page.folded(row).lower()
            if row < within and word in LANGUAGES and not page.in_link[row]:
                labels[block] = word
                left_out[row] = True
            left_out[row] |= word in _COPY_LABELS
    return labels


def _between(rows: NDArray[Any], begin: int, stop: int) -> NDArray[Any]:
    return rows[slice(*rows.searchsorted((begin, stop)).tolist())]


def _surroundings(
    page: Page, block: int, prose: NDArray[np.int64], tables: NDArray[np.int64]
) -> int:
    """Return the outermost element around a block that holds little else, or the block itself.

    ``prose`` and ``tables`` are int64[n + 1], such elements before each row.
    """
    around, most, end = block, int(page.length[block]) + _AROUND, page.end
    own_tables = tables[end[block]] - tables[block]
    for above in islice(page.ancestors(block), 32):
        if page.length[above] > most or _WALL[page.tag[above]]:
            break
        own_tables += _TABLES[page.tag[above]]
        stop = end[above]
        if tables[stop] - tables[above] > own_tables or prose[stop] > prose[above]:
            break
        around = above
    return around
