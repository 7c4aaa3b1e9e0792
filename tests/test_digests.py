"""Outputs have the digests that are stored, see bench/safety/digests.py."""

import json
import lzma
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
STORED = ROOT / "bench" / "safety" / "digests"
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


CHANGED = ("markdown", "text")


@pytest.fixture
def changed(tmp_path):
    """A copy of the digests of the example pages, in which two of the first page are others."""
    name = "example_web.xz"
    line, data = lzma.decompress((STORED / name).read_bytes()).split(b"\n", 1)
    head = json.loads(line)
    flipped = bytearray(data)
    at = 0
    for column, kind in head["columns"].items():
        flipped[at] ^= column in CHANGED
        at += (3 if kind == "|u1" else 4) * head["pages"]
    (tmp_path / name).write_bytes(lzma.compress(line + b"\n" + bytes(flipped)))
    return tmp_path


def test_a_difference_is_printed_and_one_output_is_written_anew(changed):
    wanted = ("--corpus", "example_web", "--folder", changed)

    def told():
        found = check(*wanted, "--limit", 3)
        assert found.returncode == 1
        return [line.split("\t") for line in found.stdout.splitlines()[:-1]]

    found = told()
    page = found[0][1]
    assert sorted(found) == [["example_web", page, output] for output in CHANGED]
    assert run("show", "example_web", page, "markdown").stdout.strip()
    assert run("write", *wanted, "--output", "markdown").returncode == 0
    assert told() == [["example_web", page, "text"]]
