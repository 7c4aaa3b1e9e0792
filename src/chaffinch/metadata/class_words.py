"""Words in the classes and ids of elements by which several fields find theirs.

A page is searched for all of them in one pass; each field then reads its bits of the result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from chaffinch.page.searched_words import BEYOND, word_bits

if TYPE_CHECKING:
    from chaffinch.metadata.evidence import Evidence
    from chaffinch.page.arrays import Hashes

_BYLINES: Final = ("byline", "author", "writer", "autor", "auteur", "reporter", "journalist")
_USERS: Final = (
    "username", "user-name", "user-details", "poster", "nickname", "starter", "member", "authi",
)  # fmt: skip
_DATES: Final = (
    "date", "publish", "posted", "time", "byline", "pub_", "created", "datum", "fecha",
    "-meta", "_meta", "info", "source",
)  # fmt: skip
_TITLES: Final = ("entry-title", "post-title", "article-title", "headline")
_BOILERPLATE: Final = (
    "comment", "related", "recommend", "reply", "replies", "teaser", "footer", "more-", "popular",
    "latest",
)  # fmt: skip
_SIDEBARS: Final = ("sidebar", "widget")
_COMMENTS: Final = ("comment",)
_ALL: Final = tuple(
    dict.fromkeys((*_BYLINES, *_USERS, *_DATES, *_TITLES, *_BOILERPLATE, *_SIDEBARS))
)

BYLINES: Final = word_bits(_ALL, _BYLINES)
"""Elements that name an author."""
USERS: Final = word_bits(_ALL, _USERS)
"""Elements that name a user."""
DATES: Final = word_bits(_ALL, _DATES)
"""Elements that hold a date, or what stands beside one."""
TITLES: Final = word_bits(_ALL, _TITLES)
"""Elements that hold a title."""
BOILERPLATE: Final = word_bits(_ALL, _BOILERPLATE)
"""What is in the names of boilerplate, anywhere."""
SIDEBARS: Final = word_bits(_ALL, _SIDEBARS) | BEYOND
"""What may name a sidebar."""
COMMENTS: Final = word_bits(_ALL, _COMMENTS) | BEYOND
"""What may name readers' comments."""


def named_rows(evidence: Evidence) -> Hashes:
    """Return uint64[n]: the bits of the words that each row's class or id holds, in any case."""
    return evidence.page.words_in_names(_ALL)
