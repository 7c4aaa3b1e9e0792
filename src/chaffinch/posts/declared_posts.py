"""Posts that a page declares in JSON-LD: forum postings, questions with answers, comments.

schema.org: DiscussionForumPosting, Question, Answer, Comment and their like, with ``comment``,
``suggestedAnswer`` and ``acceptedAnswer`` below them. Any value may be of any type; what isn't
text is ignored.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape
from typing import TYPE_CHECKING, Any, Final

from chaffinch.posts.post_dates import date_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.page import Page

MOST: Final = 1000
_KINDS: Final = {
    "DiscussionForumPosting": "post", "SocialMediaPosting": "post", "Question": "question",
    "Answer": "answer", "Comment": "comment", "UserComments": "comment",
}  # fmt: skip
_NAMES: Final = tuple(f'"{name}"' for name in _KINDS)
"""JSON-LD that declares posts contains one of these; other JSON-LD isn't parsed."""
_REPLY_KEYS: Final = ("acceptedAnswer", "suggestedAnswer", "comment")
_CONTAINER_KEYS: Final = ("mainEntity", "hasPart", "@graph")
_TAG: Final = re.compile(r"<[^<>]{0,500}>")


@dataclass(frozen=True)
class DeclaredPost:
    """A post declared in JSON-LD; ``parent`` is the number, from 0, of the post it replies to."""

    row: int
    kind: str
    author: str
    author_url: str
    date: str
    text: str
    parent: int | None


def declared_posts(page: Page) -> list[DeclaredPost]:
    """Return the posts with text that the page's JSON-LD declares, each before its replies.

    Questions of an FAQPage aren't posts.
    """
    if not any(name in source for source in page.sources.values() for name in _NAMES):
        return []
    out: list[DeclaredPost] = []
    seen: set[str] = set()
    stack: list[tuple[int, Any, int | None]] = [
        (row, own, None) for row, own in reversed(page.head.json_ld)
    ]
    steps = 0
    while stack and len(out) < MOST and steps < 10 * MOST:
        steps += 1
        row, own, parent = stack.pop()
        if isinstance(own, list):
            stack.extend((row, one, parent) for one in reversed(own[:MOST]))
        elif isinstance(own, dict) and "FAQPage" not in _types(own):
            number = parent
            post = _post(row, own, parent)
            if post is not None:
                if post.text in seen:
                    continue
                seen.add(post.text)
                number = len(out)
                out.append(post)
            keys = [key for key in reversed((*_CONTAINER_KEYS, *_REPLY_KEYS)) if key in own]
            stack.extend((row, own[key], number) for key in keys)
    return out


def _types(own: dict[str, Any]) -> list[str]:
    value = own.get("@type")
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str)]


def _post(row: int, own: dict[str, Any], parent: int | None) -> DeclaredPost | None:
    kind = next((_KINDS[one] for one in _types(own) if one in _KINDS), "")
    text = next(
        (t for key in ("text", "articleBody", "commentText") if (t := _text(own.get(key)))), ""
    )
    if not kind or not text:
        return None
    author = next(_people(own.get("author") or own.get("creator")), ("", ""))
    date = _text(own.get("dateCreated")) or _text(own.get("datePublished"))
    return DeclaredPost(row, kind, *author, date_in(date) or date[:40], text, parent)


def _people(value: Any) -> Iterator[tuple[str, str]]:
    """Yield (name, address) of each author."""
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, dict):
            yield _name(one.get("name")), _text(one.get("url"))
        elif isinstance(one, str):
            yield _name(one), ""


def _name(value: Any) -> str:
    """Return a name; markup that was escaped twice is no part of it."""
    return " ".join(_TAG.sub(" ", _text(value)).split())


def _text(value: Any) -> str:
    """Return a string's text, markup and white space folded away; "" for anything else."""
    return " ".join(unescape(_TAG.sub(" ", value)).split()) if isinstance(value, str) else ""
