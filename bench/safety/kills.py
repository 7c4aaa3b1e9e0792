"""Kills what writes files at random points, a thousand times, and looks what is left.

Run ``python -m bench.safety.kills --kills 1000`` (``make soak`` does some, too). Each victim is
killed by SIGKILL after a random time and is started again on what it left:

* run: a run by its command and ``--resume``; in the end the rows are those of a run nobody killed;
* children: children of a run, one after the other; likewise;
* node: one of two Ray nodes; likewise (left out where Ray is missing);
* crawl: a crawl and ``--resume``; what was recorded before stays recorded, and in the end each
  page of the site is visited once;
* learn: models saved over one another; the file is always one of them, whole, with its sample;
* teach: rules put into a site's file; each that was acknowledged is there, once.

What a victim leaves is ended after each kill; of one kill in ten it must end by itself.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import io
import itertools
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import psutil
import pyarrow.parquet as pq

from bench.lib.archive import Shape, write_archive
from bench.lib.kill_site import Web, site_pages
from bench.lib.processes import adopt_orphans, end_orphans, end_with_parent
from chaffinch.corpus import PageLimits, Plan, Recipe, run
from chaffinch.page import parse
from chaffinch.site import Site
from chaffinch.site.file import keep_rule, read_rules
from chaffinch.site.rules import Rule
from chaffinch.web import CrawlLimits, CrawlPlan, Politeness, crawl
from chaffinch.web.warc import Window, frames, read_record

# Ray takes an address on loopback for the machine's own on its network, where nothing listens here,
# unless it is told that this machine is no part of a cluster beyond itself.
os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
os.environ.setdefault("RAY_raylet_start_wait_time_s", "300")  # on a machine that is busy
os.environ.setdefault("RAY_worker_niceness", "0")  # else workers wait for all that isn't nice

SHAPE: Final = Shape(pages=400, files=8, hosts=12, large=0, has_perils=False, paragraphs=4)
METHOD: Final = "block_density"
COLUMNS: Final = (
    "file", "offset", "url", "host", "status", "language", "page_type", "title", "authors",
    "text", "markdown", "score", "confidence", "template", "method", "error", "error_detail",
    "truncated",
)  # fmt: skip
_FASTER: Final = 0.05  # seconds in which the first kill of a round falls; later ones come later
_LATER: Final = 1.2
_STARTS: Final = 180.0  # seconds in which a service must answer, and orphans must have ended
_ORPHANS_END_EVERY: Final = 10  # kills
_kept: Final[set[int]] = set()  # processes that no kill may end
_kills: Final = itertools.count(1)


# Runs.


def rows_of(out: Path) -> Counter[str]:
    """Return how often each row stands in the pages of a run."""
    rows: Counter[str] = Counter()
    for path in sorted(out.glob("pages/*/*.parquet")):
        rows.update(repr(row) for row in pq.ParquetFile(path).read(COLUMNS).to_pylist())
    return rows


def plan_for(out: Path, **others: Any) -> Plan:
    """Return the plan of the runs that are killed."""
    return Plan(out=str(out), buckets=4, recipe=Recipe(method=METHOD), **others)


def perilous_plan(out: Path) -> Plan:
    """Return the plan of runs over an archive that does harm."""
    limits = PageLimits(wall=8, cpu=300, memory=400)
    return plan_for(out, extractor="bench.lib.perils:Perilous", limits=limits)


def kill_run(source: Path, out: Path, dice: random.Random) -> int:
    """Kill -9 runs until one comes through; return how many were killed."""
    command = [
        sys.executable, "-m", "chaffinch", "run", str(source), "--output", str(out), "--method",
        METHOD, "--buckets", "4", "--workers", "2",
    ]  # fmt: skip
    killed, patience = 0, 1.0
    while True:
        more = ["--resume"] if (out / "run.json").exists() else []
        process = subprocess.Popen(
            [*command, *more], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        try:
            _, errors = process.communicate(timeout=dice.uniform(0, patience))
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            killed += 1
            patience *= 1.5  # so that slow machines come to the later points, too, and to an end
            continue
        if process.returncode:
            raise RuntimeError(errors.decode())
        return killed


def kill_children(source: Path, out: Path, dice: random.Random, *, most: int = 5) -> int:
    """Kill -9 children of a run, one after the other; return how many were killed."""
    killed: list[int] = []

    def kill(is_over: threading.Event) -> None:
        while len(killed) < most and not is_over.wait(dice.uniform(0.05, 0.5)):
            for child in psutil.Process().children():
                with contextlib.suppress(psutil.Error):
                    if "chaffinch.workers.child" in child.cmdline():
                        child.kill()
                        killed.append(child.pid)
                        break

    with _assassin(kill):
        run([str(source)], plan_for(out), workers=2)
    return len(killed)


def kill_node(source: Path, out: Path, dice: random.Random) -> int:
    """Kill one of two Ray nodes on this machine while both work; return 1 if it was in time."""
    from ray.cluster_utils import Cluster  # noqa: PLC0415 - an extra

    node: dict[str, Any] = {
        "num_cpus": 1,
        "node_ip_address": "127.0.0.1",
        "object_store_memory": 100 << 20,
    }
    cluster = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    second = cluster.add_node(**node)
    in_time: list[int] = []

    def kill(is_over: threading.Event) -> None:
        while not any(out.glob("done/*")) and not is_over.wait(0.05):
            pass
        if not is_over.wait(dice.uniform(0, 0.5)):
            for processes in second.all_processes.values():
                for one in processes:
                    one.process.send_signal(signal.SIGKILL)
            in_time.append(1)

    try:
        with _assassin(kill):
            run([str(source)], plan_for(out), engine="ray", address=cluster.address)
    finally:
        cluster.shutdown()  # type: ignore[no-untyped-call]  # ray has none
    return len(in_time)


@contextlib.contextmanager
def _assassin(kill: Callable[[threading.Event], None]) -> Any:
    """Have a thread kill while the block runs; it is told when that is over."""
    is_over = threading.Event()
    thread = threading.Thread(target=kill, args=(is_over,))
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()


# Everything else.


def killed_after(seconds: float, work: Callable[[], object]) -> bool:
    """Do ``work`` in a forked process; return whether it was killed after ``seconds``."""
    child = os.fork()
    if not child:
        try:
            end_with_parent()
            work()
        except BaseException:  # noqa: BLE001  whatever it is, the parent is told
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        gone, status = os.waitpid(child, os.WNOHANG)
        if gone:
            require(not status, "it failed by itself, as it says above")
            return False
        time.sleep(0.002)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    look_for_orphans()
    return True


def look_for_orphans() -> None:
    """After a kill: end what the victim has left, or see it end."""
    must_end = not next(_kills) % _ORPHANS_END_EVERY
    left = end_orphans(_kept, patience=_STARTS if must_end else 0.0)
    require(not (must_end and left), f"{left} children outlived their parent")


def require(is_so: bool, problem: str) -> None:  # noqa: FBT001  what is required
    """Stop with what is wrong."""
    if not is_so:
        raise SystemExit(problem)


class Victims:
    """What is killed, in a folder.

    Args:
        folder: for all files.
        web: the site that is crawled.
    """

    def __init__(self, folder: Path, web: Web) -> None:
        self._folder, self._web = folder, web
        self._source = folder / "archive"
        write_archive(self._source, SHAPE)
        run([str(self._source)], plan_for(folder / "wanted"), workers=2)
        self._rows = rows_of(folder / "wanted")
        pages = [parse(html, url=url) for url, html in site_pages(12)]
        self._models = [Site.learn(pages[:count], date="2026-01-01") for count in (4, 8, 12)]
        self._texts = [site.to_text() for site in self._models]

    def run(self, dice: random.Random, name: str, kill: Any = kill_run) -> int:
        """Kill a run in one of three ways."""
        out = self._folder / name
        killed: int = kill(self._source, out, dice)
        look_for_orphans()
        require(rows_of(out) == self._rows, "other rows")
        return killed

    def children(self, dice: random.Random, name: str) -> int:
        """Kill children of a run."""
        return self.run(dice, name, kill_children)

    def node(self, dice: random.Random, name: str) -> int:
        """Kill a Ray node of a run."""
        return self.run(dice, name, kill_node)

    def crawl(self, dice: random.Random, name: str) -> int:
        """Kill a crawl ever later until it comes through."""
        out = self._folder / f"{name}.warc.gz"
        plan = CrawlPlan(
            urls=(f"{self._web.url}/",),
            limits=CrawlLimits(requests=10_000),
            politeness=Politeness(delay=0, per_host=4),
            allow=("127.0.0.1",),
        )
        seen: Counter[str] = Counter()
        for killed in itertools.count():
            patience = dice.uniform(0, _FASTER * _LATER**killed)
            is_over = not killed_after(patience, lambda: crawl(plan, out, resume=True))
            now = visited(out)
            require(not seen - now, "a visit that was recorded is gone")
            seen.update(now - seen)
            if is_over:
                break
        pages = Counter(url.rpartition("/")[2] for url in seen.elements())
        wanted = Counter({"": 1, **{f"{n}.html": 1 for n in range(self._web.count)}})
        require(pages == wanted, f"other visits: {pages}")
        return killed

    def learn(self, dice: random.Random, name: str) -> int:
        """Kill what saves models over one another."""
        path = self._folder / name
        self._models[0].save(path)

        def work() -> None:
            for site in itertools.cycle(self._models):
                site.save(path)

        killed = sum(killed_after(dice.uniform(0, 0.3), work) for _ in range(20))
        for leftover in path.glob("*.part"):
            leftover.unlink()
        site = Site.load(path)
        require(read_rules(path) in self._texts, "rules that nobody saved")
        require(site.statistics is not None, "a model without its sample")
        return killed

    def teach(self, dice: random.Random, name: str) -> int:
        """Kill what puts rules into a site's file."""
        path, told = self._folder / name, self._folder / f"{name}.told"
        self._models[0].save(path)
        told.touch()

        def work(attempt: int) -> None:
            with told.open("a", buffering=1) as done:
                for number in itertools.count():
                    rule = Rule(kind="drop", select=f"p.k{attempt}-{number}", by_hand=True)
                    keep_rule(path, rule)
                    done.write(f"{rule.select}\n")

        killed = sum(killed_after(dice.uniform(0, 0.3), partial(work, n)) for n in range(10))
        rules = Counter(rule.select for rule in Site.load(path).rules)
        accepted = told.read_text().splitlines()
        require(all(rules[one] == 1 for one in accepted), "a rule that was kept is gone")
        return killed


