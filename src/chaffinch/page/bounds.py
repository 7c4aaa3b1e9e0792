"""The guard of the parser: limits of a page's source, checked and held before it is parsed."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.errors import PageError, require_between, require_whole
from chaffinch.kernels.arrays import Codes, Rows
from chaffinch.page import tags
from chaffinch.page_work import check_time

_LEAST_SECONDS: Final = 0.001


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Bounds on the size and the structure of a page, and on the time that it takes.

    Of the 6,891 pages of the corpora none reaches any of them (largest page 5.3 MB, 26,159 «<»,
    650 options in a select); browsers stop nesting at 512, too.
    """

    max_bytes: int = 64 << 20
    """Bytes (or characters of a str) of a page; more is a `PageError`."""
    max_rows: int = 2_000_000
    """Elements and text runs; more is a `PageError`. A row costs Lexbor about 370 bytes."""
    max_tags_per_megabyte: int = 32_768
    """Start tags of a page of up to 1 MiB, and as many of each further one: start tags beyond them
    are dropped, their text is kept. Of the corpora's pages the one with the most has 15,793; none
    of those with 2,000 or more has one for each 33 bytes or less."""
    max_depth: int = 512
    """Nesting of the page's table; what is deeper is kept, as children of the row at the bound.
    The parser is given at most twice as much: from there on start tags are dropped."""
    max_attributes: int = 512
    """Attributes of one tag; the rest is dropped."""
    max_formatting: int = 64
    """Formatting elements (``b``, ``font``, …) left open; further ones are dropped."""
    max_options: int = 1024
    """Options of one select; the tags of further ones are dropped, their text is kept."""
    max_unmatched_end_tags: int = 10_000
    """End tags of elements that aren't open; further ones are dropped."""
    max_names: int = 32_768
    """Different names of tags, and of attributes, in one page; further ones are dropped."""
    seconds: float | None = None
    """Elapsed time that one call may take: `extract`, and each output of its Extract by itself.
    More is a `TimeLimitError`; None for any. Time is checked between stages and in long loops, so
    that a call ends a little later; one that must end at the second belongs in a guarded child
    (`chaffinch.workers`)."""

    max_base: int = 1_024
    """Characters of the address that links are resolved against, for each of them repeats it: a
    longer ``base`` or address of the page is left out of account. The longest of the corpora has
    454."""
    max_repeated_base: int = 4 << 20
    """Characters of that address times the links that repeat it, where it has more than 256: beyond
    them it is left out of account, too."""

    def __post_init__(self) -> None:
        for field in fields(self):
            if field.name != "seconds":
                require_whole(field.name, getattr(self, field.name), 1)
        if self.seconds is not None:
            require_between("seconds", self.seconds, _LEAST_SECONDS)

    def most_tags(self, size: int) -> int:
        """Return how many start tags a page of ``size`` bytes keeps."""
        return self.max_tags_per_megabyte * max(size, 1 << 20) >> 20

    def check_size(self, size: int) -> None:
        """Raise where a page of ``size`` bytes or characters is too big.

        Raises:
            PageError: it is larger than ``max_bytes``.
        """
        if size > self.max_bytes:
            raise PageError(f"page too big: {size:,} bytes, limit {self.max_bytes:,}")


FIRST_NAMES: Final = tuple(
    b"p button li ul form table select template optgroup ruby svg math annotation-xml script"
    b" plaintext frameset".split()
)
"""The names that a step of the reading is about: the first of each table, in this order, as
``enum Code`` of ``native/guard.h`` has them."""
KINDS: Final = (
    "void", "root", "raw", "formatting", "keeps_formatting", "closes_p", "closes_all",
    "closes_select", "replaces", "item", "ruby_text", "implied", "kin", "table_part", "scope",
    "shares", "svg_scope", "math_scope", "special", "wall", "breaks_out", "ends_foreign", "choice",
)  # fmt: skip
"""The kinds of names, by their bits (``enum Kind`` there); what each means stands at the table."""


class TagTable(NamedTuple):
    """What HTML specifies for the names of tags, by code."""

    names: tuple[bytes, ...]  # in lower case; the first are `FIRST_NAMES`.
    kinds: NDArray[np.uint32]  # uint32[n], bits of the kinds of each.
    # int32[n], the next of the names that count as one (h1 to h6), the last one's next is the
    # first; the code itself for most.
    ring: Rows
    # int32[n], in what a part of a table has to stand, which is opened where it doesn't; -1 for
    # none. At most two steps lead to none.
    inside: Rows
    # int32[n], which current element, or one of its ring, a start tag closes; -1 for none.
    closes_top: Rows
    # the types of an ``annotation-xml`` that holds HTML, in lower case.
    html_types: tuple[bytes, ...]


