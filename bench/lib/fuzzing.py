"""Makes hostile pages, tries them, and keeps those that are worth it: one worker of fuzzing.

Whatever a page is, it is parsed, extracted and written, or refused by a `PageError` or a
`SetupError`. Anything else is a finding: another error, text that can't be written, an output a
hundred times as long as its page, time or memory out of proportion.
"""

from __future__ import annotations

import gc
import hashlib
import json
import random
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from io import FileIO
from pathlib import Path
from random import Random
from types import CodeType, FrameType
from typing import Any, Final, NamedTuple, Self

import chaffinch
from bench.lib.hostile_grammar import PACKAGE, Grammar, cut, mutated
from bench.lib.hostile_outputs import COMPARED, OUTPUTS, Subject
from bench.lib.processes import forget_peak, resident
from chaffinch.extraction.extracted import Extract

PATIENCE: Final = 60.0
"""Processor seconds for one page, from where on it hangs."""
SLOW: Final = 0.25, 250e-6
"""Processor seconds of one output that aren't a finding: for any page, and more for each byte."""
LARGE: Final = 48 << 20, 8 << 10
"""Bytes resident beyond those before that aren't a finding: for any page, and for each byte."""
LONG: Final = 50_000, 800
"""Characters of one output that aren't a finding: for any page, and for each byte.

The least block (``<p>a``) takes four bytes, and JSON names it by a selector and an XPath of up to
100 steps each, together some 3,000 characters (`chaffinch.page.selectors.css_of_each`).
"""
_SHARE: Final = 20
_SITES_EVERY: Final = 3  # of brief rounds: outputs that read three pages take a quarter of the time


class Finding(NamedTuple):
    """Something wrong.

    Attributes:
        stage: what was done to the page; one of `OUTPUTS`, or "extract".
        what: the error, or what is out of proportion.
        where: the innermost place in the library, ``file:function``; "" for none.
        trace: lines of the traceback.
    """

    stage: str
    what: str
    where: str = ""
    trace: str = ""

    @property
    def name(self) -> str:
        """What findings of one cause share."""
        return f"{self.stage}|{self.what.split(':')[0]}|{self.where}"


class Outcome(NamedTuple):
    """What became of a page: findings, seconds by stage, bytes of memory, if it was refused."""

    findings: list[Finding]
    seconds: dict[str, float]
    memory: int
    refused: bool


class HangError(BaseException):
    """A page took more than `PATIENCE`; no handler of the library is meant to catch it."""


class _Shared(Subject):
    """A page of which all outputs are made by one extraction."""

    @cached_property
    def whole(self) -> Extract:  # kept, where the other makes it anew
        return super().whole


class Trial:
    """Tries pages, one after the other.

    Args:
        brief: make every twentieth output of each page, others of the next, and judge no costs.
    """

    def __init__(self, *, brief: bool = False) -> None:
        self._share = _SHARE if brief else 1
        self._brief = brief
        self._number = 0

    def run(self, html: bytes) -> Outcome:
        """Do all to a page, and return what became of it."""
        self._number += 1
        return self.glance(html, self._stages())

    def glance(self, html: bytes, stages: list[str]) -> Outcome:
        """Make some outputs of a page, and return what became of it."""
        findings: list[Finding] = []
        seconds: dict[str, float] = {}
        forget_peak()
        before = resident("VmRSS:")
        refused = False
        with _patience():
            try:
                refused = not _outputs(html, stages, findings, seconds)
            except HangError as error:
                findings.append(_finding_of("hang", error))
        more = resident("VmHWM:") - before
        if self._brief:
            findings = [one for one in findings if not one.what.startswith("slow")]
        elif more > LARGE[0] + LARGE[1] * len(html):
            findings.append(Finding("memory", f"large: {more >> 20} MB of {len(html)} bytes"))
        return Outcome(findings, seconds, max(more, 0), refused)

    def _stages(self) -> list[str]:
        """Return the outputs that are made of this page; all have their turn."""
        stages = [one for one in OUTPUTS if one != "parse"]
        round_, shift = divmod(self._number, self._share)
        if self._brief and round_ % _SITES_EVERY:
            stages = [one for one in stages if one not in COMPARED]
        return stages[shift :: self._share]


