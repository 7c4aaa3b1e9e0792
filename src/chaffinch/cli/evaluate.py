"""``chaffinch evaluate``: methods and baselines measured on labelled pages."""

from __future__ import annotations

import itertools
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click

from chaffinch import evaluate as evaluation
from chaffinch.cli.options import Option, read_names, verb
from chaffinch.cli.pages import Reading
from chaffinch.cli.siblings import read_siblings
from chaffinch.cli.streams import drawn_on, shows_progress, write_file, write_out, writing
from chaffinch.cli.work import POLICY, SIBLINGS, policy_of
from chaffinch.errors import OptionError
from chaffinch.evaluate import Evaluation
from chaffinch.page import Page
from chaffinch.page.bounds import Limits
from chaffinch.web.settings import FetchLimits

_FILE: Final = click.Path(dir_okay=False, path_type=Path)
_DUMPED: Final = 10  # worst pages that --dump writes where --worst isn't given


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
        "-o", "--output", type=_FILE, metavar="FILE",
        help="Write the report to this .json file, too.",
    ),
    Option(
        "-f", "--format", "form", type=click.Choice(["text", "markdown"]), default="text",
        help="Form of the tables.",
    ),
    Option(
        "--read", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
        help="Measure nothing: show the report that --output wrote to this .json file.",
    ),
    Option(
        "--worst", type=click.IntRange(min=0), default=0, metavar="N", heading="Worst pages",
        help="List so many of the worst pages of each corpus and system.",
    ),
    Option(
        "--dump", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
        heading="Worst pages", help="Folder for the worst pages.",
    ),
    Option("--seed", type=int, default=0, heading="Sample", help="Of the draw and the intervals."),
    Option(
        "--draws", type=click.IntRange(min=0), default=1000, metavar="N", heading="Sample",
        help="Bootstrap samples for the intervals; 0 for none.",
    ),
    SIBLINGS,
    *POLICY,
    examples=(
        "chaffinch evaluate my-pages.jsonl -m auto,trafilatura",
        "chaffinch evaluate wcxb --pages 200 --worst 5 -o report.json",
    ),
)  # fmt: skip
def evaluate(given: dict[str, Any]) -> None:
    """Measure methods and baselines on labelled pages, side by side.

    A CORPUS is a name, such as wcxb or sites/NAME, below the folder that CHAFFINCH_CORPORA
    names (else ../shared), or a .jsonl or .jsonl.xz file.

    Methods that compare a page with others of its site get those of the corpus' own domain, never
    the page itself, and those of --siblings that have a URL on the same domain. Pages without
    any are left out of such a method's figures, and counted.
    """
    corpora, read, worst = given["corpora"], given["read"], given["worst"]
    if bool(corpora) == bool(read):
        raise click.UsageError("give corpora to measure on, or --read a report")
    if given["output"] is not None and given["output"].suffix.lower() != ".json":
        raise click.UsageError("--output writes JSON: give a .json file")
    if read:
        if worst or given["dump"]:
            raise click.UsageError("a report in a file has no worst pages: --worst, --dump")
        _show(evaluation.Evaluation.from_json(_text_of(read)), given)
        return
    pages, draws = itertools.count(1), shows_progress()
    done = evaluation.run(
        corpora,
        methods=given["names"] or ("auto",),
        favor=given["favor"],
        policy=policy_of(given),
        siblings=_further(given["siblings"]),
        limit=given["pages"],
        seed=given["seed"],
        draws=given["draws"],
        worst=max(worst, _DUMPED if given["dump"] else 0),
        command=shlex.join(["chaffinch", *sys.argv[1:]]),
        progress=(lambda _: _count(next(pages))) if draws else None,
    )
    if draws:
        click.echo(err=True)
    _show(done, given)
    if given["dump"]:
        with writing(given["dump"]):
            evaluation.dump(done, given["dump"])


def _count(number: int) -> None:
    click.echo(f"\r{number} pages", file=drawn_on(), nl=False)


def _further(given: Sequence[str]) -> tuple[Page, ...]:
    if not given:
        return ()
    found = read_siblings(given, Reading(limits=Limits(), fetch=FetchLimits()))
    if found.are_files or not any(page.url for page in found.pages):
        raise click.UsageError("--siblings: no page has a web URL, by which its site is known")
    return found.pages


def _show(report: Evaluation, given: dict[str, Any]) -> None:
    """Write a report's tables to standard output, then its JSON to a file.

    The tables come first: what was measured isn't lost where a file can't be written.
    """
    write_out(evaluation.render(report, style=given["form"], worst=given["worst"]))
    if given["output"] is not None:
        write_file(given["output"], report.to_json())


def _text_of(path: Path) -> str:
    """Return the text of a file.

    Raises:
        OptionError: it can't be read, or isn't text.
    """
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise OptionError(f"{path} can't be read: {error}") from error
