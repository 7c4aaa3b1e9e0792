"""Block density: the formula, with numbers worked out by hand."""

import numpy as np
import pytest

from chaffinch import parse
from chaffinch.segment.densities import combined_density

# 20 + 5 characters outside links, 10 in one link; a second link without text.
HTML = (
    "<body><div id=a>" + "x" * 20 + "</div>"
    "<div id=b>" + "y" * 5 + "<a>" + "z" * 10 + "</a><span>  </span></div><a></a>"
)


def density(selector, html=HTML, **settings):
    page = parse(html)
    block = page.is_tag("body", "div")
    return combined_density(page, block, **({"alpha": 0.0} | settings))[page.first(selector)]


def test_weighted_sum():
    assert density("#b", weights=(1, 1, 2)) == pytest.approx(0.2 / 4 + 0.5 / 4 + 1 / 3 / 2)


def test_a_whole_alpha_is_that_number():
    page = parse(f"<div id=all>{'<p>word</p>' * 200}</div>")
    found, same = (combined_density(page, page.is_tag("div"), alpha=one) for one in (10, 10.0))
    assert found[page.first("#all")] > 0
    assert np.array_equal(found, same)
