"""Keywords of a text by its own statistics, without a model, a corpus or a list of topics.

Source: R. Campos et al., "YAKE! Keyword extraction from single documents using multiple local
features", Information Sciences 509 (2020), sections 3.2 to 3.4: case, position, frequency, the
number of different neighbours, and the spread over sentences weigh each word; a phrase of up to
three words by the product of its words' weights. Departures:

- Function words of eighteen languages (`chaffinch.metadata.language`, `function_words`) stand
  in no phrase; in others the number of different neighbours weighs against them, as in the source.
- Phrases that share most of their words with a better one are left out, in place of an edit
  distance.
- The source cuts at white space. Of scripts without it (Han, kana, Thai and others) strings that
  repeat are weighed (`chaffinch.reading.unspaced_keywords`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from math import log
from statistics import median
from typing import TYPE_CHECKING, Final

from chaffinch.metadata.language import WORDS
from chaffinch.output.sentences import sentence_ends
from chaffinch.page_work import checked
from chaffinch.reading import unspaced_keywords
from chaffinch.reading.function_words import FURTHER

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_CHARACTERS: Final = 100_000
"""Characters of a text that are read: the statistics of a longer one are the same."""
_LONGEST: Final = 3
"""Words of a phrase; the source's choice."""
_SHORTEST_WORD: Final = 3
_MOST_SHARED: Final = 0.5
"""Share of a phrase's words, or of a string's characters, that a better one may have."""
_TOKEN: Final = re.compile(r"[^\W_]++(?:['’.-][^\W_]++)*+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword of a text.

    Attributes:
        text: as it is written most often.
        score: above 0; the highest fits the text best. Scores of two texts don't
            compare.
        count: how often it stands there.
    """

    text: str
    score: float
    count: int


@dataclass(slots=True)
class _Word:
    """What is counted of a word, all its spellings together."""

    count: int = 0
    capitals: int = 0
    acronyms: int = 0


def keywords(text: str, language: str = "", *, title: str = "", most: int = 10) -> list[Keyword]:
    """Return the keywords of a text, the most telling first.

    Args:
        text: of any language; lines end sentences.
        language: primary subtag of BCP 47, whose function words are known; "" for unknown.
        title: of the text.
        most: how many.
    """
    title, text = title[:MOST_CHARACTERS], text[:MOST_CHARACTERS]
    whole = f"{title}\n{text}"
    if 2 * sum(map(len, unspaced_keywords.runs_of(whole))) > sum(map(str.isalpha, whole)):
        strings = unspaced_keywords.candidates(title, text)
        found = [Keyword(one.text, one.score, one.count) for one in strings]
        return distinct(sorted(found, key=lambda one: (-one.score, one.text)), most)
    sentences = [tokens for line in whole.split("\n") for tokens in _sentences(line)]
    return distinct(_phrases(sentences, _stop_words(language)), most)


@cache
def _stop_words(language: str) -> frozenset[str]:
    """Return the function words of a language, or of all known ones where it isn't known."""
    chosen = [language] if language else sorted({*WORDS, *FURTHER})
    lists = [lists.get(code, "") for code in chosen for lists in (WORDS, FURTHER)]
    return frozenset(word for one in lists for word in one.split())


def _sentences(line: str) -> Iterator[list[str]]:
    """Yield the sentences of a line as words and marks."""
    begin = 0
    for end in (*sentence_ends(line), len(line)):
        if tokens := _TOKEN.findall(line, begin, end):
            yield tokens
        begin = end


def _phrases(sentences: list[list[str]], stop: frozenset[str]) -> list[Keyword]:
    """Return all candidates with their scores, the best first."""
    weights = _weights(sentences)
    spellings: dict[tuple[str, ...], dict[str, int]] = defaultdict(dict)
    for tokens in checked(sentences, every=256):
        run: list[str] = []
        lows: list[str] = []
        for token in tokens:
            low = token.lower()
            if not _may_stand(low, stop):
                run, lows = [], []
                continue
            run, lows = [*run[1 - _LONGEST :], token], [*lows[1 - _LONGEST :], low]
            for size in range(1, len(run) + 1):
                known, spelled = spellings[(*lows[-size:],)], " ".join(run[-size:])
                known[spelled] = known.get(spelled, 0) + 1
    out = []
    for key, known in spellings.items():
        count = sum(known.values())
        own = [weights[word] for word in key]
        product = 1.0
        for one in own:
            product *= one
        score = product / (count * (1 + sum(own)))
        out.append(Keyword(max(known, key=known.__getitem__), 1 / (score + 1e-9), count))
    return sorted(out, key=lambda one: -one.score)


def _may_stand(word: str, stop: frozenset[str]) -> bool:
    plain = word.replace("’", "'")
    return len(word) >= _SHORTEST_WORD and plain not in stop and not word[0].isdigit()


def _weights(sentences: list[list[str]]) -> dict[str, float]:
    """Return the weight S(w) of each word in lower case; the lower, the more telling."""
    words: dict[str, _Word] = defaultdict(_Word)
    left: dict[str, dict[str, int]] = defaultdict(dict)
    right: dict[str, dict[str, int]] = defaultdict(dict)
    places: dict[str, set[int]] = defaultdict(set)
    for number, tokens in enumerate(checked(sentences, every=256)):
        before = ""
        for at, token in enumerate(tokens):
            low = token.lower() if token[0].isalnum() else ""
            if low:
                one = words[low]
                one.count += 1
                one.acronyms += token.isupper() and len(token) > 1
                one.capitals += bool(at) and token[0].isupper()
                places[low].add(number)
                if before:
                    own, next_ = left[low], right[before]
                    own[before] = own.get(before, 0) + 1
                    next_[low] = next_.get(low, 0) + 1
            before = low
    if not words:
        return {}
    amounts = [one.count for one in words.values()]
    mean, highest = sum(amounts) / len(amounts), max(amounts)
    spread = (sum((one - mean) ** 2 for one in amounts) / len(amounts)) ** 0.5
    out = {}
    for low, one in words.items():
        beside = [side[low] for side in (left, right) if low in side]
        sides = [len(own) / sum(own.values()) for own in beside]
        relation = 1 + sum(sides) * one.count / highest
        position = log(log(3 + median(places[low])))
        case = max(one.capitals, one.acronyms) / (1 + log(one.count))
        frequency = one.count / (mean + spread)
        sentence_share = len(places[low]) / len(sentences)
        out[low] = relation * position / (case + (frequency + sentence_share) / relation)
    return out


def distinct(ranked: list[Keyword], most: int) -> list[Keyword]:
    """Return the best keywords, none of which repeats a better one."""
    out: list[Keyword] = []
    taken: list[frozenset[str]] = []
    for one in ranked:
        if len(out) == most:
            break
        parts = frozenset(one.text.lower().split() if " " in one.text else [one.text.lower()])
        if any(_shares(one.text, parts, other.text, known)
               for other, known in zip(out, taken, strict=True)):  # fmt: skip
            continue
        out.append(one)
        taken.append(parts)
    return out


def _shares(text: str, parts: frozenset[str], better: str, known: frozenset[str]) -> bool:
    shared = len(parts & known) / min(len(parts), len(known))
    return shared > _MOST_SHARED or text.lower() in better.lower() or better.lower() in text.lower()