_HEADINGS: Final = "h1 h2 h3 h4 h5 h6"
_CLOSES_P: Final = (
    f"{_HEADINGS} address article aside blockquote center details dialog dir div dl fieldset "
    "figcaption figure footer form header hgroup hr li dd dt listing main menu nav ol p pre search "
    "section summary ul"
)
_ROWS: Final = "tr tbody thead tfoot colgroup"
_CELLS: Final = "td th caption"
_SCOPES: Final = f"{_CELLS} table object applet marquee template select"
_THIN: Final = "address div p"  # a new list item closes the last one through these
_SPECIAL: Final = f"{_CLOSES_P} {_ROWS} {_SCOPES} button noscript optgroup option"
_VOID: Final = "base basefont bgsound col frame hr link meta param source track"
_VOID_INLINE: Final = "area br embed image img input keygen wbr"
_RUBY_TEXT: Final = "rb rp rt rtc"

_NAMES_OF: Final = {
    "void": f"{_VOID} {_VOID_INLINE}",  # has no content
    "root": "html head body",  # opened once: later ones only add attributes
    "raw": "script style textarea title xmp iframe noembed noframes plaintext",  # text to its end
    "formatting": "a b big code em font i nobr s small strike strong tt u",
    # its start tag doesn't open formatting elements again
    "keeps_formatting": f"{_CLOSES_P} {_ROWS} {_CELLS} {_VOID} {_RUBY_TEXT} table template "
    "frameset",
    "closes_p": _CLOSES_P,  # by its start tag
    "closes_all": f"{_CLOSES_P} {_ROWS} button",  # by its end tag, what is in it
    "closes_select": "input",
    "replaces": "a nobr",  # its start tag closes the last one
    "item": "li dd dt",  # its start tag closes the last of its ring, but through no wall
    "ruby_text": _RUBY_TEXT,  # in a ruby, its start tag closes what is implied
    "implied": f"dd dt li optgroup option p {_RUBY_TEXT}",  # end tags
    "kin": _HEADINGS,  # closed by the end tag of any of its ring
    "table_part": f"{_ROWS} {_CELLS}",  # stands in a table only
    "scope": _SCOPES,  # end tags in it reach nothing beyond
    "shares": "table select",  # a scope with the formatting elements of the one around it
    "svg_scope": "foreignobject desc title",  # HTML within svg
    "math_scope": "mi mo mn ms mtext",  # HTML within math
    "special": _SPECIAL,  # stops the end tag of an ordinary element
    "wall": " ".join({*_SPECIAL.split()} - {*_THIN.split()}),
    "ends_foreign": "br p",  # its end tag closes svg and math; br is empty by its end tag, too
    "choice": "option optgroup",  # counted in a select
    # its start tag closes svg and math; Lexbor leaves sup in them, unlike the standard
    "breaks_out": f"{_HEADINGS} b big blockquote body br center code dd div dl dt em embed head hr "
    "i img li listing menu meta nobr ol p pre ruby s small span strong strike sub table tt u ul"
    " var",
}
_RINGS: Final = (_HEADINGS, "dd dt", "ul ol", "tbody thead tfoot")
_INSIDE: Final = {"td": "tr", "th": "tr", "tr": "tbody"}
_CLOSES_TOP: Final = dict.fromkeys(_HEADINGS.split(), "h1") | {
    "option": "option",
    "optgroup": "option",
}


def _tag_table() -> TagTable:
    named = {word.encode() for words in _NAMES_OF.values() for word in words.split()}
    names = (*FIRST_NAMES, *sorted(named - {*FIRST_NAMES}))
    code = {name.decode(): at for at, name in enumerate(names)}
    kinds = np.zeros(len(names), np.uint32)
    for bit, kind in enumerate(KINDS):
        kinds[[code[name] for name in _NAMES_OF[kind].split()]] |= 1 << bit
    ring = np.arange(len(names), dtype=np.int32)
    for words in _RINGS:
        codes = [code[name] for name in words.split()]
        ring[codes] = [*codes[1:], codes[0]]
    inside, closes_top = np.full((2, len(names)), -1, np.int32)
    for column, pairs in ((inside, _INSIDE), (closes_top, _CLOSES_TOP)):
        column[[code[name] for name in pairs]] = [code[name] for name in pairs.values()]
    html_types = (b"text/html", b"application/xhtml+xml")
    return TagTable(names, kinds, ring, inside, closes_top, html_types)


TAG_TABLE: Final = _tag_table()

