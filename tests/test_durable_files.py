"""What stands on the disk after a power cut, a full disk, a jump of the clock, and two writers."""

import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import chaffinch
from chaffinch.cli import site as learn
from chaffinch.corpus import Plan, Recipe, run
from chaffinch.corpus.store import Storage
from chaffinch.errors import RulesError, SetupError
from chaffinch.site import Site
from chaffinch.site.file import read_rules
from chaffinch.storage import locked_folder, replace_files
from chaffinch.web.archive import Archive
from chaffinch.web.frontier import Visit

PAGE = "<title>Rye {n}</title><h1>Rye {n}</h1>" + "<p>The rye of field {n} stands high. " * 9


class Disk:
    """What the system was told to put on the disk, in order."""

    def __init__(self, patch):
        self.told = []
        fsync, replace = os.fsync, os.replace

        def flush(number):
            self.told.append(("flush", str(Path(f"/proc/self/fd/{number}").readlink())))
            fsync(number)

        def rename(old, new, **options):
            self.told.append(("rename", str(old), str(new)))
            replace(old, new, **options)

        patch.setattr(os, "fsync", flush)
        patch.setattr(os, "replace", rename)

    def lasting(self):
        """Return name → when it lasts, of all files: what is flushed, renamed, and its folder."""
        flushed, renamed, out = {}, {}, {}
        for when, (what, path, *to) in enumerate(self.told):
            if what == "rename":
                renamed[to[0]] = flushed.get(path)
            elif path in renamed.values() or Path(path).is_dir():
                for name, content in renamed.items():
                    if str(Path(name).parent) == path and content is not None:
                        out.setdefault(name, when)
            flushed[path] = when
        return out


@pytest.fixture
def disk(monkeypatch):
    if not Path("/proc/self/fd").exists():
        pytest.skip("the names of open files can't be had here")
    return Disk(monkeypatch)


@pytest.fixture
def pages(tmp_path):
    rows = [{"html": PAGE.format(n=n), "url": f"https://rye{n}.example/"} for n in range(6)]
    path = tmp_path / "rye.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def plan(out, **options):
    return Plan(out=str(out), buckets=2, recipe=Recipe(method="block_density"), **options)


def test_a_marker_lasts_after_the_pages_that_it_stands_for(disk, pages, tmp_path):
    out = tmp_path / "out"
    run([str(pages)], plan(out), workers=1)
    lasting = disk.lasting()
    markers = [str(one) for one in out.glob("done/*.json")]
    files = [str(one) for one in out.glob("pages/*/*.parquet")]
    assert markers
    assert files
    begun = {to[0]: when for when, (what, _, *to) in enumerate(disk.told) if what == "rename"}
    assert max(lasting[one] for one in files) < min(begun[one] for one in markers)
    flushed = [path for what, path, *_ in disk.told if what == "flush"]
    folders = {str(parent) for one in files for parent in (Path(one).parents[1], out)}
    assert folders <= set(flushed)  # the names of the new folders, too
    assert set(markers) <= set(lasting)


def test_the_rules_of_a_model_last_after_its_data(disk, tmp_path):
    site = Site.learn([chaffinch.parse(PAGE.format(n=n)) for n in range(4)])
    site.save(tmp_path / "rye")
    lasting = disk.lasting()
    order = [lasting[str(tmp_path / "rye" / name)] for name in ("data.npz", "rules.toml")]
    assert order == sorted(order)


def test_a_crawl_lasts_when_it_is_closed(disk, tmp_path):
    path = tmp_path / "a.warc.gz"
    with Archive(path, plan={}) as archive:
        archive.write(Visit(url="http://a.test/", kind="failed"))
    flushed = [one[1] for one in disk.told]
    assert str(tmp_path) in flushed
    assert flushed[-1] == str(path)


def test_none_is_replaced_unless_all_are_written(tmp_path):
    first, second = tmp_path / "a", tmp_path / "none" / "b"
    first.write_text("old")
    with pytest.raises(OSError, match="No such file"):
        replace_files({first: b"new", second: b"new"})
    assert first.read_text() == "old"
    assert [one.name for one in tmp_path.iterdir()] == ["a"]


# Two writers


def test_two_runs_do_not_write_to_one_folder(pages, tmp_path, monkeypatch):
    monkeypatch.setattr("chaffinch.corpus.store._PATIENCE", 0.1)
    out = tmp_path / "out"
    with Storage(str(out)).locked():
        with pytest.raises(SetupError, match="being written to by another run"):
            run([str(pages)], plan(out), workers=1)
        assert list(out.iterdir()) == []


def test_two_crawls_do_not_write_to_one_file(tmp_path):
    path = tmp_path / "a.warc.gz"
    with Archive(path, plan={}):
        before = path.read_bytes()
        for resume, why in ((True, "being written by another crawl"), (False, "there already")):
            with pytest.raises(SetupError, match=why):
                Archive(path, plan={}, resume=resume)
        with Archive(tmp_path / "b.warc.gz", plan={}):
            assert path.read_bytes() == before


def test_two_teachers_keep_all_their_rules(tmp_path):
    path = tmp_path / "rye"
    Site(host="rye").save(path)
    code = (
        "import sys; from pathlib import Path; from chaffinch.site.rules import Rule\n"
        "from chaffinch.site.file import keep_rule\n"
        "for n in range(15):\n"
        "    rule = Rule(kind='drop', select=f'p.{sys.argv[2]}{n}', by_hand=True)\n"
        "    keep_rule(Path(sys.argv[1]), rule)\n"
    )
    both = [subprocess.Popen([sys.executable, "-c", code, str(path), name]) for name in "ab"]
    assert [one.wait(120) for one in both] == [0, 0]
    wanted = {f"p.{name}{n}" for name in "ab" for n in range(15)}
    assert {rule.select for rule in Site.load(path).rules} == wanted


def test_a_model_that_another_changed_meanwhile_is_not_overwritten(tmp_path):
    path = tmp_path / "rye"
    Site(host="rye").save(path)
    before = read_rules(path)
    learn._save(Site(host="rye"), path, before)  # noqa: SLF001  what the verb ends with
    Site(host="oats").save(path)
    with pytest.raises(RulesError, match="was changed while the model was learned"):
        learn._save(Site(host="rye"), path, before)  # noqa: SLF001
    assert Site.load(path).host == "oats"


def test_a_lock_is_waited_for(tmp_path):
    order = []

    def wait():
        with locked_folder(tmp_path):
            order.append("second")

    with locked_folder(tmp_path):
        other = threading.Thread(target=wait)
        other.start()
        with pytest.raises(BlockingIOError), locked_folder(tmp_path, patience=0.01):
            pass
        order.append("first")
    other.join()
    assert order == ["first", "second"]


OF_THE_DAY = re.compile(r"\btime\.time\(|\bdatetime\.(?:now|today|utcnow)\(|\bdate\.today\(")


DATES = ("corpus/runs elements/dates_in_text evaluate/evaluation site/rules web/polite").split()


def test_durations_go_by_the_clock_that_does_not_jump():
    """The clock of the day is asked for what stands in files and in headers, nowhere else."""
    source = Path(chaffinch.__file__).parent
    found = [path for path in source.rglob("*.py") if OF_THE_DAY.search(path.read_text("utf-8"))]
    names = sorted(str(path.relative_to(source).with_suffix("")) for path in found)
    assert names == sorted(DATES)


# Clocks that jump
