"""Batches of pages for the network, with augmentation: names, words and policies left out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from chaffinch.model import words
from chaffinch.model.network import FIRST_STEPS, LAST_STEPS
from training.dataset import PAGE_TYPES, Dataset
from training.torch_network import Batch

_GAP = max(*FIRST_STEPS, *LAST_STEPS)
"""Empty rows between pages, so that no convolution sees two pages."""


@dataclass(frozen=True)
class Augment:
    """Shares of what is left out at random in training.

    Attributes:
        page_names: batches all of whose names are left out.
        names: names left out one by one.
        page_words: pages all of whose words are left out.
        words: words left out one by one.
        policy: policy flags left unknown.
        facts: pages all of whose facts of the head are left out.
        longest: blocks of a page; longer ones are cut.
    """

    page_names: float = 0.5
    names: float = 0.4
    page_words: float = 0.5
    words: float = 0.5
    policy: float = 0.5
    facts: float = 0.5
    longest: int = 800


class Batches:
    """Makes batches of a dataset."""

    def __init__(self, dataset: Dataset, weights: NDArray[np.float32]) -> None:
        self.dataset = dataset
        self.weights = weights
        arrays = dataset.arrays
        self.set_starts = np.concatenate([[0], np.cumsum(arrays["set_sizes"])])
        self.path_starts = np.concatenate([[0], np.cumsum(arrays["path_sizes"])])
        self.kinds = np.array(
            [PAGE_TYPES.index(kind) if kind in PAGE_TYPES else -1 for kind in dataset.kind]
        )

    def make(
        self,
        pages: NDArray[np.intp],
        *,
        augment: Augment | None = None,
        random: np.random.Generator | None = None,
        policy: NDArray[np.float32] | None = None,
    ) -> Batch:
        """Return one batch; without ``augment`` it is whole and has ``policy`` everywhere."""
        data, arrays = self.dataset, self.dataset.arrays
        spans, local = (
            [],
            {name: [] for name in ("heading", "section", "group", "low", "high", "page")},
        )
        at, groups, places = 0, 1, []
        for number, page in enumerate(pages.tolist()):
            begin, size = int(data.starts[page]), int(data.sizes[page])
            skip = 0
            if augment and random is not None and size > augment.longest:
                skip = int(random.integers(size - augment.longest + 1))
                size = augment.longest
            rows = slice(begin + skip, begin + skip + size)
            spans.append(np.arange(rows.start, rows.stop))
            for name in ("heading", "section"):
                heading = arrays[name][rows] - skip
                outside = (heading < 0) | (heading >= size)
                local[name].append(np.where(outside, -1, heading + at))
            _, group = np.unique(arrays["group"][rows], return_inverse=True)
            local["group"].append(group + groups)
            groups += int(group.max()) + 1
            for name in ("low", "high"):
                local[name].append(np.clip(arrays[name][rows] - skip, 0, size) + at)
            local["page"].append(np.full(size, number))
            places.append(np.arange(at, at + size))
            at += size + _GAP
        rows = np.concatenate(spans)
        place = np.concatenate(places)
        joined = {name: np.concatenate(parts) for name, parts in local.items()}
        return self._batch(pages, rows, place, at, groups, joined, augment, random, policy)

    def _batch(  # noqa: PLR0913, PLR0917  one step of make, cut for length
        self,
        pages: NDArray[np.intp],
        rows: NDArray[np.intp],
        place: NDArray[np.intp],
        size: int,
        groups: int,
        joined: dict[str, NDArray[Any]],
        augment: Augment | None,
        random: np.random.Generator | None,
        policy: NDArray[np.float32] | None,
    ) -> Batch:
        arrays = self.dataset.arrays
        page = _placed(joined["page"], place, size, fill=0)
        near, path = arrays["near"][rows], arrays["path"][rows]
        paths, path_of = np.unique(path, return_inverse=True)
        path_items, path_starts = _ragged(arrays["path_items"], self.path_starts, paths)
        both = np.concatenate([near.ravel(), path_items])
        signs, sign_of = np.unique(both, return_inverse=True)
        sign_set = arrays["sign_set"][signs]
        sets, set_of = np.unique(sign_set, return_inverse=True)
        set_items, set_starts = _ragged(arrays["set_items"], self.set_starts, sets)
        set_sizes = np.diff(np.append(set_starts, len(set_items)))
        set_weights = np.repeat(1 / np.sqrt(np.maximum(set_sizes, 1)), set_sizes)
        word = arrays["word"][rows].astype(np.int64)
        known = word < words.NONE
        word_weights = known / np.sqrt(known.sum(axis=1, keepdims=True))
        flags = self.dataset.policy[pages].astype(np.float32)
        facts = self.dataset.facts[pages]
        if augment and random is not None:
            set_weights = set_weights * (random.random(len(set_weights)) >= augment.names)
            if random.random() < augment.page_names:
                set_weights = set_weights * 0
            hidden = random.random(len(pages)) < augment.page_words
            word_weights *= random.random(word.shape, dtype=np.float32) >= augment.words
            word_weights[hidden[joined["page"]]] = 0
            facts = facts * (random.random((len(pages), 1)) >= augment.facts)
            flags = flags * (random.random(flags.shape) >= augment.policy)
        elif policy is not None:
            flags = np.broadcast_to(policy, flags.shape).copy()
        tensor = torch.from_numpy
        headings = {
            name: tensor(
                _placed(np.where(joined[name] < 0, size, joined[name]), place, size, fill=size)
            )
            for name in ("heading", "section")
        }
        low = _placed(joined["low"], place, size, fill=0)
        real = np.zeros(size, dtype=np.float32)
        real[place] = 1
        return Batch(
            numbers=tensor(
                _placed(arrays["numbers"][rows].astype(np.float32), place, size, fill=0)
            ),
            near=tensor(_placed(sign_of[: near.size].reshape(near.shape), place, size, fill=0)),
            sign_tag=tensor(arrays["sign_tag"][signs].astype(np.int64)),
            sign_set=tensor(set_of),
            set_items=tensor(set_items.astype(np.int64)),
            set_starts=tensor(set_starts),
            set_weights=tensor(set_weights.astype(np.float32)),
            path=tensor(_placed(path_of, place, size, fill=0)),
            path_items=tensor(sign_of[near.size :]),
            path_starts=tensor(path_starts),
            word=tensor(_placed(word * known, place, size, fill=0)),
            word_weights=tensor(_placed(word_weights.astype(np.float32), place, size, fill=0)),
            **headings,
            group=tensor(_placed(joined["group"], place, size, fill=0)),
            groups=groups,
            low=tensor(low),
            high=tensor(_placed(joined["high"], place, size, fill=0)),
            page=tensor(page),
            pages=len(pages),
            real=tensor(real),
            policy=tensor(np.concatenate([flags, facts], axis=1).astype(np.float32)),
            share=tensor(_placed(arrays["share"][rows], place, size, fill=0)),
            tokens=tensor(_placed(arrays["tokens"][rows].astype(np.float32), place, size, fill=0)),
            kind=tensor(self.kinds[pages]),
            weight=tensor(self.weights[pages]),
        )


def _placed(values: NDArray[Any], place: NDArray[np.intp], size: int, *, fill: int) -> NDArray[Any]:
    kind = np.int64 if values.dtype.kind in "iu" else np.float32
    out = np.full((size, *values.shape[1:]), fill, dtype=kind)
    out[place] = values
    return out


def _ragged(
    items: NDArray[Any], starts: NDArray[np.int64], chosen: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the items of the chosen lists end to end, and where each list starts."""
    sizes = starts[chosen + 1] - starts[chosen]
    ends = np.cumsum(sizes)
    begins = ends - sizes
    places = np.arange(int(ends[-1]) if len(ends) else 0)
    places += np.repeat(starts[chosen] - begins, sizes)
    return items[places], begins
