"""Repeats the experiments of same-layer-similarity: noise blocks found, and pages of a layer alike.

The unit is the visual block at PDoC 5. A block is noise when less than half of its text (runs of
eight characters, white space left out) stands in the page's labelled content; blocks without text
and the page's title, which some labels hold and others don't, are left out. Nobody who labels by
eye, as the source did, takes an article's own title, time, source and editor for noise, so these
lines count as content, unless ``--as-labelled``. It counts as found
when half of its text or more is dropped. Siblings are the other pages of the site, labelled or not,
in the order of similarity of address, then of layout, as the product chooses them.

    python -m bench.papers.same_layer [--population sites] [--pages 40]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bench.lib.portals import LabelledSite, add_population, f1, head_and_foot, heading, mean, sites
from chaffinch.evaluate.layer_similarity import PARTS, alike_parts, parts_of
from chaffinch.kernels.arrays import Mask
from chaffinch.methods.sibling_subtrees import SiblingSubtrees
from chaffinch.page import Page
from chaffinch.segment.vips import Segmentation, Vips
from chaffinch.siblings.sibling_links import choose_references
from chaffinch.verdict import Verdict

RUN = 8
NOISE_SHARE = 0.5
MOST = 16
PUBLISHED = (0.954, 0.981)


@dataclass(frozen=True, eq=False)
class Case:
    """A labelled page, its siblings in order, and its visual blocks at PDoC 5.

    ``noise`` is bool[leaves]; ``length`` int[leaves], 0 for blocks that aren't judged.
    """

    site: str
    page: Page
    gold: str
    siblings: Sequence[Page]
    blocks: Segmentation
    noise: Mask
    length: np.ndarray[Any, Any]


def folded(text: str) -> str:
    """Return a text without white space, in one case."""
    return "".join(text.split()).casefold()


def gold_share(text: str, gold: str) -> float:
    """Return the share of the runs of a text that stand in the labelled content."""
    if len(text) <= RUN:
        return float(text in gold)
    runs = [text[at : at + RUN] in gold for at in range(len(text) - RUN + 1)]
    return sum(runs) / len(runs)


def cases(site: LabelledSite, most: int, *, as_labelled: bool = False) -> Iterable[Case]:
    """Yield up to ``most`` labelled pages of a site, spread over it."""
    labelled = [place for place, gold in enumerate(site.gold) if gold]
    step = max(len(labelled) / most, 1)
    chosen = sorted({int(k * step) for k in range(min(most, len(labelled)))})
    for place in (labelled[k] for k in chosen):
        page, gold = site.pages[place], site.gold[place] or ""
        others = site.pages[:place] + site.pages[place + 1 :]
        ranked = [c.index for c in choose_references(page, others, most=MOST) if c]
        blocks = Vips()(page)
        head, foot = ([], []) if as_labelled else head_and_foot(page)
        text = "\n".join(map(folded, ["".join(head), gold, *foot]))
        title = folded(site.titles[place])
        texts = [folded(blocks.text(leaf)) for leaf in blocks.leaves.tolist()]
        share = np.array([gold_share(one, text) for one in texts])
        length = [0 if title and one in (title, "") else len(one) for one in texts]
        siblings = [others[index] for index in ranked]
        if siblings:
            yield Case(
                site.name, page, gold, siblings, blocks, share < NOISE_SHARE, np.array(length)
            )


def dropped(case: Case, verdict: Verdict) -> Mask:
    """Return bool[leaves]: blocks of which half of the text or more is dropped."""
    page, out = case.page, []
    own = page.own_length
    for leaf in case.blocks.leaves.tolist():
        rows = np.concatenate(
            [np.arange(row, page.end[row]) for row in case.blocks.roots(leaf).tolist()]
        )
        out.append(own[rows[~verdict.keep[rows]]].sum() * 2 >= own[rows].sum())
    return np.array(out, dtype=bool)


def counts(case: Case, found: Mask) -> np.ndarray[Any, Any]:
    """Return right, noise and dropped: first in blocks, then in characters."""
    judged = case.length > 0
    noise, found = case.noise & judged, found & judged
    rows = (noise & found, noise, found)
    return np.array([r.sum() for r in rows] + [case.length[r].sum() for r in rows], dtype=float)


def figures(sums: np.ndarray[Any, Any]) -> tuple[float, ...]:
    """Return recall and precision in blocks, then in characters."""
    right, noise, found, right_text, noise_text, found_text = np.maximum(sums, 1e-9)
    return right / noise, right / found, right_text / noise_text, right_text / found_text


def measured(given: Sequence[Case], **settings: Any) -> dict[str, Any]:
    """Return for each site the sums of `counts` and the mean word F1 with some settings."""
    sums: dict[str, Any] = {}
    scores: dict[str, list[float]] = {}
    for case in given:
        method = SiblingSubtrees(siblings=case.siblings[:5], **settings)
        verdict = method(case.page)
        sums[case.site] = sums.get(case.site, 0) + counts(case, dropped(case, verdict))
        scores.setdefault(case.site, []).append(f1(case.page, verdict, case.gold))
    return {site: (sums[site], mean(scores[site])) for site in sums}


def overall(found: dict[str, Any]) -> tuple[float, ...]:
    """Return recall and precision over all pages, blocks then characters, and F1 by site."""
    total = sum(sums for sums, _ in found.values())
    return (*figures(total), mean([score for _, score in found.values()]))


def noise_blocks(given: Sequence[Case]) -> None:
    """Print recall and precision by site and over all."""
    print(f"\n{'':24} pages   blocks            characters        word")
    print(f"{'5 siblings':24}         recall  prec.   recall  prec.   F1")
    found = measured(given)
    for site, (sums, score) in found.items():
        count = sum(case.site == site for case in given)
        row = "  ".join(f"{value:6.3f}" for value in figures(sums))
        print(f"{site:24} {count:5}   {row}  {score:6.3f}")
    lines = {"all": found, "all, link_beta 0": measured(given, link_beta=0)}
    for name, one in lines.items():
        row = "  ".join(f"{value:6.3f}" for value in overall(one))
        print(f"{name:24} {len(given):5}   {row}")
    print(f"{'published':24} {60:5}   {PUBLISHED[0]:6.3f}  {PUBLISHED[1]:6.3f}")


def same_layer(given: Sequence[Case], beta: float | None = None) -> dict[str, list[float]]:
    """Return for each part whether a sibling has it: half of its nodes or more are matched."""
    scores: dict[str, list[float]] = {name: [] for name in PARTS}
    for case in given:
        parts = parts_of(case.blocks, case.noise)
        for sibling in case.siblings[:4]:
            for name, alike in alike_parts(case.page, sibling, parts, beta=beta):
                scores[name].append(float(alike))
    return scores


def table_one(given: Sequence[Case]) -> None:
    """Print the share of parts that siblings have."""
    print("\nparts of a page that a page of the same layer has, too (four siblings a page)")
    for name, beta in (("tags alone", 0.0), ("tags and text", None)):
        scores = same_layer(given, beta)
        each = ", ".join(f"{part} {mean(values):.3f}" for part, values in scores.items())
        every = mean([value for values in scores.values() for value in values])
        print(f"{name}: {every:.3f} ({each})  (published: 0.973)")


def main() -> None:
    """Print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    add_population(options)
    options.add_argument("--pages", type=int, default=40, help="at most so many of each site")
    options.add_argument("--as-labelled", action="store_true", help="labels as they are")
    chosen = options.parse_args()
    print(heading())
    given = [
        case
        for site in sites(chosen.site, chosen.population)
        for case in cases(site, chosen.pages, as_labelled=chosen.as_labelled)
    ]
    noise_blocks(given)
    table_one(given)


if __name__ == "__main__":
    main()
