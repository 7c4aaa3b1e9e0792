"""Time and memory of outputs grow with the size of a hostile page, not with its square.

Judged by growth over sizes: four times the page may cost six times as much, where the square of it
would be sixteen times. `bench/safety/growth.py` measures every output of every kind.
"""

import gc
import time
import tomllib
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from bench.lib.hostile_kinds import KINDS, TINY
from bench.lib.hostile_outputs import OUTPUTS, Subject
from chaffinch import Limits, parse
from chaffinch.elements.tables import grid
from chaffinch.extraction.extract import extract
from chaffinch.page.selectors import css_of_each
from chaffinch.verdict import Verdict
from strategies import markup

SIZE = 8_000
SIZES = {
    "math: unclosed symbol": 48_000,
    "roles: nested tables": 48_000,
    "copies: one passage": 1_800_000,
    "code: blocks of lines": 120_000,
    "adverts: calls": 24_000,
}
"""Kind → characters of the smaller page. The length of a formula or the 512 levels of a page hold
the first two, all sizes are beyond that; what the last ones cost for each pair is little."""
TIMES = 4
MOST = 6.5
TRIES = 4

CASES = tomllib.loads(Path(__file__).with_name("growth.toml").read_text("utf-8"))


def seconds(output, html):
    """Return the processor time of an output, without what other tests left to the collector.

    A full collection walks the objects of the whole process, and larger pages start more of them.
    """
    subject = Subject(html)
    gc.disable()
    try:
        start = time.process_time()
        OUTPUTS[output](subject)
        return time.process_time() - start
    finally:
        gc.enable()


def peak(output, html):
    subject = Subject(html)
    tracemalloc.start()
    try:
        OUTPUTS[output](subject)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(("kind", "output"), [(k, o) for k, own in CASES.items() for o in own])
def test_cost_grows_with_the_size(kind, output):
    size = SIZES.get(kind, SIZE)
    small, large = KINDS[kind](size), KINDS[kind](TIMES * size)
    seconds(output, TINY)  # loads what is loaded late
    least = [float("inf"), float("inf")]
    for _ in range(TRIES):  # what else the machine does only adds to the time
        least = [min(least[0], seconds(output, small)), min(least[1], seconds(output, large))]
        if least[1] <= MOST * max(least[0], 0.001):
            break
    assert least[1] <= MOST * max(least[0], 0.001)
    assert peak(output, large) <= MOST * max(peak(output, small), 1 << 16)


@pytest.mark.parametrize("kind", list(CASES))
def test_output_is_no_multiple_of_the_page(kind):
    html = KINDS[kind](4 * SIZE)
    page = Subject(html).page
    keep = np.ones(len(page), dtype=bool)
    whole = extract(page, method=lambda _: Verdict(keep, keep.astype(np.float32), keep.view("i1")))
    for output in (whole.text, whole.markdown(), whole.html(), whole.tei()):
        assert len(output) < 100 * len(html)


def test_a_page_of_more_tags_than_its_limit_has_no_more_rows():
    limits = Limits(max_tags_per_megabyte=1_000)
    make = KINDS["dl: pairs of one name"]
    few, many = (parse(make(size), limits=limits) for size in (SIZE, TIMES * SIZE))
    assert len(few) == len(many) == 2 * limits.max_tags_per_megabyte
    assert many.text.count("rye") > TIMES * few.text.count("rye") * 0.9


def test_a_grid_of_very_uneven_lines_holds_each_cell_once():
    page = parse("<table><tr>" + "<td>a" * 4000 + "<tr><td>b<td>c" * 2000 + "</table>")
    table = page.first("table")
    cells = grid(page, table, np.ones(len(page), dtype=bool), {})
    placed = [cell for line in cells.lines for cell in line]
    assert placed == np.flatnonzero(page.is_tag("td")).tolist()
    assert len(cells.rows) == len(cells.lines)
    assert cells.width * len(cells.lines) < 20 * len(placed)


@settings(deadline=None)
@given(markup())
def test_selectors_of_many_rows_are_those_of_each(source):
    page = parse(f"<i id=lone></i>{source}")
    rows = range(len(page))
    assert list(css_of_each(page, rows)) == [page.selector(row) for row in rows]
    short = list(css_of_each(page, rows, most_steps=3))
    assert max(one.count(">") for one in short) < 3
