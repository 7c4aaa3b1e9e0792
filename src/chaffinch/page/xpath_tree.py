"""XPath 1.0 on the page table, evaluated by lxml on a tree that is made of the table's rows.

So an expression sees what every method sees: the tree as the parser of HTML made it, names in small
letters, without comments. Needs the extra ``lxml``, which is imported on first use.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from chaffinch.errors import MissingExtraError, OptionError
from chaffinch.page import tags
from chaffinch.page.selectors import Selected
from chaffinch.page.xpath_calls import wrong_call
from chaffinch.page_work import checked

if TYPE_CHECKING:
    from lxml import etree

    from chaffinch.page.page import Page

_NAME: Final = re.compile(r"\A[A-Za-z_][\w.-]*\Z")
_UNWRITABLE: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PLACEHOLDER: Final = "unknown"
_REGULAR: Final = {"re": "http://exslt.org/regular-expressions"}
_SHOWN: Final = 200  # characters of an expression in a message


@dataclass(frozen=True, eq=False)
class XPathTree:
    """A page's rows as a tree of lxml.

    Attributes:
        root: the element of row 0; None for a page without rows.
        row_of: element → its row.
        texts: element → rows of the text before its first child.
        tails: element → rows of the text after it.
    """

    root: etree._Element | None
    row_of: dict[etree._Element, int]
    texts: dict[etree._Element, list[int]]
    tails: dict[etree._Element, list[int]]

    def select(self, expression: str) -> list[Selected]:
        """Return what an XPath expression selects, in document order, or the text it computes.

        Raises:
            OptionError: it isn't XPath 1.0, or its value is a number or a truth value.
        """
        found = self._value(expression)
        if isinstance(found, str):
            return [Selected(-1, str(found))]
        if not isinstance(found, list):
            kind = type(found).__name__
            raise OptionError(f"the XPath {_short(expression)} selects nothing, but is a {kind}")
        return [one for node in found for one in self._selected(node)]

    def _value(self, expression: str) -> Any:
        compiled = _compiled(expression)
        if self.root is None:
            return []
        try:
            return compiled(self.root.getroottree())
        except _etree().XPathError as error:
            raise OptionError(f"bad XPath {_short(expression)}: {error}") from error

    def _selected(self, node: Any) -> list[Selected]:
        """Return the rows of a node: an element, or a string that knows whose text it is."""
        if not isinstance(node, str):
            row = self.row_of.get(node)
            return [] if row is None else [Selected(row)]
        owner = node.getparent()  # type: ignore[attr-defined]
        if node.is_attribute:  # type: ignore[attr-defined]
            return [Selected(self.row_of[owner], str(node))]
        rows = (self.tails if node.is_tail else self.texts)[owner]  # type: ignore[attr-defined]
        return [Selected(rows[0], str(node)), *map(Selected, rows[1:])]


def tree_of(page: Page) -> XPathTree:
    """Return a page as a tree; what XML can't hold (control characters, odd names) is left out.

    Raises:
        MissingExtraError: lxml isn't installed.
    """
    made = _etree()
    row_of: dict[Any, int] = {}
    texts: dict[Any, list[int]] = {}
    tails: dict[Any, list[int]] = {}
    element_at: list[Any] = [None] * len(page)
    last: dict[int, Any] = {}
    root = None
    for row, (tag, parent) in enumerate(
        checked(zip(page.tag.tolist(), page.parent.tolist(), strict=True), every=4096)
    ):
        above = element_at[parent] if parent >= 0 else None
        if tag == tags.TEXT:
            before = last.get(parent)
            (texts if before is None else tails).setdefault(
                above if before is None else before, []
            ).append(row)
            continue
        attributes = {
            name: _writable(value or "")
            for name, value in page.attributes(row).items()
            if _NAME.match(name)
        }
        name = page.name(row)
        name = name if _NAME.match(name) else _PLACEHOLDER
        element = (
            made.Element(name, attributes)
            if above is None
            else made.SubElement(above, name, attributes)
        )
        root = element if root is None else root
        element_at[row] = last[parent] = element
        row_of[element] = row
    for element, rows in texts.items():
        element.text = _writable("".join(page.text_of(row) for row in rows))
    for element, rows in tails.items():
        element.tail = _writable("".join(page.text_of(row) for row in rows))
    return XPathTree(root, row_of, texts, tails)


def _writable(text: str) -> str:
    return _UNWRITABLE.sub("", text)


@lru_cache(maxsize=512)
def _compiled(expression: str) -> Any:
    etree = _etree()
    if problem := wrong_call(expression):
        raise OptionError(f"bad XPath {_short(expression)}: {problem}")
    try:
        return etree.XPath(expression, namespaces=_REGULAR, smart_strings=True)
    except (etree.XPathError, ValueError) as error:
        raise OptionError(f"bad XPath {_short(expression)}: {error}") from error


def _short(expression: str) -> str:
    """Return an expression as messages show it."""
    return repr(expression if len(expression) <= _SHOWN else f"{expression[:_SHOWN]}…")


def _etree() -> Any:
    try:
        from lxml import etree  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtraError.of("lxml", "lxml") from error
    return etree
