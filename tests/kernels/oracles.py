"""What kernels have to return and to write: the same in numpy and plain Python, slow and short.

Features of blocks, the network and rules of the decision have none: `model/features.json` and
`methods/test_recorded.py` record what they give. Nor have lines and runs, which outputs read back.
"""

import codecs
import re
from collections import Counter
from itertools import pairwise

import numpy as np

from chaffinch.kernels import TextColumns, codes
from chaffinch.kernels.compiled import native
from chaffinch.kernels.tree import walk_in_python
from chaffinch.page.flattening import _BASE as BASE
from chaffinch.page.flattening import mix, powers

TEXT = 0

# Attributes


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
    return [values[edges[place] : edges[place + 1]].decode() for place in places]


def words_found(columns, kinds, sought):
    (rows, numbers, ends, values), (words, of_kind, said, _) = columns, sought
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


def words_in(text, sought):
    return [word for word in sought.words if word in text]


# The shape of a page


def inside(end, marked):
    return np.maximum.accumulate(end * marked) > np.arange(len(end))


def around(end, marked):
    return total(end, marked) > 0


def total(end, own):
    kind = np.int32 if own.dtype == bool else np.float64 if own.dtype.kind == "f" else np.int64
    prefix = np.append(np.zeros(1, kind), np.add.accumulate(own, dtype=kind))
    return prefix[end] - prefix[:-1]


def nearest(parent, marked):
    found = np.full(len(parent), -1, dtype=np.int32)
    for row, above in enumerate(parent.tolist()):
        found[row] = row if marked[row] else found[above] if above >= 0 else -1
    return found


def sums_around(parent, end, own, left_out, kept, rows, least):
    counted = np.where(left_out, 0, own).astype(np.int64)
    sums = total(end, counted), total(end, np.where(kept, counted, 0))
    above = parent[rows]
    boxes = np.where(above < 0, np.int32(-1), nearest(parent, sums[0] >= least)[above])
    outer = boxes.copy()
    while (same := (outer >= 0) & (sums[0][outer] == sums[0][boxes])).any():
        outer[same] = parent[outer[same]]
    boxes = np.stack([boxes, outer])
    return boxes, np.stack([np.where(boxes < 0, 0, one[boxes]) for one in sums])


def held_tags(tag, count):
    return bytes(code in tag for code in range(count))


def kept_and_between(tag, parent, end, written_before, written, shown, kept, kinds):
    kind, found = kinds.take(tag), kept.copy()
    for row, above in enumerate(parent.tolist()):
        is_blank = kind[row] & codes.BETWEEN_IF_BLANK and not written[row]
        if not (is_blank or kind[row] & codes.BETWEEN) or not shown[row] or above < 0:
            continue
        holder = above
        while (
            parent[holder] >= 0
            and not kind[holder] & codes.HOLDER
            and written_before[end[holder]] == written_before[holder]
        ):
            holder = parent[holder]
        found[row] |= kept[holder]
    return found


def path_hashes(symbols, depth, end):
    change = np.zeros(len(symbols) + 1, dtype=np.uint64)
    weighted = mix(symbols) * powers(BASE, 1024)[depth.astype(np.intp) % 1024]
    change[:-1] = weighted
    np.subtract.at(change, end, weighted)
    return mix(np.cumsum(change)[:-1])


# Texts


def text_columns(tag, end, text, text_at, kinds, invisible):
    count = len(tag)
    shown = ~inside(end, invisible.take(tag))
    kind, starts = kinds.take(tag), np.zeros(count + 1, dtype=bool)
    starts[:-1] = kind > 0
    starts[1:] |= kind & codes.LINE_BREAKS > 0
    starts[end[kind & codes.LINE_STARTS > 0]] = True
    line = np.add.accumulate(starts[:-1], dtype=np.int32)
    own, before = np.zeros(count, dtype=np.int32), np.zeros(count + 1, dtype=np.intp)
    last = behind = -1  # row of the last character that is no white space, and of any after it
    for row, (begin, stop) in enumerate(pairwise(text_at.tolist())):
        for letter in text[begin:stop]:
            if letter.isspace():
                behind = row if behind < 0 else behind
                continue
            if last >= 0 and behind >= 0 and line[row] == line[last]:
                own[behind] += 1
            own[row] += 1
            before[row + 1] += 1
            last, behind = row, -1
    own[~shown] = 0
    return TextColumns(shown, before[1:] > 0, line, own, np.add.accumulate(before))


def characters(text, text_at, counted):
    most = len(counted) - 1
    texts = (text[a:b] for a, b in pairwise(text_at.tolist()))
    return np.array([sum(counted[min(ord(c), most)] for c in own) for own in texts], np.int32)


def folded_texts(text, starts, stops):
    spans = zip(starts.tolist(), stops.tolist(), strict=True)
    return [" ".join(text[start:stop].split()) for start, stop in spans]


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


def is_plain(data):
    escaped = b"\x1b" in data
    shifts = (escaped or b"~" in data) and data.isascii() and (escaped or b"~{" in data)
    if data.startswith(codecs.BOM_UTF8) or b"\x00" in data or shifts:
        return 0
    try:
        data.decode()
    except UnicodeDecodeError:
        return 0
    return 1


