"""Where a block stands."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chaffinch.kernels.compiled import native as _native
from chaffinch.model.features import features
from chaffinch.page import parse, tags
from strategies import markup

WRAPPED = "<div>" * 80 + "<p>a<p>b" + "</div>" * 40 + "<p>c"
CARDS = "".join(
    f"<li class='card-{k}'><h3>{k}</h3><img><a href=x>more</a><time>today" for k in range(40)
)
PAGES = [WRAPPED, f"a<h1>b</h1><ul>{CARDS}</ul>", "<p hidden>a<p>b", "<div>" * 600 + "a<hr>b", "a"]
ROWS = {
    "tag": [2, 4, 0, 30, 46, 0],
    "parent": [-1, 0, 1, 1, 3, 4],
    "end": [6, 6, 3, 6, 6, 6],
    "alike": [1] * 6,
    "depth": [0, 1, 2, 2, 3, 4],
    "begun": [0, 0, 0, 1, 1, 1, 2],
    "first": [2, 5],
    "owner": [1, 3],
    "near": [1, 1, 0, 0, 4, 3, 1, 1],
    "around": [0] * 8,
    "rows": [0, 1, 3, 4],
    "place": [0, 1, 0, 2, 3, 0],
    "up": [0, 0, 1, 2],
    "over": [1, 3],
    "hidden": [3],
    "sums": [1] * 6,
}
"""Two blocks in a page of six rows, <html><body>a<p><a>b, as kernels take them."""
DTYPES = {"tag": np.uint16, "depth": np.int16, "rows": np.intp}
CODES = len(tags.NAMES)
KERNELS = {  # which of them each takes, and the lengths and dtypes of what comes after
    "containers": (
        "tag parent end first owner begun place up rows sums",
        {8 * CODES: "i", 8: "iiii", 120: "f"},
    ),
    "groups": ("tag alike parent near around sums", {2: "iq", 3: "q", 16: "f", 10: "f"}),
    "kinds_above": ("tag place rows up over hidden", {9 * CODES: "i", 36: "i", 18: "f"}),
    "places": ("tag depth first owner", {CODES: "?f", 0: "", 28: "f", 2: "i"}),
}
UNCHECKED = {"alike", "depth", "sums"}
"""What is no row, and no code or number that a table is asked for."""


@settings(max_examples=200)
@given(html=markup(80) | st.sampled_from(PAGES))
def test_where_blocks_stand(compared, html):
    page = parse(html)
    if page.own_length.any():
        with compared() as calls:
            features(page)
        assert set(KERNELS) <= set(calls)


def given_to(name):
    """Return arguments of a kernel that fit each other, and the names of the first ones."""
    names, room = KERNELS[name]
    arguments = [np.array(ROWS[column], DTYPES.get(column, np.int32)) for column in names.split()]
    for length, kinds in room.items():
        arguments += [np.zeros(length, dtype=kind) for kind in kinds] or [tags.CODES["h1"]]
    return arguments, names.split()


@pytest.mark.parametrize("name", KERNELS)
def test_arrays_that_fit_are_taken_and_no_others(name):
    kernel = getattr(_native, name)
    arguments, names = given_to(name)
    kernel(*arguments)
    may_be_empty = names.index("hidden") if "hidden" in names else None
    for number, argument in enumerate(arguments):
        if isinstance(argument, np.ndarray) and number != may_be_empty:
            with pytest.raises(TypeError, match="don't fit"):
                kernel(*arguments[:number], argument[:0], *arguments[number + 1 :])
    with pytest.raises(TypeError, match="wanted"):
        kernel(*arguments[:3])


@pytest.mark.parametrize("name", KERNELS)
def test_rows_that_lead_out_of_the_page_are_refused(name):
    for number, column in enumerate(given_to(name)[1]):
        if column in UNCHECKED or (name, column) == ("groups", "tag"):
            continue
        for value in {32767} if column == "tag" else {-9, 32767}:
            arguments, _ = given_to(name)
            arguments[number][-1] = value
            with pytest.raises(TypeError, match="don't fit"):
                getattr(_native, name)(*arguments)
