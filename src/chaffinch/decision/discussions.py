"""What people write to each other: posts of a thread, readers' comments below a text."""

from __future__ import annotations

from functools import lru_cache
from itertools import compress, islice
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from chaffinch.decision.draft import ARTICLE, OF_ONE_PRODUCT, OF_ONE_TEXT, SURE, THREAD, Draft
from chaffinch.decision.structure import apart
from chaffinch.elements import WORDS
from chaffinch.elements.dates_in_text import may_hold_date
from chaffinch.kernels import Names
from chaffinch.kernels.arrays import Mask, marked
from chaffinch.lazy import lazy_module
from chaffinch.lists.post_features import LONGEST_LABEL, date_in, is_comments_label
from chaffinch.model.features import Features
from chaffinch.model.head_signals import FACTS
from chaffinch.model.name_hashes import cut_words
from chaffinch.page import Page, tags
from chaffinch.page.attributes import Search
from chaffinch.segment.text_blocks import TextBlocks

if TYPE_CHECKING:
    from chaffinch.lists.discussion import Post

discussion = lazy_module("chaffinch.lists.discussion")
post_parts = lazy_module("chaffinch.lists.post_parts")

_LEAST_THREAD: Final = 2  # posts without which a page shows no thread
_SHARE_KEPT: Final = 0.3
"""Share of the posts that must be kept for the most part: less, and they are something else.
Chosen among 0, 0.3 and 0.5 by held-out folds, each without the domains it is measured on."""
_LEAST_TITLED, _START = 0.2, 10
"""Score of a post's title, and characters with which none begins as the page's. On the threads of
the training corpora such titles have 0.28 and more, ranks of users and dates 0.18 and less."""
_COMMENT: Final = "comment"
_LEAST_SHOWN: Final = 3  # posts that show a thread by themselves
_LEAST_SIGNED: Final = 0.6  # least share of them with an author, and with a date
_LEAST_USERS: Final = 2
_OF_USERS: Final = frozenset(("class", "href"))  # attributes of which one names or links users
_LINE: Final = 12  # words outside links from which a block is running text
_LEAST_WRITTEN: Final = 60  # words of such text in the posts
_MOST_BESIDE, _MOST_IF_LIKELY = 0.5, 1.0
"""Share of it that stands beside the posts at most: more, and they follow a text. The second holds
where a thread is likely; any from 1 to 2 does.
These bounds were read off pages of the folds, by weights that haven't seen them; no domains were
left out in choosing them. Two posts are often an article and another one, and without dates or
users they are answers in an interview or entries of a list."""


_NOTICES: Final = "alert announcement banner dismiss donate notice side sidebar".split()
_NAMED_NOTICES: Final = tuple(Search(name, *_NOTICES) for name in ("class", "id"))
"""Words of class and id of what a board tells all its readers, and of what stands beside posts."""


def shows_thread(found: Features, *, likely: bool, sure: bool = False) -> bool:
    """Return whether posts of several people are most of what a page says.

    Comments below one post are mostly on an article, but where a thread is ``likely``.
    """
    blocks, page = found.blocks, found.blocks.page
    if found.facts[_SAYS_ARTICLE].any() and not sure:
        return False
    if not (_OF_USERS & {*page.attribute_names}):
        return False
    posts = discussion.posts(page)
    count = len(posts)
    users = {post.author for post in posts}
    if count < _LEAST_SHOWN or not (
        len(users) >= _LEAST_USERS or all(map(post_parts.is_nobody, users))
    ):
        return False
    signed = sum(bool(post.author) for post in posts), sum(bool(post.date) for post in posts)
    if min(signed) < _LEAST_SIGNED * count:
        return False
    comments = sum(post.kind == _COMMENT for post in posts)
    if not likely and posts[0].kind != _COMMENT and 2 * comments > count:
        return False
    written = found.units * (1 - blocks.link_length / np.maximum(blocks.length, 1))
    written[written < _LINE] = 0
    within = _in_posts(blocks, sorted(posts, key=lambda post: post.rows)) >= 0
    beside = ~(within | _of_board(page, posts).take(blocks.first))
    own, most = written[within].sum(), _MOST_IF_LIKELY if likely else _MOST_BESIDE
    return bool(own >= _LEAST_WRITTEN and (sure or written[beside].sum() <= most * own))


