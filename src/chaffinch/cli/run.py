"""``chaffinch run``: from archives to tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from chaffinch.cli.filter_options import language_option
from chaffinch.cli.messages import print_error, shows_progress, write_out
from chaffinch.cli.method_options import named_method_options
from chaffinch.cli.option_lists import form_option
from chaffinch.cli.page_loop import EMPTY, FAILED
from chaffinch.cli.policy_options import wanted
from chaffinch.cli.render_options import render_options, require_browser_fits
from chaffinch.cli.run_summary import summary
from chaffinch.cli.source_options import allow_option, contact_option, corpus_option, size_option
from chaffinch.cli.terminal import drawn_on
from chaffinch.cli.verb import Verb
from chaffinch.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.corpus.plan import Plan


_OF_PLAN = "out form buckets duplicates contact pause update_sites one_pass".split()
_OF_RECIPE = (
    "method languages only_metadata images tables records assessment site site_models".split()
)
_OF_LIMITS = ("wall", "cpu", "memory")
"""Options that are fields of the plan of a run, and of parts of it, under the same names."""


@click.command("run", cls=Verb)
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("-o", "--out", required=True, metavar="DIR", help="Folder of the results.")
@click.option(
    "--engine", type=click.Choice(["local", "ray", "spark"]), default="local", show_default=True,
    help="Where the work is placed: threads of this process, tasks of Ray, or Spark.",
)  # fmt: skip
@click.option(
    "-w", "--workers", type=click.IntRange(min=1),
    help="Processes to use; default: as many as there are cores.",
)  # fmt: skip
@click.option(
    "--address", default="", metavar="ADDRESS",
    help="Of a Ray cluster, or a Spark master; default: this machine alone.",
)  # fmt: skip
@click.option("--resume", is_flag=True, help="Go on with the run that DIR holds.")
@form_option("parquet", "jsonl", help_text="Form of the pages.")
@click.option(
    "--buckets", type=click.IntRange(1, 65_536), default=16, show_default=True,
    help="Into how many parts the hosts are sorted.",
)  # fmt: skip
@language_option("Keep pages in these languages alone; codes with commas between.")
@click.option("--only-metadata", is_flag=True, help="Leave text and Markdown out.")
@click.option("--images", is_flag=True, help="Add the images of the content.")
@click.option("--tables", is_flag=True, help="Add the tables of the content.")
@click.option("--records", is_flag=True, help="Add the entries of lists, with their fields.")
@click.option(
    "--assessment", is_flag=True,
    help="Add whether each page is content, or a wall or an error in its place, and count these; "
    "pages of other statuses than 2xx, too.",
)  # fmt: skip
@click.option(
    "--duplicates", type=click.Choice(["keep", "mark", "remove"]), default="keep",
    show_default=True,
    help="Note which pages are alike, or keep one of them alone.",
)  # fmt: skip
@click.option(
    "--signatures", is_flag=True,
    help="Add hash and MinHash signature of each text, to find duplicates by a database.",
)  # fmt: skip
@click.option(
    "--site", default="", metavar="FILE|DIR",
    help="Extract by a site model that 'chaffinch learn' or 'rules import' made, or by a folder of "
    "them, one a host.",
)  # fmt: skip
@click.option(
    "--site-models", default="", metavar="DIR",
    help="Extract by models of the sites; they are learned where DIR holds none, and kept there.",
)  # fmt: skip
@click.option("--update-sites", is_flag=True, help="Take this crawl into the models of DIR.")
@click.option(
    "--one-pass",
    is_flag=True,
    help="Read the sources once: what they teach of sites serves the next crawl.",
)
@named_method_options
@click.option(
    "--extractor",
    metavar="MODULE:NAME",
    help="What makes the row of a page, in place of Chaffinch's own; see docs/batch.md.",
)
@click.option(
    "--wall", type=click.IntRange(min=1), default=60, show_default=True, metavar="SECONDS",
    help="Time for one page.",
)  # fmt: skip
@click.option(
    "--cpu", type=click.IntRange(min=1), default=30, show_default=True, metavar="SECONDS",
    help="Processor time for one page.",
)  # fmt: skip
@click.option(
    "--memory", type=click.IntRange(min=1), default=3072, show_default=True, metavar="MIB",
    help="Memory for one page.",
)  # fmt: skip
@size_option(64)
@corpus_option
@render_options
@allow_option
@contact_option
@click.option(
    "--pause", type=click.FloatRange(min=0), default=1.0, show_default=True, metavar="SECONDS",
    help="Between two requests to one host, for lists of addresses.",
)  # fmt: skip
@click.pass_context
def run(  # noqa: PLR0913  the options of the verb
    context: click.Context,
    /,
    *,
    sources: Sequence[str],
    engine: str,
    workers: int | None,
    address: str,
    resume: bool,
    **given: Any,
) -> None:
    """Extract the pages of archives and write them as tables.

    SOURCES are WARC, zip and tar files, pages (.html, .htm, .xhtml and .mhtml, packed by gzip or
    not) and folders of them, JSON lines and Parquet files with an html column, and .txt files of
    addresses; local, or in object stores (s3://, gs://, az://, https://). A page that fails is a
    row with its error. A run that was stopped goes on with --resume.
    """
    try:
        from chaffinch.corpus import run as batch  # noqa: PLC0415 - an extra
        from chaffinch.corpus.report import ProgressBar  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError.of(error.name or "a package", "batch") from None
    require_browser_fits(given["render"], given["browser"])
    plan = _plan(given)
    with ProgressBar(drawn_on(), is_shown=shows_progress()) as bar:
        report = batch(
            sources,
            plan,
            engine=engine,
            workers=workers or 0,
            address=address,
            resume=resume,
            listener=bar,
        )
    for problem in report.failed.values():
        print_error(problem)
    write_out(summary(report))
    context.exit(FAILED if report.failed else 0 if report.tally.rows else EMPTY)


def _plan(given: dict[str, Any]) -> Plan:
    from chaffinch.corpus.plan import (  # noqa: PLC0415 - an extra
        EXTRACTOR,
        Plan,
        Recipe,
    )
    from chaffinch.extraction.prepared_method import joined_settings  # noqa: PLC0415  loads the methods
    from chaffinch.workers.limits import PageLimits  # noqa: PLC0415

    favor = {} if given["favor"] is None else {"favor": given["favor"]}
    return Plan(
        extractor=given["extractor"] or EXTRACTOR,
        recipe=Recipe(
            settings=joined_settings(given["method"], favor, given["settings"]),
            policy=wanted(given) or {},
            signatures=given["signatures"] or given["duplicates"] != "keep",
            max_bytes=given["max_size"] << 20,
            **{name: given[name] for name in _OF_RECIPE},
        ),
        limits=PageLimits(size=given["max_size"], **{name: given[name] for name in _OF_LIMITS}),
        allow_hosts=tuple(given["allow_host"]),
        render=given["render"],
        browser=given["browser"] or "",
        corpus=given["is_corpus"],
        **{name: given[name] for name in _OF_PLAN},
    )
