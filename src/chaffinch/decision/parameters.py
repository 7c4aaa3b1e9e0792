"""Parameters of a product: short names, each with its value, in a row of siblings.

A table of two columns, a list of terms, boxes of two lines each, and lines that begin with a name.
What stands in a table or list of terms is told by the page being of one product; elsewhere two or
more names that parameters bear tell them from dates, addresses and counts of readers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from chaffinch.decision.declared import product, sources
from chaffinch.decision.draft import LOWEST, OF_LISTS, OF_ONE_PRODUCT, THREAD, UNSURE, Draft
from chaffinch.decision.structure import BARS
from chaffinch.kernels.arrays import Floats, Mask, Places
from chaffinch.lazy import lazy_module
from chaffinch.page import tags
from chaffinch.segment.text_blocks import TextBlocks
from chaffinch.storage import read_json
from chaffinch.wording import fold_words

discussion = lazy_module("chaffinch.lists.discussion")

_LEAST_NAMES: Final = 2  # known names that tell parameters on any page…
_LEAST_SCORE: Final = 0.01
"""… from this score on; what a product's page has in a table or list of terms, from `LOWEST` on."""
_LONGEST_NAME: Final = 40
_LONGEST: Final = 120  # characters of a value
_LINKED: Final = 0.3  # most of the characters of names and values, as a share, that are in links
_FEWEST: Final = 4
"""Short blocks without links, two pairs, that stand together where there are parameters; or one
less, lines of a product."""
_LEVELS: Final = 3  # elements around a block that may hold nothing else
_DT, _DD, _LI = (tags.CODES[name] for name in ("dt", "dd", "li"))
_NO_HEADING: Final = ~tags.HEADING
_CELLS: Final = tags.table("td th dt dd".split())
_LEAST_ENDING: Final = 5
"""Bytes in UTF-8 of a name with which a longer word may end: two letters of Chinese."""
_WORD: Final = re.compile(r"\w+")
_COLON: Final = re.compile(r"[:：﹕]")


class _Parameters(NamedTuple):
    """Names and values that stand together."""

    start: int  # their first block
    stop: int  # the block behind them
    names: tuple[str, ...]  # their names, in lower case
    tagged: bool  # whether they stand in a table or a list of terms


def product_parameters(draft: Draft) -> Mask | None:
    """Return bool[m]: `parameters` that aren't kept yet, but on lists and in threads."""
    policy = draft.policy
    if draft.beta < 1 or policy is None or policy.tables is not None:
        return None
    if draft.certainty >= UNSURE and (
        draft.kind in OF_LISTS or (draft.kind == THREAD and discussion.posts(draft.page))
    ):
        return None
    return parameters(draft.blocks, draft.score, draft.linked, ~draft.keep, kind=draft.kind)


def parameters(
    blocks: TextBlocks, score: Floats, linked: Mask, may: Mask, *, kind: str
) -> Mask | None:
    """Return bool[m]: names and values that a page shows of a product; None for none.

    Each list of names once: what follows with the same ones is of similar products. ``linked`` are
    the blocks, bool[m], with characters in links, ``may`` those that are looked at.
    """
    of_product: bool | None = kind in OF_ONE_PRODUCT or None
    found = _found(blocks, linked, may & (score >= _LEAST_SCORE), rows=bool(of_product))
    if not found:
        return None
    mask, seen = np.zeros(len(may), dtype=bool), set[tuple[str, ...]]()
    for one in found:
        is_known = sum(map(_is_name, one.names)) >= _LEAST_NAMES
        if one.names in seen or not (is_known or (one.tagged and score[one.start] >= LOWEST)):
            continue
        if not is_known and any("_" in name for name in one.names):
            continue  # variables of a template
        if not is_known and of_product is None:
            of_product = any(product.declared_products(sources.Evidence(blocks.page)))
        mask[one.start : one.stop] = is_known or of_product
        seen.add(one.names)
    return mask if 1 in mask.tobytes() else None


def _found(blocks: TextBlocks, linked: Mask, may: Mask, *, rows: bool) -> list[_Parameters]:
    """Return the names and values among the blocks that ``may``, bool[m], has."""
    together, lines = b"\1" * (_FEWEST - rows), (may > linked) & (blocks.length <= _LONGEST)
    lines &= _NO_HEADING.take(blocks.owner_tag)
    if together not in lines.tobytes():
        return []
    outside = ~blocks.inside(BARS)
    plain = (lines & outside).tobytes()
    if together not in plain:
        return []
    return sorted((*_pairs(blocks, may & outside), *_lines(blocks, plain, rows=rows)))


