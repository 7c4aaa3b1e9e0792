"""``chaffinch run``: from archives to tables."""

from collections import Counter
from typing import Any, Final

import click

from chaffinch import corpus
from chaffinch.cli.options import Option, form_option, made, of_field, read_names, refuse, verb
from chaffinch.cli.pages import CORPUS, RENDERING, Reading, size_option
from chaffinch.cli.streams import one_line, print_error, print_note, progress, write_out
from chaffinch.cli.work import EMPTY, FAILED, NAMED_METHOD, policy_of
from chaffinch.corpus.report import RunReport
from chaffinch.corpus.sources import DUPLICATES, EXTRACTOR, FORMS, Plan, Recipe
from chaffinch.extraction.plan import joined_settings
from chaffinch.wording import counted
from chaffinch.workers.protocol import PageLimits

_SHOWN: Final = 10  # sites, causes and pages that are named
_LOW: Final = 0.6  # confidence below which a page is named
_ADDED: Final = ("images", "tables", "records", "assessment", "signatures")


def _columns(given: tuple[str, ...]) -> tuple[str, ...]:
    names = read_names(given)
    if unknown := [name for name in names if name not in _ADDED]:
        raise click.BadParameter(f"no columns {unknown[0]!r}; known: {', '.join(_ADDED)}")
    return names


@verb(
    click.Argument(["sources"], nargs=-1, required=True, metavar="SOURCE..."),
    Option("-o", "--output", metavar="DIR", help="Folder of the results."),
    Option(
        "-w", "--workers", type=click.IntRange(min=1), metavar="N",
        help="Processes to use; default: as many as there are cores.",
    ),
    form_option(*FORMS, meaning="Form of the pages."),
    Option("--resume", is_flag=True, help="Go on with the run that DIR holds."),
    Option(
        "--report", "report_form", type=click.Choice(["text", "json", "html"]),
        help="Run nothing: print what the run in the folder SOURCE did, or has done so far; a "
        "finished run has it as report.json and report.html, too.",
    ),
    Option(
        "--with", "added", multiple=True, metavar="NAMES", reads=_columns, heading="Columns",
        help=f"Columns besides, parted by commas: {', '.join(_ADDED)}. Assessment takes pages of "
        "other statuses than 2xx, too; signatures are hashes by which a database finds duplicates.",
    ),
    of_field(
        Recipe, "fields", "--field", metavar="NAME=LABEL[,LABEL]", heading="Columns",
        help="A field of one's own, by the labels that it has on pages, such as "
        "isbn=ISBN,ISBN-13; may be repeated.",
    ),
    of_field(Recipe, "only_metadata", heading="Columns"),
    of_field(
        Recipe, "languages", "--language", metavar="CODES", reads=read_names,
        heading="Which pages",
    ),
    of_field(
        Plan, "duplicates", type=click.Choice(DUPLICATES), heading="Which pages", metavar=None,
        help="Note which pages are alike, or keep one of them alone.",
    ),
    *NAMED_METHOD,
    of_field(Recipe, "site", metavar="MODEL|DIR", heading="Site models"),
    Option(
        "--extractor", metavar="MODULE:NAME", heading="Method",
        help="What makes the row of a page, in place of Chaffinch's own; see docs/batch.md.",
    ),
    Option(
        "--engine", type=click.Choice(["local", "ray", "spark"]), default="local", heading="Work",
        help="Where the work is placed: threads of this process, tasks of Ray, or Spark.",
    ),
    Option(
        "--address", default="", metavar="ADDRESS", heading="Work", needs="--engine ray or spark",
        help="Of a Ray cluster, or a Spark master; default: this machine alone.",
    ),
    of_field(Plan, "buckets", heading="Work"),
    of_field(PageLimits, "wall", "--timeout", metavar="SECONDS", heading="Work"),
    of_field(PageLimits, "cpu", metavar="SECONDS", heading="Work"),
    of_field(PageLimits, "memory", metavar="MIB", heading="Work"),
    size_option(64),
    CORPUS,
    *RENDERING,
    examples=(
        "chaffinch run crawl.warc.gz -o pages/",
        "chaffinch run s3://bucket/2026/ -o pages/ --engine ray --with images,tables",
    ),
)  # fmt: skip
def run(given: dict[str, Any]) -> int:
    """Extract the pages of archives and write them as tables.

    SOURCES are WARC, zip and tar files, pages (.html, .htm, .xhtml and .mhtml, packed by gzip or
    not) and folders of them, JSON lines and Parquet files with an html column; local, or in object
    stores (s3://, gs://, az://, https://). Sites are fetched before, by 'chaffinch crawl'. A page
    that fails is a row with its error. A run that was stopped goes on with --resume.
    """
    if given["report_form"]:
        if len(given["sources"]) != 1:
            raise click.UsageError("--report goes with the folder of one run")
        refuse("goes without --report", but=("sources", "report_form"))
        found = corpus.read_report(given["sources"][0])
        if given["report_form"] == "text":
            write_out(summary(found))
        else:
            write_out(found.to_json() if given["report_form"] == "json" else found.to_html())
        return 0
    if not given["output"]:
        raise click.UsageError("--output DIR is wanted, the folder of the results")
    plan = _plan(given)
    with progress() as draw:
        report = corpus.run(
            given["sources"],
            plan,
            engine=given["engine"],
            workers=given["workers"] or 0,
            address=given["address"],
            resume=given["resume"],
            progress=draw,
        )
    for problem in report.failed.values():
        print_error(problem)
    write_out(summary(report))
    print_note(f"wrote {plan.out}")
    return FAILED if report.failed else 0 if report.tally.rows else EMPTY


