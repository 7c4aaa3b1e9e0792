"""Columns of a run: what each holds, where a row came from, what its owner opts out of."""

import json
from collections import Counter

import pytest
from run_tables import CHEAP, lines, rows

from chaffinch.cli.run import summary
from chaffinch.corpus import Plan, Recipe, run
from chaffinch.corpus.report import Tally
from chaffinch.corpus.store import Storage
from chaffinch.corpus.table import VERSION
from chaffinch.errors import OptionError
from chaffinch.model.block_scores import shipped
from chaffinch.version import __version__
from odd_pages import ARTICLE, lines_bytes, warc_bytes, zip_bytes
from records_pages import cards

CANONICAL = ARTICLE.replace("</head>", "<link rel=canonical href='https://birds.example/f'></head>")
HEAD = b"X-Robots-Tag: noai\r\nTDM-Reservation: 1\r\nSet-Cookie: a=b\r\n"
BYLINE = "<p>2024-05-21 来源：新华社 作者：王五 责任编辑：赵六</p>"
SOLD = """<script type="application/ld+json">{"@type": "Product", "name": "Seed bag",
"offers": {"price": "19.90", "priceCurrency": "EUR"}}</script>"""
CREDITED = ARTICLE.replace("</h1>", f"</h1>{BYLINE}", 1).replace("</head>", f"{SOLD}</head>", 1)
NO_IMAGES = ARTICLE.replace("<head>", "<head><meta name=robots content=noimageai>").encode()
GONE = b"<title>404 Not Found</title><h1>Not found</h1><p>The page that you look for is gone."
WORDS = f"<p>{4 * 'The finch looks for the grain in the chaff and finds it every day. '}</p>"
FIGURE = "<figure><img src=f.jpg width=600 height=400><figcaption>A finch</figcaption></figure>"
GRAINS = (
    "<table><caption>Grains</caption><tr><th>Day</th><th>Grains</th></tr><tr><td>one</td><td>12"
    "</td></tr><tr><td>two</td><td>15</td></tr></table>"
)
ENGLISH = f"<html lang=en><main><h1>Grain</h1>{WORDS}{FIGURE}{WORDS}{GRAINS}{WORDS}</main>"
RUSSIAN = "<html lang=ru><main><p>Зяблик ищет зерно среди мякины и находит его.</p></main>"


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    """The rows of a run with all that is usual, by their file and number."""
    folder = tmp_path_factory.mktemp("usual")
    files = {
        "a.zip": zip_bytes({"in/a.html": CANONICAL}),
        "b.jsonl": lines_bytes(
            {"html": CANONICAL, "url": "https://a.example/b"}, {"html": ARTICLE}, {"html": CREDITED}
        )
        + b"no JSON\n",
        "c.warc.gz": warc_bytes(NO_IMAGES, ARTICLE.encode(), head=HEAD)
        + warc_bytes(GONE, status="404 Not Found"),
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)
    run([str(folder / name) for name in files], Plan(out=str(folder / "out")), workers=1)
    found = {}
    for row in rows(folder / "out"):
        found.setdefault(row["file"].rpartition("/")[2], []).append(row)
    return found


def test_a_page_without_an_address_has_its_canonical_one(usual):
    (row,) = usual["a.zip"]
    assert (row["url"], row["host"]) == ("https://birds.example/f", "birds.example")
    assert row["member"] == "in/a.html"
    assert "[more](https://birds.example/more.html)" in row["markdown"]
    assert usual["b.jsonl"][0]["url"] == "https://a.example/b"


def test_rows_say_what_made_them_and_whom_the_page_names(usual):
    known, plain, credited, broken = usual["b.jsonl"]
    assert known["made_by"] == {"version": __version__, "weights": shipped().digest}
    assert (credited["original_source"], credited["editors"]) == ("新华社", ["赵六"])
    assert (credited["product"]["price"], credited["product"]["currency"]) == ("19.90", "EUR")
    assert (plain["original_source"], plain["editors"], plain["product"]) == ("", [], None)
    assert (broken["error"], broken["made_by"], broken["opt_outs"]) == ("record", None, None)


def test_owners_opt_out_by_page_and_header_and_failures_are_no_rows(usual):
    first, second = usual["c.warc.gz"]
    assert first["opt_outs"] == ["noai", "noimageai", "tdm-reservation"]
    assert second["opt_outs"] == ["noai", "tdm-reservation"]
    assert (first["status"], second["status"]) == (200, 200)


