"""What the operator of a service decides, and no request: settings, and the tokens of callers."""

from __future__ import annotations

import hashlib
import ipaddress
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from chaffinch.errors import OptionError, require_between, require_one_of, require_whole
from chaffinch.storage import read_toml
from chaffinch.web.guard import AddressGuard
from chaffinch.wording import cause

RENDERING: Final = ("never", "auto", "always")
"""How far requests may use a browser: not at all, for shells, for any page."""
_LOCAL_NAMES: Final = {"localhost", "127.0.0.1", "[::1]"}
_SHORTEST: Final = 16  # characters of a token
_DIGEST: Final = re.compile("[0-9a-fA-F]{64}")


@dataclass(frozen=True, kw_only=True)
class Token:
    """A token, kept as its SHA-256 alone."""

    name: str  # for logs
    digest: bytes = field(repr=False)  # SHA-256 of the token

    @classmethod
    def of(cls, name: str, secret: str) -> Token:
        if len(secret) < _SHORTEST or not secret.isascii() or not secret.isprintable():
            raise OptionError(f"token {name!r}: at least {_SHORTEST} printable ASCII characters")
        return cls(name=name, digest=hashlib.sha256(secret.encode()).digest())


ANYBODY: Final = Token(name="local", digest=b"")
"""The caller where no token is required: whoever reaches this machine's loopback address."""


def read_tokens(path: Path) -> tuple[Token, ...]:
    """Return the tokens of a TOML file: tables ``[[token]]`` with the fields of `Token`.

    In place of ``digest`` stands ``token``, the secret, or ``sha256``, its digest in hexadecimal.
    """
    try:
        tables = read_toml(path.read_text(encoding="utf-8")).get("token")
    except (OSError, ValueError) as error:
        raise OptionError(f"{path} can't be read: {cause(error)}") from error
    if not isinstance(tables, list) or not tables:
        raise OptionError(f"{path}: no [[token]] in it")
    tokens = tuple(_token(path, table) for table in tables)
    if len({one.name for one in tokens}) < len(tokens):
        raise OptionError(f"{path}: two tokens have one name")
    return tokens


def _token(path: Path, table: object) -> Token:
    match table:
        case {"name": str(name), "token": str(secret), **rest} if not rest:
            return Token.of(name, secret)
        case {"name": str(name), "sha256": str(digest), **rest} if not rest:
            if _DIGEST.fullmatch(digest):
                return Token(name=name, digest=bytes.fromhex(digest))
    raise OptionError(
        f"{path}: a token has a name, and either token or sha256, of 64 hexadecimal digits"
    )


@dataclass(frozen=True, kw_only=True)
class ServiceSettings:
    """How a service runs. A request can change none of it.

    Attributes:
        host: address or name that is listened at; one that isn't loopback needs a token.
        port: of it; 0 for any that is free.
        names: names of this server, which requests may have in their Host besides ``host``.
        tokens: who may call; empty for everybody who reaches a loopback address.
        workers: guarded children, each with one page at a time.
        waiting: requests that wait for a child; further ones are refused (503).
        deadline: seconds of elapsed time for one page, waiting included (504).
        memory: MiB for one page in its child.
        max_body: MiB of a request's body (413).
        max_page: MiB of a page that is fetched, unpacked.
        allow, resolve: as of `AddressGuard`.
        contact: address (URL or mail) that the user agent names for the servers' owners.
        delay: seconds between two requests to one host.
        obeys_robots: whether robots.txt is obeyed.
        data: folder that holds site models, as ``sites/NAME``; None for none.
        cache: MiB of fetched pages that are kept in memory for ten minutes; 0 for none.
        render: one of `RENDERING`.
        browser: path of the browser's program; None to look for one.
        serves_mcp: whether MCP is answered, at ``/mcp``; None for where its package is installed.

    Raises:
        OptionError: one is out of its range, or a token is needed.
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
        for name in "workers deadline memory max_body max_page".split():
            require_whole(name, getattr(self, name), 1)
        for name in ("waiting", "cache"):
            require_whole(name, getattr(self, name), 0)
        require_whole("port", self.port, 0, 65_535)
        require_between("delay", self.delay, 0)
        require_one_of("render", self.render, RENDERING)
        _ = self.guard
        if not self.tokens and not self.is_local:
            raise OptionError(
                f"{self.host} can be reached from other machines, so a token is needed: set "
                "CHAFFINCH_TOKEN, or name a file with --tokens"
            )

    @property
    def guard(self) -> AddressGuard:
        return AddressGuard(self.allow, self.resolve)

    @property
    def body_bytes(self) -> int:
        return self.max_body << 20

    @property
    def is_local(self) -> bool:
        """Whether the host's address is this machine's own alone; of names, only localhost."""
        if self.host.lower() == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host.strip("[]")).is_loopback
        except ValueError:
            return False

    @property
    def hosts(self) -> list[str]:
        """Names that a request's Host may have.

        Any one where other machines reach it and the operator names none: a token is needed there,
        which no foreign page has.
        """
        if not self.is_local and not self.names:
            return ["*"]
        host = self.host.strip("[]")
        own = {f"[{host}]" if ":" in host else host, *self.names}
        return sorted(own | (_LOCAL_NAMES if self.is_local else set()))
