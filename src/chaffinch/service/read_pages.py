"""Pages that one caller has read, as resources of MCP, the latest of them."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final, NamedTuple
from urllib.parse import quote

TEMPLATE: Final = "chaffinch://page/{url}"
"""Address of a page as a resource; its own address stands in it percent-encoded."""

_MOST: Final = 64
_MOST_CHARACTERS: Final = 16 << 20


class ReadPage(NamedTuple):
    """A page that was read: its title, "" for none, and its content as Markdown."""

    title: str
    markdown: str


class ReadPages:
    """The pages of one caller; those that were read first are forgotten first."""

    def __init__(self) -> None:
        self._pages: OrderedDict[str, ReadPage] = OrderedDict()

    def note(self, url: str, title: str, markdown: str) -> None:
        """Remember a page."""
        self._pages.pop(url, None)
        self._pages[url] = ReadPage(title, markdown)
        while len(self._pages) > _MOST or self._characters > _MOST_CHARACTERS:
            self._pages.popitem(last=False)

    def get(self, url: str) -> ReadPage | None:
        """Return a page that was read; None for any other."""
        return self._pages.get(url)

    def resources(self) -> dict[str, str]:
        """Return address as a resource → title, the latest first."""
        return {
            TEMPLATE.format(url=quote(url, safe="")): page.title or url
            for url, page in reversed(self._pages.items())
        }

    @property
    def _characters(self) -> int:
        return sum(len(page.markdown) for page in self._pages.values())
