"""The sample of a site's pages that its model is learned from, mergeable and in bounded memory.

Of a page a few kilobytes of columns are kept. Of its text that is only hashes, verbatim and with
numbers masked; and the first words of a few slots, as examples of what rules select.

Of each generation (the date on which pages were learned) the pages with the smallest keys are kept
(a bottom-k sample: Cohen and Kaplan 2007, «Summarizing data using bottom-k sketches»): uniform, and
independent of the order of the pages and of their distribution over machines. So `merged`
is exactly associative and commutative, and a hundred thousand pages take no more memory than a few
hundred.
"""

import heapq
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from chaffinch.caching import cached_property
from chaffinch.decision.draft import OF_LISTS
from chaffinch.decision.parameters import parameters
from chaffinch.errors import RulesError
from chaffinch.kernels.arrays import Floats, Hashes, Mask, marked
from chaffinch.metadata.page_fields import image_address
from chaffinch.metadata.values import clean
from chaffinch.methods import Learned
from chaffinch.page import Page, flattening, tags
from chaffinch.page.urls import host_name
from chaffinch.segment.densities import BLOCKS
from chaffinch.segment.text_blocks import TextBlocks, text_blocks
from chaffinch.site.archive import (
    BROKEN,
    Archive,
    archived,
    require_ascending,
    saved_count,
    saved_text,
)
from chaffinch.site.fields import role_rows
from chaffinch.site.slots import BINS, SlotStep, sketch, slot_hashes, step_of
from chaffinch.verdict import Verdict, require_verdict

_NUMBERS: Final = re.compile(r"\d+")


@dataclass(frozen=True, eq=False)
class TextHashes:
    """Hashes of the texts of m blocks, each uint32[m]."""

    verbatim: NDArray[np.uint32]  # of the text, white space folded
    masked: NDArray[np.uint32]  # of the text with runs of digits masked

    @classmethod
    def of(cls, blocks: TextBlocks) -> "TextHashes":
        texts = blocks.texts()
        masked = _NUMBERS.sub("0", "\n".join(texts)).split("\n") if texts else []  # none has a "\n"
        columns = (texts, masked)
        each = list(dict.fromkeys(chain(*columns)))  # most of them recur
        hashes = flattening.hash_strings(each).astype(np.uint32).tolist()
        of_text = dict(zip(each, hashes, strict=True)).__getitem__
        return cls(*(np.fromiter(map(of_text, one), np.uint32, len(one)) for one in columns))


LONGEST: Final = 60
"""Characters of an example."""
LONGEST_ADDRESS: Final = 300
_ENOUGH: Final = 4
"""Characters of a text that are looked at for each one that is shown: some are white space."""
MOST_SLOTS: Final = 32
"""Slots of a page whose first words are kept, those with the most text."""


def shown_words(text: str, most: int = LONGEST) -> str:
    """Return the beginning of a text as one line of printable characters, at most ``most``.

    Controls, characters that turn text around or have no width, and surrogates are left out.
    """
    line = " ".join(text[: _ENOUGH * most].split())
    if not line.isprintable():
        line = "".join(one for one in line if one.isprintable())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def words_by_slot(page: Page, hashes: Hashes, roles: Iterable[int]) -> dict[int, str]:
    """Return slot → the first words of its first block, of the largest slots of a page.

    And those of its fields, whose rows are ``roles``; ``hashes`` are its `slot_hashes`.
    """
    blocks = text_blocks(page)
    slots, first, at = np.unique(hashes[blocks.owner], return_index=True, return_inverse=True)
    size = np.bincount(at, weights=blocks.length)
    chosen = np.zeros(len(slots), dtype=bool)
    chosen[np.argsort(-size, kind="stable")[:MOST_SLOTS]] = True
    pairs = zip(slots[chosen].tolist(), first[chosen].tolist(), strict=True)
    texts = {slot: blocks.text(block) for slot, block in pairs}
    texts |= {int(hashes[row]): _beginning(page, row) for row in [*roles][::-1]}
    return {slot: words for slot, text in texts.items() if (words := shown_words(text))}


