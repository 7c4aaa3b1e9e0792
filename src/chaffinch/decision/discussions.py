"""What people ask and answer: questions and answers, posts of a thread, readers' comments."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache
from itertools import accumulate, islice, pairwise
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from chaffinch.caching import finds
from chaffinch.decision.draft import OF_ANSWERS, OF_ONE_PRODUCT, OF_ONE_TEXT, SURE, THREAD, Draft
from chaffinch.decision.structure import BARS, apart
from chaffinch.elements.dates_in_text import may_hold_date
from chaffinch.kernels import Names
from chaffinch.kernels.arrays import Floats, Mask, marked
from chaffinch.lazy import lazy_module
from chaffinch.lists.post_features import LONGEST_LABEL, is_comments_label
from chaffinch.model.features import Features
from chaffinch.model.head_signals import FACTS
from chaffinch.model.name_hashes import cut_words
from chaffinch.page import Page, tags
from chaffinch.segment.text_blocks import TextBlocks

if TYPE_CHECKING:
    from chaffinch.lists.discussion import Post

discussion = lazy_module("chaffinch.lists.discussion")
post_parts = lazy_module("chaffinch.lists.post_parts")

MARKS: Final = ("?", "？", "؟")
_GREEK: Final = (*MARKS, ";", "\u037e")
_UNMARKED: Final = ("すか", "んか", "うか", "吗", "嗎", "呢", "까")
"""Endings of sentences that ask without a question mark."""
_ASKING: Final = (*MARKS, *_UNMARKED)
_FULL_STOPS: Final = ("。", "다")  # signs of which pages in languages with such endings have one
_AT_END: Final = 6
"""Characters of a block from its question mark on: a sign that it opens may follow."""
_FEWEST: Final = 3  # questions of a list
_MOST_ROWS: Final = 4096
"""Rows of the element around a list in which questions without a sign are sought."""
_FEWEST_OPEN: Final = 2  # questions of a list where a control or a name marks each
_CONTROLS: Final = tags.table(["button", "label", "summary", "dt", "legend"])
_LEVELS: Final = 3  # elements around a question in which its control is sought
_NAMED: Final = re.compile(r"(?<![a-z])faq|question|accordion|toggle", re.IGNORECASE)
_FEWEST_WORDS: Final = 2
_LONGEST: Final = 40  # words of a question
_KEPT: Final = 0.3
"""Share of the answers' words that is kept from which the scores have judged it, unless each is one
block: then questions above kept answers are added alone."""
_PAIR: Final = 2  # blocks from a question to the next where each answer is one block
_MOST_ANSWER: Final = 20  # blocks of an answer
_LINKED: Final = 0.4
"""Share of the answers' characters in links up to which they are answers, not teasers."""
_LEAST_ANSWER: Final = 2
"""Words of an answer on average, but where a control or a name marks each question."""
_QUESTION: Final = re.compile(
    r"(?<![a-z])(?:q|question|(?:accordion|acc?d?|toggle|collaps(?:e[dr]?|ible|ing)|tab|faq|qa|spoiler|expander)"
    r"[-_]{0,3}(?:q|t|question|title|ttl|head(?:er|ing)?|btn|button|trigger|toggle|label|link))(?![a-z])",
    re.IGNORECASE,
)
"""Class names of an element that holds a question alone, with a question mark or none."""
names_question: Final = finds(_QUESTION, 2048)
_QUESTION_WORDS: Final = (
    "faq", "question", "accord", "acc-", "acc_", "acd-", "acd_", "toggle", "collaps", "tab-",
    "tab_", "tabt", "spoiler", "expander", "-q", "_q", "q-", "q_", "q ", "q\n",
)  # fmt: skip
"""Each such name that is looked for has one of these in it."""
_NEAR: Final = 5  # blocks between the first question and kept text, a heading among them
_LEAST: Final = 0.05  # mean score of the blocks
_SOLUTION: Final = re.compile(
    r"[【\[（(]?\s?(?:参考答案|正确答案|答案|解答|正解|答え|정답|해답|"
    r"(?:correct |right )?answer|solution|(?:richtige )?antwort|lösung|(?:bonne )?réponse|"
    r"antwoord|svar|"
    r"respuesta(?: correcta)?|solución|risposta(?: corretta| esatta)?|resposta(?: correta)?|"
    r"gabarito|"
    r"alternativa correta|correct option|vastaus|απάντηση|kunci jawaban|เฉลย|উত্তর|الجواب|"
    r"(?:правильный )?ответ|відповідь|odpowiedź|odpověď|đáp án|doğru cevap|cevap|الإجابة|jawaban)"
    r"\s?(?:[】\]）)]\s?[:：]?|[:：])\s?\S",
    re.IGNORECASE,
)
_OPTION: Final = re.compile(
    r"(?:[(（]?[a-hA-Hа-еА-Еア-オ]\s?[.．、)）:：]|[ア-オ]\u3000|[①-⑧])\s?\S"
)
_SIGNED: Final = re.compile("[:：】\\]）).．、\u3000①-⑧]")
"""Signs of which each solution and each option has one."""
_MAY_SOLVE: Final = re.compile("[:：】\\]）).．、\u3000①-⑧?？؟か吗嗎呢까]")
"""One of those, or the last letter of a question."""
_ITEM: Final = tags.CODES["li"]
_MOST_OPTIONS: Final = 6  # options without letters, items of a list
_SHORT: Final = 12  # words of a line with the solution or an option


