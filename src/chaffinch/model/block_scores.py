"""Weights that come with the package, the scores of a page's text blocks by them, and its type."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from chaffinch.errors import WeightsError
from chaffinch.kernels.arrays import Floats
from chaffinch.model.features import NUMBERS, Features, features
from chaffinch.model.head_signals import page_type_posterior
from chaffinch.model.network import USUAL_FLAGS, Ensemble, Network
from chaffinch.model.page_types import PageTypeHead
from chaffinch.page import Page, parse, tags
from chaffinch.segment.text_blocks import TextBlocks
from chaffinch.storage import read_arrays, read_json
from chaffinch.wording import cause

VERSION: Final = 2
"""Version of the file format and of the features; both change together."""
KIND: Final = "chaffinch weights"
_HEADER: Final = "header"
_TYPES: Final = ("page_types.weights", "page_types.bias")
_FULL: Final = ("mean", "scale", "cooling", *_TYPES)
"""Arrays kept in single precision."""


@dataclass(frozen=True, eq=False)
class Model:
    """Networks, and what was measured of them.

    Attributes:
        network: an ensemble of one network or more.
        kinds: names of the page types that are classified.
        curve: float64[2, k], expected F1 as the scores give it, ascending, and the F1 that pages
            with it had where they were held out: the calibration of the confidence.
        head: what tells a page's type; None where the file has none, and the network does.
        header: the whole header of the file.
        digest: blake2b of the file, 16 hexadecimal digits, by which weights are identified.
    """

    network: Ensemble
    kinds: tuple[str, ...]
    curve: NDArray[np.float64]
    head: PageTypeHead | None
    header: Mapping[str, Any]
    digest: str

    def confidence(self, expected: float) -> float:
        """Return the F1 that ``curve`` has for an expected F1, between its points on a line."""
        return float(np.interp(expected, *self.curve))


def save(file: Path | IO[bytes], arrays: Mapping[str, Any], header: Mapping[str, Any]) -> None:
    """Write weights and header; the file is the same for the same input."""
    stored: dict[str, Any] = {
        name: np.asarray(value, np.float32 if name.rpartition("/")[2] in _FULL else np.float16)
        for name, value in sorted(arrays.items())
    }
    text = json.dumps({"kind": KIND, "version": VERSION, **header}, sort_keys=True)
    stored[_HEADER] = np.frombuffer(text.encode(), dtype=np.uint8)
    np.savez_compressed(file, **stored)


def load(file: Path | IO[bytes]) -> Model:
    """Read weights.

    Raises:
        WeightsError: no such file, not a file of weights, or of another version.
    """
    try:
        data = file.read_bytes() if isinstance(file, Path) else file.read()
        arrays = read_arrays(data)
        header = read_json(arrays.pop(_HEADER).tobytes())
        _check(header)
        kinds = tuple(map(str, header["kinds"]))
        head = [arrays.pop(name, None) for name in _TYPES]
        return Model(
            network=Ensemble(tuple(map(_network, split_networks(arrays)))),
            kinds=kinds,
            curve=_curve(header["curve"]),
            head=None if head[0] is None else PageTypeHead.of(head[0], head[1], len(kinds)),
            header=header,
            digest=blake2b(data, digest_size=8).hexdigest(),
        )
    except (OSError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise WeightsError(
            f"not a usable file of weights: {type(error).__name__}: {error}"
        ) from error


def join_networks(networks: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the arrays of several networks under the names that they have in a file."""
    return {
        f"{number}/{name}" if number else name: value
        for number, arrays in enumerate(networks)
        for name, value in arrays.items()
    }


def with_head(path: Path, weights: Floats, bias: Floats) -> None:
    """Write the head of page types, as of `PageTypeHead`, to a file of weights."""
    arrays = read_arrays(path.read_bytes())
    del arrays[_HEADER]
    save(path, {**arrays, **dict(zip(_TYPES, (weights, bias), strict=True))}, load(path).header)


