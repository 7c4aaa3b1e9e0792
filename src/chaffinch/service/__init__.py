"""The service: pages read over HTTP and MCP; extras ``serve`` and ``mcp``.

The only room that knows the web framework. From below: `settings` (what the operator decides, and
tokens), `problems` (RFC 9457), `requests` (what a request may hold), `jobs` (what is done to a page
in a guarded child), `work` (the bounded and fair way there), `reader` (pages fetched politely, and
what HTTP and MCP have in common), `endpoints`, `inspector`, `mcp`, `server` (what every
request passes). A child loads `jobs` alone, so nothing is loaded here.
"""

from typing import TYPE_CHECKING

from chaffinch.lazy import exporter

if TYPE_CHECKING:
    from chaffinch.service.server import serve
    from chaffinch.service.settings import ServiceSettings
else:
    __getattr__ = exporter(__name__)

__all__ = ["ServiceSettings", "serve"]
