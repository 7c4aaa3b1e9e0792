"""What comes out: forms of output, what they show, and the files or stream that they go to."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from chaffinch.cli.options import Option, is_written, of_field, read_names
from chaffinch.cli.pages import Source, is_folder
from chaffinch.cli.streams import one_line, print_note, write_out
from chaffinch.errors import PageError
from chaffinch.extraction.extracted import Extract
from chaffinch.model import block_relation
from chaffinch.output import table_forms
from chaffinch.output.options import ACTS_ON, PARTS, POSTS, OutputOptions
from chaffinch.reports.text_table import as_table
from chaffinch.wording import counted, failing_as

_HEADING: Final = "Output"

OUTPUT: Final = Option(
    "-o", "--output", metavar="PATH",
    help="File for one page, whose suffix sets the format; folder for several, or with a slash at "
    "its end; default: standard output.",
)  # fmt: skip
SHOWN: Final = (
    *(
        of_field(OutputOptions, one.name, heading=_HEADING)
        for one in fields(OutputOptions)
        if isinstance(one.default, bool)
    ),
    of_field(OutputOptions, "posts", type=click.Choice(POSTS), heading=_HEADING),
    of_field(
        OutputOptions, "parts", "--with", metavar="PARTS", reads=read_names, heading=_HEADING,
        help=f"What JSON holds besides, parted by commas: {', '.join(PARTS)}; "
        "may be repeated.",
    ),
    of_field(OutputOptions, "max_tokens", heading=_HEADING),
    of_field(OutputOptions, "chunk_tokens", heading=_HEADING),
    of_field(
        OutputOptions, "fields", "--field", metavar="NAME=LABEL[,LABEL]", heading=_HEADING,
        help="A field of one's own in JSON, by the labels that it has on pages, such as "
        "isbn=ISBN,ISBN-13; may be repeated.",
    ),
    of_field(
        OutputOptions, "section", metavar="NUMBER|HEADING", type=click.STRING, heading=_HEADING,
        help="Of Markdown: only this section, with all sections in it: by its number or id in "
        "--format outline, its heading, or that behind those around it: Seeds > Storage.",
    ),
)  # fmt: skip
"""Options that set what of the content is shown."""
_OF_PART: Final = {"chunk_tokens": "chunks", "status": "assessment"}
"""Option → the part of JSON that it acts on alone."""


def refuse_idle(context: click.Context, form: str) -> None:
    """Refuse options that were written and don't act on this form of output.

    What stands in a file of settings may, for it holds for other calls, too.
    """
    written = [one for one in context.command.params if is_written(context, one)]
    for option in written:
        field, spelling = (option.name or "").removeprefix("OutputOptions__"), option.opts[-1]
        forms = ACTS_ON.get(field, (form,)) if field != option.name else (form,)
        if form not in forms:
            raise click.UsageError(f"{spelling} acts on {', '.join(forms)}, not on {form}")
        part = _OF_PART.get(field)
        if part is not None and part not in context.params["OutputOptions__parts"]:
            raise click.UsageError(f"{spelling} goes with --format json --with {part}")


# --- Forms ------------------------------------------------------------------------------------


class Form(NamedTuple):
    """A form of output: how it is made, the ending of its files, how a page is announced in it."""

    # returns what is made of a page: one text, or several that are files of their own
    render: Callable[[Extract, OutputOptions, Source], Sequence[str]]
    suffix: str  # ending of the files
    heading: str | None  # what announces one of several pages on standard output; None for nothing
    is_split: bool = False  # a page makes any number of files in a folder, one for each text
    # what a page lacks where it has nothing to be shown; "" where it has something
    missing: Callable[[Extract], str] = lambda found: "" if found else "no main content found"


def _as_json(found: Extract, shown: OutputOptions, source: Source) -> list[str]:
    values = found.to_dict(shown)
    head = {name: values.pop(name) for name in ("version", "url")}
    return [json.dumps({**head, **source.origin, **values}, ensure_ascii=False)]


def _as_records(found: Extract, _: OutputOptions, source: Source) -> list[str]:
    head = {"url": found.url, **source.origin}
    lines = (json.dumps({**head, **asdict(one)}, ensure_ascii=False) for one in found.records)
    return ["\n".join(lines)] if found.records else []


def _as_record_table(found: Extract, shown: OutputOptions, _: Source) -> list[str]:
    if not found.records:
        return []
    return [table_forms.entries_csv(found.records, defused=not shown.formula_cells)]


def _as_outline(found: Extract, _: OutputOptions, __: Source) -> list[str]:
    rows = [
        [one.number, one.tokens, one.length, one.id, "  " * one.number.count(".") + one.heading]
        for one in found.outline()
    ]
    return [as_table(["number", "tokens", "characters", "id", "heading"], rows)] if rows else []


def _as_columns(found: Extract, _: OutputOptions, __: Source) -> list[str]:
    """Return the page as the table that it is: a line of JSON for each element or text run."""
    page, kept = found.page, found.content.kept
    relations = block_relation.text_relation(page)
    numbers = ("parent", "depth", "end", "size", "length", "own_length", "link_length", "line")
    lines = [
        {
            "row": row,
            **{name: int(getattr(page, name)[row]) for name in numbers},
            "shown": bool(page.shown[row]),
            "keep": bool(kept[row]),
            "score": round(float(found.score[row]), 4),
            "why": found.reasons[found.why[row]],
            "tag": page.name(row),
            "id": page.attribute(row, "id") or "",
            "class": " ".join(page.classes(row)),
            "text": " ".join(page.text[page.text_at[row] : page.text_at[row + 1]].split()),
            "selector": page.selector(row) if page.tag[row] else "",
            "xpath": page.xpath(row),
            "title_relation": round(float(relations[0][row]), 4),
            "main_relation": round(float(relations[1][row]), 4),
            "shape_hash": f"{page.shape_hash[row]:016x}",
        }
        for row in range(len(page))
    ]
    return ["\n".join(json.dumps(one, ensure_ascii=False) for one in lines)]


class PageResult(NamedTuple):
    """What became of a page."""

    source: Source  # the page, without its bytes
    outcome: str  # ``full``, ``empty`` (nothing was found, or the page isn't wanted) or ``failed``
    said: str = ""  # why it is empty, or failed; "" where it is full
    outputs: tuple[str, ...] | None = None  # what is written of it; None for nothing

    @property
    def output(self) -> str:
        return "\n".join(self.outputs or ())


_COMMENT: Final = "<!-- {name} -->"


def _missing_records(found: Extract) -> str:
    return "" if found.records else "no list of entries found"


FORMS: Final[dict[str, Form]] = {
    "text": Form(lambda found, shown, _: [found.plain(shown)], ".txt", "==> {name} <=="),
    "markdown": Form(lambda found, shown, _: [found.markdown(shown)], ".md", _COMMENT),
    "html": Form(lambda found, shown, _: [found.html(shown)], ".html", _COMMENT),
    "json": Form(_as_json, ".json", None),
    "tei": Form(lambda found, shown, _: [found.tei(shown)], ".xml", None),
    "csv": Form(
        lambda found, shown, _: [
            table.csv(defused=not shown.formula_cells) for table in found.tables
        ],
        ".csv",
        "# {name}",
        is_split=True,
        missing=lambda found: "" if found.tables else "no table found",
    ),
    "records": Form(_as_records, ".jsonl", None, missing=_missing_records),
    "records-csv": Form(_as_record_table, ".csv", "# {name}", missing=_missing_records),
    "outline": Form(_as_outline, ".txt", "==> {name} <=="),
    "clean": Form(lambda found, *_: [found.clean()], ".html", _COMMENT),
    "columns": Form(_as_columns, ".jsonl", None, missing=lambda _: ""),
}
"""Name → form."""
ALIASES: Final = {"md": "markdown", "txt": "text", "xml": "tei", "htm": "html", "jsonl": "json"}
_OTHERS: Final = (".doc", ".docx", ".epub", ".odt", ".parquet", ".pdf", ".rtf", ".yaml", ".yml")
FORM: Final = Option(
    "-f", "--format", "form", metavar="FORMAT",
    help=f"What to make of the content: {', '.join(FORMS)}; default: by the suffix of --output, "
    "else text. JSON is a line a page; csv, its tables; records, the entries of its lists; "
    "outline, headings and sizes; clean, the whole page minus its noise; columns, the page as the "
    "table that it is.",
)  # fmt: skip


def form_of(given: Mapping[str, Any]) -> str:
    by_suffix = _form_by(given["output"] or "")
    if given["form"] is None:
        if (given["output"] or "").lower().endswith(_OTHERS):
            raise click.UsageError(f"no format has the suffix of {given['output']}; name --format")
        return by_suffix or "text"
    name = ALIASES.get(given["form"], given["form"])
    if name not in FORMS:
        known = ", ".join((*FORMS, "md", "xml"))
        raise click.UsageError(f"no format {given['form']!r}; known: {known}")
    return "records-csv" if (name, by_suffix) == ("records", "csv") else name


def _form_by(output: str) -> str:
    """Return the form that the suffix of a file's name stands for; "" for none, as of a folder."""
    suffix = "" if output.endswith(("/", os.sep)) else Path(output).suffix.lower()[1:]
    name = ALIASES.get(suffix, suffix)
    return name if name in FORMS else ""


