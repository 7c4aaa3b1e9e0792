"""What kernels have to return and to write: the same in numpy and plain Python, slow and short."""

import codecs
import re
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from chaffinch.kernels import Containers, TextColumns
from chaffinch.kernels.codes import (
    ARIA_HIDDEN,
    BETWEEN,
    BETWEEN_IF_BLANK,
    CELL,
    CLASS,
    CONTAINER_LEVELS,
    HIDDEN,
    HOLDER,
    ID,
    ITEMPROP,
    LINE_BREAKS,
    LINE_STARTS,
    NAME_WORDS,
    NEAR_ROWS,
    NETWORK_PADDED,
    PREFORMATTED,
    ROLE,
    RUN_AFTER_SPACE,
    RUN_BEFORE_SPACE,
    RUN_BLOCK,
    RUN_BOUNDARY,
    RUN_PASSED,
    RUN_WORDS,
    STRETCH_BEGINS,
    STRETCH_COUNTED,
    STRETCH_ITEM,
    STYLE,
    TABLE_CELL,
    TABLE_HEAD,
    TABLE_HEAD_CELL,
    TABLE_HEADING,
    TABLE_LINE,
    TABLE_NAMED,
    TABLE_UNLIKE,
    TEXT_COLUMNS,
    WORD_BUCKETS,
    WORD_SLOTS,
    WORDS_READ,
)
from chaffinch.kernels.compiled import native
from chaffinch.kernels.tree import walk_in_python
from chaffinch.model.words import (
    CAPITAL,
    DIGIT,
    MARK,
    PAUSE,
    SENTENCE_END,
    UNIT,
    buckets,
    code_points,
    read_words,
)
from chaffinch.page.bounds import TAG
from chaffinch.page.flattening import _BASE as BASE
from chaffinch.page.flattening import mix, powers

TAG_NAME = re.compile(rb"<(/?)([a-zA-Z][^\t\n\f\r />]*)")
ONE_ATTRIBUTE = re.compile(
    rb"([^\t\n\f\r />][^\t\n\f\r />=]*+)(?:[\t\n\f\r ]*+=[\t\n\f\r ]*+"
    rb"(?:\"[^\"]*+\"|'[^']*+'|[^\t\n\f\r >\"'][^\t\n\f\r >]*+|(?=>)))?"
)


def pairs(starts, numbers, ends, valueless, values, names, row):
    if not 0 <= row < len(starts) // 4 - 1:
        return {}
    start, stop = _ints(starts)[row : row + 2].tolist()
    own = [names[number] for number in _ints(numbers)[start:stop].tolist()]
    said = values_at(np.arange(start, stop), ends, valueless, values)
    return dict(zip(own, said, strict=True))


def having(rows, numbers, ends, values, valueless, among, number):
    places = np.flatnonzero(_ints(numbers) == number)
    found = _ints(rows)[places]
    if not isinstance(among, bytes):
        places, found = (places[among[found]], found[among[found]])
    return (found.tolist(), values_at(places, ends, valueless, values))


def values_of(starts, numbers, ends, values, rows, wanted):
    edges, number_of = (_ints(starts), _ints(numbers))
    found = []
    for start, stop in zip(edges[rows].tolist(), edges[rows + 1].tolist(), strict=True):
        texts = _texts(np.arange(start, stop), ends, values)
        own = dict(zip(number_of[start:stop].tolist(), texts, strict=True))
        found.append(tuple(map(own.get, wanted.tolist())))
    return found


def _ints(column):
    return np.frombuffer(column, np.int32)


def values_at(places, ends, valueless, values):
    none = np.frombuffer(valueless, np.bool_)[places].tolist()
    said = _texts(places, ends, values)
    return [None if is_none else text for text, is_none in zip(said, none, strict=True)]


def _texts(places, ends, values):
    edges = _ints(ends)
    spans = zip(edges[places].tolist(), edges[places + 1].tolist(), strict=True)
    if values.isascii():
        text = values.decode()
        return [text[at:stop] for at, stop in spans]
    return [values[at:stop].decode() for at, stop in spans]


def words_found(columns, kinds, words, of_kind, said):
    rows, numbers, ends, values = columns
    edges, found = _ints(ends), {}
    for place, (row, number) in enumerate(zip(_ints(rows), _ints(numbers), strict=True)):
        value = values[edges[place] : edges[place + 1]]
        own = [one for one in range(len(words)) if kinds[number] and of_kind[one] == kinds[number]]
        held = [one for one in own if words[one] in value.lower() + b"\n" or not value.isascii()]
        bits = int(np.bitwise_or.reduce(said[held], initial=0)) if held else 0
        bits |= 1 << 63 if kinds[number] and not value.isascii() else 0
        if bits:
            found[int(row)] = found.get(int(row), 0) | bits
    return np.array([*found], dtype=np.int32), np.array([*found.values()], dtype=np.uint64)


def words_in(text, words):
    return sum((1 << number for number, word in enumerate(words) if word in text))


_EXPONENTS = np.float32(2.0**112)


def counted_outputs(moves, rows, outputs, data):
    state, found = (0, [])
    for byte in data:
        state = int(moves[256 * int(rows[state]) + byte])
        if (output := int(outputs[state])) >= 0:
            found.append(output)
    different, counts = np.unique(np.array(found, dtype=np.int32), return_counts=True)
    return (different, counts.astype(np.int32))


def half_sums(table, rows, weights):
    summed = np.zeros((len(rows) + 1, table.shape[1]), np.float32)
    summed[1:] = weights[:, None] * single(table[rows])
    np.add.accumulate(summed, axis=0, out=summed)
    return summed[-1].copy()


def single(half):
    bits = half.astype(np.uint32)
    sign = (bits & 32768) << 16
    bits &= 32767
    bits <<= 13
    single = bits.view(np.float32)
    single *= _EXPONENTS
    bits |= sign
    return single


def text_blocks(tag, parent, line, shown, written, is_block):
    has_text = (tag == TEXT) & shown & written
    rows = np.flatnonzero(has_text).astype(np.int32)
    line = line.take(rows)
    edge = np.ones(len(rows) + 1, dtype=bool)
    np.not_equal(line[1:], line[:-1], out=edge[1:-1])
    first = rows.compress(edge[:-1])
    last = rows.compress(edge[1:])
    last += 1
    block = np.full(len(tag), -1, dtype=np.int32)
    block[rows] = np.add.accumulate(edge[:-1], dtype=np.int32) - 1
    return (first, last, _owners(tag, parent, is_block, first), block)


def _owners(tag, parent, is_block, rows):
    owner = rows.copy()
    waiting = np.flatnonzero(~is_block.take(tag.take(rows)))
    while len(waiting):
        above = np.maximum(parent.take(owner.take(waiting)), 0)
        owner[waiting] = above
        found = is_block.take(tag.take(above))
        found |= above == 0
        waiting = waiting.compress(~found)
    return owner


def above(tag, parent, end, first):
    begun = np.zeros(len(tag) + 1, dtype=np.int32)
    begun[first + 1] = 1
    np.add.accumulate(begun, out=begun)
    holds = begun[end] > begun[:-1]
    rows = np.flatnonzero(holds & (tag != TEXT))
    place = np.zeros(len(tag), dtype=np.int32)
    place[rows] = np.arange(len(rows), dtype=np.int32)
    parent = np.maximum(parent, 0)
    return (begun, holds, rows, place, place[parent[rows]], place[parent[first]])


