"""Where a row came from, what made it, and what its owner opts out of."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from chaffinch.corpus import Plan, Recipe, run
from chaffinch.errors import OptionError
from chaffinch.model.block_scores import shipped
from chaffinch.version import __version__
from odd_pages import ARTICLE, lines_bytes, warc_bytes, zip_bytes

CANONICAL = ARTICLE.replace("</head>", "<link rel=canonical href='https://birds.example/f'></head>")
HEAD = b"X-Robots-Tag: noai\r\nTDM-Reservation: 1\r\nSet-Cookie: a=b\r\n"


def rows(out):
    found = [row for path in Path(out).glob("pages/*/*.parquet")
             for row in pq.ParquetFile(path).read().to_pylist()]  # fmt: skip
    return sorted(found, key=lambda row: (row["file"], row["offset"]))


@pytest.fixture
def extracted(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def extract(name, data, **options):
        Path(name).write_bytes(data)
        run([name], Plan(out="out", **options), workers=1)
        return rows("out")

    return extract


def test_a_page_without_an_address_has_its_canonical_one(extracted):
    (row,) = extracted("a.zip", zip_bytes({"in/a.html": CANONICAL}))
    assert (row["url"], row["host"]) == ("https://birds.example/f", "birds.example")
    assert row["member"] == "in/a.html"
    assert row["file"].endswith("a.zip")
    assert "[more](https://birds.example/more.html)" in row["markdown"]


def test_an_address_that_is_known_stays(extracted):
    (row,) = extracted("a.jsonl", lines_bytes({"html": CANONICAL, "url": "https://a.example/b"}))
    assert (row["url"], row["host"]) == ("https://a.example/b", "a.example")


def test_rows_say_what_made_them(extracted):
    (row,) = extracted("a.jsonl", lines_bytes({"html": ARTICLE}))
    assert row["made_by"] == {"version": __version__, "weights": shipped().digest}


def test_editors_source_and_product_are_columns(extracted):
    byline = "<p>2024-05-21 来源：新华社 作者：王五 责任编辑：赵六</p>"
    sold = """<script type="application/ld+json">{"@type": "Product", "name": "Seed bag",
    "offers": {"price": "19.90", "priceCurrency": "EUR"}}</script>"""
    own = ARTICLE.replace("</h1>", f"</h1>{byline}", 1).replace("</head>", f"{sold}</head>", 1)
    first, second = extracted("a.jsonl", lines_bytes({"html": own}, {"html": ARTICLE}))
    assert (first["original_source"], first["editors"]) == ("新华社", ["赵六"])
    assert first["product"]["price"] == "19.90"
    assert first["product"]["currency"] == "EUR"
    assert (second["original_source"], second["editors"], second["product"]) == ("", [], None)


def test_methods_without_weights_name_none(extracted):
    recipe = Recipe(method="block_density")
    (row,) = extracted("a.jsonl", lines_bytes({"html": ARTICLE}), recipe=recipe)
    assert row["made_by"] == {"version": __version__, "weights": None}


def test_owners_opt_out_by_page_and_header(extracted):
    own = ARTICLE.replace("<head>", "<head><meta name=robots content=noimageai>").encode()
    first, second = extracted("a.warc.gz", warc_bytes(own, ARTICLE.encode(), head=HEAD))
    assert first["opt_outs"] == ["noai", "noimageai", "tdm-reservation"]
    assert second["opt_outs"] == ["noai", "tdm-reservation"]


def test_what_can_not_be_read_has_no_maker(extracted):
    (row,) = extracted("a.jsonl", b"no JSON\n")
    assert (row["error"], row["made_by"], row["opt_outs"]) == ("record", None, None)


def test_the_form_of_the_corpora_is_part_of_the_plan(extracted):
    page = ARTICLE.replace("blue", "bläue").encode().decode("latin-1")
    data = lines_bytes({"html": page})
    (row,) = extracted("a.jsonl", data, corpus=True)
    assert "bläue" in row["text"]
    with pytest.raises(OptionError, match="differs in corpus"):
        run(["a.jsonl"], Plan(out="out"), resume=True)


NOT_FOUND = (
    b"<title>404 Not Found</title><h1>Not found</h1><p>The page that you look for does not exist."
)


def test_pages_of_failures_are_assessed_where_that_is_asked_for(extracted):
    found = b"".join(
        warc_bytes(html.encode(), status=status)
        for html, status in ((ARTICLE, "200 OK"), (NOT_FOUND.decode(), "404 Not Found"))
    )
    rows = extracted("a.warc.gz", found, recipe=Recipe(assessment=True))
    by_status = {row["status"]: row for row in rows}
    assert by_status.keys() == {200, 404}
    assert by_status[200]["assessment"]["state"] == "content"
    failed = by_status[404]
    assert (failed["error"], failed["text"]) == ("status", None)
    assert "404" in failed["error_detail"]
    assert failed["assessment"]["state"] == "error_page"
    assert failed["assessment"]["status"] == 404
    assert json.loads(Path("out/report.json").read_text())["tally"]["states"] == {
        "content": 1, "error_page": 1,
    }  # fmt: skip


def test_pages_of_failures_are_skipped_elsewhere(extracted):
    found = warc_bytes(ARTICLE.encode()) + warc_bytes(NOT_FOUND, status="404 Not Found")
    assert [row["status"] for row in extracted("a.warc.gz", found)] == [200]
