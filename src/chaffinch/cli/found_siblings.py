"""``--siblings auto``: for each address, pages of the same layer are found, fetched, learned from.

Unless a method that compares is named, they teach a site model, which then extracts the page.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from chaffinch.cli.messages import print_error, print_note
from chaffinch.cli.method_options import task_of
from chaffinch.cli.page_loop import FAILED, work_through
from chaffinch.cli.policy_options import require_page_level
from chaffinch.cli.politeness_options import politeness_of
from chaffinch.cli.render_options import page_loader
from chaffinch.cli.source import Source
from chaffinch.cli.source_options import fetching as fetching_of
from chaffinch.errors import PageError
from chaffinch.wording import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chaffinch.cli.page_task import PageTask
    from chaffinch.cli.source_options import Fetching
    from chaffinch.cli.targets import Target
    from chaffinch.loading.replaced_source import Replacements
    from chaffinch.page import Page
    from chaffinch.web import Discovery


def task_without_siblings(
    form: str, given: Mapping[str, Any], sources: Sequence[Source]
) -> tuple[PageTask, Fetching]:
    """Return what to do to each page, its siblings left out, and how to fetch it.

    Raises:
        click.UsageError: the method takes no siblings, or a page is no address.
        OptionError: a value, method or setting is unknown or impossible.
    """
    from chaffinch.cli.sibling_pages import takes_siblings  # noqa: PLC0415  loads the methods

    method = given["method"]
    if method != "auto" and not takes_siblings(method):
        raise click.UsageError(f"{method} looks at one page alone; --siblings auto is not for it")
    for source in sources:
        if source.kind != "address":
            raise click.UsageError(f"--siblings auto goes with addresses, not with {source.name}")
    if method == "auto":
        require_page_level("--siblings auto without --method", given)
    plain = {**given, "siblings": (), "method": "auto", "settings": {}}
    task, fetching = task_of(form, plain)
    return replace(task, method=method, settings=given["settings"] or None), fetching


def run_each(
    sources: Sequence[Source],
    task: PageTask,
    where: Target,
    *,
    fetching: Fetching,
    given: Mapping[str, Any],
) -> int:
    """Work through addresses, each with its own siblings, and return the exit code.

    Raises:
        OptionError: a setting is impossible.
    """
    codes = [_one(source, task, where, fetching, given) for source in sources]
    return FAILED if FAILED in codes else min(codes)


def layer_pages(
    url: str, count: int, given: Mapping[str, Any], replacements: Replacements
) -> list[Page]:
    """Return the page at ``url`` and ``count`` pages of the same layer; none where it can't be had.

    In their sources ``replacements`` are made. What can't be had, or has no siblings, has a line on
    standard error.
    """
    try:
        with page_loader(given, replacements) as loader:
            found = discovered(url, given, count=count, loader=loader)
    except PageError as error:
        print_error(f"{url}: {error}")
        return []
    if not found.siblings:
        print_error(f"{url}: no page of the same layer was found")
    return [found.page, *(sibling.page for sibling in found.siblings)]


def discovered(url: str, given: Mapping[str, Any], **options: Any) -> Discovery:
    """Return what `chaffinch.web.find_siblings` finds for the page at ``url``.

    Raises:
        PageError: the page can't be had.
        MissingExtraError: ``chaffinch[crawl]`` isn't installed.
    """
    from chaffinch.web import find_siblings  # noqa: PLC0415 an extra

    how = fetching_of(given)
    polite = politeness_of(given)
    return find_siblings(url, politeness=polite, limits=how.limits, guard=how.guard, **options)


def _one(
    source: Source, task: PageTask, where: Target, fetching: Fetching, given: Mapping[str, Any]
) -> int:
    try:
        found = discovered(source.name, given)
    except PageError as error:
        print_error(f"{source.name}: {error}")
        return FAILED
    if not found.siblings:
        print_error(f"{source.name}: no page of the same layer was found to compare it with")
        return FAILED
    print_note(f"{source.name}: with {counted(len(found.siblings), 'page')} of the same layer")
    task = _taught(task, found)
    task.check()
    here = Source(kind="file", name=source.name, url=found.url, page=found.page)
    return work_through([here], task, where, fetching=fetching)


def _taught(task: PageTask, found: Discovery) -> PageTask:
    """Return the task with the siblings, or with the site model that they teach."""
    pages = tuple(sibling.page for sibling in found.siblings)
    if task.method != "auto":
        from chaffinch.cli.sibling_pages import Siblings  # noqa: PLC0415  loads the methods

        return replace(task, siblings=Siblings(pages))
    from chaffinch.site.site import Site  # noqa: PLC0415 few calls need it

    return replace(task, method=Site.learn([found.page, *pages]))
