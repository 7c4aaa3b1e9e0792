"""``chaffinch evaluate``: methods and baselines measured on labelled pages."""

from __future__ import annotations

import itertools
import shlex
import sys
from pathlib import Path
from typing import Any

import click

from chaffinch import evaluate as evaluation
from chaffinch.cli.options import Option, read_names, verb
from chaffinch.cli.streams import drawn_on, shows_progress, write_file, write_out
from chaffinch.cli.work import POLICY, policy_of


@verb(
    click.Argument(["corpora"], nargs=-1, metavar="CORPUS..."),
    Option(
        "-m", "--method", "names", multiple=True, metavar="NAMES", callback=read_names,
        help="Methods and baselines such as trafilatura, with commas between; 'baselines' for all "
        "of these; default: auto.",
    ),
    Option(
        "--pages", type=click.IntRange(min=1), metavar="N",
        help="Pages a corpus, drawn at random; default: all.",
    ),
    Option(
        "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
        help="Write the report to this .json file, too.",
    ),
    Option("--seed", type=int, default=0, heading="Sample", help="Of the draw and the intervals."),
    Option(
        "--draws", type=click.IntRange(min=0), default=1000, metavar="N", heading="Sample",
        help="Bootstrap samples for the intervals; 0 for none.",
    ),
    *POLICY,
    examples=(
        "chaffinch evaluate my-pages.jsonl -m auto,trafilatura",
        "chaffinch evaluate wcxb --pages 200 -o report.json",
    ),
)  # fmt: skip
def evaluate(given: dict[str, Any]) -> None:
    """Measure methods and baselines on labelled pages, side by side.

    A CORPUS is a name, such as wcxb or sites/NAME, below the folder that CHAFFINCH_CORPORA
    names (else ../shared), or a .jsonl or .jsonl.xz file.

    Methods that compare a page with others of its site get those of the corpus' own domain, never
    the page itself. Pages without any are left out of such a method's figures, and counted.
    """
    corpora = given["corpora"]
    if not corpora:
        raise click.UsageError("give corpora to measure on")
    if given["output"] is not None and given["output"].suffix.lower() != ".json":
        raise click.UsageError("--output writes JSON: give a .json file")
    pages, draws = itertools.count(1), shows_progress()
    done = evaluation.run(
        corpora,
        methods=given["names"] or ("auto",),
        favor=given["favor"],
        policy=policy_of(given),
        limit=given["pages"],
        seed=given["seed"],
        draws=given["draws"],
        command=shlex.join(["chaffinch", *sys.argv[1:]]),
        progress=(lambda _: _count(next(pages))) if draws else None,
    )
    if draws:
        click.echo(err=True)
    # The tables come first: what was measured isn't lost where a file can't be written.
    write_out(evaluation.render(done))
    if given["output"] is not None:
        write_file(given["output"], done.to_json())


def _count(number: int) -> None:
    click.echo(f"\r{number} pages", file=drawn_on(), nl=False)
