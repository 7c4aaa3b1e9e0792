"""One page of a source, before extraction."""

from __future__ import annotations

import pickle
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

_FAILURES: Final = range(400, 600)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A page of a source, or an error where one can't be read.

    Attributes:
        file: the file that holds it, as given; the address, for a fetched page.
        offset: position in the file: bytes for archives, the number of the line or row for
            tables, 0 for a file of its own.
        member: name within an archive of files.
        url: address of the page; "" if unknown.
        fetched: when it was fetched, ISO 8601; "" if unknown.
        status: HTTP status; 0 if unknown.
        encoding: label that the transport gave.
        html: the page's bytes.
        truncated: why it isn't whole, or not as fetched: the value of WARC-Truncated; ``cut`` where
            its body breaks off, ``digest`` where its digest doesn't match; "" for none.
        headers: of the answer that brought it, those by which owners opt out of uses.
        error: kind of error if it can't be read: ``record``, ``fetch`` or ``render``; else "".
        detail: the error in words.
    """

    file: str
    offset: int = 0
    member: str = ""
    url: str = ""
    fetched: str = ""
    status: int = 0
    encoding: str | None = None
    html: bytes = field(default=b"", repr=False)
    truncated: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    error: str = ""
    detail: str = ""

    def __reduce__(self) -> tuple[Callable[[Iterable[Any]], Record], tuple[tuple[Any, ...]]]:
        """Return what is pickled: quicker than as a dataclass with slots does it by itself."""
        return _of_values, (_VALUES(self),)

    def message(self) -> bytes:
        """Return the record as it is sent to a child."""
        return pickle.dumps(self, pickle.HIGHEST_PROTOCOL)


_NAMES: Final = tuple(one.name for one in fields(Record))
_VALUES: Final = attrgetter(*_NAMES)


def _of_values(values: Iterable[Any]) -> Record:
    """Return a record of its fields' values, in order."""
    return Record(**dict(zip(_NAMES, values, strict=True)))


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something in a source that is no page, such as an image or a page of errors.

    Attributes:
        why: the reason, one of few.
    """

    why: str


def is_failure(status: int) -> bool:
    """Return whether an HTTP status is that of a failure, of the client or the server."""
    return status in _FAILURES
