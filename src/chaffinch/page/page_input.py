"""What may be given as a page, and its bytes or text.

Whatever takes a page takes all of `PageInput`. What is no page, such as an address or the name
of a file as text, is refused with a hint.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from os import PathLike, fsdecode
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeAlias

from chaffinch.errors import OptionError, PageError
from chaffinch.page.encoding.signatures import GZIP, unpacked
from chaffinch.page.page import Page
from chaffinch.page.web_archive import is_web_archive, main_part
from chaffinch.wording import cause

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.page.guard.limits import Limits


class Readable(Protocol):
    """An open file of bytes or text."""

    def read(self, size: int = -1, /) -> bytes | str:
        """Return at most ``size`` bytes or characters."""
        ...


class Element(Protocol):
    """An element of lxml or of `xml.etree`."""

    @property
    def tag(self) -> Any:
        """Its name."""
        ...

    @property
    def attrib(self) -> Any:
        """Its attributes."""
        ...


class ElementTree(Protocol):
    """A tree of lxml or of `xml.etree`."""

    def getroot(self) -> Any:
        """Return its root element."""
        ...


PageInput: TypeAlias = (
    bytes | bytearray | memoryview | str | PathLike[str] | Readable | Element | ElementTree | Page
)
"""A page: its bytes (best: their encoding is found) or text, a path, an open file, an element or
tree of lxml, or a page that is parsed. Bytes and files may be packed by gzip, or hold MHTML."""

_MOST_OF_A_NAME: Final = 2_048  # characters
_ADDRESS: Final = re.compile(r"\A\s*+(?:https?|file)://[^\s<]+\s*", re.IGNORECASE)
_FILE_NAME: Final = re.compile(r"\A[^\s<]+\.(?:[xs]?html?|mht|mhtml)(?:\.gz)?\s*", re.IGNORECASE)


class PageSource(NamedTuple):
    """A page as it stands in a file, or was sent.

    Attributes:
        html: its bytes or text.
        encoding: label of the encoding that came with it, if any.
        url: address that came with it, if any.
    """

    html: bytes | str
    encoding: str | None = None
    url: str | None = None


def page_source(given: object, *, limits: Limits) -> PageSource:
    """Return the bytes or text of a page that is neither parsed nor a tree.

    Raises:
        PageError: a file can't be read, or what it holds is too big or no page.
        OptionError: ``given`` is nothing that a page can be read from.
    """
    html = contents(given, limits.max_bytes)
    if isinstance(html, str):
        return PageSource(html)
    limits.check_size(len(html))
    if html.startswith(b"<"):  # nearly all
        return PageSource(html)
    if html.startswith(GZIP):
        html = unpacked(html, max_bytes=limits.max_bytes)
    return PageSource(*main_part(html)) if is_web_archive(html) else PageSource(html)


def is_tree(given: object) -> bool:
    """Return whether ``given`` is an element or a tree of lxml or `xml.etree`."""
    if isinstance(given, bytes | str | type):
        return False
    is_element = hasattr(getattr(given, "attrib", None), "items") and hasattr(given, "tag")
    return is_element or callable(getattr(given, "getroot", None))


def page_list(name: str, given: object) -> Iterable[Any]:
    """Return ``given``, which is several pages.

    Raises:
        OptionError: it is one page, or nothing that can be iterated over.
    """
    if isinstance(given, tuple | list):
        return given
    is_one = isinstance(given, str | bytes | bytearray | memoryview | PathLike | Page | Mapping)
    if is_one or not isinstance(given, Iterable) or is_tree(given) or is_file(given):
        kind = type(given).__name__
        raise OptionError(f"{name} are several pages, in a list or another iterable, not {kind}")
    return given


def require_page(page: object) -> None:
    """Check that a method was given a page that is parsed.

    Raises:
        OptionError: it wasn't.
    """
    if not isinstance(page, Page):
        raise OptionError(f"a parsed Page is wanted, not {type(page).__name__}; parse makes one")


def sendable(pages: Iterable[Any], *, limits: Limits) -> Iterator[Any]:
    """Yield pages in a form that can be sent to another process: files are read, trees flattened.

    What can't be read is its `PageError`.
    """
    for given in pages:
        try:
            if is_tree(given):
                yield Page.from_lxml(given)
            elif is_file(given) or isinstance(given, memoryview):
                yield contents(given, limits.max_bytes)
            else:
                yield given
        except PageError as error:
            yield error


def is_file(given: object) -> bool:
    """Return whether ``given`` is an open file."""
    return callable(getattr(given, "read", None)) and not isinstance(given, type)


def contents(given: object, most: int) -> bytes | str:
    """Return the bytes or text of a source; of a file ``most`` and one more at most.

    Raises:
        PageError: a file can't be read, or its text is longer.
        OptionError: ``given`` is nothing that a page can be read from.
    """
    if isinstance(given, str):
        _refuse_name(given)
        return given
    if isinstance(given, bytes):
        return given
    if isinstance(given, bytearray | memoryview):
        return bytes(given)
    if isinstance(given, PathLike):
        return _of_path(given, most)
    if is_file(given):
        return _of_file(given, most)
    raise OptionError(
        "a page is bytes, text, a path, an open file, an lxml tree or a Page, "
        f"not {type(given).__name__}"
    )


def _refuse_name(text: str) -> None:
    """Raise where a text is an address or the name of a file.

    Raises:
        OptionError: it is; the message names the call to make.
    """
    if len(text) > _MOST_OF_A_NAME or "<" in text:
        return
    name = text.strip()
    if _ADDRESS.fullmatch(text):
        raise OptionError(
            f"{name!r} is an address, not a page: chaffinch.load({name!r}) fetches it"
        )
    if _FILE_NAME.fullmatch(text):
        raise OptionError(
            f"{name!r} is the name of a file, not a page: give pathlib.Path({name!r}), "
            f"or chaffinch.load({name!r})"
        )


def _of_path(path: PathLike[Any], most: int) -> bytes:
    try:
        with open(path, "rb") as file:  # noqa: PTH123  any path-like will do
            return file.read(most + 1)
    except OSError as error:
        raise PageError(f"{fsdecode(path)} can't be read: {cause(error)}") from error
    except ValueError as error:
        raise PageError(f"{fsdecode(path)!r} can't be read: {error}") from error


def _of_file(file: Any, most: int) -> bytes | str:
    try:
        found = file.read(most + 1)
    except UnicodeDecodeError as error:
        raise PageError(
            f"the file isn't text in its encoding; open it in binary: {error}"
        ) from error
    except OSError as error:
        raise PageError(f"the file can't be read: {cause(error)}") from error
    except ValueError as error:
        raise OptionError(f"the file can't be read: {error}") from error
    if isinstance(found, str) and len(found) > most:
        raise PageError(f"page too big: more than {most:,} characters")
    if not isinstance(found, bytes | str):
        raise OptionError(f"read() of a file gives bytes or text, not {type(found).__name__}")
    return found
