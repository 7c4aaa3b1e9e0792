"""Opt-outs of a page's owner: robots meta, X-Robots-Tag, reservations of text and data mining.

Sources: the robots meta tag and X-Robots-Tag as the large search engines document them (directives
for all, or for one agent by its name); TDM Reservation Protocol, W3C Community Group report of
2024: header ``tdm-reservation``, meta of that name, ``/.well-known/tdmrep.json``; the meta
element takes precedence over the header, and that over the file. ``noai`` in robots counts as a
reservation.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from chaffinch.page import Page

AGENT: Final = "chaffinch"
"""The user-agent token of this crawler in robots.txt, robots meta and X-Robots-Tag."""

_WITH_VALUE: Final = frozenset(
    {"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}
)
_NAMED: Final = re.compile(r"\s*([A-Za-z][\w.-]*)\s*:\s*(.*)\Z", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class OptOuts:
    """The opt-outs that hold for one page.

    Attributes:
        robots: directives that hold for this crawler, in lower case, sorted.
        reserved: whether text and data mining is reserved; None where it isn't declared.
        policy: address of the owner's policy; "" where there is none.
    """

    robots: tuple[str, ...] = ()
    reserved: bool | None = None
    policy: str = ""

    @property
    def exclusion(self) -> str:
        """The directive that forbids to keep the page; "" where none does."""
        for word in ("none", "noindex", "noarchive"):
            if word in self.robots:
                return word
        for word in self.robots:
            if word.startswith("unavailable_after:") and _is_past(word.partition(":")[2]):
                return "unavailable_after"
        return ""

    @property
    def forbids_following(self) -> bool:
        """Whether a directive forbids to follow the page's links."""
        return bool({"none", "nofollow"} & set(self.robots))


@dataclass(frozen=True)
class TdmFile:
    """A host's ``tdmrep.json``: (pattern of paths, reserved, policy), the first match holds."""

    rules: tuple[tuple[str, bool, str], ...] = ()

    def of(self, target: str) -> tuple[bool | None, str]:
        """Return whether ``target``, path and query, is reserved, and the policy."""
        for pattern, reserved, policy in self.rules:
            if _matches(pattern, target):
                return reserved, policy
        return None, ""


def read_tdm_file(body: bytes) -> TdmFile:
    """Return the rules of a ``tdmrep.json``; no rules where it is malformed."""
    try:
        rules: Any = json.loads(body)
    except (ValueError, RecursionError):
        return TdmFile()
    out = []
    for rule in rules if isinstance(rules, list) else []:
        if isinstance(rule, dict) and isinstance(pattern := rule.get("location"), str):
            reserved = str(rule.get("tdm-reservation")) == "1"
            out.append((pattern, reserved, str(rule.get("tdm-policy") or "")))
    return TdmFile(tuple(out))


def opt_outs_of(
    page: Page | None, headers: Sequence[tuple[str, str]], in_file: tuple[bool | None, str]
) -> OptOuts:
    """Return the opt-outs of a page.

    Args:
        page: None where the response is no page.
        headers: of the response.
        in_file: (reserved, policy) of its address by the host's tdmrep.json.
    """
    directives: set[str] = set()
    for name, value in headers:
        if name.lower() == "x-robots-tag":
            directives.update(_header_directives(value))
    reserved, policy = in_file
    meta: dict[str, str] = {}
    for name, value in headers:
        if name.lower() in ("tdm-reservation", "tdm-policy"):
            meta[name.lower()] = value.strip()
    if page is not None:
        directives.update(_directives(page.head.all_meta("robots", AGENT)))
        for name in ("tdm-reservation", "tdm-policy"):
            meta[name] = page.head.first_meta(name) or meta.get(name, "")
    if meta.get("tdm-reservation") in ("0", "1"):
        reserved, policy = meta["tdm-reservation"] == "1", meta.get("tdm-policy", "")
    elif "noai" in directives and reserved is None:
        reserved = True
    return OptOuts(robots=tuple(sorted(directives)), reserved=reserved, policy=policy)


def _header_directives(value: str) -> Iterable[str]:
    """Return the directives of one X-Robots-Tag that hold for this crawler."""
    named = _NAMED.match(value)
    if named and named[1].lower() not in _WITH_VALUE:
        return _directives([named[2]]) if named[1].lower() == AGENT else ()
    return _directives([value])


def _directives(values: Iterable[str]) -> list[str]:
    """Return directives in lower case; a date stays with its directive though it holds a comma."""
    out: list[str] = []
    for value in values:
        for part in value.lower().split(","):
            word = " ".join(part.split())
            if out and out[-1].startswith("unavailable_after:") and word[:1].isdigit():
                out[-1] += f", {word}"
            elif word:
                out.append(re.sub(r"\s*:\s*", ":", word, count=1))
    return out


def _is_past(date: str) -> bool:
    """Return whether a date that begins with year, month and day is past."""
    found = re.match(r"\s*(\d{4})-(\d{2})-(\d{2})", date)
    if not found:
        return False
    try:
        day = datetime(int(found[1]), int(found[2]), int(found[3]), tzinfo=UTC)
    except ValueError:
        return False
    return day < datetime.now(UTC)


def _matches(pattern: str, target: str) -> bool:
    """Match as in robots.txt: a prefix, in which ``*`` is anything and a closing ``$`` the end."""
    ends = pattern.endswith("$")
    parts = map(re.escape, pattern.removesuffix("$").split("*"))
    return re.match(".*".join(parts) + (r"\Z" if ends else ""), target) is not None