def _plan(given: dict[str, Any]) -> Plan:
    reading = Reading.of(given)
    favor = {} if given["favor"] is None else {"favor": given["favor"]}
    added = dict.fromkeys(given["added"], True)
    signed = added.pop("signatures", False) or given["Plan__duplicates"] != "keep"
    recipe = made(
        Recipe,
        given,
        method=given["method"],
        settings=joined_settings(given["method"], favor, given["settings"]),
        policy=policy_of(given) or {},
        signatures=signed,
        max_bytes=reading.limits.max_bytes,
        **added,
    )
    return made(
        Plan,
        given,
        out=given["output"],
        form=given["form"],
        extractor=given["extractor"] or EXTRACTOR,
        recipe=recipe,
        limits=made(PageLimits, given, size=given["max_size"]),
        corpus=reading.is_corpus,
        **reading.loading,
    )


def summary(report: RunReport) -> str:
    tally = report.tally
    shards = f"{report.done:,} of {report.about['shards']:,} shards"
    lines = [
        f"{shards}, {counted(tally.rows, 'page')}, {report.rate:,.1f} a second",
        f"errors: {_most(tally.errors) or 'none'}",
        *(f"  {one}: {count:,}" for one, count in tally.causes.most_common(_SHOWN)),
    ]
    if tally.errors:
        lines.append("their rows give the reason: columns error, error_detail, file and offset")
    for name, counts in (
        ("no pages, skipped", tally.skipped),
        ("left out as requested", tally.left_out),
        ("languages", tally.languages),
        ("page types", tally.page_types),
        ("states", tally.states),
    ):
        if counts.keys() - {""}:
            lines.append(f"{name}: {_most(counts)}")
    if report.duplicates:
        lines.append(
            f"alike: {report.duplicates['clusters']:,} clusters, "
            f"{report.duplicates['others']:,} pages in them but for the first"
        )
    doubts = [one for one in tally.doubts if one[0] < _LOW][:_SHOWN]
    lines += ["pages of low confidence:"] if doubts else []
    lines += [f"  {one[0]:.2f} {one[1] or one[3]} {one[2]}".rstrip() for one in doubts]
    return "\n".join(map(one_line, lines))


def _most(counts: Counter[str]) -> str:
    named = [f"{name or 'unknown'} {count:,}" for name, count in counts.most_common(_SHOWN)]
    more = counts.total() - sum(count for _, count in counts.most_common(_SHOWN))
    return ", ".join(named + ([f"others {more:,}"] if more else []))
