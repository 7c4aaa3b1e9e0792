"""Where the time of the default extraction goes, stage by stage, on pages of a corpus.

Run ``python -m bench.speed.model_profile``; ``--markdown`` prints the table for docs/model.md.
Every stage runs on its own on what the stage before gave; the best of several rounds of each page
counts, in processor time of the thread, so that other work on the machine disturbs little.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import time
from collections import defaultdict

import bench.lib.one_core  # noqa: F401  before numpy is loaded

# isort: split
import numpy as np

from bench.lib.timing import machine, pages, versions
from chaffinch.decision.attached_media import kept_media
from chaffinch.decision.draft import Draft
from chaffinch.decision.rules import RULES, run
from chaffinch.methods.learned import Learned
from chaffinch.model import features, text_features, tree_features
from chaffinch.model.head_signals import read_head_signals
from chaffinch.model.name_hashes import read_name_hashes
from chaffinch.model.network import USUAL_FLAGS
from chaffinch.model.tree_features import Ancestors
from chaffinch.model.weights import shipped
from chaffinch.output import text
from chaffinch.page import parse
from chaffinch.result import Content
from chaffinch.segment.text_blocks import text_blocks

PARTS = {"of which head"}
"""Stages that run once more on their own: they are part of the one before."""


def stages(html: bytes) -> dict[str, float]:
    """Return the seconds of each stage on one page."""
    took: dict[str, float] = {}
    start = time.thread_time()

    def done(stage: str) -> None:
        nonlocal start
        took[stage] = time.thread_time() - start
        start = time.thread_time()

    page = parse(html)
    done("page table")
    for column in ("shown", "written", "line", "in_link"):
        getattr(page, column)
    done("columns of the page")
    blocks = text_blocks(page)
    above = Ancestors.of(blocks)
    done("text blocks")
    names = read_name_hashes(page, above.holds)
    done("names of elements")
    width = len(text_features.NAMES)
    columns = np.empty((len(features.NUMBERS), len(blocks)), dtype=np.float32)
    written = text_features.read(blocks, columns[:width])
    done("text features")
    read_head_signals(page)
    done("of which head")
    tree_features.read(blocks, above, names, written.sums, columns[width:])
    done("tree features")
    found = features.features(page)
    start = time.thread_time()
    answer = shipped().network(found, USUAL_FLAGS)
    done("network")
    draft = Draft(found, answer.score)
    run(RULES[:-1], draft)
    done("decision")
    kept_media(found.blocks, found.units, draft.keep)
    done("attached media")
    verdict = Learned()(page)
    start = time.thread_time()
    text.render(Content(page, verdict))
    done("text")
    Learned().elsewhere(page, verdict)
    done("look for content elsewhere")
    del page, blocks, names, above, written, found, answer, draft, verdict, columns
    done("release of the page")
    return took


def main() -> None:
    """Time all stages and print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--corpus", default="scrapinghub")
    options.add_argument("--limit", type=int, default=None)
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--markdown", action="store_true")
    chosen = options.parse_args()
    given = pages(chosen.corpus)[: chosen.limit]
    total: defaultdict[str, float] = defaultdict(float)
    gc.disable()
    for html in given:
        rounds = [stages(html) for _ in range(chosen.rounds)]
        for stage in rounds[0]:
            total[stage] += min(one[stage] for one in rounds)
        gc.collect()
    size = statistics.mean(map(len, given)) / 1000
    print(f"{machine()}, {versions('chaffinch', 'selectolax', 'numpy')}")
    print(f"{len(given)} pages of {chosen.corpus}, {size:.0f} kB in the mean\n")
    total["all"] = sum(seconds for stage, seconds in total.items() if stage not in PARTS)
    line = "| {} | {:.2f} |" if chosen.markdown else "{:32}{:>8.2f}"
    if chosen.markdown:
        print("| stage | ms a page |\n|---|---:|")
    for stage, seconds in total.items():
        print(line.format(f"– {stage}" if stage in PARTS else stage, seconds / len(given) * 1000))


if __name__ == "__main__":
    main()
