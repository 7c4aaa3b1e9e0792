"""A full disk, and standard streams that are closed: one line says so, whatever was written."""

import gzip
import json
import os
import resource
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

import chaffinch
from bench.lib.kill_site import Web
from chaffinch.errors import RulesError

WORDS = " ".join(f"rye{number * 7919 % 10007}" for number in range(9000))
PAGE = f"<title>Rye</title><h1>Rye</h1><p>{WORDS}"
LARGEST = 8 << 10  # bytes of a file that may be written

pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with a page and a file of pages, which is the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rye.html").write_text(PAGE)
    (tmp_path / "list.html").write_text(
        "<ul>" + "".join(f"<li><h3><a href=/{n}>Rye {n}</a></h3><p>{WORDS[:80]}" for n in range(9))
    )
    rows = [{"html": PAGE, "url": f"https://rye{number}.example/"} for number in range(6)]
    (tmp_path / "rye.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return tmp_path


def bound_files(largest=LARGEST):
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))


def called(*arguments, redirection="", **options):
    command = [sys.executable, "-m", "chaffinch", *arguments]
    if redirection:
        command = ["sh", "-c", f'exec "$@" {redirection}', "-", *command]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def assert_one_line(done, *words):
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("Error: ")
    for word in words:
        assert word in lines[0]


