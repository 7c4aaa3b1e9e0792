"""Compiles the kernels to objects for systems that aren't at hand.

Call: `python release/cross_compile.py`; `--link HEADERS` links the extension module for Linux, too.

By Zig's compiler of the package index (ziglang), which brings the C libraries of all of them. The
headers are those of the Python that runs this, whose `pyconfig.h` is this machine's: the objects
show that the sources are C that those systems take, not that a wheel would work there. A header
that this machine's configuration asks for and Windows hasn't is an empty one.

HEADERS is a folder with `Python.h` and the `pyconfig.h` of a Python for 64-bit Linux, as a Linux
distribution's package of another architecture has them (such as Debian's libpython3.11-dev:arm64).
A module needs nothing of Python's own library there, so that what is linked can be loaded.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

SOURCES: Final = Path(__file__).parents[1] / "src" / "chaffinch" / "kernels" / "native"
TARGETS: Final = (
    "x86_64-linux-gnu.2.17", "aarch64-linux-gnu.2.17", "x86_64-linux-musl", "aarch64-linux-musl",
    "x86_64-macos", "aarch64-macos", "x86_64-windows-gnu", "aarch64-windows-gnu",
)  # fmt: skip
WITHOUT: Final = "empty-headers"
FLAGS: Final = ("-O1", "-std=c11", "-ffp-contract=off", "-fvisibility=hidden", "-Werror")


def problems(target: str, source: Path, out: Path) -> str:
    """Return what the compiler says of a file for a target; "" for nothing."""
    include = sysconfig.get_path("include")
    call = [sys.executable, "-m", "ziglang", "cc", "-target", target, "-c", *FLAGS, f"-I{include}"]
    if "windows" in target:
        call.append(f"-I{out / WITHOUT}")
    made = [*call, str(source), "-o", str(out / f"{target}-{source.stem}.o")]
    done = subprocess.run(made, capture_output=True, text=True, check=False)
    return done.stderr.strip() or ("" if done.returncode == 0 else "failed")


def linked(target: str, headers: Path, out: Path) -> str:
    """Return what the linker says of the extension module for a target; "" for nothing."""
    made = out / f"_native-{target}.so"
    call = [sys.executable, "-m", "ziglang", "cc", "-target", target, "-shared", "-fPIC", *FLAGS]
    call += [f"-I{headers}", *map(str, sorted(SOURCES.glob("*.c"))), "-o", str(made), "-lm"]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    return done.stderr.strip() or ("" if done.returncode == 0 else "failed")


def main() -> None:
    """Compile each file for each target and print a line a target."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--link", metavar="HEADERS", type=Path, help="link for Linux, too")
    headers = parser.parse_args().link
    sources = sorted(SOURCES.glob("*.c"))
    failed = 0
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        (Path(folder) / WITHOUT / "sys").mkdir(parents=True)
        (Path(folder) / WITHOUT / "sys" / "select.h").touch()
        for target in TARGETS:
            found = list(pool.map(lambda one, to=target: problems(to, one, Path(folder)), sources))
            wrong = [f"{one.name}: {why}" for one, why in zip(sources, found, strict=True) if why]
            failed += len(wrong)
            print(f"{target}: {len(sources) - len(wrong)} of {len(sources)} files")
            print("\n".join(wrong[:3]), end="\n" if wrong else "")
            if headers and "linux" in target:
                why = linked(target, headers, Path(folder))
                failed += bool(why)
                print(f"{target}: {why or 'linked'}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
