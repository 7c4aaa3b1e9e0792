"""Anchor blocks: the kind of a page, and what its score is made of."""

import numpy as np
import pytest

from chaffinch import parse
from chaffinch.methods import AnchorBlocks
from chaffinch.methods.anchor_blocks import candidate_scores

MANY = "".join(f"<li><a href={n}>{'l' * 30}</a></li>" for n in range(20))


def test_score_is_made_of_length_punctuation_links_and_title():
    page = parse(
        "<title>Grain, sold</title><div id=a>grain, and grain</div>"
        "<div id=b><p>0123</p><p>0,23</p><a href=x>01234567</a></div>"
    )
    candidate = np.full(len(page), -1, dtype=np.int32)
    for selector in ("#a", "#b"):
        row = page.first(selector)
        candidate[row : page.end[row]] = row
    score = candidate_scores(page, candidate)
    assert score[page.first("#a")] == pytest.approx((16 / 24) ** 0.5 * (0.5 + 0.5 / 2))
    expected = (8 / 24) ** 0.5 * (0.1 + 0.9 / 2) * 0.5 * 0.5
    assert score[page.first("#b")] == pytest.approx(expected)
    assert np.count_nonzero(score) == 2


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
