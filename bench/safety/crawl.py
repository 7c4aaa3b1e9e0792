"""A crawl of the example web, checked against the server's own log.

Serves the web on loopback in a process of its own, crawls five hosts of about 5,200 pages by the
command line, once in one go and once with kills (SIGKILL) and resumes in between, and checks:
nothing was requested that robots.txt forbids or that is of another host; the rate of requests to a
host is kept; no address is in the file twice, or asked for twice but those on the line when a
kill came; both files hold the same records. Then the hosts where things go wrong: every failure is
in the report, traps end, nobody asks for what nobody may ask for.

    python -m bench.safety.crawl [--pages N] [--kills 3] [--delay 0.005] [--only post.test]
"""

from __future__ import annotations

import argparse
import json
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, deque
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from fastwarc.warc import ArchiveIterator, WarcRecordType

from bench import ROOT
from web_maker.faults import HOPELESS

if TYPE_CHECKING:
    from collections.abc import Iterator

READING = ("post.test", "zh.post.test", "shop.test", "forum.test", "docs.test")
TROUBLE = ("slow.test", "faulty.test", "trap.test", "opted.test")
PER_HOST = 4
FORBIDDEN = re.compile(
    r"(zh\.)?post\.test/(authors/|search\.html|.*[?&]print=)|shop\.test/basket\.html"
    r"|forum\.test/member/|docs\.test/edit/|slow\.test/hidden/|faulty\.test/never/"
    r"|opted\.test/nobirds/|inner\.test|tracker\.test|127\.0\.0\.1"
)
"""Host and target of what may not be requested."""


