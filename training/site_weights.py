"""One command to the weights that join evidence on a site: ``python -m training.site_weights``.

Random weights around those that are shipped are tried on all labelled sites: each site is learned
without labels on half of its pages, and on three of them, and the other half is scored. What is
printed as «others» gives each site the weights that are best on all the others, which is what a new
site can expect; ``--left-out`` writes them for ``bench/sites.py``. What ``--out`` writes is best on
all sites together. Best is the mean of the mean F1 of the sites and that of their worst quarter;
but those that are shipped stay unless the best are better by more than a standard error of the
differences between sites: of many that are tried, some are good by chance.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from chaffinch import parse
from chaffinch.evaluate import known_corpora, read_corpus
from chaffinch.methods import Learned
from chaffinch.model.decode import decide
from chaffinch.model.reading import read_blocks
from chaffinch.site.join import Evidence, Weights, shipped_weights
from chaffinch.site.summary import summarise
from chaffinch.site.tables import returning_texts, slot_table
from chaffinch.site.templates import LIKE, Leaders
from training.labels import label_blocks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chaffinch.model.reading import Reading
    from chaffinch.site.summary import PageSummary
    from training.labels import Labels

FEW = 3
"""Pages of the second, small learning of each site."""
SCORED = 10
"""Pages of a site that are scored after each learning."""
SPREAD = 0.5
"""Standard deviation of the logarithms of the weights that are tried."""


@dataclass(frozen=True, eq=False)
class Case:
    """A page to score: its reading, what its site's pages say of it, and its labels."""

    reading: Reading
    evidence: Evidence
    labels: Labels

    def score(self, weights: Weights) -> float:
        """Return word F1 as the alignment of the labels gives it."""
        keep = decide(self.evidence.probability(weights), self.reading.found).keep
        tokens = self.labels.tokens
        right = float((tokens * self.labels.share)[keep].sum())
        return 2 * right / max(float(tokens[keep].sum()) + self.labels.gold, 1.0)


def site_cases(name: str) -> Iterator[Case]:
    """Yield the pages of a site that are scored, after both learnings, both ways round."""
    judge = Learned()
    rows = list(read_corpus(name))
    pages = [parse(row.html, url=row.url) for row in rows]
    summaries = [summarise(page, judge(page))[0] for page in pages]
    for first in (0, 1):
        learned, scored = summaries[first::2], range(1 - first, len(rows), 2)
        labelled = [place for place in scored if rows[place].gold_text and len(summaries[place])]
        step = max(len(labelled) // SCORED, 1)
        for some in (learned, learned[:: max(len(learned) // FEW, 1)][:FEW]):
            for place in labelled[::step][:SCORED]:
                evidence = _evidence(summaries[place], some)
                if evidence is not None:
                    reading = read_blocks(pages[place])
                    labels = label_blocks(reading.found.blocks, rows[place].gold_text or "")
                    yield Case(reading, evidence, labels)


def _evidence(page: PageSummary, others: Sequence[PageSummary]) -> Evidence | None:
    """Return what the page's template says of it; None where there is none."""
    leaders = Leaders()
    groups: dict[int, list[PageSummary]] = {}
    for other in sorted(others, key=lambda one: one.key):
        groups.setdefault(leaders.join(other.layout), []).append(other)
    number, alike = leaders.nearest(page.layout)
    if alike < LIKE or len(groups[number]) < 2:  # noqa: PLR2004  as `chaffinch.site.learning` has it
        return None
    return Evidence.of(page, slot_table(groups[number]), returning_texts(groups[number]))


def tried(count: int, seed: int) -> list[Weights]:
    """Return the shipped weights and random ones around them."""
    dice = np.random.default_rng(seed)
    usual = asdict(shipped_weights())
    out = [Weights(**usual)]
    for _ in range(count):
        values = {name: value * np.exp(SPREAD * dice.normal()) for name, value in usual.items()}
        values |= {name: min(values[name], 1.0) for name in ("masked", "edges")}
        whole = values["own"] + values["slot"]
        values |= {name: values[name] / whole for name in ("own", "slot")}
        out.append(Weights(**{name: round(float(value), 3) for name, value in values.items()}))
    return out


def merit(means: np.ndarray) -> np.ndarray:
    """Return float[w]: the mean of all sites' mean and the worst quarter's; ``means`` is [w, s]."""
    quarter = max(means.shape[1] // 4, 1)
    return (means.mean(axis=1) + np.sort(means, axis=1)[:, :quarter].mean(axis=1)) / 2


def best(means: np.ndarray) -> int:
    """Return the best of the weights, the first where nothing is clearly better; [w, s]."""
    winner = int(np.argmax(merit(means)))
    gains = means[winner] - means[0]
    error = gains.std() / np.sqrt(len(gains))
    return winner if gains.mean() > error else 0


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m training.site_weights", description=__doc__)
    parser.add_argument("--out", type=Path, help="the file to write, chaffinch/site/weights.json")
    parser.add_argument("--left-out", type=Path, help="a file for the weights without each site")
    parser.add_argument("--tries", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    weights = tried(options.tries, options.seed)
    names, columns = [], []
    for name in known_corpora():
        cases = list(site_cases(name)) if name.startswith("sites/") else []
        if cases:
            names.append(name)
            columns.append([np.mean([case.score(one) for case in cases]) for one in weights])
            _say(f"{name}: {len(cases)} pages, {columns[-1][0]:.4f} with the shipped weights")
    means = np.array(columns).T
    own = [best(np.delete(means, site, axis=1)) for site in range(len(names))]
    others = means[own, np.arange(len(names))][None, :]
    chosen, winner = best(means), int(np.argmax(merit(means)))
    rows = {
        "shipped": means[:1],
        "highest, by chance or not": means[winner : winner + 1],
        "chosen": means[chosen : chosen + 1],
        "others": others,
    }
    for label, row in rows.items():
        _say(f"{label}: mean {row.mean():.4f}, merit {merit(row)[0]:.4f}")
    text = json.dumps(asdict(weights[chosen]), sort_keys=True)
    _say(text)
    if options.left_out:
        without = {
            name.removeprefix("sites/"): asdict(weights[one])
            for name, one in zip(names, own, strict=True)
        }
        options.left_out.write_text(json.dumps(without, indent=1) + "\n", encoding="utf-8")
    if options.out:
        options.out.write_text(text + "\n", encoding="utf-8")
    return 0


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
