"""A site model as a method: learned from a site's pages, applied to a page, saved and updated.

The page-level model is joined with the statistics of the page's template. Where a page fits no
template the page-level default decides, and ``why`` says so. A folder of models, one a host, is a
method, too.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Final, Self

from chaffinch import errors
from chaffinch.extraction import extract as trip
from chaffinch.extraction.extracted import Extract
from chaffinch.extraction.plan import prepare_method
from chaffinch.methods import Learned
from chaffinch.page import Page, PageInput, parse
from chaffinch.page.source import page_list, require_page
from chaffinch.page.urls import host_name
from chaffinch.site import file
from chaffinch.site.apply import apply, explanations
from chaffinch.site.data import to_data
from chaffinch.site.fields import next_by_rule, next_page
from chaffinch.site.learn import relearned
from chaffinch.site.model import SiteModel, SiteNotes
from chaffinch.site.report import SiteReport
from chaffinch.site.rules import REASONS, SiteReason, Usage, today
from chaffinch.site.sample import Collector, Statistics, merged
from chaffinch.verdict import BlockExplanation, Content, Method, Verdict
from chaffinch.wording import failing_as

_MOST_HOSTS: Final = 20  # other hosts of which pages are counted


@dataclass(frozen=True, kw_only=True, eq=False)
class Site(SiteModel, Method):
    """A site model as a method: learned, applied, saved.

    A page that can't be processed is a `PageError`; a model that can't be read or written, or is
    broken, a `RulesError`, whose message says where; what an argument can't be an `OptionError`.
    """

    name: ClassVar[str] = "site"  # as extracts have it
    reasons: ClassVar[tuple[str, ...]] = REASONS

    @classmethod
    def learn(
        cls,
        pages: Iterable[PageInput],
        *,
        date: str = "",
        method: Callable[[Page], Verdict] | None = None,
    ) -> Self:
        """Learn a site from its pages, without labels.

        Args:
            pages: pages of one site, as `chaffinch.extract` takes them, best parsed with their
                addresses; taken one by one, so that a generator of any length will do.
            date: when this is, ISO 8601; today if not given.
            method: the method that classifies each page by itself; the default one if not given.
        """
        errors.require_text("date", date)
        finder = None if method is None else prepare_method(method)
        collector = Collector(date=date or today(), method=finder)
        for page in page_list("pages", pages):
            collector.add(parse(page))
        return cls.of(collector.result())

    @classmethod
    def of(cls, statistics: Statistics) -> Self:
        """Return the model that is learned from statistics of a site's pages."""
        if not isinstance(statistics, Statistics):
            raise errors.OptionError(f"a model is made of Statistics, not of {statistics!r}")
        return relearned(cls(), statistics)

    def update(self, pages: Iterable[PageInput] | Statistics, *, date: str = "") -> Self:
        """Return the model learned anew with further pages; names and rules by hand stay.

        Pages whose text is in the sample already aren't counted again. Without the sample that the
        model was learned from it takes in none (`OptionError`).
        """
        errors.require_text("date", date)
        if self.statistics is None:
            raise errors.OptionError(
                "the sample that the model was learned from is missing, without which it can't "
                "take in pages: learn it again"
            )
        if isinstance(pages, Statistics):
            return relearned(self, merged((self.statistics, pages)))
        known = frozenset(page.key for page in self.statistics.kept)
        collector = Collector(date=date or today(), known=known)
        for page in page_list("pages", pages):
            collector.add(parse(page))
        found = collector.result()
        return relearned(self, merged((self.statistics, found)) if found.kept else self.statistics)

    def __call__(self, page: Page) -> Verdict:
        """Return the verdict on ``page``; notes name its template, or why the default decided."""
        require_page(page)
        verdict = apply(self, page, self.usage)
        if not self.is_own(host := host_name(page.url)):
            verdict = self._of_another_host(verdict, host)
        if not self.title_boilerplate:
            return verdict
        return replace(verdict, title_boilerplate=self.title_boilerplate)

    def _of_another_host(self, verdict: Verdict, host: str) -> Verdict:
        known = self.usage.other_hosts
        if host in known or len(known) < _MOST_HOSTS:
            known[host] += 1
        if not isinstance(verdict.notes, SiteNotes):
            return verdict
        because = f"the model is of {self.host}, the page of {host}"
        because = f"{because}; {before}" if (before := verdict.notes.because) else because
        return replace(verdict, notes=replace(verdict.notes, because=because))

    def explain(self, page: Page) -> Sequence[BlockExplanation]:
        """Return why each text block is kept or dropped: its slot's evidence, or a rule.

        Where the page-level default decides, what that explains. It isn't counted as a use.
        """
        return explanations(self, page)

    def extract(self, page: PageInput, **options: Any) -> Extract:
        """Extract a page; options are those of `chaffinch.extract`, but for the method.

        Raises:
            PageError: the page can't be processed.
            OptionError: an option is unknown or impossible.
        """
        for name in options:
            errors.require_one_of("option", name, [one for one in trip.OPTIONS if one != "method"])
        return trip.extract(page, method=self, **options)

    def next_page(self, page: Page) -> str:
        """Return the absolute address of the next page of a list or article; "" for none.

        That which a rule for ``next`` selects, else by its number (`chaffinch.site.fields`).
        """
        return self.next_by_rule(page) or next_page(page)

    def next_by_rule(self, page: Page) -> str:
        """Return the same by a rule alone; "" where no rule for ``next`` selects a link."""
        return next_by_rule(page, self.roles_by(self.template_of(page)))

    def elsewhere(self, page: Page, verdict: Verdict) -> Content | None:
        """Return the content that only JSON-LD or embedded state has, as the default finds it.

        None where rows hold it, or where a rule written by hand selects content rows.
        """
        by_hand = bool((verdict.why == SiteReason.CONTENT_BY_HAND).any())
        return None if by_hand else Learned().elsewhere(page, verdict)

    def save(self, folder: str | Path) -> None:
        """Write the model into a folder: its rules as ``rules.toml``, its data beside them."""
        errors.require_path("folder", folder)
        file.write_model(self, folder)

    @classmethod
    def load(cls, folder: str | Path) -> Self:
        """Read a model; rules that a person wrote or changed override learned ones."""
        errors.require_path("folder", folder)
        return cls(**file.read_model(folder))

    def to_text(self) -> str:
        """Return the model's ``rules.toml``; the same for the same model."""
        return file.to_text(self)

    def to_data(self) -> bytes:
        """Return the model's ``data.npz``: what it learned beside the rules."""
        return to_data(self)

    @classmethod
    def from_text(cls, text: str, data: bytes = b"") -> Self:
        """Return the model of a ``rules.toml``.

        Args:
            text: the rules, as `to_text` gives them.
            data: as `to_data` gives it; without it nothing is known of learned templates.
        """
        errors.require_text("text", text)
        if not isinstance(data, bytes):
            raise errors.OptionError(f"data must be bytes, not {data!r}")
        return cls(**file.read_text(text, data))

    def report(self) -> SiteReport:
        """Return a report of the model's templates, rules and drift."""
        return SiteReport(self)


