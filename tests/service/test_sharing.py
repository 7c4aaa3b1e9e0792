"""What callers share: places, children, tokens' limits. One's work is no other's failure."""

import asyncio
import http.client
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest
from running_service import PAGE, PARAGRAPH, apart, by, running

from answering_server import Given
from chaffinch.service.reader import Reader
from chaffinch.service.settings import ServiceSettings
from chaffinch.service.work import CALLER, FairShares
from chaffinch.web import AddressGuard, FetchLimits
from chaffinch.web.polite import PoliteClient, RobotsCache
from chaffinch.web.settings import Politeness


async def settle():
    for _ in range(10):
        await asyncio.sleep(0)


async def held(shares, callers):
    """Let each of ``callers`` ask for a place, in turn; return (tasks, who got one, in order)."""
    got = []

    async def work(caller):
        CALLER.set(caller)
        async with shares:
            got.append(caller)
            await asyncio.Event().wait()

    tasks = [asyncio.create_task(work(caller)) for caller in callers]
    await settle()
    return tasks, got


def test_the_last_places_are_kept_for_others():
    async def run():
        shares = FairShares(8, spares=True)
        assert len((await held(shares, ["stream"] * 20))[1]) == 4
        assert (await held(shares, ["page"]))[1] == ["page"]

    apart(run)


def test_who_holds_fewest_is_next():
    async def run():
        shares = FairShares(3, spares=False)
        tasks, got = await held(shares, ["stream"] * 6)
        _, later = await held(shares, ["page", "other"])
        for number, wanted in enumerate((["page"], ["page", "other"])):
            tasks[number].cancel()
            await settle()
            assert later == wanted
        assert got == ["stream"] * 3

    apart(run)


def test_who_was_served_longest_ago_is_next_at_a_host(web):
    """Of ten requests of one caller to a slow host another's waits for one or two."""
    got = []
    web.pages["slow-host"] = lambda path: got.append(path[-1]) or Given()

    async def run():
        turns = partial(FairShares, 1, spares=False)
        client = PoliteClient(
            FetchLimits(), AddressGuard(["127.0.0.1"]), Politeness(delay=0.2), turns=turns
        )

        async def ask(caller):
            CALLER.set(caller)
            await client.get(f"{web.url}/slow-host/{caller}", reads_body=lambda *_: True)

        first = [asyncio.create_task(ask("a")) for _ in range(10)]
        await settle()
        await asyncio.gather(*first, *map(ask, "bcb"))
        client.close()

    apart(run)
    assert sorted(got) == [*"aaaaaaaaaabbc"]
    assert "".join(got).rindex("b") < 8  # of 13


def test_pages_that_wait_for_the_browser_take_no_threads_and_half_of_the_places_at_most():
    async def run():
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(2))
        pages, go_on = Reader(ServiceSettings(render="always")), threading.Event()

        async def render(caller):
            CALLER.set(caller)
            return await pages._in_turn(go_on.wait, 30)  # noqa: SLF001

        many = [asyncio.create_task(render("a")) for _ in range(20)]
        await settle()
        other = asyncio.create_task(render("b"))
        assert await asyncio.wait_for(asyncio.to_thread(sum, [1, 2]), 20) == 3
        go_on.set()
        assert await other
        found = await asyncio.gather(*many, return_exceptions=True)
        assert found.count(True) == 8
        assert {one.kind for one in found if one is not True} == {"busy"}
        assert not pages._browser.asked  # noqa: SLF001
        await pages.close()

    apart(run)


def test_who_stops_waiting_holds_nothing():
    async def run():
        shares = FairShares(1, spares=False)
        (first, second), got = await held(shares, ["a", "b"])
        second.cancel()
        first.cancel()
        await settle()
        assert (got, (await held(shares, ["c"]))[1]) == (["a"], ["c"])

    apart(run)


