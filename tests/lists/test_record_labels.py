"""The labels of list pages fit their pages, and entries of the example web are found by them."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2]))
from bench.quality import records
from bench.quality.records import EXAMPLE, PageScores, is_same, labelled_lists, site_files
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


def test_labels_of_another_page_are_an_error(monkeypatch):
    files = [(html.replace(b"</h2>", b"!</h2>"), url) for html, url in site_files(EXAMPLE)]
    monkeypatch.setattr(records, "site_files", lambda _: files)
    with pytest.raises(ValueError, match="no page for labels"):
        list(labelled_lists(EXAMPLE))


def test_what_is_wrong_counts_as_wrong(lists):
    one = next(one for one in lists if one.kind == "product list")
    found = extract(one.page).records
    scores = PageScores()
    scores.add([replace(found[0], rows=(found[0].rows[0], found[1].rows[1])), *found[2:]], one)
    assert (scores.entries.right, scores.entries.found, scores.entries.wanted) == (2, 3, 4)
    assert scores.fields["title"].right == 2


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