def _beginning(page: Page, row: int) -> str:
    """Return the first words of an element; of an image the end of its address."""
    if page.name(row) == "img":
        address = image_address(page, row)
        return address if len(address) <= LONGEST else "…" + address[1 - LONGEST :]
    start, stop = page.text_at[[row, page.end[row]]].tolist()
    return page.text[start : min(stop, start + _ENOUGH * LONGEST)].strip()


MOST_BLOCKS: Final = 3000
"""Text blocks kept of one page, the first ones: most pages have a few hundred."""
STRONGEST: Final = 8.0
"""Bound of the absolute log-odds, so that one block of high probability can't outweigh its slot."""

LONGEST_TITLE: Final = 300

_OF_MANY: Final = (*OF_LISTS, "forum")  # types of pages of many things
_HEADS: Final = tags.table("h2 h3 h4 h5 h6 th dt".split())
"""Tags of blocks that head what follows: a section, a row of a table, a list of definitions."""


@dataclass(frozen=True, eq=False)
class PageSummary:
    """One page of the sample that templates are learned from; m text blocks in s slots."""

    key: int  # hash of the page's text; pages with the same text are one
    url: str  # the page's address; "" if unknown
    kind: str  # its type, as the method that classified it says; "" if unknown
    sketch: Hashes  # uint64[64], the sketch that pages are clustered by
    slots: Hashes  # uint64[s], the slots of all elements that hold text, ascending
    elements: NDArray[np.uint16]  # uint16[s], how many such elements are in each slot
    slot: NDArray[np.int16]  # int16[m], index in ``slots`` of the slot of each block's owner
    texts: TextHashes  # hashes of the blocks' texts
    # float16[m] within ±`STRONGEST`, of being content, by the page-level model
    log_odds: NDArray[np.float16]
    length: NDArray[np.uint16]  # uint16[m], folded characters of each block, at most 65,535
    linked: NDArray[np.uint16]  # uint16[m], those in links
    # bool[m], blocks that head what follows: headings of sections, labels of rows in tables, terms
    heading: Mask
    # role → slot: where title, author, date, a picture of the content and the link to the next page
    # stand
    roles: Mapping[str, int]
    words: Mapping[int, str]  # slot → the first words there, of the largest slots
    title: str = ""  # its title element, as one line; at most `LONGEST_TITLE` characters

    def __len__(self) -> int:
        return len(self.slot)

    @cached_property
    def places(self) -> Hashes:
        """uint64[m]: the slot of each block."""
        return self.slots[self.slot]


class PageSlots(NamedTuple):
    """Where a page's rows stand, which is known before any block of it is scored."""

    hashes: Hashes  # uint64[n], its `slot_hashes`
    sketch: Hashes  # that of its containers, by which the nearest template is found

    @classmethod
    def of(cls, page: Page) -> "PageSlots":
        hashes = slot_hashes(page)
        return cls(hashes, page_sketch(page, hashes))


def page_key(page: Page) -> int:
    """Return the hash of a page's text: a sample of pages is drawn by it."""
    return flattening.hash_string(page.text)


def block_summary(
    page: Page, score: Floats, own: PageSlots | None = None, *, kind: str = ""
) -> PageSummary:
    """Return the summary of ``page`` without roles, words and title.

    That is all that a template needs to apply its tables to the page's blocks. ``score`` is
    float32[n] in 0..1, how likely each text row is content by the page-level model; ``own`` are the
    slots of the page, if they are at hand.
    """
    blocks = text_blocks(page)
    most = min(len(blocks), MOST_BLOCKS)
    hashes, sketched = own or PageSlots.of(page)
    owner = blocks.owner[:most]
    around = page.around(marked(len(page), owner))
    slots, elements = np.unique(hashes[around], return_counts=True)
    texts = TextHashes.of(blocks)
    return PageSummary(
        key=page_key(page),
        url=page.url or "",
        kind=kind,
        sketch=sketched,
        slots=slots,
        elements=np.minimum(elements, 65_535).astype(np.uint16),
        slot=np.searchsorted(slots, hashes[owner]).astype(np.int16),
        texts=TextHashes(*(column[:most] for column in vars(texts).values())),
        log_odds=_own_log_odds(blocks, score[blocks.first], kind)[:most],
        length=np.minimum(blocks.length[:most], 65_535).astype(np.uint16),
        linked=np.minimum(blocks.link_length[:most], 65_535).astype(np.uint16),
        heading=_HEADS[page.tag[owner]],
        roles={},
        words={},
    )


