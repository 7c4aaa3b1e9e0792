"""A site model as data: its templates, when they were learned, and counts of their use."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from chaffinch.caching import cached_property
from chaffinch.errors import OptionError, require_one_of
from chaffinch.page.page_input import require_page
from chaffinch.site.modes import MODES
from chaffinch.site.page_summary import page_sketch
from chaffinch.site.roles import role_rules
from chaffinch.site.rule_set import RuleSet
from chaffinch.site.slots import slot_hashes
from chaffinch.site.template_leaders import SAME_TEMPLATE, TemplateLeaders
from chaffinch.site.usage import Usage, findings
from chaffinch.wording import counted

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.result import RoleRule
    from chaffinch.site.by_hand import PageTest, Replacement
    from chaffinch.site.rules import Rule
    from chaffinch.site.statistics import Statistics
    from chaffinch.site.template import Template


@dataclass(frozen=True)
class Learning:
    """One learning of a model: its version.

    Attributes:
        date: when, ISO 8601.
        pages: pages that were seen.
    """

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
            first; see `chaffinch.site.title_boilerplate`.
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
        return TemplateLeaders.of(template.sketch for template in self.templates)

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
        number, _ = self.rule_set.template_of(page)
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
