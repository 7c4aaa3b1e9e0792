"""The file of learned weights: arrays in half precision and a header with their provenance.

An npz archive without pickled objects; ``header`` is JSON as bytes. Training writes it with
`save`; the package carries one, ``weights.npz``, which `shipped` reads once a process. Arrays of
the networks of an ensemble but the first have its number and a slash before their names.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.caching import cached_property
from chaffinch.errors import WeightsError
from chaffinch.model.features import NUMBERS
from chaffinch.model.network import Ensemble, Network
from chaffinch.saved_data import read_arrays, read_json
from chaffinch.wording import cause

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

VERSION: Final = 2
"""Version of the file format and of the features; both change together."""
KIND: Final = "chaffinch weights"
_HEADER: Final = "header"
_FULL: Final = ("mean", "scale", "cooling")
"""Arrays kept in single precision."""


@dataclass(frozen=True, eq=False)
class Model:
    """Networks, and what was measured of them.

    Attributes:
        network: an ensemble of one network or more.
        kinds: names of the page types that are classified.
        curve: float64[2, k], expected F1 as the scores give it, ascending, and the F1 that pages
            with it had where they were held out: the calibration of the confidence.
        header: the whole header of the file.
        digest: blake2b of the file, 16 hexadecimal digits, by which weights are identified.
    """

    network: Ensemble
    kinds: tuple[str, ...]
    curve: NDArray[np.float64]
    header: Mapping[str, Any]
    digest: str

    def confidence(self, expected: float) -> float:
        """Return the F1 that ``curve`` has for an expected F1, between its points on a line.

        It is `numpy.interp`, which takes longer to call than to run.
        """
        points, measured = self._points
        at = bisect_right(points, expected)
        if at in (0, len(points)):
            return measured[min(at, len(points) - 1)]
        low, high = at - 1, at
        slope = (measured[high] - measured[low]) / (points[high] - points[low])
        return slope * (expected - points[low]) + measured[low]

    @cached_property
    def _points(self) -> tuple[list[float], list[float]]:
        expected, measured = self.curve.tolist()
        return expected, measured


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
        return Model(
            network=Ensemble(tuple(map(_network, split_networks(arrays)))),
            kinds=tuple(map(str, header["kinds"])),
            curve=_curve(header["curve"]),
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
