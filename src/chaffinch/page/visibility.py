"""What styles declare and part, characters that show nothing, images that show a character."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import compress, islice
from typing import TYPE_CHECKING, Final
from unicodedata import bidirectional, normalize

import numpy as np

from chaffinch import kernels
from chaffinch.caching import kept_of_short_texts
from chaffinch.kernels.arrays import Rows, marked
from chaffinch.page import tags
from chaffinch.page.attributes import Search

if TYPE_CHECKING:
    from chaffinch.page.page import Page

_PARTS: Final = re.compile(
    r"/\*.*?(?:\*/|\Z)|\"(?>(?:[^\"\\\n]++|\\.)*)\"?|'(?>(?:[^'\\\n]++|\\.)*)'?|\\.|[;(){}\[\]]",
    re.DOTALL,
)
_NOT_PLAIN: Final = frozenset("/\"'(\\{[")  # signs without which a style is cut at its semicolons
ESCAPE: Final = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
_LAST_CODE: Final = 0x10FFFF
_MAY_SHOW: Final = re.compile(r"display(?!\s*+:\s*+none)", re.IGNORECASE)
"""Most that declare a display declare none."""
_IMPORTANT: Final = "important"
_KNOWN: Final = {
    "display": frozenset(
        "none block inline inline-block flex inline-flex grid inline-grid table inline-table"
        " list-item table-row table-cell table-row-group table-header-group table-footer-group"
        " table-column table-caption table-column-group contents flow-root run-in ruby initial"
        " inherit unset revert -webkit-box -webkit-inline-box -webkit-flex -ms-flexbox".split()
    ),
    "visibility": frozenset("visible hidden collapse initial inherit unset revert".split()),
}
"""Values that a browser knows: a declaration of another is none."""
_BLOCKS: Final = frozenset(
    "block flex grid table list-item flow-root table-row -webkit-box -webkit-flex".split()
)
"""Values of ``display`` with which an element starts and ends a line of its own."""

_BOXED: Final = _BLOCKS | frozenset("inline-block inline-flex table-cell inline-table".split())
_DRAWS: Final = tags.table("i span em b div svg".split())
"""Elements that draw an icon by their class, or hold one that does."""
_CELL: Final = tags.CODES["td"]
_AROUND_CHECK: Final = 3  # elements around such a one in which its cell is sought
_FLEX: Final = frozenset("flex inline-flex d-flex d-inline-flex grid inline-grid d-grid".split())
"""The same of elements that are boxes in a line, and of those that part what they hold; of these
class names, too."""


def declared(style: str) -> Mapping[str, str]:
    """Return property → value of a style, both in lower case, without ``!important``."""
    found: dict[str, str] = {}
    important: set[str] = set()
    for part in style.lower().split(";") if _NOT_PLAIN.isdisjoint(style) else _cut(style):
        name, _, value = part.partition(":")
        name, value = name.strip(), value.strip()
        is_important = value.endswith(_IMPORTANT) and "!" in value
        if is_important:
            value = value[: value.rfind("!")].rstrip()
        if name in _KNOWN and value not in _KNOWN[name]:
            continue
        if value and (is_important or name not in important):
            found[name] = value
            if is_important:
                important.add(name)
    return found


def _cut(style: str) -> Iterator[str]:
    """Yield the declarations of a style in lower case, without comments and escapes."""
    start, depth, own = 0, 0, list[str]()
    for found in _PARTS.finditer(style):
        sign = found[0]
        if sign[:2] == "/*":
            own += (style[start : found.start()], " ")
            start = found.end()
        elif sign in ("(", "{", "["):
            depth += 1
        elif sign in (")", "}", "]"):
            depth -= depth > 0
        elif sign == ";" and not depth:
            yield _unescaped("".join((*own, style[start : found.start()])))
            start, own = found.end(), []
    yield _unescaped("".join((*own, style[start:])))


def _unescaped(part: str) -> str:
    """Return a declaration without escapes, in lower case; an escaped colon parts nothing."""
    if "\\" in part:
        name, colon, value = part.partition(":")
        part = ESCAPE.sub(character, name).replace(":", " ") + colon + ESCAPE.sub(character, value)
    return part.lower()


def character(found: re.Match[str]) -> str:
    if not found[1]:
        return found[2]
    code = int(found[1], 16)
    return chr(code) if 0 < code <= _LAST_CODE else "\ufffd"


@kept_of_short_texts(1024)
def shows_as_block(style: str) -> bool:
    """Return whether an element of such a style starts and ends a line."""
    return _MAY_SHOW.search(style) is not None and declared(style).get("display") in _BLOCKS


def stacks(style: str) -> bool:
    """Return whether an element of such a style sets what it holds below each other."""
    low = style.lower()
    own = declared(style) if "flex" in low or "grid" in low else {}
    display, flow = own.get("display", ""), own.get("flex-direction") or own.get("flex-flow", "")
    if display.endswith("grid"):  # of one column
        return "column" not in low and not {"grid", "grid-template"} & own.keys()
    return display.endswith("flex") and "column" in flow


def keeps_breaks(style: str) -> bool | None:
    """Return whether line breaks in the text of such an element are shown; None if inherited."""
    own = declared(style) if "white-space" in style.lower() else {}
    value = own.get("white-space") or own.get("white-space-collapse")
    return None if value is None else value.startswith(("pre", "break-spaces"))


BREAKS: Final = frozenset(f"whitespace-{how}" for how in ("pre-line", "pre-wrap", "break-spaces"))
"""Class names by which Tailwind keeps line breaks."""
COLUMNS: Final = frozenset(("flex-col", "flex-column"))
"""Class names by which Tailwind and Bootstrap set what an element holds below each other."""
SHEET_COMMENT: Final = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
Compound = tuple[str, str, str]
"""Of a selector: a tag, the sign of a class or an id, its name; "" for what isn't there."""
_COMPOUND: Final = re.compile(r"([a-zA-Z][\w-]*+)?(?:([.#])(-?[^\W\d][\w-]*+))?")
_INLINE: Final = frozenset("span b i em strong small font cite q label".split())
_OF_TEXT: Final = _INLINE | frozenset("p div section blockquote li".split())
_MOST_COMPOUNDS: Final = 3
_MOST_SELECTORS: Final = 20


