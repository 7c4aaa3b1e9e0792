"""datatrove: bytes, addresses and encodings go through; metadata come back; errors are counted."""

import json

import pytest
from datatrove.data import Document
from plugin_cases import plugin_of
from warc_pages import warc_of

pytestmark = pytest.mark.filterwarnings("default")
RYE = "<title>Рожь</title><h1>Рожь</h1><p>" + "Рожь это злак, его растят ради зерна. " * 9


@pytest.fixture(scope="module")
def plugin():
    return plugin_of("datatrove")


@pytest.fixture
def folder(tmp_path):
    pages = [
        ("https://a.example/1", RYE.encode("koi8-r"), "text/html; charset=koi8-r"),
        ("https://a.example/2", b"%PDF-1.7", "text/html"),
        ("https://a.example/3", b"\x89PNG", "image/png"),
        ("https://a.example/4", RYE.encode(), "text/html"),
    ]
    (tmp_path / "a.warc").write_bytes(warc_of(*pages))
    return str(tmp_path)


def test_documents_have_bytes_address_and_encoding(plugin, folder):
    reader = plugin.WarcReader(folder)
    found = list(reader.run())
    assert [one.metadata["url"][-1] for one in found] == ["1", "2", "4"]
    assert found[0].text.encode("latin-1") == RYE.encode("koi8-r")
    assert found[0].metadata["encoding"] == "koi8-r"
    assert found[0].metadata["status"] == 200
    assert found[0].metadata["date"] == "2026-11-22T08:00:00Z"
    assert reader.stats["skipped: not HTML"].total == 1
    json.dumps(found[0].metadata)


def test_metadata_verdict_and_confidence_come_back(plugin, folder):
    extractor = plugin.Extractor(timeout=30)
    first, last = extractor.run(plugin.WarcReader(folder).run())
    assert first.text == last.text
    assert (first.metadata["title"], first.metadata["method"]) == ("Рожь", "learned")
    assert 0 < first.metadata["confidence"] <= 1
    assert set(plugin.FIELDS) <= set(first.metadata)
    assert plugin.AS_LATIN_1 not in first.metadata
    assert extractor.stats["clean_error"].total == 1
    assert extractor.stats["extracted"].total == 2
    json.dumps(first.metadata)


def test_a_damaged_stretch_costs_itself(plugin, tmp_path):
    page = ("https://a.example/1", RYE.encode(), "text/html")
    (tmp_path / "a.warc").write_bytes(warc_of(page) + b"no record\n" * 99 + warc_of(page))
    reader = plugin.WarcReader(str(tmp_path))
    assert len(list(reader.run())) == 2
    assert reader.stats["damaged"].total == 1


def test_text_of_other_readers_is_text(plugin):
    documents = [Document(text=RYE, id="1"), Document(text="https://a.example/", id="2")]
    found = list(plugin.Extractor(output="markdown", timeout=30).run(documents))
    assert found[0].text.startswith("# Рожь")
    assert found[1].text.strip() == "https://a.example/"


def test_a_page_that_takes_too_long_is_counted(plugin, tmp_path):
    pages = [RYE.encode() * 9_000, RYE.encode()]
    (tmp_path / "a.warc").write_bytes(
        warc_of(*((f"https://a.example/{len(page)}", page, "text/html") for page in pages))
    )
    extractor = plugin.Extractor(timeout=0.05)
    list(extractor.run(plugin.WarcReader(str(tmp_path)).run()))
    assert extractor.stats["timeout"].total >= 1
    assert extractor.stats["total"].total == 2
