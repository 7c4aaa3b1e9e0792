"""The matcher: cases worked out by hand, and against a plain reading on random trees."""

import sys
from pathlib import Path

import numpy as np
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from chaffinch import parse
from chaffinch.siblings.subtrees import (
    MatchThresholds,
    StepBudget,
    SubtreeIndex,
    SubtreePattern,
    TextNumbers,
    node_string,
)

sys.path.insert(0, str(Path(__file__).parent))
import plain_matching

USUAL = MatchThresholds(0.8, 0.6, 3)


def prepared(html, other):
    """Return the string of a page and the library of another."""
    texts = TextNumbers()
    there = node_string(parse(other), texts, learn=True)
    library = SubtreeIndex(there, len(texts.length))
    return node_string(parse(html), texts, learn=False), library


def main(inner):
    return f"<main>{inner}</main>"


FIVE = "<i>aaaa</i><b>bbbb</b><u>cccc</u><s>dddd</s><q>eeee</q>"  # 10 nodes besides the root


def test_a_hash_that_collides_is_verified():
    string, library = prepared(main("<p>aaaa</p>"), main("<b>aaaa</b>"))
    library.sorted_hashes[:] = string.hashes[0]
    nodes = np.arange(len(string))
    there = library.string
    for node, is_there in zip(nodes.tolist(), library.exact(string, nodes), strict=True):
        assert not is_there or string.same_subtree(node, there, int(library.order[0]))


def test_a_spent_budget_finds_nothing_more():
    string, library = prepared(main(FIVE), main("<em></em>" + FIVE))
    node = int(np.searchsorted(string.row, parse(main(FIVE)).first("main")))
    pattern = SubtreePattern(string, node, int(string.end[node]))
    assert library.matches(pattern, USUAL, StepBudget(20))
    assert not library.matches(pattern, USUAL, StepBudget(5))
    spent = StepBudget(0)
    assert not library.matches(pattern, USUAL, spent)
    assert spent.left == 0


texts = st.sampled_from(["x", "grain", "谷物", " ", "a longer text of more words"])
nodes = st.recursive(
    texts,
    lambda inner: st.tuples(
        st.sampled_from(["div", "b", "foo-bar"]), st.lists(inner, max_size=4)
    ).map(lambda pair: f"<{pair[0]}>{''.join(pair[1])}</{pair[0]}>"),
    max_leaves=12,
)
forests = st.lists(nodes, max_size=4)
terms = st.builds(
    MatchThresholds,
    st.sampled_from([0, 0.3, 0.5, 0.8, 1]),
    st.sampled_from([0, 0.3, 0.6, 1]),
    st.integers(0, 3),
)


@st.composite
def relatives(draw):
    """Return two pages: one, and the same with parts dropped, doubled or put in."""
    one = draw(forests)
    other = []
    for part in one:
        other += [part] * draw(st.integers(0, 2)) + draw(st.lists(nodes, max_size=1))
    return f"<section>{''.join(one)}</section>", f"<div><section>{''.join(other)}</section></div>"


@settings(max_examples=300)
@given(st.one_of(relatives(), st.tuples(forests.map("".join), forests.map("".join))), terms)
@example(("<b><b></b></b>", "<b></b><b></b>"), USUAL)
def test_verdicts_are_those_of_a_plain_reading(pages, given_terms):
    html, other = pages
    string, library = prepared(html, other)
    assume(len(string))
    page, outer = parse(html), plain_matching.string_of(parse(other))
    every = np.arange(len(string))
    exact = library.exact(string, every)
    known = library.known_length(string, every)
    lengths = string.length_before[string.end] - string.length_before[:-1]
    for node in every.tolist():
        inner = plain_matching.string_of(page, int(string.row[node]))
        slow = plain_matching.matches(outer, inner, *given_terms)
        pattern = SubtreePattern(string, node, int(string.end[node]))
        fast = library.matches(pattern, given_terms)
        assert fast == slow
        assert not exact[node] or slow
        assert known[node] >= given_terms.beta * lengths[node] or not slow
