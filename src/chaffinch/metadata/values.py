"""Values of fields with their provenance, the choice among candidates, and strings from pages.

A candidate's weight is the probability that its source is right if no other source gives a value.
Sources of one family (all metas, all JSON-LD) copy one another, so that a family counts once, by
its heaviest candidate; families are taken as independent and combined by noisy-or.
"""

from __future__ import annotations

import html
import json
import re
import unicodedata
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from itertools import chain, islice, pairwise
from math import prod
from operator import attrgetter
from typing import Any, Final, Generic, NamedTuple, TypeVar

from chaffinch.page.urls import split_url
from chaffinch.page.visibility import visible

T_co = TypeVar("T_co", covariant=True)

WORDS: Final[dict[str, Any]] = json.loads(
    resources.files(__package__).joinpath("words.json").read_bytes()
)
"""Words by what they are for, those of one list with "|" between them."""
METAS: Final[dict[str, dict[str, float]]] = WORDS["metas"]
"""Field → metas, each with the probability that it alone is right."""


def word_set(name: str) -> frozenset[str]:
    return frozenset(WORDS[name].split("|"))


@dataclass(frozen=True)
class FieldValue(Generic[T_co]):
    """A value and where it came from.

    Attributes:
        value: the value.
        source: what gave it, such as ``json-ld:NewsArticle.headline`` or ``meta:og:title``.
        row: the row of the page that gave it; -1 for the page's address.
        confidence: 0..1, how well the page's own sources support it; no probability.
        agreeing: other sources that give the same value.
    """

    value: T_co
    source: str
    row: int
    confidence: float
    agreeing: tuple[str, ...] = ()


class Contributor(NamedTuple):
    """Somebody who isn't the author.

    Attributes:
        role: "editor", "translator", "photographer", "illustrator", "reviewer" or "contributor".
        name: as the page writes it.
    """

    role: str
    name: str


class FieldCandidate(NamedTuple):
    """A value from one source: values with an equal ``key`` are the same; ``weight`` is in 0..1."""

    value: Any
    key: Hashable
    source: str
    row: int
    weight: float


_WEIGHT: Final = attrgetter("weight")
_MOST_GROUPS: Final = 40  # values of one field that are compared; pages have fewer than 10


def choose_value(
    candidates: Iterable[FieldCandidate],
    alike: Callable[[Any, Any], float] | None = None,
    *,
    copies: Sequence[str] = (),
) -> FieldValue[Any] | None:
    """Return the value on which the sources agree best, the first of equal ones; None for none.

    ``alike`` says how far the second of two different keys supports the first, 0..1; ``copies`` are
    families that copy one another for this field and count as one.
    """
    known = [*candidates]
    if len(known) == 1:  # as in the other case, to the last bit
        (one,) = known
        return FieldValue(one.value, one.source, one.row, round(1.0 - (1.0 - one.weight), 3))
    if not known:
        return None
    weights = _families(known, copies)
    if alike is not None and len(weights) > 1:
        weights = _with_support(weights, alike)
    scores = {key: 1.0 - prod([1.0 - w for w in own.values()]) for key, own in weights.items()}
    chosen = max(scores, key=scores.__getitem__)
    group = [one for one in known if one.key == chosen]
    best = max(group, key=_WEIGHT)
    agreeing = dict.fromkeys([one.source for one in group if one.source != best.source])
    return FieldValue(best.value, best.source, best.row, round(scores[chosen], 3), tuple(agreeing))


def _families(
    known: list[FieldCandidate], copies: Sequence[str]
) -> dict[Hashable, dict[str, float]]:
    """Return of each of the first keys the heaviest weight of each family of sources.

    That is the part of a source before the colon.
    """
    out: dict[Hashable, dict[str, float]] = {}
    for one in known:
        family = one.source.partition(":")[0]
        family = copies[0] if family in copies else family
        own = out.setdefault(one.key, {})
        own[family] = max(one.weight, own.get(family, 0.0))
    return out if len(out) <= _MOST_GROUPS else dict(islice(out.items(), _MOST_GROUPS))


def _with_support(
    weights: dict[Hashable, dict[str, float]], alike: Callable[[Any, Any], float]
) -> dict[Hashable, dict[str, float]]:
    """Return the weights of each key's families, raised by those of keys that support it."""
    out: dict[Hashable, dict[str, float]] = {}
    for key, own in weights.items():
        combined = out[key] = own.copy()
        for other, theirs in weights.items():
            share = 0.0 if other == key else alike(key, other)
            for family, weight in theirs.items() if share else ():
                combined[family] = max(weight * share, combined.get(family, 0.0))
    return out


def shared(key: tuple[str, ...], other: tuple[str, ...]) -> float:
    """Return how far one list of names supports another: Jaccard index, 0..1."""
    both = len(set(key) & set(other))
    return both / len(set(key) | set(other)) if both else 0.0


LONGEST_TEXT: Final = 2_000  # characters of a value that are used; titles and names are far shorter
LONGEST_READ: Final = 2 * LONGEST_TEXT  # characters of a text of the page, with its white space
_MARKUP: Final = re.compile(r"</?[A-Za-z][^<>]{0,500}>|<!--[^<>]{0,500}-->")
_CONTROL: Final = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060\ufeff\ufffd\ue000-\uf8ff]+"
)
FIRST_HAN: Final = "\u3400"
FIRST_WITHOUT_CASE: Final = "\u0590"  # Hebrew; scripts before it have case, most behind it none
_NOT_ALPHANUMERIC: Final = re.compile(r"[\W_]+")
_ASCII_NOT_ALPHANUMERIC: Final = {code: None for code in range(128) if not chr(code).isalnum()}


