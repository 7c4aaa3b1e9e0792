"""What follows from the shape of a page, and picks among its rows and blocks, beside oracles."""

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st
from test_pages import HTML

from chaffinch.decision.policy import Policy
from chaffinch.elements import tables
from chaffinch.layout.estimated_boxes import flow
from chaffinch.layout.markup import read_markup
from chaffinch.model.features import features
from chaffinch.model.head_signals import read_head_signals
from chaffinch.page import parse, tags
from chaffinch.page.flattening import LINE_KINDS
from chaffinch.segment.text_blocks import text_blocks
from decided import decide
from strategies import markup

BOOLS = st.booleans()
SCORES = st.sampled_from([0.0, 0.02, 0.05, 0.25, 0.5, 0.51, 0.8, 1.0]) | st.floats(0, 1, width=32)
CHOSEN = tags.table("div p ul li table img".split())
LISTS = CHOSEN + 2 * tags.table(["ul"]).astype(np.uint8) + 4 * tags.table(["li"]).astype(np.uint8)
"""What tags are to stretches: lists are counted, by their items."""
TYPES = st.sampled_from(["article", "forum", "service", "product", "collection", "listing"])
LIMITS = {kind: (np.iinfo(kind).min, np.iinfo(kind).max) for kind in (np.int32, np.int64)}


def column(data, values, count, dtype):
    return np.array(data.draw(st.lists(values, min_size=count, max_size=count)), dtype=dtype)


@given(html=markup(), data=st.data())
def test_columns(same, html, data):
    page = parse(html)
    count = len(page)
    marked, kept = (column(data, BOOLS, count, bool) for _ in range(2))
    same("inside", page.end, marked)
    same("around", page.end, marked)
    same("nearest", page.parent, marked)
    same("total", page.end, marked)
    for kind, limits in LIMITS.items():
        same("total", page.end, column(data, st.integers(*limits), count, kind))
    values = column(data, st.floats() | st.integers(0, 3).map(float), count, float)
    values[np.isnan(values)] = np.nan  # their bits may differ
    same("highest", page.parent, values + 0.0)  # of two zeros either sign is the highest
    same("path_hashes", page.symbols, page.depth, page.end)
    same("held_tags", page.tag, len(tags.NAMES))
    lines = LINE_KINDS, tags.INVISIBLE, tags.table(["a"])
    same("text_columns", page.tag, page.end, page.text, page.text_at, *lines)
    rows = np.array(data.draw(st.lists(st.integers(0, count - 1), max_size=9)), np.int32)
    given = page.parent, page.end, page.own_length, marked, kept, rows
    same("sums_around", *given, data.draw(st.integers(0, 40)))


def test_sums_around_known_rows(same):
    parent, end = np.array([-1, 0, 1, 0], np.int32), np.array([4, 3, 3, 4], np.int32)
    own, kept = np.array([0, 0, 5, 7], np.int32), np.array([0, 0, 1, 0], bool)
    given = parent, end, own, np.zeros(4, bool), kept, np.array([0, 2, 3], np.int32)
    boxes, sums = same("sums_around", *given, 5)
    assert boxes.tolist() == [[-1, 1, 0], [-1, 0, -1]]
    assert sums.tolist() == [[[0, 5, 12], [0, 12, 0]], [[0, 5, 5], [0, 5, 0]]]


@given(html=markup())
@example("<i>" * 600 + "a<br>b" + "</i>" * 300 + "c")
@example("")
@example("<title>t</title>")
@example("<p>&#xd800;")
def test_blocks_and_what_is_above(same, html):
    page = parse(html)
    first, *_ = same(
        "text_blocks", page.tag, page.parent, page.line, page.shown, page.written, tags.BLOCK
    )
    same("above", page.tag, page.parent, page.end, first)


CARDS = "".join(
    f"<li class='card-{k}'><h3>{k}</h3><img><a href=x>more</a><time>today" for k in range(40)
)


@settings(max_examples=200)
@given(html=markup(80))
@example("<div>" * 80 + "<p>a<p>b" + "</div>" * 40 + "<p>c")
@example(f"a<h1>b</h1><ul>{CARDS}</ul>")
@example("<div>" * 600 + "a<hr>b")
def test_where_blocks_stand(compared, html):
    page = parse(html)
    if page.own_length.any():
        with compared() as calls:
            features(page)
        assert {"containers", "groups", "kinds_above", "places"} <= set(calls)


BEGINS = np.arange(0x80) % 2 > 0


