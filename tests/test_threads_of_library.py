"""Order of pages, threads and forks that use the library at once.

`make threads` runs whole tests of the library in several threads at once; here are the things that
those don't do. Kernels in threads: `kernels/test_threads.py`, under the thread sanitizer
`kernels/test_thread_sanitizer.py`.
"""

import hashlib
import os
import random
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

import chaffinch
from bench.lib.archive import small_pages
from bench.lib.hostile_kinds import KINDS
from bench.lib.hostile_outputs import COMPARED, OUTPUTS, PARSING, Subject

THREADS = 4
PAGES = small_pages(12, paragraphs=3)
URL = "https://rye.example/{}"


def outcome(number):
    got = chaffinch.extract(PAGES[number % len(PAGES)], url=URL.format(number % len(PAGES)))
    return got.text, got.markdown(), got.to_json()


@pytest.fixture(scope="module")
def one_by_one():
    return [outcome(number) for number in range(len(PAGES))]


# Order and company

MANY = [make(1_200) for make in KINDS.values()] + [
    one.decode() for one in small_pages(118, paragraphs=2)
]
NOT_ASKED = COMPARED | {PARSING, "compare"}
"""The last says how long methods took."""
EACH_ALONE = """
import sys
from functools import partial
from multiprocessing import get_context
from test_threads_of_library import MANY, digest
every, *names = sys.argv[1:]
with get_context("fork").Pool(1, maxtasksperchild=1) as pool:
    print(*pool.imap(partial(digest, names), range(0, len(MANY), int(every))))
"""


def digest(names, number):
    """Return a digest of outputs of one of many pages."""
    subject = Subject(MANY[number])
    made = "\0".join(str(OUTPUTS[name](subject)) for name in names)
    return hashlib.sha256(made.encode("utf-8", "surrogatepass")).hexdigest()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.parametrize(
    ("every", "names"),
    [
        (23, ["text", "markdown", "json, all parts"]),
        pytest.param(41, sorted(OUTPUTS.keys() - NOT_ASKED), marks=pytest.mark.slow),
    ],
)
def test_order_and_company_change_no_byte(every, names):
    """Pages in order, shuffled, in threads, and each alone in a process with other hashes."""
    numbers, make = [*range(0, len(MANY), every)], partial(digest, names)
    in_order = {number: make(number) for number in numbers}
    random.Random(4).shuffle(numbers)  # noqa: S311
    assert {number: make(number) for number in numbers} == in_order
    with ThreadPoolExecutor(THREADS) as pool:
        assert dict(zip(numbers, pool.map(make, numbers), strict=True)) == in_order
    path = os.pathsep.join([*sys.path, str(Path(__file__).parent)])
    alone = subprocess.run(
        [sys.executable, "-c", EACH_ALONE, str(every), *names], check=True, text=True,
        stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "7"},
    )  # fmt: skip
    assert alone.stdout.split() == list(in_order.values())


def test_all_outputs_of_one_page_at_once():
    """What a page keeps is made by whoever asks first, and is the same for all."""
    source = PAGES[0].decode()
    alone = Subject(source).whole
    shared = Subject(source)
    together = threading.Barrier(THREADS)
    texts = []

    def ask(shift):
        names = list(OUTPUTS)
        together.wait()
        for name in names[shift:] + names[:shift]:
            if name not in {"compare", "site"}:
                OUTPUTS[name](shared)
        texts.append(shared.whole.to_json())

    threads = [threading.Thread(target=ask, args=(9 * number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert texts == [alone.to_json()] * THREADS


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_pool_of_forked_processes_started_from_threads(one_by_one):
    """Children forked by one thread while others extract find the library whole."""
    import multiprocessing  # noqa: PLC0415  of this test alone

    context = multiprocessing.get_context("fork")

    def in_child(number):
        with context.Pool(1) as pool:
            return pool.apply(outcome, (number,))

    with ThreadPoolExecutor(THREADS) as pool:
        busy = [pool.submit(outcome, number) for number in range(2 * len(PAGES))]
        found = [in_child(number) for number in range(3)]
    assert found == one_by_one[:3]
    assert [one.result() for one in busy] == one_by_one * 2