def questions(draft: Draft) -> Mask | None:
    """Return bool[m]: questions with their answers near kept text, and solutions; None for none."""
    added, keep = None, draft.keep
    if draft.kind in OF_ANSWERS or draft.certainty < SURE or draft.page.holds("legend"):
        added = _questions_and_answers(draft)
        keep = keep if added is None else keep | added
    solved = _solutions(draft.blocks, draft.units, keep)
    return added if solved is None else solved if added is None else added | solved


def _questions_and_answers(draft: Draft) -> Mask | None:
    """Return bool[m]: questions and answers that are to be kept, too; None for none.

    Where people may ask each other, only those that a control opens, or a name marks.
    """
    blocks, units, keep = draft.blocks, draft.units, draft.keep
    asked = sorted({*_questions(blocks, units), *_named_questions(draft)})
    if len(asked) < _FEWEST_OPEN:
        return None
    mask = np.zeros(len(keep), dtype=bool)
    for some in _lists(blocks, asked):
        own = slice(some[0], _end(blocks, some))
        is_near = keep[max(own.start - _NEAR, 0) : own.stop + _NEAR].any()
        if not is_near or not _is_answered(blocks, units, some, own):
            continue
        if draft.kind not in OF_ANSWERS and not _are_open(blocks, some):
            continue
        answers = units[own].copy()
        answers[np.array(some) - own.start] = 0
        is_even = all(after - at == _PAIR for at, after in pairwise(some))
        if not is_even and answers[keep[own]].sum() > _KEPT * answers.sum():
            ends = zip(some, [*some[1:], own.stop], strict=True)  # "A" may stand before an answer
            mask[[at for at, end in ends if keep[at + 1 : end].any()]] = True
        elif draft.score[own].mean() >= _LEAST:
            mask[own] = True
    return mask & ~blocks.inside(BARS) if mask.any() else None


def _questions(blocks: TextBlocks, units: Floats) -> list[int]:
    """Return the blocks of the length of a question that end with a question mark, in order."""
    text, places = blocks.page.text, list[int]()
    for mark in _signs_of(text):
        at = text.find(mark)
        while at >= 0:
            places.append(at + len(mark) - 1)
            at = text.find(mark, at + 1)
    if len(places) < _FEWEST_OPEN:
        return []
    places.sort()
    (_, ends), words, count = blocks.spans, units.item, len(units)
    last = {bisect_right(ends, place): place for place in places}  # of the marks in a block
    near = [at for at, place in last.items() if at < count and ends[at] - place <= _AT_END * 8]
    if len(near) < _FEWEST_OPEN:
        return []
    return [
        at
        for at in near
        if _FEWEST_WORDS <= words(at) <= _LONGEST and _ends_with(text[last[at] : ends[at]])
    ]