_OF_PARAMETERS: Final = 1.0
"""Least log-odds of a product's parameters, which the default keeps at a lower score."""


def _own_log_odds(blocks: TextBlocks, score: Floats, kind: str) -> NDArray[np.float16]:
    """Return float16[m], `log_odds` of the blocks' scores, those of parameters raised."""
    own = log_odds(score)
    if len(blocks) and kind not in _OF_MANY:
        facts = parameters(blocks, score, blocks.link_length > 0, score < 0.5, kind=kind)  # noqa: PLR2004  even odds
        if facts is not None:
            own[facts] = np.maximum(own[facts], _OF_PARAMETERS)
    return own.astype(np.float16)


def page_sketch(page: Page, hashes: Hashes) -> Hashes:
    """Return the sketch of a page's containers; ``hashes`` are its `slot_hashes`."""
    return sketch(hashes[page.is_tag(*BLOCKS)])


def summarise(page: Page, verdict: Verdict) -> tuple[PageSummary, dict[int, SlotStep]]:
    """Return the whole summary of ``page`` by a method's verdict, and slot → step."""
    own = PageSlots.of(page)
    hashes, roles = own.hashes, role_rows(page, verdict)
    basic = block_summary(page, verdict.score, own, kind=verdict.page_type or "")
    summary = replace(
        basic,
        roles={role: int(hashes[row]) for role, row in roles.items()},
        words=words_by_slot(page, hashes, roles.values()),
        title=clean(page.head.title)[:LONGEST_TITLE],
    )
    return summary, steps_of(page, hashes, [*text_blocks(page).owner.tolist(), *roles.values()])


def log_odds(score: NDArray[Any]) -> NDArray[np.float64]:
    """Return float64: the log-odds of probabilities, cut at ±`STRONGEST`."""
    inner = np.clip(score.astype(np.float64), 1e-6, 1 - 1e-6)
    return np.clip(np.log(inner / (1 - inner)), -STRONGEST, STRONGEST)


def steps_of(page: Page, hashes: Hashes, rows: list[int]) -> dict[int, SlotStep]:
    steps: dict[int, SlotStep] = {}
    for start in rows:
        row = start
        while row >= 0 and (slot := int(hashes[row])) not in steps:
            up = int(page.parent[row])
            steps[slot] = SlotStep(int(hashes[up]) if up >= 0 else 0, step_of(page, row))
            row = up
    return steps


MOST: Final = 256
"""Pages kept of a generation. Quality hardly grows beyond 40; the rest serves templates with few
pages."""
GENERATIONS: Final = 4
"""Generations kept, the latest ones, so that pages from before a redesign don't outnumber it."""


