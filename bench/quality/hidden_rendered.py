"""What markup alone tells of hiding, against what a browser shows, on saved pages.

The network is off, so that only inline styles and the page's own ``<style>`` hide in the browser;
a class that an outside style sheet hides by counts as a false alarm here, unless the page says the
same in itself. Figures are shares of characters of text; folded text (`details`, tabs) is left out.

    python -m bench.quality.hidden_rendered [--pages 4] [--of GROUP]
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import numpy as np

from bench.lib.saved_pages import Pair, groups, pairs
from chaffinch.elements.hidden import folded, hidden
from chaffinch.render import Renderer


def counts(pair: Pair) -> tuple[int, int, int, int]:
    """Return characters that both, markup alone, the browser alone and neither call hidden."""
    page = pair.rendered
    left_out = folded(page) | folded(pair.markup) | page.inside(page.is_tag("noscript", "select"))
    weight = np.where(left_out, 0, page.own_length)
    told, true = hidden(replace(page, layout=None)), hidden(page)
    cells = (told & true, told & ~true, ~told & true, ~told & ~true)
    return tuple(int(weight[cell].sum()) for cell in cells)  # type: ignore[return-value]


def line(name: str, pages: int, sums: np.ndarray) -> str:
    """Return a row of the table."""
    both, told, true, neither = sums.tolist()
    hidden_share = (both + true) / max(sum(sums.tolist()), 1)
    precision = f"{both / (both + told):.2f}" if both + told else "–"
    recall = f"{both / (both + true):.2f}" if both + true else "–"
    agree = (both + neither) / max(sum(sums.tolist()), 1)
    return f"| {name} | {pages} | {hidden_share:.3f} | {precision} | {recall} | {agree:.3f} |"


def main() -> None:
    """Print a line for each group of pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=4, help="of each group")
    parser.add_argument("--of", default="", metavar="GROUP", help="this group of pages alone")
    given = parser.parse_args()
    print("| pages of | pages | hidden in the browser | precision | recall | agreement |")
    print("|---|---|---|---|---|---|")
    every, pages = np.zeros(4, dtype=np.int64), 0
    with Renderer() as renderer:
        for name, rows in groups(given.pages, given.of):
            found = [counts(pair) for pair in pairs(rows, renderer)]
            sums = np.array(found, dtype=np.int64).reshape(-1, 4).sum(axis=0)
            every, pages = every + sums, pages + len(found)
            print(line(name, len(found), sums), flush=True)
    print(line("all", pages, every))


if __name__ == "__main__":
    main()
