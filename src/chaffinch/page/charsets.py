"""Bytes to text where no mark of Unicode says how: declared labels, evidence, pieces of several."""

import codecs
import functools
import re
from collections import Counter
from itertools import islice
from typing import Final

import webencodings

from chaffinch.lazy import lazy_module
from chaffinch.page.decoding import Decoded, Source

chardet = lazy_module("chardet")

# The Encoding Standard's names where Python's codec of that name knows less.
CODECS: Final = {
    "gbk": "gb18030",
    "euc-jp": "euc_jis_2004",
    "iso-2022-jp": "iso2022_jp_ext",
    "iso-2022-kr": "iso2022_kr",
}


def codec_of(name: str) -> str:
    """Return the Python codec for an encoding's name; a name that isn't known is returned."""
    if name in CODECS:
        return CODECS[name]
    known = webencodings.lookup(name)
    return known.codec_info.name if known and known.name != "replacement" else name


@functools.cache
def _table(codec: str) -> str | None:
    """Return the 256 characters of a single-byte codec, its holes in 80–9F as C1 controls."""
    pairs = (b"\xa4\xa4", b"\x88\x9f")  # characters of two bytes in EUC and GBK, in Shift_JIS
    if codec.startswith(("utf", "iso2022", "hz")) or any(
        len(pair.decode(codec, "replace")) == 1 for pair in pairs
    ):
        return None
    letters = bytes(range(256)).decode(codec, "replace")
    controls = range(0x80, 0xA0)
    return "".join(
        chr(byte) if letter == "\ufffd" and byte in controls else letter
        for byte, letter in enumerate(letters)
    )


def text_in(data: bytes, encoding: str) -> str:
    """Return the text of ``data`` in an encoding, U+FFFD where bytes make no character."""
    codec = codec_of(encoding)
    table = _table(codec)
    if table is None:
        return data.decode(codec, "replace")
    return codecs.charmap_decode(data, "replace", table)[0]


# Labels that the Encoding Standard doesn't decode, or that it doesn't know.
OLD_LABELS: Final = {
    "hz-gb-2312": "hz",
    "iso-2022-kr": "iso-2022-kr",
    "big5hkscs": "big5",
    "big5-hkscs": "big5",
    "cp874": "windows-874",
    "cp949": "euc-kr",
    "euc-jis-2004": "euc-jp",
    "euc_jis_2004": "euc-jp",
    "cp932": "shift_jis",
    "cp936": "gb18030",
}
PRESCAN: Final = 4096  # bytes; 1024 by the standard, and pages exist that need more

_COMMENT = re.compile(rb"<!--.*?(?:-->|\Z)", re.DOTALL)
DECLARED = re.compile(
    rb"""<meta\b[^<>]*?\bcharset\s*+=\s*+(?:["']\s*+)?([\w:.-]+)"""
    rb"""|<\?xml\b[^<>]*?\bencoding\s*+=\s*+["']\s*+([\w:.-]+)""",
    re.IGNORECASE,
)


def encoding_of(label: str) -> str | None:
    """Return the Encoding Standard's name for a label, or None where there is none.

    ``gbk`` becomes ``gb18030``, which extends it.
    """
    label = label.strip().strip("\"'").lower()
    if label in OLD_LABELS:
        return OLD_LABELS[label]
    found = webencodings.lookup(label) if label.isascii() else None
    if found is None or found.name in {"replacement", "x-user-defined"}:
        return None
    return "gb18030" if found.name == "gbk" else found.name


def declared_encoding(data: bytes) -> str | None:
    """Return what the page declares in its first 4,096 bytes, by ``meta`` or XML declaration.

    UTF-16 means UTF-8 here, as in the standard: the declaration could not be read otherwise.
    """
    for match in DECLARED.finditer(_COMMENT.sub(b"", data[:PRESCAN])):
        name = encoding_of((match[1] or match[2]).decode("ascii", "replace"))
        if name:
            return "utf-8" if name.startswith("utf-16") else name
    return None


# The possible results: the Encoding Standard's encodings but those of MS-DOS and the Mac,
# which chardet 7.7 names for stray bytes in Western pages and which no page of the corpora has.
DETECTABLE: Final = (
    "gb18030 big5hkscs cp932 euc-jis-2004 cp949 windows-1250 windows-1251 windows-1252 "
    "windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 cp874 "
    "koi8-r koi8-u iso-8859-2 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8"
).split()
MULTIBYTE: Final = frozenset({"gb18030", "big5", "shift_jis", "euc-jp", "euc-kr"})
DETECT_BYTES: Final = 1_000_000  # looked at from the first byte that isn't ASCII
# An English page with an «é» or a «©» is no sample of a language: of the pages of cleaneval that
# detection named wrongly, all but one had fewer letters than this beyond ASCII.
LEAST_LETTERS: Final = 4

