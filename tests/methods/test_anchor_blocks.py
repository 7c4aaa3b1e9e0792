"""Anchor blocks: each rule, the merging and the score, worked out by hand and read plainly."""

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch import parse
from chaffinch.methods import AnchorBlocks
from chaffinch.methods.anchor_blocks import (
    AnchorRules,
    anchor_blocks,
    candidate_blocks,
    candidate_scores,
    form_blocks,
    text_controls,
)
from chaffinch.segment.densities import text_rows

sys.path.insert(0, str(Path(__file__).parents[1]))

MANY = "".join(f"<li><a href={n}>{'l' * 30}</a></li>" for n in range(20))


def slow_is_anchor_block(page, block, rules):
    """Read the six rules plainly over the pieces of text of one block."""
    pieces, row = [], block
    while row < page.end[block]:
        if page.written[row] and page.shown[row]:
            linked = any(
                page.name(r) == "a" and page.attribute(r, "href") is not None
                for r in (row, *page.ancestors(row))
            )
            key = (int(page.line[row]), linked)
            if pieces and pieces[-1][0] == key:
                pieces[-1][1] += int(page.own_length[row])
            else:
                pieces.append([key, int(page.own_length[row])])
        row += 1
    plain = sum(length for (_, linked), length in pieces if not linked)
    in_links = sum(length for (_, linked), length in pieces if linked)
    inner = range(block, int(page.end[block]))
    anchors = sum(page.attribute(r, "href") is not None and page.length[r] > 0 for r in inner)
    runs = [[]]
    for (_, linked), length in pieces:
        if linked:
            runs.append([])
        else:
            runs[-1].append(length)
    telling = (
        any(length > rules.long_text for run in runs for length in run),
        plain > rules.much_text and anchors < rules.many_anchors,
        plain > rules.more_text and plain > in_links,
        any(sum(run) > rules.long_run for run in runs),
        any(len(run) >= rules.texts_in_row for run in runs),
    )
    return not any(telling) and anchors > 1 and in_links > rules.max_link_ratio * plain


parts = st.sampled_from(
    ["<p>a</p>", "<p>text of some length</p>", "<a href=x>link</a>", "<a href=x>a longer link</a>",
     "<div>", "<div class=k>", "</div>", "text ", "<br>", "<b>bold</b>", "<a>no link</a>",
     "<ul><li>"]
)  # fmt: skip


@given(st.lists(parts, max_size=30), st.integers(1, 30), st.integers(1, 40), st.integers(1, 4))
def test_rules_against_a_plain_reading(html, long_text, long_run, texts_in_row):
    page = parse("".join(html))
    rules = AnchorRules(
        long_text=long_text, much_text=30, many_anchors=3, more_text=20,
        long_run=long_run, texts_in_row=texts_in_row,
    )  # fmt: skip
    blocks = page.is_tag("div", "body", "ul")
    fast = anchor_blocks(page, blocks, rules)
    for row in np.flatnonzero(blocks).tolist():
        assert fast[row] == slow_is_anchor_block(page, row, rules)
    assert not fast[~blocks].any()


def test_form_blocks():
    html = f"<div id=a><input>{'x' * 99}</div><div id=b><input type=TEXT>{'x' * 100}</div>"
    page = parse(html + "<div id=c><input type=submit></div><div id=d><textarea></textarea></div>")
    found = form_blocks(page, page.is_tag("div"), max_controls=1)
    assert [bool(found[page.first(s)]) for s in ("#a", "#b", "#c", "#d")] == [
        True, False, False, True,
    ]  # fmt: skip
    assert text_controls(page).sum() == 3


def names(html, noise="#noise", min_related=0.9):
    page = parse(html)
    blocks, marked = page.is_tag("div", "body", "table", "td"), np.zeros(len(page), dtype=bool)
    marked[page.select(noise)] = True
    found = candidate_blocks(page, blocks, marked, min_related=min_related)
    return page, {page.folded(r): page.selector(found[r]) for r in np.flatnonzero(text_rows(page))}


def test_a_container_with_noise_is_split():
    html = "<p>one</p><div id=a>two</div><div id=noise>four of it</div>three"
    page, found = names(html)
    body = page.selector(page.body)
    assert found == {"one": body, "two": "#a", "four of it": "#noise", "three": body}
    assert set(names(html, min_related=0.5)[1].values()) == {body, "#noise"}


def test_children_of_the_same_class_are_related():
    html = (
        "<div id=a class=k>one</div><div id=noise>two</div><div class=k>three</div>"
        "<div id=b>four</div><div id=c>five</div><div id=d class=m>six</div>"
    )
    found = names(html)[1]
    assert (found["one"], found["three"]) == ("#a", "#a")
    assert (found["four"], found["five"], found["six"]) == ("#b", "#c", "#d")


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
