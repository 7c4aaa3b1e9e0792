"""What the example site consists of: its entries, their addresses, its labels."""

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from site_maker.blocks import Block, Cut, first_sentence
from site_maker.notation import parse

WORDS = Path(__file__).parent / "words"
MONTHS = (
    "January February March April May June July August September October November December"
).split()
FOLDERS = {"thread": "forum", "product": "shop", "docs": "manual", "table": "data"}


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One thing to read, as the TOML files in `words` give it; parts of an article are two."""

    kind: str
    slug: str
    title: str
    date: str
    section: str = ""
    author: str = ""
    body: str = ""
    lang: str = ""
    encoding: str = "utf-8"
    declared: str = ""
    price: str = ""
    part: int = 1
    parts: int = 1
    tags: tuple[str, ...] = ()
    comments: tuple[str, ...] = ()
    reviews: tuple[str, ...] = ()
    damage: tuple[str, ...] = ()
    posts: tuple[tuple[str, str], ...] = ()
    specs: tuple[tuple[str, str], ...] = ()
    state: bool = False
    lazy: bool = False
    json_ld_body: bool = False

    @property
    def path(self) -> str:
        """Path of the page on its host, without a leading slash."""
        name = self.slug if self.part == 1 else f"{self.slug}_{self.part}"
        if self.kind == "list":
            return f"{self.slug}/index.html" if self.slug else "index.html"
        if self.kind == "article":
            return f"{self.section}/{self.date[:4]}/{name}.html"
        return f"{FOLDERS.get(self.kind, self.kind)}/{name}.html"

    @property
    def link(self) -> str:
        """The page's address within its site, as other pages write it."""
        return f"/{self.path}"

    @property
    def label(self) -> str:
        """The encoding that the page declares, true or not."""
        names = {"windows-1252": "iso-8859-1"}
        return self.declared or names.get(self.encoding, self.encoding)

    def blocks(self) -> list[Block]:
        """The content's blocks, marks of containers among them."""
        return parse(self.body)

    def teaser(self) -> str:
        """What lists print below the title."""
        if self.posts:
            return self.posts[0][1]
        return first_sentence(self.blocks())


@dataclass(frozen=True, kw_only=True)
class Site:
    """One host: labels in its language, and everything that can be read there."""

    host: str
    lang: str
    labels: dict[str, Any]
    entries: tuple[Entry, ...]

    def of(self, kind: str) -> list[Entry]:
        """Entries of a kind that others link to: first parts only."""
        return [entry for entry in self.entries if entry.kind == kind and entry.part == 1]

    def section_name(self, entry: Entry) -> str:
        """The name of the entry's section in the navigation."""
        name: str = dict(self.labels["nav"])[entry.section]
        return name

    def date_words(self, date: str, clock: str = "") -> str:
        """A date as pages print it."""
        year, month, day = (int(number) for number in date.split("-"))
        if self.lang.startswith("zh"):
            return f"{year}年{month}月{day}日 {clock}".strip()
        return f"{day} {MONTHS[month - 1]} {year} {clock}".strip()


def _entries(name: str) -> list[Entry]:
    tables = tomllib.loads((WORDS / name).read_text(encoding="utf-8"))
    entries = []
    for kind, rows in tables.items():
        for row in rows:
            values = {key: _frozen(value) for key, value in row.items()}
            entries += _parts(Entry(kind=kind, **values))
    return entries


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value


def _parts(entry: Entry) -> list[Entry]:
    bodies = entry.body.split("\n===\n")
    return [
        replace(entry, body=body, part=at, parts=len(bodies)) for at, body in enumerate(bodies, 1)
    ]


def _lists(labels: dict[str, Any]) -> list[Entry]:
    home = Entry(kind="list", slug="", title=labels["home_title"], date="2025-05-05")
    names = [
        Entry(kind="list", slug=slug, title=title, date="2025-05-05", section=slug)
        for slug, title in labels["nav"]
    ]
    return [home, *names]


def sites() -> list[Site]:
    """The English site and the Chinese one."""
    labels = tomllib.loads((WORDS / "chrome.toml").read_text(encoding="utf-8"))
    return [
        Site(
            host=labels[lang]["host"],
            lang=lang,
            labels=labels[lang],
            entries=(
                *_lists(labels[lang]),
                *_entries(f"{lang}_articles.toml"),
                *_entries(f"{lang}_pages.toml"),
            ),
        )
        for lang in ("en", "zh")
    ]


def traditional(site: Site) -> Site:
    """The Chinese site with its labels in traditional characters, for the Big5 page."""
    labels = tomllib.loads((WORDS / "chrome.toml").read_text(encoding="utf-8"))
    return replace(site, labels={**site.labels, **labels["zh-Hant"]})


def containers(blocks: list[Block]) -> list[list[Block]]:
    """Blocks grouped by the containers that hold them on the page."""
    groups: list[list[Block]] = [[]]
    for block in blocks:
        if isinstance(block, Cut):
            groups.append([])
        else:
            groups[-1].append(block)
    return groups
