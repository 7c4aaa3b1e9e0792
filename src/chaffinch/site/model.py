"""A site model as data: its templates, and how their rules are applied.

Pages are clustered into templates by leader clustering, in time linear in their number. A page
joins the template whose leader is most similar, or leads a new one. Leaders are looked up by bands
of their sketches (locality-sensitive hashing: Broder 1997; Leskovec, Rajaraman and Ullman, «Mining
of Massive Datasets», section 3.4), so that a page is compared with few of them. page-clustering,
section 4, clusters by the same paths but compares every page with every cluster;
`chaffinch.siblings.block_rules` has that.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from chaffinch.caching import cached_property
from chaffinch.errors import OptionError, require_one_of
from chaffinch.page import Page, flattening, tags
from chaffinch.page.arrays import Floats, Hashes, Mask, Reasons
from chaffinch.page.source import require_page
from chaffinch.site import MODES
from chaffinch.site.evidence import (
    BlockEvidence,
    PageGroup,
    ReturningTexts,
    SlotTable,
    lone_links_are_noise,
)
from chaffinch.site.rules import (
    Matcher,
    Matches,
    PageTest,
    Replacement,
    Rule,
    SiteReason,
    role_rules,
)
from chaffinch.site.sample import PageSummary, Statistics, page_sketch, with_masked_numbers
from chaffinch.site.slots import BINS, likeness, slot_hashes
from chaffinch.site.usage import Usage, findings
from chaffinch.verdict import Notes, RoleRule
from chaffinch.wording import counted

FALLBACK: Final = "page-level default"
"""Mode of a verdict of the page-level default, where no template applies."""
SAME_TEMPLATE: Final = 0.5
"""Least likeness of a page to the leader of the template that it joins; ``python -m
bench.quality.sites --sweep`` measures other values."""
LEAST_PAGES: Final = 2
"""Least pages that a template can be learned from."""
LEAST_SIGNS: Final = 0.6
"""Least share of a template's signs that a page of it matches."""
_ROWS: Final = 2
"""Bins of a band: at a likeness of 0.5 two sketches share one of the 32 bands with a chance of
0.9999, at 0.1 with 0.28."""
_COMMON: Final = 16
"""Templates that share a band, beyond which it doesn't discriminate between them."""
_MOST_LOST: Final = 0.005
_LEAST_KNOWN: Final = 0.8
_ENOUGH_PAGES: Final = 8
_NO_SIGNS: Final = 1e-9
"""Agreement of a template without signs: it fits where no other does."""
_SLACK: Final = 3
"""A line longer than this many times the longest returning text, in bytes, isn't hashed."""
_KEEPS: Final = np.isin(
    np.arange(len(SiteReason)), (SiteReason.CONTENT_RULE, SiteReason.CONTENT_BY_HAND)
)


@dataclass(frozen=True, kw_only=True)
class SiteNotes(Notes):
    """How a site model was applied to a page.

    Attributes:
        mode: ``full``, ``rules``, or `FALLBACK` where it fits no template or the rules fail.
        template: name of the template that it fits; None where it fell back.
        likeness: 0..1: in ``full`` the Jaccard similarity of page and template, estimated from
            their sketches, in ``rules`` the share of the template's signs that the page matches;
            None where it fell back.
        because: why its rules didn't decide, and why it fell back; None where neither is so.
    """

    mode: str
    template: str | None = None
    likeness: float | None = None
    because: str | None = None

    @property
    def calibration(self) -> str:
        """``site rules`` where they decided; else the verdict has a confidence of its own."""
        return "site rules" if self.mode == "rules" else ""


