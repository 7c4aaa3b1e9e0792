"""What owners say may be done with a page: robots meta, X-Robots-Tag, text-mining reservations.

Sources: the robots meta tag and X-Robots-Tag as the large search engines document them (directives
for all, or for one agent by its name); TDM Reservation Protocol, W3C Community Group report of
2024: header ``tdm-reservation``, meta of that name, ``/.well-known/tdmrep.json``; the page's own
word is the strongest, then the header, then the file. ``noai`` in robots counts as a reservation.
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
"""The name by which robots.txt, robots meta and X-Robots-Tag may speak to this crawler."""

_WITH_VALUE: Final = frozenset(
    {"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}
)
_NAMED: Final = re.compile(r"\s*([A-Za-z][\w.-]*)\s*:\s*(.*)\Z", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """What is said of one page.

    Attributes:
        robots: directives that hold for this crawler, in lower case, sorted.
        reserved: whether text and data mining is reserved; None where nothing is said.
        policy: address of the owner's policy; "" where none is given.
    """

    robots: tuple[str, ...] = ()
    reserved: bool | None = None
    policy: str = ""

    @property
    def closes_page(self) -> str:
        """Why the page isn't to be kept: the directive that says so; "" where none does."""
        for word in ("none", "noindex", "noarchive"):
            if word in self.robots:
                return word
        for word in self.robots:
            if word.startswith("unavailable_after:") and _is_past(word.partition(":")[2]):
                return "unavailable_after"
        return ""

    @property
    def closes_links(self) -> bool:
        """Whether the page's links aren't to be followed."""
        return bool({"none", "nofollow"} & set(self.robots))


@dataclass(frozen=True)
class TdmFile:
    """A host's ``tdmrep.json``: (pattern of paths, reserved, policy), the first match counts."""

    rules: tuple[tuple[str, bool, str], ...] = ()

    def of(self, target: str) -> tuple[bool | None, str]:
        """Return whether ``target``, path and query, is reserved, and the policy."""
        for pattern, reserved, policy in self.rules:
            if _matches(pattern, target):
                return reserved, policy
        return None, ""


def read_tdm_file(body: bytes) -> TdmFile:
    """Return the rules of a ``tdmrep.json``; none where it isn't one."""
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


def wishes_of(
    page: Page | None, headers: Sequence[tuple[str, str]], in_file: tuple[bool | None, str]
) -> Wishes:
    """Return what is said of a page.

    Args:
        page: None where the answer is no page.
        headers: of the answer.
        in_file: what `TdmFile.of` says of its address.
    """
    words: set[str] = set()
    for name, value in headers:
        if name.lower() == "x-robots-tag":
            words.update(_header_words(value))
    reserved, policy = in_file
    meta: dict[str, str] = {}
    for name, value in headers:
        if name.lower() in ("tdm-reservation", "tdm-policy"):
            meta[name.lower()] = value.strip()
    if page is not None:
        words.update(_words(page.head.all_meta("robots", AGENT)))
        for name in ("tdm-reservation", "tdm-policy"):
            meta[name] = page.head.first_meta(name) or meta.get(name, "")
    if meta.get("tdm-reservation") in ("0", "1"):
        reserved, policy = meta["tdm-reservation"] == "1", meta.get("tdm-policy", "")
    elif "noai" in words and reserved is None:
        reserved = True
    return Wishes(robots=tuple(sorted(words)), reserved=reserved, policy=policy)


def _header_words(value: str) -> Iterable[str]:
    """Return the directives of one X-Robots-Tag that hold for this crawler."""
    named = _NAMED.match(value)
    if named and named[1].lower() not in _WITH_VALUE:
        return _words([named[2]]) if named[1].lower() == AGENT else ()
    return _words([value])


def _words(values: Iterable[str]) -> list[str]:
    """Return directives in lower case; a date, which may hold a comma, stays with its own."""
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
    """Tell whether a date that begins with year, month and day is past."""
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