def sums_above(up, over, values):
    count = len(up)
    sums = np.zeros((len(values), count + 1), dtype=np.int32)
    sums[:, :-1] = values
    at = np.append(up, np.int32(count))
    at[:-1][up == np.arange(count)] = count
    while (at < count).any():
        sums += sums.take(at, axis=1)
        at = at[at]
    return sums.take(over, axis=1)


def kinds_above(tag, place, rows, up, over, hidden, kinds, out):
    counts = kinds.T.take(tag[rows], axis=1)
    counts[-1, place[hidden]] = 1
    out[:] = sums_above(up, over, counts)
    out += 1


_CHAIN = 5

_CONTAINER_LOGS = 12


def containers(tag, parent, end, first, owner, begun, place, up, rows, sums, kinds, out):
    found = _found(parent, end, first, owner, (begun, place, up, rows))
    _write_held(tag, end, found, sums, kinds, out)
    return found


def _found(parent, end, first, owner, above):
    begun, place, up, rows = above
    held = begun[end[rows]] - begun[rows]
    top = np.where(held[up] == held, up, np.arange(len(rows), dtype=np.int32))
    for _ in range(_CHAIN):
        top = top.take(top)
    further = top[up]
    at = top[place[owner]]
    around = np.empty((CONTAINER_LEVELS, len(first)), dtype=np.int32)
    for row in around:
        row[:] = rows[at]
        at = further[at]
    near = np.empty((len(first), NEAR_ROWS), dtype=np.int32)
    near[:, 0], near[:, 1] = (np.maximum(parent[first], 0), owner)
    near[:, 2], near[:, 3] = (np.maximum(parent[owner], 0), around[1])
    return Containers(around, begun[around], begun[end[around]], near)


def _write_held(tag, end, around, sums, kinds, out):
    count = sums.shape[1]
    rows, low, high = (around.rows.ravel(), around.low.ravel(), around.high.ravel())
    by_name = out.reshape(-1, CONTAINER_LEVELS * count)
    logs, shares = (by_name[:_CONTAINER_LOGS], by_name[_CONTAINER_LOGS:])
    before = np.zeros((len(sums), count + 1), dtype=np.int32)
    np.add.accumulate(sums, axis=1, out=before[:, 1:])
    amount, units = (logs[0], logs[1])
    amount[:] = high - low
    units[:], shares[0], logs[3] = before.take(high, axis=1) - before.take(low, axis=1)
    np.divide(units, amount, out=logs[2])
    logs[3] /= amount
    shares[0] /= units
    np.divide(units, np.float32(before[0, -1]), out=shares[1])
    shares[2].reshape(CONTAINER_LEVELS, count)[:] = np.arange(count) - around.low
    shares[2] /= amount
    sums_of_kinds = np.zeros((kinds.shape[1], len(tag) + 1), dtype=np.int32)
    np.add.accumulate(kinds.T.take(tag, axis=1), axis=1, out=sums_of_kinds[:, 1:])
    logs[4:] = sums_of_kinds.take(end[rows], axis=1) - sums_of_kinds.take(rows, axis=1)
    logs += 1


def flow_across(parent, blocks, given, wide, indent, cell, before, page_width):
    left, width = (np.zeros(len(parent)), np.zeros(len(parent)))
    width[:1] = page_width
    for rows in _levels(parent, blocks)[1:]:
        room = width[parent[rows]]
        inner = np.maximum(room - indent[rows], 1.0)
        wanted = np.where(np.isnan(given[rows]), wide[rows] * room, given[rows])
        free = np.where(np.isnan(wanted), inner, np.minimum(wanted, inner))
        width[rows] = np.where(cell[rows] > 0, cell[rows] * room, free)
        left[rows] = left[parent[rows]] + np.where(
            cell[rows] > 0, before[rows] * room, room - inner
        )
    return (left, width)


def _levels(parent, blocks):
    rows = np.flatnonzero(blocks).astype(np.int32)
    levels, place = ([], np.full(len(parent), -1, dtype=np.int32))
    waiting = rows[parent[rows] < 0]
    depth = 0
    above = np.maximum(parent[rows], 0)
    while len(waiting):
        levels.append(waiting)
        place[waiting] = depth
        waiting = rows[(place[above] == depth) & (place[rows] < 0)]
        depth += 1
    return levels


def flow_heights(order, parent, depth, fixed, beside, least, own, tag_margin, gap, items, height):
    margin = np.zeros(len(parent))
    cuts = np.flatnonzero(np.diff(depth[order])) + 1
    for rows in reversed(np.split(order, cuts)):
        tall = np.maximum(height[rows], least[rows])
        height[rows] = tall = np.where(fixed[rows], own[rows], tall)
        between = np.where(items[rows] > 1, gap[rows], 0.0)
        margin[rows] = np.where(tall > 0, np.maximum(tag_margin[rows], between), 0.0)
        above = parent[rows]
        inner = above >= 0
        cell = beside[rows]
        down = inner & ~cell
        np.add.at(height, above[down], tall[down] + 2 * margin[rows[down]])
        np.maximum.at(height, above[cell], tall[cell] + 2 * margin[rows[cell]])
        np.add.at(items, above[inner], (tall[inner] > 0).astype(np.int32))
    return margin


_LEVELS = 3

_BIN_SHIFT = np.uint64(64 - 14)

_MIX_SHIFT = np.uint64(29)

_FIRST_ODD = np.uint64(11400714819323198485)

_SECOND_ODD = np.uint64(14029467366897019727)

_THIRD_ODD = np.uint64(1609587929392839161)

_LAST_ODD = np.uint64(15485907386658061715)


def groups(tag, alike, parent, near, around, sums, counts, shares):
    parent = np.maximum(parent, 0)
    signs = tag + (alike.astype(np.uint64) << np.uint64(9))
    _write_repeats(signs, parent, around[:_LEVELS], counts)
    element, owner, over, _ = near.T
    found = _grouped(_mixed(signs[owner], signs[over], signs[parent[over]], signs[element]))
    _write_groups(found, sums, counts, shares)
    np.add(counts, 1, out=counts)
    return found


def _grouped(keys):
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    edge = np.ones(len(keys) + 1, dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=edge[1:-1])
    of_block = np.empty(len(keys), dtype=np.int32)
    of_block[order] = np.add.accumulate(edge[:-1], dtype=np.int32) - 1
    return (of_block, order, np.flatnonzero(edge))


def _write_groups(found, sums, counts, shares):
    of_block, order, edges = found
    units, linked = np.add.reduceat(sums[:2, order], edges[:-1], axis=1, dtype=np.int64)
    columns = np.empty((len(shares), len(units)), dtype=np.float32)
    first, last = (order[edges[:-1]], order[edges[1:] - 1])
    columns[0] = linked / units
    columns[1] = units / np.add.reduce(units)
    columns[2] = linked / max(int(np.add.reduce(linked)), 1)
    columns[3] = (last - first) / len(order)
    columns[4, np.argsort(-units, kind="stable")] = 1 / np.arange(1, len(units) + 1)
    columns.take(of_block, axis=1, out=shares)
    sizes = edges[1:] - edges[:-1]
    counts[-2] = sizes[of_block]
    counts[-1] = (units / sizes)[of_block]


