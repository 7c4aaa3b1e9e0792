"""Entries of lists and their fields, found by structure."""

import pytest

from chaffinch import extract
from chaffinch.output.table_forms import entries_csv
from records_pages import CARDS, cards

URL = "https://grain.example/list.html"


def records(html):
    return extract(html, url=URL).records


def test_a_card_has_all_its_fields():
    found = records(cards(6))
    assert [one.number for one in found] == [1, 2, 3, 4, 5, 6]
    assert found[2].values() == {
        "title": "The mill number 3 grinds again",
        "link": "https://grain.example/mills/3.html",
        "image": "https://grain.example/i/3.jpg",
        "price": "39.50 €",
        "date": "2024-03-03",
        "author": "Joan Pickard",
        "summary": "For fifty-one years the wheel at place 3 did not turn, until the miller's "
        "daughter came home.",
    }
    assert found[0].value("title") == "The mill number 1 grinds again"
    assert found[0].value("colour") == ""


def test_labels_of_prices_and_what_all_links_say_are_no_values():
    card = (
        "<li><h3><a href=/{0}>Stuhl Nummer {0}</a></h3><p><span>Preis</span>: <b>{0}9,00 €</b></p>"
        "<a href=/more/{0}>Details ansehen</a><button>In den Warenkorb</button></li>"
    )
    found = records(CARDS.format(f"<ul>{''.join(map(card.format, range(1, 7)))}</ul>"))
    assert [one.values() for one in found][2] == {
        "title": "Stuhl Nummer 3",
        "link": "https://grain.example/3",
        "price": "39,00 €",
    }


def test_titles_that_begin_with_the_word_for_a_price_keep_it():
    names = ("Goncourt", "Femina", "Renaudot", "Interallié", "Médicis", "Décembre")
    cards = "".join(
        f"<li><h3><a href=/{one}>Prix {one}</a></h3><p>{one} : un jury lit l'été et vote.</p>"
        for one in names
    )
    found = records(CARDS.format(f"<ul>{cards}</ul>"))
    assert [one.value("title") for one in found] == [f"Prix {one}" for one in names]


@pytest.mark.parametrize(
    "html",
    [
        "",
        "no markup",
        "<p>One paragraph.",
        CARDS.format(
            "<p>An article with <a href=/x>a link</a> in a long paragraph of prose, "
            "which goes on about rye and oats until nobody could take it for an entry.</p>" * 3
        ),
        CARDS.format("".join(f"<p>Only prose, number {n}, without links.</p>" for n in range(9))),
        "\0" * 100,
        "<ul>" * 3000,
        "<li><a href=/x>" * 3000,
    ],
    ids=["empty", "text", "one", "prose with links", "prose", "nulls", "deep", "unended"],
)
def test_what_is_no_list_has_no_entries(html):
    assert records(html) == []


def test_entries_of_the_example_site(example_site):
    wanted = {"en-index": 12, "en-shop-index": 4}
    lists = [row for row in example_site if row["template"] == "list"]
    assert len(lists) == 16
    for row in lists:
        found = extract(row["html"].encode("latin-1"), url=row["url"]).records
        assert len(found) == wanted.get(row["id"], len(found))
        assert len(found) >= 2
        for one in found:
            assert one.value("title")
            assert one.value("link").startswith("https://")
            assert one.value("date")[:2] == "20"
            assert bool(one.value("price")) == ("/shop/" in row["url"])


def test_csv_has_a_column_for_each_field_and_no_formulas():
    html = cards(4).replace("The mill number 2", "=HYPERLINK(1) 2")
    found = records(html)
    lines = entries_csv(found).splitlines()
    assert lines[0] == "number,list_number,title,link,image,price,date,author,summary"
    assert lines[2].startswith("2,1,'=HYPERLINK(1) 2 grinds again,")
    assert "2,1,=HYPERLINK(1)" in entries_csv(found, defused=False)
    assert entries_csv([]) == "number,list_number\n"
