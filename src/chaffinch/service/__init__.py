"""The service: pages read over HTTP and MCP; extras ``serve`` and ``mcp``.

The only room that knows the web framework. From below: `settings` (what the operator decides),
`problems` (RFC 9457), `callers` (tokens and their limits), `request_models` (what a request may
hold), `page_jobs` (what is done to a page in a guarded child), `work_queue` (the bounded way
there), `web_pages` and `page_cache` (fetched politely, kept for a while), `reader` (what HTTP and
MCP have in common), files of ``…_endpoints``, `gate` (what every request passes), `app`, `server`.
A child loads `page_jobs` alone, so nothing is loaded here.
"""

from typing import TYPE_CHECKING

from chaffinch.lazy import exporter

if TYPE_CHECKING:
    from chaffinch.service.server import serve
    from chaffinch.service.settings import ServiceSettings
else:
    __getattr__ = exporter(
        __name__,
        {
            "ServiceSettings": "chaffinch.service.settings",
            "serve": "chaffinch.service.server",
        },
    )

__all__ = ["ServiceSettings", "serve"]
