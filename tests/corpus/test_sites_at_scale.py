"""Site models of many hosts: learned by bucket, from shards in any order, and kept."""

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pyarrow.dataset as ds
import pytest
from click.testing import CliRunner

from bench.lib.archive import Shape, write_archive
from chaffinch.cli import main
from chaffinch.corpus import Plan, Recipe, process_bucket, process_shard, run
from chaffinch.corpus.sites import LEARNED, SiteStore, collect_statistics
from chaffinch.corpus.sources import find_shards
from chaffinch.corpus.store import bucket_of
from chaffinch.errors import OptionError

SHAPE = Shape(
    pages=60, files=3, hosts=3, share=0.6, paragraphs=3, large=0, has_perils=False, seed=4
)


@pytest.fixture(scope="module")
def sites(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sites")
    return folder, write_archive(folder, SHAPE)


def plan_for(path, **options):
    recipe = Recipe(site_models=str(path / "models"), date="2026-11-21", support=8)
    return Plan(out=str(path / "out"), buckets=2, recipe=recipe, **options)


@pytest.fixture(scope="module")
def crawled(sites, tmp_path_factory):
    path = tmp_path_factory.mktemp("crawled")
    return path, run(sites[1].files, plan_for(path), workers=2)


def models(path):
    """Return host → pages, model of a folder of models."""
    found = {}
    for file in sorted((path / "models").glob("*.sqlite")):
        with sqlite3.connect(file) as opened:
            for host, pages, model in opened.execute("SELECT host, pages, model FROM models"):
                found[host] = (pages, model)
        opened.close()
    return found


def test_pages_are_extracted_by_rules(sites, crawled):
    path, report = crawled
    rows = ds.dataset(path / "out/pages", partitioning="hive").to_table().to_pylist()
    assert len(rows) == sites[1].pages
    by_rules = [row for row in rows if row["method"] == "site, rules"]
    assert len(by_rules) > len(rows) / 2
    assert all(row["template"] and row["text"] for row in by_rules)
    assert report.tally.templates.total() >= len(by_rules)
    hosts = {row["host"] for row in rows}
    assert set(models(path)) <= hosts
    assert sum(pages for pages, _ in models(path).values()) <= len(rows)
    left = {one.name for one in (path / "out").iterdir()}
    assert left.isdisjoint({"statistics", "before"})


def test_models_dont_depend_on_the_shards(sites, crawled, tmp_path):
    whole = tmp_path / "whole.warc.gz"
    parts = [Path(one).read_bytes() for one in reversed(sites[1].files)]
    whole.write_bytes(b"".join(parts))
    run([str(whole)], plan_for(tmp_path), workers=2)
    assert models(tmp_path) == models(crawled[0])


def test_the_next_crawl_uses_them(sites, crawled, tmp_path):
    path, _ = crawled
    before = models(path)
    again = replace(plan_for(path), out=str(tmp_path / "out"))
    run(sites[1].files[:1], again, workers=1)
    assert models(path) == before
    rows = ds.dataset(tmp_path / "out/pages", partitioning="hive").to_table().to_pylist()
    assert {row["method"] for row in rows} >= {"site, rules"}


def test_the_next_crawl_can_be_taken_in(sites, tmp_path):
    first = plan_for(tmp_path)
    run(sites[1].files[:2], first, workers=2)
    before = models(tmp_path)
    later = replace(
        first,
        out=str(tmp_path / "later"),
        update_sites=True,
        recipe=replace(first.recipe, date="2026-12-21"),
    )
    run(sites[1].files[2:], later, workers=2)
    after = models(tmp_path)
    assert any(after[host][0] > before[host][0] for host in before)
    other = replace(later, out=str(tmp_path / "other"), buckets=3)
    with pytest.raises(OptionError, match="2 buckets, not 3"):
        run(sites[1].files, other)


def test_one_reading_makes_pages_and_models(sites, crawled, tmp_path):
    path, _ = crawled
    plan = plan_for(tmp_path, one_pass=True)
    report = run(sites[1].files, plan, workers=2)
    assert models(tmp_path) == models(path)  # as by two readings
    assert report.tally.rows == sites[1].pages
    assert set(report.tally.methods) == {"learned"}  # there were no models when it began
    assert report.drift == {"sites": 0, "findings": {}}
    left = {one.name for one in (tmp_path / "out").iterdir()}
    assert left.isdisjoint({"statistics", "before", "seen"})
    again = replace(plan, out=str(tmp_path / "again"), update_sites=True)
    report = run(sites[1].files, again, workers=2)
    assert report.tally.methods["site, rules"] > sites[1].pages / 2
    before = models(path)
    assert any(pages > before[host][0] for host, (pages, _) in models(tmp_path).items())


def test_a_shard_gives_pages_and_partial_statistics(sites, crawled, tmp_path):
    plan = plan_for(tmp_path, one_pass=True)
    plan = replace(plan, recipe=replace(plan.recipe, statistics=True))
    for shard in find_shards(sites[1].files):
        for _ in range(2):  # again, as if killed before its marker
            assert process_shard(shard, plan).marker["tally"]["rows"] == 20
            (tmp_path / "out/done" / f"{shard.name}.json").unlink()
    for bucket in range(2):
        assert process_bucket(bucket, plan).marker
    assert models(tmp_path) == models(crawled[0])


def test_a_rebuilt_site_is_reported(crawled, tmp_path):
    path, first = crawled
    assert first.drift["sites"] == len(models(path))
    assert first.drift["findings"] == {}
    rebuilt = tmp_path / "rebuilt.jsonl"
    host = max(models(path), key=lambda one: models(path)[one][0])
    words = "<td><span>The finch looks for grain and finds it every day.</span></td>" * 9
    page = f"<table><tr>{words}</tr></table>" * 4
    rebuilt.write_text(
        "\n".join(
            json.dumps({"url": f"https://{host}/{n}", "html": f"<h2>{n}</h2>{page}"})
            for n in range(8)
        )
    )
    out = tmp_path / "out"
    report = run([str(rebuilt)], replace(plan_for(path), out=str(out)), workers=1)
    assert list(report.drift["findings"]) == [host]
    assert "8 of 8 pages fit no template" in report.drift["findings"][host][0]
    assert json.loads((out / "report.json").read_text())["drift"] == report.drift
    assert "8 of 8 pages fit no template" in (out / "report.html").read_text()
    shown = CliRunner().invoke(main, ["run", "--report", "text", str(out)]).output
    assert f"{host}: 8 of 8 pages fit no template" in shown


def test_a_bucket_may_be_learned_again_at_any_time(sites, tmp_path):
    plan = plan_for(tmp_path)
    for shard in find_shards(sites[1].files):
        assert collect_statistics(shard, plan, children=2).marker
    for bucket in range(2):
        assert process_bucket(bucket, plan).marker
    wanted = models(tmp_path)
    assert wanted
    for marker in (tmp_path / "out" / LEARNED).iterdir():
        marker.unlink()  # as if killed between the models and the marker
    for bucket in range(2):
        process_bucket(bucket, plan)
    assert models(tmp_path) == wanted


def test_a_folder_without_models_has_none(tmp_path):
    store = SiteStore(str(tmp_path))
    assert store.model("a.example") is None
    assert list(store.sites(0)) == []
    store.write(bucket_of("b.example", 1), [])
    store.complete(1)
    assert SiteStore(str(tmp_path)).model("b.example") is None


def test_impossible_plans_of_sites():
    with pytest.raises(OptionError, match="leave method"):
        Recipe(site_models="x", method="block_density")
    with pytest.raises(OptionError, match="own extractor"):
        Plan(out="x", extractor="a:b", recipe=Recipe(site_models="x"))
    with pytest.raises(OptionError, match="goes with site_models"):
        Plan(out="x", update_sites=True)
    with pytest.raises(OptionError, match="one_pass goes with"):
        Plan(out="x", one_pass=True)
