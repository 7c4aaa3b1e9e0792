"""New temperatures for fitted weights: ``python -m training.cool weights.npz FOLDS``.

What logits are divided by (`training.fit.TEMPERATURES`) is chosen after the fit, on held-out folds,
and no other weight depends on it. This writes it into the weights and into those of the folds, and
reads the calibration of the confidence off the folds anew.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from chaffinch.model.block_scores import join_networks, save, split_networks
from training.dataset import PAGE_TYPES
from training.export import commit
from training.fit import TEMPERATURES
from training.train import calibrated


def main() -> int:
    """Run the command line."""
    options = _parser().parse_args()
    for fold in range(options.folds):
        _write(options.folder / f"fold{fold}.npz", {})
    curve = calibrated(options.folder, options.folds)
    _write(options.weights, {"curve": np.round(curve, 4).tolist(), "cooled_by": commit()})
    return 0


def _write(path: Path, header: dict[str, Any]) -> None:
    """Write the temperatures, and what the header shall say besides, into a file of weights."""
    with np.load(path) as archive:
        arrays = dict(archive)
    known = json.loads(arrays.pop("header").tobytes())
    cooling = np.array([1 / TEMPERATURES[kind] for kind in PAGE_TYPES], np.float32)
    arrays = join_networks([one | {"cooling": cooling} for one in split_networks(arrays)])
    save(path, arrays, known | header)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m training.cool", description=__doc__)
    parser.add_argument("weights", type=Path, help="the file of weights to change")
    parser.add_argument("folder", type=Path, help="the weights of the folds, changed too")
    parser.add_argument("--folds", type=int, default=5)
    return parser


if __name__ == "__main__":
    sys.exit(main())