def test_columns_on_request(tmp_path):
    pages = lines(("https://e.example/", ENGLISH), ("https://l.example/", cards(4)))
    (tmp_path / "a.jsonl").write_text(pages)
    (tmp_path / "b.warc.gz").write_bytes(warc_bytes(GONE, status="404 Not Found"))
    own = ("second=two,deux", "nowhere")
    recipe = Recipe(images=True, tables=True, records=True, assessment=True, fields=own)
    plan = Plan(out=str(tmp_path / "out"), recipe=recipe)
    report = run([str(tmp_path / "a.jsonl"), str(tmp_path / "b.warc.gz")], plan, workers=1)
    english, listed, gone = rows(tmp_path / "out")
    assert english["images"][0]["caption"] == "A finch"
    assert "| two | 15 |" in english["tables"][0]["markdown"]
    assert english["records"] == []
    assert english["fields"] == [{"name": "second", "value": "15", "source": "table:two"}]
    assert sum(english["assessment"]["probabilities"].values()) == pytest.approx(1)
    first = listed["records"][0]
    assert (len(listed["records"]), first["list_number"]) == (4, 1)
    values = {one["name"]: one["value"] for one in first["fields"]}
    assert values["link"] == "https://l.example/mills/1.html"
    assert values["price"] == "19.50 €"
    assert first["rows"][0] <= first["fields"][0]["rows"][0] < first["rows"][1]
    assert (gone["error"], gone["text"], "404" in gone["error_detail"]) == ("status", None, True)
    assert (gone["assessment"]["state"], gone["assessment"]["status"]) == ("error_page", 404)
    assert (gone["assessment"]["next_step"], gone["assessment"]["evidence"] != []) == ("give_up", 1)
    assert report.tally.states["error_page"] == 1
    assert "States (assessment)" in report.to_html()
    report.tally.hosts["<img src=x onerror=hit()>"] += 900  # whatever pages bring to be counted by
    assert "&lt;img src=x" in report.to_html()
    assert "<img" not in report.to_html()
    report.tally.methods = Counter({"none": 0})  # of a damaged journal
    assert "none" in report.to_html()
    told = summary(report)
    assert "states: " in told
    assert "errors: status 1\n  status: HTTP status 404 Not Found: 1\n" in told
    assert Tally.from_dict(report.tally.to_dict()).states == report.tally.states
    with pytest.raises(ValueError, match="unpack"):
        Tally.from_dict({"doubts": [[0.5, "https://rye.example/"]]})


def test_languages_and_metadata_alone(tmp_path):
    pages = lines(("https://e.example/", ENGLISH), ("https://r.example/", RUSSIAN))
    (tmp_path / "a.jsonl").write_text(pages)
    recipe = Recipe(method="block_density", languages=("ru",), only_metadata=True)
    plan = Plan(out=str(tmp_path / "ru"), recipe=recipe)
    report = run([str(tmp_path / "a.jsonl")], plan, workers=1)
    (row,) = rows(tmp_path / "ru")
    assert (row["language"], row["text"], row["markdown"]) == ("ru", None, None)
    assert row["length"] > 30
    assert row["made_by"] == {"version": __version__, "weights": None}
    assert report.tally.left_out == {"language": 1}
    assert "left out as requested: language 1" in summary(report)


def test_the_form_of_the_corpora_is_part_of_the_plan(tmp_path):
    page = ARTICLE.replace("blue", "bläue").encode().decode("latin-1")
    (tmp_path / "a.jsonl").write_bytes(lines_bytes({"html": page}))
    out, sources = str(tmp_path / "out"), [str(tmp_path / "a.jsonl")]
    run(sources, Plan(out=out, corpus=True, recipe=CHEAP), workers=1)
    assert "bläue" in rows(tmp_path / "out")[0]["text"]
    with pytest.raises(OptionError, match="differs in corpus"):
        run(sources, Plan(out=out, recipe=CHEAP), resume=True)
    about = json.loads((tmp_path / "out" / "run.json").read_text())
    Storage(out).write_json("run.json", about | {"schema": VERSION - 1})
    with pytest.raises(OptionError, match="another version"):
        run(sources, Plan(out=out, corpus=True, recipe=CHEAP), resume=True)


def test_half_a_surrogate_pair_costs_nothing(tmp_path):
    data = '{"@type":"Article","headline":"\\\\ud83d grain"}'
    page = f'<script type="application/ld+json">{data}</script>'
    text = '{"html": "%s<h1>x</h1><p>\\ud83d words", "url": "https://a.example/"}'
    (tmp_path / "a.jsonl").write_text(text % page.replace('"', '\\"'))
    for form in ("parquet", "jsonl"):
        plan = Plan(out=str(tmp_path / form), form=form, recipe=CHEAP)
        assert run([str(tmp_path / "a.jsonl")], plan, workers=1).tally.rows == 1
    assert len(rows(tmp_path / "parquet")) == 1
