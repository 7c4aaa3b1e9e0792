"""Parts of extracts against labels: posts of threads and images of the content.

Rules were chosen on the half that ``--part tune`` names (an even CRC-32 of the domain or site);
``--part report`` is the other half.

    python -m bench.quality.parts posts [--part report]
    python -m bench.quality.parts images [--part report]

Posts, of harvest_forum: a labelled post is found when a post of ours has its words: word F1 of at
least 0.8, each used once. Some labels are of posts that the saved pages don't hold; the table tells
the share of those that they do. A user is right when the names are equal or the labelled address is
the author's; a day counts where the label tells one.

Images, of ../shared/sites: the pictures that stand in the labelled content; pages without any are
left out, since there a missing label can't be told from none. Addresses are equal when they are
after resolving, unquoting and dropping scheme, ``www.`` and fragment.
"""

from __future__ import annotations

import argparse
import importlib
import json
import lzma
import re
import time
import xml.etree.ElementTree as ET
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Any
from urllib.parse import unquote, urljoin

from chaffinch.elements.listed import images as images_of
from chaffinch.evaluate.corpora import corpus_path, known_corpora
from chaffinch.evaluate.scoring import tokenize, word_score
from chaffinch.extraction.extract import extract
from chaffinch.lists.discussion import Post, posts
from chaffinch.lists.post_features import date_in
from chaffinch.page import Page, parse
from chaffinch.page.decoding import decode

LEAST_F1 = 0.8
PAGES = 20  # of a site, at most
ISO = re.compile(r"\d{4}-\d\d-\d\d")


def matched(gold: list[dict[str, Any]], found: list[Post]) -> dict[int, Post]:
    """Return number of the labelled post → our post, the best F1 first."""
    wanted = [tokenize(post["post_text"]) for post in gold]
    got = [tokenize(post.text) for post in found]
    pairs = [
        (word_score(g, w).f1, abs(i - j), i, j)
        for i, w in enumerate(wanted)
        for j, g in enumerate(got)
    ]
    out: dict[int, Post] = {}
    used: set[int] = set()
    for f1, _, i, j in sorted(pairs, key=lambda pair: (-pair[0], pair[1])):
        if f1 >= LEAST_F1 and i not in out and j not in used:
            out[i] = found[j]
            used.add(j)
    return out


def same_user(label: str, post: Post) -> bool:
    """Tell whether a post's author is the labelled one, by name or by address."""
    label = label.strip().lower()
    names = {post.author.lower(), post.author.lower().lstrip("@")}
    address = post.author_url.lower()
    path = label.partition("//")[2] if "//" in label else label.lstrip("./")
    return label in names or (bool(path) and "/" in address and path in address)


def days(label: str) -> set[str]:
    """Return the days that a label may tell; none where it says "3 days ago" or the like."""
    read = {date_in(label, locale=locale)[:10] for locale in ("en", "")}
    return {one for one in read if ISO.fullmatch(one)}


