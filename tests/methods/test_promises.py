"""What every method promises, run over all of them."""

import pickle
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from chaffinch import OptionError, parse
from chaffinch.methods import METHODS, build, settings_of
from chaffinch.page.attributes import AttributeColumns
from chaffinch.verdict import Content

sys.path.insert(0, str(Path(__file__).parents[1]))
from strategies import markup

PROSE = "Grain is kept, chaff is blown away, and that is all there is to it. " * 5
ARTICLE = f"""<html><head><title>On grain</title><style>p {{ }}</style></head><body>
<div id=nav><ul><li><a href=/>Home</a><li><a href=/news>News</a><li><a href=/x>More</a></ul></div>
<div id=main><h1>On grain</h1><p>{PROSE}</p><p>{PROSE}</p><p>{PROSE}</p></div>
<div id=foot><a href=/about>About</a> <a href=/imprint>Imprint</a></div></body></html>"""
PAGES = {
    "article": ARTICLE,
    "empty": "",
    "only text": "grain, and no tag at all.",
    "no body": "<html><head><title>x</title></head></html>",
    "frameset": "<frameset cols='50%,50%'><frame src=a><frame src=b></frameset>",
    "one row": "<br>",
    "flat": "<p>grain, chaff.</p>" * 5000,
    "flat text": "grain, " * 50_000 + "<br>" * 5000,
    "deep": "<div>" * 600 + PROSE + "</div>" * 600,
    "deep spans": "<p>" + "<span>" * 400 + PROSE,
    "tables in tables": "<table><tr><td>" * 60 + PROSE,
    "images": "<div><img><img width=x height=><img style='width:;height:5px'>a, b.</div>",
    "no text": "<div><script>a, b, c.</script><style>x</style><img></div>",
    "template": f"<template><p>{PROSE}</p></template>",
}
# Every setting with values that are impossible for it, besides a text where a number belongs.
IMPOSSIBLE = {
    "learned": {
        "favor": ["all", None],
        "policy": [{"headlines": True}, {"captions": "yes"}, 3, None],
        "weights": ["no-such-file.npz", 3],
    },
    "information_blocks": {
        "region_share": [-0.1, 0.4, 1.1],
        "min_image_side": [-1],
        "max_image_ratio": [0.5],
        "min_image_text": [-1, 1.5],
        "max_negative_ratio": [-1],
        "min_block_text": [-1, 0.5],
        "min_node_text": [-0.1],
        "max_in_cell": [-1, 1.5],
        "table_hints": [1, None],
        "modern": [0, None],
    },
    "block_density": {
        "alpha": [-0.1, 11, float("nan"), float("inf"), True],
        "blocks": ["div", [], ["no-such-tag"], ["#text"]],
        "combine": ["mean", None],
        "weights": [[1, 2], [0, 0, 0], [1, 1, -1], "111"],
    },
    "line_blocks": {
        "width": [0, 101, 2.5],
        "threshold": [-1],
        "other_scripts": [0, 101],
        "end_blocks": [0, 1.5],
        "runs": ["some", None],
    },
    "anchor_blocks": {
        "long_text": [-1, 1.5],
        "much_text": [-1, 0.5],
        "many_anchors": [-1, 0.5],
        "more_text": [-1, 0.5],
        "long_run": [-1, 0.5],
        "texts_in_row": [0, 1.5],
        "max_link_ratio": [-0.1],
        "max_controls": [-0.1],
        "min_related": [-0.1, 1.1],
        "directory_ratio": [-0.1, float("nan")],
        "containers": ["div", [], ["no-such-tag"], ["#text"]],
        "relation": [-0.1, 1.1, True],
    },
    "layout_similarity": {
        "siblings": [(), None, 3, ["<p>not parsed"]],
        "max_link_share": [-0.1, 1.1],
        "line_blocks": [1, None],
        "void_elements": [0, None],
        "max_dropped": [-0.1, 1.1],
        "references": [0, 1.5],
        "votes": [0, 2, 0.5],
    },
    "sibling_subtrees": {
        "siblings": [(), None, 3, ["<p>not parsed"]],
        "alpha": [-0.1, 1.1, True],
        "beta": [-0.1, 1.1],
        "link_beta": [-0.1, 1.1],
        "max_moves": [-1, 1.5],
        "pdoc": [0, 11, 4.5],
        "min_siblings": [0, 1.5],
        "max_siblings": [0, 1.5],
        "ad_containers": [1, None],
        "match_inside": [1, None],
    },
    "cluster_rules": {
        "siblings": [(), None, 3, ["<p>not parsed"]],
        "rules": [3, {"kind": "x"}],
        "threshold": [-0.1, 1.1],
        "counts": [1, None],
        "blocks": ["div", [], ["no-such-tag"], ["#text"]],
        "alpha": [-0.1, 11],
        "choose_by": ["pages", None],
    },
}