def visited(path: Path) -> Counter[str]:
    """Return the addresses of the whole metadata records of an archive."""
    found: Counter[str] = Counter()
    if path.exists():
        for frame in frames(Window(io.BytesIO(path.read_bytes()))):
            record = read_record(frame.data)
            if record.headers["WARC-Type"] == "metadata":
                record.reader.read()
                found[record.headers["WARC-Target-URI"]] += 1
    return found


def main() -> None:
    """Kill until there are as many as wanted; stop at the first loss."""
    victims = ["run", "children", "crawl", "learn", "teach"]
    victims += ["node"] if importlib.util.find_spec("ray") else []
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--kills", type=int, default=1000)
    options.add_argument("--seed", type=int, default=0, help="of the first round")
    options.add_argument("--victims", nargs="+", choices=victims, default=victims)
    chosen = options.parse_args()
    counts: Counter[str] = Counter()
    adopt_orphans()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        web = stack.enter_context(Web(40))
        _kept.add(web.process)
        stack.callback(end_orphans, _kept)
        found = Victims(Path(folder), web)
        for number in itertools.count(chosen.seed):
            name = chosen.victims[number % len(chosen.victims)]
            count = getattr(found, name)(random.Random(number), f"round-{number}")  # noqa: S311
            counts[name] += count
            print(f"round {number}: {name}, {count} killed, {counts.total()} in all", flush=True)
            if counts.total() >= chosen.kills:
                break
    print(", ".join(f"{name} {count}" for name, count in counts.items()), "– nothing was lost")


if __name__ == "__main__":
    main()
