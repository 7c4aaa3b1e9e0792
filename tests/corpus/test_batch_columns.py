"""Columns of a run: what each holds."""

import json
import re

import pyarrow.parquet as pq
import pytest
from run_tables import CHEAP, lines, table

from chaffinch.cli.run import summary
from chaffinch.corpus import Plan, Recipe, run
from chaffinch.corpus.report import Tally
from chaffinch.corpus.store import Storage, bucket_of
from chaffinch.corpus.table import COLUMNS, VERSION
from chaffinch.errors import OptionError
from records_pages import cards


def test_columns_are_those_of_the_schema(perilous):
    out, _, _ = perilous
    for path in out.glob("pages/*/*.parquet"):
        file = pq.ParquetFile(path)
        assert file.schema_arrow.names == list(COLUMNS)
        assert file.schema_arrow.metadata[b"chaffinch.schema"] == str(VERSION).encode()
        assert file.metadata.row_group(0).column(0).compression == "ZSTD"
        bucket = int(re.search(r"bucket=(\d+)", str(path))[1])
        hosts = set(file.read(["host"])["host"].to_pylist())
        assert {bucket_of(host, 16) for host in hosts} == {bucket}


def test_rows_have_what_the_page_has(perilous):
    out, manifest, _ = perilous
    row = next(r for r in table(out).to_pylist() if not r["error"] and r["length"] < 9000)
    assert row["title"]
    assert row["text"]
    assert row["markdown"]
    assert row["declared_type"] == "article"
    assert row["authors"]
    assert row["fetched"] == "2026-11-21T12:00:00Z"
    assert row["status"] == 200
    assert 0 <= row["score"] <= 1
    assert 0 < row["confidence"] <= 1
    assert row["file"] in manifest.files


def test_languages_metadata_images_and_tables(tmp_path):
    words = (
        "<p>" + 4 * "The finch looks for the grain in the chaff and finds it every day. " + "</p>"
    )
    figure = "<figure><img src=f.jpg width=600 height=400><figcaption>A finch</figcaption></figure>"
    grains = "<tr><th>Day</th><th>Grains</th></tr><tr><td>one</td><td>12</td></tr>"
    grains = f"<table><caption>Grains</caption>{grains}<tr><td>two</td><td>15</td></tr></table>"
    english = f"<html lang=en><main><h1>Grain</h1>{words}{figure}{words}{grains}{words}</main>"
    russian = "<html lang=ru><main><p>Зяблик ищет зерно среди мякины и находит его.</p></main>"
    (tmp_path / "a.jsonl").write_text(
        lines(("https://e.example/", english), ("https://r.example/", russian))
    )
    recipe = Recipe(languages=("ru",), only_metadata=True)
    report = run(
        [str(tmp_path / "a.jsonl")], Plan(out=str(tmp_path / "ru"), recipe=recipe), workers=1
    )
    (row,) = table(tmp_path / "ru").to_pylist()
    assert (row["language"], row["text"], row["markdown"]) == ("ru", None, None)
    assert row["length"] > 30
    assert report.tally.left_out == {"language": 1}
    recipe = Recipe(languages=("en",), images=True, tables=True, records=True)
    run([str(tmp_path / "a.jsonl")], Plan(out=str(tmp_path / "en"), recipe=recipe), workers=1)
    (row,) = table(tmp_path / "en").to_pylist()
    assert 0 < row["confidence"] <= 1
    assert row["images"][0]["caption"] == "A finch"
    assert "| two | 15 |" in row["tables"][0]["markdown"]
    assert row["records"] == []


def test_entries_of_lists_are_a_column(tmp_path):
    (tmp_path / "a.jsonl").write_text(lines(("https://e.example/", cards(4))))
    for form in ("parquet", "jsonl"):
        out = str(tmp_path / form)
        plan = Plan(out=out, form=form, recipe=Recipe(records=True))
        run([str(tmp_path / "a.jsonl")], plan, workers=1)
    (row,) = table(tmp_path / "parquet").to_pylist()
    first = row["records"][0]
    assert (len(row["records"]), first["list_number"]) == (4, 1)
    values = {one["name"]: one["value"] for one in first["fields"]}
    assert values["link"] == "https://e.example/mills/1.html"
    assert values["price"] == "19.50 €"
    assert first["rows"][0] <= first["fields"][0]["rows"][0] < first["rows"][1]


def test_assessments_are_columns_and_counts(tmp_path):
    words = "The finch looks for the grain in the chaff and finds it every day. " * 30
    gone = "<title>404 Not found</title><h1>404</h1><p>The page was not found.</p>"
    pages = lines(("https://e.example/", f"<p>{words}"), ("https://r.example/", gone))
    (tmp_path / "a.jsonl").write_text(pages)
    recipe = Recipe(method="block_density", assessment=True)
    plan = Plan(out=str(tmp_path / "out"), recipe=recipe)
    report = run([str(tmp_path / "a.jsonl")], plan, workers=1)
    assert report.tally.states == {"content": 1, "error_page": 1}
    assert "States (assessment)" in report.to_html()
    assert "states: " in summary(report)
    rows = {row["host"]: row["assessment"] for row in table(tmp_path / "out").to_pylist()}
    assert rows["r.example"]["state"] == "error_page"
    assert rows["r.example"]["next_step"] == "give_up"
    assert rows["r.example"]["evidence"][0]["name"]
    assert sum(rows["e.example"]["probabilities"].values()) == pytest.approx(1)
    again = Tally.from_dict(report.tally.to_dict())
    assert again.states == report.tally.states


def test_half_a_surrogate_pair_costs_nothing(tmp_path):
    data = '{"@type":"Article","headline":"\\\\ud83d grain"}'
    page = f'<script type="application/ld+json">{data}</script>'
    text = '{"html": "%s<h1>x</h1><p>\\ud83d words", "url": "https://a.example/"}'
    (tmp_path / "a.jsonl").write_text(text % page.replace('"', '\\"'))
    for form in ("parquet", "jsonl"):
        plan = Plan(out=str(tmp_path / form), form=form, recipe=CHEAP)
        assert run([str(tmp_path / "a.jsonl")], plan, workers=1).tally.rows == 1
    assert table(tmp_path / "parquet").num_rows == 1


def test_a_run_with_other_columns_isnt_gone_on_with(clean_archive, tmp_path):
    _, manifest = clean_archive
    plan = Plan(out=str(tmp_path / "out"), recipe=CHEAP)
    about = run(manifest.files, plan, workers=2).about
    Storage(plan.out).write_json("run.json", about | {"schema": VERSION - 1})
    with pytest.raises(OptionError, match="another version"):
        run(manifest.files, plan, resume=True, workers=2)


def rows_in(path):
    if path.suffix == ".parquet":
        return pq.ParquetFile(path).read().to_pylist()
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