@lru_cache(maxsize=256)  # sheets of 4 kB, which sites repeat: a megabyte
def line_selectors(sheet: str) -> tuple[Mapping[str, bytes], Mapping[str, bytes]]:
    """Return selector → its last name, of plain rules that show text as a block, or its breaks.

    What a column of boxes holds is shown so, too. Left out are media queries and elements of other
    tags than those of text; a child is taken for any element below.
    """
    found = dict[str, bytes](), dict[str, bytes]()
    depth = 0
    ways = (
        (found[0], _INLINE, shows_as_block, ""),
        (found[0], _OF_TEXT, stacks, " > *"),
        (found[1], _OF_TEXT, keeps_breaks, ""),
    )
    for part in SHEET_COMMENT.sub(" ", sheet).split("}"):
        *heads, inner = part.split("{")
        depth += len(heads) - 1
        for own, kinds, does, held in ways if depth == 0 and heads else ():
            for one in heads[-1].split(",") if does(inner) else ():
                read = compounds(one)
                names = [name for _, _, name in read if name]
                if names and (read[-1][0] or "span") in kinds and len(own) < _MOST_SELECTORS:
                    own[" ".join(one.replace(">", " ").split()) + held] = names[-1].encode()
    return found


def compounds(selector: str) -> tuple[Compound, ...]:
    """Return the compounds of a plain selector, a child as any element below; () for others."""
    parts = selector.replace(">", " ").split()
    found = [one for part in parts if (one := _COMPOUND.fullmatch(part)) is not None]
    is_plain = len(found) == len(parts) <= _MOST_COMPOUNDS
    return tuple(((one[1] or "").lower(), one[2] or "", one[3] or "") for one in found if is_plain)


