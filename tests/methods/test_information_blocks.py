"""Information blocks: every rule of the source, with numbers worked out by hand."""

import pytest

from chaffinch import parse
from chaffinch.elements.tables import data_tables
from chaffinch.methods import InformationBlocks
from chaffinch.methods.information_blocks import RegionReason

PROSE = "One, two, three, four. "  # 4 marks, 22 characters


def verdict(html, **settings):
    page = parse(html)
    return page, InformationBlocks(**settings)(page)


def region(html, **settings):
    page, found = verdict(html, **settings)
    row = found.notes.region.row
    return page.attribute(row, "id") or page.name(row)


def why(html, selector, **settings):
    page, found = verdict(html, **settings)
    return RegionReason(int(found.why[page.first(selector)]))


@pytest.mark.parametrize(
    ("html", "is_data"),
    [
        ("<table><tr><td>1<td>2</table>", True),
        ("<table><tr><td>1</table>", False),
        ("<table><tr><td><a>1</a><a>2</a><td>2</table>", False),
        ("<table><tr><td><a>1</a><td><a>2</a></table>", True),
        ("<table><tr><td><input><button></button><td>2</table>", False),
        ("<table><tr><td><img><img><td>2</table>", False),
        ("<table><tr><td><table><tr><td><a>1</a><a>2</a></table><td>2</table>", True),
        ("<table><tr><td><img><table><tr><td>1</table><td>2</table>", False),
        ("<table><caption>x</caption><tr><td><a>1</a><a>2</a></table>", True),
        ("<table><tr><th>1</table>", True),
        ("<table><tr><td><table><tr><th>1</table></table>", False),
    ],
)
def test_data_table(html, is_data):
    page = parse(html)
    table = page.first("table")
    assert bool(data_tables(page, max_in_cell=1, hints=False)[table]) is is_data


def test_cell_may_hold_as_much_as_the_setting_allows():
    page = parse("<table><tr><td><a>1</a><a>2</a><a>3</a><td>2</table>")
    assert not data_tables(page, max_in_cell=2).any()
    assert data_tables(page, max_in_cell=3).any()


@pytest.mark.parametrize(
    ("html", "hinted", "plain"),
    [
        ("<table role=presentation><tr><th>1<td>2</table>", False, True),
        ("<table role=none><tr><td>1<td>2</table>", False, True),
        ("<table role=grid><tr><td>1</table>", True, False),
        ("<table summary=of><tr><td>1</table>", True, False),
        ("<table summary=''><tr><td>1</table>", False, False),
        ("<table><thead><tr><td>1</table>", True, False),
        ("<table><tr><td scope=row>1</table>", True, False),
        ("<table><tr><td headers=a>1</table>", True, False),
    ],
)
def test_hints_of_later_markup(html, hinted, plain):
    page = parse(html)
    assert data_tables(page, max_in_cell=1)[page.first("table")] == hinted
    assert data_tables(page, max_in_cell=1, hints=False)[page.first("table")] == plain


def test_region_needs_more_than_three_quarters_of_the_weight():
    # 3 of 4 marks are exactly 0.75: not more. 4 of 5 are 0.8.
    assert region("<div id=a>1, 2, 3,</div><div>4,</div>") == "body"
    assert region("<div id=a>1, 2, 3, 4,</div><div>5,</div>") == "a"
    assert region("<div id=a>1, 2, 3,</div><div>4,</div>", region_share=0.7) == "a"


def test_modern_containers_are_blocks_by_a_setting():
    html = f"<main id=m><section id=s>{PROSE}</section><section>1,</section></main>"
    assert region(html) == "body"
    assert region(html, modern=True) == "s"


def test_what_a_nested_table_holds_outside_its_cells_is_its_own():
    nested = "<table><caption><a>1</a><a>2</a></caption><tr><td>1</table>"
    page = parse(f"<table id=outer><tr><td>{nested}<td>2</table>")
    assert data_tables(page, max_in_cell=1, hints=False)[page.first("#outer")]
