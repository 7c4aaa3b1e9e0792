"""The bodies of posts, and the lines above them: who wrote, and when."""

import re
from bisect import bisect, bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, compress, islice, pairwise
from operator import itemgetter
from typing import Final

import numpy as np

from chaffinch.caching import cached_property, finds
from chaffinch.elements.aids import UNFOLDS
from chaffinch.kernels.arrays import Mask
from chaffinch.lists.post_features import (
    MAX_DATE_LINE,
    NAME_LENGTH,
    NOBODY,
    USER_CLASS,
    USER_LINK,
    PostFeatures,
    date_in,
    words_of,
)
from chaffinch.page import Page, tags
from chaffinch.page.attributes import Search
from chaffinch.page_work import checked

# The text of each post: from the kind of element that holds most of it, without boilerplate.
#
# Boilerplate is short lines that most posts have, such as buttons and labels.

_NUMBERS: Final = re.compile(r"\d+")
_NUMBER: Final = "#"  # what stands for any number where lines are compared
REPLY_TITLE: Final = re.compile(
    r"(?:re|aw|antw|sv|rv|wg)\s?(?:\[\d+\])?\s?[:：].{0,120}$", re.IGNORECASE
)
_COUNTS: Final = re.compile(r"(?:[^\W\d_]{1,20}[:：]?\s?\d[\d.,]{0,9}\W{0,3}){2,5}|\d{1,6}")
"""A line of how often something was read, answered and liked, in or below the head of a post."""
_SIGNATURE: Final = re.compile(
    r"(?:^|[^a-z])(?:(?:user|post|poster|message|member|author|forum)[-_]?)?"
    r"(?:sig(?:natur(?:e|en)?)?(?:[-_]?(?:container|wrap|text|body|box|block))?(?![a-z])"
    r"|(?<!\S)sign(?!\S)|(?<!has.)attach(?:box|ments|ment-?list)(?![a-z]))",
    re.IGNORECASE,
)
"""Names of what a board puts below the posts of a user, and below a post with files."""
_names_signature: Final = finds(_SIGNATURE)
_SIGNATURES: Final = tuple(
    Search(name, "sig", "attach") for name in ("class", "id", "data-role", "component")
)
_RULED_OFF: Final = re.compile(r"--|[-_=*~]{5,}")
"""The line above a signature that stands in the post."""
_MOST_SIGNED: Final = 400  # characters of such a signature
_BODY: Final = re.compile(
    r"(?<![a-z])(?:post|message|msg|comment|reply|entry|user)?[-_]?(?:content|description|message|msg|text|body)"
    r"(?=[-_]?\d|\s|\Z)",
    re.IGNORECASE,
)
"""Names of the element that holds what was written."""
_BODIES: Final = tuple(
    Search(name, "content", "description", "message", "msg", "text", "body")
    for name in ("class", "id", "itemprop")
)
_ROLES: Final = ("button", "tooltip", "menu", "dialog")
_BY_ROLE: Final = Search("role", *_ROLES)
_UNFOLDING: Final = Search("class", UNFOLDS)
_INITIALS: Final = Search("class", "avatar", "initials", "userpic")
_CONTROLS: Final = ("button", "select", "textarea")  # what a form to edit a post holds of it, too
_NAMED_SHARE: Final = 0.2  # share of the posts' text that elements of such names hold at least
_LEAST_TITLE: Final = 10  # characters of a line that may be the thread's title
_BEFORE_TEXT: Final = ":： \u3000"
HALF: Final = 0.5
BODY_SHARE: Final = 0.75
"""Share of the body's text from which on an inner element is taken as the body instead."""
MAX_PLAIN_LENGTH: Final = 1000
"""Characters of one post that count at most in the search for the body."""
_MOST_INITIALS: Final = 2
BUTTON_LENGTH: Final = 30
"""Characters up to which a line that most posts have is taken for a button."""
OF_CODE: Final = re.compile(r"[{};]|<\?|\?>")
"""What no button has, but a line of code."""