def split_networks(arrays: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the arrays of each network of a file, as given to `join_networks`."""
    networks: dict[str, dict[str, Any]] = {"": {}}
    for full, value in arrays.items():
        number, _, name = full.rpartition("/")
        networks.setdefault(number, {})[name] = value
    return [networks[number] for number in sorted(networks, key=lambda one: int(one or 0))]


def _network(arrays: Mapping[str, Any]) -> Network:
    for name, array in arrays.items():
        if array.dtype not in {np.dtype(np.float16), np.dtype(np.float32)}:
            raise WeightsError(f"{name} must be of half or single precision, not {array.dtype}")
    if len(arrays["mean"]) != len(NUMBERS):
        raise WeightsError(f"weights for {len(arrays['mean'])} features, not {len(NUMBERS)}")
    return Network.of(arrays)


def _curve(saved: Any) -> NDArray[np.float64]:
    """Return the calibration of the confidence.

    Raises:
        ValueError: it isn't two rows of numbers, the first ascending.
    """
    curve = np.array(saved, dtype=np.float64)
    if curve.ndim != 2 or len(curve) != 2 or not curve.size:  # noqa: PLR2004  as of `Model`
        raise ValueError(f"curve must be float64[2, k], not {list(curve.shape)}")
    if not np.isfinite(curve).all() or (np.diff(curve[0]) <= 0).any():
        raise ValueError("the points of curve must ascend")
    return curve


@cache
def shipped() -> Model:
    """Return the model that comes with the package; read once a process."""
    return load(Path(__file__).with_name("weights.npz"))


@lru_cache(maxsize=8)
def stored(path: str) -> Model:
    """Return the model of the file at ``path``, read once a process.

    Raises:
        WeightsError: as of `load`.
    """
    try:
        with open(path, "rb") as file:  # noqa: PTH123  a Path would only cost time
            return load(file)
    except OSError as error:
        raise WeightsError(f"no file of weights at {path}: {cause(error)}") from error
    except WeightsError as error:
        raise WeightsError(f"{path}: {error}") from error


def _check(header: Any) -> None:
    if not isinstance(header, dict) or header.get("kind") != KIND:
        raise WeightsError("not a file of Chaffinch weights")
    if header.get("version") != VERSION:
        raise WeightsError(
            f"weights of version {header.get('version')}; this release reads version {VERSION}"
        )


_SOME_PAGE: Final = "<h1>A page</h1><p>To try weights on, in some words.<ul><li>One<li>More</ul>"


_SURE: Final = {"forum": 0.7, "product": 0.7}
_ARTICLE: Final = "article"
_SURE_OF_OTHERS: Final = 0.9
"""Probability from which the network's type counts, unless the head denies it."""
_DENIED: Final = 0.2
"""Probability by the head below which it does. Chosen among .1, .2, .3 and .5 by heads that haven't
seen the page's domain; of a sure article the head isn't asked."""
_TELLS, _DENIES = 0.3, 0.5
"""Probability of the likeliest type below which the head says nothing (.25 and .35 do as well), and
nothing against an article that the network finds as likely as a thread that it is sure of."""


@dataclass(eq=False)  # a frozen one sets each field by a call
class BlockScores:
    """Scores of the m text blocks of a page.

    Attributes:
        features: the blocks and their features.
        score: float32[m] in 0..1, probability that each block is content.
        kinds: float32[types] in 0..1, probability of each page type: by the model's head, unless
            the network, and whether the page declares a product, make one sure, or the head none.
        kind: the page's type, that shows and decides: the likeliest of ``kinds``.
        by_network: float32[types] in 0..1, by the network and what the page declares alone.
    """

    features: Features
    score: Floats
    kinds: Floats
    kind: str
    by_network: Floats


def score_blocks(page: Page, *, model: Model | None = None) -> BlockScores:
    """Return the scores of the blocks of ``page``, which must have at least one.

    Args:
        page: the page.
        model: weights to use in place of those that come with the package.
    """
    found = features(page)
    model = model or shipped()
    raw = model.network(found, USUAL_FLAGS)
    kinds = by_network = page_type_posterior(raw.kinds, model.kinds, found.facts)
    at = int(kinds.argmax())
    is_sure = kinds.item(at) >= _SURE.get(likely := model.kinds[at], _SURE_OF_OTHERS)
    if model.head is not None and not (is_sure and likely == _ARTICLE):
        chances = model.head.chances(kinds, found, raw.score)
        is_likely = likely == _ARTICLE and by_network.item(at) >= _SURE["forum"]
        least = _DENIES if is_likely else _TELLS
        says = chances.item(at) < _DENIED if is_sure else chances.max() >= least
        kinds = chances if says else kinds
    return BlockScores(found, raw.score, kinds, model.kinds[int(kinds.argmax())], by_network)


@lru_cache(maxsize=8)
def stored_model(path: str) -> Model:
    """Return the model of the file at ``path``, read and tried once a process.

    Raises:
        WeightsError: it can't be read, or its arrays don't fit together.
    """
    model = stored(path)
    head = {} if model.head is None else dict(zip(_TYPES, astuple(model.head), strict=True))
    for weights in (head, *(network.weights for network in model.network.networks)):
        for name, array in weights.items():
            if not np.isfinite(array).all():
                raise WeightsError(f"{path}: not a usable file of weights: {name} isn't finite")
    try:
        score_blocks(parse(_SOME_PAGE), model=model)
    except (ValueError, LookupError, TypeError, OverflowError, MemoryError) as error:
        raise WeightsError(f"{path}: not a usable file of weights: {error}") from error
    return model


def row_scores(blocks: TextBlocks, score: Floats) -> Floats:
    """Return float32[n]: each text row its block's score, each element its text's mean score."""
    page = blocks.page
    own = blocks.spread(score)
    before = page.written_before
    written = (before[1:] - before[:-1]) * (blocks.block >= 0)
    means = page.total(own * written)
    means /= np.maximum(page.total(written), 1)
    np.minimum(np.maximum(means, 0, out=means), 1, out=means)
    np.copyto(means, own, where=page.tag == tags.TEXT)
    scores: Floats = means.astype(np.float32)
    return scores
