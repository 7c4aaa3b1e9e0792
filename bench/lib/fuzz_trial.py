"""What is done to one fuzzed page: parse, methods, outputs; what is wrong.

Whatever a page is, it is parsed, extracted and written, or refused by a `PageError` or a
`SetupError`. Anything else is a finding: another error, text that can't be written,
an output a hundred times as long as its page, time or memory out of proportion.
"""

from __future__ import annotations

import signal
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from types import FrameType
from typing import Any, Final, NamedTuple

import chaffinch
from bench.lib.hostile_outputs import COMPARED, OUTPUTS, Subject
from bench.lib.resident_memory import forget_peak, resident
from bench.lib.source_words import PACKAGE
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
