"""Options that set how pages are read and fetched, and what is made of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from chaffinch.cli.option_lists import Command, stacked
from chaffinch.cli.option_values import read_address, read_label

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from chaffinch.web.guard import AddressGuard
    from chaffinch.web.settings import FetchLimits


@dataclass(frozen=True, kw_only=True)
class Fetching:
    """How pages are fetched: arguments of `chaffinch.web.fetch`."""

    limits: FetchLimits
    allow: tuple[str, ...] = ()
    resolve: tuple[str, ...] = ()
    contact: str = ""
    accept_errors: bool = False

    @property
    def guard(self) -> AddressGuard:
        """The guard of addresses that these set."""
        from chaffinch.web.guard import AddressGuard  # noqa: PLC0415  few calls fetch

        return AddressGuard(self.allow, self.resolve)


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
corpus_option = click.option(
    "--corpus",
    "is_corpus",
    is_flag=True,
    help="JSON lines have the form of the labelled corpora: html holds bytes, decoded as Latin-1.",
)
timeout_option = click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="Time for fetching one page in all.",
)


def size_option(mebibytes: int) -> Callable[[Command], Command]:
    """Return the option that bounds a page's size, with its default."""
    return click.option(
        "--max-size",
        type=click.IntRange(min=1),
        default=mebibytes,
        show_default=True,
        metavar="MIB",
        help="Size of a page, unpacked; bigger ones fail.",
    )


_OPTIONS = (
    click.option(
        "--url",
        metavar="URL",
        callback=read_address,
        help="Address of the one file, for its relative links.",
    ),
    click.option(
        "--encoding",
        metavar="LABEL",
        callback=read_label,
        help="Encoding of the pages, where it is known from elsewhere.",
    ),
    corpus_option,
    timeout_option,
    size_option(64),
    allow_option,
    resolve_option,
    contact_option,
)


def source_options(command: Command) -> Command:
    """Add the options that set how pages are read and fetched."""
    return stacked(_OPTIONS)(command)


def fetching(given: Mapping[str, Any]) -> Fetching:
    """Return how to fetch, from values of `source_options`."""
    from chaffinch.web.settings import FetchLimits  # noqa: PLC0415  only when a verb runs

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
