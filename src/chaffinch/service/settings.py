"""What the operator of a service decides, and no request."""

from __future__ import annotations

import ipaddress
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from chaffinch.errors import OptionError, require_between, require_one_of, require_whole
from chaffinch.web.guard import AddressGuard

if TYPE_CHECKING:
    from pathlib import Path

    from chaffinch.service.callers import Token

RENDERING: Final = ("never", "auto", "always")
"""How far requests may use a browser: not at all, for shells, for any page."""

_LOCAL_NAMES: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_MIB: Final = 1 << 20


@dataclass(frozen=True, kw_only=True)
class ServiceSettings:
    """How a service runs. A request can change none of it.

    Attributes:
        host: address or name that is listened at; one that isn't loopback needs a token.
        port: of it; 0 for any that is free.
        names: further names of this server, which requests may have in their Host.
        tokens: who may call; empty for everybody who reaches a loopback address.
        workers: guarded children, each with one page at a time.
        waiting: requests that wait for a child; further ones are refused (503).
        deadline: seconds of elapsed time for one page, waiting included (504).
        memory: MiB for one page in its child.
        max_body: MiB of a request's body, and of a line of a stream (413).
        max_page: MiB of a page that is fetched, unpacked.
        bodies: MiB of all bodies that are held at a time (503).
        body_seconds: seconds in which a body must have come (408).
        header_seconds: seconds in which a request's head must have come.
        connections: open connections; further ones are refused.
        allow, resolve: as of `chaffinch.web.AddressGuard`.
        contact: address (URL or mail) that the user agent names for the servers' owners.
        delay: seconds between two requests to one host.
        obeys_robots: whether robots.txt is obeyed.
        data: folder that is written to, for the cache and for sites; None to write nothing.
        cache: MiB of fetched pages that are kept below ``data``; 0 for none.
        render: one of `RENDERING`.
        browser: path of the browser's program; None to look for one.
        serves_mcp: whether MCP is answered, at ``/mcp``; None for where its package is installed.

    Raises:
        OptionError: one is out of its range, or they contradict each other.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    names: tuple[str, ...] = ()
    tokens: tuple[Token, ...] = field(default=(), repr=False)
    workers: int = os.cpu_count() or 1
    waiting: int = 256
    deadline: int = 60
    memory: int = 1024
    max_body: int = 10
    max_page: int = 32
    bodies: int = 512
    body_seconds: float = 30.0
    header_seconds: float = 10.0
    connections: int = 16_000
    allow: tuple[str, ...] = ()
    resolve: tuple[str, ...] = ()
    contact: str = ""
    delay: float = 1.0
    obeys_robots: bool = True
    data: Path | None = None
    cache: int = 0
    render: str = "never"
    browser: str | None = None
    serves_mcp: bool | None = None

    def __post_init__(self) -> None:
        for name in "workers deadline memory max_body max_page bodies connections".split():
            require_whole(name, getattr(self, name), 1)
        for name in ("waiting", "cache"):
            require_whole(name, getattr(self, name), 0)
        require_whole("port", self.port, 0, 65_535)
        for name in ("body_seconds", "header_seconds"):
            require_between(name, getattr(self, name), 0.1)
        require_between("delay", self.delay, 0)
        require_one_of("render", self.render, RENDERING)
        _ = self.guard
        if not self.tokens and not is_loopback(self.host):
            raise OptionError(
                f"{self.host} can be reached from other machines, so a token is needed: set "
                "CHAFFINCH_TOKEN, or name a file with --tokens"
            )
        if self.cache and self.data is None:
            raise OptionError("a cache needs a folder: --data DIR")

    @property
    def guard(self) -> AddressGuard:
        """The guard of addresses that every fetch goes through."""
        return AddressGuard(self.allow, self.resolve)

    @property
    def body_bytes(self) -> int:
        """Most bytes of a body."""
        return self.max_body * _MIB

    @property
    def hosts(self) -> frozenset[str]:
        """Names, in lower case and without port, that a request's Host may have."""
        own = {self.host.lower().strip("[]"), *map(str.lower, self.names)}
        return frozenset(
            own | (_LOCAL_NAMES if is_loopback(self.host) or not self.names else set())
        )


def is_loopback(host: str) -> bool:
    """Return whether a host's address is this machine's own alone; of names, only localhost."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