def _signs_of(text: str) -> tuple[str, ...]:
    """Return the signs of a question that a text may hold."""
    if text.isascii():
        return MARKS[:1]
    if "ς" in text:
        return _GREEK
    return _ASKING if any(sign in text for sign in _FULL_STOPS) else MARKS


def _named_questions(draft: Draft) -> list[int]:
    """Return the blocks of the length of a question that fill an element named for one."""
    blocks, page = draft.blocks, draft.page
    rows = page.rows_that_may("class", _QUESTION_WORDS)
    if not len(rows):
        return []
    begin, stop = blocks.first.searchsorted((rows, page.end.take(rows)))
    rows, alone = rows[stop - begin == 1], begin[stop - begin == 1]
    words = draft.units.take(alone)
    fits = (words >= _FEWEST_WORDS) & (words <= _LONGEST)
    classes = page.own_attributes.values_of(rows[fits], "class") if 1 in fits.tobytes() else []
    each = zip(alone[fits].tolist(), classes, strict=True) if classes else ()
    return [at for at, (names,) in each if names_question(names or "")]


def asks(text: str) -> bool:
    """Return whether a text ends as a question does, or with a sign behind that."""
    text = text[-2 * _AT_END :]
    if not any(map(text.__contains__, _ASKING)):
        return False
    at = max((text.rfind(mark), len(mark)) for mark in _ASKING)
    return _ends_with(text[sum(at) - 1 :])


def _ends_with(tail: str) -> bool:
    """Return whether the first character of a text is its last, but for a few signs behind it."""
    tail = " ".join(tail.split())
    return len(tail) <= _AT_END and not any(map(str.isalpha, tail[1:]))


def _lists(blocks: TextBlocks, asked: list[int]) -> list[list[int]]:
    """Return lists of questions: in siblings, in elements of one kind, something between each."""
    owners = blocks.owner.take(asked)
    page, tag = blocks.page, blocks.page.tag.take(owners).tolist()
    depth = page.depth.take(owners).tolist()
    lists, own = [], asked[:1]
    for number in range(1, len(asked)):
        gap, before = asked[number] - asked[number - 1], number - 1
        alike = tag[number] == tag[before] and depth[number] == depth[before]
        if not (alike and 1 < gap <= _MOST_ANSWER):
            lists.append(own)
            own = []
        own.append(asked[number])
    lists.append(own)
    return [
        some
        for some in (_with_others(blocks, some) for some in lists if len(some) >= _FEWEST_OPEN)
        if len(some) >= _FEWEST_OPEN
        and (len(some) >= _FEWEST or _are_open(blocks, some))
        and len({blocks.page.parent.item(row) for row in _items(blocks, some)}) == 1  # siblings
    ]


def _with_others(blocks: TextBlocks, some: list[int]) -> list[int]:
    """Return questions with those that ask without a sign: blocks that begin items as they do."""
    if all(any(map(blocks.text(at).__contains__, MARKS)) for at in some):
        return some
    page, items = blocks.page, np.array(_items(blocks, some))
    above = int(page.parent[items[0]])
    if page.end[above] - above > _MOST_ROWS:
        return some
    parts = np.array(page.children(above))
    parts = parts[page.tag[parts] == page.tag[items[0]]]
    if not np.isin(items, parts).all():
        return some
    first, stop = (blocks.first.searchsorted(rows) for rows in (parts, page.end[parts]))
    answered = stop - first > 1
    if not answered[np.isin(parts, items)].all():
        return some
    first = first[answered]
    owners = blocks.owner[first]
    like = blocks.owner[some[0]]
    alike = (page.tag[owners] == page.tag[like]) & (page.depth[owners] == page.depth[like])
    with_others = sorted({*some, *first[alike].tolist()})
    return with_others if 2 * len(some) >= len(with_others) else some


