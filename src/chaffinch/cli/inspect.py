"""``chaffinch inspect``: the inspector, opened in a browser on what is given."""

from __future__ import annotations

import webbrowser
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from chaffinch.cli.inputs import find, is_address, is_folder, unpacked
from chaffinch.cli.messages import print_note
from chaffinch.cli.option_values import read_address, read_label
from chaffinch.cli.service_options import service_options, settings_of
from chaffinch.cli.verb import Verb

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.service.inspector.subjects import Subject, SubjectPage


@click.command(cls=Verb)
@click.argument("given", metavar="[URL|FILE|-|SITE]", required=False)
@click.argument("pages", metavar="[PAGES]...", nargs=-1)
@click.option(
    "--url", metavar="URL", callback=read_address,
    help="Address of the file, for its relative links.",
)  # fmt: skip
@click.option(
    "--encoding", metavar="LABEL", callback=read_label,
    help="Encoding of the page, where it is known from elsewhere.",
)  # fmt: skip
@click.option(
    "--port", type=click.IntRange(0, 65_535), default=0, show_default="any that is free",
    metavar="N", help="Port of 127.0.0.1 to listen at.",
)  # fmt: skip
@click.option(
    "--open/--no-open", "opens", default=True, show_default=True,
    help="Whether a browser is opened, or the address only printed.",
)  # fmt: skip
@service_options
def inspect(
    *,
    given: str | None,
    pages: Sequence[str],
    url: str | None,
    encoding: str | None,
    opens: bool,
    **others: Any,
) -> None:
    """Show a page as Chaffinch sees it, in the inspector, until stopped.

    The inspector is a page in a browser: what was kept and dropped, why, by which method and
    policy, and every output beside the page that it came from. Without an argument it opens empty.

    A SITE is a site model (a TOML file) with PAGES of its site: folders, files, archives. There a
    person checks it and teaches it by clicks; rules that are kept are written into the file.
    """
    size = others["max_size"] << 20
    settings = settings_of({**others, "serves_mcp": False})
    subject = None
    if given is not None:
        subject = _subject(given, pages, (url, encoding), size)

    def announce(address: str) -> None:
        view = f"{address}/{'' if subject is None else subject.address}"
        print_note(f"The inspector, until Ctrl-C: {view}")
        if opens:
            webbrowser.open(view)

    from chaffinch.service.server import serve  # noqa: PLC0415  an extra

    with suppress(KeyboardInterrupt):
        serve(settings, subject=subject, when_listening=announce, logs_requests=False)


def _subject(
    given: str,
    pages: Sequence[str],
    known: tuple[str | None, str | None],
    size: int,
) -> Subject:
    """Return what is inspected; ``known`` are a file's address and encoding.

    Raises:
        click.UsageError: it is several pages or a site model without pages.
        PageError: it can't be read.
        SetupError: the site's file is broken.
    """
    url, encoding = known
    if given.endswith(".toml"):
        return _site(given, pages, size)
    if pages:
        raise click.UsageError("PAGES go with a site model, a file that ends in .toml")
    from chaffinch.page.bounds import Limits  # noqa: PLC0415
    from chaffinch.service.inspector.subjects import PageSubject  # noqa: PLC0415  an extra
    from chaffinch.service.jobs import GivenPage  # noqa: PLC0415  an extra

    if is_address(given):
        return PageSubject(url=given)
    if is_folder(given):
        raise click.UsageError(f"one page or a site model is wanted: {given} is a folder")
    sources = find([given], url=url, encoding=encoding)
    first, *more = islice(unpacked(sources, max_bytes=size), 2)
    if more:
        raise click.UsageError(f"one page is wanted, and {given} holds several")
    page = GivenPage(
        html=first.read(max_bytes=size),
        url=first.url,
        encoding=first.encoding,
        headers=first.headers,
        limits=Limits(max_bytes=size),
    )
    return PageSubject(source=page, url=first.url)


def _site(model: str, pages: Sequence[str], size: int) -> Subject:
    """Return a site model and the pages that it is tried on, which are read later.

    Raises:
        click.UsageError: no pages are given, or an address is among them.
        RulesError: the model can't be read.
    """
    from chaffinch.service.inspector.subjects import TaughtSite  # noqa: PLC0415  an extra
    from chaffinch.site.site import Site  # noqa: PLC0415  only for sites

    if not pages:
        raise click.UsageError("a site is checked on its PAGES: give folders, files or archives")
    Site.load(model)
    return TaughtSite(Path(model), _pages(pages, size))


def _pages(given: Sequence[str], size: int) -> list[SubjectPage]:
    """Return the pages of folders, files and archives, which are read later.

    Raises:
        click.UsageError: there is none in what was given, or an address is among it.
    """
    from chaffinch.service.inspector.subjects import SubjectPage  # noqa: PLC0415  an extra

    if any(is_address(one) for one in given):
        raise click.UsageError("PAGES are folders, files and archives: fetch addresses before")
    found = [
        SubjectPage(one.name, one.url, one.encoding, partial(one.read, max_bytes=size))
        for one in unpacked(find(given, url=None, encoding=None), max_bytes=size)
        if one.kind != "problem"
    ]
    if given and not found:
        raise click.UsageError(f"no page is in {', '.join(given)}")
    return found