@dataclass(frozen=True, eq=False)
class Statistics:
    """A mergeable summary of many pages of one site."""

    # date → summaries of the kept pages, in order of their keys
    samples: Mapping[str, tuple[PageSummary, ...]] = field(default_factory=dict)
    pages: Mapping[str, int] = field(default_factory=dict)  # date → how many pages were seen in all
    # slot → its last step, of all slots of the kept pages
    steps: Mapping[int, SlotStep] = field(default_factory=dict)
    hosts: Mapping[str, int] = field(default_factory=dict)  # host → pages seen of it

    @classmethod
    def of_page(cls, page: Page, *, verdict: Verdict | None = None, date: str = "") -> Self:
        """Return the statistics of one page; the default method's verdict is computed if not given.

        ``date``, ISO 8601, is when the page is learned: the name of the generation.
        """
        summary, steps = summarise(page, verdict or Learned()(page))
        return cls({date: (summary,)}, {date: 1}, steps, Counter([host_name(page.url)]))

    def to_bytes(self) -> bytes:
        """Return them as bytes for a file or another process."""
        dated = [(date, page) for date, kept in sorted(self.samples.items()) for page in kept]
        steps = dict(sorted(self.steps.items()))
        header = {
            "pages": dict(sorted(self.pages.items())),
            "hosts": dict(sorted(self.hosts.items())),
            "kept": [
                [
                    *(date, page.url, page.kind, page.title),
                    {role: f"{slot:016x}" for role, slot in sorted(page.roles.items())},
                    {f"{slot:016x}": words for slot, words in sorted(page.words.items())},
                ]
                for date, page in dated
            ],
            "steps": [step.text for step in steps.values()],
        }
        columns = {
            name: [getattr(page.texts if name in _TEXTS else page, name) for _, page in dated]
            for name in _COLUMNS
        }
        whole = [page.key for _, page in dated], list(steps), [one.up for one in steps.values()]
        for name, values in zip(_WHOLE, whole, strict=True):
            columns[name] = [np.array(values, dtype=np.uint64)]
        return archived(_KIND, header, columns, {**_COLUMNS, **_WHOLE})

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        try:
            return cls(**_read(data))
        except BROKEN as error:
            problem = f"{type(error).__name__}: {error}"
            raise RulesError(f"not a usable sample of a site's pages: {problem}") from error

    @property
    def kept(self) -> list[PageSummary]:
        """All kept pages, the latest generation first, each page once."""
        seen: dict[int, PageSummary] = {}
        for date in sorted(self.samples, reverse=True):
            for summary in self.samples[date]:
                seen.setdefault(summary.key, summary)
        return list(seen.values())


def merged(parts: Iterable[Statistics]) -> Statistics:
    """Return the statistics of all ``parts`` together; associative and commutative."""
    given = list(parts)
    pages, hosts = Counter[str](), Counter[str]()
    for part in given:
        pages.update(part.pages)
        hosts.update(part.hosts)
    samples = {}
    for date in sorted(pages, reverse=True)[:GENERATIONS]:
        every = [one for part in given for one in part.samples.get(date, ())]
        # Of pages with the same text the same one must be kept, whatever their order.
        every.sort(key=lambda one: (one.url, one.sketch.tobytes(), one.slots.tobytes()))
        by_key = {one.key: one for one in reversed(every)}
        samples[date] = tuple(by_key[key] for key in heapq.nsmallest(MOST, by_key))
    known = {slot: step for part in given for slot, step in part.steps.items()}
    steps: dict[int, SlotStep] = {}
    for one in chain.from_iterable(samples.values()):
        for start in (*one.slots.tolist(), *one.roles.values()):
            slot = start
            while slot in known and slot not in steps:
                steps[slot] = known[slot]
                slot = steps[slot].up
    return Statistics(samples, dict(pages), steps, dict(hosts))


class Collector:
    """Adds pages one by one, and summarises only those that enter the sample.

    The page-level model runs on about `MOST` * (1 + log(pages / `MOST`)) of the pages.
    """

    def __init__(
        self,
        *,
        date: str = "",
        method: Callable[[Page], Verdict] | None = None,
        known: frozenset[int] = frozenset(),
    ) -> None:
        """``known`` are keys of pages that were counted before and are passed over."""
        self.date, self._known = date, known
        self._method = method or Learned()
        self._parts: dict[int, Statistics] = {}
        self._largest: list[int] = []  # a heap of the kept keys, negative
        self._hosts: Counter[str] = Counter()
        self._pages = 0

    def add(self, page: Page) -> None:
        key = page_key(page)
        if key in self._known:
            return
        self._pages += 1
        self._hosts[host_name(page.url)] += 1
        if key in self._parts or (len(self._largest) == MOST and key > -self._largest[0]):
            return
        summary, steps = summarise(page, require_verdict(self._method(page)))
        self._parts[key] = Statistics({self.date: (summary,)}, {}, steps, {})
        heapq.heappush(self._largest, -key)
        if len(self._largest) > MOST:
            del self._parts[-heapq.heappop(self._largest)]

    def result(self) -> Statistics:
        seen = Statistics({}, {self.date: self._pages}, {}, dict(self._hosts))
        return merged([seen, *self._parts.values()])


