"""Every verb on a page of every odd kind: never a traceback, always a fitting code and message."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chaffinch.cli import VERBS
from odd_pages import ARTICLE, EMPTY, ODD_PAGES, REFUSED, WHOLE

FINE, FAILED, WRONG, NOTHING = 0, 1, 2, 3


def of_page(name):
    """The code of a verb that takes pages and makes something of their content."""
    return FAILED if name in REFUSED else NOTHING if name in EMPTY else FINE


def of_table(name):
    """The code of a verb that shows pages, content or not."""
    return FAILED if name in REFUSED else FINE


def of_links(name):
    """The code of a verb that wants pages to say where they are from; none links to others."""
    says = {"page.mhtml", "pages.warc.gz"}
    return FAILED if name in REFUSED else NOTHING if name in says else WRONG


def of_link_list(name):
    """The code of a verb that shows links; two of the pages link to another and know from where."""
    linking = {"page.mhtml", "pages.warc.gz"}
    return FAILED if name in REFUSED else FINE if name in linking else NOTHING


def of_several(name):
    """The code of a verb that shows entries of lists, or events; none of the pages has any."""
    return FAILED if name in REFUSED else NOTHING


def of_learning(name):
    return WRONG if name in REFUSED else FINE


def of_rules(_name):
    """The code of a check of a model of one page: too few for a template that pages fit."""
    return FAILED


def of_quote(_name):
    """The code of a check of a quote, the name of the page, which `ARTICLE` doesn't hold."""
    return NOTHING


def no_page_wanted(_name):
    return WRONG


CALLS = {
    "extract as JSON": (["extract", "-f", "json", "--with", "posts,images,tables"], of_page),
    "extract by a site": (["extract", "--site", "model.toml"], of_page),
    "clean": (["extract", "--format", "clean"], of_page),
    "records": (["extract", "--format", "records"], of_several),
    "group": (["group"], of_several),
    "columns": (["extract", "--format", "columns"], of_table),
    "compare": (["compare", "-m", "auto", "-m", "line_blocks"], of_page),
    "explain": (["explain"], of_table),
    "visual blocks": (["explain", "--blocks", "vips"], of_page),
    "verify": (["verify", "article.html"], of_quote),
    "diff": (["diff", "article.html"], of_table),
    "siblings": (["site", "siblings"], of_links),
    "links": (["crawl", "--dry-run"], of_link_list),
    "learn": (["learn", "--output", "new.toml"], of_learning),
    "site show": (["site", "show", "model.toml"], of_table),
    "inspect": (["inspect", "--no-open", "--resolve", "nothing"], no_page_wanted),  # else it stays
    "rules": (["site", "rules", "check", "model.toml"], of_rules),
    "evaluate": (["evaluate", "--draws", "0"], no_page_wanted),
}


KINDS = (
    *("embedded.html", "empty.html", "page.pdf", "page.mhtml", "pages.warc.gz", "cut.warc.gz"),
    "broken.parquet",
)
"""A page of each outcome, which each verb is tried on."""
TRIED = [
    (what, name) for what in CALLS for name in (ODD_PAGES if what == "extract as JSON" else KINDS)
]


@pytest.fixture
def odd(tmp_path, monkeypatch, run):
    """The working folder, with the odd pages and a model of a site."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CHAFFINCH_CORPORA", str(tmp_path))
    for name, data in ODD_PAGES.items():
        Path(name).write_bytes(data)
    Path("article.html").write_text(ARTICLE, encoding="utf-8")
    assert run("learn", "article.html", "--output", "model.toml").exit_code == FINE
    return tmp_path


def test_every_verb_is_in_the_table():
    without_pages = {"methods", "serve", "mcp", "run"}
    assert {call[0] for call, _ in CALLS.values()} == set(VERBS) - without_pages


@pytest.mark.usefixtures("odd")
@pytest.mark.parametrize(("what", "name"), TRIED)
def test_every_verb_on_every_odd_page(run, what, name):
    call, code_of = CALLS[what]
    result = run(*call, name)
    assert isinstance(result.exception, SystemExit | None), result.exception
    assert result.exit_code == code_of(name), result.stderr
    assert "Traceback" not in result.output
    assert "bug of Chaffinch" not in result.output
    if result.exit_code in {FAILED, WRONG} and what != "rules":
        assert "Error: " in result.stderr
    if name in REFUSED and code_of not in {no_page_wanted, of_quote}:
        assert REFUSED[name] in result.stderr
    if (
        result.exit_code == NOTHING
        and code_of is of_page
        and what not in {"compare", "visual blocks"}
    ):
        assert f"{name}: no main content found" in result.stderr


@pytest.mark.usefixtures("odd")
def test_a_run_has_a_row_for_what_can_not_be_read_too(run):
    ends = (".html", ".html.gz", ".mhtml", ".jsonl", ".warc.gz", ".zip", ".tar.xz", ".parquet")
    known = [name for name in ODD_PAGES if name.endswith(ends)]
    result = run("run", *known, "--output", "out", "--workers", "1", "--format", "jsonl")
    assert result.exit_code == FINE, result.stderr
    assert "bug" not in result.output
    files = Path("out/pages").rglob("*.jsonl")
    rows = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    assert {Path(row["file"]).name for row in rows if row["error"]} >= REFUSED.keys() & set(known)
    for name in ODD_PAGES.keys() - set(known):
        assert run("run", name, "--output", "no").exit_code == WRONG


@pytest.mark.usefixtures("odd")
@pytest.mark.parametrize("name", WHOLE)
def test_the_page_is_the_same_in_every_wrapping(run, name):
    plain = json.loads(run("extract", "article.html", "-f", "json").stdout)
    found = json.loads(run("extract", name, "-f", "json").stdout)
    for field in ("title", "text", "method", "confidence", "page_type", "made_by"):
        assert found[field] == plain[field]
    assert found["file"] == name


@pytest.mark.usefixtures("odd")
def test_an_archive_on_standard_input_is_named(run):
    result = run("extract", "-", input=ODD_PAGES["pages.warc.gz"])
    assert result.exit_code == FAILED
    assert "not HTML: WARC archive" in result.stderr