def _outputs(
    html: bytes, stages: list[str], findings: list[Finding], seconds: dict[str, float]
) -> bool:
    """Make some outputs of a page; return whether there was one."""
    start = time.thread_time()
    try:
        subject = _Shared(html)
    except (chaffinch.PageError, chaffinch.SetupError):
        return False
    except Exception as error:  # noqa: BLE001  any error is a finding
        findings.append(_finding_of("parse", error))
        return False
    seconds["parse"] = time.thread_time() - start
    for stage in stages:
        start = time.thread_time()
        try:
            made = OUTPUTS[stage](subject)
        except (chaffinch.PageError, chaffinch.SetupError):
            continue
        except Exception as error:  # noqa: BLE001  any other error is a finding
            findings.append(_finding_of(stage, error))
            continue
        seconds[stage] = time.thread_time() - start
        if seconds[stage] > SLOW[0] + SLOW[1] * len(html):
            took = f"slow: {seconds[stage]:.2f} s of {len(html)} bytes"
            findings.append(Finding(stage, took))
        findings += _unwritable(stage, made, len(html))
    return True


def _unwritable(stage: str, made: Any, size: int) -> Iterator[Finding]:
    """Yield what is wrong with the texts of an output."""
    for text in made if isinstance(made, list) else [made]:
        if not isinstance(text, str):
            continue
        if "\x00" in text:
            yield Finding(stage, "a NUL")
        try:
            text.encode()
        except UnicodeEncodeError as error:
            yield _finding_of(stage, error)
        if len(text) > LONG[0] + LONG[1] * size:
            yield Finding(stage, f"long: {len(text)} characters of {size} bytes")


def _finding_of(stage: str, error: BaseException) -> Finding:
    where = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if frame.filename.startswith(str(PACKAGE)):
            where = f"{frame.filename.removeprefix(f'{PACKAGE}/')}:{frame.name}"
    lines = "".join(traceback.format_exception(error)[-8:])
    return Finding(stage, f"{type(error).__name__}: {str(error)[:200]}", where, lines)


@contextmanager
def _patience() -> Iterator[None]:
    def give_up(_signal: int, _frame: FrameType | None) -> None:
        raise HangError(f"more than {PATIENCE} s")

    signal.signal(signal.SIGPROF, give_up)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


_MOST_PAGES: Final = 4_000
"""Pages that led elsewhere; later ones take the place of others."""


