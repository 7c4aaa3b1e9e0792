"""The tree of a text that is written: elements, what may stand where, and the tree as XML.

TEI P5, content models of ``div``, ``list``, ``table`` and ``figure``. Two of them are stricter than
HTML: in a ``div`` no block follows an inner ``div``, and glosses alternate labels and items.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from chaffinch.output.tei.xml import pair

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from chaffinch.output.tei.inline import Line

_HOLDERS: Final = frozenset(["list", "item", "table", "row", "figure", "quote"])
_INLINE: Final = frozenset(["item", "cell"])


class Node:
    """An element: with other elements in it, or with the line that it holds.

    One without a name is only its line: graphics that stand in a figure as they are. The heads of a
    table, which come before its rows, are kept apart until the tree is mended.
    """

    __slots__ = ("attributes", "children", "heads", "line", "name")

    def __init__(
        self, name: str, attributes: Mapping[str, str] | None = None, line: Line | None = None
    ) -> None:
        self.name = name
        self.line = line
        self.attributes = dict(attributes or {})
        self.children: list[Node] = []
        self.heads: list[Node] = []

    def put(self, node: Node) -> Node:
        """Put a node in its place among the children, wrapped as the content model requires.

        Returns:
            The node that was put directly here.
        """
        match self.name:
            case "list" if node.name not in ("item", "label"):
                return self._into(node, "item")
            case "table" if node.name == "head":
                self.heads.append(node)
                return node
            case "table" if node.name != "row":
                return self._into(node, "row")
            case "row" if node.name != "cell":
                return self._into(node, "cell")
        self.children.append(node)
        return node

    def _into(self, node: Node, name: str) -> Node:
        """Put a node in the last child, if that has the name, else in a new one."""
        if not self.children or self.children[-1].name != name:
            self.children.append(Node(name))
        self.children[-1].put(node)
        return self.children[-1]

    @property
    def is_empty(self) -> bool:
        """Whether it holds nothing."""
        return self.line is None and not self.children and not self.heads


def mended(root: Node) -> Node:
    """Return the tree without empty elements, glosses alternating, short items on one line."""
    order = [root]
    for node in order:
        node.children = [*node.heads, *node.children]
        node.heads = []
        order.extend(node.children)
    for node in reversed(order):
        node.children = [c for c in node.children if not (c.is_empty and c.name in _HOLDERS)]
        if node.name == "table" and not any(_has_content(child) for child in node.children):
            node.children = _as_paragraphs(node)
        elif node.name == "list" and any(child.name == "label" for child in node.children):
            node.attributes["type"] = "gloss"
            node.children = list(_alternating(node.children))
            for item in node.children:
                _pull_up(item)
        elif node.name in _INLINE:
            _pull_up(node)
    return root


def _has_content(child: Node) -> bool:
    return child.name == "row" and any(not cell.is_empty for cell in child.children)


def _as_paragraphs(table: Node) -> list[Node]:
    """Return the captions of a table without text, in one cell of it."""
    heads = [child for child in table.children if child.name == "head"]
    if not heads:
        return []
    row, cell = Node("row"), Node("cell")
    row.children = [cell]
    for head in heads:
        head.name = "p"
        cell.children.append(head)
    return [row]


def _alternating(children: list[Node]) -> Iterator[Node]:
    """Yield labels and items by turns, empty ones where one is missing; items that touch as one."""
    item: Node | None = None
    labelled = False
    for child in children:
        if child.name == "item" and item is not None:
            item.children += _blocks_of(child)
            continue
        if (child.name == "label") == labelled:
            yield Node("item" if labelled else "label")
        if child.name == "item":
            child.children, child.line = _blocks_of(child), None
        yield child
        labelled = child.name == "label"
        item = None if labelled else child
    if labelled:
        yield Node("item")


def _blocks_of(item: Node) -> list[Node]:
    if item.line is None:
        return item.children
    own = Node("p", item.attributes, item.line)
    item.attributes = {}
    return [own, *item.children]


def _pull_up(node: Node) -> None:
    """Have an item hold its first paragraph's line itself, where only lists follow."""
    if not node.children or node.line is not None:
        return
    first, rest = node.children[0], node.children[1:]
    plain = first.name == "p" and "rend" not in first.attributes
    if plain and first.line is not None and all(child.name == "list" for child in rest):
        node.line, node.children = first.line, rest
        node.attributes |= first.attributes


def written(root: Node, parts: list[str]) -> None:
    """Add the tree as XML to ``parts``, an element that holds a line on a line of its own."""
    stack: list[Node | str] = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            parts.append(node)
            continue
        if not node.name and node.line is not None:
            parts.append(f"{node.line.xml}\n")
            continue
        start = node.name + "".join(pair(k, v) for k, v in node.attributes.items())
        if node.line is None and not node.children:
            parts.append(f"<{start}/>\n")
            continue
        parts.append(f"<{start}>" + ("" if node.line is None else node.line.xml))
        if node.children:
            parts.append("\n")
        stack.append(f"</{node.name}>\n")
        stack.extend(reversed(node.children))