class TemplateLeaders:
    """Sketches of the leaders of templates, uint64[BINS] each, looked up by bands."""

    def __init__(self, sketches: Iterable[Hashes] = ()) -> None:
        self.sketches: list[Hashes] = []
        self._having: dict[bytes, list[int]] = {}
        for sketch in sketches:
            self._add(sketch)

    def _add(self, sketch: Hashes) -> int:
        number = len(self.sketches)
        self.sketches.append(sketch)
        for band in _bands(sketch):
            self._having.setdefault(band, []).append(number)
        return number

    def nearest(self, sketch: Hashes) -> tuple[int, float]:
        """Return number and likeness of the most similar leader, the first of them; or (-1, 0)."""
        found = [held for band in _bands(sketch) if (held := self._having.get(band))]
        # Bands that many templates share come from elements of all pages of the site; they don't
        # discriminate, and comparing all of their templates would take time linear in these.
        rare = [held for held in found if len(held) <= _COMMON] or found
        near = sorted({number for held in rare for number in held})
        if not near:
            return -1, 0.0
        alike = likeness(sketch, np.stack([self.sketches[number] for number in near]))
        best = int(np.argmax(alike))
        return near[best], float(alike[best])

    def join(self, sketch: Hashes) -> int:
        """Return the number of the template that a page of this sketch joins, or leads anew."""
        number, alike = self.nearest(sketch)
        return number if alike >= SAME_TEMPLATE else self._add(sketch)


