"""Pages rendered by a browser, or loaded as it decides that they needn't be."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from chaffinch.cli.archives import is_archive
from chaffinch.cli.inputs import find, find_one, is_folder, unpacked
from chaffinch.cli.messages import bug_line
from chaffinch.cli.method_options import report_changes, task_of
from chaffinch.cli.render_options import loader_of
from chaffinch.errors import PageError, SetupError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from chaffinch.cli.source import Source
    from chaffinch.cli.source_options import Fetching
    from chaffinch.extraction.extract import Extract
    from chaffinch.loading.loader import Loader
    from chaffinch.page import Page


def loaded(sources: Iterable[Source], loader: Loader, *, max_bytes: int) -> Iterator[Source]:
    """Yield the sources with their pages, or with what went wrong; the loader is closed after.

    Raises:
        SetupError: there is no browser, or the extra is missing.
    """
    with loader:
        for source in unpacked(sources, max_bytes=max_bytes):
            try:
                page = _page(source, loader, max_bytes)
            except SetupError:
                raise
            except PageError as error:
                yield replace(source, problem=str(error))
            except Exception as error:  # noqa: BLE001 - a bug at one page must not cost the others
                yield replace(source, problem=bug_line(error))
            else:
                yield replace(source, url=page.url, page=page)


def find_page(
    given: str, how: Fetching, loader: Loader | None, *, max_bytes: int, **options: Any
) -> Source:
    """Return the one page that ``given`` names, rendered where a loader is given; it is closed.

    Args:
        given: an address, a file or ``-``.
        how: how it is fetched.
        loader: what renders pages; None for nothing.
        max_bytes: of a page.
        **options: those of `find_one`, whose errors are this one's, too.

    Raises:
        PageError: it can't be fetched, read or rendered.
        SetupError: there is no browser, or the extra is missing.
    """
    if loader is None or is_folder(given) or is_archive(given):
        return find_one(given, how, **options)
    (source,) = loaded(find([given], **options), loader, max_bytes=max_bytes)
    if source.problem:
        raise PageError(source.problem)
    return source


def extract_of(given: str, others: Mapping[str, Any]) -> Extract:
    """Return the extract of the one page that ``given`` names.

    Args:
        given: an address, a file or ``-``.
        others: values of `method_options`, `source_options` and `render_options`.

    Raises:
        PageError: it can't be fetched, read, rendered or processed.
        SetupError: an option is wrong, or there is no browser.
    """
    options = {name: others[name] for name in ("url", "encoding", "is_corpus")}
    task, fetching = task_of("json", others)
    limits, replacements = task.limits, task.replacements
    loader = loader_of(others["render"], others["browser"], fetching, limits, replacements)
    source = find_page(given, fetching, loader, max_bytes=task.limits.max_bytes, **options)
    found = task.extract(source)
    report_changes(task, {"save_counts": False, **others})
    return found


def _page(source: Source, loader: Loader, max_bytes: int) -> Page:
    if source.kind == "address":
        return loader.address(source.name, encoding=source.encoding)
    html = source.read(max_bytes=max_bytes)
    return loader.source(html, url=source.url, encoding=source.encoding)
