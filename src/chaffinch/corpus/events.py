"""Pages about one event, from several sites: which they are, and what they say together.

Pages are alike by the cosine of their words, weighed by how few pages of their language have them
(tf-idf); in scripts without spaces pairs of characters are the words. Groups are joined while the
mean similarity of their pages is high enough (average linkage). Among 1,800 news pages
of three corpora those of different sites, years apart, are at most 0.18 alike, and of four pages
drawn at random 99 of 100 pairs at most 0.21.

Within a group sentences that share most of what weighs make one statement. The first page that has
it said it first; where two of its sentences differ in a number, date, name or negation, it is
disputed.
"""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any, Final
from urllib.parse import urlsplit

from chaffinch.extraction.extracted import Extract
from chaffinch.output.text import sentence_ends
from chaffinch.page_work import checked
from chaffinch.reading.keywords import stop_words
from chaffinch.reading.quotes import contradicts
from chaffinch.reading.words import folded, lower_words

SIMILARITY: Final = 0.2
"""Mean cosine from which pages are one group."""
DAYS: Final = 14
"""Days between two pages of one event at most."""
_READ: Final = 4_000
"""Characters of a page that are compared: news says first what it is about."""
_TELLING: Final = 40
"""Words of a page by which others are found."""
_SHARED: Final = 3
"""Of these words, how many two pages share before they are compared."""
_USUAL: Final = 60
"""Pages that have a word: it finds none, where more have it."""
_UNSEEN: Final = 10
"""Pages taken to have no word, beside those given: a few pages have no rare words otherwise."""
_FIRST_SPACELESS: Final = "\u0e00"
_SENTENCES: Final = 1_000
_LONGEST: Final = 1_000
"""Sentences of a page that are read, and characters of a sentence: beyond, it is none."""
_LEAST_WORDS: Final = 5
"""Of a sentence that is a statement; of pairs of characters likewise."""
_SAME: Final = 0.4
"""Share of the weight of two sentences' words that they share, from which they say the same."""


@dataclass(frozen=True)
class Story:
    """What is compared of a page."""

    url: str  # "" if unknown
    title: str  # "" if it has none
    # host without ``www.``, or the site's name where there is no URL; "" if unknown, which counts
    # as one of its own
    site: str
    date: str  # published, ISO 8601; "" if unknown
    language: str  # BCP 47; "" if unknown
    text: str  # the main content, a line a block

    @classmethod
    def of(cls, found: Extract) -> Story:
        host = (urlsplit(found.url or "").hostname or "").removeprefix("www.")
        date = str(found.date or "")
        site = host or str(found.site_name or "")
        language = str(found.language or "")
        return cls(found.url or "", found.title or "", site, date, language, found.text)

    @property
    def day(self) -> dt.date | None:
        try:
            return dt.date.fromisoformat(self.date[:10])
        except ValueError:
            return None


@dataclass(frozen=True)
class Statement:
    """What one or more pages of a group say."""

    # (number of the page within the group, from 0; the sentence), the first one first
    said: tuple[tuple[int, str], ...]
    sites: int  # how many sites say it
    is_disputed: bool  # a number, date, name or negation differs between two of the sentences

    @property
    def text(self) -> str:
        return self.said[0][1]


@dataclass(frozen=True)
class Event:
    """Pages about one event."""

    stories: tuple[Story, ...]  # the pages, the earliest first, those without a date last
    statements: tuple[Statement, ...]  # what they say, in the order in which the pages say it

    @property
    def sites(self) -> int:
        return _count_sites([story.site for story in self.stories])

    @property
    def title(self) -> str:
        """The title of the page that says most of what several sites say."""
        count = Counter(at for one in self.core for at, _ in one.said)
        best = max(range(len(self.stories)), key=lambda at: (count[at], -at))
        return self.stories[best].title

    @property
    def core(self) -> tuple[Statement, ...]:
        return tuple(one for one in self.statements if one.sites > 1)

    def added_by(self, number: int) -> tuple[Statement, ...]:
        """Return what page ``number`` alone says, or, of several of its site, said first."""
        own = (one for one in self.statements if one.sites == 1)
        return tuple(one for one in own if one.said[0][0] == number)

    def to_dict(self) -> dict[str, Any]:
        """Return the event as plain values; pages are numbered from 1."""
        return {
            "title": self.title,
            "sites": self.sites,
            "pages": [
                {"number": number, "url": one.url, "title": one.title, "site": one.site,
                 "date": one.date, "language": one.language}
                for number, one in enumerate(self.stories, 1)
            ],
            "statements": [
                {"text": one.text, "sites": one.sites, "disputed": one.is_disputed,
                 "said": [{"page": at + 1, "sentence": sentence} for at, sentence in one.said]}
                for one in self.statements
            ],
        }  # fmt: skip

    def markdown(self) -> str:
        lines = [f"# {_line(self.title) or 'Untitled'}", ""]
        lines += [f"{len(self.stories)} pages of {self.sites} sites", ""]
        for one in self.core:
            lines.append(f"- {_line(one.text)} {_numbers(one)}")
            if one.is_disputed:
                lines += [f"  - differs: {_line(said)} [{at + 1}]" for at, said in one.said[1:]]
        for number, story in enumerate(self.stories):
            if added := self.added_by(number):
                lines += ["", f"## Only in [{number + 1}]: {_line(story.title)}", ""]
                lines += [f"- {_line(one.text)} {_numbers(one)}" for one in added]
        lines += ["", "## Pages", ""]
        for number, story in enumerate(self.stories, 1):
            where = ", ".join(filter(None, [_line(story.site), story.date]))
            link = f" <{story.url}>" if story.url and not set(story.url) & set("<> \n") else ""
            lines.append(f"{number}. {_line(story.title)} ({where}){link}")
        return "\n".join(lines)


