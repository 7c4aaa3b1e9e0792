"""MHTML: a page and what belongs to it in one file, as browsers save it (RFC 2557).

Of its parts only the page itself is read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from chaffinch.errors import PageError
from chaffinch.lazy import lazy_module

if TYPE_CHECKING:
    from email import parser as messages
else:
    messages = lazy_module("email.parser")

_HEAD: Final = 16_384  # bytes in which the header ends
_TYPES: Final = ("text/html", "application/xhtml+xml")
_FIRST_LINE: Final = re.compile(
    rb"\A(?:From|Subject|Date|MIME-Version|Content-Type|Snapshot-[\w-]+):"
)
_IS_MULTIPART: Final = re.compile(
    rb"^content-type:[ \t]*multipart/(?:related|mixed|alternative)\b", re.IGNORECASE | re.MULTILINE
)


def is_web_archive(data: bytes) -> bool:
    """Return whether bytes are MHTML: they begin with the header of a message of several parts."""
    if not _FIRST_LINE.match(data):
        return False
    head = data[:_HEAD]
    ends = [at for at in (head.find(b"\r\n\r\n"), head.find(b"\n\n")) if at >= 0]
    return bool(_IS_MULTIPART.search(head[: min(ends, default=_HEAD)]))


def main_part(data: bytes) -> tuple[bytes, str | None, str | None]:
    """Return the page that MHTML holds, its charset and its address; None where they aren't given.

    The page is the part of type HTML that comes first.

    Raises:
        PageError: there is none.
    """
    message = messages.BytesParser().parsebytes(data)
    for part in message.walk():
        if part.get_content_type() in _TYPES:
            html = part.get_payload(decode=True)
            if isinstance(html, bytes):
                url = part["Content-Location"] or message["Snapshot-Content-Location"]
                return html, part.get_content_charset(), _web_address(url)
    raise PageError("not HTML: MHTML without a page")


def _web_address(url: object) -> str | None:
    """Return an address of the web as it is, None for others, such as ``cid:…``."""
    text = str(url or "").strip()
    return text if text.lower().startswith(("http://", "https://")) else None
