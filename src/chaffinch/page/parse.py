"""From bytes to the page table; the only room that knows the parser (selectolax, Lexbor).

Bytes are decoded here (`encoding`), never by the parser: Lexbor ignores ``<meta charset>`` and
UTF-16. What would make the parser slow or huge is bounded before it sees the page (`guard`). The
parser's tree is walked once, by a kernel where that is there, and released.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from selectolax import lexbor
from selectolax.lexbor import LexborHTMLParser

from chaffinch.errors import PageError
from chaffinch.kernels import kernels
from chaffinch.page import tags
from chaffinch.page.assemble import assemble
from chaffinch.page.attributes import AttributeColumns, Attributes
from chaffinch.page.columns import Page
from chaffinch.page.encoding.decoding import readable
from chaffinch.page.guard.limits import Limits, bound
from chaffinch.page.guard.unended import may_have_swallowed, with_ends
from chaffinch.page.head import STATE_MARK

if TYPE_CHECKING:
    from types import ModuleType

    from numpy.typing import NDArray

_TEXT_ID: Final = 2
_LAST_SPECIAL: Final = 5  # end of file, document, comment, doctype
_OTHER_ID: Final = 255  # the parser's own table ends below; tags it doesn't know lie far above
_LIMITS: Final = Limits()
_WITHOUT_EVENTS: Final = 1  # LexborDocumentOptions.WO_EVENTS: the tree as the source has it


def _known_ids() -> dict[int, int]:
    """Return the parser's id of each tag that both tables know → our code.

    Tags that the parser doesn't know get an id by document, far above those of its table.
    """
    parser = LexborHTMLParser("")
    named = {parser.create_node(n).tag_id: c for n, c in tags.CODES.items() if n[0] != "#"}
    named[_TEXT_ID] = tags.TEXT
    return {i: code for i, code in named.items() if i < _OTHER_ID}


_CODE_OF: Final = _known_ids()
_OPAQUE_IDS: Final = frozenset(i for i, code in _CODE_OF.items() if tags.OPAQUE[code])
_SCRIPT_ID: Final = next(i for i, code in _CODE_OF.items() if code == tags.CODES["script"])
_TEMPLATE_ID: Final = next(i for i, code in _CODE_OF.items() if code == tags.CODES["template"])
_PLAIN_IDS: Final = frozenset(_CODE_OF) - _OPAQUE_IDS - {_TEMPLATE_ID}


def _table() -> NDArray[np.uint16]:
    """Return uint16[256]: the parser's id → our code."""
    table = np.full(_OTHER_ID + 1, tags.UNKNOWN, dtype=np.uint16)
    table[list(_CODE_OF)] = list(_CODE_OF.values())
    return table


_TABLE: Final = _table()


def _kinds() -> bytes:
    """Return uint8[256]: the parser's id → what the element is to the kernel, as it names them."""
    kinds = bytearray([4]) * (_OTHER_ID + 1)
    for tag in _CODE_OF:
        kinds[tag] = 0 if tag in _PLAIN_IDS else 3 if tag == _TEMPLATE_ID else 1
    kinds[_SCRIPT_ID] = 2
    return bytes(kinds)


_SAMPLE: Final = (
    "<title>a</title><p class='b c' hidden id=''>é<x-y>字</x-y><!--d--><svg viewBox='0 0'"
    " xlink:href><g/></svg><template><i></template><script type=json>{}</script>"
    "<div><div><div><div>e"
)
_KERNEL_TABLES: Final = (_TABLE.tobytes(), _kinds(), tags.CODES, STATE_MARK)


@cache
def _may_walk(compiled: ModuleType) -> bool:
    """Return whether the kernels find the parser's functions, and these mean what they did.

    The functions are those of whatever version of the parser is installed.
    """
    if not compiled.bind(lexbor.__file__):
        return False
    root = LexborHTMLParser(_SAMPLE, options=_WITHOUT_EVENTS).root
    limits = Limits(max_depth=4)
    page, plain = _by_kernel(compiled, root, limits), _Walk(limits).page(root)
    return page is not None and (
        all(
            getattr(page, name).tolist() == getattr(plain, name).tolist()
            for name in ("tag", "parent", "depth", "end", "text_at")
        )
        and (page.text, page.names, page.sources) == (plain.text, plain.names, plain.sources)
        and list(page.all_attributes()) == list(plain.all_attributes())
    )


def parse(
    html: bytes | str,
    *,
    url: str | None = None,
    encoding: str | None = None,
    limits: Limits | None = None,
) -> Page:
    """Flatten a page into its table.

    Args:
        html: the page as it was served, or as text. Bytes are preferred: their encoding is found
            in the order BOM, valid UTF-8, ``encoding``, meta, detection.
        url: the page's address; relative links are resolved against it.
        encoding: the label the transport gave (charset of the Content-Type header).
        limits: bounds on size and structure; see `Limits`.

    Returns:
        The page; without any text or element it still has html, head and body rows.

    Raises:
        PageError: too large, too many rows, or bytes that are something other than a page.
    """
    limits = limits or _LIMITS
    name: str | None = None
    if not isinstance(html, str):
        limits.check_size(len(html))
        html, name = readable(html, transport=encoding)
    page = _read(html, limits, url=url, encoding=name)
    if may_have_swallowed(page):
        data = html.encode("utf-8", "replace") if isinstance(html, str) else html
        ended = with_ends(data)
        if ended is not data:
            page = _read(ended, limits, url=url, encoding=name)
    return page


