"""Is a page a shell: does it wait for its scripts to bring the content?

A test of the page table alone, before any browser is asked: scripts, next to no text outside links,
and a place that waits to be filled. The place is known by its structure, not by a framework's name:
an element with an id or a name of its own, near the top, that holds no text and no picture. A
``noscript`` that speaks of JavaScript says the same in words; an empty ``main`` or ``article``
where no other is filled says it whatever stands around. A shell may
carry its content as data (``__NEXT_DATA__`` and the like), which some readers find without a
browser: `Signs.state` says how much stands there, `chaffinch.load.needs_browser` whether it helps.

`bench/quality/shells.py` measures precision and recall; docs/rendering.md has the figures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.page import tags
from chaffinch.segment.prose_length import prose_length

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.page.arrays import Mask

# Looked at on a third of the labelled pages of wcxb, magic_html_article, fundus and zh_news: of
# those whose content is there, none has less; `bench/quality/shells.py` shows all of them.
MOST_PROSE: Final = 150  # characters outside links in blocks of 60 and more
MOST_TEXT: Final = 250  # characters outside links
MOST_TEXT_AROUND: Final = 600  # the same where a place waits to be filled
MOST_LINKED: Final = 1500  # characters with links: a list of links is content of its kind
_WAITING: Final = 40  # characters that may stand in such a place: «Loading…»
_SMALL: Final = 12  # its rows
_NEAR: Final = 4  # levels below the body
_PLACES: Final = tags.table(["div", "main", "section", "article", "#unknown"])
_ASIDE: Final = tags.table(["nav", "header", "footer", "aside", "noscript"])
_FILLED: Final = tags.table(
    "img image iframe video audio object embed canvas input select textarea button table".split()
)


@dataclass(frozen=True)
class Signs:
    """What speaks for a shell and against it.

    Attributes:
        scripts: scripts that aren't data.
        prose: characters outside links in blocks of 60 and more; East Asian ones count as three.
        text: characters outside links, those of a ``noscript`` left out.
        linked: characters in all, links included.
        places: elements that wait to be filled.
        asks: whether a ``noscript`` speaks of JavaScript.
        is_hollow: whether there is a ``main`` or ``article``, and next to no text in any.
        state: characters of text in embedded state (JSON scripts but JSON-LD).
    """

    scripts: int
    prose: int
    text: int
    linked: int
    places: int
    asks: bool
    is_hollow: bool
    state: int

    @property
    def is_shell(self) -> bool:
        """Whether the page waits for its scripts."""
        if self.scripts and self.is_hollow:
            return True
        if not self.scripts or self.prose >= MOST_PROSE or self.linked >= MOST_LINKED:
            return False
        waits = self.places > 0 or self.asks
        return self.text < (MOST_TEXT_AROUND if waits else MOST_TEXT)


def is_shell(page: Page) -> bool:
    """Return whether ``page`` waits for its scripts to bring the content."""
    return bool(len(page)) and signs(page).is_shell


def signs(page: Page) -> Signs:
    """Return what speaks for a shell."""
    unread = page.inside(page.is_tag("noscript"))
    own = np.where(unread, 0, page.own_length)
    data = np.zeros(len(page), dtype=bool)
    data[list(page.sources)] = True
    return Signs(
        scripts=int((page.is_tag("script") & ~data).sum()),
        prose=prose_length(page),
        text=int(own[~page.in_link].sum()),
        linked=int(own.sum()),
        places=int(_places(page).sum()),
        asks=_asks(page),
        is_hollow=_is_hollow(page),
        state=sum(map(_text_in, page.head.state.values())),
    )


def _places(page: Page) -> Mask:
    """Return bool[n]: outermost elements that wait to be filled."""
    near = (page.depth > page.depth[page.body]) & (page.depth <= page.depth[page.body] + _NEAR)
    empty = (page.length < _WAITING) & (page.size <= _SMALL) & (page.total(_FILLED[page.tag]) == 0)
    places: Mask = near & empty & _PLACES[page.tag] & page.shown & ~page.inside(_ASIDE[page.tag])
    named = np.zeros(len(page), dtype=bool)
    named[[row for row, value in page.having("id") if value]] = True
    named[[row for row, name in page.names.items() if "-" in name]] = True
    places &= named
    return places


def _is_hollow(page: Page) -> bool:
    mains = page.is_tag("main", "article") & page.shown
    mains[[row for row, role in page.having("role") if role.strip().lower() == "main"]] = True
    filled = (page.length >= _WAITING) | (page.total(_FILLED[page.tag]) > 0)
    return bool(mains.any()) and not bool((mains & filled).any())


def _asks(page: Page) -> bool:
    rows = np.flatnonzero(page.is_tag("noscript")).tolist()
    return any("javascript" in page.text_of(row).lower() for row in rows)


def _text_in(value: Any) -> int:
    """Return the characters of all strings in a JSON value that hold white space, as texts do."""
    total, waiting = 0, [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)
        elif isinstance(one, str) and " " in one:
            total += len(one)
    return total
