"""Threads in kernels that have given the interpreter's lock back, under the thread sanitizer.

It sees what was compiled with it: the kernels. The rest of Python isn't, so that a race is found
where two threads are in kernels at once, which is what long loops and the network are.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sanitizers import ROOT, built, library

PROGRAM = Path(__file__).with_name("every_kernel_in_threads.py")
BESIDE = [str(ROOT / "tests"), str(ROOT / "examples")]
"""Folders of modules that the program imports."""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Run the program under the thread sanitizer; return its status and what it said."""
    preloaded = library("libtsan.so")
    package = built("-fsanitize=thread", tmp_path_factory, "tsan")
    environment = {
        **os.environ,
        "LD_PRELOAD": preloaded,
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONPATH": os.pathsep.join([str(package), *BESIDE]),
        "TSAN_OPTIONS": "exitcode=66 halt_on_error=1 report_signal_unsafe=0",
    }

    def running(*arguments):
        command = ["setarch", "-R", sys.executable, str(PROGRAM), *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if "unexpected memory mapping" in done.stderr or "personality" in done.stderr:
            pytest.skip("NO THREAD SANITIZER ON THIS KERNEL")
        return done.returncode, done.stdout + done.stderr

    return running


def test_a_race_in_a_kernel_would_be_seen(run):
    status, said = run("shared")
    assert status == 66
    assert "data race" in said
    assert "rows.c" in said


def met(said):
    """Return how many kernels the program called, all that there are."""
    found = re.fullmatch(r"(\d+) kernels, missing: \[\]", said.strip())
    assert found, said[-4000:]
    return int(found[1])


def test_no_race_in_any_kernel_on_shared_columns(run):
    status, said = run()
    assert status == 0, said[-4000:]
    assert met(said) > 45


def test_no_bound_is_passed_by_any_kernel_in_threads(sanitized):
    path = os.pathsep.join([sanitized["PYTHONPATH"], *BESIDE])
    done = subprocess.run(
        [sys.executable, str(PROGRAM)],
        env={**os.environ, **sanitized, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert met(done.stdout) > 45
