"""Icons, avatars, logos and emoji: images that are known by their names to be no content."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from chaffinch.page import Page

_DECORATION: Final = re.compile(
    r"(?:^|[^a-z])(?:g?r?avatars?|user-?pic|emojis?|emoticons?|smil(?:ey|ie|e)s?|favicons?|icons?"
    r"|sprites?|captcha|tracking|pixel|spinner|rating|userphoto|wp-smiley|social"
    r"|author-?(?:image|photo|pic)|profile-?(?:image|photo|pic)\w*|biophoto|badges?|logos?)(?=[^a-z]|$)",
    re.IGNORECASE,
)
_DECORATIVE_FILE: Final = re.compile(
    r"(?:^|[/._-])(?:g?r?avatars?|userpics?|emojis?|emoticons?|smil(?:ey|ie|e)s?|favicons?"
    r"|wp-smiley|sprites?|captcha|doubleclick|adserver)(?=[/._-]|$)|/(?:icons?|flags?|stars?)/",
    re.IGNORECASE,
)
_DECORATION_WORDS: Final = (
    "avatar", "userpic", "user-pic", "emoji", "emoticon", "smil", "icon", "sprite", "captcha",
    "tracking", "pixel", "spinner", "rating", "userphoto", "social", "author", "profile",
    "biophoto", "badge", "logo",
)  # fmt: skip
"""Every name that `_DECORATION` finds has one of these in it; looking for them costs little."""
_FILE_WORDS: Final = (
    "avatar", "userpic", "emoji", "emoticon", "smil", "icon", "sprite", "captcha", "doubleclick",
    "adserver", "/flag", "/star",
)  # fmt: skip
"""The same of `_DECORATIVE_FILE`."""
_SHORT: Final = 200
"""Characters of names that are remembered."""


def is_decoration(page: Page, row: int, url: str) -> bool:
    """Return whether the names of an image are those of an icon, an avatar or the like."""
    pairs = page.attributes(row)
    above = page.attribute(int(page.parent[row]), "class")
    names = " ".join((pairs.get("class") or "", pairs.get("id") or "", above or ""))
    decorates = _known_to_decorate if len(names) <= _SHORT else _decorates
    return decorates(names) or (
        has_any(url, _FILE_WORDS) and _DECORATIVE_FILE.search(url) is not None
    )


def _decorates(names: str) -> bool:
    """Return whether names are those of an icon or the like."""
    return has_any(names, _DECORATION_WORDS) and _DECORATION.search(names) is not None


@lru_cache(maxsize=4096)
def _known_to_decorate(names: str) -> bool:
    """Return `_decorates`, cached, since pages repeat names; of long ones the cache would grow."""
    return _decorates(names)


def has_any(text: str, words: tuple[str, ...]) -> bool:
    """Return whether a text holds one of some words in any case."""
    lower = text.lower()
    for word in words:  # noqa: SIM110  a generator for each text would cost more than the search
        if word in lower:
            return True
    return False