def _are_open(blocks: TextBlocks, some: list[int]) -> bool:
    """Return whether each question is a control, or named as one."""
    page = blocks.page
    around = (islice(page.ancestors(row), _LEVELS) for row in blocks.first.take(some).tolist())
    return all(any(_opens(page, above) for above in few) for few in around)


def _opens(page: Page, row: int) -> bool:
    given = page.attributes(row)
    if _CONTROLS[page.tag[row]] or given.get("role") == "button" or "aria-expanded" in given:
        return True
    names = given.get("class") or ""
    return _NAMED.search(names) is not None or names_question(names)


def _items(blocks: TextBlocks, some: list[int]) -> list[int]:
    """Return for each question the outermost element around it that holds no other."""
    page, first = blocks.page, blocks.first.take(some).tolist()
    items = []
    for at, row in enumerate(first):
        others = first[max(at - 1, 0) : at] + first[at + 1 : at + 2]
        items.append(apart(page, row, others))
    return items


def _end(blocks: TextBlocks, some: list[int]) -> int:
    """Return the block behind the last answer: at the end of its item, or as long as others are."""
    page, last = blocks.page, some[-1]
    item = _items(blocks, some[-2:])[-1]
    stop = int(blocks.first.searchsorted(page.end[item]))
    if stop > last + 1:
        return min(stop, last + _MOST_ANSWER)
    longest = max(after - at for at, after in pairwise(some))
    stop = int(blocks.first.searchsorted(page.end[page.parent[item]]))
    stop = min(stop, last + longest)
    heads = tags.HEADING.take(blocks.owner_tag[last + 1 : stop]).nonzero()[0]
    return last + 1 + int(heads[0]) if len(heads) else stop


def _is_answered(blocks: TextBlocks, units: Floats, some: list[int], own: slice) -> bool:
    answers = np.ones(own.stop - own.start, dtype=bool)
    answers[np.array(some) - own.start] = False
    linked = blocks.link_length[own][answers].sum()
    length = blocks.length[own][answers].sum()
    words = units[own][answers].sum()
    enough = words >= _LEAST_ANSWER * len(some) or (words >= len(some) and _are_open(blocks, some))
    return bool(own.stop > some[-1] + 1 and linked <= _LINKED * length and enough)


def _choices(blocks: TextBlocks, places: list[int]) -> list[int]:
    """Return those of some blocks that have boxes to tick, and what asks above them."""
    boxes = blocks.page.is_tag("input").nonzero()[0].searchsorted(blocks.last)
    return [at for at in places if boxes[at] > boxes[at - 1] and asks(blocks.text(at - 1))]


def _solutions(blocks: TextBlocks, units: Floats, keep: Mask) -> Mask | None:
    """Return bool[m]: solutions, and options to choose from, directly below kept blocks."""
    kept, count, words, text = keep.tobytes(), len(keep), units.item, blocks.page.text
    starts, stops = blocks.spans
    below = (keep[:-1] > keep[1:]) & (units[1:] <= _SHORT)
    places = (below.nonzero()[0] + 1).tolist()
    added = _choices(blocks, places) if places and blocks.page.holds("input") else []
    for at in places:  # and what follows a solution
        is_item = blocks.owner_tag.item(at) == _ITEM
        if not is_item and _MAY_SOLVE.search(text, starts[at], stops[at]) is None:
            continue
        asked = words(at) <= _SHORT and asks(blocks.text(at))
        stop = at + asked
        solved, lettered = False, True
        while stop < count and not kept[stop] and words(stop) <= _SHORT and not solved:
            own = ""
            if _SIGNED.search(text, starts[stop], stops[stop]) is not None:
                own = blocks.text(stop)
                solved = _SOLUTION.match(own) is not None
            if not solved and not (own and _OPTION.match(own)):
                if stop - at >= _MOST_OPTIONS or blocks.owner_tag.item(stop) != _ITEM:
                    break
                lettered = False
            stop += 1
        if solved or (lettered and not asked and stop - at >= _FEWEST):
            added += range(at, stop)
            if solved and stop < count and not kept[stop] and words(stop) <= _SHORT:
                places.append(stop)
    if not added:
        return None
    return marked(count, added)


