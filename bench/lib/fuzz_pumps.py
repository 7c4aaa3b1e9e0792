"""Random units repeated at growing sizes: outputs that cost more than their share of the larger."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from random import Random
from typing import Final

from bench.lib.fuzz_trial import Finding, Outcome
from bench.lib.hostile_grammar import Grammar

SIZES: Final = 5_000, 20_000, 80_000
"""Bytes of the pages; the third is made of what the second costs too much of."""
MOST: Final = 6.5
"""Times as long as a page the next may take, where linear is 4 and the square 16."""
_SHORT: Final = 0.03
_LONGEST: Final = 120


def unit(page: bytes, random: Random) -> tuple[bytes, bytes, bytes]:
    """Return of a page what is repeated, what is repeated after that, and what stands before."""
    starts = [at for at in range(len(page)) if page[at : at + 1] == b"<"] or [0]
    first = random.choice(starts)
    length = random.randint(1, _LONGEST)
    later = random.choice(starts)
    end = page[later : later + random.randint(1, 30)] if random.random() < 0.4 else b""
    head = page[: random.choice([0, 0, first])][:2000]
    return page[first : first + length] or b"<p>", end, head


def unit_in_context(grammar: Grammar, random: Random) -> tuple[bytes, bytes, bytes]:
    """Return the same of short pieces of the grammar, within tags that stay open."""
    pieces = [grammar.piece()[:_LONGEST] for _ in range(random.randint(1, 2))]
    end = random.choice(["", "", "", grammar.piece()[:30]])
    made = ("".join(pieces) or "<p>", end, grammar.opening())
    repeated, after, head = (one.encode("utf-8", "replace") for one in made)
    return repeated, after, head


def pumped(parts: tuple[bytes, bytes, bytes], size: int) -> bytes:
    """Return a page of about so many bytes."""
    repeated, end, head = parts
    count = max((size - len(head)) // (len(repeated) + len(end)), 1)
    return head + repeated * count + end * count


def growth(
    run: Callable[[bytes], Outcome], parts: tuple[bytes, bytes, bytes]
) -> Iterator[tuple[bytes, Outcome]]:
    """Yield pages with what became of them; what grows too fast twice is a finding of the last.

    Args:
        run: tries a page, of each the same outputs.
        parts: what `unit` or `unit_in_context` returns.
    """
    found: list[tuple[bytes, Outcome]] = []
    over: list[Finding] = []
    for size in SIZES:
        page = pumped(parts, size)
        found.append((page, _alone(run, page)))
        if len(found) > 1:
            over = [one for one in _over(found) if not over or one.stage in {o.stage for o in over}]
            if not over:
                break
    yield from found[:-1]
    page, outcome = found[-1]
    is_sure = len(found) == len(SIZES)
    yield page, outcome._replace(findings=outcome.findings + over * is_sure)


def _alone(run: Callable[[bytes], Outcome], page: bytes) -> Outcome:
    """Try a page without the collector, which walks what pages before have left, too."""
    gc.collect()
    gc.disable()
    try:
        return run(page)
    finally:
        gc.enable()


def _over(found: list[tuple[bytes, Outcome]]) -> Iterator[Finding]:
    (page, small), (longer, large) = found[-2:]
    times = len(longer) / len(page)
    for stage, seconds in large.seconds.items():
        before = small.seconds.get(stage, 0.0)
        if before and seconds > _SHORT and seconds > MOST / 4 * times * max(before, 0.001):
            took = f"{before * 1e3:.1f} ms, of {times:.1f} times as much {seconds * 1e3:.1f} ms"
            yield Finding(stage, f"grows: {took}")
