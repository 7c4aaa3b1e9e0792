"""Whether a decoded text is plausible in a script that its encoding was made for.

Most wrong encodings decode without an error (GB18030 reads nearly all of Big5, windows-1252 reads
anything), so errors alone don't show a wrong label. In a text decoded rightly the characters that
are frequent in that script are frequent; in one decoded wrongly they come by chance.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from typing import Final

from chaffinch.page.encoding.codec import text_in

SAMPLE: Final = 20_000  # characters beyond ASCII that are counted
FEW: Final = 12  # of them or less are no sample
ERROR_SHARE: Final = 0.02  # characters lost, of those that aren't ASCII, that are put up with

_HANZI = (
    "的一是不了在有人我他她这個这上们来到时大地为子中你说生国年着就那和要出也得里后自以会家可下而过天去能对小多然于心学之都"
    "好看起发当没成只如事把还用第样道想作种开美總乙從無情己面最女但现前些所同日手又行意动方期它头经长儿回位分爱老因很给名法间"
    "這們來時為說國著裡後會過對於學發當沒還樣種開現動頭經長兒愛間新月公本民工主全文化部高市电电加关电网業電關網"
    "、。，：；！？（）“”《》「」【】·…—　"
)
# The least share of a script's usual characters. On the pages of docs/encoding.md's tables true and
# wrong decodings came to: hanzi from 0.25 and up to 0.12, kana (EUC) from 0.27 and up to 0.10,
# hangul from 0.77, Cyrillic from 0.89, Greek from 0.87, Arabic from 0.89; Hebrew and Thai by these.
USUAL: Final[dict[str, tuple[re.Pattern[str], float]]] = {
    "hanzi": (re.compile(f"[{_HANZI}]"), 0.15),
    "kana": (re.compile("[ぁ-ヺー、。]"), 0.15),
    "hangul": (re.compile("[가-힣]"), 0.6),
    "cyrillic": (re.compile("[а-яёђ-џґ]"), 0.5),
    "greek": (re.compile("[ά-ώ]"), 0.5),
    "hebrew": (re.compile("[א-ת]"), 0.5),
    "arabic": (re.compile("[ء-يپچژگک-ی]"), 0.5),
    "thai": (re.compile("[ก-๛]"), 0.5),
}
SCRIPTS: Final = {
    "gb18030": "hanzi",
    "hz": "hanzi",
    "big5": "hanzi",
    "shift_jis": "kana",
    "euc-jp": "kana",
    "iso-2022-jp": "kana",
    "euc-kr": "hangul",
    "windows-1251": "cyrillic",
    "koi8-r": "cyrillic",
    "koi8-u": "cyrillic",
    "ibm866": "cyrillic",
    "iso-8859-5": "cyrillic",
    "x-mac-cyrillic": "cyrillic",
    "windows-1253": "greek",
    "iso-8859-7": "greek",
    "windows-1255": "hebrew",
    "iso-8859-8": "hebrew",
    "iso-8859-8-i": "hebrew",
    "windows-1256": "arabic",
    "iso-8859-6": "arabic",
    "windows-874": "thai",
}
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
    script = SCRIPTS.get(encoding)
    if script is None:
        sample = _ASCII_AND_SPACE.sub(" ", text)[: 2 * SAMPLE]
        count = len(sample) - sample.count(" ")
        return 1.0 if count <= FEW else 1 - sum(map(len, _RUN.findall(sample))) / count
    sample = _ASCII_AND_SIGNS.sub("", text)[:SAMPLE]
    if len(sample) <= FEW:
        return 1.0
    return len(USUAL[script][0].findall(sample)) / len(sample)


def is_plausible(text: str, encoding: str) -> bool:
    """Return whether ``text`` may have been written in ``encoding``: few errors, usual letters."""
    if text.count("\ufffd") > max(1, ERROR_SHARE * foreign_count(text)):
        return False
    script = SCRIPTS.get(encoding)
    least = USUAL[script][1] if script else 1 - RUN_SHARE
    return usual_share(text, encoding) >= least


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
    shares = {name: _alphabet_share(text_in(sample, name), name) for name in _ALPHABETS}
    best = max(shares, key=shares.__getitem__)
    is_it = shares[best] >= _WELL_SPELT and shares[best] >= shares[encoding] + _BETTER
    return best if is_it else None


def _alphabet_share(text: str, encoding: str) -> float:
    """Return the share of the letters beyond ASCII that are in the alphabet of one language."""
    counts = Counter(text.lower())
    best = max(sum(counts[one] for one in letters) for letters in _ALPHABETS[encoding])
    return best / foreign_count(text)
