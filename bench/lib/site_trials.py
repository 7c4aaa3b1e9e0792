"""Site models on trial: foreign pages, redesigns, renamed classes, noise blocks, thresholds.

Called by ``bench/quality/sites.py``.
"""

from __future__ import annotations

import random
import re
from dataclasses import replace
from typing import Any

import numpy as np

from bench.lib.labelled_sites import (
    HEAD,
    Sample,
    by_default,
    by_site,
    default,
    halves,
    learned,
    line,
    measured,
    sample,
    weigh_for,
)
from chaffinch.page import Page
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.verdict import Method, Verdict
from training.labels import label_blocks

OF_YEARS = ("entertainment.msn.com", "thenation.com", "www.esquire.com")
_CLASS = re.compile(rb"""(class\s*=\s*)("[^"]*"|'[^']*')""", re.IGNORECASE)


def with_foreign(given: dict[str, list[Sample]], share: float) -> dict[str, list[Sample]]:
    """Return the sites with so many pages of others among those that are learned."""
    dice, out = random.Random(0), {}  # noqa: S311  a draw, not a secret
    for name, samples in given.items():
        others = [one for site, pages in given.items() if site != name for one in pages]
        mixed = []
        for one in samples:
            mixed.append(one)
            if dice.random() < share / (1 - share):
                stranger = dice.choice(others)
                mixed.append(
                    Sample(stranger.html, stranger.page, stranger.verdict, stranger.part, None)
                )
        out[name] = mixed
    return out


def renamed(html: bytes, share: float = 0.5) -> bytes:
    """Return the page with so many of its class names changed, the same ones on every page."""

    def change(match: re.Match[bytes]) -> bytes:
        names = match[2][1:-1].split()
        new = [b"x" + name[::-1] if _drawn(name) < share else name for name in names]
        return match[1] + b'"' + b" ".join(new) + b'"'

    return _CLASS.sub(change, html)


def _drawn(name: bytes) -> float:
    return random.Random(name).random()  # noqa: S311  a draw, not a secret


def robust(given: dict[str, list[Sample]]) -> None:
    """Print what foreign pages, years of redesigns and renamed classes do."""
    base = measured(given, by_default)
    print(HEAD)
    for mode in ("full", "rules"):
        mixed = measured(with_foreign(given, 0.2), by_site(mode))
        print(line(f"{mode}, a fifth of foreign pages", mixed, base), flush=True)
        some = {name: given[name] for name in OF_YEARS if name in given}
        if some:
            print(line(f"{mode}, sites of several years", measured(some, by_site(mode)), base))
    drift(given)


def drift(given: dict[str, list[Sample]]) -> None:
    """Print quality on pages with half of the class names changed, and whether it is noticed."""
    print("\nhalf of the class names changed: F1 of default, full, rules; what is noticed")
    rows, noticed = [], 0
    for name, samples in given.items():
        weigh_for(name)
        learn, score = halves(samples)[0]
        new = [sample(renamed(one.html), one.page.url, one.gold) for one in score if one.gold]
        models = [learned(learn), learned(learn, "rules")]
        scores = [[one.score(one.verdict) for one in new]]
        scores += [[one.score(site(one.page)) for one in new] for site in models]
        rows.append([float(np.mean(one)) for one in scores])
        findings = [finding for site in models for finding in site.findings()]
        noticed += bool(findings)
        cells = " ".join(f"{value:.3f}" for value in rows[-1])
        print(f"{name:24} {cells}  {findings[0] if findings else 'nothing'}", flush=True)
    means = " ".join(f"{value:.4f}" for value in np.mean(rows, axis=0))
    print(f"{'mean':24} {means}  noticed on {noticed} of {len(rows)} sites")


def blocks(given: dict[str, list[Sample]], most: int) -> None:
    """Print noise-block recall and precision of same-layer-similarity for full and rules.

    A block counts as content where most of its text stands anywhere in the labelled text: also a
    menu's «Politics», the teaser of the page itself, a repeated byline. «Labels aligned» keeps what
    the labels say in their order, each text once: no method that is right does better. «Undisputed»
    judges blocks only on which both readings of the labels agree.
    """
    from bench.lib.site_pages import LabelledSite  # noqa: PLC0415
    from bench.papers.same_layer import cases, counts, dropped, figures, outer  # noqa: PLC0415  needs VIPS

    sums: dict[str, Any] = {}
    for name, samples in given.items():
        weigh_for(name)
        for learn, score in halves(samples):
            models: dict[str, Method] = {mode: learned(learn, mode) for mode in ("full", "rules")}
            models["default"] = default
            pages, gold = [one.page for one in score], [one.gold for one in score]
            site = LabelledSite(name, pages, gold, [one.page.head.title for one in score])
            for case in cases(site, most):
                aligned = dropped(case, by_labels(case.page, case.gold))
                agreed = np.where(aligned == case.noise, case.length, 0)
                kinds = {
                    "all blocks": case,
                    "outer blocks": outer(case),
                    "undisputed blocks": replace(case, length=agreed),
                }
                found = {mode: dropped(case, model(case.page)) for mode, model in models.items()}
                for mode, marks in (found | {"labels aligned": aligned}).items():
                    for kind, one in kinds.items():
                        key = f"{mode}, {kind}"
                        sums[key] = sums.get(key, 0) + counts(one, marks)
    print("\n| | recall, blocks | precision, blocks | recall, text | precision, text |")
    print("|---|---:|---:|---:|---:|")
    for key, total in sorted(sums.items()):
        print(f"| {key} | " + " | ".join(f"{value:.3f}" for value in figures(total)) + " |")
    print("| published | 0.954 | 0.981 | | |")


def by_labels(page: Page, gold: str) -> Verdict:
    """Return the verdict that keeps the text blocks most of whose words are labelled content."""
    found = text_blocks(page)
    keep = found.spread(label_blocks(found, gold).share > 0.5)
    return Verdict(keep, keep.astype(np.float32), np.zeros(len(page), dtype=np.int8))
