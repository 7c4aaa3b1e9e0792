"""Messages for failures of the network, of servers, and for HTTP statuses."""

from __future__ import annotations

import http
import http.client
import re
import ssl
from typing import Final

from urllib3 import exceptions

FAILURES: Final = (exceptions.HTTPError, http.client.HTTPException, OSError)
"""Everything that a connection raises for reasons that lie with the network or the server."""

_WORDS: Final[tuple[tuple[type[Exception], str], ...]] = (
    (exceptions.ConnectTimeoutError, "no connection within {connect:g} s"),
    (exceptions.ReadTimeoutError, "the server was silent for {read:g} s"),
    (TimeoutError, "the server was silent for {read:g} s"),
    (
        ssl.SSLCertVerificationError,
        "the server's certificate is not trusted: {error.verify_message}",
    ),
    (ssl.SSLError, "no secure connection: {error.reason}"),
    (exceptions.DecodeError, "the answer isn't compressed as declared"),
    (exceptions.HTTPError, "the server broke off its answer"),
    (http.client.RemoteDisconnected, "the server closed the connection without an answer"),
    (ConnectionResetError, "the server reset the connection"),
    (http.client.HTTPException, "the answer is not HTTP"),
    (OSError, "no connection: {error.strerror}"),
)

_LONG: Final = 200  # characters of an address in a message
_CREDENTIALS: Final = re.compile(r"//[^/?#]*@")


def describe_failure(error: BaseException, *, connect: float, read: float) -> str:
    """Return a message for a failure.

    Args:
        error: one of `FAILURES`.
        connect: seconds waited for a connection.
        read: seconds of silence that were allowed.
    """
    if isinstance(error, exceptions.NewConnectionError) and isinstance(error.__cause__, OSError):
        error = error.__cause__
    words = next(words for kind, words in _WORDS if isinstance(error, kind))
    return words.format(error=error, connect=connect, read=read)


def describe_status(status: int) -> str:
    """Return the name of a status; the server's own reason phrase isn't safe for terminals."""
    known = {int(s): s.phrase for s in http.HTTPStatus}
    return f"HTTP status {status} {known.get(status, '')}".rstrip()


def printable_url(url: str) -> str:
    """Return an address for a message: short, on one line, without a password."""
    line = "".join(c if c.isprintable() else "\ufffd" for c in _CREDENTIALS.sub("//", url))
    return line if len(line) <= _LONG else line[: _LONG - 1] + "…"
