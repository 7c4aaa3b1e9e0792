"""Site models below the operator's folder: found by name, written one writer at a time.

A name is a few letters, digits, dots and hyphens, so no name is a path. A change names the version
that it is made to, and fails where that isn't the present one: of two writers, one gets the error.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from chaffinch.durable_files import flush_folder, locked_folder, make_folder, move_file
from chaffinch.errors import OptionError
from chaffinch.lazy import lazy_module
from chaffinch.service.page_jobs import SiteFile
from chaffinch.service.problems import ProblemError, StorageError
from chaffinch.wording import cause

if TYPE_CHECKING:
    import fcntl
    from collections.abc import Iterator
    from pathlib import Path
else:
    fcntl = lazy_module("fcntl")  # absent on Windows

NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9-]{1,63}){0,8}")
"""Names of sites, such as hosts have."""

_SUFFIX: Final = ".toml"
_PAGES: Final = ".pages"
_SAMPLE: Final = ".sample"
_LOCK: Final = ".lock"
ABSENT: Final = ""
"""Version of a site that there isn't."""


class SiteStore:
    """The site models of a service.

    Args:
        folder: where they are; made if it isn't there.

    Raises:
        OptionError: it can't be written to.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        try:
            make_folder(folder)
            (folder / _LOCK).touch()
        except OSError as error:
            raise OptionError(f"{folder} can't be written to: {cause(error)}") from error

    def names(self) -> list[str]:
        """Return the names of all sites, sorted.

        Raises:
            StorageError: their folder isn't there.
        """
        self._require_folder()
        found = (one.name.removesuffix(_SUFFIX) for one in self._folder.glob(f"*{_SUFFIX}"))
        return sorted(name for name in found if NAME.fullmatch(name))

    def text(self, name: str) -> tuple[str, str]:
        """Return the model of a site as TOML, and its version.

        Raises:
            ProblemError: there is none.
        """
        data = self._read(name)
        if data is None:
            raise ProblemError("not-found", "there is no site of that name")
        return data.decode("utf-8", "replace"), _version(data)

    def file(self, name: str) -> SiteFile:
        """Return the file of a site, for a child to read.

        Raises:
            ProblemError: there is none.
        """
        _, version = self.text(name)
        return SiteFile(str(self._path(name)), version)

    def version(self, name: str) -> str:
        """Return the version of a site; `ABSENT` where there is none.

        Raises:
            StorageError: the sites' folder isn't there.
        """
        data = self._read(name)
        return ABSENT if data is None else _version(data)

    @contextmanager
    def draft(self, name: str) -> Iterator[Path]:
        """Give a path, in a folder of its own, that a model can be written to before `replace`.

        Raises:
            StorageError: the sites' folder isn't there.
        """
        self._require_folder()
        target = self._path(name)
        with tempfile.TemporaryDirectory(prefix=".draft-", dir=self._folder) as folder:
            yield target.parent / folder / target.name

    def replace(self, name: str, draft: Path, expected: str) -> str:
        """Put a draft, and its sample of pages if it has one, in the place of a site's model.

        Args:
            name: of the site.
            draft: the file written.
            expected: the version that is replaced.

        Returns:
            The new version.

        Raises:
            ProblemError: the present version is another one.
        """
        target = self._path(name)
        with self.locked(), locked_folder(self._folder):  # the latter holds off the command line
            if self.version(name) != expected:
                raise ProblemError("precondition-failed", "the site was changed meanwhile")
            sample = draft.with_suffix(_PAGES)
            if sample.exists():
                move_file(sample, target.with_suffix(_PAGES))
            move_file(draft, target)
            return self.version(name)

    def remove(self, name: str, expected: str) -> None:
        """Remove a site, with the pages that taught it; errors as of `replace`."""
        target = self._path(name)
        with self.locked(), locked_folder(self._folder):
            if self.version(name) != expected:
                raise ProblemError("precondition-failed", "the site was changed meanwhile")
            for suffix in (_SAMPLE, _PAGES, _SUFFIX):
                target.with_suffix(suffix).unlink(missing_ok=True)
            flush_folder(self._folder)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other writers, of other processes too, from changing anything meanwhile.

        Raises:
            StorageError: the sites' folder isn't there.
        """
        self._require_folder()
        with (self._folder / _LOCK).open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def sample_path(self, name: str) -> Path:
        """Return the path of the pages that a site's rules are tried on.

        Raises:
            ProblemError: the name isn't one.
        """
        return self._path(name).with_suffix(_SAMPLE)

    def _read(self, name: str) -> bytes | None:
        try:
            return self._path(name).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            self._require_folder()
            return None

    def _require_folder(self) -> None:
        """Tell a folder that was removed or replaced from one without the site that is wanted.

        Raises:
            StorageError: it is no folder.
        """
        if not self._folder.is_dir():
            raise StorageError(f"{self._folder} is no folder any more")

    def _path(self, name: str) -> Path:
        """Return the path of a site's model.

        Raises:
            ProblemError: the name isn't one.
        """
        if not NAME.fullmatch(name):
            raise ProblemError("not-found", "there is no site of that name")
        return self._folder / f"{name}{_SUFFIX}"


def _version(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]
