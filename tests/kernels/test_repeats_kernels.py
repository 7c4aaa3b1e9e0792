"""The kernel that looks for copies sees what plain Python sees."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chaffinch.model.repeats import _any_repeats, copies
from chaffinch.page import parse
from chaffinch.segment.text_blocks import text_blocks

_native = pytest.importorskip("chaffinch.kernels._native")
SLOGAN = "Slow birds sing longest"
"""Long enough to carry a copy, as are all others but the short one."""
TEXTS = (
    SLOGAN,
    "Slow birds sing loudest",
    "Fast birds sing not at all",
    "鸟" * 20,
    "Short",
    "𠀀" * 17,
)


@given(
    texts=st.lists(st.tuples(st.sampled_from(TEXTS), st.booleans()), min_size=1, max_size=14),
    gap=st.sampled_from(["", " ", "\n\u3000"]),
)
@example([("Short", True), ("Short", True)], "")
@example([(SLOGAN, True), (SLOGAN, False), (TEXTS[1], True)], "")
@example([(SLOGAN, True), (SLOGAN, True)], " ")
@example([("a" * 18, True), ("a" * 4114, True)], "")
def test_what_stands_there_twice(plainly, texts, gap):
    blocks = text_blocks(parse("".join(f"<p>{text}{gap * k}" for k, (text, _) in enumerate(texts))))
    keep = np.array([kept for _, kept in texts])
    found, mask = _any_repeats(blocks, keep), copies(blocks, keep, single=True)
    with plainly():
        assert _any_repeats(blocks, keep) == found
        assert copies(blocks, keep, single=True).tolist() == mask.tolist()
    long = [text for text, kept in texts if kept and text != "Short"]
    assert found == (len(set(long)) < len(long))


def _arguments():
    page = parse(f"<p>{SLOGAN}<p>{SLOGAN}")
    blocks = text_blocks(page)
    columns = (page.written_at, page.written_before, blocks.first, blocks.last, np.ones(2, bool))
    return [page.text, *(column.copy() for column in columns), 17]


@pytest.mark.usefixtures("plainly")
@given(data=st.data())
def test_nothing_is_read_outside_the_arrays(data):
    arguments = _arguments()
    for place in (1, 2, 3, 4):
        column = arguments[place]
        for at in data.draw(st.lists(st.integers(0, len(column) - 1), max_size=2)):
            column[at] = data.draw(st.integers(-(2**31), 2**31 - 1) | st.integers(-2, 60))
    try:
        assert _native.any_told_again(*arguments) in {True, False}
    except (TypeError, IndexError) as error:
        assert "fit" in str(error) or "index" in str(error)  # noqa: PT017  either way is right


@pytest.mark.usefixtures("plainly")
@pytest.mark.parametrize("place", [3, 4, 5])
def test_columns_of_other_lengths_are_refused(place):
    arguments = _arguments()
    arguments[place] = arguments[place][:-1].copy()
    with pytest.raises(TypeError, match="don't fit"):
        _native.any_told_again(*arguments)


@pytest.mark.usefixtures("plainly")
def test_wrong_arguments_are_refused():
    for place, wrong, kind in ((0, None, "str"), (6, "17", "int"), (6, 0, "don't fit")):
        arguments = _arguments()
        arguments[place] = wrong
        with pytest.raises(TypeError, match=kind):
            _native.any_told_again(*arguments)
