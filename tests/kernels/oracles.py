"""What kernels have to return and to write: the same in numpy and plain Python, slow and short."""

import codecs
import re
from collections import Counter
from itertools import pairwise

import numpy as np

from chaffinch.kernels import Containers, TextColumns, codes
from chaffinch.kernels.compiled import native
from chaffinch.kernels.tree import walk_in_python
from chaffinch.model import words as kinds_of_words
from chaffinch.model.words import buckets, code_points, read_words
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


def parts_with(sheet, words):
    edges, start = [], 0
    for part in sheet.split(b"}")[:-1]:
        if part.count(b"{") != 1 or any(word in part for word in words):
            edges.append((start, start + len(part)))
        start += len(part) + 1
    return edges


def words_in(text, words):
    return sum(1 << number for number, word in enumerate(words) if word in text)


def read_names(columns, kinds, wanted, stems, pack, hides):
    starts, numbers, ends, valueless, values, _ = columns
    kind_of, edges = kinds[_ints(numbers)], _ints(starts)
    seen, first, hidden = {(None, None): 0}, [-1], []
    of_row = np.zeros(len(wanted), dtype=np.int32)
    for row in np.flatnonzero(wanted).tolist():
        places = [place for place in range(edges[row], edges[row + 1]) if kind_of[place]]
        texts = values_at(places, ends, valueless, values)
        own = dict(zip(kind_of[places].tolist(), texts, strict=True))
        if not own:
            continue
        key = own.get(codes.CLASS), own.get(codes.ID)
        if codes.ROLE in own or codes.ITEMPROP in own:
            key += own.get(codes.ROLE), own.get(codes.ITEMPROP)
        if key not in seen:
            seen[key] = len(seen)
            first.append(row)
        of_row[row] = seen[key]
        style = own.get(codes.STYLE)
        is_hidden = codes.HIDDEN in own or own.get(codes.ARIA_HIDDEN) == "true"
        hidden += [row] if is_hidden or (style and hides(style)) else []
    packed = [pack(key) for key in seen]
    known = {}
    alike = np.array([known.setdefault(words, len(known)) for words in packed], dtype=np.int32)
    candidates = [
        (number, key)
        for key, number in seen.items()
        if any(key[2:3])
        or not all(name.isascii() for name in key if name)
        or any(stem in (key[0] or "").lower() for stem in stems)
    ]
    table = np.frombuffer(b"".join(packed), dtype=np.uint16).reshape(-1, codes.NAME_WORDS)
    rows = np.array(first, dtype=np.int32), candidates, np.array(hidden, dtype=np.int32)
    return of_row, alike.take(of_row), table, *rows


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


def highest(parent, values):
    best = values.copy()
    for row, above in enumerate(parent.tolist()):
        best[row] = np.maximum(best[row], best[max(above, 0)])
    return best


def sums_around(parent, end, own, left_out, kept, rows, least):
    counted = np.where(left_out, 0, own).astype(np.int64)
    sums = total(end, counted), total(end, np.where(kept, counted, 0))
    above = parent[rows]
    boxes = np.where(above < 0, np.int32(-1), nearest(parent, sums[0] >= least)[above])
    boxes = np.stack([boxes, np.where(boxes < 0, np.int32(-1), parent[boxes])])
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


def table_counts(parent, table, kinds, length, link_length):
    count, owner, rows = len(parent), nearest(parent, table), np.flatnonzero(table)
    in_head_cell = nearest(parent, kinds & codes.TABLE_HEAD_CELL > 0) >= 0
    kinds = np.where(owner < 0, np.uint8(0), kinds)
    line = kinds & codes.TABLE_LINE > 0
    line_of = nearest(parent, line)
    cells = np.flatnonzero((kinds & codes.TABLE_CELL > 0) & (line_of >= 0))
    full = cells[length[cells] > 0]
    per_line = np.bincount(line_of[cells], minlength=count)
    written = np.bincount(line_of[full], minlength=count)
    inner = [row for row in rows if parent[row] >= 0 and owner[parent[row]] >= 0]
    counted = (
        (cells, None), (full, None), (cells, length[cells]), (cells, link_length[cells]),
        (line & (written > 0), None), (line & (written >= 2), None), (line & (per_line >= 2), None),
        (kinds & codes.TABLE_NAMED > 0, None), (kinds & codes.TABLE_HEAD > 0, None),
        ((kinds & codes.TABLE_HEADING > 0) & ~in_head_cell, None),
        (kinds & codes.TABLE_UNLIKE > 0, None),
    )  # fmt: skip
    counts = [np.bincount(owner[some], weights, count)[rows] for some, weights in counted]
    counts[-1] = counts[-1] + np.bincount(owner[parent[inner]], minlength=count)[rows]
    return np.array(counts, dtype=np.int64)


