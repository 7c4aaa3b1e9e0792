"""``--siblings auto``: for each address, pages of the same layer are found, fetched, learned from.

Unless a method that compares is named, they teach a site model, which then extracts the page.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import click

from chaffinch.cli import options, politeness
from chaffinch.cli.inputs import Source
from chaffinch.cli.outputs import one_line, say_error
from chaffinch.cli.page_runs import FAILED, run
from chaffinch.cli.sibling_pages import Siblings, takes_siblings
from chaffinch.errors import PageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chaffinch.cli.inputs import Fetching
    from chaffinch.cli.outputs import Target
    from chaffinch.cli.page_task import Recipe
    from chaffinch.crawl import Discovery
    from chaffinch.page import Page

AUTO: Final = "auto"
"""What stands for siblings that are to be found."""


def is_asked(given: Sequence[str]) -> bool:
    """Tell whether siblings are to be found.

    Raises:
        click.UsageError: others are given, too.
    """
    if AUTO in given and len(given) > 1:
        raise click.UsageError("--siblings auto goes without other siblings")
    return AUTO in given


def parted(
    form: str, given: Mapping[str, Any], sources: Sequence[Source]
) -> tuple[Recipe, Fetching]:
    """Return what to do to each page, its siblings left out, and how to fetch it.

    Raises:
        click.UsageError: the method takes no siblings, or a page is no address.
        OptionError: a value, method or setting is unknown or impossible.
    """
    method = given["method"]
    if method != "auto" and not takes_siblings(method):
        raise click.UsageError(f"{method} looks at one page alone; --siblings auto is not for it")
    for source in sources:
        if source.kind != "address":
            raise click.UsageError(f"--siblings auto goes with addresses, not with {source.name}")
    options.require_method_for(given["settings"], given["method"])
    plain = {**given, "siblings": (), "method": "auto", "settings": {}}
    recipe, fetching = options.parted(form, plain)
    return replace(recipe, method=method, settings=given["settings"] or None), fetching


def run_each(
    sources: Sequence[Source],
    recipe: Recipe,
    where: Target,
    *,
    fetching: Fetching,
    given: Mapping[str, Any],
) -> int:
    """Work through addresses, each with its own siblings, and return the exit code.

    Raises:
        MissingExtraError: ``chaffinch[crawl]`` isn't installed.
        OptionError: a setting is impossible.
    """
    codes = [_one(source, recipe, where, fetching, given) for source in sources]
    return FAILED if FAILED in codes else min(codes)


def layer_pages(url: str, count: int, given: Mapping[str, Any]) -> list[Page]:
    """Return the page at ``url`` and ``count`` pages of the same layer; none where it can't be had.

    What can't be had, or has no siblings, has a line on standard error.

    Raises:
        MissingExtraError: ``chaffinch[crawl]`` isn't installed.
    """
    from chaffinch.crawl import find_siblings  # noqa: PLC0415 an extra

    how = options.fetching(given)
    try:
        found = find_siblings(
            url,
            count=count,
            politeness=politeness.from_options(given),
            limits=how.limits,
            guard=how.guard,
        )
    except PageError as error:
        say_error(f"{url}: {error}")
        return []
    if not found.siblings:
        say_error(f"{url}: no page of the same layer was found")
    return [found.page, *(sibling.page for sibling in found.siblings)]


def _one(
    source: Source, recipe: Recipe, where: Target, fetching: Fetching, given: Mapping[str, Any]
) -> int:
    from chaffinch.crawl import find_siblings  # noqa: PLC0415 an extra

    try:
        found = find_siblings(
            source.name,
            politeness=politeness.from_options(given),
            limits=fetching.limits,
            guard=fetching.guard,
        )
    except PageError as error:
        say_error(f"{source.name}: {error}")
        return FAILED
    if not found.siblings:
        say_error(f"{source.name}: no page of the same layer was found to compare it with")
        return FAILED
    said = f"{source.name}: with {len(found.siblings)} pages of the same layer"
    click.echo(one_line(said), err=True)
    recipe = _taught(recipe, found)
    recipe.check()
    here = Source(kind="file", name=source.name, url=found.url, page=found.page)
    return run([here], recipe, where, fetching=fetching)


def _taught(recipe: Recipe, found: Discovery) -> Recipe:
    """Return the recipe with the siblings, or with the site model that they teach."""
    pages = tuple(sibling.page for sibling in found.siblings)
    if recipe.method != "auto":
        return replace(recipe, siblings=Siblings(pages))
    from chaffinch.site import Site  # noqa: PLC0415 few calls need it

    return replace(recipe, method=Site.learn([found.page, *pages]))
