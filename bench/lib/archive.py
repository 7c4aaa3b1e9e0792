"""Writes the test archive: WARC files of made-up sites, with pages and bytes that do harm.

Run ``python -m bench.lib.archive FOLDER --pages 20000``. The pages are ours, made of invented
words, and the same for the same arguments. What a harmful page does to its process it does through
``bench/lib/perils.py``, an extractor that does what the page asks for; the product knows nothing of
it.
"""

from __future__ import annotations

import argparse
import io
import json
import random
from dataclasses import asdict, dataclass, field
from pathlib import Path

from fastwarc.stream_io import GzipWriter
from fastwarc.warc import WarcRecord, WarcRecordType

PERILS = ("hang", "hold", "exit", "segfault", "memory")
"""What pages do: sleep, sleep with the lock of the interpreter, exit, crash, eat memory."""

SYLLABLES = (
    "ba be bi bo da de di do ka ke ki ko la le li lo ma me mi mo na ne ni no ra re ri ro".split()
)
_LARGE_PAGES = 3


@dataclass
class Manifest:
    """What an archive holds.

    Attributes:
        files: paths of the WARC files.
        pages: pages that can be read.
        perils: peril → address of the page that does it.
        large: addresses of the large pages.
        lost: pages that can't be read any more.
    """

    files: list[str] = field(default_factory=list)
    pages: int = 0
    perils: dict[str, str] = field(default_factory=dict)
    large: list[str] = field(default_factory=list)
    lost: int = 0


@dataclass(frozen=True, kw_only=True)
class Shape:
    """How an archive is made.

    Attributes:
        pages: how many there are.
        files: WARC files that they are spread over.
        hosts: how many sites; the first holds ``share`` of the pages.
        share: 0..1.
        paragraphs: of a page, in the mean.
        large: bytes of each of the three large pages; 0 for none.
        has_perils: whether pages and bytes do harm.
        seed: of all that is random.
    """

    pages: int = 20_000
    files: int = 16
    hosts: int = 50
    share: float = 0.4
    paragraphs: int = 12
    large: int = 20_000_000
    has_perils: bool = True
    seed: int = 8


def write_archive(folder: Path, shape: Shape) -> Manifest:
    """Write an archive and return what it holds; the same is written to manifest.json."""
    folder.mkdir(parents=True, exist_ok=True)
    dice = random.Random(shape.seed)  # noqa: S311 - no secrets
    words = _words(dice)
    hosts = [f"{words[number]}{number}.example" for number in range(shape.hosts)]
    manifest = Manifest()
    harmful = _harmful(shape, dice)
    for number in range(shape.files):
        path = folder / f"part-{number:05d}.warc.gz"
        members = []
        for page in range(number, shape.pages, shape.files):
            host = hosts[0] if dice.random() < shape.share else dice.choice(hosts[1:])
            url = f"https://{host}/{dice.choice(words)}/{page}.html"
            html = _page(host, page, words, dice, shape.paragraphs)
            if page in harmful:
                html = _harm(html, harmful[page], url, manifest, shape.large)
            members.append(packed(url, html))
        manifest.pages += len(members)
        path.write_bytes(
            _damaged(members, number, manifest) if shape.has_perils else b"".join(members)
        )
        manifest.files.append(str(path))
    (folder / "manifest.json").write_text(json.dumps(asdict(manifest), indent=2))
    return manifest


def small_pages(count: int, *, paragraphs: int, seed: int = 8) -> list[bytes]:
    """Return pages of the made-up sites, of 2 to 10 kB with 3 to 12 paragraphs."""
    dice = random.Random(seed)  # noqa: S311 - no secrets
    words = _words(dice)
    return [
        _page(f"{words[number]}.example", number, words, dice, paragraphs)
        for number in range(count)
    ]


def _words(dice: random.Random) -> list[str]:
    return ["".join(dice.choices(SYLLABLES, k=dice.randint(1, 4))) for _ in range(3000)]


def _harmful(shape: Shape, dice: random.Random) -> dict[int, str]:
    """Return the numbers of the pages that do harm, none of them first or last in its file."""
    kinds = list(PERILS) if shape.has_perils else []
    kinds += ["large"] * (_LARGE_PAGES if shape.large else 0)
    inner = range(3 * shape.files, shape.pages - 3 * shape.files)
    return dict(zip(dice.sample(inner, len(kinds)), kinds, strict=True))


