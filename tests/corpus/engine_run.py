"""Runs an engine on its own, for tests: ``engine_run.py ray|spark|node SOURCE OUT [mark]``.

With ``mark`` the run marks duplicates, in several partitions.
Started in a network namespace that has a loopback interface alone. While it runs, a thread looks
for sockets that listen on any other address.
"""

import random
import shutil
import sys
import threading
from pathlib import Path

import psutil
from ray_alone import is_loopback

from bench.safety import kills
from chaffinch.corpus import Plan, Recipe, run


def look(found, is_over):
    """Note the addresses other than 127.0.0.0/8 and ::1 that are listened on."""
    while not is_over.wait(0.2):
        for one in psutil.net_connections("inet"):
            if one.status == psutil.CONN_LISTEN and not is_loopback(one.laddr.ip):
                found.add(f"{one.laddr.ip}:{one.laddr.port}")


def marking_plan(out):
    """Return the plan of a run that marks duplicates."""
    return Plan(out=str(out), buckets=3, duplicates="mark", recipe=Recipe(signatures=True))


def main():
    engine, source, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    plan = kills.perilous_plan(out)
    if "mark" in sys.argv:
        plan = marking_plan(out)
    found, is_over = set(), threading.Event()
    looking = threading.Thread(target=look, args=(found, is_over))
    looking.start()
    try:
        if engine == "node":
            for seed in range(5):  # until the node is lost before all is done
                shutil.rmtree(out, ignore_errors=True)
                if kills.kill_node(source, out, random.Random(seed)):  # noqa: S311 - no secrets
                    print("a node was lost")  # noqa: T201 - for the test
                    break
        else:
            run([str(source)], plan, engine=engine, workers=2)
    finally:
        is_over.set()
        looking.join()
    print(f"listening elsewhere: {', '.join(sorted(found)) or 'none'}")  # noqa: T201 - for the test


if __name__ == "__main__":
    main()
