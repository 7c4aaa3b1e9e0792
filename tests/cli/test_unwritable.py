"""Disks that are full, folders that may not be written to, streams that are closed, at every verb.

One line names what can't be written, with an exit code; what was there stays, and the same call
goes on once there is room.
"""

import ctypes
import json
import os
import resource
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from bench.lib.kill_site import Web
from rows_of_cases import examples

LARGEST = 8 << 10  # bytes of a file that may be written
WORDS = " ".join(f"rye{number * 7919 % 10007}" for number in range(9000))
PAGE = f"<title>Rye</title><h1>Rye</h1><p>{WORDS}"
PAGES = [f"page{number}.html" for number in range(6)]
HTML = (
    "<title>Rye {0}</title><nav><a href=/>Home</a></nav><h1>Rye {0}</h1><div class=ads>Ads {0}"
    f"</div><article><p>{WORDS[:2000]} {{0}}</article><footer>Imprint</footer>"
)
ROWS = """class Rows:
    def __init__(self, recipe):
        pass
    def __call__(self, record):
        return {'url': record.url, 'text': record.html.decode()}
"""
"""An extractor that returns the page as its text."""


RULE = ["--as", "drop", "--select", "div.ads"]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="root is bound by Linux alone")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Pages, rows, labels, a config, and ``locked`` with a model and a run."""
    folder = tmp_path_factory.mktemp("files")
    for number, name in enumerate(PAGES):
        (folder / name).write_text(HTML.format(number))
    rows = [{"html": (folder / n).read_text(), "url": f"https://rye.example/{n}"} for n in PAGES]
    gold = [{"id": one["url"], **one, "gold_text": WORDS} for one in rows]
    large = [{"html": PAGE, "url": f"https://rye{number}.example/"} for number in range(6)]
    for name, some in (("rows", rows), ("gold", gold), ("large", large)):
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, some)))
    (folder / "rye.html").write_text(PAGE)
    cards = "".join(f"<li><h3><a href=/{n}>Rye {n}</a></h3><p>{WORDS[:80]}" for n in range(9))
    (folder / "list.html").write_text(f"<ul>{cards}")
    (folder / "full_disk_rows.py").write_text(ROWS)
    (folder / "locked").mkdir()
    for call in (["learn", *PAGES, "-o", "locked/site"],
                 ["run", "rows.jsonl", "-o", "locked/run", "-w", "1"]):  # fmt: skip
        done = called(*call, cwd=folder)
        assert done.returncode == 0, done.stderr
    return folder


def called(*arguments, redirection="", **options):
    command = [sys.executable, "-m", "chaffinch", *arguments]
    if redirection:
        command = ["sh", "-c", f'exec "$@" {redirection}', "-", *command]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=120, **options
    )


def error_line(done, *words):
    (line,) = [one for one in done.stderr.splitlines() if one.startswith("Error: ")]
    assert "Traceback" not in done.stderr
    assert "Errno" not in line
    for word in words:
        assert word in line


# Streams


WRITING = examples(__file__, "unwritable writing")


@pytest.mark.parametrize(
    ("arguments", "shell"),
    [*((one, "> /dev/full") for one in WRITING), *((one, ">&-") for one in WRITING[::4])],
)
def test_standard_output_that_cannot_be_written(files, arguments, shell):
    done = called(*arguments.split(), redirection=shell, cwd=files)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    error_line(done, "can't write")


def test_a_closed_standard_error_does_no_harm(files):
    done = called("extract", "rye.html", redirection="2>&-", cwd=files)
    assert (done.returncode, done.stdout[:4]) == (0, "rye0")


# Disks


def bound_files(largest=LARGEST):
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))


def test_outputs_on_a_full_disk(files, tmp_path):
    (tmp_path / "rye.html").symlink_to(files / "rye.html")
    done = called(*"extract rye.html -o out.txt".split(), preexec_fn=bound_files, cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    error_line(done, "rye.html: can't write out.txt", "File too large")


@pytest.mark.parametrize(("form", "duplicates"), [("parquet", "keep"), ("jsonl", "mark")])
def test_a_run_on_a_full_disk_goes_on_once_there_is_room(files, tmp_path, form, duplicates):
    environ = {**os.environ, "PYTHONPATH": f"{files}:{os.environ.get('PYTHONPATH', '')}"}
    call = ["run", files / "large.jsonl", "-o", "out", "-f", form, "--duplicates", duplicates]
    call += ["--extractor", "full_disk_rows:Rows", "-w", "1"]
    for more in ([], ["--resume"]):
        done = called(*call, *more, env=environ, preexec_fn=bound_files, cwd=tmp_path)
        assert done.returncode == 2
        error_line(done, "can't write ", "File too large")
        assert "Exception" not in done.stderr
    assert not list((tmp_path / "out").rglob("*.part"))
    again = called(*call, "--resume", env=environ, cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    if form == "jsonl":
        found = [one.read_text() for one in (tmp_path / "out" / "pages").rglob("*.jsonl")]
        rows = [json.loads(line) for text in found for line in text.splitlines()]
        assert sorted(one["url"] for one in rows) == [f"https://rye{n}.example/" for n in range(6)]


@pytest.mark.parametrize(
    "arguments",
    [
        ["site", "rules", "add", "grain", *RULE],
        ["site", "rules", "propose", "grain", "rows.jsonl", "--on", "/page0.html", "--at",
         "div.ads", "--as", "drop", "--save"],
        ["learn", "rows.jsonl", "--update", "--output", "grain"],
        ["learn", "rows.jsonl", "--output", "new"],
    ],
    ids=lambda arguments: " ".join(arguments[:3]),
)  # fmt: skip
def test_models_on_a_full_disk_stay(files, tmp_path, arguments):
    (tmp_path / "rows.jsonl").symlink_to(files / "rows.jsonl")
    assert called("learn", "rows.jsonl", "--output", "grain", cwd=tmp_path).returncode == 0
    before = contents(tmp_path)
    done = called(*arguments, preexec_fn=partial(bound_files, 100), cwd=tmp_path)
    assert done.returncode == 2
    error_line(done, "File too large")
    assert {one: data for one, data in contents(tmp_path).items() if data} == {
        one: data for one, data in before.items() if data
    }
    again = called(*arguments, cwd=tmp_path)
    assert again.returncode == 0, again.stderr


def test_a_crawl_on_a_full_disk_goes_on_later(tmp_path):
    with Web(20) as web:
        arguments = ["crawl", f"{web.url}/", "--output", "a.warc.gz", "--delay", "0"]
        arguments += ["--allow-host", "127.0.0.1"]
        done = called(*arguments, preexec_fn=bound_files, cwd=tmp_path)
        assert done.returncode == 2
        error_line(done, "a.warc.gz can't be written: File too large", "--resume")
        assert (tmp_path / "a.warc.gz").stat().st_size == LARGEST
        again = called(*arguments, "--resume", cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert "21 pages, 21 requests" in again.stdout + again.stderr  # those of both


# Folders


def bind_root():
    """Hold the superuser to what files permit, in the process that follows."""
    for capability in (1, 2, 3) if os.geteuid() == 0 else ():
        ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP


@pytest.fixture(scope="module")
def locked(files):
    inside = [files / "locked", *(files / "locked").rglob("*")]
    folders = [one for one in inside if one.is_dir()]
    for one in folders:
        one.chmod(0o555)
    yield files
    for one in folders:
        one.chmod(0o755)


def contents(folder):
    files = sorted(Path(folder).rglob("*"))
    return {one: one.read_bytes() if one.is_file() else b"" for one in files}


SITE = " ".join(["locked/site", *RULE])
DENIED = f"""
1 locked/out.txt: extract page0.html -o locked/out.txt
2 locked/run.json: run rows.jsonl -o locked -w 1
2 locked/new: run rows.jsonl -o locked/new -w 1
2 locked/run/run.json: run rows.jsonl -o locked/run --resume
2 locked/models: learn rows.jsonl -o locked/models --by-host
2 locked/a.warc.gz: crawl http://127.0.0.1:1/ -o locked/a.warc.gz --allow-host 127.0.0.1
2 locked/new: learn rows.jsonl -o locked/new
2 locked/site: learn rows.jsonl --update -o locked/site
2 locked/site: site rules add {SITE}
1 locked/a.json: evaluate gold.jsonl --draws 0 -o locked/a.json
"""
"""Exit code, what the message names, call."""


@pytest.mark.parametrize("line", DENIED.strip().splitlines())
def test_a_folder_that_may_not_be_written_to(locked, line):
    head, _, call = line.partition(": ")
    code, named = head.split()
    before = contents(locked / "locked")
    done = called(*call.split(), preexec_fn=bind_root, cwd=locked)
    assert done.returncode == int(code), done.stderr
    error_line(done, named, "Permission denied")
    assert contents(locked / "locked") == before
    if call.startswith("evaluate"):
        assert "gold" in done.stdout  # what was measured isn't lost


def test_a_folder_that_may_be_read_alone_is_read(locked):
    for call in (
        "run --report text locked/run",
        "site show locked/site rows.jsonl",
        "run rows.jsonl -o read -w 1 --site locked/site",
    ):
        done = called(*call.split(), preexec_fn=bind_root, cwd=locked)
        assert done.returncode == 0, done.stderr
