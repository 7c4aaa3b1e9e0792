"""``chaffinch rules``: rules of site models tried, proposed and kept; other tools' imported."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from chaffinch.cli.messages import print_error, write_out, writing
from chaffinch.cli.page_loop import FAILED
from chaffinch.cli.rule_teaching import add, propose, remove
from chaffinch.cli.site_pages import SitePages
from chaffinch.cli.source_options import source_options
from chaffinch.cli.verb import Verb
from chaffinch.errors import RulesError, SetupError
from chaffinch.site.configs import ConfigLine, config_files, read_site_config, summary_lines
from chaffinch.site.report import check_rules
from chaffinch.site.site import Site
from chaffinch.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from chaffinch.page import Page


@click.group
def rules() -> None:
    """Try the rules of site models, make some by example, and import those of other tools."""


for _one in (propose, add, remove):
    rules.add_command(_one)


@rules.command(cls=Verb)
@click.argument("model", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("pages", nargs=-1, metavar="[FOLDER | FILE | URL | WARC | LIST]...")
@source_options
@click.pass_context
def check(context: click.Context, /, *, model: Path, pages: Sequence[str], **others: Any) -> None:
    """Try the rules of a model on pages: which match nothing, which too much.

    Pages that the model has a test for are tried by it, too; where no pages are given, those are
    fetched. Ends with exit code 1 where anything is wrong.
    """
    site = Site.load(model)
    given = SitePages(pages or [test.url for test in site.tests], others, site=site)
    if not (pages or site.tests):
        raise click.UsageError("pages are wanted: the model has no tests that name some")
    failures: list[str] = []
    found = check_rules(site, _tested(site, given, failures))
    for one in found:
        if one.rule is None:
            here = f"template {one.template}" if one.template else counted(one.pages, "page")
            write_out(f"{here}: {one.remark}")
            continue
        effect = one.remark or f"{one.share:.0%} of the text"
        write_out(
            f"{one.template or 'all pages'}: {one.rule.kind} {one.rule.select}: "
            f"on {one.matching} of {counted(one.pages, 'page')}, {effect}"
        )
    for failure in failures:
        write_out(failure)
    wrong = given.failed or failures or any(one.remark for one in found)
    context.exit(FAILED if wrong else 0)


def _tested(site: Site, pages: Iterable[Page], failures: list[str]) -> Iterator[Page]:
    """Yield the pages, and add what tests of the model fail on them to ``failures``."""
    for page in pages:
        failures += site.failed_tests(page)
        yield page


@rules.command("import", cls=Verb)
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder for the models, HOST.toml each; one that is there is not overwritten.",
)
@click.option("--replace", is_flag=True, help="Overwrite models that are there.")
@click.option(
    "--lines", is_flag=True, help="List each line that isn't taken over, with the reason."
)
@click.pass_context
def import_configs(
    context: click.Context, /, *, files: Sequence[Path], output: Path, replace: bool, lines: bool
) -> None:
    """Make site models of site configs of Full-Text RSS (HOST.txt, or folders of them).

    Prints, by directive, how many lines were taken over. Ends with exit code 1 where a file
    couldn't be read or a model couldn't be written.
    """
    failed, found = 0, list[ConfigLine]()
    configs = list(config_files(files))
    if not configs:
        raise click.UsageError(f"no site config (HOST.txt) in {', '.join(map(str, files))}")
    with writing(output):
        output.mkdir(parents=True, exist_ok=True)
    for file in configs:
        target = output / f"{file.name.removesuffix('.txt')}.toml"
        try:
            config = read_site_config(file.read_text("utf-8", "replace"), target.stem)
            if target.exists() and not replace:
                raise RulesError(f"{target} is there; --replace overwrites it")
            config.site.save(target)
        except (OSError, SetupError) as error:
            failed += 1
            print_error(f"{file}: {error}")
            continue
        found += config.lines
        for one in config.lines if lines else ():
            if not one.taken:
                write_out(f"{file.name}:{one.number}: {one.directive}: {one.remark}")
    for line in summary_lines(found):
        write_out(line)
    context.exit(FAILED if failed else 0)
