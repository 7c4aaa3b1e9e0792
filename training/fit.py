"""Fits networks to the pages of a dataset, and measures them on others.

Teachers and students even out the luck of one network: Hinton, Vinyals and Dean 2015, «Distilling
the Knowledge in a Neural Network», section 2: a network learns from the mean of the labels and of
what several others say. Departures: the others' logits are averaged, not their probabilities;
labels and teachers count alike; no temperature.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from chaffinch.decision.scores import choose
from chaffinch.page.selectors import positions
from training.batches import Augment, Batches
from training.dataset import PAGE_TYPES, Dataset, rows_of
from training.torch_network import Batch, Network, Shape


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How to fit.

    Attributes:
        epochs: passes over the pages.
        rows: blocks a batch, about.
        rate: highest learning rate; it rises for a twentieth of the steps and falls as a cosine.
        decay: weight decay.
        dropout: share of hidden values left out.
        hidden: width of the network.
        average: decay of the running average of the weights, which is what is kept.
        seed: of everything random.
        a_domain: pages of one domain in one epoch, at most: templates repeat, and teach no more.
        copies: share of the pages that have a copy in another script and are taken in it.
        augment: what is left out at random.
    """

    epochs: int = 10
    rows: int = 4000
    rate: float = 3e-3
    decay: float = 0.1
    dropout: float = 0.3
    hidden: int = 40
    average: float = 0.995
    seed: int = 0
    a_domain: int = 8
    copies: float = 0.3
    augment: Augment = field(default_factory=Augment)


CORPUS_WEIGHTS = {"fundus": 0.5, "zh_news": 0.7, "daniel": 0.7}
"""Weak labels, and many pages of few sites, count less."""
TEMPERATURES = {
    "article": 2.0,
    "forum": 1.2,
    "product": 1.5,
    "collection": 1.6,
    "listing": 5.0,
    "documentation": 2.5,
    "service": 2.5,
}
"""What logits are divided by, by page type: the network is surer on what it was fitted to than on
other sites, and the blocks of a list of cards are content or noise together, so that a doubtful
list is better kept. Chosen on held-out folds (EXPERIMENTS.md)."""


def fit(
    dataset: Dataset,
    pages: NDArray[np.intp],
    recipe: Recipe,
    *,
    report: Callable[[str], None] = print,
) -> Network:
    """Return a network fitted to ``pages`` of ``dataset``."""
    torch.manual_seed(recipe.seed)
    random = np.random.default_rng(recipe.seed)
    batches = Batches(dataset, page_weights(dataset))
    numbers = dataset.arrays["numbers"]
    network = Network(
        Shape(numbers.shape[1], len(PAGE_TYPES), hidden=recipe.hidden),
        dropout=recipe.dropout,
        seed=recipe.seed,
    )
    _scale(network, dataset, pages)
    optimizer = torch.optim.AdamW(network.parameters(), lr=recipe.rate, weight_decay=recipe.decay)
    steps_an_epoch = sum(1 for _ in _draws(dataset, pages, recipe, np.random.default_rng(0)))
    steps = steps_an_epoch * recipe.epochs
    network.cooling.copy_(torch.tensor([1 / TEMPERATURES[kind] for kind in PAGE_TYPES]))
    average = deepcopy(network)
    step = 0
    for epoch in range(recipe.epochs):
        network.train()
        start, total = time.perf_counter(), 0.0
        count = 0
        for chosen in _draws(dataset, pages, recipe, random):
            for group in optimizer.param_groups:
                group["lr"] = recipe.rate * _schedule(step / steps)
            batch = batches.make(chosen, augment=recipe.augment, random=random)
            optimizer.zero_grad()
            loss = losses(network(batch), batch)
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            step += 1
            keep = min(recipe.average, step / (step + 10))
            with torch.no_grad():
                for ours, theirs in zip(average.parameters(), network.parameters(), strict=True):
                    ours.lerp_(theirs, 1 - keep)
            total += float(loss.detach())
            count += 1
        report(
            f"epoch {epoch} loss {total / max(count, 1):.4f} {time.perf_counter() - start:.0f} s"
        )
    return average.eval()


