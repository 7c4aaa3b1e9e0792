"""Every verb on pages whose text stands only in data that scripts read."""

import json

import pytest

import chaffinch
from chaffinch.output.options import PARTS
from embedded_pages import FOOD, MARKUP, NEST, SHELLS, SONG

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
