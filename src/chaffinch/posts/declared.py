"""Posts that a page declares in JSON-LD: forum postings, questions with answers, comments.

schema.org: DiscussionForumPosting, Question, Answer, Comment and their like, with ``comment``,
``suggestedAnswer`` and ``acceptedAnswer`` below them. Any value may be of any type; what isn't
text is passed over.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING, Any, Final

from chaffinch.posts.dates import date_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.page import Page

MOST: Final = 1000
_KINDS: Final = {
    "DiscussionForumPosting": "post",
    "SocialMediaPosting": "post",
    "Question": "question",
    "Answer": "answer",
    "Comment": "comment",
    "UserComments": "comment",
}
_NAMES: Final = tuple(f'"{name}"' for name in _KINDS)
"""What stands in JSON-LD that declares posts: without it none needs to be read."""
_BELOW: Final = ("acceptedAnswer", "suggestedAnswer", "comment")
_ABOVE: Final = ("mainEntity", "hasPart", "@graph")
_TAG: Final = re.compile(r"<[^<>]{0,500}>")


@dataclass(frozen=True)
class Declared:
    """A post as JSON-LD tells it; ``above`` is the number (from 0) of what it answers, or None."""

    row: int
    kind: str
    author: str
    author_url: str
    date: str
    text: str
    above: int | None


def declared_posts(page: Page) -> list[Declared]:
    """Return the posts with text that the page's JSON-LD declares, each before its replies.

    Questions of a page of frequent questions are none: nobody posted them.
    """
    if not any(name in source for source in page.sources.values() for name in _NAMES):
        return []
    out: list[Declared] = []
    seen: set[str] = set()
    waiting: list[tuple[int, Any, int | None]] = [
        (row, own, None) for row, own in reversed(page.head.json_ld)
    ]
    steps = 0
    while waiting and len(out) < MOST and steps < 10 * MOST:
        steps += 1
        row, own, above = waiting.pop()
        if isinstance(own, list):
            waiting.extend((row, one, above) for one in reversed(own[:MOST]))
        elif isinstance(own, dict) and "FAQPage" not in _types(own):
            number = above
            post = _post(row, own, above)
            if post is not None:
                if post.text in seen:
                    continue
                seen.add(post.text)
                number = len(out)
                out.append(post)
            keys = [key for key in reversed((*_ABOVE, *_BELOW)) if key in own]
            waiting.extend((row, own[key], number) for key in keys)
    return out


def _types(own: dict[str, Any]) -> list[str]:
    value = own.get("@type")
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str)]


def _post(row: int, own: dict[str, Any], above: int | None) -> Declared | None:
    kind = next((_KINDS[one] for one in _types(own) if one in _KINDS), "")
    text = next(
        (t for key in ("text", "articleBody", "commentText") if (t := _text(own.get(key)))), ""
    )
    if not kind or not text:
        return None
    author = next(_people(own.get("author") or own.get("creator")), ("", ""))
    date = _text(own.get("dateCreated")) or _text(own.get("datePublished"))
    return Declared(row, kind, *author, date_in(date) or date[:40], text, above)


def _people(value: Any) -> Iterator[tuple[str, str]]:
    """Yield (name, address) of each author."""
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, dict):
            yield _text(one.get("name")), _text(one.get("url"))
        elif isinstance(one, str):
            yield _text(one), ""


def _text(value: Any) -> str:
    """Return a string's text, markup and white space folded away; "" for anything else."""
    return " ".join(unescape(_TAG.sub(" ", value)).split()) if isinstance(value, str) else ""
