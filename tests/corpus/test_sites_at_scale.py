"""Models of many hosts: learned from archives in any order, and applied by a run."""

from pathlib import Path

import pytest
from run_tables import rows

from bench.lib.archive import Shape, write_archive
from chaffinch.corpus import Plan, Recipe, learn_sites, learning, run
from chaffinch.site.site import Site

SHAPE = Shape(
    pages=60, files=3, hosts=3, share=0.6, paragraphs=3, large=0, has_perils=False, seed=4
)


@pytest.fixture(scope="module")
def sites(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sites")
    return write_archive(folder, SHAPE)


@pytest.fixture(scope="module")
def learned(sites, tmp_path_factory):
    models = tmp_path_factory.mktemp("models")
    return models, learn_sites(sites.files, models, date="2026-11-21")


def texts(folder):
    return {path.parent.name: path.read_text() for path in sorted(folder.glob("*/rules.toml"))}


def test_pages_are_extracted_by_the_models_of_their_sites(sites, learned, tmp_path):
    models, counts = learned
    assert set(counts) == set(texts(models))
    plan = Plan(out=str(tmp_path / "out"), buckets=2, recipe=Recipe(site=str(models)))
    report = run(sites.files, plan, workers=2)
    found = rows(tmp_path / "out")
    assert len(found) == sites.pages
    known = [row for row in found if row["host"] in counts]
    assert {row["method"] for row in found} == {"site"}
    fit = [row for row in known if row["template"]]
    assert all(row["text"] for row in fit)
    assert report.tally.templates.total() == len(fit) > len(known) / 2


def test_models_depend_neither_on_files_nor_on_what_is_put_away(
    sites, learned, tmp_path, monkeypatch
):
    whole = tmp_path / "whole.warc.gz"
    whole.write_bytes(b"".join(Path(one).read_bytes() for one in reversed(sites.files)))
    monkeypatch.setattr(learning, "_HELD", 7)
    monkeypatch.setattr(learning, "_MERGED", 3)
    counts = learn_sites([str(whole)], tmp_path / "models", date="2026-11-21")
    assert counts == learned[1]
    assert texts(tmp_path / "models") == texts(learned[0])


def test_models_that_are_there_are_updated(sites, tmp_path):
    first = learn_sites(sites.files[:2], tmp_path, date="2026-11-21")
    before = {host: Site.load(tmp_path / host) for host in first}
    later = learn_sites(sites.files[2:], tmp_path, date="2026-12-21")
    assert set(first) & set(later)
    for host in set(first) & set(later):
        after = Site.load(tmp_path / host)
        assert len(after.history) > len(before[host].history)


def test_few_pages_teach_nothing(sites, tmp_path, monkeypatch):
    monkeypatch.setattr(learning, "LEAST", 500)
    assert learn_sites(sites.files[:1], tmp_path) == {}
    assert not list(tmp_path.iterdir())
