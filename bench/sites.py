"""Site models measured: learned on half of each site's pages, scored on the other half.

No label is looked at in learning; both halves take both parts; means are over sites.

    python bench/sites.py                    # default, full, rules, site by site
    python bench/sites.py --left-out FILE    # with weights learned without each site (training/)
    python bench/sites.py --methods --peers  # and the published methods, and other people's
    python bench/sites.py --curve            # by number of pages learned from
    python bench/sites.py --robust           # foreign pages, redesigns, renamed classes
    python bench/sites.py --speed            # rules and full beside the page table
    python bench/sites.py --blocks           # noise blocks and accuracy, as two papers measure them

Every page is read by the page-level model once, and its reading is used again wherever it is asked
for; the verdicts are those of the product.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).parent / "papers"))

import numpy as np
from site_pages import f1, heading

from chaffinch import Site, parse
from chaffinch.evaluate import known_corpora, read_corpus
from chaffinch.evaluate.peers import PEERS
from chaffinch.evaluate.tokens import tokenize
from chaffinch.evaluate.words import word_score
from chaffinch.methods import DEFAULT, ClusterRules, build
from chaffinch.model.reading import read_blocks
from chaffinch.siblings.similar_urls import choose_references
from chaffinch.site import Statistics, applied, learning, merged
from chaffinch.site.join import Weights

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from chaffinch.page import Page
    from chaffinch.result import Verdict

GOOD = 0.9
SIZES = (1, 2, 3, 5, 10, 20, 40)
OF_YEARS = ("entertainment.msn.com", "thenation.com", "www.esquire.com")
SIBLINGS = 5
MOST_SHARED = ("trafilatura", "readability-lxml", "resiliparse", "chromerag")

LEFT_OUT: dict[str, dict[str, float]] = {}
"""Site → the weights of the join that were learned without it, where they are given."""

default = build(DEFAULT)


@dataclass(frozen=True, eq=False)
class Sample:
    """One labelled page: parsed, judged by the default, as statistics; ``gold`` may be None."""

    html: bytes
    page: Page
    verdict: Verdict
    part: Statistics
    gold: str | None

    def score(self, verdict: Verdict) -> float:
        """Return the word F1 of a verdict."""
        return f1(self.page, verdict, self.gold or "")


Half = tuple[list[Sample], list[Sample]]
System = "Callable[[list[Sample]], Callable[[Sample], float]]"


def remember_readings() -> None:
    """Let the page-level model read each page once."""
    memory: dict[int, Any] = {}

    def remembered(page: Page, **options: Any) -> Any:
        if id(page) not in memory:
            memory[id(page)] = page, read_blocks(page, **options)
        return memory[id(page)][1]

    applied.read_blocks = remembered  # type: ignore[assignment]


def weigh_for(name: str) -> None:
    """Let a site be learned and read with the weights that were learned without it."""
    if name in LEFT_OUT:
        weights = Weights(**LEFT_OUT[name])
        applied.shipped_weights = learning.shipped_weights = lambda: weights  # type: ignore[assignment]


def sample(html: bytes, url: str | None, gold: str | None) -> Sample:
    """Return a page with what the default says of it."""
    page = parse(html, url=url)
    verdict = default(page)
    return Sample(html, page, verdict, Statistics.of_page(page, verdict=verdict, date="1"), gold)


def sites(only: str) -> Iterator[tuple[str, list[Sample]]]:
    """Yield the sites that have labels, whose name contains ``only``."""
    for name in known_corpora():
        if name.startswith("sites/") and only in name:
            rows = list(read_corpus(name))
            if any(row.gold_text for row in rows):
                yield (
                    name.removeprefix("sites/"),
                    [sample(row.html, row.url, row.gold_text) for row in rows],
                )


def halves(samples: list[Sample]) -> list[Half]:
    """Return what is learned and what is scored, both ways round."""
    return [(samples[::2], samples[1::2]), (samples[1::2], samples[::2])]


def learned(samples: Iterable[Sample], mode: str = "full") -> Site:
    """Return the model of some pages."""
    return Site.of(merged([one.part for one in samples]), mode=mode)


def by_site(mode: str) -> Any:
    """Return the system that learns the site and applies it in a mode."""

    def learn(samples: list[Sample]) -> Callable[[Sample], float]:
        site = learned(samples, mode)
        return lambda one: one.score(site(one.page))

    return learn


def by_method(name: str) -> Any:
    """Return a published method, which compares with the learned half where it compares."""

    def learn(samples: list[Sample]) -> Callable[[Sample], float]:
        pages = [one.page for one in samples]
        if name == "cluster_rules":
            rules = ClusterRules.learn(pages)
            return lambda one: one.score(rules(one.page))
        if name not in {"layout_similarity", "sibling_subtrees"}:
            method = build(name)
            return lambda one: one.score(method(one.page))

        def score(one: Sample) -> float:
            chosen = [c.index for c in choose_references(one.page, pages, most=SIBLINGS) if c]
            nearest = tuple(pages[index] for index in chosen) or tuple(pages[:SIBLINGS])
            return one.score(build(name, siblings=nearest)(one.page))

        return score

    return learn


def by_peer(name: str) -> Any:
    """Return a peer; it sees no other pages."""
    extract = next(peer for peer in PEERS if peer.name == name).make()

    def learn(_samples: list[Sample]) -> Callable[[Sample], float]:
        return lambda one: text_f1(extract(one.html, one.page.url), one.gold or "")

    return learn


def by_chromerag() -> Any:
    """Return ChromeRAG with its own learning of the site, at its own defaults."""
    import chromerag  # noqa: PLC0415  a peer
    from chromerag.site_chrome import mine_site_chrome, site_group_key  # noqa: PLC0415

    from chaffinch.evaluate.adapters import _MARKDOWN, _text  # noqa: PLC0415

    config = chromerag.PipelineConfig.from_priority("balanced", enable_schema=False)

    def learn(samples: list[Sample]) -> Callable[[Sample], float]:
        pages = [(one.page.url or "http://site.invalid/", _text(one.html)) for one in samples]
        models = mine_site_chrome(pages, path_prefix_depth=0)

        def score(one: Sample) -> float:
            url = one.page.url or "http://site.invalid/"
            model = models.get(site_group_key(url, path_prefix_depth=0))
            engine = chromerag.ChromeRAG(config=config, site_chrome=model)
            found = _MARKDOWN.sub(" ", engine.extract(_text(one.html), url=url).markdown)
            return text_f1(found, one.gold or "")

        return score

    return learn


def text_f1(text: str, gold: str) -> float:
    """Return the word F1 of a text."""
    return word_score(tokenize(text), tokenize(gold)).f1


def measured(given: dict[str, list[Sample]], system: Any, size: int = 0) -> dict[str, list[float]]:
    """Return for each site the F1 of its labelled pages; ``size`` pages are learned, 0 for half."""
    out = {}
    for name, samples in given.items():
        weigh_for(name)
        scores = []
        for learn, score in halves(samples):
            if size > len(learn):
                continue
            judge = system(learn[:: max(len(learn) // size, 1)][:size] if size else learn)
            scores += [judge(one) for one in score if one.gold]
        if scores:
            out[name] = scores
    return out


def line(name: str, found: dict[str, list[float]], base: dict[str, list[float]]) -> str:
    """Return means of sites and of the worst quarter, spread, worst loss against ``base``."""
    means = np.array([np.mean(found[site]) for site in found])
    before = np.array([np.mean(base[site]) for site in found])
    worst = np.sort(means)[: max(len(means) // 4, 1)].mean()
    spread = np.mean([np.std(found[site]) for site in found])
    accurate = np.mean([np.mean(np.array(found[site]) >= GOOD) for site in found])
    return (
        f"| {name} | {len(found)} | {means.mean():.4f} | {worst:.4f} | {spread:.4f} "
        f"| {accurate:.3f} | {(means - before).min():+.4f} | {(means < before - 0.01).sum()} |"
    )


HEAD = (
    "| | sites | mean F1 | worst quarter | spread within a site | F1 ≥ 0.9 | worst against default"
    " | sites that lose > 0.01 |\n|---|---:|---:|---:|---:|---:|---:|---:|"
)


def main_table(given: dict[str, list[Sample]], chosen: argparse.Namespace) -> None:
    """Print all systems, then the product's site by site."""
    base = measured(given, lambda _: lambda one: one.score(one.verdict))
    full, rules = measured(given, by_site("full")), measured(given, by_site("rules"))
    print(HEAD)
    for name, found in (("default", base), ("full", full), ("rules", rules)):
        print(line(name, found, base), flush=True)
    systems = {}
    if chosen.methods:
        names = ("sibling_subtrees", "anchor_blocks", "layout_similarity", "information_blocks")
        systems = {name: by_method(name) for name in (*names, "block_density", "cluster_rules")}
    if chosen.peers:
        systems |= {name: by_peer(name) for name in MOST_SHARED}
        systems["chromerag, site learned"] = by_chromerag()
    for name, system in systems.items():
        print(line(name, measured(given, system), base), flush=True)
    print("\n| site | pages scored | default | full | rules |\n|---|---:|---:|---:|---:|")
    for site, scores in base.items():
        cells = " | ".join(f"{np.mean(one[site]):.3f}" for one in (base, full, rules))
        print(f"| {site} | {len(scores)} | {cells} |")


