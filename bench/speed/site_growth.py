"""How clustering and learning a host grow with its pages, and what learning adds to extraction.

Pages of one host are made up as they are read and never held. Each is parsed, sketched and put to
a template; at ever more pages the time a page, the templates and the memory of the process are
noted: a flat time a page is linear growth. One page in a hundred is built like no other, so that
templates grow in number, too. Then a model is learned from such a stream.

    python -m bench.speed.site_growth                     # 100,000 pages
    python -m bench.speed.site_growth --pages 5000        # a look
    python -m bench.speed.site_growth --learning          # 1,000 pages beyond their extraction
    python -m bench.speed.site_growth --learning --site thenation.com --pages 1000
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import random
import time
from collections import Counter
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

import bench.lib.one_core  # noqa: F401  before numpy is loaded

# isort: split

from bench.lib.timing import machine, versions
from chaffinch import Site, parse
from chaffinch.evaluate import read_corpus
from chaffinch.methods import Learned
from chaffinch.site.page_summary import page_sketch
from chaffinch.site.slots import slot_hashes
from chaffinch.site.statistics import MOST, Collector
from chaffinch.site.template_leaders import TemplateLeaders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.page import Page
    from chaffinch.result import Verdict

KINDS = 12
ODD = 0.01
"""Share of pages that are built like no other."""
WORDS = ("barley", "wheat", "rye", "oat", "spelt", "millet", "sorghum", "maize", "mill", "barn")
STEPS = (1, 2, 5)


def template_frame(kind: str) -> tuple[str, str]:
    """Return what stands before and after the story of all pages of a kind."""
    dice = random.Random(kind)  # noqa: S311  a draw, not a secret
    names = [f"{kind}-{dice.choice(WORDS)}-{chr(97 + n)}" for n in range(16)]
    links = "".join(f'<li class="{names[0]}"><a href="/{w}">{w.title()}</a>' for w in WORDS)
    before = f'<header class="{names[1]}"><nav class="{names[2]}"><ul>{links}</ul></nav></header>'
    before += f'<main class="{names[3]}"><div class="{names[4]}"><article class="{names[5]}">'
    boxes = "".join(
        f'<section class="{name}"><h2 class="{name}-head">{name.title()}</h2>'
        f'<ul class="{name}-list"><li class="{name}-item"><a href="/x">More</a></ul></section>'
        for name in names[6:]
    )
    return before, f"</article></div></main><aside>{boxes}</aside><footer>All of it ours</footer>"


def made_pages(count: int) -> Iterator[tuple[str, str]]:
    """Yield the kind and the HTML of so many pages, each of other text and a little other build."""
    dice = random.Random(0)  # noqa: S311  a draw, not a secret
    frames = {f"k{number}": template_frame(f"k{number}") for number in range(KINDS)}
    for number in range(count):
        kind = f"odd{number}" if dice.random() < ODD else f"k{dice.randrange(KINDS)}"
        before, after = frames.get(kind) or template_frame(kind)
        story = "".join(
            f"<p>{' '.join(dice.choices(WORDS, k=dice.randrange(10, 40)))} {number}.</p>"
            for _ in range(dice.randrange(3, 9))
        )
        extra = "".join(
            f'<div class="box-{w}"><p>{w} of the day</p></div>' for w in dice.sample(WORDS, 2)
        )
        yield kind, f"<title>{number}</title><h1>Harvest {number}</h1>{before}{story}{extra}{after}"


def memory() -> float:
    """Return the megabytes that the process holds now (Linux)."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def checkpoints(most: int) -> set[int]:
    """Return 1, 2, 5, 10, … thousand up to ``most``, and ``most``."""
    steps = (base * 10**power for power in range(3, 9) for base in STEPS)
    return {step for step in steps if step < most} | {most}