def _pairs(blocks: TextBlocks, may: Mask) -> Iterator[_Parameters]:
    """Yield runs of siblings of two short blocks each, and of dt with dd."""
    name = (blocks.length <= _LONGEST_NAME) & (blocks.link_length == 0) & may
    valued = name[:-1] & (may & (blocks.length <= _LONGEST))[1:]
    if 1 not in (valued[:-2] & valued[2:]).tobytes():
        return  # before what takes longer
    around_of, tag_of = _siblings(blocks, valued.nonzero()[0])
    stop = 0
    for start, around in around_of.items():
        if start < stop:
            continue
        stop = start + 2
        while around_of.get(stop) == around:
            stop += 2
        own = slice(start, stop)
        if stop - start < _FEWEST or (
            blocks.link_length[own].sum() > _LINKED * blocks.length[own].sum()
        ):
            continue
        names = tuple(blocks.text(one).casefold() for one in range(start, stop, 2))
        if len({*names}) == len(names) and not any("_" in name for name in names):
            yield _Parameters(start, stop, names, bool(_CELLS[tag_of[start]]))


def _siblings(blocks: TextBlocks, names: Places) -> tuple[dict[int, int], dict[int, int]]:
    """Return those of some blocks that are a pair with the next: the element around, and the tag.

    Each is taken with what holds it alone, a few elements at most: the two fill an element, which
    stands in the one around, or are dt and dd in it.
    """
    page, first = blocks.page, blocks.first
    edges = np.full(len(first) + 2, len(page), dtype=np.int32)
    np.maximum(first, page.body, out=edges[1:-1])
    edges[0] = page.body
    both = np.array((names, names + 1))
    unit, before, behind = first.take(both), edges.take(both), edges.take(both + 2)
    for _ in range(_LEVELS):
        above = page.parent.take(unit)
        unit = np.where((above > before) & (page.end.take(above) <= behind), above, unit)
    box, other = page.parent.take(unit)
    tag, next_tag = page.tag.take(unit)
    two = (box > before[0]) & (page.end.take(box) <= behind[1])
    pair = (box == other) & (box > page.body) & (two | ((tag == _DT) & (next_tag == _DD)))
    around, places = np.where(two, page.parent.take(box), box)[pair], names[pair].tolist()
    return dict(zip(places, around.tolist(), strict=True)), dict(
        zip(places, tag[pair].tolist(), strict=True)
    )


def _lines(blocks: TextBlocks, plain: bytes, *, rows: bool) -> Iterator[_Parameters]:
    """Yield runs of lines of one element or items of one list that begin with names.

    Or each alone in an element beside others, half of the names known but for ``rows``. ``plain``
    is 1 for each of m blocks that may be such a line, else 0.
    """
    owner = blocks.owner
    apart, alone = owner[1:] != owner[:-1], np.ones(len(owner), dtype=bool)
    alone[1:] = apart
    alone[:-1] &= apart
    item = alone | (blocks.owner_tag == _LI)
    around = np.where(item, blocks.page.parent.take(owner), owner)
    line = np.frombuffer(plain, dtype=bool)
    run, at = (line[:-1] & line[1:] & (around[:-1] == around[1:])).tobytes(), 0
    while (at := run.find(1, at)) >= 0:
        start, at = at, run.find(0, at)
        at = at if at >= 0 else len(run)
        names = [""]
        for one in range(start, at + 1):
            names.append(_name_of_line(blocks, one))
            if not names[-1]:
                break
        else:
            is_list = rows or not item[start] or blocks.owner_tag[start] == _LI
            if is_list or 2 * sum(map(_is_name, names)) >= len(names) - 1:
                yield _Parameters(start, at + 1, tuple(names[1:]), tagged=False)


def _name_of_line(blocks: TextBlocks, at: int) -> str:
    """Return what a line begins with: up to a colon, or its first text; "" where that is all."""
    page, first, last = blocks.page, blocks.first.item(at), blocks.last.item(at)
    text = blocks.text(at)
    colon = _COLON.search(text, 0, _LONGEST_NAME)
    begin, end = page.text_at[first : first + 2].tolist()
    name = text[: colon.start()] if colon else page.text[begin:end] if last > first + 1 else ""
    name = " ".join(name.split()).casefold()
    return name if len(name) <= _LONGEST_NAME and name != text.casefold() else ""


def _is_name(text: str) -> bool:
    """Return whether a text holds a word, or ends with one, that names parameters."""
    words, endings = _names()
    text = fold_words(text)
    return not words.isdisjoint(_WORD.findall(text)) or text.rstrip(" :：﹕*.").endswith(endings)


@cache
def _names() -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the names, and those of them that may end a longer word: *Nettogewicht*, 包装重量."""
    file = Path(__file__).with_name("parameter_names.json")
    held: dict[str, list[str]] = read_json(file.read_bytes())
    names = frozenset(fold_words(name) for names in held.values() for name in names)
    return names, tuple(name for name in names if len(name.encode()) >= _LEAST_ENDING)
