"""Keywords of a text by its own statistics, without a model, a corpus or a list of topics.

Source: R. Campos et al., "YAKE! Keyword extraction from single documents using multiple local
features", Information Sciences 509 (2020), sections 3.2 to 3.4: case, position, frequency, the
number of different neighbours, and the spread over sentences weigh each word; a phrase of up to
three words by the product of its words' weights. Departures:

- Function words of eighteen languages (`chaffinch.metadata.language`, `function_words.json`) stand
  in no phrase; in others the number of different neighbours weighs against them, as in the source.
- Phrases that share most of their words with a better one are left out, in place of an edit
  distance.
- The source cuts at white space. Of text without it (Han, kana, Thai and others) strings of two to
  eight characters that repeat are weighed. What marks a word, not a part of one or two halves, is
  what stands beside it: different neighbours, ends of runs and function words on both sides
  (Z. Harris, "From phoneme to morpheme", Language 31, 1955). A logistic regression weighs these
  with how often it stands there, whether the title has it, and its length.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from math import exp, log, prod
from statistics import median
from typing import Final

from chaffinch.metadata.language import WORDS
from chaffinch.output.text import sentence_ends
from chaffinch.page_work import checked
from chaffinch.storage import read_json

MOST_CHARACTERS: Final = 100_000
"""Characters of a text that are read: the statistics of a longer one are the same."""
_LONGEST: Final = 3
"""Words of a phrase; the source's choice."""
_SHORTEST_WORD: Final = 3
_MOST_SHARED: Final = 0.5
"""Share of a phrase's words, or of a string's characters, that a better one may have."""
_TOKEN: Final = re.compile(r"[^\W_]++(?>(?:['’.-][^\W_]++)*)|[^\w\s]")


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
    if 2 * sum(map(len, runs_of(whole))) > sum(map(str.isalpha, whole)):
        strings = candidates(title, text)
        found = [Keyword(one.text, one.score, one.count) for one in strings]
        return distinct(sorted(found, key=lambda one: (-one.score, one.text)), most)
    sentences = [tokens for line in whole.split("\n") for tokens in _sentences(line)]
    return distinct(_phrases(sentences, stop_words(language)), most)


@cache
def stop_words(language: str) -> frozenset[str]:
    """Return the function words of a language, or of all known ones where it isn't known."""
    file = resources.files(__package__).joinpath("function_words.json")
    further: dict[str, str] = read_json(file.read_bytes())
    chosen = [language] if language else sorted({*WORDS, *further})
    lists = [lists.get(code, "") for code in chosen for lists in (WORDS, further)]
    return frozenset(word for one in lists for word in one.split())


def _sentences(line: str) -> Iterator[list[str]]:
    begin = 0
    for end in (*sentence_ends(line), len(line)):
        if tokens := _TOKEN.findall(line, begin, end):
            yield tokens
        begin = end


def _phrases(sentences: list[list[str]], stop: frozenset[str]) -> list[Keyword]:
    weights = _weights(sentences)
    spellings: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for tokens in checked(sentences, every=256):
        run: list[str] = []
        for token in tokens:
            plain = token.lower().replace("’", "'")
            if len(token) < _SHORTEST_WORD or plain in stop or token[0].isdigit():
                run = []
                continue
            run = [*run[1 - _LONGEST :], token]
            for size in range(1, len(run) + 1):
                spelled = " ".join(run[-size:])
                spellings[tuple(spelled.lower().split(" "))][spelled] += 1
    out = []
    for key, known in spellings.items():
        count = known.total()
        own = [weights[word] for word in key]
        score = prod(own) / (count * (1 + sum(own)))
        out.append(Keyword(max(known, key=known.__getitem__), 1 / (score + 1e-9), count))
    return sorted(out, key=lambda one: -one.score)


