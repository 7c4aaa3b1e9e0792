import codecs
import gzip
import os
import random
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.errors import PageError
from chaffinch.page import parse
from chaffinch.page.charsets import (
    Decoded,
    codec_of,
    declared_encoding,
    encoding_of,
    is_plausible,
    usual_share,
)
from chaffinch.page.decoding import decode, readable

CHINESE = "我们在这里说的是一个关于中国的故事，他们来到了这个地方，看到了许多人。"
TRADITIONAL = "我們在這裡說的是一個關於這個國家的故事，他們來到了這個地方，看到了許多人。"
JAPANESE = "これは日本語の文章です。私たちはこの町で長い間暮らしてきました。"
KOREAN = "이것은 한국어로 쓰인 글입니다. 우리는 이 도시에서 오랫동안 살아 왔습니다."
RUSSIAN = "Это обычный русский текст о том, как мы жили в этом городе много лет."
GREEK = "Αυτό είναι ένα συνηθισμένο ελληνικό κείμενο για την πόλη μας και τους ανθρώπους."
POLISH = "Zażółć gęślą jaźń: to jest zwykły polski tekst o życiu w naszym mieście, które kochamy."
TURKISH = "Bu, şehrimizdeki yaşam üzerine yazılmış sıradan bir Türkçe metindir; çok güzel ağaçlar."
HEBREW = "זהו טקסט רגיל בעברית על החיים בעיר שלנו ועל האנשים שגרים בה שנים רבות."
ARABIC = "هذا نص عادي باللغة العربية عن الحياة في مدينتنا وعن الناس الذين يعيشون فيها."
THAI = "นี่คือข้อความภาษาไทยธรรมดาเกี่ยวกับชีวิตในเมืองของเราและผู้คนที่อาศัยอยู่ที่นี่"
FRENCH = "Voilà un texte français très ordinaire, écrit à l'école : où êtes-vous allés cet été ?"

WRITTEN = {
    "gb18030": CHINESE,
    "big5": TRADITIONAL,
    "shift_jis": JAPANESE,
    "euc-jp": JAPANESE,
    "euc-kr": KOREAN,
    "windows-1251": RUSSIAN,
    "koi8-r": RUSSIAN,
    "windows-1253": GREEK,
    "windows-1250": POLISH,
    "windows-1254": TURKISH,
    "windows-1255": HEBREW,
    "windows-1256": ARABIC,
    "windows-874": THAI,
    "windows-1252": FRENCH,
}


def page(text: str, declared: str = "") -> str:
    meta = f'<meta charset="{declared}">' if declared else ""
    return f"<html><head>{meta}<title>{text}</title></head><body><p>{text * 3}</p></body></html>"


@pytest.mark.parametrize("name", WRITTEN)
def test_a_declared_page_is_read_in_its_encoding(name):
    html = page(WRITTEN[name], name)
    assert decode(html.encode(codec_of(name))) == Decoded(html, name, "meta", 0)


@pytest.mark.parametrize("name", WRITTEN)
def test_the_label_of_the_transport_goes_before_that_of_the_page(name):
    html = page(WRITTEN[name], "iso-8859-1")
    found = decode(html.encode(codec_of(name)), transport=name)
    assert found == Decoded(html, name, "transport", 0)


@pytest.mark.parametrize("name", WRITTEN)
def test_a_page_without_a_declaration_is_detected(name):
    html = page(WRITTEN[name])
    found = decode(html.encode(codec_of(name)))
    assert (found.text, found.source) == (html, "detected")


@pytest.mark.parametrize("name", WRITTEN)
def test_valid_utf8_goes_before_any_label(name):
    html = page(WRITTEN[name], name)
    assert decode(html.encode(), transport=name) == Decoded(html, "utf-8", "utf-8", 0)


@pytest.mark.parametrize(
    ("true", "declared"),
    [
        ("big5", "gb2312"),
        ("shift_jis", "gb2312"),
        ("euc-kr", "gbk"),
        ("gb18030", "iso-8859-1"),
        ("gb18030", "utf-8"),
        ("big5", "windows-1252"),
        ("koi8-r", "windows-1251"),
        ("windows-1251", "iso-8859-1"),
    ],
)
def test_a_wrong_label_is_found_out(true, declared):
    html = page(WRITTEN[true], declared)
    found = decode(html.encode(codec_of(true)), transport=declared)
    assert found == Decoded(html, true, "detected", 0)


