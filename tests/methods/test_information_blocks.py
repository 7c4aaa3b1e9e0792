"""Information blocks: every rule of the source, with numbers worked out by hand."""

import numpy as np
import pytest

from chaffinch import parse
from chaffinch.elements.image_sources import declared_size
from chaffinch.elements.tables import data_tables
from chaffinch.methods import InformationBlocks
from chaffinch.methods.information_blocks import RegionReason, content_share, own_units

PROSE = "One, two, three, four. "  # 4 marks, 22 characters


def units(html, **tables):
    page = parse(html)
    data = data_tables(page, **({"max_in_cell": 1, "hints": False} | tables))
    return int(own_units(page, data).sum())


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
    ("html", "weight"),
    [
        ("One, two. 一，二。", 4),
        ("a、b；c！d？e", 0),
        ("3.14, <a>a, b.</a>", 2),
        ("<script>a, b.</script><style>a, b.</style><!-- a, b. -->x", 0),
        ("<title>a, b.</title>x", 0),
        ("<p>text</p>", 1),
        ("<p> </p><p><img></p>", 0),
        ("<p><a>link</a></p>", 0),
        ("text<br>text<br>", 2),
        ("text<br><br>text", 1),
        ("<p>text</p><br>", 1),
        ("<a>link</a><br>text", 0),
        ("<h1>Head</h1>", 2),
        ("<h1><img></h1><h2>Head</h2>", 0),
        ("<table><tr><td>1<td>2<td> <td><img></table>", 3),
        ("<table><tr><td>a, b.<td><p>c</p></table>", 2),
        ("<table><tr><td>a, b.</table>", 2),
        (f"<h1>Head</h1><p>{PROSE}</p><table><tr><td>1<td>2</table>", 2 + 1 + 4 + 2),
    ],
)
def test_positive_weight_is_marks_cells_paragraphs_and_twice_headings(html, weight):
    assert units(html) == weight


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


def test_region_is_found_step_by_step_through_other_elements():
    inner = "<div id=b><p>1, 2, 3, 4.</p></div><div>5.</div>"
    assert region(f"<div id=a><ul><li>{inner}</li></ul></div>") == "b"


def test_body_is_the_region_of_a_page_without_blocks_or_units():
    assert region(f"<p>{PROSE}</p>") == "body"
    assert region("<div id=a><a>x</a></div>") == "body"


def test_layout_tables_are_blocks_and_data_tables_are_not():
    assert region(f"<table id=t><tr><td>{PROSE}</table>") == "t"
    assert region("<table id=t><tr><td>1<td>2<td><div>3</div></table>") == "body"


def test_images_do_not_count_when_the_region_is_sought():
    images = "<img width=300 height=300>" * 9
    assert region(f"<div id=a>{PROSE}</div><div>{images}</div>") == "a"


def test_modern_containers_are_blocks_by_a_setting():
    html = f"<main id=m><section id=s>{PROSE}</section><section>1,</section></main>"
    assert region(html) == "body"
    assert region(html, modern=True) == "s"


@pytest.mark.parametrize(
    ("image", "reason"),
    [
        ("<img width=100 height=100>", RegionReason.REGION),
        ("<img width=99 height=100>", RegionReason.SMALL_IMAGE),
        ("<img width=100 height=99>", RegionReason.SMALL_IMAGE),
        ("<img height=99>", RegionReason.SMALL_IMAGE),
        ("<img height=500>", RegionReason.REGION),
        ("<img width=300 height=100>", RegionReason.REGION),
        ("<img width=301 height=100>", RegionReason.NARROW_IMAGE),
        ("<img width=100 height=301>", RegionReason.NARROW_IMAGE),
        ("<a><b><img width=300 height=200></b></a>", RegionReason.LINKED_IMAGE),
        ("<img style='width: 40px; height:200px' width=300>", RegionReason.SMALL_IMAGE),
        ("<img width=50%>", RegionReason.REGION),
        ("<img>", RegionReason.REGION),
    ],
)
def test_image_rules(image, reason):
    assert why(f"<div>{PROSE * 3}{image}</div>", "img") is reason


