"""What only a process of its own shows: pipes, terminals, exit codes."""

import os
import subprocess
import sys

import click
import pytest

from chaffinch.cli.outputs import FORMS, target
from chaffinch.cli.pages import Reading
from chaffinch.cli.work import PageTask, work_through
from chaffinch.page.bounds import Limits
from chaffinch.web.settings import FetchLimits
from chaffinch.workers.protocol import ONE_THREAD
from tests.terminal_process import COMMAND, on_a_terminal


def call(*arguments, **options):
    return subprocess.run(
        [*COMMAND, *map(str, arguments)], capture_output=True, check=False, **options
    )


def test_the_module_is_the_command(page, run):
    result = call("extract", page)
    assert result.returncode == 0
    assert result.stdout.decode() == run("extract", page).stdout
    assert result.stderr == b""
    page.write_text("")
    assert call("extract", page).returncode == 3


def test_output_is_utf8_whatever_the_locale(tmp_path):
    path = tmp_path / "page.html"
    path.write_text("<article><p>" + "苍头燕雀是一种小型鸟类，在欧洲很常见。" * 20)
    surroundings = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    assert "苍头燕雀" in call("extract", path, env=surroundings).stdout.decode()


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_reader_that_leaves_is_no_error(folder, workers):
    for number in range(30):
        (folder / f"{number}.html").write_text("<article><p>" + "finch and siskin. " * 5000)
    with subprocess.Popen(
        [*COMMAND, "extract", str(folder), "-w", workers],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read()
    assert said == b""


class Deadly(PageTask):
    """What a page does that takes more memory than there is."""

    def __call__(self, _source):
        os._exit(9)


def test_a_worker_that_dies_is_reported_in_plain_words(page):
    reading = Reading(limits=Limits(), fetch=FetchLimits())
    sources = reading.sources([str(page)])
    where = target(None, FORMS["text"], is_several=False)
    with pytest.raises(click.ClickException, match="a worker process died"):
        work_through(sources, Deadly(form="text", limits=Limits()), where, reading, workers=2)


def test_progress_is_shown_on_a_terminal(folder):
    code, got = on_a_terminal("extract", folder, streams=("stderr",))
    assert code == 0
    assert "3/3" in got


def test_one_page_needs_no_progress(page):
    assert on_a_terminal("extract", page, streams=("stderr",)) == (0, "")


def test_progress_does_not_mix_with_text(folder):
    _, got = on_a_terminal("extract", folder, streams=("stdout", "stderr"))
    assert "small bird" in got
    assert "3/3" not in got


def test_errors_stand_on_lines_of_their_own_beside_the_progress(folder):
    (folder / "a.html").write_bytes(b"%PDF-1.7")
    code, got = on_a_terminal("extract", folder, streams=("stderr",))
    assert code == 1
    assert f"\x1b[KError: {folder}/a.html: not HTML: PDF\r\n" in got


@pytest.mark.parametrize(("given", "wanted"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "3"}, "3")])
def test_linear_algebra_uses_one_thread_unless_the_environment_has_a_number(given, wanted):
    code = (
        "import os; from chaffinch.cli import main;"
        " main(['extract', '--schema'], standalone_mode=False);"
        " print(os.environ['OPENBLAS_NUM_THREADS'])"
    )
    usual = {name: value for name, value in os.environ.items() if name not in ONE_THREAD}
    call = [sys.executable, "-c", code]
    run = subprocess.run(call, env=usual | given, capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == wanted
