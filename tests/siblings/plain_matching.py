"""Section 3.2 of same-layer-similarity read plainly: two strings, three states, then the tree."""


class Node:
    def __init__(self, tag, text, depth):
        self.tag, self.text, self.depth = tag, text, depth


def string_of(page, row=0):
    """Return the nodes of a subtree by depth-first search."""
    if page.name(row) == "#text" and not page.text_of(row).strip():
        return []
    own = page.folded(row) if page.name(row) == "#text" else ""
    nodes = [Node(page.name(row), own, int(page.depth[row]))]
    for child in page.children(row):
        nodes += string_of(page, child)
    return nodes


def slid(nodes, place):
    """Return the place after the whole subtree at ``place``."""
    after = place + 1
    while after < len(nodes) and nodes[after].depth > nodes[place].depth:
        after += 1
    return after


def pairs_from(start, outer, inner, most):
    """Return the pairs (place in outer, place in inner) that match; None if T isn't used up."""
    i, j, moved, state, pairs = start, 0, 0, "normal", []
    mismatch = (0, 0)
    while j < len(inner):
        agree = i < len(outer) and outer[i].tag == inner[j].tag
        if agree:
            pairs.append((i, j))
            i, j, state = i + 1, j + 1, "normal"
        elif state == "normal":
            mismatch, moved, state = (i, j), 0, "s_move"
        elif state == "s_move":
            if moved == most or i >= len(outer):
                (i, j), moved, state = mismatch, 0, "t_move"
            else:
                i, moved = slid(outer, i), moved + 1
        else:
            if moved == most:
                return None
            j, moved = slid(inner, j), moved + 1
    return pairs


def is_tree(pairs, outer, inner):
    """Verify that the matched nodes are one tree of the same shape in both."""
    if not pairs or pairs[0][1] != 0:
        return False
    first = pairs[0][0]
    after = slid(outer, first)
    return all(
        i < after and outer[i].depth - outer[first].depth == inner[j].depth - inner[0].depth
        for i, j in pairs
    )


def matches(outer, inner, alpha, beta, most):
    """Tell whether the tree ``inner`` is, more or less, part of ``outer``."""
    length = sum(len(node.text) for node in inner)
    for start in range(len(outer)):
        pairs = pairs_from(start, outer, inner, most)
        if pairs is None:
            continue
        same = sum(len(inner[j].text) for i, j in pairs if inner[j].text == outer[i].text)
        enough = len(pairs) >= alpha * len(inner) and same >= beta * length
        if enough and is_tree(pairs, outer, inner):
            return True
    return False
