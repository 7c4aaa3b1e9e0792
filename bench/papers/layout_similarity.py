"""Layout similarity against Readability on the same pages: mean share of content, as its Table 1.

Sites are those in Chinese of ``sites/``, and the hosts of zh_news, whose pages have no addresses.

The source's gold holds title, time, source and editor; the labels used here mostly don't. So the
first line of each of these kinds on the page is added to the labels, unless ``--as-labelled``.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from functools import partial
from statistics import mean

from bench.lib.portals import head_and_foot, portal_rows
from chaffinch import parse
from chaffinch.errors import MissingExtraError
from chaffinch.evaluate.baselines import load_baseline
from chaffinch.evaluate.corpora import LabelledPage, read_corpus
from chaffinch.evaluate.scoring import rouge_l, tokenize
from chaffinch.methods import build
from chaffinch.output import text
from chaffinch.page import Page
from chaffinch.verdict import Content

SITES = (
    "coolshell.cn hqjt.ruc.edu.cn w3school.com.cn anshunjia_corp authing_blog"
    " erikjiang_next gis90_fluid jerey_material lingyucoder trpl-zh zhihu.com"
).split()
PUBLISHED = "published (11 sites, 100 pages): layout similarity 0.931, Readability 0.897"


class Site:
    """The pages of one site, parsed once, and those of them that are scored."""

    def __init__(
        self, name: str, rows: list[LabelledPage], limit: int, *, as_labelled: bool
    ) -> None:
        self.name, self.rows = name, rows
        self.pages: list[Page] = [parse(row.html, url=row.url) for row in rows]
        labelled = [at for at, row in enumerate(rows) if row.gold_text]
        step = max(1, len(labelled) // limit)
        self.scored = labelled[::step][:limit]
        self.gold = {at: tokenize(rows[at].gold_text or "") for at in self.scored}
        if not as_labelled:
            for at, gold in self.gold.items():
                head, foot = head_and_foot(self.pages[at])
                self.gold[at] = [*tokenize("\n".join(head)), *gold, *tokenize("\n".join(foot))]

    def candidates(self, at: int, count: int) -> tuple[Page, ...]:
        """Return the ``count`` pages that follow in the file, the first after the last."""
        places = [(at + step) % len(self.pages) for step in range(1, len(self.pages))]
        return tuple(self.pages[place] for place in places[:count])


def sites(
    limit: int, names: Iterable[str], *, as_labelled: bool, portals_alone: bool
) -> list[Site]:
    """Return the sites called ``names``; the hosts of zh_news are sites, too."""
    groups = dict(portal_rows())
    if not portals_alone:
        groups |= {name: list(read_corpus(f"sites/{name}")) for name in SITES}
    return [
        Site(name, rows, limit, as_labelled=as_labelled)
        for name, rows in groups.items()
        if not names or name in names
    ]


def layout_text(site: Site, at: int, count: int, *, line_blocks: bool) -> str:
    """Return what the method finds on one page, ``count`` candidates at hand."""
    siblings = site.candidates(at, count)
    method = build("layout_similarity", siblings=siblings, line_blocks=line_blocks)
    return text.render(Content(site.pages[at], method(site.pages[at])))


def scores(site: Site, found: Callable[[int], str]) -> tuple[float, float]:
    """Return the mean share of content and the mean recall over a site's scored pages."""
    each = [rouge_l(tokenize(found(at)), site.gold[at]) for at in site.scored]
    return mean(one.precision for one in each), mean(one.recall for one in each)


def table(given: list[Site], count: int) -> None:
    """Print share and recall of layout similarity and of Readability, a site a line.

    Readability is left out, with a hint, where the baselines aren't installed.
    """
    systems: list[Callable[[Site, int], str]] = [
        lambda site, at: layout_text(site, at, count, line_blocks=False),
        lambda site, at: layout_text(site, at, count, line_blocks=True),
    ]
    names = ["layout similarity", "+ line_blocks"]
    try:
        baseline, _ = load_baseline("readability-lxml")
    except MissingExtraError as error:
        print(f"without Readability: {error}")
    else:
        systems.append(lambda site, at: baseline(site.rows[at].html, site.rows[at].url))
        names.append("Readability")
    print("| site | pages |" + "".join(f" {name} | recall |" for name in names))
    print("|---|---:|" + "---:|---:|" * len(names))
    rows = []
    for site in given:
        row = [one for system in systems for one in scores(site, partial(system, site))]
        rows.append(row)
        print(f"| {site.name} | {len(site.scored)} | " + " | ".join(f"{x:.3f}" for x in row), "|")
    means = [mean(column) for column in zip(*rows, strict=True)]
    print(f"| mean of sites | {sum(len(s.scored) for s in given)} | ", end="")
    print(" | ".join(f"{x:.3f}" for x in means), "|")
    print(PUBLISHED)


def main() -> None:
    """Read the sites and print one of the tables."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("sites", nargs="*")
    options.add_argument("--limit", type=int, default=20, help="scored pages a site")
    options.add_argument("--candidates", type=int, default=8)
    options.add_argument("--as-labelled", action="store_true")
    options.add_argument("--portals", action="store_true", help="news portals alone")
    chosen = options.parse_args()
    given = sites(
        chosen.limit,
        chosen.sites,
        as_labelled=chosen.as_labelled,
        portals_alone=chosen.portals,
    )
    table(given, chosen.candidates)


if __name__ == "__main__":
    main()
