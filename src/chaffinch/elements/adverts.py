"""Advertisements, named or labelled as such; notices of rights and cookies, disclaimers, calls.

What is sold beside a text is told by what the page says of it, never by what it says itself: by
names of class and id, and by labels («Advertisement», 广告) of some forty languages. An element of
much text is none, whatever its name: sponsored articles are articles.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, islice
from math import inf
from typing import Final, NamedTuple

import numpy as np

from chaffinch.caching import finds
from chaffinch.elements import WORDS, Phrases, words_found
from chaffinch.kernels.arrays import Mask, Rows, marked
from chaffinch.page import Page, tags
from chaffinch.page.attributes import Search, Searches
from chaffinch.wording import fold_words

_LONGEST_LABEL: Final = 36
_LONGEST: Final = 600  # characters of an advertisement
_NAMED: Final = re.compile(
    rf"(?<![a-z])(?:{WORDS['names of advertisements']})(?![a-z])", re.IGNORECASE
)
_LEGAL: Final = re.compile(WORDS["names of small print"], re.IGNORECASE)
_NO_BOX: Final = tags.table("html body main article h1 h2 table tbody tr blockquote pre".split())
_HEADS: Final = tags.table(["h1", "h2"])
_EDGES: Final = re.compile(r"\A[\W_]+|[\W_]+\Z")
_LONGEST_CALL, _MOST_OF_CALL = 300, 12
"""Characters and text runs of a form for a newsletter with what stands around it."""
_FORM_LEVELS, _BEHIND = 8, 64
"""Elements around a field for an address, and rows between it and the text above its form."""
_TYPED: Final = ("", "text")
_MAIL: Final = re.compile(r"e[-_]?mail|newsletter", re.IGNORECASE)
"""Types and names of fields in which an address is written that aren't of the type for such."""
_FORM, _INPUT = tags.CODES["form"], tags.CODES["input"]
_ASKS: Final = tags.table("textarea select ul ol dl table article".split())
"""What neither a form for a newsletter has nor what invites to it."""
_NO_CALL: Final = tags.table("html body main article".split())
_LABELS: Final = frozenset(map(fold_words, WORDS["labels of advertisements"].split("|")))


def is_label(text: str) -> bool:
    """Return whether a text says that an advertisement follows, or that something is yet to."""
    text = fold_words(text)
    return len(text) <= _LONGEST_LABEL and not _LABELS.isdisjoint(
        (_EDGES.sub("", text), text.replace("...", "…").replace(" …", "…"))
    )


def _phrases(*names: str) -> frozenset[str]:
    return frozenset(fold_words("|".join(map(WORDS.__getitem__, names))).split("|"))


LONGEST_NOTICE: Final = 200  # characters of a line that is a notice
DISCLAIMERS: Final = _phrases("disclaimers")
NOTICES: Final = _phrases("notices of rights", "disclaimers", "questions about a page")
"""What reserves rights, disclaims, says who earns by the text, or asks whether it helped."""
COOKIES: Final = _phrases("notes on cookies")
"""What says that a site sets cookies."""
OF_DELIVERY: Final = _phrases("terms of delivery")
"""What a short line of a shop says on each of its pages."""
LONGEST_BRIEF: Final = 60  # characters of a line that counts visits, or tells of delivery
COUNTERS: Final = _phrases("counters of visits")
"""What a short line with a number counts: how often a page was seen."""
RIGHTS: Final = frozenset(map("\n{}".format, WORDS["beginnings of notices of rights"]))
CREDITS: Final = frozenset(f"\n{one}" for one in _phrases("beginnings of credits"))
"""How lines begin that name who has the rights, an editor, or the title a text had elsewhere."""
_CALLS: Final = _phrases("calls to readers")


def _pairs_in_calls() -> dict[str, list[str]]:
    """Return what a call is about → what it asks, after a line break where that begins it."""
    found = defaultdict[str, list[str]](list)
    for asked, told in WORDS["pairs of words in calls"]:
        for one in fold_words(told).split("|"):
            found[one] += fold_words(asked).split("|")
    return found


_ASKED: Final = _pairs_in_calls()
_SENTENCE: Final = re.compile(r"(?<=[.!?:])\s+")
_BRIEF: Final = 120
"""Characters of a line in which any sentence may ask; of longer ones, such as a note on an author,
the first."""
_MANY: Final = 32  # phrases of a page from which each of its lines is searched for all
_PHRASES: Final = Phrases(
    NOTICES.union(COOKIES, OF_DELIVERY, COUNTERS, RIGHTS, CREDITS, _CALLS, _ASKED)
)