class PostBodies:
    """The bodies of posts; posts are half-open ranges of rows in document order.

    ``bylines`` are the rows of author and date of each post, -1 for none.
    """

    def __init__(
        self,
        features: PostFeatures,
        ranges: Sequence[tuple[int, int]],
        bylines: Sequence[tuple[int, int]],
    ) -> None:
        self.page: Page = features.page
        self.features = features
        self.ranges = ranges
        self.bylines = bylines

    def texts(self) -> list[str]:
        """Return the text of each post, a line a block."""
        out, bodies, boilerplate = [], self._body_ranges(), self._boilerplate
        if _NUMBER in boilerplate and _NUMBER not in self._shared_lines(bodies):
            boilerplate -= {_NUMBER}  # votes beside the bodies are no numbers in them
        for (start, stop), rows in zip(bodies, self.bylines, strict=True):
            lines = self._lines(start, stop, bylines=rows)
            ruled = (at for at, line in enumerate(lines) if at and _RULED_OFF.fullmatch(line))
            end = next(ruled, len(lines))  # a signature below a line
            lines = lines[:end] if sum(map(len, lines[end:])) <= _MOST_SIGNED else lines
            lines = [
                line for line in lines if _key(line) not in boilerplate and not _notes_edit(line)
            ]
            for edge in (-1, 0):
                while len(lines) > 1 and _COUNTS.fullmatch(lines[edge]):
                    del lines[edge]
            first = lines[0] if len(lines) > 1 else ""
            title = self.page.head.title
            is_title = len(first) >= _LEAST_TITLE and (first in title or lines[1].startswith(first))
            if first and (is_title or REPLY_TITLE.match(first)):
                del lines[0]
            out.append("\n".join(lines))
        return out

    def _body_ranges(self) -> list[tuple[int, int]]:
        """Return the range of rows of each post's body; the whole post where there is none."""
        kinds = self._kinds()
        lengths = {
            kind: sum(self._plain_length(row, self._stop(at, row)) for at, row in found.items())
            for kind, found in kinds.items()
        }
        whole = sum(self._plain_length(start, stop) for start, stop in self.ranges)
        long = (kind for kind in kinds if lengths[kind] >= _NAMED_SHARE * whole)
        bodies = {*self._named_bodies}
        are_named = {kind: next(iter(found.values())) in bodies for kind, found in kinds.items()}
        named = [kind for kind in long if are_named[kind]]
        best = max(lengths, key=lengths.__getitem__, default="")
        of_paragraph = self.page.inside(self.page.is_tag("p"))  # a post may have another one
        while best:
            most = [kind for kind in lengths if lengths[kind] >= BODY_SHARE * lengths[best]]
            within = [kind for kind in most if self._is_within(kind, best, kinds)]
            within = [kind for kind in within if are_named[kind] or not are_named[best]]
            inner = [kind for kind in within if not of_paragraph[[*kinds[kind].values()]].any()]
            if not inner:
                break
            best = max(inner, key=lengths.__getitem__)
        if best and lengths[best] >= HALF * whole:  # else it holds too little
            count = len(kinds[best])
            named = [one for one in named if len(kinds[one]) >= count]
            named = [one for one in named if not self._is_within(best, one, kinds)] or [best]
        best = max(named, key=lengths.__getitem__, default="")
        found = kinds[best] if best else {}
        places = range(len(self.ranges))
        rows = (found[at] if at in found else self._other_body(at, best) for at in places)
        below = self._below_bylines()
        return [
            (row, self._stop(at, row)) if row >= 0 else below[at] for at, row in enumerate(rows)
        ]

    def _below_bylines(self) -> list[tuple[int, int]]:
        """Return each post without the short lines above its byline, such as a user's rank.

        Where most posts say more below the byline, and above it no more than that.
        """
        firsts, _, lengths, _ = self._columns
        below, count = list[tuple[int, int]](), 0
        for (start, stop), rows in zip(self.ranges, self.bylines, strict=True):
            byline = min((row for row in rows if row >= start), default=start)
            begin, middle, end = (bisect_left(firsts, row) for row in (start, byline, stop))
            is_short = max(lengths[begin:middle], default=0) <= BUTTON_LENGTH
            count += is_short and max(lengths[middle:end], default=0) > BUTTON_LENGTH
            below.append((byline, stop) if is_short else (start, stop))
        return below if 2 * count > len(below) else [*self.ranges]

    def _other_body(self, at: int, kind: str) -> int:
        """Return the body of a post that none of a kind with a text is in; -1 for none.

        It is one of that kind that is empty, as around a picture, or one that is named for it.
        """
        start, stop = self.ranges[at]
        empty = (self.page.length[start:stop] == 0).nonzero()[0] + start
        alike = (row for row in empty.tolist() if kind and self.features.kind(row) == kind)
        return next(alike, self._named_body(at))

    def _named_body(self, at: int) -> int:
        """Return the innermost element of a post that is named for its text and holds half of it.

        Such are the bodies of a question and its answers, which differ from those of the comments
        on them; -1 for none.
        """
        start, stop = self.ranges[at]
        least = HALF * self._plain_length(start, stop)
        every = self._named_bodies
        rows = every[bisect_left(every, start) : bisect_left(every, stop)]
        return max(
            (row for row in rows if self._plain_length(row, self._stop(at, row)) >= least),
            default=-1,
        )

    @cached_property
    def _named_bodies(self) -> list[int]:
        found = (one.where(self.page, lambda own: bool(_BODY.search(own))) for one in _BODIES)
        return sorted({*chain.from_iterable(found)})

    def _stop(self, at: int, row: int) -> int:
        """Return where an element of a post ends, or before it the post, where replies begin."""
        return min(self.page.end.item(row), self.ranges[at][1])

    def _kinds(self) -> dict[str, dict[int, int]]:
        """Return kind → number of the post → row, of kinds in half of the posts, mostly once.

        What stands within a heading is no body of its own.
        """
        page = self.page
        heads = tags.HEADING.take(page.tag)
        apart = (page.tag == tags.TEXT) | (page.length == 0) | page.inside(heads) & ~heads
        kinds: dict[str, dict[int, int]] = defaultdict(dict)
        several: Counter[str] = Counter()
        for at, (start, stop) in enumerate(checked(self.ranges, every=16)):
            own = ~apart[start:stop]
            for byline in self.bylines[at]:
                if byline >= start:
                    own[: byline - start + 1] &= page.end[start : byline + 1] <= byline
            for row in (own.nonzero()[0] + start).tolist():
                kind = self.features.kind(row)
                if at in kinds[kind]:
                    several[kind] += 1
                else:
                    kinds[kind][at] = row
        least = max(HALF * len(self.ranges), min(2, len(self.ranges)))
        return {
            kind: found
            for kind, found in kinds.items()
            if len(found) >= least and several[kind] <= 0.2 * len(found)
        }

    def _is_within(self, kind: str, best: str, kinds: dict[str, dict[int, int]]) -> bool:
        """Return whether elements of a kind are in those of ``best``."""
        pairs = [(row, kinds[kind][at]) for at, row in kinds[best].items() if at in kinds[kind]]
        return bool(pairs) and all(row < inner < self.page.end[row] for row, inner in pairs)

    def _plain_length(self, start: int, stop: int) -> int:
        """Return a range's characters outside links and boilerplate, up to a maximum."""
        return min(self._sums[stop] - self._sums[start], MAX_PLAIN_LENGTH)

    @cached_property
    def _sums(self) -> list[int]:
        page = self.page
        apart = page.in_link | (page.tag != tags.TEXT) | self._unwritten
        own = np.where(apart, 0, page.own_length).astype(np.int64)
        if self._boilerplate:
            firsts, lasts, lengths, _ = self._columns
            for start, stop in self.ranges:
                for number in range(bisect_left(firsts, start), bisect_left(firsts, stop)):
                    is_short = lengths[number] <= BUTTON_LENGTH
                    if is_short and _key(self.features.texts[number]) in self._boilerplate:
                        own[firsts[number] : lasts[number]] = 0
        return [0, *own.cumsum().tolist()]

    def _lines(self, start: int, stop: int, bylines: tuple[int, ...] = ()) -> list[str]:
        """Return the lines of a range, without short ones that hold the byline.

        Where no line is left, the text that stands beside the byline in one.
        """
        firsts, lasts, lengths, signed = self._columns
        texts, end = self.features.texts, self.page.end.item
        begin = bisect(firsts, start) - 1
        begin += begin < 0 or lasts[begin] <= start
        out, beside = [], []
        for number in range(begin, bisect_left(firsts, stop)):
            if signed[number]:
                continue
            at, last = max(firsts[number], start), min(lasts[number], stop)
            rows = [row for row in bylines if 0 <= row < last and at < end(row)]
            is_whole = at == firsts[number] and last == lasts[number]
            if not rows or lengths[number] > MAX_DATE_LINE:
                out.append(texts[number] if is_whole else self._text(at, last))
            elif rest := self._beside(at, last, rows):
                beside.append(rest)
        return out if any(map(str.strip, out)) else beside

    @cached_property
    def _columns(self) -> tuple[list[int], list[int], list[int], list[bool]]:
        """First row, end and length of each block; whether it is a signature or of a button."""
        blocks = self.features.blocks
        columns = blocks.first, blocks.last, blocks.length, self._unwritten[blocks.first]
        first, last, length, signed = (column.tolist() for column in columns)
        return first, last, length, signed

    @cached_property
    def _unwritten(self) -> Mask:
        """bool[n]: rows in controls, forms, lists of files and signatures, which hold no body."""
        page, starts = self.page, [start for start, _ in self.ranges]
        marked = page.is_tag(*_CONTROLS)
        forms = page.is_tag("form") & page.around(page.is_tag("textarea"))
        before = np.append(0, page.own_length.cumsum())
        for row in forms.nonzero()[0].tolist():
            start, stop = self.ranges[bisect_left(starts, row) - 1]
            written = before[stop] - before[start]
            marked[row] = start < row and page.end[row] <= stop and 2 * page.length[row] < written
        rows = (search.where(page, _names_signature) for search in _SIGNATURES)
        if signed := {*chain.from_iterable(rows)}:
            bodies = sorted({*self._named_bodies} - signed)
            ends = ((row, bisect_left(bodies, page.end[row])) for row in signed)
            marked[[row for row, end in ends if bisect(bodies, row) == end]] = 1
        marked[_BY_ROLE.where(page, _ROLES.__contains__)] = 1
        marked[_UNFOLDING.rows(page)] = 1
        return page.inside(marked)

    def _text(self, start: int, stop: int) -> str:
        """Return the text of a part of a line, without the colon that parts it from a name."""
        page = self.page
        text = " ".join(page.text[page.text_at[start] : page.text_at[stop]].split())
        return text.lstrip(_BEFORE_TEXT)

    def _beside(self, start: int, stop: int, bylines: list[int]) -> str:
        """Return the longest text of a line between the parts of a byline."""
        cuts = [start]
        for row in sorted(bylines):
            cuts += [max(row, start), int(self.page.end[row])]
        spans = pairwise([*cuts, max(stop, cuts[-1])])
        parts = [self._text(a, b) for at, (a, b) in enumerate(spans) if not at % 2 and a < b]
        return max(parts, key=len, default="")

    @cached_property
    def _boilerplate(self) -> frozenset[str]:
        return self._shared_lines(self.ranges)

    def _shared_lines(self, ranges: Sequence[tuple[int, int]]) -> frozenset[str]:
        """Return short lines that half of some ranges have, apart from numbers and greetings."""
        counts: Counter[str] = Counter()
        for start, stop in checked(ranges, every=16):
            short = (x for x in self._lines(start, stop) if len(x) <= BUTTON_LENGTH)
            counts.update({_key(x) for x in short if not OF_CODE.search(x)})
        blocks = self.features.blocks
        begins = blocks.owner[1:] == blocks.owner[:-1]  # an element with a long line below
        begins[1:] &= ~begins[:-1]
        begins &= (blocks.length[:-1] <= BUTTON_LENGTH) & (blocks.length[1:] > 2 * BUTTON_LENGTH)
        greetings = compress(self.features.texts, begins.tolist())
        counts.subtract(map(_key, greetings))
        if len(self.ranges) == 1:
            return frozenset()
        share = HALF if len(self.ranges) > 3 else 1  # noqa: PLR2004  of three posts all must have it
        return frozenset(line for line in counts if counts[line] >= share * len(self.ranges))


