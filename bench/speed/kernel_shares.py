"""What each kernel saves: instructions of every method with all kernels native, and with one plain.

Run ``python -m bench.speed.kernel_shares``; it starts itself under valgrind, whose callgrind counts
instructions: a clock doesn't see a hundredth of them. ``--pages`` pages are read, each the first of
a site, and each method goes over them once with all kernels native, and once for each kernel that
it calls with that one plain. A kernel that saves less than 1 % of every method isn't worth its
lines, unless large or hostile pages need it.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import bench.lib.one_core  # noqa: F401  before numpy is loaded
import chaffinch
from bench.lib.timing import machine, versions
from bench.speed.methods import SIBLINGS, sites
from chaffinch import kernels
from chaffinch.methods import METHODS, build

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

INSIDE = "CHAFFINCH_COUNTED"
"""Environment variable: the folder in which callgrind leaves its counts, in the process it runs."""
PAGES = "pages.json"
MARK = "getsid"
"""What the process calls where a count begins or ends: a function that nothing else calls."""
LEAST = 0.01
"""The share that a kernel has to save."""


def systems(
    names: Sequence[str], given: Sequence[Sequence[tuple[str, str]]]
) -> dict[str, Callable[[], object]]:
    """Return what is counted, by its name: each goes over the first pages of all sites."""
    chosen = [[(html.encode("latin-1"), url) for html, url in pages] for pages in given]
    tables = [tuple(chaffinch.parse(html, url=url) for html, url in pages) for pages in chosen]

    def read(name: str) -> None:
        for (html, url), *_ in chosen:
            chaffinch.extract(html, url=url, method=name).markdown()

    def compare(name: str) -> None:
        for ((html, url), *_), (_, *siblings) in zip(chosen, tables, strict=True):
            build(name, siblings=tuple(siblings))(chaffinch.parse(html, url=url))

    return {
        name: partial(compare if METHODS[name].needs_siblings else read, name) for name in names
    }


def called(system: Callable[[], object]) -> set[str]:
    """Return the kernels that a system calls."""
    seen: set[str] = set()

    def noting(name: str, kernel: Callable[..., object]) -> Callable[..., object]:
        def noted(*arguments: object) -> object:
            seen.add(name)
            return kernel(*arguments)

        return noted

    own = {name: getattr(kernels, name) for name in kernels.__all__}
    try:
        for name, kernel in own.items():
            setattr(kernels, name, noting(name, kernel))
        system()
    finally:
        for name, kernel in own.items():
            setattr(kernels, name, kernel)
    return seen


def counted(folder: Path, run: Callable[[], object]) -> int:
    """Return how many instructions a run takes, its second one: the first fills what is kept."""
    run()
    os.getsid(0)
    run()
    os.getsid(0)
    # what reading the counts takes counts for nothing: it is over before the next ones begin
    dumps = sorted(folder.glob("counts.*.*"), key=lambda path: int(path.suffix[1:]))
    if len(dumps) != 2:
        raise SystemExit(f"callgrind left {len(dumps)} counts where {MARK} was called twice")
    lines = dumps[1].read_text(errors="replace").splitlines()
    for dump in dumps:
        dump.unlink()
    return next(int(line.split()[1]) for line in lines if line.startswith("totals:"))


def measure(folder: Path, methods: Sequence[str], tried: Sequence[str]) -> None:
    """Print a line for each kernel: its share of the default, and of the method it helps most."""
    saved: dict[str, dict[str, float]] = {name: {} for name in tried}
    given = json.loads((folder / PAGES).read_text(encoding="utf-8"))
    for name, system in systems(methods, given).items():
        native = counted(folder, system)
        for kernel in sorted(called(system).intersection(tried)):
            with kernels.using("native", plainly=(kernel,)):
                saved[kernel][name] = 1 - native / counted(folder, system)
            print(f"{name} {kernel}: {saved[kernel][name]:.2%}", file=sys.stderr, flush=True)
    print(machine(), versions("chaffinch", "selectolax", "numpy"), sep="; ")
    print("| kernel | learned | most | of | |")
    print("|---|---:|---:|---|---|")
    for kernel, shares in sorted(saved.items(), key=lambda each: -max(each[1].values(), default=0)):
        helped = max(shares, key=lambda name: shares[name], default="")
        share = shares.get(helped, 0.0)
        verdict = "" if share >= LEAST else "below 1 %"
        print(
            f"| `{kernel}` | {shares.get('learned', 0):.1%} | {share:.1%} | {helped} | {verdict} |"
        )


def main() -> None:
    """Start the measurement, under valgrind."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--pages", type=int, default=10)
    options.add_argument("--methods", nargs="+", choices=[*METHODS], default=[*METHODS])
    options.add_argument("--kernels", nargs="+", default=kernels.__all__)
    chosen = options.parse_args()
    if inside := os.environ.get(INSIDE):
        measure(Path(inside), chosen.methods, chosen.kernels)
        return
    with tempfile.TemporaryDirectory() as folder:
        # read out here: under valgrind it would take longer than all that is counted
        pages = [site[: SIBLINGS + 1] for site in islice(sites(sys.maxsize), chosen.pages)]
        rows = [[(html.decode("latin-1"), url) for html, url in site] for site in pages]
        Path(folder, PAGES).write_text(json.dumps(rows), encoding="utf-8")
        counter = ["valgrind", "--tool=callgrind", f"--dump-after={MARK}", "--quiet"]
        counter.append(f"--callgrind-out-file={folder}/counts.%p")
        environment = os.environ | {INSIDE: folder, "PYTHONHASHSEED": "0"}
        command = [*counter, sys.executable, "-m", "bench.speed.kernel_shares", *sys.argv[1:]]
        subprocess.run(command, env=environment, check=True)


if __name__ == "__main__":
    main()
