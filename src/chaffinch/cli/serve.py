"""``chaffinch serve``, ``mcp`` and ``inspect``: pages read for others, and shown to people."""

from __future__ import annotations

import os
import signal
import tempfile
import webbrowser
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

import click

from chaffinch.cli import pages
from chaffinch.cli.options import Option, made, of_field, refuse, verb
from chaffinch.cli.streams import is_quiet, print_error, print_note
from chaffinch.errors import PageError
from chaffinch.service import jobs, server
from chaffinch.service import mcp as mcp_server
from chaffinch.service.settings import ServiceSettings, Token, read_tokens
from chaffinch.site.file import is_model
from chaffinch.site.site import Site
from chaffinch.workers.protocol import require_unix

_TOKEN: Final = "CHAFFINCH_TOKEN"  # noqa: S105  the variable's name

SERVICE: Final = (
    of_field(ServiceSettings, "workers", "-w", "--workers", show_default="one a processor"),
    of_field(ServiceSettings, "deadline", "--timeout", metavar="SECONDS", heading="Pages"),
    of_field(ServiceSettings, "memory", metavar="MIB", heading="Pages"),
    pages.size_option(32),
    *pages.RENDERING[:2],  # what is waited for, and clicked, is a request's
    of_field(ServiceSettings, "delay", heading="Network"),
    of_field(
        ServiceSettings, "obeys_robots", "--obey-robots/--ignore-robots", heading="Network"
    ),
    *pages.NETWORK,
    of_field(
        ServiceSettings, "data", metavar="DIR", heading="Files",
        type=click.Path(file_okay=False, path_type=Path),
    ),
    of_field(ServiceSettings, "cache", metavar="MIB", heading="Files"),
)  # fmt: skip
"""Options of the verbs that read pages for others."""


def settings_of(given: dict[str, Any], **more: Any) -> ServiceSettings:
    reading = pages.Reading.of(given)
    same = {one: getattr(reading, one) for one in "allow resolve contact render browser".split()}
    return made(ServiceSettings, given, max_page=given["max_size"], **same, **more)


@verb(
    of_field(ServiceSettings, "host", metavar="ADDRESS"),
    of_field(ServiceSettings, "port"),
    Option(
        "--tokens", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path),
        help="TOML file of the callers' tokens; the variable CHAFFINCH_TOKEN holds a "
        "single one.",
    ),
    *SERVICE,
    of_field(ServiceSettings, "names", "--name", metavar="HOST", heading="Requests"),
    of_field(ServiceSettings, "waiting", heading="Requests"),
    of_field(ServiceSettings, "max_body", metavar="MIB", heading="Requests"),
    of_field(ServiceSettings, "serves_mcp", "--mcp", heading="Requests"),
    examples=(
        "chaffinch serve",
        "CHAFFINCH_TOKEN=… chaffinch serve --host 0.0.0.0 --data /var/lib/chaffinch",
    ),
)  # fmt: skip
def serve(given: dict[str, Any]) -> None:
    """Read pages for callers over HTTP and MCP, until stopped.

    Whoever reaches a loopback address may call; elsewhere a bearer token is needed. The endpoints
    are documented at /openapi.json, and a page to try them on is at /.
    """
    require_unix("chaffinch serve")
    found = () if given["tokens"] is None else read_tokens(given["tokens"])
    if secret := os.environ.get(_TOKEN, ""):
        found = (*found, Token.of(_TOKEN, secret))
    with suppress(KeyboardInterrupt):
        server.serve(settings_of(given, tokens=found), logs_requests=not is_quiet())


@verb(*SERVICE, examples=("chaffinch mcp --data ~/.cache/chaffinch",))
def mcp(given: dict[str, Any]) -> None:
    """Read pages for a client of MCP over standard input and output.

    The client starts it; docs/serve.md has its configuration. Logs go to standard error.
    """
    require_unix("chaffinch mcp")  # the extra may ask for what only Unix has when it is imported
    mcp_server.serve_streams(settings_of(given))


