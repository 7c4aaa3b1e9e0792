"""Threads in kernels that have given the interpreter's lock back, under the thread sanitizer.

It sees what was compiled with it: the kernels. The rest of Python isn't, so that a race is found
where two threads are in kernels at once, which is what long loops and the network are.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sanitizers import built, library

PROGRAM = Path(__file__).with_name("threads_in_kernels.py")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Run the program under the thread sanitizer; return its status and what it said."""
    preloaded = library("libtsan.so")
    package = built("-fsanitize=thread", tmp_path_factory, "tsan")
    environment = {
        **os.environ,
        "CHAFFINCH_KERNELS": "native",
        "LD_PRELOAD": preloaded,
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONPATH": str(package),
        "TSAN_OPTIONS": "exitcode=66 halt_on_error=1 report_signal_unsafe=0",
    }

    def running(*arguments):
        command = ["setarch", "-R", sys.executable, str(PROGRAM), *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if "unexpected memory mapping" in done.stderr or "personality" in done.stderr:
            if os.environ.get("CHAFFINCH_REQUIRE_ALL") == "1":
                pytest.fail(done.stderr)
            pytest.skip("NO THREAD SANITIZER ON THIS KERNEL")
        return done.returncode, done.stdout + done.stderr

    return running


def test_a_race_in_a_kernel_would_be_seen(run):
    status, said = run("shared")
    assert status == 66
    assert "data race" in said
    assert "path_hashes.c" in said


def test_no_race_in_kernels(run):
    status, said = run()
    assert (status, said.strip()) == (0, "done"), said[-4000:]
