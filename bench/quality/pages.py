"""Scores of each labelled page by the whole trip, compared with saved ones; the worst, and why.

    python -m bench.quality.pages --save build/now.json                    score all corpora
    python -m bench.quality.pages --against build/before.json --show 5   the same, compared
    python -m bench.quality.pages --of build/now.json --against build/before.json
    python -m bench.quality.pages wcxb --worst 50    the worst pages, with figures to sort by
    python -m bench.quality.pages wcxb --page 7      blocks of the seventh worst beside its gold

Pages of training corpora are read with the weights of the fold that has not seen their domain
(``training/folds``), the others with the shipped ones. Word F1; 4-gram shingles' F1 of the page on
scrapinghub; on corpora of snippets the share of snippets that are right. Characters that show
nothing don't count. Pages whose labels were found wrong by eye are listed in ``bad_labels.json`` by
hash, with the reason, and are counted apart among the worst. Nothing is fitted to that list.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import chaffinch
from chaffinch.evaluate.corpora import LabelledPage, read_corpus
from chaffinch.evaluate.scoring import tokenize, word_score
from chaffinch.methods.learned import Learned
from chaffinch.page.visibility import visible
from chaffinch.segment.text_blocks import text_blocks
from training.dataset import TRAINING_CORPORA, registrable

VISIBLE = ("cleaneval", "readability", "scrapinghub", "trafilatura_eval", "recipes")
FOLDS = 5
LITTLE, POOR = 0.3, 0.6

Scores = dict[str, dict[str, float]]


def reader(corpus: str) -> Callable[[LabelledPage], Learned]:
    """Return what gives the default for a page, by weights that have not seen its domain."""
    if corpus not in TRAINING_CORPORA:
        shipped = Learned()
        return lambda _: shipped
    methods = [Learned(weights=f"training/folds/fold{fold}.npz") for fold in range(FOLDS)]
    return lambda page: methods[crc32(registrable(page).encode()) % FOLDS]


def score(page: LabelledPage, method: Learned) -> float:
    """Return how right the text of a page is, in 0..1."""
    try:
        found = chaffinch.extract(page.html, url=page.url, method=method).text
    except chaffinch.PageError:
        found = ""
    if page.gold_text is None:
        folded = _folded(found)
        right = sum(_folded(one) in folded for one in page.wanted)
        right += sum(_folded(one) not in folded for one in page.unwanted)
        return right / max(1, len(page.wanted) + len(page.unwanted))
    words, gold = tokenize(visible(found)), tokenize(visible(page.gold_text))
    if page.corpus == "scrapinghub":
        words, gold = (
            ["\n".join(some[at : at + 4]) for at in range(max(1, len(some) - 3))]
            for some in (words, gold)
        )
    return word_score(words, gold).f1


def _folded(text: str) -> str:
    return " ".join(visible(text).split())


def scored_corpus(job: tuple[str, int]) -> tuple[str, dict[str, float]]:
    """Return the score of each page of a corpus (each ``every``-th), by its number."""
    corpus, every = job
    method = reader(corpus)
    return corpus, {
        f"{at:04d}": round(score(page, method(page)), 5)
        for at, page in enumerate(read_corpus(corpus))
        if at % every == 0 and (page.gold_text or page.wanted or page.unwanted)
    }


def compared(before: Scores, now: Scores, show: int) -> str:
    """Return the means of each corpus before and now, and the pages that changed most."""
    lines = [
        "| corpus | pages | before | now | change | better | worse |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    listed = []
    for corpus, pages in now.items():
        known = before.get(corpus, {})
        changes = {key: pages[key] - known[key] for key in pages if key in known}
        count = max(1, len(changes))
        old, new = (sum(some[key] for key in changes) / count for some in (known, pages))
        better, worse = (sum(sign * one > 0.002 for one in changes.values()) for sign in (1, -1))
        lines.append(
            f"| {corpus} | {len(changes)} | {old:.4f} | {new:.4f} | {new - old:+.4f} "
            f"| {better} | {worse} |"
        )
        order = sorted(changes, key=lambda key: changes[key])
        listed += [
            f"{corpus} {key} {changes[key]:+.3f}"
            for key in order[:show] + order[::-1][:show]
            if abs(changes[key]) > 0.002
        ]
    return "\n".join([*lines, "", *listed])


class Bad(NamedTuple):
    """One page: word F1, precision, recall, words of gold, output and page, share of gold on it."""

    page: LabelledPage
    found: chaffinch.Extract
    f1: float
    precision: float
    recall: float
    gold: int
    kept: int
    shown: int
    there: float
    label: str

    @property
    def sign(self) -> str:
        """What is wrong with the label, where it is; else what the figures say of the cause."""
        if self.label:
            return f"label: {self.label}"
        if self.there < 0.75:
            return "gold not on the page"
        if self.recall < LITTLE:
            return "missed" if self.precision >= LITTLE else "another part taken"
        if self.precision < 0.6 and self.recall >= 0.8:
            return "gold is a part" if self.kept > 2 * self.gold else "too much"
        return "too much" if self.precision < self.recall else "too little"


def worst(corpus: str) -> list[Bad]:
    """Return all pages of a corpus that have a text as their label, the worst first."""
    labels, method = bad_labels(corpus), reader(corpus)
    out = []
    for page in read_corpus(corpus):
        if not page.gold_text:
            continue
        try:
            found = chaffinch.extract(page.html, url=page.url, method=method(page))
        except chaffinch.PageError:
            continue
        gold, kept = tokenize(page.gold_text), tokenize(found.text)
        shown = Counter([*kept, *tokenize(found.noise)])
        precision, recall, f1 = word_score(kept, gold)
        there = (Counter(gold) & shown).total() / max(len(gold), 1)
        label = labels.get(page_hash(page.html), "")
        counts = len(gold), len(kept), shown.total()
        out.append(Bad(page, found, f1, precision, recall, *counts, there, label))
    return sorted(out, key=lambda one: one.f1)


def bad_labels(corpus: str) -> dict[str, str]:
    """Return what is wrong with the labels of a corpus, by `page_hash`."""
    path = Path(__file__).parent / "bad_labels.json"
    listed = json.loads(path.read_text(encoding="utf-8")).get(corpus, {})
    return {page: reason for reason, pages in listed.items() for page in pages}


def page_hash(html: bytes) -> str:
    """Return the first twelve hexadecimal digits of the SHA-256 of a page."""
    return hashlib.sha256(html).hexdigest()[:12]


def print_blocks(one: Bad) -> None:
    """Print the blocks of a page: + right, - missed, ! noise, by the words of each."""
    gold = " ".join(tokenize(one.page.gold_text or ""))
    print(one.page.url or one.page.id, f"F1 {one.f1:.3f}")
    blocks = text_blocks(one.found.page)
    for text, keep in zip(blocks.texts(), one.found.keep[blocks.first].tolist(), strict=True):
        wanted = " ".join(tokenize(text)[:12]) in gold
        sign = {(True, True): "+", (False, True): "-", (True, False): "!"}.get((keep, wanted), " ")
        print(sign, text[:150])


def print_worst(pages: list[Bad], count: int) -> None:
    """Print a line for each of the worst pages, then how often each cause is."""
    for number, one in enumerate(pages[:count]):
        cells = (f"{number:3}", f"{one.f1:.3f}", f"{one.precision:.2f}", f"{one.recall:.2f}")
        words = f"{one.gold:6} {one.kept:6} {one.shown:6} {one.there:.2f}"
        where = f"{one.page.page_type:13} {one.sign:21} {one.page.id} {one.page.url or ''}"
        print(*cells, words, where[:120])
    for sign, number in Counter(one.sign for one in pages[:count]).most_common():
        print(f"{sign:22} {number}")
    poor = [one for one in pages if one.f1 < POOR]
    listed = sum(bool(one.label) for one in poor)
    print(f"below {POOR}: {len(poor)} of {len(pages)}, {listed} of them by their labels")


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.quality.pages",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("corpora", nargs="*", default=[*TRAINING_CORPORA, *VISIBLE])
    parser.add_argument("--every", type=int, default=1, help="score each N-th page only")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--of", type=Path, help="saved scores in place of new ones")
    parser.add_argument("--save", type=Path)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--show", type=int, default=0, help="list N pages of each corpus")
    parser.add_argument("--worst", type=int, metavar="N", help="list the N worst pages")
    parser.add_argument("--page", type=int, metavar="N", help="show the N-th worst page")
    options = parser.parse_args()
    if options.worst is not None or options.page is not None:
        for corpus in options.corpora:
            pages = worst(corpus)
            if options.page is not None:
                print_blocks(pages[options.page])
            else:
                print_worst(pages, options.worst)
        return 0
    if options.of:
        now: Scores = json.loads(options.of.read_text("utf-8"))
    else:
        jobs = [(corpus, options.every) for corpus in options.corpora]
        with multiprocessing.get_context("spawn").Pool(options.workers) as pool:
            now = dict(pool.imap(scored_corpus, jobs, chunksize=1))
    if options.save:
        options.save.parent.mkdir(parents=True, exist_ok=True)
        options.save.write_text(json.dumps(now), "utf-8")
    before = json.loads(options.against.read_text("utf-8")) if options.against else now
    print(compared(before, now, options.show))
    return 0


if __name__ == "__main__":
    sys.exit(main())
