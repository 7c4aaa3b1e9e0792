"""Steps of the interpreter a page: opcodes and calls, which no neighbour on the machine changes.

Run ``python -m bench.speed.steps`` for real pages (of scrapinghub) and small ones (made up), their
text and their row; ``--top N`` names the functions that take the most for the text of real pages.
Calls are those of functions in Python and, by their names, in C; operators of numpy aren't counted.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

import chaffinch
from bench.lib.archive import small_pages
from bench.lib.timing import pages
from bench.speed.rows import default_text, row_maker

WARMING: Final = 2
PACKAGE: Final = Path(chaffinch.__file__).parent


class Steps:
    """What is counted: opcodes by function, calls of Python and of C."""

    def __init__(self) -> None:
        self.opcodes, self.python, self.c = Counter[CodeType](), 0, 0

    def trace(self, frame: FrameType, event: str, _: Any) -> Any:
        """Count an opcode, and those of the function that is called."""
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        if event == "opcode":
            self.opcodes[frame.f_code] += 1
        return self.trace

    def profile(self, _frame: FrameType, event: str, _arg: Any) -> None:
        """Count a call."""
        self.python += event == "call"
        self.c += event == "c_call"


def counted(of: Callable[[bytes], object], given: Sequence[bytes]) -> Steps:
    """Return the steps over all pages, once all caches are as full as they get."""
    steps = Steps()
    for _ in range(WARMING):
        for page in given:
            of(page)
    for page in given:
        sys.settrace(steps.trace)
        of(page)
        sys.settrace(None)
        sys.setprofile(steps.profile)
        of(page)
        sys.setprofile(None)
    return steps


def main() -> None:
    """Count, and print the table."""
    options = argparse.ArgumentParser(prog="python -m bench.speed.steps", description=__doc__)
    options.add_argument("--pages", type=int, default=60)
    options.add_argument("--top", type=int, default=0, metavar="N")
    chosen = options.parse_args()
    real = pages("scrapinghub")[: chosen.pages]
    small = small_pages(chosen.pages, paragraphs=8)
    print("| a page | opcodes | calls of Python | of C |", "|---|---:|---:|---:|", sep="\n")
    texts: Steps | None = None
    for name, of in (("text", default_text), ("row", row_maker())):
        for size, given in (("real", real), ("small", small)):
            steps = counted(of, given)
            texts = texts or steps
            each = (steps.opcodes.total(), steps.python, steps.c)
            print(f"| {name}, {size} |", *(f"{one / len(given):,.0f} |" for one in each))
    for code, opcodes in texts.opcodes.most_common(chosen.top) if texts else ():
        place = code.co_filename.removeprefix(f"{PACKAGE}/")
        print(f"{opcodes / len(real):7.0f} {place}:{code.co_qualname}")


if __name__ == "__main__":
    main()