_LONG_ASCII = re.compile(rb"[\x00-\x7f]{48,}")
_WITHOUT_LETTERS = bytes(range(0xC0))  # ASCII, and the quotes, dashes and signs of windows-125x


def detected(data: bytes, start: int) -> str | None:
    """Return the encoding that chardet finds from shortly before ``start`` on; None for none."""
    near = DECLARED.sub(b"", data[max(0, start - 64) :][:DETECT_BYTES])  # chardet would follow them
    near = _LONG_ASCII.sub(lambda run: run[0][:16] + b"\n" + run[0][-16:], near)
    if near.isascii():
        return None
    answer = chardet.detect(near, include_encodings=DETECTABLE)["encoding"]
    name = encoding_of(answer) or encoding_of(codecs.lookup(answer).name) if answer else None
    letters = set(near.translate(None, _WITHOUT_LETTERS))
    if name not in MULTIBYTE and len(letters) < LEAST_LETTERS:
        return "windows-1252"
    return name


SAMPLE: Final = 20_000  # characters beyond ASCII that are counted
FEW: Final = 12  # of them or less are no sample
ERROR_SHARE: Final = 0.02  # characters lost, of those that aren't ASCII, that are put up with

_HANZI = (
    "的一是不了在有人我他她这個这上们来到时大地为子中你说生国年着就那和要出也得里后自以会家可下而过天去能对小多然于心学之都"
    "好看起发当没成只如事把还用第样道想作种开美總乙從無情己面最女但现前些所同日手又行意动方期它头经长儿回位分爱老因很给名法间"
    "這們來時為說國著裡後會過對於學發當沒還樣種開現動頭經長兒愛間新月公本民工主全文化部高市电电加关电网業電關網"
    "、。，：；！？（）“”《》「」【】·…—　"
)
# The least share of a script's usual characters. On pages of a corpus written anew, true and
# wrong decodings came to: hanzi from 0.25 and up to 0.12, kana (EUC) from 0.27 and up to 0.10,
# hangul from 0.77, Cyrillic from 0.89, Greek from 0.87, Arabic from 0.89; Hebrew and Thai by these.
_USUAL: Final = {
    "gb18030 hz big5": (re.compile(f"[{_HANZI}]"), 0.15),
    "shift_jis euc-jp iso-2022-jp": (re.compile("[ぁ-ヺー、。]"), 0.15),
    "euc-kr": (re.compile("[가-힣]"), 0.6),
    "windows-1251 koi8-r koi8-u ibm866 iso-8859-5 x-mac-cyrillic": (
        re.compile("[а-яёђ-џґ]"), 0.5,
    ),
    "windows-1253 iso-8859-7": (re.compile("[ά-ώ]"), 0.5),
    "windows-1255 iso-8859-8 iso-8859-8-i": (re.compile("[א-ת]"), 0.5),
    "windows-1256 iso-8859-6": (re.compile("[ء-يپچژگک-ی]"), 0.5),
    "windows-874": (re.compile("[ก-๛]"), 0.5),
}  # fmt: skip
_SCRIPTS: Final = {name: usual for names, usual in _USUAL.items() for name in names.split()}
# Western letters with accents stand alone or in pairs; a run of four is another script's text.
_RUN = re.compile("[¡-ɏ]{4,}")
RUN_SHARE: Final = 0.3
# Signs that nearly every encoding has, whatever its script.
_ASCII_AND_SIGNS = re.compile("[\x00-\x7f\xa0©®°»«·–—‘’“”•…€™]+")
_ASCII_AND_SPACE = re.compile("[\x00-\x7f\xa0]+")

