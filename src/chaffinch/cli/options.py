"""Options that several verbs share, and what is made of them."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

import click

from chaffinch.cli.inputs import Fetching
from chaffinch.cli.option_values import read_label, read_parts, read_settings
from chaffinch.cli.page_task import Recipe
from chaffinch.cli.sibling_pages import read_siblings, require_siblings_fit
from chaffinch.fetch.limits import FetchLimits
from chaffinch.lazy import lazy_module
from chaffinch.methods import DEFAULT
from chaffinch.output.options import PARTS, OutputOptions
from chaffinch.page.guard.limits import Limits
from chaffinch.site.modes import MODES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chaffinch.site import site
    from chaffinch.site.site import Site
else:
    site = lazy_module("chaffinch.site.site")

Command = TypeVar("Command", bound="Callable[..., Any]")


def _stacked(options: Sequence[Callable[[Command], Command]]) -> Callable[[Command], Command]:
    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


siblings_option = click.option(
    "--siblings",
    multiple=True,
    metavar="DIR|FILE",
    help="Other pages of the site, for methods that compare: folders, pages, JSON lines with "
    "html and url; may be repeated.",
)


_named_method = (
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
)
_site_model = (
    click.option(
        "--site",
        "site_model",
        metavar="FILE",
        type=click.Path(dir_okay=False),
        help="A site model that 'chaffinch learn' made, in place of a method.",
    ),
    click.option(
        "--site-mode",
        type=click.Choice(MODES),
        help="How it is applied: the page-level model and the site's slots, or the rules alone; "
        "default: as it was saved.",
    ),
)
allow_option = click.option(
    "--allow-host",
    multiple=True,
    metavar="HOST[:PORT]",
    help="Fetch from this host although it is in a private network; may be repeated.",
)
resolve_option = click.option(
    "--resolve",
    multiple=True,
    metavar="NAME=ADDRESS",
    help="Take this IP address for a host, instead of looking it up; may be repeated.",
)
contact_option = click.option(
    "--contact",
    default="",
    metavar="URL",
    help="Contact for the servers' owners, in the user agent.",
)


def named_method_options(command: Command) -> Command:
    """Add the options that name a method for single pages."""
    return _stacked(_named_method)(command)


def method_options(command: Command) -> Command:
    """Add the options that say how content is found."""
    return _stacked(
        [
            *_named_method,
            *_site_model,
            siblings_option,
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
                help="What a selector matches is noise in any case; stronger than --keep; "
                "may be repeated.",
            ),
        ]
    )(command)


def source_options(command: Command) -> Command:
    """Add the options that say how pages are read and fetched."""
    return _stacked(
        [
            click.option(
                "--url", metavar="URL", help="Address of the one file, for its relative links."
            ),
            click.option(
                "--encoding",
                metavar="LABEL",
                callback=read_label,
                help="Encoding of the pages, where it is known from elsewhere.",
            ),
            click.option(
                "--timeout",
                type=click.FloatRange(min=0, min_open=True),
                default=60.0,
                show_default=True,
                metavar="SECONDS",
                help="Time for fetching one page in all.",
            ),
            click.option(
                "--max-size",
                type=click.IntRange(min=1),
                default=64,
                show_default=True,
                metavar="MIB",
                help="Size of a page, unpacked; bigger ones fail.",
            ),
            allow_option,
            resolve_option,
            contact_option,
        ]
    )(command)


def shown_options(command: Command) -> Command:
    """Add the options that say what of the content is shown: the fields of `OutputOptions`."""
    flags = {
        "links": "Links with their addresses, or only their text.",
        "images": "Images in Markdown, HTML and TEI.",
        "tables": "Data tables as tables, or a paragraph a cell.",
        "formulas": "Formulas as such, or their TeX as text.",
        "emphasis": "Bold, italic and the like.",
    }
    extras = {
        "front-matter": "Begin text, Markdown and HTML with the metadata as YAML.",
        "rows": "Tell the rows of the page that each block of Markdown, HTML or TEI came from.",
    }
    return _stacked(
        [
            *(
                click.option(f"--{name}/--no-{name}", default=True, show_default=True, help=told)
                for name, told in flags.items()
            ),
            *(click.option(f"--{name}", is_flag=True, help=told) for name, told in extras.items()),
            click.option(
                "--with",
                "parts",
                multiple=True,
                metavar="PARTS",
                callback=read_parts,
                help=f"What JSON holds besides, parted by commas: {', '.join(PARTS)}. TEI takes "
                "posts; may be repeated.",
            ),
        ]
    )(command)


def _shown(given: Mapping[str, Any]) -> OutputOptions:
    """Return what outputs show, from values of `shown_options`, if the verb has them."""
    names = [field.name for field in fields(OutputOptions)]
    return OutputOptions.of(None, {name: given[name] for name in names if name in given})


output_option = click.option(
    "-o",
    "--output",
    metavar="PATH",
    help="File for one page; folder for several, or with a slash at its end; "
    "default: standard output.",
)


def parted(form: str, given: Mapping[str, Any]) -> tuple[Recipe, Fetching]:
    """Return what to do to each page and how to fetch it.

    Args:
        form: a name of `chaffinch.cli.page_task.FORMS`.
        given: values of `method_options` and `source_options`, those of the input left out.

    Raises:
        click.UsageError: settings are given without a method, or siblings don't fit the method.
        OptionError: a value, method, setting or selector is unknown or impossible.
    """
    require_method_for(given["settings"], given["method"])
    method = DEFAULT if given["method"] == "auto" else given["method"]
    require_siblings_fit(method, given["siblings"])
    limits = Limits(max_bytes=given["max_size"] << 20)
    recipe = Recipe(
        form=form,
        shown=_shown(given),
        method=_site_of(given) or given["method"],
        settings=given["settings"] or None,
        siblings=read_siblings(given["siblings"], limits=limits),
        keep=tuple(given["keep"]),
        drop=tuple(given["drop"]),
        limits=limits,
    )
    recipe.check()
    if model := _site_in(recipe):
        model.usage.by_template.clear()  # the check tried it on a page of its own
    return recipe, fetching(given)


def _site_of(given: Mapping[str, Any]) -> Site | None:
    """Return the site model that is asked for, if one is.

    Raises:
        click.UsageError: a method is named, or siblings given, besides; or a mode without a model.
        RulesError: the model can't be read.
    """
    if given.get("site_model") is None:
        if given.get("site_mode") is not None:
            raise click.UsageError("--site-mode goes with --site")
        if given.get("save_counts"):
            raise click.UsageError("--save-counts goes with --site")
        return None
    if given["method"] != "auto" or given["siblings"]:
        raise click.UsageError("--site goes without --method and --siblings")
    model = site.Site.load(given["site_model"])
    return model.with_mode(given["site_mode"]) if given["site_mode"] else model


def _site_in(recipe: Recipe) -> Site | None:
    """Return the site model that a recipe extracts by, if it does."""
    method = recipe.method
    return None if isinstance(method, str) or not isinstance(method, site.Site) else method


def say_changes(recipe: Recipe, given: Mapping[str, Any]) -> None:
    """Say on standard error what has changed since the site model was learned, where one is used.

    Pages that worker processes took aren't counted.

    Raises:
        RulesError: counts are to be saved and can't be.
    """
    if model := _site_in(recipe):
        if given["save_counts"]:
            model.save_counts(given["site_model"])
        for finding in model.findings():
            click.echo(f"{model.name or 'site'}: {finding}", err=True)


def require_method_for(settings: Mapping[str, Any], method: str) -> None:
    """Check that settings are given with the method that they are of.

    Raises:
        click.UsageError: they aren't.
    """
    if settings and method == "auto":
        raise click.UsageError("--set goes with --method")


def fetching(given: Mapping[str, Any]) -> Fetching:
    """Return how to fetch, from values of `source_options`."""
    usual, timeout = FetchLimits(), given["timeout"]
    limits = FetchLimits(
        connect=min(usual.connect, timeout),
        read=min(usual.read, timeout),
        total=timeout,
        max_bytes=given["max_size"] << 20,
    )
    return Fetching(
        limits=limits,
        allow=tuple(given["allow_host"]),
        resolve=tuple(given["resolve"]),
        contact=given["contact"],
    )
