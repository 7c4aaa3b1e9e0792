"""Images of the content against labels of sites: precision, recall and F1, and ms a page.

Labels are the ``images`` of ../shared/sites, the pictures that stand in the labelled content;
pages without any are left out, since there a missing label can't be told from none. Addresses are
equal when they are after resolving, unquoting and dropping scheme, ``www.`` and fragment. Rules
were chosen looking at the sites that ``--part tune`` names (an even CRC-32 of the name); ``--part
report`` is the other half.

    python -m bench.quality.images --methods learned,information_blocks
    python -m bench.quality.images --part report --no-baselines
    python -m bench.quality.images --sites rappler.com --misses "chaffinch learned"
"""

from __future__ import annotations

import importlib.metadata
import json
import lzma
import time
import xml.etree.ElementTree as ET
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import unquote, urljoin

import click

from chaffinch.elements.parts import images
from chaffinch.evaluate.corpora import corpus_path, known_corpora
from chaffinch.methods import DEFAULT, METHODS
from chaffinch.page import parse
from chaffinch.page.decoding import decode
from chaffinch.verdict import Content

System = Callable[[bytes, str], tuple[list[str], float]]


def in_part(site: str, part: str) -> bool:
    """Tell whether a site is in the part."""
    even = zlib.crc32(site.encode()) % 2 == 0
    return part == "all" or even == (part == "tune")


def labelled(site: str, limit: int) -> Iterator[dict[str, Any]]:
    """Yield the pages of a site that have labelled images."""
    count = 0
    with lzma.open(corpus_path(f"sites/{site}"), "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row.get("images") and count < limit:
                count += 1
                yield row


def normal(url: str, base: str) -> str:
    """Return what two addresses of one picture have in common."""
    url = unquote(unquote(urljoin(base, url.strip()))).partition("#")[0]
    return url.partition("//")[2].removeprefix("www.").rstrip("/")


def ours(method: str) -> System:
    """Return the images part on the verdict of a method; the part's seconds alone."""
    finder = METHODS[method]()

    def run(html: bytes, url: str) -> tuple[list[str], float]:
        page = parse(html, url=url)
        content = Content(page, finder(page), tuple(finder.reasons))
        start = time.perf_counter()
        found = [image.url for image in images(content)]
        return found, time.perf_counter() - start

    return run


def trafilatura(html: bytes, url: str) -> tuple[list[str], float]:
    """Return trafilatura's images; the seconds are those of its whole extraction."""
    from trafilatura import extract  # noqa: PLC0415  optional

    start = time.perf_counter()
    text = decode(html).text
    written = extract(text, url=url, include_images=True, output_format="xml")
    seconds = time.perf_counter() - start
    found = ET.fromstring(written).iter("graphic") if written else ()  # noqa: S314  its own output
    return [one.get("src") or "" for one in found], seconds


def every_image(html: bytes, url: str) -> tuple[list[str], float]:
    """Return the ``src`` of all images of a page: what no choice at all reaches."""
    page = parse(html, url=url)
    rows = page.select("img[src]").tolist()
    return [page.attribute(row, "src") or "" for row in rows], 0.0


def sites_of(part: str, names: str) -> list[str]:
    """Return the sites to run on."""
    if names:
        return names.split(",")
    known = [name.removeprefix("sites/") for name in known_corpora() if name.startswith("sites/")]
    return [name for name in known if in_part(name, part)]


def measure(site: str, systems: dict[str, System], limit: int, misses: str) -> dict[str, Any]:
    """Return hits, found, wanted and seconds by system over the pages of a site."""
    sums: dict[str, Any] = {name: defaultdict(float) for name in systems}
    for row in labelled(site, limit):
        html, url = row["html"].encode("latin-1"), row["url"]
        wanted = {normal(one, url) for one in row["images"]}
        for name, system in systems.items():
            answer, seconds = system(html, url)
            found = {normal(one, url) for one in answer}
            own = sums[name]
            own["hits"] += len(found & wanted)
            own["found"] += len(found)
            own["wanted"] += len(wanted)
            own["seconds"] += seconds
            own["pages"] += 1
            if misses == name and found != wanted:
                click.echo(f"{url}\n  missed {wanted - found}\n  wrong {found - wanted}")
    return sums


def figures(own: dict[str, float]) -> tuple[float, float, float]:
    """Return precision, recall and F1."""
    precision = own["hits"] / own["found"] if own["found"] else 0.0
    recall = own["hits"] / own["wanted"] if own["wanted"] else 0.0
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


@click.command()
@click.option("--part", type=click.Choice(["tune", "report", "all"]), default="all")
@click.option("--sites", default="", help="Names, by comma; else all of the part.")
@click.option("--methods", default=DEFAULT, show_default=True, help="Whose verdicts, by comma.")
@click.option("--baselines/--no-baselines", default=True, help="trafilatura and all images, too.")
@click.option("--limit", default=20, show_default=True, help="Pages a site, at most.")
@click.option("--misses", default="", help="Print what this system missed.")
def main(  # noqa: PLR0913, PLR0917  one for each option
    part: str,
    sites: str,
    methods: str,
    baselines: bool,  # noqa: FBT001
    limit: int,
    misses: str,
) -> None:
    """Print the table in Markdown."""
    systems = {f"chaffinch {method}": ours(method) for method in methods.split(",")}
    if baselines:
        name = f"trafilatura {importlib.metadata.version('trafilatura')}"
        systems |= {name: trafilatura, "every img": every_image}
    click.echo("| site | pages | images | " + " | ".join(systems) + " |")
    click.echo("|---|---:|---:|" + "---:|" * len(systems))
    total: dict[str, Any] = {name: defaultdict(float) for name in systems}
    for site in sites_of(part, sites):
        sums = measure(site, systems, limit, misses)
        first = next(iter(sums.values()))
        if not first["wanted"]:
            continue
        _row(site, sums)
        for name, own in sums.items():
            for key, value in own.items():
                total[name][key] += value
            precision, recall, both = figures(own)
            for key, value in (("p", precision), ("r", recall), ("f", both), ("sites", 1)):
                total[name][key] += value
    _row("all images", total)
    means = [[own[key] / own["sites"] for key in "prf"] for own in total.values()]
    cells = [" / ".join(f"{100 * value:.1f}" for value in one) for one in means]
    click.echo("| mean of sites | | | " + " | ".join(cells) + " |\n")
    for name, own in total.items():
        click.echo(f"- {name}: {1000 * own['seconds'] / own['pages']:.2f} ms a page")


def _row(site: str, sums: dict[str, Any]) -> None:
    first = next(iter(sums.values()))
    cells = [" / ".join(f"{100 * value:.1f}" for value in figures(own)) for own in sums.values()]
    click.echo(f"| {site} | {first['pages']:.0f} | {first['wanted']:.0f} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
