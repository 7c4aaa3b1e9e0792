"""The labels of list pages fit their pages, and entries of the example web are found by them."""

import pytest

from bench.quality.records import EXAMPLE, PageScores, is_same, labelled_lists
from chaffinch import extract


@pytest.fixture(scope="module")
def lists():
    return list(labelled_lists(EXAMPLE))


def test_all_labelled_entries_of_the_example_web_are_found(lists):
    scores = PageScores()
    for one in lists:
        scores.add(extract(one.page).records, one)
    assert len(lists) == 16
    assert scores.entries.right == scores.entries.found == scores.entries.wanted == 71
    for name in ("title", "link", "image", "price", "date"):
        assert str(scores.fields[name]) == "1.00 / 1.00", name
    assert scores.fields["author"].right == scores.fields["author"].found


@pytest.mark.parametrize(
    ("name", "got", "want", "same"),
    [
        ("date", "2024-05-03T10:00:00", "3 May 2024", True),
        ("date", "2024-05-04", "3 May 2024", False),
        ("date", "2019-05-02", "05-02", True),
        ("author", "Ann Lee", "Ann Lee 3 May 2024", True),
        ("author", "Ann Lee 3", "Ann Lee 3 May 2024", False),
        ("title", "Rye", "rye", False),
    ],
)
def test_values_are_compared_by_field(name, got, want, same):
    assert is_same(name, got, want) is same