_MOST_ROOTS: Final = 16  # html, head and body tags; more only merge attributes, slowly
_DEEPER: Final = 2  # times `max_depth` that the parser may nest: the page's table flattens the rest


def bounded(data: bytes, limits: Limits) -> bytes:
    """Return ``data``, in UTF-8, or what is left of it where a limit but ``max_bytes`` is exceeded.

    A `PageError` is raised for more than ``max_rows`` start tags and comments, or end tags, or
    copies of formatting elements.
    """
    most = tag_limits(limits, len(data))
    left, opened, closed, _ = kernels.read_tags(data, TAG_TABLE, most, check_time)
    if opened > limits.max_rows:
        raise PageError(f"more than {limits.max_rows:,} tags and what they repeat")
    if closed > limits.max_rows:
        raise PageError(f"more than {limits.max_rows:,} end tags")
    return left


def tag_limits(limits: Limits, size: int) -> tuple[int, ...]:
    """Return how many of each a page of ``size`` bytes may have; what is beyond is cut."""
    return (
        limits.max_rows,  # start tags, comments and copies of formatting elements; and end tags
        limits.most_tags(size),
        _DEEPER * limits.max_depth,
        limits.max_attributes,
        limits.max_formatting,
        limits.max_options,
        limits.max_unmatched_end_tags,
        limits.max_names,
        _MOST_ROOTS,
        limits.max_depth,  # frameset tags
    )


_NAMES: Final = "iframe noembed noframes style textarea title xmp".split()
_RAW: Final = frozenset(tags.CODES[name] for name in _NAMES)
_CLOSED: Final = re.compile(rb"<(%s)(?=[\s/])([^<>]*)/>" % "|".join(_NAMES).encode(), re.IGNORECASE)
_END_TAG: Final = re.compile(rb"</(%s)" % "|".join(_NAMES).encode(), re.IGNORECASE)


def may_have_swallowed(tag: Codes) -> bool:
    """Return whether the last element is of raw text, which may be the rest of the page."""
    return not _RAW.isdisjoint(tag[-2:].tolist())


def with_ends(data: bytes) -> bytes:
    """Return the page with an end tag after each element of raw text closed in its start tag.

    Where the last such element has its end tag, none swallows the rest: it is the same object.
    """
    found = list(_CLOSED.finditer(data))
    if not found:
        return data
    last = found[-1]
    name = last[1].lower()
    if any(end[1].lower() == name for end in _END_TAG.finditer(data, last.end())):
        return data
    return _CLOSED.sub(rb"<\1\2></\1>", data)


# Under each bound the worst page that can be made of its bytes and tags takes Lexbor up to about
# five seconds and 1 GB; of tags alone a quarter of a second: it seeks those of rubies and groups of
# options among all that are open. Of the corpora's pages 13 in 1,000 have more tags.
SAFE_TAGS: Final = 8_000  # «<» in a page: depth, options, end tags, names of tags
SAFE_FORMATTING_TAGS: Final = 2_400  # formatting elements; above, they are counted
SAFE_COPIES: Final = 1_500_000  # formatting tags times the other tags
SAFE_BYTES: Final = 256 << 10  # of a page; above, what separates attributes is counted
SAFE_ATTRIBUTES: Final = 8_192  # of one tag, in a page above that
SAFE_NAMES: Final = 100_000  # of all tags


def bound(html: bytes | str, limits: Limits) -> bytes | str:
    """Return the page such that the parser's time and memory stay bounded.

    It is the same object, but where a limit is exceeded: then a page without the tags and
    attributes beyond it. Text is never dropped. A `PageError` is raised for more bytes or tags than
    allowed.
    """
    limits.check_size(len(html))
    data = html.encode("utf-8", "replace") if isinstance(html, str) else html
    if not suspicious(data, limits):
        return html
    changed = bounded(data, limits)
    if changed is data:
        return html
    return changed if isinstance(html, bytes) else changed.decode("utf-8", "replace")


def suspicious(data: bytes, limits: Limits) -> bool:
    """Return whether a page in UTF-8 has to be read tag by tag.

    It has when it is large enough for the parser to take seconds and may exceed a limit.
    """
    tags = kernels.count_tags(data)
    if tags > min(SAFE_TAGS, limits.max_rows, limits.max_tags_per_megabyte):
        return True
    if tags > SAFE_FORMATTING_TAGS:
        formatting = kernels.count_formatting(data)
        if formatting * (tags - formatting) > SAFE_COPIES:
            return True
    most = max(limits.max_attributes, SAFE_ATTRIBUTES)
    return len(data) > SAFE_BYTES and not 0 <= kernels.count_separators(data, most) <= SAFE_NAMES
