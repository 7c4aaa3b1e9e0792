"""A folder of site models, one a host, as one method: each page is read by its site's model."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Self

from chaffinch.errors import RulesError, require_one_of, require_path
from chaffinch.fetch.url_parts import host_name
from chaffinch.method import Method
from chaffinch.page.page_input import require_page
from chaffinch.site.modes import MODES
from chaffinch.site.reasons import REASONS
from chaffinch.site.site import Site
from chaffinch.wording import cause

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from chaffinch.explanation import BlockExplanation
    from chaffinch.page import Page
    from chaffinch.result import Content, Verdict

_SUFFIX = ".toml"
_WWW = "www."


@dataclass(frozen=True, eq=False)
class SiteFolder(Method):
    """Site models by host, each loaded when a page of its site comes.

    Attributes:
        paths: host → file of its model; a host that begins with a dot stands for all below it.
        mode: how models are applied; "" for each as it was saved.
    """

    paths: Mapping[str, Path]
    mode: str = ""
    _loaded: dict[str, Site] = field(default_factory=dict)

    @classmethod
    def load(cls, folder: str | Path, *, mode: str = "") -> Self:
        """Return the models of a folder: ``HOST.toml``, or ``.HOST.toml`` for all hosts below.

        Raises:
            RulesError: there is no such folder, or no model in it.
            OptionError: the mode is unknown.
        """
        require_path("folder", folder)
        require_one_of("mode", mode, ("", *MODES))
        try:
            files = sorted(one for one in Path(folder).iterdir() if one.suffix == _SUFFIX)
        except OSError as error:
            raise RulesError(f"can't read {folder}: {cause(error)}") from error
        if not files:
            raise RulesError(f"there is no site model (HOST{_SUFFIX}) in {folder}")
        return cls({one.stem.lower(): one for one in files}, mode)

    @property
    def name(self) -> str:
        """``site``, as extracts have it."""
        return "site"

    @property
    def reasons(self) -> tuple[str, ...]:
        """Those of site models."""
        return REASONS

    def site_of(self, url: str | None) -> Site:
        """Return the model for an address; one without rules where the folder has none.

        Raises:
            RulesError: its file is broken.
        """
        name = next((one for one in _names(host_name(url)) if one in self.paths), "")
        site = self._loaded.get(name)
        if site is None:
            site = Site.load(self.paths[name]) if name else Site()
            site = site.with_mode(self.mode) if self.mode else site
            self._loaded[name] = site
        return site

    def replacements(self, url: str | None) -> tuple[tuple[str, str], ...]:
        """Return those of the model for an address."""
        return self.site_of(url).replacements(url)

    def __call__(self, page: Page) -> Verdict:
        """Return the verdict of the model for the page's host.

        Raises:
            RulesError: its file is broken.
        """
        require_page(page)
        return self.site_of(page.url)(page)

    def next_by_rule(self, page: Page) -> str:
        """Return the address that a rule for the next page selects; "" for none."""
        return self.site_of(page.url).next_by_rule(page)

    def single_page(self, page: Page) -> str:
        """Return the address of the article's version on one page, as the host's model has it."""
        return self.site_of(page.url).single_page(page)

    def elsewhere(self, page: Page, verdict: Verdict) -> Content | None:
        """Return what the model finds in the page's data."""
        return self.site_of(page.url).elsewhere(page, verdict)

    def explain(self, page: Page) -> Sequence[BlockExplanation]:
        """Return what the model explains."""
        return self.site_of(page.url).explain(page)

    def clear_usage(self) -> None:
        """Forget the counts of use of all models."""
        for site in self._loaded.values():
            site.clear_usage()

    def named_findings(self) -> list[str]:
        """Return the drift of the models that were used, each line with the site's name."""
        return [one for _, site in sorted(self._loaded.items()) for one in site.named_findings()]


def load_site(path: str | Path, *, mode: str = "") -> Site | SiteFolder:
    """Return a site model, or where ``path`` is a folder, the models in it by host.

    Raises:
        RulesError: there is none, or it is broken.
        OptionError: the mode is unknown.
    """
    if Path(path).is_dir():
        return SiteFolder.load(path, mode=mode)
    site = Site.load(path)
    return site.with_mode(mode) if mode else site


def _names(host: str) -> Iterator[str]:
    """Yield the names under which a host's model may stand, the nearest first."""
    bare = host.removeprefix(_WWW)
    yield from (host, bare)
    parts = bare.split(".")
    for number in range(1, len(parts) - 1):
        yield "." + ".".join(parts[number:])