def page_weights(dataset: Dataset) -> NDArray[np.float32]:
    """Return float32[pages]: what each page counts, by how well its labels fit, and its corpus."""
    weights = (dataset.bound**2).astype(np.float32)
    for corpus, weight in CORPUS_WEIGHTS.items():
        weights[dataset.corpus == corpus] *= weight
    return weights


def losses(answer: tuple[Tensor, Tensor, Tensor], batch: Batch) -> Tensor:
    """Return the loss: half cross-entropy weighted by words, half soft F1 a page, and page type."""
    logits, early, kinds = answer
    loss = _content_loss(logits, batch) + 0.3 * _content_loss(early, batch)
    known = batch.kind >= 0
    if bool(known.any()):
        loss = loss + 0.05 * nn.functional.cross_entropy(kinds[known], batch.kind[known])
    return loss


def _content_loss(logits: Tensor, batch: Batch) -> Tensor:
    count = batch.pages
    page, tokens = batch.page, batch.tokens * batch.real

    def by_page(values: Tensor) -> Tensor:
        return values.new_zeros(count).index_add_(0, page, values)

    entropy = nn.functional.binary_cross_entropy_with_logits(logits, batch.share, reduction="none")
    spread = torch.log1p(tokens) * batch.real
    by_token = by_page(entropy * tokens) / by_page(tokens).clamp(min=1)
    by_block = by_page(entropy * spread) / by_page(spread).clamp(min=1)
    chosen = torch.sigmoid(logits) * tokens
    gold = by_page(batch.share * tokens)
    soft = 1 - 2 * by_page(chosen * batch.share) / (by_page(chosen) + gold).clamp(min=1)
    pages = (by_token + by_block) / 4 + soft / 2
    return (pages * batch.weight).sum() / batch.weight.sum()


def scores(
    network: Network,
    dataset: Dataset,
    pages: NDArray[np.intp],
    *,
    policy: NDArray[np.float32] | None = None,
) -> list[NDArray[np.float32]]:
    """Return float32[m] in 0..1 for each of ``pages``; None as policy takes the pages' own."""
    batches = Batches(dataset, np.ones(len(dataset), dtype=np.float32))
    out = []
    with torch.no_grad():
        for page in pages:
            batch = batches.make(np.array([page]), policy=policy)
            out.append(network.probabilities(batch)[: int(dataset.sizes[page])].numpy())
    return out


def word_f1(
    dataset: Dataset, pages: NDArray[np.intp], answers: list[NDArray[np.float32]]
) -> NDArray[np.float64]:
    """Return float64[pages]: word F1, as the alignment gives it, of what the scores decide."""
    out = np.zeros(len(pages))
    for number, (page, answer) in enumerate(zip(pages.tolist(), answers, strict=True)):
        rows = rows_of(dataset, page)
        units, group = dataset.arrays["units"][rows], dataset.arrays["group"][rows]
        tokens, share = dataset.arrays["tokens"][rows], dataset.arrays["share"][rows]
        kept = choose(answer, units, group).keep
        matched = (share * tokens)[kept].sum()
        out[number] = 2 * matched / max(tokens[kept].sum() + int(dataset.gold[page]), 1)
    return out


def _scale(network: Network, dataset: Dataset, pages: NDArray[np.intp]) -> None:
    chosen = np.random.default_rng(0).permutation(pages)[:800]
    rows = np.concatenate([np.arange(dataset.starts[p], dataset.starts[p + 1]) for p in chosen])
    numbers = dataset.arrays["numbers"][rows].astype(np.float32)
    network.mean.copy_(torch.from_numpy(numbers.mean(axis=0)))
    network.scale.copy_(torch.from_numpy(1 / np.maximum(numbers.std(axis=0), 0.05)))