def _key(line: str) -> str:
    return _NUMBERS.sub(_NUMBER, line)


def _notes_edit(line: str) -> bool:
    """Return whether a line says when a post was edited."""
    if len(line) > MAX_DATE_LINE:
        return False
    said = _begins_with_edit(line) or (_LED.match(line) and _AT_END.search(line[-_END:]))
    return bool(said) and bool(date_in(line))


def _begins_with_edit(line: str) -> bool:
    led = _LED.match(line)
    return _EDITED.match(line, led.end() if led else 0) is not None


# The byline of each post: author and date, in the kind of element that most posts have.

LINKED: Final = 2.0  # weight of a link to a user's page; class names weigh less
_MENTION: Final = 3.0  # what a name weighs less that is written as in a text that speaks to a user
_LEVELS: Final = 4  # elements around a name or a date that may hold the whole byline
_EDITED: Final = re.compile(rf"\W{{0,3}}(?:{words_of('edited')})", re.IGNORECASE)
_LED: Final = re.compile(
    rf"\W{{0,3}}+(?>(?:(?>{words_of('of an edit')})\W{{0,3}}+){{1,6}})", re.IGNORECASE
)
"""What comes before such a word: this post was last."""
_LAST_POST: Final = re.compile(rf"\W{{0,3}}(?:{words_of('last post')})", re.IGNORECASE)
_AT_END: Final = re.compile(rf"(?:{words_of('edited')})\W{{0,3}}\Z", re.IGNORECASE)
_END: Final = 24  # characters in which a line may end with such a word
_NAME: Final = re.compile(r"\A(?=.{0,14}[^\W\d_].{0,14}[^\W\d_])[\w.@'’ -]{2,30}")
_COUNT: Final = re.compile(r"\A(?:[^\W\d_]{1,20}[:：]\s?)?(?:\d[\d.,]{0,9}(?:\s|\Z)){1,3}")
_TITLED: Final = re.compile(
    r"(?:user|author|poster|member)[-_]?(?:title|rank|group|status|stat|level|role|badge|count|post)",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(r"(?:user|owner)[-_]?name|author|nick|\bname\b|\buser\b", re.IGNORECASE)


def is_nobody(name: str) -> bool:
    """Return whether a name is what boards call those who give none."""
    return NOBODY.match(name) is not None


def _are_counts(names: Collection[str]) -> bool:
    """Return whether all names are numbers of one thing: "22 posts", "Posts: 3"."""
    rests = {_COUNT.sub("", name) for name in names}
    is_same = len(rests) == 1 and all(map(_COUNT.match, names))
    return is_same and (len(names) > 1 or any(" " in name for name in names))


class PostBylines:
    """The bylines of posts; posts are half-open ranges of rows in document order."""

    def __init__(self, features: PostFeatures, ranges: Sequence[tuple[int, int]]) -> None:
        self.page: Page = features.page
        self.features = features
        self.ranges = ranges
        self._numbers = range(len(ranges))

    def authors(self) -> list[tuple[int, str]]:
        """Return (row, name) of each post's author; (-1, "") where none is shown."""
        kinds: dict[str, dict[int, tuple[int, str, float]]] = defaultdict(dict)
        for at, row in self._by_post(self.features.user_rows):
            name = self.features.user_name(row)
            if (
                name
                and (name.isdigit() or not date_in(name))
                and not _TITLED.search(self.page.attribute(row, "class") or "")
            ):
                known = kinds[self.features.kind(row)]
                if at not in known or self._is_of_another(known[at][0]):
                    mention = _MENTION if name.startswith("@") else 0.0
                    known[at] = (row, name, self._weight(row) - mention)
        scores = {kind: self._score(found) for kind, found in kinds.items()}
        order = sorted(scores, key=scores.__getitem__, reverse=True)
        if sum(any(at in kinds[k] for k in order if scores[k] > 0) for at in self._numbers) < (
            HALF * len(self.ranges)
        ):
            return self._short_elements()
        best, *rest = (kinds[k] for k in order if scores[k] > 0)
        # Another kind is that of moderators, or a rank that stands beside other names, too.
        apart = [
            own for own in rest if all(best.get(at, one)[1] == one[1] for at, one in own.items())
        ]
        out = []
        for at in self._numbers:
            found = [own[at] for own in (best, *rest) if at in own]
            if at not in best:
                heavy = [own[at] for own in apart if at in own] or found
                found = sorted(heavy, key=itemgetter(2), reverse=True)
            first = found[0] if found else (-1, "", 0.0)
            others = (one for one in found if not self._is_of_another(one[0]))
            out.append((next(others, first) if len(found) > 1 else first)[:2])
        return out

    def _is_of_another(self, row: int) -> bool:
        """Return whether a part of a byline, or the whole of it, tells of an edit or the last post.

        What holds another date, too, is more than that.
        """
        page, (dates, _) = self.page, self.features.byline_rows
        around = islice(page.ancestors(row), _LEVELS)
        for one in (row, *around):
            count = bisect_left(dates, page.end[one]) - bisect_left(dates, one)
            if count > 1 or page.length[one] > MAX_DATE_LINE:
                return False
            if _begins_with_edit(line := page.folded(one)) or _LAST_POST.match(line):
                return True
        return False

    def _short_elements(self) -> list[tuple[int, str]]:
        """Return as authors short elements of a kind that most posts have, with varied texts."""
        page = self.page
        short = (page.tag != tags.TEXT) & (page.length > 1) & (page.length <= NAME_LENGTH)
        sentences = page.is_tag("p") & (page.length > 2 * NAME_LENGTH)
        short &= ~page.inside(sentences | page.is_tag("button"))
        kinds: dict[str, dict[int, tuple[int, str]]] = defaultdict(dict)
        for at, (start, stop) in enumerate(checked(self.ranges, every=16)):
            for row in range(start, stop):
                if short[row] and page.line[row + 1] == page.line[page.end[row] - 1]:
                    name = page.folded(row)
                    if _NAME.fullmatch(name) and not date_in(name):
                        kinds[self.features.kind(row)].setdefault(at, (row, name))
        for found in sorted(kinds.values(), key=lambda one: (-len(one), min(one.values()))):
            names = {name for _, name in found.values()}
            if _are_counts(names):
                continue
            varied = len(names) > max(min(len(found) / 3, 3), 1) or all(map(is_nobody, names))
            if len(found) >= 0.8 * len(self.ranges) and varied:
                return [found.get(at, (-1, "")) for at in self._numbers]
        return [(-1, "")] * len(self.ranges)

    def _score(self, found: dict[int, tuple[int, str, float]]) -> float:
        names = Counter(name for _, name, _ in found.values())
        if _are_counts(names):
            return 0.0
        best = max(weight for _, _, weight in found.values())
        if len(found) > 2 and len(names) == 1 and best < LINKED:  # noqa: PLR2004
            rows = [row for row, _, _ in found.values()]
            is_channel = all("author" in (self.page.attribute(row, "class") or "") for row in rows)
            is_channel &= bool(self.page.is_tag("a")[rows].all())
            return max(best, 1.0) if is_nobody(*names) or is_channel else 0.0  # else a label
        spread = min(len(names) / len(found) + HALF, 1.0)
        return sum(weight for _, _, weight in found.values()) * spread

    def _weight(self, row: int) -> float:
        page = self.page
        pairs = page.attributes(row)
        weight = 0.0
        if USER_LINK.search(pairs.get("href") or "") and page.length[row]:
            weight += LINKED
        names = f"{pairs.get('class') or ''} {pairs.get('itemprop') or ''} {pairs.get('rel') or ''}"
        if _NAMED.search(names) or row in self.features.in_lines:
            weight += 1.5 + HALF * ("owner" in names)  # of a channel, who has no address
            weight -= pairs.get("itemprop") == "name" and tags.HEADING[page.tag[row]]  # a review's
        elif USER_CLASS.search(names):
            weight += 0.7
        elif page.name(row) == "cite":
            weight += 0.5
        at = bisect_left(self._initials, row)
        if at < len(self._initials) and self._initials[at] < page.end[row]:
            weight -= 2 * LINKED
        users = self.features.user_rows
        at = bisect(users, row)
        if any(row < other < page.end[row] for other in users[at : at + 2]):
            weight -= HALF
        return weight

    @cached_property
    def _initials(self) -> list[int]:
        """Rows of pictures of users that are but a letter or two."""
        rows = _INITIALS.candidates(self.page)
        length = self.page.length.take(rows)
        own: list[int] = rows[(length > 0) & (length <= _MOST_INITIALS)].tolist()
        return own

    def _by_post(self, rows: Iterable[int]) -> Iterator[tuple[int, int]]:
        """Yield (number of the post from 0, row) of those of the ordered rows that are in posts."""
        at = 0
        for row in rows:
            while at < len(self.ranges) and row >= self.ranges[at][1]:
                at += 1
            if at < len(self.ranges) and row >= self.ranges[at][0]:
                yield at, row

    def dates(self, authors: Sequence[int]) -> list[tuple[int, str]]:
        """Return (row, date) of each post: of the kind of element that most posts have.

        Where a post has none of these, with a time of day if they have one. Of several in a post
        it is the first of those nearest to the row of its author that isn't one of an edit.
        """
        kinds: dict[str, dict[int, tuple[int, str]]] = defaultdict(dict)
        dates = self.features.dates
        for at, row in checked(self._by_post(dates), every=64):
            known = kinds[self.features.kind(row)]
            if at not in known or self._rank(row, authors[at]) < self._rank(
                known[at][0], authors[at]
            ):
                known[at] = (row, dates[row])
        order = sorted(kinds, key=lambda kind: self._date_score(kinds[kind]), reverse=True)
        timed = {kind: all("T" in date for _, date in kinds[kind].values()) for kind in order}
        order[1:] = sorted(order[1:], key=lambda kind: timed[order[0]] and not timed[kind])
        nothing = (-1, "")
        return [
            next((kinds[kind][at] for kind in order if at in kinds[kind]), nothing)
            for at in self._numbers
        ]

    def _rank(self, row: int, author: int) -> tuple[bool, int]:
        """Return whether a date is one of an edit, and how far from the author; the least is best.

        How far is the size in rows of the least element around both, 0 without an author.
        """
        if author < 0:
            return self._is_of_another(row), 0
        page, low, high = self.page, min(row, author), max(row, author)
        around = next((one for one in page.ancestors(low) if page.end[one] > high), 0)
        return self._is_of_another(row), int(page.end[around] - around)

    def _date_score(self, found: dict[int, tuple[int, str]]) -> float:
        """Return a score, from 0, of a kind of element as that of the posts' dates.

        It is high where most posts have one, values differ, include a time and rise or fall in
        the order of the posts.
        """
        values = [value for _, value in found.values()]
        share = len(values) / len(self.ranges)
        pairs = list(pairwise(values))
        rising = max(sum(a <= b for a, b in pairs), sum(a >= b for a, b in pairs))
        ordered = rising / len(pairs) if pairs else HALF
        timed = sum("T" in value for value in values) / len(values)
        return share + ordered * HALF + (timed + len(set(values)) / len(values)) / 4


def link_at(page: Page, row: int) -> int:
    """Return the row of the link at, in or around an author's row; the row itself for none."""
    around = [row, *islice(page.ancestors(row), 2)]
    inner = [r for r in range(row, int(page.end[row])) if page.name(r) == "a"]
    return next((r for r in [*inner, *around] if page.name(r) == "a"), row)
