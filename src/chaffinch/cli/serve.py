"""``chaffinch serve``: pages read over HTTP and MCP."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

import click

from chaffinch.cli.service_options import service_options, settings_of
from chaffinch.cli.verb import Verb

_TOKEN: Final = "CHAFFINCH_TOKEN"  # noqa: S105  the variable's name


@click.command(cls=Verb)
@click.option(
    "--host", default="127.0.0.1", show_default=True, metavar="ADDRESS",
    help="Address to listen at; one that isn't loopback needs a token.",
)  # fmt: skip
@click.option(
    "--port", type=click.IntRange(0, 65_535), default=8000, show_default=True, metavar="N",
    help="Port to listen at; 0 for any that is free.",
)  # fmt: skip
@click.option(
    "--name", "names", multiple=True, metavar="HOST",
    help="A further name of this server, which requests may have in Host; may be repeated.",
)  # fmt: skip
@click.option(
    "--tokens", "token_file", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path),
    help="TOML file of the callers' tokens and limits; the variable CHAFFINCH_TOKEN holds a "
    "single one.",
)  # fmt: skip
@click.option(
    "--waiting", type=click.IntRange(min=0), default=256, show_default=True, metavar="N",
    help="Pages that may wait for a process; further requests are refused.",
)  # fmt: skip
@click.option(
    "--max-body", type=click.IntRange(min=1), default=10, show_default=True, metavar="MIB",
    help="Size of a request's body.",
)  # fmt: skip
@click.option(
    "--mcp/--no-mcp", "serves_mcp", default=None,
    help="Answer MCP at /mcp; default: where the extra «mcp» is installed.",
)  # fmt: skip
@service_options
def serve(*, token_file: Path | None, **given: Any) -> None:
    """Read pages for callers over HTTP and MCP, until stopped.

    Whoever reaches a loopback address may call; elsewhere a bearer token is needed. The endpoints
    are documented at /docs, and a page to try them on is at /.
    """
    from chaffinch.service.server import serve as run  # noqa: PLC0415  an extra

    run(settings_of(given, tokens=_tokens(token_file)))


def _tokens(path: Path | None) -> tuple[Any, ...]:
    """Return the tokens of a file and of the environment.

    Raises:
        OptionError: one is malformed.
    """
    from chaffinch.service.settings import Token, read_tokens  # noqa: PLC0415  an extra

    found = () if path is None else read_tokens(path)
    secret = os.environ.get(_TOKEN, "")
    return (*found, Token.of(_TOKEN, secret, writes=True)) if secret else found
