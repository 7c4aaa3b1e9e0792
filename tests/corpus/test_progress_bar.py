"""What a run shows while it works, and how it is stopped."""

import io
import json
import re
import signal
import subprocess
import sys
import time

import pytest

from chaffinch.corpus.report import ProgressBar
from chaffinch.corpus.sources import Record, Shard
from chaffinch.corpus.store import ShardOutcome
from chaffinch.workers.protocol import Reply

SHARDS = [
    Shard(kind="warc", source="a.warc.gz", size=1000),
    Shard(kind="files", source="folder", items=("x.html", "y.html"), size=2),
]


def shown(text):
    return re.findall(r"(\d+)% \|.*?\| (.*?) \[", text)


def test_the_bar_shows_pages_errors_and_progress():
    out = io.StringIO()
    with ProgressBar(out, is_shown=True) as bar:
        bar._bar.mininterval = 0  # noqa: SLF001 - show every step
        bar.begin(SHARDS, [])
        bar.page(Record(file="a.warc.gz", offset=500), Reply({}, "", ""))
        bar.page(Record(file="a.warc.gz", offset=700), Reply({}, "time", "slow"))
        bar.page(Record(file="x.html"), Reply({}, "", ""))
        assert bar._bar.n == 701  # noqa: SLF001 - the bar's own figure
        bar.shard(ShardOutcome(SHARDS[0].name, {"tally": {"rows": 9, "errors": {}}}))
        bar.shard(ShardOutcome(SHARDS[1].name, {"tally": {"rows": 2, "errors": {}}}))
        assert bar._bar.n == bar._bar.total == 1002  # noqa: SLF001
    percent, words = shown(out.getvalue())[-1]
    assert percent == "100"
    assert words.startswith("3 pages, ")
    assert words.endswith("errors: time 1")
    assert "left" in out.getvalue()


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
        # A test run in the background ignores the signal, and its children would inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    while not (tmp_path / "out/run.json").exists() and process.poll() is None:
        time.sleep(0.05)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 1
    assert b"Aborted" in errors
    assert not list((tmp_path / "out").rglob("*.part"))