def count_tags(data):
    return data.count(b"<")


TAG = re.compile(rb"""<[a-zA-Z][^>"']*+(?:(?:"[^"]*+"|'[^']*+'|["'])[^>"']*+)*+""")
FORMATTING = re.compile(
    rb"<(?:[bisu]|big|code|em|font|nobr|small|strike|strong|tt)(?=[\s/>])", re.IGNORECASE
)


def count_formatting(data):
    return len(FORMATTING.findall(data))


def count_separators(data, most):
    tags = TAG.findall(data)
    counts = [len(tag) - len(tag.translate(None, b"\t\n\x0c\r /\"'")) for tag in tags]
    return -1 if max(counts, default=0) > most else sum(counts)


# Blocks, and what is above them


def text_blocks(tag, parent, line, shown, written, own, in_link, is_block):
    block, found = np.full(len(tag), -1, dtype=np.int32), []
    for row in np.flatnonzero((tag == TEXT) & shown & written).tolist():
        if found and line[found[-1][1] - 1] == line[row]:
            found[-1] = found[-1][0], row + 1
        else:
            found.append((row, row + 1))
        block[row] = len(found) - 1
    first, last = np.array(found, dtype=np.int32).reshape(-1, 2).T.copy()
    owner = first.copy()
    for at, row in enumerate(first.tolist()):
        above = row
        while not is_block[tag[above]] and (above > 0 or above == row):
            above = max(int(parent[above]), 0)
            if above == 0:
                break
        owner[at] = above
    sums = (
        np.append(np.int32(0), np.cumsum(some, dtype=np.int32)) for some in (own, own * in_link)
    )
    return first, last, owner, *(some[last] - some[first] for some in sums), block


def outermost_boxes(tag, parent, length, owner, box, most):
    boxes = owner.copy()
    for _ in range(most):
        around = parent[boxes]
        only = (around >= 0) & (tag[around] == box) & (length[around] == length[boxes])
        boxes = np.where(only, around, boxes)
    return boxes


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


# Picks among rows and blocks


def outermost_within(parent, end, row, after, until):
    above = int(parent[row])
    if above <= max(after, -1) or end[above] > until:
        return row
    return outermost_within(parent, end, above, after, until)


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


def common_values(first, last, bounds, value, weight, share):
    weights, found = np.zeros((2, len(first)), dtype=np.int64)
    common = np.zeros(len(bounds) - 1, dtype=np.int64)
    for group, (start, stop) in enumerate(pairwise(bounds.tolist())):
        items = [range(first[at], last[at]) for at in range(start, stop)]
        having = Counter(one for own in items for one in {*value[own.start : own.stop].tolist()})
        wanted = {one for one, count in having.items() if count >= max(share * len(items), 2)}
        common[group] = len(wanted)
        for at, own in enumerate(items, start=start):
            held = [place for place in own if int(value[place]) in wanted]
            weights[at], found[at] = weight[held].sum(), len({*value[held].tolist()})
    return weights, found, common


def side_by_side(tree, kinds, letters, text):
    tag, parent, end = (column.tolist() for column in tree)
    text, text_at = text
    kind = [int(kinds[code]) if code < len(kinds) else 0 for code in tag] + [0]  # of no row
    signs = [int(letters[ord(one)]) if ord(one) < len(letters) else 0 for one in text]
    found = []
    for row, after in pairwise(row for row in range(len(tag)) if kind[row] & 4):
        start, middle, stop = text_at[row], text_at[after], text_at[after + 1]
        if start < middle < stop and signs[middle] & 1 and signs[middle - 1] & 2:
            boxes = _boxes_of((row, after), parent, end, kind)
            found += [(row, after, *boxes)] if boxes else []
    return np.array(found, np.int32).reshape(-1, 4).T


def _boxes_of(texts, parent, end, kind):
    one, other = (parent[row] for row in texts)
    if one == other:
        return None
    if any(kind[a] & 1 and kind[b] & 2 and parent[a] == b for a, b in ((one, other), (other, one))):
        return -1, -1
    is_beside = parent[one] == parent[other] or (kind[parent[one]] | kind[parent[other]]) & 1
    if not (kind[one] & kind[other] & 1 and is_beside):
        return None
    while kind[parent[one]] & 1 and end[parent[one]] <= texts[1]:
        one = parent[one]
    while kind[parent[other]] & 1 and parent[other] > texts[0]:
        other = parent[other]
    return (one, other) if parent[one] == parent[other] else None


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


def numbered(keys):
    number_of = {}
    return np.array([number_of.setdefault(key, len(number_of)) for key in keys.tolist()], np.intp)


def tags_between(tag, kinds, marked, first, last, keep):
    between = np.zeros(len(tag), dtype=bool)
    for at in np.flatnonzero(keep).tolist():
        begin = last[at - 1] if at and keep[at - 1] else first[at]
        between[begin : last[at]] = True
    return between & marked & kinds.take(tag)


ORACLES = {name: one for name, one in globals().items() if callable(one) and hasattr(native, name)}
ORACLES["walk"] = walk_in_python
