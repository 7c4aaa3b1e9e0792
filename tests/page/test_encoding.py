import codecs
import gzip
import random
import tomllib
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.errors import PageError
from chaffinch.page import parse
from chaffinch.page.charsets import Decoded, codec_of, declared_encoding, encoding_of
from chaffinch.page.decoding import decode, readable
from rows_of_cases import examples

TABLE = tomllib.loads(Path(__file__).with_name("encodings.toml").read_text("utf-8"))
WRITTEN = TABLE["written"]
CHINESE, JAPANESE, KOREAN = (WRITTEN[name] for name in ("gb18030", "shift_jis", "euc-kr"))
RUSSIAN, GREEK, FRENCH = (
    WRITTEN[name] for name in ("windows-1251", "windows-1253", "windows-1252")
)


def page(text: str, declared: str = "") -> str:
    meta = f'<meta charset="{declared}">' if declared else ""
    return f"<html><head>{meta}<title>{text}</title></head><body><p>{text * 3}</p></body></html>"


@pytest.mark.parametrize("name", WRITTEN)
def test_utf8_goes_before_the_transport_that_before_the_page_and_else_it_is_detected(name):
    text, codec = WRITTEN[name], codec_of(name)
    html, wrong, none = (page(text, declared) for declared in (name, "iso-8859-1", ""))
    assert decode(html.encode(), transport=name) == Decoded(html, "utf-8", "utf-8")
    assert decode(html.encode(codec)) == Decoded(html, name, "meta")
    found = decode(gzip.compress(wrong.encode(codec)), transport=name)
    assert found == Decoded(wrong, name, "transport")
    found = decode(none.encode(codec))
    assert (found.text, found.source) == (none, "detected")


@pytest.mark.parametrize(("true", "declared"), examples(__file__, "a wrong label is found out"))
def test_a_wrong_label_is_found_out(true, declared):
    html = page(WRITTEN[true], declared)
    found = decode(html.encode(codec_of(true)), transport=declared)
    assert found == Decoded(html, true, "detected")


@pytest.mark.parametrize("declared", ["iso-8859-1", "windows-1252", ""])
@pytest.mark.parametrize(
    ("name", "text"),
    [
        (name, text)
        for names, texts in TABLE["latin"].items()
        for name in names.split()
        for text in texts
    ],
)
def test_pages_of_other_latin_letters_that_call_themselves_western(name, text, declared):
    for html, transport in ((page(text, declared), None), (page(text), declared)):
        found = decode(html.encode(codec_of(name)), transport=transport)
        assert found.text == html


@pytest.mark.parametrize("text", TABLE["western"]["texts"])
@pytest.mark.parametrize("declared", ["iso-8859-1", "windows-1252"])
def test_western_pages_stay_western(text, declared):
    html = page(text, declared)
    assert decode(html.encode("cp1252")).text == html
    one_name = page("The story of Łódź and Plzeň.".replace("Ł", "£").replace("ň", "ò"), declared)
    assert decode(one_name.encode("cp1252", "replace")).encoding == "windows-1252"


@pytest.mark.parametrize(
    ("mark", "codec", "name"),
    [
        (codecs.BOM_UTF8, "utf-8", "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le", "utf-16le"),
        (codecs.BOM_UTF16_BE, "utf-16-be", "utf-16be"),
        (codecs.BOM_UTF32_LE, "utf-32-le", "utf-32le"),
        (codecs.BOM_UTF32_BE, "utf-32-be", "utf-32be"),
    ],
)
def test_a_mark_decides_and_is_taken_off(mark, codec, name):
    html = page(CHINESE, "gb2312")
    found = decode(mark + html.encode(codec), transport="big5")
    assert found == Decoded(html, name, "bom")


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", [CHINESE, "plain words"])
def test_utf16_is_seen_without_a_mark(codec, text):
    html = page(text, "utf-16")
    found = decode(html.encode(codec))
    assert (found.text, found.encoding) == (html, codec.replace("-le", "le").replace("-be", "be"))


def test_one_broken_byte_costs_one_character():
    data = page(CHINESE).encode().replace("许".encode(), b"\xe8\xae", 1)
    found = decode(data)
    assert (found.encoding, found.replaced) == ("utf-8", 1)


