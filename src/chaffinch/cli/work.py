"""What is done to one page, as data that can be sent to worker processes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from chaffinch.errors import PageError
from chaffinch.extract import extract

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from chaffinch.cli.inputs import Source
    from chaffinch.extracted import Extract
    from chaffinch.page.guard import Limits


class Form(NamedTuple):
    """A form of output: how it is made, the ending of its files, how a page is announced in it."""

    render: Callable[[Extract], str]
    suffix: str
    heading: str | None


FORMS: Final[dict[str, Form]] = {
    "text": Form(lambda extract: extract.text, ".txt", "==> {name} <=="),
    "markdown": Form(lambda extract: extract.markdown(), ".md", "<!-- {name} -->"),
    "html": Form(lambda extract: extract.html(), ".html", "<!-- {name} -->"),
    "json": Form(lambda extract: extract.to_json(), ".json", None),
    "clean": Form(lambda extract: extract.clean(), ".html", "<!-- {name} -->"),
}
"""Name → form."""


class Outcome(NamedTuple):
    """What became of a source: output, or the problem with it."""

    source: Source
    output: str
    is_empty: bool
    problem: str


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """Extracts a page and renders it; the fields are arguments of `chaffinch.extract.extract`.

    Attributes:
        form: a name of `FORMS`.
    """

    form: str
    method: str = "auto"
    settings: Mapping[str, Any] | None = None
    keep: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    limits: Limits

    def check(self) -> None:
        """Raise where no page could be extracted; nothing is fetched or started for a wrong call.

        Raises:
            OptionError: the method, a setting or a selector is unknown or impossible.
        """
        self._extract("", None, None)

    def extract(self, source: Source) -> Extract:
        """Read and extract a page.

        Raises:
            PageError: it can't be read or processed.
        """
        html = source.read(max_bytes=self.limits.max_bytes)
        return self._extract(html, source.url, source.encoding)

    def _extract(self, html: bytes | str, url: str | None, encoding: str | None) -> Extract:
        return extract(
            html,
            url=url,
            encoding=encoding,
            method=self.method,
            settings=self.settings,
            keep=self.keep,
            drop=self.drop,
            limits=self.limits,
        )

    def __call__(self, source: Source) -> Outcome:
        """Return the rendered page or the problem with it."""
        done = replace(source, data=b"")
        try:
            found = self.extract(source)
            return Outcome(done, FORMS[self.form].render(found), not found, "")
        except PageError as error:
            return Outcome(done, "", is_empty=True, problem=str(error))
