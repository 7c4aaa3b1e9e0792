"""What the labels of a site's other pages say of the places of a page's blocks.

Called by ``bench/label_agreement.py``; see there.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.decision.choice import decide
from chaffinch.decision.policy import Policy
from chaffinch.errors import PageError
from chaffinch.evaluate.tokens import tokenize
from chaffinch.evaluate.words import Score
from chaffinch.model.block_scores import read_blocks
from chaffinch.page import parse
from chaffinch.site.slots import names_of, slot_hashes

sys.path.insert(0, str(Path(__file__).parents[1]))
from training.labels import label_blocks

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray
    from training.labels import Labels

    from chaffinch.evaluate.corpora import LabelledPage
    from chaffinch.model.features import Features
    from chaffinch.model.weights import Model
    from chaffinch.page.arrays import Floats, Mask, Rows

PLACES: Final = ("tags", "container", "slot", "slot and rank", "slot and passage")
"""What is called the same place, the loosest first: the path of tags; the nearest element with
names; the path of tags and names; that and the block's number among those there, roughly; that and
the very text."""
TRUST: Final = 2.0
"""What a looser place says counts like so many pages, the default's own reading like the loosest.
Of 0.1, 0.25, 0.5, 1, 2, 4 and 8 the one by which telling the labels helps most on wcxb."""
SHORTEST: Final = 5
"""Words of a passage: shorter ones are buttons and headings that say nothing of the labels."""


@dataclass(frozen=True, eq=False)
class Sample:
    """One labelled page of a site, m blocks.

    Attributes:
        found: its blocks and their features.
        score: float32[m] in 0..1, the default's reading.
        page_type: what the default takes the page for.
        places: for each of `PLACES` the key of each block's place.
        labels: what the gold says of the blocks.
        words: the words of each block.
        gold: the words of the gold.
    """

    found: Features
    score: Floats
    page_type: str
    places: tuple[list[Hashable], ...]
    labels: Labels
    words: list[Counter[str]]
    gold: Counter[str]

    @cached_property
    def says(self) -> tuple[dict[Hashable, float], ...]:
        """For each of `PLACES` the share of content, by words, in each place of this page."""
        tokens = np.maximum(self.labels.tokens, 1)
        return tuple(_means(keys, self.labels.share, tokens) for keys in self.places)

    def kept(self, score: Floats) -> float:
        """Return the word F1 of what the default's decision keeps of blocks with this score."""
        keep = decide(score.astype(np.float32), self.found, kind=self.page_type).keep
        return self.f1(keep)

    def f1(self, keep: Mask) -> float:
        """Return the word F1 of keeping these blocks, in 0..1."""
        kept: Counter[str] = Counter()
        for block in np.flatnonzero(keep).tolist():
            kept.update(self.words[block])
        return Score.of((kept & self.gold).total(), kept.total(), self.gold.total()).f1

    def best(self, score: Floats) -> float:
        """Return the word F1 of the best threshold, which only the page's own gold can tell."""
        order = np.argsort(-score, kind="stable")
        last = np.append(np.diff(score[order]) != 0, True).tolist()
        left, taken, right, best = self.gold.copy(), 0, 0, 0.0
        for block, may_end in zip(order.tolist(), last, strict=True):
            for word, count in self.words[block].items():
                taken += count
                if (met := min(count, left[word])) > 0:
                    right += met
                    left[word] -= met
            if may_end:
                best = max(best, Score.of(right, taken, self.gold.total()).f1)
        return best


def _means(
    keys: list[Hashable], share: NDArray[np.float32], tokens: NDArray[np.int32]
) -> dict[Hashable, float]:
    content: defaultdict[Hashable, float] = defaultdict(float)
    total: defaultdict[Hashable, float] = defaultdict(float)
    for key, one, amount in zip(keys, share.tolist(), tokens.tolist(), strict=True):
        content[key] += one * amount
        total[key] += amount
    return {key: content[key] / total[key] for key in total}


