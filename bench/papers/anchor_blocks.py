"""Anchor blocks and other methods of one page: word F1 by corpus."""

from __future__ import annotations

import argparse
from statistics import mean

from chaffinch import parse
from chaffinch.evaluate.corpora import read_corpus
from chaffinch.evaluate.scoring import Score, tokenize, word_score
from chaffinch.methods import build
from chaffinch.output import text
from chaffinch.page import Page
from chaffinch.verdict import Content, Verdict

CORPORA = ("zh_news", "daniel", "magic_html_article", "wcxb")


class Labelled:
    """The pages of a corpus, parsed once, with their gold."""

    def __init__(self, name: str, limit: int) -> None:
        rows = [row for row in read_corpus(name, limit=limit) if row.gold_text]
        self.name = name
        self.pages: list[Page] = [parse(row.html, url=row.url) for row in rows]
        self.gold = [tokenize(row.gold_text or "") for row in rows]

    def scores(self, verdicts: list[Verdict]) -> list[Score]:
        """Return the word score of each page."""
        texts = (text.render(Content(*pair)) for pair in zip(self.pages, verdicts, strict=True))
        return [word_score(tokenize(t), gold) for t, gold in zip(texts, self.gold, strict=True)]


def figures(given: Labelled, name: str) -> str:
    """Return mean precision, recall and F1 of a method, as cells of a table."""
    method = build(name)
    scores = given.scores([method(page) for page in given.pages])
    parts = (mean(getattr(s, part) for s in scores) for part in ("precision", "recall", "f1"))
    return " / ".join(f"{part:.3f}" for part in parts)


def main() -> None:
    """Print the tables."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--limit", type=int, default=300, help="pages a corpus")
    chosen = options.parse_args()
    given = [Labelled(name, chosen.limit) for name in CORPORA]
    print("precision / recall / F1 of words, mean of pages\n")
    print("| | " + " | ".join(f"{one.name} ({len(one.pages)})" for one in given) + " |")
    print("|---|" + "---|" * len(given))
    for name in ("anchor_blocks", "information_blocks", "block_density", "line_blocks"):
        print(f"| `{name}` | {' | '.join(figures(one, name) for one in given)} |")


if __name__ == "__main__":
    main()
