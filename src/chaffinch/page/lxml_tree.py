"""The columns of a tree that lxml has parsed, for people who already hold one.

lxml isn't imported: the tree is the caller's. Elements are those whose tag is a string, so that
comments and processing instructions are passed over (their tails are text).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.errors import OptionError
from chaffinch.page import tags
from chaffinch.page.assemble import assemble

if TYPE_CHECKING:
    from chaffinch.kernels.parser_tree import Walked

_MOST_DEPTH: Final = 512
_XML: Final = "{http://www.w3.org/XML/1998/namespace}"


def flatten(tree: Any) -> Walked:
    """Return the columns of ``tree``, an lxml tree or element; elements below depth 512 lie flat.

    Raises:
        OptionError: it is something else, or an empty tree.
    """
    root = tree.getroot() if callable(getattr(tree, "getroot", None)) else tree
    if not hasattr(getattr(root, "attrib", None), "items"):
        raise OptionError(f"an element or a tree with one is wanted, not {tree!r}")
    walk = _Walk()
    walk.run(root)
    return assemble(
        np.array(walk.codes, dtype=np.uint16),
        walk.closed,
        walk.closed_at,
        walk.around,
        walk.texts,
        names=walk.names,
        sources=walk.sources,
        attributes=walk.attributes,
    )


class _Walk:
    """One walk over an lxml tree in document order."""

    def __init__(self) -> None:
        self.codes: list[int] = []
        self.closed: list[int] = []
        self.closed_at: list[int] = []
        self.around: list[int] = []
        self.texts: list[str] = []
        self.attributes: dict[int, dict[str, str | None]] = {}
        self.names: dict[int, str] = {}
        self.sources: dict[int, str] = {}

    def run(self, root: Any) -> None:
        above: list[tuple[Any, Any, int]] = []
        children, parent = iter((root,)), -1
        element: Any = None
        while True:
            child = next(children, None)
            if child is not None:
                row, opaque = self._enter(child)
                above.append((children, element, parent))
                children = iter(()) if opaque else iter(child)
                element = child
                if row >= 0 and len(above) <= _MOST_DEPTH:
                    parent = row
                continue
            if not above:
                return
            tail = element.tail if len(above) > 1 else None
            children, element, outer = above.pop()
            if outer != parent:
                self.closed.append(parent)
                self.closed_at.append(len(self.codes))
                self.around.append(outer)
            parent = outer
            self._text(tail)

    def _enter(self, element: Any) -> tuple[int, bool]:
        """Add the row of ``element``; return it (-1 for a comment) and whether to go no deeper."""
        if not isinstance(element.tag, str):
            return -1, True
        row = len(self.codes)
        name = element.tag.rpartition("}")[2].lower()
        code = tags.CODES.get(name, tags.UNKNOWN)
        self.codes.append(code)
        if code == tags.UNKNOWN:
            self.names[row] = name
        pairs = {_attribute_name(key): value for key, value in element.attrib.items()}
        if pairs:
            self.attributes[row] = pairs
        if tags.OPAQUE[code]:
            kind = (pairs.get("type") or "").lower()
            if name == "script" and element.text and ("json" in kind or "math/tex" in kind):
                self.sources[row] = element.text
            return row, True
        self._text(element.text)
        return row, False

    def _text(self, text: str | None) -> None:
        if text:
            self.codes.append(tags.TEXT)
            self.texts.append(text)


def _attribute_name(name: str) -> str:
    if name.startswith(_XML):
        return "xml:" + name.removeprefix(_XML)
    return name.rpartition("}")[2]