_LEAST_THREAD: Final = 2  # posts without which a page shows no thread
_SHARE_KEPT: Final = 0.3
"""Share of the posts that must be kept for the most part: less, and they are something else.
Chosen among 0, 0.3 and 0.5 by held-out folds, each without the domains it is measured on."""
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


_NOTICES: Final = ("alert", "announcement", "banner", "dismiss", "donate", "notice")
"""Words of class and id of what a board tells all its readers."""


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
    own, beside = written[within].sum(), written[~within].sum()
    most = (_MOST_IF_LIKELY if likely else _MOST_BESIDE) * own
    return bool(own >= _LEAST_WRITTEN and (sure or beside <= most))


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
    beside = (out & (of_post < 0)).nonzero()[0].tolist()
    if beside:
        told = {" ".join(line.split()) for post in found for line in post.text.splitlines()}
        of_board = _of_board(blocks.page, found)
        out[[at for at in beside if of_board[blocks.first[at]] or blocks.text(at) in told]] = False
    return out


def _of_board(page: Page, found: list[Post]) -> Mask:
    """Return bool[n]: rows in elements beside the posts that are named for notices of the board."""
    mask, words = np.zeros(len(page), dtype=bool), {*map(str.encode, _NOTICES)}
    for name in ("class", "id"):
        named = page.rows_where(name, lambda own: bool(words & cut_words((own, None))), *_NOTICES)
        mask[named] = True
    around = marked(len(page), [post.rows[0] for post in found])
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