class Web:
    """The example web, served by another process."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "log.jsonl"
        command = [sys.executable, "examples/serve_web.py", "--port", "0", "--log", str(self.log)]
        self.process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None  # noqa: S101 for the types
        self.port = int(self.process.stdout.readline().rpartition(":")[2])

    def __enter__(self) -> Web:  # noqa: PYI034 no library
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait()

    def requests(self, since: int = 0) -> list[dict[str, Any]]:
        """Return the log from a line on."""
        return [json.loads(line) for line in self.log.read_text().splitlines()[since:]]


def command(web: Web, hosts: list[str], out: Path, options: list[str]) -> list[str]:
    """Return the command that crawls hosts."""
    urls = [f"http://{host}:{web.port}/" for host in hosts]
    resolved = [one for host in hosts for one in ("--resolve", f"{host}=127.0.0.1")]
    allowed = [one for host in hosts for one in ("--allow-host", host)]
    start = [sys.executable, "-m", "chaffinch", "crawl", *urls, "--output", str(out)]
    return [*start, *resolved, *allowed, "--back-off", "0.05", *options]


def records(path: Path) -> Iterator[tuple[str, str, str]]:
    """Yield (type, address, digest of the payload) of the records of a WARC file, by FastWARC.

    A revisit counts as a response: which of two equal pages comes first is up to the line.
    """
    with path.open("rb") as file:
        for record in ArchiveIterator(file):
            kind = record.headers["WARC-Type"]
            if kind in ("response", "revisit", "metadata"):
                digest = record.headers.get("WARC-Payload-Digest") or ""
                shown = "" if kind == "metadata" else digest
                kind = kind.replace("revisit", "response")
                yield kind, record.headers["WARC-Target-URI"], shown


def rates(log: list[dict[str, Any]]) -> dict[str, int]:
    """Return host → most requests that arrived within any second."""
    most: Counter[str] = Counter()
    recent: dict[str, deque[float]] = {}
    for line in log:
        seen = recent.setdefault(line["host"], deque())
        seen.append(line["time"])
        while seen[0] <= line["time"] - 1:
            seen.popleft()
        most[line["host"]] = max(most[line["host"]], len(seen))
    return most


def report(name: str, *, holds: bool, detail: object = "") -> bool:
    """Print a check."""
    print(f"  {'ok  ' if holds else 'FAIL'} {name} {detail}", flush=True)
    return holds


def once(web: Web, hosts: list[str], out: Path, options: list[str], delay: float) -> bool:
    """Crawl in one go and check the log."""
    began = time.monotonic()
    done = subprocess.run(
        command(web, hosts, out, options), capture_output=True, text=True, check=False
    )
    seconds = time.monotonic() - began
    log = web.requests()
    print(done.stdout.splitlines()[0], f"in {seconds:.0f} s; {out.stat().st_size:,} bytes")
    found = Counter(url for kind, url, _ in records(out) if kind == "metadata")
    asked = Counter(f"{line['host']}{line['target']}" for line in log)
    wrong = [one for one in asked if FORBIDDEN.match(one)]
    # Requests that were begun in time may arrive late and close to the next: those on the line.
    fast = {host: rate for host, rate in rates(log).items() if rate > 1 / delay + 2 * PER_HOST}
    agents = {line["headers"].get("user-agent", "") for line in log}
    return all(
        [
            report("it ended well", holds=_is_well(done), detail=done.stderr[-300:]),
            report("nothing forbidden was requested", holds=not wrong, detail=wrong[:5]),
            report("nothing was requested twice", holds=max(asked.values()) == 1),
            report("nothing is in the file twice", holds=max(found.values()) == 1),
            report("the rate is kept", holds=not fast, detail=dict(rates(log))),
            report("no cookies", holds=not any("cookie" in line["headers"] for line in log)),
            report("who asks says so", holds=all("Chaffinch/" in one for one in agents)),
        ]
    )


def with_kills(
    web: Web, hosts: list[str], paths: tuple[Path, Path], options: list[str], kills: int
) -> bool:
    """Crawl again with kills in between, and compare the files."""
    whole, out = paths
    before = len(web.requests())
    full = sum(1 for kind, _, _ in records(whole) if kind == "metadata")
    on_line = 0
    for kill in range(kills):
        size = whole.stat().st_size * (kill + 1) // (kills + 1)
        process = subprocess.Popen(
            command(web, hosts, out, [*options, "--resume"]), stdout=subprocess.DEVNULL
        )
        while process.poll() is None and not (out.exists() and out.stat().st_size >= size):
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
        on_line += 16
    done = subprocess.run(
        command(web, hosts, out, [*options, "--resume"]),
        capture_output=True,
        text=True,
        check=False,
    )
    log = web.requests(before)
    asked = Counter(
        f"{line['host']}{line['target']}" for line in log if not _is_rule(line["target"])
    )
    twice = sum(count - 1 for count in asked.values())
    one, other = Counter(records(whole)), Counter(records(out))
    return all(
        [
            report("it ended well", holds=_is_well(done), detail=done.stderr[-300:]),
            report("twice asked", holds=twice <= on_line, detail=f"{twice} after {kills} kills"),
            report("same records", holds=one == other, detail=f"{full:,} visits"),
            report("no record is there twice", holds=max(other.values()) == 1),
        ]
    )


def _is_well(done: subprocess.CompletedProcess[str]) -> bool:
    """Tell whether a crawl came to its end; 1 says that some page failed, such as dead links."""
    return done.returncode in (0, 1) and not done.stderr


def _is_rule(target: str) -> bool:
    """Tell whether a target is requested once a run."""
    return urlsplit(target).path in ("/robots.txt", "/.well-known/tdmrep.json")


def trouble(web: Web, out: Path) -> bool:
    """Crawl where things go wrong."""
    before = len(web.requests())
    options = ["--delay", "0", "--timeout", "5", "--max-size", "4", "--retries", "2"]
    done = subprocess.run(
        command(web, list(TROUBLE), out, options), capture_output=True, text=True, check=False
    )
    log = web.requests(before)
    failed = dict(re.findall(r"^failed: (\S+): (.*)$", _all_problems(out), re.MULTILINE))
    missing = [path for path in HOPELESS if f"http://faulty.test:{web.port}{path}" not in failed]
    asked = Counter(f"{line['host']}{line['target']}" for line in log)
    wrong = [one for one in asked if FORBIDDEN.match(one)]
    times = [line["time"] for line in log if line["host"] == "slow.test"]
    nearest = min(b - a for a, b in pairwise(times))
    traps = sum(1 for line in log if line["host"] == "trap.test")
    print(done.stdout.splitlines()[0])
    return all(
        [
            report("it ended by itself", holds=done.returncode == 1, detail=done.stderr[-300:]),
            report("every failure is reported", holds=not missing, detail=missing),
            report("nothing forbidden was requested", holds=not wrong, detail=wrong[:5]),
            report("Crawl-delay is kept", holds=nearest > 0.4, detail=f"{nearest:.2f} of 0.5 s"),
            report("traps end", holds=traps < 1000, detail=f"after {traps} requests"),
        ]
    )


def _all_problems(out: Path) -> str:
    """Return the failures that the file holds, and the redirects, which may lead nowhere."""
    lines = []
    with out.open("rb") as file:
        for record in ArchiveIterator(file, record_types=WarcRecordType.metadata):
            fields = record.reader.read().decode()
            url = record.headers["WARC-Target-URI"]
            kind = re.search(r"^kind: (.*?)\r$", fields, re.MULTILINE)
            reason = re.search(r"^reason: (.*?)\r$", fields, re.MULTILINE)
            if kind and kind[1] in ("failed", "redirect"):
                lines.append(f"failed: {url}: {reason[1] if reason else 'redirect'}")
    return "\n".join(lines)


def main() -> None:
    """Crawl and check; exit code 1 where a check fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, help="pages at most, in all")
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--delay", type=float, default=0.01)
    parser.add_argument("--only", action="append", help="hosts to read; default: all five")
    chosen = parser.parse_args()
    hosts = chosen.only or list(READING)
    options = ["--delay", str(chosen.delay), "--per-host", str(PER_HOST), "--at-once", "16"]
    options += ["--pages", str(chosen.pages)] if chosen.pages else []
    with tempfile.TemporaryDirectory() as place, Web(Path(place)) as web:
        whole, parts = Path(place, "whole.warc.gz"), Path(place, "parts.warc.gz")
        good = once(web, hosts, whole, options, chosen.delay)
        if chosen.kills and not chosen.pages:  # which pages come first is up to the line
            print(f"again, with {chosen.kills} kills")
            good &= with_kills(web, hosts, (whole, parts), options, chosen.kills)
        print(", ".join(TROUBLE))
        good &= trouble(web, Path(place, "trouble.warc.gz"))
    raise SystemExit(0 if good else 1)


if __name__ == "__main__":
    main()
