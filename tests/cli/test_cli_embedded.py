"""Every verb on pages whose text stands only in data that scripts read."""

import csv
import io
import json

import pytest

import chaffinch
from chaffinch.methods import METHODS
from chaffinch.output.options import PARTS
from embedded_pages import FOOD, MARKUP, NEST, SHELLS, SONG

PLAIN = [name for name in METHODS if not METHODS[name].needs_siblings]
URL = ("--url", "https://birds.test/finch")
every_shell = pytest.mark.parametrize("kind", SHELLS)


@pytest.fixture
def shells(tmp_path):
    """A page of each kind, and one that shows its text, in a folder."""
    place = tmp_path / "shells"
    place.mkdir()
    for kind, html in SHELLS.items():
        (place / f"{kind}.html").write_text(html, encoding="utf-8")
    (place / "shown.html").write_text(f"<article><h1>Finches</h1>{MARKUP}</article>")
    return place


def holds_the_text(output):
    return all(one in output for one in (SONG, NEST, FOOD)) and "Loading" not in output


@every_shell
def test_every_form_gives_the_text_of_the_data_and_needs_no_browser(run, shells, kind):
    page = shells / f"{kind}.html"
    given = ("--render", "auto", "--browser", "/nowhere/chromium")
    for form in ("text", "markdown", "html", "tei", "clean"):
        result = run("extract", page, "-f", form, *given)
        assert (result.exit_code, result.stderr) == (0, ""), form
        assert holds_the_text(result.stdout)
        assert "All the birds" not in result.stdout
    rows = [json.loads(line) for line in run("extract", page, "-f", "columns").stdout.splitlines()]
    assert len(rows) == len(chaffinch.extract(page.read_bytes()).page)
    assert holds_the_text(" ".join(row["text"] for row in rows if row["keep"]))
    parts = ("-f", "json", "--with", ",".join(PARTS), "--rows", *URL)
    found = json.loads(run("extract", page, *parts).stdout)
    assert (found["url"], found["title"], found["encoding"]) == (URL[1], "Finches", "utf-8")
    assert found["source"]
    assert holds_the_text(" ".join(chunk["text"] for chunk in found["chunks"]))
    table = chaffinch.extract(SHELLS[kind], url=URL[1]).page
    for block in found["blocks"]:
        text = "".join(table.text_of(row) for row in range(*block["rows"]))
        assert found["text"][block["start"] : block["end"]] in " ".join(text.split())


def test_tables_links_and_heads_of_the_data_are_the_page_s(run, shells):
    rows = list(csv.reader(io.StringIO(run("extract", shells / "markup.html", "-f", "csv").stdout)))
    assert rows == [["Year", "Nests"], ["1998", "31"], ["1999", "44"]]
    result = run("extract", shells / "markup.html", "-f", "markdown", *URL)
    assert "(https://birds.test/dialects)" in result.stdout
    html = run("extract", "-f", "clean", shells / "furnished.html", *URL).stdout
    for part in (
        "<title>Finches</title>",
        '<base href="https://birds.test/finch">',
        'rel="stylesheet" href="https://birds.test/birds.css"',
        '<body class="wide">',
        f"<p>{SONG}</p>",
    ):
        assert part in html
    assert not [one for one in ("Loading", "the bird society", "<script") if one in html]
    assert html.count("<body") == html.count("<title>") == 1


@every_shell
def test_settings_change_nothing_of_it_and_selectors_speak_of_the_rows(run, shells, kind):
    page = shells / f"{kind}.html"
    for setting in ('favor="precision"', "policy={headline=true, tables=false, cards=true}"):
        assert holds_the_text(run("extract", page, "--set", setting).stdout)
    kept = run("extract", page, "--keep", "#root").stdout
    assert "Loading" in kept
    assert SONG not in kept


@every_shell
def test_compare_shows_the_rows_and_counts_the_text_of_the_data(run, shells, kind):
    page = shells / f"{kind}.html"
    found = json.loads(run("compare", page, "-f", "json").stdout)
    columns = {one["name"]: one for one in found["methods"]}
    assert list(columns) == PLAIN
    whole = len(" ".join(chaffinch.extract(SHELLS[kind]).text.split()))
    assert columns["learned"]["embedded"] == pytest.approx(whole, rel=0.03)
    assert columns["learned"]["length"] == 0
    assert all(not one["embedded"] for name, one in columns.items() if name != "learned")
    assert {one["verdicts"]["learned"]["state"] for one in found["blocks"]} <= {"dropped"}
    table = run("compare", page, "-m", "auto").stdout
    assert "A embedded: " in table
    assert "A source: " in table


def test_site_models_are_learned_from_it_and_give_it(run, shells):
    model = shells / "site"
    assert run("learn", shells, "--output", model).exit_code == 0
    for mode in ("full", "rules"):
        result = run("extract", shells, "-f", "json", "--site", model, "--site-mode", mode)
        assert result.exit_code == 0
        found = [json.loads(line)["text"] for line in result.stdout.splitlines()]
        assert len(found) == len(SHELLS) + 1
        assert all(map(holds_the_text, found))
    for verb in (("site", "show", model, shells), ("site", "rules", "check", model, shells)):
        result = run(*verb)
        assert result.exit_code in (0, 1)
        assert not isinstance(result.exception, Exception)
