"""Children do what any function does, and what kills or hangs them costs one call alone."""

import os
import threading
from functools import partial

import child_work
import pytest

import chaffinch
from chaffinch.errors import OptionError, PageError
from chaffinch.extraction.extract import output_of
from chaffinch.workers import ChildPool, PageLimits, WorkerError

PAGE = "<title>Rye</title><h1>Rye</h1><p>" + "Rye is a grass, grown for its grain. " * 9
LIMITS = PageLimits(wall=3, cpu=300, memory=400)


@pytest.fixture(scope="module")
def pool():
    with ChildPool(child_work.harm, limits=LIMITS) as made:
        yield made


def test_a_function_runs_elsewhere(pool):
    assert pool.call("") not in {0, os.getpid()}
    with ChildPool(partial(child_work.double, plus=2)) as other:
        assert other.call(4) == 10
        assert other.call(4, plus=1) == 9


@pytest.mark.parametrize(
    ("how", "kind"),
    [
        ("sleep", "time"),
        ("segfault", "crash"),
        ("bug", "bug"),
        ("unsendable", "bug"),
    ],
)
def test_harm_is_an_error_of_its_kind_and_the_next_call_is_well(pool, how, kind):
    with pytest.raises(WorkerError) as caught:
        pool.call(how)
    assert caught.value.kind == kind
    assert str(caught.value).startswith(f"{kind}: ")
    assert isinstance(caught.value, PageError)
    assert pool.call("") > 0


def test_processor_time_has_a_limit_of_its_own():
    with (
        ChildPool(child_work.harm, limits=PageLimits(wall=300, cpu=1)) as pool,
        pytest.raises(WorkerError) as caught,
    ):
        pool.call("spin")
    assert caught.value.kind == "cpu"


def test_errors_of_the_project_come_as_they_are(pool):
    with pytest.raises(PageError, match="no page"):
        pool.call("page")
    with pytest.raises(OptionError, match="no option"):
        pool.call("setup")


def test_a_closed_pool_takes_no_call_and_leaves_no_child():
    pool = ChildPool(child_work.harm)
    child = pool.call("")
    pool.close()
    pool.close()
    with pytest.raises(OptionError, match="closed"):
        pool.call("")
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


def test_calls_that_wait_for_a_child_are_told_that_the_pool_is_closed():
    pool, told = ChildPool(child_work.sleep), []

    def call():
        try:
            told.append(pool.call(0.5))
        except OptionError as error:
            told.append(str(error))

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    pool.close()
    for thread in threads:
        thread.join()
    assert len(told) == 4
    assert set(told) <= {0.5, "the pool of children is closed"}


def test_a_first_call_warms_up():
    with ChildPool(child_work.NeedsWarmth(), warm_up=0) as pool:
        assert pool.call(0) == 2
    with (
        ChildPool(child_work.harm, warm_up="bug") as pool,
        pytest.raises(chaffinch.SetupError, match="can't be run in a child: ValueError: a bug"),
    ):
        pool.call("")


@pytest.mark.parametrize("work", [None, 3, lambda: None, threading.Lock().acquire])
def test_what_a_child_cannot_import_is_refused(work):
    with pytest.raises(OptionError):
        ChildPool(work)


def test_what_cannot_be_sent_is_refused(pool):
    with pytest.raises(OptionError, match="can't be sent"):
        pool.call(threading.Lock())


def test_pages_are_extracted_in_children():
    work = partial(output_of, output="to_dict", url="https://grain.example/rye")
    with ChildPool(work, children=1, warm_up=PAGE) as pool:
        made = pool.call(PAGE)
        assert made == chaffinch.extract(PAGE, url="https://grain.example/rye").to_dict()
        assert pool.call(PAGE, method="block_density")["method"] == "block_density"
        with pytest.raises(PageError, match="PDF"):
            pool.call(b"%PDF-1.7 ")
        with pytest.raises(chaffinch.TimeLimitError):
            pool.call("<p>a<b>" * 500_000, limits=chaffinch.Limits(seconds=0.001))
    with pytest.raises(OptionError, match="unknown output"):
        output_of(PAGE, output="page")
