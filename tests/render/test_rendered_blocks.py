"""VIPS and what stands on it, on boxes that a browser gave."""

import numpy as np
import pytest

from chaffinch.page import parse
from chaffinch.segment.vips import Vips

BASE = "http://saved.test/page"
TEXT = "Three hundred chaffinches rise from the barley stubble and settle further on. " * 6
COLUMNS = f"""<!doctype html><body style="margin:0">
<div style="background:#dde"><h1>The Post</h1><a href=/a>News</a> <a href=/b>Farms</a></div>
<div style="display:flex">
  <div id=main style="width:70%"><p>{TEXT}</p><p>{TEXT}</p></div>
  <div id=side style="width:30%;background:#eed"><p>Most read</p><p>{TEXT}</p></div>
</div>
<div style="display:none" id=gone><p>{TEXT}</p></div>
<div style="clear:both;background:#ccc;margin-top:40px" id=foot>All rights are reserved.</div>"""


def block_of(found, selector):
    rows = np.flatnonzero(found.block >= 0)
    start = found.page.first(selector)
    inside = rows[(rows >= start) & (rows < found.page.end[start])]
    return set(found.block[inside].tolist())


def test_columns_of_a_style_sheet_are_blocks_side_by_side(renderer):
    page = renderer.render(COLUMNS, base_url=BASE)
    found = Vips(pdoc=5)(page)
    assert found.rendered
    assert block_of(found, "#main").isdisjoint(block_of(found, "#side"))
    assert block_of(found, "#gone") == set()
    assert not found.separators.horizontal.all()
    left, _, right, _ = found.rectangle[min(block_of(found, "#side"))].tolist()
    assert left == pytest.approx(0.7 * 1280, abs=1)
    assert right == pytest.approx(1280, abs=1)
    estimated = Vips(pdoc=5)(parse(COLUMNS))
    assert not estimated.rendered
    assert estimated.separators.horizontal.all()
