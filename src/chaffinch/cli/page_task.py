"""What is done to one page, as data that can be sent to worker processes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from chaffinch.caching import cached_property
from chaffinch.cli.forms import FORMS
from chaffinch.cli.messages import bug_line
from chaffinch.cli.sibling_pages import Beside, Siblings
from chaffinch.errors import PageError, SetupError, UnwantedPageError
from chaffinch.extraction.prepared_method import prepare_method
from chaffinch.extraction.trip import extract
from chaffinch.lazy import lazy_module
from chaffinch.output.options import OutputOptions
from chaffinch.page_work import PageWork

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from chaffinch.cli.source import Source
    from chaffinch.extraction import article_parts
    from chaffinch.extraction.extract import Extract
    from chaffinch.extraction.page_filter import PageFilter
    from chaffinch.method import Method
    from chaffinch.page import Page, PageInput
    from chaffinch.page.bounds import Limits
    from chaffinch.result import Verdict
else:
    article_parts = lazy_module("chaffinch.extraction.article_parts")


_NO_SIBLINGS: Final = Siblings()
_ALL: Final = OutputOptions()


class PageResult(NamedTuple):
    """What became of a page: its outputs, or the problem with it.

    Attributes:
        source: the page, without its bytes.
        outputs: what was made of it.
        missing: what the page lacks, where nothing was found; "" where something was.
        problem: why nothing was made; "" for none.
        waits: nothing was kept since the page waits for its scripts to build it.
        unwanted: why the page isn't wanted; "" where it is.
    """

    source: Source
    outputs: tuple[str, ...]
    missing: str
    problem: str
    waits: bool = False
    unwanted: str = ""

    @property
    def output(self) -> str:
        """All outputs, an empty line between them."""
        return "\n".join(self.outputs)


@dataclass(frozen=True, kw_only=True)
class PageTask:
    """Extracts a page and renders it; most fields are arguments of `chaffinch.extract`.

    Attributes:
        form: a name of `FORMS`.
        shown: what outputs show of the content.
        siblings: other pages of the site.
        wanted: which pages are wanted; None for all.
    """

    form: str
    shown: OutputOptions = _ALL
    method: str | Callable[[Page], Verdict] = "auto"
    favor: str | None = None
    policy: Mapping[str, bool | None] | None = None
    settings: Mapping[str, Any] | None = None
    siblings: Siblings = _NO_SIBLINGS
    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    wanted: PageFilter | None = None
    author_blacklist: tuple[str, ...] = ()
    limits: Limits

    def check(self) -> None:
        """Raise where no page could be extracted; nothing is fetched or started for a wrong call.

        Pages have a limit of time, but not this one, for which the method is loaded.

        Raises:
            OptionError: the method, a setting or a selector is unknown or impossible.
        """
        limits = replace(self.limits, seconds=None)
        self._extract("<p>To try options on.", None, limits)

    def extract(self, source: Source) -> Extract:
        """Read and extract a page; one without an address has that which it calls its own.

        Raises:
            PageError: it can't be read or processed, or isn't wanted.
        """
        if self.wanted is not None:
            self.wanted.require_url(source.url)
        page = source.page
        html = b"" if page is not None else source.read(max_bytes=self.limits.max_bytes)
        with PageWork("reading", self.limits.seconds):  # the network's time isn't the page's
            if page is None:
                page = source.replaced(html, self.limits, self.replacements)
            found = self._extract(page, source.path, self.limits)
            if source.parts:
                others = [self._extract(part, None, self.limits) for part in source.parts]
                found = article_parts.join_extracts([found, *others])
            found = replace(found, headers=source.headers, author_blacklist=self.author_blacklist)
            if self.wanted is not None:
                self.wanted.require(found)
        return found

    def replacements(self, url: str | None) -> tuple[tuple[str, str], ...]:
        """Return what is replaced in the source of the page at an address."""
        return self._prepared.replacements(url)

    def single_page(self, source: Source) -> str:
        """Return the address of a version of a page's article on one page; "" for none."""
        if isinstance(self.method, str):  # by its name, so no model of a site
            return ""
        try:
            page = source.page or source.replaced(source.data, self.limits, self.replacements)
            return self._prepared.single_page(page)
        except PageError:  # reported when the page itself is worked on
            return ""

    @cached_property
    def _prepared(self) -> Method:
        return prepare_method(
            self.method,
            favor=self.favor,
            policy=self.policy,
            settings=self.settings,
            siblings=self.siblings.pages,
        )

    def _extract(self, page: PageInput, path: Path | None, limits: Limits) -> Extract:
        method = self._prepared
        if self.siblings.pages:
            method = Beside(method, self.siblings, path)
        return extract(page, method=method, keep=self.keep, drop=self.drop, limits=limits)

    def __call__(self, source: Source) -> PageResult:
        """Return the rendered page or the problem with it.

        Raises:
            SetupError: no page can be worked on.
        """
        done = replace(source, data=b"", page=None, parts=(), headers=())
        try:
            found = self.extract(source)
            form = FORMS[self.form]
            outputs = tuple(form.render(found, self.shown, source))
            missing = form.missing(found)
            return PageResult(done, outputs, missing, "", bool(missing) and _waits(found.page))
        except SetupError:
            raise
        except UnwantedPageError as error:
            return PageResult(done, (), "", "", unwanted=str(error))
        except PageError as error:
            problem = str(error)
        except Exception as error:  # noqa: BLE001 - a bug at one page must not cost the others
            problem = bug_line(error)
        return PageResult(done, (), "", problem)


def _waits(page: Page) -> bool:
    from chaffinch.assessment.shell import needs_browser  # noqa: PLC0415  of empty pages alone

    return needs_browser(page)