class Store:
    """The folder of one worker.

    Attributes:
        pages: those that led elsewhere.
        counts: pages tried, refused, … by name.
        dearest: of each output, the most seconds a byte (1,000 bytes added) and the page's file.
        seen: steps of the source that pages have made.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("pages", "findings", "dearest"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        self.pages = [path.read_bytes() for path in sorted((folder / "pages").iterdir())]
        state: dict[str, Any] = _read(folder / "state.json")
        self.counts: dict[str, int] = state.get("counts", {})
        self.dearest: dict[str, float] = state.get("dearest", {})
        self.seen: set[str] = set(state.get("seen", []))
        self.findings: dict[str, dict[str, Any]] = _read(folder / "findings.json")

    def count(self, name: str, more: int = 1) -> None:
        """Add to a count."""
        self.counts[name] = self.counts.get(name, 0) + more

    def begin(self, html: bytes) -> None:
        """Note a page before it is tried: what ends the process leaves it there."""
        self._current.seek(0)
        self._current.write(html)
        self._current.truncate()

    @cached_property
    def _current(self) -> FileIO:  # one file, for the folder of a new one is dear
        return FileIO(self.folder / "current.html", "w")

    def keep(self, html: bytes) -> None:
        """Keep a page that led elsewhere."""
        if len(self.pages) >= _MOST_PAGES:
            return
        self.pages.append(html)
        (self.folder / "pages" / f"{_name(html)}.html").write_bytes(html)

    def find(self, finding: Finding, html: bytes) -> None:
        """Keep a finding, with the shortest page that shows it."""
        known = self.findings.get(finding.name)
        name = hashlib.sha256(finding.name.encode()).hexdigest()[:12]
        if known is None or len(html) < known["bytes"]:
            (self.folder / "findings" / f"{name}.html").write_bytes(html)
            known = {**finding._asdict(), "times": (known or {"times": 0})["times"],
                     "bytes": len(html), "page": f"{name}.html"}  # fmt: skip
            self.findings[finding.name] = known
        known["times"] += 1
        _write(self.folder / "findings.json", self.findings)

    def weigh(self, seconds: dict[str, float], memory: int, html: bytes) -> bool:
        """Keep a page that costs an output more than all before; return whether it does by half."""
        is_dear = False
        for output, cost in (seconds | {"memory": memory / 1e6}).items():
            by_byte = cost / (len(html) + 1000)
            before = self.dearest.get(output, 0.0)
            if by_byte > before:
                self.dearest[output] = by_byte
                (self.folder / "dearest" / f"{output}.html").write_bytes(html)
                is_dear |= by_byte > 1.5 * before
        return is_dear

    def save(self) -> None:
        """Write counts, so that a later run goes on here."""
        state = {"counts": self.counts, "dearest": self.dearest, "seen": sorted(self.seen)}
        _write(self.folder / "state.json", state)


def stores(folder: Path) -> list[Store]:
    """Return what all workers of a run kept."""
    return [Store(path) for path in sorted(folder.glob("worker-*"))]


def _name(html: bytes) -> str:
    return hashlib.sha256(html).hexdigest()[:16]


def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return found


def _write(path: Path, made: dict[str, Any]) -> None:
    new = path.with_suffix(".new")
    new.write_text(json.dumps(made), encoding="utf-8")
    Path.replace(new, path)


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


_WATCHED: Final = 3  # calls of one function while one page is made something of
_PATIENCE: Final = 60  # watched calls without news, from where on only some are watched
_SELDOM: Final = 16  # pages, of which one watches such a function


class LineCoverage:
    """Watches the functions of a package within ``with``; `seen` holds the steps of all times."""

    def __init__(self, package: Path, seen: Iterable[str] = ()) -> None:
        self.seen = set(seen)
        self.new = 0
        self._root = f"{package}/"
        self._pages = 0
        self._calls: Counter[CodeType] = Counter()
        self._quiet: Counter[CodeType] = Counter()
        self._steps: set[tuple[CodeType, int, int]] = set()

    def __enter__(self) -> Self:
        """Begin a page: `new` counts its steps that no page before it made."""
        self._pages += 1
        self.new = 0
        self._calls.clear()
        sys.settrace(self._called)
        return self

    def __exit__(self, *error: object) -> None:
        sys.settrace(None)

    def _called(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        code = frame.f_code
        calls = self._calls
        calls[code] += 1
        if calls[code] > _WATCHED or not code.co_filename.startswith(self._root):
            return None
        if self._quiet[code] > _PATIENCE and (self._pages + code.co_firstlineno) % _SELDOM:
            return None
        self._quiet[code] += 1
        before, steps = frame.f_lineno, self._steps

        def went(frame: FrameType, event: str, _argument: Any) -> Any:
            nonlocal before
            if event == "line":
                step = (code, before, frame.f_lineno)
                before = frame.f_lineno
                if step not in steps:
                    steps.add(step)
                    self._quiet[code] = 0
                    self._note(step)
            return went

        return went

    def _note(self, step: tuple[CodeType, int, int]) -> None:
        code, before, line = step
        name = f"{code.co_filename.removeprefix(self._root)}:{before}-{line}"
        if name not in self.seen:
            self.seen.add(name)
            self.new += 1


LANES: Final = {
    "whole": "all outputs of each page",
    "fast": "a method and three outputs of most pages",
    "growth": "units within open tags, repeated at growing sizes",
    "brief": "small pages, a twentieth of the outputs",
}
"""What is done to a page."""
_LARGEST: Final = 6_000
_LARGEST_BRIEF: Final = 600
_PUMPED_EVERY: Final = {"whole": 50, "fast": 2_000, "growth": 1, "brief": 0}
_COVERED_EVERY: Final = {"whole": 2, "fast": 4, "growth": 1, "brief": 6}
_GLANCES: Final = 3
_OF_ONE_PAGE: Final = tuple(one for one in OUTPUTS if one != "parse" and one not in COMPARED)
_METHODS: Final = tuple(one for one in _OF_ONE_PAGE if one.startswith("method "))
_DEFAULT: Final = "method learned"
_WRITTEN: Final = tuple(one for one in _OF_ONE_PAGE if one not in _METHODS)
_SAVED_EVERY: Final = 500


class Fuzzer:
    """One worker: makes pages, tries them, keeps what is worth it.

    Args:
        store: where all is kept.
        seed: of the random numbers.
        labelled: pages that are changed.
        lane: one of `LANES`.
    """

    def __init__(self, store: Store, seed: int, labelled: list[bytes], lane: str) -> None:
        self.store = store
        self.lane = lane
        self.random = random.Random(seed)  # noqa: S311  no secrets
        self.grammar = Grammar(self.random)
        self.trial = Trial(brief=lane == "brief")
        self.most_bytes = _LARGEST_BRIEF if lane == "brief" else _LARGEST
        self.coverage = LineCoverage(PACKAGE)
        self.coverage.seen = store.seen
        self.labelled = labelled

    def run(self, pages: int) -> None:
        """Try so many more pages."""
        until = self.store.counts.get("pages", 0) + pages
        while self.store.counts.get("pages", 0) < until:
            pumped_every = _PUMPED_EVERY[self.lane]
            if pumped_every and not self.random.randrange(pumped_every):
                self._pumped()
            else:
                self._one()
            if self.store.counts["pages"] % _SAVED_EVERY == 0:
                self.store.save()
        self.store.save()

    def _one(self) -> None:
        html = self._made()
        self.store.begin(html)
        is_new, is_fast = False, self.lane == "fast"
        try_ = self._glanced if is_fast else self.trial.run
        if self.random.randrange(_COVERED_EVERY[self.lane]):
            outcome = try_(html)
        else:
            with self.coverage:
                outcome = try_(html)
            is_new = self.coverage.new > 0
            outcome = outcome._replace(seconds={})  # of watching, too
        is_kept = self._note(html, outcome, is_new=is_new)
        if is_fast and is_kept:
            whole = self.trial.run(html)
            self._judge(html, whole)
        self.store.count("through all outputs", int(is_kept or not is_fast))

    def _glanced(self, html: bytes) -> Outcome:
        return self.trial.glance(html, self._few())

    def _few(self) -> list[str]:
        return [self.random.choice(_METHODS), *self.random.sample(_WRITTEN, _GLANCES)]

    def _pumped(self) -> None:
        is_all = self.lane != "growth"
        parts = self._unit() if is_all else unit_in_context(self.grammar, self.random)
        stages = [_DEFAULT, *self._few()]
        run = self.trial.run if is_all else lambda page: self.trial.glance(page, stages)
        self.store.begin(repr(parts).encode())
        for html, outcome in growth(run, parts):
            self.store.count("pumped")
            self.store.count("through all outputs", int(is_all))
            self._note(html, outcome, is_new=False)

    def _unit(self) -> tuple[bytes, bytes, bytes]:
        pool = self.store.pages if self.store.pages and self.random.random() < 0.6 else []
        page = self.random.choice(pool) if pool else self.grammar.page(self.random.randint(1, 4))
        return unit(page, self.random)

    def _made(self) -> bytes:
        dice, chosen = self.random, self.random.random()
        if chosen < 0.4 and self.store.pages:
            self.store.count("kept pages changed")
            return mutated(self.store.pages, self._piece, dice)[: self.most_bytes]
        if chosen < 0.6 and self.labelled:
            self.store.count("labelled pages changed")
            stretches = [cut(dice.choice(self.labelled), dice, self.most_bytes) for _ in range(2)]
            return mutated(stretches, self._piece, dice)[: 2 * self.most_bytes]
        self.store.count("grammar")
        return self.grammar.page(dice.choice([1, 2, 4, 8, 15]))[: 2 * self.most_bytes]

    def _piece(self) -> bytes:
        return self.grammar.piece().encode("utf-8", "surrogatepass")

    def _note(self, html: bytes, outcome: Outcome, *, is_new: bool) -> bool:
        """Count a page, keep what is worth it; return whether it is."""
        store = self.store
        store.count("pages")
        store.count("bytes", len(html))
        store.count("refused", int(outcome.refused))
        is_kept = self._judge(html, outcome) or is_new
        if is_kept:
            store.count("led elsewhere", int(is_new))
            store.keep(html)
        return is_kept

    def _judge(self, html: bytes, outcome: Outcome) -> bool:
        """Note findings and costs; return whether the page is dear."""
        for finding in outcome.findings:
            self.store.count("findings")
            self.store.find(finding, html)
        return self.store.weigh(outcome.seconds, outcome.memory, html)
