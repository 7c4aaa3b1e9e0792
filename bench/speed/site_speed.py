"""What a site model costs beside parsing: rules and full mode, against the page table alone.

A model is learned on every other page of each labelled site and applied to the rest; best of the
rounds of each page, from bytes, one core.

    python -m bench.speed.site_speed
    python -m bench.speed.site_speed --site thenation --rounds 3 --pages 20
"""

from __future__ import annotations

import argparse
import datetime as dt
import statistics

import bench.lib.one_core  # noqa: F401  before numpy is loaded

# isort: split


from bench.lib.timing import best_times, machine, versions
from chaffinch import Site, parse
from chaffinch.evaluate import known_corpora, read_corpus
from chaffinch.methods import Learned
from chaffinch.site.site_notes import SiteNotes

TABLE = "page table alone"


def measured(name: str, most: int, rounds: int) -> tuple[dict[str, list[float]], float]:
    """Return the seconds of each page by system, and the share of pages that rules decided."""
    rows = [(row.html, row.url) for row in read_corpus(name)]
    site = Site.learn(parse(html, url=url) for html, url in rows[::2])
    rules = site.with_mode("rules")
    given = rows[1::2][:most]
    urls = dict(given)
    found = best_times(
        {
            TABLE: parse,
            "rules": lambda html: rules(parse(html, url=urls[html])),
            "rules and their text": lambda html: rules.extract(parse(html, url=urls[html])).text,
            "full": lambda html: site(parse(html, url=urls[html])),
            "page-level default": lambda html: Learned()(parse(html, url=urls[html])),
        },
        [html for html, _ in given],
        rounds=rounds,
    )
    notes = [rules(parse(html, url=url)).notes for html, url in given]
    alone = [not (isinstance(one, SiteNotes) and one.mode == "rules") for one in notes]
    return found, 1 - statistics.fmean(alone)


def main() -> None:
    """Print the table in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--site", default="", help="part of a site's name")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--pages", type=int, default=40, help="at most so many of a site")
    chosen = parser.parse_args()
    print(f"{versions('chaffinch')}, {machine()}, {dt.datetime.now(dt.UTC).date()}\n")
    head = ("site", "page table alone, ms", "rules", "rules and their text", "full",
            "page-level default", "rules / table", "pages that rules decided")  # fmt: skip
    print(f"| {' | '.join(head)} |\n|---{'|---:' * (len(head) - 1)}|")
    ratios, alone = [], []
    names = [one for one in known_corpora() if one.startswith("sites/") and chosen.site in one]
    for name in names:
        found, decided = measured(name, chosen.pages, chosen.rounds)
        means = {system: 1000 * statistics.fmean(times) for system, times in found.items()}
        ratios.append(means["rules"] / means[TABLE])
        if decided == 1:
            alone.append(ratios[-1])
        cells = " | ".join(f"{value:.2f}" for value in means.values())
        print(f"| {name.removeprefix('sites/')} | {cells} | {ratios[-1]:.2f} | {decided:.0%} |",
              flush=True)  # fmt: skip
    print(f"\nrules / page table alone: mean over {len(ratios)} sites "
          f"{statistics.fmean(ratios):.2f}, median {statistics.median(ratios):.2f}, "
          f"worst {max(ratios):.2f}; over the {len(alone)} where rules decided every page "
          f"{statistics.fmean(alone or [0]):.2f}")  # fmt: skip


if __name__ == "__main__":
    main()
