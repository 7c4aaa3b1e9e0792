"""Who calls: bearer tokens, compared in constant time, and the limits of each caller.

Tokens are kept as SHA-256 digests. A presented token is compared with every digest, so that the
time doesn't reveal which one it resembles. Addresses from which wrong tokens come are slowed down.
"""

from __future__ import annotations

import hashlib
import hmac
import time
from collections import OrderedDict
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from chaffinch.errors import OptionError, require_kind, require_whole
from chaffinch.saved_data import read_toml
from chaffinch.service.problems import ProblemError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SHORTEST: Final = 16  # characters of a token
_FAILURES: Final = 10  # wrong tokens a minute from one address
_MOST_ADDRESSES: Final = 4096
_DIGEST: Final = 64  # hexadecimal digits
_CHALLENGE: Final = {"WWW-Authenticate": 'Bearer realm="chaffinch"'}


@dataclass(frozen=True, kw_only=True)
class Token:
    """A token and what its caller may do.

    Attributes:
        name: for logs.
        digest: SHA-256 of the token.
        per_minute: requests a minute; 0 for any number. A stream counts each line.
        at_once: requests at a time; 0 for any number.
        writes: whether sites may be changed.

    Raises:
        OptionError: a limit is below 0.
    """

    name: str
    digest: bytes = field(repr=False)
    per_minute: int = 0
    at_once: int = 0
    writes: bool = False

    def __post_init__(self) -> None:
        for limit in ("per_minute", "at_once"):
            require_whole(limit, getattr(self, limit), 0)

    @classmethod
    def of(cls, name: str, secret: str, **limits: int | bool) -> Token:
        """Return the token of a secret.

        Raises:
            OptionError: the secret is too short, or a limit impossible.
        """
        if len(secret) < _SHORTEST or not secret.isascii() or not secret.isprintable():
            raise OptionError(f"token {name!r}: at least {_SHORTEST} printable ASCII characters")
        return cls(name=name, digest=hashlib.sha256(secret.encode()).digest(), **limits)  # type: ignore[arg-type]


def read_tokens(path: Path) -> tuple[Token, ...]:
    """Return the tokens of a TOML file: tables ``[[token]]`` with the fields of `Token`.

    In place of ``digest`` stands ``token``, the secret, or ``sha256``, its digest in hexadecimal.

    Raises:
        OptionError: the file can't be read, or something in it is missing or unknown.
    """
    try:
        tables = read_toml(path.read_text(encoding="utf-8")).get("token")
    except (OSError, ValueError) as error:
        raise OptionError(f"{path} can't be read: {error}") from error
    if not isinstance(tables, list) or not tables:
        raise OptionError(f"{path}: no [[token]] in it")
    tokens = tuple(_token(path, table) for table in tables)
    if len({one.name for one in tokens}) < len(tokens):
        raise OptionError(f"{path}: two tokens have one name")
    return tokens


def _token(path: Path, table: object) -> Token:
    known = {"name", "token", "sha256", "per_minute", "at_once", "writes"}
    if not isinstance(table, dict) or not set(table) <= known:
        raise OptionError(f"{path}: a token has no fields but {', '.join(sorted(known))}")
    name, secret, digest = (table.get(one) for one in ("name", "token", "sha256"))
    if not isinstance(name, str) or (secret is None) == (digest is None):
        raise OptionError(f"{path}: a token has a name, and either token or sha256")
    require_kind("writes", table.get("writes"), bool)
    limits = {key: table[key] for key in ("per_minute", "at_once", "writes") if key in table}
    if secret is not None:
        return Token.of(name, str(secret), **limits)
    try:
        raw = bytes.fromhex(str(digest))
    except ValueError:
        raw = b""
    if len(raw) * 2 != _DIGEST:
        raise OptionError(f"{path}: sha256 of {name!r} is {_DIGEST} hexadecimal digits")
    return Token(name=name, digest=raw, **limits)


ANYBODY: Final = Token(name="local", digest=b"", writes=True)
"""The caller where no token is required: whoever reaches this machine's loopback address."""


@dataclass
class _Use:
    """A caller's use: a bucket that is refilled with time (``per_minute`` at most), and calls."""

    left: float
    at: float
    running: int = 0

    def take(self, per_minute: int) -> float:
        """Take one call; return the seconds until there is one where there is none, else 0."""
        now = time.monotonic()
        self.left = min(per_minute, self.left + (now - self.at) * per_minute / 60)
        self.at = now
        if self.left < 1:
            return (1 - self.left) * 60 / per_minute
        self.left -= 1
        return 0.0


class Callers:
    """The callers of a service and their use of it.

    Args:
        tokens: of the callers; empty where everybody may call.
    """

    def __init__(self, tokens: tuple[Token, ...]) -> None:
        self._tokens = tokens
        now = time.monotonic()
        self._uses = {one.name: _Use(one.per_minute, now) for one in (*tokens, ANYBODY)}
        self._failures: OrderedDict[str, _Use] = OrderedDict()

    def caller(self, authorization: str, address: str) -> Token:
        """Return the caller that a header names.

        Args:
            authorization: the Authorization header; "" for none.
            address: where the request comes from.

        Raises:
            ProblemError: no token, a wrong one, or too many wrong ones from there.
        """
        if not self._tokens:
            return ANYBODY
        scheme, _, secret = authorization.partition(" ")
        digest = hashlib.sha256(secret.strip().encode("latin-1", "replace")).digest()
        found = None
        for token in self._tokens:
            if hmac.compare_digest(token.digest, digest):
                found = token
        if found is None or scheme.lower() != "bearer":
            if authorization:
                self._note_failure(address)
            raise ProblemError("unauthorized", "no valid bearer token came", headers=_CHALLENGE)
        return found

    def _note_failure(self, address: str) -> None:
        now = time.monotonic()
        use = self._failures.setdefault(address, _Use(_FAILURES, now))
        self._failures.move_to_end(address)
        if len(self._failures) > _MOST_ADDRESSES:
            self._failures.popitem(last=False)
        if wait := use.take(_FAILURES):
            raise _too_many("too many wrong tokens", wait)

    def count(self, caller: Token) -> None:
        """Count a request, or a line of a stream.

        Raises:
            ProblemError: it is one too many in this minute.
        """
        if caller.per_minute and (wait := self._uses[caller.name].take(caller.per_minute)):
            raise _too_many(f"{caller.per_minute} requests a minute are allowed", wait)

    @contextmanager
    def turn(self, caller: Token) -> Iterator[None]:
        """Count a request as one at a time, as long as it lasts.

        Raises:
            ProblemError: there are too many at a time.
        """
        use = self._uses[caller.name]
        if caller.at_once and use.running >= caller.at_once:
            raise _too_many(f"{caller.at_once} requests at a time are allowed", 1.0)
        use.running += 1
        try:
            yield
        finally:
            use.running -= 1


def _too_many(detail: str, wait: float) -> ProblemError:
    return ProblemError("too-many-requests", detail, headers={"Retry-After": str(int(wait) + 1)})