def _mixed(*keys):
    joined = keys[0].copy()
    for key in keys[1:]:
        joined *= _FIRST_ODD
        joined += key
        joined ^= joined >> _MIX_SHIFT
    return joined


def _write_repeats(signs, parent, rows, out):
    own = signs * _FIRST_ODD
    beside = (own ^ parent.astype(np.uint64) * _SECOND_ODD) >> _BIN_SHIFT
    alike = (own ^ signs[parent] * _THIRD_ODD) * _LAST_ODD >> _BIN_SHIFT
    for at, keys in enumerate((beside, alike)):
        bins = keys.astype(np.intp)
        out[len(rows) * at : len(rows) * (at + 1)] = np.bincount(bins)[bins[rows]]


def path_hashes(symbols, depth, end):
    count = len(symbols)
    change = np.zeros(count + 1, dtype=np.uint64)
    weighted = mix(symbols) * powers(BASE, 1024)[depth.astype(np.intp) % 1024]
    change[:count] = weighted
    np.subtract.at(change, end, weighted)
    return mix(np.cumsum(change)[:count])


_WRITTEN = np.ones(1 << 16, dtype=bool)

_WRITTEN[[code for code in range(12290) if chr(code).isspace()]] = False

_WRITTEN.flags.writeable = False

_BLANK = b" \t\n\r\x0c\x0b"


def _letters(text):
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")


def written_places(text):
    return np.flatnonzero(_WRITTEN.take(_letters(text), mode="clip"))


def text_columns(tag, end, text, text_at, kinds, invisible, links):
    shown = ~inside(end, invisible.take(tag))
    line, at = (_lines(end, kinds.take(tag)), written_places(text))
    before = np.searchsorted(at, text_at)
    own = _lengths(at, text_at, line, shown)
    return TextColumns(
        shown, inside(end, links.take(tag)), before[1:] > before[:-1], line, own, before
    )


def _lines(end, kind):
    count = len(end)
    starts = np.zeros(count + 1, dtype=bool)
    block, breaks = (kind & LINE_STARTS, kind & LINE_BREAKS)
    np.not_equal(kind, 0, out=starts[:count])
    starts[1:] |= breaks > 0
    starts[end.take(np.flatnonzero(block))] = True
    return np.add.accumulate(starts[:count], dtype=np.int32)


def _lengths(at, text_at, line, shown):
    count = len(line)
    counted = np.zeros(int(text_at[-1]) + 1, dtype=np.int32)
    if len(at) == 0:
        return np.zeros(count, dtype=np.int32)
    counted[at + 1] = 1
    holes = np.flatnonzero(np.diff(at) > 1)
    if len(holes):
        before, after = (at[holes], at[holes + 1])
        row_of = np.searchsorted(text_at, before, side="right") - 1
        next_row = np.searchsorted(text_at, after, side="right") - 1
        inner = line[row_of] == line[next_row]
        counted[before[inner] + 2] = 1
    prefix = np.cumsum(counted, dtype=np.int32)
    lengths = prefix[text_at[1:]] - prefix[text_at[:-1]]
    lengths[~shown] = 0
    return lengths


def characters(text, text_at, counted):
    places = np.flatnonzero(counted.take(_letters(text), mode="clip"))
    return np.diff(np.searchsorted(places, text_at)).astype(np.int32)


def kept_bytes(text_at, keep, text, start):
    padded = np.zeros(len(keep) + 2, dtype=bool)
    padded[1:-1] = keep
    spans = text_at[np.flatnonzero(padded[1:] != padded[:-1])].tolist()
    kept = "".join([text[a:b] for a, b in zip(spans[::2], spans[1::2], strict=True)])
    return (_written(kept), _written(text[text_at[start] :]))


def _written(text):
    return len(text.encode("utf-8", "surrogatepass").translate(None, _BLANK))


TEXT = 0


def folded_texts(text, starts, stops):
    spans = zip(starts.tolist(), stops.tolist(), strict=True)
    return [" ".join(text[start:stop].split()) for start, stop in spans]


def kept_lines(text, text_at, tag, line, end, parent, kept, above, kinds):
    rows = np.flatnonzero(kept & (tag == TEXT)).astype(np.int32)
    if not len(rows):
        return ([], rows, rows, rows.astype(bool), rows.astype(bool))
    edge = np.ones(len(rows) + 1, dtype=bool)
    np.not_equal(line[rows][1:], line[rows][:-1], out=edge[1:-1])
    first, last = (rows[edge[:-1]], rows[edge[1:]] + np.int32(1))
    slices = _slices(text, text_at, rows, edge)
    elements = np.flatnonzero(above)
    kind = kinds.take(tag[elements])
    verbatim = _within(end, elements[kind & PREFORMATTED > 0], first)
    texts = list(map(_folded, slices))
    for index in np.flatnonzero(verbatim).tolist():
        texts[index] = slices[index].strip("\n").rstrip()
    if not all(texts):
        written = np.fromiter(map(bool, texts), dtype=bool, count=len(texts))
        texts = [one for one in texts if one]
        first, last, verbatim = (first[written], last[written], verbatim[written])
    return (texts, first, last, verbatim, _beside(end, parent, elements[kind & CELL > 0], first))


def _folded(raw):
    bare = raw.strip()
    return bare if "  " not in bare and bare.isprintable() else " ".join(bare.split())


def _slices(text, text_at, rows, edge):
    begin, stop = (text_at[rows], text_at[rows + 1])
    cut = edge.copy()
    cut[1:-1] |= begin[1:] != stop[:-1]
    starts = edge[:-1][cut[:-1]]
    pairs = zip(begin[cut[:-1]].tolist(), stop[cut[1:]].tolist(), strict=True)
    if starts.all():
        return [text[a:b] for a, b in pairs]
    return list(_joined(text, pairs, starts.tolist()))


def _joined(text, pieces, starts):
    whole = None
    before = 0
    for (begin, stop), start in zip(pieces, starts, strict=True):
        if whole is None or start:
            if whole is not None:
                yield whole
            whole = text[begin:stop]
        else:
            dropped = text[before:begin]
            if dropped.isspace():
                whole += dropped
            elif dropped[0].isspace() or dropped[-1].isspace():
                whole += " "
            whole += text[begin:stop]
        before = stop
    if whole is not None:
        yield whole


def _within(end, outer, rows):
    if not len(outer):
        return np.zeros(len(rows), dtype=bool)
    marked = np.zeros(len(end), dtype=bool)
    marked[outer] = True
    return inside(end, marked)[rows]


def _beside(end, parent, cells, first):
    beside = np.zeros(len(first), dtype=bool)
    if len(cells) < 2 or len(first) < 2:
        return beside
    nearest = cells[np.maximum(np.searchsorted(cells, first, side="right") - 1, 0)]
    cell = np.where((nearest <= first) & (first < end[nearest]), nearest, -1)
    same = cell[1:] == cell[:-1]
    single = np.append(~same, True) & np.insert(~same, 0, True) & (cell >= 0)
    row = parent[cell]
    beside[1:] = single[1:] & single[:-1] & (row[1:] == row[:-1])
    return beside


