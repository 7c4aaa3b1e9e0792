"""Questions with their answers are kept: lists of them under a text, and the solutions of a quiz.

Short answers behind a control look like noise to the network. Three questions or more, each in an
element of its own among siblings and each followed by an answer, are no noise where they stand
close to kept text, whatever opens them. A line that gives the solution belongs to the question
that is kept above it.
"""

from __future__ import annotations

import re
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.decision.tables_and_code import BARS
from chaffinch.page import tags

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats, Mask
    from chaffinch.segment.text_blocks import TextBlocks

MARKS: Final = ("?", "？", "؟")
_AT_END: Final = 6
"""Characters of a block from its question mark on: a sign that it opens may follow."""
_FEWEST: Final = 3
"""Questions of a list."""
_FEWEST_OPEN: Final = 2
"""Questions of a list where a control or a name marks each."""
_CONTROLS: Final = tags.table(["button", "label", "summary", "dt"])
_LEVELS: Final = 3
"""Elements around a question in which its control is sought."""
_NAMED: Final = re.compile(r"(?<![a-z])faq|question|accordion", re.IGNORECASE)
_FEWEST_WORDS: Final = 2
_LONGEST: Final = 40
"""Words of a question."""
_KEPT: Final = 0.3
"""Share of the answers' words that is kept from which the scores have judged it, unless each is one
block: then questions above kept answers are added alone."""
_PAIR: Final = 2
"""Blocks from a question to the next where each answer is one block."""
PAGE_TYPES: Final = ("article", "documentation", "product", "service")
"""Page types on which people don't ask each other."""
_MOST_ANSWER: Final = 20
"""Blocks of an answer."""
_LINKED: Final = 0.4
"""Share of the answers' characters in links up to which they are answers, not teasers."""
_LEAST_ANSWER: Final = 3
"""Words of an answer on average."""
_NEAR: Final = 5
"""Blocks between the first question and kept text, a heading among them."""
_LEAST: Final = 0.05
"""Mean score of the blocks."""
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
_OPTION: Final = re.compile(r"(?:[A-HА-Е]\s?[.．、)）:：]|[①-⑧])\s?\S")
_END_OF_RUN: Final = b"\1\0"
_SHORT: Final = 12
"""Words of a line with the solution or an option."""


def questions_and_answers(
    blocks: TextBlocks, units: Floats, score: Floats, keep: Mask
) -> Mask | None:
    """Return bool[m]: questions and answers that are to be kept, too; None for none.

    Args:
        blocks: the page's m text blocks.
        units: float32[m], words of each block.
        score: float32[m], probability that each block is content.
        keep: bool[m], the blocks that are kept.
    """
    asked = _questions(blocks, units)
    if len(asked) < _FEWEST_OPEN:
        return None
    mask = np.zeros(len(keep), dtype=bool)
    for some in _lists(blocks, asked):
        own = slice(some[0], _end(blocks, some))
        if not _is_near(keep, own) or not _is_answered(blocks, units, some, own):
            continue
        answers = units[own].copy()
        answers[np.array(some) - own.start] = 0
        is_even = all(after - at == _PAIR for at, after in pairwise(some))
        if not is_even and answers[keep[own]].sum() > _KEPT * answers.sum():
            mask[[at for at in some if keep[at + 1]]] = True
        elif score[own].mean() >= _LEAST:
            mask[own] = True
    mask &= ~keep
    if not mask.any():
        return None
    mask &= ~blocks.inside(BARS)
    return mask


def _questions(blocks: TextBlocks, units: Floats) -> list[int]:
    """Return the blocks of the length of a question that end with a question mark, in order."""
    text, places = blocks.page.text, list[int]()
    for mark in MARKS:
        at = text.find(mark)
        while at >= 0:
            places.append(at)
            at = text.find(mark, at + 1)
    if len(places) < _FEWEST_OPEN:
        return []
    places.sort()
    ends = blocks.page.text_at.take(blocks.last)
    found = ends.searchsorted(places, side="right").tolist()
    ends, words, count = ends.tolist(), units.item, len(units)
    last = dict(zip(found, places, strict=True))  # of the marks in a block
    near = [at for at, place in last.items() if at < count and ends[at] - place <= _AT_END * 8]
    if len(near) < _FEWEST_OPEN:
        return []
    return [
        at
        for at in near
        if _FEWEST_WORDS <= words(at) <= _LONGEST and asks(text[last[at] : ends[at]])
    ]


