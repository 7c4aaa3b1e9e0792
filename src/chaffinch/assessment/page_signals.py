"""What is measured of a page to tell what it is: sizes, forms, names, words, the head, the status.

Each signal is a number with a name, and has the rows that it was measured on, where there are such.
Lengths count East Asian characters as three and enter as logarithms. Walls and forms are known by
their fields, buttons and names in any language; phrases of nineteen languages, as far as pages that
a reader meets have them (``words.json``), are some signals among many, and none decides alone.

The frame of a site may hold more prose than an article; what of it is content, the page-level model
(`chaffinch.model.block_scores`) scores by block. The box behind the content, a field for a password
below the heading and empty elements are known by the order of the page, in any language.
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
from chaffinch.page.attributes import Search
from chaffinch.page.flattening import siblings_before
from chaffinch.segment.text_blocks import block_prose, text_blocks
from chaffinch.wording import fold_words

Rows = tuple[int, ...]
Signal = tuple[str, float, Rows]
"""Name, value, rows that it was measured on."""

_WORDS: Final = json.loads(resources.files(__package__).joinpath("words.json").read_bytes())
PHRASES: Final = {
    state: tuple(fold_words(some).split("|")) for state, some in _WORDS["phrases"].items()
}
"""State → phrases on its pages, `fold_words`."""
_NAMES: Final = {
    kind: [Search(name, *some.split("|")) for name in ("class", "id", "src")]
    for kind, some in _WORDS["names"].items()
}
"""Signal → parts of class names, ids and addresses that are evidence for it."""
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
_ACCOUNT: Final = (
    Search("name", "user", "login", "mail", "account", "passw", "pwd"),
    Search("autocomplete", "username", "password", "email", "one-time-code"),
)
"""Parts of names of fields for an account, and of what a browser fills in there."""
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
        data = fold_words("\n".join(said)).encode("utf-8", "surrogatepass")
        self.phrases = {state: words_found(data, some) for state, some in PHRASES.items()}
        short = fold_words(self.short_text)
        self.short_phrases = {
            state: [one for one in some if one in short] for state, some in self.phrases.items()
        }

    def _is_named(self, row: int) -> bool:
        text = self.page.folded(row).lower()
        return len(text) >= _NAME and text in self.title

    def having(self, name: str, *values: str) -> list[int]:
        """Return the rows whose attribute is one of some values, in any case."""
        return [row for row, value in self.page.having(name) if value.strip().lower() in values]

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
    yield "a picture and one field", float(len(typed) == 1 and "img" in page.tag_names), ()
    yield from _number_signals(found)


def _account_fields(found: MeasuredPage) -> list[int]:
    """Return the fields that a browser fills in with an account, or that are named so."""
    if not found.inputs:
        return []
    rows = {row for search in _ACCOUNT for row in search.rows(found.page)}
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
    """Yield, of each kind of `_NAMES`, how many elements bear one."""
    for kind, (classes, ids, _) in _NAMES.items():
        named = {*classes.rows(found.page), *ids.rows(found.page)}
        yield counted(f"elements named as {kind}", sorted(named))
    yield given("loads what is named as block_page", _NAMES["block_page"][2].rows(found.page))


def word_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield, of each state, whether title, headings and short blocks have a phrase of it."""
    title, headings = found.title, found.first_headings
    named = fold_words(title)
    for state, phrases in found.phrases.items():
        yield f"phrase of {state} in the title", float(any(one in named for one in phrases)), ()
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
    said = ((row, fold_words(text)) for row, text in texts)
    return [row for row, text in said if any(one in text for one in phrases)] if phrases else []


# The content, and what is beside it

_BETWEEN: Final = 200  # rows
_FAR: Final = 1 << 20  # rows
_LONGEST_NAME: Final = 40  # characters of what a title names that are looked for
_PASSED: Final = 4  # boxes behind the content that are passed by
_BUTTONS_AND_INPUTS: Final = tags.table("button input".split())
_AT_START: Final = ("/", "./", "/index.html", "index.html", "/index.php")
"""Addresses that lead to a site's first page."""
_PARTED: Final = re.compile(r"\s[|\-–—·:»/]\s|\s?[_｜]\s?")
"""Where a title parts what it names from the site's name."""
_LEAST_NAME: Final = 2  # characters of a name


