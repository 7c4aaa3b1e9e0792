"""``chaffinch compare`` and ``evaluate``: methods side by side, on one page or on labelled ones."""

from __future__ import annotations

import itertools
import json
import shlex
import sys
from dataclasses import replace
from typing import Any

import click

from chaffinch import evaluate as evaluation
from chaffinch.cli.options import Option, file_option, form_option, read_names, verb
from chaffinch.cli.pages import PAGE, READING, RECORD, RENDERING, Reading
from chaffinch.cli.site_pages import read_siblings, require_siblings
from chaffinch.cli.streams import progress, write_file, write_out
from chaffinch.cli.work import EMPTY, POLICY, SIBLINGS, policy_of
from chaffinch.evaluate.comparison import compare as compare_methods
from chaffinch.loading.address import addressed
from chaffinch.methods import DEFAULT, METHODS


@verb(
    PAGE,
    Option(
        "-m", "--method", "names", multiple=True, metavar="NAMES", callback=read_names,
        help="Methods and baselines such as trafilatura, with commas between; default: all of "
        "'chaffinch methods'.",
    ),
    SIBLINGS,
    form_option(
        "text", "json", meaning="Tables for people, or one JSON object with all text blocks."
    ),
    Option(
        "--disputed", type=click.IntRange(min=0), default=20, metavar="N",
        help="Disputed blocks in the table, the longest first; 0 for all.",
    ),
    *POLICY,
    RECORD,
    *READING,
    *RENDERING,
    examples=(
        "chaffinch compare story.html",
        "chaffinch compare story.html -m auto,trafilatura --disputed 0",
    ),
)  # fmt: skip
def compare(given: dict[str, Any]) -> int:
    """Compare what methods keep of a page.

    Figures of each method, how far each two agree, and the text blocks that some keep and others
    don't; what stands only in data that scripts read is counted apart. Methods that compare pages
    take part where --siblings gives some. What is to count as content holds for every method.
    """
    names = [DEFAULT if name == "auto" else name for name in dict.fromkeys(given["names"])]
    for name in names:
        if name in METHODS:
            require_siblings(name, given["siblings"], if_taken=False)
    reading = Reading.of(given)
    beside = read_siblings(given["siblings"], reading)
    source = reading.one(given["page"])
    page = source.as_page(reading.limits)
    seen = beside.beside(page, source.path) if given["siblings"] else page
    comparison = compare_methods(
        seen,
        url=seen.url or "" if given["siblings"] else None,
        methods=names or None,
        favor=given["favor"],
        policy=policy_of(given),
        siblings=beside.pages,
    )
    # The URL of a file is for methods that compare: the page stays what it is.
    shown = addressed(page)
    comparison = replace(comparison, blocks=replace(comparison.blocks, page=shown))
    if given["form"] == "json":
        write_out(json.dumps(comparison.to_dict(), ensure_ascii=False, indent=2))
    else:
        write_out(comparison.table(limit=given["disputed"] or None))
    return 0 if any(one.length or one.embedded for one in comparison.columns) else EMPTY


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
    file_option(
        "-o", "--output", endings=(".json",), help="Write the report to this .json file, too."
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
    pages = itertools.count(1)
    with progress() as draw:
        done = evaluation.run(
            corpora,
            methods=given["names"] or ("auto",),
            favor=given["favor"],
            policy=policy_of(given),
            limit=given["pages"],
            seed=given["seed"],
            draws=given["draws"],
            command=shlex.join(["chaffinch", *sys.argv[1:]]),
            progress=(lambda _: draw(f"{next(pages)} pages")) if draw else None,
        )
    # The tables come first: what was measured isn't lost where a file can't be written.
    write_out(evaluation.render(done))
    if given["output"] is not None:
        write_file(given["output"], done.to_json())
