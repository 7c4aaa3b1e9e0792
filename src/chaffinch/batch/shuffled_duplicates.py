"""The clusters of duplicates through the shuffle of an engine, the same as in one process.

The pages of a shard belong to one partition. What is sent, in steps:

1. the keys of each page, to where the same keys go (`_send_keys`),
2. candidate pairs, to the first page of the group (`_send_candidates`), and from there with its
   signature to the others, where they are compared (`_send_signatures`, `_compare`),
3. pairs that are alike, in large and small stars in turn until each page is paired with the first
   of its cluster (`_large_stars`, `_small_stars`); groups begin as stars, and few rounds do,
4. the name of the first page, to the shards whose files of clusters are written
   (`_request_names`, `_send_names`, `_write_members`).

A page's number is that of its shard and its row in it, so that their order is that of one process.
A partition holds the keys of its pages, 272 bytes each, the candidate pairs of its pages, and the
signature of each first page once for each partition: millions of copies of one page take 16 bytes
each.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from chaffinch.batch.duplicates import cluster_name, read_hashes, read_keys, write_clusters
from chaffinch.batch.exchanges import Sent
from chaffinch.batch.page_clusters import (
    KEYS,
    NO_PAIRS,
    PageHashes,
    Pairs,
    alike_pairs,
    group_pairs,
    joined,
    large_stars,
    page_keys,
    rows_of,
    small_stars,
)
from chaffinch.batch.storage import Storage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from chaffinch.batch.exchanges import Exchange

PAGES_AT_A_TIME: Final = 500_000
"""Pages of a partition at most, so that their keys take 136 MB."""

_ROW_BITS: Final = 32
_NO_KEYS: Final = (np.zeros(0, dtype=np.uint64), np.zeros(0, dtype=np.int64))
_ROW: Final = (1 << _ROW_BITS) - 1


class _Shards(NamedTuple):
    """The shards of a run and the partitions that they belong to.

    Attributes:
        out: folder of the run.
        names: files of hashes, in order.
        partitions: how many there are.
    """

    out: str
    names: Sequence[str]
    partitions: int

    def home(self, pages: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the partitions that pages belong to."""
        return (pages >> _ROW_BITS) % self.partitions

    def of(self, partition: int) -> Iterator[tuple[int, str]]:
        """Yield number and file of each shard of a partition."""
        for number in range(partition, len(self.names), self.partitions):
            yield number, self.names[number]

    def rows(self, shard: int, pages: NDArray[np.int64]) -> tuple[NDArray[np.intp], Any]:
        """Return which pages, in ascending order, stand in a shard, and their rows in it."""
        low, high = np.searchsorted(pages, [shard << _ROW_BITS, (shard + 1) << _ROW_BITS])
        return np.arange(low, high), pages[low:high] & _ROW


class _Signed(NamedTuple):
    """Candidate pairs with the hashes of their first pages.

    Attributes:
        pairs: each page (``one``) with the first of its group (``other``).
        firsts: int64[n], these first pages, each once, ascending.
        hashes: theirs.
    """

    pairs: Pairs
    firsts: NDArray[np.int64]
    hashes: PageHashes


def find_clusters(exchange: Exchange, out: str, names: Sequence[str]) -> tuple[int, int]:
    """Write the clusters of all pages of a run.

    Args:
        exchange: of the engine.
        out: folder of the run.
        names: files of hashes, in order.

    Returns:
        The number of clusters, and of pages in them other than the first.

    Raises:
        SetupError: a file can't be read or written.
    """
    shards = _Shards(out, names, exchange.partitions)
    for work in (_send_keys, _send_candidates, _send_signatures, _compare):
        exchange.step(partial(work, shards))
    while not all(exchange.step(partial(_large_stars, shards))):
        exchange.step(partial(_small_stars, shards))
    exchange.step(partial(_request_names, shards))
    clusters = sum(exchange.step(partial(_send_names, shards)))
    members = sum(exchange.step(partial(_write_members, shards)))
    return clusters, members - clusters


def _send_keys(shards: _Shards, partition: int, _: list[Any]) -> Sent:
    """Send each page's keys to the partition of the key: uint64, int64 of n pages, for each key."""
    found: list[list[Any]] = [[] for _ in range(KEYS)]
    storage = Storage(shards.out)
    for number, name in shards.of(partition):
        for kind, (rows, keys) in enumerate(page_keys(read_hashes(storage, name))):
            found[kind].append((keys, rows + (number << _ROW_BITS)))
    pieces: dict[int, list[Any]] = {}
    for kind in range(KEYS):
        keys, pages = _stacked(found[kind]) or _NO_KEYS
        found[kind] = []
        # The high bits: the low ones of a band's key depend on few bits of its values.
        targets = (keys >> np.uint64(_ROW_BITS)) % np.uint64(shards.partitions)
        for target, some in _by_target(targets.astype(np.int64)):
            pieces.setdefault(target, [None] * KEYS)[kind] = (keys[some], pages[some])
    return Sent(pieces)


def _stacked(parts: list[Any]) -> Any:
    """Return arrays one after the other, for each column; None for no parts."""
    return tuple(map(np.concatenate, zip(*parts, strict=True))) if parts else None


