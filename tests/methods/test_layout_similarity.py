"""Layout similarity: its notes, what stays, and its time."""

import numpy as np

from chaffinch import parse
from chaffinch.methods import LayoutSimilarity

OTHER = "<p>of another page</p>"


def test_notes_tell_which_page_was_the_reference_and_why():
    page = parse("<p>own</p><p>b</p>", url="http://site.test/a/1")
    far, near = (parse(f"<p>{u}</p><p>b</p>", url=f"http://site.test{u}") for u in ("/x/1", "/a/2"))
    method = LayoutSimilarity(siblings=(far, near))
    notes = method(page).notes
    assert (notes.reference, notes.reference_url) == (1, "http://site.test/a/2")
    assert notes.reason.startswith("path 1.00")
    assert notes.siblings == 2
    notes = LayoutSimilarity(siblings=(page,))(page).notes
    assert notes.reason.startswith("every candidate is the page itself")
    assert notes.reference is None


def test_a_page_of_equal_nodes_takes_no_quadratic_time():
    page, reference = parse("<p>a</p>" * 20_000), parse("<p>a</p>" * 20_000 + "<p>b")
    assert LayoutSimilarity(siblings=(reference,))(page).notes.equal_nodes == 40_000


def test_images_stay_where_void_elements_do():
    page, reference = parse("<p>text<img src=a></p><img src=b>"), parse(OTHER + "<img src=b>")
    images = np.flatnonzero(page.is_tag("img"))
    assert not LayoutSimilarity(siblings=(reference,))(page).keep[images].any()
    verdict = LayoutSimilarity(siblings=(reference,), void_elements=True)(page)
    assert verdict.keep[images].tolist() == [True, False]