# --- Where it goes ----------------------------------------------------------------------------

_SCHEME: Final = re.compile(r"\A[a-z]+://")
_NOT_IN_FILE_NAME: Final = re.compile(r"[^\w-]+")
_LONG: Final = 120  # characters of a file's name; most file systems take 255 bytes
_ONE_OF_TWO: Final = re.compile("-(?=-)")


@dataclass
class StandardOutput:
    """Writes all pages to standard output, each announced by its name where there are several."""

    form: Form
    is_several: bool
    count: int = 0

    def write(self, result: PageResult) -> None:
        """Write one output; an empty one only where it is announced or JSON."""
        if self.is_several and self.form.heading:
            name = one_line(result.source.name)
            if self.form.heading.startswith("<!--"):
                name = _ONE_OF_TWO.sub("- ", name)  # two would end the comment
            write_out("\n" * bool(self.count) + self.form.heading.format(name=name))
        self.count += 1
        if result.output:
            write_out(result.output)

    def close(self) -> None:
        """Say nothing: what was written is seen."""


@dataclass
class Files:
    """Writes the one page to a file, or each to one of a folder, where it stood in its own."""

    path: Path
    form: Form
    is_folder: bool
    count: int = 0
    _taken: set[Path] = field(default_factory=set)

    def write(self, result: PageResult) -> None:
        if not self.is_folder:
            _write(self.path, result.source, result.output)
            self.count = 1
            return
        wanted = self.path / _place(result.source)
        for output in result.outputs or ():
            path = self._free(wanted)
            _require_inside(path, self.path)
            _write(path, result.source, output)
            self.count += 1

    def close(self) -> None:
        if self.is_folder:
            print_note(f"wrote {counted(self.count, 'file')} below {self.path}")
        elif self.count:
            print_note(f"wrote {self.path}")

    def _free(self, wanted: Path) -> Path:
        """Return the first path for ``wanted`` not yet given out; numbered from 1 where split."""
        number = 1 if self.form.is_split else 0
        while True:
            mark = f"-{number}" if number else ""
            path = wanted.with_name(f"{wanted.stem}{mark}{self.form.suffix}")
            if path not in self._taken:
                self._taken.add(path)
                return path
            number = max(number + 1, 2)