_USUAL = 2


def read_names(columns, kinds, wanted, stems, pack, hides):
    starts, numbers, ends, valueless, values, _ = columns
    kind_of, edges = (kinds[np.frombuffer(numbers, np.int32)], np.frombuffer(starts, np.int32))
    row_of = np.repeat(np.arange(len(wanted)), np.diff(edges))
    places = np.flatnonzero((kind_of > 0) & wanted[row_of])
    texts = values_at(places, ends, valueless, values)
    by_row = defaultdict(dict)
    some = zip(row_of[places].tolist(), kind_of[places].tolist(), texts, strict=True)
    for row, kind, value in some:
        by_row[row][kind] = value
    seen = {(None, None): 0}
    first = [-1]
    of_row = np.zeros(len(wanted), dtype=np.int32)
    hidden = []
    for row, own in by_row.items():
        key = _names(own)
        if key not in seen:
            seen[key] = len(seen)
            first.append(row)
        of_row[row] = seen[key]
        if _is_hidden(own, hides):
            hidden.append(row)
    packed = [pack(key) for key in seen]
    known = {}
    alike = np.array([known.setdefault(words, len(known)) for words in packed], dtype=np.int32)
    return (
        of_row,
        alike.take(of_row),
        np.frombuffer(b"".join(packed), dtype=np.uint16).reshape(-1, NAME_WORDS),
        np.array(first, dtype=np.int32),
        list(_candidates(seen, stems)),
        np.array(hidden, dtype=np.int32),
    )


def _names(own):
    usual = (own.get(CLASS), own.get(ID))
    return (*usual, own.get(ROLE), own.get(ITEMPROP)) if ROLE in own or ITEMPROP in own else usual


def _is_hidden(own, hides):
    style = own.get(STYLE)
    return HIDDEN in own or own.get(ARIA_HIDDEN) == "true" or bool(style and hides(style))


def _candidates(seen, stems):
    for key, number in seen.items():
        role = key[_USUAL] if len(key) > _USUAL else None
        classes = (key[0] or "").lower()
        if (
            role
            or not all(name.isascii() for name in key if name)
            or any(stem in classes for stem in stems)
        ):
            yield (number, key)


_ONE_THREAD = 1 << 18

_AT_ONCE = 1 << 14

_STEEPEST = 87


