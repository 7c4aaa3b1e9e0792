"""What a service says of its work: problem details (RFC 9457), and a log of JSON lines.

A problem is a kind, a status and a sentence without internals. Each request has a line in the log,
and so has whatever else happens, warnings of Python among it. Addresses of pages and tokens aren't
in them; a request is found by its id.
"""

from __future__ import annotations

import errno
import json
import logging
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from chaffinch import errors

LOG: Final = logging.getLogger("chaffinch.service")
FIELDS: Final = "fields"
"""Attribute of a log record that holds further members of its line."""
MEDIA_TYPE: Final = "application/problem+json"
KINDS: Final[dict[str, tuple[int, str]]] = {
    "bad-request": (400, "The request isn't well-formed"),
    "unauthorized": (401, "A valid token is needed"),
    "forbidden": (403, "This caller may not do that"),
    "foreign-origin": (403, "Requests of other origins aren't answered"),
    "refused-address": (403, "This URL is not fetched"),
    "robots": (403, "robots.txt forbids this URL"),
    "not-found": (404, "There is no such thing"),
    "method-not-allowed": (405, "The method doesn't go with this path"),
    "precondition-failed": (412, "It was changed meanwhile"),
    "too-large": (413, "The request is too large"),
    "unsupported-media-type": (415, "The body has a type that isn't read"),
    "invalid": (422, "The request has an impossible value"),
    "page": (422, "This page can't be processed"),
    "bug": (500, "The service failed"),
    "fetch": (502, "The page can't be fetched"),
    "unavailable": (503, "The service can't do that now"),
    "busy": (503, "Too many requests wait"),
    "deadline": (504, "It takes too long"),
    "storage": (507, "The service's disk can't be used"),
}
"""Kind → (status, title)."""
_BUG: Final = "this is a bug; the log has it under the request's id"
_UNWRITABLE: Final = frozenset(
    {errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO}
)
"""How a system reports that it can't write a file; any other of its errors is a bug."""


class ProblemError(errors.ChaffinchError):
    """A request that fails, as it is answered; ``kind`` is a key of `KINDS`.

    The detail says what is wrong with this request, in a sentence without internals.
    """

    def __init__(
        self, kind: str, detail: str, *, headers: Mapping[str, str] | None = None, **members: Any
    ) -> None:
        super().__init__(detail)
        self.kind = kind
        self.status, self.title = KINDS[kind]
        self.detail = detail
        self.headers = dict(headers or {})
        self.members = members

    def values(self, request_id: str) -> dict[str, Any]:
        return {
            "type": f"urn:chaffinch:problem:{self.kind}",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "instance": f"urn:uuid:{request_id}",
            **self.members,
        }


def problem_of(error: Exception) -> ProblemError:
    if isinstance(error, ProblemError):
        return error
    cause = error.__cause__ if isinstance(error, errors.RulesError) else error
    if isinstance(cause, OSError) and cause.errno in _UNWRITABLE:
        kind, detail = "storage", "the disk is full, or can't be read or written to"
    elif isinstance(error, errors.WorkerError):
        kind, detail = _OF_WORKERS.get(error.kind, ("bug", _BUG))
    else:
        found = (told for kind, told in _ERRORS.items() if isinstance(error, kind))
        kind, detail = next(found, ("bug", _BUG))
    later = {"Retry-After": _LATER[kind]} if kind in _LATER else None
    return ProblemError(kind, detail or str(error), headers=later)


OF_STATUS: Final = {
    404: ("not-found", "nothing is at this path; /openapi.json names the endpoints"),
    405: ("method-not-allowed", "this endpoint takes no such method; /openapi.json names its own"),
    413: ("too-large", "the body has more bytes than the operator allows"),
}
"""Status that the framework gives → kind and detail of the problem."""
_NOT_PUBLIC: Final = (
    "only public http and https URLs without user name are fetched; this one, or one that it "
    "redirects to, isn't"
)
_LATER: Final = {"storage": "60", "unavailable": "1"}  # kind → seconds after which it may be better
_OF_WORKERS: Final = {
    "time": ("deadline", "the page takes longer than this service gives a page"),
    "cpu": ("deadline", "the page takes longer than this service gives a page"),
    "memory": ("page", "the page takes more memory than this service gives a page"),
    "killed": ("unavailable", "the page's process was ended"),
}
"""What became of a child → kind and detail of the problem."""
_ERRORS: Final[dict[type[Exception], tuple[str, str]]] = {
    errors.RefusedError: ("refused-address", _NOT_PUBLIC),
    errors.FetchError: ("fetch", ""),
    errors.TimeLimitError: ("deadline", ""),
    errors.RenderError: ("fetch", ""),
    errors.PageError: ("page", ""),
    errors.RulesError: ("invalid", ""),
    errors.OptionError: ("invalid", ""),
    errors.BrowserError: ("unavailable", "no browser runs here"),
    errors.MissingExtraError: ("unavailable", "a package for that isn't installed here"),
}
"""Class of errors → kind and detail of the problem, "" for its own words; the first that fits."""


class _JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage().strip(),
            **getattr(record, FIELDS, {}),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=True, default=str)


def log_as_json(level: int = logging.INFO) -> None:
    """Write all logs of this process as JSON lines on standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLines())
    logging.captureWarnings(capture=True)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    for name in ("chaffinch", "uvicorn"):
        logging.getLogger(name).setLevel(level)
