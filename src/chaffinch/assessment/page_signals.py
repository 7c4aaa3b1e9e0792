"""What is measured of a page to tell what it is: sizes, forms, names, words, the head, the status.

Each signal is a number with a name, and has the rows that it was measured on, where there are such.
Lengths count East Asian characters as three and enter as logarithms. Walls and forms are known by
their fields, buttons and names in any language; phrases of nineteen languages, as far as pages that
a reader meets have them (``words.json``), are some signals among many, and none decides alone.
"""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from importlib import resources
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from chaffinch.assessment.shell import shell_features
from chaffinch.elements import words_found
from chaffinch.kernels.arrays import Mask
from chaffinch.model.block_scores import Model, score_blocks, shipped
from chaffinch.page import Page, tags
from chaffinch.segment.text_blocks import block_prose, text_blocks

Rows = tuple[int, ...]
Signal = tuple[str, float, Rows]
"""Name, value, rows that it was measured on."""

_WORDS: Final = json.loads(resources.files(__package__).joinpath("words.json").read_bytes())
PHRASES: Final = {state: tuple(some.split("|")) for state, some in _WORDS["phrases"].items()}
"""State → phrases on its pages, in lower case."""
NAMES: Final = {kind: tuple(some.split("|")) for kind, some in _WORDS["names"].items()}
"""Signal → parts of class names and ids that are evidence for it, in lower case."""
_STATUS_IN_TEXT: Final = re.compile(
    r"(?<![\d.,])(?:40[013459]|410|418|429|451|50[0-4]|52[0-7])(?![\d.,]\d|\d|\w)"
)
"""A number that HTTP has for errors, alone: titles and headings of error pages have it."""
_REFERENCE: Final = re.compile(
    r"(?<![\w.])(?:[0-9a-f]{10,64}|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})(?![\w.])"
)
"""A number that who refuses a caller gives it, in lower case: in hexadecimal, or its address."""
_PRICE: Final = re.compile(
    r"[$£€¥₹₩₽₺]\s?\d|\d[.,]\d\d\s?(?:[€$£₹₺₽]|zł|kč|kr\b|lei\b|ft\b|eur\b|usd\b|chf\b|руб|грн|円|元|원)"
)
"""An amount of money, in lower case."""
_DOMAIN_NAME: Final = re.compile(r"(?<![\w.@/-])[\w-]{1,63}\.[a-z]{2,24}(?![\w@/-])")
"""What looks like a domain name, in lower case."""
_STATUSES: Final = {
    "success": range(200, 300), "unauthorized": (401, 407, 511), "payment required": (402,),
    "refused": (403, 418, 429, 451), "missing": (400, 404, 405, 406, 409, 410),
    "server error": range(500, 511), "gateway error": range(520, 600),
}  # fmt: skip

MOST_ROWS: Final = 8  # rows of a signal that are kept: the first ones
_LITTLE: Final = 600.0
"""Characters at which emptiness is a half: between an error's and an article's."""
_TEASER: Final = 700.0  # characters of a teaser, in the middle
LONG: Final = 60  # characters from which on a block is prose
_LIKELY: Final = 0.5  # score from which on a block counts as content
_SHORT: Final = 400  # characters of a block that is searched for phrases
_MOST_SEARCHED: Final = 8000  # characters of such blocks that are searched in all
_CHROME: Final = tags.table("nav header footer aside form noscript dialog".split())
_FRAME: Final = tags.table("nav header footer aside".split())
_CONTAINERS: Final = tags.table("div main section article ul ol table td form #unknown".split())
_FILLED: Final = tags.table(
    "img image iframe video audio object embed canvas input select textarea button svg".split()
)
PRESSED: Final = tags.table("a button input".split())
_NAME: Final = 3  # characters of a heading that a title can name
_NEAR: Final = 60  # rows
_ACCOUNT: Final = ("user", "login", "mail", "account", "passw", "pwd")
"""Parts of names of fields for an account."""
_FILLED_IN: Final = ("username", "password", "email", "one-time-code")
_TYPED: Final = frozenset({"", "text", "email", "tel", "number", "search", "password"})