def _draws(
    dataset: Dataset, pages: NDArray[np.intp], recipe: Recipe, random: np.random.Generator
) -> Iterator[NDArray[np.intp]]:
    """Yield the pages of each batch in random order, about ``recipe.rows`` blocks each."""
    order = random.permutation(pages)
    _, domains = np.unique(dataset.domain[order], return_inverse=True)
    order = order[positions(domains.astype(np.int32), None) < recipe.a_domain]
    order = np.where(random.random(len(order)) < recipe.copies, dataset.copies()[order], order)
    sizes = np.minimum(dataset.sizes[order], recipe.augment.longest)
    number = np.cumsum(sizes) // recipe.rows
    for one in np.unique(number):
        yield order[number == one]


def _schedule(progress: float) -> float:
    warm = 0.05
    if progress < warm:
        return progress / warm
    return 0.005 + 0.995 * (1 + math.cos(math.pi * (progress - warm) / (1 - warm))) / 2


_LEAST = 1e-5
_SEEDS_APART = 10


@dataclass(frozen=True, kw_only=True)
class Distilled:
    """How to fit with teachers.

    Attributes:
        student: how the network is fitted that is kept.
        teachers: networks that are fitted before it, each with a seed of its own.
        passes: passes over the pages of each of them.
        labels: weight of the labels against the teachers, in 0..1.
        networks: students, each with teachers of its own; see `chaffinch.model.network`.
    """

    student: Recipe
    teachers: int = 3
    passes: int = 6
    labels: float = 0.5
    networks: int = 3


def fit_ensemble(
    dataset: Dataset,
    pages: NDArray[np.intp],
    recipe: Distilled,
    *,
    report: Callable[[str], None] = print,
) -> list[Network]:
    """Return the networks of an ensemble, fitted alike to ``pages`` but for their seeds."""
    seeds = [recipe.student.seed + _SEEDS_APART * number for number in range(recipe.networks)]
    recipes = [replace(recipe, student=replace(recipe.student, seed=seed)) for seed in seeds]
    return [fit_distilled(dataset, pages, one, report=report) for one in recipes]


def fit_distilled(
    dataset: Dataset,
    pages: NDArray[np.intp],
    recipe: Distilled,
    *,
    report: Callable[[str], None] = print,
) -> Network:
    """Return a network fitted to ``pages`` of ``dataset`` and to what its teachers say of them."""
    if not recipe.teachers:
        return fit(dataset, pages, recipe.student, report=report)
    shown = np.union1d(pages, dataset.copies()[pages])
    voices = _networks(dataset, pages, shown, recipe, report)
    mixed = dataset.arrays["share"].copy()
    for page, said in zip(shown, voices, strict=True):
        rows = rows_of(dataset, page)
        likely = 1 / (1 + np.exp(-said))
        mixed[rows] = recipe.labels * mixed[rows] + (1 - recipe.labels) * likely
    taught = replace(dataset, arrays={**dataset.arrays, "share": mixed})
    return fit(taught, pages, recipe.student, report=report)


def _networks(
    dataset: Dataset,
    pages: NDArray[np.intp],
    shown: NDArray[np.intp],
    recipe: Distilled,
    report: Callable[[str], None],
) -> list[NDArray[np.float64]]:
    """Return the mean logits of networks fitted to ``pages``, float64[m] for each one ``shown``."""
    sums = [np.zeros(dataset.sizes[page], dtype=np.float64) for page in shown]
    for number in range(recipe.teachers):
        seed = recipe.student.seed + 1 + number
        teacher = fit(
            dataset,
            pages,
            replace(recipe.student, epochs=recipe.passes, seed=seed),
            report=lambda line, number=number: report(f"teacher {number}: {line}"),
        )
        with torch.no_grad():
            teacher.cooling.fill_(1.0)
        for total, answer in zip(sums, scores(teacher, dataset, shown), strict=True):
            likely = np.clip(answer.astype(np.float64), _LEAST, 1 - _LEAST)
            np.add(total, np.log(likely / (1 - likely)), out=total)
    return [total / recipe.teachers for total in sums]
