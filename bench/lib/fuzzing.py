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
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from random import Random
from types import CodeType, FrameType
from typing import Any, Final, NamedTuple, Self

import chaffinch
from bench.lib.hostile_grammar import PACKAGE, Grammar, cut, mutated
from bench.lib.hostile_outputs import COMPARED, OUTPUTS, PARSING, Subject
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
STAGES: Final = tuple(one for one in OUTPUTS if one != PARSING)
_OF_ONE_PAGE: Final = tuple(one for one in STAGES if one not in COMPARED)
_METHODS: Final = tuple(one for one in _OF_ONE_PAGE if one.startswith("method "))
_WRITTEN: Final = tuple(one for one in _OF_ONE_PAGE if one not in _METHODS)


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

    @classmethod
    def of(cls, stage: str, error: BaseException) -> Self:
        """Return an error as a finding."""
        where = ""
        for frame in traceback.extract_tb(error.__traceback__):
            if frame.filename.startswith(str(PACKAGE)):
                where = f"{frame.filename.removeprefix(f'{PACKAGE}/')}:{frame.name}"
        lines = "".join(traceback.format_exception(error)[-8:])
        return cls(stage, f"{type(error).__name__}: {str(error)[:200]}", where, lines)

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


def tried(html: bytes, stages: Sequence[str] = STAGES, *, weighs: bool = True) -> Outcome:
    """Make some outputs of a page, and return what became of it.

    Time and memory out of proportion are findings where it ``weighs`` them.
    """
    findings: list[Finding] = []
    seconds: dict[str, float] = {}
    forget_peak()
    before = resident("VmRSS:")
    refused = False
    with _patience():
        try:
            refused = not _outputs(html, stages, findings, seconds)
        except HangError as error:
            findings.append(Finding.of("hang", error))
    memory = max(resident("VmHWM:") - before, 0)
    if not weighs:
        findings = [one for one in findings if not one.what.startswith("slow")]
    elif memory > LARGE[0] + LARGE[1] * len(html):
        findings.append(Finding("memory", f"large: {memory >> 20} MB of {len(html)} bytes"))
    return Outcome(findings, seconds, memory, refused)


def _outputs(
    html: bytes, stages: Sequence[str], findings: list[Finding], seconds: dict[str, float]
) -> bool:
    """Make some outputs of a page; return whether there was one."""
    start = time.thread_time()
    try:
        subject = _Shared(html)
    except (chaffinch.PageError, chaffinch.SetupError):
        return False
    except Exception as error:  # noqa: BLE001  any error is a finding
        findings.append(Finding.of(PARSING, error))
        return False
    seconds[PARSING] = time.thread_time() - start
    for stage in stages:
        start = time.thread_time()
        try:
            made = OUTPUTS[stage](subject)
        except (chaffinch.PageError, chaffinch.SetupError):
            continue
        except Exception as error:  # noqa: BLE001  any other error is a finding
            findings.append(Finding.of(stage, error))
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
            yield Finding.of(stage, error)
        if len(text) > LONG[0] + LONG[1] * size:
            yield Finding(stage, f"long: {len(text)} characters of {size} bytes")


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
"""Pages that led elsewhere; later ones aren't kept."""


