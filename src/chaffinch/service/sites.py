"""Site models below the operator's folder, and their endpoints.

A name is a few letters, digits, dots and hyphens, so no name is a path. A change names the version
that it is made to, and fails where that isn't the present one: of two writers, one gets the error.
Beside a model stand the pages that taught it, for rules to be tried on.
"""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Final

from starlette.responses import Response

from chaffinch.errors import OptionError, PageError
from chaffinch.service import jobs, requests
from chaffinch.service.jobs import GivenPage, SiteFile
from chaffinch.service.problems import ProblemError, StorageError
from chaffinch.service.reader import FoundPage
from chaffinch.service.settings import ServiceSettings
from chaffinch.site.file import DATA, RULES, model_version
from chaffinch.storage import flush_folder, locked_folder, make_folder, move_file
from chaffinch.wording import failing_as

NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9-]{1,63}){0,8}")
"""Names of sites, such as hosts have."""
ABSENT: Final = ""
"""Version of a site that there isn't."""
MOST_PAGES: Final = 500
MOST_BYTES: Final = 256 << 20
"""Pages that are kept of one site, and bytes of their file, at most."""
_SAMPLE: Final = ".sample"
_TOML: Final = "application/toml"
_SITE: Final = "/v1/sites/{name}"
_ETAG: Final = re.compile(r'\A"([0-9a-f]{32})"\Z')


class SiteStore:
    """The site models of a service."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with failing_as(OptionError, f"{folder} can't be written to"):
            make_folder(folder)
            tempfile.TemporaryFile(dir=folder).close()

    def names(self) -> list[str]:
        self._require_folder()
        found = (one.parent.name for one in self._folder.glob(f"*/{RULES}"))
        return sorted(name for name in found if NAME.fullmatch(name))

    def text(self, name: str) -> tuple[str, str]:
        """Return the rules of a site's model as TOML, and its version."""
        file = self.file(name)
        return Path(file.path, RULES).read_text("utf-8", "replace"), file.version

    def file(self, name: str) -> SiteFile:
        """Return the folder of a site's model, for a child to read."""
        version = self.version(name)
        if version == ABSENT:
            raise ProblemError("not-found", "there is no site of that name")
        return SiteFile(str(self._path(name)), version)

    def version(self, name: str) -> str:
        path = self._path(name)
        if (path / RULES).is_file():
            return model_version(path)
        self._require_folder()
        return ABSENT

    @contextmanager
    def draft(self, name: str) -> Iterator[Path]:
        """Give a path, in a folder of its own, that a model can be written to before `replace`."""
        self._require_folder()
        with tempfile.TemporaryDirectory(prefix=".draft-", dir=self._folder) as folder:
            yield Path(folder, self._path(name).name)

    def replace(self, name: str, draft: Path, expected: str) -> str:
        target = self._path(name)
        with self._changing(name, expected):
            make_folder(target)
            for part in (DATA, RULES):
                if (draft / part).exists():
                    move_file(draft / part, target / part)
            return self.version(name)

    def write(self, name: str, rules: str, expected: str) -> str:
        """Write the rules of a site, whose data stay, and return its version."""
        with self.draft(name) as draft:
            draft.mkdir()
            (draft / RULES).write_bytes(rules.encode())
            return self.replace(name, draft, expected)

    def remove(self, name: str, expected: str) -> None:
        with self._changing(name, expected):
            self.sample(name).path.unlink(missing_ok=True)
            shutil.rmtree(self._path(name))
            flush_folder(self._folder)

    def add(self, name: str, pages: Sequence[GivenPage]) -> None:
        """Put pages to those that taught a site, as far as there is room.

        A page whose address is there already is left out.
        """
        sample = self.sample(name)
        with self._locked():
            there = sample.pages()
            addresses = {one.url for one in there if one.url}
            size = sample.path.stat().st_size if there else 0
            new: list[tuple[str, GivenPage]] = []
            for page in pages:
                is_full = len(there) + len(new) >= MOST_PAGES or size + len(page.html) > MOST_BYTES
                if is_full or page.url in addresses:
                    continue
                addresses |= {page.url} if page.url else set()
                size += len(page.html)
                new.append(("", page))
            sample.add(new)
        flush_folder(self._folder)

    @contextmanager
    def _changing(self, name: str, expected: str) -> Iterator[None]:
        own = self._path(name)
        with self._locked(), locked_folder(own) if own.is_dir() else nullcontext():
            if self.version(name) != expected:
                raise ProblemError("precondition-failed", "the site was changed meanwhile")
            yield

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Keep other writers, of other processes too, from changing anything meanwhile."""
        self._require_folder()
        with locked_folder(self._folder):
            yield

    def _require_folder(self) -> None:
        """Tell a folder that was removed or replaced from one without the site that is wanted."""
        if not self._folder.is_dir():
            raise StorageError(f"{self._folder} is no folder any more")

    def _path(self, name: str) -> Path:
        if not NAME.fullmatch(name):
            raise ProblemError("not-found", "there is no site of that name")
        return self._folder / name

    def sample(self, name: str) -> jobs.Sample:
        """Return the pages that taught a site; there may be none."""
        return jobs.Sample(self._folder / f"{self._path(name).name}{_SAMPLE}")


def site_store(settings: ServiceSettings) -> SiteStore | None:
    """Return the site models below the operator's folder; None where there is none."""
    return None if settings.data is None else SiteStore(settings.data / "sites")


