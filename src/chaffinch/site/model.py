"""A site model as data: its templates and its rules.

Pages are clustered into templates by leader clustering: a page joins the template whose leader is
most similar, or leads a new one. page-clustering, section 4, clusters by the same paths but
compares every page with every one of a cluster; `chaffinch.methods.cluster_rules` has that.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from chaffinch.caching import cached_property
from chaffinch.kernels.arrays import Floats, Hashes
from chaffinch.page import Page
from chaffinch.page.source import require_page
from chaffinch.site.evidence import WHOLE, BlockEvidence, PageTables
from chaffinch.site.rules import Rule, Usage, findings, role_rules
from chaffinch.site.sample import PageSummary, Statistics, page_sketch
from chaffinch.site.slots import BINS, likeness, slot_hashes
from chaffinch.verdict import Notes, RoleRule
from chaffinch.wording import counted

SAME_TEMPLATE: Final = 0.5
"""Least likeness of a page to the leader of the template that it joins; ``python -m
bench.quality.sites --sweep`` measures other values."""
LEAST_PAGES: Final = 2
"""Least pages that a template can be learned from."""
LEAST_SIGNS: Final = 0.6
"""Least share of the signs of a template that people alone wrote, on a page of it."""
_NO_SIGNS: Final = 1e-9  # share of signs of a template without any: it fits where no other does


@dataclass(frozen=True, kw_only=True)
class SiteNotes(Notes):
    """How a site model was applied to a page."""

    # name of the template that it fits; None where the page-level default decided
    template: str | None = None
    # 0..1, the Jaccard similarity of page and template, estimated from their sketches; of a
    # template that people alone wrote the share of its signs that the page matches; None where the
    # default decided
    likeness: float | None = None
    # why the default decided; that the page is of another host; None where neither is so
    because: str | None = None

    @classmethod
    def of(cls, template: "Template", likeness: float) -> "SiteNotes":
        return cls(template=template.name, likeness=round(float(likeness), 2))


def nearest(sketch: Hashes, leaders: Hashes) -> tuple[int, float]:
    """Return number and likeness of the most similar leader, the first of them; or (-1, 0).

    A site has some templates, a sample a thousand pages at most: all are compared.
    """
    alike = likeness(sketch, leaders)
    best = int(np.argmax(alike)) if alike.any() else -1
    return best, float(alike[best]) if best >= 0 else 0.0


@dataclass(frozen=True, kw_only=True, eq=False)
class Template:
    """A cluster of a site's pages with similar structure, with its tables and rules."""

    name: str  # unique in the model
    pages: int  # that it was learned from; 0 where people alone wrote its rules
    share: float  # estimated share (0..1) of the site's pages that have this template
    page: str  # address of the page most similar to the sketch; "" if unknown
    sketch: Hashes  # uint64[64], which pages are compared with
    likeness: float  # mean likeness (0..1) of its pages to the sketch
    known: float  # mean share (0..1) of a page's text in slots that other pages have, too
    kept: float  # mean share (0..1) of a page's text that is content
    # selectors by which pages of a template that people alone wrote are recognised
    signs: tuple[str, ...]
    rules: tuple[Rule, ...]  # the rules, those written by hand last
    # name → tables of a group of its pages, or of all; see `chaffinch.site.evidence.tables_of`;
    # none where people alone wrote it
    tables: Mapping[str, PageTables]
    keys: Hashes  # uint64, ascending: the keys of the pages that it was learned from

    @property
    def usable(self) -> bool:
        """Whether it was learned from enough pages to be applied."""
        return self.pages >= LEAST_PAGES

    @property
    def whole(self) -> PageTables | None:
        """The tables of all its pages; None where people alone wrote it."""
        return self.tables.get(WHOLE)

    def evidence(self, page: PageSummary, votes: Floats | None = None) -> BlockEvidence:
        """Return the evidence for a page's m blocks, also of a page that it was learned from.

        ``votes`` are those of its learned rules, float32[m]; None for none.
        """
        own = bool((self.keys == np.uint64(page.key)).any())
        return BlockEvidence.of(page, self.tables, own=own, votes=votes)


