"""Extraction on an event loop: in order or as completed, bounded, and safe from what crashes."""

import asyncio
import io
from contextlib import aclosing

import harmful_method
import pytest

import chaffinch
from chaffinch.errors import OptionError, PageError, SetupError, WorkerError
from chaffinch.workers import ChildPool, PageLimits

PAGE = "<title>Rye</title><h1>Rye</h1><p>" + "Rye is a grass, grown for its grain. " * 9
PAGES = [f"<title>{name}</title><h1>{name}</h1><p>{name} is a grass." for name in "ABCDE"]


def collected(*args, **options):
    async def run():
        return [one async for one in chaffinch.aextract_many(*args, **options)]

    return asyncio.run(run())


def test_a_page_in_a_thread_while_the_loop_goes_on():
    async def run():
        ticks = []

        async def tick():
            while True:
                ticks.append(1)
                await asyncio.sleep(0)

        ticking = asyncio.create_task(tick())
        found = await chaffinch.aextract(PAGE * 200, url="https://grain.example/rye")
        ticking.cancel()
        return found, ticks

    found, ticks = asyncio.run(run())
    assert found.url == "https://grain.example/rye"
    assert found.text == chaffinch.extract(PAGE * 200).text
    assert len(ticks) > 1


def test_a_page_in_a_child_and_its_errors():
    async def run(pool):
        found = await chaffinch.aextract(io.BytesIO(PAGE.encode()), pool=pool, method="learned")
        with pytest.raises(PageError, match="PDF"):
            await chaffinch.aextract(b"%PDF-1.7", pool=pool)
        with pytest.raises(WorkerError, match="crash"):
            await chaffinch.aextract("crash", pool=pool, method=harmful_method.harmful)
        with pytest.raises(OptionError, match="unknown"):
            await chaffinch.aextract(PAGE, pool=pool, method="none such")
        return found

    with ChildPool(chaffinch.extract) as pool:
        found = asyncio.run(run(pool))
    assert found.text == chaffinch.extract(PAGE).text


def test_many_pages_come_in_order_with_their_errors():
    found = collected([*PAGES, b"%PDF-1.7", io.StringIO(PAGES[0])], children=2)
    assert [number for number, _ in found] == list(range(7))
    assert [one.title for _, one in found[:5]] == list("ABCDE")
    assert isinstance(found[5][1], PageError)
    assert found[6][1].title == "A"


def test_what_crashes_or_hangs_costs_its_own_page():
    pages = ["<p>one", "<p>crash", "<p>hang", "<p>two", "<p>three"]
    limits = PageLimits(wall=1)
    found = collected(pages, children=2, page_limits=limits, method=harmful_method.harmful)
    kinds = [(number, getattr(one, "kind", "")) for number, one in found]
    assert kinds == [(0, ""), (1, "crash"), (2, "time"), (3, ""), (4, "")]


def test_as_completed_a_slow_page_holds_up_none():
    pages = ["<p>hang", *["<p>well"] * 9]
    found = collected(
        pages,
        children=2,
        ordered=False,
        page_limits=PageLimits(wall=2),
        method=harmful_method.harmful,
    )
    assert found[-1][0] == 0


def test_pages_are_read_as_results_are_taken():
    read = []

    async def source():
        for number in range(10_000):
            read.append(number)
            yield PAGE

    async def run():
        async with aclosing(chaffinch.aextract_many(source(), children=2)) as found:
            async for number, _ in found:
                if number == 5:
                    break

    asyncio.run(run())
    assert len(read) <= 5 + 2 * 4 + 2


def test_results_come_while_the_next_page_is_waited_for():
    async def run():
        given = asyncio.Event()

        async def source():
            yield PAGE
            await given.wait()  # which is set only after the first result
            yield PAGE

        numbers = []
        async for number, _ in chaffinch.aextract_many(source()):
            numbers.append(number)
            given.set()
        return numbers

    assert asyncio.run(run()) == [0, 1]


def test_closing_ends_what_is_in_progress(caplog):
    async def run():
        pages = ["<p>well", "<p>hang", "<p>hang"]
        options = {"children": 2, "method": harmful_method.harmful}
        async with aclosing(chaffinch.aextract_many(pages, **options)) as found:
            number, _ = await anext(found)
        return number

    assert asyncio.run(asyncio.wait_for(run(), 30)) == 0
    assert not caplog.records


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"children": 0}, OptionError),
        ({"children": 10**12}, OptionError),
        ({"ordered": 1}, OptionError),
        ({"nothing": 1}, OptionError),
        ({"page_limits": 3}, OptionError),
        ({"method": lambda page: page}, SetupError),
    ],
)
def test_options_are_checked_when_it_is_called(options, error):
    with pytest.raises(error):
        chaffinch.aextract_many([PAGE], **options)
