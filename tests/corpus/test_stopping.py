"""How a run is stopped."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_ends_a_run_in_the_middle_of_a_page(tmp_path, workers):
    page = "<body><!--peril:hang--><p>waits"
    source = tmp_path / "a.jsonl"
    source.write_text("\n".join(json.dumps({"html": html}) for html in ["<p>one", page]))
    command = [
        sys.executable, "-m", "chaffinch", "run", str(source), "--output", str(tmp_path / "out"),
        "--extractor", "bench.lib.perils:Perilous", "--timeout", "3000", "--workers", workers,
    ]  # fmt: skip
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        # A test run in the background ignores the signal, and its children would inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    while not (tmp_path / "out/run.json").exists() and process.poll() is None:
        time.sleep(0.05)
    time.sleep(1)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 1
    assert b"Aborted" in errors
    assert b"Traceback" not in errors
    assert not list((tmp_path / "out").rglob("*.part"))
