"""The posts of a discussion: forum threads, questions and answers, comments under an article.

Each has its author, date, text and rows. They are found by structure (`chaffinch.lists.threads`),
or taken from JSON-LD where it declares more posts: schema.org's DiscussionForumPosting, Question,
Answer, Comment and their like, with ``comment``, ``suggestedAnswer`` and ``acceptedAnswer`` below
them. Any value may be of any type; what isn't text is ignored.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from html import unescape
from itertools import chain, islice, takewhile
from typing import Any, Final
from urllib.parse import unquote

import numpy as np

from chaffinch.elements.hidden import hidden
from chaffinch.lists.post_features import USER_CLASS, PostFeatures, date_in
from chaffinch.lists.post_parts import PostBodies, PostBylines, is_nobody, link_at
from chaffinch.lists.threads import Thread, ThreadSearch, between
from chaffinch.metadata.json_ld import types_of
from chaffinch.page import Page, tags
from chaffinch.page_work import begin_stage, checked
from chaffinch.segment.text_blocks import text_blocks

_MOST: Final = 1000
_KINDS: Final = {
    "DiscussionForumPosting": "post", "SocialMediaPosting": "post", "Question": "question",
    "Answer": "answer", "Comment": "comment", "UserComments": "comment",
}  # fmt: skip
_NAMES: Final = tuple(f'"{name}"' for name in _KINDS)
"""JSON-LD that declares posts contains one of these; other JSON-LD isn't parsed."""
_INNER_KEYS: Final = (
    "comment", "suggestedAnswer", "acceptedAnswer", "@graph", "hasPart", "mainEntity",
)  # fmt: skip
_TAG: Final = re.compile(r"<[^<>]{0,500}>")
_NAMED: Final = (
    ("answer", re.compile(r"answer|antwort|respuesta|reponse", re.IGNORECASE)),
    ("question", re.compile(r"question|frage|pregunta", re.IGNORECASE)),
    ("comment", re.compile(r"comment|kommentar|comentario", re.IGNORECASE)),
)
_NAMING: Final = ("class", "id", "itemtype", "itemprop")
_YEAR: Final = re.compile(r"\d{4}-")
_MONTH_AND_DAY: Final = re.compile(r"(\d{1,2})[./-](\d{1,2})\.?\s(\d{1,2}:\d\d)")
_EAST: Final = re.compile("[\u3040-\u9fff가-힣]")
_LEVELS: Final = 2
_H1: Final = tags.CODES["h1"]
_MOST_OWN: Final = 3  # mentions of users in a post of other markup


@dataclass(frozen=True, slots=True)
class Post:
    """One post.

    Attributes:
        number: from 1, in document order.
        author: name as the page shows it; "" if it shows none.
        author_url: absolute address of the author's page; "" if there is none.
        date: ISO 8601 where a day can be parsed, else as written ("3 days ago"); "" for none.
        text: what was written, one line a block.
        rows: half-open range of the rows of the whole post.
        kind: "question", "answer", "comment" or "post".
        reply_to: number of the post that it is nested in; None where replies aren't nested.
    """

    number: int
    author: str
    author_url: str
    date: str
    text: str
    rows: tuple[int, int]
    kind: str
    reply_to: int | None


def posts(page: Page) -> list[Post]:
    """Return the posts that ``page`` shows, in document order; none where it shows no discussion.

    A single post has no repeated structure and is found only where JSON-LD declares it.
    """
    return list(_derived(page)[0])


def whole_thread(page: Page, page_type: str | None = "forum") -> list[Post]:
    """Return `posts`; on a board, and above answers, the one of other markup that opens them.

    Without what a browser doesn't show within their lines.
    """
    found, opening = (_as_shown(page, some) for some in _derived(page))
    if page_type != "forum" and all(one.kind != "answer" for one in found):
        return found
    below = (
        replace(one, number=one.number + 1, reply_to=one.reply_to and one.reply_to + 1)
        for one in found
    )
    return [*opening, *below] if opening else found


def _as_shown(page: Page, found: Iterable[Post]) -> list[Post]:
    blocks, gone, out = text_blocks(page), hidden(page), []
    for post in found:
        own = slice(*post.rows)
        within = blocks.block[own]
        shown = defaultdict[str, list[str]](list)  # of each line, as often as it stands there
        for block in np.unique(within[gone[own] & (within >= 0)])[::-1].tolist():
            rows = range(blocks.first.item(block), blocks.last.item(block))
            texts = (page.text_of(at) for at in rows if blocks.block[at] == block and not gone[at])
            shown[blocks.text(block)].append(" ".join("".join(texts).split()))
        lines = (shown[one].pop() if shown.get(one) else one for one in post.text.split("\n"))
        text = "\n".join(filter(None, lines)) if shown else ""
        out.append(replace(post, text=text) if text else post)
    return out