LATIN = {
    "windows-1250 iso-8859-2": (
        "Příliš žluťoučký kůň úpěl ďábelské ódy, řekl sedlák; děti běžely přes most k řece.",
        POLISH,
        "Árvíztűrő tükörfúrógép; az öreg molnár azt mondta, hogy a víz erősebb, mint a kő.",
        "Bătrânul morar a spus că apa e mai tare decât piatra; copiii râdeau şi ţipau în câmp.",
        "Starý mlynár vravel, že voda je silnejšia než kameň; päť detí bežalo cez lúku, kričali.",
        "Kiša je još padala, a djeca su već trčala preko livade; kuća bijaše žuta, češnje crvene.",
    ),
    "windows-1254": (TURKISH, "Yağmur hâlâ yağıyordu; çocuklar çayırda koşuyor, gülüyordu."),
    "windows-1257": (
        "Vaikai bėgo per pievą, juokėsi ir šūkavo; dar lijo, o vyšnios žydėjo, žąsys ėjo.",
        "Bērni skrēja pāri pļavai, smējās un kliedza; ķirši ziedēja, šodien līst, ūdens ceļas.",
    ),
}
WESTERN = (
    FRENCH,
    "Mädchen liefen fröhlich über die größere Wiese, süße Äpfel fielen, es war schön früh.",
    "El niño decía que el corazón también soñaba; ¿qué pasó? ¡Así fue, jamás será último!",
    "As crianças não vão à praia; o avô põe lã às três, o coração português é avó também.",
    "Perché così? La città, però, lunedì è più virtù che libertà; là c'è già ciò che è tè.",
    "Børnene løb på den grønne eng; også får, æbler, blå sø, små øer, åer og først på år.",
    "Börnin hlupu þvert yfir engið; sjór, þú, ýmis, öll, áður, það, maður, fjörður, úti, ís.",
    "Lapset juoksivat yli niityn; yö, äiti, pöytä, tämä, väkevämpi, että, myös, hän, sää.",
    "Dúirt sé go bhfuil uisce níos láidre; éan, óg, súil, tá, páistí, móra, ár, cúl, bó, é.",
    "£5k, £6m and ½m² at 20°C: a café, a résumé, naïve façades; £7bn, £8bn, £9bn, £3m, £4m.",
)


@pytest.mark.parametrize("declared", ["iso-8859-1", "windows-1252", ""])
@pytest.mark.parametrize(
    ("name", "text"),
    [(name, text) for names, texts in LATIN.items() for name in names.split() for text in texts],
)
def test_pages_of_other_latin_letters_that_call_themselves_western(name, text, declared):
    for html, transport in ((page(text, declared), None), (page(text), declared)):
        found = decode(html.encode(codec_of(name)), transport=transport)
        assert found.text == html


@pytest.mark.parametrize("text", WESTERN)
@pytest.mark.parametrize("declared", ["iso-8859-1", "windows-1252"])
def test_western_pages_stay_western(text, declared):
    html = page(text, declared)
    assert decode(html.encode("cp1252")).text == html
    one_name = page("The story of Łódź and Plzeň.".replace("Ł", "£").replace("ň", "ò"), declared)
    assert decode(one_name.encode("cp1252", "replace")).encoding == "windows-1252"


def test_where_the_label_of_the_transport_is_wrong_that_of_the_page_counts():
    html = page(CHINESE, "gb2312")
    found = decode(html.encode("gb18030"), transport="iso-8859-1")
    assert found == Decoded(html, "gb18030", "meta", 0)


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
    assert found == Decoded(html, name, "bom", 0)


def test_a_wrong_mark_is_passed_over():
    html = page(CHINESE, "gb2312")
    found = decode(codecs.BOM_UTF8 + html.encode("gb18030"))
    assert found == Decoded(html, "gb18030", "meta", 0)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", [CHINESE, "plain words"])
def test_utf16_is_seen_without_a_mark(codec, text):
    html = page(text, "utf-16")
    found = decode(html.encode(codec))
    assert (found.text, found.encoding) == (html, codec.replace("-le", "le").replace("-be", "be"))


def test_utf8_cut_in_a_character_stays_utf8():
    data = page(CHINESE, "gb2312").encode()
    found = decode(data[: data.index("故事".encode(), 300) + 1])
    assert found.encoding == "utf-8"
    assert found.replaced == 1
    assert CHINESE in found.text


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


def test_a_western_letter_in_utf8():
    data = page(FRENCH).encode() + b"<p>caf\xe9</p>"
    assert decode(data).text.endswith("<p>café</p>")


def test_controls_of_windows_1252_stay():
    found = decode(b"<meta charset=latin1><p>d\xe9j\xe0 vu\x81</p>")
    assert found.text.endswith("<p>déjà vu\x81</p>")