def require_store(store: SiteStore | None) -> SiteStore:
    if store is None:
        raise ProblemError("not-found", "this service keeps no sites: it has no --data")
    return store


async def site_file(store: SiteStore | None, name: str) -> SiteFile:
    """Return the folder of a site's model (`SiteStore.file`)."""
    return await asyncio.to_thread(require_store(store).file, name)


# Endpoints


@requests.endpoint("GET", "/v1/sites")
async def sites(call: requests.Call) -> Response:
    """Names of the site models that are kept."""
    return requests.answer(json.dumps({"sites": await asyncio.to_thread(_store(call).names)}))


@requests.endpoint("GET", _SITE, answers={_TOML: requests.TEXT})
async def get_site(call: requests.Call) -> Response:
    """A site's model, its rules among it, as TOML; ETag is its version."""
    text, version = await asyncio.to_thread(_store(call).text, call.name)
    return requests.answer(text, _TOML, _etag(version))


@requests.endpoint("PUT", _SITE, body=requests.SiteRules)
async def put_site(call: requests.Call) -> Response:
    """Take a site's model from its TOML; If-Match or If-None-Match is needed."""
    store, name, rules = _store(call), call.name, call.body.rules
    expected, before = await _changed(call)
    made = await call.reader.queue.run(jobs.checked_rules, rules, before)
    version = await asyncio.to_thread(store.write, name, rules, expected)
    return requests.answer(made, requests.JSON, _etag(version))


@requests.endpoint("DELETE", _SITE)
async def delete_site(call: requests.Call) -> Response:
    """Remove a site's model and the pages that taught it; needs If-Match."""
    call.require_writer()
    await asyncio.to_thread(_store(call).file, call.name)
    expected, _ = await _changed(call)
    await asyncio.to_thread(_store(call).remove, call.name, expected)
    return requests.answer(json.dumps({"removed": call.name}))


@requests.endpoint("POST", f"{_SITE}/learn", body=requests.SitePages)
async def learn(call: requests.Call) -> Response:
    """Learn a site from pages, or take pages into its model; needs the same headers."""
    store, name = _store(call), call.name
    expected, before = await _changed(call)
    pages = [(await call.reader.find(one)).given for one in call.body.pages]
    with store.draft(name) as draft:
        made = await call.reader.queue.run(jobs.learn, pages, before, str(draft))
        version = await asyncio.to_thread(store.replace, name, draft, expected)
    await asyncio.to_thread(store.add, name, pages)
    return requests.answer(made, requests.JSON, _etag(version))


@requests.endpoint("POST", f"{_SITE}/extract", body=requests.SitePage, answers=requests.RECORD)
async def extract(call: requests.Call) -> Response:
    """Extract a page by a site's model."""
    file = await site_file(_store(call), call.name)
    found = await _on_one_page(call, file)
    made = await call.reader.make("record", found.given, {**call.options, "site": file})
    return requests.answer(made, requests.JSON, found.origin)


async def _on_one_page(call: requests.Call, site: SiteFile) -> FoundPage:
    """Return a page, or where it was fetched the version of its article on one page, if any."""
    found, body = await call.find(), call.body
    if body.source is not None:
        return found
    url = json.loads(await call.reader.queue.run(jobs.single_page, site, found.given))
    if not url:
        return found
    try:
        return await call.reader.find(body.model_copy(update={"url": url}))
    except (PageError, ProblemError):  # the page itself will do
        return found


def _store(call: requests.Call) -> SiteStore:
    return require_store(call.service.sites)


def _etag(version: str) -> dict[str, str]:
    return {"etag": f'"{version}"'}


async def _changed(call: requests.Call) -> tuple[str, SiteFile | None]:
    """Return the version that a change is made to, and its files: of If-Match.

    With ``If-None-Match: *`` there is none. The caller may change sites.
    """
    call.require_writer()
    store, headers = _store(call), call.request.headers
    present = await asyncio.to_thread(store.version, call.name)
    given = headers.get("if-match", "")
    if headers.get("if-none-match", "").strip() == "*" and not given:
        expected = ABSENT
    elif found := _ETAG.match(given.strip()):
        expected = found[1]
    else:
        raise ProblemError(
            "precondition-required", "a change needs If-Match with the ETag, or If-None-Match: *"
        )
    if expected != present:
        raise ProblemError("precondition-failed", "the site has another version")
    return expected, None if expected == ABSENT else await asyncio.to_thread(store.file, call.name)
