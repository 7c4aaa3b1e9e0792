"""How far the labels of one site's pages agree: what an extractor told the site's labels reaches.

``python bench/label_agreement.py wcxb --folds FOLDER`` takes the sites with several labelled pages
of one page type. Each page in turn is left out entirely, and its text blocks get the share of
content that the labels of the *other* pages give to their places (`told_labels.PLACES`). The
default reads the same pages with the weights of the fold that has not seen the site, and both
decide alike (`chaffinch.decision.choice`). What even an extractor that was told the site's labels
doesn't reach, none that has never seen the site can be expected to reach.

An estimate, no bound: places can be told apart more finely than here, and few pages tell little.
What the measure can do itself is seen where labels agree: on ``sites --most 5``, whose labels come
from one hand or one program a site. The labels are looked at to be measured, nothing is kept.

A second table counts passages that stand in the same place of several pages of a site, content by
the label of one and noise by that of another: there no extractor can be right on both.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.evaluate.bootstrap import percentile_interval, resampled_sums
from chaffinch.evaluate.corpora import known_corpora, read_corpus
from chaffinch.evaluate.provenance import current_provenance
from chaffinch.model.weights import shipped, stored
from timing import machine, versions
from told_labels import TRUST, Sample, contradicted, measured, sample

sys.path.insert(0, str(Path(__file__).parents[1]))
from training.dataset import registrable
from training.held_out import fold_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from chaffinch.evaluate.corpora import LabelledPage

HEAD: Final = (
    "page type",
    "sites",
    "pages",
    "default",
    "told the site",
    "gained (95 % over sites)",
    "default, best threshold",
    "told, best threshold",
    "its own labels",
)
PASSAGES: Final = ("page type", "words of content", "also on another page", "noise there")

Sites = dict[tuple[str, str], list[Sample]]
"""Pages by page type and site."""


def sites(corpora: Iterable[str], folds: Path | None, *, least: int, most: int) -> Sites:
    """Return the sites and page types with ``least`` pages or more, ``most`` drawn of each.

    The pages of a corpus ``sites/NAME`` are one site, whatever their addresses.
    """
    given: defaultdict[tuple[str, str], list[LabelledPage]] = defaultdict(list)
    for corpus in corpora:
        for page in read_corpus(corpus):
            kind, _, one_site = corpus.partition("/")
            if page.gold_text:
                given[page.page_type or kind, one_site or registrable(page)].append(page)
    out: Sites = {}
    for (kind, site), pages in sorted(given.items()):
        if len(pages) < least:
            continue
        drawn = random.Random(0).sample(pages, min(most, len(pages)))  # noqa: S311  no secret
        model = stored(str(folds / f"fold{fold_of(site, 5)}.npz")) if folds else shipped()
        found = [one for page in drawn if (one := sample(page, model))]
        if len(found) >= least:
            out[kind, site] = found
    return out


def agreement(found: Sites, *, trust: float = TRUST) -> list[list[str]]:
    """Return the lines of the first table: by page type, and all where there are several."""
    values: defaultdict[str, list[NDArray[np.float64]]] = defaultdict(list)
    names: defaultdict[str, list[str]] = defaultdict(list)
    several = len({kind for kind, _ in found}) > 1
    for (kind, site), pages in found.items():
        rows = measured(pages, trust=trust)
        for group in (kind, "all") if several else (kind,):
            values[group].append(rows)
            names[group] += [site] * len(rows)
    return [
        [kind, str(len(values[kind])), *_cells(np.concatenate(values[kind]), names[kind])]
        for kind in sorted(values, key=lambda kind: (kind == "all", kind))
    ]


def _cells(values: NDArray[np.float64], names: Sequence[str]) -> list[str]:
    """Return pages, means, and what is gained by being told with its interval over sites."""
    gained = np.column_stack([values[:, 1] - values[:, 0], np.ones(len(values))])
    drawn = resampled_sums(gained, names, draws=1000)
    low, high = percentile_interval(drawn[:, 0] / drawn[:, 1]) or (np.nan, np.nan)
    gain = f"{gained[:, 0].mean():+.3f} ({low:+.3f} to {high:+.3f})"
    default, told_it, *others = (f"{mean:.3f}" for mean in values.mean(axis=0))
    return [str(len(values)), default, told_it, gain, *others]


def contradictions(found: Sites) -> list[list[str]]:
    """Return the lines of the second table, by page type."""
    sums: defaultdict[str, NDArray[np.float64]] = defaultdict(lambda: np.zeros(3))
    for (kind, _), pages in found.items():
        sums[kind] += contradicted(pages)
    return [
        [kind, f"{content:,.0f}", f"{shared:,.0f}", f"{noise / shared:.2f}" if shared else "–"]
        for kind, (content, shared, noise) in sums.items()
    ]


def _print(head: Sequence[str], rows: Iterable[Sequence[str]], *, markdown: bool) -> None:
    if markdown:
        ruler = ["---", *["---:"] * (len(head) - 1)]
        print("\n".join(f"| {' | '.join(cells)} |" for cells in (head, ruler, *rows)))
    else:
        print("\n".join("\t".join(cells) for cells in (head, *rows)))


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", nargs="+", help="names; sites is all of the labelled sites")
    parser.add_argument("--folds", type=Path, help="fold weights; without it, the shipped ones")
    parser.add_argument("--least", type=int, default=3, help="pages of a site and page type")
    parser.add_argument("--most", type=int, default=20, help="pages drawn of each")
    parser.add_argument("--trust", type=float, default=TRUST, help="see TRUST")
    parser.add_argument("--markdown", action="store_true")
    given = parser.parse_args()
    if given.least < 2 or given.trust <= 0:
        parser.error("--least must be 2 or more, --trust above 0")
    labelled = [name for name in known_corpora() if name.startswith("sites/")]
    corpora = [one for name in given.corpora for one in (labelled if name == "sites" else [name])]
    found = sites(corpora, given.folds, least=given.least, most=given.most)
    _print(HEAD, agreement(found, trust=given.trust), markdown=given.markdown)
    print()
    _print(PASSAGES, contradictions(found), markdown=given.markdown)
    print(f"\n{current_provenance().date}, {versions('chaffinch', 'numpy')}; {machine()}")


if __name__ == "__main__":
    main()