class Logarithm(float):
    """The logarithm of a count or length, 0 for 0, which knows itself as one."""

    __slots__ = ()


def log_of(value: float) -> Logarithm:
    return Logarithm(np.log1p(value))


def first_rows(rows: Sequence[int] | NDArray[Any]) -> Rows:
    return tuple(int(row) for row in rows[:MOST_ROWS])


def counted(name: str, rows: Sequence[int] | NDArray[Any], share: float | None = None) -> Signal:
    """Return the signal of how many rows there are, times a share."""
    count = log_of(len(rows))
    return name, count if share is None else count * share, first_rows(rows)


def given(name: str, rows: Sequence[int] | NDArray[Any], share: float = 1.0) -> Signal:
    """Return the signal of whether there are any rows, times a share."""
    return name, float(len(rows) > 0) * share, first_rows(rows)


def emptiness_of(content: float) -> float:
    """Return 1 for no content, a half at `_LITTLE` characters, to 0."""
    return 1 / (1 + (content / _LITTLE) ** 2)


def middling(prose: float) -> float:
    """Return how much a length of prose is like that of a teaser: 1 at `_TEASER` characters."""
    return float(np.exp(-(np.log((prose + 1) / _TEASER) ** 2)))


class MeasuredPage:
    """What several signals are made of, of a page with n rows and m blocks; all of it is used.

    Attributes:
        prose: float64[m], characters outside links of each block, East Asian ones as three.
        all_prose: their sum.
        chrome_rows: bool[n], rows in navigation, header, footer or aside.
        main_prose: characters of prose outside navigation, headers, footers, forms and dialogs.
        score: float64[m], how likely the model takes each block for content, 0..1.
        kinds: page type → how likely the model takes the page for it, 0..1.
        is_content: bool[m], blocks that are more likely content than not.
        long_content: numbers of the long ones of these.
        content_prose: float64[m], as ``prose``, 0 for blocks that aren't content.
        content: their sum.
        emptiness: `emptiness_of` that.
        holders: intp[m], parents of the elements that own the blocks.
        most_held: characters of content of the element that holds most of it in its own children:
            an article's paragraphs stand beside each other, teasers each in one of its own.
        thinness: `emptiness_of` that.
        holes: rows of the outermost containers outside chrome without text, pictures and fields.
        types: row → its ``type``.
        inputs, secrets: rows of fields, and of those for passwords.
        declares_article: 1 where the head declares one: Open Graph, or JSON-LD with a headline.
        title, text: of the page, in lower case.
        headings: rows of the headings of the first three levels.
        first_headings: (row, text in lower case) of the first ones.
        main_heading: row of the heading that the page's title names (then it ``is_titled``), else
            of the ``first_heading`` outside chrome; -1 for none.
        short: (row, text in lower case) of short blocks outside links, up to a sum of lengths.
        phrases: state → its phrases that stand in title, first headings or short blocks.
        short_phrases: state → those that stand in short blocks.
    """

    def __init__(self, page: Page, model: Model | None = None) -> None:
        """Measure a page; ``model`` scores the blocks, None for the usual one."""
        self.page, self.blocks = page, text_blocks(page)
        self.prose: NDArray[np.float64] = block_prose(page)
        self._prose_before = np.append(0.0, np.cumsum(self.prose))
        self.all_prose = float(self.prose.sum())
        self.chrome_rows = page.inside(_FRAME[page.tag])
        outside = (self.prose >= LONG) & ~self.blocks.inside(_CHROME)
        self.main_prose = float(self.prose[outside].sum())
        self._measure_content(model)
        bare = (page.length == 0) & (page.total(_FILLED[page.tag]) == 0) & _CONTAINERS[page.tag]
        holes = bare & page.shown & ~self.chrome_rows
        self.holes = np.flatnonzero(holes & ~holes[np.maximum(page.parent, 0)])
        self.types = {row: kind.strip().lower() for row, kind in page.having("type")}
        self.inputs = self.rows_of("input")
        self.secrets = self.inputs_of("password")
        is_article = page.head.first_meta("og:type").lower() == "article"
        has_headline = any(node.get("headline") for _, node in page.head.json_ld)
        self.declares_article = float(is_article or has_headline)
        self._read_words()

    def _measure_content(self, model: Model | None) -> None:
        page, m = self.page, len(self.prose)
        scores = score_blocks(page, model=model) if m else None
        names = (model or shipped()).kinds
        chances = [0.0] * len(names) if scores is None else scores.by_network.tolist()
        self.kinds: dict[str, float] = dict(zip(names, chances, strict=True))
        self.score = np.zeros(m) if scores is None else scores.score.astype(np.float64)
        self.is_content: Mask = self.score >= _LIKELY
        self.long_content = np.flatnonzero(self.is_content & (self.prose >= LONG))
        self.content_prose = np.where(self.is_content, self.prose, 0.0)
        self.content = float(self.prose[self.is_content].sum())
        self.emptiness = emptiness_of(self.content)
        self.holders = np.maximum(page.parent[self.blocks.owner], 0)
        held = np.bincount(self.holders, self.content_prose)
        self.most_held = float(held.max(initial=0.0))
        self.thinness = emptiness_of(self.most_held)

    def _read_words(self) -> None:
        page, blocks = self.page, self.blocks
        self.title = page.title.lower()
        self.text = page.text[page.text_at[page.body] :].lower()
        self.headings = np.flatnonzero(page.is_tag("h1", "h2", "h3") & page.shown).tolist()
        self.first_headings = [(row, page.folded(row).lower()) for row in self.headings[:MOST_ROWS]]
        self.first_heading: int = next((r for r in self.headings if not self.chrome_rows[r]), -1)
        named = (row for row in self.headings[:40] if self._is_named(row))
        self.main_heading: int = next(named, self.first_heading)
        self.is_titled = self.main_heading >= 0 and self._is_named(self.main_heading)
        is_short = (blocks.length <= _SHORT) & (blocks.link_length * 2 <= blocks.length)
        rows = np.flatnonzero(is_short)
        rows = rows[np.cumsum(blocks.length[rows]) <= _MOST_SEARCHED]
        self.short = [(int(blocks.first[one]), blocks.text(one).lower()) for one in rows.tolist()]
        self.short_text = "\n".join(text for _, text in self.short)
        said = (self.title, *(text for _, text in self.first_headings), self.short_text)
        data = "\n".join(said).encode("utf-8", "surrogatepass")
        self.phrases = {state: words_found(data, some) for state, some in PHRASES.items()}
        self.short_phrases = {
            state: [one for one in some if one in self.short_text]
            for state, some in self.phrases.items()
        }

    def _is_named(self, row: int) -> bool:
        text = self.page.folded(row).lower()
        return len(text) >= _NAME and text in self.title

    def having(self, name: str, *values: str) -> list[int]:
        """Return the rows whose attribute is one of some values, in any case."""
        found = self.page.having(name)
        return [row for row, value in found if value.strip().lower() in values]

    def rows_of(self, *names: str) -> list[int]:
        rows: list[int] = np.flatnonzero(self.page.is_tag(*names)).tolist()
        return rows

    def inputs_of(self, *kinds: str) -> list[int]:
        return [row for row in self.inputs if self.types.get(row, "") in kinds]

    def prose_in(self, rows: list[int]) -> float:
        """Return the characters outside links of the blocks that begin in some rows, in order."""
        if not rows:
            return 0.0
        first, before = self.blocks.first, self._prose_before
        start = np.searchsorted(first, rows)
        stop = np.maximum.accumulate(np.searchsorted(first, self.page.end[rows]))
        start[1:] = np.maximum(start[1:], stop[:-1])  # what an element around it has counted
        return float((before[stop] - before[np.minimum(start, stop)]).sum())

    def prose_between(self, start: int, stop: int) -> float:
        """Return the characters outside links of the blocks that begin in a range of rows."""
        at, to = np.searchsorted(self.blocks.first, [start, stop])
        return float(self._prose_before[to] - self._prose_before[at])


