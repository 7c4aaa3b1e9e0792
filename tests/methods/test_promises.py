"""What every method promises, run over all of them."""

import contextlib
import pickle
import re
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from chaffinch import OptionError, parse
from chaffinch.methods import DEFAULT, METHODS, build, settings_of
from chaffinch.verdict import Content
from strategies import markup

DOCS = (Path(__file__).parents[2] / "docs" / "methods.md").read_text(encoding="utf-8")
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
INF = float("inf")
BOUNDS = {
    "information_blocks": {
        "region_share": (0.5, 1), "min_image_side": (0, INF), "max_image_ratio": (1, INF),
        "min_image_text": (0, INF), "max_negative_ratio": (0, INF), "min_block_text": (0, INF),
        "min_node_text": (0, INF), "max_in_cell": (0, INF),
    },
    "block_density": {"alpha": (0, 10)},
    "line_blocks": {
        "width": (1, 100), "threshold": (0, INF), "other_scripts": (1, 100), "end_blocks": (1, INF)
    },
    "anchor_blocks": {
        "long_text": (0, INF), "much_text": (0, INF), "many_anchors": (0, INF),
        "more_text": (0, INF), "long_run": (0, INF), "texts_in_row": (1, INF),
        "max_link_ratio": (0, INF), "max_controls": (0, INF), "min_related": (0, 1),
        "directory_ratio": (0, INF), "topic_score": (0, 1), "relation": (0, 1),
    },
    "layout_similarity": {
        "max_link_share": (0, 1), "line_threshold": (0, INF), "max_dropped": (0, 1)
    },
    "sibling_subtrees": {
        "alpha": (0, 1), "beta": (0, 1), "link_beta": (0, 1), "max_moves": (0, INF),
        "pdoc": (1, 10), "min_siblings": (1, INF), "max_siblings": (1, INF),
    },
    "cluster_rules": {"threshold": (0, 1), "alpha": (0, 10)},
}  # fmt: skip
"""The least and the largest value of each number."""
IMPOSSIBLE = {
    "siblings": [(), None, 3, ["<p>not parsed"]],
    "blocks": ["div", [], ["no-such-tag"], ["#text"]],
    "containers": ["div", [], ["no-such-tag"], ["#text"]],
    "policy": [{"headlines": True}, {"captions": "yes"}, 3, None],
    "weights": ["no-such-file.npz", 3, [1, 2], [0, 0, 0], [1, 1, -1], "111"],
    "rules": [3, {"kind": "x"}],
}
"""Values that are impossible for settings that are no numbers, flags or one of some words."""
NUMBERS = (
    0,
    -1,
    1,
    2**31,
    2**63 - 1,
    2**64,
    10**400,
    1e308,
    -1e308,
    1e-300,
    0.5,
    float("nan"),
    INF,
)
ODD = (*NUMBERS, "", "x" * 64, "0", [], [0], ["a"], [2**63], None, True, False)

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


def impossible(name, setting, default):
    if setting in BOUNDS.get(name, {}):
        low, high = BOUNDS[name][setting]
        whole = "int" in str({one.name: one.type for one in fields(METHODS[name])}[setting])
        return [low - 1, high + 1, True, *([low + 0.5] if whole else [float("nan")]), INF]
    if isinstance(default, bool):
        return [0, 1, None]
    return IMPOSSIBLE.get(setting, ["no-such-word", None])


@every_method
def test_every_setting_refuses_what_is_impossible(name):
    for setting, default in settings_of(name).items():
        for value in [*impossible(name, setting, default), "a text", [["list"]]]:
            with pytest.raises(OptionError, match=setting.split("_")[0]):
                made(name, **{setting: value})
        for value in BOUNDS.get(name, {}).get(setting, ()):
            assert value == INF or getattr(made(name, **{setting: value}), setting) == value


@every_method
def test_odd_values_are_answered_or_refused(name):
    """As requests may bring them: a result or an error of the project."""
    page = parse(ARTICLE)
    for setting in settings_of(name):
        for value in ODD:
            with contextlib.suppress(OptionError):
                check(page, made(name, **{setting: value}))


@every_method
def test_the_docs_list_every_setting_and_name_source_and_departures(name):
    (line,) = re.findall(rf"^- \*\*{name}\*\*: (.*)$", DOCS, re.MULTILINE)
    assert re.findall(r"`(\w+)` ", line) == list(settings_of(name))
    if name != DEFAULT:
        assert re.search(rf"^\| \[`{name}`\]\(#{name}\) \| \S", DOCS, re.MULTILINE)
        assert "*Departures*" in DOCS.partition(f"\n## {name}\n")[2].partition("\n## ")[0]


@every_method
def test_a_method_that_needs_siblings_is_not_built_without(name):
    if needed(name):
        with pytest.raises(OptionError, match="siblings"):
            build(name)
    else:
        assert made(name) == build(name)