@pytest.mark.parametrize(
    ("outer", "inner", "reason"),
    [
        ("", ",", RegionReason.LONE_IMAGE),
        ("", "14 characters,", RegionReason.LONE_IMAGE),
        ("", "15 characters,,", RegionReason.REGION),
        ("15 characters,,", "", RegionReason.REGION),
    ],
)
def test_image_without_size_needs_text_in_its_block_or_the_one_around(outer, inner, reason):
    # Both divs hold all units of the page, so that the inner one may be the region.
    html = f"<body><div>{outer}<div>{inner}<img></div></div>"
    assert why(html, "img") is reason


def test_image_sizes():
    page = parse("<img width=20 height=' 30px '><img style='max-width:9px;HEIGHT:7.5px' width=1em>")
    first, second = page.select("img").tolist()
    assert declared_size(page, first) == (20, 30)
    assert declared_size(page, second) == (None, 7.5)


REST = f"<p>{PROSE * 3}</p>"  # keeps the body the region


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        ("some text without marks, so it seems"[:23], RegionReason.NO_UNIT),
        ("<img width=300 height=200>", RegionReason.REGION),
        ("<img width=30 height=20>", RegionReason.NO_UNIT),
        (
            "a,<a></a><a></a><a></a><a></a>" + "long enough to be a text of its own" * 2,
            RegionReason.REGION,
        ),
        (
            "a,<a></a><a></a><a></a><a></a><a></a>" + "long enough to be a text" * 3,
            RegionReason.MOSTLY_LINKS,
        ),
        ("a,<form><input><iframe></iframe><a></a><a></a></form>", RegionReason.MOSTLY_LINKS),
        ("a,<a>bcd</a><a>efg</a>", RegionReason.SHORT_LINKS),
        ("a,<a>bcd</a>", RegionReason.REGION),
        ("a,<a>bcdefg</a><a>hijklmn</a>", RegionReason.REGION),
        (",".join(["<a>ab</a>"] * 18), RegionReason.REGION),
    ],
)
def test_noise_rules(block, reason):
    # The last but one: 15 characters in 3 texts are 5 on average; the last: 53 characters.
    assert why(f"<body>{REST}<div id=b>{block}</div>", "#b") is reason


def test_short_blocks_need_both_few_characters_and_short_texts():
    block = "<div id=b>a,<a>bcd</a><a>efg</a></div>"  # 8 characters in 3 texts: 2.67 on average
    assert why(f"<body>{REST}{block}", "#b") is RegionReason.SHORT_LINKS
    assert why(f"<body>{REST}{block}", "#b", min_block_text=8) is RegionReason.REGION
    assert why(f"<body>{REST}{block}", "#b", min_node_text=2.6) is RegionReason.REGION


def test_noise_is_sought_in_blocks_of_blocks_and_the_outermost_gives_the_reason():
    html = f"<body>{REST}<div id=a>{PROSE}<div id=b>x</div></div><div id=c><div id=d>y</div></div>"
    assert why(html, "#a") is RegionReason.REGION
    assert why(html, "#b") is RegionReason.NO_UNIT
    assert why(html, "#d") is RegionReason.NO_UNIT


def test_region_itself_is_never_noise():
    page, found = verdict("<div id=a>1, 2.<a></a>" + "<a>x</a>" * 20 + "</div>")
    assert found.keep[page.first("#a")]


def test_surviving_images_and_data_tables_are_kept():
    images = "<img width=300 height=200><img width=9>"
    html = f"<div>{PROSE * 3}{images}<table><tr><td>1<td>2</table></div>"
    page, found = verdict(html)
    assert found.keep[page.select("img")].tolist() == [True, False]
    assert found.keep[page.select("td")].all()


def test_content_share():
    shares = content_share(np.array([0, 1, 3]), np.array([0, 4, 1]))
    assert shares.tolist() == pytest.approx([0, 0.2, 0.75])


def test_what_a_nested_table_holds_outside_its_cells_is_its_own():
    nested = "<table><caption><a>1</a><a>2</a></caption><tr><td>1</table>"
    page = parse(f"<table id=outer><tr><td>{nested}<td>2</table>")
    assert data_tables(page, max_in_cell=1, hints=False)[page.first("#outer")]
