"""A service that is asked to read what isn't quite HTTP, or of a hostile type."""

from urllib.parse import quote

import pytest
from running_service import PAGE, running

from raw_server import NOT_QUITE_HTTP, TYPES, raw_server


@pytest.fixture(scope="module")
def service():
    options = ["-w", "1", "--no-mcp", "--allow-host", "127.0.0.1", "--delay", "0"]
    with running(*options, "--ignore-robots", "--deadline", "10") as one:
        yield one


@pytest.mark.parametrize("number", range(len(NOT_QUITE_HTTP)))
def test_answers_that_are_not_quite_http(service, number):
    with raw_server(NOT_QUITE_HTTP[number]) as hostile:
        found = service.get(f"/v1/read?url={quote(hostile.url)}&format=json")
        assert len(hostile.asked) <= 24
    assert found.status in (200, 422, 502), found
    if found.status != 200:
        assert found.kind in ("fetch", "page", "refused-address")
        assert found.json["detail"].isprintable()
        assert len(found.json["detail"]) < 400
    assert b"Traceback" not in found.body
    assert service.post("/v1/extract", {"html": PAGE}).status == 200


@pytest.mark.parametrize("number", range(len(TYPES)))
def test_hostile_types(service, number):
    head = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: %s\r\n\r\n"
    body = head % TYPES[number].encode("latin-1") + PAGE.encode() + b"<p>+ADw-script+AD4-"
    with raw_server(body) as hostile:
        found = service.get(f"/v1/read?url={quote(hostile.url)}&format=html")
    assert found.status in (200, 415, 422, 502), found
    assert b"<script" not in found.body


def test_nothing_of_it_was_a_bug(service):
    assert not [one for one in service.log if one["level"] == "error"]
