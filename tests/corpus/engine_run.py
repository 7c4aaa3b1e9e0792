"""Runs an engine on its own, for tests: ``engine_run.py ray|spark|node SOURCE OUT``.

Pages do harm, and the run marks duplicates, in several partitions. It is started in a network
namespace that has a loopback interface alone, or, as ``engine_run.py alone``, where there are
others: then Ray is started as the engine does, and has nothing to do. Meanwhile a thread looks for
sockets that listen on any address but those of loopback.
"""

import contextlib
import ipaddress
import random
import shutil
import sys
import threading
from pathlib import Path

import psutil

from chaffinch.corpus import PageLimits, Plan, Recipe, run
from chaffinch.corpus.runs import engine_of


def sockets(*, of_all):
    """Yield the sockets of all processes, or of this one and those below it."""
    if of_all:
        yield from psutil.net_connections("inet")
        return
    this = psutil.Process()
    for process in (this, *this.children(recursive=True)):
        with contextlib.suppress(psutil.Error):
            yield from process.net_connections("inet")


def is_loopback(address):
    """Tell whether an address is one of loopback, also where IPv6 carries it."""
    found = ipaddress.ip_address(address)
    return (getattr(found, "ipv4_mapped", None) or found).is_loopback


def look(found, is_over, of_all):
    while not is_over.wait(0.2):
        heard = (one for one in sockets(of_all=of_all) if one.status == psutil.CONN_LISTEN)
        found.update(one.laddr.ip for one in heard)


def marking_plan(out):
    """Return the plan of a run over pages that do harm, which marks duplicates."""
    return Plan(
        out=str(out),
        buckets=3,
        duplicates="mark",
        extractor="bench.lib.perils:Perilous",
        recipe=Recipe(method="block_density", signatures=True),
        limits=PageLimits(wall=5, cpu=300, memory=400),
    )


def work(engine, source="", out=""):
    if engine == "alone":
        with engine_of("ray", workers=1) as one:
            assert list(one.results(abs, [-1])) == [1]
        return
    from bench.safety import kills  # noqa: PLC0415  it sets variables of Ray's

    if engine != "node":
        run([source], marking_plan(out), engine=engine, workers=2)
        return
    for seed in range(5):  # until the node is lost before all is done
        shutil.rmtree(out, ignore_errors=True)
        if kills.kill_node(Path(source), Path(out), random.Random(seed)):  # noqa: S311
            print("a node was lost")  # noqa: T201 - for the test
            break


def main():
    found, is_over, is_alone = set(), threading.Event(), sys.argv[1] == "alone"
    looking = threading.Thread(target=look, args=(found, is_over, not is_alone))
    looking.start()
    try:
        work(*sys.argv[1:])
    finally:
        is_over.set()
        looking.join()
    if is_alone:
        print(f"listening here: {any(map(is_loopback, found))}")  # noqa: T201 - for the test
    elsewhere = sorted(one for one in found if not is_loopback(one))
    print(f"listening elsewhere: {', '.join(elsewhere) or 'none'}")  # noqa: T201 - the same


if __name__ == "__main__":
    main()
