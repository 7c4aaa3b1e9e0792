"""How an output is scored against one labelled page, each measure as its source defines it.

- Words: Foley 2026, «WCXB: A Multi-Type Web Content Extraction Benchmark», and its program.
- Four words in a row, with case (a run of Chinese is one word, fewer than four are one shingle):
  scrapinghub's article-extraction-benchmark.
- ROUGE-L: Lin 2004, «ROUGE: A Package for Automatic Evaluation of Summaries», section 3 (beta = 1,
  on whole texts). Its precision is the «share» of layout-similarity, section 3.3.
- Good: topic-information, section 4, by people; here recall and precision of words, bounds ours.
- Noise blocks: same-layer-similarity, section 5: visual blocks that are noise and are dropped: less
  than half of a block's text, by runs of eight characters, stands in the labels, or in the output.
- Snippets, white space folded: Barbaresi 2021, «Trafilatura: A Web Scraping Library and
  Command-Line Tool for Text Discovery and Extraction», section 4.
"""

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache
from itertools import groupby
from operator import and_
from typing import NamedTuple
from unicodedata import category, normalize

from chaffinch.errors import PageError
from chaffinch.evaluate.corpora import LabelledPage
from chaffinch.page import parse
from chaffinch.segment.vips import Vips

# Thai, Lao, Burmese, Hangul, Khmer, iteration marks and Hangzhou numerals, kana, Bopomofo, Han.
_SINGLE = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u303c\u3040-\u312f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U0001b000-\U0001b16f"
    "\U00020000-\U0003ffff"
)
_TOKEN = re.compile(f"[{_SINGLE}]|[^{_SINGLE} ]+")
_WORD = re.compile(r"\w+")
_SHINGLE = 4  # words; the source's own value
_RUN, _HALF = 8, 0.5  # characters of a run of a block's text; its share
_MOST_MISSING, _MOST_NOISE = 0.05, 0.2  # of a good page, as shares of words


@cache
def _words_pattern() -> re.Pattern[str]:
    kinds = groupby(
        map(chr, range(sys.maxunicode + 1)),
        lambda one: one.isalnum() or category(one) in {"Mn", "Mc"},
    )
    runs = ["".join(run) for is_word, run in kinds if is_word]
    return re.compile(f"[{''.join(f'{run[0]}-{run[-1]}' for run in runs)}]+")


def tokenize(text: str) -> list[str]:
    """Return the words that texts are compared by: NFKC, case-folded, without punctuation.

    Scripts without spaces and Hangul, whose spacing varies between writers, give one token a
    character. Departures from WCXB's words, beside that: a combining mark belongs to its word, and
    an underscore separates.
    """
    folded = normalize("NFKC", text).casefold()
    words = _words_pattern().findall(folded)
    return words if folded.isascii() else _TOKEN.findall(" ".join(words))


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
    return Score.of((Counter(extracted) & Counter(gold)).total(), len(extracted), len(gold))


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
) -> dict[str, tuple[float, float]]:
    """Return what one output adds to the numerator and the denominator of each figure.

    ``gold`` are the tokens of the page's labelled text, and ``blocks`` its `visual_blocks`: they
    are the same for every extractor.
    """
    found: dict[str, tuple[float, float]] = {}
    if page.gold_text is not None:
        tokens = tokenize(extracted)
        words, order = word_score(tokens, gold), rouge_l(tokens, gold)
        # Rounded, so that a precision of 0.8 is a noise of 0.2 and not a little more.
        missing, noise = round(1 - words.recall, 9), round(1 - words.precision, 9)
        noise_blocks, dropped = lacks(blocks, page.gold_text), lacks(blocks, extracted)
        both = sum(map(and_, noise_blocks, dropped))
        found = {
            "word_f1": (words.f1, 1),
            "word_precision": (words.precision, 1),
            "word_recall": (words.recall, 1),
            "rouge_l": (order.f1, 1),
            "share": (order.precision, 1),
            "good": (missing <= _MOST_MISSING and noise <= _MOST_NOISE, 1),
            "block_recall": (both, sum(noise_blocks)),
            "block_precision": (both, sum(dropped)),
        }
        ours, theirs = shingles(_WORD.findall(extracted)), shingles(_WORD.findall(page.gold_text))
        for name, own in (("shingle_precision", ours), ("shingle_recall", theirs)):
            if own:
                found[name] = ((ours & theirs).total() / own.total(), 1)
    if page.wanted or page.unwanted:
        text = " ".join(extracted.split())
        hits, noise = (
            sum(" ".join(snippet.split()) in text for snippet in some)
            for some in (page.wanted, page.unwanted)
        )
        found |= {
            "snippet_f1": (2 * hits, hits + noise + len(page.wanted)),
            "snippet_precision": (hits, hits + noise),
            "snippet_recall": (hits, len(page.wanted)),
        }
    return found