def box_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield what the outermost element behind the content that one element holds most of has."""
    page, box = found.page, _box_behind(found)
    some = middling(found.most_held)
    where = (box,) if box >= 0 else ()
    prose = found.prose_in([*where])
    inside = page.tag[box : page.end[box]] if box >= 0 else page.tag[:0]
    pressed, buttons = int(PRESSED[inside].sum()), int(_BUTTONS_AND_INPUTS[inside].sum())
    yield "text of the box behind the main content", log_of(prose) * some, where
    yield "to be pressed in the box behind the main content", log_of(pressed) * some, where
    yield "buttons and fields in the box behind the main content", log_of(buttons) * some, where
    # An offer that stands behind what can be read of a page is short.
    offers = 15 <= prose <= 400 and 0 < pressed <= 8 and not found.chrome_rows[box]  # noqa: PLR2004
    offers = offers and not _is_like_the_one_before(found, box)
    yield "box behind the main content offers", float(offers) * some, where
    rest = 0.0
    if box >= 0:
        parent = max(int(page.parent[box]), 0)
        rest = found.prose_in([parent]) - found.prose_between(parent, box) - prose
    yield "text behind the box behind the main content", log_of(max(rest, 0.0)) * some, ()


def _box_behind(found: MeasuredPage) -> int:
    """Return the outermost element that begins behind most of the content; -1 for none.

    That is behind its last block, and holds the next. Elements like the ones before them, as the
    posts of a thread, are passed by.
    """
    if not found.most_held:
        return -1
    most = int(np.bincount(found.holders, found.content_prose).argmax())
    last = int(np.flatnonzero((found.holders == most) & found.is_content)[-1])
    first, parents, box = found.blocks.first, found.page.parent, -1
    for _ in range(_PASSED):
        if last + 1 >= len(first):
            break
        box, stop = int(first[last + 1]), int(found.blocks.last[last]) - 1
        while parents[box] > stop:
            box = int(parents[box])
        if not _is_like_the_one_before(found, box):
            break
        last = int(np.searchsorted(first, found.page.end[box])) - 1
    return box


def _is_like_the_one_before(found: MeasuredPage, row: int) -> bool:
    """Return whether the element before a row has the same tag and class names."""
    page, before = found.page, next(siblings_before(found.page, row), -1)
    same = before >= 0 and page.tag[before] == page.tag[row]
    return bool(same and page.attribute(before, "class") == page.attribute(row, "class"))


def secret_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield what stands between the heading and a password field."""
    page, empty, secrets = found.page, found.emptiness, found.secrets
    name, heading = _name(found), found.main_heading
    if not found.is_titled and len(name) >= _LEAST_NAME:
        # or a short text that begins as the title does
        heading = next((row for row, text in found.short if text.startswith(name)), heading)
    behind = [row for row in secrets if row > heading >= 0]
    links, text = 0, 0.0
    if behind:
        links = int((page.tag[heading : behind[0]] == tags.LINK).sum())
        text = found.prose_between(heading, behind[0])
    where = first_rows(behind)
    yield "links between the heading and a password field", log_of(links), where
    yield "text between the heading and a password field", log_of(text), where
    near = 1 / (1 + links + text / LONG) if behind else 0.0
    yield "password field next to the heading, little content", near * empty, where
    before = found.prose_between(0, secrets[0]) if secrets else 0.0
    share = before / max(found.all_prose, 1.0)
    yield "share of text before a password field", share * empty, ()


def _name(found: MeasuredPage) -> str:
    """Return what the title names, without the site's name."""
    parts = [one.strip() for one in _PARTED.split(found.title)]
    return (parts[0] if len(parts[0]) >= _LEAST_NAME else max(parts, key=len))[:_LONGEST_NAME]


