"""A list and the line above it that ends with a colon are kept together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.decision.structure import announced_lists
from chaffinch.page import parse
from chaffinch.segment.text_blocks import text_blocks

LIST = "<ul><li>A field guide</li><li>Two atlases</li></ul>"


def added(html, kept):
    blocks = text_blocks(parse(html))
    units = np.array([len(one.split()) for one in blocks.texts()], dtype=np.float32)
    keep = np.array([one.startswith(kept) for one in blocks.texts()])
    found = announced_lists(blocks, units, keep)
    return [] if found is None else [blocks.text(at) for at in np.flatnonzero(found)]


@pytest.mark.parametrize("line", ["Sources:", "参考资料：", "You need: "])
def test_a_kept_line_keeps_its_list(line):
    html = f"<p>Text</p><p>{line}</p>{LIST}<p>After</p>"
    assert added(html, ("Text", line.strip())) == ["A field guide", "Two atlases"]


def test_a_kept_list_keeps_its_line():
    html = f"<p>Text</p><p>Sources:</p>{LIST}<p>After</p>"
    assert added(html, ("Text", "A field", "Two")) == ["Sources:"]


@pytest.mark.parametrize(
    "html",
    [
        f"<p>Sources</p>{LIST}",
        "<p>Sources:</p><p>A field guide</p>",
        f"<p>Sources:</p><p>See below</p>{LIST}",
        "<p>Sources:</p><ul><li><a href=/a>A field guide</a><li><a href=/b>Two</a></ul>",
        f"<p>Sources:</p><nav>{LIST}</nav>",
        "<p>Sources:</p><ul>" + "<li>A field guide to birds</li>" * 30 + "</ul>",
    ],
)
def test_other_lists_stay_out(html):
    assert added(html, ("Sources",)) == []


def test_a_list_of_which_a_part_is_kept_is_left_to_its_scores():
    assert added(f"<p>Sources:</p>{LIST}", ("Sources", "Two")) == []


@given(st.lists(st.sampled_from(["<p>a:", "<p>b", "<ul><li>c</ul>", "<ol><li>d:<li>e</ol>"])),
       st.data())  # fmt: skip
def test_only_what_is_not_kept_is_added(parts, data):
    blocks = text_blocks(parse("<p>x" + "".join(parts)))
    size = len(blocks)
    keep = np.array(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)))
    found = announced_lists(blocks, np.ones(size, dtype=np.float32), keep)
    assert found is None or not (found & keep).any()


@pytest.mark.parametrize(
    ("between", "stays"),
    [
        ("<ul><li>Of hemp</li><li>With a label</li></ul>", True),
        ("<div><ul><li>Of hemp</li><li>With a label</li></ul></div>", True),
        ("<ul><li><a href=/a>Of hemp</a></li><li>With a label</li></ul>", False),
        (f"<ul><li>{'hemp ' * 121}</li></ul>", False),
        ("<div>Of hemp</div><div>With a label</div>", False),
    ],
)
def test_a_list_between_kept_paragraphs(between, stays):
    page = parse(f"<main><p>Seeds must breathe.</p>{between}<p>Hang them in a dry room.</p></main>")
    blocks = text_blocks(page)
    units = np.array([len(one.split()) for one in blocks.texts()], dtype=np.float32)
    keep = np.zeros(len(blocks), dtype=bool)
    keep[[0, -1]] = True
    found = announced_lists(blocks, units, keep)
    assert (found is not None and found[1:-1].all()) == stays
