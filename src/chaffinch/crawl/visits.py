"""What became of one address, as one record that a crawl can be rebuilt from.

It is written as a WARC metadata record (application/warc-fields): ``via``, ``hopsFromSeed`` and
``outlink`` mean what they mean to other crawlers; the rest is this one's.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final, Literal, get_args

from chaffinch.warc.records import warc_fields

Kind = Literal[
    "page", "duplicate", "unchanged", "redirect", "map", "failed", "forbidden", "left out", "other"
]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
Role = Literal["page", "map", "canonical"]

_ROLES: Final = get_args(Role)
_NAMES: Final = {"depth": "hopsFromSeed"}


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """An address to ask for.

    Attributes:
        url: as `chaffinch.siblings.url_shapes.plain_url` gives it.
        depth: links from a start page.
        via: address it was found at; "" for a start page.
        role: ``page``, or ``map`` for site maps and feeds. ``canonical`` is a page, too: the
            address that another one calls its own.
        hops: redirects in a row that led to it.
    """

    url: str
    depth: int = 0
    via: str = ""
    role: Role = "page"
    hops: int = 0


@dataclass(frozen=True, kw_only=True)
class Visit:
    """What became of an address.

    Attributes:
        url, depth, via, role, hops: as in `Wanted`.
        kind: ``page``; ``duplicate`` of another address or of its canonical one; ``unchanged``
            since an earlier crawl; ``redirect``; ``map``; ``failed``; ``forbidden`` by robots.txt
            or the guard; ``left out`` on the page's wish; ``other``, an answer that is no page.
        status: HTTP status; 0 where none came.
        reason: why it failed, is forbidden, left out or a duplicate; "" otherwise.
        text_key: hash of the page's text outside links without digits; "" for what is no page.
        payload: digest of the body as it came.
        robots, reserved, policy: what the owner says of the page; see `Wishes`. ``reserved`` is
            "1", "0" or "".
        attempts: requests that it took.
        seconds: they took, waiting left out.
        outlink: addresses that it leads to, each with its role.
    """

    url: str
    kind: Kind
    depth: int = 0
    via: str = ""
    role: Role = "page"
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
    outlink: tuple[tuple[str, Role], ...] = ()


def to_fields(visit: Visit) -> bytes:
    """Return a visit as the lines of application/warc-fields, its address left out."""
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
    outlink: list[tuple[str, Role]] = []
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
    if values["kind"] not in KINDS:
        raise ValueError(values["kind"])
    return Visit(url=url, outlink=tuple(outlink), **values)  # type: ignore[arg-type]


def _one_line(value: object) -> str:
    return " ".join(str(value).split())
