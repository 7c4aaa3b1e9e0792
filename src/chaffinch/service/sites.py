"""Site models below the operator's folder, which requests name and none changes.

A name is a few letters, digits, dots and hyphens, so no name is a path. A model that the command
changed meanwhile is read anew.
"""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Final

from starlette.responses import Response

from chaffinch.service import requests
from chaffinch.service.jobs import SiteFile, site_file
from chaffinch.service.problems import ProblemError
from chaffinch.service.settings import ServiceSettings
from chaffinch.site.file import is_model

NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9-]{1,63}){0,8}")
"""Names of sites, such as hosts have."""


def _folder(settings: ServiceSettings) -> Path:
    if settings.data is None:
        raise ProblemError("not-found", "this service keeps no sites: it has no --data")
    return settings.data / "sites"


def _names(settings: ServiceSettings) -> list[str]:
    folder = _folder(settings)
    found = folder.iterdir() if folder.is_dir() else ()
    return sorted(one.name for one in found if NAME.fullmatch(one.name) and is_model(one))


async def kept_site(settings: ServiceSettings, name: str) -> SiteFile:
    """Return a site's model, for a child to read."""
    path = _folder(settings) / name
    if not NAME.fullmatch(name) or not is_model(path):
        raise ProblemError("not-found", "there is no site of that name")
    return await asyncio.to_thread(site_file, path)


@requests.endpoint("GET", "/v1/sites")
async def sites(call: requests.Call) -> Response:
    """Names of the site models that are kept."""
    names = await asyncio.to_thread(_names, call.service.settings)
    return requests.answer(json.dumps({"sites": names}))


_OF_SITE: Final = "/v1/sites/{name}/extract"


@requests.endpoint("POST", _OF_SITE, body=requests.SitePage, answers=requests.RECORD)
async def extract(call: requests.Call) -> Response:
    """Extract a page by a site's model."""
    file = await kept_site(call.service.settings, call.name)
    found = await call.find()
    made = await call.reader.make("record", found.given, {**call.options, "site": file})
    return requests.answer(made, requests.JSON, found.origin)
