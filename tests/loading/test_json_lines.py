"""JSON lines: one contract, and what isn't in it is refused."""

import base64
import bz2
import gzip
import io
import json
import lzma

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.errors import PageError
from chaffinch.loading import json_lines
from chaffinch.loading.json_lines import (
    HELD,
    Html,
    count_lines,
    looks_like_bytes,
    read_pages,
    read_rows,
)
from rows_of_cases import examples

LATIN = st.characters(max_codepoint=0xFF)


def read(*rows, **options):
    return [html for _, html in read_pages(enumerate(rows), **options)]


def problem(row, **options):
    (found,) = read(row, **options)
    assert isinstance(found, PageError)
    return str(found)


@given(st.text().filter(lambda text: not looks_like_bytes(text)))
def test_text_comes_back(text):
    (found,) = read({"html": text})
    assert found.encoding == "utf-8"
    assert found.data.decode() == text.encode("utf-8", "replace").decode()


@given(st.binary())
def test_bytes_come_back(data):
    packed = base64.b64encode(data).decode()
    assert read({"html_base64": packed, "encoding": "big5"}) == [Html(data, "big5")]
    assert read({"html": data}) == [Html(data, None)]
    assert read({"html": data.decode("latin-1")}, is_corpus=True) == [Html(data, None)]


@given(st.text().filter(lambda text: not text.isascii()))
def test_utf_8_as_latin_1_looks_like_bytes(text):
    data = text.encode("utf-8", "replace")
    if not data.isascii():
        assert looks_like_bytes(data.decode("latin-1"))


@given(st.text(), st.text(LATIN))
def test_a_character_beyond_latin_1_is_of_text(one, other):
    assert not looks_like_bytes(f"{one}\u2019{other}")


@pytest.mark.parametrize("text", ["", "plain", "café", "© 2009, Müller & Söhne", "«Où ?»"])
def test_western_text_is_text(text):
    assert not looks_like_bytes(text)


@pytest.mark.parametrize("encoding", ["windows-1251", "gb18030", "shift_jis", "euc-kr", "koi8-r"])
def test_bytes_of_a_declared_encoding_are_recognised(encoding):
    text = {
        "windows-1251": "Зяблик поёт весной",
        "koi8-r": "Зяблик поёт весной",
        "gb18030": "苍头燕雀是一种小型鸟类",
        "shift_jis": "ズアオアトリは鳥である",
        "euc-kr": "푸른머리되새는 새이다",
    }[encoding]
    page = f"<meta charset={encoding}><p>{text}"
    assert looks_like_bytes(page.encode(encoding).decode("latin-1"))
    assert not looks_like_bytes(page)


@pytest.mark.parametrize(("row", "words"), examples(__file__, "what is in another form is refused"))
def test_what_is_in_another_form_is_refused(row, words):
    assert words in problem(row)


def test_text_is_refused_where_bytes_are_meant():
    assert "U+2019, so it is text" in problem({"html": "it\u2019s"}, is_corpus=True)


GARBLED = {"html": "<p>itâ\x80\x99s"}
PLAIN = {"html": "<p>plain"}
TEXT = {"html": "<p>it\u2019s"}


def test_without_a_proof_the_garbled_are_refused_and_the_others_read():
    found = read(PLAIN, GARBLED, PLAIN, {}, GARBLED)
    assert [isinstance(one, PageError) for one in found] == [False, True, False, True, True]


def test_a_proof_that_comes_late_is_for_what_follows():
    found = read(GARBLED, *[PLAIN] * (HELD + 1), GARBLED, TEXT)
    assert isinstance(found[0], PageError)
    assert not any(isinstance(one, PageError) for one in found[1:])


LINES = b'{"html": "a"}\n\n{"html": "b"}\n[]\nno\n'


@pytest.mark.parametrize(
    ("ending", "pack"),
    [("", bytes), (".gz", gzip.compress), (".xz", lzma.compress), (".bz2", bz2.compress)],
)
def test_packed_lines(ending, pack):
    name, data = f"a.jsonl{ending}", pack(LINES)
    found = dict(read_rows(io.BytesIO(data), name))
    assert found.keys() == {0, 2, 3, 4}
    assert (found[0], found[2]) == ({"html": "a"}, {"html": "b"})
    assert str(found[3]) == "not a JSON object"
    assert "not JSON" in str(found[4])
    assert dict(read_rows(io.BytesIO(data), name, only={2})) == {2: {"html": "b"}}
    assert count_lines(io.BytesIO(data), name) == 5


def test_lines_packed_by_zstd():
    pa = pytest.importorskip("pyarrow")
    data = pa.compress(LINES, codec="zstd", asbytes=True)
    assert len(list(read_rows(io.BytesIO(data + data), "a.jsonl.zst"))) == 8


def test_a_line_without_end_is_not_read_to_its_end(monkeypatch):
    monkeypatch.setattr(json_lines, "LONGEST_LINE", 1000)
    packed = gzip.compress(b'{"html": "x"}\n' + bytes(1 << 20) + b'\n{"html": "y"}\n')
    file = io.BytesIO(packed)
    (first, row), (second, error) = read_rows(file, "pages.jsonl.gz")
    assert (first, row) == (0, {"html": "x"})
    assert second == 1
    assert "a line of more than 1,000 bytes" in str(error)
    assert count_lines(io.BytesIO(packed), "pages.jsonl.gz") == 1


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, bz2.compress])
def test_what_is_cut_is_read_as_far_as_it_goes(pack):
    rows = b"".join(json.dumps({"html": f"{number}"}).encode() + b"\n" for number in range(5000))
    ending = {gzip: ".gz", lzma: ".xz", bz2: ".bz2"}[__import__(pack.__module__)]
    packed = pack(rows)[:-10]
    *_, (number, last) = read_rows(io.BytesIO(packed), f"a.jsonl{ending}")
    assert number > 0
    assert "the rest can't be unpacked" in str(last)
