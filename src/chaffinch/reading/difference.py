"""What of the content changed between two versions of a page.

The lines of both contents, in the form of `chaffinch.citation.folding` and without what changes by
itself (`chaffinch.reading.changing_phrases`), are aligned. A line of one content that the other
page has too, but dropped, is no change of the page: its verdict changed. Nor is one that stands
elsewhere in the content, nor one that comes and goes by itself, such as a link or a teaser
(`chaffinch.reading.compared_lines`). Of the others, in each gap of the alignment, a removed and an
added line that have half of their words in common are one that changed. A line that stayed, but
whose links lead elsewhere, changed too.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from chaffinch.alignment import matched
from chaffinch.citation.folding import folded, words
from chaffinch.output.markdown import escape
from chaffinch.page_work import checked
from chaffinch.reading.compared_lines import ComparedLines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chaffinch.reading.compared_lines import Link
    from chaffinch.result import Content

Kind: TypeAlias = Literal["added", "removed", "changed"]
WordKind: TypeAlias = Literal["same", "removed", "added"]
LEAST_COMMON: Final = 0.5
"""Similarity of a line and what it was: below, one was removed and another added."""
_NEAR: Final = 12
"""Added lines that a removed one is compared with, in its gap."""
_CHARACTERS: Final = 2
"""Words a run without spaces, beyond which a line is compared by characters."""


@dataclass(frozen=True)
class WordChange:
    """A stretch of words within a line that changed.

    Attributes:
        kind: ``same``, ``removed`` or ``added``.
        text: the words, with a space between.
    """

    kind: WordKind
    text: str


@dataclass(frozen=True)
class LinkChange:
    """A link of a line that leads elsewhere than before.

    Attributes:
        text: its words.
        before: absolute address where it led; relative where the page's own isn't known.
        after: where it leads.
    """

    text: str
    before: str
    after: str


@dataclass(frozen=True)
class Change:
    """A line of the content that changed; lines are those of the text.

    Attributes:
        kind: ``added``, ``removed`` or ``changed``.
        before: the line as it was; "" where it was added.
        after: the line as it is; "" where it was removed.
        section: the headings that it stands under, outermost first: of the new version, or of the
            old one where it was removed.
        id: of the block in the new version, or of the old one where it was removed.
        rows: half-open range of rows in that version; None for a title that no row is.
        words: of a changed line, what of its words did, in order; else empty.
        links: of a line whose words stayed, the links that lead elsewhere.
    """

    kind: Kind
    before: str
    after: str
    section: tuple[str, ...]
    id: str
    rows: tuple[int, int] | None
    words: tuple[WordChange, ...] = ()
    links: tuple[LinkChange, ...] = ()


@dataclass(frozen=True)
class Difference:
    """What of the content changed between two versions of a page; false where nothing did.

    Attributes:
        old: address of the old version; None if unknown.
        new: address of the new one.
        changes: the lines that changed, in the order of the new version.
    """

    old: str | None
    new: str | None
    changes: tuple[Change, ...]

    def __bool__(self) -> bool:
        return bool(self.changes)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values for JSON, with ``changed``: whether anything did."""
        return {"changed": bool(self), **asdict(self)}

    def text(self) -> str:
        """Return lines that begin with ``-`` and ``+``, below the headings; "" for no change."""
        out: list[str] = []
        for one, is_new in _with_sections(self.changes):
            if is_new:
                out.append(f"@@ {' > '.join(one.section)}".rstrip())
            sides = [
                side
                for link in one.links
                for side in (
                    ("-", f"{link.text} <{link.before}>"),
                    ("+", f"{link.text} <{link.after}>"),
                )
            ]
            for mark, text in sides or (("-", one.before), ("+", one.after)):
                out += [f"{mark} {line}" for line in text.split("\n") if text]
        return "\n".join(out)

    def markdown(self) -> str:
        """Return a list of the changes; of a line its words, struck or bold; "" for no change."""
        out: list[str] = []
        for one, is_new in _with_sections(self.changes):
            if is_new:
                path = escape.text(" > ".join(one.section)) if one.section else "…"
                out += ["", f"## {path}", ""]
            held = one.words or (WordChange("same", one.after or one.before),)
            if one.links:
                held = tuple(
                    WordChange(kind, text)
                    for link in one.links
                    for kind, text in zip(
                        _LINK_KINDS, (link.text, link.before, link.after), strict=True
                    )
                )
            parts = (_MARKUP[word.kind].format(_plain(word.text)) for word in held)
            out.append(f"- {one.kind}: {' '.join(parts)}")
        return "\n".join([*out[1:], ""]) if out else ""


_LINK_KINDS: Final[tuple[WordKind, ...]] = ("same", "removed", "added")
_MARKUP: Final = {"same": "{}", "removed": "~~{}~~", "added": "**{}**"}


def _plain(text: str) -> str:
    return escape.text(" ".join(text.split())) if text.strip() else ""


def _with_sections(changes: Sequence[Change]) -> Iterator[tuple[Change, bool]]:
    """Yield each change, and whether it stands under other headings than the one before."""
    section: tuple[str, ...] | None = None
    for one in changes:
        yield one, one.section != section
        section = one.section


class Version(NamedTuple):
    """A version of a page: its content without its title, and the title."""

    content: Content
    title: str


