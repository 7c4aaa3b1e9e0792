"""How an output is scored against one labelled page, each measure as its source defines it.

- **Words**: bags of words with counts, averaged over pages: Foley 2026, «WCXB: A Multi-Type Web
  Content Extraction Benchmark», and the program published with its data.
- **Four words in a row**, with case, of scrapinghub's article-extraction-benchmark: a run of
  Chinese is one word, a text of fewer than four is one shingle.
- **ROUGE-L**: Lin 2004, «ROUGE: A Package for Automatic Evaluation of Summaries», section 3
  (beta = 1, on whole texts). Its precision is the «share» of layout-similarity, section 3.3, which
  doesn't say how it counts.
- **Five steps**: topic-information, section 4. People graded there: good is complete with
  practically no noise, fairly good complete with a little, medium complete with clearly less noise
  than content, or up to 20 % missing with a little noise, rather poor more of either, poor 50 %
  missing. Here recall and precision of words decide; only 20 % and 50 % are the source's figures.
- **Snippets** that must and must not appear, white space folded: Barbaresi 2021, «Trafilatura: A
  Web Scraping Library and Command-Line Tool for Text Discovery and Extraction», section 4.
"""

import re
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from chaffinch.evaluate.corpora import LabelledPage

_SINGLE = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Burmese
    (0x1100, 0x11FF),  # Hangul jamo
    (0x1780, 0x17FF),  # Khmer
    (0x3005, 0x303C),  # iteration marks and Hangzhou numerals
    (0x3040, 0x312F),  # Hiragana, Katakana, Bopomofo
    (0x31F0, 0x31FF),  # Katakana extensions
    (0x3400, 0x4DBF),  # Han extension A
    (0x4E00, 0x9FFF),  # Han
    (0xA960, 0xA97F),  # Hangul jamo extended A
    (0xAC00, 0xD7FF),  # Hangul syllables and jamo extended B
    (0xF900, 0xFAFF),  # Han compatibility
    (0x1B000, 0x1B16F),  # kana supplements
    (0x20000, 0x3FFFF),  # Han extensions B and later
)
_WORD = re.compile(r"\w+")
_SHINGLE = 4  # words; the source's own value
_LITTLE, _FIFTH, _HALF = 0.05, 0.2, 0.5  # shares of noise, and of what is missing


def _character_class(codes: Sequence[int]) -> str:
    """Return the inside of a regular expression's class for ascending code points."""
    ranges: list[list[int]] = []
    for code in codes:
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in ranges)


@cache
def _token_pattern() -> re.Pattern[str]:
    single: list[int] = []
    words: list[int] = []
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        if character.isalnum() or unicodedata.category(character) in {"Mn", "Mc"}:
            alone = any(low <= code <= high for low, high in _SINGLE)
            (single if alone else words).append(code)
    return re.compile(f"[{_character_class(single)}]|[{_character_class(words)}]+")


def tokenize(text: str) -> list[str]:
    """Return the words that texts are compared by: NFKC, case-folded, without punctuation.

    Scripts without spaces and Hangul, whose spacing varies between writers, give one token a
    character. Departures from WCXB's words, beside that: a combining mark belongs to its word, and
    an underscore separates.
    """
    return _token_pattern().findall(unicodedata.normalize("NFKC", text).casefold())


@dataclass(frozen=True)
class Score:
    """Precision, recall and their harmonic mean, each in 0..1."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, matched: float, extracted: float, gold: float) -> "Score":
        """Return the score for ``matched`` of ``extracted`` and ``gold`` units.

        Nothing extracted where nothing was to be found is a perfect score.
        """
        if not extracted and not gold:
            return cls(1.0, 1.0, 1.0)
        if not matched:
            return cls(0.0, 0.0, 0.0)
        return cls(matched / extracted, matched / gold, 2 * matched / (extracted + gold))


def word_score(extracted: Sequence[str], gold: Sequence[str]) -> Score:
    """Compare two token lists as bags."""
    matched = (Counter(extracted) & Counter(gold)).total()
    return Score.of(matched, len(extracted), len(gold))


def common_length(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the length of the longest common subsequence of two token lists.

    By the bit-parallel recurrence of Hyyrö 2004, «Bit-Parallel LCS-length Computation Revisited»:
    a row of the dynamic program is one long integer.
    """
    shared = set(first) & set(second)
    short, long = sorted(
        ([t for t in first if t in shared], [t for t in second if t in shared]), key=len
    )
    places: defaultdict[str, int] = defaultdict(int)
    for at, token in enumerate(short):
        places[token] |= 1 << at
    row = everything = (1 << len(short)) - 1
    for token in long:
        hits = row & places[token]
        row = ((row + hits) | (row - hits)) & everything
    return len(short) - row.bit_count()


def rouge_l(extracted: Sequence[str], gold: Sequence[str]) -> Score:
    """Return precision, recall and F1 of the longest common subsequence of two token lists."""
    return Score.of(common_length(extracted, gold), len(extracted), len(gold))


def shingles(words: Sequence[str]) -> Counter[tuple[str, ...]]:
    """Return each four words in a row with how often they stand; fewer are one shingle."""
    starts = range(max(1, len(words) - _SHINGLE + 1)) if words else ()
    return Counter(tuple(words[start : start + _SHINGLE]) for start in starts)


def grade(words: Score) -> int:
    """Return the step, from 1 (good) to 5 (poor), for the word score of one page."""
    # Rounded, so that a precision of 0.95 is a noise of 0.05 and not of 0.05000000000000004.
    noise, missing = round(1 - words.precision, 9), round(1 - words.recall, 9)
    if missing >= _HALF:
        return 5
    if missing > _FIFTH:
        return 4
    if missing > _LITTLE:
        return 3 if noise <= _FIFTH else 4
    steps = (_LITTLE, _FIFTH, 1 / 3, 1)
    return next(step for step, most in enumerate(steps, 1) if noise <= most)


def score_page(extracted: str, page: LabelledPage, gold: Sequence[str]) -> dict[str, float]:
    """Return what one output adds to the figures; what isn't named adds 0.

    Args:
        extracted: the output.
        page: the labels.
        gold: the tokens of the page's labelled text (they are the same for every extractor).
    """
    found: dict[str, float] = {}
    if page.gold_text is not None:
        tokens = tokenize(extracted)
        words, order = word_score(tokens, gold), rouge_l(tokens, gold)
        ours, theirs = shingles(_WORD.findall(extracted)), shingles(_WORD.findall(page.gold_text))
        matched = (ours & theirs).total()
        found = {
            "gold": 1,
            "word_precision": words.precision,
            "word_recall": words.recall,
            "word_f1": words.f1,
            "rouge_l": order.f1,
            "share": order.precision,
            "good": grade(words) in {1, 2},
        }
        if ours:
            found |= {"with_output": 1, "shingle_precision": matched / ours.total()}
        if theirs:
            found |= {"with_gold": 1, "shingle_recall": matched / theirs.total()}
    if page.wanted or page.unwanted:
        text = " ".join(extracted.split())
        hits, noise = (
            sum(" ".join(snippet.split()) in text for snippet in some)
            for some in (page.wanted, page.unwanted)
        )
        found |= {"hits": hits, "noise": noise, "missed": len(page.wanted) - hits}
        found["right"] = (hits + len(page.unwanted) - noise) / len(page.wanted + page.unwanted)
    return found
