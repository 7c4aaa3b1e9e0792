"""Content of JSON-LD and embedded state: which pages it takes over, and what they gain or lose.

``python -m bench.quality.embedded wcxb scrapinghub`` compares word F1 of the page's rows alone with
that of the default, on the pages where they differ.
"""

from __future__ import annotations

import argparse

import numpy as np

import chaffinch
from chaffinch.errors import PageError
from chaffinch.evaluate.corpora import read_corpus
from chaffinch.evaluate.tokens import tokenize
from chaffinch.evaluate.words import word_score
from chaffinch.methods.learned import Learned


def main() -> None:
    """Print a line a corpus."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("corpora", nargs="+")
    options.add_argument("--limit", type=int)
    given = options.parse_args()
    print("| corpus | pages | with data | taken over | better | worse | mean change of these |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    rows_alone = Learned()
    for corpus in given.corpora:
        pages, with_data, changes = 0, 0, []
        for one in read_corpus(corpus, limit=given.limit):
            if not one.gold_text:
                continue
            try:
                page = chaffinch.parse(one.html, url=one.url)
            except PageError:
                continue
            pages += 1
            with_data += bool(page.sources)
            found = chaffinch.extract(page)
            if found.given is None:
                continue
            gold = tokenize(one.gold_text)
            before = chaffinch.extract(page, method=rows_alone.__call__).text
            change = word_score(tokenize(found.text), gold).f1
            changes.append(change - word_score(tokenize(before), gold).f1)
        delta = np.array(changes)
        mean = f"{delta.mean():+.3f}" if len(delta) else "–"
        cells = (corpus, pages, with_data, len(delta), (delta > 0).sum(), (delta < 0).sum(), mean)
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)


if __name__ == "__main__":
    main()