def clean(value: object) -> str:
    """Return ``value`` as one line of text; "" for anything that isn't a string.

    Character references are resolved (pages often escape them twice) and tags taken out.
    """
    if not isinstance(value, str):
        return ""
    text = value[:LONGEST_TEXT]
    if "&" in text:
        text = html.unescape(html.unescape(text))
    if "<" in text:
        text = _MARKUP.sub(" ", text)
    return one_line(visible(text))


def one_line(text: str) -> str:
    """Return text of the page as one line, without control characters and icons of fonts."""
    line = " ".join(text[:LONGEST_READ].split())
    return line if line.isprintable() else " ".join(_CONTROL.sub(" ", visible(line)).split())


def joined(texts: Iterable[str]) -> str:
    """Return neighbouring texts as one line, with a space where letters without case meet.

    In other scripts pages write that space themselves, or a capital begins the second text.
    """
    own = list(texts)
    if (line := "".join(own)).isascii() or len(own) == 1:
        return one_line(line)
    line = ""
    for text in own:
        meet = min(line[-1:], text[:1]) >= FIRST_WITHOUT_CASE
        line += f" {text}" if meet else text
        if len(line) > LONGEST_READ:
            break
    return one_line(line)


def places_of(word: str, text: str, start: int, stop: int) -> Iterator[int]:
    """Yield where a word stands in text[start:stop], in order."""
    at = text.find(word, start, stop)
    while at >= 0:
        yield at
        at = text.find(word, at + len(word), stop)


def path_of(url: str) -> str:
    """Return the path of an address, "/" where it has none; "" for no address."""
    parts = split_url(url) if url else None
    return (parts.path or "/") if parts else ""


@lru_cache(maxsize=256)
def fold(text: str) -> str:
    """Return the key by which strings are compared: letters and digits, case and width folded."""
    if text.isascii():
        return text.lower().translate(_ASCII_NOT_ALPHANUMERIC)
    return _NOT_ALPHANUMERIC.sub("", unicodedata.normalize("NFKC", text).casefold())


# Titles: ``Title - Site``, ``标题_网站``, ``Site | Section | Title``.
_CJK: Final = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff00-\uffef"
_SEPARATOR: Final = re.compile(
    rf"(?=[\s｜|丨ㅣ_—-])(?:(?<![\s:：])\s++[|\-–—―‐•·»«›‹:/⁄<>~*⋅∙⋆★]+\s+|(?:(?<!\s)\s++)?(?:(?>(?:[｜|丨ㅣ]|(?<![a-z0-9])_|_(?![a-z0-9])){{1,3}})|——|--)\s*"
    rf"|(?<=[{_CJK}])-|-(?=[{_CJK}])|(?<!\s)\s++::\s+|(?<!\s)\s++»)"
)
_WORD: Final = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+")
SOFT: Final = re.compile(
    r":\s+|：|[—–·・•»]|>>|》(?!《)|(?<=\S)-(?=[^\Wa-z][^-]*\Z)|(?<=\s)-(?=\w)|\s(?:@|on(?=\s+[A-Z]))\s+"
)
"""What parts a title only where a part names the site: a colon, the last hyphen, "on", "@"."""
_SITE: Final = re.compile(WORDS["names of Chinese sites"])
HOST: Final = re.compile(
    r"\A(?:www\.[\w-]+(?:\.[\w-]+)+"
    rf"|(?!asp\.)[\w-]+(?:\.[\w-]+)*\.(?:{WORDS['top-level domains']}))",
    re.IGNORECASE,
)
"""The name of a host, as a part of a title that names the site: "CAIJING.COM.CN"."""
SHORTEST_TITLE: Final = 8  # letters before a part that may be a section
_LONG_WORD: Final = re.compile(r"[\u2e80-\ud7ff\uf900-\ufaff]{2,}|[^\W_]{4,}")


@lru_cache(maxsize=256)
def cuts(text: str, pattern: re.Pattern[str] = _SEPARATOR) -> tuple[tuple[int, int], ...]:
    """Return the start and end of each separator of a title, the first seven.

    Cached: a page repeats its title, and many rules use its parts.
    """
    spans = (m.span() for m in pattern.finditer(text) if m.start() and m.end() < len(text))
    return tuple(islice(spans, 7))


def places_of_parts(text: str) -> list[tuple[int, int]]:
    """Return where the parts of a title between separators such as ``|`` and `` - `` stand."""
    edges = [0, *chain.from_iterable(cuts(text)), len(text)]
    return list(zip(edges[::2], edges[1::2], strict=True))


@lru_cache(maxsize=256)
def split_title(text: str) -> tuple[str, ...]:
    return tuple([text[start:stop] for start, stop in places_of_parts(text)])


def runs(text: str) -> list[str]:
    """Return the parts of a title, and all runs of neighbouring parts, the whole title included."""
    parts = places_of_parts(text)
    return [text[start:stop] for at, (start, _) in enumerate(parts) for _, stop in parts[at:]]


def named_like_site(part: str) -> bool:
    """Return whether a part of a title is written like the name of a Chinese site: 新华网."""
    return len(part) <= 2 * SHORTEST_TITLE and _SITE.fullmatch(part) is not None


@lru_cache(maxsize=64)
def words_of(text: str) -> frozenset[str]:
    """Return the different words of a title; of Han letters and kana, the letters."""
    return frozenset(_WORD.findall(text.casefold()))


def title_words(title: str) -> list[str]:
    """Return the words of a title: from 4 letters on, or pairs of CJK characters; 30 at most."""
    words: dict[str, None] = {}
    for word in _LONG_WORD.findall(title.lower()):
        pairs = [word] if word[0] < "\u2e80" else map("".join, pairwise(word))
        words |= dict.fromkeys(pairs)
    return list(words)[:30]