def size_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield how much text, prose, links and headings there are."""
    prose, lengths, linked = found.prose, found.blocks.length, found.blocks.link_length
    long = prose >= LONG
    yield "prose", log_of(prose[long].sum()), ()
    yield "prose outside chrome", log_of(found.main_prose), ()
    yield "text outside links", log_of(found.all_prose), ()
    yield "blocks of prose", log_of(long.sum()), ()
    yield "blocks", log_of(len(prose)), ()
    yield "text in links", log_of(linked.sum()), ()
    yield "share of text in links", float(linked.sum() / max(int(lengths.sum()), 1)), ()
    yield counted("headings", found.headings)
    yield "emptiness", found.emptiness, ()
    yield "no text at all", float(found.all_prose + int(linked.sum()) == 0), ()


def script_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield what speaks for a page that waits for its scripts."""
    shell = shell_features(found.page)
    yield "scripts", log_of(shell.scripts), ()
    yield "placeholders", log_of(shell.placeholders), ()
    yield "noscript mentions JavaScript", float(shell.has_noscript_warning), ()
    yield "main element is empty", float(shell.is_hollow), ()
    yield "text in embedded state", log_of(shell.state), ()
    yield "waits for scripts", float(shell.is_shell), ()


def declared_signals(found: MeasuredPage) -> Iterator[Signal]:
    head, empty = found.page.head, found.emptiness
    robots = head.meta.get("robots", ())
    unindexed = [row for row, content in robots if "noindex" in content.lower()]
    yield given("declared not to be indexed", unindexed)
    yield "not to be indexed, little content", float(bool(unindexed)) * empty, ()
    free = [(row, node.get("isAccessibleForFree")) for row, node in head.json_ld]
    paid = [
        r for r, one in free if isinstance(one, bool | str) and str(one).strip().lower() == "false"
    ]
    tier = head.first_meta("article:content_tier", "content_tier").lower()
    is_paid = float(bool(paid) or tier in {"locked", "metered", "paid", "premium"})
    yield "declared not to be free", is_paid, first_rows(paid)
    yield "not free, some prose", is_paid * middling(found.main_prose), first_rows(paid)
    yield "declared an article", float(head.first_meta("og:type").lower() == "article"), ()
    yield "declares JSON-LD", float(bool(head.json_ld)), ()
    yield "has a canonical address", float(any("canonical" in rel for _, rel, _ in head.links)), ()
    described = head.first_meta("description", "og:description")
    yield "length of the description", log_of(len(described)), ()
    yield "length of the title", log_of(len(head.title)), ()
    yield "no title", float(not head.title), ()