class Store:
    """The folder of one worker, whose later runs go on there.

    Attributes:
        pages: those that led elsewhere.
        counts: pages tried, refused, … by name.
        dearest: of each output, the most seconds a byte (1,000 bytes added) and the page's file.
        seen: steps of the source that pages have made.
        findings: by name, each with the shortest page that shows it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in ("pages", "findings", "dearest"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        self.pages = [path.read_bytes() for path in sorted((folder / "pages").iterdir())]
        path = folder / "state.json"
        state: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
        self.counts: dict[str, int] = state.get("counts", {})
        self.dearest: dict[str, float] = state.get("dearest", {})
        self.seen: set[str] = set(state.get("seen", []))
        self.findings: dict[str, dict[str, Any]] = state.get("findings", {})

    def count(self, name: str, more: int = 1) -> None:
        """Add to a count."""
        self.counts[name] = self.counts.get(name, 0) + more

    def begin(self, html: bytes) -> None:
        """Note a page before it is tried: what ends the process leaves it there."""
        (self.folder / "current.html").write_bytes(html)

    def keep(self, html: bytes) -> None:
        """Keep a page that led elsewhere."""
        if len(self.pages) < _MOST_PAGES:
            self.pages.append(html)
            name = hashlib.sha256(html).hexdigest()[:16]
            (self.folder / "pages" / f"{name}.html").write_bytes(html)

    def find(self, finding: Finding, html: bytes) -> None:
        """Keep a finding, with the shortest page that shows it."""
        known = self.findings.get(finding.name)
        if known is None or len(html) < known["bytes"]:
            name = f"{hashlib.sha256(finding.name.encode()).hexdigest()[:12]}.html"
            (self.folder / "findings" / name).write_bytes(html)
            times = known["times"] if known else 0
            known = {**finding._asdict(), "times": times, "bytes": len(html), "page": name}
            self.findings[finding.name] = known
        known["times"] += 1
        self.count("findings")
        self.save()

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
        """Write all but the pages."""
        names = ("counts", "dearest", "findings")
        state = {name: getattr(self, name) for name in names} | {"seen": sorted(self.seen)}
        new = self.folder / "state.new"
        new.write_text(json.dumps(state), encoding="utf-8")
        new.replace(self.folder / "state.json")


SIZES: Final = 5_000, 20_000, 80_000
"""Bytes of the pages; the third is made of what the second costs too much of."""
MOST: Final = 6.5
"""Times as long as a page the next may take, where linear is 4 and the square 16."""
_SHORT: Final = 0.03
_LONGEST: Final = 120


def pumped(grammar: Grammar, dice: Random) -> list[bytes]:
    """Return pages of `SIZES`: short pieces of the grammar, repeated within open tags."""
    pieces = [grammar.piece()[:_LONGEST] for _ in range(dice.randint(1, 2))]
    end = dice.choice(["", "", "", grammar.piece()[:30]])
    made = ("".join(pieces) or "<p>", end, grammar.opening())
    unit, after, head = (one.encode("utf-8", "replace") for one in made)
    counts = (max((size - len(head)) // (len(unit) + len(after)), 1) for size in SIZES)
    return [head + unit * count + after * count for count in counts]


def growth(pages: Sequence[bytes], stages: Sequence[str]) -> Iterator[tuple[bytes, Outcome]]:
    """Yield growing pages with what became of them; what grows too fast twice is a finding."""
    found: list[tuple[bytes, Outcome]] = []
    over: list[Finding] = []
    for page in pages:
        gc.collect()
        gc.disable()  # the collector walks what pages before have left, too
        try:
            found.append((page, tried(page, stages)))
        finally:
            gc.enable()
        if len(found) > 1:
            over = [one for one in _over(found) if not over or one.stage in {o.stage for o in over}]
            if not over:
                break
    yield from found[:-1]
    page, outcome = found[-1]
    is_sure = len(found) == len(pages)
    yield page, outcome._replace(findings=outcome.findings + over * is_sure)


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
    """Watches the functions of a package within ``with``; ``seen`` holds the steps of all times."""

    def __init__(self, package: Path, seen: set[str]) -> None:
        self.seen = seen
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
        self._calls[code] += 1
        if self._calls[code] > _WATCHED or not code.co_filename.startswith(self._root):
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
                    name = f"{code.co_filename.removeprefix(self._root)}:{step[1]}-{step[2]}"
                    if name not in self.seen:
                        self.seen.add(name)
                        self.new += 1
            return went

        return went


class Lane(NamedTuple):
    """What is done to pages: one in so many is pumped (0 for none), and watched."""

    largest: int
    pumped_every: int
    watched_every: int


LANES: Final = {"fast": Lane(6_000, 100, 4), "growth": Lane(6_000, 1, 1), "brief": Lane(600, 0, 6)}
"""``fast``: a method and three outputs of most pages, all of those that lead elsewhere or are dear;
``growth``: repeated pieces alone; ``brief``: small pages, a twentieth of the outputs, no costs."""
_FEW: Final = 3
_SHARE: Final = 20
_SITES_EVERY: Final = 3  # of brief rounds: outputs that read three pages take a quarter of the time
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
        self.lane = LANES[lane]
        self.is_brief = lane == "brief"
        self.random = random.Random(seed)  # noqa: S311  no secrets
        self.grammar = Grammar(self.random)
        self.coverage = LineCoverage(PACKAGE, store.seen)
        self.labelled = labelled

    def run(self, pages: int) -> None:
        """Try so many more pages."""
        until = self.store.counts.get("pages", 0) + pages
        while self.store.counts.get("pages", 0) < until:
            pumped_every = self.lane.pumped_every
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
        stages, weighs, is_new = self._stages(), not self.is_brief, False
        if self.random.randrange(self.lane.watched_every):
            outcome = tried(html, stages, weighs=weighs)
        else:
            with self.coverage:
                outcome = tried(html, stages, weighs=weighs)
            is_new = self.coverage.new > 0
            outcome = outcome._replace(seconds={})  # of watching, too
        if self._is_kept(html, outcome, is_new=is_new) and not self.is_brief:
            self.store.count("through all outputs")
            self._judge(html, tried(html))

    def _stages(self) -> list[str]:
        """Return the outputs that are made of a page; of brief ones all have their turn."""
        if not self.is_brief:
            return [self.random.choice(_METHODS), *self.random.sample(_WRITTEN, _FEW)]
        round_, shift = divmod(self.store.counts.get("pages", 0), _SHARE)
        return list((_OF_ONE_PAGE if round_ % _SITES_EVERY else STAGES)[shift::_SHARE])

    def _pumped(self) -> None:
        pages = pumped(self.grammar, self.random)
        self.store.begin(pages[0])
        for html, outcome in growth(pages, ["method learned", *self._stages()]):
            self.store.count("pumped")
            self._is_kept(html, outcome, is_new=False)

    def _made(self) -> bytes:
        dice, chosen, most = self.random, self.random.random(), self.lane.largest
        if chosen < 0.4 and self.store.pages:
            self.store.count("kept pages changed")
            return mutated(self.store.pages, self._piece, dice)[:most]
        if chosen < 0.6 and self.labelled:
            self.store.count("labelled pages changed")
            stretches = [cut(dice.choice(self.labelled), dice, most) for _ in range(2)]
            return mutated(stretches, self._piece, dice)[: 2 * most]
        self.store.count("grammar")
        return self.grammar.page(dice.choice([1, 2, 4, 8, 15]))[: 2 * most]

    def _piece(self) -> bytes:
        return self.grammar.piece().encode("utf-8", "surrogatepass")

    def _is_kept(self, html: bytes, outcome: Outcome, *, is_new: bool) -> bool:
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
            self.store.find(finding, html)
        return self.store.weigh(outcome.seconds, outcome.memory, html)