def title_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield whether the text lacks what the title names, and whether a link leads to the start.

    The title of a form to sign in may well stand on its button alone.
    """
    name = _name(found)
    lacks = len(name) >= _LEAST_NAME and not found.secrets and name not in found.text
    yield "the text lacks what the title names, thin content", float(lacks) * found.thinness, ()
    links = [row for row, value in found.page.having("href") if value.strip() in _AT_START]
    back = [row for row in links if not found.chrome_rows[row]]
    yield counted("link to the start outside chrome, little content", back, found.emptiness)
    behind = [row for row in back if row > found.main_heading >= 0]
    yield given("link to the start behind the heading, little content", behind, found.emptiness)


def content_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield what the page-level model finds of content."""
    prose, score, content = found.prose, found.score, found.content
    rows = first_rows(found.blocks.first[found.is_content])
    yield "content", log_of(content), rows
    yield "content, weighed by scores", log_of(float((prose * score).sum())), ()
    yield "share of the text that is content", content / max(found.all_prose, 1.0), rows
    yield "some content", middling(content), rows
    yield "highest score", float(score.max(initial=0.0)), ()
    yield "highest score of a long block", float(score[prose >= LONG].max(initial=0.0)), ()
    yield "blocks of content", log_of(int(found.is_content.sum())), ()
    for name, chance in found.kinds.items():
        yield f"page type: {name}", chance, ()


def frame_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield what is beside the content: empty elements, dialogs, fields, and where they stand."""
    empty, holes, heading, secrets = (
        found.emptiness, found.holes, found.first_heading, found.secrets,
    )  # fmt: skip
    yield counted("empty elements", holes)
    yield counted("empty elements, little content", holes, empty)
    near = ((holes > heading) & (holes < heading + _BETWEEN)).any() and heading >= 0
    yield "empty element behind the heading, little content", float(bool(near)) * empty, ()
    roles = {*found.having("role", "dialog", "alertdialog"), *found.having("aria-modal", "true")}
    dialogs = sorted(roles.union(found.rows_of("dialog")))
    share = found.prose_in(dialogs) / max(found.all_prose, 1.0)
    yield counted("dialogs", dialogs)
    yield "share of text in dialogs", share, first_rows(dialogs)
    checked = [row for row, kind in found.types.items() if kind == "checkbox"]
    yield counted("checkboxes, little content", checked, empty)
    searched = sorted({*found.having("type", "search"), *found.having("role", "search")})
    yield counted("fields to search by", searched)
    outside = any(not found.chrome_rows[row] for row in searched)
    yield "search outside chrome, little content", float(outside) * empty, ()
    gap = min((row - heading for row in secrets if row > heading >= 0), default=_FAR)
    yield "password field near behind the heading", empty * float(gap < _BETWEEN), ()
    yield given("password field before the heading", [row for row in secrets if row < heading])
    alone = found.prose[found.blocks.first > heading][:2] if heading >= 0 else found.prose[:0]
    is_short = float(0 < float(alone.sum()) < LONG * 4)
    yield "a short text behind the heading", is_short * empty, ()
    yield "declared an article, little content", found.declares_article * empty, ()


def signals_of(
    page: Page, status: int | None = None, *, model: Model | None = None
) -> list[Signal]:
    """Return the signals of ``page``, always the same names in the same order.

    ``model`` scores the blocks; None for that which comes with the package.
    """
    measured = MeasuredPage(page, model)
    named = [*name_signals(measured), *word_signals(measured)]
    controls = list(control_signals(measured))
    gated = [
        (f"{name}, little content", value * measured.emptiness, rows)
        for name, value, rows in [*named, *controls]
    ]
    others = (
        size_signals, script_signals, declared_signals, content_signals, frame_signals,
        box_signals, secret_signals, title_signals,
    )  # fmt: skip
    found = [signal for measure in others for signal in measure(measured)]
    of_status = [(f"status: {one}", float(status in some), ()) for one, some in _STATUSES.items()]
    return [*found, *named, *controls, *gated, *of_status]
