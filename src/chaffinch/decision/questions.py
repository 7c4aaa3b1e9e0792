"""Questions with their answers, and tasks with their solutions: what is kept of them."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import islice, pairwise, repeat
from typing import Final

import numpy as np

from chaffinch.caching import finds
from chaffinch.decision.draft import OF_ANSWERS, SURE, THREAD, Draft
from chaffinch.decision.structure import BARS, apart
from chaffinch.elements import WORDS
from chaffinch.kernels.arrays import Floats, Mask, marked
from chaffinch.lazy import lazy_module
from chaffinch.page import Page, tags
from chaffinch.page.attributes import Search
from chaffinch.segment.text_blocks import TextBlocks
from chaffinch.wording import any_of

discussion = lazy_module("chaffinch.lists.discussion")

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
_QUESTION_NAMES: Final = Search("class",
    "faq", "question", "accord", "acc-", "acc_", "acd-", "acd_", "toggle", "collaps", "tab-",
    "tab_", "tabt", "spoiler", "expander", "-q", "_q", "q-", "q_", "q ", "q\n",
)  # fmt: skip
"""Each such name that is looked for has one of these in it."""
_NEAR: Final = 5  # blocks between the first question and kept text, a heading among them
_LIKELY, _NEAR_LIKELY = 0.15, 40  # the same above likely ones, and their mean score
_LEAST: Final = 0.05  # mean score of the blocks
_SOLUTION: Final = re.compile(
    rf"[【\[（(]?\s?{any_of(WORDS['labels of solutions'].split('|'))}"
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
_ITEM, _FORM, _INPUT = (tags.CODES[name] for name in ("li", "form", "input"))
_FIELDS: Final = tags.table("input select textarea".split())
_TICKED: Final = frozenset(("radio", "checkbox"))
_PRESSED: Final = frozenset("hidden submit button reset image".split())
"""Types of fields of a form in which one chooses, and of those that hold nothing to fill in."""
_MOST_OPTIONS: Final = 6  # options without letters, items of a list
_SHORT: Final = 12  # words of a line with the solution or an option


def questions(draft: Draft) -> Mask | None:
    """Return bool[m]: questions with their answers near kept text, and solutions; None for none."""
    added, keep = None, draft.keep
    is_open = draft.kind in OF_ANSWERS or draft.certainty < SURE or "legend" in draft.page.tag_names
    if is_open or (draft.kind == THREAD and not discussion.posts(draft.page)):
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
        near = _NEAR if draft.score[own].mean() < _LIKELY else _NEAR_LIKELY
        is_near = keep[max(own.start - near, 0) : own.stop + _NEAR].any()
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
    return mask & ~draft.page.inside(_bars(draft.page)).take(blocks.first) if mask.any() else None


def _bars(page: Page) -> Mask:
    """Return bool[n]: the elements of `BARS`, but forms in which one ticks and writes nothing."""
    bars = BARS.take(page.boxes)
    for form in (page.boxes == _FORM).nonzero()[0].tolist():
        fields = _FIELDS.take(page.tag[form : page.end[form]]).nonzero()[0] + form
        kinds = {(page.attribute(row, "type") or page.name(row)).lower() for row in fields.tolist()}
        bars[form] = not _TICKED >= (kinds - _PRESSED) > set()
    return bars


def _questions(blocks: TextBlocks, units: Floats) -> list[int]:
    """Return the blocks of the length of a question that end with a question mark, in order."""
    text, places = blocks.page.text, list[int]()
    for mark in _signs_of(text):  # to count them takes ten times as long as to find the first
        at = text.find(mark)
        while at >= 0:
            places.append(at + len(mark) - 1)
            at = text.find(mark, at + 1)
    if len(places) < _FEWEST_OPEN:
        return []
    places.sort()
    (_, ends), words, count = blocks.spans, units.item, len(units)
    last = dict(zip(map(bisect_right, repeat(ends), places), places, strict=True))  # in each block
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
    return _ASKING if any(map(text.__contains__, _FULL_STOPS)) else MARKS


def _named_questions(draft: Draft) -> list[int]:
    """Return the blocks of the length of a question that fill an element named for one.

    Those of a word alone only where it is a control.
    """
    blocks, page = draft.blocks, draft.page
    rows = _QUESTION_NAMES.candidates(page)
    classes = page.own_attributes.values_of(rows, "class") if len(rows) else []
    named = {names for names in {*classes} if names_question(names[0] or "")}
    if not named:
        return []
    rows = rows[[names in named for names in classes]]
    begin, stop = blocks.first.searchsorted((rows, page.end.take(rows)))
    rows, alone = rows[stop - begin == 1], begin[stop - begin == 1]
    words = draft.units.take(alone)
    fits = (words <= _LONGEST) & ((words >= _FEWEST_WORDS) | _CONTROLS.take(page.tag.take(rows)))
    found: list[int] = alone[fits].tolist()
    return found


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
    boxes = (blocks.page.tag == _INPUT).nonzero()[0]
    below = {*blocks.last.searchsorted(boxes, "right").tolist()}  # the block below each box
    return [at for at in below.intersection(places) if asks(blocks.text(at - 1))]


def _solutions(blocks: TextBlocks, units: Floats, keep: Mask) -> Mask | None:
    """Return bool[m]: solutions, and options to choose from, directly below kept blocks."""
    below = (keep[:-1] > keep[1:]) & (units[1:] <= _SHORT)
    if not (places := (below.nonzero()[0] + 1).tolist()):
        return None
    kept, count, words, text = keep.tobytes(), len(keep), units.item, blocks.page.text
    (starts, stops), tag = blocks.spans, blocks.owner_tag.item
    added = _choices(blocks, places) if "input" in blocks.page.tag_names else []
    for at in places:  # and what follows a solution
        if tag(at) != _ITEM and _MAY_SOLVE.search(text, starts[at], stops[at]) is None:
            continue
        asked = asks(blocks.text(at))
        stop = at + asked
        solved, lettered = False, True
        while stop < count and not kept[stop] and words(stop) <= _SHORT and not solved:
            own = ""
            if _SIGNED.search(text, starts[stop], stops[stop]) is not None:
                own = blocks.text(stop)
                solved = _SOLUTION.match(own) is not None
            if not solved and not (own and _OPTION.match(own)):
                if stop - at >= _MOST_OPTIONS or tag(stop) != _ITEM:
                    break
                lettered = False
            stop += 1
        if solved or (lettered and not asked and stop - at >= _FEWEST):
            added += range(at, stop)
            if solved and stop < count and not kept[stop] and words(stop) <= _SHORT:
                places.append(stop)
    return marked(count, added) if added else None