def flow_across(parent, blocks, given, wide, indent, cell, before, page_width):
    left, width = np.zeros((2, len(parent)))
    width[:1] = page_width
    for row in np.flatnonzero(blocks & (parent >= 0)).tolist():
        above = parent[row]
        if not blocks[above]:
            continue
        room = width[above]
        inner = max(room - indent[row], 1.0)
        wanted = wide[row] * room if np.isnan(given[row]) else given[row]
        free = inner if np.isnan(wanted) else min(wanted, inner)
        width[row] = cell[row] * room if cell[row] > 0 else free
        left[row] = left[above] + (before[row] * room if cell[row] > 0 else room - inner)
    return left, width


def flow_heights(order, parent, depth, fixed, beside, least, own, tag_margin, gap, items, height):
    margin = np.zeros(len(parent))
    by_depth = np.split(order, np.flatnonzero(np.diff(depth[order])) + 1)
    for row in (row for rows in reversed(by_depth) for row in rows):
        tall = height[row] = own[row] if fixed[row] else max(height[row], least[row])
        if tall > 0:
            margin[row] = max(tag_margin[row], gap[row] if items[row] > 1 else 0.0)
        if (above := parent[row]) >= 0:
            whole = tall + 2 * margin[row]
            height[above] = max(height[above], whole) if beside[row] else height[above] + whole
            items[above] += tall > 0
    return margin


# Texts


def text_columns(tag, end, text, text_at, kinds, invisible, links):
    count = len(tag)
    shown, in_link = ~inside(end, invisible.take(tag)), inside(end, links.take(tag))
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
    return TextColumns(shown, in_link, before[1:] > 0, line, own, np.add.accumulate(before))


def characters(text, text_at, counted):
    most = len(counted) - 1
    texts = (text[a:b] for a, b in pairwise(text_at.tolist()))
    return np.array([sum(counted[min(ord(c), most)] for c in own) for own in texts], np.int32)


def kept_bytes(text_at, keep, text, start):
    kept = "".join(text[text_at[row] : text_at[row + 1]] for row in np.flatnonzero(keep))
    return tuple(
        len(own.encode("utf-8", "surrogatepass").translate(None, b" \t\n\r\x0c\x0b"))
        for own in (kept, text[text_at[start] :])
    )


def folded_texts(text, starts, stops):
    spans = zip(starts.tolist(), stops.tolist(), strict=True)
    return [" ".join(text[start:stop].split()) for start, stop in spans]


def kept_lines(text, text_at, tag, line, end, parent, kept, above, kinds):
    verbatim = inside(end, above & (kinds.take(tag) & codes.PREFORMATTED > 0))
    is_cell = above & (kinds.take(tag) & codes.CELL > 0)
    cell_of, found, before = nearest(parent, is_cell), [], -1
    for row in np.flatnonzero(kept & (tag == TEXT)).tolist():
        begin, stop = text_at[row : row + 2].tolist()
        if before >= 0 and line[before] == line[row]:
            raw, first, _ = found[-1]
            between = text[text_at[before + 1] : begin]
            if between and not between.isspace():
                between = " " * (between[0].isspace() or between[-1].isspace())
            found[-1] = raw + between + text[begin:stop], first, row + 1
        else:
            found.append((text[begin:stop], row, row + 1))
        before = row
    lines = [
        (raw.strip("\n").rstrip() if verbatim[first] else " ".join(raw.split()), first, last)
        for raw, first, last in found
    ]
    lines = [one for one in lines if one[0]]
    first, last = (np.array([one[at] for one in lines], dtype=np.int32) for at in (1, 2))
    cells = cell_of[first].tolist()
    lone = [cell >= 0 and cells[max(at - 1, 0) : at + 2].count(cell) == 1
            for at, cell in enumerate(cells)]  # fmt: skip
    beside = np.zeros(len(lines), dtype=bool)
    for at in range(1, len(lines)):
        beside[at] = lone[at] and lone[at - 1] and parent[cells[at]] == parent[cells[at - 1]]
    return [one[0] for one in lines], first, last, verbatim[first], beside