def _send_candidates(shards: _Shards, _: int, pieces: list[Any]) -> Sent:
    """Send the candidate pairs of each group to the partition of the group's first page."""
    found = [NO_PAIRS]
    for kind in range(KEYS):
        given = _stacked([piece[kind] for piece in pieces if piece[kind] is not None])
        if given is not None:
            keys, pages = given
            order = np.argsort(pages)
            found.append(group_pairs(pages[order], keys[order]))
    pairs = joined(found)
    return _pairs_to(shards.home(pairs.other), pairs)


def _send_signatures(shards: _Shards, partition: int, pieces: list[Pairs]) -> Sent:
    """Send the hashes of each pair's first page to the partition of the other one."""
    pairs = _turned(joined([NO_PAIRS, *map(_turned, pieces)]))  # in order of ``other``
    sent: dict[int, list[_Signed]] = {}
    storage = Storage(shards.out)
    for number, name in shards.of(partition):
        at, rows = shards.rows(number, pairs.other)
        if not len(at):
            continue
        hashes = read_hashes(storage, name)
        for target, some in _by_target(shards.home(pairs.one[at])):
            # Once for all its copies: a page of which millions are alike stays small.
            of_target = Pairs(pairs.one[at[some]], pairs.other[at[some]])
            firsts, begins = np.unique(of_target.other, return_index=True)
            signed = _Signed(of_target, firsts, rows_of(hashes, rows[some[begins]]))
            sent.setdefault(target, []).append(signed)
    return Sent(sent)


def _compare(shards: _Shards, partition: int, pieces: list[list[_Signed]]) -> Sent:
    """Send the pairs that are alike to the partitions of both pages, both ways round."""
    found = [NO_PAIRS]
    storage = Storage(shards.out)
    candidates = [one for piece in pieces for one in piece]
    for number, name in shards.of(partition):
        hashes = None
        for pairs, firsts, of_firsts in candidates:
            at = np.flatnonzero(pairs.one >> _ROW_BITS == number)
            if len(at):
                hashes = hashes or read_hashes(storage, name)
                own = Pairs(pairs.one[at], pairs.other[at])
                in_firsts = np.searchsorted(firsts, own.other)
                found += alike_pairs(own, hashes, own.one & _ROW, of_firsts, in_firsts)
    return _both_ways(shards, joined(found))


def _large_stars(shards: _Shards, _: int, pieces: list[Pairs]) -> Sent:
    """Send the pairs of a large-star step to their larger pages; report whether all were stars."""
    pairs, are_stars = large_stars(joined([NO_PAIRS, *pieces]))
    sent = _pairs_to(shards.home(pairs.one), pairs)
    return Sent(sent.pieces, are_stars)


def _small_stars(shards: _Shards, _: int, pieces: list[Pairs]) -> Sent:
    """Send the pairs of a small-star step to the partitions of both pages, both ways round."""
    return _both_ways(shards, small_stars(joined([NO_PAIRS, *pieces])))


def _request_names(shards: _Shards, _: int, pieces: list[Pairs]) -> Sent:
    """Send the pairs of each page and the first of its cluster to the partition of the latter."""
    pairs = joined([NO_PAIRS, *pieces])
    return _pairs_to(shards.home(pairs.other), pairs)


def _send_names(shards: _Shards, partition: int, pieces: list[Pairs]) -> Sent:
    """Send members of clusters, each with the cluster's name; report the number of clusters."""
    pairs = joined([NO_PAIRS, *pieces])
    firsts = np.unique(pairs.other)
    pairs = joined([pairs, Pairs(firsts, firsts)])
    names: list[str] = []
    storage = Storage(shards.out)
    for number, name in shards.of(partition):
        at, rows = shards.rows(number, firsts)
        if len(at):
            names += map(cluster_name, read_keys(storage, name, rows))
    of_first = np.searchsorted(firsts, pairs.other)
    pieces_sent = {
        target: (pairs.one[some], pairs.other[some], [names[at] for at in of_first[some].tolist()])
        for target, some in _by_target(shards.home(pairs.one))
    }
    return Sent(pieces_sent, len(firsts))


def _write_members(shards: _Shards, partition: int, pieces: list[Any]) -> Sent:
    """Write the files of clusters of the partition's shards; report the number of members."""
    pages, firsts = _stacked([piece[:2] for piece in pieces]) or NO_PAIRS
    names = [name for piece in pieces for name in piece[2]]
    order = np.argsort(pages)
    pages, firsts = pages[order], firsts[order]
    storage = Storage(shards.out)
    for number, name in shards.of(partition):
        at, rows = shards.rows(number, pages)
        clusters = (names[one] for one in order[at].tolist())
        is_first = (pages[at] == firsts[at]).tolist()
        keys = read_keys(storage, name, rows)
        write_clusters(storage, name, zip(keys, clusters, is_first, strict=True))
    return Sent({}, len(pages))


def _by_target(targets: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """Yield each target with the ascending indices of what goes there."""
    if not len(targets):
        return
    order = np.argsort(targets, kind="stable")
    found, begins = np.unique(targets[order], return_index=True)
    yield from zip(found.tolist(), np.split(order, begins[1:]), strict=True)


def _pairs_to(targets: NDArray[np.int64], pairs: Pairs) -> Sent:
    return Sent(
        {target: Pairs(pairs.one[some], pairs.other[some]) for target, some in _by_target(targets)}
    )


def _turned(pairs: Pairs) -> Pairs:
    return Pairs(pairs.other, pairs.one)


def _both_ways(shards: _Shards, pairs: Pairs) -> Sent:
    both = joined([pairs, _turned(pairs)])
    return _pairs_to(shards.home(both.one), both)
