"""Archives and tables on the command line: each page of them, and where it came from."""

import base64
import json
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

from odd_pages import ARTICLE, lines_bytes, parquet_bytes, tar_bytes, warc_bytes, zip_bytes

TIT = ARTICLE.replace("chaffinch", "great tit").encode()
FINCH = ARTICLE.encode()
BOTH = {"birds/finch.html": FINCH, "birds/tit.html": TIT}
ROWS = [{"html": one.decode(), "url": f"https://birds.example/{n}"} for n, one in enumerate(
    BOTH.values())]  # fmt: skip
LINES = lines_bytes(*ROWS)
ARCHIVES = {
    "a.jsonl": LINES,
    "a.jsonl.zst": pa.compress(LINES, codec="zstd", asbytes=True),
    "b.jsonl": lines_bytes(
        *({"html_base64": base64.b64encode(one).decode()} for one in BOTH.values())
    ),
    "a.parquet": parquet_bytes(ROWS),
    "a.warc.gz": warc_bytes(FINCH, TIT, url="https://birds.example/{}"),
    "a.zip": zip_bytes(BOTH),
    "a.tar.gz": tar_bytes(BOTH, "w:gz"),
}


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, data in ARCHIVES.items():
        Path(name).write_bytes(data)
    for name, data in BOTH.items():
        Path(name).parent.mkdir(exist_ok=True)
        Path(name).write_bytes(data)


def records(result):
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.parametrize(
    ("name", "workers"), [*((name, "1") for name in ARCHIVES), ("a.warc.gz", "2")]
)
def test_all_pages_of_an_archive(run, name, workers):
    wanted = [one["text"] for one in records(run("extract", *BOTH, "-f", "json"))]
    found = records(run("extract", name, "-f", "json", "--workers", workers))
    assert [one["text"] for one in found] == wanted
    assert {one["file"] for one in found} == {name}
    assert len({(one["member"], one["offset"]) for one in found}) == 2
    has_url = name in {"a.jsonl", "a.jsonl.zst", "a.parquet", "a.warc.gz"}
    urls = ["https://birds.example/0", "https://birds.example/1"] if has_url else [None, None]
    assert [one["url"] for one in found] == urls


def test_a_file_for_each_page(run, tmp_path):
    out = tmp_path / "out"
    assert run("extract", "a.zip", "b.jsonl", "a.jsonl", "-o", out).exit_code == 0
    found = sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())
    assert found == [
        "a_jsonl_line_1_https_birds_example_0.txt",
        "a_jsonl_line_2_https_birds_example_1.txt",
        "b.jsonl-1.txt",
        "b.jsonl-2.txt",
        "birds/finch.txt",
        "birds/tit.txt",
    ]


@pytest.mark.parametrize(
    "verb",
    [
        ["explain"],
        ["compare"],
        ["site", "siblings", "--url", "https://a.b/"],
    ],
)
def test_verbs_for_one_page_want_an_archive_of_one(run, verb):
    result = run(*verb, "a.zip")
    assert result.exit_code == 2
    assert "one page is wanted" in result.stderr or "--url goes with one file" in result.stderr
    Path("one.zip").write_bytes(zip_bytes({"a.html": FINCH}))
    assert run(*verb, "one.zip").exit_code == (2 if "siblings" in verb else 0)


def test_one_page_of_an_archive_by_its_number(run):
    kept = [run("explain", "a.jsonl", "--record", number, "--kept").stdout for number in (1, 2)]
    assert kept[0] != kept[1]
    assert run("verify", "a.jsonl", "bird", "--record", 2).exit_code in {0, 3}
    for name, number in (("a.jsonl", 3), (next(iter(BOTH)), 1)):
        assert run("explain", name, "--record", number).exit_code == 2


def without(packages, *arguments):
    """Run the command line in a process in which packages can't be imported."""
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({packages!r}));"
        "from chaffinch.cli import main; main(sys.argv[1:])"
    )
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("name", "package"),
    [("a.warc.gz", "fastwarc"), ("a.parquet", "pyarrow"), ("a.jsonl.zst", "pyarrow")],
)
def test_a_missing_extra_is_named_with_its_command(name, package):
    result = without([package], "extract", name)
    assert result.returncode == 2
    assert "pip install 'chaffinch[batch]'" in result.stderr