def status_signals(status: int | None) -> Iterator[Signal]:
    for name, statuses in _STATUSES.items():
        yield f"status: {name}", float(status in statuses), ()


def control_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield how many controls of each kind there are, and what text they hold."""
    page, inputs, kinds = found.page, found.inputs, found.types
    typed, mails = found.inputs_of(*_TYPED), found.inputs_of("email")
    yield counted("fields for an address", mails)
    yield counted("fields for a name or account", _account_fields(found))
    yield "an address and no password", float(bool(mails) and not found.secrets), first_rows(mails)
    yield "one field alone", float(len(typed) == 1), first_rows(typed)
    yield "hidden fields", log_of(sum(kinds.get(row) == "hidden" for row in inputs)), ()
    switches = found.having("role", "switch", "checkbox", "radio")
    yield counted("toggles", sorted({*found.inputs_of("checkbox", "radio"), *switches}))
    buttons = found.rows_of("button")
    pressed = sorted([*buttons, *found.inputs_of("submit", "button", "image")])
    length = float(page.length[pressed].sum()) + LONG / 6 * (len(pressed) - len(buttons))
    yield counted("buttons of any kind", pressed)
    yield "share of text in buttons", min(length / max(found.all_prose, 1.0), 1.0), ()
    starts = (found.secrets or mails)[:1]
    near = [row for row in pressed if any(abs(row - start) < _NEAR for start in starts)]
    yield counted("buttons near an account's field", near)
    yield counted("frames", found.rows_of("iframe"))
    yield "a picture and one field", float(len(typed) == 1 and page.holds("img")), ()
    yield from _number_signals(found)


def _account_fields(found: MeasuredPage) -> list[int]:
    """Return the fields that a browser fills in with an account, or that are named so."""
    if not found.inputs:
        return []
    rows_holding = found.page.rows_holding
    rows = {*rows_holding("autocomplete", *_FILLED_IN), *rows_holding("name", *_ACCOUNT)}
    return sorted(rows.intersection(found.inputs))


def _number_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield whether a short text has a reference of a refusal, or a price behind the content."""
    numbers = [
        row
        for row, text in (found.short if _REFERENCE.search(found.short_text) else ())
        if any(any(map(str.isdigit, one)) for one in _REFERENCE.findall(text))
    ]
    yield given("a reference number", numbers)
    last = int(found.blocks.first[found.long_content[-1]]) if len(found.long_content) else -1
    priced = found.short if _PRICE.search(found.short_text) else []
    prices = [row for row, text in priced if row > last and _PRICE.search(text)]
    yield counted("prices behind the content", prices)


