"""Every verb on pages whose text stands only in data that scripts read."""

from __future__ import annotations

import csv
import io
import json

import pytest

import chaffinch
from chaffinch.methods import METHODS
from chaffinch.output.options import PARTS
from embedded_pages import FOOD, MARKUP, NEST, SHELLS, SONG, TEXT, of_as_many_rows

SENTENCES = (SONG, NEST, FOOD)
PLAIN = [name for name in METHODS if not METHODS[name].needs_siblings]
COMPARING = [name for name in METHODS if name not in PLAIN]
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
    return all(sentence in output for sentence in SENTENCES) and "Loading" not in output


# extract


@every_shell
@pytest.mark.parametrize("form", ["text", "markdown", "html", "json", "tei"])
def test_extract_gives_the_text_of_the_data(run, shells, kind, form):
    result = run("extract", shells / f"{kind}.html", "-f", form)
    assert (result.exit_code, result.stderr) == (0, "")
    assert holds_the_text(result.stdout)
    assert "All the birds" not in result.stdout


@every_shell
def test_json_has_all_its_parts(run, shells, kind):
    parts = ",".join(PARTS)
    given = ("-f", "json", "--with", parts, "--rows", "--url", "https://birds.test/finch")
    found = json.loads(run("extract", shells / f"{kind}.html", *given).stdout)
    assert (found["url"], found["title"]) == ("https://birds.test/finch", "Finches")
    assert found["encoding"] == "utf-8"
    assert found["source"]
    assert holds_the_text(" ".join(chunk["text"] for chunk in found["chunks"]))
    page = chaffinch.extract(SHELLS[kind], url="https://birds.test/finch").page
    for block in found["blocks"]:
        text = "".join(page.text_of(row) for row in range(*block["rows"]))
        assert found["text"][block["start"] : block["end"]] in " ".join(text.split())


def test_csv_gives_the_tables_of_the_data(run, shells):
    result = run("extract", shells / "markup.html", "-f", "csv")
    assert result.exit_code == 0
    rows = list(csv.reader(io.StringIO(result.stdout)))
    assert rows == [["Year", "Nests"], ["1998", "31"], ["1999", "44"]]


def test_links_in_the_data_are_of_the_page(run, shells):
    given = ("-f", "markdown", "--url", "https://birds.test/finch")
    result = run("extract", shells / "markup.html", *given)
    assert "(https://birds.test/dialects)" in result.stdout


def test_a_page_made_of_as_many_rows_is_not_mixed_up(run, tmp_path):
    page = tmp_path / "page.html"
    page.write_text(of_as_many_rows(chaffinch.parse))
    for form in ("text", "clean"):
        result = run("extract", page, "-f", form)
        assert result.exit_code == 0
        assert SONG in result.stdout
        assert "Loading" not in result.stdout


@pytest.mark.parametrize("workers", [1, 2])
def test_a_folder_gives_all_its_pages(run, shells, workers):
    result = run("extract", shells, "-f", "json", "--workers", workers)
    assert (result.exit_code, result.stderr) == (0, "")
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(found) == len(SHELLS) + 1
    assert all(holds_the_text(one["text"]) for one in found)
    assert sum(one["source"] is not None for one in found) == len(SHELLS)


@every_shell
@pytest.mark.parametrize("method", PLAIN)
def test_every_method_has_an_output(run, shells, kind, method):
    for form in ("text", "clean", "columns"):
        result = run("extract", shells / f"{kind}.html", "-m", method, "-f", form)
        assert result.exit_code in (0, 3)
        assert not isinstance(result.exception, Exception)
        if method == "learned":
            assert SONG in result.stdout


@pytest.mark.parametrize("method", COMPARING)
def test_methods_that_compare_have_an_output(run, shells, method):
    given = ("-m", method, "--siblings", shells, "--url", "https://birds.test/finch")
    for form in ("text", "clean", "columns"):
        result = run("extract", shells / "furnished.html", "-f", form, *given)
        assert result.exit_code in (0, 3)
        assert not isinstance(result.exception, Exception)


@pytest.mark.parametrize("method", COMPARING)
def test_the_addresses_that_methods_compare_by_are_not_in_outputs(run, shells, method):
    result = run("extract", shells / "shown.html", "-m", method, "--siblings", shells, "-f", "json")
    found = json.loads(result.stdout)
    assert (found["url"], found["method"]) == (None, method)
    assert "(file:" not in found["markdown"]


@pytest.mark.parametrize(
    "setting",
    ['favor="precision"', 'favor="recall"', "policy={headline=true, tables=false, cards=true}"],
)
@every_shell
def test_settings_and_policies_change_nothing_of_it(run, shells, kind, setting):
    given = ("-m", "learned", "--set", setting)
    for form in ("text", "clean"):
        said = run("extract", shells / f"{kind}.html", "-f", form, *given).stdout
        assert holds_the_text(said)


@every_shell
def test_selectors_speak_of_the_rows_that_are_there(run, shells, kind):
    for form in ("text", "clean"):
        result = run("extract", shells / f"{kind}.html", "-f", form, "--keep", "#root")
        assert result.exit_code == 0
        assert "Loading" in result.stdout
        assert SONG not in result.stdout


