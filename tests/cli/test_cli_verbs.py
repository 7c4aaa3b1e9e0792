import json

import pytest

import chaffinch
from chaffinch.methods import METHODS, settings_of

# methods


def test_methods_lists_all_with_their_settings(run):
    said = run("methods").stdout
    for name in METHODS:
        assert f"{name}: " in said
        assert not [one for one in settings_of(name) if f"{one}=" not in said]


@pytest.mark.parametrize("name", METHODS)
def test_each_setting_has_a_meaning_and_a_default_as_set_takes_it(run, page, folder, name):
    lines = run("methods", name).stdout.splitlines()
    siblings = ["--siblings", folder] if "siblings" in settings_of(name) else []
    given = list(siblings)
    for setting, default in settings_of(name).items():
        (place,) = [i for i, line in enumerate(lines) if line.startswith(f"{setting} = ")]
        assert len(lines[place + 1].split()) > 2, f"{name}.{setting} has no meaning"
        if setting != "siblings" and default is not None:
            given += ["--set", lines[place].replace(" = ", "=", 1)]
    with_defaults = run("extract", page, "-m", name, *given)
    assert with_defaults.exit_code == 0
    assert with_defaults.stdout == run("extract", page, "-m", name, *siblings).stdout


# columns


def test_columns_are_those_of_the_page(run, page):
    table = chaffinch.parse(page.read_bytes())
    text = run("extract", page, "-f", "columns", "-m", "line_blocks").stdout
    rows = [json.loads(line) for line in text.splitlines()]
    for name in ("parent", "end", "length"):
        assert [row[name] for row in rows] == getattr(table, name).tolist()
    assert [row["tag"] for row in rows] == [table.name(row) for row in range(len(table))]
    assert "".join(row["text"] for row in rows).replace(" ", "") == "".join(table.text.split())
    kept = [row["text"] for row in rows if row["keep"]]
    assert any("small bird" in text for text in kept)
    assert not any("Section 3" in text for text in kept)
    assert {row["why"] for row in rows} <= set(METHODS["line_blocks"].reasons)


# evaluate


def test_evaluate(run, tmp_path):
    text = "The chaffinch is a small bird, and common in Europe, where it nests in trees. " * 5
    html = f"<nav><a href=/>Home</a></nav><article><p>{text}</article>"
    rows = [{"id": str(n), "lang": "en", "gold_text": text, "html": html} for n in range(3)]
    corpus = tmp_path / "birds.jsonl"
    corpus.write_text("".join(json.dumps(row) + "\n" for row in rows))
    report = tmp_path / "report.json"
    result = run("evaluate", corpus, "-m", "line_blocks", "--draws", "10", "-o", report)
    assert result.exit_code == 0
    assert "chaffinch:line_blocks" in result.stdout
    assert json.loads(report.read_text())["systems"][0]["name"] == "chaffinch:line_blocks"
    more = ("--pages", "2", "--seed", "1", "--draws", "0")
    assert "| chaffinch:auto" in run("evaluate", corpus, *more).stdout
