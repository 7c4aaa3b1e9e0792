"""XPath over a page, by lxml."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from chaffinch.errors import OptionError, from_extra
from chaffinch.page import tags
from chaffinch.page.selectors import Selected, brief
from chaffinch.page_work import checked

if TYPE_CHECKING:
    from chaffinch.page.page import Page

with from_extra("lxml"):
    from lxml import etree

_TOKEN: Final = re.compile(r"\"[^\"]*+\"|'[^']*+'|(?<![\w.:-])([\w.:-]++)\s*+\(|[(\[\])]")
_OPERATORS: Final = frozenset({"and", "or", "div", "mod"})
_REGULAR: Final = {"re": "http://exslt.org/regular-expressions"}
_SAMPLE: Final = etree.Element("a")


def wrong_call(expression: str) -> str:
    """Return what is wrong with the first wrong call of an expression; "" for nothing.

    The library finds that when it meets a node to call it for; so each is called for a sample.
    """
    starts = list[int]()  # of the brackets that are open, -1 of one that is no call's
    for token in _TOKEN.finditer(expression):
        if token[0][-1] in "([":
            starts.append(token.start() if token[1] and token[1] not in _OPERATORS else -1)
        elif token[0] in {")", "]"} and starts and (start := starts.pop()) >= 0:
            call = expression[start : token.end()]
            try:
                etree.XPath(f"//*[{call}]", namespaces=_REGULAR)(_SAMPLE)
            except etree.XPathError as error:
                return f"{call}: {error}"
    return ""


_NAME: Final = re.compile(r"\A[A-Za-z_][\w.-]*\Z")
_UNWRITABLE: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PLACEHOLDER: Final = "unknown"


@dataclass(frozen=True, eq=False)
class XPathTree:
    """A page's rows as a tree of lxml."""

    root: etree._Element | None  # the element of row 0; None for a page without rows
    row_of: dict[etree._Element, int]  # element → its row
    texts: dict[etree._Element, list[int]]  # element → rows of the text before its first child
    tails: dict[etree._Element, list[int]]  # element → rows of the text after it

    def select(self, expression: str) -> list[Selected]:
        """Return what an XPath expression selects, in document order, or the text it computes."""
        found = self._value(expression)
        if isinstance(found, str):
            return [Selected(-1, str(found))]
        if not isinstance(found, list):
            kind = type(found).__name__
            raise OptionError(f"the XPath {brief(expression)} selects nothing, but is a {kind}")
        return [one for node in found for one in self._selected(node)]

    def _value(self, expression: str) -> Any:
        compiled = _compiled(expression)
        if self.root is None:
            return []
        try:
            return compiled(self.root.getroottree())
        except etree.XPathError as error:
            raise OptionError(f"bad XPath {brief(expression)}: {error}") from error

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
    """Return a page as a tree; what XML can't hold (control characters, odd names) is left out."""
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
            etree.Element(name, attributes)
            if above is None
            else etree.SubElement(above, name, attributes)
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
    if problem := wrong_call(expression):
        raise OptionError(f"bad XPath {brief(expression)}: {problem}")
    try:
        return etree.XPath(expression, namespaces=_REGULAR, smart_strings=True)
    except (etree.XPathError, ValueError) as error:
        raise OptionError(f"bad XPath {brief(expression)}: {error}") from error
