"""Anchor blocks: the kind of a page, and what its score is made of."""

import pytest

from chaffinch import parse
from chaffinch.methods import AnchorBlocks

MANY = "".join(f"<li><a href={n}>{'l' * 30}</a></li>" for n in range(20))


@pytest.mark.parametrize(
    ("html", "kind"),
    [
        ("<p>a, b and c.</p><a href=x>link</a>", "topic"),
        ("<p>a, b and c.</p>" + MANY, "directory"),
        ("<table><tr><th>name<td>Finch<tr><th>weight<td>20 g</table><p>Data.</p>", "table"),
        ("<input><p>Find</p>" + MANY, "directory"),
        (
            f"<title>Grain</title><ul>{MANY}</ul>"
            + "<p>Grain, sown in March, is cut in July.</p>" * 9,
            "topic",
        ),
        ("", "topic"),
    ],
)
def test_kind_of_a_page(html, kind):
    page = parse(html)
    assert AnchorBlocks()(page).page_type == kind