def thread_posts(draft: Draft) -> None:
    """Keep the bodies of a thread's posts, where some of them are kept, and nothing else.

    What is certain was told by the posts themselves, or the network is as sure as that. Behind the
    last of three or more signed posts nothing is of the thread: on no labelled page was it content.
    """
    found = sorted(discussion.posts(draft.page), key=lambda post: post.rows)
    if len(found) < _LEAST_THREAD:
        return
    kept = _thread_posts(draft, found, shown=draft.certainty == 1)
    if kept is not None:
        draft.keep = kept if draft.certainty >= SURE else draft.keep & kept
    behind: Mask = draft.keep & (draft.blocks.first >= max(post.rows[1] for post in found))
    goes = len(found) > _LEAST_THREAD and all(post.author and post.date for post in found)
    if kept is not None and not goes:  # where they are mostly links to other threads
        goes = (draft.units * (2 * draft.link_share - 1))[behind].sum() > 0
    if goes and draft.leaves(behind):
        draft.keep = draft.keep & ~behind


def _thread_posts(draft: Draft, found: list[Post], *, shown: bool) -> Mask | None:
    """Return bool[m]: what is kept of a page whose posts are its content; None where they aren't.

    With ``shown`` the page is known to show a thread (`shows_thread`).

    Of posts it is their bodies, without what boards put around them: users, signatures, buttons.
    Comments on questions and answers are kept as far as they were, others on posts where nothing of
    them is, too.
    """
    blocks, units, keep = draft.blocks, draft.units, draft.keep
    of_post, count = _in_posts(blocks, found), len(found)
    in_body = _in_bodies(blocks, of_post, found)
    words = np.bincount(of_post[in_body], units[in_body], count)
    kept = np.bincount(of_post[in_body & keep], units[in_body & keep], count)
    written = words > 0
    if written.sum() < _LEAST_THREAD:
        return None
    comment = np.array([post.kind == _COMMENT for post in found])
    own = written & ~comment if (written & ~comment).sum() >= _LEAST_THREAD else written
    few = (2 * kept >= words)[own].sum() < _SHARE_KEPT * own.sum()
    if few and (
        2 * kept.sum() > words.sum() or not (shown or shows_thread(draft.features, likely=True))
    ):
        return None
    added = own & (~comment | (shown and comment.all()))
    if added.any() and not any(post.kind in ("question", "answer") for post in found):
        added |= comment & (kept == 0)
    out = keep & ((of_post < 0) | in_body)
    out[in_body] |= added[of_post[in_body]]
    is_beside = np.isin(of_post, of_post[out]) & ~in_body
    out[_own_titles(draft, of_post, is_beside, found)] = True
    beside = (out & (of_post < 0)).nonzero()[0].tolist()
    if beside:
        lines = {" ".join(line.split()) for post in found for line in post.text.splitlines()}
        told = {line for line in lines if not post_parts.OF_CODE.search(line)}
        of_board = _of_board(blocks.page, found)
        out[[at for at in beside if of_board[blocks.first[at]] or blocks.text(at) in told]] = False
    return out


def _own_titles(
    draft: Draft, of_post: NDArray[np.intp], beside: Mask, found: list[Post]
) -> list[int]:
    """Return headings ``beside`` the bodies that are titles of posts: two or more, each another.

    None is the title of the thread, its start with what follows, or what is replied to.
    """
    blocks, thread = draft.blocks, draft.page.head.title
    heads = (draft.score >= _LEAST_TITLED) & (of_post >= 0) & beside
    heads &= tags.HEADING.take(blocks.owner_tag)
    titles = dict[int, str]()
    for at in heads.nonzero()[0].tolist():
        text = " ".join(blocks.text(at).split())
        is_other = text != found[of_post[at]].author and text not in thread
        is_other &= not (thread.startswith(text[:_START]) or post_parts.REPLY_TITLE.match(text))
        if is_other:
            titles[at] = text
    posts, different = {*of_post[[*titles]].tolist()}, {*titles.values()}
    is_each = len(posts) == len(different) == len(titles) >= _LEAST_THREAD
    return [*titles] if is_each else []


