"""Every kernel refuses arrays that don't fit each other, and numbers that lead out of them."""

import numpy as np
import pytest
from signatures import NATIVE, SIGNATURES, recorded
from trips import trip

PAGE = """
<title>Grain and chaff</title><meta name=description content="Grain and chaff, a page">
<h1>Grain</h1><div class="post a" id=p1><p>Barley of the fields: <a href=/1>read</a></div>
<div class="post a" id=p2><h2>Oats</h2><p>Rye of the fields, and <b hidden>wheat</b>.</div>
<table><tr><th>A<th>B<tr><td>1<td>2</table><nav role=menu><ul><li>x<li>y<li>z</ul></nav>
<pre>\n code</pre><div><img src=d.jpg style='width:300px'></div>
"""
CHECKED = {
    "above": (1, 2, 3), "beside_kept": (0, 6), "characters": (1,), "common_values": (0, 1, 2, 3),
    "containers": (0, 1, 2, 3, 4, 5, 6, 7, 8),
    "folded_texts": (1, 2), "followers": (1, 12), "groups": (2, 3, 4),
    "held_tags": (0,),
    "kept_and_between": (1, 2), "kept_lines": (2,),
    "kinds_above": (0, 1, 2, 3, 4), "nearest": (0,), "network": (1, 2, *range(9, 23)),
    "outermost_boxes": (1, 3), "outermost_stretches": (1,),
    "path_hashes": (2,), "places": (0, 2, 3), "side_by_side": (1, 2, 6), "sums_around": (0, 1, 5),
    "table_counts": (0,), "tags_between": (3, 4), "text_blocks": (0, 1),
    "text_columns": (0, 1, 3), "text_features": (9, 10), "text_runs": (1,), "texts_alike": (1, 2),
    "total": (0,), "touching": (0, 1), "values_of": (4,),
}  # fmt: skip
"""Kernel → arguments whose numbers (rows, offsets, codes) it checks before it uses them."""


def apart():
    """Return calls of kernels that the outputs of a page don't ask for."""
    rows = np.array([0, 1], np.int32)
    parent, end = rows - 1, np.array([2, 2], np.int32)
    return {
        "beside_kept": (
            *(parent, end, rows, np.ones(2, np.float32), rows > 0, rows, rows[1:], 0.5, 1.0, 1),
            np.zeros(1, bool),
        ),
    }  # fmt: skip


@pytest.fixture(scope="module")
def calls():
    """Kernel → the arguments of the largest of its calls on a page."""
    with pytest.MonkeyPatch.context() as patch:
        found = recorded(lambda: trip(PAGE).to_json(parts=("records", "metadata")), patch.setattr)
    return apart() | {name: largest for name, (_, largest) in found.items()}


def called(name, arguments, place=None, changed=None):
    own = [changed if at == place else one for at, one in enumerate(arguments)]
    NATIVE[name](*(one.copy() if isinstance(one, np.ndarray) else one for one in own))


@pytest.mark.parametrize("name", NATIVE)
def test_lengths_that_do_not_fit(calls, name):
    if name not in calls:
        assert {one.length for one in SIGNATURES[name]} <= {"", "n", "k"}, "no call of it is known"
        return
    arguments = calls[name]
    called(name, arguments)
    lengths = [argument.length for argument in SIGNATURES[name]]
    for place, given in enumerate(arguments):
        is_bound = lengths[place] and lengths.count(lengths[place]) > 1
        if not is_bound or isinstance(given, bytes):
            continue
        longer = np.append(given, given[-1:] if len(given) else np.zeros(1, given.dtype))
        for changed in (longer, *([given[:-1]] if len(given) else [])):
            with pytest.raises(TypeError, match=f"{name}: .*fit"):
                called(name, arguments, place, np.ascontiguousarray(changed, given.dtype))


@pytest.mark.parametrize("name", NATIVE)
def test_numbers_that_lead_outside(calls, name):
    """Each is refused where `CHECKED` says so, and read without harm where it doesn't."""
    refused = set()
    for place, (argument, given) in enumerate(
        zip(SIGNATURES[name], calls.get(name, ()), strict=False)
    ):
        is_column = isinstance(given, np.ndarray) and argument.type in "iqhHI" and given.size
        if not is_column or argument.is_written:
            continue
        failed = 0
        for wrong in (-9 if argument.type in "iqh" else 32_767, 32_767):
            changed = given.copy()
            changed.flat[-1] = wrong
            try:
                called(name, calls[name], place, changed)
            except TypeError:
                failed += 1
        refused |= {place} if failed == 2 else set()
    assert refused >= set(CHECKED.get(name, ()))


@pytest.mark.parametrize(
    ("name", "least"),
    [("pairs", 9), ("having", 11), ("values_of", 8), ("words_found", 27), ("read_names", 9)],
)
def test_columns_of_attributes_are_checked(calls, name, least):
    """Bytes hold int32; whatever stands in them, nothing outside of them is read."""
    arguments = calls[name]
    columns = [place for place, one in enumerate(arguments) if isinstance(one, bytes) and one]
    refused = 0
    for place in columns:
        given = arguments[place]
        wild = [given[:-1], given[:-4], b""]
        wild += [given[:-4] + np.int32(wrong).tobytes() for wrong in (-9, 9, 1 << 30)]
        wild += [np.int32(wrong).tobytes() + given[4:] for wrong in (-9, 1 << 30)]
        for changed in wild:
            try:
                called(name, arguments, place, changed)
            except UnicodeDecodeError:  # of bytes that are cut within a letter
                refused += 1
            except TypeError as error:
                refused += name in str(error)
    assert refused >= least
