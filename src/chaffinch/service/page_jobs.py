"""What is done to a page in a guarded child: bytes and options go in, JSON or text comes out.

The result is encoded here, so that the process in front passes it on as it is.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from chaffinch.assessment.assessment import assess_page
from chaffinch.assessment.shell import needs_browser
from chaffinch.errors import OptionError
from chaffinch.extraction.explained import explained_values
from chaffinch.extraction.trip import extract
from chaffinch.loading.own_address import addressed
from chaffinch.methods import DEFAULT, settings_of
from chaffinch.output.options import OutputOptions
from chaffinch.page import parse
from chaffinch.page.bounds import Limits
from chaffinch.page.decoding import readable
from chaffinch.site.site import Site

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from chaffinch.extraction.extract import Extract
    from chaffinch.page import Page

_OUTPUT_FIELDS: Final = frozenset(one.name for one in fields(OutputOptions))
"""Names of options that set what is shown; the others set how the content is found."""


@dataclass(frozen=True, kw_only=True)
class GivenPage:
    """A page as it is sent to a child.

    Attributes:
        html: its source, or the table that a browser made of it.
        url: its address; None if unknown.
        encoding: the label of its server.
        headers: of the response that had it, as far as they are read.
        status: of that response; None if unknown.
        limits: of its size and time.
    """

    html: bytes | str | Page
    url: str | None = None
    encoding: str | None = None
    headers: tuple[tuple[str, str], ...] = ()
    status: int | None = None
    limits: Limits


@dataclass(frozen=True)
class SiteFile:
    """A site model as a child finds it: its path, which no request chose, and its version."""

    path: str
    version: str


def run_job(name: str, page: GivenPage, options: Mapping[str, Any]) -> bytes:
    """Return what a job makes of a page.

    Args:
        name: a key of `JOBS`.
        page: the page.
        options: as of `chaffinch.service.request_models.Options`, and what the job takes besides.

    Raises:
        PageError: the page can't be processed.
        OptionError: an option is impossible.
    """
    made = JOBS[name](page, dict(options))
    if not isinstance(made, str):
        made = json.dumps(made, ensure_ascii=False)
    return made.encode("utf-8", "replace")


def warm_up() -> None:
    """Load what pages need, so that the first one doesn't wait for it."""
    page = GivenPage(html="<title>A</title><p>To load what is needed.", limits=Limits())
    for name in ("record", "markdown"):
        run_job(name, page, {})


def _extracted(page: GivenPage, options: dict[str, Any]) -> Extract:
    """Return the extract of a page; output options stay in ``options``."""
    site: SiteFile | None = options.pop("site", None)
    chosen = {name: options.pop(name) for name in list(options) if name not in _OUTPUT_FIELDS}
    given: dict[str, Any] = {
        "url": page.url,
        "encoding": chosen.pop("encoding", None) or page.encoding,
        "status": page.status,
    }
    if site is not None:
        found = loaded_site(site).extract(page.html, limits=page.limits, **given, **chosen)
    else:
        require_plain_settings(chosen.get("method", DEFAULT), chosen.get("settings") or {})
        found = extract(page.html, limits=page.limits, **given, **chosen)
    return replace(found, headers=page.headers)


def require_plain_settings(method: str, settings: Mapping[str, Any]) -> None:
    """Check that no setting of a method names a file: only numbers may stand where none is usual.

    Raises:
        OptionError: one might, or is unknown.
    """
    known = settings_of(DEFAULT if method == "auto" else method)
    for name, value in settings.items():
        if name == "siblings" or name not in known:
            raise OptionError(f"unknown setting of {method}: {name!r:.80}")
        if known[name] is None and not isinstance(value, int | float):
            raise OptionError(f"{name} must be a number here")


def _record(page: GivenPage, options: dict[str, Any]) -> Any:
    return _extracted(page, options).to_dict(**options)


def _markdown(page: GivenPage, options: dict[str, Any]) -> str:
    return _extracted(page, options).markdown(**options)


def _text(page: GivenPage, options: dict[str, Any]) -> str:
    return _extracted(page, options).plain(**options)


def _html(page: GivenPage, options: dict[str, Any]) -> str:
    return _extracted(page, options).html(**options)


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
    """Return what changed from a page to another version of it, which is among the options."""
    other: GivenPage = options.pop("other")
    links = options.pop("links", True)
    old, new = (_extracted(one, dict(options)) for one in (page, other))
    return old.difference(new, links=links).to_dict()


def _explain(page: GivenPage, options: dict[str, Any]) -> Any:
    return explained_values(_extracted(page, options))


def _source(page: GivenPage, options: dict[str, Any]) -> str:
    """Return a page's source as text."""
    if not isinstance(page.html, bytes):
        return page.html if isinstance(page.html, str) else ""
    page.limits.check_size(len(page.html))
    source, _ = readable(page.html, transport=options.get("encoding") or page.encoding)
    return source if isinstance(source, str) else source.decode("utf-8", "replace")


def _assess(page: GivenPage, _options: dict[str, Any]) -> Any:
    """Return whether a page is content, or a wall or an error in its place."""
    parsed = parse(page.html, url=page.url, encoding=page.encoding, limits=page.limits)
    return asdict(assess_page(addressed(parsed.with_status(page.status))))


def _waits(page: GivenPage, options: dict[str, Any]) -> Any:
    """Return whether a page waits for its scripts."""
    label = options.get("encoding") or page.encoding
    return needs_browser(parse(page.html, url=page.url, encoding=label, limits=page.limits))


JOBS: Final[dict[str, Callable[[GivenPage, dict[str, Any]], Any]]] = {
    "record": _record,
    "markdown": _markdown,
    "text": _text,
    "html": _html,
    "verify": _verify,
    "difference": _difference,
    "explain": _explain,
    "source": _source,
    "assess": _assess,
    "waits": _waits,
}
"""Name → what is done: text, or a value for JSON."""


def loaded_site(file: SiteFile) -> Site:
    """Return a site model, read once for each version.

    Raises:
        RulesError: it can't be read.
    """
    return _loaded(file.path, file.version)


@lru_cache(maxsize=16)
def _loaded(path: str, version: str) -> Site:
    del version  # a changed file is another entry
    return Site.load(Path(path))