@pytest.mark.parametrize(
    "arguments",
    [
        ["extract", "rye.html"],
        ["extract", "rye.html", "rye.jsonl", "-f", "markdown"],
        ["extract", "--format", "columns", "rye.html"],
        ["compare", "rye.html"],
        ["extract", "--format", "clean", "rye.html"],
        ["extract", "--format", "records", "list.html"],
        ["extract", "--format", "outline", "rye.html"],
        ["explain", "rye.html"],
        ["extract", "--format", "json", "--with", "assessment", "rye.html"],
        ["methods"],
        ["extract", "--schema"],
        ["--version"],
        ["extract", "--help"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("shell", ["> /dev/full", ">&-"])
@pytest.mark.usefixtures("folder")
def test_standard_output_that_cannot_be_written(arguments, shell):
    done = called(*arguments, redirection=shell)
    assert done.returncode == 1
    assert_one_line(done, "can't write")


@pytest.mark.usefixtures("folder")
def test_a_closed_standard_error_does_no_harm():
    done = called("extract", "rye.html", redirection="2>&-")
    assert done.returncode == 0
    assert done.stdout.startswith("Rye\n")


@pytest.mark.usefixtures("folder")
def test_files_that_cannot_be_written():
    done = called("extract", "rye.html", "-o", "out.txt", preexec_fn=bound_files)
    assert done.returncode == 1
    assert_one_line(done, "rye.html: can't write out.txt", "File too large")
    done = called("compare", "rye.html", "-o", "report.html", preexec_fn=partial(bound_files, 100))
    assert done.returncode == 1
    assert_one_line(done, "can't write report.html", "File too large")


@pytest.mark.parametrize("form", ["parquet", "jsonl"])
@pytest.mark.parametrize("duplicates", ["keep", "mark"])
def test_runs_that_cannot_be_written(folder, form, duplicates):
    done = called(
        *("run", "rye.jsonl", "--output", "out", "--format", form, "--duplicates", duplicates),
        *("--extractor", "full_disk_rows:Rows", "-w", "1"),
        env=environment(folder),
        preexec_fn=bound_files,
    )
    assert done.returncode == 2
    usage, error = done.stderr.splitlines()[:-1], done.stderr.splitlines()[-1]
    assert error.startswith("Error: can't write ")
    assert error.endswith("File too large")
    assert not [line for line in usage if "Traceback" in line or "Exception" in line], done.stderr
    assert not list((folder / "out").rglob("*.part"))


def environment(folder):
    """Return the environment of a run, with an extractor that returns the page as its text."""
    (folder / "full_disk_rows.py").write_text(
        "class Rows:\n"
        "    def __init__(self, recipe):\n"
        "        pass\n"
        "    def __call__(self, record):\n"
        "        return {'url': record.url, 'text': record.html.decode()}\n"
    )
    return {**os.environ, "PYTHONPATH": f"{folder}:{os.environ.get('PYTHONPATH', '')}"}


def test_a_model_that_cannot_be_written_stays_as_it_was(folder):
    pages = [chaffinch.parse(PAGE.replace("rye7", f"rye{n}")) for n in range(3)]
    site = chaffinch.Site.learn(pages)
    path = folder / "rye"
    site.save(path)
    before = {one.name: one.read_bytes() for one in path.iterdir()}
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    try:
        with pytest.raises(RulesError, match=r"can't write .*rye: File too large"):
            site.save(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert {one.name: one.read_bytes() for one in path.iterdir()} == before
    assert sorted(before) == ["data.npz", "pages.npz", "rules.toml"]


def test_a_crawl_that_cannot_be_written_goes_on_later(folder):
    with Web(20) as web:
        arguments = ["crawl", f"{web.url}/", "--output", "a.warc.gz", "--delay", "0"]
        arguments += ["--allow-host", "127.0.0.1"]
        done = called(*arguments, preexec_fn=bound_files)
        assert done.returncode == 2
        (line,) = [one for one in done.stderr.splitlines() if one.startswith("Error: ")]
        assert line.startswith("Error: a.warc.gz can't be written: File too large")
        assert "--resume" in line
        assert "Traceback" not in done.stderr
        assert (folder / "a.warc.gz").stat().st_size == LARGEST
        again = called(*arguments, "--resume")
    assert again.returncode == 0, again.stderr
    assert "21 pages, 21 requests" in again.stdout + again.stderr  # those of both


SITE = "<title>Rye {0}</title><h1>Rye {0}</h1><div class=ads>Ads {0}</div><p>" + WORDS[:900]
PROPOSED = ["pages.jsonl", "--on", "/0", "--at", "div.ads", "--as", "drop", "--save"]
RULE = ["--as", "drop", "--select", "div.ads"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["site", "rules", "add", "grain", *RULE],
        ["site", "rules", "propose", "grain", *PROPOSED],
        ["learn", "pages.jsonl", "--update", "--output", "grain"],
        ["learn", "pages.jsonl", "--output", "new"],
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_models_that_cannot_be_changed_stay(folder, arguments):
    rows = [{"html": SITE.format(n), "url": f"https://rye.example/{n}"} for n in range(3)]
    (folder / "pages.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert called("learn", "pages.jsonl", "--output", "grain").returncode == 0
    before = {one: one.read_bytes() for one in folder.rglob("*") if one.is_file()}
    done = called(*arguments, preexec_fn=partial(bound_files, 100))
    assert done.returncode == 2
    (line,) = [one for one in done.stderr.splitlines() if one.startswith("Error: ")]
    assert "File too large" in line
    assert "Traceback" not in done.stderr
    assert {one: one.read_bytes() for one in folder.rglob("*") if one.is_file()} == before
    again = called(*arguments)
    assert again.returncode == 0, again.stderr


def test_a_run_goes_on_once_there_is_room(folder):
    environ = environment(folder)
    arguments = ["run", "rye.jsonl", "--output", "out", "--format", "jsonl", "-w", "1"]
    arguments += ["--extractor", "full_disk_rows:Rows"]
    assert called(*arguments, env=environ, preexec_fn=bound_files).returncode == 2
    done = called(*arguments, "--resume", env=environ, preexec_fn=bound_files)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("Error: can't write ")
    assert "Traceback" not in done.stderr
    again = called(*arguments, "--resume", env=environ)
    assert again.returncode == 0, again.stderr
    files = [one for one in (folder / "out" / "pages").rglob("*") if one.is_file()]
    rows = [one for path in files for one in lines_of(path)]
    assert sorted(one["url"] for one in rows) == [f"https://rye{n}.example/" for n in range(6)]


def lines_of(path):
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt") as file:
        return [json.loads(line) for line in file]