@dataclass(frozen=True)
class Learning:
    """One learning of a model: its date, ISO 8601, and the pages that were seen."""

    date: str
    pages: int


@dataclass(frozen=True, kw_only=True, eq=False)
class SiteModel:
    """A site model as data."""

    host: str = ""  # the site's host; "" if unknown
    templates: tuple[Template, ...] = ()  # its templates, the largest first
    # rules for all pages of the site, whatever their template, all written by hand
    rules: tuple[Rule, ...] = ()
    # parts of title elements that return on its pages, those of most titles first
    title_boilerplate: tuple[str, ...] = ()
    history: tuple[Learning, ...] = ()  # its learnings, the oldest first
    # the sample that it was learned from, needed for `update` only; None where its file is missing
    statistics: Statistics | None = None
    # counts of use since it was loaded; they grow with each page
    usage: Usage = field(default_factory=Usage)

    @property
    def is_taught(self) -> bool:
        """Whether people wrote a rule of it."""
        rules = (rule for template in self.templates for rule in template.rules)
        return bool(self.rules) or any(rule.by_hand for rule in rules)

    @cached_property
    def leaders(self) -> Hashes:
        """uint64[k, BINS]: the sketches of its templates, by which pages are assigned to them."""
        return np.array([one.sketch for one in self.templates], np.uint64).reshape(-1, BINS)

    def rules_for(self, template: Template | None) -> tuple[Rule, ...]:
        """Return the rules that hold on pages of a template, None for none, of all pages first."""
        return (*self.rules, *(() if template is None else template.rules))

    def roles_by(self, template: Template | None) -> tuple[RoleRule, ...]:
        """Return the rules for fields of pages of ``template``, and of all pages, by precedence."""
        return role_rules((*(() if template is None else template.rules), *self.rules))

    def template_of(self, page: Page) -> Template | None:
        """Return the template of ``page``; None where none is similar enough."""
        require_page(page)
        return self.fitting(page, page_sketch(page, slot_hashes(page)))[0]

    def fitting(self, page: Page, sketch: Hashes) -> tuple[Template | None, float]:
        """Return the template that a page of this sketch fits, and how well, 0..1; None for none.

        By its likeness to a learned one, else by the signs of those that people alone wrote, the
        share of which is on the page; one without signs fits where no other does.
        """
        number, alike = nearest(sketch, self.leaders)
        if alike >= SAME_TEMPLATE:
            near = self.templates[number]
            if near.usable or any(rule.by_hand for rule in near.rules):
                return near, alike
        best, most = None, 0.0
        for one in self.templates:
            if not one.pages and any(rule.by_hand for rule in one.rules):
                found = sum(len(page.select(sign)) > 0 for sign in one.signs)
                share = found / len(one.signs) if one.signs else _NO_SIGNS
                if share > most and (share >= LEAST_SIGNS or not one.signs):
                    best, most = one, share
        if best is None:
            return None, alike
        return best, most if best.signs else 1.0

    def clear_usage(self) -> None:
        """Forget the counts of use since the model was loaded."""
        self.usage.by_template.clear()

    def named_findings(self) -> list[str]:
        """Return the drift since the model was learned, each line with the site's name."""
        return [f"{self.host or 'site'}: {one}" for one in self.findings()]

    def findings(self) -> list[str]:
        """Return the drift since the model was learned, in words, by its counts of use."""
        elsewhere = [
            f"applied to {counted(pages, 'page')} of another host, {host}"
            for host, pages in self.usage.other_hosts.items()
        ]
        return elsewhere + findings(self.usage, self.templates, self.rules)

    def is_own(self, host: str) -> bool:
        """Return whether a host is the model's, or one of them is below the other; or unknown."""
        own, other = (name.lower().removeprefix("www.") for name in (self.host, host))
        if not other or "." not in own or own == other:
            return True
        return own.endswith(f".{other}") or other.endswith(f".{own}")
