"""Makes hostile pages, tries them, and keeps those that are worth it: one worker of fuzzing."""

from __future__ import annotations

import random
from typing import Final

from bench.lib.fuzz_pumps import growth, unit, unit_in_context
from bench.lib.fuzz_store import Store
from bench.lib.fuzz_trial import Outcome, Trial
from bench.lib.hostile_grammar import Grammar
from bench.lib.hostile_outputs import COMPARED, OUTPUTS
from bench.lib.line_coverage import LineCoverage
from bench.lib.page_mutations import cut, mutated
from bench.lib.source_words import PACKAGE

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
