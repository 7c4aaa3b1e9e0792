"""Opt-outs of a page's owner: robots meta, X-Robots-Tag, reservations of text and data mining.

`chaffinch.metadata` reads those of a page and its headers; to these comes the host's file
``/.well-known/tdmrep.json`` (TDM Reservation Protocol, W3C Community Group report of 2024). The
meta element takes precedence over the header, and that over the file. ``noai`` in robots counts as
a reservation.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from chaffinch.metadata.page_fields import AGENT, RESERVATION, header_directives, read_directives

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.page import Page

_DAY: Final = re.compile(r"\A\s*+(\d{4})-(\d{2})-(\d{2})")


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
            reserved = str(rule.get(RESERVATION)) == "1"
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
            directives.update(header_directives(value))
    reserved, policy = in_file
    meta: dict[str, str] = {}
    for name, value in headers:
        if name.lower() in (RESERVATION, "tdm-policy"):
            meta[name.lower()] = value.strip()
    if page is not None:
        directives.update(read_directives(page.head.all_meta("robots", AGENT)))
        for name in (RESERVATION, "tdm-policy"):
            meta[name] = page.head.first_meta(name) or meta.get(name, "")
    if meta.get(RESERVATION) in ("0", "1"):
        reserved, policy = meta[RESERVATION] == "1", meta.get("tdm-policy", "")
    elif "noai" in directives and reserved is None:
        reserved = True
    return OptOuts(robots=tuple(sorted(directives)), reserved=reserved, policy=policy)


def _is_past(date: str) -> bool:
    """Return whether a date that begins with year, month and day is past."""
    found = _DAY.match(date)
    if not found:
        return False
    try:
        day = datetime(int(found[1]), int(found[2]), int(found[3]), tzinfo=UTC)
    except ValueError:
        return False
    return day < datetime.now(UTC)


def _matches(pattern: str, target: str) -> bool:
    """Match as in robots.txt: a prefix, in which ``*`` is anything and a closing ``$`` the end.

    Each part is looked for behind the one before, so that time grows with the lengths alone.
    """
    ends = pattern.endswith("$")
    first, *parts = pattern.removesuffix("$").split("*")
    if not parts and ends:
        return target == first
    if not target.startswith(first):
        return False
    at, last = len(first), parts.pop() if ends else ""
    for part in parts:
        found = target.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return at <= len(target) - len(last) and target.endswith(last)