@every_shell
def test_no_browser_is_started_for_what_stands_in_data(run, shells, kind):
    given = ("--render", "auto", "--browser", "/nowhere/chromium")
    result = run("extract", shells / f"{kind}.html", *given)
    assert result.exit_code == 0
    assert holds_the_text(result.stdout)


# clean, columns, compare


def test_clean_has_the_head_of_the_page_and_the_text_of_the_data(run, shells):
    result = run(
        "extract",
        "--format",
        "clean",
        shells / "furnished.html",
        "--url",
        "https://birds.test/finch",
    )
    assert result.exit_code == 0
    html = result.stdout
    for part in (
        "<title>Finches</title>",
        '<base href="https://birds.test/finch">',
        'rel="stylesheet" href="https://birds.test/birds.css"',
        '<body class="wide">',
        f"<p>{SONG}</p>",
    ):
        assert part in html
    for noise in ("Loading", "All the birds", "the bird society", "<script"):
        assert noise not in html
    assert html.count("<body") == html.count("<title>") == 1


@every_shell
def test_columns_are_of_the_page_that_outputs_name(run, shells, kind):
    page = shells / f"{kind}.html"
    result = run("extract", page, "-f", "columns")
    assert result.exit_code == 0
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    found = chaffinch.extract(page.read_bytes())
    assert len(rows) == len(found.page)
    assert holds_the_text(" ".join(row["text"] for row in rows if row["keep"]))


@every_shell
def test_compare_shows_the_rows_and_counts_the_text_of_the_data(run, shells, kind, tmp_path):
    page, report = shells / f"{kind}.html", tmp_path / "report.html"
    assert run("compare", page, "-o", report).exit_code == 0
    assert "characters that no row has" in report.read_text()
    result = run("compare", page, "-f", "json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert [one["name"] for one in found["methods"]] == PLAIN
    columns = {one["name"]: one for one in found["methods"]}
    whole = len(" ".join(chaffinch.extract(SHELLS[kind]).text.split()))
    assert columns["learned"]["embedded"] == pytest.approx(whole, rel=0.03)
    assert columns["learned"]["length"] == 0
    assert all(not one["embedded"] for name, one in columns.items() if name != "learned")
    for block in found["blocks"]:
        assert block["verdicts"]["learned"]["state"] == "dropped"
    table = run("compare", page, "-m", "auto").stdout
    assert "A embedded: " in table
    assert "A source: " in table


def test_a_page_that_has_nothing_but_data_is_not_empty(run, tmp_path):
    page = tmp_path / "page.html"
    page.write_text(SHELLS["next"].replace("Loading", ""))
    assert run("compare", page).exit_code == 0


# Site models and runs


def test_site_models_are_learned_from_it_and_give_it(run, shells):
    model = shells / "site"
    assert run("learn", shells, "--output", model).exit_code == 0
    for mode in ("full", "rules"):
        given = ("--site", model, "--site-mode", mode)
        for kind in SHELLS:
            for form in ("text", "clean", "columns"):
                result = run("extract", shells / f"{kind}.html", "-f", form, *given)
                assert result.exit_code == 0
                assert SONG[:40] in result.stdout
        result = run("extract", shells, "-f", "json", *given)
        assert result.exit_code == 0
        found = [json.loads(line)["text"] for line in result.stdout.splitlines()]
        assert len(found) == len(SHELLS) + 1
        assert all(map(holds_the_text, found))
    for verb in (("site", "show", model, shells), ("site", "rules", "check", model, shells)):
        result = run(*verb)
        assert result.exit_code in (0, 1)
        assert not isinstance(result.exception, Exception)


def test_a_run_gives_rows_of_it(run, tmp_path):
    pytest.importorskip("pyarrow")
    source, out = tmp_path / "pages.jsonl", tmp_path / "out"
    rows = [
        {"url": f"https://birds.test/{number}/{kind}", "html": html}
        for kind, html in SHELLS.items()
        for number in range(2)
    ]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    models = tmp_path / "models"
    assert run("learn", source, source, source, "-o", models, "--by-host").exit_code == 0
    for given, method in (((), "learned"), (("--site", models), "site, full")):
        place = out / method
        result = run("run", source, "-o", place, "-f", "jsonl", "-w", "1", *given)
        assert result.exit_code == 0, result.output
        found = [
            json.loads(line)
            for file in (place / "pages").rglob("*.jsonl*")
            for line in file.read_text().splitlines()
        ]
        assert len(found) == len(rows)
        for row in found:
            assert (row["error"], row["method"]) == ("", method)
            assert holds_the_text(row["text"])
            assert (row["title"], row["encoding"]) == ("Finches", "utf-8")


def test_evaluate_counts_it(run, tmp_path):
    corpus = tmp_path / "shells.jsonl"
    row = {"domain": "birds.test", "lang": "en", "page_type": "article", "gold_text": TEXT}
    corpus.write_text(
        "".join(
            json.dumps({**row, "id": kind, "url": f"https://birds.test/{kind}", "html": html})
            + "\n"
            for kind, html in SHELLS.items()
            if html.isascii() and kind != "markup"
        )
    )
    result = run("evaluate", corpus, "--draws", "0")
    assert result.exit_code == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    assert ["chaffinch:auto", "1.000", "1.000", "1.000"] in [line[:4] for line in lines]
