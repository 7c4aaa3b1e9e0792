"""``chaffinch evaluate``: methods and peers measured on labelled pages."""

from __future__ import annotations

import itertools
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from chaffinch.cli.messages import shows_progress, write_file, write_out, writing
from chaffinch.cli.option_lists import form_option
from chaffinch.cli.policy_options import policy_options, wanted
from chaffinch.cli.terminal import drawn_on
from chaffinch.cli.verb import Verb
from chaffinch.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.evaluate import EvaluateOptions, Evaluation, EvaluationReport, LabelledPage
    from chaffinch.page import Page

_FILE = click.Path(dir_okay=False, path_type=Path)
_DUMPED = 10  # worst pages that --dump writes where --worst isn't given


@click.command(cls=Verb)
@click.argument("corpora", nargs=-1, metavar="CORPUS...")
@click.option(
    "-m", "--method", "methods", multiple=True, metavar="NAME",
    help="A method of Chaffinch; may be repeated; default: auto, where no peers are given.",
)  # fmt: skip
@click.option(
    "--siblings", multiple=True, metavar="DIR|FILE",
    help="Further pages of the corpora's sites, such as a crawl, for methods that compare; "
    "may be repeated.",
)  # fmt: skip
@policy_options
@click.option("--peers", default="", metavar="NAMES", help="Peers with commas between, or all.")
@click.option(
    "--limit", type=click.IntRange(min=1), help="Pages a corpus, drawn at random; default: all."
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Of the draw and the intervals."
)
@click.option(
    "--draws", type=click.IntRange(min=0), default=1000, show_default=True,
    help="Bootstrap samples for the intervals; 0 for none.",
)  # fmt: skip
@click.option(
    "--worst", type=click.IntRange(min=0), default=0,
    help="List so many of the worst pages of each corpus and system.",
)  # fmt: skip
@click.option(
    "--dump", type=click.Path(file_okay=False, path_type=Path), help="Folder for the worst pages."
)
@form_option("text", "markdown", help_text="Form of the tables.")
@click.option(
    "--read", "read_file", type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Measure nothing: show the report that --json wrote to this file.",
)  # fmt: skip
@click.option("--json", "json_file", type=_FILE, help="Write the report to this file, too.")
@click.option("--plot", "picture", type=_FILE, help="Draw the picture to this .svg or .png file.")
def evaluate(  # noqa: PLR0913  the options of the verb
    *,
    corpora: Sequence[str],
    methods: Sequence[str],
    siblings: Sequence[str],
    peers: str,
    limit: int | None,
    seed: int,
    draws: int,
    worst: int,
    dump: Path | None,
    form: str,
    read_file: Path | None,
    json_file: Path | None,
    picture: Path | None,
    **others: Any,
) -> None:
    """Measure methods and peers on labelled pages, side by side.

    A CORPUS is a name, such as wcxb or sites/NAME, below the folder that CHAFFINCH_CORPORA
    names (else ../shared), or a .jsonl or .jsonl.xz file.

    Methods that compare a page with others of its site get those of the corpus' own domain, never
    the page itself, and those of --siblings that have an address on the same domain. Pages without
    any are left out of such a method's figures, and counted.
    """
    from chaffinch import evaluate as evaluation  # noqa: PLC0415 - other verbs needn't load it

    if bool(corpora) == bool(read_file):
        raise click.UsageError("give corpora to measure on, or --read a report")
    if read_file:
        if worst or dump:
            raise click.UsageError("a report in a file has no worst pages: --worst, --dump")
        saved = evaluation.EvaluationReport.from_json(_text_of(read_file))
        _show(saved, json_file=json_file, picture=picture, form=form)
        return
    done = _run(
        evaluation.EvaluateOptions(
            corpora=tuple(corpora),
            methods=tuple(methods) or (() if peers else ("auto",)),
            favor=others["favor"],
            policy=wanted(others),
            peers=tuple(evaluation.peer_names(peers)),
            siblings=_further(siblings),
            limit=limit,
            seed=seed,
            draws=draws,
            worst=max(worst, _DUMPED if dump else 0),
            command=shlex.join(["chaffinch", *sys.argv[1:]]),
        )
    )
    report = evaluation.EvaluationReport.of(done)
    _show(report, json_file=json_file, picture=picture, form=form, worst=worst)
    if dump:
        with writing(dump):
            evaluation.dump(done.worst, dump)


def _further(given: Sequence[str]) -> tuple[Page, ...]:
    """Return the pages of files, folders and archives that are given as siblings.

    Raises:
        click.UsageError: there is none, or none has a web address, without which it is of no site.
    """
    if not given:
        return ()
    from chaffinch.cli.sibling_pages import read_siblings  # noqa: PLC0415 - few calls have them
    from chaffinch.page.bounds import Limits  # noqa: PLC0415

    found = read_siblings(given, limits=Limits())
    if found.are_files or not any(page.url for page in found.pages):
        raise click.UsageError("--siblings: no page has a web address, by which its site is known")
    return found.pages


def _show(
    report: EvaluationReport,
    *,
    json_file: Path | None,
    picture: Path | None,
    form: str,
    worst: int = 0,
) -> None:
    """Write a report's tables to standard output, then what is requested to files.

    The tables come first: what was measured isn't lost where a file can't be written.
    """
    from chaffinch.evaluate import plot, render  # noqa: PLC0415 - as above

    write_out(render(report, style=form, worst=worst))
    if json_file:
        write_file(json_file, report.to_json())
    if picture:
        with writing(picture):
            plot(report, picture)


def _run(options: EvaluateOptions) -> Evaluation:
    """Run the evaluation, with a count of pages on a terminal."""
    from chaffinch.evaluate import run  # noqa: PLC0415 - as above

    if not shows_progress():
        return run(options)
    pages = itertools.count(1)

    def count(_page: LabelledPage) -> None:
        click.echo(f"\r{next(pages)} pages", file=drawn_on(), nl=False)

    try:
        return run(options, progress=count)
    finally:
        click.echo(err=True)


def _text_of(path: Path) -> str:
    """Return the text of a file.

    Raises:
        OptionError: it can't be read, or isn't text.
    """
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise OptionError(f"{path} can't be read: {error}") from error
