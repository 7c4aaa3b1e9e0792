"""What callers share: places, and what is known of hosts. One's work is no other's failure."""

import asyncio
import threading

import pytest

from chaffinch.service.fair_shares import CALLER, FairShares
from chaffinch.web import AddressGuard, FetchLimits
from chaffinch.web.polite import PoliteClient
from chaffinch.web.robots import RobotsCache
from chaffinch.web.settings import Politeness


async def settle():
    for _ in range(10):
        await asyncio.sleep(0)


async def held(shares, callers):
    """Let each of ``callers`` ask for a place, in turn; return (tasks, who got one, in order)."""
    got = []

    async def work(caller):
        CALLER.set(caller)
        async with shares.place():
            got.append(caller)
            await asyncio.Event().wait()

    tasks = [asyncio.create_task(work(caller)) for caller in callers]
    await settle()
    return tasks, got


def test_the_last_places_are_kept_for_others():
    async def run():
        shares = FairShares(8, spares=True)
        _, streams = await held(shares, ["stream"] * 20)
        assert len(streams) == 4
        _, (page,) = await held(shares, ["page"])
        assert page == "page"

    asyncio.run(run())


def test_who_holds_fewest_is_next():
    async def run():
        shares = FairShares(3, spares=False)
        tasks, got = await held(shares, ["stream"] * 6)
        assert got == ["stream"] * 3
        _, later = await held(shares, ["page", "other"])
        tasks[0].cancel()
        await settle()
        assert later == ["page"]
        tasks[1].cancel()
        await settle()
        assert later == ["page", "other"]
        assert got == ["stream"] * 3

    asyncio.run(run())


def test_who_stops_waiting_holds_nothing():
    async def run():
        shares = FairShares(1, spares=False)
        (first, second), got = await held(shares, ["a", "b"])
        second.cancel()
        first.cancel()
        await settle()
        _, (third,) = await held(shares, ["c"])
        assert (got, third) == (["a"], "c")

    asyncio.run(run())


@pytest.fixture
def slow_robots(web):
    """A server whose robots.txt comes when it may."""
    may = threading.Event()

    def robots(site):
        may.wait(20)
        site.answer("User-agent: *\nDisallow: /private", content_type="text/plain")

    web.pages["robots.txt"] = robots
    yield web.url, may
    may.set()


def test_a_deadline_of_one_is_nobody_elses(slow_robots):
    url, may = slow_robots

    async def run():
        client = PoliteClient(FetchLimits(), AddressGuard(["127.0.0.1"]), Politeness(delay=0))
        cache = RobotsCache(client, None)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await cache.rules(f"{url}/private")
        other = asyncio.create_task(cache.rules(f"{url}/private"))
        await asyncio.sleep(0)
        may.set()
        assert (await other).refusal(f"{url}/private")
        assert cache.delays() == {}
        client.close()

    asyncio.run(run())