def test_a_deadline_of_one_is_nobody_elses(web):
    may = threading.Event()

    rules = web.pages["robots.txt"]

    def robots(_path):
        may.wait(20)
        return rules

    async def run():
        client = PoliteClient(FetchLimits(), AddressGuard(["127.0.0.1"]), Politeness(delay=0))
        cache = RobotsCache(client, None)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await cache.rules(f"{web.url}/private")
        other = asyncio.create_task(cache.rules(f"{web.url}/private"))
        await asyncio.sleep(0)
        may.set()
        assert (await other).refusal(f"{web.url}/private")
        assert cache.delays() == {}
        client.close()

    web.pages["robots.txt"] = robots
    apart(run)
    web.pages["robots.txt"] = rules


def test_tokens(guarded):
    ask = guarded.get
    for given in ("Bearer", "Basic the-secret-token-of-one", "the-secret-token-of-one", "Bearer é"):
        found = ask("/metrics", Authorization=given.encode("latin-1"))
        assert found.kind == "unauthorized"
    assert ask("/metrics", **by("one")).status == 200


def test_a_full_queue_refuses(guarded):
    page = {"html": "<table>" + "<tr><td>a word<td>another" * 20_000}

    def ask(name):
        return guarded.post("/v1/extract", page, **by(name))

    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(ask, ["one"] * 4 + ["reader", "writer"] * 4))
    refused = [one for one in answers if one.status != 200]
    assert {one.kind for one in refused} == {"busy"}
    assert all(one.headers["retry-after"] for one in refused)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_the_end_of_a_service(web, number):
    """What was accepted is answered first; a killed one lets nobody hang, and leaves no child."""
    begun, go_on = threading.Event(), threading.Event()

    def slow(_path):
        begun.set()
        go_on.wait(30)
        return Given(body=PAGE)

    web.pages["slow"] = slow
    options = ["--workers", "1", "--no-mcp", "--allow-host", "127.0.0.1", "--delay", "0"]
    with running(*options) as one, ThreadPoolExecutor(1) as pool:
        children = one.children()
        waiting = pool.submit(one.read, f"{web.url}/slow/{number}")
        assert begun.wait(30)
        one.process.send_signal(number)
        if number != signal.SIGKILL:
            go_on.set()
            assert PARAGRAPH.strip() in waiting.result(60).body.decode()
            assert one.process.wait(60) in (0, -signal.SIGTERM)
        else:
            one.process.wait()
            go_on.set()
            with pytest.raises((http.client.HTTPException, ConnectionError)):
                waiting.result(30)
        until = time.monotonic() + 30
        while any(Path(f"/proc/{child}").exists() for child in children):
            assert time.monotonic() < until
            time.sleep(0.05)


@pytest.mark.usefixtures("browser")
def test_what_a_browser_renders(service, web):
    shell = (
        "<!doctype html><title>Shell</title><div id=root></div><script>"
        "const p = document.createElement('article');"
        "p.innerHTML = '<h1>Built</h1><p>' + 'A script wrote this sentence. '.repeat(9);"
        "document.getElementById('root').append(p)</script>"
    )
    web.pages["shell"] = Given(body=shell)
    address = f"{web.url}/shell"
    assert b"A script" not in service.read(address, format="text").body
    with ThreadPoolExecutor(3) as pool:  # one after the other
        made = pool.map(
            lambda render: service.read(address, render=render, format="text"),
            ("auto", "always", "always"),
        )
        for found in made:
            assert found.body.count(b"A script wrote") == 9, found
            assert found.headers["chaffinch-rendered"] == "true"
    plain = service.read(f"{web.url}/page", render="auto", format="text")
    assert "chaffinch-rendered" not in plain.headers
    before = len(web.seen)
    asked = {"html": shell, "render": "auto", "url": address}
    assert "A script wrote" in service.post("/v1/extract", asked).json["text"]
    assert len(web.seen) == before
    late = shell.replace("document.getElementById", "setTimeout(() => document.getElementById")
    late = late.replace("append(p)", "append(p), 7000)")
    assert "A script" not in service.post("/v1/extract", {**asked, "html": late}).json["text"]
    waited = {**asked, "html": late, "wait": "article", "expand": True}
    assert "A script" in service.post("/v1/extract", waited).json["text"]
    assert service.post("/v1/extract", {"html": late, "wait": 3}).kind == "invalid"
    assert service.read(address, wait=3).kind == "invalid"