def name_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield, of each kind of `NAMES`, how many elements bear one."""
    every = tuple(word for words in NAMES.values() for word in words)
    named: dict[str, set[int]] = {kind: set() for kind in NAMES}
    for attribute in ("class", "id"):
        values = found.page.values(attribute)
        for value in values.containing(*every):
            lower = value.lower()
            for kind, words in NAMES.items():
                if any(word in lower for word in words):
                    named[kind].update(values.rows[value])
    for kind, held in named.items():
        yield counted(f"elements named as {kind}", sorted(held))
    loaded = found.page.rows_holding("src", *NAMES["block_page"])
    yield given("loads what is named as block_page", loaded)


def word_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield, of each state, whether title, headings and short blocks have a phrase of it."""
    title, headings = found.title, found.first_headings
    for state, phrases in found.phrases.items():
        yield f"phrase of {state} in the title", float(any(one in title for one in phrases)), ()
        yield given(f"phrase of {state} in a heading", _rows_with(headings, phrases))
        short = found.short_phrases[state]
        at = first_rows(_rows_with(found.short, short))
        yield f"phrases of {state} in short texts", log_of(len(short)), at
    numbers = [row for row, words in headings if _STATUS_IN_TEXT.search(words)]
    yield "title has an error's number", float(bool(_STATUS_IN_TEXT.search(title))), ()
    yield given("heading has an error's number", numbers)
    first = ((row, words) for row, words in found.short[:40] if len(words) < LONG)
    shown = [row for row, words in first if _STATUS_IN_TEXT.search(words)]
    yield given("short text has an error's number", shown)
    domains = [row for row, words in headings if _DOMAIN_NAME.search(words)]
    yield "title has a domain name", float(bool(_DOMAIN_NAME.search(title))), ()
    yield given("heading has a domain name", domains)


def _rows_with(texts: Iterable[tuple[int, str]], phrases: Sequence[str]) -> list[int]:
    """Return the rows of the texts that hold one of some phrases, most often none."""
    return [row for row, text in texts if any(one in text for one in phrases)] if phrases else []
