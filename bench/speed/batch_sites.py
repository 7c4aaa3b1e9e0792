"""What reading the sources twice costs where a crawl is extracted by what it teaches itself.

Run ``python -m bench.speed.batch_sites`` (docs/scale.md). The same archive is extracted by the
default method, by site models learned from it (two readings), with statistics along with the rows
(one reading, `--one-pass`), and by models that are there already. ``--markdown`` prints the table
alone.
"""

from __future__ import annotations

import argparse
import datetime as dt
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from bench.lib.archive import Shape, write_archive
from bench.lib.timing import machine, versions
from chaffinch.batch import Plan, Recipe, run


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--pages", type=int, default=2000)
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--markdown", action="store_true", help="the table alone")
    chosen = options.parse_args()
    if not chosen.markdown:
        print(f"{dt.datetime.now(tz=dt.UTC):%Y-%m-%d}, {machine()}; {versions('chaffinch')}\n")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shape = Shape(pages=chosen.pages, files=4, hosts=10, large=0, has_perils=False)
        write_archive(folder / "archive", shape)
        plain = Plan(out=str(folder / "plain"))
        twice = Plan(out=str(folder / "twice"), recipe=Recipe(site_models=str(folder / "models")))
        once = replace(
            twice,
            out=str(folder / "once"),
            recipe=Recipe(site_models=str(folder / "others")),
            one_pass=True,
        )
        known = replace(twice, out=str(folder / "known"))
        print("| | ms a page | × default | by rules |\n|---|---:|---:|---:|")
        base = 0.0
        for title, plan in (
            ("default method, no site models", plain),
            ("read twice: learned, then extracted by rules", twice),
            ("read once: pages by default, statistics for the next crawl", once),
            ("the next crawl, by the models that are there", known),
        ):
            start = time.perf_counter()
            report = run([str(folder / "archive")], plan, workers=chosen.workers)
            cost = 1000 * (time.perf_counter() - start) * chosen.workers / chosen.pages
            base = base or cost
            share = report.tally.methods["site, rules"] / report.tally.rows
            print(f"| {title} | {cost:.1f} | {cost / base:.2f} | {share:.0%} |", flush=True)


if __name__ == "__main__":
    main()
