"""The guard of addresses under a service: names that change their address between two answers."""

import socket

import anyio
import pytest

from chaffinch.errors import RefusedError
from chaffinch.service.settings import ServiceSettings
from chaffinch.service.web_pages import WebPages


@pytest.fixture
def turning_name(monkeypatch):
    """A name whose resolver answers with a public address first, and with loopback from then on."""
    real, asked = socket.getaddrinfo, []

    def resolve(host, port, *given, **options):
        if host != "turning.example":
            return real(host, port, *given, **options)
        asked.append(host)
        return real("93.184.216.34" if len(asked) == 1 else "127.0.0.1", port, *given, **options)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    return asked


def test_a_name_that_turns_to_loopback_is_refused(web, turning_name):
    async def fetch():
        pages = WebPages(ServiceSettings(delay=0, obeys_robots=False))
        try:
            await pages.fetch(f"http://turning.example:{web.server_port}/turned")
        finally:
            pages.close()

    with pytest.raises(RefusedError):
        anyio.run(fetch)
    assert len(turning_name) == 2
    assert not web.asked("/turned")


def test_what_is_known_of_hosts_is_bounded(monkeypatch):
    from chaffinch.service import web_pages  # noqa: PLC0415

    monkeypatch.setattr(web_pages, "_MOST_HOSTS", 3)

    async def fetch():
        pages = WebPages(ServiceSettings(delay=0, resolve=()))
        known = [pages._hosts(f"http://h{number}.example/") for number in range(7)]  # noqa: SLF001
        assert len({id(one) for one in known}) == 3
        assert all(len(one.hosts) <= 3 for one in known)
        pages.close()

    anyio.run(fetch)
