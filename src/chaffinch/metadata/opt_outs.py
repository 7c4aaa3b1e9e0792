"""What owners declare must not be done with a page: robots directives, text-mining reservations.

Sources: the robots meta tag and X-Robots-Tag as the large search engines document them (directives
for all, or for one agent by its name); ``noai`` and ``noimageai`` among them, as DeviantArt brought
them up in 2022; TDM Reservation Protocol, W3C Community Group report of 2024: header
``tdm-reservation`` and meta of that name, of which the page's own is the stronger.
"""

from __future__ import annotations

import re
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from chaffinch.metadata.field_value import FieldValue

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chaffinch.metadata.evidence import Evidence

AGENT: Final = "chaffinch"
"""The name by which robots.txt, robots meta and X-Robots-Tag may address this crawler."""

RESERVATION: Final = "tdm-reservation"
"""Name of the header and of the meta that reserve text and data mining; 1 for reserved."""

OPT_OUT_HEADERS: Final = frozenset({"x-robots-tag", RESERVATION})
"""Names of the headers that are read, in lower case."""

DIRECTIVES: Final = (
    "none", "noindex", "noarchive", "nosnippet", "noimageindex", "noai", "noimageai",
)  # fmt: skip
"""Directives of robots that take back a use of the page, in the order of output."""

_WITH_VALUE: Final = frozenset(
    {"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}
)
_ROW: Final = itemgetter(0)
_COLON: Final = re.compile(r"\s?:\s?")
_NAMED: Final = re.compile(r"\A\s*+([A-Za-z][\w.-]*)\s*+:\s*+(.*)\Z", re.DOTALL)


def find_opt_outs(evidence: Evidence) -> FieldValue[tuple[str, ...]] | None:
    """Return the uses that are taken back: names of `DIRECTIVES`, and `RESERVATION`.

    None where nothing is taken back. ``agreeing`` are the further places that declare any of it.
    """
    stated = [
        *_in_robots(evidence),
        *_in_headers(evidence.headers),
        *_reservation(evidence),
    ]
    known = (*DIRECTIVES, RESERVATION)
    words = {word for _, _, group in stated for word in group}
    value = tuple(word for word in known if word in words)
    if not value:
        return None
    places = [(source, row) for source, row, group in stated if words & set(group) & set(known)]
    (source, row), *others = dict.fromkeys(places)
    return FieldValue(value, source, row, 1.0, tuple(dict.fromkeys(name for name, _ in others)))


def _in_robots(evidence: Evidence) -> list[tuple[str, int, list[str]]]:
    found = [
        (row, f"meta:{name}", content)
        for name in ("robots", AGENT)
        for row, content in evidence.meta.get(name, ())
    ]
    return [
        (name, row, read_directives([content])) for row, name, content in sorted(found, key=_ROW)
    ]


def _in_headers(headers: Sequence[tuple[str, str]]) -> list[tuple[str, int, list[str]]]:
    return [
        ("header:x-robots-tag", -1, list(header_directives(value)))
        for name, value in headers
        if name.lower() == "x-robots-tag"
    ]


def _reservation(evidence: Evidence) -> list[tuple[str, int, list[str]]]:
    """Return the reservation where there is one: the page's own word, else that of the header."""
    stated = [
        (f"meta:{RESERVATION}", row, content) for row, content in evidence.meta.get(RESERVATION, ())
    ]
    stated += [
        (f"header:{RESERVATION}", -1, value.strip())
        for name, value in evidence.headers
        if name.lower() == RESERVATION
    ]
    valid = [one for one in stated if one[2] in ("0", "1")]
    return [(source, row, [RESERVATION]) for source, row, value in valid[:1] if value == "1"]


def header_directives(value: str) -> Iterable[str]:
    """Return the directives of one X-Robots-Tag that hold for all agents or for this one."""
    named = _NAMED.match(value)
    if named and named[1].lower() not in _WITH_VALUE:
        return read_directives([named[2]]) if named[1].lower() == AGENT else ()
    return read_directives([value])


def read_directives(values: Iterable[str]) -> list[str]:
    """Return directives in lower case; a date, which may hold a comma, stays with its own."""
    out: list[list[str]] = []
    for value in values:
        for part in value.lower().split(","):
            word = " ".join(part.split())
            if out and out[-1][0].startswith("unavailable_after:") and word[:1].isdigit():
                out[-1].append(word)
            elif word:
                out.append([_COLON.sub(":", word, count=1)])
    return [", ".join(parts) for parts in out]
