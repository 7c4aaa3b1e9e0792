"""A page of the example site before and after, side by side, then others in a line each.

Run ``python examples/make_site.py build/example-site`` first, then
``python examples/demo.py build/example-site``; ``make demo`` does both.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import textwrap
import time
from itertools import zip_longest
from pathlib import Path

import chaffinch

SHOWN = "https://grain.example/birds/2024/forty-owl-boxes.html"
OTHERS = ("article", "thread", "product", "table", "docs", "list", "archive")
LISTS = ("posts", "records", "tables", "code_blocks", "images")
AT_MOST = 5  # dropped blocks in a row that are shown
ITEM = re.compile(r"^( *(?:-|\d+\.) )(<!-- r\d+-\d+ -->\n) *", re.MULTILINE)
MARK = re.compile(r"<!-- r(\d+)-\d+ -->\n")


def main() -> None:
    """Show one page in columns, and one of each template and language in a line."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "build/example-site")
    lines = (folder / "pages.jsonl").read_text(encoding="utf-8").split("\n")
    pages = [json.loads(line) for line in lines if line]
    first = next(page for page in pages if page["url"] == SHOWN)
    side_by_side(read(first))
    print("Others, a line each: characters kept of all, title, author, date, what else there is")
    start, count = time.perf_counter(), 0
    for template in OTHERS:
        for language in ("en", "zh"):
            same = [p for p in pages if p["template"] == template and p["lang"] == language]
            if same:
                print("  " + summary(template, read(same[min(3, len(same) - 1)])))
                count += 1
    milliseconds = (time.perf_counter() - start) * 1000
    print(f"{count} pages, with all that, in {milliseconds:.0f} ms.")
    print("Next: docs/tour.md, .venv/bin/chaffinch extract with a page of yours, or make test.")


def read(page: dict[str, str]) -> chaffinch.Extract:
    """Extract a page, from its bytes."""
    return chaffinch.extract(page["html"].encode("latin-1"), url=page["url"])


def side_by_side(found: chaffinch.Extract) -> None:
    """Print each block of the page on the left, and what the Markdown has of it on the right."""
    width = max(40, (min(shutil.get_terminal_size().columns, 130) - 4) // 2)
    head, *parts = MARK.split(ITEM.sub(r"\2\1", found.markdown(rows=True, links=False)))
    written = [
        (int(row), text.strip("\n")) for row, text in zip(parts[::2], parts[1::2], strict=True)
    ]
    blocks = found.explain()
    print(f"{found.url}: {len(found.page)} rows, {found.page.encoding}\n")
    print(f"{'the page, as it came':{width}}    what is kept, as Markdown")
    print("-" * width + "    " + "-" * width)
    skipped: list[str] = []
    for place, block in enumerate(blocks):
        if block.text == found.title:
            columns([block.text], [head.strip()], width, skipped)
        elif not block.keep:
            skipped.append(block.text)
        else:
            following = (one.row for one in blocks[place + 1 :] if one.keep)
            before = next(following, len(found.page))
            right = []
            while written and written[0][0] < before:
                right += written.pop(0)[1].split("\n")
            columns([block.text], right, width, skipped)
    columns([], [], width, skipped)


def columns(left: list[str], right: list[str], width: int, skipped: list[str]) -> None:
    """Print what was skipped, in short, then two texts beside one another."""
    shown = [textwrap.shorten(text, width - 2, placeholder="…") for text in skipped]
    if len(shown) > AT_MOST:
        shown[2:-2] = [f"… {len(shown) - AT_MOST + 1} more blocks"]
    skipped.clear()
    print("".join(f"- {text}\n" for text in shown), end="\n" if shown else "")
    sides = [
        [piece for text in texts for piece in textwrap.wrap(text, width) or [""]]
        for texts in (left, right)
    ]
    for pair in zip_longest(*sides, fillvalue=""):
        print(f"{pair[0]:{width}}    {pair[1]}".rstrip())
    if right:
        print()


def summary(template: str, found: chaffinch.Extract) -> str:
    """Return what was found on a page, as a line."""
    total = len(found.text) + len(found.noise)
    facts = [found.title, *found.authors[:1], (found.date or "")[:10]]
    product = found.metadata.product
    if product is not None and product.value.price is not None:
        facts.append(f"price {product.value.price.value}")
    counts = [(len(getattr(found, name)), name.replace("_", " ")) for name in LISTS]
    facts += [f"{count} {name if count > 1 else name[:-1]}" for count, name in counts if count]
    text = "; ".join(fact for fact in facts if fact)
    return f"{template:8} {100 * len(found.text) // max(total, 1):3} %  {text}"


if __name__ == "__main__":
    main()