def cluster(count: int) -> None:
    """Print how clustering grows."""
    print("| pages | seconds | of that parsing | ms a page since the line before | templates "
          "| in the right one | memory, MB |\n|---:|---:|---:|---:|---:|---:|---:|")  # fmt: skip
    leaders, wanted = TemplateLeaders(), checkpoints(count)
    kinds: Counter[tuple[int, str]] = Counter()
    spent = parsing = before = 0.0
    last = 0
    for number, (kind, html) in enumerate(made_pages(count), start=1):
        start = time.process_time()
        page = parse(html)
        parsed = time.process_time()
        template = leaders.join(page_sketch(page, slot_hashes(page)))
        end = time.process_time()
        parsing += parsed - start
        spent += end - start
        kinds[template, kind] += 1
        if number in wanted:
            each = 1000 * (spent - before) / (number - last)
            print(f"| {number:,} | {spent:.1f} | {parsing:.1f} | {each:.3f} | "
                  f"{len(leaders.sketches):,} | {right(kinds):.4f} | {memory():.0f} |",
                  flush=True)  # fmt: skip
            before, last = spent, number


def right(kinds: Counter[tuple[int, str]]) -> float:
    """Return the share of pages whose template is the main one of their kind, and they of it."""
    main_of_kind: dict[str, tuple[int, int]] = {}
    main_of_template: dict[int, tuple[int, str]] = {}
    for (template, kind), count in kinds.items():
        main_of_kind[kind] = max(main_of_kind.get(kind, (0, 0)), (count, template))
        main_of_template[template] = max(main_of_template.get(template, (0, "")), (count, kind))
    good = sum(
        count
        for (template, kind), count in kinds.items()
        if main_of_kind[kind][1] == template and main_of_template[template][1] == kind
    )
    return good / kinds.total()


def real_pages(site: str) -> Iterator[Page]:
    """Yield the pages of a labelled site, over and over; each time round with other text."""
    rows = [(row.html, row.url) for row in read_corpus(f"sites/{site}")]
    for number, (html, url) in enumerate(cycle(rows)):
        mark = b"" if number < len(rows) else b"<p>%d" % number
        yield parse(html + mark, url=url)


def learning(count: int, site: str) -> None:
    """Print what learning adds to the extraction of so many pages."""
    pages = islice(real_pages(site), count) if site else (parse(h) for _, h in made_pages(count))
    given = list(pages)
    verdicts: dict[int, Verdict] = {}
    start = time.process_time()
    for page in given:
        verdicts[id(page)] = Learned()(page)
    extraction = time.process_time() - start
    print("| pages | kept of them | page-level model alone, s | learning beyond that, s "
          "| templates |\n|---:|---:|---:|---:|---:|")  # fmt: skip
    for most in (MOST, count):
        start = time.process_time()
        collector = Collector(most=most, method=lambda page: verdicts[id(page)])
        for page in given:
            collector.add(page)
        model = Site.of(collector.result())
        spent = time.process_time() - start
        print(f"| {count:,} | {min(most, count):,} | {extraction:.1f} | {spent:.2f} | "
              f"{len(model.templates)} |", flush=True)  # fmt: skip


def stream(count: int) -> None:
    """Print the memory of a model learned from a stream of pages."""
    print("\n| pages learned from, one by one | seconds, model and all | memory before, MB "
          "| after |\n|---:|---:|---:|---:|")  # fmt: skip
    for most in sorted({count // 100, count // 10, count} - {0}):
        before, start = memory(), time.process_time()
        Site.learn(parse(html) for _, html in made_pages(most))
        spent = time.process_time() - start
        print(f"| {most:,} | {spent:.1f} | {before:.0f} | {memory():.0f} |", flush=True)


def main() -> None:
    """Measure what is requested."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, help="default: 100,000; of --learning 1,000")
    parser.add_argument("--learning", action="store_true", help="what learning adds to extraction")
    parser.add_argument(
        "--site", default="", help="learn a labelled site's pages, not made-up ones"
    )
    chosen = parser.parse_args()
    print(f"{versions('chaffinch')}, {machine()}, {dt.datetime.now(dt.UTC).date()}\n")
    if chosen.learning:
        learning(chosen.pages or 1000, chosen.site)
        return
    cluster(chosen.pages or 100_000)
    stream(chosen.pages or 100_000)


if __name__ == "__main__":
    main()
