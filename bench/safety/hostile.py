"""What hostile pages cost Lexbor, as they are and behind the guard.

Each page is parsed in a process of its own with a bound on memory and time.

    python -m bench.safety.hostile             the table of docs/hostile-figures.md
    python -m bench.safety.hostile links nobr  only classes whose name has one of the words
"""

from __future__ import annotations

import argparse
import subprocess
import sys

from bench import ROOT

MAKERS = str(ROOT / "tests" / "page")
sys.path.append(MAKERS)
from hostile_pages import PAGES  # noqa: E402  found only after the line above

SECONDS = 15
BYTES = 3 << 30

CHILD = """
import resource, sys, time
sys.path[:0] = {paths!r}
resource.setrlimit(resource.RLIMIT_AS, ({limit}, {limit}))
from hostile_pages import PAGES
from chaffinch.errors import PageError
from chaffinch.page.guard.guard import bound
from chaffinch.page.guard.limits import Limits
from selectolax.lexbor import LexborHTMLParser
make, count = PAGES[{name!r}]
data = make(count)
start = time.process_time()
try:
    page = bound(data, Limits()) if {guarded} else data
    middle = time.process_time()
    parser = LexborHTMLParser(page)
    took = f"{{time.process_time() - start:.1f}} s"
    if {guarded}:
        took += f" (guard {{middle - start:.1f}})" + ("" if page is not data else " unchanged")
except PageError as error:
    took = f"{{time.process_time() - start:.1f}} s, PageError: {{error}}"
except MemoryError:
    took = "out of memory"
print(took, f"{{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10}} MB", sep=", ")
"""


def cost(name: str, *, guarded: bool) -> str:
    """Return seconds and megabytes of one page, in words."""
    code = CHILD.format(paths=[MAKERS], limit=BYTES, name=name, guarded=guarded)
    try:
        child = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"more than {SECONDS} s"
    if child.returncode:
        return (
            "crash: " + (child.stderr.strip().splitlines() or [f"signal {-child.returncode}"])[-1]
        )
    return child.stdout.strip()


def main() -> None:
    """Print the table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--guarded-only", action="store_true")
    options = parser.parse_args()
    print("| class | bytes | Lexbor alone | behind the guard |\n|---|---|---|---|")
    for name, (make, count) in PAGES.items():
        if options.words and not any(word in name for word in options.words):
            continue
        alone = "" if options.guarded_only else cost(name, guarded=False)
        size = len(make(count))
        print(f"| {name} | {size:,} | {alone} | {cost(name, guarded=True)} |", flush=True)


if __name__ == "__main__":
    main()