def _derived(page: Page) -> tuple[Any, ...]:
    """Return the posts, and that of other markup, each as an array of objects."""
    return page.derived(
        "posts",
        lambda: tuple(np.array([*some, None], dtype=object)[:-1] for some in _found(page)),
    )


def _found(page: Page) -> tuple[list[Post], list[Post]]:
    """Return the posts, and that which opens their thread in other markup, if there is one."""
    begin_stage("finding a discussion")
    search = ThreadSearch(page)
    thread = search.best()
    begin_stage("reading its posts")
    shown = _shown(search, thread) if thread is not None else []
    if 2 * sum(bool(post.text) for post in shown) < len(shown):
        shown = []
    if len(signed := _signed(search.features)) > max(len(shown), 1):
        return signed, []
    declared = declared_posts(page)
    if len(declared) > len(shown):
        return declared, []
    if thread is None or not shown:
        return [], []
    kinds = {_beginning(one.text): one.kind for one in declared}
    shown = [replace(one, kind=kinds.get(_beginning(one.text), one.kind)) for one in shown]
    before = [day for row, day in search.features.dates.items() if row < thread.starts[0]]
    return _with_years(shown, before), _opening(search, thread, shown[0])


def _with_years(shown: list[Post], before: list[str]) -> list[Post]:
    """Return posts whose days without a year, "05/02 10:11", are the next after a date before.

    Boards of East Asia write the month first.
    """
    last = next((day for day in reversed(before) if _YEAR.match(day)), "")
    out = []
    for post in shown:
        last = post.date if _YEAR.match(post.date) else last
        found, own = _MONTH_AND_DAY.match(post.date) if last else None, post.date
        if found and _EAST.search(post.text):
            years = (int(last[:4]), int(last[:4]) + 1)
            days = (date_in(f"{year}-{found[1]:0>2}-{found[2]:0>2} {found[3]}") for year in years)
            own = next((day for day in days if day >= last[:10]), own)
        out.append(replace(post, date=own))
    return out


def _opening(search: ThreadSearch, thread: Thread, second: Post) -> list[Post]:
    """Return the post of other markup above a thread, unless that is the head of the next."""
    if (found := _above(search, thread)) is None:
        return []
    start, stop, user = found
    (post,) = _of_thread(search, Thread([(start, stop)], 0.0))
    name = search.features.user_name(user)
    is_later = post.date[:1].isdigit() and second.date[:1].isdigit() and post.date > second.date
    is_same = name == second.author and not is_nobody(name)
    if is_same or is_later or not (name and post.text):
        return []
    url = search.page.addresses.find(search.page.attribute(link_at(search.page, user), "href"))
    return [replace(post, author=name, author_url=url)]


def _above(search: ThreadSearch, thread: Thread) -> tuple[int, int, int] | None:
    """Return the rows of a post of other markup above a thread, and that of its user.

    The user is named as those of the posts are, a date stands beside, a text there or between
    it and the thread, and a headline in it or above.
    """
    page, (dates, users) = search.page, search.features.byline_rows
    of_posts = chain.from_iterable(between(users, *one) for one in thread.ranges)
    signs = {sign for row in of_posts for sign in _signs(search.features, row)}
    below = first = thread.starts[0]
    headline = _headline(search.features, first)
    for above in page.ancestors(first):
        for row in [one for one in page.children(above) if one < below][::-1]:
            if (end := page.end.item(row)) <= headline:
                return None
            named = filter(search.features.user_name, between(users, row, end))  # no picture of one
            alike = (user for user in named if not signs.isdisjoint(_signs(search.features, user)))
            own = [user for user in alike if not _is_asked(page, user, first)]
            if own and len(own) <= _MOST_OWN and between(dates, row, below):
                stop = end if search.said(row, end) else search.said(end, first)
                return (row, stop, own[0]) if stop else None
        if above <= page.body:
            break
        below = above
    return None


def _is_asked(page: Page, row: int, stop: int) -> bool:
    """Return whether a row is in a form that ends before another, as one to search in."""
    around = (one for one in page.ancestors(row) if page.name(one) == "form")
    return bool(page.end[next(around, -1)] <= stop)


def _headline(features: PostFeatures, before: int) -> int:
    """Return the last row before another with the headline of the page; that row for none."""
    blocks, texts, title = features.blocks, features.texts, features.page.head.title
    heads = (
        at
        for at in range(blocks.first.searchsorted(before).item())[::-1]
        if blocks.owner_tag[at] == _H1
        or (4 * len(texts[at]) >= len(title) and texts[at] in title and texts[at])
    )
    at = next(heads, -1)
    return before if at < 0 else blocks.first[at].item()


