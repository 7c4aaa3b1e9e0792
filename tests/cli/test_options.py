"""Options that set what is content and what is shown of it: each does what its field does."""

import json
from dataclasses import fields

import pytest

import chaffinch
from embedded_pages import FOOD, NEST, SONG

PAGE = f"""<html lang=en><head><title>The finch</title></head><body>
<nav><a href=/>Home</a> <a href=/a>All of them</a></nav>
<article><h1>The finch and its song</h1><p class=byline>By Ann Lee, 2 May 2024</p>
<p>{SONG} <b>{NEST}</b> <a href=/t>More</a> \\(2^n\\)</p>
<figure><img src=a.jpg width=640 height=480>
<figcaption>A finch on a wire in spring.</figcaption></figure><p>{FOOD} {SONG}</p>
<table><tr><th>Year<th>Nests<tr><td>1998<td>31<tr><td>1999<td>44</table>
<p>{NEST} {FOOD}<sup><a href=#n1>1</a></sup></p>
<ol class=footnotes><li id=n1>Counted by hand in the spring of 1998.</ol></article>
<section class=comments><h2>Comments</h2><div class=comment><b>Bo</b>
<p>I heard one in our street only this morning, it was very loud.</div></section>
<div class=related><h2>Read more</h2><ul><li><a href=/1>The tit and its nest</a>
<li><a href=/2>The wren and its tail</a></ul></div></body></html>"""


@pytest.fixture
def article(tmp_path):
    path = tmp_path / "finch.html"
    path.write_text(PAGE, encoding="utf-8")
    return path


POLICIES = [
    (f"--{'' if value else 'no-'}{'data-tables' if one.name == 'tables' else one.name}", "text",
     {"policy": {one.name: value}}, {})
    for one in fields(chaffinch.Policy) for value in (True, False)
]  # fmt: skip
CALLS = [
    *POLICIES,
    ("--headline --no-comments --favor recall", "text",
     {"policy": {"headline": True, "comments": False}, "favor": "recall"}, {}),
    *((f"--favor {one}", "text", {"favor": one}, {}) for one in ("balanced", "precision")),
    ("--keep footer --drop h1 --drop b", "text", {"keep": "footer", "drop": ["h1", "b"]}, {}),
    ("--url https://e.org/x/y", "markdown", {"url": "https://e.org/x/y"}, {}),
    ("-m line_blocks --set threshold=60 --set runs=longest", "text",
     {"method": "line_blocks", "settings": {"threshold": 60, "runs": "longest"}}, {}),
    ("-m block_density --set blocks=['p']", "text",
     {"method": "block_density", "settings": {"blocks": ["p"]}}, {}),
    ("-m line_blocks --set threshold=60", "clean",
     {"method": "line_blocks", "settings": {"threshold": 60}}, {}),
    ("--no-links", "markdown", {}, {"links": False}),
    ("--no-images", "markdown", {}, {"images": False}),
    ("--no-tables", "html", {}, {"tables": False}),
    ("--no-emphasis", "tei", {}, {"emphasis": False}),
    ("--front-matter", "text", {}, {"front_matter": True}),
    ("--front-matter", "markdown", {}, {"front_matter": True}),
    ("--rows", "tei", {}, {"rows": True}),
    ("--rows", "html", {}, {"rows": True}),
]  # fmt: skip
"""Options, form of output, how the content is found, what is shown of it."""


@pytest.mark.parametrize("call", CALLS)
def test_options_are_those_of_the_api(run, article, call):
    options, form, finding, showing = call
    result = run("extract", article, "-f", form, *options.split(" "))
    assert result.exit_code == 0, result.stderr
    made = getattr(chaffinch.extract(PAGE, **finding), "plain" if form == "text" else form)
    assert result.stdout == made(**showing).rstrip("\n") + "\n"
    assert not showing or made(**showing) != made()


@pytest.mark.parametrize("verb", [("extract",), ("extract", "-f", "clean"), ("explain",)])
def test_they_act_at_every_verb_that_extracts(run, article, verb):
    usual, changed = run(*verb, article), run(*verb, article, "--favor", "precision")
    assert usual.exit_code == changed.exit_code == 0
    assert usual.stdout != changed.stdout


def test_settings_go_with_the_default_method(run, article):
    direct = run("extract", article, "--favor", "recall", "--headline").stdout
    settings = ("--set", 'favor="recall"', "--set", "policy={headline = true}")
    for method in ((), ("-m", "auto"), ("-m", "learned")):
        assert run("extract", article, *method, *settings).stdout == direct


def test_compare_gives_favors_to_methods_that_have_them_and_policies_to_all(run, article):
    def kept(*options):
        found = json.loads(run("compare", article, "-f", "json", *options).stdout)
        return {one["name"]: one["length"] for one in found["methods"]}

    usual, changed = kept(), kept("--favor", "precision")
    assert {name for name in usual if usual[name] != changed[name]} <= {"learned"}
    more = kept("--comments")
    assert {"learned", "block_density"} <= {name for name in usual if usual[name] < more[name]}


def test_a_run_writes_them_into_its_plan(run, article, tmp_path):
    out = tmp_path / "out"
    call = ("run", article, "-o", out, "-f", "jsonl", "-w", "1", "--headline", "--favor", "recall")
    assert run(*call).exit_code == 0
    recipe = json.loads((out / "run.json").read_text())["plan"]["recipe"]
    assert (recipe["settings"], recipe["policy"]) == ({"favor": "recall"}, {"headline": True})
    (path,) = out.glob("pages/*/*.jsonl")
    wanted = chaffinch.extract(PAGE, policy={"headline": True}, favor="recall").text
    assert json.loads(path.read_text())["text"] == wanted
    assert run(*call[:-2], "--resume").exit_code == 2


def test_evaluate_gives_policies_to_all(run, tmp_path):
    corpus = tmp_path / "c.jsonl"
    corpus.write_text(json.dumps({"id": "1", "html": PAGE, "gold_text": f"{SONG}\n{NEST}"}) + "\n")
    call = ("evaluate", corpus, "--draws", "0", "-m", "auto", "-m", "block_density")
    result = run(*call, "--no-comments")
    assert result.exit_code == 0, result.stderr
    assert "policy {'comments': False}" in result.stdout
    wrong = run("evaluate", corpus, "-m", "block_density", "--favor", "recall")
    assert (wrong.exit_code, "none of the methods has favor" in wrong.stderr) == (2, True)
