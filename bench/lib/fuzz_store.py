"""What a fuzzing run keeps: pages that led elsewhere, findings, the dearest pages, counts."""

from __future__ import annotations

import hashlib
import json
from functools import cached_property
from io import FileIO
from pathlib import Path
from typing import Any, Final

from bench.lib.fuzz_trial import Finding

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