@given(html=markup(), data=st.data())
def test_picks(same, html, data):
    page, blocks = parse(html), text_blocks(parse(html))
    count, size = len(page), st.integers(0, 9)
    marked, none = column(data, BOOLS, count, bool), np.zeros(0, np.int32)
    rows, every = np.flatnonzero(marked).astype(np.int32), np.arange(count, dtype=np.int32)
    start, stop = sorted(data.draw(st.tuples(*[st.integers(0, count)] * 2)))
    for some in (marked, marked[:0]):
        same("rows_of", page.tag, CHOSEN, some, start, stop)
    keep = column(data, BOOLS, len(blocks), bool)
    same("touching", page.end, rows, blocks.first, blocks.last, keep)
    kinds = tags.table(["p"]) + 2 * tags.table(["li"]) + 3 * tags.table(["a", "b"])
    columns, bounds = page.own_attributes, (data.draw(size), data.draw(size))
    names = np.array([columns.number_of.get(one, -1) for one in ("class", "href")], np.int32)
    tree, of_text = (page.tag, page.end, page.written_before), (page.text, page.text_at, BEGINS)
    given = tree, kinds.astype(np.uint8), bounds, (columns.for_kernels, names), of_text
    same("followers", *given)
    units = column(data, st.integers(0, 9), len(rows), np.float32)
    of_blocks, bounds = (rows, units, column(data, BOOLS, len(rows), bool)), (0.5, 9, 2)
    same("beside_kept", (page.parent, page.end), of_blocks, every[::3].copy(), every, bounds)
    edges = np.sort(column(data, st.integers(0, count), 2 * (count // 2), np.int32))
    stretches = np.ascontiguousarray(edges[::2]), np.ascontiguousarray(edges[1::2])
    keep = column(data, BOOLS, len(edges) // 2, bool)
    assert not same("tags_between", page.tag, CHOSEN, marked, *stretches, keep)[~marked].any()
    for further in (rows, none):
        for kinds in (CHOSEN.astype(np.uint8), LISTS):
            given = page.tag, page.end, rows, kinds, further, data.draw(st.integers(0, 3))
            same("outermost_stretches", *given)
    of_row = column(data, st.integers(0, 2), count, np.int32)
    for given in (of_row, none):
        same("blocks_inside", page.tag, page.end, rows, CHOSEN, given, np.array([0, 1, 0], bool))


@given(data=st.data(), count=st.integers(0, 40), ranges=st.integers(0, 12))
def test_common_values(same, data, count, ranges):
    value = column(data, st.integers(0, 6), count, np.int64)
    weight = column(data, st.integers(0, 50), count, np.int32)
    edges = np.sort(column(data, st.integers(0, count), 2 * ranges, np.int64)).reshape(-1, 2)
    cuts = data.draw(st.lists(st.integers(0, ranges), max_size=4))
    bounds = np.array([0, *sorted(cuts), ranges], np.int64)
    share = data.draw(st.sampled_from([0.0, 0.5, 0.9]))
    same("common_values", *edges.T.copy(), bounds, value, weight, share)


@given(data=st.data(), count=st.integers(0, 40))
def test_sums(same, data, count):
    values, weights = (column(data, own, count, "f4") for own in (SCORES, st.integers(0, 500)))
    same("kept_sums", values, weights, column(data, BOOLS, count, bool))
    if count:
        beta = data.draw(st.sampled_from([0.5, 1.0, 2.0]))
        found = same("best_threshold", values, weights, beta, 0.05)
        assert found == 0.05 or found in values
    number = column(data, st.integers(-1, max(count - 1, 0)), count, np.int32)
    for some in (values, values.astype(np.float64)):
        same("pulled_to_means", number, weights, some, data.draw(st.sampled_from([0.7, 1.0])))


@given(html=HTML, data=st.data(), kind=TYPES, beta=st.sampled_from([0.5, 1.0, 2.0]))
def test_what_decides(compared, html, data, kind, beta):
    page = parse(f"<body><p>The start.</p>{html}")
    score = column(data, SCORES, len(text_blocks(page)), np.float32)
    with compared():
        found = features(page)
        decide(score, found, beta=beta, kind=kind, policy=Policy())
        read_head_signals(page)


OF_TABLE = st.sampled_from(
    "<table> <tr> <td> <th> <caption> <thead> <h2> <form> <pre> <a> </table> </tr> </td> </div>"
    " <div&role=table> <div&role=row> <div&role=cell> <div&role=columnheader> grain &"
    " <table><tr><td>1<td>2".split()
).map(lambda tag: tag.replace("&", " "))
SIZED = st.sampled_from(["width:30%", "width:7px", "height:9.5px", "font-size:33px", "width:150%"])
CELLS = st.lists(st.tuples(st.sampled_from(["td", "th", "tr", "table", "p"]), SIZED))


@given(html=st.lists(OF_TABLE, max_size=40).map("".join))
def test_tables_that_show_data(compared, html):
    with compared() as calls:
        tables.shows_data(parse(html))
    assert "<table" not in html or "table_counts" in calls


@given(html=markup(), sized=CELLS)
def test_boxes(compared, html, sized):
    inner = "".join(f"<{tag} style='{style}'>word, 字" for tag, style in sized)
    page = parse(f"<table>{inner}</table>{html}<ul style='width:50%'><li>{html}")
    with compared() as calls:
        flow(page, read_markup(page))
    assert {"flow_across", "flow_heights"} <= set(calls)
