"""The endpoint that takes pages as lines of JSON and answers each when it is done (NDJSON)."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing
from typing import TYPE_CHECKING, Final, NamedTuple

from starlette.requests import ClientDisconnect
from starlette.responses import Response

from chaffinch.service.endpoint import Endpoint, service_of
from chaffinch.service.page_endpoints import FETCHING
from chaffinch.service.problems import ProblemError
from chaffinch.service.request_bodies import read_model, too_large
from chaffinch.service.request_models import StreamedPage
from chaffinch.web.client import media_type

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from starlette.requests import Request
    from starlette.types import Receive, Scope, Send

    from chaffinch.service.callers import Token
    from chaffinch.service.service import Service

NDJSON: Final = "application/x-ndjson"
_AT_ONCE: Final = 4  # lines in progress for each child
_PATIENCE: Final = 0.05  # seconds between two tries to get into a full queue


async def stream(request: Request) -> Response:
    """Answer each line of the body with a line, in the order in which they are done."""
    if media_type(request.headers.get("content-type", "")) != NDJSON:
        raise ProblemError("unsupported-media-type", f"the body must be {NDJSON}")
    return _LinesResponse(_Lines(request))


class _LinesResponse(Response):
    """Sends lines as they are done, while the body is still read.

    `StreamingResponse` waits for the client to go away by receiving, which would take the body.
    """

    def __init__(self, lines: _Lines) -> None:
        super().__init__(media_type=NDJSON)
        del self.headers["content-length"]
        self._lines = lines

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the response."""
        del scope, receive
        start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        await send(start)
        async with aclosing(self._lines.answers()) as answers:
            async for line in answers:
                await send({"type": "http.response.body", "body": line, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


class _Done(NamedTuple):
    """A line of the answer, and whether it is of a line that has a turn."""

    line: bytes
    has_turn: bool


class _Lines:
    """The lines of a stream: read as fast as they are worked on, answered as they are done."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._service: Service = service_of(request)
        self._caller: Token = request.state.caller
        self._id: str = request.state.request_id
        self._done: asyncio.Queue[_Done | None] = asyncio.Queue()
        self._turns = asyncio.Semaphore(_AT_ONCE * self._service.settings.workers)

    async def answers(self) -> AsyncGenerator[bytes, None]:
        """Yield a line for each line."""
        reading = asyncio.create_task(self._read_all())
        try:
            while (done := await self._done.get()) is not None:
                yield done.line
                if done.has_turn:
                    self._turns.release()  # not before the client has taken it
            await reading
        finally:
            reading.cancel()

    async def _read_all(self) -> None:
        """Read the lines and begin each; the last thing done is None."""
        try:
            async with asyncio.TaskGroup() as group:
                async for number, line in self._numbered():
                    await self._turns.acquire()
                    group.create_task(self._answer(number, line))
        except* ClientDisconnect:
            pass
        except* Exception as errors:  # noqa: BLE001  answered, counted and logged
            self._put_problem(None, None, errors.exceptions[0])
        finally:
            self._done.put_nowait(None)

    async def _numbered(self) -> AsyncGenerator[tuple[int, bytes], None]:
        """Yield the lines that aren't empty, with their numbers from 1.

        Raises:
            ProblemError: a line is too large, or the next one doesn't come in time.
        """
        pieces = aiter(self._request.stream())
        rest, number, is_over = bytearray(), 0, False
        while not is_over:
            try:
                async with asyncio.timeout(self._service.settings.body_seconds):
                    rest += await anext(pieces)
            except StopAsyncIteration:
                is_over = True
                rest += b"\n"
            except TimeoutError as error:
                raise ProblemError("body-timeout", "the next line doesn't come") from error
            *lines, last = rest.split(b"\n")
            rest = bytearray(last)
            for line in (*lines, rest):
                if len(line) > self._service.settings.body_bytes:
                    raise too_large(self._service.settings.body_bytes)
            for line in lines:
                number += 1
                if line.strip():
                    yield number, bytes(line)

    async def _answer(self, number: int, line: bytes) -> None:
        wanted: StreamedPage | None = None
        try:
            wanted = read_model(StreamedPage, line)
            self._service.callers.count(self._caller)
            async with self._service.reader.deadline():
                made = await self._record(wanted)
            head = json.dumps({"line": number, "id": wanted.id}, ensure_ascii=False)[:-1]
            line = head.encode("utf-8", "replace") + b', "record": ' + made + b"}\n"
            self._done.put_nowait(_Done(line, has_turn=True))
        except Exception as error:  # noqa: BLE001  one line mustn't stop the others
            self._put_problem(number, wanted, error)

    async def _record(self, wanted: StreamedPage) -> bytes:
        """Return the record of a page; a stream waits where others would be refused."""
        reader = self._service.reader
        options = wanted.options.given() if wanted.options else {}
        found = await reader.find(wanted)
        while True:
            try:
                return await reader.make("record", found.given, options)
            except ProblemError as problem:
                if problem.kind != "busy":
                    raise
            await asyncio.sleep(_PATIENCE)

    def _put_problem(
        self, number: int | None, wanted: StreamedPage | None, error: Exception
    ) -> None:
        """Answer a line, or the stream where ``number`` is None, with a problem."""
        problem = self._service.metrics.noted(error, self._id)
        values = {
            "line": number,
            "id": None if wanted is None else wanted.id,
            "problem": problem.values(self._id),
        }
        line = json.dumps(values, ensure_ascii=True).encode() + b"\n"
        self._done.put_nowait(_Done(line, has_turn=number is not None))


STREAM_ENDPOINTS: Final = (
    Endpoint(
        method="POST",
        path="/v1/stream",
        handler=stream,
        summary="Extract many pages: a line of JSON each, answered in order of completion by "
        "`{line, id, record}` or `{line, id, problem}`.",
        body=StreamedPage,
        body_types=(NDJSON,),
        answers={NDJSON: {"type": "string"}},
        problems=FETCHING,
    ),
)