Target = StandardOutput | Files
"""Takes the results of pages that have an output; a `PageError` where one can't be written."""


def target(output: str | None, form: Form, *, is_several: bool) -> Target:
    """Return where to write: None for standard output.

    For several pages, or where it ends in a slash, ``output`` is a folder, which is made if it
    isn't there; a name with the suffix of a form is a file's.
    """
    if output is None:
        return StandardOutput(form, is_several)
    path, is_there = Path(output), is_folder(output)
    is_wanted = is_several or output.endswith(("/", os.sep))
    is_made = is_there or (is_wanted and not os.path.exists(output))  # noqa: PTH110 - of any length
    if is_several and not is_there and (not is_made or _form_by(output)):
        raise click.UsageError(
            f"several pages need a folder as --output, not the file {path}; "
            "standard output takes them all"
        )
    return Files(path, form, is_made)


def _place(source: Source) -> Path:
    if source.place is not None:
        packed = source.place.suffix.lower() == ".gz"
        return source.place.with_suffix("") if packed else source.place
    bare = _SCHEME.sub("", source.name)
    return Path(f"{_NOT_IN_FILE_NAME.sub('_', bare).strip('_')[:_LONG] or 'page'}.html")


def _require_inside(path: Path, folder: Path) -> None:
    try:
        is_inside = path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError) as error:  # links in a circle
        raise PageError(f"can't write {path}: {error}") from error
    if not is_inside:
        raise PageError(f"can't write {path}: a link leads out of {folder}")


def _write(path: Path, source: Source, output: str) -> None:
    text = output.rstrip("\n") + "\n" if output else ""
    with failing_as(PageError, f"can't write {path}"):
        if source.path is not None and path.exists() and path.samefile(source.path):
            raise PageError("its output would overwrite it")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "replace"))
