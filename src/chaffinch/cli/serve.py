"""``chaffinch serve`` and ``mcp``: pages read for others, over HTTP or standard streams."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

import click

from chaffinch.cli.options import Option, made, of_field, verb
from chaffinch.cli.pages import NETWORK, RENDERING, size_option
from chaffinch.lazy import lazy_module
from chaffinch.service.settings import ServiceSettings, Token, read_tokens
from chaffinch.workers.protocol import require_unix

mcp_server = lazy_module("chaffinch.service.mcp")
server = lazy_module("chaffinch.service.server")

_TOKEN: Final = "CHAFFINCH_TOKEN"  # noqa: S105  the variable's name

SERVICE: Final = (
    of_field(ServiceSettings, "workers", "-w", "--workers", show_default="one a processor"),
    of_field(ServiceSettings, "deadline", "--timeout", metavar="SECONDS", heading="Pages"),
    of_field(ServiceSettings, "memory", metavar="MIB", heading="Pages"),
    size_option(32),
    *RENDERING[:2],  # what is waited for, and clicked, is a request's
    of_field(ServiceSettings, "delay", heading="Network"),
    of_field(
        ServiceSettings, "obeys_robots", "--obey-robots/--ignore-robots", heading="Network"
    ),
    *NETWORK,
    of_field(
        ServiceSettings, "data", metavar="DIR", heading="Files",
        type=click.Path(file_okay=False, path_type=Path),
    ),
    of_field(ServiceSettings, "cache", metavar="MIB", heading="Files"),
)  # fmt: skip
"""Options of the verbs that read pages for others."""


def settings_of(given: dict[str, Any], **more: Any) -> ServiceSettings:
    return made(
        ServiceSettings,
        given,
        allow=tuple(given["allow_host"]),
        resolve=tuple(given["resolve"]),
        contact=given["contact"],
        max_page=given["max_size"],
        render=given["render"],
        browser=given["browser"],
        **more,
    )


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
    are documented at /docs, and a page to try them on is at /.
    """
    require_unix("chaffinch serve")
    found = () if given["tokens"] is None else read_tokens(given["tokens"])
    if secret := os.environ.get(_TOKEN, ""):
        found = (*found, Token.of(_TOKEN, secret, writes=True))
    server.serve(settings_of(given, tokens=found))


@verb(*SERVICE, examples=("chaffinch mcp --data ~/.cache/chaffinch",))
def mcp(given: dict[str, Any]) -> None:
    """Read pages for a client of MCP over standard input and output.

    The client starts it; docs/serve.md has its configuration. Logs go to standard error.
    """
    require_unix("chaffinch mcp")  # the extra may ask for what only Unix has when it is imported
    mcp_server.serve_streams(settings_of(given))