def _signs(features: PostFeatures, row: int) -> Iterator[str]:
    """Yield what users of one board have in common: kind, words of classes, start of links."""
    page = features.page
    yield from filter(None, (features.kind(row), page.attribute(row, "typeof")))
    names = USER_CLASS.finditer(page.attribute(row, "class") or "")
    yield from (one[0].strip("_- ") for one in names)
    if href := (page.attribute(row, "href") or "").rstrip("/"):
        yield href[: max(map(href.rfind, "/=@")) + 1]


def _beginning(text: str) -> str:
    return "".join(text.split())[:60].lower()


def declared_posts(page: Page) -> list[Post]:
    """Return the posts with text that the page's JSON-LD declares, each before its replies.

    Questions of an FAQPage aren't posts.
    """
    if not any(name in source for source in page.sources.values() for name in _NAMES):
        return []
    out: list[Post] = []
    seen: set[str] = set()
    stack: list[tuple[int, Any, int | None]] = [
        (row, own, None) for row, own in reversed(page.head.json_ld)
    ]
    for _ in range(10 * _MOST):
        if not stack or len(out) == _MOST:
            break
        row, own, parent = stack.pop()
        if isinstance(own, list):
            stack.extend((row, one, parent) for one in reversed(own[:_MOST]))
        elif isinstance(own, dict) and "FAQPage" not in (types := types_of(own)):
            kind = next((_KINDS[one] for one in types if one in _KINDS), "")
            texts = (_text(own.get(key)) for key in ("text", "articleBody", "commentText"))
            text = next(filter(None, texts), "") if kind else ""
            if text in seen:
                continue
            if text:
                seen.add(text)
                author, url = _author(own.get("author") or own.get("creator"))
                day = _text(own.get("dateCreated")) or _text(own.get("datePublished"))
                url, day = page.addresses.find(url), date_in(day) or day[:40]
                rows = row, int(page.end[row])
                out.append(Post(len(out) + 1, author, url, day, text, rows, kind, parent))
                parent = len(out)
            stack.extend((row, own[key], parent) for key in _INNER_KEYS if key in own)
    return out


def _author(value: Any) -> tuple[str, str]:
    """Return name and address of the first author; markup that was escaped twice is in no name."""
    for one in value if isinstance(value, list) else [value]:
        name, url = (one.get("name"), one.get("url")) if isinstance(one, dict) else (one, None)
        if isinstance(one, (dict, str)):
            return " ".join(_TAG.sub(" ", _text(name)).split()), _text(url)
    return "", ""


def _text(value: Any) -> str:
    """Return a string's text, markup and white space folded away; "" for anything else."""
    return " ".join(unescape(_TAG.sub(" ", value)).split()) if isinstance(value, str) else ""


def _shown(search: ThreadSearch, thread: Thread) -> list[Post]:
    """Return the posts of a thread, and of those within its posts, as the page shows them.

    Where most are dated, what has neither text nor date is an advertisement or a link onwards.
    """
    found = _of_thread(search, thread)
    led = {post.rows[0]: post.reply_to and thread.starts[post.reply_to - 1] for post in found}
    for inner in thread.inner:
        for post in _of_thread(search, inner):
            at = bisect_right(thread.starts, post.rows[0]) - 1
            outer = thread.starts[at] if at >= 0 else None
            led[post.rows[0]] = inner.starts[post.reply_to - 1] if post.reply_to else outer
            found.append(post)
    if sum(bool(post.date) for post in found) > len(found) / 2:
        found = [post for post in found if post.date or post.text]
    found.sort(key=lambda post: post.rows)
    number_of = {post.rows[0]: number for number, post in enumerate(found, 1)}
    return [
        replace(post, number=number, reply_to=number_of.get(led[post.rows[0]] or -1))
        for number, post in enumerate(found[:_MOST], 1)
    ]


def _of_thread(search: ThreadSearch, thread: Thread) -> list[Post]:
    """Return the posts of one thread, those within them left out."""
    page = search.page
    ranges = thread.ranges[:_MOST]
    bylines = PostBylines(search.features, ranges)
    authors = bylines.authors()
    dates = bylines.dates([row for row, _ in authors])
    rows = [
        (author[0], date[0] if date[0] > start else -1)  # the post itself may have a date
        for author, date, (start, _) in zip(authors, dates, ranges, strict=True)
    ]
    texts = PostBodies(search.features, ranges, rows).texts()
    kinds = [_kind(page, start) for start in thread.starts]
    if kinds[0] == "post" and "answer" in kinds:
        kinds[0] = "question"
    out: list[Post] = []
    for at, text in enumerate(checked(texts, every=16)):
        row, name = authors[at]
        href = page.attribute(link_at(page, row), "href") if row >= 0 else None
        url = page.addresses.find(href)
        parent = _reply_to(search, thread.starts, at)
        out.append(Post(at + 1, name, url, dates[at][1], text, ranges[at], kinds[at], parent))
    return out


