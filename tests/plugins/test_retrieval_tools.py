"""LangChain, LlamaIndex: headings, ids and whole tables arrive; errors come their way."""

import asyncio

import pytest
from langchain_core.documents.base import Blob
from llama_index.core import SimpleDirectoryReader
from plugin_cases import plugin_of

import chaffinch
from chaffinch.errors import OptionError, PageError

pytestmark = pytest.mark.filterwarnings("default")
GRASS, HARVEST = "Rye is a grass, grown for its grain. ", "It is cut in late summer. "
TABLE = "<table><tr><th>Year<th>Yield<tr><td>2023<td>4.1 t<tr><td>2024<td>3.9 t</table>"
RYE = f"""<title>Rye</title><h1>Rye</h1><p>{GRASS * 9}</p>
<h2>Harvest</h2><p>{HARVEST * 6}</p>{TABLE}<p>{"Yields fell. " * 9}</p>"""
URL = "https://grain.example/rye"
WHOLE_TABLE = "| Year | Yield |\n| --- | --- |\n| 2023 | 4.1 t |\n| 2024 | 3.9 t |"
IDS = {one.id for one in chaffinch.extract(RYE).blocks}


@pytest.fixture(scope="module")
def langchain():
    return plugin_of("langchain")


@pytest.fixture(scope="module")
def llama_index():
    return plugin_of("llama_index")


@pytest.fixture
def paths(tmp_path):
    for name, page in (("rye.html", RYE.encode()), ("not.html", b"%PDF-1.7")):
        (tmp_path / name).write_bytes(page)
    return [tmp_path / "rye.html", tmp_path / "not.html"]


def holds(passages):
    """Check (text, metadata) of the passages of the page above, cut to 120 tokens."""
    first, *_, last = passages
    assert first[1]["headings"] == "Rye"
    assert last[1]["headings"] == "Rye > Harvest"
    assert sum(WHOLE_TABLE in text for text, _ in passages) == 1
    for _, about in passages:
        assert about["title"] == "Rye"
        assert about["block_ids"]
        assert set(about["block_ids"].split(" ")) <= IDS
        assert all(isinstance(value, str | int | float) for value in about.values())


def test_blobs_of_langchain(langchain, paths):
    parser = langchain.Parser(max_tokens=120)
    blob = Blob.from_data(RYE.encode("utf-16"), mime_type="text/html", metadata={"source": URL})
    found = parser.parse(blob)
    holds([(one.page_content, one.metadata) for one in found])
    assert {(one.metadata["source"], one.metadata["url"]) for one in found} == {(URL, URL)}
    (whole,) = langchain.Parser().parse(Blob.from_path(paths[0]))
    assert whole.metadata["source"] == str(paths[0])
    assert "headings" not in whole.metadata
    with pytest.raises(PageError, match="PDF"):
        parser.parse(Blob.from_path(paths[1]))
    calm = langchain.Parser(continue_on_failure=True)
    assert calm.parse(Blob.from_path(paths[1])) == []


def test_a_loader_of_langchain(langchain, paths, caplog):
    loader = langchain.Loader(paths, continue_on_failure=True, max_tokens=120)
    found = loader.load()
    holds([(one.page_content, one.metadata) for one in found])
    assert "not.html is passed over: not HTML: PDF" in caplog.text
    assert asyncio.run(loader.aload()) == found
    with pytest.raises(PageError):
        langchain.Loader(paths).load()
    private = langchain.Loader("http://127.0.0.1:9/rye", loading={"render": "never"})
    with pytest.raises(chaffinch.FetchError):
        private.load()


def test_a_reader_of_llama_index(llama_index, paths):
    reader = llama_index.Reader(max_tokens=120)
    found = reader.load_data(paths[0], extra_info={"crawl": 3})
    holds([(one.text, one.metadata) for one in found])
    assert {(one.metadata["crawl"], one.metadata["source"]) for one in found} == {
        (3, str(paths[0]))
    }
    assert "block_ids" not in found[0].get_metadata_str(mode="llm")
    again = asyncio.run(reader.aload_data([paths[0]]))
    assert [one.text for one in again] == [one.text for one in found]
    lazily = asyncio.run(reader.alazy_load_data(paths[0]))
    assert [one.text for one in lazily] == [one.text for one in found]
    with pytest.raises(PageError):
        reader.load_data(paths)


def test_a_folder_of_llama_index(llama_index, paths):
    options = {"file_extractor": {".html": llama_index.Reader()}}
    (found,) = SimpleDirectoryReader(paths[0].parent, **options).load_data()
    assert found.metadata["title"] == "Rye"
    assert found.metadata["file_name"] == "rye.html"
    with pytest.raises(Exception, match="Error loading file"):
        SimpleDirectoryReader(paths[0].parent, raise_on_error=True, **options).load_data()


def test_options_are_checked_at_once(langchain, llama_index):
    for make in (langchain.Parser, llama_index.Reader):
        with pytest.raises(OptionError, match="unknown option"):
            make(nothing=1)
        with pytest.raises(OptionError, match="max_tokens"):
            make(max_tokens=0)