# The sample as an archive

_KIND: Final = "chaffinch site pages"
_TEXTS: Final = ("verbatim", "masked")
_COLUMNS: Final[Mapping[str, type[np.generic]]] = {
    **dict.fromkeys(("sketch", "slots"), np.uint64),
    **dict.fromkeys(_TEXTS, np.uint32),
    **dict.fromkeys(("elements", "length", "linked"), np.uint16),
    "slot": np.int16,
    "log_odds": np.float16,
    "heading": np.bool_,
}
"""Column of the pages' summaries → its dtype."""
_ALIKE: Final = (
    ("slot", "log_odds", "length", "linked", "heading", *_TEXTS),
    ("slots", "elements"),
)
"""Columns of one length."""
_WHOLE: Final[Mapping[str, type[np.generic]]] = dict.fromkeys(
    ("keys", "step_slots", "step_ups"), np.uint64
)
"""Columns that don't belong to one page each."""


def _read(data: bytes) -> dict[str, Any]:
    archive = Archive(_KIND, data)
    header = archive.header
    kept = header["kept"]
    keys, slots, ups = (archive.parts(name, kind, 1)[0].tolist() for name, kind in _WHOLE.items())
    samples: dict[str, list[PageSummary]] = {}
    owners = archive.owners(_COLUMNS, len(kept))
    for key, (date, url, kind, title, roles, words), own in zip(keys, kept, owners, strict=True):
        _check_columns(own)
        page = PageSummary(
            key=key,
            url=saved_text(url),
            kind=saved_text(kind),
            title=saved_text(title)[:LONGEST_TITLE],
            texts=TextHashes(*(own.pop(name) for name in _TEXTS)),
            roles={saved_text(role): int(slot, 16) for role, slot in roles.items()},
            words={int(slot, 16): shown_words(saved_text(text)) for slot, text in words.items()},
            **own,
        )
        samples.setdefault(saved_text(date), []).append(page)
    steps = {
        slot: SlotStep(up, saved_text(text))
        for slot, up, text in zip(slots, ups, header["steps"], strict=True)
    }
    every = [page for pages in samples.values() for page in pages]
    _check_steps(steps, {one for page in every for one in (*page.slots, *page.roles.values())})
    return {
        "samples": {date: tuple(pages) for date, pages in samples.items()},
        "pages": {saved_text(date): saved_count(pages) for date, pages in header["pages"].items()},
        "hosts": {saved_text(host): saved_count(pages) for host, pages in header["hosts"].items()},
        "steps": steps,
    }


def _check_columns(own: Mapping[str, NDArray[Any]]) -> None:
    if any(len({len(own[name]) for name in names}) != 1 for names in _ALIKE):
        raise ValueError("columns of a page must be of one length")
    if len(own["sketch"]) != BINS:
        raise ValueError(f"a sketch has {BINS} hashes")
    slot, slots = own["slot"], own["slots"]
    if len(slot) and not 0 <= int(slot.min()) <= int(slot.max()) < len(slots):
        raise ValueError("a block is in none of its page's slots")
    require_ascending(slots)
    if not (np.abs(own["log_odds"]) <= STRONGEST).all():
        raise ValueError(f"log_odds must be within ±{STRONGEST:g}")


def _check_steps(steps: Mapping[int, SlotStep], slots: Collection[int]) -> None:
    below: dict[int, list[int]] = {}
    for slot, step in steps.items():
        below.setdefault(step.up, []).append(slot)
    waiting, reached = [up for up in below if up not in steps], 0
    if waiting not in ([], [0]):
        raise ValueError("a step is below a slot that isn't there")
    while waiting:
        inner = below.get(waiting.pop(), ())
        reached += len(inner)
        waiting.extend(inner)
    if reached != len(steps):
        raise ValueError("the steps are no tree")
    if not all(int(slot) in steps for slot in slots):
        raise ValueError("a slot has no step")
