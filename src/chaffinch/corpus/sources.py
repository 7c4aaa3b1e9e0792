"""A run's plan, which is all that its rows depend on, and its sources: files, shards, pages."""

from __future__ import annotations

import json
import os
import pickle
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import blake2b
from operator import itemgetter
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, Final

from chaffinch.errors import (
    MissingExtraError,
    OptionError,
    SetupError,
    from_extra,
    require_one_of,
    require_whole,
)
from chaffinch.lazy import load_module
from chaffinch.lists.labelled import wanted_fields
from chaffinch.loading.loader import LoadingOptions
from chaffinch.wording import failing_as
from chaffinch.workers.protocol import PageLimits

FORMS: Final = ("parquet", "jsonl")
DUPLICATES: Final = ("keep", "mark", "remove")
EXTRACTOR: Final = "chaffinch.corpus.rows:Extraction"

_MAY_DIFFER: Final = frozenset({"browser", "out"})


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """Options of the default extractor. The names of the fields are stored in run.json.

    Attributes:
        method: name of the method.
        settings: tunables of the method, by name.
        policy: what belongs to the content, by field of `chaffinch.Policy`.
        languages: codes of the languages to keep; empty for all.
        only_metadata: leave text and Markdown out.
        images: add the images.
        tables: add the tables.
        assessment: add whether the page is content, or a wall or an error in its place; pages
            that servers sent for failures are assessed, too.
        records: add the entries of lists.
        fields: add fields of one's own, by the labels that they have on a page, as of
            `chaffinch.Extract.fields`.
        signatures: add hash and MinHash signature of the text, by which duplicates are found.
        max_bytes: largest size of a page, bytes.
        site: site model to extract by, as TOML, or a folder of them by host; "" for none.
    """

    method: str = "auto"
    settings: Mapping[str, Any] = field(default_factory=dict)
    policy: Mapping[str, bool | None] = field(default_factory=dict)
    languages: tuple[str, ...] = ()
    only_metadata: bool = False
    images: bool = False
    tables: bool = False
    assessment: bool = False
    records: bool = False
    fields: tuple[str, ...] = ()
    signatures: bool = False
    max_bytes: int = 64 << 20
    site: str = ""

    def __post_init__(self) -> None:
        if self.site and (self.method != "auto" or self.settings):
            raise OptionError("site goes without method, settings and favor")
        wanted_fields(self.fields)


