"""What counts as content, by options: those of the library, for every verb that extracts."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest

import chaffinch
from embedded_pages import FOOD, NEST, SONG

PAGE = f"""<html lang=en><head><title>The finch</title></head><body>
<nav><a href=/>Home</a> <a href=/a>All of them</a></nav>
<article><h1>The finch and its song</h1><p class=byline>By Ann Lee, 2 May 2024</p>
<p>{SONG} {NEST}</p><figure><img src=a.jpg width=640 height=480>
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


def text(policy=None, favor=None):
    return chaffinch.extract(PAGE, policy=policy, favor=favor).text + "\n"


@pytest.mark.parametrize("field", [one.name for one in fields(chaffinch.Policy)])
@pytest.mark.parametrize("value", [True, False])
def test_each_field_of_a_policy(run, article, field, value):
    name = "data-tables" if field == "tables" else field
    option = f"--{'' if value else 'no-'}{name}"
    result = run("extract", article, option)
    assert result.exit_code == 0, result.stderr
    assert result.stdout == text({field: value})


@pytest.mark.parametrize("favor", ["balanced", "precision", "recall"])
def test_favor(run, article, favor):
    assert run("extract", article, "--favor", favor).stdout == text(favor=favor)


def test_options_change_something(run, article):
    usual = run("extract", article).stdout
    assert run("extract", article, "--no-data-tables").stdout != usual
    assert (
        run("extract", article, "--comments").stdout
        != run("extract", article, "--no-comments").stdout
    )


def test_several_at_once(run, article):
    result = run("extract", article, "--headline", "--no-comments", "--favor", "recall")
    assert result.stdout == text({"headline": True, "comments": False}, "recall")


@pytest.mark.parametrize("verb", [("extract",), ("extract", "-f", "clean"), ("explain",)])
def test_other_verbs_that_extract(run, article, verb):
    usual, changed = run(*verb, article), run(*verb, article, "--headline", "--favor", "precision")
    assert usual.exit_code == changed.exit_code == 0
    assert usual.stdout != changed.stdout


def test_settings_go_with_the_default_method(run, article):
    direct = run("extract", article, "--favor", "recall", "--headline").stdout
    settings = ("--set", 'favor="recall"', "--set", "policy={headline = true}")
    assert run("extract", article, *settings).stdout == direct
    assert run("extract", article, "-m", "auto", *settings).stdout == direct
    assert run("extract", article, "-m", "learned", *settings).stdout == direct


def test_compare_gives_favors_to_methods_that_have_them_and_policies_to_all(run, article):
    def kept(*options):
        found = json.loads(run("compare", article, "-f", "json", *options).stdout)
        return {one["name"]: one["length"] for one in found["methods"]}

    usual, changed = kept(), kept("--favor", "precision")
    assert {name for name in usual if usual[name] != changed[name]} <= {"learned"}
    more = kept("--comments")
    assert {"learned", "block_density"} <= {name for name in usual if usual[name] < more[name]}
    result = run("compare", article, "-m", "line_blocks", "--favor", "recall")
    assert (result.exit_code, "none of the methods has favor" in result.stderr) == (2, True)


def test_a_run_writes_them_into_its_plan(run, article, tmp_path):
    out = tmp_path / "out"
    call = ("run", article, "-o", out, "-f", "jsonl", "-w", "1", "--headline", "--favor", "recall")
    assert run(*call).exit_code == 0
    plan = json.loads((out / "run.json").read_text())["plan"]
    assert plan["recipe"]["settings"] == {"favor": "recall"}
    assert plan["recipe"]["policy"] == {"headline": True}
    (path,) = out.glob("pages/*/*.jsonl")
    assert json.loads(path.read_text())["text"] + "\n" == text({"headline": True}, "recall")
    assert run(*call[:-2], "--resume").exit_code == 2
    wrong = run("run", article, "-o", out, "-m", "line_blocks", "--favor", "recall")
    assert (wrong.exit_code, "line_blocks has no favor" in wrong.stderr) == (2, True)


def test_evaluate_gives_favors_to_methods_that_have_them_and_policies_to_all(run, tmp_path):
    corpus = tmp_path / "c.jsonl"
    corpus.write_text(json.dumps({"id": "1", "html": PAGE, "gold_text": f"{SONG}\n{NEST}"}) + "\n")
    call = ("evaluate", corpus, "--draws", "0", "-m", "auto", "-m", "block_density")
    result = run(*call, "--no-comments")
    assert result.exit_code == 0, result.stderr
    assert "policy {'comments': False}" in result.stdout
    wrong = run("evaluate", corpus, "-m", "block_density", "--favor", "recall")
    assert (wrong.exit_code, "none of the methods has favor" in wrong.stderr) == (2, True)


@pytest.mark.parametrize("method", ["block_density", "anchor_blocks", "learned"])
def test_a_policy_holds_for_every_method(run, article, method):
    for option, words in (("--comments", "in our street only"), ("--byline", "Ann Lee")):
        asked = run("extract", article, "-m", method, option).stdout
        refused = run("extract", article, "-m", method, option.replace("--", "--no-")).stdout
        assert words in asked
        assert words not in refused
    assert "# The finch" in run("extract", article, "-m", method, "-f", "markdown").stdout
    assert (
        "# The finch"
        not in run("extract", article, "-m", method, "-f", "markdown", "--no-headline").stdout
    )