# Letters beyond ASCII of the languages that each encoding of Latin letters is used for.
_ALPHABETS: Final = {
    "windows-1252": (
        "àâæçéèêëîïôœùûüÿ äöüß áéíóúüñªº áâãàçéêíóôõúüªº àèéìíîòóùúªº éèëïóöüáú æøåéèêóòâôäö åäöéšž"
        " áéíóúýþæðö áíóúýæðø àçéèíïóòúüñ çë áéíóúàèìòù äöõüšž âêîôûáéíóúëïöàèìòù"
    ).split(),
    "windows-1250": "áčďéěíňóřšťúůýž áäčďéíĺľňóôŕšťúýž ąćęłńóśźż áéíóöőúüű ăâîşţ čćđšž".split(),
    "iso-8859-2": "áčďéěíňóřšťúůýž áäčďéíĺľňóôŕšťúýž ąćęłńóśźż áéíóöőúüű ăâîşţ čćđšž".split(),
    "windows-1254": "çğıöşüâîû äöüß".split(),
    "windows-1257": "ąčęėįšųūž āčēģīķļņšūž äöõüšž".split(),
}
# Words of letters, without what is a quotation mark, a dash or a space in some of them.
_WORD: Final = re.compile(
    rb"[A-Za-z\x83\x88\x8a\x8c-\x90\x98\x9a\x9c-\x9f\xa1-\xaa\xac-\xba\xbc-\xff]++"
)
_LOWER: Final = re.compile(rb"[a-z]")
_WELL_SPELT: Final = 0.97
# Samples of 12 languages under a wrong label came to 0.25 to 0.79 by it, and to 1 by their own.
_BETTER: Final = 0.1


def foreign_count(text: str) -> int:
    """Return how many characters of ``text`` are beyond ASCII."""
    return 0 if text.isascii() else len(text) - len(text.encode("ascii", "ignore"))


def usual_share(text: str, encoding: str) -> float:
    """Return the share of characters usual in the script of ``encoding``, 1 where few are foreign.

    For Latin encodings it is the share that stands in no run of four or more accented letters.
    """
    script = _SCRIPTS.get(encoding)
    if script is None:
        sample = _ASCII_AND_SPACE.sub(" ", text)[: 2 * SAMPLE]
        count = len(sample) - sample.count(" ")
        return 1.0 if count <= FEW else 1 - sum(map(len, _RUN.findall(sample))) / count
    sample = _ASCII_AND_SIGNS.sub("", text)[:SAMPLE]
    if len(sample) <= FEW:
        return 1.0
    return len(script[0].findall(sample)) / len(sample)


def is_plausible(text: str, encoding: str) -> bool:
    """Return whether ``text`` may have been written in ``encoding``: few errors, usual letters."""
    lost = text.count("\ufffd") + text.count("\x81")  # a hole of most, usual in Shift_JIS
    if lost > max(1, ERROR_SHARE * foreign_count(text)):
        return False
    script = _SCRIPTS.get(encoding)
    return usual_share(text, encoding) >= (script[1] if script else 1 - RUN_SHARE)


def better_latin(data: bytes, encoding: str) -> str | None:
    """Return the encoding of Latin letters that a page is in, where that isn't its label's.

    Any bytes are letters in each of them, but only in the right one are the letters those of one
    language. Few letters beyond ASCII are no sample.
    """
    if encoding not in _ALPHABETS:
        return None
    lines = b"\n".join([line for line in data.splitlines() if not line.isascii()])
    words = (word for word in _WORD.findall(lines) if not word.isascii() and _LOWER.search(word))
    sample = b" ".join(islice(words, SAMPLE))[: 10 * SAMPLE]
    if foreign_count(sample.decode("latin-1")) <= FEW:
        return None
    shares: dict[str, float] = {}
    for name, alphabets in _ALPHABETS.items():
        text = text_in(sample, name).lower()
        counts = Counter(text)
        of_one = max(sum(counts[one] for one in letters) for letters in alphabets)
        shares[name] = of_one / foreign_count(text)
    best = max(shares, key=shares.__getitem__)
    is_it = shares[best] >= _WELL_SPELT and shares[best] >= shares[encoding] + _BETTER
    return best if is_it else None


# UTF-8 wins over its errors when valid characters outnumber them so many times. Of the legacy pages
# of the corpora none came above 0.6.
UTF8_ODDS: Final = 2
MAX_PIECES: Final = 1_000_000  # a page of more tags and lines is decoded as a whole

_PIECE = re.compile(rb"[\x80-\xff][^<\n]*")
_WIDE_CHARACTER = re.compile("[^\x00-\u07ff]")  # three bytes or more in UTF-8
# One character of which the last bytes are missing, two bytes of it at least.
_CUT_SHORT = re.compile(rb"(?:[\xe0-\xef][\x80-\xbf]|[\xf0-\xf4][\x80-\xbf]{1,2})[\x00-\x7f]*")