def _harm(html: bytes, kind: str, url: str, manifest: Manifest, large: int) -> bytes:
    if kind == "large":
        manifest.large.append(url)
        row = html[html.index(b"<p>") : html.index(b"</main>")]
        return html.replace(b"</main>", row * (large // len(row)) + b"</main>")
    manifest.perils[kind] = url
    return html.replace(b"<body>", f"<body><!--peril:{kind}-->".encode())


def _page(host: str, number: int, words: list[str], dice: random.Random, count: int) -> bytes:
    """Return a page in its site's template."""
    title = " ".join(dice.choices(words, k=5)).capitalize()
    links = "".join(f'<li><a href="/{word}/">{word}</a></li>' for word in words[:12])
    text = "".join(
        f"<p>{' '.join(dice.choices(words, k=dice.randint(20, 80))).capitalize()}.</p>\n"
        for _ in range(max(1, count + dice.randint(-count // 2, count // 2)))
    )
    related = "".join(
        f'<li><a href="/x/{dice.randint(0, number + 9)}.html">{dice.choice(words)}</a></li>'
        for _ in range(8)
    )
    return f"""<!DOCTYPE html><html lang="eo"><head><meta charset="utf-8"><title>{title} - {host}</title>
<meta property="og:type" content="article"><link rel="canonical" href="https://{host}/x/{number}.html">
</head><body><header><a href="/">{host}</a><nav><ul>{links}</ul></nav></header>
<main><h1>{title}</h1><p class="byline">By {words[number % 90].title()} {words[number % 70].title()}</p>
{text}</main><aside><h2>More</h2><ul>{related}</ul></aside>
<footer><p>All that is written here is made up.</p><a href="/about">About</a></footer></body></html>
""".encode()  # noqa: E501 - a page's lines are as long as they are


def packed(url: str, html: bytes) -> bytes:
    """Return a WARC record of an answer, packed as a gzip member."""
    head = (
        f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(html)}"
    )
    answer = head.encode() + b"\r\n\r\n" + html
    record = WarcRecord()
    record.init_headers(WarcRecordType.response, content_length=len(answer))
    record.headers["WARC-Target-URI"] = url
    record.headers["WARC-Date"] = "2026-11-21T12:00:00Z"
    record.headers["Content-Type"] = "application/http; msgtype=response"
    record.is_http = True
    record.set_bytes_content(answer)
    out = io.BytesIO()
    writer = GzipWriter(out, compression_level=6)
    record.write(writer, checksum_data=True)
    writer.finish()
    writer.flush()
    return out.getvalue()


def _damaged(members: list[bytes], number: int, manifest: Manifest) -> bytes:
    """Return a file's bytes; the first three files are each damaged in a way of their own."""
    if number == 0:  # a member of which some bytes are others
        broken = bytearray(members[1])
        broken[len(broken) // 2] ^= 0xFF
        members[1] = bytes(broken)
        manifest.lost += 1
    elif number == 1:  # bytes between two members that are nothing
        members.insert(2, bytes(range(256)) * 7)
    elif number == 2:  # the end is missing
        members[-1] = members[-1][: len(members[-1]) // 2]
        manifest.lost += 1
    return b"".join(members)


def main() -> None:
    """Write an archive."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--pages", type=int, default=20_000)
    options.add_argument("--files", type=int, default=16)
    options.add_argument("--paragraphs", type=int, default=12)
    options.add_argument("--large", type=int, default=20_000_000)
    options.add_argument("--clean", action="store_true", help="without harm")
    chosen = options.parse_args()
    shape = Shape(
        pages=chosen.pages,
        files=chosen.files,
        paragraphs=chosen.paragraphs,
        large=0 if chosen.clean else chosen.large,
        has_perils=not chosen.clean,
    )
    manifest = write_archive(chosen.folder, shape)
    print(
        f"{manifest.pages:,} pages in {len(manifest.files)} files, {manifest.lost} of them broken"
    )


if __name__ == "__main__":
    main()
