"""What went wrong, as problem details (RFC 9457): a kind, a status, a sentence; no internals."""

from __future__ import annotations

import errno
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from chaffinch.errors import (
    BrowserError,
    ChaffinchError,
    FetchError,
    MissingExtraError,
    OptionError,
    OutOfMemoryError,
    PageError,
    RefusedError,
    RenderError,
    RulesError,
    SetupError,
    TimeLimitError,
    WorkerError,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

MEDIA_TYPE: Final = "application/problem+json"

KINDS: Final[dict[str, tuple[int, str]]] = {
    "bad-request": (400, "The request isn't well-formed"),
    "unauthorized": (401, "A valid token is needed"),
    "forbidden": (403, "This caller may not do that"),
    "foreign-origin": (403, "Requests of other origins aren't answered"),
    "refused-address": (403, "This address is not fetched"),
    "robots": (403, "robots.txt forbids this address"),
    "not-found": (404, "There is no such thing"),
    "method-not-allowed": (405, "The method doesn't go with this address"),
    "not-acceptable": (406, "None of the accepted forms can be made"),
    "body-timeout": (408, "The body came too slowly"),
    "precondition-failed": (412, "It was changed meanwhile"),
    "too-large": (413, "The request is too large"),
    "unsupported-media-type": (415, "The body has a type that isn't read"),
    "unknown-host": (421, "This server doesn't have that name"),
    "invalid": (422, "The request has an impossible value"),
    "page": (422, "This page can't be processed"),
    "precondition-required": (428, "The change needs the version that it is made to"),
    "too-many-requests": (429, "The caller's limit is reached"),
    "bug": (500, "The service failed"),
    "fetch": (502, "The page can't be fetched"),
    "unavailable": (503, "The service can't do that now"),
    "busy": (503, "Too many requests wait"),
    "deadline": (504, "It takes too long"),
    "storage": (507, "The service's disk can't be used"),
}
"""Kind → (status, title)."""

_OF_STATUS: Final = {404: "not-found", 405: "method-not-allowed", 413: "too-large"}
_DETAILS: Final = {
    404: "nothing is at this address; /docs names the endpoints",
    405: "this endpoint takes no such method; /docs names its own",
}
_NOT_PUBLIC: Final = (
    "only public http and https addresses without user name are fetched; this one, or one that it "
    "redirects to, isn't"
)
_LATER: Final = {"Retry-After": "60"}
_BUG: Final = "this is a bug; the log has it under the request's id"


class ProblemError(ChaffinchError):
    """A request that fails, as it is answered.

    Args:
        kind: a key of the table of kinds.
        detail: what is wrong with this request, in a sentence without internals.
        headers: further headers of the response.
        **members: further members of the problem.
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
        """Return the problem as plain values, under the id of its request."""
        return {
            "type": f"urn:chaffinch:problem:{self.kind}",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "instance": f"urn:uuid:{request_id}",
            **self.members,
        }


class RobotsError(RefusedError):
    """robots.txt forbids this address, or can't be had."""


class StorageError(SetupError):
    """The disk is full, or can't be read or written to."""


UNWRITABLE: Final = frozenset(
    {errno.ENOSPC, errno.EFBIG, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO}
)
"""How a system reports that it can't write a file; any other of its errors is a bug."""


def problem_of(error: Exception) -> ProblemError:
    """Return the problem that an error is for the caller."""
    if isinstance(error, ProblemError):
        return error
    if isinstance(error, OSError) and error.errno in UNWRITABLE:
        return _of_storage(error)
    for kind, make in _ERRORS:
        if isinstance(error, kind):
            return make(error)
    return ProblemError("bug", _BUG)


def problem_of_status(status: int) -> ProblemError:
    """Return the problem of a status that the framework answers with."""
    kind = _OF_STATUS.get(
        status, "bad-request" if status < HTTPStatus.INTERNAL_SERVER_ERROR else ""
    )
    detail = _DETAILS.get(status) or HTTPStatus(status).phrase
    return ProblemError(kind or "bug", detail)


def _of_worker(error: Exception) -> ProblemError:
    kind = error.kind if isinstance(error, WorkerError) else ""
    if kind in {"time", "cpu"}:
        return ProblemError("deadline", "the page takes longer than this service gives a page")
    if kind == "memory":
        return ProblemError("page", "the page takes more memory than this service gives a page")
    if kind == "killed":
        return ProblemError(
            "unavailable", "the page's process was ended", headers={"Retry-After": "1"}
        )
    return ProblemError("bug", _BUG)


def _of_storage(_: Exception) -> ProblemError:
    return ProblemError(
        "storage", "the disk is full, or can't be read or written to", headers=_LATER
    )


_ERRORS: Final = (
    (StorageError, _of_storage),
    (RobotsError, lambda error: ProblemError("robots", str(error))),
    (RefusedError, lambda _: ProblemError("refused-address", _NOT_PUBLIC)),
    (FetchError, lambda error: ProblemError("fetch", str(error))),
    (WorkerError, _of_worker),
    (TimeLimitError, lambda error: ProblemError("deadline", str(error))),
    (OutOfMemoryError, lambda error: ProblemError("page", str(error))),
    (RenderError, lambda error: ProblemError("fetch", str(error))),
    (PageError, lambda error: ProblemError("page", str(error))),
    (RulesError, lambda error: ProblemError("invalid", str(error))),
    (OptionError, lambda error: ProblemError("invalid", str(error))),
    (BrowserError, lambda _: ProblemError("unavailable", "no browser runs here")),
    (
        MissingExtraError,
        lambda _: ProblemError("unavailable", "a package for that isn't installed here"),
    ),
)
"""Class of errors → the problem it is; the first that fits."""