def sample(page: LabelledPage, model: Model) -> Sample | None:
    """Return a page as a sample; None where nothing can be read or nothing is labelled."""
    try:
        table = parse(page.html, url=page.url)
    except PageError:
        return None
    if not page.gold_text or not (table.written & table.shown).any():
        return None
    reading = read_blocks(table, Policy().signs(), model=model)
    texts = list(reading.found.blocks.texts())
    return Sample(
        reading.found,
        reading.score,
        model.kinds[int(np.argmax(reading.kinds))],
        _places(reading.found, texts),
        label_blocks(reading.found.blocks, page.gold_text),
        [Counter(tokenize(text)) for text in texts],
        Counter(tokenize(page.gold_text)),
    )


def _places(found: Features, texts: list[str]) -> tuple[list[Hashable], ...]:
    """Return the key of each block's place, for each of `PLACES`."""
    page, first = found.blocks.page, found.blocks.first
    slots = slot_hashes(page)[first].tolist()
    met: Counter[int] = Counter()
    ranks = []
    for slot in slots:
        ranks.append(met[slot].bit_length())  # the first, the second, 3 and 4, 5 to 8, …
        met[slot] += 1
    names = [names_of(key[1], key[0]) for key in found.marks.sets]
    return (
        page.path_hash[first].tolist(),
        [names[number] for number in found.marks.of_row[_named(found)].tolist()],
        slots,
        list(zip(slots, ranks, strict=True)),
        list(zip(slots, texts, strict=True)),
    )


def _named(found: Features) -> Rows:
    """Return int32[m]: the nearest element with a class or id above each block, else the root."""
    page = found.blocks.page
    rows = page.parent[found.blocks.first].copy()
    while True:
        waiting = np.flatnonzero((found.marks.of_row[rows] == 0) & (rows > 0))
        if not len(waiting):
            return rows
        rows[waiting] = page.parent[rows[waiting]]


def told(one: Sample, others: Sequence[Sample], *, trust: float = TRUST) -> Floats:
    """Return float64[m] in 0..1: share of content in the places of a page's blocks, by others.

    From loose places to exact ones, each other page that has the place counts once, what the looser
    place said like ``trust`` pages.

    Args:
        one: the page, whose labels aren't looked at.
        others: labelled pages of the same site, without it.
        trust: above 0.
    """
    score: Floats = one.score.astype(np.float64)
    for level, keys in enumerate(one.places):
        said = [[other.says[level].get(key, np.nan) for key in keys] for other in others]
        shares = np.array(said, dtype=np.float64).reshape(len(others), len(keys))
        known = ~np.isnan(shares)
        content = np.where(known, shares, 0).sum(axis=0)
        score = (content + trust * score) / (known.sum(axis=0) + trust)
    return score


def measured(pages: Sequence[Sample], *, trust: float = TRUST) -> NDArray[np.float64]:
    """Return float64[pages, 5]: word F1 of each page of one site.

    The default's, that of the site's labels, both at the page's best threshold, the labels' own.
    """
    rows = []
    for number, one in enumerate(pages):
        by_others = told(one, [*pages[:number], *pages[number + 1 :]], trust=trust)
        rows.append(
            [
                one.kept(one.score),
                one.kept(by_others),
                one.best(one.score),
                one.best(by_others),
                one.labels.bound,
            ]
        )
    return np.array(rows)


def contradicted(pages: Sequence[Sample]) -> tuple[float, float, float]:
    """Return words of content, of those in the same place of another page, of those noise there.

    A passage that several other pages have is noise by so many of them. Only passages of at least
    `SHORTEST` words are looked at; one that a page tells twice is content if either is.
    """
    says = [_passages(one) for one in pages]
    content = shared = noise = 0.0
    for number, own in enumerate(says):
        others = [*says[:number], *says[number + 1 :]]
        for key, (amount, is_content) in own.items():
            if is_content:
                there = [other[key][1] for other in others if key in other]
                content += amount
                shared += amount * bool(there)
                noise += amount * (1 - sum(there) / len(there)) if there else 0
    return content, shared, noise


def _passages(one: Sample) -> dict[Hashable, tuple[int, bool]]:
    """Return words, and whether it is content, of each passage in its place."""
    out: dict[Hashable, tuple[int, bool]] = {}
    labels = zip(one.labels.tokens.tolist(), (one.labels.share > 1 / 2).tolist(), strict=True)
    for key, (amount, is_content) in zip(one.places[-1], labels, strict=True):
        if amount >= SHORTEST:
            out[key] = amount, is_content or out.get(key, (0, False))[1]
    return out
