"""The rules of all templates of a site, applied to a page: template and verdict.

No text is read except that of lines that may be dropped because they return.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch import kernels
from chaffinch.page import hashing, tags
from chaffinch.site.inseparable_blocks import lone_links_are_noise
from chaffinch.site.reasons import SiteReason
from chaffinch.site.selector_matching import Matcher
from chaffinch.site.text_hashes import with_masked_numbers

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask, Reasons
    from chaffinch.site.rules import Rule
    from chaffinch.site.selector_matching import Matches
    from chaffinch.site.template import Template

LEAST_SIGNS: Final = 0.6
"""Least share of a template's signs that a page of it matches."""
_NO_SIGNS: Final = 1e-9
"""Agreement of a template without signs: it fits where no other does."""
_SLACK: Final = 3
"""A line longer than this many times the longest returning text, in bytes, isn't hashed."""
_KEEPS: Final = np.isin(
    np.arange(len(SiteReason)), (SiteReason.CONTENT_RULE, SiteReason.CONTENT_BY_HAND)
)


@dataclass(frozen=True, eq=False)
class RuleVerdict:
    """The template whose rules apply to a page, and their verdict.

    Attributes:
        template: number of the template; -1 where the page fits none.
        signs: share (0..1) of its signs that the page matches.
        keep: bool[n].
        why: int8[n], codes of `SiteReason`.
        idle: rules written by hand for content and noise that select nothing on the page.
    """

    template: int
    signs: float
    keep: Mask
    why: Reasons
    idle: tuple[Rule, ...] = ()

    def kept_share(self, page: Page) -> float:
        """Return the share (0..1) of the page's text that is kept, white space left out.

        Counted in bytes, since the folded lengths of rows would cost more time than the rules do.
        """
        body = max(page.body, 0)
        kept, written = kernels.kept_bytes(page.text_at, self.keep, page.text, body)
        return kept / max(written, 1)


@dataclass(frozen=True)
class _CompiledTemplate:
    """The rules of a template, their selectors replaced by numbers.

    Attributes:
        usable: whether the rules can be applied at all.
        signs, lacks: numbers of the selectors that pages of the template match, and don't match.
        deciding: selector, whether it is content and whether it is written by hand, of each rule
            that decides.
        by_hand: those of them that a person wrote, each with its selector.
        dropped: hashes of the returning texts that are dropped.
        longest: characters of the longest of these.
        lone_links: whether lone links are noise in what learned rules keep.
    """

    usable: bool
    signs: tuple[int, ...]
    lacks: tuple[int, ...]
    deciding: tuple[tuple[int, bool, bool], ...]
    by_hand: tuple[tuple[int, Rule], ...]
    dropped: frozenset[int]
    longest: int
    lone_links: bool

    def likeness(self, found: Matches) -> tuple[float, float]:
        """Return the share of signs that a page matches, and that of signs and lacks that agree.

        The second separates templates whose signs pages of other templates match, too.
        """
        if not self.signs:
            return 1.0, _NO_SIGNS
        here = sum(map(found.any, self.signs))
        absent = len(self.lacks) - sum(map(found.any, self.lacks))
        whole = len(self.signs) + len(self.lacks)
        return here / len(self.signs), (here + absent) / whole

    def labels(
        self, page: Page, found: Matches, by_whom: tuple[bool, ...] = (False, True)
    ) -> Reasons:
        """Return int8[n], codes of `SiteReason`.

        The innermost of nested elements decides; rules written by hand override all others.

        Args:
            page: the page.
            found: where the selectors match on it.
            by_whom: False for learned rules, True for those written by hand, the last word last.
        """
        labels = bytearray([SiteReason.OUTSIDE]) * len(page)
        end = page.end.item
        for by_hand in by_whom:
            code_of: dict[int, SiteReason] = {}
            for number, is_content, own in self.deciding:
                if own == by_hand:
                    code = _code(is_content=is_content, by_hand=by_hand)
                    code_of.update(dict.fromkeys(found[number], code))
            for row, code in sorted(code_of.items()):
                # A row that has the code already lies in an element that was given it as a whole.
                if labels[row] != code:
                    stop = end(row)
                    labels[row:stop] = bytes([code]) * (stop - row)
        return np.frombuffer(labels, dtype=np.int8)


