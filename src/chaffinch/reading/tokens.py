"""How many tokens a text has for a language model, estimated from its characters by kind.

The estimate is linear in counts of characters and of runs of them, so that it adds up over lines.
Its weights stand in ``token_weights.json``, fitted to the tokens of o200k_base (`python -m
training.token_estimate --fit`), which also measures the error by language.
"""

import math
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from chaffinch.errors import OptionError, require_text
from chaffinch.page_work import checked
from chaffinch.storage import read_json

TokenCounter = Callable[[str], int]

FILE: Final = Path(__file__).with_name("token_weights.json")
"""Feature → tokens a count."""
KINDS: Final = (
    "space", "newline", "lower", "upper", "digit", "mark", "latin", "cyrillic", "greek", "semitic",
    "indic", "southeast", "han", "kana", "hangul", "symbol", "astral", "other",
)  # fmt: skip
"""Kinds of characters."""
_WORD_KINDS: Final = ("lower", "upper", "latin", "cyrillic", "greek", "semitic")
_AT_ONCE: Final = 1 << 18  # characters that are counted at a time, which bounds the memory
_LONG: Final = 6
"""Letters of a word, beyond which it is likelier in pieces; two more than the usual piece."""
FEATURES: Final = (
    *KINDS,
    *(f"runs of {name}" for name in KINDS),
    "capitals within words",
    "letters beyond six",
)
"""What is counted of a text, in the order of the weights."""


@cache
def _kinds_table() -> NDArray[np.uint8]:
    """Return uint8[65537]: the kind of each character; the last is that of all beyond."""
    table = np.full(0x10001, KINDS.index("symbol"), dtype=np.uint8)
    table[:0x80] = KINDS.index("mark")
    for first, last, kind in (("a", "z", "lower"), ("A", "Z", "upper"), ("0", "9", "digit")):
        table[ord(first) : ord(last) + 1] = KINDS.index(kind)
    for first, kind in read_json(FILE.with_name("character_kinds.json").read_bytes()):
        table[int(first, 16) :] = KINDS.index(kind)  # up to where the next begins
    table[[ord(one) for one in "\t\x0b\x0c \xa0\u3000"]] = KINDS.index("space")
    table[[ord(one) for one in "\r\n"]] = KINDS.index("newline")
    table[0x10000] = KINDS.index("astral")
    table.flags.writeable = False
    return table


@cache
def weights() -> NDArray[np.float64]:
    """Return float64[FEATURES]: tokens a count, none below 0."""
    found = read_json(FILE.read_bytes())
    return np.array([found[name] for name in FEATURES])


def feature_counts(texts: Sequence[str]) -> NDArray[np.float64]:
    """Return float64[texts, FEATURES]: how often each text has each feature."""
    table = np.zeros((len(texts), len(FEATURES)))
    pieces: list[str] = []
    owners: list[int] = []
    held = 0
    for owner, text in enumerate(checked(texts)):
        for start in range(0, len(text), _AT_ONCE):
            pieces.append(text[start : start + _AT_ONCE])
            owners.append(owner)
            held += len(pieces[-1])
            if held >= _AT_ONCE:
                table[owners] += _counts(pieces)  # no text twice: a long piece is the last
                pieces, owners, held = [], [], 0
    if pieces:
        table[owners] += _counts(pieces)
    return table


def _counts(texts: Sequence[str]) -> NDArray[np.float64]:
    """Return float64[texts, FEATURES] of texts that together aren't long."""
    count = len(texts)
    encoded = "".join(texts).encode("utf-32-le", "surrogatepass")
    codes = np.frombuffer(encoded, dtype=np.uint32)
    kind = _kinds_table()[np.minimum(codes, 0x10000)]
    lengths = np.fromiter(map(len, texts), dtype=np.int64, count=count)
    owner = np.repeat(np.arange(count), lengths)
    first = np.ones(len(kind), dtype=bool)
    first[1:] = (kind[1:] != kind[:-1]) | (owner[1:] != owner[:-1])
    size = len(KINDS)
    table = np.zeros((count, len(FEATURES)))
    by_kind = np.bincount(owner * size + kind, minlength=count * size)
    table[:, :size] = by_kind.reshape(count, size)
    by_run = np.bincount((owner * size + kind)[first], minlength=count * size)
    table[:, size : 2 * size] = by_run.reshape(count, size)
    is_word = np.isin(kind, [KINDS.index(name) for name in _WORD_KINDS])
    begins = is_word.copy()
    begins[1:] &= ~is_word[:-1] | (owner[1:] != owner[:-1])
    inner = (kind == KINDS.index("upper")) & ~begins & first
    table[:, 2 * size] = np.bincount(owner[inner], minlength=count)
    starts = np.flatnonzero(begins)
    place = np.cumsum(is_word)
    word = np.cumsum(begins)[is_word] - 1
    within = place[is_word] - place[starts][word]
    table[:, 2 * size + 1] = np.bincount(owner[is_word][within >= _LONG], minlength=count)
    return table


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a text has for a language model (o200k_base).

    Raises:
        OptionError: it is no text.
    """
    require_text("text", text)
    return count_tokens(text, None)


def estimates(texts: Sequence[str]) -> NDArray[np.float64]:
    return feature_counts(texts) @ weights()


def token_counts(texts: Sequence[str], counter: TokenCounter | None) -> NDArray[np.float64]:
    if counter is None:
        return estimates(texts)
    return np.array([_counted(text, counter) for text in texts], dtype=np.float64)


def count_tokens(text: str, counter: TokenCounter | None) -> int:
    """Return the tokens of a text, by the caller's counter or estimated."""
    return math.ceil(float(token_counts([text], counter)[0]) - 1e-6)


def _counted(text: str, counter: TokenCounter) -> int:
    count = counter(text)
    if not isinstance(count, int | np.integer) or isinstance(count, bool) or count < 0:
        raise OptionError(f"counter must return a number of tokens, not {count!r}")
    return int(count)
