"""The WARC records of a visit: response or revisit, request, and the page as a browser made it.

Sources: WARC 1.1 (ISO 28500:2017). As other crawlers do, a body is recorded in its content coding
but without chunks, and ``Transfer-Encoding`` becomes ``X-Crawler-Transfer-Encoding``.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from fastwarc.warc import WarcRecord, WarcRecordType

from chaffinch.warc.records import new_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from chaffinch.crawl.polite_client import Download
    from chaffinch.fetch.raw_request import RawResponse

_PROFILES: Final = "http://netpreserve.org/warc/1.1/revisit/"
_HTTP: Final = "application/http; msgtype={}"
_UNDONE_CODINGS: Final = frozenset({"transfer-encoding"})


@dataclass(frozen=True)
class RecordedResponse:
    """A response that a revisit may refer to: address, date in WARC's notation, payload digest."""

    url: str
    date: str
    digest: str


def payload_digest(body: bytes) -> str:
    """Return the digest of a payload in WARC's notation."""
    return "sha1:" + base64.b32encode(hashlib.sha1(body).digest()).decode()  # noqa: S324 the format's


def response_record(
    url: str, response: RawResponse, date: Mapping[str, str], same: RecordedResponse | None
) -> WarcRecord:
    """Return the response, or the revisit of a response that is recorded, ``same``."""
    version = "HTTP/1.0" if response.version == 10 else "HTTP/1.1"  # noqa: PLR2004 http.client's
    head = _http_head(
        f"{version} {response.status} {response.reason}".strip(),
        (
            (f"X-Crawler-{name}" if name.lower() in _UNDONE_CODINGS else name, value)
            for name, value in response.headers
        ),
    )
    headers = {
        "WARC-Target-URI": url,
        "WARC-IP-Address": response.address,
        "Content-Type": _HTTP.format("response"),
        **date,
    }
    if same is None:
        headers["WARC-Payload-Digest"] = payload_digest(response.body)
        return new_record(WarcRecordType.response, headers, head + response.body)
    is_unchanged = response.status == 304  # noqa: PLR2004 not modified
    headers |= {
        "WARC-Profile": _PROFILES
        + ("server-not-modified" if is_unchanged else "identical-payload-digest"),
        "WARC-Refers-To-Target-URI": same.url,
        "WARC-Refers-To-Date": same.date,
        "WARC-Payload-Digest": same.digest,
    }
    return new_record(WarcRecordType.revisit, headers, head)


def conversion_record(
    url: str, html: bytes, date: Mapping[str, str], response: WarcRecord
) -> WarcRecord:
    """Return the page as a browser made it of a response, as HTML."""
    headers = {
        "WARC-Target-URI": url,
        "WARC-Refers-To": response.headers["WARC-Record-ID"],
        "Content-Type": "text/html; charset=utf-8",
        **date,
    }
    return new_record(WarcRecordType.conversion, headers, html)


def request_record(url: str, download: Download, headers: Mapping[str, str]) -> WarcRecord:
    """Return the request of a download."""
    target = "/" + url.partition("://")[2].partition("/")[2]
    head = _http_head(f"GET {target} HTTP/1.1", download.request_headers)
    named = {"WARC-Target-URI": url, "Content-Type": _HTTP.format("request"), **headers}
    return new_record(WarcRecordType.request, named, head)


def _http_head(first: str, headers: Iterable[tuple[str, str]]) -> bytes:
    """Return the head of a message; what isn't Latin-1 was never sent."""
    lines = [first, *(f"{name}: {value}" for name, value in headers), "", ""]
    return "\r\n".join(lines).encode("latin-1", "replace")


def warc_date(when: datetime) -> str:
    """Return a date in WARC's notation."""
    return when.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
