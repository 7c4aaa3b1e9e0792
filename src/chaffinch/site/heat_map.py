"""The columns of a heat map: evidence and verdict of a template for each block of one page.

A model keeps only hashes of the pages that it was learned from, so a heat map needs a page as
input. Every text block has the evidence of its slot, the return of its text, the joined probability
and the verdict of full mode; every rule has the rows that it selects.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from chaffinch.segment.text_blocks import text_blocks
from chaffinch.site.application import in_full
from chaffinch.site.block_evidence import shipped_weights
from chaffinch.site.joined_scores import ScoredPage
from chaffinch.site.page_sketch import likeness
from chaffinch.site.page_summary import page_sketch
from chaffinch.site.reasons import REASONS
from chaffinch.site.slots import slot_hashes, step_of
from chaffinch.site.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats, Mask, Rows
    from chaffinch.segment.text_blocks import TextBlocks
    from chaffinch.site.rules import Rule
    from chaffinch.site.site_model import SiteModel
    from chaffinch.site.template import Template


@dataclass(frozen=True, eq=False)
class HeatMap:
    """A page of a template; m text blocks, the first ones where a page has thousands.

    Attributes:
        blocks: the page's text blocks.
        likeness: 0..1, estimated Jaccard similarity of page and template.
        slot: intp[m], index of each block's slot in the template's table; -1 for an unknown slot.
        own: float32[m] in 0..1, probability of each block by the page-level model.
        joined: float32[m] in 0..1, probability with all evidence joined.
        returns: float64[m] in 0..1, how far each block's text returns on the template's pages.
        keep: bool[m], the verdict of full mode.
        why: m reasons of that verdict.
        ruled: the template's rules, each with the rows that it selects.
    """

    blocks: TextBlocks
    likeness: float
    slot: NDArray[np.intp]
    own: Floats
    joined: Floats
    returns: NDArray[np.float64]
    keep: Mask
    why: tuple[str, ...]
    ruled: tuple[tuple[Rule, Rows], ...]

    def __len__(self) -> int:
        return len(self.slot)

    @property
    def page(self) -> Page:
        """The page."""
        return self.blocks.page

    @classmethod
    def of(cls, site: SiteModel, template: Template, page: Page) -> HeatMap:
        """Return the heat map of ``page``, which has text, by ``template``, one of ``site``'s."""
        blocks = text_blocks(page)
        scored = ScoredPage.of(page)
        summary = scored.summary
        evidence = scored.evidence(site, site.templates.index(template))
        first = blocks.first[: len(summary)]
        # A report must not change the counts of use by which drift is found.
        verdict = in_full(site, page, Usage())
        return cls(
            blocks=blocks,
            likeness=float(likeness(template.sketch, summary.sketch[None])[0]),
            slot=template.slots.indices(summary.places),
            own=scored.scores.score[: len(summary)],
            joined=scored.joined(evidence)[: len(summary)],
            returns=evidence.return_share(shipped_weights()),
            keep=verdict.keep[first],
            why=tuple(REASONS[code] for code in verdict.why[first].tolist()),
            ruled=tuple(
                (rule, np.array(rule.rows(page), dtype=np.int32)) for rule in template.rules
            ),
        )

    def slot_path(self, block: int) -> str:
        """Return the path of a block's slot below the body, masked as in the template."""
        return path_of(self.page, int(self.blocks.owner[block]))

    def share(self, rows: Rows) -> float:
        """Return the share (0..1) of the page's text in the elements ``rows``, int32[k]."""
        page = self.page
        selected = np.zeros(len(page), dtype=bool)
        selected[rows] = True
        length = np.where(page.shown, page.own_length, 0)
        return float(length[page.inside(selected)].sum() / max(length.sum(), 1))

    def around(self) -> Iterator[tuple[tuple[int, Rule], ...]]:
        """Yield for each block the selected elements around it, outermost first: row and rule."""
        starts = sorted(
            (int(row), order, rule)
            for order, (rule, rows) in enumerate(self.ruled)
            for row in rows.tolist()
        )
        end, stack, at = self.page.end, list[tuple[int, "Rule"]](), 0
        for first in self.blocks.first[: len(self)].tolist():
            while at < len(starts) and starts[at][0] <= first:
                stack.append((starts[at][0], starts[at][2]))
                at += 1
            stack = [(row, rule) for row, rule in stack if end[row] > first]
            yield tuple(stack)


def path_of(page: Page, row: int) -> str:
    """Return the steps from below the body down to the element ``row``."""
    steps = []
    while row > page.body:
        steps.append(step_of(page, row))
        row = int(page.parent[row])
    return " > ".join(reversed(steps)) or "body"


def representatives(site: SiteModel, pages: Iterable[Page]) -> dict[str, Page]:
    """Return template → the page to draw it on: its own example, or else the most similar one.

    Pages are read one by one; at most one a template is held in memory.
    """
    best: dict[str, tuple[bool, float]] = {}
    out: dict[str, Page] = {}
    for page in pages:
        template = site.template_of(page)
        if template is None or not len(text_blocks(page)):
            continue
        sketch = page_sketch(page, slot_hashes(page))
        alike = float(likeness(template.sketch, sketch[None])[0])
        rank = (bool(page.url) and page.url == template.page, alike)
        if rank > best.get(template.name, (False, -1.0)):
            best[template.name], out[template.name] = rank, page
    return out