_MARKS: Final = "\u061c\u200e\u200f"
_DIRECTIONS: Final = {"\u200e": "L", "\u200f": "R"}
"""Those of letters beside which a mark says nothing; behind an Arabic one it changes numbers."""
_SELECTORS: Final = "\ufe00-\ufe0f"
_OPENING: Final = {"\u202a": "\u202c", "\u202b": "\u202c", "\u202d": "\u202c", "\u202e": "\u202c",
                   "\u2066": "\u2069", "\u2067": "\u2069", "\u2068": "\u2069"}  # fmt: skip
"""What begins a direction, and what ends it."""
_ENDING: Final = frozenset(_OPENING.values())
_DIRECTION: Final = re.compile(f"[{''.join((*_OPENING, *_ENDING))}]")
_NARROW: Final = (
    rf"\u00ad\u034f{_MARKS}\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200d\u202a-\u202e\u2060-\u206f"
    rf"\u3164{_SELECTORS}\ufeff\uffa0\ufff9-\ufffb"
)
_RUN: Final = re.compile(
    rf"(\U0001f3f4\U000e0067\U000e0062(?:\U000e0065\U000e006e\U000e0067|\U000e0073\U000e0063\U000e0074"
    rf"|\U000e0077\U000e006c\U000e0073)\U000e007f)|[{_NARROW}\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
_DECOMPOSED: Final = re.compile(
    r"[^\W\d_][\u0300-\u036f]+|[\u3041-\u30ff][\u3099\u309a]|[\u1100-\u11ff]{2,}"
)
"""Letters and their marks apart, as some keyboards and file systems write them."""
_ONE: Final = re.compile(f"[{_NARROW}\u0300-\u036f\u1100-\u11ff\u3099\u309a]")
_FIRST_PLANE: Final = "".join(map(chr, range(0x10000)))
_SUSPECT: Final = marked(0x10001, [0x10000, *(one.start() for one in _ONE.finditer(_FIRST_PLANE))])
"""bool[0x10001]: what may leave or be composed; all beyond the first plane is looked at."""
_JOINING: Final = (
    (0x600, 0x8FF), (0x900, 0xDFF), (0xF00, 0x109F), (0x1780, 0x18AF), (0x1CD0, 0x1CFF),
    (0xA840, 0xABFF), (0xFB50, 0xFDFF), (0xFE70, 0xFEFC), (0x10A00, 0x11FFF),
)  # fmt: skip
"""Scripts in which joiners change letters."""
_UNSPACED: Final = ((0xE00, 0xFFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x1950, 0x1AAF))
_EMOJI: Final = ((0x2190, 0x2BFF), (0x1F000, 0x1FAFF), (0xA9, 0xA9), (0xAE, 0xAE), (0x3030, 0x303D),
                 (0x3297, 0x3299), (0x203C, 0x2049), (0x2122, 0x2139))  # fmt: skip
_DRAWN: Final = re.compile(
    r"(?=.{0,23}[^\x00-\u218f])[#*0-9©®‍️⃣\u203c-\u2049\u2122-\u2bff\u3030\u303d\u3297-\u3299"
    "\U0001f000-\U0001faff\U000e0020-\U000e007f]{1,24}"
)
_SMILEY: Final = re.compile(r"(?=.{0,5}[:;=^<>8])(?!.{0,4}[^\W_]{2})[!-~]{2,6}")
SMILIES: Final = ("emoji", "emoti", "smil")
"""Parts of the class or the address of images that show signs."""
_LONGEST_SIGN: Final = 24
_BOXES: Final = tags.table("a button label span time b em strong del ins".split())
_SIDES: Final = (_BOXES + 2 * tags.HEADING).astype(np.uint8)
_SIDES[tags.TEXT] = 4
"""What each tag is to texts that stand side by side."""
_STRESSED: Final = frozenset(("b", "em", "strong"))  # which may be part of a word, but for a label
_COUNTED: Final = re.compile(r"[^\W\d_]{4}")  # how a word begins that is no ending of a number
_LABELS: Final = re.compile(
    r"label|badge|tag|kicker|eyebrow|(?:top|over|sub)-?(?:line|title|head)|\bsub\b|categ|rubri|topic"
    r"|descriptor|prefix|dachzeile|spitzmarke",
    re.IGNORECASE,
)
"""Names of boxes in which a heading has a label, and no part of a word."""
_CITE, _QUOTATION = tags.CODES["cite"], tags.CODES["blockquote"]
_AS_WRITTEN: Final = tags.table("code kbd math pre samp script svg textarea".split())
_ENDS: Final = frozenset(":;!?%)₫€£₽₴₺₹")  # signs behind which a word of another label begins anew
_SPACED: Final = map(chr, range(0x2E80))  # from there on most scripts have no spaces
_BESIDE: Final = np.array(
    [one.isalnum() + 2 * (one.isalnum() or one in _ENDS) for one in _SPACED], dtype=np.uint8
)
"""Characters before which a text may be parted, and those behind which."""
_IDEOGRAPHS: Final = ((0x2E80, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))


def visible(text: str) -> str:
    """Return a text without the characters that show nothing, letters composed with their marks."""
    if text.isascii():
        return text
    text = _DECOMPOSED.sub(lambda found: normalize("NFC", found[0]), text)
    if _RUN.search(text) is None:
        return text
    text = _RUN.sub(_needed, text)
    return text if _DIRECTION.search(text) is None else _balanced(text)


def visible_texts(text: str, text_at: Rows) -> tuple[str, Rows]:
    """Return the text of a page, of which each row's is `visible`, and where each row's starts."""
    if text.isascii():
        return text, text_at
    rows = kernels.characters(text, text_at, _SUSPECT).nonzero()[0].tolist()
    own = {row: text[text_at[row] : text_at[row + 1]] for row in rows}
    changed = {row: (row + 1, new) for row in rows if (new := visible(own[row])) != own[row]}
    return with_texts(text, text_at, changed) if changed else (text, text_at)


def with_texts(text: str, text_at: Rows, texts: Mapping[int, tuple[int, str]]) -> tuple[str, Rows]:
    """Return a text and where each row's own starts, some rows replaced.

    ``texts`` is row → the first row after those whose place it takes, and its text.
    """
    sizes, pieces, done = text_at[1:] - text_at[:-1], list[str](), 0
    for row, (end, own) in sorted(texts.items()):
        pieces += [text[done : text_at[row]], own]
        done = int(text_at[end])
        sizes[row:end] = 0
        sizes[row] = len(own)
    own_at = np.zeros(len(text_at), dtype=np.int32)
    np.add.accumulate(sizes, out=own_at[1:])
    return "".join([*pieces, text[done:]]), own_at


def parted_texts(page: Page) -> dict[int, tuple[int, str]]:
    """Return row of each text that a style parts from the next → the row after it, and it, spaced.

    Labels, counts and links are often written side by side without white space.
    """
    text, at, tree = page.text, page.text_at.item, (page.tag, page.parent, page.end)
    pairs = kernels.side_by_side(tree, _SIDES, _BESIDE, (text, page.text_at))
    found, beside = dict[int, tuple[int, str]](), dict[int, bool]()
    for row, after, first, second in pairs.T.tolist():
        end = at(after)
        last = text[end - 1]
        is_label = last == ":" and text[end - 2 : end - 1].isalpha()  # no time
        if not (last.isalnum() or is_label or text[end].isalpha()):
            continue
        if (
            _is_label(page, row, after)
            if first < 0
            else _begins_anew(page, (row, after), (first, second), beside)
        ):
            found[row] = (row + 1, f"{text[at(row) : end]} ")
    for cite in heads_of_quotations(page):
        end = page.text_at.item(page.end.item(cite))
        row = int(page.text_at.searchsorted(end)) - 1
        if row > cite and text[end : end + 1].isalnum() and not text[end - 1].isspace():
            found[row] = (row + 1, f"{text[page.text_at[row] : end]} ")
    if found:
        as_written = kernels.inside(page.end, _AS_WRITTEN[page.tag])
        found = {row: put for row, put in found.items() if not as_written[row]}
    return found


def heads_of_quotations(page: Page) -> list[int]:
    """Return the cites with which quotations begin: «X wrote:», which forums show as lines."""
    if "cite" not in page.tag_names:
        return []
    cites = (page.tag == _CITE).nonzero()[0]
    quoted, above = page.tag == _QUOTATION, page.parent.take(cites)
    cites = cites[quoted.take(above) | quoted.take(page.parent.take(above))]
    starts = page.text_at.take((page.parent.take(cites), cites)).T.tolist()
    begins = (not page.text[above:own].strip() for above, own in starts)
    return [*compress(cites.tolist(), begins)]


def _begins_anew(
    page: Page, texts: tuple[int, int], boxes: tuple[int, int], beside: dict[int, bool]
) -> bool:
    """Return whether two adjacent texts, in boxes side by side, are no parts of a word.

    Those of one may stand apart letter by letter, or beside text of no element: ``beside`` says of
    elements met before whether they hold such.
    """
    own, other = page.text_of(texts[0]).strip(), page.text_of(texts[1]).strip()
    names = {page.name(boxes[0]), page.name(boxes[1])}
    counts = own[0].isdecimal() and own[-1].isdecimal() and _COUNTED.match(other) is not None
    if not _STRESSED.isdisjoint(names) and own[-1] != ":" and not counts:
        return False
    if "span" not in names and (not other[0].islower() or (names >= {"del", "ins"} and own[1:])):
        return True
    if "span" in names and len(own) == 1 and (len(other) == 1 or own.isalpha()):
        return False
    if (above := page.parent.item(boxes[0])) not in beside:
        around = (one for one in page.children(above) if page.tag[one] == tags.TEXT)
        beside[above] = any(page.text_of(one).strip() for one in around)
    if beside[above]:
        return False
    anew = other[0].isdecimal() or (other[0].isupper() and not own[-1].isupper())
    anew &= not (own[-1].isdecimal() and other[0].isdecimal())
    anew = anew or counts or names == {"a"} or any(page.attribute(box, "class") for box in boxes)
    return anew or _are_placed(page, above, boxes)


def _is_label(page: Page, row: int, after: int) -> bool:
    """Return whether a named box begins a heading with its number or a label, or ends it so."""
    holder, box = page.parent.item(row), page.parent.item(after)
    is_behind = tags.HEADING[page.tag[holder]]
    holder, box = (holder, box) if is_behind else (box, holder)
    if not (names := page.attribute(box, "class")):
        return False
    own, other = page.text_of(row).strip(), page.text_of(after).strip()
    is_word = other[0].isupper() and other[1:2].islower()
    is_name = own[-1].islower() and _LABELS.search(names) is not None
    if is_behind:
        return (is_name and is_word) or (own[-1].isalpha() and other.isdecimal())
    if page.text[page.text_at[holder] : page.text_at[row]].strip():
        return False
    return own[-1] in _ENDS or (is_word and (is_name or own.isdecimal()))


def _are_placed(page: Page, above: int, boxes: tuple[int, int]) -> bool:
    """Return whether styles, or names of the element above, set two boxes apart."""
    styles = [page.attribute(row, "style") for row in (above, *boxes)]
    holder, *own = (declared(one) if one else {} for one in styles)
    names = f"{holder.get('display')} {page.attribute(above, 'class')}".split()
    return not _FLEX.isdisjoint(names) or any(
        one.get("display") in _BOXED or one.get("float") in ("left", "right") for one in own
    )


def drawn_sign(alternative: str) -> str:
    """Return the emoji, or what may be a smiley, that is all of an alternative text; or ""."""
    sign = alternative.strip()
    if not 0 < len(sign) <= _LONGEST_SIGN or (sign[0].isalpha() and sign[0] > "~"):
        return ""
    return sign if _DRAWN.fullmatch(sign) or _SMILEY.fullmatch(sign) else ""


_CHECKS: Final = Search(
    "class", "check", "tick", "yes", "-ok", "times", "cross", "mark", "no", "-x", "remove"
)
_CHECK: Final = re.compile(
    r"(?:^|[ _-])(?:(?P<no>times|cross(?:mark)?|x-?mark|(?:(?<=bi-|fa-|ti-)|(?<=icon-))(?:x|remove)"
    r"|no(?=$| |-alt)|not-included|unchecked)"
    r"|check(?:mark|ed)?|tick|yes|(?<=-)ok)(?=[ _-]|$)",
    re.IGNORECASE,
)
_DRAWN_CHECKS: Final = ("\u2713", "\u2717")


def drawn_marks(page: Page) -> dict[int, tuple[int, str]]:
    """Return row of each empty element that draws a check or a cross → the row after it, and this.

    It is alone in its table's cell, where it says yes or no, and no control. White space in it is
    its place.
    """
    if not (page.tag == _CELL).any():  # the tags may still change: nothing of them is kept
        return {}
    found = dict[int, tuple[int, str]]()
    for row in _CHECKS.where(page, lambda names: _CHECK.search(names) is not None):
        around = [*islice(page.ancestors(row), _AROUND_CHECK)]
        cell = next((one for one in around if tags.CELL[page.tag[one]]), -1)
        last = page.end.item(row) - 1
        is_said = page.attribute(row, "aria-label")  # which is shown
        if cell < 0 or last > row + 1 or is_said or not _DRAWS[page.tag[row]]:
            continue
        inner = page.tag[cell + 1 : page.end[cell]]
        text = page.text[page.text_at[cell] : page.text_at[page.end[cell]]]
        if not text.strip() and (_DRAWS[inner] | (inner == tags.TEXT)).all():
            marks = _CHECK.finditer(page.attribute(row, "class") or "")
            found[last] = (last + 1, _DRAWN_CHECKS[any(mark["no"] for mark in marks)])
    return found


def names_sign(pairs: Mapping[str, str | None]) -> bool:
    """Return whether class or address of an image say that it shows an emoji or a smiley."""
    names = f"{pairs.get('class')} {pairs.get('src')}".lower()
    return any(word in names for word in SMILIES)


def _within(sign: str, ranges: tuple[tuple[int, int], ...]) -> bool:
    return bool(sign) and any(first <= ord(sign) <= last for first, last in ranges)


def _needed(found: re.Match[str]) -> str:
    """Return what of a run of such characters its neighbours need."""
    if found[1]:
        return found[1]
    text, end = found.string, found.end()
    kept, run = list[str](), found[0]
    last = text[found.start() - 1] if found.start() else ""
    for at, sign in enumerate(run):
        after = run[at + 1] if at + 1 < len(run) else text[end : end + 1]
        if _is_needed(sign, last, after):
            kept.append(sign)
            last = sign
    return "".join(kept)


def _is_needed(sign: str, last: str, after: str) -> bool:
    if sign in _OPENING or sign in _ENDING:
        return True  # until it is known which of them belong together
    if sign in _MARKS:
        beside = {bidirectional(one) for one in (last, after) if one}
        return (not last or last not in _MARKS) and _DIRECTIONS.get(sign) not in beside
    if sign in "\u200c\u200d":
        joins = _within(last, _JOINING) and _within(after, _JOINING)
        is_drawn = last == "\ufe0f" or _within(last, _EMOJI)
        return joins or (sign == "\u200d" and is_drawn and _within(after, _EMOJI))
    if sign == "\u200b":
        return _within(last, _UNSPACED) and _within(after, _UNSPACED)
    if "\ufe00" <= sign <= "\ufe0f" and (_within(last, _EMOJI) or after == "\u20e3"):
        return True
    is_selector = "\ufe00" <= sign <= "\ufe0f" or "\U000e0100" <= sign <= "\U000e01ef"
    return is_selector and _within(last, _IDEOGRAPHS)


def _balanced(text: str) -> str:
    """Return a text without directions that have no end, and ends of none."""
    dropped: set[int] = set()
    opened: list[tuple[int, str]] = []
    for at, sign in enumerate(text):
        if sign in _OPENING:
            opened.append((at, _OPENING[sign]))
        elif sign in _ENDING:
            if opened and opened[-1][1] == sign:
                opened.pop()
            else:
                dropped.add(at)
    dropped.update(at for at, _ in opened)
    return "".join(sign for at, sign in enumerate(text) if at not in dropped) if dropped else text