def text_runs(
    text, rows, special, special_kinds, kinds, open_ends, tag, end, line, text_at, written, signs
):
    kind = kinds.take(tag.take(rows))
    at = np.searchsorted(rows, special)
    there = rows.take(at, mode="clip") == special if len(rows) else at < 0
    kind[at[there]] = special_kinds[there]
    boundaries = rows[kind == codes.RUN_BOUNDARY]
    ends = np.concatenate([open_ends, end.take(boundaries)])
    still_open = ends[ends > rows[-1]] if len(rows) else ends
    left = (kind != codes.RUN_BOUNDARY) & (kind != codes.RUN_PASSED)
    rows, kind = (rows[left], kind[left])
    parted = _at(rows, boundaries) | _at(rows, ends)
    bounded = parted | _at(rows, end.take(rows[kind == codes.RUN_BLOCK]))
    bounded[:-1] |= kind == codes.RUN_BLOCK
    left_behind = _at(rows, end.take(rows[kind != codes.RUN_WORDS]))
    apart = bounded | left_behind
    row_line, begin, stop = (line.take(rows), text_at.take(rows), text_at.take(rows + 1))
    joins = np.zeros(len(rows), dtype=bool)
    joins[1:] = (kind[1:] == codes.RUN_WORDS) & (kind[:-1] == codes.RUN_WORDS) & ~apart[1:-1]
    joins[1:] &= (row_line[1:] == row_line[:-1]) & (begin[1:] == stop[:-1])
    first = np.flatnonzero(~joins)
    behind = np.append(first[1:], len(rows))[: len(first)]
    is_written = written.take(rows)
    past = np.maximum.reduceat(np.where(is_written, rows + 1, 0), first) if len(first) else first
    row = np.minimum.reduceat(np.where(is_written, rows, len(tag)), first) if len(first) else first
    row = np.where(past > 0, row, rows[first])
    has_words = (kind[first] == codes.RUN_WORDS) & (past > 0)
    texts = _words(text, begin[first], stop[behind - 1], has_words, signs)
    columns = (
        *(row, tag.take(row), row_line[first], parted[first], bounded[behind]),
        np.where(kind[first] == codes.RUN_WORDS, past, 0),
    )
    idle = (kind[first] == codes.RUN_WORDS) & (past == 0) & ~left_behind[behind]
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
        held = (
            codes.RUN_AFTER_SPACE * text[begin].isspace()
            | codes.RUN_BEFORE_SPACE * text[stop - 1].isspace()
        )
        for code in {ord(sign) for sign in text[begin:stop]}:
            held |= int(signs[code]) if code < 256 else 0
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


def words_held(text, words, text_at, names):
    found = np.zeros(len(names), dtype=np.uint32)
    lower = text.lower()
    if len(lower) == len(text):
        for word in words:
            places = [at for at in range(len(lower)) if lower.startswith(word, at)]
            rows = np.searchsorted(text_at, places, side="right") - 1
            found[[name for name in set(names[rows].tolist()) if name >= 0]] += 1
    return found


def counted_outputs(moves, rows, outputs, data):
    state, found = 0, Counter()
    for byte in data:
        state = int(moves[256 * int(rows[state]) + byte])
        found[int(outputs[state])] += 1
    found = sorted((output, count) for output, count in found.items() if output >= 0)
    return tuple(np.array([one[at] for one in found], dtype=np.int32) for at in (0, 1))