@dataclass(frozen=True, kw_only=True)
class Plan(LoadingOptions):
    """The settings of a run, except its sources and engine. The field names are stored in run.json.

    Attributes:
        out: folder of the results; a path or an address that fsspec knows.
        form: ``parquet`` or ``jsonl``.
        buckets: number of buckets that the hosts are divided into.
        duplicates: ``keep`` doesn't search for them; ``mark`` adds the cluster of each page;
            ``remove`` keeps one page of each cluster.
        extractor: ``module:name`` of a callable that makes, from the recipe, a callable from a
            `chaffinch.corpus.sources.Record` to the fields of a row.
        recipe: options of the extractor.
        limits: of one page.
        corpus: text in ``html`` of JSON lines is bytes decoded as Latin-1, as in labelled corpora.
    """

    out: str
    form: str = "parquet"
    buckets: int = 16
    duplicates: str = "keep"
    extractor: str = EXTRACTOR
    recipe: Recipe = field(default_factory=Recipe)
    limits: PageLimits = field(default_factory=PageLimits)
    corpus: bool = False

    def __post_init__(self) -> None:
        LoadingOptions.__post_init__(self)
        require_one_of("form", self.form, FORMS)
        require_one_of("duplicates", self.duplicates, DUPLICATES)
        require_whole("buckets", self.buckets, 1, 65_536)
        recipe = self.recipe
        if recipe.site and self.extractor != EXTRACTOR:
            raise OptionError("site models go with Chaffinch's own extractor")
        if recipe.only_metadata and (recipe.signatures or self.duplicates != "keep"):
            raise OptionError("duplicates are found by their text, which only_metadata leaves out")
        if recipe.signatures and self.duplicates == "keep" and self.form != "parquet":
            raise OptionError("signatures are bytes, which only parquet holds")

    def to_dict(self) -> dict[str, Any]:
        values: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return values

    def differs_in(self, other: Mapping[str, Any]) -> list[str]:
        """Return the fields in which a plan, read from JSON, is another, but where it may be."""
        one = self.to_dict()
        names = (one.keys() | other.keys()) - _MAY_DIFFER
        return sorted(name for name in names if one.get(name) != other.get(name))


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A page of a source, or an error where one can't be read."""

    file: str  # the file that holds it, as given
    # position in the file: bytes for archives, the number of the line or row for tables, 0 for a
    # file of its own
    offset: int = 0
    member: str = ""  # name within an archive of files
    url: str = ""  # address of the page; "" if unknown
    fetched: str = ""  # when it was fetched, ISO 8601; "" if unknown
    status: int = 0  # HTTP status; 0 if unknown
    encoding: str | None = None  # label that the transport gave
    html: bytes = field(default=b"", repr=False)  # the page's bytes
    # why it isn't whole, or not as fetched: the value of WARC-Truncated; ``cut`` where its body
    # breaks off, ``digest`` where its digest doesn't match; "" for none
    truncated: str = ""
    # of the answer that brought it, those by which owners opt out of uses
    headers: tuple[tuple[str, str], ...] = ()
    # kind of error if it can't be read: ``record`` or ``render``; else ""
    error: str = ""
    detail: str = ""  # the error in words

    def message(self) -> bytes:
        return pickle.dumps(self, pickle.HIGHEST_PROTOCOL)


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something in a source that is no page, such as an image or a page of errors, and why."""

    why: str


_PAGES: Final = (".html", ".htm", ".xhtml", ".mhtml", ".mht")

KINDS: Final[Mapping[str, tuple[str, ...]]] = {
    "warc": (".warc", ".warc.gz", ".warc.zst", ".warc.lz4", ".arc", ".arc.gz"),
    "zip": (".zip", ".wacz"),
    "tar": (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz"),
    "lines": (".jsonl", ".jsonl.gz", ".jsonl.xz", ".jsonl.bz2", ".jsonl.zst"),
    "parquet": (".parquet",),
    "files": (*_PAGES, *(f"{ending}.gz" for ending in _PAGES)),
}
"""Kind of source → endings of its files, in lower case."""


def kind_of(path: str) -> str | None:
    """Return the kind of source that a file is by its name, a key of `KINDS`; None for none."""
    name = path.lower()
    return next((kind for kind, endings in KINDS.items() if name.endswith(endings)), None)


_EXTENSIONS: Final = ", ".join(ending for endings in KINDS.values() for ending in endings)

FILES: Final = 1000
"""Files of a folder in one shard."""

_NOT_IN_FILE_NAME: Final = re.compile(r"[^\w.-]+")
_EXTRAS: Final = {"s3": "s3fs", "gs": "gcsfs", "gcs": "gcsfs", "az": "adlfs", "abfs": "adlfs"}


@dataclass(frozen=True, kw_only=True)
class Shard:
    """A unit of work."""

    kind: str  # a key of `KINDS`
    source: str  # the file or folder
    # names of the files of a folder; empty for all of a file
    items: tuple[str, ...] = field(default=(), repr=False)
    version: str = ""  # size and time or tag of the source, to notice changes; "" where unknown

    @property
    def name(self) -> str:
        """A file name for the shard, unique by source and items."""
        digest = blake2b("\n".join((self.source, *self.items)).encode("utf-8", "replace"))
        slug = _NOT_IN_FILE_NAME.sub("_", PurePosixPath(self.source).name)[:60]
        return f"{slug}-{digest.hexdigest()[:16]}"


_Found = tuple[str, Mapping[str, Any]]  # path and information of a file


def find_shards(sources: Sequence[str], *, out: str = "") -> list[Shard]:
    """Return the shards of files, folders and patterns, in order and each once.

    Args:
        sources: paths or addresses of object stores; ``*`` is a wildcard. Of a folder, all files
            with a known extension are taken, those of its subfolders as well.
        out: folder of the results, which may stand below a source: its files are left out, under
            whatever name and behind whatever link.

    Raises:
        OptionError: there is no such file, or none with a known extension, or all are in ``out``.
        MissingExtraError: the package for an object store isn't installed.
    """
    if isinstance(sources, str):
        raise OptionError(f"sources are files and folders in a list, not {sources!r}")
    shards = [shard for source in sources for shard in _shards_of(source, out)]
    return list({shard.name: shard for shard in shards}.values())


def _shards_of(source: str, out: str) -> list[Shard]:
    files, path = file_system(source)
    with failing_as(OptionError, f"{source} can't be looked at"):
        is_folder = _is_folder(files, path, source)
        found = _files_of(files, path, is_folder=is_folder)
    if not found and not is_folder:
        raise OptionError(f"no such file or folder: {source}")
    if out:
        found = _without_output(found, files, source, out)
    pages: list[str] = []
    shards: list[Shard] = []
    for path, info in found:
        kind = kind_of(path)
        if kind is None and not is_folder:
            raise OptionError(f"{path}: files end in {_EXTENSIONS}")
        if kind == "files":
            pages.append(files.unstrip_protocol(path).removeprefix("file://"))
        elif kind is not None:
            shards.append(_of_file(kind, files.unstrip_protocol(path), info, source))
    for start in range(0, len(pages), FILES):
        items = tuple(pages[start : start + FILES])
        shards.append(Shard(kind="files", source=source, items=items))
    if not shards:
        raise OptionError(f"no page is in {source}: files end in {_EXTENSIONS}")
    return shards


def _files_of(files: Any, path: str, *, is_folder: bool) -> list[_Found]:
    if is_folder:
        return sorted(files.find(path, detail=True).items(), key=itemgetter(0))
    if files.exists(path):
        return [(path, files.info(path))]
    every = sorted(files.glob(path, detail=True).items(), key=itemgetter(0))
    return [one for one in every if one[1]["type"] == "file"]


def _without_output(found: list[_Found], files: Any, source: str, out: str) -> list[_Found]:
    own, root = file_system(out)
    if type(files) is not type(own):
        return found
    where = os.path.realpath if is_local(own) else str
    root = where(root).rstrip("/")
    left = [
        one for one in found if (path := where(one[0])) != root and not path.startswith(f"{root}/")
    ]
    if found and not left:
        raise OptionError(f"{source}: all of it is in the output folder, which is no source")
    return left


def _is_folder(files: Any, path: str, source: str) -> bool:
    if any(c in source for c in "*?["):  # a pattern, unless a folder has that name
        return is_local(files) and bool(files.isdir(path))
    if source.startswith(("http://", "https://")) and kind_of(path):
        return False  # fsspec lists the links of any page as files of a folder
    return bool(files.isdir(path))


def _of_file(kind: str, address: str, info: Mapping[str, Any], given: str) -> Shard:
    source = address if "://" in given else address.removeprefix("file://")
    tags = (info.get(name) for name in ("size", "mtime", "ETag", "etag", "last_modified"))
    version = " ".join(str(tag) for tag in tags if tag is not None)
    return Shard(kind=kind, source=source, version=version)


def opened(source: str) -> BinaryIO:
    """Return a source's file: a local one as it is, an object store's opened by fsspec."""
    if "://" not in source:
        return Path(source).open("rb")
    import fsspec  # noqa: PLC0415  an extra, which local files can do without

    file: BinaryIO = fsspec.open(source, "rb").open()
    return file


def file_system(address: str) -> tuple[Any, str]:
    """Return the file system of an address, and the path there."""
    with from_extra("batch"):
        import fsspec  # noqa: PLC0415  an extra
    try:
        found: tuple[Any, str] = fsspec.core.url_to_fs(address)
    except ImportError as error:
        package = _EXTRAS.get(address.partition(":")[0])
        if package is None:
            raise SetupError(f"{address}: {error}") from error
        raise MissingExtraError(f"{package} is not installed: pip install {package}") from error
    except ValueError as error:
        raise OptionError(f"{address}: {error}") from error
    return found


def is_local(files: Any) -> bool:
    found = files.protocol
    return "file" in ((found,) if isinstance(found, str) else tuple(found))


def read(shard: Shard, plan: Plan) -> Iterator[Record | Skipped]:
    """Yield the pages of a shard in order; unreadable stretches are records with an error."""
    with from_extra("batch"):
        readers = load_module("chaffinch.corpus.readers")
        found: Iterator[Record | Skipped] = getattr(readers, f"read_{shard.kind}")(shard, plan)
        if plan.render != "never":
            found = readers.rendered(found, plan)
        yield from found