@dataclass(frozen=True, eq=False)
class Weights:
    of: dict
    gates: int

    @classmethod
    def unpacked(cls, packed, sizes, convolutions, given):
        width, _, _, gates, pool, types, *_ = sizes.tolist()
        facts, numbers, inputs = given
        shapes = {
            **_dense("facts", facts, width, bias="enter"),
            "numbers.weight": (numbers, width),
            "names.weight": (inputs, width),
            **_dense("gate", width, gates),
            **_dense("context", (1 + gates) * width, width),
            "second.weight": (width, width),
            **_convolutions("first", convolutions[0], width),
            "pool.weight": (width, 2 * pool),
            **_dense("together", width + 2 * pool, width),
            **_dense("early", width, 1),
            **_dense("prototypes", 2 * width, width),
            "third.weight": (width, width),
            **_convolutions("last", convolutions[1], width),
            **_dense("kind", 2 * width, types),
            "cooling": (0, types),
            **_dense("leave", width, 1),
        }
        arrays, at = ({}, 0)
        for name, (rows, columns) in shapes.items():
            padded = -(-columns // NETWORK_PADDED) * NETWORK_PADDED
            stop = at + max(rows, 1) * padded
            array = packed[at:stop].reshape(-1, padded)[:, :columns]
            arrays[name] = array if rows else array[0]
            at = stop
        return cls(arrays, gates)


def _dense(name, inputs, outputs, bias=""):
    return {f"{name}.weight": (inputs, outputs), f"{bias or name}.bias": (0, outputs)}


def _convolutions(which, count, width):
    shapes = {}
    for number in range(count):
        shapes |= _dense(f"{which}_convolutions.{number}", 3 * width, width)
    return shapes


def convolved(padded, margin, weights, name, step):
    matrix = weights.of[f"{name}.weight"]
    count = len(padded) - 2 * margin
    out = np.empty((count, matrix.shape[1]), dtype=np.float32)
    for some in slices(count):
        start, stop = (some.start + margin, some.stop + margin)
        three = [padded[start + by : stop + by] for by in (-step, 0, step)]
        times(np.concatenate(three, axis=1), matrix, out[some])
    return relu(out, weights.of[f"{name}.bias"])


def slices(count):
    for start in range(0, count, _AT_ONCE):
        yield slice(start, min(start + _AT_ONCE, count))


def times(rows, matrix, out=None):
    at_once = max(_ONE_THREAD // matrix.size, 1)
    if out is None:
        out = np.empty((len(rows), matrix.shape[1]), dtype=np.float32)
    if len(rows) <= at_once:
        return np.matmul(rows, matrix, out=out)
    for start in range(0, len(rows), at_once):
        np.matmul(rows[start : start + at_once], matrix, out=out[start : start + at_once])
    return out


def relu(values, bias):
    values += bias
    return np.maximum(values, 0, out=values)


def means(h, weight):
    sums = weight.astype(np.float64) @ h.astype(np.float64)
    sums /= np.add.reduce(weight, axis=1, dtype=np.float64, keepdims=True) + 1
    return sums.astype(np.float32).ravel()


def logistic_of_twice(values, bias=0):
    values += bias
    values *= -2
    np.clip(values, -_STEEPEST, _STEEPEST, out=values)
    np.exp(values, out=values)
    values += 1
    return np.reciprocal(values, out=values)


_UNITS = 7


def network(weights, facts, blocks, widest):
    del widest
    sizes, first, last, packed, *vectors = weights
    of_tags, of_names, of_words = vectors
    inputs = (blocks.near.shape[1] + 1) * of_names.shape[1] + 3 * of_words.shape[1]
    given = (len(facts), len(blocks.numbers), inputs)
    w = Weights.unpacked(packed, sizes, (len(first), len(last)), given)
    h = times(blocks.numbers.T, w.of["numbers.weight"])
    h += _named(blocks, w, (of_tags, of_names, of_words), int(sizes[_UNITS]))
    relu(h, facts @ w.of["facts.weight"] + w.of["enter.bias"])
    return _looked_twice(h, blocks, w, (first.tolist(), last.tolist()))


def _looked_twice(h, page, weights, steps):
    w, count = (weights.of, len(h))
    weight = np.ones((1 + weights.gates, count), dtype=np.float32)
    weight[1:] = logistic_of_twice(times(h, w["gate.weight"]), w["gate.bias"]).T
    context = means(h, weight) @ w["context.weight"] + w["context.bias"]
    margin = max(*steps[0], *steps[1])
    padded = np.zeros((count + 2 * margin, len(context)), dtype=np.float32)
    h = times(h, w["second.weight"], padded[margin:-margin])
    relu(h, context)
    for number, step in enumerate(steps[0]):
        h += convolved(padded, margin, weights, f"first_convolutions.{number}", step)
    h += _together(h, page, w)
    early = times(h, w["early.weight"])[:, 0] + w["early.bias"]
    prototypes = means(h, logistic_of_twice(np.stack([early, -early])))
    context = prototypes @ w["prototypes.weight"] + w["prototypes.bias"]
    h += relu(times(h, w["third.weight"]), context)
    for number, step in enumerate(steps[1]):
        h += convolved(padded, margin, weights, f"last_convolutions.{number}", step)
    kinds = prototypes @ w["kind.weight"] + w["kind.bias"]
    kinds = np.exp(kinds - kinds.max())
    kinds /= kinds.sum()
    logits = times(h, w["leave.weight"])[:, 0] + w["leave.bias"]
    logits *= kinds @ w["cooling"]
    return (logistic_of_twice(logits), kinds)


def _named(page, weights, vectors, units):
    matrix = weights.of["names.weight"]
    out = np.empty((len(page.over), matrix.shape[1]), dtype=np.float32)
    for some, inputs in _names_and_words(page, vectors, units):
        times(inputs, matrix, out[some])
    return out


def _names_and_words(page, vectors, units):
    of_tags, of_names, of_words = vectors
    signs = of_tags.take(page.tag[page.rows], axis=0)
    signs += _mean_vectors(of_names, page.names.T).take(page.of_row[page.rows], axis=0)
    fixed = np.empty(signs.T.shape, dtype=np.int32)
    np.multiply(signs.T, np.float32(units), out=fixed, casting="unsafe")
    paths = sums_above(page.up, page.over, fixed)
    own_words = np.zeros((len(page.over) + 1, of_words.shape[1]), dtype=np.float32)
    for some in slices(len(page.over)):
        own_words[some] = _mean_vectors(of_words, page.words[:, some])
    size = signs.shape[1]
    near = page.near.shape[1] * size
    path = near + size
    for some in slices(len(page.over)):
        at = page.place[page.near[some]]
        count = len(at)
        out = np.empty((count, path + 3 * own_words.shape[1]), dtype=np.float32)
        out[:, :near] = signs.take(at, axis=0).reshape(count, -1)
        out[:, near:path] = paths[:, some].T
        means = out[:, path:].reshape(count, 3, -1)
        means[:, 0] = own_words[some]
        means[:, 1] = own_words.take(page.heading[some], axis=0)
        means[:, 2] = own_words.take(page.section[some], axis=0)
        yield (some, out)


def _mean_vectors(vectors, buckets):
    sizes = np.add.reduce(buckets < len(vectors) - 1, axis=0)
    sums = np.add.reduce(vectors.take(buckets, axis=0), axis=0)
    sums /= np.sqrt(np.maximum(sizes, 1), dtype=np.float32)[:, None]
    return sums


def _together(h, page, w):
    seen = times(h, w["pool.weight"])
    half = seen.shape[1] // 2
    order = np.argsort(page.group, kind="stable")
    edges = np.append(0, np.cumsum(page.group_sizes))
    sums = np.zeros((len(h) + 1, 2 * half))
    sums[1:] = seen
    sums[1:, :half] = seen.take(order, axis=0)[:, :half]
    np.add.accumulate(sums, axis=0, out=sums)
    of_groups = sums.take(edges, axis=0)[:, :half]
    means = (of_groups[1:] - of_groups[:-1]).astype(np.float32)
    means /= page.group_sizes.astype(np.float32)[:, None]
    around = sums[:, half:].take(page.high, axis=0) - sums[:, half:].take(page.low, axis=0)
    around = around.astype(np.float32)
    around /= (page.high - page.low).astype(np.float32)[:, None]
    matrix = w["together.weight"]
    out = times(h, matrix[: -2 * half])
    out += times(means, matrix[-2 * half : -half]).take(page.group, axis=0)
    out += times(around, matrix[-half:])
    return relu(out, w["together.bias"])


CHECKED_AT_ONCE = 8192

_SEPARATORS = b"\t\n\x0c\r /\"'"


def count_tags(data):
    return data.count(b"<")


def is_plain(data):
    return int(_is_plain(data))


def _is_plain(data):
    if data.startswith(codecs.BOM_UTF8) or b"\x00" in data or _may_shift(data):
        return False
    view, at, size = (memoryview(data), 0, len(data))
    try:
        while at < size:
            stop = at + CHECKED_AT_ONCE
            at += codecs.utf_8_decode(view[at:stop], "strict", stop >= size)[1]
    except UnicodeDecodeError:
        return False
    return True


def _may_shift(data):
    escaped = b"\x1b" in data
    return (escaped or b"~" in data) and data.isascii() and (escaped or b"~{" in data)


def count_separators(data, most, count):
    tags = TAG.findall(data)
    if any(_attribute_count(tag) > most for tag in tags if len(tag) > 2 * most):
        return -1
    return sum(len(tag) - len(tag.translate(None, _SEPARATORS)) for tag in tags) if count else 0


def _attribute_count(tag):
    named = TAG_NAME.match(tag)
    return sum(1 for _ in ONE_ATTRIBUTE.finditer(tag, named.end())) if named else 0


def blocks_inside(tag, end, first, kinds, of_row, named):
    marked = kinds.take(tag)
    if len(of_row):
        marked |= named.take(of_row)
    return inside(end, marked)[first]


def kept_sums(values, weights, keep):
    products = values.astype(np.float64) * weights
    return (_in_order(products), _in_order(products[keep]), _in_order(weights[keep]))


def _in_order(values):
    return float(np.add.accumulate(values, dtype=np.float64)[-1]) if len(values) else 0.0


def pulled_to_means(number, weights, values, share):
    pulled = values.astype(np.float64)
    some = number >= 0
    of, own = (number[some], pulled[some])
    sums = np.bincount(of, weights=(values * weights)[some])
    means = (sums / np.maximum(np.bincount(of, weights=weights[some]), 1))[of]
    pulled[some] = means if share == 1 else (means - own) * share + own
    return pulled


def outermost_stretches(tag, end, points, kinds, further, most):
    kind = kinds.take(tag)
    starts = _outermost(end, kind & STRETCH_BEGINS > 0, further)
    ends = end[starts]
    before = np.zeros(len(tag) + 1, dtype=np.int64)
    np.cumsum(kind & STRETCH_ITEM > 0, out=before[1:])
    held = np.searchsorted(points, ends) - np.searchsorted(points, starts)
    is_one = held <= most * (before[ends] - before[starts])
    is_one |= kind[starts] & STRETCH_COUNTED == 0
    starts, ends = (starts[is_one], ends[is_one])
    at = np.searchsorted(ends, points, side="right")
    padded = np.append(starts, np.int32(np.iinfo(np.int32).max))
    first = np.searchsorted(points, padded)
    return (np.where(padded[at] <= points, first[at], -1).astype(np.int32), len(starts))


def _outermost(end, marked, further):
    marked[further] = True
    rows = np.flatnonzero(marked).astype(np.int32)
    outer = np.ones(len(rows), dtype=bool)
    np.greater_equal(rows[1:], np.maximum.accumulate(end[rows])[:-1], out=outer[1:])
    return rows[outer]


def common_values(first, last, bounds, value, weight, share):
    weights, found = np.zeros((2, len(first)), dtype=np.int64)
    common = np.zeros(len(bounds) - 1, dtype=np.int64)
    values = int(value.max(initial=-1)) + 1
    for group, (start, stop) in enumerate(pairwise(bounds.tolist())):
        items = [np.arange(a, b) for a, b in zip(first[start:stop], last[start:stop], strict=True)]
        different = [np.unique(value[own]) for own in items]
        having = np.bincount(np.concatenate([value[:0], *different]), minlength=values)
        is_common = having >= max(share * (stop - start), 2)
        weights[start:stop] = [weight[own][is_common[value[own]]].sum() for own in items]
        found[start:stop] = [is_common[own].sum() for own in different]
        common[group] = is_common.sum()
    return (weights, found, common)


def topmost_without(parent, end, points, rows):
    top, above = (rows, np.maximum(parent[rows], 0))
    while (free := ((above > 0) & (_counts_within(points, above, end[above]) == 0))).any():
        top = np.where(free, above, top)
        above = np.maximum(parent[top], 0)
    return np.stack([top, above]).astype(np.int32)


def followers(tag, end, before, kinds, near, between):
    pairs, leader, last = [], -1, 0
    kind = kinds.take(tag)
    for row in np.flatnonzero(kind).tolist():
        if kind[row] == 1:
            leader = row if before[row] < before[end[row]] else -1
            last = int(end[row])
        elif leader >= 0 and end[leader] <= row:
            stop = before[end[row]]
            is_next = before[row] - before[last] <= between
            if before[row] < stop and is_next and stop - before[end[leader]] <= near:
                pairs.append((leader, row))
                last = max(last, int(end[row]))
    return np.array(pairs, dtype=np.int32).reshape(-1, 2).T


def touching(end, rows, first, last, keep):
    begun = first[keep].searchsorted(end.take(rows))
    return rows[begun > last[keep].searchsorted(rows, "right")]


def rows_of(tag, kinds, marked, start, stop):
    mask = kinds.take(tag[start:stop])
    if len(marked):
        mask &= marked[start:stop]
    return (np.flatnonzero(mask) + start).astype(np.int32)


def best_threshold(values, weights, beta, least):
    products = values * weights
    some = np.count_nonzero(values >= least) + 1
    order = (-values).argsort(kind="stable")[:some]
    gain = np.add.accumulate(products[order], dtype=np.float64)
    taken = np.add.accumulate(weights[order], dtype=np.float64)
    square = beta * beta
    expected = (1 + square) * gain / (taken + square * _in_order(products) + 1e-09)
    return max(float(values[order[expected.argmax()]]), least) if len(order) else least


def tags_between(tag, kinds, marked, first, last, keep):
    steps = np.zeros(len(tag) + 1, dtype=np.int32)
    follows = keep[1:] & keep[:-1]
    starts, ends = (first.copy(), last[keep])
    starts[1:][follows] = last[:-1][follows]
    np.add.at(steps, starts[keep], 1)
    np.subtract.at(steps, ends, 1)
    between = np.add.accumulate(steps[:-1]) > 0
    return between & marked & kinds.take(tag)


def _counts_within(points, starts, ends):
    return (points.searchsorted(ends) - points.searchsorted(starts)).astype(np.int32)


_DEEP = 64


def places(tag, depth, first, owner, media, level, first_level, out):
    numbers = np.arange(len(first))
    deep = depth[owner]
    out[0] = numbers
    out[0] /= len(first)
    np.minimum(deep, _DEEP, out=out[2], casting="unsafe")
    out[2] /= 16
    _write_steps(deep, owner, out[3:7])
    last = _write_headings(tag[owner], numbers, level, first_level, out[7:11])
    _write_gaps(media[tag], first, depth, deep, out[11:])
    heading = np.full(len(first), len(first), dtype=np.int32)
    np.copyto(heading[1:], last[:-1], casting="unsafe", where=last[:-1] >= 0)
    return (heading, int(np.count_nonzero(last < 0)))


def _write_steps(depth, owner, out):
    step_before, step_after, same_before, same_after = out
    step_before[:1] = step_after[-1:] = same_before[:1] = same_after[-1:] = 0
    step = step_before[1:]
    np.subtract(depth[1:], depth[:-1], out=step, casting="unsafe")
    np.minimum(np.maximum(step, -8, out=step), 8, out=step)
    step /= 4
    step_after[:-1] = step
    same_before[1:] = same_after[:-1] = owner[1:] == owner[:-1]


def _write_headings(tag, numbers, level_of, first_level, out):
    level, distance, after_first, first_distance = out
    level[:] = level_of[tag]
    last = np.where(level > 0, numbers, -1)
    np.maximum.accumulate(last, out=last)
    np.subtract(numbers, last - 1, out=distance, casting="unsafe")
    first = np.flatnonzero(tag == first_level)
    if len(first):
        np.subtract(numbers, first[0], out=first_distance, casting="unsafe")
        first_distance /= len(numbers)
        np.sign(first_distance, out=after_first)
    else:
        first_distance[:], after_first[:] = (0, 2)
    return last


def _write_gaps(media, first, depth, deep, out):
    gap, between, level = out
    before = np.add.accumulate(media, dtype=np.int32)[first]
    gap[:1], between[:1] = (first[0], before[0])
    gap[1:], between[1:] = (first[1:] - first[:-1], before[1:] - before[:-1])
    out[:2] += 1
    level[:] = deep
    level[1:] -= np.minimum.reduceat(depth, first)[:-1]
    level /= 4
    np.minimum(np.maximum(level, -1, out=level), 4, out=level)


def inside(end, marked):
    reach = end * marked
    np.maximum.accumulate(reach, out=reach)
    return reach > np.arange(len(end), dtype=np.int32)


def around(end, marked):
    return total(end, marked) > 0


def total(end, own):
    kind = np.int32 if own.dtype == bool else np.float64 if own.dtype.kind == "f" else np.int64
    prefix = np.zeros(len(end) + 1, dtype=kind)
    np.add.accumulate(own, out=prefix[1:], dtype=kind)
    sums = prefix[end]
    sums -= prefix[:-1]
    return sums


def nearest(parent, marked):
    rows = np.arange(len(parent), dtype=np.int32)
    at = np.where(marked, rows, np.maximum(parent, 0)).astype(np.int32)
    while True:
        above = at[at]
        if np.array_equal(above, at):
            break
        at = above
    return np.where(marked[at], at, np.int32(-1))


def highest(parent, values):
    best = values.copy()
    at = np.maximum(parent, 0)
    while at.any():
        np.maximum(best, best[at], out=best)
        at = at[at]
    if len(parent):
        np.maximum(best, best[0], out=best)
    return best


def sums_around(parent, end, own, left_out, kept, rows, least):
    counted = np.where(left_out, 0, own).astype(np.int64)
    sums = (total(end, counted), total(end, np.where(kept, counted, 0)))
    above = parent[rows]
    boxes = np.where(above < 0, np.int32(-1), nearest(parent, sums[0] >= least)[above])
    boxes = np.stack([boxes, np.where(boxes < 0, np.int32(-1), parent[boxes])])
    return (boxes, np.stack([np.where(boxes < 0, 0, one[boxes]) for one in sums]))


def held_tags(tag, count):
    held = np.zeros(count, dtype=bool)
    held[tag] = True
    return held.tobytes()


def kept_and_between(tag, parent, end, written_before, written, shown, kept, kinds):
    kind = kinds.take(tag)
    between = (kind & BETWEEN_IF_BLANK > 0) & ~written | (kind & BETWEEN > 0)
    rows = (between & shown & ~kept & (parent >= 0)).nonzero()[0]
    is_empty = written_before[end] == written_before[:-1]
    passed = is_empty & (kind & HOLDER == 0) & (parent >= 0)
    above = parent[rows]
    while (inner := passed[above]).any():
        above = np.where(inner, parent[above], above)
    found = kept.copy()
    found[rows] = kept[above]
    return found


_LATIN = 256


def text_runs(
    text, rows, special, special_kinds, kinds, open_ends, tag, end, line, text_at, written, signs
):
    kind = kinds.take(tag.take(rows))
    at = np.searchsorted(rows, special)
    there = rows.take(at, mode="clip") == special if len(rows) else at < 0
    kind[at[there]] = special_kinds[there]
    boundaries = rows[kind == RUN_BOUNDARY]
    ends = np.concatenate([open_ends, end.take(boundaries)])
    still_open = ends[ends > rows[-1]] if len(rows) else ends
    left = (kind != RUN_BOUNDARY) & (kind != RUN_PASSED)
    rows, kind = (rows[left], kind[left])
    parted = _at(rows, boundaries) | _at(rows, ends)
    bounded = parted | _at(rows, end.take(rows[kind == RUN_BLOCK]))
    bounded[:-1] |= kind == RUN_BLOCK
    left_behind = _at(rows, end.take(rows[kind != RUN_WORDS]))
    apart = bounded | left_behind
    row_line, begin, stop = (line.take(rows), text_at.take(rows), text_at.take(rows + 1))
    joins = np.zeros(len(rows), dtype=bool)
    joins[1:] = (kind[1:] == RUN_WORDS) & (kind[:-1] == RUN_WORDS) & ~apart[1:-1]
    joins[1:] &= (row_line[1:] == row_line[:-1]) & (begin[1:] == stop[:-1])
    first = np.flatnonzero(~joins)
    behind = np.append(first[1:], len(rows))[: len(first)]
    is_written = written.take(rows)
    past = np.maximum.reduceat(np.where(is_written, rows + 1, 0), first) if len(first) else first
    row = np.minimum.reduceat(np.where(is_written, rows, len(tag)), first) if len(first) else first
    row = np.where(past > 0, row, rows[first])
    has_words = (kind[first] == RUN_WORDS) & (past > 0)
    texts = _words(text, begin[first], stop[behind - 1], has_words, signs)
    columns = (
        *(row, tag.take(row), row_line[first], parted[first], bounded[behind]),
        np.where(kind[first] == RUN_WORDS, past, 0),
    )
    idle = (kind[first] == RUN_WORDS) & (past == 0) & ~left_behind[behind]
    every = zip(*(own.tolist() for own in columns), texts, strict=True)
    runs = [(*run, *words) for *run, words in every]
    return (list(_without_idle(runs, idle.tolist())), still_open.tolist())


def _words(text, begins, stops, has_words, signs):
    folded = iter(folded_texts(text, begins[has_words], stops[has_words]))
    every = zip(begins.tolist(), stops.tolist(), has_words.tolist(), strict=True)
    for begin, stop, own in every:
        if not own:
            yield ("", 0)
            continue
        held = RUN_AFTER_SPACE * text[begin].isspace() | RUN_BEFORE_SPACE * text[stop - 1].isspace()
        for code in {ord(sign) for sign in text[begin:stop]}:
            held |= int(signs[code]) if code < _LATIN else 0
        yield (next(folded), held)


def _without_idle(runs, idle):
    carried = False
    for at, (row, tag, line, parted, closed, past, words, signs) in enumerate(runs):
        carried |= parted
        if not (idle[at] and carried and (at + 1 < len(runs))):
            yield (row, tag, line, carried, closed, past, words, signs)
            carried = False


def _at(rows, places):
    found = np.zeros(len(rows) + 1, dtype=bool)
    found[np.searchsorted(rows, places)] = True
    return found


_TABLE_COUNTS = 11

_TWO = 2


def table_counts(parent, table, kinds, length, link_length):
    count, owner, rows = (len(parent), nearest(parent, table), np.flatnonzero(table))
    in_head_cell = nearest(parent, kinds & TABLE_HEAD_CELL > 0) >= 0
    kinds = np.where(owner < 0, np.uint8(0), kinds)
    line = kinds & TABLE_LINE > 0
    line_of = nearest(parent, line)
    cells = np.flatnonzero((kinds & TABLE_CELL > 0) & (line_of >= 0))
    full = cells[length[cells] > 0]
    per_line = np.bincount(line_of[cells], minlength=count)
    written = np.bincount(line_of[full], minlength=count)
    inner = rows[1:]
    inner = inner[owner[parent[inner]] >= 0]
    counted = (
        (cells, None),
        (full, None),
        (cells, length[cells]),
        (cells, link_length[cells]),
        (line & (written > 0), None),
        (line & (written >= _TWO), None),
        (line & (per_line >= _TWO), None),
        (kinds & TABLE_NAMED > 0, None),
        (kinds & TABLE_HEAD > 0, None),
        ((kinds & TABLE_HEADING > 0) & ~in_head_cell, None),
        (kinds & TABLE_UNLIKE > 0, None),
    )
    counts = np.zeros((_TABLE_COUNTS, len(rows)), dtype=np.int64)
    for column, (some, weights) in zip(counts, counted, strict=True):
        column[:] = np.bincount(owner[some], weights, minlength=count)[rows]
    counts[-1] += np.bincount(owner[parent[inner]], minlength=count)[rows]
    return counts


_AT = {name: number for number, name in enumerate(TEXT_COLUMNS)}

_TEXT_LOGS = slice(_AT["log_units"], _AT["log_units_after"] + 1)

_TEXT_COUNTS = slice(_AT["log_ends"], _AT["log_marks"] + 1)

_CHARACTERS_SHARES = slice(_AT["digits"], _AT["capitals"] + 1)

_WORD_SHARES = slice(_AT["link_share"], _AT["scriptless"] + 1)

_EDGES = slice(_AT["last_is_end"], _AT["first_is_unit"] + 1)

_RUN_BITS = 16

_COUNTED = np.array([DIGIT, CAPITAL, SENTENCE_END, PAUSE, MARK], np.uint8)[:, None]

_FIRST_COUNTED = np.uint8(CAPITAL)

_WIDTH = np.uint8(MARK - CAPITAL)


class _Text(NamedTuple):
    size: int
    text_at: np.ndarray
    in_link: np.ndarray


def text_features(
    text,
    title,
    description,
    body,
    kinds,
    hashes,
    written_before,
    text_at,
    in_link,
    first,
    last,
    columns,
    sums,
):
    written_at = written_places(text)
    codes = code_points(f"{text}\n{title}\n{description}\n{body}")
    of_each = kinds.take(codes)
    begins, stops = (written_before[first], written_before[last])
    start, end = (written_at[begins], written_at[stops - 1])
    stop = end + 1
    edges = np.concatenate([start, stop])
    found = read_words(codes, of_each, hashes, start)
    low, high = np.searchsorted(found.at, edges).reshape(2, -1)
    page = _Text(len(text), text_at, in_link)
    shares = _shares_of_words(page, found, (title, description, body), low, high)
    special = _counts(of_each, edges)
    units = np.maximum(high - low, 1)
    _fill(columns, units, stops - begins, special, shares)
    sums_of_all = found.sums[stop]
    sums_of_all -= found.sums[start]
    columns[_AT["repeated"]] = np.minimum(_times(sums_of_all) - 1, 8)
    columns[_AT["repeated"]] /= 4
    _edges(of_each[start], of_each[end], columns[_EDGES])
    columns[_AT["has_body"]] = bool(body)
    sums[0], sums[1], sums[2] = (units, shares[0], special[2])
    return starts_of_blocks(found, low, high, start, stop)


def _fill(columns, units, characters, special, shares):
    before = np.add.accumulate(units)
    total = int(before[-1])
    columns[_AT["log_units"]] = units
    columns[_AT["log_characters"]] = characters
    columns[_TEXT_COUNTS] = special[2:]
    columns[_AT["log_link_units"]] = shares[0]
    columns[_AT["log_units_before"]] = before - units
    columns[_AT["log_units_after"]] = total - before
    logs = columns[_TEXT_LOGS]
    words_in, characters_in = (columns[0].copy(), columns[1].copy())
    logs += 1
    length = columns[_AT["long_sentences"]]
    np.divide(words_in, columns[_AT["log_ends"]], out=length)
    np.minimum(length, 30, out=length)
    length /= 15
    columns[_CHARACTERS_SHARES] = special[:2]
    columns[_CHARACTERS_SHARES] /= characters_in
    columns[_WORD_SHARES] = shares
    columns[_WORD_SHARES] /= words_in
    length = columns[_AT["unit_length"]]
    np.divide(characters_in, words_in, out=length)
    np.minimum(length, 12, out=length)
    length /= 6
    columns[_AT["position_in_units"]] = before
    columns[_AT["position_in_units"]] /= total
    columns[_AT["all_link"]] = shares[0] >= units
    columns[_AT["one_unit"]] = units == 1


def _shares_of_words(page, found, texts, low, high):
    end, (first, second, body) = (page.size, texts)
    title = end + 1 + len(first)
    ends = np.array([end, title, title + 1 + len(second)])
    own, title, described = np.searchsorted(found.at, ends).tolist()
    origins = np.zeros(WORD_BUCKETS, dtype=np.uint8)
    origins[found.bucket[own:title]] = 1
    origins[found.bucket[title:described]] |= 2
    known = origins.take(found.bucket[:own])
    flags = np.zeros((5, own + 1), dtype=np.int32)
    flags[0, 1:] = _linked(page, found.at[:own])
    np.bitwise_and(known, 1, out=flags[1, 1:])
    np.right_shift(known, 1, out=flags[2, 1:])
    if body:
        flags[3, 1:] = _quoted(found, own, described)
    flags[4, 1:] = found.alone[:own]
    np.add.accumulate(flags, axis=1, out=flags)
    shares = flags.take(high, axis=1)
    shares -= flags.take(low, axis=1)
    return shares


def _linked(page, at):
    rows = np.searchsorted(page.text_at, at, side="right") - 1
    return page.in_link.take(rows)


def _quoted(found, own, start):
    value = found.value
    runs = value.copy()
    for step in (1, 2):
        runs[:-step] += value[step:] << np.uint32(step)
    body = runs[start : max(len(runs) - 2, 0)]
    known = np.zeros(1 << _RUN_BITS, dtype=bool)
    known[buckets(body, _RUN_BITS)] = True
    hit = known[buckets(runs[:own], _RUN_BITS)]
    whole = hit.copy()
    for step in (1, 2):
        whole[step:] |= hit[:-step]
    return whole


def _counts(kinds, edges):
    places = np.flatnonzero(kinds - _FIRST_COUNTED <= _WIDTH)
    counts = np.zeros((len(_COUNTED), len(places) + 1), dtype=np.int32)
    np.equal(kinds[places], _COUNTED, out=counts[:, 1:], casting="unsafe")
    np.add.accumulate(counts, axis=1, out=counts)
    low, high = np.searchsorted(places, edges).reshape(2, -1)
    sums = counts.take(high, axis=1)
    sums -= counts.take(low, axis=1)
    return sums


def _edges(first, last, out):
    out[0] = last == SENTENCE_END
    out[1] = (last == MARK) | (last == PAUSE)
    out[2] = first == CAPITAL
    out[3] = first == DIGIT
    out[4] = (first >= SENTENCE_END) & (first <= MARK)
    out[5] = first == UNIT


def _times(values):
    bins = buckets(values)
    return np.bincount(bins)[bins]


def words_held(text, words, text_at, names):
    found = np.zeros(len(names), dtype=np.uint32)
    lower = text.lower()
    if len(lower) != len(text):
        return found
    for word in words:
        rows = np.searchsorted(text_at, _places(lower, word), side="right") - 1
        holding = np.unique(names[rows])
        found[holding[holding >= 0]] += 1
    return found


def _places(text, word):
    places = []
    place = text.find(word)
    while place >= 0:
        places.append(place)
        place = text.find(word, place + 1)
    return places


def texts_alike(text, starts, stops, key, first, last):
    spans = zip(starts.tolist(), stops.tolist(), strict=True)
    stays = range(first, last + 1)
    return np.array([_may_equal(text[at:stop], key, stays) for at, stop in spans], dtype=bool)


def _may_equal(text, key, stays):
    place = 0
    for at, letter in enumerate(text):
        if not letter.isascii():
            if ord(letter) not in stays:
                return True
        elif not letter.isalnum():
            continue
        elif not (after := text[at + 1 : at + 2]).isascii() and ord(after) not in stays:
            return True
        if key[place : place + 1] != letter.lower():
            return False
        place += 1
    return place == len(key)


_ODD = np.uint32(2654435761)

_NEXT = np.uint32(2246822507)

_FIRST = np.uint32(1481744173)

_WHOLE = np.uint32(335903614)

_MIDDLE = np.uint32(15)

_PLACES = np.arange(WORDS_READ)[:, None]


def starts_of_blocks(words, first, last, begin, stop):
    out = np.empty((WORD_SLOTS, len(first)), dtype=np.uint16)
    count = len(words.at)
    places = first + _PLACES
    np.putmask(places, places >= last, count)
    words.bucket.take(places, out=out[:WORDS_READ], mode="clip")
    special = np.empty((WORD_SLOTS - WORDS_READ, len(first)), dtype=np.uint32)
    further = first + WORDS_READ
    if count:
        stop = np.where(further < last, words.at.take(further, mode="clip"), stop)
        words.value.take(first, out=special[0], mode="clip")
    whole = words.sums[stop]
    whole -= words.sums[begin]
    special[0] *= first < last
    special[0] ^= _FIRST
    np.bitwise_xor(whole, _WHOLE, out=special[1])
    out[WORDS_READ:] = buckets(special)
    return out


ORACLES = {name: one for name, one in globals().items() if callable(one) and hasattr(native, name)}
ORACLES["walk"] = walk_in_python
