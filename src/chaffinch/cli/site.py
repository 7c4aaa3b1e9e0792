"""``chaffinch site``: pages of the same template, site models learned, shown, taught and tried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from chaffinch import corpus, web
from chaffinch.cli.options import Option, form_option, read_date, refuse, verb
from chaffinch.cli.pages import (
    INPUTS,
    PAGE,
    READING,
    RECORD,
    RENDERING,
    Reading,
    is_address,
    parsed,
)
from chaffinch.cli.rules import MODEL, PAGES, rules
from chaffinch.cli.site_pages import PACE, SitePages, addressed_siblings, own_address
from chaffinch.cli.streams import one_line, print_note, write_out
from chaffinch.cli.work import EMPTY, FAILED
from chaffinch.errors import RulesError
from chaffinch.evaluate.layer_similarity import PARTS, PageLikeness, layer_similarity
from chaffinch.reports.text_table import as_table
from chaffinch.siblings.sibling_links import sibling_links, spread
from chaffinch.siblings.url_shapes import plain_url
from chaffinch.site.file import is_model, read_rules
from chaffinch.site.site import Site
from chaffinch.storage import locked_folder, make_folder
from chaffinch.wording import counted, failing_as

Row = dict[str, Any]

_FOUND: Final = 24  # pages that a single URL finds; the model's docs have what more add
_LEAST: Final = 2  # pages that are compared


@verb(
    click.Argument(["inputs"], nargs=-1, required=True, metavar=PAGES),
    Option(
        "-o", "--output", required=True, metavar="MODEL",
        type=click.Path(path_type=Path),
        help="Folder of the model: its rules, which people may edit, and its data.",
    ),
    Option(
        "--by-host", is_flag=True,
        help="Learn a model of each site that has ten pages in archives of many, MODEL/HOST, for "
        "'run --site MODEL'; those that are there are updated.",
    ),
    Option(
        "--update", is_flag=True,
        help="Take the pages into the model that is there; what people wrote in it stays.",
    ),
    Option(
        "--same-template", type=click.IntRange(min=0), metavar="N",
        help="Of each URL, find and fetch N pages of the same template, too; default: 24 where a "
        "single URL is given, else 0.",
    ),
    Option(
        "--date", default="", metavar="YYYY-MM-DD", reads=read_date,
        help="Date of the pages; default: today.",
    ),
    *READING,
    *PACE,
    *RENDERING,
    examples=(
        "chaffinch learn pages/ -o grain.example.site",
        "chaffinch learn https://grain.example/rye -o grain.example.site",
    ),
)  # fmt: skip
def learn(given: dict[str, Any]) -> int:
    """Learn a site model from the site's own pages; nothing needs to be labelled.

    Two or three pages of each kind are a beginning, forty are plenty. Give pages of one site:
    folders, files, URLs, archives (WARC) or tables. Of a single URL, pages of the
    same template are found.
    """
    inputs, path, update = given["inputs"], given["output"], given["update"]
    if given["by_host"]:
        return _learn_sites(given)
    count = given["same_template"]
    count = count if count is not None else _FOUND if len(inputs) == 1 else 0
    if not (count and any(map(is_address, inputs))):
        refuse("goes with URLs of which pages of the same template are fetched", PACE)
    if update and not is_model(path):
        raise click.UsageError(f"--update: there is no model {path} yet; leave --update out")
    if not update and is_model(path) and Site.load(path).is_taught:
        raise click.UsageError(f"{path} holds rules that people wrote: --update keeps them")
    site = Site.load(path) if update else None
    before = read_rules(path) if update else ""
    pages = SitePages(inputs, given, same_template=count)
    date = given["date"]
    learned = Site.learn(pages, date=date) if site is None else site.update(pages, date=date)
    if not pages.count:
        raise click.UsageError(f"no page in {', '.join(inputs)}")
    _save(learned, path, before)
    write_out(learned.report().to_text())
    print_note(f"wrote {path}")
    return FAILED if pages.failed else 0


def _learn_sites(given: dict[str, Any]) -> int:
    acting = ("inputs", "output", "by_host", "update", "date", "max_size", "Reading__is_corpus")
    refuse("goes without --by-host", but=acting)
    folder, plan = given["output"], Reading.of(given).plan()
    learned = corpus.learn_sites(given["inputs"], folder, date=given["date"], plan=plan)
    for host, pages in learned.items():
        write_out(f"{one_line(host)}: {counted(pages, 'page')}")
    print_note(f"wrote {counted(len(learned), 'model')} to {folder}")
    return 0 if learned else EMPTY


def _save(site: Site, path: Path, before: str) -> None:
    """Save a model, unless the file that it was made from is another by now."""
    with failing_as(RulesError, f"can't write {path}"):
        make_folder(path)
        with locked_folder(path):
            if before and read_rules(path) != before:
                raise RulesError(f"{path} was changed while the model was learned: learn it again")
            site.save(path)


@verb(
    MODEL,
    click.Argument(["pages"], nargs=-1, metavar=PAGES),
    form_option("text", "json", meaning="Lines for people, or one JSON object."),
    *READING,
    examples=("chaffinch site show grain.example.site pages/",),
)  # fmt: skip
def show(given: dict[str, Any]) -> int:
    """Show what a site model holds; with pages, what has changed on them since it was learned."""
    learned = Site.load(given["model"])
    found = SitePages(given["pages"], given)
    for page in found:
        learned(page)  # so that what has changed is counted
    report = learned.report()
    write_out(report.to_dict() if given["form"] == "json" else report.to_text())
    return FAILED if found.failed else 0


# --- Pages of the same template ---------------------------------------------------------------


@verb(
    PAGE,
    Option(
        "-n", "--count", type=click.IntRange(min=1), default=8, metavar="N",
        help="Pages to look for.",
    ),
    form_option("text", "json", meaning="Lines for people, or one JSON object."),
    RECORD,
    *READING,
    *PACE,
    *RENDERING,
    examples=("chaffinch site siblings https://grain.example/rye",),
)  # fmt: skip
def siblings(given: dict[str, Any]) -> int:
    """Find pages of the same template as one page, with the reason.

    Given a URL, lists, feeds and sitemaps are read where the page's own links don't suffice, and
    every sibling is fetched and compared; robots.txt is obeyed. Given a file, its links alone
    decide; --url gives its URL. Exit code 3: there is none.
    """
    reading = Reading.of(given)
    if is_address(given["page"]):
        refuse("goes with one file or standard input", (RECORD, *READING[:3]))
        found = _fetched(given["page"], given["count"], reading)
    else:
        refuse("goes with a URL", PACE)
        found = _linked(given["page"], given["count"], reading)
    write_out(found if given["form"] == "json" else "\n".join(_lines(found)))
    return 0 if found["siblings"] else EMPTY


def _fetched(url: str, count: int, reading: Reading) -> dict[str, Any]:
    with reading.loader() as loader:
        found = web.find_siblings(url, **reading.manners, count=count, loader=loader)
    return {
        "url": found.url,
        "siblings": [_sibling(one, layout=round(one.path_similarity, 3)) for one in found.siblings],
        "parts": found.parts,
        "left_out": [{"url": url, "why": why} for url, why in found.left_out],
        "looked_at": found.looked_at,
    }


def _linked(name: str, count: int, reading: Reading) -> dict[str, Any]:
    page = reading.one(name).as_page(reading.limits)
    url = plain_url(page.url or own_address(page, None) or "")
    if not url:
        raise click.UsageError("the page doesn't declare its URL; give it as --url")
    near = sibling_links(url, [replace(page, url=url)])
    found = [_sibling(one) for one in spread(near.links, count)]
    parts = list(near.parts)
    return {"url": url, "siblings": found, "parts": parts, "left_out": [], "looked_at": []}


def _sibling(one: Any, **more: float) -> dict[str, Any]:
    named = {"url": one.url, "score": one.score, **more}
    return {**named, "why": list(one.reasons), "from": one.source}


def _lines(found: dict[str, Any]) -> list[str]:
    out = [f"{found['url']}: {counted(len(found['siblings']), 'sibling')}"]
    for one in found["siblings"]:
        layout = f", {one['layout']:.0%} of tag paths in common" if "layout" in one else ""
        out.append(f"{one['score']:.2f}  {one['url']}")
        out.append(f"      {', '.join(one['why'])}{layout}")
        if one["from"] != found["url"]:
            out.append(f"      found on {one['from']}")
    out += [f"looked at {place}" for place in found["looked_at"]]
    out += [f"further part of the same article: {part}" for part in found["parts"]]
    out += [f"left out: {one['url']}: {one['why']}" for one in found["left_out"]]
    return [one_line(line) for line in out]


@verb(
    INPUTS,
    Option(
        "-n", "--count", type=click.IntRange(min=1), default=4, metavar="N",
        help="Pages that each is compared with: the nearest by URL.",
    ),
    form_option("text", "json", meaning="Table for people, or one JSON object."),
    *READING,
    examples=("chaffinch site similarity pages/",),
)  # fmt: skip
def similarity(given: dict[str, Any]) -> int:
    """Measure how alike pages of one layer of a site are.

    The measure is that of Table 1 of same-layer-similarity: of head, navigation, foot and
    advertisements the share that another page has, too, by tags alone and with their text. Beside
    it, the share of tag paths in common, and of nodes that the nearest page has to the letter.
    """
    reading = Reading.of(given)
    read = list(parsed(reading.at_hand(reading.sources(given["inputs"])), reading))
    found = [(page, source.path) for source, page in read if page is not None]
    names = [source.name for source, page in read if page is not None]
    if len(found) < _LEAST:
        raise click.UsageError(f"at least {_LEAST} pages are compared; {len(found)} could be read")
    pages = addressed_siblings(found).pages
    alike = layer_similarity(pages, most=given["count"])
    nearest = [names[one.others[0]] if one.others else None for one in alike]
    rows = [
        {"page": name, **_scores([one]), "nearest": other}
        for name, one, other in zip(names, alike, nearest, strict=True)
    ]
    total = _scores(alike)
    if given["form"] == "json":
        write_out({"count": given["count"], "pages": rows, "all": total})
    else:
        shown = [*rows, {"page": "all", **total, "nearest": ""}]
        titles = [name.replace("_", " ") for name in rows[0]]
        cells = [["–" if one is None else one for one in row.values()] for row in shown]
        write_out(as_table(titles, cells))
    return FAILED if len(found) < len(read) else 0


def _scores(some: Sequence[PageLikeness]) -> Row:
    tags = [pair for one in some for pair in one.tags]
    found = {
        **{part: _mean([is_alike for name, is_alike in tags if name == part]) for part in PARTS},
        "similarity": _mean([is_alike for _, is_alike in tags]),
        "with_text": _mean([is_alike for one in some for _, is_alike in one.texts]),
        "paths": _mean([one.paths for one in some]),
        "equal_nodes": _mean([one.equal for one in some]),
    }
    compared = sum(len(one.others) for one in some)
    rounded = {name: one and round(one, 3) for name, one in found.items()}
    return {"compared": compared, **rounded}


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


site = click.Group(
    "site",
    commands=[learn, show, rules, siblings, similarity],
    help="Learn site models, look at them, teach them; find and compare pages of a template.",
)