def _count_sites(sites: Iterable[str]) -> int:
    known = list(sites)
    return len({*known} - {""}) + known.count("")


def _line(text: str) -> str:
    return "".join("\\" + one if one in "\\`*_[]<>#|" else one for one in " ".join(text.split()))


def _numbers(statement: Statement) -> str:
    return "".join(f"[{at}]" for at in dict.fromkeys(at + 1 for at, _ in statement.said))


def group_stories(
    stories: Iterable[Story],
    *,
    similarity: float = SIMILARITY,
    days: int = DAYS,
    sites: int = 2,
) -> list[Event]:
    """Return the events that pages of several sites are about, those of most sites first.

    A page whose text another page of its site has is left out.

    Args:
        stories: the pages, of any languages; only those of one language are compared.
        similarity: mean cosine of a group's pages at least, above 0 to 1.
        days: days between two pages of a group at most, where both have a date.
        sites: sites of a group at least; at 1 pages of one site are grouped, too.
    """
    given = list({(one.site, one.text): one for one in stories}.values())
    by_language: dict[str, list[Story]] = defaultdict(list)
    for one in given:
        by_language[one.language.partition("-")[0].lower()].append(one)
    events: list[Event] = []
    for code, own in by_language.items():
        weights = _Weights(own, code)
        groups = _groups(_pairs(own, weights, days), similarity)
        events += [
            _event([own[at] for at in group], weights)
            for group in groups
            if _count_sites(own[at].site for at in group) >= sites
        ]
    return sorted(events, key=lambda one: (-one.sites, -len(one.stories), one.stories[0].date))


class _Weights:
    """What words of one language weigh, by how few of the pages have them."""

    def __init__(self, stories: Sequence[Story], code: str) -> None:
        self.code = code
        self._stop = stop_words(code)
        self.of_story = [
            self.terms(f"{one.title}\n{one.text[:_READ]}") for one in checked(stories, every=8)
        ]
        self.having = Counter(term for terms in self.of_story for term in terms)
        self._pages = len(stories) + _UNSEEN

    def terms(self, text: str) -> Counter[str]:
        """Return the words of a text that aren't function words, and how often they stand there."""
        found: Counter[str] = Counter()
        before = ""
        for word in lower_words(folded(text)).words:
            is_character = len(word) == 1 and word >= _FIRST_SPACELESS
            if is_character and before and not {word, before, before + word} & self._stop:
                found[before + word] += 1
            elif not is_character and word not in self._stop and (len(word) > 1 or word.isdigit()):
                found[word] += 1
            before = word if is_character else ""
        return found

    def weight(self, term: str) -> float:
        return math.log(self._pages / (self.having[term] + 0.5))

    def vector(self, terms: Counter[str]) -> dict[str, float]:
        """Return the weights of a page's words, their squares' sum 1."""
        values = {term: (1 + math.log(n)) * self.weight(term) for term, n in terms.items()}
        length = math.sqrt(sum(value * value for value in values.values())) or 1.0
        return {term: value / length for term, value in values.items()}


