"""The labels of list pages fit their pages, and entries of the example web are found by them."""

from bench.quality.records import EXAMPLE, PageScores, labelled_lists
from chaffinch import extract


def test_all_labelled_entries_of_the_example_web_are_found():
    scores, lists = PageScores(), list(labelled_lists(EXAMPLE))
    for one in lists:
        scores.add(extract(one.page).records, one)
    assert len(lists) == 16
    assert scores.entries.right == scores.entries.found == scores.entries.wanted == 71
    for name in ("title", "link", "image", "price", "date"):
        assert str(scores.fields[name]) == "1.00 / 1.00", name
    assert scores.fields["author"].right == scores.fields["author"].found
