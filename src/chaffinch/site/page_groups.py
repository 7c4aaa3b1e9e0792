"""Groups of a template's pages: of one page type, and with as much prose.

A list of stories and a story may share a template, an empty result and a full one, a short notice
and an article: the same place holds menus on the one and text on the other, and what returns on
every list returns on few pages of all. So a group of enough pages has tables of its own.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from chaffinch.site.returning_texts import lasting_texts
from chaffinch.site.slot_table import slot_table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from chaffinch.site.page_summary import PageSummary
    from chaffinch.site.returning_texts import ReturningTexts
    from chaffinch.site.slot_table import SlotTable

_LEAST_PAGES: Final = 5
"""Pages from which a group has tables of its own; sources left out, 4 to 6 are alike."""
_PROSE: Final = 150
"""Characters of a block from which, where the page-level model keeps it, it counts as prose…"""
_MOST_PROSE: Final = 2
"""… of which more than so many blocks make no other group."""
_PROSE_WORDS: Final = {"0": "no prose", "1": "one block of prose", "2": "prose"}


@dataclass(frozen=True, eq=False)
class PageGroup:
    """The tables of a template that are made of one group of its pages alone.

    Attributes:
        slots: statistics of the slots.
        texts: the returning texts.
    """

    slots: SlotTable
    texts: ReturningTexts

    @property
    def pages(self) -> int:
        """Pages of the group that its tables are made of."""
        return self.texts.pages


def group_name(page: PageSummary) -> str:
    """Return the name of the group that a page is in: its type, and its blocks of prose."""
    prose = int(((page.length > _PROSE) & (page.log_odds > 0)).sum())
    return f"{page.kind} {min(prose, _MOST_PROSE)}"


def group_words(name: str) -> str:
    """Return the name of a group in words for people."""
    kind, _, prose = name.rpartition(" ")
    return f"{kind}, {_PROSE_WORDS[prose]}" if kind and prose in _PROSE_WORDS else name


def page_groups(pages: Sequence[PageSummary]) -> dict[str, PageGroup]:
    """Return the groups of a template's pages that are large enough, by name.

    None where all pages are in one group. Pages of unknown type are in none: a page that is read
    has a type, so that their tables would never be used.
    """
    members: Mapping[str, list[PageSummary]] = defaultdict(list)
    for page in pages:
        if page.kind:
            members[group_name(page)].append(page)
    if len(members) == 1:
        return {}
    return {
        name: PageGroup(slot_table(some), lasting_texts(some))
        for name, some in sorted(members.items())
        if len(some) >= _LEAST_PAGES
    }
