"""What is done to one page, as data that can be sent to worker processes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from chaffinch.cli.outputs import bug_line
from chaffinch.cli.sibling_pages import Beside, Siblings
from chaffinch.errors import PageError, SetupError
from chaffinch.extraction.prepared_method import prepare_method
from chaffinch.extraction.trip import extract
from chaffinch.loading.loader import needs_browser
from chaffinch.output.options import OutputOptions
from chaffinch.page import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from chaffinch.cli.inputs import Source
    from chaffinch.extraction.extract import Extract
    from chaffinch.page import Page
    from chaffinch.page.guard.limits import Limits
    from chaffinch.result import Verdict


_SOME_PAGE: Final = parse("<p>To try options on.")
_NO_SIBLINGS: Final = Siblings()
_ALL: Final = OutputOptions()


class Form(NamedTuple):
    """A form of output: how it is made, the ending of its files, how a page is announced in it.

    Attributes:
        render: returns what is made of a page: one text, or several that are files of their own.
        suffix: ending of the files.
        heading: what announces one of several pages on standard output; None for nothing.
        is_split: a page makes any number of files in a folder, one for each text.
    """

    render: Callable[[Extract, OutputOptions], Sequence[str]]
    suffix: str
    heading: str | None
    is_split: bool = False


_COMMENT: Final = "<!-- {name} -->"

FORMS: Final[dict[str, Form]] = {
    "text": Form(lambda found, shown: [found.plain(shown)], ".txt", "==> {name} <=="),
    "markdown": Form(lambda found, shown: [found.markdown(shown)], ".md", _COMMENT),
    "html": Form(lambda found, shown: [found.html(shown)], ".html", _COMMENT),
    "json": Form(lambda found, shown: [found.to_json(shown)], ".json", None),
    "tei": Form(lambda found, shown: [found.tei(shown)], ".xml", None),
    "csv": Form(
        lambda found, _: [table.csv() for table in found.tables], ".csv", "# {name}", is_split=True
    ),
    "clean": Form(lambda found, _: [found.clean()], ".html", _COMMENT),
}
"""Name → form."""


class Outcome(NamedTuple):
    """What became of a source: its outputs, or the problem with it.

    Attributes:
        is_empty: nothing was kept.
        waits: nothing was kept since the page waits for its scripts to build it.
    """

    source: Source
    outputs: tuple[str, ...]
    is_empty: bool
    problem: str
    waits: bool = False

    @property
    def output(self) -> str:
        """All outputs, an empty line between them."""
        return "\n".join(self.outputs)


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """Extracts a page and renders it; most fields are arguments of `chaffinch.extract`.

    Attributes:
        form: a name of `FORMS`.
        shown: what outputs show of the content.
        siblings: other pages of the site.
    """

    form: str
    shown: OutputOptions = _ALL
    method: str | Callable[[Page], Verdict] = "auto"
    settings: Mapping[str, Any] | None = None
    siblings: Siblings = _NO_SIBLINGS
    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    limits: Limits

    def check(self) -> None:
        """Raise where no page could be extracted; nothing is fetched or started for a wrong call.

        Raises:
            OptionError: the method, a setting or a selector is unknown or impossible.
        """
        self._extract(_SOME_PAGE, None)

    def extract(self, source: Source) -> Extract:
        """Read and extract a page.

        Raises:
            PageError: it can't be read or processed.
        """
        page = source.page
        if page is None:
            html = source.read(max_bytes=self.limits.max_bytes)
            page = parse(html, url=source.url, encoding=source.encoding, limits=self.limits)
        return self._extract(page, source.path)

    @cached_property
    def _prepared(self) -> Callable[[Page], Verdict]:
        return prepare_method(self.method, settings=self.settings, siblings=self.siblings.pages)

    def _extract(self, page: Page, path: Path | None) -> Extract:
        method = self._prepared
        if self.siblings.pages:
            method = Beside(method, self.siblings, path)
        return extract(page, method=method, keep=self.keep, drop=self.drop, limits=self.limits)

    def __call__(self, source: Source) -> Outcome:
        """Return the rendered page or the problem with it.

        Raises:
            SetupError: no page can be worked on.
        """
        done = replace(source, data=b"", page=None)
        try:
            found = self.extract(source)
            outputs = tuple(FORMS[self.form].render(found, self.shown))
            return Outcome(done, outputs, not found, "", not found and needs_browser(found.page))
        except SetupError:
            raise
        except PageError as error:
            problem = str(error)
        except Exception as error:  # noqa: BLE001 - a bug at one page must not cost the others
            problem = bug_line(error)
        return Outcome(done, (), is_empty=True, problem=problem)
