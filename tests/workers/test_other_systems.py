"""Where Unix's limits are missing, as on Windows: what needs them says so, and the rest works."""

import subprocess
import sys

import pytest

HIDDEN = "import sys; sys.modules['resource'] = sys.modules['fcntl'] = None\n"
CLI = HIDDEN + "from chaffinch.cli import main; main(sys.argv[1:])"


def run(*arguments, code=CLI):
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )


@pytest.fixture
def page(tmp_path):
    path = tmp_path / "owls.html"
    path.write_text("<h1>Owls</h1><p>" + "They have been here since the barn stands. " * 9)
    return path


def test_extracting_needs_none_of_it(page):
    result = run("extract", page, "--timeout", "60")
    assert result.returncode == 0, result.stderr
    assert "since the barn stands" in result.stdout
    assert run("methods").returncode == 0


@pytest.mark.parametrize("verb", ["serve", "mcp", "run"])
def test_what_needs_it_is_a_wrong_call(verb, page, tmp_path):
    call = ["run", page, "--output", tmp_path / "out"] if verb == "run" else [verb]
    result = run(*map(str, call))
    assert result.returncode == 2
    assert "needs limits of processes that only Unix has" in result.stderr
    assert "Traceback" not in result.stderr


def test_in_python_it_is_a_setup_error():
    code = (
        "import chaffinch.workers as w\n"
        "from chaffinch.errors import SetupError\n"
        "try:\n    w.ChildPool(len).call('1')\nexcept SetupError as error:\n    print(error)"
    )
    assert "only Unix has (fcntl, resource)" in run(code=HIDDEN + code).stdout
