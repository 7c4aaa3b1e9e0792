"""The published procedures read plainly: recursion over nodes, one count at a time, no arrays.

They take a page for its tree and its lengths of text alone.
"""

from chaffinch.page import tags

PUNCTUATION = "，。．｡,.،۔।"


class Node:
    """One row with its children, as a tree."""

    def __init__(self, page, row, parent=None):
        self.row, self.parent, self.name = row, parent, page.name(row)
        self.attributes = dict(page.attributes(row))
        self.shown = bool(page.shown[row])
        self.line = int(page.line[row])
        self.length = int(page.length[row])
        start, stop = page.text_at[row : row + 2]
        self.own_text = page.text[start:stop] if self.shown else ""
        self.own_length = int(page.own_length[row])
        self.children = [Node(page, child, self) for child in page.children(row)]

    def all(self):
        yield self
        for child in self.children:
            yield from child.all()

    def below(self):
        return [node for child in self.children for node in child.all()]

    def above(self):
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def inside(self, *names):
        return any(node.name in names for node in (self, *self.above()))

    def plain_length(self):
        return sum(node.own_length for node in self.all() if not node.inside("a"))


def body_of(page):
    return next(node for node in Node(page, 0).all() if node.row == page.body)


def own_cells(table):
    """Return the cells of a table, not those of tables in it."""
    return [
        node
        for node in table.below()
        if node.name in {"td", "th"} and next(a for a in node.above() if a.name == "table") is table
    ]


def unopened(cell):
    """Return what stands in a cell; nested tables come without their content."""
    out = []
    for child in cell.children:
        out.append(child)
        if child.name != "table":
            out += unopened(child)
    return out


def is_data_table(table, max_in_cell=1):
    """Apply the four rules, without the hints of later markup."""
    cells = own_cells(table)
    parts = [n for n in table.below() if n.name in {"caption", "th"}]
    if any(next(a for a in n.above() if a.name == "table") is table for n in parts):
        return True
    if len(cells) < 2:
        return False
    for cell in cells:
        names = [node.name for node in unopened(cell)]
        links = names.count("a")
        controls = sum(names.count(n) for n in ("form", "input", "select", "textarea", "button"))
        pictures = names.count("img") + names.count("table")
        if max(links, controls, pictures) > max_in_cell:
            return False
    return True


class InformationBlocks:
    """Sections 3.3 and 3.4 of topic-information, step by step."""

    def __init__(self, page):
        self.body = body_of(page)
        nodes = list(self.body.all())
        self.data = [n for n in nodes if n.name == "table" and is_data_table(n)]
        self.line_text = {}
        for node in Node(page, 0).all():
            if not node.inside("a"):
                self.line_text[node.line] = self.line_text.get(node.line, 0) + node.own_length
        self.noise_images = set()
        self.region = self.locate()

    def in_data(self, node):
        return any(n in self.data for n in (node, *node.above()))

    def is_block(self, node):
        return node is self.body or (node.name in {"div", "table"} and not self.in_data(node))

    def innermost(self, node):
        return next((n for n in (node, *node.above()) if self.is_block(n)), None)

    def child_blocks(self, block):
        found, level = [], list(block.children)
        while level:
            node = level.pop(0)
            if self.is_block(node):
                found.append(node)
            else:
                level += node.children
        return found

    def positive(self, block):
        total = 0
        for node in block.all():
            if self.in_data(node):
                picture = any(n.name == "img" for n in node.all())
                total += node.name in {"td", "th"} and (node.length > 0 or picture)
            else:
                if not node.inside("a"):
                    total += sum(node.own_text.count(mark) for mark in PUNCTUATION)
                total += node.name == "p" and node.plain_length() > 0
                total += node.name == "br" and self.sets_prose(node)
            total += 2 * (node.name == "h1" and node.length > 0)
        return total

    def sets_prose(self, br):
        """Tell whether the line just before a br holds text outside links, in the same block."""
        siblings = br.parent.children
        before = siblings[siblings.index(br) - 1] if siblings.index(br) else br.parent
        last = list(before.all())[-1] if before is not br.parent else before
        if before is not br.parent and any(
            ends_line(n) for n in (last, *last.above()) if n.row > br.parent.row
        ):
            return False
        return self.line_text.get(last.line, 0) > 0

    def locate(self):
        region = self.body
        while True:
            weight = self.positive(region)
            heavy = [b for b in self.child_blocks(region) if self.positive(b) > 0.75 * weight]
            if not heavy:
                return region
            region = heavy[0]

    def image_is_noise(self, image):
        sizes = [image.attributes.get(n) for n in ("width", "height")]
        width, height = (float(s) if s and s.isdigit() else None for s in sizes)
        if any(s is not None and s < 100 for s in (width, height)):
            return True
        if width and height and not 1 / 3 <= height / width <= 3:
            return True
        if image.inside("a"):
            return True
        if width is None and height is None:
            inner = self.innermost(image)
            outer = self.innermost(inner.parent) if inner is not self.body else None
            return all(b.length < 15 for b in (inner, outer) if b is not None)
        return False

    def kept(self):
        """Return the rows that stay."""
        images = [n for n in self.region.all() if n.name == "img"]
        self.noise_images = {n.row for n in images if self.image_is_noise(n)}
        keep = {n.row for n in self.region.all() if n.shown} - self.noise_images
        for block in self.child_blocks(self.region):
            keep -= self.noise(block)
        return keep

    def noise(self, block):
        good = self.positive(block) + sum(
            n.name == "img" and n.row not in self.noise_images for n in block.all()
        )
        bad = sum(n.name in {"a", "iframe", "frame", "input", "form"} for n in block.all())
        texts = [n for n in block.all() if n.name == "#text" and n.shown and n.own_text.strip()]
        average = block.length / len(texts) if texts else 0
        if good == 0 or bad > 4 * good or (bad > good and block.length < 50 and average < 5):
            return {n.row for n in block.all()}
        return {row for child in self.child_blocks(block) for row in self.noise(child)}


def ends_line(node):
    return node.name in tags.CODES and bool(tags.BLOCK[tags.CODES[node.name]])


def block_densities(page, names, alpha=0.3):
    """Return row → H(b), by section 5.1 of page-clustering."""
    root = Node(page, 0)
    plain, links = root.plain_length(), sum(n.name == "a" for n in root.all())
    out = {}
    for use_links in (True, False):
        for block in body_of(page).all():
            if block.name not in names or not block.length:
                continue
            first = block.plain_length() / plain if plain else 0
            second = 1 - sum(n.name == "a" for n in block.all()) / links if links else 1
            third = block.plain_length() / block.length
            product = first * third * (second if use_links else third > 0.5)
            out[block.row] = product / max(len(block.below()), 1) ** alpha
        if any(out.values()):
            break
    return out


def dense_lines(lengths, *, width=3, threshold=86, end_blocks=2):
    """Return the lines that are content, by the conditions of the line-block distribution."""

    def block(i):
        return sum(lengths[i : i + width])

    kept, running = [], False
    for i in range(len(lengths)):
        if not running:
            running = block(i) > threshold and any(block(i + j) for j in (1, 2, 3))
        elif not any(block(i + j) for j in range(end_blocks)):
            running = False
        if running:
            kept.append(i)
    return kept