def half_sums(table, rows, weights):
    summed = np.zeros(table.shape[1], np.float32)
    for row, weight in zip(rows, weights, strict=True):
        summed += weight * table[row].view(np.float16).astype(np.float32)
    return summed


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
ATTRIBUTE_NAME = re.compile(rb"""[\t\n\f\r /"']([^\t\n\f\r />="']+)""")
TAG_NAME = re.compile(rb"<(/?)([a-zA-Z][^\t\n\f\r />]*)")
ONE_ATTRIBUTE = re.compile(
    rb"([^\t\n\f\r />][^\t\n\f\r />=]*+)(?:[\t\n\f\r ]*+=[\t\n\f\r ]*+"
    rb"(?:\"[^\"]*+\"|'[^']*+'|[^\t\n\f\r >\"'][^\t\n\f\r >]*+|(?=>)))?"
)


def count_formatting(data):
    return len(FORMATTING.findall(data))


def count_names(data, most):
    found = {name.lower() for tag in TAG.findall(data) for name in ATTRIBUTE_NAME.findall(tag)}
    return min(len(found), most + 1)


def count_separators(data, most, count):
    tags = TAG.findall(data)
    named = ((tag, TAG_NAME.match(tag)) for tag in tags if len(tag) > 2 * most)
    if any(len(ONE_ATTRIBUTE.findall(tag, name.end())) > most for tag, name in named if name):
        return -1
    return sum(len(tag) - len(tag.translate(None, b"\t\n\x0c\r /\"'")) for tag in tags) * count


# Blocks, and what is above them


def text_blocks(tag, parent, line, shown, written, is_block):
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
    return first, last, owner, block


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
    sums = np.array(values, dtype=np.int32)
    for at, above in enumerate(up.tolist()):
        if above != at:
            sums[:, at] += sums[:, above]
    return sums.take(over, axis=1)


def kinds_above(tag, place, rows, up, over, hidden, kinds, out):
    counts = kinds.T.take(tag[rows], axis=1)
    counts[-1, place[hidden]] = 1
    out[:] = sums_above(up, over, counts) + 1


LONGEST_CHAIN = 32
"""Elements that hold the same blocks, one in the other, of which a container is the outermost."""


def containers(tag, parent, end, first, owner, begun, place, up, rows, sums, kinds, out):
    held = begun[end[rows]] - begun[rows]
    top = np.arange(len(rows), dtype=np.int32)
    for at in top.tolist():
        for _ in range(LONGEST_CHAIN):
            outer = up[top[at]]
            top[at] = outer if held[outer] == held[at] else top[at]
    around = np.empty((codes.CONTAINER_LEVELS, len(first)), dtype=np.int32)
    at = top[place[owner]]
    for row in around:
        row[:], at = rows[at], top[up[at]]
    near = np.empty((len(first), codes.NEAR_ROWS), dtype=np.int32)
    near.T[:] = np.maximum(parent[first], 0), owner, np.maximum(parent[owner], 0), around[1]
    found = Containers(around, begun[around], begun[end[around]], near)
    count = sums.shape[1]
    low, high = found.low.ravel(), found.high.ravel()
    by_name = out.reshape(-1, codes.CONTAINER_LEVELS * count)
    logs, shares = by_name[:12], by_name[12:]
    before = np.zeros((len(sums), count + 1), dtype=np.int32)
    np.add.accumulate(sums, axis=1, out=before[:, 1:])
    logs[0] = high - low
    logs[1], shares[0], logs[3] = before.take(high, axis=1) - before.take(low, axis=1)
    np.divide(logs[1], logs[0], out=logs[2])
    logs[3] /= logs[0]
    shares[0] /= logs[1]
    np.divide(logs[1], np.float32(before[0, -1]), out=shares[1])
    shares[2].reshape(codes.CONTAINER_LEVELS, count)[:] = np.arange(count) - found.low
    shares[2] /= logs[0]
    of_kinds = np.zeros((kinds.shape[1], len(tag) + 1), dtype=np.int32)
    np.add.accumulate(kinds.T.take(tag, axis=1), axis=1, out=of_kinds[:, 1:])
    logs[4:] = of_kinds.take(end[around.ravel()], axis=1) - of_kinds.take(around.ravel(), axis=1)
    logs += 1
    return found


ODDS = tuple(
    map(np.uint64, (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93))
)