class RuleSet:
    """The rules of all templates of a site, matched in one pass over the page."""

    def __init__(self, templates: Sequence[Template], rules: Sequence[Rule] = ()) -> None:
        """Compile the rules of templates, and the ``rules`` for all pages of the site."""
        selectors: dict[str, int] = {}

        def numbers(wanted: Iterable[str]) -> tuple[int, ...]:
            return tuple(selectors.setdefault(one, len(selectors)) for one in wanted)

        self._templates = []
        for template in templates:
            deciding = [rule for rule in (*rules, *template.rules) if rule.decides]
            selected = numbers(rule.select for rule in deciding)
            compiled = tuple(
                (number, rule.kind == "content", rule.by_hand)
                for number, rule in zip(selected, deciding, strict=True)
            )
            fits = template.usable or any(rule.by_hand for rule in template.rules)
            recognisable = bool(template.signs) or not template.is_learned
            self._templates.append(
                _CompiledTemplate(
                    usable=fits and recognisable and bool(compiled or template.roles),
                    signs=numbers(template.signs),
                    lacks=numbers(template.lacks),
                    deciding=compiled,
                    by_hand=tuple(
                        (n, one) for n, one in zip(selected, deciding, strict=True) if one.by_hand
                    ),
                    dropped=frozenset(template.dropped.tolist()),
                    longest=template.longest,
                    lone_links=template.is_learned and lone_links_are_noise(template.slots),
                )
            )
        self._matcher = Matcher(list(selectors))

    def __call__(self, page: Page) -> RuleVerdict:
        """Return the verdict of the rules of the best fitting template."""
        matches = self.matches(page)
        number, share = self.fitting(matches)
        if number < 0:
            why = np.full(len(page), SiteReason.OUTSIDE, dtype=np.int8)
            return RuleVerdict(-1, share, np.zeros(len(page), dtype=bool), why)
        return self.verdict(page, matches, number, share)

    def matches(self, page: Page) -> Matches:
        """Return where the selectors of all rules match on ``page``."""
        return self._matcher(page)

    def verdict(self, page: Page, matches: Matches, number: int, share: float) -> RuleVerdict:
        """Return the verdict of the rules of template ``number``, with its share of signs."""
        template = self._templates[number]
        why = template.labels(page, matches)
        keep = _KEEPS[why] & page.shown
        if template.dropped:
            returning = _returning(page, keep, template, why)
            why[returning], keep[returning] = SiteReason.RETURNS, False
        idle = tuple(rule for at, rule in template.by_hand if not matches.any(at))
        return RuleVerdict(number, share, keep, why, idle)

    def votes(self, number: int, matches: Matches) -> Mask | None:
        """Return bool[n]: rows that the learned rules of template ``number`` say are content.

        Returning texts and rules written by hand are left aside. None where no content was learned.
        """
        template = self._templates[number]
        if not any(is_content and not by_hand for _, is_content, by_hand in template.deciding):
            return None
        votes: Mask = template.labels(matches.page, matches, (False,)) == SiteReason.CONTENT_RULE
        return votes

    def template_of(self, page: Page) -> tuple[int, float]:
        """Return the number of the template whose rules apply to ``page``, and its share of signs.

        -1 where none does.
        """
        return self.fitting(self.matches(page))

    def decides(self, number: int) -> bool:
        """Return whether a template has rules on what is content."""
        return bool(self._templates[number].deciding)

    def drops_lone_links(self, number: int) -> bool:
        """Return whether lone links are noise in what a template's learned rules keep."""
        return self._templates[number].lone_links

    def fitting(self, found: Matches) -> tuple[int, float]:
        """Return the template that agrees best with a page, and the share of its signs there.

        -1 and the largest share where none does.
        """
        best, best_alike, best_share, most = -1, 0.0, 0.0, 0.0
        for number, template in enumerate(self._templates):
            if not template.usable:
                continue
            share, alike = template.likeness(found)
            most = max(most, share)
            if share >= LEAST_SIGNS and alike > best_alike:
                best, best_alike, best_share = number, alike, share
        return (best, best_share) if best >= 0 else (-1, most)


def _code(*, is_content: bool, by_hand: bool) -> SiteReason:
    if by_hand:
        return SiteReason.CONTENT_BY_HAND if is_content else SiteReason.DROP_BY_HAND
    return SiteReason.CONTENT_RULE if is_content else SiteReason.DROP_RULE


def _returning(page: Page, keep: Mask, template: _CompiledTemplate, why: Reasons) -> list[int]:
    """Return the kept text rows whose line is a returning text that the template drops."""
    mask = keep & (page.tag == tags.TEXT)
    if any(by_hand for *_, by_hand in template.deciding):
        mask &= why != SiteReason.CONTENT_BY_HAND
    rows = np.flatnonzero(mask)
    if not len(rows):
        return []
    line = page.line[rows]
    inner = np.flatnonzero(line[1:] != line[:-1]) + 1
    starts, stops = np.append(0, inner), np.append(inner, len(rows))
    begin, finish = page.text_at[rows[starts]], page.text_at[rows[stops - 1] + 1]
    # Most lines are longer than any returning text: they needn't be hashed. A line that exceeds
    # the bound by white space alone doesn't occur in practice.
    short = np.flatnonzero(finish - begin <= _SLACK * (template.longest + 1))
    spans = zip(short.tolist(), begin[short].tolist(), finish[short].tolist(), strict=True)
    text = page.text
    folded = [(number, " ".join(text[a:b].split())) for number, a, b in spans]
    written = [(number, own) for number, own in folded if own]
    masked = with_masked_numbers([own for _, own in written])
    out: list[int] = []
    for (number, _), value in zip(written, hashing.hash_strings(masked).tolist(), strict=True):
        if value & 0xFFFFFFFF in template.dropped:
            out += rows[starts[number] : stops[number]].tolist()
    return out