def by_pieces(data: bytes, main: str, other: str | None) -> str:
    """Return the text of a page of two encodings, each line or text between tags in its own.

    «<» and the line feed are no trail byte in any encoding, so pieces may be cut there.
    """
    if data.count(b"<") + data.count(b"\n") > MAX_PIECES:
        return text_in(data, main)
    if other is None:
        strange = [piece for piece in _PIECE.findall(data) if not _is_utf8(piece)]
        other = detected(b"\n".join(strange), 0) or "windows-1252"
    legacy = other if main == "utf-8" else main

    is_utf8 = _is_utf8 if main == "utf-8" else _surely_utf8

    def in_utf8(match: re.Match[bytes]) -> bytes:
        return match[0] if is_utf8(match[0]) else text_in(match[0], legacy).encode("utf-8")

    return _PIECE.sub(in_utf8, data).decode("utf-8", "replace")


def _is_utf8(piece: bytes) -> bool:
    """Return whether a piece of a UTF-8 page is UTF-8, be it with a character cut or broken."""
    text = piece.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    valid = foreign_count(text) - broken
    return valid >= UTF8_ODDS * broken or _CUT_SHORT.fullmatch(piece) is not None


def _surely_utf8(piece: bytes) -> bool:
    """Return whether a piece of a page in another encoding is UTF-8 by more than chance."""
    try:
        text = piece.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return len(_WIDE_CHARACTER.findall(text)) >= 2  # noqa: PLR2004 - chance is 0.02 % for two


_JAPANESE: Final = re.compile(rb"\x1b\$[@B]")
MOST_LOST: Final = 0.1  # characters lost of those beyond ASCII: more, and the encoding is wrong


def in_seven_bits(data: bytes, transport: str | None) -> Decoded | None:
    """Return a page of ASCII bytes that is ISO-2022 or HZ, which shift by escape sequences."""
    labels = _labels(data, transport)
    labels += [("iso-2022-kr", "detected")] if b"\x1b$)C" in data else []
    labels += [("iso-2022-jp", "detected")] if _JAPANESE.search(data) else []
    for name, source in labels:
        if name.startswith(("hz", "iso-2022")):
            return Decoded(text_in(data, name), name, source)
    return None


def _labels(data: bytes, transport: str | None) -> list[tuple[str, Source]]:
    """Return the encodings that a page is said to be in, and by what."""
    given: list[tuple[str | None, Source]] = [
        (encoding_of(transport or ""), "transport"),
        (declared_encoding(data), "meta"),
    ]
    return [(name, source) for name, source in given if name]


def in_legacy(data: bytes, transport: str | None, start: int) -> Decoded:
    """Return the text of bytes that aren't valid UTF-8 from offset ``start`` on."""
    legacy = [one for one in _labels(data, transport) if not one[0].startswith("utf-")]
    text = data.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    valid = foreign_count(text) - broken
    if valid > UTF8_ODDS * broken:
        mended = by_pieces(data, "utf-8", legacy[0][0] if legacy else None)
        return Decoded(mended, "utf-8", "utf-8")
    return _best(data, legacy, start)


def _best(data: bytes, legacy: list[tuple[str, Source]], start: int) -> Decoded:
    """Return the text in the first encoding that is plausible, else in that with fewest errors."""
    tried: list[Decoded] = []
    labels: list[tuple[str, Source]] = [*legacy, ("", "detected")]
    for label, source in labels:
        if encoding := label or detected(data, start):
            tried.append(Decoded(text_in(data, encoding), encoding, source))
            if is_plausible(tried[-1].text, encoding):
                return _mended(data, tried[-1])
    likeliest = min(tried, key=lambda found: found.replaced, default=None)
    if likeliest and likeliest.replaced <= MOST_LOST * foreign_count(likeliest.text):
        return _mended(data, likeliest)
    return Decoded(text_in(data, "windows-1252"), "windows-1252", "default")


def _mended(data: bytes, found: Decoded) -> Decoded:
    """Return a page in the encoding of its Latin letters, and each piece of UTF-8 in it as such."""
    if other := better_latin(data, found.encoding):
        found = Decoded(text_in(data, other), other, "detected")
    if not found.replaced:
        return found
    mended = found._replace(text=by_pieces(data, found.encoding, "utf-8"))
    return mended if mended.replaced < found.replaced else found