def groups(tag, alike, parent, near, around, sums, counts, shares):
    parent = np.maximum(parent, 0)
    signs = tag + (alike.astype(np.uint64) << np.uint64(9))
    own, levels = signs * ODDS[0], around[:3]
    beside = own ^ parent.astype(np.uint64) * ODDS[1]
    like = (own ^ signs[parent] * ODDS[2]) * ODDS[3]
    for at, keys in enumerate((beside, like)):
        bins = (keys >> np.uint64(64 - 14)).astype(np.intp)
        counts[3 * at : 3 * at + 3] = np.bincount(bins)[bins[levels]]
    element, owner, over, _ = near.T
    keys = signs[owner]
    for one in (over, parent[over], element):
        keys = keys * ODDS[0] + signs[one]
        keys ^= keys >> np.uint64(29)
    order = np.argsort(keys, kind="stable")
    edge = np.concatenate(([True], keys[order][1:] != keys[order][:-1], [True]))
    of_block, edges = np.empty(len(keys), dtype=np.int32), np.flatnonzero(edge)
    of_block[order] = np.add.accumulate(edge[:-1], dtype=np.int32) - 1
    units, linked = np.add.reduceat(sums[:2, order], edges[:-1], axis=1, dtype=np.int64)
    columns = np.empty((len(shares), len(units)), dtype=np.float32)
    columns[0], columns[1] = linked / units, units / units.sum()
    columns[2] = linked / max(int(linked.sum()), 1)
    columns[3] = (order[edges[1:] - 1] - order[edges[:-1]]) / len(order)
    columns[4, np.argsort(-units, kind="stable")] = 1 / np.arange(1, len(units) + 1)
    columns.take(of_block, axis=1, out=shares)
    counts[-2], counts[-1] = np.diff(edges)[of_block], (units / np.diff(edges))[of_block]
    counts += 1
    return of_block, order, edges


def places(tag, depth, first, owner, media, level, first_level, out):
    count = len(first)
    numbers, deep, of_owner = np.arange(count), depth[owner], tag[owner]
    out[0] = numbers
    out[0] /= count
    out[2] = np.minimum(deep, 64)
    out[2] /= 16
    out[3:7] = 0
    step = np.clip(np.diff(deep), -8, 8).astype(np.float32) / np.float32(4)
    out[3, 1:] = out[4, :-1] = step
    out[5, 1:] = out[6, :-1] = owner[1:] == owner[:-1]
    out[7] = level[of_owner]
    last = np.maximum.accumulate(np.where(out[7] > 0, numbers, -1))
    out[8] = numbers - last + 1
    out[9], out[10] = 2, 0
    if len(named := np.flatnonzero(of_owner == first_level)):
        out[10] = numbers - named[0]
        out[10] /= count
        out[9] = np.sign(out[10])
    before = np.add.accumulate(media[tag], dtype=np.int32)[first]
    out[11], out[12] = np.diff(first, prepend=0) + 1, np.diff(before, prepend=0) + 1
    out[13] = deep
    out[13, 1:] -= np.minimum.reduceat(depth, first)[:-1]
    out[13] /= 4
    np.clip(out[13], -1, 4, out=out[13])
    heading = np.full(count, count, dtype=np.int32)
    heading[1:] = np.where(last[:-1] >= 0, last[:-1], count)
    return heading, int(np.count_nonzero(last < 0))


# Picks among rows and blocks


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
    kind, stop, found = kinds.take(tag), 0, np.full(len(points), -1, dtype=np.int32)
    starts = np.flatnonzero(kind & codes.STRETCH_BEGINS > 0).tolist() + further.tolist()
    count = 0
    for row in sorted(starts):
        if row < stop:
            continue
        stop = int(end[row])
        low, high = points.searchsorted([row, stop])
        items = np.count_nonzero(kind[row:stop] & codes.STRETCH_ITEM)
        if high - low <= most * items or not kind[row] & codes.STRETCH_COUNTED:
            found[low:high] = low
            count += 1
    return found, count


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


def beside_kept(page, blocks, images, rows, bounds):
    (parent, end), (first, units, keep), out = page, blocks, []
    of_kept = np.where(keep, units, 0).astype(np.float64)
    for row in rows.tolist():
        top, above = row, max(parent[row], 0)
        while above > 0 and not ((first[keep] >= above) & (first[keep] < end[above])).any():
            top, above = above, max(parent[above], 0)
        inside = [(first >= at) & (first < end[at]) for at in (top, above)]
        held = ((images >= top) & (images < end[top])).sum()
        enough = of_kept[inside[1]].sum() >= bounds[0] * units[inside[1]].sum(dtype=np.float64)
        small = units[inside[0]].sum(dtype=np.float64) <= bounds[1] and held <= bounds[2]
        out.append(bool(enough and small))
    return np.array(out, dtype=bool)


