"""Made-up hostile pages through every method and output, kernels under the sanitizers.

`make fuzz` tries a million, labelled pages that were changed among them (docs/hostile-input.md);
here are a thousand, of the grammar and changed from one another; each makes a twentieth of the
outputs, and all objects are the sanitizer's.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from bench.lib.fuzzing import Store

ROOT = Path(__file__).parents[1]
PAGES = 600


def fuzz(folder, environment):
    """Try pages in a process of its own; return what was found and what it said."""
    command = [
        sys.executable, "-m", "bench.safety.fuzz", "--worker", "0", "--pages", str(PAGES),
        "--made-up", "--brief", "--folder", str(folder),
    ]  # fmt: skip
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert not done.returncode, done.stderr[-3000:]
    return Store(folder / "worker-0")


def test_hostile_pages_are_extracted_or_refused(sanitized, tmp_path):
    store = fuzz(tmp_path, sanitized)
    assert not store.findings, json.dumps(store.findings, indent=1)[:5000]
    assert store.counts["pages"] >= PAGES
    assert store.counts["refused"] < PAGES / 4
    assert store.counts["kept pages changed"] > PAGES / 10
    assert len(store.seen) > 6_000