def _of_board(page: Page, found: list[Post]) -> Mask:
    """Return bool[n]: rows in elements beside the posts that are named for notices of the board.

    None of them holds the headline, half of the title, as what has room for a sidebar does.
    """
    mask, words = np.zeros(len(page), dtype=bool), {*map(str.encode, _NOTICES)}
    for search in _NAMED_NOTICES:
        mask[search.where(page, lambda own: bool(words & cut_words((own, None))))] = True
    rows = page.is_tag("h1").nonzero()[0].tolist() if "h1" in page.tag_names else ()
    texts, title = {row: page.folded(row) for row in rows}, page.head.title
    heads = [row for row, text in texts.items() if 2 * len(text) > len(title) and text in title]
    around = marked(len(page), [*(post.rows[0] for post in found), *heads])
    return page.inside(mask & ~page.around(around))


def _in_posts(blocks: TextBlocks, found: list[Post]) -> NDArray[np.intp]:
    """Return intp[m], the number from 0 of the ordered post that each block is in, -1 for none.

    A block is of the last post that begins above it: each is looked at once, however posts nest.
    """
    starts, ends = np.array([post.rows for post in found]).T
    of_post = np.searchsorted(starts, blocks.first, side="right") - 1
    of_post[blocks.first >= ends[of_post]] = -1
    return of_post


def _in_bodies(blocks: TextBlocks, of_post: NDArray[np.intp], found: list[Post]) -> Mask:
    """Return bool[m]: blocks that are lines of their posts' texts."""
    lines = [{" ".join(line.split()) for line in post.text.splitlines()} for post in found]
    mask = np.zeros(len(blocks), dtype=bool)
    within = (of_post >= 0).nonzero()[0]
    each = zip(blocks.texts(within), of_post[within].tolist(), strict=True)
    mask[within] = [text in lines[post] for text, post in each]
    return mask


_WORDS: Final = frozenset(WORDS["names of comments"].encode().split())
"""Words of class and id, cut at hyphens, digits and changes of case, in lower case."""
_OF_SHOPS: Final = frozenset((b"comment",))  # what a shop says of its product, too
_REPLIES: Final = Search("class", "reply")
_STEMS: Final = [
    word.decode()
    for word in sorted(_WORDS)
    if not any(other in word for other in _WORDS if other != word)
]
"""Those of `_WORDS` that contain no other one: each name that has a word contains one of these."""
_NAMED: Final = tuple(Search(name, *_STEMS) for name in ("class", "id"))
_BY_AUTHOR: Final = Search("rel", "author")
_MAY_HOLD: Final = (
    tags.BLOCK & ~tags.HEADING & ~tags.PREFORMATTED & ~tags.table(["html", "body", "main"])
)
"""Tags of elements that may hold comments, but within code."""
_LEAST_BEFORE: Final = 40
"""Words of kept text above the first comment: less may be the start of a thread."""
_LEAST_TEXT: Final = 300
"""The same where the page looks like a thread, whose opening post is shorter. On all folds of the
training corpora any number from 240 to 500 does."""
_FEWEST_REPLIES: Final = 2  # controls to reply that tell comments
_MOST_BEHIND: Final = 16  # words of a line or two of boilerplate that may stand behind comments
_SAYS_ARTICLE: Final = [FACTS.index(name) for name in ("json_ld_article", "og_article")]
_SAYS_THREAD: Final = FACTS.index("json_ld_discussion")
_LEAST_LENGTH: Final = 200
"""Characters of kept text outside the posts, without which the posts are the content."""


def says_article(draft: Draft) -> bool:
    return bool(draft.features.facts[_SAYS_ARTICLE].any())


def reader_comments(draft: Draft) -> Mask | None:
    """Return bool[m]: kept blocks in elements named for comments at the end; None for none.

    On a page that looks like a thread more than an opening post stands above them, and the page
    says that it is an article; or its author is linked as such above them, and none of theirs.
    """
    policy, facts = draft.policy, draft.features.facts
    if policy is None or policy.comments:
        return None
    if draft.kind == THREAD and facts[_SAYS_THREAD]:
        return None
    is_sure = draft.kind != THREAD and (policy.comments is not None or draft.is_surely(OF_ONE_TEXT))
    if not is_sure and draft.kind not in (ARTICLE, THREAD):
        return None
    if (mask := _closing_comments(draft)) is None or is_sure:
        return mask
    says = says_article(draft)
    is_one = (
        says and draft.units[draft.keep & ~mask].sum() >= _LEAST_TEXT
        if draft.kind == THREAD
        else says or _are_few(draft, mask)
    )
    return mask if is_one or _is_signed_above(draft.page) else None