def curve(given: dict[str, list[Sample]]) -> None:
    """Print quality by number of pages learned from, for the sites that have so many."""
    print("| pages learned | sites | default | full | rules | worst of full against default |")
    print("|---:|---:|---:|---:|---:|---:|")
    base = measured(given, lambda _: lambda one: one.score(one.verdict))
    for size in SIZES:
        full, rules = (measured(given, by_site(mode), size) for mode in ("full", "rules"))
        means = [[np.mean(one[site]) for site in full] for one in (base, full, rules)]
        worst = min(b - a for a, b in zip(*means[:2], strict=True))
        cells = " | ".join(f"{np.mean(one):.4f}" for one in means)
        print(f"| {size} | {len(full)} | {cells} | {worst:+.4f} |", flush=True)


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


_CLASS = re.compile(rb"""(class\s*=\s*)("[^"]*"|'[^']*')""", re.IGNORECASE)


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
    base = measured(given, lambda _: lambda one: one.score(one.verdict))
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
    """Print noise-block recall and precision of same-layer-similarity for full and rules."""
    from same_layer import cases, counts, dropped, figures, outer  # noqa: PLC0415  needs VIPS
    from site_pages import LabelledSite  # noqa: PLC0415

    sums: dict[str, Any] = {}
    for name, samples in given.items():
        for learn, score in halves(samples):
            models = {mode: learned(learn, mode) for mode in ("full", "rules")}
            models["default"] = default
            pages, gold = [one.page for one in score], [one.gold for one in score]
            site = LabelledSite(name, pages, gold, [one.page.head.title for one in score])
            for case in cases(site, most):
                for mode, model in models.items():
                    found = dropped(case, model(case.page))
                    for kind, one in (("all", case), ("outer", outer(case))):
                        key = f"{mode}, {kind} blocks"
                        sums[key] = sums.get(key, 0) + counts(one, found)
    print("\n| | recall, blocks | precision, blocks | recall, text | precision, text |")
    print("|---|---:|---:|---:|---:|")
    for key, total in sorted(sums.items()):
        print(f"| {key} | " + " | ".join(f"{value:.3f}" for value in figures(total)) + " |")
    print("| published | 0.954 | 0.981 | | |")


