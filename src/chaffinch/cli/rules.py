"""``chaffinch site rules``: rules of site models tried, made by example, imported."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click

from chaffinch.cli.options import Option, verb
from chaffinch.cli.pages import READING
from chaffinch.cli.site_pages import SitePages
from chaffinch.cli.streams import one_line, print_error, print_note, write_out
from chaffinch.cli.work import FAILED
from chaffinch.errors import OptionError, RulesError, SetupError
from chaffinch.lists.labelled import OWN
from chaffinch.page import Page, tags
from chaffinch.reports.text_table import as_table
from chaffinch.site.configs import config_files, read_site_config
from chaffinch.site.file import is_model, keep_rule, remove_rule
from chaffinch.site.report import check_rules
from chaffinch.site.rules import KINDS, Rule, refused_kind
from chaffinch.site.site import Site
from chaffinch.site.teach import Candidate, Mark, Proposal, SamplePage
from chaffinch.site.teach import propose as proposed
from chaffinch.wording import counted, failing_as

_TEXT: Final = 40  # characters of an example in the table
MODEL: Final = click.Argument(["model"], type=click.Path(file_okay=False, path_type=Path))
PAGES: Final = "[FOLDER | FILE | URL | WARC]..."
SOME_PAGES: Final = click.Argument(["pages"], nargs=-1, required=True, metavar=PAGES)


def _kind(value: str) -> str:
    if why := refused_kind(value):
        raise click.BadParameter(why)
    return value


_KIND: Final = Option(
    "--as", "kind", required=True, reads=_kind, metavar="|".join((*KINDS, f"{OWN}NAME")),
    help="What the element is; field:NAME, a field of one's own.",
)  # fmt: skip
_TEMPLATE: Final = Option(
    "--template", default="", metavar="NAME", help="Template that the rule is for; default: all."
)
_SELECTOR: Final = Option(
    "--select", "selector", required=True, metavar="SELECTOR", help="CSS or XPath of the rule."
)


@verb(
    MODEL, SOME_PAGES, *READING, examples=("chaffinch site rules check grain.example.site pages/",)
)
def check(given: dict[str, Any]) -> int:
    """Try the rules of a model on pages: which match nothing, which too much.

    Ends with exit code 1 where anything is wrong.
    """
    pages = SitePages(given["pages"], given)
    found = check_rules(Site.load(given["model"]), pages)
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
    return FAILED if pages.failed or any(one.remark for one in found) else 0


@verb(
    MODEL,
    SOME_PAGES,
    Option(
        "--on", "where", required=True, metavar="URL",
        help="Page that the element is on: its URL or its file's name, or the end of it.",
    ),
    Option(
        "--at", "marked", metavar="SELECTOR",
        help="Selects the element, the first where it selects several.",
    ),
    Option(
        "--value", metavar="TEXT",
        help="What the element says, in place of --at: the innermost that says it.",
    ),
    _KIND,
    Option(
        "--also", multiple=True, nargs=2, metavar="KIND SELECTOR",
        help="A further element of that page and what it is, such as «content p.lead», which the "
        "rule must leave so; may be repeated.",
    ),
    Option("--select", "selector", default="", metavar="SELECTOR", help="Try this selector alone."),
    Option("--save", is_flag=True, help="Write the proposed rule into the model."),
    *READING,
    examples=(
        "chaffinch site rules propose grain.example.site pages/ --on /rye --at .tip --as drop",
        'chaffinch site rules propose grain.site pages/ --on /rye --value "3 t" --as field:yield',
    ),
)  # fmt: skip
def propose(given: dict[str, Any]) -> int:
    """Propose rules for one element of a page, each tried on all of the pages.

    Candidates are listed from narrow to wide; a star marks the widest without collateral: it takes
    away and adds nothing but what is marked. Ends with exit code 1 where there is none.
    """
    model, kind, value = given["model"], given["kind"], given["value"]
    if (given["marked"] is None) == (value is None):
        raise click.UsageError("the element is told by --at or by --value")
    site = Site.load(model)
    found = SitePages(given["pages"], given)
    sample, names = [], []
    for one in found:
        sample.append(SamplePage.of(site, one))
        names.append(found.name)
    page = _page(sample, names, given["where"])
    marks = [_mark(sample, page, *one) for one in given["also"]]
    if value is None:
        marks.append(_mark(sample, page, kind, given["marked"]))
    else:
        marks.append(Mark(page, _saying(sample[page].page, value), kind))
    made = proposed(sample, marks, selector=given["selector"])
    write_out(_candidates(made))
    chosen = made.best
    if given["save"] and chosen is not None:
        keep_rule(model, chosen.rule(kind), chosen.template)
        print_note(f"wrote {model}")
    return FAILED if found.failed or chosen is None else 0


def _page(sample: Sequence[SamplePage], names: Sequence[str], where: str) -> int:
    known = [(one.page.url or "", name) for one, name in zip(sample, names, strict=True)]
    hits = [n for n, names in enumerate(known) if where in names]
    hits = hits or [n for n, names in enumerate(known) if any(o.endswith(where) for o in names)]
    if len(hits) != 1:
        found = f"{len(hits)} of {len(sample)} pages"
        raise OptionError(f"--on {where}: {found} have such a URL or file name")
    return hits[0]


def _mark(sample: Sequence[SamplePage], page: int, kind: str, selector: str) -> Mark:
    row = sample[page].page.first(selector)
    if row < 0:
        raise OptionError(f"{selector}: selects nothing on {sample[page].page.url}")
    return Mark(page, row, kind)


def _saying(page: Page, value: str) -> int:
    wanted = " ".join(value.split())
    rows = (page.tag != tags.TEXT) & page.shown & (page.length >= len(wanted))
    for row in sorted(rows.nonzero()[0].tolist(), key=page.length.item) if wanted else ():
        if wanted in page.folded(row):
            return max(int(row), page.body)
    raise OptionError(f"--value {value}: no element of {page.url} says it")


def _candidates(made: Proposal) -> str:
    names = ["", *"selector,for,pages,elements,added,removed,collateral,such as".split(",")]
    rows = [
        [
            f"{number + 1}{'*' if number == made.chosen else ''}",
            one.select,
            one.template or "all pages",
            f"{one.pages} of {one.of}",
            one.elements,
            one.added,
            one.removed,
            _collateral(one),
            one.examples[0].text[:_TEXT] if one.examples else "",
        ]
        for number, one in enumerate(made.candidates)
    ]
    return as_table(names, rows)


def _collateral(one: Candidate) -> str:
    more = [f"{one.against} against marks"] if one.against else []
    more += [f"{counted(one.missed, 'mark')} missed"] if one.missed else []
    return ", ".join([str(one.collateral), *more])


@verb(
    MODEL, _KIND, _SELECTOR, _TEMPLATE,
    examples=("chaffinch site rules add grain.example.site --as drop --select aside.tip",),
)  # fmt: skip
def add(given: dict[str, Any]) -> None:
    """Write a rule into a model; all else in it, comments too, stays as it is."""
    rule = Rule(kind=given["kind"], select=given["selector"], by_hand=True)
    keep_rule(given["model"], rule, given["template"])
    print_note(f"wrote {given['model']}")


@verb(
    MODEL, _KIND, _SELECTOR, _TEMPLATE,
    examples=("chaffinch site rules remove grain.example.site --as drop --select aside.tip",),
)  # fmt: skip
def remove(given: dict[str, Any]) -> None:
    """Take a rule that a person wrote out of a model."""
    remove_rule(given["model"], given["kind"], given["selector"], given["template"])
    print_note(f"wrote {given['model']}")


@verb(
    click.Argument(
        ["files"], nargs=-1, required=True, type=click.Path(exists=True, path_type=Path)
    ),
    Option(
        "-o", "--output", required=True, metavar="DIR",
        type=click.Path(file_okay=False, path_type=Path),
        help="Folder for the models, one a host; one that is there is not overwritten.",
    ),
    Option("--replace", is_flag=True, help="Overwrite models that are there."),
    Option(
        "--lines", is_flag=True, help="List each line that isn't taken over, with the reason."
    ),
    name="import",
    examples=("chaffinch site rules import configs/ -o models/",),
)  # fmt: skip
def import_configs(given: dict[str, Any]) -> int:
    """Make site models of site configs of Full-Text RSS (HOST.txt, or folders of them).

    Prints how many lines became rules. Ends with exit code 1 where a file couldn't be read or a
    model couldn't be written.
    """
    failed, taken, left, output = 0, 0, 0, given["output"]
    configs = list(config_files(given["files"]))
    if not configs:
        names = ", ".join(map(str, given["files"]))
        raise click.UsageError(f"no site config (HOST.txt) in {names}")
    with failing_as(click.ClickException, f"can't write {output}"):
        output.mkdir(parents=True, exist_ok=True)
    for file in configs:
        target = output / file.name.removesuffix(".txt")
        try:
            config = read_site_config(file.read_text("utf-8", "replace"), target.name)
            if not config.taken:
                raise RulesError("no site config: none of its lines is taken over")
            if is_model(target) and not given["replace"]:
                raise RulesError(f"{target} is there; --replace overwrites it")
            config.site.save(target)
        except (OSError, SetupError) as error:
            failed += 1
            print_error(f"{file}: {error}")
            continue
        taken, left = taken + config.taken, left + len(config.left)
        for line in config.left if given["lines"] else ():
            write_out(one_line(f"{file.name}:{line}"))
    write_out(f"{taken} of {counted(taken + left, 'line')} taken over")
    return FAILED if failed else 0


rules = click.Group(
    "rules",
    commands=[check, propose, add, remove, import_configs],
    help="Try, make, remove and import rules of site models.",
)