class Lines(dict[int, str]):
    """Number of each of some lines → it, of `fold_words`; and which phrases stand in them.

    A phrase that a line break begins stands at the beginning of a line.
    """

    def __init__(self, texts: Sequence[str], numbers: Iterable[int] | None = None) -> None:
        folded = fold_words("\n".join(("", *texts)))
        lines = folded.split("\n")[1:]
        super().__init__(enumerate(lines) if numbers is None else zip(numbers, lines, strict=True))
        self.said = dict[int, set[str]]()  # number of a line that holds phrases → these
        phrases = _phrases_in(folded)
        if not phrases:
            return
        if len(phrases) > _MANY:
            held = ((at, _phrases_in(f"\n{line}")) for at, line in self.items())
            self.said = {at: {*own} for at, own in held if own}
            return
        numbers = [*self]
        for phrase in phrases:
            at = -1
            for before in folded.split(phrase)[:-1]:
                at += before.count("\n") + phrase.count("\n")
                self.said.setdefault(numbers[at], set()).add(phrase)

    def having(self, words: frozenset[str]) -> list[int]:
        """Return the numbers of the lines in which any of some words of `_PHRASES` stand."""
        return [at for at, own in self.said.items() if not words.isdisjoint(own)]

    def calls(self) -> list[int]:
        """Return the numbers of the lines that ask readers to follow, subscribe, share or donate.

        They hold a call, or what is asked («follow», «подпишитесь») and of what («in Telegram»).
        """
        return [at for at, own in self.said.items() if _is_call(f"\n{self[at]}", own)]


def _phrases_in(text: str) -> list[str]:
    return words_found(text.encode("utf-8", "surrogatepass"), _PHRASES)


def _is_call(line: str, said: set[str]) -> bool:
    if not said.isdisjoint(_CALLS):
        return True
    if not (told := said & _ASKED.keys()):
        return False
    sentences = line if len(line) - 1 > _BRIEF else _SENTENCE.sub("\n", line)
    return any(map(sentences.__contains__, chain.from_iterable(map(_ASKED.__getitem__, told))))


class BoxNames(NamedTuple):
    """Names of class and id by which boxes are told."""

    searches: Searches  # of class and id, for words of which each name has one
    finds: Callable[[str], bool]
    longest: float  # characters of such a box


def in_names(*words: str) -> Searches:
    """Return searches of class and id for words."""
    return Searches(Search("class", *words), Search("id", *words))


ADVERTS: Final = BoxNames(
    in_names(*WORDS["words in names of advertisements"]), finds(_NAMED), _LONGEST
)
LEGAL: Final = BoxNames(
    in_names("legal", "disclaim", "haftungsaus", "-copyright", "tooltip", "tool-tip", "donat"),
    finds(_LEGAL),
    inf,
)
"""Names of small print, of what explains a word that is pointed at, and of calls for donations."""


def rows_named(
    page: Page, names: BoxNames, among: Callable[[Rows], Rows] | None = None
) -> Mask | None:
    """Return bool[n]: rows in boxes with such names; None for none.

    ``among`` picks those of some rows, int32[k], that count; all do without it.
    """
    if not names.searches.may_find(page):
        return None
    may, by_id = (search.candidates(page) for search in names.searches.searches)
    if len(by_id):
        may = np.concatenate([may, by_id])
    may = may if among is None or not len(may) else among(may)
    if not len(may):
        return None
    both = page.own_attributes.values_of(may, "class", "id")
    rows = [
        row
        for row, some in zip(may.tolist(), both, strict=True)
        if _may_be_one(page, row, names.longest) and any(map(names.finds, filter(None, some)))
    ]
    return page.inside(marked(len(page), rows)) if rows else None


def labelled_adverts(page: Page, labels: Iterable[int]) -> list[int]:
    """Return the rows of the boxes that begin with the text rows ``labels``.

    A label whose box is too much text stands alone: the advertisement is made by a script.
    """
    boxes = []
    for label in labels:
        box = label
        for _ in range(4):
            above = page.parent.item(box)
            if above <= page.body or not _may_be_one(page, above):
                break
            inner = page.written[above + 1 : page.end.item(above)].tobytes()
            if above + 1 + max(inner.find(1), 0) != label:  # the first text in it
                break
            box = above
        boxes.append(box)
    return boxes


def sign_up_boxes(page: Page, kept: Rows) -> list[int]:
    """Return the rows of boxes around forms that ask for no more than an e-mail address.

    Of forms whose field stands between the rows ``kept``, or a little behind.
    """
    boxes: list[int] = []
    first, stop = (int(kept[0]), int(kept[-1]) + _BEHIND) if len(kept) else (0, 0)
    fields = (page.tag[first:stop] == _INPUT).nonzero()[0] + first
    for field in fields[:64].tolist():
        kind, name = (page.attribute(field, of) or "" for of in ("type", "name"))
        if kind.lower() != "email" and not (kind.lower() in _TYPED and _MAIL.search(name)):
            continue
        box, in_form = field, False
        for above in islice(page.ancestors(field), _FORM_LEVELS):
            inner = page.tag[above : page.end.item(above)]
            said = page.written[above : page.end.item(above)].sum()
            if page.length.item(above) > _LONGEST_CALL or said > _MOST_OF_CALL:
                break
            if _NO_CALL[inner[0]] or _ASKS[inner].any():
                break
            in_form |= bool(inner[0] == _FORM)
            box = above
        if in_form:
            boxes.append(box)
    return boxes


def _may_be_one(page: Page, row: int, longest: float = _LONGEST) -> bool:
    if page.length.item(row) > longest or _NO_BOX[page.tag.item(row)]:
        return False
    has_none = page.tag_names.isdisjoint(("h1", "h2"))
    return has_none or not _HEADS[page.tag[row : page.end.item(row)]].any()
