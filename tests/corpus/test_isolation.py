"""What one page does to its process costs that page alone."""

import os
import random
import signal
import subprocess
import sys
import time

import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chaffinch.corpus.sources import Recipe, Record
from chaffinch.errors import SetupError
from chaffinch.workers import guarded_pool
from chaffinch.workers.guarded_pool import IDLE_CHILDREN, GuardedPool
from chaffinch.workers.protocol import PageLimits, Setup

LIMITS = PageLimits(wall=4, cpu=300, memory=400)
RECIPE = Recipe(method="block_density")


def setup(limits=LIMITS, extractor="small_extractor:Small"):
    return Setup(extractor=extractor, recipe=RECIPE, limits=limits)


@pytest.fixture(autouse=True)
def findable(monkeypatch):
    monkeypatch.syspath_prepend(os.path.dirname(__file__))  # noqa: PTH120 - as it is on the path
    yield
    IDLE_CHILDREN.end()


def answers(words, *, children=1, limits=LIMITS):
    records = [Record(file=str(number), html=one.encode()) for number, one in enumerate(words)]
    with GuardedPool(setup(limits), children=children) as guarded:
        found = list(guarded.replies(records))
    assert [record for record, _ in found] == records
    return [answer for _, answer in found]


def test_every_peril_costs_its_own_page():
    words = ["a", "hang", "b", "hold", "c", "exit", "d", "segfault", "memory", "e", "page of me"]
    found = answers([*words, "bug here", "f"], children=3)
    assert [one.error for one in found] == [
        "", "time", "", "time", "", "exit", "", "crash", "memory", "", "page", "bug", "",
    ]  # fmt: skip
    assert [one.row["text"] for one in found if not one.error] == list("abcdef")
    assert found[-2].detail == "TypeError: here"
    assert "SIGSEGV" in found[7].detail


def test_deaths_amid_many_quick_pages_cost_their_own_pages():
    words = [*"abcdefghij" * 3, "segfault", *"klmnopqrst" * 2, "exit", "page of me", *"uvw"]
    found = answers(words)
    bad = {"segfault": "crash", "exit": "exit", "page of me": "page"}
    assert [one.error for one in found] == [bad.get(word, "") for word in words]
    assert [one.row["text"] for one in found if not one.error] == [w for w in words if len(w) == 1]


def prose(size):
    """Return a page of paragraphs, of about so many bytes."""
    dice = random.Random(1)  # noqa: S311  the same each time
    words = ["".join(dice.choices("aeioklmnprst", k=dice.randint(2, 9))) for _ in range(5000)]
    pieces, length = [], 0
    while length < size:
        pieces.append(f"<p>{' '.join(dice.choices(words, k=60))}.</p>")
        length += len(pieces[-1])
    return f"<html lang=eo><title>Prose</title><body><main>{''.join(pieces)}</main>".encode()


def test_a_page_of_20_mb_takes_a_third_of_the_default_limit_of_memory():
    page = Record(file="x", url="https://a.example/", html=prose(20_000_000))
    extraction = Setup(
        extractor="chaffinch.corpus.rows:Extraction",
        recipe=Recipe(),
        limits=PageLimits(wall=600, cpu=300, memory=PageLimits().memory // 3),
    )
    with GuardedPool(extraction) as guarded:
        ((_, answer),) = guarded.replies([page])
    assert answer.error == ""
    assert answer.row["length"] > 15_000_000


def test_a_page_that_computes_for_ever_is_ended_by_the_processors_clock():
    found = answers(["a", "spin", "b"], limits=PageLimits(wall=600, cpu=1, memory=400))
    assert [one.error for one in found] == ["", "cpu", ""]


def test_a_page_that_exits_with_code_0_is_no_success():
    found = answers(["exit0", "a"])
    assert [one.error for one in found] == ["exit", ""]


def test_a_child_killed_while_it_answers_costs_its_page_and_no_other():
    found = answers(["a", "dying", "b", "c"])
    assert [one.error for one in found] == ["", "killed", "", ""]


def test_a_child_killed_from_outside_costs_nothing():
    records = (Record(file=str(n), html=b"page as asked") for n in range(300))
    victims = set()
    with GuardedPool(setup()) as guarded:
        found = []
        for number, (_, answer) in enumerate(guarded.replies(records)):
            found.append(answer.error)
            if number % 100 == 50:
                for child in psutil.Process().children():
                    if "chaffinch.workers.child" in child.cmdline():
                        victims.add(child.pid)
                        child.kill()
    assert found == ["page"] * 300  # each says what it is asked to say
    assert len(victims) == 3


@settings(max_examples=15)
@given(
    st.lists(st.sampled_from(["a", "page x", "long 300000", "long 5"]), max_size=40),
    st.integers(1, 3),
)
def test_answers_come_in_order(words, children):
    found = answers(words, children=children)
    for word, one in zip(words, found, strict=True):
        assert one.error == ("page" if word == "page x" else "")
        if word.startswith("long"):
            assert len(one.row["text"]) == int(word.split()[1])


@pytest.mark.parametrize("children", [1, 3])
def test_large_pages_and_large_answers_pass_each_other(children):
    words = [letter * size for letter in "abcdef" for size in (3_000_000, 5, 300_000)]
    assert [one.row["text"] for one in answers(words, children=children)] == words


def test_a_page_isnt_late_that_waited_for_its_reader(monkeypatch):
    monkeypatch.setattr(guarded_pool, "_GRACE", 0)
    words = ["a", f"sleep 1.2 {'b' * 3_000_000}", "c"]
    records = [Record(file="x", html=word.encode()) for word in words]
    with GuardedPool(setup(PageLimits(wall=5))) as guarded:
        replies = guarded.replies(records)
        next(replies)
        time.sleep(6)
        assert [one.error for _, one in replies] == ["", ""]


def test_records_that_are_errors_go_past_the_children():
    lost = Record(file="x", error="record", detail="broken")
    with GuardedPool(setup()) as guarded:
        ((record, answer),) = guarded.replies([lost])
        assert not psutil.Process().children() or not guarded._children  # noqa: SLF001
    assert record is lost
    assert (answer.error, answer.detail) == ("record", "broken")


@pytest.mark.parametrize("extractor", ["nowhere:Nothing", "small_extractor:Nothing", "bare", ""])
def test_an_extractor_that_isnt_there_stops(extractor):
    with (
        GuardedPool(setup(extractor=extractor)) as guarded,
        pytest.raises(SetupError, match="can't be imported"),
    ):
        list(guarded.replies([Record(file="x", html=b"a")]))


def test_children_are_used_again_and_end_with_their_parent():
    first = answers(["a"])[0].row["pid"]
    second = answers(["a"])[0].row["pid"]
    assert first == second
    IDLE_CHILDREN.end()
    assert not psutil.pid_exists(first)


def test_a_child_ends_when_its_parent_is_killed(tmp_path):
    program = (
        f"import sys, os; sys.path[:0] = {sys.path!r}\n"
        "from chaffinch.workers.guarded_pool import GuardedPool\n"
        "from chaffinch.corpus.sources import Record\n"
        "import test_isolation as t, signal\n"
        "with GuardedPool(t.setup()) as guarded:\n"
        "    for _, answer in guarded.replies([Record(file='x', html=b'a')]):\n"
        "        print(answer.row['pid'], flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    script = tmp_path / "parent.py"
    script.write_text(program)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, check=False)
    assert done.returncode == -signal.SIGKILL
    pid = int(done.stdout)
    for _ in range(200):
        if not psutil.pid_exists(pid):
            return
        time.sleep(0.1)
    pytest.fail("the child lives on")