def followers(tree, kinds, bounds, attributes, text):
    (tag, end, before), (near, between), pairs, leader, last = tree, bounds, [], -1, 0
    kind = kinds.take(tag)
    for row in np.flatnonzero(kind).tolist():
        if kind[row] == 1:
            leader = row if before[row] < before[end[row]] else -1
            last = int(end[row])
        elif leader >= 0 and end[leader] <= row:
            stop = before[end[row]]
            is_next = before[row] - before[last] <= between
            fits = before[row] < stop and is_next and stop - before[end[leader]] <= near
            if fits and (kind[row] == 2 or _is_signed(row, end[row], before, attributes, text)):
                pairs.append((leader, row))
                last = max(last, int(end[row]))
    return np.array(pairs, dtype=np.int32).reshape(-1, 2).T


def _is_signed(row, end, before, attributes, text):
    (starts, numbers, ends, _, values, _), names = attributes
    rows = np.array([row], np.int32)
    ((names, address),) = values_of(starts, numbers, ends, values, rows, names)
    stays = not address or address[0] in "#j" or not "!" <= address[0] <= "~"
    own = text[0][text[1][row] : text[1][end]].lstrip()
    begins = text[2][min(ord(own[0]), len(text[2]) - 1)]
    short = before[end] - before[row] <= 24 and begins
    return stays or "edit" in f"{names} {address}".lower() or bool(short)


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
    between = np.zeros(len(tag), dtype=bool)
    for at in np.flatnonzero(keep).tolist():
        begin = last[at - 1] if at and keep[at - 1] else first[at]
        between[begin : last[at]] = True
    return between & marked & kinds.take(tag)


# The network