SIBLING = parse(ARTICLE.replace(PROSE, "Chaff").replace("On grain", "On chaff"))
every_method = pytest.mark.parametrize("name", METHODS)


def needed(name):
    """Return the settings without which the method can't be built."""
    return {"siblings": (SIBLING,)} if METHODS[name].needs_siblings else {}


def made(name, **settings):
    return build(name, **(needed(name) | settings))


def check(page, method):
    verdict = method(page)
    count = len(page)
    assert (verdict.keep.dtype, verdict.keep.shape) == (np.dtype(bool), (count,))
    assert (verdict.score.dtype, verdict.score.shape) == (np.dtype(np.float32), (count,))
    assert (verdict.why.dtype, verdict.why.shape) == (np.dtype(np.int8), (count,))
    assert ((verdict.score >= 0) & (verdict.score <= 1)).all()
    assert set(np.unique(verdict.why).tolist()) <= set(range(len(method.reasons)))
    assert not verdict.keep[~page.shown].any()
    return verdict


def same(one, other):
    columns = ((one.keep, other.keep), (one.score, other.score), (one.why, other.why))
    return one.facts() == other.facts() and all(a.tobytes() == b.tobytes() for a, b in columns)


def copied(thing):
    return pickle.loads(pickle.dumps(thing))  # noqa: S301 what it made itself


@every_method
@pytest.mark.parametrize("kind", PAGES)
def test_verdict_is_well_formed_on(name, kind):
    check(parse(PAGES[kind]), made(name))


@every_method
@given(html=markup())
def test_verdict_is_well_formed_on_random_pages(name, html):
    check(parse(html), made(name))


@every_method
def test_content_is_found_and_navigation_is_dropped(name):
    page = parse(ARTICLE)
    content = Content(page, check(page, made(name)))
    assert content
    texts = {page.folded(r) for r in np.flatnonzero(content.kept & page.written).tolist()}
    assert PROSE.strip() in texts
    assert not texts & {"Home", "News", "More"}


@every_method
def test_same_page_same_verdict(name):
    page, method = parse(ARTICLE), made(name)
    first = method(page)
    assert same(first, method(page))
    assert same(first, method(parse(ARTICLE)))
    assert same(first, method(copied(page)))
    assert same(first, copied(method)(page))


@every_method
def test_a_page_without_rows_gives_a_verdict_without_rows(name):
    whole = parse("")
    state = whole.__getstate__()
    for column in ("tag", "parent", "depth", "end"):
        state[column] = state[column][:0].copy()
    state |= {
        "text": "",
        "text_at": np.zeros(1, dtype=np.int32),
        "_attributes": AttributeColumns.of_rows({}, 0),
    }
    assert len(check(type(whole)(**state), made(name)).keep) == 0


@every_method
def test_every_setting_refuses_what_is_impossible(name):
    assert set(IMPOSSIBLE[name]) == set(settings_of(name))
    for setting, values in IMPOSSIBLE[name].items():
        for value in [*values, "a text", [["list"]]]:
            with pytest.raises(OptionError, match=setting.split("_")[0]):
                made(name, **{setting: value})


@every_method
def test_a_method_that_needs_siblings_is_not_built_without(name):
    if needed(name):
        with pytest.raises(OptionError, match="siblings"):
            build(name)
    else:
        assert made(name) == build(name)


@every_method
def test_unknown_setting_lists_the_known_ones(name):
    with pytest.raises(OptionError, match=", ".join(settings_of(name))):
        made(name, no_such_setting=1)


def test_unknown_method_lists_the_known_ones():
    with pytest.raises(OptionError, match=", ".join(METHODS)):
        build("no_such_method")
    with pytest.raises(OptionError, match=", ".join(METHODS)):
        settings_of("no_such_method")
