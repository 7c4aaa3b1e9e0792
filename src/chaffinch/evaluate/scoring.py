"""How an output is scored against one labelled page, each measure as its source defines it.

- **Words**: bags of words with counts, averaged over pages: Foley 2026, «WCXB: A Multi-Type Web
  Content Extraction Benchmark», and the program published with its data.
- **Four words in a row**, with case, of scrapinghub's article-extraction-benchmark: a run of
  Chinese is one word, a text of fewer than four is one shingle.
- **ROUGE-L**: Lin 2004, «ROUGE: A Package for Automatic Evaluation of Summaries», section 3
  (beta = 1, on whole texts). Its precision is the «share» of layout-similarity, section 3.3, which
  doesn't say how it counts.
- **Good**: topic-information, section 4, where people graded in five steps: good is complete with
  practically no noise, fairly good complete with a little. Here recall and precision of words
  decide, and both are «good»; the bounds are ours.
- **Noise blocks**: same-layer-similarity, section 5: visual blocks that are noise and are dropped.
  A block is either where less than half of its text, by runs of eight characters without white
  space, stands in the labelled content, or in the output.
- **Snippets** that must and must not appear, white space folded: Barbaresi 2021, «Trafilatura: A
  Web Scraping Library and Command-Line Tool for Text Discovery and Extraction», section 4.
"""

import re
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache
from itertools import groupby
from operator import and_
from typing import NamedTuple

from chaffinch.errors import PageError
from chaffinch.evaluate.corpora import LabelledPage
from chaffinch.page import parse
from chaffinch.segment.vips import Vips

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
_RUN, _HALF = 8, 0.5  # characters of a run of a block's text; its share
_MOST_MISSING, _MOST_NOISE = 0.05, 0.2  # of a good page, as shares of words


@cache
def _token_pattern() -> re.Pattern[str]:
    classes = {True: "", False: ""}

    def kind(code: int) -> bool | None:
        """Return whether a character is a token by itself; None for one that is of no word."""
        is_mark = unicodedata.category(chr(code)) in {"Mn", "Mc"}
        if chr(code).isalnum() or is_mark:
            return any(low <= code <= high for low, high in _SINGLE)
        return None

    for is_single, run in groupby(range(sys.maxunicode + 1), kind):
        if is_single is not None:
            codes = list(run)
            classes[is_single] += f"\\U{codes[0]:08x}-\\U{codes[-1]:08x}"
    return re.compile(f"[{classes[True]}]|[{classes[False]}]+")


def tokenize(text: str) -> list[str]:
    """Return the words that texts are compared by: NFKC, case-folded, without punctuation.

    Scripts without spaces and Hangul, whose spacing varies between writers, give one token a
    character. Departures from WCXB's words, beside that: a combining mark belongs to its word, and
    an underscore separates.
    """
    return _token_pattern().findall(unicodedata.normalize("NFKC", text).casefold())


class Score(NamedTuple):
    """Precision, recall and their harmonic mean, each in 0..1."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, matched: float, extracted: float, gold: float) -> "Score":
        """Return the score for ``matched`` of ``extracted`` and ``gold`` units.

        Nothing extracted where nothing was to be found is a perfect score.
        """
        if not matched:
            return cls(1.0, 1.0, 1.0) if not extracted and not gold else cls(0.0, 0.0, 0.0)
        return cls(matched / extracted, matched / gold, 2 * matched / (extracted + gold))


def word_score(extracted: Sequence[str], gold: Sequence[str]) -> Score:
    """Compare two token lists as bags."""
    matched = (Counter(extracted) & Counter(gold)).total()
    return Score.of(matched, len(extracted), len(gold))


def rouge_l(extracted: Sequence[str], gold: Sequence[str]) -> Score:
    """Return precision, recall and F1 of the longest common subsequence of two token lists.

    Its length by the bit-parallel recurrence of Hyyrö 2004, «Bit-Parallel LCS-length Computation
    Revisited»: a row of the dynamic program is one long integer.
    """
    shared = set(extracted) & set(gold)
    short, long = sorted(([t for t in one if t in shared] for one in (extracted, gold)), key=len)
    places: defaultdict[str, int] = defaultdict(int)
    for at, token in enumerate(short):
        places[token] |= 1 << at
    row = everything = (1 << len(short)) - 1
    for token in long:
        hits = row & places[token]
        row = ((row + hits) | (row - hits)) & everything
    return Score.of(len(short) - row.bit_count(), len(extracted), len(gold))


def shingles(words: Sequence[str]) -> Counter[tuple[str, ...]]:
    """Return each four words in a row with how often they stand; fewer are one shingle."""
    starts = range(max(1, len(words) - _SHINGLE + 1)) if words else ()
    return Counter(tuple(words[start : start + _SHINGLE]) for start in starts)


def visual_blocks(page: LabelledPage) -> list[str]:
    """Return the texts of the visual blocks of a labelled page, without white space, none empty."""
    try:
        blocks = Vips()(parse(page.html, url=page.url))
    except PageError:
        return []
    texts = ("".join(blocks.text(leaf).split()) for leaf in blocks.leaves.tolist())
    return [text for text in texts if text]


def lacks(blocks: Sequence[str], text: str) -> list[bool]:
    """Return of each block whether less than half of it stands in a text."""
    whole = "".join(text.split())
    known = {whole[at : at + _RUN] for at in range(len(whole))}
    found = []
    for block in blocks:
        runs = [block[at : at + _RUN] for at in range(max(len(block) - _RUN + 1, 1))]
        held = (block in whole,) if len(block) < _RUN else (run in known for run in runs)
        found.append(sum(held) < _HALF * len(runs))
    return found


def score_page(
    extracted: str, page: LabelledPage, gold: Sequence[str], blocks: Sequence[str] = ()
) -> dict[str, float]:
    """Return what one output adds to the figures; what isn't named adds 0.

    Args:
        extracted: the output.
        page: the labels.
        gold: the tokens of the page's labelled text (they are the same for every extractor).
        blocks: the page's `visual_blocks` (likewise).
    """
    found: dict[str, float] = {}
    if page.gold_text is not None:
        tokens = tokenize(extracted)
        words, order = word_score(tokens, gold), rouge_l(tokens, gold)
        ours, theirs = shingles(_WORD.findall(extracted)), shingles(_WORD.findall(page.gold_text))
        matched = (ours & theirs).total()
        # Rounded, so that a precision of 0.8 is a noise of 0.2 and not a little more.
        missing, noise = round(1 - words.recall, 9), round(1 - words.precision, 9)
        found = {
            "gold": 1,
            "word_precision": words.precision,
            "word_recall": words.recall,
            "word_f1": words.f1,
            "rouge_l": order.f1,
            "share": order.precision,
            "good": missing <= _MOST_MISSING and noise <= _MOST_NOISE,
        }
        if ours:
            found |= {"with_output": 1, "shingle_precision": matched / ours.total()}
        if theirs:
            found |= {"with_gold": 1, "shingle_recall": matched / theirs.total()}
        noise_blocks, dropped = lacks(blocks, page.gold_text), lacks(blocks, extracted)
        found |= {
            "noise_found": sum(map(and_, noise_blocks, dropped)),
            "noise_blocks": sum(noise_blocks),
            "dropped_blocks": sum(dropped),
        }
    if page.wanted or page.unwanted:
        text = " ".join(extracted.split())
        hits, unwanted = (
            sum(" ".join(snippet.split()) in text for snippet in some)
            for some in (page.wanted, page.unwanted)
        )
        found |= {"hits": hits, "noise": unwanted, "missed": len(page.wanted) - hits}
    return found
