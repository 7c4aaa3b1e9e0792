"""Timing of several systems over the same pages in one run, one core."""

from __future__ import annotations

import gc
import json
import lzma
import os
import time
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import TypeVar

import chaffinch
from bench import ROOT
from chaffinch.evaluate.evaluation import provenance

Page = TypeVar("Page")


def corpora() -> Path:
    """Return the folder that holds ``corpora/`` and ``sites/``."""
    return Path(os.environ.get("CHAFFINCH_CORPORA", ROOT.parent / "shared"))


def pages(name: str) -> list[bytes]:
    """Return the bytes of the pages of a labelled corpus."""
    with lzma.open(corpora() / "corpora" / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
        return [json.loads(line)["html"].encode("latin-1") for line in lines]


def best_times(
    systems: Mapping[str, Callable[[bytes], object]], given: Sequence[bytes], *, rounds: int
) -> dict[str, list[float]]:
    """Return for each system the best of ``rounds`` times of each page, in seconds.

    In each round every system goes over all pages, as it would in use, before the next one does;
    the rounds spread them over time, so that whatever else the machine does hits all of them.
    """
    best = {name: [float("inf")] * len(given) for name in systems}
    for _ in range(rounds):
        for name, system in systems.items():
            gc.collect()
            for number, page in enumerate(given):
                start = time.perf_counter()
                system(page)
                best[name][number] = min(best[name][number], time.perf_counter() - start)
    return best


def turn_times(
    systems: Mapping[str, Callable[[Page], object]], given: Sequence[Page], *, rounds: int
) -> dict[str, list[float]]:
    """Return for each system the best of ``rounds`` processor times of each page, in seconds.

    Time is that of this thread. All systems take turns on each page, which keeps their ratios right
    where other work comes and goes; how warm memory is where a page begins is the same for all.
    """
    best = {name: [float("inf")] * len(given) for name in systems}
    for _ in range(rounds):
        gc.collect()
        for number, page in enumerate(given):
            for name, system in systems.items():
                start = time.thread_time()
                system(page)
                best[name][number] = min(best[name][number], time.thread_time() - start)
    return best


def versions(*packages: str) -> str:
    """Return the versions of ``packages``, one line."""
    known = {"chaffinch": chaffinch.__version__}  # not that of an install before an upgrade
    return ", ".join(f"{name} {known.get(name) or metadata.version(name)}" for name in packages)


def machine() -> str:
    """Return Python, system and processor in one line."""
    return provenance()["machine"]
