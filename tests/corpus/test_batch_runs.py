"""A run's rows, its files, and what going on with one does."""

import json
import re
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from run_tables import CHEAP, lines, rows

from bench.safety.kills import rows_of
from chaffinch.cli import main
from chaffinch.corpus import PageLimits, Plan, Recipe, process_shard, read_report, run
from chaffinch.corpus.report import Tally
from chaffinch.corpus.runs import ENGINES, engine_of
from chaffinch.corpus.sources import find_shards
from chaffinch.corpus.store import bucket_of
from chaffinch.corpus.table import COLUMNS, ERRORS, VERSION
from chaffinch.errors import OptionError, SetupError


def test_every_page_is_there_and_the_bad_ones_are_labelled(perilous):
    out, manifest, report = perilous
    found = {row["url"]: row for row in rows(out) if row["url"]}
    labels = {peril: found[url]["error"] for peril, url in manifest.perils.items()}
    assert labels == {
        "hang": "time", "hold": "time", "exit": "exit", "segfault": "crash", "memory": "memory",
    }  # fmt: skip
    assert all(found[url]["length"] > 300_000 for url in manifest.large)
    assert len(found) == manifest.pages  # those that are lost, too, by the address in their heads
    assert sum(row["error"] == "record" for row in found.values()) >= manifest.lost
    assert report.tally.errors == Counter(
        {"record": 3, "time": 2, "exit": 1, "crash": 1, "memory": 1}
    )
    assert set(report.tally.errors) <= set(ERRORS)


def test_columns_are_those_of_the_schema(perilous):
    out, manifest, _ = perilous
    for path in out.glob("pages/*/*.parquet"):
        file = pq.ParquetFile(path)
        assert file.schema_arrow.names == list(COLUMNS)
        assert file.schema_arrow.metadata[b"chaffinch.schema"] == str(VERSION).encode()
        assert file.metadata.row_group(0).column(0).compression == "ZSTD"
        bucket = int(re.search(r"bucket=(\d+)", str(path))[1])
        hosts = set(file.read(["host"])["host"].to_pylist())
        assert {bucket_of(host, 16) for host in hosts} == {bucket}
    row = next(r for r in rows(out) if not r["error"] and r["length"] < 9000)
    assert all(row[name] for name in ("title", "text", "markdown", "authors"))
    assert (row["declared_type"], row["status"]) == ("article", 200)
    assert row["fetched"] == "2026-11-21T12:00:00Z"
    assert 0 <= row["score"] <= 1
    assert 0 < row["confidence"] <= 1
    assert row["file"] in manifest.files


def test_nothing_is_left_half_written(perilous):
    out, _, _ = perilous
    assert not list(out.rglob("*.part"))
    assert len(list(out.glob("done/*.json"))) == 4


def test_one_shard_is_a_pure_function(clean_archive, tmp_path):
    shard = find_shards([clean_archive[1].files[0]])[0]
    for name in "ab":
        assert not process_shard(shard, Plan(out=str(tmp_path / name), recipe=CHEAP)).problem
    assert len(rows_of(tmp_path / "a")) == 30
    assert rows_of(tmp_path / "a") == rows_of(tmp_path / "b")


def test_a_run_goes_on_where_it_was(clean_archive, tmp_path):
    _, manifest = clean_archive
    plan = Plan(out=str(tmp_path / "out"), recipe=CHEAP)
    with pytest.raises(SetupError, match="unknown method"):
        run(manifest.files, Plan(out=plan.out, recipe=Recipe(method="none")))
    run(manifest.files[:2], plan, workers=2)
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out/pages").rglob("*.parquet")}
    with pytest.raises(OptionError, match="holds a run"):
        run(manifest.files, plan)
    with pytest.raises(OptionError, match="differs in buckets, recipe"):
        run(manifest.files, Plan(out=plan.out, buckets=3), resume=True)
    stray = tmp_path / "out/pages/bucket=00000/x.parquet.123.part"
    stray.parent.mkdir(exist_ok=True)
    stray.write_bytes(b"half")
    report = run(manifest.files, plan, resume=True, workers=2)
    assert report.tally.rows == manifest.pages
    assert report.done == 4
    assert run(manifest.files[:1], plan, resume=True).about["shards"] == 4
    assert {path: path.stat().st_mtime_ns for path in before} == before
    assert not stray.exists()
    assert max(rows_of(tmp_path / "out").values()) == 1


def test_a_source_that_changed_is_done_again(tmp_path):
    source = tmp_path / "a.jsonl"
    source.write_text(lines(("https://a.example/", "<p>one"), ("https://b.example/", "<p>two")))
    plan = Plan(out=str(tmp_path / "out"), recipe=CHEAP)
    run([str(source)], plan, workers=1)
    source.write_text(lines(("https://c.example/", "<p>three pages")))
    run([str(source)], plan, resume=True, workers=1)
    assert [row["url"] for row in rows(tmp_path / "out")] == ["https://c.example/"]


def test_json_lines_hold_the_same(clean_archive, tmp_path):
    _, manifest = clean_archive
    found = {}
    for form in ("parquet", "jsonl"):
        plan = Plan(out=str(tmp_path / form), form=form, recipe=CHEAP)
        run(manifest.files[:1], plan, workers=1)
        others = {"bucket", "score", "confidence"}  # which stands in the folder, and other widths
        found[form] = [
            {name: value for name, value in row.items() if name not in others}
            for row in rows(tmp_path / form)
        ]
    assert found["jsonl"] == found["parquet"]


