"""Rules applied to a page: which template it is of, and what its rules keep.

No text is read but lines that may be dropped because they return.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.page import hashing, tags
from chaffinch.site.reasons import Why
from chaffinch.site.selector_matching import Matcher

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask, Reasons
    from chaffinch.site.selector_matching import Matches
    from chaffinch.site.template import Template

LEAST_SIGNS: Final = 0.6
"""Share of a template's signs that a page of it bears."""
_NUMBERS: Final = re.compile(r"\d+")
_DECIDE: Final = ("content", "drop")
_SLACK: Final = 3
"""How many times as long as its folded text a line may be for its white space."""
_KEEPS: Final = np.isin(np.arange(len(Why)), (Why.CONTENT_RULE, Why.CONTENT_BY_HAND))


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

    def kept_share(self, page: Page) -> float:
        """Return the share (0..1) of the page's text that is kept, white space left out.

        Counted in bytes, without the folded lengths of rows, which cost more than the rules do.
        """
        body = max(page.body, 0)
        kept, written = kernels.kept_bytes(page.text_at, self.keep, page.text, body)
        return kept / max(written, 1)


@dataclass(frozen=True)
class _Followed:
    """A template as its rules are followed: numbers of selectors, and hashes of noise that returns.

    ``painted`` has the selector, whether it is content and whether by hand, of each rule.
    """

    usable: bool
    signs: tuple[int, ...]
    lacks: tuple[int, ...]
    painted: tuple[tuple[int, bool, bool], ...]
    dropped: frozenset[int]
    longest: int

    def likeness(self, found: Matches) -> tuple[float, float]:
        """Return the share of signs that a page bears, and of signs and lacks that it agrees with.

        The second tells templates apart, whose own signs others may bear, too.
        """
        here = sum(map(found.any, self.signs))
        absent = len(self.lacks) - sum(map(found.any, self.lacks))
        whole = len(self.signs) + len(self.lacks)
        return here / len(self.signs), (here + absent) / whole

    def paint(self, page: Page, found: Matches) -> Reasons:
        """Return int8[n], codes of `Why`.

        Of nested elements the inner one is painted over the outer; people paint last.
        """
        painted = bytearray([Why.OUTSIDE]) * len(page)
        end = page.end.item
        for by_hand in (False, True):
            code_of: dict[int, Why] = {}
            for place, is_content, own in self.painted:
                if own == by_hand:
                    code = _code(is_content=is_content, by_hand=by_hand)
                    code_of.update(dict.fromkeys(found[place], code))
            for row, code in sorted(code_of.items()):
                # What bears the same code stands within an element that was painted with it.
                if painted[row] != code:
                    stop = end(row)
                    painted[row:stop] = bytes([code]) * (stop - row)
        return np.frombuffer(painted, dtype=np.int8)


class ByRules:
    """The rules of all templates of a site, matched in one pass over the page."""

    def __init__(self, templates: Sequence[Template]) -> None:
        selectors: dict[str, int] = {}

        def numbers(wanted: Iterable[str]) -> tuple[int, ...]:
            return tuple(selectors.setdefault(one, len(selectors)) for one in wanted)

        self._templates = []
        for template in templates:
            deciding = [rule for rule in template.rules if rule.kind in _DECIDE]
            places = numbers(rule.select for rule in deciding)
            painted = [
                (place, rule.kind == "content", rule.by_hand)
                for place, rule in zip(places, deciding, strict=True)
            ]
            fits = template.usable or any(rule.by_hand for rule in template.rules)
            self._templates.append(
                _Followed(
                    usable=fits and bool(template.signs) and bool(painted),
                    signs=numbers(template.signs),
                    lacks=numbers(template.lacks),
                    painted=tuple(painted),
                    dropped=frozenset(template.dropped.tolist()),
                    longest=template.longest,
                )
            )
        self._matcher = Matcher(list(selectors))

    def __call__(self, page: Page) -> Ruled:
        """Return what the rules of the best fitting template say."""
        found = self._matcher(page)
        number, share = self._fitting(found)
        if number < 0:
            why = np.full(len(page), Why.OUTSIDE, dtype=np.int8)
            return Ruled(-1, share, np.zeros(len(page), dtype=bool), why)
        template = self._templates[number]
        why = template.paint(page, found)
        keep = _KEEPS[why] & page.shown
        if template.dropped:
            returning = _returning(page, keep, template, why)
            why[returning], keep[returning] = Why.RETURNS, False
        return Ruled(number, share, keep, why)

    def _fitting(self, found: Matches) -> tuple[int, float]:
        """Return the template that agrees best with the page, and the share of its signs there."""
        best, best_alike, best_share, most = -1, 0.0, 0.0, 0.0
        for number, template in enumerate(self._templates):
            if not template.usable:
                continue
            share, alike = template.likeness(found)
            most = max(most, share)
            if share >= LEAST_SIGNS and alike > best_alike:
                best, best_alike, best_share = number, alike, share
        return (best, best_share) if best >= 0 else (-1, most)


def _code(*, is_content: bool, by_hand: bool) -> Why:
    if by_hand:
        return Why.CONTENT_BY_HAND if is_content else Why.DROP_BY_HAND
    return Why.CONTENT_RULE if is_content else Why.DROP_RULE


def _returning(page: Page, keep: Mask, template: _Followed, why: Reasons) -> list[int]:
    """Return the kept text rows whose line is noise on the template's pages."""
    mask = keep & (page.tag == tags.TEXT)
    if any(by_hand for *_, by_hand in template.painted):
        mask &= why != Why.CONTENT_BY_HAND
    rows = np.flatnonzero(mask)
    if not len(rows):
        return []
    line = page.line[rows]
    inner = np.flatnonzero(line[1:] != line[:-1]) + 1
    starts, stops = np.append(0, inner), np.append(inner, len(rows))
    begin, finish = page.text_at[rows[starts]], page.text_at[rows[stops - 1] + 1]
    # Most lines are longer than any text that returns: those needn't be looked at. One that is
    # longer by its white space alone is none of those that people wrote.
    short = np.flatnonzero(finish - begin <= _SLACK * (template.longest + 1))
    spans = zip(short.tolist(), begin[short].tolist(), finish[short].tolist(), strict=True)
    text, out = page.text, []
    for number, a, b in spans:
        own = text[a:b]
        if own.isspace() or not own:
            continue
        masked = _NUMBERS.sub("0", " ".join(own.split()))
        if hashing.hash_string(masked) & 0xFFFFFFFF in template.dropped:
            out += rows[starts[number] : stops[number]].tolist()
    return out
