"""Spellings of a hidden text between shown ones: what comes out, and what shown counterparts lose.

    python -m bench.quality.hidden [--show]

Each spelling stands in a page of its own, at one of several places and in one of several languages;
beside each kind stand counterparts that look alike and are shown, or opened by a control. Printed
is how many hidden texts come out, and how many shown ones are lost, by output and for two other
systems; ``--show`` lists them. A browser isn't asked: spellings are those of the HTML and CSS
standards.
"""

from __future__ import annotations

import argparse
import html as html_of
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Final

import resiliparse.extract.html2text as resiliparse
import trafilatura

import chaffinch

MOST_LEAKS: Final = 0.05
"""Share of hidden texts that may come out."""

_TABLES: Final = tomllib.loads(Path(__file__).with_name("hidden_spellings.toml").read_text("utf-8"))
_FRAME: Final = (
    "<!doctype html><html lang={lang}><head><meta charset=utf-8><title>{title}</title>"
    "{sheet}</head><body><nav><a href=/>1</a> <a href=/b>2</a></nav>{body}"
    "<footer>© 3</footer></body></html>"
)
_OURS: Final = ("text", "Markdown", "HTML")


@dataclass(frozen=True)
class Trial:
    """A spelling on a page.

    Attributes:
        kind: how it is spelled: style, attribute, sheet or element.
        spelling: as it stands in ``hidden_spellings.toml``.
        shown: a browser shows the text, or a control of the page opens it.
        page: the page.
        text: the text.
    """

    kind: str
    spelling: str
    shown: bool
    page: str
    text: str


def trials() -> Iterator[Trial]:
    """Yield every spelling once, places and languages in turn."""
    ways = cycle([(page, place) for place in _TABLES["places"]["all"] for page in _TABLES["page"]])
    for kind in ("style", "attribute", "sheet", "element"):
        for shown in (False, True):
            lines = _TABLES[kind]["shown" if shown else "hidden"].split("\n")
            for spelling in filter(
                None, (one.strip() for line in lines for one in line.split(" | "))
            ):
                own, place = next(ways)
                it = {
                    "style": f'<p style="{html_of.escape(spelling)}">{own["text"]}</p>',
                    "attribute": f"<p {spelling}>{own['text']}</p>",
                    "sheet": f'<p class="zq">{own["text"]}</p>',
                    "element": spelling.replace("{}", own["text"]),
                }[kind]
                sheet = f"<style>{spelling}</style>" if kind == "sheet" else ""
                page = _FRAME.format(**own, sheet=sheet, body=place.format(**own, it=it))
                yield Trial(kind, spelling, shown, page, own["text"])


SYSTEMS: Final[dict[str, Callable[[str], str]]] = {
    "text": lambda page: chaffinch.extract(page).text,
    "Markdown": lambda page: chaffinch.extract(page).markdown(),
    "HTML": lambda page: chaffinch.extract(page).html(),
    "trafilatura": lambda page: trafilatura.extract(page) or "",
    "resiliparse": lambda page: resiliparse.extract_plain_text(page, main_content=True),
}


def main() -> int:
    """Print the table; 1 where too much comes out or something shown is lost."""
    parser = argparse.ArgumentParser(prog="python -m bench.quality.hidden", description=__doc__)
    parser.add_argument("--show", action="store_true", help="list what went wrong in our outputs")
    options = parser.parse_args()
    every = list(trials())
    hidden = sum(not one.shown for one in every)
    print(
        f"| | of {hidden} hidden come out | of {len(every) - hidden} shown are lost |",
        "|---|---:|---:|",
        sep="\n",
    )
    failed = False
    for name, text_of in SYSTEMS.items():
        wrong = [one for one in every if (one.text in text_of(one.page)) is not one.shown]
        lost = sum(one.shown for one in wrong)
        leaks = len(wrong) - lost
        print(f"| {name} | {leaks} | {lost} |", flush=True)
        if name in _OURS:
            failed |= bool(lost) or leaks > MOST_LEAKS * hidden
            for one in wrong if options.show else ():
                print(f"    {'lost' if one.shown else 'leak'}: {one.kind}: {one.spelling}")
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
