"""Boxes that are estimated from markup."""

import pytest

from chaffinch.layout.estimated_boxes import looks
from chaffinch.layout.markup import colour
from chaffinch.page import parse
from rows_of_cases import examples


def boxes(html, selector):
    page = parse(html)
    seen = looks(page)
    return [
        tuple(
            round(float(column[row])) for column in (seen.left, seen.top, seen.right, seen.bottom)
        )
        for row in page.select(selector)
    ]


def test_blocks_stack_and_cells_stand_side_by_side():
    first, second = boxes("<p>a</p><p>b</p>", "p")
    assert first[0] == second[0] == 0
    assert first[2] == second[2] == 1000
    assert second[1] - first[3] == 16
    left, right = boxes('<table><tr><td width="300">a<p>b<td>c</table>', "td")
    assert (left[0], left[2], right[0], right[2]) == (0, 300, 300, 1000)
    assert left[1] == right[1]


def test_cells_share_their_row_by_what_they_hold():
    long, short = boxes("<table><tr><td>long text here<td>b</table>", "td")
    assert 500 < long[2] == short[0]
    assert short[2] == 1000


def test_what_is_hidden_takes_no_room():
    html = (
        '<p>a</p><p style="display: none">b</p><p hidden>c</p><noscript>d</noscript><p id=x>e</p>'
    )
    assert boxes(html, "#x") == boxes("<p>a</p><p id=x>e</p>", "#x")


@pytest.mark.parametrize(("value", "code"), examples(__file__, "colours"))
def test_colours(value, code):
    assert colour(value) == code
