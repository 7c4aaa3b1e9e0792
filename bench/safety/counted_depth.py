"""How often the parser's tree is deeper than the guard counts: random tags, repeated.

    python -m bench.safety.counted_depth --units 20000

A unit of two to seven tags is repeated, so that a wrong count grows. Forms and framesets are left
out: there the tree is deep but the stack isn't.
"""

from __future__ import annotations

import argparse
import random
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from chaffinch import kernels
from chaffinch.page.guard.bounding import tag_limits
from chaffinch.page.guard.limits import Limits
from chaffinch.page.guard.tag_table import TAG_TABLE

REPEATED: Final = 40
OUTER: Final = 8  # html and body, and what foster parents and the last unit may add
_LEFT_OUT: Final = {b"form", b"frameset", b"plaintext", b"html", b"head", b"body"}
_OTHERS: Final = (b"span", b"sup", b"x-y", b"g")
NAMES: Final = [one.decode() for one in (*TAG_TABLE.names, *_OTHERS) if one not in _LEFT_OUT]


def counted(page: bytes) -> int:
    """Return how many elements are open at once, as the guard counts."""
    free = Limits(max_depth=1 << 20, max_formatting=1 << 20, max_unmatched_end_tags=1 << 20)
    return kernels.read_tags(page, TAG_TABLE, tag_limits(free, len(page)), lambda: None).deepest


def tree_depth(page: bytes) -> int:
    """Return how deep the parser's tree of a page is."""
    deepest = 0
    waiting = [(LexborHTMLParser(page).root, 0)]
    while waiting:
        node, level = waiting.pop()
        deepest = max(deepest, level)
        child = None if node is None else node.first_child
        while child is not None:
            waiting.append((child, level + 1))
            child = child.next
    return deepest


def random_unit(source: random.Random) -> bytes:
    """Return two to seven tags."""
    tags = [
        f"<{'/' * (source.random() < 0.4)}{source.choice(NAMES)}>"
        for _ in range(source.randint(2, 7))
    ]
    return "".join(tags).encode()


def main() -> None:
    """Print the units that are deeper than counted, and how many there are."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--units", type=int, default=20_000)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    source = random.Random(chosen.seed)  # noqa: S311  the same each time
    deeper = over = 0
    for _ in range(chosen.units):
        unit = random_unit(source)
        count, depth = counted(unit * REPEATED), tree_depth(unit * REPEATED)
        over += count > 2 * (depth + OUTER)
        if depth > count + OUTER:
            deeper += 1
            print(f"{unit.decode()}  counted {count}, is {depth}", flush=True)
    print(
        f"{deeper} of {chosen.units:,} units deeper than counted, {over:,} less than half as deep"
    )


if __name__ == "__main__":
    main()
