"""The main job on a few pages of the example site: what was kept, what was dropped, and why.

Run ``python examples/make_site.py build/example-site`` first, then
``python examples/demo.py build/example-site``; ``make demo`` does both.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from pathlib import Path

import chaffinch

SHOWN = ("article", "thread", "product")
WIDTH = 96


def main() -> None:
    """Extract and print one page of each of a few templates, in both languages."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "build/example-site")
    lines = (folder / "pages.jsonl").read_text(encoding="utf-8").split("\n")
    pages = [json.loads(line) for line in lines if line]
    chosen = []
    for template in SHOWN:
        for language in ("en", "zh"):
            same = [p for p in pages if p["template"] == template and p["lang"] == language]
            chosen.append(same[min(2, len(same) - 1)])
    chaffinch.extract(chosen[0]["html"].encode("latin-1"))  # the first call loads the network
    start = time.perf_counter()
    extracts = [chaffinch.extract(p["html"].encode("latin-1"), url=p["url"]) for p in chosen]
    seconds = time.perf_counter() - start
    for extract in extracts:
        show(extract)
    print(f"{len(chosen)} pages in {seconds * 1000:.0f} ms. More: chaffinch extract --help, docs/")


def show(extract: chaffinch.Extract) -> None:
    """Print one extraction and where each thing came from."""
    page = extract.page
    print("=" * WIDTH)
    print(f"{page.url}   {len(page)} rows, {page.encoding}, method {extract.method}")
    for name in ("title", "authors", "published", "site_name", "language"):
        found = extract.metadata.field_value(name)
        if found is not None:
            value = extract.metadata.value(name)
            shown = "; ".join(value) if isinstance(value, tuple) else value
            print(f"  {name:10} {shown}   <- {found.source}, row {found.row}")
    product = extract.metadata.product
    if product is not None and (price := product.value.price) is not None:
        print(f"  {'price':10} {price.value}   <- {price.source}, row {price.row}")
    for post in extract.posts[:2]:
        print(f"  {'post':10} {post.author}, {post.date}   <- row {post.rows[0]}")
    print("-" * WIDTH)
    for line in extract.markdown().splitlines()[:14]:
        print("  " + shortened(line, WIDTH))
    print("-" * WIDTH)
    blocks = extract.explain()
    kept = sum(len(block.text) for block in blocks if block.keep)
    total = sum(len(block.text) for block in blocks)
    print(f"  kept {kept} of {total} characters; dropped, by reason, with an example:")
    dropped = [block for block in blocks if not block.keep]
    for reason, count in Counter(block.reason for block in dropped).most_common(4):
        example = next(block for block in dropped if block.reason == reason)
        place = "… > " + " > ".join(example.selector.split(" > ")[-2:])
        print(f"  - {reason} ({count} blocks): {shortened(example.text, 40)!r} at {place}")
    print()


def shortened(text: str, most: int) -> str:
    """Return a text cut to a length in characters."""
    return text if len(text) <= most else text[: most - 1] + "…"


if __name__ == "__main__":
    main()
