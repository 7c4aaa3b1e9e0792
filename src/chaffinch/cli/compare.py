"""What is put side by side: methods, on one page or on labelled ones; versions; quotations.

The verbs ``compare``, ``evaluate`` and ``methods``, ``diff`` and ``verify``.
"""

from __future__ import annotations

import inspect
import itertools
import shlex
import sys
from dataclasses import asdict, replace
from typing import Any, Final

import click

from chaffinch import evaluate as evaluation
from chaffinch.cli.options import Option, as_toml, file_option, form_option, read_names, verb
from chaffinch.cli.pages import PAGE, READING, RECORD, RENDERING, Reading
from chaffinch.cli.site_pages import read_siblings, require_siblings
from chaffinch.cli.streams import one_line, print_note, progress, write_out
from chaffinch.cli.work import EMPTY, METHOD, POLICY, SIBLINGS, extract_of, policy_of
from chaffinch.decision.rules import RULES
from chaffinch.errors import require_one_of
from chaffinch.evaluate.comparison import compare as compare_methods
from chaffinch.fields import meanings_of
from chaffinch.loading.address import addressed
from chaffinch.methods import DEFAULT, METHODS, Learned, settings_of
from chaffinch.reading.quotes import Passage
from chaffinch.wording import failing_as

_CODES: Final = {"exact": 0, "absent": EMPTY, "changed": 4, "contradicted": 5}
"""Exit codes of ``verify``."""
_BRIEF: Final = 20  # characters of a default value in the list of methods
_PAGES: Final = "pages, given as --siblings DIR|FILE"