def on_page(page: Page, text: str) -> bool:
    """Tell whether a labelled text is on the saved page at all: half of its pieces are."""
    whole, bare = "".join(page.text.split()), "".join(text.split())
    step = max(len(bare) // 8, 12)
    pieces = [bare[at : at + 12] for at in range(0, len(bare), step)]
    return 2 * sum(piece in whole for piece in pieces) >= len(pieces)


def count_posts(row: dict[str, Any], sums: dict[str, float]) -> None:
    """Add the counts of a page to ``sums``."""
    page = parse(row["html"].encode("latin-1"), url=row["url"])
    start = time.perf_counter()
    found = posts(page)
    sums["seconds"] += time.perf_counter() - start
    gold = [post for post in row["posts"] if post["post_text"].strip()]
    pairs = matched(gold, found)
    dated = {i: days(gold[i]["datetime"]) for i in pairs if days(gold[i]["datetime"])}
    counts = {
        "gold": len(gold),
        "there": sum(on_page(page, post["post_text"]) for post in gold),
        "told": len(found),
        "hits": len(pairs),
        "users": sum(same_user(gold[i]["user"], post) for i, post in pairs.items()),
        "dated": len(dated),
        "dates": sum(pairs[i].date[:10] in those for i, those in dated.items()),
    }
    for key, value in counts.items():
        sums[key] += value


def rows(corpus: str, part: str) -> Iterator[dict[str, Any]]:
    """Yield the pages of a corpus or site whose domain is in a part."""
    with lzma.open(corpus_path(corpus), "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if part == "all" or in_tune(row["domain"]) == (part == "tune"):
                yield row


def in_tune(name: str) -> bool:
    """Tell whether the rules were chosen on a domain or site."""
    return zlib.crc32(name.encode()) % 2 == 0


def posts_table(part: str) -> None:
    """Print the table of posts."""
    sums: dict[str, float] = defaultdict(float)
    for row in rows("harvest_forum", part):
        sums["pages"] += 1
        count_posts(row, sums)
    shares = {
        "found of labelled": sums["hits"] / sums["gold"],
        "found of those on the page": sums["hits"] / sums["there"],
        "precision": sums["hits"] / max(sums["told"], 1),
        "user right": sums["users"] / max(sums["hits"], 1),
        "day right": sums["dates"] / max(sums["dated"], 1),
    }
    print("| part | pages | labelled | on the page | told | " + " | ".join(shares) + " |")
    print("|---|" + "---:|" * (4 + len(shares)))
    cells = [f"{sums[key]:.0f}" for key in ("pages", "gold", "there", "told")]
    cells += [f"{100 * share:.1f}" for share in shares.values()]
    print(f"| {part} | " + " | ".join(cells) + " |")
    print(f"\n{1000 * sums['seconds'] / sums['pages']:.1f} ms a page")


def ours(method: str) -> Callable[[bytes, str], list[str]]:
    """Return the images part on the verdict of a method."""
    return lambda html, url: [
        image.url for image in images_of(extract(html, url=url, method=method).content)
    ]


def trafilatura() -> Callable[[bytes, str], list[str]]:
    """Return trafilatura's images."""
    find = importlib.import_module("trafilatura").extract

    def found(html: bytes, url: str) -> list[str]:
        text = decode(html).text
        written = find(text, url=url, include_images=True, output_format="xml")
        root = ET.fromstring(written or "<doc/>")  # noqa: S314  its own output
        return [one.get("src") or "" for one in root.iter("graphic")]

    return found


def normal(url: str, base: str) -> str:
    """Return what two addresses of one picture have in common."""
    url = unquote(unquote(urljoin(base, url.strip()))).partition("#")[0]
    return url.partition("//")[2].removeprefix("www.").rstrip("/")


def images_table(part: str) -> None:
    """Print precision, recall and F1 of images, site by site and over all."""
    systems = {f"chaffinch {one}": ours(one) for one in ("learned", "information_blocks")}
    with suppress(ImportError):
        systems["trafilatura"] = trafilatura()
    print("| site | images | " + " | ".join(systems) + " |\n|---|---:|" + "---:|" * len(systems))
    total: Counter[str] = Counter()
    names = (name.removeprefix("sites/") for name in known_corpora() if name.startswith("sites/"))
    for site in names:
        if part != "all" and in_tune(site) != (part == "tune"):
            continue
        own: Counter[str] = Counter()
        labelled = (row for row in rows(f"sites/{site}", "all") if row.get("images"))
        for row in islice(labelled, PAGES):
            html, url = row["html"].encode("latin-1"), row["url"]
            wanted = {normal(one, url) for one in row["images"]}
            own["wanted"] += len(wanted)
            for name, system in systems.items():
                found = {normal(one, url) for one in system(html, url)}
                own[f"right {name}"] += len(found & wanted)
                own[f"found {name}"] += len(found)
        if own["wanted"]:
            print(f"| {site} | {_cells(own, systems)} |", flush=True)
            total += own
    print(f"| all images | {_cells(total, systems)} |")


def _cells(own: Counter[str], systems: Iterable[str]) -> str:
    cells = [str(own["wanted"])]
    for name in systems:
        right, found = own[f"right {name}"], own[f"found {name}"]
        shares = right / max(found, 1), right / own["wanted"], 2 * right / (found + own["wanted"])
        cells.append(" / ".join(f"{100 * one:.1f}" for one in shares))
    return " | ".join(cells)


def main() -> None:
    """Print a table in Markdown."""
    parser = argparse.ArgumentParser(prog="python -m bench.quality.parts", description=__doc__)
    parser.add_argument("what", choices=["posts", "images"])
    parser.add_argument("--part", choices=["tune", "report", "all"], default="all")
    given = parser.parse_args()
    (posts_table if given.what == "posts" else images_table)(given.part)


if __name__ == "__main__":
    main()