def _pairs(stories: Sequence[Story], weights: _Weights, days: int) -> dict[tuple[int, int], float]:
    """Return the similarity of each two pages, the lower number first, that may be of one event."""
    vectors = [weights.vector(terms) for terms in weights.of_story]
    found: dict[str, list[int]] = defaultdict(list)
    for at, vector in enumerate(vectors):
        for term in sorted(vector, key=vector.__getitem__, reverse=True)[:_TELLING]:
            found[term].append(at)
    shared: Counter[tuple[int, int]] = Counter()
    for own in checked(list(found.values()), every=256):
        if len(own) <= _USUAL:
            shared.update(combinations(own, 2))
    dates = [one.day for one in stories]
    out = {}
    for (low, high), count in shared.items():
        one, other = dates[low], dates[high]
        is_far = one is not None and other is not None and abs((one - other).days) > days
        if count >= _SHARED and not is_far:
            rest = vectors[high]
            out[low, high] = sum(v * rest.get(term, 0.0) for term, v in vectors[low].items())
    return out


def _groups(pairs: dict[tuple[int, int], float], least: float) -> list[list[int]]:
    """Return groups of pages, joined from the most alike on while their mean is high enough."""
    group_of: dict[int, list[int]] = {}
    for low, high in sorted((one for one in pairs if pairs[one] >= least), key=lambda p: -pairs[p]):
        one, other = group_of.get(low, [low]), group_of.get(high, [high])
        if one is other:
            continue
        total = sum(pairs.get((min(a, b), max(a, b)), 0.0) for a in one for b in other)
        if total >= least * len(one) * len(other):
            joined = sorted(one + other)
            group_of.update(dict.fromkeys(joined, joined))
    return list({id(own): own for own in group_of.values()}.values())


def _event(stories: list[Story], weights: _Weights) -> Event:
    order = sorted(stories, key=lambda one: (one.date == "", one.date))
    found = _Statements(weights)
    for at, one in enumerate(order):
        found.read(at, one)
    return Event(tuple(order), found.made([one.site for one in order]))


class _Statements:
    """Sentences of the pages of an event, those that say the same together."""

    def __init__(self, weights: _Weights) -> None:
        self._weights = weights
        self._said: list[list[tuple[int, str]]] = []
        self._terms: list[set[str]] = []
        self._having: dict[str, list[int]] = defaultdict(list)
        self._place: list[float] = []

    def read(self, number: int, story: Story) -> None:
        """Add the sentences of a page, each to the statement that is most like it, or as one."""
        sentences = [one for line in story.text.splitlines() for one in _sentences(line)]
        del sentences[_SENTENCES:]
        for at, sentence in enumerate(sentences):
            terms = set(self._weights.terms(sentence))
            if len(terms) < _LEAST_WORDS or len(sentence) > _LONGEST:
                continue
            best = self._most_like(terms, number)
            if best is None:
                best = len(self._said)
                self._said.append([])
                self._terms.append(terms)
                self._place.append(at / len(sentences))
                for term in terms:
                    self._having[term].append(best)
            self._said[best].append((number, sentence))

    def _most_like(self, terms: set[str], number: int) -> int | None:
        """Return the statement that says the same as a sentence of another page."""

        def weigh(some: set[str]) -> float:
            return sum(map(self._weights.weight, some))

        rare = (self._having[term] for term in terms if len(self._having[term]) <= _USUAL)
        shares = {}
        for at in {at for own in rare for at in own if self._said[at][-1][0] != number}:
            other = self._terms[at]
            shares[at] = weigh(terms & other) / weigh(terms | other)
        best = max(shares, key=shares.__getitem__, default=None)
        return best if best is not None and shares[best] >= _SAME else None

    def made(self, sites: Sequence[str]) -> tuple[Statement, ...]:
        """Return the statements in the order in which pages say them; sites are the pages'."""
        order = sorted(range(len(self._said)), key=lambda at: (self._place[at], at))
        return tuple(
            Statement(
                tuple(self._said[at]),
                _count_sites(sites[number] for number, _ in self._said[at]),
                self._differ([sentence for _, sentence in self._said[at]]),
            )
            for at in order
        )

    def _differ(self, sentences: list[str]) -> bool:
        """Return whether later sentences contradict the first, and it them."""
        first = folded(sentences[0])
        for other in map(folded, sentences[1:]):
            known = frozenset(lower_words(f"{first} {other}").words)
            code = self._weights.code
            if contradicts(first, other, code, known) and contradicts(other, first, code, known):
                return True
        return False


def _sentences(line: str) -> list[str]:
    ends = [0, *sentence_ends(line), len(line)]
    return [line[a:b].strip() for a, b in pairwise(ends) if line[a:b].strip()]