@verb(
    click.Argument(["given"], metavar="[URL|FILE|-|SITE]", required=False),
    click.Argument(["pages"], metavar="[PAGES]...", nargs=-1),
    Option(
        "--port", type=click.IntRange(0, 65_535), default=0, show_default="any that is free",
        metavar="N", help="Port of 127.0.0.1 to listen at.",
    ),
    Option(
        "--open/--no-open", "opens", default=True,
        help="Whether a browser is opened, or the URL only printed.",
    ),
    pages.RECORD,
    *pages.file_options(),
    pages.CORPUS,
    *SERVICE,
    examples=(
        "chaffinch inspect story.html",
        "chaffinch inspect grain.example.site pages/",
    ),
)  # fmt: skip
def inspect(given: dict[str, Any]) -> None:
    """Show a page as Chaffinch sees it, in the inspector, until stopped.

    The inspector is a page in a browser: what was kept and dropped, and why, beside the page
    itself. Without an argument it opens empty.

    A SITE is a site model with PAGES of its site: folders, files, archives. There a person checks
    it and teaches it by clicks; rules that are kept are written into the model.
    """
    require_unix("chaffinch inspect")
    settings = settings_of(given, serves_mcp=False, port=given["port"])
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that the folder is removed, too
    with suppress(KeyboardInterrupt), tempfile.TemporaryDirectory(prefix="chaffinch-") as folder:
        subject, view = None, ""
        if given["given"] is not None:
            subject, view = _subject(given["given"], given, Path(folder))

        if settings.render != "never" and view.startswith("#/page"):
            view += f"&render={settings.render}"

        def announce(address: str) -> None:
            opened = f"{address}/{view}"
            print_note(f"The inspector, until Ctrl-C: {opened}")
            if given["opens"]:
                webbrowser.open(opened)

        server.serve(settings, subject=subject, when_listening=announce, logs_requests=False)


def _subject(
    name: str, given: dict[str, Any], folder: Path
) -> tuple[jobs.TaughtSite | jobs.GivenPage | None, str]:
    """Return what is inspected, and its view: the fragment of its address."""
    reading, beside = pages.Reading.of(given), given["pages"]
    reading = replace(reading, render="never", browser=None)
    if is_model(name):
        if not beside:
            raise click.UsageError("a site is checked on its PAGES: give folders, files, archives")
        Site.load(name)
        return jobs.TaughtSite(Path(name), _sample(beside, reading, folder)), "#/site"
    if beside:
        raise click.UsageError("PAGES go with a site model")
    if pages.is_folder(name):
        raise click.UsageError(f"one page or a site model is wanted: {name} is a folder")
    if pages.is_address(name):
        refuse("goes with one file or standard input", (pages.RECORD, *pages.file_options()))
        return None, f"#/page?{urlencode({'url': name})}"
    return _given(reading.one(name), reading), "#/page?held=given"


def _given(source: pages.Source, reading: pages.Reading) -> jobs.GivenPage:
    return jobs.GivenPage(
        html=source.read(reading.limits.max_bytes),
        url=source.url,
        encoding=source.record.encoding,
        headers=source.record.headers,
        limits=reading.limits,
    )


def _sample(given: Sequence[str], reading: pages.Reading, folder: Path) -> jobs.Sample:
    if any(pages.is_address(one) for one in given):
        raise click.UsageError("PAGES are folders, files and archives: fetch URLs before")
    plain = replace(reading, url=None, encoding=None)
    named = _named(plain.unpacked(plain.sources(given)), plain)
    found = jobs.Sample.written(folder, named)
    if not found.pages:
        raise click.UsageError(f"no page is in {', '.join(given)}")
    return found


def _named(
    sources: Iterable[pages.Source], reading: pages.Reading
) -> Iterator[tuple[str, jobs.GivenPage]]:
    for one in sources:
        try:
            yield one.name, _given(one, reading)
        except PageError as error:
            print_error(f"{one.name}: {error}")
