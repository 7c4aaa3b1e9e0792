"""``chaffinch mcp``: pages read for a client of MCP over standard streams."""

from __future__ import annotations

from typing import Any

import click

from chaffinch.cli.service_options import service_options, settings_of
from chaffinch.cli.verb import Verb


@click.command(cls=Verb)
@service_options
def mcp(**given: Any) -> None:
    """Read pages for a client of MCP over standard input and output.

    The client starts it; docs/mcp.md has its configuration. Logs go to standard error.
    """
    from chaffinch.workers.unix import require_unix  # noqa: PLC0415  only here

    require_unix("chaffinch mcp")  # the extra may ask for what only Unix has when it is imported
    from chaffinch.service.mcp import serve_streams  # noqa: PLC0415  an extra

    serve_streams(settings_of(given))
