"""A site as a guarded child has it open: its model, and pages with what the model makes of them.

A child keeps the sites that it worked on last. Where a rule was put in or taken out meanwhile, only
the pages are judged anew that it selects anything on.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from chaffinch.errors import PageError
from chaffinch.loading.own_address import addressed
from chaffinch.page import parse
from chaffinch.site.model import findings
from chaffinch.site.site import Site
from chaffinch.site.teach import SamplePage

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chaffinch.service.page_jobs import GivenPage, SiteFile
    from chaffinch.site.rules import Rule


@dataclass
class OpenedSite:
    """A site that is open.

    Attributes:
        file: the model's file, and its version.
        site: the model.
        pages: number of a page → the page, judged.
        failed: number of a page → why it can't be processed.
    """

    file: SiteFile
    site: Site
    pages: dict[int, SamplePage] = field(default_factory=dict)
    failed: dict[int, str] = field(default_factory=dict)

    def add(self, given: Iterable[tuple[int, GivenPage]]) -> None:
        """Take in pages by their numbers."""
        for number, one in given:
            try:
                replaced = self.site.replacements(one.url)
                page = addressed(
                    parse(
                        one.html,
                        url=one.url,
                        encoding=one.encoding,
                        limits=one.limits,
                        replacements=replaced,
                    )
                )
                self.pages[number] = SamplePage.of(self.site, page)
            except PageError as error:
                self.failed[number] = str(error)

    def sample(self) -> tuple[list[int], list[SamplePage]]:
        """Return the numbers of its pages and the pages, in order."""
        numbers = sorted(self.pages)
        return numbers, [self.pages[number] for number in numbers]

    def changed_to(self, file: SiteFile) -> OpenedSite:
        """Return the site by another version of its model.

        Raises:
            RulesError: it can't be read.
        """
        site = Site.load(file.path)
        out = OpenedSite(file, site, failed=self.failed)
        keep = _is_learned_alike(self.site, site)
        turned = _rules(self.site) ^ _rules(site)
        by_template = {one.name: one.rules for one in site.templates}
        for number, one in self.pages.items():
            own = (*site.rules, *by_template.get(one.template, ()))
            if keep and not any(rule.rows(one.page) for _, rule in turned):
                out.pages[number] = replace(one, rules=own)
            else:
                out.pages[number] = SamplePage.of(site, one.page)
        return out

    def findings(self) -> list[str]:
        """Return the drift of the model, by earlier runs and by these pages."""
        usage = self.site.counted
        for one in self.pages.values():
            usage = usage.merge(one.use)
        return findings(usage, self.site.templates, self.site.rules)


def _is_learned_alike(before: Site, after: Site) -> bool:
    """Return whether two models differ by rules of a person alone."""
    pairs = zip(before.templates, after.templates, strict=False)
    return (before.mode, before.history, before.replacing, len(before.templates)) == (
        after.mode,
        after.history,
        after.replacing,
        len(after.templates),
    ) and all(one.name == two.name and one.signs == two.signs for one, two in pairs)


def _rules(site: Site) -> set[tuple[str, Rule]]:
    own = {("", rule) for rule in site.rules}
    return own | {(one.name, rule) for one in site.templates for rule in one.rules}


_MOST_SITES: Final = 4
_OPEN: Final[OrderedDict[str, OpenedSite]] = OrderedDict()
"""The sites that this child worked on last, by the paths of their files."""


def opened_site(file: SiteFile) -> OpenedSite:
    """Return a site by its model's present version, with the pages that this child has of it.

    Raises:
        RulesError: the model can't be read.
    """
    found = _OPEN.pop(file.path, None)
    if found is None:
        found = OpenedSite(file, Site.load(file.path))
    elif found.file.version != file.version:
        found = found.changed_to(file)
    _OPEN[file.path] = found
    while len(_OPEN) > _MOST_SITES:
        _OPEN.popitem(last=False)
    return found
