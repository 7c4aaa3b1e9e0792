"""Every verb on a page of every odd kind: never a traceback, always a fitting code and message."""

import json
from pathlib import Path

import pytest

from chaffinch.cli import VERBS
from odd_pages import ARTICLE, EMPTY, ODD_PAGES, REFUSED, WHOLE
from rows_of_cases import examples

FINE, FAILED, WRONG, NOTHING = 0, 1, 2, 3


LINKED = frozenset(["page.mhtml", "pages.warc.gz"])
"""Pages that say where they are from, and link to another."""
CODES = {
    "page": (NOTHING, FINE, FINE),
    "table": (FINE, FINE, FINE),
    "blocks": (NOTHING, FINE, FINE),
    "entries": (NOTHING, NOTHING, NOTHING),
    "from": (WRONG, NOTHING, WRONG),
    "links": (NOTHING, FINE, NOTHING),
    "learn": (FINE, FINE, FINE),
}
"""What a verb wants of pages (content; content or not; blocks; lists, which none has; where they
are from; links to others) → its codes on pages without content, on `LINKED` and on others."""


def code_of(outcome, name):
    """Return the code of a call on a page."""
    if isinstance(outcome, int):
        return outcome
    if name in REFUSED:
        return WRONG if outcome == "learn" else FAILED
    empty, linked, other = CODES[outcome]
    return empty if name in EMPTY else linked if name in LINKED else other


CALLS = examples(__file__, "odd pages calls")


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
    call, outcome = CALLS[what]
    result = run(*call, name)
    assert isinstance(result.exception, SystemExit | None), result.exception
    assert result.exit_code == code_of(outcome, name), result.stderr
    assert "Traceback" not in result.output
    assert "bug of Chaffinch" not in result.output
    if result.exit_code in {FAILED, WRONG} and what != "rules":
        assert "Error: " in result.stderr
    if name in REFUSED and outcome not in (WRONG, NOTHING):
        assert REFUSED[name] in result.stderr
    if (
        result.exit_code == NOTHING
        and outcome == "page"
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
