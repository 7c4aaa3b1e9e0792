"""Why batch guards its own children: what pebble's pool does when one is killed as it answers.

Run ``python bench/guards.py`` (needs ``pip install pebble``). A page's answer of 300 MB is on its
way when the child is killed. Pebble 5.2.3 (2026-11-21): the two pages after it never come back,
since half a message stays in the pipe that all children share. Ours: only the one page is lost.
"""

from __future__ import annotations

import concurrent.futures
import os
import subprocess
import sys
from multiprocessing import get_context
from typing import Any

SECONDS = 15
KILLED = "2"


def answer(name: str) -> bytes:
    """Return a little; for one name a lot, and be killed while it is sent."""
    if name != KILLED:
        return name.encode()
    much = b"x" * (300 << 20)
    subprocess.Popen(["/bin/sh", "-c", f"sleep 0.2; kill -9 {os.getpid()}"])
    return much


class Answering:
    """The same as an extractor of a run."""

    def __init__(self, recipe: Any) -> None:
        self._recipe = recipe

    def __call__(self, record: Any) -> dict[str, bytes]:
        """Return a row of one field."""
        return {"text": answer(record.file)}


def by_pebble() -> list[str]:
    """Return what becomes of five pages in pebble's pool."""
    from pebble import ProcessPool  # noqa: PLC0415 - not needed elsewhere

    pool = ProcessPool(1, context=get_context("spawn"))
    futures = [pool.schedule(answer, args=[str(n)], timeout=SECONDS) for n in range(5)]
    found = []
    for future in futures:
        try:
            found.append(f"{len(future.result(timeout=SECONDS))} bytes")
        except concurrent.futures.TimeoutError:
            found.append("never came")
        except Exception as error:  # noqa: BLE001 - whatever it raises is shown
            found.append(type(error).__name__)
    return found


def by_ours() -> list[str]:
    """Return what becomes of them in guarded children."""
    from chaffinch.batch.record import Record  # noqa: PLC0415
    from chaffinch.workers.guarded import Guarded  # noqa: PLC0415 - as above
    from chaffinch.workers.limits import PageLimits  # noqa: PLC0415
    from chaffinch.workers.messages import Setup  # noqa: PLC0415

    setup = Setup(extractor="guards:Answering", recipe=None, limits=PageLimits(wall=SECONDS))
    with Guarded(setup) as guarded:
        answers = guarded.answers(Record(file=str(n)) for n in range(5))
        return [one.error or f"{len(one.row['text'])} bytes" for _, one in answers]


if __name__ == "__main__":
    print("ours:  ", ", ".join(by_ours()))
    print("pebble:", ", ".join(by_pebble()), flush=True)
    sys.stdout.flush()
    os._exit(0)  # pebble's pool can't be stopped any more
