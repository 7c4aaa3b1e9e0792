"""Prices as written: amounts as decimal strings, and ISO 4217 codes of currencies.

An amount may be grouped ("1,299.00", "1.299,00", "1 299", "1'299", "1,29,999"), a price a range
("12.99 – 19.99") and its currency a code or a symbol on either side ("US $5", "1.299,00 €").
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_AMOUNT: Final = re.compile(r"\d++(?:[.,'’]\d++|[ \u00a0\u202f]\d{3}(?!\d))*+")
_RANGE: Final = re.compile(r"[-–—~～]|\bto\b|\bbis\b|\bà\b")
_WORD: Final = re.compile(r"[^\W\d_]++\.?+")
_SEPARATORS: Final = re.compile(r"[^\d.,]++")
_GROUP: Final = 3
_LONGEST_AMOUNT: Final = 15
"""Digits of an amount; longer ones are numbers of articles."""
_LONGEST: Final = 200
"""Characters of a text that is read as a price."""
_NEAR: Final = 6
"""Characters between an amount and its currency."""

_CODES: Final = frozenset(
    "AED AMD ARS AUD AZN BAM BDT BGN BHD BOB BRL CAD CHF CLP CNY COP CRC CZK DKK DOP DZD EGP EUR"
    " GBP GEL GHS HKD HRK HUF IDR ILS INR IQD IRR ISK JOD JPY KES KGS KHR KRW KWD KZT LAK LKR MAD"
    " MDL MKD MNT MXN MYR NGN NOK NPR NZD OMR PEN PHP PKR PLN PYG QAR RON RSD RUB SAR SEK SGD THB"
    " TND TRY TWD UAH USD UYU UZS VND XAF XOF ZAR".split()
)
_SYMBOLS: Final = {
    "US$": "USD", "AU$": "AUD", "A$": "AUD", "CA$": "CAD", "C$": "CAD", "NZ$": "NZD", "HK$": "HKD",
    "NT$": "TWD", "MX$": "MXN", "S$": "SGD", "R$": "BRL", "RD$": "DOP", "€": "EUR", "£": "GBP",
    "₹": "INR", "₽": "RUB", "₺": "TRY", "₩": "KRW", "฿": "THB", "₫": "VND", "₪": "ILS", "₴": "UAH",
    "₱": "PHP", "₦": "NGN", "₸": "KZT", "₾": "GEL", "֏": "AMD", "₼": "AZN", "₲": "PYG", "₡": "CRC",
    "₵": "GHS", "৳": "BDT", "៛": "KHR", "₭": "LAK", "₮": "MNT", "﷼": "SAR", "บาท": "THB",
    "港元": "HKD", "港币": "HKD", "港幣": "HKD", "台币": "TWD", "台幣": "TWD", "美元": "USD",
    "美金": "USD", "欧元": "EUR", "歐元": "EUR", "日元": "JPY", "日圓": "JPY", "元": "CNY",
    "円": "JPY", "원": "KRW",
    "ر.س": "SAR", "ريال": "SAR", "د.إ": "AED", "درهم": "AED", "ج.م": "EGP", "جنيه": "EGP",
    "د.ك": "KWD", "ر.ق": "QAR", "ر.ع": "OMR", "د.ب": "BHD", "د.أ": "JOD", "د.م": "MAD",
    "د.ع": "IQD", "د.ج": "DZD", "د.ت": "TND", "ریال": "IRR", "ش״ח": "ILS",
    'ש"ח': "ILS",
}  # fmt: skip
_WORDS: Final = {
    "euro": "EUR", "euros": "EUR", "eur": "EUR", "zł": "PLN", "kč": "CZK", "ft": "HUF",
    "lei": "RON", "rs": "INR", "rs.": "INR", "руб": "RUB", "руб.": "RUB", "р.": "RUB", "грн": "UAH",
    "грн.": "UAH", "тг": "KZT", "тг.": "KZT", "сом": "KGS", "ден": "MKD", "дин": "RSD",
    "дин.": "RSD", "din": "RSD", "din.": "RSD", "tl": "TRY", "лв": "BGN", "лв.": "BGN", "rp": "IDR",
    "rm": "MYR", "fr.": "CHF", "sfr.": "CHF", "us": "USD", "đ": "VND", "đồng": "VND", "vnđ": "VND",
    "ksh": "KES", "baht": "THB",
}  # fmt: skip
_SCALES: Final = {"万": 10**4, "萬": 10**4, "만": 10**4, "億": 10**8, "亿": 10**8, "억": 10**8}
_SCALED: Final = re.compile(rf"\s?([{''.join(_SCALES)}])(?:\s?(\d[\d,]{{0,9}})(?![\d.]))?")
"""What stands behind a number of ten thousands, and the rest of the amount: 1万2,800."""
_CROWNS: Final = {"sv": "SEK", "se": "SEK", "no": "NOK", "nb": "NOK", "nn": "NOK", "da": "DKK",
                  "dk": "DKK", "is": "ISK"}  # fmt: skip
_DOLLARS: Final = {"ca": "CAD", "au": "AUD", "nz": "NZD", "mx": "MXN", "sg": "SGD", "hk": "HKD",
                   "tw": "TWD", "ar": "ARS", "cl": "CLP", "co": "COP"}  # fmt: skip
_THREE_DECIMALS: Final = frozenset("BHD JOD KWD OMR TND".split())


@dataclass(frozen=True)
class Price:
    """A price, or a range of prices.

    Attributes:
        lowest: decimal string, such as ``1299.00``.
        highest: the same where it is no range.
        currency: ISO 4217 code; "" where none is given.
    """

    lowest: str
    highest: str
    currency: str = ""

    @property
    def amount(self) -> Decimal:
        """The lowest price as a number."""
        return Decimal(self.lowest)


def read_price(
    value: object, *, machine: bool = False, places: tuple[str, ...] = ()
) -> Price | None:
    """Return the first price in a value; None where there is none.

    Args:
        value: a text, or a number of JSON.
        machine: whether it was written for machines: a single point is a decimal point then.
        places: language and top-level domain of the page, by which "$" and "kr" are read.
    """
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    text = _digits(str(value)[:_LONGEST])
    if isinstance(value, int | float):
        text, machine = _plain(value), True
    found = list(_AMOUNT.finditer(text))
    currency = currency_of(text, places)
    amounts = [_amount_at(text, one, currency, machine=machine)[0] for one in found[:2]]
    if not amounts or not amounts[0]:
        return None
    first = amounts[0]
    if len(amounts) > 1 and amounts[1] and _RANGE.search(text, found[0].end(), found[1].start()):
        scaled = _SCALED.match(text, found[1].end())
        if scaled is not None and _SCALED.match(text, found[0].end()) is None:  # 12.9-15.6万
            first = f"{(Decimal(first) * _SCALES[scaled[1]]).normalize():f}"
        pair = sorted((first, amounts[1]), key=Decimal)
        return Price(pair[0], pair[1], currency)
    return Price(first, first, currency)


def visible_prices(text: str, places: tuple[str, ...] = ()) -> Iterator[Price]:
    """Yield the prices in a visible text whose currency stands beside them, in order."""
    text, end = _digits(text[:_LONGEST]), 0
    for found in _AMOUNT.finditer(text):
        if found.start() < end:
            continue
        before = text[max(found.start() - _NEAR, 0) : found.start()]
        _, end = _amount_at(text, found)
        currency = currency_of(f"{before} {text[end : end + _NEAR]}", places)
        plain, _ = _amount_at(text, found, currency)
        if currency and plain:
            yield Price(plain, plain, currency)


def amounts_in(text: str) -> Iterator[Decimal]:
    """Yield the amounts that a text may mean, each by both readings of a single separator."""
    text = _digits(text[:_LONGEST])
    for found in _AMOUNT.finditer(text):
        for machine in (False, True):
            if plain := amount(found[0], machine=machine):
                yield Decimal(plain)


def _amount_at(
    text: str, found: re.Match[str], currency: str = "", *, machine: bool = False
) -> tuple[str, int]:
    """Return the amount that begins at a number in a text, and where it ends: 3.5万, 1万2,800."""
    plain = amount(found[0], currency, machine=machine)
    scaled = _SCALED.match(text, found.end())
    if scaled is None or not plain:
        return plain, found.end()
    rest = int((scaled[2] or "0").replace(",", ""))
    whole = Decimal(plain) * _SCALES[scaled[1]] + rest
    return f"{whole.normalize():f}", scaled.end()


def amount(written: str, currency: str = "", *, machine: bool = False) -> str:
    """Return an amount as a decimal string; "" for what is none.

    Args:
        written: digits with separators.
        currency: its code, as far as it is known: some have three decimals.
        machine: whether a single point is a decimal point, whatever follows it.
    """
    parts = _SEPARATORS.sub("", written)
    mark = parts[max(parts.rfind("."), parts.rfind(","))] if set(parts) & {".", ","} else ""
    whole, _, decimals = parts.rpartition(mark) if mark else (parts, "", "")
    grouped = (
        mark
        and len(decimals) == _GROUP
        and currency not in _THREE_DECIMALS
        and not (machine and mark == ".")
        and whole.strip("0.,") != ""
        and not set(whole) & ({".", ","} - {mark})
    )
    if grouped or (mark and mark in whole):
        whole, decimals = whole + decimals, ""
    whole = whole.replace(".", "").replace(",", "").lstrip("0") or "0"
    if len(whole) > _LONGEST_AMOUNT or len(decimals) > _LONGEST_AMOUNT:
        return ""
    return f"{whole}.{decimals}" if decimals else whole


def currency_of(text: str, places: tuple[str, ...] = ()) -> str:
    """Return the ISO 4217 code of the first currency that a text names; "" for none.

    Args:
        text: a price, or what stands beside one.
        places: language and top-level domain of the page, by which "$", "¥" and "kr" are read.
    """
    words = _WORD.findall(text[:_LONGEST])
    bare = "".join(text[:_LONGEST].split())
    code = next((key for word in words if (key := word.rstrip(".")) in _CODES), "")
    if not code and ("$" in bare or not bare.isascii()):  # as each symbol
        code = next((code for symbol, code in _SYMBOLS.items() if symbol in bare), "")
    if code:
        return code
    if "$" in bare:
        return next((_DOLLARS[place] for place in places if place in _DOLLARS), "USD")
    if "¥" in bare or "￥" in bare:
        return "JPY" if {"ja", "jp"} & set(places) else "CNY"
    keys = [word.lower() for word in words]
    if {"kr", "kr."} & set(keys):
        return next((_CROWNS[place] for place in places if place in _CROWNS), "")
    return next((_WORDS[key] for key in keys if key in _WORDS), "")


def _plain(value: float) -> str:
    """Return a number of JSON without an exponent; "" for infinity and the like, and negatives."""
    number = Decimal(str(value))
    return f"{number:f}" if number.is_finite() and 0 <= number < 10**_LONGEST_AMOUNT else ""


def _digits(text: str) -> str:
    """Return a text with all decimal digits as those of ASCII."""
    if text.isascii():
        return text
    return "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)
