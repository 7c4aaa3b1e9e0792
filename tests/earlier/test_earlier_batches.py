"""Batch runs that earlier versions began or finished: reported, resumed, their models used."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from kept_files import RUNS, SOURCES, holds, run_options

from chaffinch import Site

FIRST = {"parquet": "done", "jsonl": "done", "sites": "seen"}
"""Kind of run → folder of the markers that were there when it was killed."""


def again(run, kind, end="", *more):
    """Resume a run by the command that began it."""
    given = run_options(kind, f"batch/models{end}")
    return run("run", *SOURCES, "--out", f"batch/{kind}{end}", *given, "--resume", *more)


def rows(out):
    """Return the rows of a run, in the order of their sources."""
    found = []
    for path in Path(out).glob("pages/*/*.*"):
        if path.suffix == ".parquet":
            found += pq.ParquetFile(path).read().to_pylist()
        else:
            text = path.read_text(encoding="utf-8")
            found += [json.loads(line) for line in text.split("\n") if line]
    return sorted(found, key=place)


def place(row):
    """Return where a row's page stands, without the path of the working directory."""
    return (
        Path(row["file"] if "file" in row else row["source"]).name,
        Path(row["member"]).name,
        row["offset"],
    )


def cluster(row):
    """Return the cluster of a row without the path of the working directory."""
    return (row.get("cluster") or "").rpartition("/")[2]


def extracted(out):
    """Return what was made of the pages whose address the source says, by this address.

    Not the lengths of their texts: today's network and join decide with what was learned then.
    """
    names = ("title", "method", "template", "error")
    return {row["url"]: {name: row[name] for name in names} for row in rows(out) if row["url"]}


def state(folder):
    """Return path → time of last change and bytes of the files below a folder."""
    files = [path for path in Path(folder).rglob("*") if path.is_file()]
    return {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


def models(folder):
    """Return host → text of its model and sample, as they stand in the files of a folder."""
    found = {}
    for path in Path(folder).glob("*.sqlite"):
        with closing(sqlite3.connect(path)) as base:
            for host, text, data in base.execute("SELECT host, model, statistics FROM models"):
                found[host] = (text, data)
    return found


def loaded(model, name):
    """Return a model that stood in the files of a folder."""
    text, data = model
    Path(f"{name}.toml").write_text(text, encoding="utf-8")
    Path(f"{name}.pages").write_bytes(data)
    return Site.load(f"{name}.toml")


def as_named_today(report):
    """Return a report of schema 1 with its declared types under the name that they have since."""
    tally = dict(report["tally"])
    declared = tally.pop("page_types")
    return {**report, "tally": {**tally, "declared_types": declared}}


def learned_from(site):
    """Return the number of pages that a model was learned from."""
    return sum(one.pages for one in site.history)


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("kind", RUNS)
def test_finished_runs_are_reported(run, kind):
    before = json.loads(Path(f"batch/{kind}/report.json").read_text(encoding="utf-8"))
    now = json.loads(run("report", f"batch/{kind}", "--format", "json"))
    assert before["done"] == 3
    assert before["tally"]["rows"] == len(rows(f"batch/{kind}"))
    assert holds(now, as_named_today(before))
    assert run("report", f"batch/{kind}").startswith("3 of 3 shards, ")
    assert "<html" in run("report", f"batch/{kind}", "--format", "html")


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("kind", RUNS)
def test_runs_that_were_killed_are_reported(run, kind):
    before = json.loads(Path(f"batch/{kind}-cut.json").read_text(encoding="utf-8"))
    now = json.loads(run("report", f"batch/{kind}-cut", "--format", "json"))
    assert before["done"] < before["about"]["shards"] == 3
    assert holds(now, as_named_today(before))


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("kind", RUNS)
def test_nothing_of_a_finished_run_is_done_again(run, kind):
    out = Path("batch", kind)
    before, of_models = state(out), state("batch/models")
    again(run, kind)
    now = state(out)
    written = {Path(out, name) for name in ("run.json", "report.json", "report.html")}
    assert {path for path in now if now[path] != before.get(path)} <= written
    assert before.keys() <= now.keys()
    assert state("batch/models") == of_models


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("kind", RUNS)
def test_a_run_that_was_killed_is_resumed(run, kind):
    out = Path("batch", f"{kind}-cut")
    markers = state(out / FIRST[kind])
    pages = state(out / "pages")
    assert 0 < len(markers) < 3
    said = again(run, kind, "-cut")
    assert said.startswith("3 of 3 shards, ")
    now = state(out)
    assert {path: now[path] for path in (*markers, *pages)} == markers | pages
    assert len(list(out.glob("done/*.json"))) == 3
    whole = rows(f"batch/{kind}")
    assert [(place(row), cluster(row)) for row in rows(out)] == [
        (place(row), cluster(row)) for row in whole
    ]
    assert not any(row["error"] for row in rows(out))
    assert not list(out.rglob("*.part"))


@pytest.mark.usefixtures("kept")
def test_duplicates_are_found_among_pages_of_both_versions(run):
    again(run, "parquet", "-cut")
    clusters = [row["cluster"] for row in rows("batch/parquet-cut")]
    before = Path("batch/parquet/duplicates.json").read_bytes()
    assert Path("batch/parquet-cut/duplicates.json").read_bytes() == before
    assert len(set(filter(None, clusters))) == json.loads(before)["clusters"] > 0


@pytest.mark.usefixtures("kept")
def test_models_are_learned_from_statistics_of_both_versions(run):
    again(run, "sites", "-cut")
    before, now = models("batch/models"), models("batch/models-cut")
    assert before.keys() == now.keys()
    assert len(before) == 2
    for host, model in now.items():
        one, other = loaded(model, "now"), loaded(before[host], "before")
        assert learned_from(one) >= learned_from(other)
        assert [template.name for template in one.templates] == [
            template.name for template in other.templates
        ]


@pytest.mark.usefixtures("kept")
def test_kept_models_extract_what_they_did(run):
    of_models = state("batch/models")
    run("run", *SOURCES, "--out", "new", *run_options("sites", "batch/models"))
    before, now = extracted("batch/sites"), extracted("new")
    assert len(before) > 20
    left = {url for url in before if now[url] != before[url]}
    assert len(left) <= 1  # a template that fits loosely leaves a page to the default since 0.2
    assert {now[url]["method"] for url in left} <= {"site, page-level default"}
    assert all(now[url]["title"] == before[url]["title"] for url in left)
    assert sum(row["template"] != "" for row in before.values()) >= 20
    assert state("batch/models") == of_models


@pytest.mark.usefixtures("kept")
def test_kept_models_take_in_another_crawl(run):
    before = {host: loaded(model, "before") for host, model in models("batch/models").items()}
    run("run", *SOURCES, "--out", "new", *run_options("sites", "batch/models"), "--update-sites")
    now = {host: loaded(model, "now") for host, model in models("batch/models").items()}
    assert before.keys() == now.keys()
    for host, site in now.items():
        assert learned_from(site) >= 2 * learned_from(before[host])
        names = {template.name for template in before[host].templates}
        assert names <= {template.name for template in site.templates}
