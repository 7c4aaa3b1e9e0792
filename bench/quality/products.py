"""Products: whether outputs hold the price that the page itself declares, and what that costs.

For the pages of a corpus that declare a price in JSON-LD, microdata or metas: on how many a visible
text shows it, how many outputs hold it with and without the rule ``product facts``, and word F1
with and without. Each page is read with the weights of the fold that has not seen its domain.

    python -m bench.quality.products training/folds
    python -m bench.quality.products training/folds --pages
"""

from __future__ import annotations

import sys
from collections import defaultdict
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
import numpy as np

from bench.lib.rules_left_out import rule_left_out
from bench.quality.policies import read
from chaffinch.decision.product_facts import declared_amounts
from chaffinch.evaluate.tokens import tokenize
from chaffinch.evaluate.words import word_score
from chaffinch.metadata.evidence import Evidence
from chaffinch.metadata.prices import amounts_in
from chaffinch.metadata.product_sources import declared_products
from chaffinch.methods.learned import Learned
from chaffinch.output import text
from chaffinch.result import Content
from chaffinch.segment.text_blocks import text_blocks

if TYPE_CHECKING:
    from decimal import Decimal

    from bench.quality.policies import Given

RULE = "product facts"
COLUMNS = (
    "taken for", "n", "declared", "shown",
    "output has it", "with the rule", "F1", "F1 with the rule",
)  # fmt: skip


@dataclass
class Outcome:
    """What one page came to: by whether the rule ran, its text's F1 and whether it has the price.

    Attributes:
        kind: the page type that the method takes it for.
        declared: whether it declares a price.
        shown: whether a visible line has it.
        f1: without and with the rule, in 0..1.
        priced: without and with the rule.
        added: words that the rule adds.
    """

    kind: str
    declared: bool
    shown: bool
    f1: tuple[float, float]
    priced: tuple[bool, bool]
    added: int


def outcome(one: Given) -> Outcome:
    """Return what a page comes to."""
    amounts = declared_amounts(declared_products(Evidence(one.page)))
    texts, kinds = [], []
    for setting in (rule_left_out(RULE), nullcontext()):
        with setting:
            verdict = Learned(weights=one.weights)(one.page)
        texts.append(text.render(Content(one.page, verdict)))
        kinds.append(verdict.page_type or "")
    without, with_rule = texts
    f1 = [word_score(tokenize(found), one.gold).f1 for found in texts]
    priced = [_has(found, amounts) for found in texts]
    shown = _has("\n".join(text_blocks(one.page).texts()), amounts)
    added = len(with_rule.split()) - len(without.split())
    return Outcome(kinds[1], bool(amounts), shown, (f1[0], f1[1]), (priced[0], priced[1]), added)


def _has(found: str, amounts: frozenset[Decimal]) -> bool:
    """Return whether a line of a text has one of the amounts."""
    lines = (line for line in found.splitlines() if any(map(str.isdigit, line)))
    return any(not amounts.isdisjoint(amounts_in(line)) for line in lines)


@click.command(help=__doc__)
@click.argument("folds", type=click.Path(path_type=Path, exists=True))
@click.option("--corpus", default="wcxb", show_default=True)
@click.option("--pages", "print_pages", is_flag=True, help="Print the pages that change.")
def main(folds: Path, corpus: str, *, print_pages: bool) -> None:
    """Print the table."""
    groups: defaultdict[str, list[Outcome]] = defaultdict(list)
    for one in read([corpus], folds, None):
        found = outcome(one)
        for group in ("all", found.kind):
            groups[group].append(found)
        if print_pages and found.added:
            moved = found.f1[1] - found.f1[0]
            sys.stdout.write(f"{moved:+.3f}\t{found.added}\t{found.priced}\t{one.page.url}\n")
    sys.stdout.write(f"| {' | '.join(COLUMNS)} |\n|---|{'---:|' * (len(COLUMNS) - 1)}\n")
    for name, own in sorted(groups.items()):
        declared = [one for one in own if one.declared]
        counts = (
            len(own),
            len(declared),
            sum(one.shown for one in declared),
            *(sum(one.priced[run] for one in declared) for run in (0, 1)),
        )
        f1 = [f"{np.mean([one.f1[run] for one in own]):.4f}" for run in (0, 1)]
        sys.stdout.write(f"| {name} | {' | '.join(map(str, counts))} | {' | '.join(f1)} |\n")


if __name__ == "__main__":
    main()
