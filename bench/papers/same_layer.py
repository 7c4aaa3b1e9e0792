"""Repeats the experiments of same-layer-similarity: noise blocks found, and pages of a layer alike.

The unit is the visual block at PDoC 5. A block is noise when less than half of its text (runs of
eight characters, white space left out) stands in the page's labelled content; blocks without text
and the page's title, which some labels hold and others don't, are left out. Nobody who labels by
eye, as the source did, takes an article's own title, time, source and editor for noise, so these
lines count as content, unless ``--as-labelled``. It counts as found
when half of its text or more is dropped. Siblings are the other pages of the site, labelled or not,
in the order of similarity of address, then of layout, as the product chooses them. «Outer» leaves
noise between the first and the last block of content (bylines, captions, comments inside) unjudged.

    python -m bench.papers.same_layer [--population sites] [--pages 40] [--sweep]
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bench.lib.head_lines import head_and_foot
from bench.lib.site_pages import LabelledSite, add_population, f1, heading, mean, sites
from chaffinch.comparison.layer_similarity import PARTS, alike_parts, parts_of
from chaffinch.methods.sibling_subtrees import SiblingSubtrees
from chaffinch.page import Page
from chaffinch.page.arrays import Mask
from chaffinch.segment.vips import Segmentation, Vips
from chaffinch.siblings.sibling_links import choose_references
from chaffinch.siblings.subtrees import SubtreeIndex, TextNumbers, node_string
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


def measured(given: Sequence[Case], siblings: int = 5, **settings: Any) -> dict[str, Any]:
    """Return for each site the sums of `counts` and the mean word F1 with some settings."""
    sums: dict[str, Any] = {}
    scores: dict[str, list[float]] = {}
    for case in given:
        method = SiblingSubtrees(siblings=case.siblings[:siblings], **settings)
        verdict = method(case.page)
        sums[case.site] = sums.get(case.site, 0) + counts(case, dropped(case, verdict))
        scores.setdefault(case.site, []).append(f1(case.page, verdict, case.gold))
    return {site: (sums[site], mean(scores[site])) for site in sums}


def overall(found: dict[str, Any]) -> tuple[float, ...]:
    """Return recall and precision over all pages, blocks then characters, and F1 by site."""
    total = sum(sums for sums, _ in found.values())
    return (*figures(total), mean([score for _, score in found.values()]))


def outer(case: Case) -> Case:
    """Return the case with no noise judged between the first and the last block of content."""
    content = np.flatnonzero((case.length > 0) & ~case.noise)
    length = case.length.copy()
    if len(content):
        between = np.zeros(len(length), dtype=bool)
        between[content[0] : content[-1]] = True
        length[between & case.noise] = 0
    return replace(case, length=length)


def reachable(case: Case, siblings: int = 5, beta: float = 0.6) -> Mask:
    """Return bool[leaves]: blocks with most text in subtrees that beta lets any sibling have.

    What isn't reachable no matcher of this kind can find, since the text is on no sibling.
    """
    texts, out = TextNumbers(), []
    strings = [node_string(page, texts, learn=True) for page in case.siblings[:siblings]]
    libraries = [SubtreeIndex(string, len(texts.length)) for string in strings]
    string = node_string(case.page, texts, learn=False)
    for leaf in case.blocks.leaves.tolist():
        nodes = np.searchsorted(string.row, case.blocks.roots(leaf))
        length = string.length_before[string.end[nodes]] - string.length_before[nodes]
        known = np.max([library.known_length(string, nodes) for library in libraries], axis=0)
        out.append(2 * length[known >= beta * length].sum() >= length.sum())
    return np.array(out, dtype=bool)


def noise_blocks(given: Sequence[Case]) -> None:
    """Print recall and precision by site and over all."""
    print(f"\n{'':24} pages   blocks            characters        word")
    print(f"{'5 siblings':24}         recall  prec.   recall  prec.   F1")
    found = measured(given)
    for site, (sums, score) in found.items():
        count = sum(case.site == site for case in given)
        row = "  ".join(f"{value:6.3f}" for value in figures(sums))
        print(f"{site:24} {count:5}   {row}  {score:6.3f}")
    outer_blocks = [outer(case) for case in given]
    lines = {
        "all": found,
        "all, link_beta 0": measured(given, link_beta=0),
        "all, match_inside": measured(given, match_inside=True),
        "outer blocks": measured(outer_blocks),
        "outer, link_beta 0": measured(outer_blocks, link_beta=0),
    }
    for name, one in lines.items():
        row = "  ".join(f"{value:6.3f}" for value in overall(one))
        print(f"{name:24} {len(given):5}   {row}")
    print(f"{'published':24} {60:5}   {PUBLISHED[0]:6.3f}  {PUBLISHED[1]:6.3f}")
    for name, some in (("all", given), ("outer blocks", outer_blocks)):
        sums = sum(counts(case, reachable(case)) for case in some)
        best = figures(np.asarray(sums))
        print(
            f"most recall that beta allows, {name}: {best[0]:.3f} of blocks, {best[2]:.3f} of text"
        )


def missed_noise(given: Sequence[Case], most: int) -> None:
    """Print how many noise blocks are missed, and why, and the text of ``most`` of them."""
    reasons: Counter[str] = Counter()
    shown: list[str] = []
    for case in given:
        found = dropped(case, SiblingSubtrees(siblings=case.siblings[:5])(case.page))
        missed = (case.length > 0) & case.noise & ~found
        if not missed.any():
            continue
        on_sibling, page = reachable(case), case.page
        for at in np.flatnonzero(missed).tolist():
            roots = case.blocks.roots(int(case.blocks.leaves[at])).tolist()
            rows = np.concatenate([np.arange(row, page.end[row]) for row in roots])
            linked = page.own_length[rows[page.in_link[rows]]].sum() * 2
            kind = "links" if linked > page.own_length[rows].sum() else "text"
            reasons[f"{kind}, {'on' if on_sibling[at] else 'less than beta on'} a sibling"] += 1
            shown.append(" ".join(case.blocks.text(int(case.blocks.leaves[at])).split()))
    for reason, count in reasons.most_common():
        print(f"missed: {count:5} blocks of {reason}")
    for text in shown[:: max(len(shown) // most, 1)][:most]:
        print("   ", text[:100])


def same_layer(given: Sequence[Case], beta: float | None = None) -> dict[str, list[float]]:
    """Return for each part whether a sibling has it: half of its nodes or more are matched."""
    scores: dict[str, list[float]] = {name: [] for name in PARTS}
    for case in given:
        parts = parts_of(case.blocks, case.noise)
        for sibling in case.siblings[:4]:
            for name, alike in alike_parts(case.page, sibling, parts, beta=beta).alike.items():
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


SWEEPS: dict[str, list[Any]] = {
    "siblings": [1, 2, 4, 8, 16],
    "alpha": [0.5, 0.6, 0.7, 0.8, 0.9, 1.0],
    "beta": [0.0, 0.2, 0.4, 0.6, 0.8, 1.0],
    "link_beta": [0.0, 0.1, 0.2, 0.4, 0.6],
    "pdoc": [3, 4, 5, 6, 7, 8],
    "max_moves": [0, 1, 2, 3, 5, 10],
    "min_siblings": [1, 2, 3, 4, 5],
}
NAMES = ("recall, blocks", "precision, blocks", "recall, text", "precision, text", "word F1")


def sweep(given: Sequence[Case]) -> None:
    """Print what each setting does, the others at their defaults."""
    print(f"\n{'':20}" + "  ".join(f"{name:>17}" for name in NAMES))
    for name, values in SWEEPS.items():
        for value in values:
            row = overall(measured(given, **{name: value}))
            print(f"{name:14} {value:<5}" + "  ".join(f"{one:17.3f}" for one in row), flush=True)


def main() -> None:
    """Print the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    add_population(options)
    options.add_argument("--pages", type=int, default=40, help="at most so many of each site")
    options.add_argument("--as-labelled", action="store_true", help="labels as they are")
    options.add_argument("--missed", type=int, default=0, help="print so many missed blocks")
    options.add_argument("--sweep", action="store_true", help="vary every setting")
    chosen = options.parse_args()
    print(heading())
    given = [
        case
        for site in sites(chosen.site, chosen.population)
        for case in cases(site, chosen.pages, as_labelled=chosen.as_labelled)
    ]
    noise_blocks(given)
    if chosen.missed:
        missed_noise(given, chosen.missed)
    table_one(given)
    if chosen.sweep:
        sweep(given)


if __name__ == "__main__":
    main()