# What the posts of one thread are, and which post a reply is nested in: by the markup around each.


def _kind(page: Page, start: int) -> str:
    """Return the kind named first by: the post, its ancestors, its first rows."""
    below = range(start + 1, min(start + 3, int(page.end[start])))
    for row in (start, *islice(page.ancestors(start), _LEVELS), *below):
        pairs = page.own_attributes.of(row)
        names = " ".join(filter(None, map(pairs.get, _NAMING)))
        for kind, pattern in _NAMED:
            if pattern.search(names):
                return kind
    return "post"


def _reply_to(search: ThreadSearch, starts: list[int], at: int) -> int | None:
    """Return the number, from 1, of the post that post ``at``, from 0, is nested in.

    One of its ancestors starts with the earlier post and is of the same kind as an element that
    starts with this post.
    """
    if not at:
        return None
    page, kind, start = search.page, search.features.kind, starts[at]
    # The elements that start with this post: its own, and its boxes around that.
    own = [start, *takewhile(lambda row: row > starts[at - 1], page.ancestors(start))]
    kinds = {one for one in map(kind, own) if "." in one.rpartition(">")[2] or one.endswith("li")}
    around = page.ancestors(own[-1]) if kinds else ()
    row = next((row for row in around if kind(row) in kinds), -1)
    return bisect_left(starts, row) + 1 if row >= 0 else None


# Posts of wikis' talk pages: each ends with a link to who wrote it, and the time with its zone.

_SIGNED: Final = re.compile(r"\d:\d\d[^()\n]{0,45}\([A-Z]{3,4}\)")
"""The end of a signature: 10:04, 1 March 2025 (UTC)."""
_PARTS: Final = re.compile("[:/=&]")  # of an address
_MOST_BETWEEN: Final = 4  # characters between the links of a signature, beside spaces
_DASHES: Final = " \t\n-–—"
_INDENTS: Final = tags.table(["dl", "ul", "ol"])


def _signed(features: PostFeatures) -> list[Post]:
    """Return the posts of a page whose lines are signed, in document order.

    Each replies to the last before it that stands in fewer lists, in its section.
    """
    page, blocks, out = features.page, features.blocks, list[Post]()
    behind, section, open_posts = 0, -1, list[tuple[int, int]]()  # their lists and numbers
    for found in _SIGNED.finditer(page.text):
        last = int(page.text_at.searchsorted(found.end())) - 1
        at = int(blocks.first.searchsorted(last, "right")) - 1
        start, stop = int(blocks.first[at]), int(blocks.last[at])
        date, author = date_in(page.folded(last)), _signer(page, start, last)
        if author < 0 or not date or page.own_length[last + 1 : stop].any():
            continue
        heads = (one for one in range(at, behind - 1, -1) if tags.HEADING[blocks.owner_tag[one]])
        before, section = section, next(heads, section)
        begin = max(behind, section + 1) if section >= 0 else at
        line = " ".join(page.text[page.text_at[start] : page.text_at[author]].split())
        text = "\n".join([*features.texts[begin:at], line.rstrip(_DASHES)]).strip()
        indent = int(_INDENTS[page.tag[[*page.ancestors(start)]]].sum())
        open_posts = [one for one in open_posts if one[0] < indent and section == before]
        parent = open_posts[-1][1] if open_posts else None
        open_posts.append((indent, len(out) + 1))
        rows, behind = (int(blocks.first[begin]), stop), at + 1
        url = page.addresses.find(page.attribute(link_at(page, author), "href"))
        name = page.folded(author)
        out.append(Post(len(out) + 1, name, url, date, text, rows, "comment", parent))
        if len(out) == _MOST:
            break
    return out


def _signer(page: Page, start: int, stop: int) -> int:
    """Return the row with the name of who signed a line, -1 for none.

    It is the first of the links at the line's end that lead to a page of their own text.
    """
    written = (row for row in range(stop - 1, start - 1, -1) if page.own_length[row])
    near = takewhile(
        lambda row: page.in_link[row] or len(page.folded(row).strip(_DASHES)) <= _MOST_BETWEEN,
        written,
    )
    author = -1
    for row in near:
        link = next((one for one in page.ancestors(row) if page.name(one) == "a"), -1)
        href = unquote(page.attribute(link, "href") or "") if link >= 0 else ""
        names = _PARTS.split(href.partition("#")[0].replace("_", " ").casefold())
        if (
            ":" in href.removeprefix("https:")
            and page.folded(row).replace("_", " ").casefold() in names
        ):
            author = row
    return author