def _weights(sentences: list[list[str]]) -> dict[str, float]:
    """Return the weight S(w) of each word in lower case; the lower, the more telling."""
    counts, capitals, acronyms = Counter[str](), Counter[str](), Counter[str]()
    left: dict[str, Counter[str]] = defaultdict(Counter)
    right: dict[str, Counter[str]] = defaultdict(Counter)
    places: dict[str, set[int]] = defaultdict(set)
    for number, tokens in enumerate(checked(sentences, every=256)):
        before = ""
        for at, token in enumerate(tokens):
            low = token.lower() if token[0].isalnum() else ""
            if low:
                counts[low] += 1
                acronyms[low] += token.isupper() and len(token) > 1
                capitals[low] += bool(at) and token[0].isupper()
                places[low].add(number)
                if before:
                    left[low][before] += 1
                    right[before][low] += 1
            before = low
    if not counts:
        return {}
    mean, highest = counts.total() / len(counts), max(counts.values())
    deviation = (sum((one - mean) ** 2 for one in counts.values()) / len(counts)) ** 0.5
    out = {}
    for low, count in counts.items():
        sides = [len(side[low]) / side[low].total() for side in (left, right) if low in side]
        relation = 1 + sum(sides) * count / highest
        position = log(log(3 + median(places[low])))
        case = max(capitals[low], acronyms[low]) / (1 + log(count))
        spread = count / (mean + deviation) + len(places[low]) / len(sentences)
        out[low] = relation * position / (case + spread / relation)
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


_LONGEST_STRING: Final = 8
_LEAST_REPEATED: Final = 2
_RUN: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]++"
)
_FUNCTION: Final = frozenset(
    "的了是在和与也就都而及着或一不没有我你他她它们这那个为以于对从到把被让给上下中并但其将之所"
    "はがをにでとものかられてしまいうなるだけよ"
)
"""Characters that are mostly function words, or parts of them."""

WEIGHTS: Final = {
    "count": 3.749,
    "count in a long text": -0.489,
    "in the title": 1.577,
    "of two": -0.455,
    "of three": 0.624,
    "of four": 0.676,
    "left neighbours": 0.895,
    "right neighbours": 0.632,
    "ends": 0.715,
    "function characters at its ends": -1.307,
    "constant": -6.226,
}
"""Feature of a `Candidate` → its weight: fitted by `python -m training.keywords --fit` on what
Chinese pages declare as their keywords."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A string that may be a keyword."""

    text: str
    count: int  # at how many places it stands, overlapping ones included
    features: tuple[float, ...]  # values in the order of `WEIGHTS`

    @property
    def score(self) -> float:
        """The probability, in 0..1, that the page would declare it, as far as `WEIGHTS` know."""
        return 1 / (1 + exp(-sum(map(float.__mul__, WEIGHTS.values(), self.features))))


def runs_of(text: str) -> list[str]:
    return _RUN.findall(text)


def candidates(title: str, text: str) -> list[Candidate]:
    """Return the strings that repeat in title and text, in no order that means anything.

    Only those with two different neighbours or more on either side: others are parts of longer
    ones.
    """
    titled = runs_of(title)
    runs = [*titled, *runs_of(text)]
    counts, places = _repeated(runs)
    total = sum(map(len, runs))
    out = []
    for one, found in places.items():
        size, count = len(one), counts[one]
        # The end of a run is a neighbour that no other run has.
        left = [runs[run][at - 1] if at else str(run) for run, at in found]
        right = [runs[run][at + size : at + size + 1] or str(run) for run, at in found]
        if min(len({*left}), len({*right})) < _LEAST_REPEATED or _FUNCTION.issuperset(one):
            continue
        ends = [sum(n in _FUNCTION or n.isascii() for n in side) for side in (left, right)]
        features = (
            log(count),
            log(count) * log(total),
            float(any(run < len(titled) for run, _ in found)),
            *(float(size == wanted) for wanted in (2, 3, 4)),
            log(len({*left})),
            log(len({*right})),
            min(ends) / count,
            float((one[0] in _FUNCTION) + (one[-1] in _FUNCTION)),
            1.0,
        )
        out.append(Candidate(one, count, features))
    return out


def _repeated(runs: list[str]) -> tuple[Counter[str], dict[str, list[tuple[int, int]]]]:
    """Return how often characters and repeated strings stand in runs, and (run, place) of these."""
    counts = Counter(character for run in runs for character in run)
    places: dict[str, list[tuple[int, int]]] = defaultdict(list)
    alive = [(number, at) for number, run in enumerate(runs) for at in range(len(run))]
    for size in range(2, _LONGEST_STRING + 1):
        found = [
            (number, at, runs[number][at : at + size])
            for number, at in checked(alive, every=4_096)
            if at + size <= len(runs[number])
            and counts[runs[number][at : at + size - 1]] >= _LEAST_REPEATED
        ]
        counts.update(text for *_, text in found)
        alive = []
        for number, at, text in found:
            if counts[text] >= _LEAST_REPEATED:
                places[text].append((number, at))
                alive.append((number, at))
    return counts, places
