"""What is done in a guarded child: bytes and options go in, JSON or text comes out.

The result is encoded here, so that the process in front passes it on as it is.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from chaffinch.assessment.assessment import assess_page
from chaffinch.assessment.shell import needs_browser
from chaffinch.errors import OptionError
from chaffinch.extraction.extract import extract
from chaffinch.extraction.extracted import Extract
from chaffinch.extraction.plan import explained_values
from chaffinch.loading.address import addressed
from chaffinch.methods import DEFAULT, settings_of
from chaffinch.output.options import OutputOptions
from chaffinch.page import Page, parse
from chaffinch.page.bounds import Limits
from chaffinch.page.decoding import readable
from chaffinch.service.problems import ProblemError, log_as_json
from chaffinch.site.file import edit_rules, model_version
from chaffinch.site.site import Site

_OUTPUT_FIELDS: Final = frozenset(one.name for one in fields(OutputOptions))
"""Names of options that set what is shown; the others set how the content is found."""


@dataclass(frozen=True, kw_only=True)
class GivenPage:
    """A page as it is sent to a child: its source, or the table that a browser made of it.

    Status and headers are those of the response that had it, these as far as they are read.
    """

    html: bytes | str | Page
    url: str | None = None
    encoding: str | None = None
    headers: tuple[tuple[str, str], ...] = ()
    status: int | None = None
    limits: Limits

    def parsed(self) -> Page:
        return parse(self.html, url=self.url, encoding=self.encoding, limits=self.limits)


@dataclass(frozen=True)
class SiteFile:
    """A site model as a child finds it: its path, which no request chose, and its version."""

    path: str
    version: str


def site_file(model: Path) -> SiteFile:
    return SiteFile(str(model), model_version(model))


class TaughtSite(NamedTuple):
    """A site that is taught: the folder of its model, and pages to try rules on."""

    model: Path
    sample: Sample

    def edit(self, change: Callable[[str], str], version: str) -> None:
        """Write the rules of a version anew; ``change`` makes the new text of the old one."""

        def changed(text: str) -> str:
            if model_version(self.model) != version:
                raise ProblemError("precondition-failed", "the site was changed meanwhile")
            return change(text)

        edit_rules(self.model, changed)


class StoredPage(NamedTuple):
    """What is known of a page of a sample; the name is for people."""

    name: str
    url: str | None
    encoding: str | None


@dataclass(frozen=True)
class Sample:
    """Pages of a site, to try rules on: a folder with a file for each, by its number."""

    folder: Path
    pages: tuple[StoredPage, ...]

    @classmethod
    def written(cls, folder: Path, named: Iterable[tuple[str, GivenPage]]) -> Sample:
        """Write pages as they were read, each with its name, and return them."""
        known: list[StoredPage] = []
        for name, page in named:
            if isinstance(page.html, bytes):
                (folder / str(len(known))).write_bytes(page.html)
                known.append(StoredPage(name, page.url, page.encoding))
        return cls(folder, tuple(known))

    def page(self, number: int, limits: Limits) -> GivenPage:
        if number >= len(self.pages):
            raise ProblemError("not-found", "there is no such page")
        _, url, encoding = self.pages[number]
        html = (self.folder / str(number)).read_bytes()
        return GivenPage(html=html, url=url, encoding=encoding, limits=limits)


def encoded(value: Any) -> bytes:
    """Return text as it is, any other value as JSON."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text.encode("utf-8", "replace")


def run_job(name: str, page: GivenPage, options: Mapping[str, Any]) -> bytes:
    return encoded(JOBS[name](page, dict(options)))


def warm_up() -> None:
    """Load what pages need, so that the first one of a child doesn't wait for it."""
    log_as_json(logging.WARNING)  # warnings of Python among the log lines of the service, too
    page = GivenPage(html="<title>A</title><p>To load what is needed.", limits=Limits())
    for name in ("record", "markdown"):
        run_job(name, page, {})


def _extracted(page: GivenPage, options: dict[str, Any]) -> Extract:
    site: SiteFile | None = options.pop("site", None)
    chosen = {name: options.pop(name) for name in list(options) if name not in _OUTPUT_FIELDS}
    given: dict[str, Any] = {
        "url": page.url,
        "encoding": chosen.pop("encoding", None) or page.encoding,
        "status": page.status,
        "limits": page.limits,
    }
    if site is not None:
        for one in ("method", "favor", "settings", "siblings"):
            if chosen.get(one, "auto") != "auto":
                raise OptionError(f"site goes without {one}")
        chosen["method"] = _loaded_site(site)
    else:
        require_plain_settings(chosen.get("method", DEFAULT), chosen.get("settings") or {})
    return replace(extract(page.html, **given, **chosen), headers=page.headers)


def require_plain_settings(method: str, settings: Mapping[str, Any]) -> None:
    """Check that no setting names a file: only numbers may stand where none is usual."""
    known = settings_of(DEFAULT if method == "auto" else method)
    for name, value in settings.items():
        if name == "siblings" or name not in known:
            raise OptionError(f"unknown setting of {method}: {name!r:.80}")
        if known[name] is None and not isinstance(value, int | float):
            raise OptionError(f"{name} must be a number here")


def _verify(page: GivenPage, options: dict[str, Any]) -> Any:
    quote = options.pop("quote")
    found = _extracted(page, options)
    passage = found.locate(quote)
    return {
        "url": found.url,
        "status": "absent" if passage is None else passage.status,
        "passage": None if passage is None else asdict(passage),
    }


def _difference(page: GivenPage, options: dict[str, Any]) -> Any:
    other: GivenPage = options.pop("other")
    links, as_text = options.pop("links", True), options.pop("text", False)
    old, new = (_extracted(one, dict(options)) for one in (page, other))
    found = old.difference(new, links=links)
    return {**found.to_dict(), "text": found.text()} if as_text else found.to_dict()


def _source(page: GivenPage) -> str:
    if not isinstance(page.html, bytes):
        return page.html if isinstance(page.html, str) else ""
    page.limits.check_size(len(page.html))
    source, _ = readable(page.html, transport=page.encoding)
    return source if isinstance(source, str) else source.decode("utf-8", "replace")


JOBS: Final[dict[str, Callable[[GivenPage, dict[str, Any]], Any]]] = {
    "record": lambda page, options: _extracted(page, options).to_dict(**options),
    "markdown": lambda page, options: _extracted(page, options).markdown(**options),
    "text": lambda page, options: _extracted(page, options).plain(**options),
    "html": lambda page, options: _extracted(page, options).html(**options),
    "verify": _verify,
    "difference": _difference,
    "explain": lambda page, options: explained_values(_extracted(page, options)),
    "source": lambda page, _: _source(page),
    "assess": lambda page, _: asdict(
        assess_page(addressed(page.parsed().with_status(page.status)))
    ),
    "waits": lambda page, _: needs_browser(page.parsed()),
}
"""Name → what is made of a page: text, or a value for JSON."""


@lru_cache(maxsize=16)
def _loaded_site(file: SiteFile) -> Site:
    """Return a site model, read once for each version."""
    return Site.load(file.path)
