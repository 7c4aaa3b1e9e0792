"""Instructions of the text, the whole row, everything, and of each step of the row.

Run ``python -m bench.speed.instructions``; it starts itself under valgrind, whose callgrind counts
instructions: no neighbour on the machine changes them. ``--checkout FOLDER`` counts another
checkout, its kernels built. The pages are some of each of six corpora; what is counted goes over
all of them twice before it is counted, so that caches are as full as they get.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from bench import ROOT

INSIDE: Final = "CHAFFINCH_COUNTED_PAGES"
"""Environment variable: the folder with the pages, in the process that is counted."""
PAGES: Final = "pages.json"
NAMES: Final = "names.json"
CORPORA: Final = ("scrapinghub", "wcxb", "daniel", "fundus", "zh_news", "trafilatura_eval")
MARK: Final = "getsid"
"""What the process calls where a count ends: a function that nothing else calls."""
WARMING: Final = 2
MILLION: Final = 1_000_000


def steps(page: bytes, end: Callable[[str], None]) -> None:
    """Make a row step by step, and call ``end`` with the name of each step that is done."""
    import chaffinch  # noqa: PLC0415  the process chooses whose

    table = chaffinch.parse(page)
    end("page table, parse included")
    extract = chaffinch.extract(table)
    end("features, network, decision")
    for name in ("text", "score"):
        getattr(extract, name)
        end(name)
    for field in ("title", "authors", "published", "modified", "language"):
        getattr(extract.metadata, field)
        end(field)
    extract.markdown()
    end("Markdown")


def count(folder: Path) -> None:
    """Run all that is counted, and mark where each begins and ends."""
    from bench.speed.rows import (  # noqa: PLC0415  of the checkout that is counted
        default_text,
        everything,
        row_maker,
    )

    given = [page.encode("latin-1") for page in json.loads((folder / PAGES).read_text())]
    whole = {"text": default_text, "row": row_maker(), "everything": everything}
    ended: list[str] = []

    def end(name: str) -> None:
        os.getsid(0)
        ended.append(name)

    for system in whole.values():
        for _ in range(WARMING):
            list(map(system, given))
    for _ in range(WARMING):
        for page in given:
            steps(page, lambda _: None)
    gc.collect()
    gc.disable()
    end("")
    for name, system in whole.items():
        list(map(system, given))
        end(name)
    for page in given:
        steps(page, lambda name: end(f"- {name}"))
    (folder / NAMES).write_text(json.dumps(ended))


def counts(folder: Path, pages: int) -> dict[str, float]:
    """Return what each cost, in millions of instructions a page."""
    found: dict[str, float] = {}
    dumps = sorted(folder.glob("counts.*.*"), key=lambda path: int(path.suffix[1:]))
    for name, dump in zip(json.loads((folder / NAMES).read_text()), dumps, strict=False):
        lines = dump.read_text(errors="replace").splitlines()
        total = next(int(line.split()[1]) for line in lines if line.startswith("totals:"))
        found[name] = found.get(name, 0) + total / MILLION / pages
    found.pop("", None)
    return found


def main() -> None:
    """Count, and print the table."""
    options = argparse.ArgumentParser(
        prog="python -m bench.speed.instructions", description=__doc__
    )
    options.add_argument("--checkout", type=Path, default=ROOT, help="whose code is counted")
    options.add_argument("--pages", type=int, default=10)
    chosen = options.parse_args()
    if inside := os.environ.get(INSIDE):
        count(Path(inside))
        return
    from bench.lib.timing import machine, pages, versions  # noqa: PLC0415  not in what is counted

    with tempfile.TemporaryDirectory() as name:
        folder, each = Path(name), -(-chosen.pages // len(CORPORA))
        samples = (random.Random(one).sample(pages(one), each) for one in CORPORA)  # noqa: S311
        given = [page for sample in samples for page in sample]
        given = given[: chosen.pages]
        (folder / PAGES).write_text(json.dumps([page.decode("latin-1") for page in given]))
        source = chosen.checkout.resolve()
        one_core = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
        path = os.pathsep.join([str(source / "src"), str(source)])
        counter = ["valgrind", "--tool=callgrind", f"--dump-after={MARK}", "--quiet"]
        counter.append(f"--callgrind-out-file={folder}/counts.%p")
        own = {INSIDE: str(folder), "PYTHONPATH": path, "PYTHONHASHSEED": "0"}
        command = [*counter, sys.executable, __file__]
        subprocess.run(command, env=os.environ | one_core | own, check=True)
        found = counts(folder, len(given))
    print(machine(), versions("chaffinch", "selectolax", "numpy"), sep="; ")
    print("| | million instructions a page | × the text |", "|---|---:|---:|", sep="\n")
    for what, cost in found.items():
        print(f"| {what} | {cost:.2f} | {cost / found['text']:.2f} |")


if __name__ == "__main__":
    main()
