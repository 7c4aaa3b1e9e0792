"""What a page says of itself, wherever it stands and however broken it is."""

import tomllib
from pathlib import Path

import pytest

from chaffinch import parse

TABLE = tomllib.loads(Path(__file__).with_name("addresses.toml").read_text("utf-8"))


def head(html, url=None):
    return parse(html, url=url).head


def test_title_meta_links_and_language():
    got = head(
        "<html lang=zh-CN><head><title> A\n  B </title><meta property='og:title' content=' T '>"
        "<meta name=Author content=Ann><link rel=Canonical href=' /a '></head><body>"
        "<svg><title>no</title></svg><meta name=author content=Ben></body></html>"
    )
    assert got.title == "A B"
    assert got.first_meta("missing", "og:title") == "T"
    assert got.all_meta("author") == ["Ann", "Ben"]
    assert [link[1:] for link in got.links] == [("canonical", "/a")]
    assert got.lang == "zh-CN"


@pytest.mark.parametrize(("source", "types"), [*TABLE["json-ld"], ("[" * 100_000, [])])
def test_json_ld(source, types):
    got = head(f'<body><script type="application/ld+json">{source}</script>')
    assert [node["@type"] for _, node in got.json_ld] == types


def test_embedded_states():
    got = head(
        '<script id="__NEXT_DATA__" type="application/json">{"props": 1}</script>'
        '<script>window.__INITIAL_STATE__ = {"a": [1]}; x();</script>'
        "<script>window['__BAD_STATE__'] = {a: f(1)};</script>"
    )
    assert got.state == {"__NEXT_DATA__": {"props": 1}, "__INITIAL_STATE__": {"a": [1]}}


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ('(function(a,b){return {data:[{t:a,"x-y":b,t2:a}],e:void 0}}("x",1));', "called"),
        (
            '(function (a, b) { b.k=2; return {data: [{t: a, "x-y": b, t2: a}]} })("x" , 1)',
            "called",
        ),
        ("{n: [.5, -1e3, 7.], yes: !0, no: !1, u: undefined, 3: 'it\\'s \"q\"'}", "written"),
        ("(function(){return {a:1}})()", {"a": 1}),
        ("(function(a){return {a:b}}(1))", {"a": None}),
        ("(function(a){return {a:a}}({k:[1]}))", {"a": {"k": [1]}}),
        ("(function(a){return {a:a}}(new Date(1)))", None),
        ("(function(a){return f(a)}(1))", None),
        ("(function(a){return {a:a}", None),
        ("{a:1", None),
        ("{a:[1,]}", {"a": [1]}),
    ],
)
def test_states_that_a_script_writes_as_values(source, value):
    known = {
        "called": {"data": [{"t": "x", "x-y": 1, "t2": "x"}]},
        "written": {
            "n": [0.5, -1000, 7], "yes": True, "no": False, "u": None, "3": "it's \"q\"",
        },
    }  # fmt: skip
    found = head(f"<script>window.__NUXT__={source}</script>").state.get("__NUXT__")
    if value == "called":
        found = {"data": found["data"]}
    assert found == (known[value] if isinstance(value, str) else value)


def test_arguments_make_no_state_many_times_as_long_as_its_script():
    source = f'(function(a){{return {{{"b:a," * 1000}c:1}}}}("{"x" * 1000}"))'
    assert head(f"<script>__NUXT__={source}</script>").state == {}


@pytest.mark.parametrize(
    ("values", "state"),
    [
        ('[{"a":1,"b":2},"x",[1,3,-1],["Set",1,1]]', {"a": "x", "b": ["x", ["x", "x"], None]}),
        ('[["null","a",1],true]', {"a": True}),
        ('[{"a":0,"b":[1],"c":9}]', {"a": None, "b": None, "c": None}),
        ("[]", None),
        ('{"a":1}', {"a": 1}),
    ],
)
def test_values_that_name_one_another_by_their_places(values, state):
    source = f'<script type="application/json" id="__NUXT_DATA__">{values}</script>'
    assert head(source).state.get("__NUXT_DATA__") == state


def test_values_that_hold_others_many_times_have_an_end():
    doubled = ",".join(f"[{at + 1},{at + 1}]" for at in range(60))
    source = f'<script type="application/json" id="__NUXT_DATA__">[{doubled},"x"]</script>'
    assert len(str(head(source).state["__NUXT_DATA__"])) < 10_000


def test_half_characters_of_json_are_none():
    got = head(
        '<script type="application/ld+json">'
        '{"@type": "A", "name": "rye \\ud83d oats \\ud83c\\udf3e"}'
        '</script><script>__A_STATE__ = {"\\uDC00": "\\ud800"}</script>'
    )
    assert got.json_ld[0][1]["name"] == "rye ? oats \U0001f33e"
    assert got.state == {"__A_STATE__": {"?": "?"}}


@pytest.mark.parametrize(("html", "url", "base"), TABLE["base"])
def test_base(html, url, base):
    assert parse(html, url=url or None).base == base
