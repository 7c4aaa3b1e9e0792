"""datatrove's reader and Trafilatura step beside those of the plug-in, on one WARC file.

The pages of labelled corpora are written into one file, as a crawl would have them: without an
encoding in the header. Each pipeline goes over it in one process with one sandbox. Word F1 is the
mean over all labelled pages; a page that a pipeline loses counts as 0. Time is processor time of
the process and its sandbox, so that neither other programs nor waiting count; the first pages are
read twice, for what loads on first use. It needs ``requirements/plugins/datatrove.txt``.

    CHAFFINCH_CORPORA=../shared python -m bench.quality.datatrove_steps
"""

from __future__ import annotations

import datetime as dt
import logging
import resource
import tempfile
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from warcio.warcwriter import WARCWriter

from bench.lib.timing import machine, versions
from chaffinch.evaluate.corpora import LabelledPage, read_corpus
from chaffinch.evaluate.tokens import tokenize
from chaffinch.evaluate.words import word_score
from chaffinch.lazy import load_module

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Pipeline = Callable[[str], Sequence[Any]]


def pipelines() -> dict[str, Pipeline]:
    """Return the pipelines: folder of WARC files → steps."""
    own = load_module("chaffinch.plugins.datatrove")
    reader = load_module("datatrove.pipeline.readers").WarcReader
    trafilatura = load_module("datatrove.pipeline.extractors").Trafilatura
    seconds = 20
    return {
        "its reader, its Trafilatura step": lambda folder: (
            reader(folder),
            trafilatura(timeout=seconds),
        ),
        "the same, favour_precision=False": lambda folder: (
            reader(folder),
            trafilatura(favour_precision=False, timeout=seconds),
        ),
        "its reader, Extractor": lambda folder: (
            reader(folder),
            own.Extractor(fields=(), timeout=seconds),
        ),
        "WarcReader, Extractor": lambda folder: (
            own.WarcReader(folder),
            own.Extractor(fields=(), timeout=seconds),
        ),
        "WarcReader, Extractor with metadata": lambda folder: (
            own.WarcReader(folder),
            own.Extractor(timeout=seconds),
        ),
    }


def write(path: Path, pages: dict[str, LabelledPage]) -> None:
    """Write pages into a WARC file, each under its address."""
    with path.open("wb") as file:
        writer = WARCWriter(file)
        for address, page in pages.items():
            headers = {"WARC-Identified-Payload-Type": "text/html"}
            http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
            record = writer.create_warc_record(
                address, "response", BytesIO(http + page.html), warc_headers_dict=headers
            )
            writer.write_record(record)


def texts_of(steps: Sequence[Any]) -> dict[str, str]:
    """Run a pipeline; return the text of each address."""
    data = None
    for step in steps:
        data = step.run(data)
    assert data is not None  # noqa: S101 - there are steps
    return {document.metadata["url"]: document.text for document in data}


def spent() -> float:
    """Return the processor seconds so far, of processes that have ended as well."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


@click.command(help=__doc__)
@click.option("--corpora", default="scrapinghub,cleaneval", show_default=True)
@click.option("--pages", "limit", type=int, help="of each corpus; all by default")
def main(*, corpora: str, limit: int | None) -> None:
    """Measure and print the table of the docs."""
    load_module("loguru").logger.remove()
    logging.disable()
    pages = {
        f"https://{name}.example/{number}": page
        for name in corpora.split(",")
        for number, page in enumerate(read_corpus(name, limit=limit))
        if page.gold_text
    }
    names = corpora.split(",")
    heads = ["", f"pages out of {len(pages)}", "pages a second", *(f"word F1, {n}" for n in names)]
    print(f"| {' | '.join(heads)} |\n{'|---' * len(heads)}|")
    with tempfile.TemporaryDirectory() as few, tempfile.TemporaryDirectory() as folder:
        write(Path(few) / "a.warc", dict(islice(pages.items(), 5)))
        write(Path(folder) / "a.warc", pages)
        for system, steps in pipelines().items():
            texts_of(steps(few))
            start = spent()
            texts = texts_of(steps(folder))
            seconds = spent() - start
            scores = [f"{_score(pages, texts, name):.3f}" for name in names]
            row = [system, str(len(texts)), f"{len(pages) / seconds:.0f}", *scores]
            print(f"| {' | '.join(row)} |", flush=True)
    there = versions("chaffinch", "datatrove", "trafilatura")
    print(f"\n{there}; {machine()}; {dt.date.today()}.")  # noqa: DTZ011


def _score(pages: dict[str, LabelledPage], texts: dict[str, str], corpus: str) -> float:
    """Return the mean word F1 of a corpus."""
    scores = [
        word_score(tokenize(texts.get(address, "")), tokenize(page.gold_text or "")).f1
        for address, page in pages.items()
        if address.startswith(f"https://{corpus}.")
    ]
    return sum(scores) / len(scores)


if __name__ == "__main__":
    main()
