"""Anchor blocks: the kind of a page, and what its score is made of."""

import pytest

from chaffinch import parse
from chaffinch.methods import AnchorBlocks
from rows_of_cases import examples


@pytest.mark.parametrize(("html", "kind"), examples(__file__, "kind of a page"))
def test_kind_of_a_page(html, kind):
    page = parse(html)
    assert AnchorBlocks()(page).page_type == kind
