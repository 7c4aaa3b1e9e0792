"""``extract --format records``: CSV, JSON lines, several pages, site models, no list."""

import csv
import json
import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1]))
from records_pages import cards

MODEL = """kind = "chaffinch site"
version = 1
site = ""
[[template]]
name = "all"
signs = []
[[template.rule]]
kind = "record"
select = "nav li"
"""


@pytest.fixture
def shop(tmp_path):
    path = tmp_path / "shop.html"
    path.write_text(cards(4).replace("The mill", "=The mill"), encoding="utf-8")
    return path


def test_csv_is_a_line_an_entry(run, shop):
    result = run("extract", "--format", "records-csv", shop)
    assert result.exit_code == 0
    rows = list(csv.DictReader(result.stdout.splitlines()))
    assert [row["number"] for row in rows] == ["1", "2", "3", "4"]
    assert rows[0]["title"] == "'=The mill number 1 grinds again"
    assert "'=The" not in run("extract", "--format", "records-csv", shop, "--formula-cells").stdout


def test_json_is_a_line_an_entry_with_rows(run, shop):
    result = run("extract", "--format", "records", "--url", "https://mill.test/", shop)
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["number"] for line in lines] == [1, 2, 3, 4]
    assert lines[3]["fields"]["price"]["value"] == "49.50 €"
    assert lines[3]["url"] == "https://mill.test/"
    assert lines[3]["file"] == str(shop)


@pytest.mark.usefixtures("shop")
def test_several_pages_have_a_file_each(run, tmp_path):
    (tmp_path / "article.html").write_text("<p>Only prose, and no list at all.", encoding="utf-8")
    out = tmp_path / "out"
    result = run("extract", "--format", "records-csv", tmp_path, "-o", f"{out}/")
    assert result.exit_code == 0
    assert [path.name for path in sorted(out.rglob("*.csv"))] == ["shop.csv"]


def test_a_site_model_decides(run, shop, tmp_path):
    model = tmp_path / "mill"
    model.mkdir()
    (model / "rules.toml").write_text(MODEL, encoding="utf-8")
    for mode in ("full", "rules"):
        result = run(
            "extract", "--format", "records-csv", shop, "--site", model, "--site-mode", mode
        )
        assert [row["title"] for row in csv.DictReader(result.stdout.splitlines())] == [
            "Home",
            "Birds",
        ]
        extracted = run("extract", shop, "--site", model, "--format", "json", "--with", "records")
        assert len(json.loads(extracted.stdout)["records"]) == 2


def test_a_page_without_a_list_prints_nothing(run, tmp_path):
    path = tmp_path / "prose.html"
    path.write_text("<p>Only prose, and no list at all.", encoding="utf-8")
    result = run("extract", "--format", "records", path)
    assert result.exit_code == 3
    assert not result.stdout
    assert "no list of entries found" in result.stderr
    (tmp_path / "empty.html").write_bytes(b"%PDF-1.4")
    assert run("extract", "--format", "records", tmp_path / "empty.html").exit_code == 1