_MOST_LOADED: Final = 256 << 20
"""Bytes of the files of the models that are held at a time; more where one alone has them."""


@dataclass(frozen=True, eq=False)
class SiteFolder(Method):
    """Site models by host, each loaded when a page of its site comes; errors as of `Site`."""

    name: ClassVar[str] = Site.name
    reasons: ClassVar[tuple[str, ...]] = REASONS
    # host → file of its model; a host that begins with a dot stands for all below it
    paths: Mapping[str, Path]
    _loaded: dict[str, Site] = field(default_factory=dict)
    _sizes: dict[str, int] = field(default_factory=dict)
    _usage: dict[str, Usage] = field(default_factory=dict)

    @classmethod
    def load(cls, folder: str | Path) -> Self:
        """Return the models of a folder: ``HOST``, or ``.HOST`` for all hosts below it."""
        errors.require_path("folder", folder)
        with failing_as(errors.RulesError, f"can't read {folder}"):
            found = sorted(one for one in Path(folder).iterdir() if file.is_model(one))
        if not found:
            raise errors.RulesError(f"there is no site model in {folder}: HOST/rules.toml")
        return cls({one.name.lower(): one for one in found})

    def site_of(self, url: str | None) -> Site:
        """Return the model for an address; one without rules where the folder has none."""
        host = host_name(url).removeprefix("www.")
        above = [part for at, part in enumerate(host.split(".")) if at]
        names = [host_name(url), host, *("." + ".".join(above[n:]) for n in range(len(above) - 1))]
        return self._named(next((one for one in names if one in self.paths), ""))

    def _named(self, name: str) -> Site:
        """Return a model, the last of those that are held; the first ones go, but for counts."""
        site = self._loaded.pop(name, None)
        if site is None:
            site = Site.load(self.paths[name]) if name else Site()
            site = replace(site, usage=self._usage.get(name, Usage()))
            files = self.paths[name].iterdir() if name else ()
            self._sizes[name] = sum(one.stat().st_size for one in files)
            self._usage[name] = site.usage
        self._loaded[name] = site
        while (
            len(self._loaded) > 1 and sum(self._sizes[one] for one in self._loaded) > _MOST_LOADED
        ):
            del self._loaded[next(iter(self._loaded))]
        return site

    def __call__(self, page: Page) -> Verdict:
        """Return the verdict of the model for the page's host."""
        require_page(page)
        return self.site_of(page.url)(page)

    def next_by_rule(self, page: Page) -> str:
        """Return the address that a rule for the next page selects; "" for none."""
        return self.site_of(page.url).next_by_rule(page)

    def elsewhere(self, page: Page, verdict: Verdict) -> Content | None:
        return self.site_of(page.url).elsewhere(page, verdict)

    def explain(self, page: Page) -> Sequence[BlockExplanation]:
        return self.site_of(page.url).explain(page)

    def clear_usage(self) -> None:
        """Forget the counts of use of all models."""
        for usage in self._usage.values():
            usage.by_template.clear()

    def named_findings(self) -> list[str]:
        """Return the drift of the models that were used, each line with the site's name."""
        return [one for name in sorted(self._usage) for one in self._named(name).named_findings()]


def load_site(path: str | Path) -> Site | SiteFolder:
    """Return a site model, or where ``path`` is a folder of them, the models in it by host."""
    if os.path.isdir(path) and not file.is_model(path):  # noqa: PTH112 - of any length
        return SiteFolder.load(path)
    return Site.load(path)
