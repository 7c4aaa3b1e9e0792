"""What a block's own text is like, in any script, and whether the page's head agrees with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.model import scripts, words

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats
    from chaffinch.segment.text_blocks import TextBlocks

NAMES: Final = (
    "log_units log_characters unit_length digits capitals ends pauses marks scriptless"
    " last_is_end last_is_mark first_is_capital first_is_digit first_is_mark first_is_unit"
    " link_share all_link log_link_units long_sentences repeated title description body has_body"
    " position_in_units log_units_before log_units_after one_unit"
).split()
_LONG: Final = 5.0
_BIN_SHIFT: Final = np.uint64(64 - 14)
_STEP: Final = words.READ - 12
"""Claims are read in windows that overlap by a long word."""
_QUOTED: Final = 32
"""Characters of a block that are looked for in the body that JSON-LD gives."""


@dataclass(frozen=True, eq=False)
class TextFeatures:
    """Text features of m blocks.

    Attributes:
        numbers: float32[m, len(NAMES)].
        units, linked: float32[m], units in all and in links.
        ends: float32[m], marks that end a sentence.
        words: hashed words of the start of each block.
    """

    numbers: Floats
    units: Floats
    linked: Floats
    ends: Floats
    words: words.Words


def read(page: Page, blocks: TextBlocks) -> TextFeatures:
    """Return the text features of ``blocks``."""
    codes = scripts.code_points(page.text)
    kinds = scripts.kinds_of(codes)
    counts = _counts(page, blocks, kinds)
    count = len(blocks)
    whole = counts.sum(axis=1)
    starts = scripts.LETTER + 7
    units = whole[:, scripts.UNIT] + whole[:, starts:].sum(axis=1)
    units = np.maximum(units, 1)
    linked = counts[:, 1, scripts.UNIT] + counts[:, 1, starts:].sum(axis=1)
    written = whole[:, scripts.LETTER :].sum(axis=1)
    written = np.maximum(written, 1)
    first, last = _edges(page, blocks, kinds)
    start_words, agreement = _word_features(page, blocks, codes, first)
    before = np.cumsum(units)
    total = before[-1]
    first_kind, last_kind = kinds[first], kinds[last]
    ends = whole[:, scripts.SENTENCE_END]
    columns = [
        np.log1p(units),
        np.log1p(written),
        np.minimum(written / units, 12) / 6,
        (whole[:, scripts.DIGIT] + whole[:, scripts.DIGIT + 7]) / written,
        (whole[:, scripts.CAPITAL] + whole[:, scripts.CAPITAL + 7]) / written,
        np.log1p(ends),
        np.log1p(whole[:, scripts.PAUSE]),
        np.log1p(whole[:, scripts.MARK]),
        whole[:, scripts.UNIT] / written,
        last_kind == scripts.SENTENCE_END,
        (last_kind == scripts.MARK) | (last_kind == scripts.PAUSE),
        first_kind == scripts.CAPITAL + 7,
        first_kind == scripts.DIGIT + 7,
        (first_kind >= scripts.SENTENCE_END) & (first_kind <= scripts.MARK),
        first_kind == scripts.UNIT,
        linked / units,
        linked >= units,
        np.log1p(linked),
        np.minimum(units / (ends + 1), 30) / 15,
        np.minimum(_times(start_words.phrase + whole[:, 2].astype(np.uint64)) - 1, 8) / 4,
        *agreement,
        before / total,
        np.log1p(before - units) / _LONG,
        np.log1p(total - before) / _LONG,
        units == 1,
    ]
    numbers = np.empty((count, len(NAMES)), dtype=np.float32)
    for number, column in enumerate(columns):
        numbers[:, number] = column
    floats = np.float32
    return TextFeatures(
        numbers, units.astype(floats), linked.astype(floats), ends.astype(floats), start_words
    )


def _counts(page: Page, blocks: TextBlocks, kinds: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Return int64[m, 2, KINDS]: characters of each kind, outside and inside links."""
    count = len(blocks)
    place = np.where(blocks.block < 0, count, blocks.block) * 2 + page.in_link
    place *= scripts.KINDS
    keys = np.repeat(place, np.diff(page.text_at))
    keys += kinds
    size = (count + 1) * 2 * scripts.KINDS
    return np.bincount(keys, minlength=size).reshape(-1, 2, scripts.KINDS)[:count]


def _edges(
    page: Page, blocks: TextBlocks, kinds: NDArray[np.uint8]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return intp[m] twice: where the first and last written character of each block stand."""
    written = np.flatnonzero(kinds != scripts.SPACE)
    first = written[np.searchsorted(written, page.text_at[blocks.first])]
    last = written[np.searchsorted(written, page.text_at[blocks.last]) - 1]
    return first, last


def _word_features(
    page: Page, blocks: TextBlocks, codes: NDArray[np.uint16], first: NDArray[np.intp]
) -> tuple[words.Words, list[NDArray[Any]]]:
    """Return hashed words, and agreement of each block with title, description and JSON-LD."""
    count = len(blocks)
    title, description, body = _claims(page)
    first_claim, second_claim = len(codes), len(codes) + len(title)
    end = second_claim + len(description)
    extra = scripts.code_points(title + description + " " * (words.READ + 2))
    title_at = np.arange(first_claim, second_claim, _STEP)
    description_at = np.arange(second_claim, end, _STEP)
    start = np.concatenate([first, title_at, description_at])
    stop = np.full(len(start), end, dtype=np.intp)
    stop[:count] = page.text_at[blocks.last]
    stop[count : count + len(title_at)] = second_claim
    found = words.hashed_words(np.concatenate([codes, extra]), start, stop)
    edges = np.searchsorted(found.text, [count, count + len(title_at)])
    own = words.Words(found.bucket[: edges[0]], found.text[: edges[0]], found.phrase[:count])
    amount = np.maximum(np.bincount(own.text, minlength=count), 1)
    agreement: list[NDArray[Any]] = []
    for claim in (found.bucket[edges[0] : edges[1]], found.bucket[edges[1] :]):
        known = np.zeros(words.BUCKETS, dtype=bool)
        known[claim] = True
        agreement.append(np.bincount(own.text, weights=known[own.bucket], minlength=count) / amount)
    in_body = np.zeros(count)
    if body:
        spans = zip(first.tolist(), page.text_at[blocks.last].tolist(), strict=True)
        in_body[:] = [_folded_start(page.text, begin, end) in body for begin, end in spans]
    return own, [*agreement, in_body, np.full(count, bool(body))]


def _folded_start(text: str, begin: int, end: int) -> str:
    """Return the first `_QUOTED` characters between two places, white space folded."""
    return " ".join(text[begin : min(end, begin + 4 * _QUOTED)].split())[:_QUOTED]


def _claims(page: Page) -> tuple[str, str, str]:
    """Return title, description and body of the article as the page's head gives them."""
    head = page.head
    title = f"{head.title} {head.first_meta('og:title')}".strip()
    description = head.first_meta("description", "og:description")
    body = ""
    if any("articleBody" in source for *_, source in head.scripts):
        bodies = [node.get("articleBody") for _, node in head.json_ld]
        body = next((one for one in bodies if isinstance(one, str)), "")
    return title[:400], description[:600], " ".join(body[:50_000].split())


def _times(values: NDArray[np.uint64]) -> NDArray[np.intp]:
    """Return intp[m]: how often each hash occurs, in bins: a rare collision adds to a count."""
    bins = (values >> _BIN_SHIFT).astype(np.intp)
    times: NDArray[np.intp] = np.bincount(bins)[bins]
    return times
