"""What a person writes for all pages of a site, beside rules: replacements in the source, tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from chaffinch.errors import RulesError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@dataclass(frozen=True)
class Replacement:
    """A text that is replaced in the source of a page before it is parsed.

    Attributes:
        find: the text, not empty; letters count as they are.
        put: what stands in its place.
    """

    find: str
    put: str

    def __post_init__(self) -> None:
        if not self.find:
            raise RulesError("a replacement needs a text to find")


@dataclass(frozen=True)
class PageTest:
    """A page of the site and texts that its content holds.

    Attributes:
        url: the address of the page.
        contains: the texts, compared with white space folded; none if the page must only have
            content at all.
    """

    url: str
    contains: tuple[str, ...] = ()


def replacements_of(saved: Mapping[str, Any]) -> tuple[Replacement, ...]:
    """Return the replacements in a saved model.

    Raises:
        RulesError: one is broken; the message says which.
    """
    out = []
    for where, one in _tables(saved, "replace", {"find", "put"}):
        find, put = one.get("find"), one.get("put", "")
        if not isinstance(find, str) or not isinstance(put, str):
            raise RulesError(f"{where}: find and put must be text")
        if not find:
            raise RulesError(f"{where}: a text to find is missing")
        out.append(Replacement(find, put))
    return tuple(out)


def tests_of(saved: Mapping[str, Any]) -> tuple[PageTest, ...]:
    """Return the tests in a saved model.

    Raises:
        RulesError: one is broken; the message says which.
    """
    out = []
    for where, one in _tables(saved, "test", {"url", "contains"}):
        url, contains = one.get("url"), one.get("contains", [])
        if not isinstance(url, str) or not isinstance(contains, list):
            raise RulesError(f"{where}: url must be text, contains a list of texts")
        if not all(isinstance(text, str) for text in contains):
            raise RulesError(f"{where}: contains must be a list of texts")
        out.append(PageTest(url, tuple(contains)))
    return tuple(out)


def _tables(
    saved: Mapping[str, Any], key: str, known: set[str]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the tables of a key of a saved model, each with its place in words."""
    tables = saved.get(key, [])
    if not isinstance(tables, list):
        raise RulesError(f"{key} of the site is no list of tables")
    for number, one in enumerate(tables, start=1):
        where = f"{key} {number} of the site"
        if not isinstance(one, dict):
            raise RulesError(f"{where} is not a table")
        if unknown := set(one) - known:
            raise RulesError(
                f"{where}: unknown {min(unknown)!r}; known: {', '.join(sorted(known))}"
            )
        yield where, one
