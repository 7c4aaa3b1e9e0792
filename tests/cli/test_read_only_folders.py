"""A folder that may not be written to, at every verb that writes: one line names it, all stays."""

import ctypes
import json
import os
import subprocess
import sys

import pytest

CAPABILITIES = 1, 2, 3  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER
DROP = 24  # PR_CAPBSET_DROP
WORDS = " ".join(f"rye{number * 7919 % 10007}" for number in range(300))
PAGES = [f"page{number}.html" for number in range(6)]
HTML = (
    "<title>Rye {0}</title><nav><a href=/>Home</a></nav><h1>Rye {0}</h1><div class=ads>Ads {0}"
    "</div><article><p>{1} {0}</article><footer>Imprint</footer>"
)
DENIED = "Permission denied"

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="root is bound by Linux alone")


def bind_root():
    """Hold the superuser to what files permit, in the process that follows."""
    if os.geteuid() == 0:
        for one in CAPABILITIES:
            ctypes.CDLL(None).prctl(DROP, one, 0, 0, 0)


def called(folder, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "chaffinch", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        preexec_fn=bind_root,
        cwd=folder,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with pages, a model, a run, and ``locked``, which holds copies of these."""
    folder = tmp_path_factory.mktemp("doors")
    for number, name in enumerate(PAGES):
        (folder / name).write_text(HTML.format(number, WORDS))
    rows = [{"html": (folder / n).read_text(), "url": f"https://{n}.example/"} for n in PAGES]
    (folder / "rows.jsonl").write_text("\n".join(map(json.dumps, rows)))
    gold = [
        {"id": str(number), "html": row["html"], "url": row["url"], "gold_text": WORDS}
        for number, row in enumerate(rows)
    ]
    (folder / "gold.jsonl").write_text("\n".join(map(json.dumps, gold)))
    (folder / "rye.example.txt").write_text("body: //article\n")
    locked = folder / "locked"
    locked.mkdir()
    assert called(folder, "learn", *PAGES, "--output", "locked/site").returncode == 0
    done = called(folder, "run", "rows.jsonl", "-o", "locked/run", "-w", "1")
    assert done.returncode == 0, done.stderr
    yield locked_up(folder, 0o555)
    locked_up(folder, 0o755)


def locked_up(folder, mode):
    inside = [folder / "locked", *(folder / "locked").rglob("*")]
    for one in (one for one in inside if one.is_dir()):
        one.chmod(mode)
    return folder


def contents(folder):
    files = sorted((folder / "locked").rglob("*"))
    return {one: one.read_bytes() if one.is_file() else b"" for one in files}


ADDED = ["locked/site", "--as", "drop", "--select", "div.ads"]


@pytest.mark.parametrize(
    ("code", "named", "arguments"),
    [
        (1, "locked/out.txt", ["extract", PAGES[0], "-o", "locked/out.txt"]),
        (1, "locked/report.html", ["compare", PAGES[0], "-o", "locked/report.html"]),
        (
            1,
            "locked/blocks.svg",
            ["explain", "--blocks", "vips", PAGES[0], "--picture", "locked/blocks.svg"],
        ),
        (2, "locked/run.json", ["run", "rows.jsonl", "-o", "locked", "-w", "1"]),
        (2, "locked/new", ["run", "rows.jsonl", "-o", "locked/new", "-w", "1"]),
        (2, "locked/run/run.json", ["run", "rows.jsonl", "-o", "locked/run", "--resume"]),
        (
            *(2, "locked/models"),
            ["learn", "rows.jsonl", "-o", "locked/models", "--by-host"],
        ),
        (
            *(2, "locked/a.warc.gz"),
            ["crawl", "http://127.0.0.1:1/", "-o", "locked/a.warc.gz", "--allow-host", "127.0.0.1"],
        ),
        (2, "locked/new", ["learn", *PAGES, "--output", "locked/new"]),
        (2, "locked/site", ["learn", *PAGES, "--update", "--output", "locked/site"]),
        (2, "locked/site", ["site", "rules", "add", *ADDED]),
        (1, "locked/models", ["site", "rules", "import", "rye.example.txt", "-o", "locked/models"]),
        (
            1,
            "locked/rye.example",
            ["site", "rules", "import", "rye.example.txt", "-o", "locked"],
        ),
        (
            1,
            "locked/w.html",
            ["evaluate", "gold.jsonl", "--draws", "0", "--worst", "locked/w.html"],
        ),
        (1, "locked/a.json", ["evaluate", "gold.jsonl", "--draws", "0", "-o", "locked/a.json"]),
        (2, "locked/sites", ["serve", "--data", "locked", "--port", "0", "-w", "1"]),
        (2, "locked/new", ["serve", "--data", "locked/new", "--cache", "5", "--port", "0"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_folder_that_may_not_be_written_to(folder, code, named, arguments):
    before = contents(folder)
    done = called(folder, *arguments)
    assert done.returncode == code, done.stderr
    (line,) = [one for one in done.stderr.splitlines() if one.startswith("Error: ")]
    assert named in line
    assert line.endswith(DENIED)
    assert "Errno" not in line
    assert "Traceback" not in done.stderr
    assert contents(folder) == before
    if arguments[0] == "evaluate":
        assert "gold" in done.stdout  # what was measured isn't lost


def test_a_folder_that_may_be_read_alone_is_read(folder):
    for arguments in (
        ["run", "--report", "text", "locked/run"],
        ["site", "show", "locked/site", *PAGES],
        ["run", "rows.jsonl", "-o", "read", "-w", "1", "--site", "locked/site"],
    ):
        done = called(folder, *arguments)
        assert done.returncode == 0, done.stderr