class Layers(dict):
    """Name → matrix or bias of a packed network."""

    def __init__(self, packed, sizes, convolutions, given):
        width, _, _, gates, pool, types, *_ = sizes.tolist()
        facts, numbers, inputs = given
        self.gates, self.rest = gates, packed
        self.add(facts, width, "facts", "enter")
        self.add(numbers, width, "numbers", None)
        self.add(inputs, width, "names", None)
        self.add(width, gates, "gate")
        self.add((1 + gates) * width, width, "context")
        self.add(width, width, "second", None)
        for number in range(convolutions[0]):
            self.add(3 * width, width, f"first{number}")
        self.add(width, 2 * pool, "pool", None)
        self.add(width + 2 * pool, width, "together")
        self.add(width, 1, "early")
        self.add(2 * width, width, "prototypes")
        self.add(width, width, "third", None)
        for number in range(convolutions[1]):
            self.add(3 * width, width, f"last{number}")
        self.add(2 * width, types, "kind")
        self["cooling"] = self.take(1, types)[0]
        self.add(width, 1, "leave")

    def take(self, rows, columns):
        padded = -(-columns // codes.NETWORK_PADDED) * codes.NETWORK_PADDED
        own, self.rest = self.rest[: rows * padded], self.rest[rows * padded :]
        return own.reshape(rows, padded)[:, :columns]

    def add(self, rows, columns, name, bias=""):
        self[name] = self.take(rows, columns), 0
        if bias is not None:
            self[name] = self[name][0], self.take(1, columns)[0]

    def __call__(self, name, h):
        matrix, bias = self[name]
        return h @ matrix + bias


def relu(values):
    return np.maximum(values, 0)


def logistic_of_twice(values):
    return 1 / (1 + np.exp(np.clip(-2 * values, -87, 87)))


def means(h, weight):
    sums = weight.astype(np.float64) @ h.astype(np.float64)
    sums /= weight.sum(axis=1, dtype=np.float64, keepdims=True) + 1
    return sums.astype(np.float32).ravel()


def network(weights, facts, blocks, widest):
    del widest
    sizes, first, last, packed, *vectors = weights
    _, of_names, of_words = vectors
    inputs = (blocks.near.shape[1] + 1) * of_names.shape[1] + 3 * of_words.shape[1]
    given = len(facts), len(blocks.numbers), inputs
    w = Layers(packed, sizes, (len(first), len(last)), given)
    h = w("numbers", blocks.numbers.T) + w("names", _names_and_words(blocks, vectors, sizes[7]))
    h = relu(h + w("facts", facts))
    gated = [np.ones((1, len(h)), np.float32), logistic_of_twice(w("gate", h)).T]
    context = w("context", means(h, np.concatenate(gated)))
    h = _convolved(relu(w("second", h) + context), w, "first", first.tolist())
    h = h + relu(w("together", np.concatenate([h, *_pooled(w("pool", h), blocks)], axis=1)))
    early = w("early", h)[:, 0]
    prototypes = means(h, logistic_of_twice(np.stack([early, -early])))
    context = w("prototypes", prototypes)
    h = _convolved(h + relu(w("third", h) + context), w, "last", last.tolist())
    kinds = w("kind", prototypes)
    kinds = np.exp(kinds - kinds.max())
    kinds /= kinds.sum()
    return logistic_of_twice(w("leave", h)[:, 0] * (kinds @ w["cooling"])), kinds


def _convolved(h, w, which, steps):
    for number, step in enumerate(steps):
        around = np.pad(h, ((step, step), (0, 0)))
        three = around[: len(h)], h, around[2 * step :]
        h = h + relu(w(f"{which}{number}", np.concatenate(three, axis=1)))
    return h


def _names_and_words(page, vectors, units):
    of_tags, of_names, of_words = vectors
    signs = of_tags[page.tag[page.rows]]
    signs = signs + _mean_vectors(of_names, page.names.T)[page.of_row[page.rows]]
    with np.errstate(invalid="ignore"):
        fixed = (signs.T * np.float32(units)).astype(np.int32)
    own = np.append(_mean_vectors(of_words, page.words), np.zeros_like(of_words[:1]), axis=0)
    near = signs[page.place[page.near]].reshape(len(page.over), -1)
    paths = sums_above(page.up, page.over, fixed).T.astype(np.float32)
    words = own[:-1], own[page.heading], own[page.section]
    return np.concatenate([near, paths, *words], axis=1)


def _mean_vectors(vectors, buckets):
    sizes = np.add.reduce(buckets < len(vectors) - 1, axis=0)
    sums = np.add.reduce(vectors.take(buckets, axis=0), axis=0)
    return sums / np.sqrt(np.maximum(sizes, 1), dtype=np.float32)[:, None]


def _pooled(seen, page):
    half = seen.shape[1] // 2
    grouped = np.argsort(page.group, kind="stable")
    edges = np.append(0, np.cumsum(page.group_sizes))
    for own, low, high in (
        (seen[grouped, :half], edges[page.group], edges[page.group + 1]),
        (seen[:, half:], page.low, page.high),
    ):
        sums = np.zeros((len(own) + 1, half))
        np.add.accumulate(own, axis=0, out=sums[1:])
        yield (sums[high] - sums[low]).astype(np.float32) / (high - low).astype("f4")[:, None]


# Features of texts


def text_features(
    text, title, description, body, kinds, hashes, written_before, text_at, in_link, first, last,
    columns, sums,
):  # fmt: skip
    written_at = np.array([at for at, letter in enumerate(text) if not letter.isspace()])
    letters = code_points(f"{text}\n{title}\n{description}\n{body}")
    of_each, out = kinds.take(letters), dict(zip(codes.TEXT_COLUMNS, columns, strict=True))
    begins, stops = written_before[first], written_before[last]
    start, end = written_at[begins], written_at[stops - 1]
    found = read_words(letters, of_each, hashes, start)
    low, high = np.searchsorted(found.at, np.concatenate([start, end + 1])).reshape(2, -1)
    units = np.maximum(high - low, 1)

    def in_blocks(flags):
        before = np.append(0, np.add.accumulate(flags, dtype=np.int32))
        return before[high] - before[low]

    ends_at = np.cumsum([len(text), len(title) + 1, len(description) + 1])
    own, in_title, described = np.searchsorted(found.at, ends_at).tolist()
    shares = {
        "link_share": in_link[np.searchsorted(text_at, found.at[:own], side="right") - 1],
        "title": np.isin(found.bucket[:own], found.bucket[own:in_title]),
        "description": np.isin(found.bucket[:own], found.bucket[in_title:described]),
        "body": _quoted(found, own, described) if body else np.zeros(own, bool),
        "scriptless": found.alone[:own],
    }
    for name, flags in shares.items():
        shares[name] = in_blocks(flags)
        out[name][:] = shares[name]
        out[name] /= units
    total, before = int(units.sum()), np.add.accumulate(units)
    counted = {"digits": "DIGIT", "capitals": "CAPITAL", "log_ends": "SENTENCE_END",
               "log_pauses": "PAUSE", "log_marks": "MARK"}  # fmt: skip
    of_kind = {}
    for name, kind in counted.items():
        prefix = np.append(0, np.cumsum(of_each == getattr(kinds_of_words, kind)))
        of_kind[name] = prefix[end + 1] - prefix[start]
    characters = stops - begins
    logs = {
        "log_units": units, "log_characters": characters, "log_link_units": shares["link_share"],
        "log_units_before": before - units, "log_units_after": total - before,
        **{name: of_kind[name] for name in ("log_ends", "log_pauses", "log_marks")},
    }  # fmt: skip
    for name, values in logs.items():
        out[name][:] = values + 1
    for name in ("digits", "capitals"):
        out[name][:] = of_kind[name]
        out[name] /= characters
    for name, over, most, scale in (
        ("long_sentences", (units, of_kind["log_ends"] + 1), 30, 15),
        ("unit_length", (characters, units), 12, 6),
    ):
        np.divide(*(one.astype(np.float32) for one in over), out=out[name])
        out[name][:] = np.minimum(out[name], most) / np.float32(scale)
    out["position_in_units"][:] = before
    out["position_in_units"] /= total
    whole = buckets(found.sums[end + 1] - found.sums[start])
    out["repeated"][:] = np.minimum(np.bincount(whole)[whole] - 1, 8) / 4
    w, last_kind, first_kind = kinds_of_words, of_each[end], of_each[start]
    out["last_is_end"][:] = last_kind == w.SENTENCE_END
    out["last_is_mark"][:] = (last_kind == w.MARK) | (last_kind == w.PAUSE)
    out["first_is_capital"][:] = first_kind == w.CAPITAL
    out["first_is_digit"][:] = first_kind == w.DIGIT
    out["first_is_mark"][:] = (first_kind >= w.SENTENCE_END) & (first_kind <= w.MARK)
    out["first_is_unit"][:] = first_kind == w.UNIT
    out["all_link"][:] = shares["link_share"] >= units
    out["one_unit"][:] = units == 1
    out["has_body"][:] = bool(body)
    sums[:] = units, shares["link_share"], of_kind["log_ends"]
    return _starts(found, low, high, start, end + 1)


def _quoted(found, own, start):
    runs = found.value.copy()
    for step in (1, 2):
        runs[:-step] += found.value[step:] << np.uint32(step)
    known = buckets(runs[start : max(len(runs) - 2, 0)], 16)
    hit = np.isin(buckets(runs[:own], 16), known)
    whole = hit.copy()
    for step in (1, 2):
        whole[step:] |= hit[:-step]
    return whole


def _starts(words, first, last, begin, stop):
    out = np.empty((codes.WORD_SLOTS, len(first)), dtype=np.uint16)
    places = first + np.arange(codes.WORDS_READ)[:, None]
    out[: codes.WORDS_READ] = words.bucket[np.where(places < last, places, len(words.at))]
    further, value = first + codes.WORDS_READ, np.append(words.value, np.uint32(0))
    if len(words.at):
        stop = np.where(further < last, words.at.take(further, mode="clip"), stop)
    special = np.where(first < last, value[first], np.uint32(0)) ^ np.uint32(0x58519F2D)
    whole = (words.sums[stop] - words.sums[begin]) ^ np.uint32(0x14057B7E)
    out[codes.WORDS_READ :] = buckets(np.stack([special, whole]))
    return out


ORACLES = {name: one for name, one in globals().items() if callable(one) and hasattr(native, name)}
ORACLES["walk"] = walk_in_python
