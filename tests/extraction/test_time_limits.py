"""Limits of time: a call ends by an error that says where, and others aren't touched."""

import threading
import time
from dataclasses import replace

import pytest
from click.testing import CliRunner

import chaffinch
from chaffinch import Limits, OutOfMemoryError, PageError, TimeLimitError
from chaffinch.cli import main
from chaffinch.methods import METHODS
from chaffinch.page_work import PageWork, check_time, checked
from everything import everything

PAGE = "<h1>Rye</h1><p>" + "Rye is a grass, grown for its grain. " * 9
LARGE = "<h1>Rye</h1>" + "<div class=a><p>Rye is <b>tall</b>, \\(x\\) and ripe.</div>" * 20_000
SHORT = Limits(seconds=0.001)
LONG = Limits(seconds=600)
OUTPUTS = {
    "text": lambda found: found.text,
    "noise": lambda found: found.noise,
    "blocks": lambda found: found.blocks,
    "markdown": lambda found: found.markdown(),
    "html": lambda found: found.html(),
    "clean": lambda found: found.clean(),
    "tei": lambda found: found.tei(),
    "chunks": lambda found: found.chunks(),
    "explain": lambda found: found.explain(),
    "posts": lambda found: found.posts,
    "metadata": lambda found: found.front_matter(),
    "to_json": lambda found: found.to_json(parts=["tables", "images", "formulas", "code_blocks"]),
}


@pytest.fixture(scope="module")
def large():
    return chaffinch.parse(LARGE)


@pytest.mark.parametrize("method", METHODS)
def test_extraction_by_every_method_ends(method, large):
    siblings = [PAGE, LARGE] if hasattr(METHODS[method], "needs_siblings") else []
    with pytest.raises(TimeLimitError, match=r"more than 0\.001 s: stopped after") as caught:
        chaffinch.extract(replace(large), method=method, siblings=siblings, limits=SHORT)
    assert isinstance(caught.value, PageError)
    assert caught.value.stage


@pytest.mark.parametrize("output", sorted(set(OUTPUTS) - {"text", "noise", "posts"}))
def test_every_output_ends(output, large):
    found = replace(chaffinch.extract(large, method=everything), limits=SHORT)
    with pytest.raises(TimeLimitError):
        OUTPUTS[output](found)


def test_other_calls_have_limits():
    for call in (chaffinch.parse, chaffinch.is_readable):
        with pytest.raises(TimeLimitError):
            call(LARGE, limits=SHORT)
    (failed,) = chaffinch.extract_many([LARGE], limits=SHORT)
    assert isinstance(failed, TimeLimitError)
    site = chaffinch.Site.learn([PAGE, PAGE.replace("Rye", "Oat")])
    with pytest.raises(TimeLimitError):
        site.extract(LARGE, limits=SHORT)
    assert site.extract(PAGE, limits=LONG).limits == LONG
    compared = chaffinch.compare(chaffinch.parse(LARGE), methods=["learned"], limits=SHORT)
    assert "more than 0.001 s" in compared.left_out["learned"]


def test_the_command_line_has_a_limit(tmp_path):
    path = tmp_path / "rye.html"
    path.write_text(LARGE)
    for form in ("text", "clean", "columns"):
        done = CliRunner().invoke(main, ["extract", str(path), "-f", form, "--timeout", "0.001"])
        assert done.exit_code == 1
        assert "more than 0.001 s" in done.output


def wait_until_over():
    while True:
        check_time()
        time.sleep(0.001)


def test_work_within_work_has_the_limit_that_ends_first():
    for outer, inner in ((0.02, 600), (600, 0.02), (0.02, None)):
        with (
            pytest.raises(TimeLimitError, match=r"more than 0\.02 s"),
            PageWork("outer", outer),
            PageWork("inner", inner),
        ):
            wait_until_over()
    check_time()  # no limit is left behind
    assert list(checked(range(3))) == [0, 1, 2]


def test_threads_have_limits_of_their_own():
    over, free = threading.Event(), []

    def unlimited():
        over.wait()
        free.append(chaffinch.extract(PAGE).text)

    thread = threading.Thread(target=unlimited)
    thread.start()
    with pytest.raises(TimeLimitError), PageWork("limited", 0.02):
        wait_until_over()
    over.set()
    thread.join()
    assert free == [chaffinch.extract(PAGE).text]


@pytest.mark.parametrize(
    ("raised", "wanted"), [(MemoryError, OutOfMemoryError), (RecursionError, PageError)]
)
def test_what_the_interpreter_runs_out_of_is_a_page_error(raised, wanted):
    def method(_):
        raise raised

    with pytest.raises(wanted) as caught:
        chaffinch.extract(PAGE, method=method)
    assert isinstance(caught.value, PageError)
    assert isinstance(caught.value.__cause__, raised)