def _is_signed_above(page: Page) -> bool:
    """Return whether links to the author of the page stand above all posts."""
    links = _BY_AUTHOR.rows(page)
    return bool(links) and all(post.rows[0] > max(links) for post in discussion.posts(page))


def _are_few(draft: Draft, mask: Mask) -> bool:
    """Return whether some blocks say no more than half of what is kept."""
    return bool(2 * draft.units[mask].sum() <= draft.units[draft.keep].sum())


_BOLD: Final = tags.table(["b", "strong"])
_FEWEST_SIGNED: Final = 3  # names above comments
_MOST_LABELS: Final = 10  # lines that are looked at as labels of comments
_MOST_UNSURE: Final = 30  # blocks of comments below a label on a page of unsure type


def _closing_comments(draft: Draft) -> Mask | None:
    kept = draft.keep.nonzero()[0]
    above = draft.units.take(kept).cumsum()
    enough, count = int(above.searchsorted(_LEAST_BEFORE)), len(kept)
    if enough == count:
        return None
    start, seen = draft.blocks.first.item(kept[enough]), set[int]()
    for end in range(count, max(count - 3, 0), -1):  # without the last line, or two
        if above.item(-1) - above.item(end - 1) > _MOST_BEHIND:
            break
        stop, named = end, -1
        while stop and (top := _named_around(draft, kept[stop - 1], start, seen)) >= 0:
            stop, named = int(draft.blocks.first.take(kept).searchsorted(top)), top
        if stop < end and not _stand_in_text(draft, kept, named):
            return marked(len(draft.keep), kept[stop:end])
    if (answered := _with_replies(draft, kept, start)) is not None:
        return answered
    below = _below_label(draft, kept, kept[enough])
    if below is None or says_article(draft) or draft.kind in OF_ONE_PRODUCT:
        return below
    # a long list of links may have a section of reviews
    is_short = draft.is_surely(OF_ONE_TEXT) or np.count_nonzero(below) <= _MOST_UNSURE
    return below if is_short and (_are_few(draft, below) or _are_signed(draft, below)) else None


def _stand_in_text(draft: Draft, kept: NDArray[np.intp], row: int) -> bool:
    """Return whether elements named as one stand above it, each with other kept text behind."""
    page, kinds, starts = draft.page, draft.kinds, draft.blocks.first[kept]
    alike = ((kinds[:row] == kinds[row]) & (page.end[:row] <= row)).nonzero()[0]
    after = starts.searchsorted(page.end.take(alike))
    after = after[after > starts.searchsorted(alike)]
    return len(after) > 1 and not page.inside(kinds == kinds[row])[starts[after]].any()


def _with_replies(draft: Draft, kept: NDArray[np.intp], start: int) -> Mask | None:
    """Return bool[m]: what is kept in siblings below a row, each with a control to reply; or None.

    None where posts of a thread, or comments with names, were found.
    """
    page = draft.page
    controls = [row for row in _REPLIES.rows(page) if row > start]
    items = [
        apart(page, row, controls[max(at - 1, 0) : at] + controls[at + 1 : at + 2])
        for at, row in enumerate(controls)
    ]
    if len(items) < _FEWEST_REPLIES or len({page.parent.item(row) for row in items}) > 1:
        return None
    own = draft.blocks.first.searchsorted((items[0], page.end[items[-1]]))
    found = _ending(draft, kept, *own)
    is_thread = found is not None and any(post.author for post in discussion.posts(page))
    return None if is_thread else found


def _ending(draft: Draft, kept: NDArray[np.intp], first: int, stop: int) -> Mask | None:
    """Return bool[m]: the kept ones of some blocks with next to nothing kept behind, or None."""
    within = kept[(kept >= first) & (kept < stop)]
    is_few = draft.units[kept[kept >= stop]].sum() <= _MOST_BEHIND
    return marked(len(draft.keep), within) if is_few and len(within) else None


