"""Requests of a crawl and their outcomes: the visits, from which its state can be rebuilt.

A visit is written as a WARC metadata record (application/warc-fields): ``via``, ``hopsFromSeed``
and ``outlink`` have the meaning that other crawlers give them; the other fields are this one's.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final, Literal, get_args

from chaffinch.warc.records import warc_fields

VisitKind = Literal[
    "page", "duplicate", "unchanged", "redirect", "map", "failed", "forbidden", "left out", "other"
]
VISIT_KINDS: Final[tuple[VisitKind, ...]] = get_args(VisitKind)
UrlRole = Literal["page", "map", "canonical"]

_ROLES: Final = get_args(UrlRole)
_NAMES: Final = {"depth": "hopsFromSeed"}


@dataclass(frozen=True, kw_only=True)
class CrawlRequest:
    """An address to request, and how it was found.

    Attributes:
        url: normalised by `chaffinch.siblings.url_shapes.plain_url`.
        depth: links from a start page.
        via: address it was found at; "" for a start page.
        role: ``page``; ``map``, a sitemap or feed; ``canonical``, a page that another page
            declares as its canonical address.
        hops: redirects in a row that led to it.
    """

    url: str
    depth: int = 0
    via: str = ""
    role: UrlRole = "page"
    hops: int = 0


@dataclass(frozen=True, kw_only=True)
class Visit:
    """The outcome of a request.

    Attributes:
        url, depth, via, role, hops: as in `CrawlRequest`.
        kind: ``page``; ``duplicate`` of another address or of its canonical one; ``unchanged``
            since an earlier crawl; ``redirect``; ``map``; ``failed``; ``forbidden`` by robots.txt
            or the guard; ``left out`` by a binding opt-out; ``other``, a response that is no page.
        status: HTTP status; 0 where there was no response.
        reason: why it failed, is forbidden, left out or a duplicate; "" otherwise.
        text_key: hash of the page's text outside links without digits; "" for what is no page.
        payload: digest of the body in its content coding.
        robots, reserved, policy: as in `chaffinch.crawl.opt_outs.OptOuts`. ``reserved`` is
            "1", "0" or "".
        attempts: requests sent, retries included.
        seconds: duration of the last one, without waits.
        outlink: (address, role) of what it links, redirects or refers to.
    """

    url: str
    kind: VisitKind
    depth: int = 0
    via: str = ""
    role: UrlRole = "page"
    hops: int = 0
    status: int = 0
    reason: str = ""
    text_key: str = ""
    payload: str = ""
    robots: str = ""
    reserved: str = ""
    policy: str = ""
    attempts: int = 1
    seconds: float = 0.0
    outlink: tuple[tuple[str, UrlRole], ...] = ()


def to_fields(visit: Visit) -> bytes:
    """Return a visit as the lines of application/warc-fields, without its address."""
    lines: list[str] = []
    for field in fields(Visit):
        value = getattr(visit, field.name)
        if field.name == "outlink":
            lines += [f"outlink: {url} {role}" for url, role in value]
        elif field.name != "url" and value != "":
            lines.append(f"{_NAMES.get(field.name, field.name)}: {_one_line(value)}")
    return "".join(f"{line}\r\n" for line in lines).encode()


def from_fields(url: str, lines: bytes) -> Visit:
    """Return the visit that `to_fields` wrote for ``url``.

    Raises:
        KeyError, ValueError: it isn't one.
    """
    given: dict[str, str] = {}
    outlink: list[tuple[str, UrlRole]] = []
    for name, value in warc_fields(lines):
        if name == "outlink":
            target, _, role = value.rpartition(" ")
            outlink.append((target, role if role in _ROLES else "page"))  # type: ignore[arg-type]
        else:
            given[name] = value
    values: dict[str, object] = {}
    for field in fields(Visit):
        text = given.get(_NAMES.get(field.name, field.name))
        if text is not None and field.name not in ("url", "outlink"):
            convert = {"int": int, "float": float}.get(str(field.type), str)
            values[field.name] = convert(text)
    if values["kind"] not in VISIT_KINDS:
        raise ValueError(values["kind"])
    return Visit(url=url, outlink=tuple(outlink), **values)  # type: ignore[arg-type]


def _one_line(value: object) -> str:
    return " ".join(str(value).split())
