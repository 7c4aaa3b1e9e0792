"""The published comparison of two pages read plainly: trees of nodes, recursion, real deletion."""

import re

AUXILIARY = {"script", "noscript", "style", "link", "meta"}
CONTROLS = set(
    "form fieldset legend input select menu optgroup option textarea map area applet object param"
    " button label".split()
)
VOID = {"img", "br", "hr", "input", "area", "embed", "col", "source", "track", "wbr", "base"}
HIDING = re.compile(r"(^|;)\s*(display\s*:\s*none|visibility\s*:\s*hidden)\b", re.IGNORECASE)


class Node:
    """One row with its children; ``changed`` once something in it was deleted."""

    def __init__(self, page, row, parent=None):
        self.row, self.parent, self.name = row, parent, page.name(row)
        self.attributes = dict(page.attributes(row))
        start, stop = page.text_at[row : row + 2]
        self.text = " ".join(page.text[start:stop].split())
        self.shown, self.length = bool(page.shown[row]), int(page.length[row])
        self.changed = False
        self.children = [Node(page, child, self) for child in page.children(row)]

    def below(self):
        return [node for child in self.children for node in (child, *child.below())]

    def remove(self):
        self.parent.children.remove(self)
        above = self.parent
        while above is not None:
            above.changed = True
            above = above.parent

    def elements(self):
        return [child for child in self.children if child.name != "#text"]


def prepared(page, *, void_elements, max_dropped):
    """Return the body after preprocessing."""
    root = Node(page, 0)
    body = next(node for node in (root, *root.below()) if node.row == page.body)
    for node in body.below():
        style = node.attributes.get("style") or ""
        hidden = "hidden" in node.attributes or HIDING.search(style)
        small = node.length <= max_dropped * body.length
        around = node.name in {"form", "fieldset"}
        always = node.name in AUXILIARY | CONTROLS and not around
        if always or not node.shown or ((hidden or around) and small):
            node.parent.children.remove(node)
    empty = True
    while empty:
        empty = [n for n in body.below() if is_empty(n, void_elements)]
        for node in empty:
            node.parent.children.remove(node)
    for node in (body, *body.below()):
        node.changed = False
    return body


def is_empty(node, void_elements):
    if node.children or node.text:
        return False
    return not (void_elements and node.name in VOID)


def equal(one, other):
    return (
        not other.changed
        and one.name == other.name
        and one.attributes == other.attributes
        and one.text == other.text
        and len(one.children) == len(other.children)
        and all(map(equal, one.children, other.children))
    )


def deleted(body, reference):
    """Return the rows of ``body`` that have an equal in ``reference``, with all they hold."""
    out = set()
    stack = body.elements()[::-1]
    while stack:
        node = stack.pop()
        similar = [n for n in reference.below() if n.name == node.name]
        found = next((n for n in similar if equal(node, n)), None)
        if found is None:
            stack += node.elements()[::-1]
        else:
            out |= {n.row for n in (node, *node.below())}
            found.remove()
    return out
