"""From bytes to the page table; the only room that knows the parser (selectolax, Lexbor).

Bytes are decoded here (`decoding`), never by the parser: Lexbor ignores ``<meta charset>`` and
UTF-16. What would make the parser slow or huge is bounded before it sees the page (`bounds`). The
parser's tree is walked once, by a kernel where that is there, and released.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from selectolax import lexbor
from selectolax.lexbor import LexborHTMLParser

from chaffinch import kernels
from chaffinch.errors import PageError, require_kind
from chaffinch.kernels.tree import OPAQUE, PLAIN, SCRIPT, TEMPLATE, TEXT_ID, UNKNOWN, Parser
from chaffinch.page import tags
from chaffinch.page.bounds import Limits, bound, may_have_swallowed, with_ends
from chaffinch.page.decoding import readable
from chaffinch.page.head import STATE_MARKS
from chaffinch.page.page import Page, page_of_columns
from chaffinch.page.source import read_source, refuse_other_markup
from chaffinch.page_work import PageWork, begin_stage

if TYPE_CHECKING:
    from chaffinch.page.source import PageInput

_OTHER_ID: Final = 255  # the parser's own table ends below; tags it doesn't know lie far above
_LIMITS: Final = Limits()
_WITHOUT_EVENTS: Final = 1  # LexborDocumentOptions.WO_EVENTS: the tree as the source has it


def _known_ids() -> dict[int, int]:
    """Return the parser's id of each tag that both tables know → our code.

    Tags that the parser doesn't know get an id by document, far above those of its table.
    """
    parser = LexborHTMLParser("")
    named = {parser.create_node(n).tag_id: c for n, c in tags.CODES.items() if n[0] != "#"}
    named[TEXT_ID] = tags.TEXT
    return {i: code for i, code in named.items() if i < _OTHER_ID}


_CODE_OF: Final = _known_ids()

_TABLE: Final = np.full(_OTHER_ID + 1, tags.UNKNOWN, dtype=np.uint16)
"""uint16[256]: the parser's id → our code."""
_TABLE[[*_CODE_OF]] = [*_CODE_OF.values()]
_KINDS: Final = np.where(tags.OPAQUE, OPAQUE, PLAIN).astype(np.uint8)
"""uint8[tags]: what an element of each of our codes is to the walk."""
_KINDS[[tags.CODES["script"], tags.CODES["style"]]] = SCRIPT  # whose sources may be kept
_KINDS[[tags.UNKNOWN, tags.CODES["template"]]] = UNKNOWN, TEMPLATE
_SAMPLE: Final = (
    "<title>a</title><p class='b c' hidden id=''>é<x-y>字</x-y><!--d--><svg viewBox='0 0'"
    " xlink:href><g/></svg><template><i></template><script type=json>{}</script>"
    "<style>a{display:none}</style><style>b{}</style>"
    "<div><div><div><div>e"
)
_PARSER: Final = Parser(
    code_of=_TABLE,
    kinds=_KINDS[_TABLE],
    codes=tags.CODES,
    marks=STATE_MARKS,
    library=lexbor.__file__,
    sample=lambda: _root(_SAMPLE),
)


def parse(
    html: PageInput,
    *,
    url: str | None = None,
    encoding: str | None = None,
    limits: Limits | None = None,
) -> Page:
    """Flatten a page into its table.

    Args:
        html: the page as it was served, or as text; a path, an open file, or a tree of lxml, see
            `PageInput`. Bytes are preferred: their encoding is found in the order BOM, valid UTF-8,
            ``encoding``, meta, detection. A page is returned as it is, at ``url`` if that is given.
        url: the page's address; relative links are resolved against it. MHTML has its own.
        encoding: the label the transport gave (charset of the Content-Type header).
        limits: bounds on size, structure and time; see `Limits`.

    Returns:
        The page; without any text or element it still has html, head and body rows.

    Raises:
        PageError: too large, too many rows, a file that can't be read, or something other than a
            page; the message names what it is.
        OptionError: nothing that a page can be read from, such as an address or the name of a file
            as text; or another argument is of a wrong type.
    """
    require_kind("url", url, str)
    require_kind("encoding", encoding, str)
    require_kind("limits", limits, Limits)
    if isinstance(html, Page):
        return html if url is None or url == html.url else replace(html, url=url)
    limits = limits or _LIMITS
    with PageWork("parsing", limits.seconds):
        begin_stage("reading the source")
        source = read_source(html, limits=limits)
        address = source.url if url is None else url
        name: str | None = None
        markup = source.html
        if isinstance(markup, bytes):
            begin_stage("decoding")
            markup, name = readable(markup, transport=encoding or source.encoding)
        return _of_source(markup, limits, url=address, name=name)


def _of_source(html: bytes | str, limits: Limits, *, url: str | None, name: str | None) -> Page:
    """Return the table of a page as text or in UTF-8; ``name`` is that of its own encoding."""
    if isinstance(html, str):  # of bytes, decoding took the mark
        html = html.lstrip("\ufeff")
    html = _encoded_once(html)
    refuse_other_markup(html)
    page = _read(html, limits, url=url, encoding=name)
    if may_have_swallowed(page.tag):
        data = html.encode("utf-8", "replace") if isinstance(html, str) else html
        ended = with_ends(data)
        if ended is not data:
            page = _read(ended, limits, url=url, encoding=name)
    return page


def _encoded_once(html: bytes | str) -> bytes | str:
    """Return a page without quotes and dashes that are UTF-8 of UTF-8: in browsers a bare â."""
    if isinstance(html, bytes):
        return html.replace(b"\xc3\xa2\xc2\x80\xc2", b"\xe2\x80")
    if "\u00e2\u0080" not in html:
        return html
    return _encoded_once(html.encode("utf-8", "replace"))


def _read(html: bytes | str, limits: Limits, *, url: str | None, encoding: str | None) -> Page:
    """Return the table of a page as text or in UTF-8."""
    begin_stage("bounding what the parser gets")
    bounded = bound(html, limits)
    begin_stage("parsing")
    root = _root(bounded)
    if root is None:
        raise PageError("the parser made no document of it")
    begin_stage("walking the parser's tree")
    columns = kernels.walk(root, _PARSER, limits.max_rows, limits.max_depth)
    return page_of_columns(
        columns,
        url=url,
        encoding=encoding,
        longest_base=limits.max_base,
        repeated_base=limits.max_repeated_base,
    )


def _root(html: bytes | str) -> Any:
    """Return the root element of the parser's tree; None where it makes none."""
    return LexborHTMLParser(html, options=_WITHOUT_EVENTS).root