def _below_label(draft: Draft, kept: NDArray[np.intp], start: int) -> Mask | None:
    """Return bool[m]: what is kept below a line such as «2 comments», to its element's end.

    One stands below ``start``, next to nothing is kept behind, and something is dated, or signed
    in bold letters; where it is no heading, that.
    """
    blocks, page = draft.blocks, draft.page
    may = tags.HEADING.take(blocks.owner_tag)
    may[:-1] |= _names_in_bold(blocks)[1:]
    may &= blocks.length <= LONGEST_LABEL
    places = may[start : kept[-1]].nonzero()[0] + start
    labels = compress(places.tolist(), map(is_comments_label, blocks.texts(places)))
    for at in islice(labels, _MOST_LABELS):
        is_head = tags.HEADING[blocks.owner_tag[at]]
        top = (blocks.owner if is_head else blocks.outermost).item(at)
        stop = int(blocks.first.searchsorted(page.end.item(page.parent.item(top))))
        lines = blocks.texts(range(at + 1, stop)) if is_head else []
        if any(may_hold_date(line) or date_in(line) for line in lines) or _are_signed(
            draft, marked(len(blocks), range(at + 1, stop))
        ):
            found = _ending(draft, kept, at, stop)
            if found is not None:
                return found
    return None


def _are_signed(draft: Draft, within: Mask) -> bool:
    """Return whether half of the elements of some blocks begin with a name in bold letters."""
    blocks = draft.blocks
    count = int(np.count_nonzero(within & _names_in_bold(blocks)))
    return count >= _FEWEST_SIGNED and 2 * count >= len({*blocks.outermost[within].tolist()})


def _names_in_bold(blocks: TextBlocks) -> Mask:
    """Return bool[m]: short blocks in bold letters, in one element with what follows."""
    page = blocks.page
    names: Mask = _BOLD.take(page.tag.take(page.parent.take(blocks.first)))
    names &= blocks.length <= LONGEST_LABEL
    if 1 in names.tobytes():
        names[:-1] &= blocks.outermost[1:] == blocks.outermost[:-1]
    return names


def _named_around(draft: Draft, block: int, start: int, seen: set[int]) -> int:
    """Return the highest element around a block, below ``start``, named for comments; -1 for none.

    What is kept above an element doesn't change by what is dropped below it: one that was ``seen``,
    and passed over, for one block is for all.
    """
    page, row, highest = draft.page, draft.blocks.owner.item(block), -1
    names = draft.features.names
    while row > start and row not in seen:
        seen.add(row)
        number = names.of_row.item(row)  # 0 for no names
        if number and (words := _comment_words(names.set_of(number))) and _MAY_HOLD[page.tag[row]]:
            is_of_shop = draft.kind in OF_ONE_PRODUCT and words <= _OF_SHOPS
            is_code = any(tags.PREFORMATTED[page.tag[at]] for at in page.ancestors(row))
            if not (is_code or (is_of_shop and not discussion.posts(page))):
                highest = row
        row = page.parent.item(row)
    return highest


def in_comments(blocks: TextBlocks, keep: Mask) -> Mask:
    """Return bool[m]: blocks in posts below a text; none where the posts are the content.

    Where no posts are found, as of a single comment, elements named for comments count.
    """
    page = blocks.page
    mask = _within_posts(page, discussion.posts(page))
    if not mask.any():
        for search in _NAMED:
            mask[search.where(page, lambda own: bool(_comment_words((own, None))))] = True
        may_hold = _MAY_HOLD.take(page.tag) & ~page.inside(tags.PREFORMATTED.take(page.tag))
        mask = page.inside(mask & may_hold)
    within: Mask = mask[blocks.first]
    return within if _follow_a_text(blocks, keep, within) else np.zeros(len(blocks), dtype=bool)


def posts_below(blocks: TextBlocks, keep: Mask, found: list[Post]) -> list[Post]:
    """Return the posts with a text that readers wrote below that of the page; [] for a thread."""
    below = _follow_a_text(blocks, keep, _within_posts(blocks.page, found)[blocks.first])
    return [post for post in found if post.text] if below else []


def _within_posts(page: Page, found: list[Post]) -> Mask:
    mask = np.zeros(len(page), dtype=bool)
    for post in found:
        mask[slice(*post.rows)] = True
    return mask


def _follow_a_text(blocks: TextBlocks, keep: Mask, within: Mask) -> bool:
    """Return whether enough kept text stands above the first of the blocks ``within``."""
    above = keep & ~within
    above[int(within.argmax()) if within.any() else 0 :] = False
    return bool(blocks.length[above].sum() >= _LEAST_LENGTH)


@lru_cache(maxsize=1 << 12)
def _comment_words(names: Names) -> frozenset[bytes]:
    return _WORDS & cut_words(names)