_WORDS: Final = frozenset(
    b"comment comments commentlist commentarea comentarios comentario commentaires commentaire"
    b" commenti kommentar kommentare kommentarer disqus reviews testimonials recenzje"
    b" recensioni bewertungen rezensionen opiniones reacties guestbook coment coments komentarz"
    b" komentarze komentare komentari kommentarii kommenty opinie yorum yorumlar pinglun"
    b" feedback comm diskuse diskuze diskusia dyskusja".split()
)
"""Words of class and id, cut at hyphens, digits and changes of case, in lower case."""
_STEMS: Final = tuple(
    word.decode()
    for word in sorted(_WORDS)
    if not any(other in word for other in _WORDS if other != word)
)
"""Those of `_WORDS` that contain no other one: each name that has a word contains one of these."""
_MAY_HOLD: Final = (
    tags.BLOCK & ~tags.HEADING & ~tags.PREFORMATTED & ~tags.table(["html", "body", "main"])
)
"""Tags of elements that may hold comments, but within code."""
_LEAST_BEFORE: Final = 40
"""Words of kept text above the first comment: less may be the start of a thread."""
_LEAST_TEXT: Final = 300
"""The same where the page looks like a thread, whose opening post is shorter. On all folds of the
training corpora any number from 240 to 500 does."""
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
    says that it is an article.
    """
    policy, facts = draft.policy, draft.features.facts
    if policy is None or policy.comments:
        return None
    if draft.kind == THREAD:
        if facts[_SAYS_THREAD] or not says_article(draft):
            return None
        mask = _closing_comments(draft)
        left = 0 if mask is None else draft.units[draft.keep & ~mask].sum()
        return mask if left >= _LEAST_TEXT else None
    if policy.comments is None and not draft.is_surely(OF_ONE_TEXT):
        return None
    return _closing_comments(draft)


def _closing_comments(draft: Draft) -> Mask | None:
    kept, seen = draft.keep.nonzero()[0], set[int]()
    if not len(kept):
        return None
    above = accumulate(draft.units[kept].tolist())
    enough = next((at for at, words in enumerate(above) if words >= _LEAST_BEFORE), -1)
    starts = draft.blocks.first[kept].tolist()
    behind = draft.units[kept][::-1].cumsum() <= _MOST_BEHIND
    for end in range(len(kept), len(kept) - 1 - int(behind[:2].sum()), -1):
        stop = end
        while stop and (top := _named_around(draft, kept[stop - 1], starts[enough], seen)) >= 0:
            stop = bisect_left(starts, top)
        if stop < end:
            return marked(len(draft.keep), kept[stop:end])
    says = says_article(draft) or draft.kind in OF_ONE_PRODUCT
    return _below_label(draft, kept, kept[enough]) if says and enough >= 0 else None


def _below_label(draft: Draft, kept: NDArray[np.intp], start: int) -> Mask | None:
    """Return bool[m]: what is kept below a heading such as «2 comments», to its element's end.

    One stands below ``start``, next to nothing is kept behind, and something is dated.
    """
    blocks, page = draft.blocks, draft.page
    may = tags.HEADING.take(blocks.owner_tag) & (blocks.length <= LONGEST_LABEL)
    for at in (may[start : kept[-1]].nonzero()[0] + start).tolist():
        if not is_comments_label(blocks.text(at)):
            continue
        end = page.end.item(page.parent.item(blocks.owner.item(at)))
        stop = int(blocks.first.searchsorted(end))
        behind = draft.units[kept[kept >= stop]].sum()
        dated = any(map(may_hold_date, blocks.texts(range(at + 1, stop))))
        if behind <= _MOST_BEHIND and dated:
            return marked(len(draft.keep), kept[(kept >= at) & (kept < stop)])
    return None


def _named_around(draft: Draft, block: int, start: int, seen: set[int]) -> int:
    """Return the highest element around a block, below ``start``, named for comments; -1 for none.

    What is kept above an element doesn't change by what is dropped below it: one that was ``seen``,
    and passed over, for one block is for all.
    """
    page, row, highest = draft.page, draft.blocks.owner.item(block), -1
    names = draft.features.names
    while row > start and row not in seen:
        seen.add(row)
        if _MAY_HOLD[page.tag[row]] and _name_comments(names.set_of(names.of_row[row])):
            is_code = any(tags.PREFORMATTED[page.tag[at]] for at in page.ancestors(row))
            highest = highest if is_code else row
        row = page.parent.item(row)
    return highest


def in_comments(blocks: TextBlocks, keep: Mask) -> Mask:
    """Return bool[m]: blocks in posts below a text; none where the posts are the content.

    Where no posts are found, as of a single comment, elements named for comments count.
    """
    page = blocks.page
    mask = np.zeros(len(page), dtype=bool)
    for post in discussion.posts(page):
        mask[post.rows[0] : post.rows[1]] = True
    if not mask.any():
        for name in ("class", "id"):
            mask[page.rows_where(name, lambda own: _name_comments((own, None)), *_STEMS)] = True
        may_hold = _MAY_HOLD.take(page.tag) & ~page.inside(tags.PREFORMATTED.take(page.tag))
        mask = page.inside(mask & may_hold)
    within: Mask = mask[blocks.first]
    return within if _follow_a_text(blocks, keep, within) else np.zeros(len(blocks), dtype=bool)


def posts_below(blocks: TextBlocks, keep: Mask, found: list[Post]) -> list[Post]:
    """Return the posts with a text that readers wrote below that of the page; [] for a thread."""
    mask = np.zeros(len(blocks.page), dtype=bool)
    for post in found:
        mask[post.rows[0] : post.rows[1]] = True
    if not _follow_a_text(blocks, keep, mask[blocks.first]):
        return []
    return [post for post in found if post.text]


def _follow_a_text(blocks: TextBlocks, keep: Mask, within: Mask) -> bool:
    """Return whether enough kept text stands above the first of the blocks ``within``."""
    above = keep & ~within
    above[int(within.argmax()) if within.any() else 0 :] = False
    return bool(blocks.length[above].sum() >= _LEAST_LENGTH)


@lru_cache(maxsize=1 << 12)
def _name_comments(names: Names) -> bool:
    return not _WORDS.isdisjoint(cut_words(names))
