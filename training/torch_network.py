"""The network of `chaffinch.model.network` in PyTorch, for training; same weights, same output."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from chaffinch.kernels.codes import NEAR_ROWS as NEAR
from chaffinch.model import name_hashes, words
from chaffinch.model.head_signals import FACTS
from chaffinch.model.network import FIRST_STEPS, GATES, LAST_STEPS, POLICY_FLAGS
from chaffinch.page import tags


@dataclass(frozen=True)
class Shape:
    """Sizes of the network."""

    numbers: int
    types: int
    names: int = 8
    words: int = 8
    hidden: int = 40
    pool: int = 12


@dataclass(frozen=True)
class Batch:
    """Pages end to end with empty rows between them; see `training.batches`."""

    numbers: Tensor
    near: Tensor
    sign_tag: Tensor
    sign_set: Tensor
    set_items: Tensor
    set_starts: Tensor
    set_weights: Tensor
    path: Tensor
    path_items: Tensor
    path_starts: Tensor
    word: Tensor
    word_weights: Tensor
    heading: Tensor
    section: Tensor
    group: Tensor
    groups: int
    low: Tensor
    high: Tensor
    page: Tensor
    pages: int
    real: Tensor
    policy: Tensor
    share: Tensor
    tokens: Tensor
    kind: Tensor
    weight: Tensor


class Dropout(nn.Module):
    """Leaves out values at random; from bytes of numpy's generator, torch's being slower by far."""

    def __init__(self, share: float, random: np.random.Generator) -> None:
        super().__init__()
        self.least = round(share * 256)
        self.random = random

    def forward(self, values: Tensor) -> Tensor:
        """Return the values that are kept, scaled up by what is left out, and 0 for the others."""
        if not self.training or not self.least:
            return values
        drawn = np.frombuffer(self.random.bytes(values.numel()), dtype=np.uint8)
        factors = (drawn >= self.least).astype(np.float32)
        factors *= np.float32(256 / (256 - self.least))
        return values * torch.from_numpy(factors).view(values.shape)


class Network(nn.Module):
    """Embeddings, dense layers, dilated convolutions, and pooling by page, group and container."""

    def __init__(self, shape: Shape, *, dropout: float, seed: int = 0) -> None:
        super().__init__()
        random = np.random.default_rng(seed)
        width = shape.hidden
        facts = len(POLICY_FLAGS) + len(FACTS)
        given = shape.numbers + (NEAR + 1) * shape.names + 3 * shape.words + facts
        self.shape = shape
        self.tag_vectors = nn.Parameter(torch.randn(len(tags.NAMES), shape.names) * 0.1)
        self.name_vectors = nn.Parameter(torch.randn(name_hashes.NAME_BUCKETS, shape.names) * 0.1)
        self.word_vectors = nn.Parameter(torch.randn(words.BUCKETS, shape.words) * 0.1)
        self.enter = nn.Linear(given, width)
        self.gate = nn.Linear(width, GATES)
        self.context = nn.Linear((1 + GATES) * width, width)
        self.second = nn.Linear(width, width)
        self.first_convolutions = nn.ModuleList(nn.Linear(3 * width, width) for _ in FIRST_STEPS)
        self.pool = nn.Linear(width, 2 * shape.pool, bias=False)
        self.together = nn.Linear(width + 2 * shape.pool, width)
        self.early = nn.Linear(width, 1)
        self.prototypes = nn.Linear(2 * width, width)
        self.third = nn.Linear(width, width)
        self.last_convolutions = nn.ModuleList(nn.Linear(3 * width, width) for _ in LAST_STEPS)
        self.leave = nn.Linear(width, 1)
        self.kind = nn.Linear(2 * width, shape.types)
        self.register_buffer("mean", torch.zeros(shape.numbers))
        self.register_buffer("scale", torch.ones(shape.numbers))
        self.register_buffer("cooling", torch.ones(shape.types))
        self.dropout = Dropout(dropout, random)
        self.blur = Dropout(dropout / 4, random)

    def probabilities(self, batch: Batch) -> Tensor:
        """Return the cooled probability that each row is content; see `training.fit`."""
        logits, _, kinds = self(batch)
        cooling = kinds.softmax(dim=1) @ self.cooling
        return torch.sigmoid(logits * cooling.index_select(0, batch.page))

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
        """Return logits [rows], early logits [rows] and page type logits [pages, types]."""
        real = batch.real[:, None]
        bag = nn.functional.embedding_bag
        sets = bag(
            batch.set_items,
            self.name_vectors,
            batch.set_starts,
            mode="sum",
            per_sample_weights=batch.set_weights,
        )
        signs = self.tag_vectors.index_select(0, batch.sign_tag) + sets.index_select(
            0, batch.sign_set
        )
        paths = bag(batch.path_items, signs, batch.path_starts, mode="sum")
        own_words = bag(
            batch.word, self.word_vectors, mode="sum", per_sample_weights=batch.word_weights
        )
        padded = torch.cat([own_words, own_words.new_zeros(1, own_words.shape[1])])
        given = torch.cat(
            [
                self.blur((batch.numbers - self.mean) * self.scale),
                signs.index_select(0, batch.near.flatten()).view(len(batch.page), -1),
                paths.index_select(0, batch.path) / 4,
                own_words,
                padded.index_select(0, batch.heading),
                padded.index_select(0, batch.section),
                batch.policy.index_select(0, batch.page),
            ],
            dim=1,
        )
        h = self.dropout(torch.relu(self.enter(given))) * real
        gates = torch.sigmoid(self.gate(h)) * real
        pooled = [_by_page(h, real, batch)]
        pooled += [
            _by_page(h * gates[:, k : k + 1], gates[:, k : k + 1], batch) for k in range(GATES)
        ]
        context = self.context(torch.cat(pooled, dim=1))
        h = self.dropout(torch.relu(self.second(h) + context.index_select(0, batch.page))) * real
        for layer, step in zip(self.first_convolutions, FIRST_STEPS, strict=True):
            h = (h + self.dropout(torch.relu(layer(_shifted(h, step))))) * real
        h = (h + self.dropout(torch.relu(self.together(self._together(h, batch))))) * real
        early = self.early(h)[:, 0]
        chosen = torch.sigmoid(early)[:, None] * real
        prototypes = torch.cat(
            [
                _by_page(h * chosen, chosen, batch),
                _by_page(h * (real - chosen), real - chosen, batch),
            ],
            dim=1,
        )
        context = self.prototypes(prototypes)
        h = (
            h + self.dropout(torch.relu(self.third(h) + context.index_select(0, batch.page)))
        ) * real
        for layer, step in zip(self.last_convolutions, LAST_STEPS, strict=True):
            h = (h + self.dropout(torch.relu(layer(_shifted(h, step))))) * real
        return self.leave(h)[:, 0], early, self.kind(prototypes)

    def _together(self, h: Tensor, batch: Batch) -> Tensor:
        seen, half = self.pool(h), self.shape.pool
        count = h.new_zeros(batch.groups).index_add_(0, batch.group, batch.real)
        sums = h.new_zeros(batch.groups, half).index_add_(0, batch.group, seen[:, :half])
        groups = (sums / count.clamp(min=1)[:, None]).index_select(0, batch.group)
        prefix = torch.cat([h.new_zeros(1, half), seen[:, half:].cumsum(0)])
        amount = (batch.high - batch.low).clamp(min=1)[:, None]
        around = (prefix.index_select(0, batch.high) - prefix.index_select(0, batch.low)) / amount
        return torch.cat([h, groups, around], dim=1)

    def arrays(self) -> Mapping[str, NDArray[np.float32]]:
        """Return all weights by name, as `chaffinch.model.network` takes them."""
        return {name: value.detach().numpy().copy() for name, value in self.state_dict().items()}


def _shifted(h: Tensor, step: int) -> Tensor:
    zeros = h.new_zeros(step, h.shape[1])
    return torch.cat([torch.cat([zeros, h[:-step]]), h, torch.cat([h[step:], zeros])], dim=1)


def _by_page(h: Tensor, weight: Tensor, batch: Batch) -> Tensor:
    sums = h.new_zeros(batch.pages, h.shape[1]).index_add_(0, batch.page, h)
    count = h.new_zeros(batch.pages, 1).index_add_(0, batch.page, weight)
    return sums / (count + 1)
