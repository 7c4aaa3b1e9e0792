"""One command to the weights that join evidence on a site: ``python -m training.site_weights``.

Random weights around `START` are tried on all labelled sites: each site is learned without labels
on half of its pages, and on three of them, and the other half is scored. Of many that are tried,
some are good by chance; so the weights that are learned are the geometric mean of the `TAKEN` best.
Best is the mean of the mean F1 of the sites and that of their worst quarter. «Without each site»
scores every site with what is learned on all the others, which is what a new site can expect;
``--left-out`` writes those for ``bench/quality/sites.py``. ``--out`` writes what is learned on all
of them.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from chaffinch import parse
from chaffinch.decision.rules import settle
from chaffinch.evaluate import known_corpora, read_corpus
from chaffinch.methods import Learned
from chaffinch.site.apply import ScoredPage
from chaffinch.site.evidence import BlockEvidence, EvidenceWeights, shipped_weights
from chaffinch.site.learn import learn_templates
from chaffinch.site.model import SAME_TEMPLATE, SiteModel, nearest
from chaffinch.site.sample import summarise
from training.labels import Labels, label_blocks

FEW = 3
"""Pages of the second, small learning of each site."""
SCORED = 10
"""Pages of a site that are scored after each learning."""
START = EvidenceWeights(
    own=0.3,
    slot=0.7,
    returns=6.0,
    masked=0.9,
    links=1.0,
    leads=3.0,
    rules=1.0,
    temperature=2.0,
)
"""What random weights are drawn around; set by hand on these sites, so none is wholly unseen.

Those of the rules and of leads were chosen on the corpora's domains, too."""
TAKEN = 8
"""Of the weights tried, how many the learned ones are the mean of."""
SPREAD = 0.5
"""Standard deviation of the logarithms of the weights that are tried."""


@dataclass(frozen=True, eq=False)
class Case:
    """A page to score: its scores, what its site's pages say of it, and its labels."""

    page: ScoredPage
    evidence: BlockEvidence
    labels: Labels

    def score(self, weights: EvidenceWeights) -> float:
        """Return word F1 as the alignment of the labels gives it."""
        keep = settle(self.page.draft(self.evidence.probability(weights))).keep
        tokens = self.labels.tokens
        right = float((tokens * self.labels.share)[keep].sum())
        return 2 * right / max(float(tokens[keep].sum()) + self.labels.gold, 1.0)


def site_cases(name: str) -> Iterator[Case]:
    """Yield the pages of a site that are scored, after both learnings, both ways round."""
    judge = Learned()
    rows = list(read_corpus(name))
    pages = [parse(row.html, url=row.url) for row in rows]
    judged = [(page, judge(page)) for page in pages]
    found = [summarise(page, one) for page, one in judged]
    summaries = [summary for summary, _ in found]
    steps = {slot: step for _, some in found for slot, step in some.items()}
    for first in (0, 1):
        learned, scored = summaries[first::2], range(1 - first, len(rows), 2)
        labelled = [place for place in scored if rows[place].gold_text and len(summaries[place])]
        step = max(len(labelled) // SCORED, 1)
        for some in (learned, learned[:: max(len(learned) // FEW, 1)][:FEW]):
            site = SiteModel(templates=learn_templates(some, steps))
            for place in labelled[::step][:SCORED]:
                scored = ScoredPage.of(pages[place])
                number, alike = nearest(scored.summary.sketch, site.leaders)
                if alike >= SAME_TEMPLATE and site.templates[number].usable:
                    blocks = scored.scores.features.blocks
                    labels = label_blocks(blocks, rows[place].gold_text or "")
                    yield Case(scored, scored.evidence(site.templates[number]), labels)


def tried(count: int, seed: int) -> list[EvidenceWeights]:
    """Return random weights around `START`."""
    dice = np.random.default_rng(seed)
    out = []
    for _ in range(count):
        values = {
            name: value * np.exp(SPREAD * dice.normal()) for name, value in asdict(START).items()
        }
        values["masked"] = min(values["masked"], 1.0)
        whole = values["own"] + values["slot"]
        values |= {name: values[name] / whole for name in ("own", "slot")}
        out.append(_rounded(values))
    return out


def merit(means: np.ndarray) -> np.ndarray:
    """Return float[w]: the mean of all sites' mean and the worst quarter's; ``means`` is [w, s]."""
    quarter = max(means.shape[1] // 4, 1)
    merits: np.ndarray = (means.mean(axis=1) + np.sort(means, axis=1)[:, :quarter].mean(axis=1)) / 2
    return merits


def learned(weights: Sequence[EvidenceWeights], means: np.ndarray) -> EvidenceWeights:
    """Return the geometric mean of the best of ``weights``, whose F1 by site are means, [w, s]."""
    best = np.argsort(-merit(means), kind="stable")[:TAKEN]
    values = [asdict(weights[one]) for one in best]
    return _rounded({n: np.exp(np.mean([np.log(v[n]) for v in values])) for n in values[0]})


def _rounded(values: Mapping[str, float]) -> EvidenceWeights:
    return EvidenceWeights(**{name: round(float(value), 3) for name, value in values.items()})


def _means(sites: Sequence[Sequence[Case]], weights: EvidenceWeights) -> list[float]:
    return [float(np.mean([case.score(weights) for case in cases])) for cases in sites]


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m training.site_weights", description=__doc__)
    parser.add_argument("--out", type=Path, help="the file to write, chaffinch/site/weights.json")
    parser.add_argument("--left-out", type=Path, help="a file for the weights without each site")
    parser.add_argument("--tries", type=int, default=160)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--site", default="", help="only sites whose name contains this")
    options = parser.parse_args()
    given = {}
    for name in known_corpora():
        if name.startswith("sites/") and options.site in name and (cases := [*site_cases(name)]):
            given[name.removeprefix("sites/")] = cases
            _report(f"{name}: {len(cases)} pages")
    sites = list(given.values())
    weights = tried(options.tries, options.seed)
    means = np.array([_means(sites, one) for one in weights])
    numbers = range(len(sites))
    others = [[n for n in numbers if n != site] or [site] for site in numbers]
    without = [learned(weights, means[:, some]) for some in others]
    every = learned(weights, means)
    rows = {
        "where the search begins": _means(sites, START),
        "shipped": _means(sites, shipped_weights()),
        "learned on all sites": _means(sites, every),
        "learned without each site": [
            _means([cases], one)[0] for cases, one in zip(sites, without, strict=True)
        ],
    }
    _report("| weights | mean F1 | worst quarter |\n|---|---:|---:|")
    for label, row in rows.items():
        worst = np.sort(row)[: max(len(row) // 4, 1)].mean()
        _report(f"| {label} | {np.mean(row):.4f} | {worst:.4f} |")
    text = json.dumps(asdict(every), sort_keys=True)
    _report(text)
    if options.left_out:
        saved = {name: asdict(one) for name, one in zip(given, without, strict=True)}
        options.left_out.write_text(json.dumps(saved, indent=1) + "\n", encoding="utf-8")
    if options.out:
        options.out.write_text(text + "\n", encoding="utf-8")
    return 0


def _report(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
