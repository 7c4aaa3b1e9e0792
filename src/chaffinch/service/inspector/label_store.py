"""Labelled pages below the operator's folder for data."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Final

from chaffinch.evaluate.label_file import put_row
from chaffinch.service.endpoint import service_of
from chaffinch.service.json_requests import require_writer
from chaffinch.service.problems import ProblemError

if TYPE_CHECKING:
    from starlette.requests import Request

FILE: Final = "labels.jsonl"


async def put_label(request: Request, row: bytes) -> bytes:
    """Save a page's line of the corpus, and return what a person needs to measure on it.

    Raises:
        ProblemError: the operator has given no folder, or the caller may not write.
        OptionError: the file can't be written.
    """
    data = service_of(request).settings.data
    if data is None:
        raise ProblemError("not-found", "labels need a folder: start with --data DIR")
    require_writer(request, "labels")
    values = json.loads(row)
    count = await asyncio.to_thread(put_row, data / FILE, values)
    out = {"id": values["id"], "pages": count, "file": FILE, "text": values["gold_text"]}
    return json.dumps(out, ensure_ascii=False).encode()
