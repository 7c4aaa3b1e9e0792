"""Where the outputs of pages go: standard output, one file, or a folder."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from chaffinch.cli.messages import one_line, write_out
from chaffinch.errors import PageError
from chaffinch.wording import cause

if TYPE_CHECKING:
    from chaffinch.cli.forms import Form
    from chaffinch.cli.page_task import PageResult
    from chaffinch.cli.source import Source

_SCHEME: Final = re.compile(r"\A[a-z]+://")
_NOT_IN_FILE_NAME: Final = re.compile(r"[^\w-]+")
_LONG: Final = 120  # characters of a file's name; most file systems take 255 bytes


_ONE_OF_TWO: Final = re.compile("-(?=-)")


@dataclass
class StandardOutput:
    """Writes all pages to standard output, each announced by its name where there are several."""

    form: Form
    is_several: bool
    _count: int = 0

    def write(self, result: PageResult) -> None:
        """Write one output; an empty one only where it is announced or JSON."""
        if self.is_several and self.form.heading:
            name = one_line(result.source.name)
            if self.form.heading.startswith("<!--"):
                name = _ONE_OF_TWO.sub("- ", name)  # two would end the comment
            write_out("\n" * bool(self._count) + self.form.heading.format(name=name))
        self._count += 1
        if result.output:
            write_out(result.output)


@dataclass(frozen=True)
class OneFile:
    """Writes the one page to a file."""

    path: Path

    def write(self, result: PageResult) -> None:
        """Write the output."""
        _write(self.path, result.source, result.output)


@dataclass
class Folder:
    """Writes each page to a file of a folder, where it stood in the folder it came from."""

    path: Path
    form: Form
    _taken: set[Path] = field(default_factory=set)

    def write(self, result: PageResult) -> None:
        """Write each output to a file of its own."""
        wanted = self.path / _place(result.source)
        for output in result.outputs:
            path = self._free(wanted)
            _require_inside(path, self.path)
            _write(path, result.source, output)

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


Target = StandardOutput | OneFile | Folder
"""Takes the results of pages that have an output; a `PageError` where one can't be written."""


def target(output: str | None, form: Form, *, is_several: bool) -> Target:
    """Return where to write.

    Args:
        output: a file for one page; for several, or where it ends in a slash, a folder, made if it
            isn't there; None for standard output.
        form: the form of output.
        is_several: whether there may be several pages.

    Raises:
        click.UsageError: several pages can't be written to one file.
    """
    if output is None:
        return StandardOutput(form, is_several)
    path, is_folder = Path(output), output.endswith(("/", os.sep))
    if path.is_dir() or ((is_several or is_folder) and not path.exists()):
        return Folder(path, form)
    if is_several:
        raise click.UsageError(f"several pages need a folder as --output; {path} is a file")
    return OneFile(path)


def _place(source: Source) -> Path:
    if source.place is not None:
        packed = source.place.suffix.lower() == ".gz"
        return source.place.with_suffix("") if packed else source.place
    return Path(f"{slug(source.name)}.html")


def slug(name: str) -> str:
    """Return the name of an address, or of anything, as part of a file's name."""
    bare = _SCHEME.sub("", name)
    return _NOT_IN_FILE_NAME.sub("_", bare).strip("_")[:_LONG] or "page"


def _require_inside(path: Path, folder: Path) -> None:
    """Check that a file stands in a folder of outputs, whatever links are in it.

    Raises:
        PageError: it doesn't.
    """
    try:
        is_inside = path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError) as error:  # links in a circle
        raise PageError(f"can't write {path}: {error}") from error
    if not is_inside:
        raise PageError(f"can't write {path}: a link leads out of {folder}")


def _write(path: Path, source: Source, output: str) -> None:
    text = output.rstrip("\n") + "\n" if output else ""
    try:
        if source.path is not None and path.exists() and path.samefile(source.path):
            raise PageError("its output would overwrite it")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "replace"))
    except OSError as error:
        raise PageError(f"can't write {path}: {cause(error)}") from error
