"""A site model as data: its templates, how their rules are applied, and counts of their use.

Pages are clustered into templates by leader clustering, in time linear in their number. A page
joins the template whose leader is most similar, or leads a new one. Leaders are looked up by bands
of their sketches (locality-sensitive hashing: Broder 1997; Leskovec, Rajaraman and Ullman, «Mining
of Massive Datasets», section 3.4), so that a page is compared with few of them. page-clustering,
section 4, clusters by the same paths but compares every page with every cluster;
`chaffinch.siblings.block_rules` has that.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Self

import numpy as np

from chaffinch import kernels
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
from chaffinch.storage import LARGEST
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
_ENOUGH: Final = 5
"""Least pages from which a change is reported."""
_UNKNOWN_SHARE: Final = 0.25
"""Share of pages that a rule is expected on where nobody knows on how many it was when written."""
_FEWER: Final = 0.2
"""Difference of shares beyond which it counts as a change."""
_SUMS: Final = ("pages", "likeness", "known", "kept", "fallbacks")
_IDLE: Final = "idle "


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
        name: its name, unique in the model.
        pages: pages that it was learned from.
        share: estimated share (0..1) of the site's pages that have this template.
        page: address of the page most similar to the sketch; "" if unknown.
        sketch: uint64[64], the sketch that pages are compared with.
        likeness: mean likeness (0..1) of its pages to the sketch.
        known: mean share (0..1) of a page's text in slots that other pages have, too.
        kept: mean share (0..1) of a page's text that is content.
        lost: mean loss (0..1) of expected F1 on its pages, where its rules alone decide.
        signs: selectors that nearly all of its pages match and few others; the ``rules`` mode
            recognises its pages by them.
        lacks: selectors that hardly any of its pages match and nearly all of another template do.
        rules: the rules, those written by hand last.
        slots: statistics of its slots.
        texts: its returning texts.
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
    def is_learned(self) -> bool:
        """Whether it has slots and a sketch, which rules written by hand alone don't make."""
        return self.pages > 0

    @property
    def decided_by_hand(self) -> bool:
        """Whether a person wrote what is content on its pages, or what isn't."""
        return any(rule.by_hand and rule.decides for rule in self.rules)

    @property
    def returning(self) -> int:
        """How many texts, numbers masked, stand on at least two of its pages."""
        return int((self.texts.counts[1] > 1).sum())

    @property
    def doubt(self) -> str:
        """Why its learned rules aren't trusted alone; "" where they are, or none was learned.

        The bounds were chosen on 369 sites, of which those of each source were left out in turn.
        """
        if not self.is_learned or self.decided_by_hand:
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
        signs, lacks: selectors that pages of the template match, and don't match.
        deciding: the rules that decide, each with its selector.
        dropped: hashes of the returning texts that are dropped.
        longest: characters of the longest of these.
        lone_links: whether lone links are noise in what learned rules keep.
    """

    usable: bool
    signs: tuple[int, ...]
    lacks: tuple[int, ...]
    deciding: tuple[tuple[int, Rule], ...]
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


class RuleSet:
    """The rules of all templates of a site, matched in one pass over the page.

    No text is read except that of lines that may be dropped because they return.
    """

    def __init__(self, templates: Sequence[Template], rules: Sequence[Rule] = ()) -> None:
        """Compile the rules of templates, and the ``rules`` for all pages of the site."""
        selectors: dict[str, int] = {}

        def numbers(wanted: Iterable[str]) -> tuple[int, ...]:
            return tuple(selectors.setdefault(one, len(selectors)) for one in wanted)

        self._templates = []
        for one in templates:
            deciding = [rule for rule in (*rules, *one.rules) if rule.decides]
            selected = numbers(rule.select for rule in deciding)
            fits = one.usable or any(rule.by_hand for rule in one.rules)
            has_rules = bool(deciding or role_rules(one.rules))
            self._templates.append(
                _CompiledTemplate(
                    usable=fits and has_rules and bool(one.signs or not one.is_learned),
                    signs=numbers(one.signs),
                    lacks=numbers(one.lacks),
                    deciding=tuple(zip(selected, deciding, strict=True)),
                    dropped=frozenset(one.dropped.tolist()),
                    longest=one.longest,
                    lone_links=one.is_learned and lone_links_are_noise(one.slots),
                )
            )
        self.matches = Matcher(list(selectors))

    def verdict(self, matches: Matches, number: int, share: float) -> RuleVerdict:
        """Return the verdict of the rules of template ``number``, with its share of signs."""
        template, page = self._templates[number], matches.page
        why = template.labels(matches)
        keep = _KEEPS[why] & page.shown
        if template.dropped:
            returning = _returning(page, keep, template, why)
            why[returning], keep[returning] = SiteReason.RETURNS, False
        idle = (rule for at, rule in template.deciding if rule.by_hand and not matches.any(at))
        return RuleVerdict(number, share, keep, why, tuple(idle))

    def votes(self, number: int, matches: Matches) -> Mask | None:
        """Return bool[n]: rows that the learned rules of template ``number`` say are content.

        Returning texts and rules written by hand are left aside. None where no content was learned.
        """
        template = self._templates[number]
        if not any(rule.reason == SiteReason.CONTENT_RULE for _, rule in template.deciding):
            return None
        votes: Mask = template.labels(matches, (False,)) == SiteReason.CONTENT_RULE
        return votes

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


def _returning(page: Page, keep: Mask, template: _CompiledTemplate, why: Reasons) -> list[int]:
    """Return the kept text rows whose line is a returning text that the template drops."""
    mask = keep & (page.tag == tags.TEXT) & (why != SiteReason.CONTENT_BY_HAND)
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
    folded = [(number, " ".join(page.text[a:b].split())) for number, a, b in spans]
    written = [(number, own) for number, own in folded if own]
    masked = with_masked_numbers([own for _, own in written])
    out: list[int] = []
    for (number, _), value in zip(written, flattening.hash_strings(masked).tolist(), strict=True):
        if value & 0xFFFFFFFF in template.dropped:
            out += rows[starts[number] : stops[number]].tolist()
    return out


# Use and drift: the departure of pages from those that a model was learned from


@dataclass
class TemplateUse:
    """Counts of the pages of one template, or of those that fit none.

    Attributes:
        pages: pages that it was applied to.
        likeness, known, kept: sums over those pages of the values that a `Template` has means of.
        fallbacks: pages that the page-level default was used for.
        idle: rule written by hand, as "kind selector" → pages on which it selected nothing.
    """

    pages: int = 0
    likeness: float = 0.0
    known: float = 0.0
    kept: float = 0.0
    fallbacks: int = 0
    idle: dict[str, int] = field(default_factory=dict)

    def add(self, *, likeness: float, known: float, kept: float, fell_back: bool) -> None:
        """Count one page."""
        self.pages += 1
        self.likeness += likeness
        self.known += known
        self.kept += kept
        self.fallbacks += fell_back

    def add_idle(self, rules: Iterable[Rule]) -> None:
        """Count rules that select nothing on a page."""
        for rule in rules:
            self.idle[rule.key] = self.idle.get(rule.key, 0) + 1

    def to_dict(self) -> dict[str, float]:
        """Return the counts by name, those of idle rules as ``idle kind selector``."""
        plain = {name: getattr(self, name) for name in _SUMS}
        return plain | {f"{_IDLE}{rule}": count for rule, count in sorted(self.idle.items())}


@dataclass
class Usage:
    """Counts of use by the name of the template; "" for pages that fit none.

    ``other_hosts``, pages of hosts that aren't the model's, isn't saved.
    """

    by_template: dict[str, TemplateUse] = field(default_factory=dict)
    other_hosts: dict[str, int] = field(default_factory=dict)

    def of(self, name: str) -> TemplateUse:
        """Return the counts of a template, added if absent."""
        return self.by_template.setdefault(name, TemplateUse())

    @property
    def pages(self) -> int:
        """Pages that the model was applied to."""
        return sum(counts.pages for counts in self.by_template.values())

    def merge(self, other: "Usage") -> "Usage":
        """Return the counts of both, as of two processes."""
        out = Usage()
        for usage in (self, other):
            for name, counts in usage.by_template.items():
                mine = out.of(name)
                for key in _SUMS:
                    setattr(mine, key, getattr(mine, key) + getattr(counts, key))
                mine.idle = dict(Counter(mine.idle) + Counter(counts.idle))
        return out

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """Return plain values for JSON."""
        return {name: counts.to_dict() for name, counts in sorted(self.by_template.items())}

    @classmethod
    def from_dict(cls, values: Mapping[str, Mapping[str, Any]]) -> Self:
        """Return the counts that `to_dict` gave.

        Raises:
            ValueError: one is no number from 0 on.
            TypeError: an unknown count, or no counts at all.
        """
        out = cls()
        for name, counts in values.items():
            for key, value in counts.items():
                if not isinstance(value, int | float) or not 0 <= value <= LARGEST:
                    raise ValueError(f"{key} must be a number from 0 on, not {value!r}")
            idle = {key[len(_IDLE) :]: n for key, n in counts.items() if key.startswith(_IDLE)}
            plain: dict[str, Any] = {k: n for k, n in counts.items() if not k.startswith(_IDLE)}
            out.by_template[name] = TemplateUse(**plain, idle={k: int(n) for k, n in idle.items()})
        return out


def findings(usage: Usage, templates: Sequence[Template], rules: Sequence[Rule] = ()) -> list[str]:
    """Return what has changed since the templates were learned, in words; [] for nothing.

    Templates applied to fewer than 5 pages are left out; so are rules written by hand that had too
    few pages to be expected on 5. ``rules`` are those of all pages.
    """
    every = list(usage.by_template.values())
    out = _idle_findings("all pages", rules, every)
    for template in templates:
        own = usage.by_template.get(template.name)
        out += _idle_findings(f"template {template.name}", template.rules, [own] if own else [])
    lost = usage.by_template.get("", TemplateUse()).pages
    if usage.pages >= _ENOUGH and lost > _FEWER * usage.pages:
        out.append(
            f"{lost} of {usage.pages} pages fit no template: the site was rebuilt, or they "
            "are of another one"
        )
    for template in templates:
        counts = usage.by_template.get(template.name, TemplateUse())
        if counts.pages < _ENOUGH:
            continue
        alike, known, kept = (
            total / counts.pages for total in (counts.likeness, counts.known, counts.kept)
        )
        changes = [
            (
                alike < template.likeness - _FEWER,
                f"pages are built less alike, {alike:.2f} against {template.likeness:.2f}",
            ),
            (
                known < template.known - _FEWER,
                f"{1 - known:.0%} of the text is in new places, against {1 - template.known:.0%}",
            ),
            (
                abs(kept - template.kept) > _FEWER,
                f"{kept:.0%} of the text is kept, against {template.kept:.0%}",
            ),
            (
                counts.fallbacks > _FEWER * counts.pages,
                f"the rules found too little on {counts.fallbacks} of {counts.pages} pages",
            ),
        ]
        out += [f"template {template.name}: {what}" for is_so, what in changes if is_so]
    return out


def _idle_findings(here: str, rules: Iterable[Rule], uses: Sequence[TemplateUse]) -> list[str]:
    """Return a line for each rule written by hand that selected nothing where it was tried."""
    pages = sum(use.pages for use in uses)
    return [
        f"{here}: the rule by hand {rule.key} selects nothing on any of {pages} pages"
        for rule in rules
        if rule.by_hand
        and pages * (rule.share or _UNKNOWN_SHARE) >= _ENOUGH
        and sum(use.idle.get(rule.key, 0) for use in uses) == pages
    ]


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
        if number < 0 or (self.mode == "full" and self.templates[number].is_learned):
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