def speed(given: dict[str, list[Sample]]) -> None:
    """Print the time of the page table, of rules on top of it, and of full, in ms of processor."""
    print("| site | page table | rules besides | rules / table | full besides |")
    print("|---|---:|---:|---:|---:|")
    rows = []
    for name, samples in given.items():
        learn, score = halves(samples)[0]
        models = [learned(learn, mode) for mode in ("rules", "full")]
        every = [_times(one, models) for one in score[:12]]
        table, rules, full = (1000 * float(np.mean(column)) for column in zip(*every, strict=True))
        rows.append((table, rules, full))
        print(f"| {name} | {table:.2f} | {rules:.2f} | {1 + rules / table:.2f} | {full:.2f} |")
    table, rules, full = np.mean(rows, axis=0)
    print(f"| mean | {table:.2f} | {rules:.2f} | {1 + rules / table:.2f} | {full:.2f} |")


def _times(one: Sample, models: list[Site]) -> tuple[float, ...]:
    """Return the best of five times of the table with its lengths and of each model after it."""
    best = [float("inf")] * (1 + len(models))
    for _ in range(5):
        start = time.process_time()
        page = parse(one.html, url=one.page.url)
        page.length[:1]  # what follows from the table and every method reads is part of it
        spent = [time.process_time() - start]
        for site in models:
            start = time.process_time()
            site(page)
            spent.append(time.process_time() - start)
        best = [min(pair) for pair in zip(best, spent, strict=True)]
    return tuple(best)


def main() -> None:
    """Print the tables that are asked for."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--site", default="", help="only sites whose name contains this")
    for name in ("methods", "peers", "curve", "robust", "blocks", "speed"):
        options.add_argument(f"--{name}", action="store_true")
    options.add_argument("--left-out", type=Path, help="weights without each site, as JSON")
    options.add_argument(
        "--pages", type=int, default=20, help="for --blocks: pages a site and half"
    )
    chosen = options.parse_args()
    print(heading(), flush=True)
    if not chosen.speed:
        remember_readings()
    if chosen.left_out:
        LEFT_OUT.update(json.loads(chosen.left_out.read_text(encoding="utf-8")))
    given = dict(sites(chosen.site))
    if chosen.speed:
        speed(given)
    elif chosen.curve:
        curve(given)
    elif chosen.robust:
        robust(given)
    elif chosen.blocks:
        blocks(given, chosen.pages)
    else:
        main_table(given, chosen)


if __name__ == "__main__":
    main()
