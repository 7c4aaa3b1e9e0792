"""Outputs have the digests that are stored, see bench/safety/digests.py."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CORPORA = "wcxb zh_news harvest_forum scrapinghub readability structure".split()
SITE = "sites/zhihu.com"
PAGES = 9
"""Pages of each corpus."""


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "bench.safety.digests", *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def check(*arguments):
    return run("check", *arguments)


def named(collections):
    return [part for name in collections for part in ("--corpus", name)]


def test_outputs_of_the_examples_are_as_before():
    done = check(*named(["example_site", "example_web"]))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("189 pages read")


def test_outputs_of_labelled_pages_are_as_before():
    root = Path(os.environ.get("CHAFFINCH_CORPORA") or ROOT.parent / "shared")
    wanted = [f"corpora/{name}" for name in CORPORA] + [SITE]
    if missing := [name for name in wanted if not (root / f"{name}.jsonl.xz").is_file()]:
        pytest.skip(f"NO CORPORA: {root} has no {', '.join(missing)}; set CHAFFINCH_CORPORA")
    done = check(*named([*CORPORA, SITE]), "--limit", PAGES)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split()[0]) >= 6 * PAGES
