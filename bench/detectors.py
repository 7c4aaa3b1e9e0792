r"""Which library names the encoding of a page that declares none, and what it costs.

Pages of the train-and-validate corpora are written anew in the legacy encodings of their scripts
(declarations taken out, what the encoding lacks as character references) and each detector is
asked. An answer is right when the page, decoded with it, is the text that was written.
The pages that were served in a legacy encoding and declare it truthfully come as their own row.

    pip install faust-cchardet charset-normalizer chardetng-py
    CHAFFINCH_CORPORA=../shared python bench/detectors.py
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import lzma
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from chaffinch.page.encoding.decoding import DETECTABLE, condensed, decode
from chaffinch.page.encoding.labels import codec_of, encoding_of

SHARED = Path(os.environ.get("CHAFFINCH_CORPORA", Path(__file__).parents[2] / "shared"))
CORPORA = "daniel fundus magic_html_article magic_html_forum harvest_forum readability wcxb"
PAGES = 30  # of a row at most
TARGETS: dict[str, tuple[str, tuple[str, ...]]] = {
    "simplified Chinese": ("[们这说会学国体个来时对从]", ("gb18030",)),
    "traditional Chinese": ("[們這說會學國體個來時對從]", ("big5",)),
    "Japanese": ("[぀-ヿ]", ("shift_jis", "euc-jp")),
    "Korean": ("[가-힣]", ("euc-kr",)),
    "Russian": ("[Ѐ-ӿ]", ("windows-1251", "koi8-r")),
    "Greek": ("[Ͱ-Ͽ]", ("windows-1253",)),
    "Polish, Czech": ("[łęąśżźřěů]", ("windows-1250", "iso-8859-2")),
    "Turkish": ("[ğışİ]", ("windows-1254",)),
    "Hebrew": ("[֐-׿]", ("windows-1255",)),
    "Arabic": ("[\u0600-\u06ff]", ("windows-1256",)),
    "German, French, Spanish": ("[äöüßéèêçñáíóú]", ("windows-1252",)),
    "Thai": ("[\u0e00-\u0e7f]", ("windows-874",)),
}
DECLARATION = re.compile(rb"<meta[^>]*charset[^>]*>|<\?xml[^>]*>", re.IGNORECASE)
Detector = Callable[[bytes], "str | None"]


def pages() -> Iterator[bytes]:
    """Yield the bytes of every page of the train-and-validate corpora used here."""
    for name in CORPORA.split():
        with lzma.open(SHARED / "corpora" / f"{name}.jsonl.xz") as lines:
            for line in lines:
                yield json.loads(line)["html"].encode("latin-1")


def samples() -> dict[str, list[tuple[bytes, str]]]:
    """Return for each row of the table its pages: bytes and the text they stand for."""
    rows: dict[str, list[tuple[bytes, str]]] = {}
    for raw in pages():
        page = DECLARATION.sub(b"", raw)
        try:
            text = page.decode()
        except UnicodeDecodeError:
            continue
        if page.isascii():
            continue
        foreign = len(re.findall("[^\x00-\u024f\u2000-\u206f]", text))
        for language, (letters, encodings) in TARGETS.items():
            own = len(re.findall(letters, text))
            latin = language in {"Polish, Czech", "Turkish", "German, French, Spanish"}
            if own < 100 or (latin and foreign > 20):
                continue
            for name in encodings:
                row = rows.setdefault(f"{language}: {name}", [])
                if len(row) < PAGES:
                    data = text.encode(codec_of(name), "xmlcharrefreplace")
                    if data.count(b"&#") - page.count(b"&#") < own // 4:
                        row.append((data, data.decode(codec_of(name))))
    return rows


def served() -> list[tuple[bytes, str]]:
    """Return pages served in a legacy encoding that they declare."""
    found = []
    for file in ("corpora/cleaneval", "sites/163.com", "sites/w3school.com.cn"):
        with lzma.open(SHARED / f"{file}.jsonl.xz") as lines:
            for line in lines:
                raw = json.loads(line)["html"].encode("latin-1")
                result = decode(raw)
                if result.source == "meta" and not result.replaced:
                    bare = DECLARATION.sub(b"", raw)
                    found.append((bare, bare.decode(codec_of(result.encoding), "replace")))
    return found


def detectors() -> dict[str, Detector]:
    """Return the detectors that are installed, by package and version."""
    found: dict[str, Detector] = {}

    def add(package: str, module: str, make: Callable[[Any], Detector], note: str = "") -> None:
        try:
            library = importlib.import_module(module)
        except ImportError:
            print(f"{package} is not installed and left out", file=sys.stderr)
            return
        found[f"{package} {importlib.metadata.version(package)}{note}"] = make(library)

    add("chardet", "chardet", lambda lib: lambda data: lib.detect(data)["encoding"])
    add(
        "chardet",
        "chardet",
        lambda lib: lambda data: lib.detect(data, include_encodings=DETECTABLE)["encoding"],
        " restricted",
    )
    add("faust-cchardet", "cchardet", lambda lib: lambda data: lib.detect(data)["encoding"])

    def normalizer(lib: Any) -> Detector:
        def ask(data: bytes) -> str | None:
            best = lib.from_bytes(data).best()
            return best.encoding if best else None

        return ask

    add("charset-normalizer", "charset_normalizer", normalizer)
    add("chardetng-py", "chardetng_py", lambda lib: lib.detect)
    return found


def score(detector: Detector, row: list[tuple[bytes, str]], *, tags: bool) -> tuple[int, float]:
    """Return how many pages were named rightly, and milliseconds a page."""
    right = 0
    spent = 0.0
    for data, text in row:
        start = time.perf_counter()
        name = detector(data if tags else condensed(data))
        spent += time.perf_counter() - start
        try:
            right += (
                data.decode(codec_of(encoding_of(name or "") or name or "windows-1252"), "replace")
                == text
            )
        except LookupError:
            continue
    return right, 1000 * spent / max(len(row), 1)


def main() -> None:
    """Print the table in Markdown."""
    rows = {**samples(), "as served, declared truthfully": served()}
    found = detectors()
    for tags in (True, False):
        print(
            f"\n{'whole page' if tags else 'long ASCII runs shortened'}: right / pages, ms a page\n"
        )
        print("| language: encoding | pages | " + " | ".join(found) + " |")
        print("|---|---|" + "---|" * len(found))
        for name, row in rows.items():
            cells = []
            for detector in found.values():
                right, cost = score(detector, row, tags=tags)
                cells.append(f"{right}, {cost:.1f}")
            print(f"| {name} | {len(row)} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
