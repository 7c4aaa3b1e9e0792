"""Options that set how content is found, and the task that is made of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from chaffinch.cli.filter_options import page_filter
from chaffinch.cli.messages import print_note
from chaffinch.cli.option_lists import stacked
from chaffinch.cli.option_values import read_settings
from chaffinch.cli.output_options import shown
from chaffinch.cli.policy_options import policy_options, require_page_level, wanted
from chaffinch.cli.source_options import fetching
from chaffinch.site.model import MODES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chaffinch.cli.page_task import PageTask
    from chaffinch.cli.source_options import Fetching
    from chaffinch.site.site import Site, SiteFolder

siblings_option = click.option(
    "--siblings",
    multiple=True,
    metavar="DIR|FILE",
    help="Other pages of the site, for methods that compare: folders, pages, archives, JSON lines; "
    "may be repeated.",
)
_NAMED: Final = (
    click.option(
        "-m",
        "--method",
        default="auto",
        show_default=True,
        metavar="NAME",
        help="How the content is found; see 'chaffinch methods'.",
    ),
    click.option(
        "--set",
        "settings",
        multiple=True,
        metavar="KEY=VALUE",
        callback=read_settings,
        help="A setting of the method, its value as in TOML; may be repeated.",
    ),
    policy_options,
)
_SITE_MODEL: Final = (
    click.option(
        "--site",
        "site_model",
        metavar="FILE|DIR",
        type=click.Path(),
        help="A site model that 'chaffinch learn' or 'rules import' made, in place of a method; or "
        "a folder of them, one a host.",
    ),
    click.option(
        "--site-mode",
        type=click.Choice(MODES),
        help="How it is applied: the page-level model and the site's slots, or the rules alone; "
        "default: as it was saved.",
    ),
)
_SELECTORS: Final = (
    click.option(
        "--keep",
        multiple=True,
        metavar="CSS",
        help="What a selector matches is content in any case; may be repeated.",
    ),
    click.option(
        "--drop",
        multiple=True,
        metavar="CSS",
        help="What a selector matches is noise in any case; stronger than --keep; may be repeated.",
    ),
)
_SECONDS: Final = click.option(
    "--seconds",
    type=click.FloatRange(min=0.001),
    metavar="SECONDS",
    help="Time that finding the content of one page may take, and the same for each output; pages "
    "that take longer fail.",
)


named_method_options = stacked(_NAMED)
"""Adds the options that name a method for single pages, and set what is content."""

method_options = stacked([*_NAMED, *_SITE_MODEL, siblings_option, *_SELECTORS, _SECONDS])
"""Adds the options that set how content is found."""


def task_of(form: str, given: Mapping[str, Any]) -> tuple[PageTask, Fetching]:
    """Return what to do to each page and how to fetch it.

    Args:
        form: a name of `chaffinch.cli.forms.FORMS`.
        given: values of `method_options` and `source_options`, those of the input left out.

    Raises:
        click.UsageError: siblings don't fit the method, or a site model is given besides one.
        OptionError: a value, method, setting or selector is unknown or impossible.
    """
    from chaffinch.cli.page_task import PageTask  # noqa: PLC0415  loads what extracts
    from chaffinch.cli.sibling_pages import (  # noqa: PLC0415  the same
        read_siblings,
        require_siblings_fit,
    )
    from chaffinch.methods import DEFAULT  # noqa: PLC0415  the same
    from chaffinch.page.bounds import Limits  # noqa: PLC0415

    _require_no_peer(given["method"])
    require_siblings_fit(
        DEFAULT if given["method"] == "auto" else given["method"], given["siblings"]
    )
    limits = Limits(max_bytes=given["max_size"] << 20, seconds=given["seconds"])
    site = _site_of(given)
    task = PageTask(
        form=form,
        shown=shown(form, given),
        method=site or given["method"],
        favor=given["favor"],
        policy=wanted(given),
        settings=given["settings"] or None,
        siblings=read_siblings(given["siblings"], limits=limits, is_corpus=given["is_corpus"]),
        keep=tuple(given["keep"]),
        drop=tuple(given["drop"]),
        wanted=page_filter(given),
        author_blacklist=tuple(given.get("author_blacklist", ())),
        limits=limits,
    )
    task.check()
    if site is not None:
        site.clear_usage()  # the check tried it on a page of its own
    return task, fetching(given)


def _require_no_peer(name: str) -> None:
    """Check that what is named as a method isn't another tool, which only measuring knows.

    Raises:
        click.UsageError: it is.
    """
    from chaffinch.methods import METHODS  # noqa: PLC0415  loads what extracts

    if name in METHODS or name == "auto":
        return
    from chaffinch.evaluate.peers import PEERS  # noqa: PLC0415  few calls need it

    if name in PEERS:
        raise click.UsageError(
            f"{name} is another tool, not a method: 'chaffinch evaluate --peers {name}' measures it"
        )


def _site_of(given: Mapping[str, Any]) -> Site | SiteFolder | None:
    """Return the site model, or the folder of them, that is requested, if one is."""
    if given.get("site_model") is None:
        if given.get("site_mode") is not None:
            raise click.UsageError("--site-mode goes with --site")
        if given.get("save_counts"):
            raise click.UsageError("--save-counts goes with --site")
        return None
    if given["method"] != "auto" or given["siblings"]:
        raise click.UsageError("--site goes without --method and --siblings")
    require_page_level("--site", given)
    from chaffinch.site.site import load_site  # noqa: PLC0415  few calls need it

    if given.get("save_counts") and Path(given["site_model"]).is_dir():
        raise click.UsageError("--save-counts goes with the model of one site")
    return load_site(given["site_model"], mode=given["site_mode"] or "")


def report_changes(task: PageTask, given: Mapping[str, Any]) -> None:
    """Report on standard error what has changed since the site model, if any, was learned.

    Pages that worker processes took aren't counted.

    Raises:
        RulesError: counts are to be saved and can't be.
    """
    if given["site_model"] is None:
        return
    site: Any = task.method
    if given["save_counts"]:
        site.save_counts(given["site_model"])
    for finding in site.named_findings():
        print_note(finding)
