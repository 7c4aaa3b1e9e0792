"""Recognition of shells: pages that wait for their scripts to insert the content.

A test of the page table alone, before any browser is started: scripts, almost no text outside
links, and a placeholder. A placeholder is recognised by its structure, not by a framework's name:
an element with an id or a custom tag name, near the top, without text or pictures. A ``noscript``
that mentions JavaScript counts like one; an empty ``main`` or ``article`` where no other is filled
makes a shell whatever surrounds it. A shell may have its content as embedded data
(``__NEXT_DATA__`` and the like), which can be read without a browser: `ShellFeatures.state`
measures it, `needs_browser` tests whether it suffices.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from chaffinch.decision.declared import find_embedded
from chaffinch.kernels.arrays import Mask, marked
from chaffinch.page import Page, tags
from chaffinch.segment.text_blocks import prose_length

# Chosen on a third of the labelled pages of wcxb, magic_html_article, fundus and zh_news: of
# those whose content is there, none has less.
MOST_PROSE: Final = 150  # characters outside links in blocks of 60 and more
MOST_TEXT: Final = 250  # characters outside links
MOST_TEXT_AROUND: Final = 600  # the same where there is a placeholder
MOST_LINKED: Final = 1500  # characters, links included: a list of links may be content
_PLACEHOLDER_TEXT: Final = 40  # characters that a placeholder may hold: «Loading…»
_PLACEHOLDER_SIZE: Final = 12  # rows
_CONTAINERS: Final = tags.table(["div", "main", "section", "article", "#unknown"])
_BOILERPLATE: Final = tags.table(["nav", "header", "footer", "aside", "noscript"])
_FILLED: Final = tags.table(
    "img image iframe video audio object embed canvas input select textarea button table".split()
)


@dataclass(frozen=True)
class ShellFeatures:
    """Features by which a shell is recognised."""

    scripts: int  # scripts that aren't data
    prose: int  # characters outside links in blocks of 60 and more; East Asian ones as three
    text: int  # characters outside links, those of a ``noscript`` left out
    linked: int  # characters in all, links included
    placeholders: int  # elements that wait to be filled
    has_noscript_warning: bool  # whether a ``noscript`` mentions JavaScript
    is_hollow: bool  # whether there is a ``main`` or ``article``, and almost no text in any
    state: int  # characters of text in embedded state (JSON scripts but JSON-LD)

    @property
    def is_shell(self) -> bool:
        if self.scripts and self.is_hollow:
            return True
        if not self.scripts or self.prose >= MOST_PROSE or self.linked >= MOST_LINKED:
            return False
        waits = self.placeholders > 0 or self.has_noscript_warning
        return self.text < (MOST_TEXT_AROUND if waits else MOST_TEXT)


def is_shell(page: Page) -> bool:
    return bool(len(page)) and shell_features(page).is_shell


def needs_browser(page: Page) -> bool:
    """Return whether a page must be rendered: a shell without its text in embedded data.

    A shell with its text in JSON-LD or in the initial state of its scripts needs no browser.
    """
    return is_shell(page) and find_embedded(page, kept_units=0) is None


def shell_features(page: Page) -> ShellFeatures:
    in_noscript = page.inside(page.is_tag("noscript"))
    noscripts = page.is_tag("noscript").nonzero()[0].tolist()
    own = np.where(in_noscript, 0, page.own_length)
    data = marked(len(page), list(page.sources))
    return ShellFeatures(
        scripts=int((page.is_tag("script") & ~data).sum()),
        prose=prose_length(page),
        text=int(own[~page.in_link].sum()),
        linked=int(own.sum()),
        placeholders=int(_placeholders(page).sum()),
        has_noscript_warning=any("javascript" in page.text_of(row).lower() for row in noscripts),
        is_hollow=_is_hollow(page),
        state=sum(map(_text_in, page.head.state.values())),
    )


def _placeholders(page: Page) -> Mask:
    """Return bool[n]: outermost elements that wait to be filled."""
    near = (page.depth > page.depth[page.body]) & (
        page.depth <= page.depth[page.body] + 4
    )  # levels
    empty = (
        (page.length < _PLACEHOLDER_TEXT)
        & (page.size <= _PLACEHOLDER_SIZE)
        & (page.total(_FILLED[page.tag]) == 0)
    )
    found: Mask = (
        near & empty & _CONTAINERS[page.tag] & page.shown & ~page.inside(_BOILERPLATE[page.tag])
    )
    named = [row for row, value in page.having("id") if value]
    named += [row for row, name in page.names.items() if "-" in name]
    return found & marked(len(page), named)


def _is_hollow(page: Page) -> bool:
    mains = page.is_tag("main", "article") & page.shown
    mains[[row for row, role in page.having("role") if role.strip().lower() == "main"]] = True
    filled = (page.length >= _PLACEHOLDER_TEXT) | (page.total(_FILLED[page.tag]) > 0)
    return bool(mains.any()) and not bool((mains & filled).any())


def _text_in(value: Any) -> int:
    """Return the characters of all strings with white space in a JSON value."""
    total, stack = 0, [value]
    while stack:
        one = stack.pop()
        if isinstance(one, dict):
            stack.extend(one.values())
        elif isinstance(one, list):
            stack.extend(one)
        elif isinstance(one, str) and " " in one:
            total += len(one)
    return total
