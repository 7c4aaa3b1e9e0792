"""The values of an attribute against a plain look through the rows."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from chaffinch import parse
from chaffinch.page import attributes
from chaffinch.page.attributes import AttributeColumns
from strategies import markup


@given(markup(), st.sampled_from(["id", "class", "href", "style"]))
def test_each_row_with_the_attribute_has_one_value(html, name):
    page = parse(html)
    told = page.values(name).rows
    pairs = sorted((row, value) for value, rows in told.items() for row in rows)
    assert pairs == page.having(name)
    assert page.values(name) is page.values(name)


NAMED = st.lists(st.text(st.sampled_from("aAbK\u212aİß s"), max_size=5), max_size=6)
SOUGHT = st.lists(st.sampled_from(["a", "ab", "ba", "ss", "k ", "i̇", "bk"]), max_size=4)


@given(
    names=NAMED,
    searches=st.lists(SOUGHT, min_size=1, max_size=4),
)
def test_many_searches_together_find_what_each_finds_alone(names, searches):
    html = "".join(f"<p class='{name}' title=ab>x" for name in names) + "<p id=ab>y"
    page = parse(html)
    for words in searches:
        for name in ("class", "id", "lang"):
            assert page.rows_holding(name, *words) == [
                row
                for row, value in page.having(name)
                if any(word in value.lower() for word in words)
            ]


def test_more_words_than_one_pass_takes_are_found(monkeypatch):
    monkeypatch.setattr(attributes, "_places", {})
    monkeypatch.setattr(attributes, "_MOST_PASSES", 0)
    names = [f"w{number:03}x" for number in range(700)]
    html = "".join(f"<p class='{name.upper()}'>x" for name in names)
    for page in (parse(html), parse(html)):  # what was asked of the first is remembered
        rows = page.having("class")
        for at in range(0, 700, 50):
            found = page.rows_holding("class", *names[at : at + 50])
            assert found == [row for row, _ in rows[at : at + 50]]
        assert len(page.rows_holding("class", *names)) == len(names)


def test_only_of_marked_rows():
    html = "<p class=a>x<b class>y</b></p><p id=q class=c><i>z</i>"
    page = parse(html)
    again = AttributeColumns.of_rows(dict(page.all_attributes()), len(page))
    for one in (page, replace(page, _attributes=again)):
        bold, paragraphs = one.is_tag("b"), one.is_tag("p")
        assert one.having("class", paragraphs) == [
            (row, one.attribute(row, "class")) for row in paragraphs.nonzero()[0].tolist()
        ]
        assert [value for _, value in one.having("class", bold)] == [""]
        assert one.having("id", bold) == one.having("lang", bold) == []
        assert one.has("class").tolist() == (bold | paragraphs).tolist()
        assert not one.has("lang").any()
