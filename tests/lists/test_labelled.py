"""Fields of one's own by their labels, in the forms in which pages write them."""

import json
import lzma
import os
import tomllib
from pathlib import Path

import pytest

from chaffinch import OptionError, extract
from chaffinch.metadata.values import fold

TABLE = tomllib.loads(Path(__file__).with_name("lists.toml").read_text("utf-8"))

TEXT = "<p>It opens a furrow, drops one seed at a time and covers it again, all in one go.</p>"


@pytest.mark.parametrize(("html", "label", "value", "form"), TABLE["labels"])
def test_value_beside_a_label(html, label, value, form):
    found = extract(f"<h1>A page</h1>{TEXT}{html}{TEXT}").fields([f"own={label}"])["own"]
    assert (found.value, found.source.partition(":")[0]) == (value, form)


@pytest.mark.parametrize("html", TABLE["no labels"])
def test_what_is_no_label(html):
    assert extract(f"{TEXT}{html}").fields(["Weight", "at 10"]) == {}


def test_values_of_the_content_come_first_and_names_keep_their_order():
    page = (
        "<aside><p>Publisher: Somebody Else</p></aside><article><h1>Birds of the field</h1>"
        + TEXT * 3
        + "<p>Publisher: North Press</p>"
        + TEXT
        + "</article>"
    )
    found = extract(page).fields({"house": ["Verlag", "PUBLISHER"], "none": "ISBN"})
    assert {name: one.value for name, one in found.items()} == {"house": "North Press"}
    record = extract(page).to_dict(fields=["house=Publisher"])
    assert record["fields"]["house"]["source"] == "line:Publisher"
    assert "fields" not in extract(page).to_dict()


@pytest.mark.parametrize("wanted", ["ISBN", ["="], ["a="], [3], {"": "x"}, {"a": []}, {"a": [""]}])
def test_wrong_fields(wanted):
    with pytest.raises(OptionError):
        extract(TEXT).fields(wanted)


def test_fields_of_a_shop_for_books():
    """Publisher, number and date of all pages of the one site that is labelled with them."""
    shared = Path(os.environ.get("CHAFFINCH_CORPORA") or Path(__file__).parents[3] / "shared")
    path = shared / "sites" / "booksamillion.jsonl.xz"
    if not path.exists():
        pytest.skip(f"NO SITES: {path} isn't there; set CHAFFINCH_CORPORA")
    wanted = ["isbn_13=ISBN-13", "publisher=Publisher", "publication_date=Date"]
    with lzma.open(path, "rt") as lines:
        for row in map(json.loads, lines):
            found = extract(row["html"].encode("latin-1"), url=row["url"]).fields(wanted)
            for name, one in found.items():
                assert fold(one.value) == fold(row["attributes"][name][0])
            assert len(found) == len(wanted)
