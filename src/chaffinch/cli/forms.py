"""Forms of output: what the verbs make of a page."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from chaffinch.cli.source import Source
    from chaffinch.extraction.extract import Extract
    from chaffinch.output.options import OutputOptions


def _missing_content(found: Extract) -> str:
    return "" if found else "no main content found"


def _missing_entries(found: Extract) -> str:
    return "" if found.records else "no list of entries found"


class Form(NamedTuple):
    """A form of output: how it is made, the ending of its files, how a page is announced in it.

    Attributes:
        render: returns what is made of a page: one text, or several that are files of their own.
        suffix: ending of the files.
        heading: what announces one of several pages on standard output; None for nothing.
        is_split: a page makes any number of files in a folder, one for each text.
        missing: what a page lacks where it has nothing to be shown; "" where it has something.
    """

    render: Callable[[Extract, OutputOptions, Source], Sequence[str]]
    suffix: str
    heading: str | None
    is_split: bool = False
    missing: Callable[[Extract], str] = _missing_content


def as_json(found: Extract, shown: OutputOptions, source: Source) -> str:
    """Return the record of a page as a line of JSON, with where the page came from."""
    values = found.to_dict(shown)
    head = {name: values.pop(name) for name in ("version", "url")}
    return json.dumps({**head, **source.origin._asdict(), **values}, ensure_ascii=False)


def entry_lines(found: Extract, _: OutputOptions, source: Source) -> list[str]:
    """Return the entries of a page's lists as lines of JSON, with where the page came from."""
    head = {"url": found.url, **source.origin._asdict()}
    lines = (json.dumps({**head, **asdict(one)}, ensure_ascii=False) for one in found.records)
    return ["\n".join(lines)] if found.records else []


def entry_table(found: Extract, shown: OutputOptions, _: Source) -> list[str]:
    """Return the entries of a page's lists as CSV."""
    from chaffinch.output.entry_table import entries_csv  # noqa: PLC0415  one verb needs it

    return [entries_csv(found.records, defused=not shown.formula_cells)] if found.records else []


_COMMENT: Final = "<!-- {name} -->"

FORMS: Final[dict[str, Form]] = {
    "text": Form(lambda found, shown, _: [found.plain(shown)], ".txt", "==> {name} <=="),
    "markdown": Form(lambda found, shown, _: [found.markdown(shown)], ".md", _COMMENT),
    "html": Form(lambda found, shown, _: [found.html(shown)], ".html", _COMMENT),
    "json": Form(lambda *given: [as_json(*given)], ".json", None),
    "tei": Form(lambda found, shown, _: [found.tei(shown)], ".xml", None),
    "csv": Form(
        lambda found, shown, _: [
            table.csv(defused=not shown.formula_cells) for table in found.tables
        ],
        ".csv",
        "# {name}",
        is_split=True,
    ),
    "clean": Form(lambda found, *_: [found.clean()], ".html", _COMMENT),
    "entries": Form(entry_lines, ".jsonl", None, missing=_missing_entries),
    "entry table": Form(entry_table, ".csv", "# {name}", missing=_missing_entries),
}
"""Name → form."""

EXTRACTED: Final = tuple(name for name in FORMS if name not in {"clean", "entries", "entry table"})
"""Names of the forms of ``chaffinch extract``; the others are of verbs of their own."""