def changes(old: Version, new: Version, *, links: bool) -> list[Change]:
    """Return what changed, in the order of the new version; what was removed where it stood.

    Args:
        old: the earlier version.
        new: the later one.
        links: whether a line changed, too, of which a link leads elsewhere.
    """
    was, now = ComparedLines(*old), ComparedLines(*new)
    pairs = matched(was.keys, now.keys)
    paired_old, paired_new = {one for one, _ in pairs}, {other for _, other in pairs}
    gone = [at for at in range(len(was.keys)) if at not in paired_old and was.counts[at]]
    come = [at for at in range(len(now.keys)) if at not in paired_new and now.counts[at]]
    moved = Counter(was.keys[at] for at in gone) & Counter(now.keys[at] for at in come)
    gone = _left(gone, was.keys, now.dropped, moved)
    come = _left(come, now.keys, was.dropped, moved)
    found = _linked_elsewhere(was, now, pairs) if links else []
    for gap, removed, added in _gaps(pairs, gone, come):
        found += [(gap, 0, one) for one in _changes(was, now, removed, added)]
    return [one for _, _, one in sorted(found, key=lambda each: each[:2])]


def _linked_elsewhere(
    was: ComparedLines, now: ComparedLines, pairs: list[tuple[int, int]]
) -> list[tuple[int, int, Change]]:
    """Return (number of the pair, 1, change) of lines that stayed, but lead elsewhere."""
    out = []
    for number, (one, other) in enumerate(pairs):
        if not (was.counts[one] and now.counts[other]):
            continue
        before: defaultdict[str, list[Link]] = defaultdict(list)
        for link in reversed(was.links(one)):
            before[link.text].append(link)
        found = [
            LinkChange(link.text, old.url, link.url)
            for link in now.links(other)
            if before[link.text] and (old := before[link.text].pop()).key != link.key
        ]
        if found:
            texts = was.texts[one], now.texts[other]
            change = _change(now, "changed", other, *texts)
            out.append((number, 1, replace(change, links=tuple(found))))
    return out


def _left(lines: list[int], keys: list[str], dropped: set[str], moved: Counter[str]) -> list[int]:
    """Return the lines that the other page doesn't have."""
    spare = moved.copy()
    out = []
    for at in lines:
        if keys[at] in dropped:
            continue
        if spare[keys[at]]:
            spare[keys[at]] -= 1
            continue
        out.append(at)
    return out


def _gaps(
    pairs: list[tuple[int, int]], gone: list[int], come: list[int]
) -> Iterator[tuple[int, list[int], list[int]]]:
    """Yield the number of a gap between lines that stayed, what was removed and added there."""
    gaps: dict[int, tuple[list[int], list[int]]] = {}
    for side, lines in enumerate((gone, come)):
        before = 0
        for at in lines:
            while before < len(pairs) and pairs[before][side] < at:
                before += 1
            gaps.setdefault(before, ([], []))[side].append(at)
    for number in sorted(gaps):
        yield number, *gaps[number]


def _changes(
    was: ComparedLines, now: ComparedLines, removed: list[int], added: list[int]
) -> list[Change]:
    """Return the changes of one gap."""
    held = [_words(now.texts[at]) for at in added]
    before: dict[int, int] = {}
    out: list[tuple[int, Change]] = []
    free, last = 0, -1
    for place, at in enumerate(checked(removed, every=8)):
        own = _words(was.texts[at])
        while free in before:
            free += 1
        start = max(free, min(place - _NEAR // 2, len(added) - _NEAR))
        near = [one for one in range(start, min(start + _NEAR, len(added))) if one not in before]
        best = max(near, key=lambda one: _common(own, held[one]), default=-1)
        if best >= 0 and _common(own, held[best]) >= LEAST_COMMON:
            before[best] = at
            last = max(last, best)
        else:
            out.append((2 * last + 1, _change(was, "removed", at, was.texts[at], "")))
    for place, at in enumerate(added):
        text = now.texts[at]
        if place in before:
            old = was.texts[before[place]]
            change = _change(now, "changed", at, old, text, *word_changes(old, text))
        else:
            change = _change(now, "added", at, "", text)
        out.append((2 * place, change))
    return [change for _, change in sorted(out, key=lambda one: one[0])]


def _change(
    version: ComparedLines, kind: Kind, at: int, before: str, after: str, *words: WordChange
) -> Change:
    """Return a change of a line of a version."""
    place = version.sections[at], version.id(at), version.rows(at)
    return Change(kind, before, after, *place, words)


def word_changes(before: str, after: str) -> list[WordChange]:
    """Return what changed within a line: word by word, or where few spaces are, by characters."""
    old: Sequence[str] = before.split()
    new: Sequence[str] = after.split()
    joint = " "
    if len(words(folded(before))) > _CHARACTERS * len(old):
        old, new, joint = before, after, ""
    grouped = groupby(_stepwise(old, new), key=lambda step: step[0])
    return [WordChange(kind, joint.join(word for _, word in group)) for kind, group in grouped]


def _words(text: str) -> Counter[str]:
    return Counter(found[0].casefold() for found in words(folded(text)))


def _common(one: Counter[str], other: Counter[str]) -> float:
    """Return twice the words in common by the words of both, 0..1."""
    both = one.total() + other.total()
    return 2 * (one & other).total() / both if both else 0.0


def _stepwise(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[WordKind, str]]:
    """Yield what becomes of each word of a line, removed ones before added ones."""
    at = other = 0
    for one, two in [*matched(old, new), (len(old), len(new))]:
        yield from (("removed", word) for word in old[at:one])
        yield from (("added", word) for word in new[other:two])
        yield from (("same", word) for word in old[one : one + 1])
        at, other = one + 1, two + 1
