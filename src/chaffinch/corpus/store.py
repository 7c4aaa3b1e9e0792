"""The folder of a run: files are written atomically.

A file is written under a temporary name, which no reader's pattern matches, and renamed; in an
object store it appears when it is complete. The files of a shard are valid once its marker exists,
which is written last.
"""

import contextlib
import json
import os
import tempfile
import uuid
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import Any, Final, NamedTuple

from chaffinch import storage
from chaffinch.corpus.sources import file_system, is_local
from chaffinch.errors import SetupError
from chaffinch.wording import cause, failing_as

_AT_ONCE: Final = 16  # small files that are read at a time
_PATIENCE: Final = 5.0  # seconds in which the children of a killed run let go of its folder
_PORTION: Final = 1000  # of them, held at a time
PAGES: Final = "pages"
STAGED: Final = "staged"
SIGNATURES: Final = "signatures"
DONE: Final = "done"
"""Folders: pages, pages before duplicates are found, their MinHash signatures, and markers."""

MARKER: Final[dict[str, tuple[type, ...]]] = {
    "version": (str,),
    "start": (int, float),
    "end": (int, float),
    "tally": (dict,),
}
"""Fields that the marker of a shard has, and their types."""


class Storage:
    """A folder, local or in an object store, which is made when the first file is."""

    def __init__(self, address: str) -> None:
        self._files, self._root = file_system(address)
        self._is_local = is_local(self._files)

    def path(self, name: str) -> str:
        return str(PurePosixPath(self._root, name))

    @contextlib.contextmanager
    def writing(self, name: str) -> Iterator[Path]:
        """Yield a local path to write to, whose file becomes ``name`` at the end.

        What the system says against it is a `SetupError`, see `unwritten`.
        """
        target = Path(self.path(name))
        if self._is_local:
            with failing_as(SetupError, f"can't make the folder {target.parent}"):
                storage.make_folder(target.parent)
            part = storage.part_of(target)
        else:
            part = Path(tempfile.gettempdir(), f"chaffinch-{uuid.uuid4().hex}{storage.PART}")
        try:
            yield part
            if self._is_local:
                storage.move_file(part, target)
            else:
                self._files.put_file(str(part), self.path(name))
        except OSError as error:
            raise self.unwritten(name, error) from error
        finally:
            part.unlink(missing_ok=True)

    def unwritten(self, name: str, error: OSError) -> SetupError:
        """Return the error to raise where a file can't be written, in the system's words for it."""
        why = os.strerror(error.errno) if error.errno else str(error)  # pyarrow's own are long
        return SetupError(f"can't write {self.path(name)}: {why}")

    def write(self, name: str, content: str) -> None:
        with self.writing(name) as part:
            part.write_text(content, encoding="utf-8", errors="replace")

    def write_json(self, name: str, value: Any) -> None:
        self.write(name, json.dumps(value, ensure_ascii=False, sort_keys=True))

    def read_json(self, name: str, **fields: tuple[type, ...]) -> dict[str, Any] | None:
        """Return the object in a JSON file, which has fields of these types; None for no file."""
        try:
            found: dict[str, Any] = storage.read_json(self._files.cat_file(self.path(name)))
            for field, kinds in fields.items():
                storage.require_field(found, field, *kinds)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise SetupError(f"can't read {self.path(name)}: {cause(error)}") from error
        except ValueError as error:
            raise SetupError(f"{self.path(name)} is broken: {error}") from error
        return found

    def has(self, name: str) -> bool:
        return bool(self._files.exists(self.path(name)))

    @contextlib.contextmanager
    def open(self, name: str) -> Iterator[Any]:
        try:
            with self._files.open(self.path(name), "rb") as file:
                yield file
        except (OSError, ValueError, LookupError) as error:
            raise SetupError(f"can't read {self.path(name)}: {cause(error)}") from error

    def read_jsons(
        self, names: Sequence[str], **fields: tuple[type, ...]
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield names of JSON files with their objects; several are read at a time.

        Files that are gone by now are left out. Arguments and errors are those of `read_json`.
        """
        with ThreadPoolExecutor(_AT_ONCE) as readers:
            for start in range(0, len(names), _PORTION):
                some = names[start : start + _PORTION]
                every = readers.map(lambda name: self.read_json(name, **fields), some)
                for name, found in zip(some, every, strict=True):
                    if found is not None:
                        yield name, found

    def names(self, folder: str, ending: str = "") -> list[str]:
        """Return the names of all complete files below a folder, in order."""
        root = self.path(folder)
        self._files.invalidate_cache()
        try:
            found = self._files.find(root)
        except FileNotFoundError:
            return []
        names = (os.path.relpath(path, self.path("")) for path in found)
        return sorted(name for name in names if name.endswith(ending) and storage.PART not in name)

    def remove(self, name: str) -> None:
        with contextlib.suppress(FileNotFoundError):
            self._files.rm_file(self.path(name))

    def remove_folder(self, name: str) -> None:
        with contextlib.suppress(FileNotFoundError):
            self._files.rm(self.path(name), recursive=True)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep others from writing to the folder, which is made; object stores have no locks."""
        if not self._is_local:
            yield
            return
        folder = Path(self._root)
        with contextlib.ExitStack() as stack:
            try:
                storage.make_folder(folder)
                stack.enter_context(storage.locked_folder(folder, patience=_PATIENCE))
            except BlockingIOError as error:
                raise SetupError(f"{folder} is being written to by another run") from error
            except OSError as error:
                raise SetupError(f"can't make the folder {folder}: {cause(error)}") from error
            yield

    def sweep(self) -> None:
        """Remove the incomplete files of a run that was killed."""
        with contextlib.suppress(FileNotFoundError):
            for path in self._files.find(self._root):
                if path.endswith(storage.PART):
                    self._files.rm_file(path)


def bucket_of(host: str, buckets: int) -> int:
    digest = blake2b(host.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") % buckets


class ShardOutcome(NamedTuple):
    """A shard that is done, or why it failed; a fatal problem is one that all others have, too."""

    name: str
    problem: str = ""
    is_fatal: bool = False


def page_file(folder: str, bucket: int, name: str, form: str) -> str:
    return f"{folder}/bucket={bucket:05d}/{name}.{form}"
