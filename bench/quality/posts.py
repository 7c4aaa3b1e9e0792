"""Posts of threads against the labels of harvest_forum: share found, with user and date.

A labelled post is found when a post of ours has its words: word F1 of at least 0.8, each used once.
Some labels are of posts that the saved pages don't hold; the table tells the share of those that
they do. A user is right when the names are equal or the labelled address is the author's; a day
counts where the label tells one. Rules were chosen on the half of the domains that ``--part tune``
names (an even CRC-32); ``--part report`` is the other half.

    python -m bench.quality.posts --part report
    python -m bench.quality.posts --part tune --pages
"""

from __future__ import annotations

import json
import lzma
import re
import time
import zlib
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import click

from chaffinch.evaluate.corpora import corpus_path
from chaffinch.evaluate.scoring import tokenize, word_score
from chaffinch.lists.discussion import Post, posts
from chaffinch.lists.post_features import date_in
from chaffinch.page import Page, parse

LEAST_F1 = 0.8
ISO = re.compile(r"\d{4}-\d\d-\d\d")


def labelled(part: str) -> Iterator[dict[str, Any]]:
    """Yield the pages of a part."""
    with lzma.open(corpus_path("harvest_forum"), "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            even = zlib.crc32(row["domain"].encode()) % 2 == 0
            if part == "all" or even == (part == "tune"):
                yield row


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


def measure(row: dict[str, Any], sums: dict[str, float]) -> str:
    """Add the counts of a page to ``sums``; return them as a line."""
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
    return f"{row['domain']:28} " + " ".join(f"{key} {value}" for key, value in counts.items())


@click.command()
@click.option("--part", type=click.Choice(["tune", "report", "all"]), default="report")
@click.option("--pages/--no-pages", default=False, help="Print the counts of each page, too.")
def main(part: str, pages: bool) -> None:  # noqa: FBT001
    """Print the table in Markdown."""
    sums: dict[str, float] = defaultdict(float)
    for row in labelled(part):
        sums["pages"] += 1
        line = measure(row, sums)
        if pages:
            click.echo(line)
    shares = {
        "found of labelled": sums["hits"] / sums["gold"],
        "found of those on the page": sums["hits"] / sums["there"],
        "precision": sums["hits"] / max(sums["told"], 1),
        "user right": sums["users"] / max(sums["hits"], 1),
        "day right": sums["dates"] / max(sums["dated"], 1),
    }
    click.echo("| part | pages | labelled | on the page | told | " + " | ".join(shares) + " |")
    click.echo("|---|" + "---:|" * (4 + len(shares)))
    cells = [f"{sums[key]:.0f}" for key in ("pages", "gold", "there", "told")]
    cells += [f"{100 * share:.1f}" for share in shares.values()]
    click.echo(f"| {part} | " + " | ".join(cells) + " |")
    click.echo(f"\n{1000 * sums['seconds'] / sums['pages']:.1f} ms a page")


if __name__ == "__main__":
    main()
