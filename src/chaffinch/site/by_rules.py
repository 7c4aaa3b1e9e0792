"""Rules applied to a page: which template it is of, and what its rules keep; no text is read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.page import hashing, tags
from chaffinch.site.matching import Matcher
from chaffinch.site.tables import places
from chaffinch.site.why import Why

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask, Reasons
    from chaffinch.site.learning import Template

LEAST_SIGNS: Final = 0.6
"""Share of a template's signs that a page of it bears."""
_DECIDE: Final = ("content", "drop")
_NUMBERS: Final = re.compile(r"\d+")


@dataclass(frozen=True, eq=False)
class Ruled:
    """What the rules say of a page.

    Attributes:
        template: number of the template; -1 where the page fits none.
        signs: share (0..1) of its signs that the page bears.
        keep: bool[n].
        why: int8[n], codes of `Why`.
    """

    template: int
    signs: float
    keep: Mask
    why: Reasons


class ByRules:
    """The rules of all templates of a site, matched in one pass over the page."""

    def __init__(self, templates: Sequence[Template]) -> None:
        self._templates = tuple(templates)
        self._signs: list[tuple[int, ...]] = []
        self._rules: list[tuple[int, ...]] = []
        selectors: dict[str, int] = {}
        for template in templates:
            for select in template.signs:
                selectors.setdefault(select, len(selectors))
            self._signs.append(tuple(selectors[one] for one in template.signs))
            deciding = [rule for rule in template.rules if rule.kind in _DECIDE]
            for rule in deciding:
                selectors.setdefault(rule.select, len(selectors))
            self._rules.append(tuple(selectors[rule.select] for rule in deciding))
        self._matcher = Matcher(list(selectors))

    def __call__(self, page: Page) -> Ruled:
        """Return what the rules of the best fitting template say."""
        rows = self._matcher(page)
        number, share = self._fitting(rows)
        why = np.full(len(page), Why.OUTSIDE, dtype=np.int8)
        if number < 0:
            return Ruled(-1, share, np.zeros(len(page), dtype=bool), why)
        template = self._templates[number]
        deciding = [rule for rule in template.rules if rule.kind in _DECIDE]
        for by_hand in (False, True):
            # Of nested elements the inner one is painted over the outer; people paint last.
            found = [
                (row, order, rule.kind == "content")
                for order, (rule, place) in enumerate(
                    zip(deciding, self._rules[number], strict=True)
                )
                if rule.by_hand is by_hand
                for row in rows[place]
            ]
            for row, _, is_content in sorted(found):
                why[row : page.end[row]] = _code(is_content=is_content, by_hand=by_hand)
        keep = _keeps(why) & page.shown
        if len(template.dropped):
            keep &= ~_returning(page, keep, template, why)
        return Ruled(number, share, keep, why)

    def _fitting(self, rows: list[list[int]]) -> tuple[int, float]:
        """Return the template with the largest share of its signs on the page, and that share."""
        best, best_share = -1, 0.0
        for number, (template, signs) in enumerate(zip(self._templates, self._signs, strict=True)):
            if not signs or not self._rules[number] or not (template.usable or _edited(template)):
                continue
            share = sum(bool(rows[place]) for place in signs) / len(signs)
            if share > best_share:
                best, best_share = number, share
        return (best, best_share) if best_share >= LEAST_SIGNS else (-1, best_share)


def _edited(template: Template) -> bool:
    return any(rule.by_hand for rule in template.rules)


def _code(*, is_content: bool, by_hand: bool) -> Why:
    if by_hand:
        return Why.CONTENT_BY_HAND if is_content else Why.DROP_BY_HAND
    return Why.CONTENT_RULE if is_content else Why.DROP_RULE


def _keeps(why: NDArray[np.int8]) -> Mask:
    mask: Mask = (why == Why.CONTENT_RULE) | (why == Why.CONTENT_BY_HAND)
    return mask


def _returning(page: Page, keep: Mask, template: Template, why: Reasons) -> Mask:
    """Return bool[n]: kept lines whose text is noise on the template's pages; their why is set."""
    rows = np.flatnonzero(keep & (why != Why.CONTENT_BY_HAND) & (page.tag == tags.TEXT))
    rows = rows[page.written[rows]]
    line = page.line[rows]
    starts = np.flatnonzero(np.diff(line, prepend=-1))
    if not len(starts):
        return np.zeros(len(page), dtype=bool)
    # Most lines are longer than any text that returns: those needn't be looked at.
    short = np.add.reduceat(page.own_length[rows], starts) <= template.longest
    ends = np.append(starts[1:], len(rows))
    starts, ends = starts[short], ends[short]
    firsts, lasts = page.text_at[rows[starts]].tolist(), page.text_at[rows[ends - 1] + 1].tolist()
    texts = [" ".join(page.text[a:b].split()) for a, b in zip(firsts, lasts, strict=True)]
    hashes = [hashing.hash_string(_NUMBERS.sub("0", text)) & 0xFFFFFFFF for text in texts]
    found = places(template.dropped, np.array(hashes, dtype=np.uint32)) >= 0
    mask = np.zeros(len(page), dtype=bool)
    for start, stop in zip(starts[found].tolist(), ends[found].tolist(), strict=True):
        mask[rows[start:stop]] = True
    why[mask] = Why.RETURNS
    return mask
