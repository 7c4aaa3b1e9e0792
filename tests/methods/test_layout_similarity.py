"""Layout similarity: the two link rules and the last step, by hand and read plainly; its notes."""

import sys
from pathlib import Path

import numpy as np
from hypothesis import given

from chaffinch import parse
from chaffinch.methods import LayoutSimilarity
from chaffinch.methods.layout_similarity import mostly_links, only_links

sys.path.insert(0, str(Path(__file__).parents[1]))
from strategies import markup

OTHER = "<p>of another page</p>"


class PlainNode:
    """One node that the comparison has left, with what it holds."""

    def __init__(self, page, row, left):
        self.row, self.name, self.length = row, page.name(row), int(page.own_length[row])
        start, stop = page.text_at[row : row + 2]
        self.text = page.text[start:stop] if left[row] else ""
        self.children = [PlainNode(page, r, left) for r in page.children(row) if left[r]]

    def all(self):
        return [self, *(node for child in self.children for node in child.all())]

    def outside_links(self):
        if self.name == "a":
            return []
        return [self.text, *(t for child in self.children for t in child.outside_links())]

    def total(self):
        return sum(node.length for node in self.all())

    def linked(self):
        if self.name == "a":
            return self.total()
        return sum(child.linked() for child in self.children)


@given(markup())
def test_link_rules_against_a_plain_reading(html):
    page = parse(html)
    left = page.shown & page.around(page.written & page.shown)
    own = np.where(left, page.own_length, 0)
    length, linked = page.total(own), page.total(np.where(page.in_link, own, 0))
    many, only = mostly_links(page, left, length, linked, most=0.3), only_links(page, left)
    if not left[page.body]:
        return
    for node in PlainNode(page, page.body, left).all()[1:]:
        if page.in_link[node.row]:
            assert not only[node.row]
            continue
        direct = sum(child.total() for child in node.children if child.name == "a")
        assert many[node.row] == (node.total() > 0 and direct / node.total() > 0.3)
        words = any(any(map(str.isalnum, text)) for text in node.outside_links())
        links = any(n.name == "a" and any(x.text.strip() for x in n.all()) for n in node.all())
        assert only[node.row] == (node.name != "#text" and links and not words)


def test_images_stay_where_void_elements_do():
    page, reference = parse("<p>text<img src=a></p><img src=b>"), parse(OTHER + "<img src=b>")
    images = np.flatnonzero(page.is_tag("img"))
    assert not LayoutSimilarity(siblings=(reference,))(page).keep[images].any()
    verdict = LayoutSimilarity(siblings=(reference,), void_elements=True)(page)
    assert verdict.keep[images].tolist() == [True, False]


def test_several_references_vote():
    html = "<p>a</p><p>b</p><p>own</p>"
    pages = tuple(parse(f"<p>{one}</p><p>b</p>", url=None) for one in ("a", "x", "y"))

    def texts(**settings):
        page = parse(html)
        verdict = LayoutSimilarity(siblings=pages, **settings)(page)
        return (
            page.text_of(0)
            if verdict.keep.all()
            else [page.folded(r) for r in np.flatnonzero(verdict.keep & page.written).tolist()]
        )

    assert texts() == ["own"]
    assert texts(references=3) == ["own"]
    assert texts(references=3, votes=2) == ["a", "own"]
    assert texts(references=3, votes=3) == ["a", "own"]


def test_notes_tell_which_page_was_the_reference_and_why():
    page = parse("<p>own</p><p>b</p>", url="http://site.test/a/1")
    far, near = (parse(f"<p>{u}</p><p>b</p>", url=f"http://site.test{u}") for u in ("/x/1", "/a/2"))
    method = LayoutSimilarity(siblings=(far, near))
    notes = method(page).notes
    assert str(notes.references[0]).startswith("sibling 1, http://site.test/a/2: path 1.00")
    assert notes.references[0].sibling == 1
    assert notes.siblings == 2
    notes = LayoutSimilarity(siblings=(page,))(page).notes
    assert str(notes.references[0]).startswith("none: every candidate is the page itself")
    assert notes.references[0].sibling is None