def test_a_source_that_cant_be_read_costs_only_itself(clean_archive, tmp_path, monkeypatch):
    _, manifest = clean_archive
    monkeypatch.setattr("chaffinch.corpus.runs._WAIT", 0)
    gone = tmp_path / "gone.warc.gz"
    gone.write_bytes(Path(manifest.files[0]).read_bytes())
    gone.chmod(0)
    shards = find_shards([str(gone)])
    gone.unlink()
    outcome = process_shard(shards[0], Plan(out=str(tmp_path / "out")))
    assert not outcome.is_fatal
    assert "No such file" in outcome.problem


def test_what_no_shard_can_do_stops_the_run(clean_archive, tmp_path):
    _, manifest = clean_archive
    plan = Plan(out=str(tmp_path / "out"), extractor="no:such")
    with pytest.raises(SetupError, match="can't be imported"):
        run(manifest.files, plan)
    (tmp_path / "file").write_text("x")
    with pytest.raises(SetupError, match="can't"):
        run(manifest.files, Plan(out=str(tmp_path / "file" / "out"), recipe=CHEAP))


def test_impossible_plans():
    for options, words in (
        ({"form": "xml"}, "unknown form"),
        ({"buckets": 0}, "buckets"),
        ({"duplicates": "maybe"}, "unknown duplicates"),
        ({"duplicates": "mark", "recipe": Recipe(only_metadata=True)}, "only_metadata"),
    ):
        with pytest.raises(OptionError, match=words):
            Plan(out="x", **options)
    with pytest.raises(OptionError, match="wall"):
        PageLimits(wall=0)
    with pytest.raises(OptionError, match="unknown engine"):
        engine_of("abacus").__enter__()
    assert set(ENGINES) == {"local", "ray", "spark"}


counters = st.dictionaries(st.sampled_from("abc"), st.integers(1, 9)).map(Counter)
tallies = st.builds(
    Tally, rows=st.integers(0, 9), errors=counters, hosts=counters, peak=st.integers(0, 9)
)


@given(st.lists(tallies, max_size=6), st.randoms())
def test_tallies_add_up_in_any_order(parts, dice):
    def total(given_parts):
        out = Tally()
        for part in given_parts:
            out.add(Tally.from_dict(json.loads(json.dumps(part.to_dict()))))
        return out

    shuffled = list(parts)
    dice.shuffle(shuffled)
    assert total(parts) == total(shuffled)


def test_the_report_is_a_page_that_needs_nothing(perilous):
    out, _, report = perilous
    page = (out / "report.html").read_text(encoding="utf-8")
    assert page == read_report(str(out)).to_html()
    assert "time: not done within the limit of time" in page
    assert "<script" not in page
    assert not re.search(r"src=|<link|href=\"(?!https?:)", page)  # links to pages alone
    assert json.loads((out / "report.json").read_text()) == json.loads(report.to_json())
    for other in ("pages", "report.html"):
        with pytest.raises(OptionError, match="holds no run"):
            read_report(str(out / other))


def test_a_run_into_an_object_store(clean_archive):
    import fsspec  # noqa: PLC0415 - beside its use

    _, manifest = clean_archive
    plan = Plan(out="memory://results/run", recipe=CHEAP)
    report = run(manifest.files[:1], plan, workers=1)
    assert report.tally.rows == 30
    files = fsspec.filesystem("memory").find("/results/run/pages")
    assert files
    assert run(manifest.files[:1], plan, workers=1, resume=True).tally.rows == 30


def test_the_command_line(clean_archive, tmp_path):
    _, manifest = clean_archive
    out = str(tmp_path / "out")
    call = [*manifest.files[:2], "--output", out, "-m", "block_density", "-w", "2"]
    call += ["--buckets", "3"]
    done = CliRunner().invoke(main, ["run", *call])
    assert done.exit_code == 0, done.output
    plan = json.loads((tmp_path / "out" / "run.json").read_text())["plan"]
    assert (plan["buckets"], plan["recipe"]["method"]) == (3, "block_density")
    assert "2 of 2 shards, 60 pages" in done.output
    again = CliRunner().invoke(main, ["run", *call])
    assert again.exit_code == 2
    assert "--resume" in again.output
    assert CliRunner().invoke(main, ["run", *call, "--resume"]).exit_code == 0
    shown = CliRunner().invoke(main, ["run", "--report", "text", out])
    assert "errors: none" in shown.output
    assert CliRunner().invoke(main, ["run", "--report", "html", out]).output.startswith("<!DOCTYPE")
    assert CliRunner().invoke(main, ["run", "--report", "text", str(tmp_path)]).exit_code == 2
    nothing = CliRunner().invoke(main, ["run", str(tmp_path / "none"), "--output", out + "2"])
    assert "no such file or folder" in nothing.output


def test_a_run_in_its_own_source_goes_on_without_what_it_wrote(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("rye.html").write_text("<h1>Rye</h1><p>Rye is a grass, grown for its grain.")
    for extra in ([], ["--resume"], ["--resume"]):
        done = CliRunner().invoke(
            main, ["run", ".", "--output", "out", "--format", "jsonl", *extra]
        )
        assert done.exit_code == 0, done.output
        assert read_report("out").tally.rows == 1
