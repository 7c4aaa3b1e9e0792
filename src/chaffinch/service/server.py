"""The server process: uvicorn with the service's application."""

from __future__ import annotations

import logging
import resource
import socket
from collections.abc import Callable
from typing import Final

from chaffinch.errors import MissingExtraError, SetupError
from chaffinch.wording import cause
from chaffinch.workers.protocol import require_unix

try:
    import uvicorn

    from chaffinch.service.app import application
except ModuleNotFoundError as error:
    raise MissingExtraError.of(error.name or "a package", "serve") from error

from chaffinch.service.inspector.subjects import TaughtSite
from chaffinch.service.jobs import GivenPage
from chaffinch.service.problems import FIELDS, LOG, log_as_json
from chaffinch.service.reader import Reader
from chaffinch.service.settings import ServiceSettings

_GRACE: Final = 5  # seconds beyond the deadline until requests in work are given up
_KEPT_ALIVE: Final = 15  # seconds for which an idle connection stays open
_BACKLOG: Final = 4096
_FILES: Final = 200  # descriptors besides those of connections


def serve(
    settings: ServiceSettings,
    reader: Reader | None = None,
    subject: GivenPage | TaughtSite | None = None,
    when_listening: Callable[[str], object] = str,
    *,
    logs_requests: bool = True,
) -> None:
    """Answer requests until a signal to stop; what was accepted is answered first.

    Args:
        settings: of the operator.
        reader: what reads the pages; None for the usual one.
        subject: what the inspector shows of the operator's own; None for nothing.
        when_listening: called with the service's address once connections are taken.
        logs_requests: whether each request has a line in the log, or only what goes wrong.

    Raises:
        SetupError: the address can't be listened at, or something is missing.
    """
    require_unix("chaffinch serve")
    log_as_json(logging.INFO if logs_requests else logging.WARNING)
    _raise_file_limit(settings.connections + _FILES)
    with _listener(settings) as listener:
        config = uvicorn.Config(
            application(settings, reader, subject),
            ws="none",
            lifespan="on",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,
            backlog=_BACKLOG,
            limit_concurrency=settings.connections,
            timeout_keep_alive=_KEPT_ALIVE,
            timeout_graceful_shutdown=settings.deadline + _GRACE,
        )
        host, port = listener.getsockname()[:2]
        address = f"http://{f'[{host}]' if ':' in host else host}:{port}"
        LOG.info("listening", extra={FIELDS: {"address": address}})
        when_listening(address)
        uvicorn.Server(config).run(sockets=[listener])


def _listener(settings: ServiceSettings) -> socket.socket:
    host = settings.host.strip("[]")
    try:
        family = socket.getaddrinfo(host, settings.port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, settings.port), family=family, backlog=_BACKLOG)
    except OSError as error:
        raise SetupError(f"can't listen at {host}:{settings.port}: {cause(error)}") from error


def _raise_file_limit(wanted: int) -> None:
    """Let the process have as many descriptors open, as far as the system allows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