def _bands(sketch: Hashes) -> list[bytes]:
    """Return the bands, each preceded by its number, without those that have an empty bin.

    Pages of few slots have hardly a band without an empty bin; for them every band counts that
    isn't empty throughout.
    """
    data, width = sketch.tobytes(), 8 * _ROWS
    bands = [bytes([at]) + data[at * width : (at + 1) * width] for at in range(BINS // _ROWS)]
    empty = b"\xff" * 8
    full = [band for band in bands if empty not in band]
    return full if len(full) >= len(bands) // 2 else [b for b in bands if b[1:] != empty * _ROWS]


@dataclass(frozen=True, kw_only=True, eq=False)
class Template:
    """A cluster of a site's pages with similar structure, with its tables and rules.

    Attributes:
        name: unique in the model.
        pages: that it was learned from; 0 where people alone wrote its rules.
        share: estimated share (0..1) of the site's pages that have this template.
        page: address of the page most similar to the sketch; "" if unknown.
        sketch: uint64[64], which pages are compared with.
        likeness: mean likeness (0..1) of its pages to the sketch.
        known: mean share (0..1) of a page's text in slots that other pages have, too.
        kept: mean share (0..1) of a page's text that is content.
        lost: mean loss (0..1) of expected F1 on its pages, where its rules alone decide.
        signs: selectors that nearly all of its pages match and few others; the ``rules`` mode
            recognises its pages by them.
        lacks: selectors that hardly any of its pages match and nearly all of another template do.
        rules: the rules, those written by hand last.
        slots, texts: statistics of its slots, and its returning texts.
        groups: name → tables of a group of its pages alone; see `chaffinch.site.evidence`.
        dropped: uint32, ascending: returning texts (numbers masked) that rules drop.
        longest: characters of the longest of these.
        keys: uint64, ascending: the keys of the pages that it was learned from.
    """

    name: str
    pages: int
    share: float
    page: str
    sketch: Hashes
    likeness: float
    known: float
    kept: float
    lost: float
    signs: tuple[str, ...]
    lacks: tuple[str, ...]
    rules: tuple[Rule, ...]
    slots: SlotTable
    texts: ReturningTexts
    groups: Mapping[str, PageGroup]
    dropped: Hashes
    longest: int
    keys: Hashes

    @property
    def usable(self) -> bool:
        """Whether it was learned from enough pages to be applied."""
        return self.pages >= LEAST_PAGES

    @property
    def decided_by_hand(self) -> bool:
        """Whether a person wrote what is content on its pages, or what isn't."""
        return any(rule.by_hand and rule.decides for rule in self.rules)

    @property
    def doubt(self) -> str:
        """Why its learned rules aren't trusted alone; "" where they are, or none was learned.

        The bounds were chosen on 369 sites, of which those of each source were left out in turn.
        """
        if not self.pages or self.decided_by_hand:
            return ""
        if self.pages < _ENOUGH_PAGES:
            return f"{self.name} was learned from {counted(self.pages, 'page')} only"
        if self.known < _LEAST_KNOWN:
            return f"the pages of {self.name} are too unlike one another for rules"
        if self.lost > _MOST_LOST:
            return f"the rules of {self.name} can't say what its pages together say"
        return ""

    def evidence(self, page: PageSummary, votes: Floats | None = None) -> BlockEvidence:
        """Return the evidence for a page's m blocks, also of a page that it was learned from.

        ``votes`` are those of its learned rules, float32[m]; None for none.
        """
        own = bool((self.keys == np.uint64(page.key)).any())
        return BlockEvidence.of(
            page, self.slots, self.texts, groups=self.groups, own=own, votes=votes
        )


@dataclass(frozen=True)
class TemplateRules:
    """The rules of a template, their selectors replaced by numbers.

    Attributes:
        template: the template.
        signs, lacks: selectors that pages of the template match, and don't match.
        deciding: the rules that decide, those of all pages first, each with its selector.
        usable: whether the rules can be applied at all.
        dropped: hashes of the returning texts that are dropped.
        lone_links: whether lone links are noise in what learned rules keep.
    """

    template: Template
    signs: tuple[int, ...]
    lacks: tuple[int, ...]
    deciding: tuple[tuple[int, Rule], ...]
    usable: bool
    dropped: frozenset[int]
    lone_links: bool

    def likeness(self, found: Matches) -> tuple[float, float]:
        """Return the share of signs that a page matches, and that of signs and lacks that agree.

        The second separates templates whose signs pages of other templates match, too.
        """
        if not self.signs:
            return 1.0, _NO_SIGNS
        here = sum(map(found.any, self.signs))
        absent = len(self.lacks) - sum(map(found.any, self.lacks))
        return here / len(self.signs), (here + absent) / (len(self.signs) + len(self.lacks))

    def labels(self, found: Matches, by_whom: tuple[bool, ...] = (False, True)) -> Reasons:
        """Return int8[n], codes of `SiteReason`: of nested elements the innermost decides.

        ``by_whom`` has False for learned rules, True for those by hand; the last has the last word.
        """
        page = found.page
        labels = bytearray([SiteReason.OUTSIDE]) * len(page)
        end = page.end.item
        for by_hand in by_whom:
            code_of: dict[int, SiteReason] = {}
            for number, rule in self.deciding:
                if rule.by_hand == by_hand:
                    code_of.update(dict.fromkeys(found[number], rule.reason))
            for row, code in sorted(code_of.items()):
                # A row that has the code already lies in an element that was given it as a whole.
                if labels[row] != code:
                    stop = end(row)
                    labels[row:stop] = bytes([code]) * (stop - row)
        return np.frombuffer(labels, dtype=np.int8)

    def verdict(self, found: Matches) -> tuple[Mask, Reasons]:
        """Return bool[n] and int8[n]: what the rules keep of a page, and why."""
        why = self.labels(found)
        keep = _KEEPS[why] & found.page.shown
        if self.dropped:
            returning = self._returning(found.page, keep, why)
            why[returning], keep[returning] = SiteReason.RETURNS, False
        return keep, why

    def idle(self, found: Matches) -> list[Rule]:
        """Return the rules by hand for content and noise that select nothing on a page."""
        return [rule for at, rule in self.deciding if rule.by_hand and not found.any(at)]

    def votes(self, found: Matches) -> Mask | None:
        """Return bool[n]: rows that the learned rules say are content; None where none was learned.

        Returning texts and rules written by hand are left aside.
        """
        if not any(rule.reason == SiteReason.CONTENT_RULE for _, rule in self.deciding):
            return None
        votes: Mask = self.labels(found, (False,)) == SiteReason.CONTENT_RULE
        return votes

    def _returning(self, page: Page, keep: Mask, why: Reasons) -> list[int]:
        """Return the kept text rows whose line is a returning text that the template drops."""
        mask = keep & (page.tag == tags.TEXT) & (why != SiteReason.CONTENT_BY_HAND)
        rows = np.flatnonzero(mask)
        if not len(rows):
            return []
        inner = np.flatnonzero(np.diff(page.line[rows])) + 1
        starts, stops = np.append(0, inner), np.append(inner, len(rows))
        begin, finish = page.text_at[rows[starts]], page.text_at[rows[stops - 1] + 1]
        # Most lines are longer than any returning text: they needn't be hashed. A line that exceeds
        # the bound by white space alone doesn't occur in practice.
        short = np.flatnonzero(finish - begin <= _SLACK * (self.template.longest + 1))
        spans = zip(short.tolist(), begin[short].tolist(), finish[short].tolist(), strict=True)
        folded = [(number, " ".join(page.text[a:b].split())) for number, a, b in spans]
        written = [(number, own) for number, own in folded if own]
        hashes = flattening.hash_strings(with_masked_numbers([own for _, own in written]))
        out: list[int] = []
        for (number, _), value in zip(written, hashes.tolist(), strict=True):
            if value & 0xFFFFFFFF in self.dropped:
                out += rows[starts[number] : stops[number]].tolist()
        return out


class RuleSet(list[TemplateRules]):
    """The rules of each template of a site, matched in one pass over the page.

    No text is read except that of lines that may be dropped because they return.

    Attributes:
        matches: gives the matches of all selectors on a page.
    """

    def __init__(self, templates: Sequence[Template], rules: Sequence[Rule] = ()) -> None:
        """Compile the rules of templates, and the ``rules`` for all pages of the site."""
        super().__init__()
        selectors: dict[str, int] = {}

        def numbers(wanted: Iterable[str]) -> tuple[int, ...]:
            return tuple(selectors.setdefault(one, len(selectors)) for one in wanted)

        for one in templates:
            deciding = [rule for rule in (*rules, *one.rules) if rule.decides]
            selected = numbers(rule.select for rule in deciding)
            fits = one.usable or any(rule.by_hand for rule in one.rules)
            has_rules = bool(deciding or role_rules(one.rules))
            self.append(
                TemplateRules(
                    one,
                    signs=numbers(one.signs),
                    lacks=numbers(one.lacks),
                    deciding=tuple(zip(selected, deciding, strict=True)),
                    usable=fits and has_rules and bool(one.signs or not one.pages),
                    dropped=frozenset(one.dropped.tolist()),
                    lone_links=one.pages > 0 and lone_links_are_noise(one.slots),
                )
            )
        self.matches = Matcher(list(selectors))

    def fitting(self, found: Matches) -> tuple[int, float]:
        """Return the template that agrees best with a page, and the share of its signs there.

        -1 and the largest share where none does.
        """
        best, best_alike, best_share, most = -1, 0.0, 0.0, 0.0
        for number, one in enumerate(self):
            if not one.usable:
                continue
            share, alike = one.likeness(found)
            most = max(most, share)
            if share >= LEAST_SIGNS and alike > best_alike:
                best, best_alike, best_share = number, alike, share
        return (best, best_share) if best >= 0 else (-1, most)


@dataclass(frozen=True)
class Learning:
    """One learning of a model: its date, ISO 8601, and the pages that were seen."""

    date: str
    pages: int


@dataclass(frozen=True, kw_only=True, eq=False)
class SiteModel:
    """A site model as data.

    Attributes:
        name: the site's host; "" if unknown.
        templates: its templates, the largest first.
        rules: rules for all pages of the site, whatever their template, all written by hand.
        replacing: texts that are replaced in the source of each page before it is parsed.
        tests: pages and what their content holds, for checks of the rules.
        title_boilerplate: parts of title elements that return on its pages, those of most titles
            first.
        history: its learnings, the oldest first.
        mode: ``full`` or ``rules``.
        statistics: the sample that it was learned from, needed for `update` only; None where its
            file is missing.
        usage: counts of use since it was loaded; they grow with each page.
        counted: earlier counts of use, as `save_counts` wrote them.
    """

    name: str = ""
    templates: tuple[Template, ...] = ()
    rules: tuple[Rule, ...] = ()
    replacing: tuple[Replacement, ...] = ()
    tests: tuple[PageTest, ...] = ()
    title_boilerplate: tuple[str, ...] = ()
    history: tuple[Learning, ...] = ()
    mode: str = "full"
    statistics: Statistics | None = None
    usage: Usage = field(default_factory=Usage)
    counted: Usage = field(default_factory=Usage)

    def __post_init__(self) -> None:
        require_one_of("mode", self.mode, MODES)

    @cached_property
    def leaders(self) -> TemplateLeaders:
        """The sketches of its templates, by which pages are assigned to them."""
        return TemplateLeaders(template.sketch for template in self.templates)

    @cached_property
    def rule_set(self) -> RuleSet:
        """The rules of its templates, compiled."""
        return RuleSet(self.templates, self.rules)

    def rules_for(self, template: Template | None) -> tuple[Rule, ...]:
        """Return the rules that hold on pages of a template, None for none, of all pages first."""
        return (*self.rules, *(() if template is None else template.rules))

    def roles_by(self, template: Template | None) -> tuple[RoleRule, ...]:
        """Return the rules for fields of pages of ``template``, and of all pages, by precedence."""
        return role_rules((*(() if template is None else template.rules), *self.rules))

    def roles_of(self, page: Page) -> tuple[RoleRule, ...]:
        """Return the rules for fields of the template that ``page`` fits, by precedence.

        Raises:
            OptionError: it is no `Page`.
        """
        require_page(page)
        by_sketch = self.template_of(page) if self.mode == "full" else None
        if by_sketch is not None and by_sketch.usable:
            return self.roles_by(by_sketch)
        number, _ = self.rule_set.fitting(self.rule_set.matches(page))
        if number < 0 or (self.mode == "full" and self.templates[number].pages):
            return self.roles_by(None)
        return self.roles_by(self.templates[number])

    def require_replaced(self, page: Page) -> None:
        """Check that what the model replaces was replaced in the source of a page.

        Raises:
            OptionError: it wasn't.
        """
        wanted = tuple((one.find, one.put) for one in self.replacing)
        if wanted and page.replaced != wanted:
            raise OptionError(
                f"the model of {self.name or 'the site'} replaces texts in the source of pages, "
                "and this one is parsed without that: give the source, or "
                "parse(source, replacements=site.replacements(url))"
            )

    def template_of(self, page: Page) -> Template | None:
        """Return the template of ``page``; None where none is similar enough.

        Raises:
            OptionError: it is no `Page`.
        """
        require_page(page)
        number, alike = self.leaders.nearest(page_sketch(page, slot_hashes(page)))
        return self.templates[number] if alike >= SAME_TEMPLATE else None

    @property
    def uses(self) -> Usage:
        """Counts of all use since it was learned, as far as they were kept."""
        return self.counted.merge(self.usage)

    def clear_usage(self) -> None:
        """Forget the counts of use since the model was loaded."""
        self.usage.by_template.clear()

    def named_findings(self) -> list[str]:
        """Return the drift since the model was learned, each line with the site's name."""
        return [f"{self.name or 'site'}: {one}" for one in self.findings()]

    def findings(self) -> list[str]:
        """Return the drift since the model was learned, in words, by its counts of use."""
        elsewhere = [
            f"applied to {counted(pages, 'page')} of another host, {host}"
            for host, pages in self.usage.other_hosts.items()
        ]
        return elsewhere + findings(self.uses, self.templates, self.rules)

    def is_own(self, host: str) -> bool:
        """Return whether a host is the model's, or one of them is below the other; or unknown."""
        own, other = (name.lower().removeprefix("www.") for name in (self.name, host))
        if not other or "." not in own or own == other:
            return True
        return own.endswith(f".{other}") or other.endswith(f".{own}")