def _read(html: bytes | str, limits: Limits, **fields: str | None) -> Page:
    """Return the table of a page as text or in UTF-8; ``fields`` are others of `Page`."""
    html = bound(html, limits)
    root = LexborHTMLParser(html, options=_WITHOUT_EVENTS).root
    if root is None:
        raise PageError("the parser made no document of it")
    page = None
    if (compiled := kernels()) and _may_walk(compiled):
        page = _by_kernel(compiled, root, limits, **fields)
    return _Walk(limits).page(root, **fields) if page is None else page


def _by_kernel(compiled: ModuleType, root: Any, limits: Limits, **fields: Any) -> Page | None:
    """Return the page that `_Walk` makes; None where the tree is unusual."""
    columns = compiled.walk(root.mem_id, *_KERNEL_TABLES, limits.max_rows, limits.max_depth)
    if columns is None:
        return None
    tag, parent, depth, end, text, text_at, names, sources, attributes = columns
    return Page(
        tag=np.frombuffer(tag, np.uint16),
        parent=np.frombuffer(parent, np.int32),
        depth=np.frombuffer(depth, np.int16),
        end=np.frombuffer(end, np.int32),
        text=text,
        text_at=np.frombuffer(text_at, np.int32),
        _attributes=AttributeColumns(*attributes),
        names=names,
        sources=sources,
        **fields,
    )


class _Walk:
    """One walk over the parser's tree in document order, filling plain lists."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.names: dict[int, str] = {}
        self.sources: dict[int, str] = {}

    def page(self, root: Any, **fields: Any) -> Page:
        ids, closed, closed_at, around, texts, attributes = self._walk(root)
        return assemble(
            self._codes(ids),
            closed,
            closed_at,
            around,
            texts,
            _attributes=Attributes(attributes),
            names=self.names,
            sources=self.sources,
            **fields,
        )

    def _walk(self, node: Any) -> tuple[Any, ...]:  # noqa: C901  see the docstring
        """Return tag ids by row; rows with content, their ends and parents; texts; attributes.

        One loop along first children and next siblings, kept whole for its speed: it takes most of
        the time between bytes and table. Below the depth limit, elements become siblings.
        """
        ids, closed, closed_at, around, texts = bytearray(), [], [], [], []  # type: ignore[var-annotated]
        attributes: dict[int, dict[str, str | None]] = {}
        add_id, add_text = ids.append, texts.append
        plain, most_rows, most_depth = _PLAIN_IDS, self.limits.max_rows, self.limits.max_depth
        above: list[tuple[Any, int]] = []
        row, parent = 0, -1
        while True:
            tag, following = node.tag_id, node.next
            if tag == _TEXT_ID:
                add_id(_TEXT_ID)
                add_text(node.text_content)
                row += 1
            elif tag > _LAST_SPECIAL:
                if own := node.attributes:
                    attributes[row] = own
                if tag in plain:
                    add_id(tag)
                    child = node.first_child
                else:
                    add_id(min(tag, _OTHER_ID))
                    child = self._inner(node, tag, own, row)
                row += 1
                if child is not None:
                    above.append((following, parent))
                    if len(above) <= most_depth:
                        parent = row - 1
                    node = child
                    continue
            while following is None:
                if not above:
                    return ids, closed, closed_at, around, texts, attributes
                following, outer = above.pop()
                if row > parent + 1:
                    closed.append(parent)
                    closed_at.append(row)
                    around.append(outer)
                    if row > most_rows:
                        raise PageError(f"more than {most_rows:,} rows")
                parent = outer
            node = following

    def _inner(self, node: Any, tag: int, own: dict[str, str | None], row: int) -> Any:
        """Note the name or source of an unusual element; return its first child to walk or None."""
        if tag not in _CODE_OF:
            self.names[row] = node.tag.lower()
            return node.first_child
        if tag == _TEMPLATE_ID and "shadowrootmode" in own:
            fragments = node.template_fragments()  # none in svg, where it is no template
            return fragments[0].first_child if fragments else None
        if tag == _SCRIPT_ID and (first := node.first_child) is not None:
            kind = (own.get("type") or "").lower()
            source = first.text_content or ""
            if "json" in kind or "math/tex" in kind or STATE_MARK in source:
                self.sources[row] = source
        return None

    def _codes(self, ids: bytearray) -> NDArray[np.uint16]:
        """Return uint16[n]: our codes of the parser's ids."""
        codes: NDArray[np.uint16] = _TABLE.take(np.frombuffer(ids, dtype=np.uint8))
        for row in [row for row, name in self.names.items() if name in tags.CODES]:
            codes[row] = tags.CODES[self.names.pop(row)]
        return codes
