"""Parts of title elements that return on a site's pages: its name, and those of its sections.

What stands in the titles of several pages, beside something else in each, is no page's own title.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

from chaffinch.metadata.values import fold, split_title

if TYPE_CHECKING:
    from collections.abc import Iterable

    from chaffinch.site.page_summary import PageSummary

_FEWEST: Final = 3
"""Different titles in which a part stands from which it returns: two may share a subject."""
_MOST: Final = 40
"""Parts that are kept, those of most titles."""


def title_boilerplate(pages: Iterable[PageSummary]) -> tuple[str, ...]:
    """Return the parts of titles that return on ``pages``, those of most titles first."""
    titles: defaultdict[str, set[str]] = defaultdict(set)
    spellings: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for page in pages:
        for part in split_title(page.title):
            if key := fold(part):
                titles[key].add(fold(page.title))
                spellings[key][part.strip()] += 1
    often = sorted((-len(known), key) for key, known in titles.items() if len(known) >= _FEWEST)
    return tuple(
        max(sorted(spellings[key]), key=spellings[key].__getitem__) for _, key in often[:_MOST]
    )