def asks(text: str) -> bool:
    """Return whether a text ends with a question mark, or with a sign behind one."""
    tail = text[max(map(text.rfind, MARKS)) :]
    if tail[:1] not in MARKS:
        return False
    tail = " ".join(tail.split())
    return len(tail) <= _AT_END and not any(map(str.isalpha, tail))


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
        for some in lists
        if len(some) >= _FEWEST_OPEN
        and (len(some) >= _FEWEST or _are_open(blocks, some))
        and _are_siblings(blocks, some)
    ]


def _are_open(blocks: TextBlocks, some: list[int]) -> bool:
    """Return whether each question is a control, or named as one."""
    page = blocks.page
    around = (islice(page.ancestors(row), _LEVELS) for row in blocks.first.take(some).tolist())
    return all(any(_opens(page, above) for above in few) for few in around)


def _opens(page: Page, row: int) -> bool:
    is_control = _CONTROLS[page.tag[row]] or page.attribute(row, "role") == "button"
    return bool(is_control or _NAMED.search(page.attribute(row, "class") or ""))


def _are_siblings(blocks: TextBlocks, some: list[int]) -> bool:
    """Return whether questions stand in different children of one element."""
    parents = {int(blocks.page.parent[row]) for row in _items(blocks, some)}
    return len(parents) == 1


def _items(blocks: TextBlocks, some: list[int]) -> list[int]:
    """Return for each question the outermost element around it that holds no other."""
    page, first = blocks.page, blocks.first.take(some).tolist()
    items = []
    for at, row in enumerate(first):
        others = first[max(at - 1, 0) : at] + first[at + 1 : at + 2]
        items.append(_apart(page, row, others))
    return items


def _apart(page: Page, row: int, others: list[int]) -> int:
    part = row
    for above in page.ancestors(row):
        if any(above <= other < page.end[above] for other in others):
            break
        part = above
    return part


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
    heads = np.flatnonzero(tags.HEADING.take(blocks.owner_tag[last + 1 : stop]))
    return last + 1 + int(heads[0]) if len(heads) else stop


def _is_answered(blocks: TextBlocks, units: Floats, some: list[int], own: slice) -> bool:
    answers = np.ones(own.stop - own.start, dtype=bool)
    answers[np.array(some) - own.start] = False
    linked = blocks.link_length[own][answers].sum()
    length = blocks.length[own][answers].sum()
    enough = units[own][answers].sum() >= _LEAST_ANSWER * len(some)
    return bool(enough and own.stop > some[-1] + 1 and linked <= _LINKED * length)


def _is_near(keep: Mask, own: slice) -> bool:
    """Return whether kept text stands close before or behind some blocks, or among them."""
    return bool(keep[max(own.start - _NEAR, 0) : own.stop + _NEAR].any())


def solutions(blocks: TextBlocks, units: Floats, keep: Mask) -> Mask | None:
    """Return bool[m]: solutions, and options to choose from, directly below kept blocks."""
    kept, count, words = keep.tobytes(), len(keep), units.item
    added: list[int] = []
    above = kept.find(_END_OF_RUN)
    while above >= 0:
        at = stop = above + 1
        solved = False
        while stop < count and not kept[stop] and words(stop) <= _SHORT and not solved:
            text = blocks.text(stop)
            solved = _SOLUTION.match(text) is not None
            if not solved and not _OPTION.match(text):
                break
            stop += 1
        if solved or stop - at >= _FEWEST:
            added += range(at, stop)
        above = kept.find(_END_OF_RUN, stop)
    if not added:
        return None
    mask = np.zeros(count, dtype=bool)
    mask[added] = True
    return mask