@verb(
    PAGE,
    Option(
        "-m", "--method", "names", multiple=True, metavar="NAMES", reads=read_names,
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
    names = [*dict.fromkeys(DEFAULT if name == "auto" else name for name in given["names"])]
    for name in names:
        if name in METHODS:
            require_siblings(name, given["siblings"], if_taken=len(names) == 1)
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
        limits=reading.limits,
    )
    # The URL of a file is for methods that compare: the page stays what it is.
    blocks = replace(comparison.blocks, page=addressed(page))
    comparison = replace(comparison, blocks=blocks)
    most = given["disputed"] or None
    write_out(comparison.to_dict() if given["form"] == "json" else comparison.table(limit=most))
    return 0 if any(one.length or one.embedded for one in comparison.columns) else EMPTY


@verb(
    click.Argument(["corpora"], nargs=-1, required=True, metavar="CORPUS..."),
    Option(
        "-m", "--method", "names", multiple=True, metavar="NAMES", reads=read_names,
        help="Methods and baselines such as trafilatura, with commas between; 'baselines' for all "
        "of these; default: auto.",
    ),
    Option(
        "--pages", type=click.IntRange(min=1), metavar="N",
        help="Pages a corpus, drawn at random; default: all.",
    ),
    file_option(
        "-o", "--output", ending=".json", help="Write the report to this .json file, too."
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
    pages = itertools.count(1)
    with progress() as draw:
        done = evaluation.run(
            given["corpora"],
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
    if (path := given["output"]) is not None:
        with failing_as(click.ClickException, f"can't write {path}"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(done.to_json(), encoding="utf-8", errors="replace")
        print_note(f"wrote {path}")


@verb(
    click.Argument(["name"], required=False),
    examples=("chaffinch methods", "chaffinch methods sibling_subtrees"),
)
def methods(given: dict[str, Any]) -> None:
    """List the methods, or describe the one called NAME.

    The settings are given to 'chaffinch extract' as --set KEY=VALUE, siblings as --siblings. What
    --method calls auto is learned.
    """
    name = DEFAULT if given["name"] == "auto" else given["name"]
    if name is not None:
        require_one_of("method", name, METHODS)
        click.echo(_described(name))
        return
    for name in METHODS:
        settings = ", ".join(_brief(*pair) for pair in settings_of(name).items())
        click.echo(f"{name}: {summary(METHODS[name])}")
        click.echo(click.wrap_text(settings or "no settings", 80, "    ", "    "))


def _described(name: str) -> str:
    method = METHODS[name]
    meanings = meanings_of(method)
    lines = [name, "", summary(method), ""]
    module = inspect.getmodule(method)
    if module is not None and module.__doc__:
        lines += [inspect.cleandoc(module.__doc__), ""]
    if method is Learned:
        lines.append("The rules of the decision, in the order in which they run:")
        lines += [f"{number:2} {rule.name}: {rule.effect}" for number, rule in enumerate(RULES, 1)]
        lines.append("")
    for setting, default in settings_of(name).items():
        lines.append(f"{setting} = {_PAGES if setting == 'siblings' else as_toml(default)}")
        lines.append(f"    {meanings.get(setting, '')}".rstrip())
    return "\n".join(lines)


def summary(method: type[Any]) -> str:
    return (inspect.getdoc(method) or "").partition("\n")[0]


def _brief(setting: str, default: Any) -> str:
    if setting == "siblings":
        return "--siblings=…"
    value = as_toml(default)
    return f"{setting}={value}" if len(value) <= _BRIEF else f"{setting}=…"


# Versions and quotations


@verb(
    click.Argument(["old"], metavar="OLD"),
    click.Argument(["new"], metavar="NEW"),
    form_option(
        "text", "json", "markdown",
        meaning="Lines that begin with - and +, one JSON object, or a list with the words marked.",
    ),
    Option(
        "--links/--no-links", default=True,
        help="Whether a link whose words stayed, but that leads elsewhere, is a change.",
    ),
    *METHOD,
    *READING,
    *RENDERING,
    examples=(
        "chaffinch diff yesterday.html today.html",
        "chaffinch diff terms-2025.html https://shop.example/terms -f markdown",
    ),
)  # fmt: skip
def diff(given: dict[str, Any]) -> None:
    """Print what of the content changed between two versions of a page.

    OLD and NEW are URLs, files, or one of them "-"; --url is the URL of both. Navigation and
    advertisements don't count, nor does what moved, nor counters and dates such as "3 hours ago"
    that stand apart from prose. Where nothing changed, nothing is printed but a note.
    """
    if given["old"] == given["new"] == "-":
        raise click.UsageError("OLD and NEW can't both be standard input")
    old, new = extract_of(given["old"], given), extract_of(given["new"], given)
    found = old.difference(new, links=given["links"])
    made = {"json": found.to_dict, "markdown": found.markdown, "text": found.text}[given["form"]]()
    if made:
        write_out(made)
    else:
        print_note("nothing of the content changed")


@verb(
    click.Argument(["page"], metavar="URL|FILE|-"),
    click.Argument(["quote"], metavar="QUOTE"),
    form_option("text", "json", meaning="Lines for people, or one JSON object."),
    *METHOD,
    RECORD,
    *READING,
    *RENDERING,
    examples=(
        'chaffinch verify story.html "rye ripens in July"',
        'chaffinch verify https://grain.example/rye "sown in autumn" -f json',
    ),
)  # fmt: skip
def verify(given: dict[str, Any]) -> int:
    """Report whether a page's content has a QUOTE, and where.

    exact: the same but for white space and forms of characters; only this has the exit code 0.
    absent (3): none that is like it. changed (4): at least 0.8 of the words of both are the same,
    in their order. contradicted (5): so, but a number, date, name or negation is another.
    """
    if not given["quote"].strip():
        raise click.UsageError("the QUOTE is empty")
    found = extract_of(given["page"], given)
    passage = found.locate(given["quote"])
    status = "absent" if passage is None else passage.status
    if given["form"] == "json":
        held = {"passage": None if passage is None else asdict(passage)}
        write_out({"url": found.url, "quote": given["quote"], "status": status, **held})
    else:
        write_out("\n".join([status, *(_lines(passage) if passage else [])]))
    return _CODES[status]


def _lines(passage: Passage) -> list[str]:
    values = {
        "text": passage.text,
        "similarity": f"{passage.similarity:.2f}",
        "blocks": " ".join(passage.ids),
        "selector": passage.selector,
        "xpath": passage.xpath,
        "url": passage.url or passage.fragment,
    }
    return [f"  {name:<10} {one_line(value)}" for name, value in values.items() if value]