@pytest.mark.parametrize("codec", ["iso2022_jp", "iso2022_kr", "hz"])
def test_seven_bit_encodings(codec):
    text = {"iso2022_jp": JAPANESE, "iso2022_kr": KOREAN, "hz": CHINESE}[codec]
    html = page(text, "hz-gb-2312" if codec == "hz" else "")
    found = decode(html.encode(codec))
    assert (found.text, found.replaced) == (html, 0)


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (b"<meta charset=gb2312>", "gb18030"),
        (b'<META content="text/html; charset=Shift_JIS" http-equiv=Content-Type>', "shift_jis"),
        (b"<?xml version='1.0' encoding='EUC-KR'?>", "euc-kr"),
        (b'<meta charset="utf-16">', "utf-8"),
        (b"<!-- <meta charset=big5> --><meta charset=koi8-r>", "koi8-r"),
        (b"<meta charset=nonsense><meta charset=x-gbk>", "gb18030"),
        (b"<meta name=description content='no such thing'>", None),
        (b" " * 2_000 + b"<meta charset=big5>", "big5"),
        (b"<p>charset=big5", None),
    ],
)
def test_declarations(head, name):
    assert declared_encoding(head) == name


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("GB2312", "gb18030"),
        (" latin1 ", "windows-1252"),
        ('"utf8"', "utf-8"),
        ("ks_c_5601-1987", "euc-kr"),
        ("base64", None),
        ("rot13", None),
        ("utf-7", None),
        ("日本", None),
        ("", None),
    ],
)
def test_labels(label, name):
    assert encoding_of(label) == name
    assert decode(FRENCH.encode("cp1252"), transport=label).text


def test_gzip_is_unpacked():
    html = page(CHINESE)
    assert decode(gzip.compress(html.encode())).text == html
    assert readable(gzip.compress(html.encode())) == (html.encode(), "utf-8")


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


def test_gzip_cut_short_is_used_as_far_as_it_goes():
    html = page("".join(random.Random(1).choices(CHINESE, k=5_000)))  # noqa: S311
    found = decode(gzip.compress(html.encode())[:-2_000])
    assert len(found.text) > 1_000
    assert html.startswith(found.text.rstrip("\ufffd"))


def test_a_gzip_bomb_is_refused():
    stream = zlib.compressobj(wbits=31)
    bomb = b"".join(stream.compress(bytes(1 << 20)) for _ in range(20)) + stream.flush()
    with pytest.raises(PageError, match="too big"):
        decode(bomb, max_bytes=1 << 20)
    with pytest.raises(PageError, match="broken gzip"):
        decode(b"\x1f\x8b\x08" + bytes(50))


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"%PDF-1.7\n%\xe2\xe3", "PDF"),
        (b"\n\n%PDF-1.4", "PDF"),
        (b"\x89PNG\r\n\x1a\n\0\0", "PNG"),
        (b"PK\x03\x04\x14\0", "ZIP"),
        (b"\0\0\0\x20ftypisom", "MP4"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "JPEG"),
        (random.Random(0).randbytes(5_000), "binary"),  # noqa: S311
        (b"\0\1\2\3" * 500, "binary"),
    ],
)
def test_what_is_no_page_is_refused(data, name):
    with pytest.raises(PageError, match=f"not HTML: {name}"):
        decode(data)


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


def test_nul_in_and_after_a_page():
    assert decode(b"<p>a\0b" + bytes(4_000)).text.startswith("<p>a\0b")
    assert decode("<p>é\0".encode("cp1252") + bytes(4_000)).text.startswith("<p>é\0")


@pytest.mark.parametrize("data", [b"", b" ", b"\0", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"\x1b"])
def test_next_to_nothing(data):
    assert len(decode(data).text) <= 1


def test_no_letter_is_no_language():
    assert decode(b"<p>\xa9 2009 \x93quoted\x94").text == "<p>© 2009 “quoted”"


def test_plausibility():
    assert is_plausible(RUSSIAN, "windows-1251")
    assert not is_plausible(RUSSIAN.encode("koi8-r").decode("cp1251"), "windows-1251")
    assert usual_share("plain", "gb18030") == 1
    assert usual_share(CHINESE.encode("gb18030").decode("cp1252", "replace"), "windows-1252") < 0.3


@given(st.binary(max_size=300))
def test_any_bytes_give_text_or_a_page_error(data):
    try:
        found = decode(data)
    except PageError:
        return
    assert found.text.encode("utf-8") or not found.text
    assert found.replaced == found.text.count("\ufffd") or found.source == "utf-8"


@given(st.text(st.characters(blacklist_categories=["Cs", "Cc"]), max_size=200))
def test_any_text_in_utf8_is_itself(text):
    assert decode(b"<p>" + text.encode()).text == "<p>" + text


def test_random_megabytes_end_soon():
    noise = bytes(byte | 0x80 for byte in os.urandom(2_000_000))
    assert decode(b"<meta charset=gbk>" + noise).text
