"""Kills what writes files at random points, a thousand times, and looks what is left.

Run ``python -m bench.safety.random_kills --kills 1000 [--rows FILE]``. Each victim works in a
forked process that is killed by SIGKILL after a random time and is started again on what it left:

* run: a batch run and ``--resume``; in the end the rows are those of a run that nobody killed;
* crawl: a crawl and ``--resume``; what was recorded before stays recorded, and in the end each
  page of the site is visited once;
* learn: models saved over one another; the file is always one of them, whole, with its sample;
* teach: rules put into a site's file; each that was acknowledged is there, once;
* serve: a service that is sent site models; each that it accepted is there after its next start.

What a victim leaves is ended after each kill; of one kill in ten it must end by itself.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import itertools
import json
import os
import random
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from bench.lib.archive import Shape, write_archive
from bench.lib.kill_site import Web, site_pages
from bench.lib.orphans import adopt_orphans, end_orphans, end_with_parent
from bench.safety.kills import plan_for, rows_of
from chaffinch.corpus import run
from chaffinch.page import parse
from chaffinch.service.server import serve
from chaffinch.service.settings import ServiceSettings
from chaffinch.site import Site
from chaffinch.site.file import keep_rule, read_rules
from chaffinch.site.rules import Rule
from chaffinch.web import CrawlLimits, CrawlPlan, Politeness, crawl
from chaffinch.web.warc import Window, frames, read_record

_FASTER: Final = 0.05  # seconds in which the first kill of a round falls; later ones come later
_LATER: Final = 1.2
_STARTS: Final = 180.0  # seconds in which a service must answer, and orphans must have ended
_ORPHANS_END_EVERY: Final = 10  # kills
_kept: Final[set[int]] = set()  # processes that no kill may end
_kills: Final = itertools.count(1)


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
            break
        time.sleep(0.002)
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        look_for_orphans()
        return True
    return False


def look_for_orphans() -> None:
    """After a kill: end what the victim has left, or see it end."""
    must_end = not next(_kills) % _ORPHANS_END_EVERY
    left = end_orphans(_kept, patience=_STARTS if must_end else 0.0)
    require(not (must_end and left), f"{left} children outlived their parent")


def until_it_ends(dice: random.Random, work: Callable[[], object], look: Callable[[], None]) -> int:
    """Kill ``work`` ever later until it comes through; ``look`` after each; return the kills."""
    for killed, patience in enumerate(_FASTER * _LATER**number for number in itertools.count()):
        over = not killed_after(dice.uniform(0, patience), work)
        look()
        if over:
            return killed
    raise AssertionError


class Victims:
    """What is killed, in a folder.

    Args:
        folder: for all files.
        web: the site that is crawled.
    """

    def __init__(self, folder: Path, web: Web) -> None:
        self._folder, self._web = folder, web
        self._source = folder / "archive"
        write_archive(
            self._source, Shape(pages=80, files=4, hosts=4, large=0, has_perils=False, paragraphs=2)
        )
        run([str(self._source)], plan_for(folder / "wanted"), workers=2)
        self._rows = rows_of(folder / "wanted")
        pages = [parse(html, url=url) for url, html in site_pages(12)]
        self._models = [Site.learn(pages[:count], date="2026-01-01") for count in (4, 8, 12)]
        self._texts = [site.to_text() for site in self._models]

    def run(self, dice: random.Random, name: str) -> int:
        """Kill a batch run."""
        out = self._folder / name

        def work() -> None:
            run([str(self._source)], plan_for(out), workers=2, resume=(out / "run.json").exists())

        killed = until_it_ends(dice, work, lambda: None)
        require(rows_of(out) == self._rows, "other rows")
        return killed

    def crawl(self, dice: random.Random, name: str) -> int:
        """Kill a crawl."""
        out = self._folder / f"{name}.warc.gz"
        plan = CrawlPlan(
            urls=(f"{self._web.url}/",),
            limits=CrawlLimits(requests=10_000),
            politeness=Politeness(delay=0, per_host=4),
            allow=("127.0.0.1",),
        )
        seen: Counter[str] = Counter()

        def look() -> None:
            now = visited(out)
            require(not seen - now, "a visit that was recorded is gone")
            seen.update(now - seen)

        killed = until_it_ends(dice, lambda: crawl(plan, out, resume=True), look)
        pages = Counter(url.rpartition("/")[2] for url in seen.elements())
        require(pages == Counter({"": 1, **{f"{n}.html": 1 for n in range(self._web.count)}}),
                f"other visits: {pages}")  # fmt: skip
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

    def serve(self, dice: random.Random, name: str) -> int:
        """Kill a service that is sent models."""
        from bench.lib.kill_client import put_until_refused, versions  # noqa: PLC0415  after a fork

        data = self._folder / name
        accepted: dict[str, str] = {}
        killed = 0
        for number in range(4):
            ready, tell = os.pipe()

            def work(tell: int = tell) -> None:
                null = os.open(os.devnull, os.O_WRONLY)
                os.dup2(null, 2)
                settings = ServiceSettings(port=0, data=data, workers=1, serves_mcp=False)
                serve(settings, when_listening=lambda at: os.write(tell, at.encode() + b"\n"))

            child = os.fork()
            if not child:
                end_with_parent()
                work()
                os._exit(0)
            os.close(tell)
            url = os.read(ready, 200).decode().strip()
            os.close(ready)
            found = versions(url, _STARTS)
            lost = {one: tag for one, tag in accepted.items() if found.get(one) != tag}
            require(not lost, f"accepted and lost: {lost}")
            require(set(found) - set(accepted) <= {f"s{number - 1}-{n}" for n in range(999)}, "?")
            accepted = dict(found)
            kill = partial(os.kill, child, signal.SIGKILL)
            accepted |= put_until_refused(url, f"s{number}", self._texts, dice.uniform(0, 1), kill)
            os.waitpid(child, 0)
            look_for_orphans()
            killed += 1
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


def require(is_so: bool, problem: str) -> None:  # noqa: FBT001  what is required
    """Stop with what is wrong."""
    if not is_so:
        raise SystemExit(problem)


VICTIMS: Final = ("run", "crawl", "learn", "teach", "serve")


def main() -> None:
    """Kill until there are as many as wanted; stop at the first loss."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--kills", type=int, default=1000)
    options.add_argument("--seed", type=int, default=0, help="of the first round")
    options.add_argument("--victims", nargs="+", choices=VICTIMS, default=VICTIMS)
    options.add_argument("--rows", type=Path, help="add the counts to this file as JSON lines")
    chosen = options.parse_args()
    counts: Counter[str] = Counter()
    adopt_orphans()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        web = stack.enter_context(Web(40))
        _kept.add(web.process)
        stack.callback(end_orphans, _kept)
        victims = Victims(Path(folder), web)
        for number in itertools.count(chosen.seed):
            name = chosen.victims[number % len(chosen.victims)]
            dice = random.Random(number)  # noqa: S311 - no secrets
            count = getattr(victims, name)(dice, f"round-{number}")
            counts[name] += count
            print(f"round {number}: {name}, {count} killed, {counts.total()} in all", flush=True)
            if chosen.rows:
                with chosen.rows.open("a") as rows:
                    rows.write(json.dumps({"round": number, "victim": name, "kills": count}) + "\n")
            if counts.total() >= chosen.kills:
                break
    print(", ".join(f"{name} {count}" for name, count in counts.items()), "– nothing was lost")


if __name__ == "__main__":
    main()