def test_a_piece_in_another_encoding_is_read_in_it():
    html = page(CHINESE * 5, "gb2312").encode() + b"\n<p>" + CHINESE.encode("gb18030") + b"</p>"
    found = decode(html)
    assert (found.encoding, found.replaced) == ("utf-8", 0)
    assert found.text.count(CHINESE) == 5 * 4 + 1


def test_a_piece_of_utf8_in_a_legacy_page_is_read_as_such():
    note = "此处为编码不同的一段文字！"
    data = page(CHINESE * 5, "gb2312").encode("gb18030") + b"<p>" + note.encode() + b"</p>"
    assert data.decode("gb18030", "replace").count("\ufffd")
    found = decode(data)
    assert found.text.endswith(f"<p>{note}</p>")
    assert found.encoding == "gb18030"


@pytest.mark.parametrize("codec", ["iso2022_jp", "iso2022_kr", "hz"])
def test_seven_bit_encodings(codec):
    text = {"iso2022_jp": JAPANESE, "iso2022_kr": KOREAN, "hz": CHINESE}[codec]
    html = page(text, "hz-gb-2312" if codec == "hz" else "")
    found = decode(html.encode(codec))
    assert (found.text, found.replaced) == (html, 0)


@pytest.mark.parametrize(("head", "name"), TABLE["heads"].items())
def test_declarations(head, name):
    head = head.replace("{blank}", " " * 2_000)
    assert (declared_encoding(head.encode()) or "") == name


@pytest.mark.parametrize(("label", "name"), TABLE["labels"].items())
def test_labels(label, name):
    assert (encoding_of(label) or "") == name
    assert decode(FRENCH.encode("cp1252"), transport=label).text


@given(
    st.one_of(
        st.binary(max_size=8),
        st.text(max_size=8).map(str.encode),
        st.sampled_from([b"\xef\xbb\xbfx", b"a\0", b"\x1b$B0!\x1b(B", b"~{VPND~}", b"a~{b", b"~"]),
    ),
    st.sampled_from([0, 1, 29, 31, 62]),
    st.sampled_from([b"", b"tail", "üß日".encode()]),
)
def test_what_is_readable_is_what_is_decoded(some, before, after):
    data = b"<p>" + b"x" * before + some + after
    try:
        decoded = decode(data)
    except PageError:
        with pytest.raises(PageError):
            readable(data)
        return
    found, name = readable(data)
    assert (found.decode() if isinstance(found, bytes) else found) == decoded.text
    assert name == decoded.encoding


def test_a_gzip_bomb_is_refused():
    stream = zlib.compressobj(wbits=31)
    bomb = b"".join(stream.compress(bytes(1 << 20)) for _ in range(20)) + stream.flush()
    with pytest.raises(PageError, match="too big"):
        decode(bomb, max_bytes=1 << 20)
    with pytest.raises(PageError, match="broken gzip"):
        decode(b"\x1f\x8b\x08" + bytes(50))


MARK = "\ufeff"


@pytest.mark.parametrize(
    "html",
    [
        page(FRENCH), MARK + page(FRENCH), 2 * MARK + page(CHINESE), f"{MARK}\n{page(RUSSIAN)}",
        MARK + page("Sa\0lt of the\0 sea é") + "\0" * 30, page("no\0 mark") + "\0",
        f"{MARK}<p>no he\0ad</p>", f"\0{page(GREEK)}",
    ],
)  # fmt: skip
def test_text_reads_as_its_bytes_do(html):
    wanted = parse(html)
    for data in (html.encode(), html.encode("utf-8-sig"), (MARK + html).encode("utf-16-be")):
        found = parse(data)
        assert found.text == wanted.text
        assert found.tag.tolist() == wanted.tag.tolist()
    assert MARK not in wanted.text


@given(st.binary(max_size=300))
def test_any_bytes_give_text_or_a_page_error(data):
    try:
        found = decode(data)
    except PageError:
        return
    assert found.text.encode("utf-8") or not found.text
    assert found.replaced == found.text.count("\ufffd") or found.source == "utf-8"


def test_gzip_cut_short_is_used_as_far_as_it_goes():
    html = page("".join(random.Random(1).choices(CHINESE, k=5_000)))  # noqa: S311
    found = decode(gzip.compress(html.encode())[:-2_000])
    assert len(found.text) > 1_000
    assert html.startswith(found.text.rstrip("\ufffd"))
