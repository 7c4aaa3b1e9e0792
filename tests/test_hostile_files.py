"""Names that want to leave the output's folder, and files that want to run something when read."""

import ast
import io
import json
import os
import pickle
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import chaffinch
from bench.lib.hostile_kinds import KINDS
from chaffinch.cli import main
from chaffinch.errors import RulesError, WeightsError
from chaffinch.model import block_scores
from chaffinch.service.problems import ProblemError
from chaffinch.service.reader import kept_site
from chaffinch.service.settings import ServiceSettings
from chaffinch.site import Site
from chaffinch.site.file import keep_rule
from chaffinch.site.rules import Rule
from chaffinch.storage import MOST_BYTES, read_arrays
from rows_of_cases import examples

PAGE = b"<title>Rye</title><h1>Rye</h1><article>" + b"<p>The rye stands high in all fields. " * 9
NAMES = examples(__file__, "hostile files names")
URLS = examples(__file__, "hostile files urls")


def everything_below(folder):
    return {str(one.relative_to(folder)) for one in folder.rglob("*")}


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder in a folder, from which names would lead out; it is the current one."""
    inner = tmp_path / "outer" / "inner"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    return inner


def zipped(path, names):
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(zipfile.ZipInfo(name), PAGE)


def tarred(path, names):
    with tarfile.open(path, "w") as archive:
        for name in names:
            info = tarfile.TarInfo(name)
            info.size = len(PAGE)
            archive.addfile(info, io.BytesIO(PAGE))
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE):
            link = tarfile.TarInfo("link.html")
            link.type, link.linkname = kind, "/etc/hostname"
            archive.addfile(link)


def lines_of(path, urls):
    path.write_text("\n".join(json.dumps({"html": PAGE.decode(), "url": url}) for url in urls))


ARCHIVES = {"rye.zip": (zipped, NAMES), "rye.tar": (tarred, NAMES), "rye.jsonl": (lines_of, URLS)}


@pytest.mark.parametrize("name", ARCHIVES)
def test_no_name_leads_out_of_the_folder_of_outputs(place, name):
    write, names = ARCHIVES[name]
    write(place / name, names)
    before = everything_below(place.parents[1])
    CliRunner().invoke(main, ["extract", name, "-o", "full/"])
    new = everything_below(place.parents[1]) - before
    assert len(new) > len(names) / 2
    assert {one for one in new if not one.startswith("outer/inner/full")} == set()
    for one in new:
        assert not any(part.partition(".")[0].rstrip().upper() in {"CON", "NUL", "AUX", "COM1"}
                       for part in Path(one).parts), one  # fmt: skip
        assert ":" not in one


def test_no_link_in_the_folder_leads_out(place):
    outside = place.parents[1] / "outside"
    outside.mkdir()
    (outside / "kept.txt").write_text("kept")
    (place / "full").mkdir()
    (place / "full" / "sub").symlink_to(outside)
    (place / "full" / "file.txt").symlink_to(outside / "kept.txt")
    (place / "full" / "ring.txt").symlink_to("ring.txt")
    zipped(place / "rye.zip", ["sub/a.html", "file.html", "ring.html", "well.html"])
    done = CliRunner().invoke(main, ["extract", "rye.zip", "-o", "full/"])
    assert done.exit_code == 1
    assert done.stderr.count("a link leads out of full") == 2
    assert everything_below(outside) == {"kept.txt"}
    assert (outside / "kept.txt").read_text() == "kept"
    assert (place / "full" / "well.txt").exists()


SITES = examples(__file__, "hostile files sites")


@pytest.mark.parametrize("name", SITES)
def test_no_name_of_a_site_is_a_path(tmp_path, name):
    with pytest.raises(ProblemError):
        kept_site(ServiceSettings(data=tmp_path), name)
    assert everything_below(tmp_path) == set()


RUNS = {*examples(__file__, "hostile files runs")}


ALLOWED = {(path, call) for path, call, _why in examples(__file__, "hostile files allowed")}


def dotted(node):
    if isinstance(node, ast.Attribute):
        inner = dotted(node.value)
        return f"{inner}.{node.attr}" if inner else node.attr
    return node.id if isinstance(node, ast.Name) else ""


def calls():
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                name = dotted(node.func)
                own = name if name in RUNS else name.rpartition(".")[2]
                if name in RUNS or own in ("extractall", "import_module", "load_module"):
                    yield str(path.relative_to(SOURCE)), name, node


def test_nothing_runs_what_a_file_holds():
    found = {}
    for path, name, node in calls():
        if name == "re.compile":
            continue
        found.setdefault((path, name), []).append(node)
    assert {key: [one.lineno for one in nodes] for key, nodes in found.items()
            if key not in ALLOWED} == {}  # fmt: skip
    (load,) = found["storage.py", "np.load"]
    (pickles,) = [one for one in load.keywords if one.arg == "allow_pickle"]
    assert pickles.value.value is False


# What runs something


class Bang:
    """Makes a file when it is unpickled."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return (open, (str(self.path), "w"))


def archive_of(**arrays):
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def header_of(shape):
    """A small npy file that says it is large."""
    out = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        out, {"descr": "<f8", "fortran_order": False, "shape": shape}
    )
    return out.getvalue()


def test_no_array_of_objects_is_unpickled(tmp_path):
    bang = np.array([Bang(tmp_path / "hit")], dtype=object)
    data = archive_of(header=bang, weights=bang)
    pickle.loads(pickle.dumps(Bang(tmp_path / "hit"))).close()  # noqa: S301  it does run
    (tmp_path / "hit").unlink()
    (tmp_path / "a.npz").write_bytes(data)
    Site.learn([chaffinch.parse(PAGE)]).save(tmp_path / "site")
    (tmp_path / "site" / "data.npz").write_bytes(data)
    with pytest.raises(ValueError, match="allow_pickle"):
        read_arrays(data)
    with pytest.raises(RulesError):
        Site.load(tmp_path / "site")
    with pytest.raises(WeightsError):
        block_scores.load(tmp_path / "a.npz")
    assert not (tmp_path / "hit").exists()


@pytest.mark.parametrize("shape", [(1 << 40,), (1 << 20, 1 << 20), (-1,), (2**63,), (1 << 30,) * 9])
def test_arrays_that_say_they_are_large(shape):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.npy", header_of(shape) + b"12345678")
    with pytest.raises(ValueError, match=r"."):
        read_arrays(out.getvalue())


def test_an_archive_of_arrays_that_unpacks_without_end():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        piece = bytes(1 << 26)
        with archive.open("a.npy", "w", force_zip64=True) as member:
            for _ in range(MOST_BYTES // len(piece) + 1):
                member.write(piece)
    with pytest.raises(ValueError, match="bytes of arrays"):
        read_arrays(out.getvalue())


# Saved sites


def endless(path):
    """Make a large file of nothing."""
    with path.open("ab") as file:
        file.truncate(MOST_BYTES + 1)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
@pytest.mark.parametrize("name", ["rules.toml", "data.npz"])
@pytest.mark.parametrize(
    "make", [lambda path: path.symlink_to("/dev/zero"), os.mkfifo, endless], ids=range(3)
)
def test_files_of_a_model_that_have_no_end(tmp_path, make, name):
    """A device or a pipe in place of the rules was read without end."""
    Site(host="rye").save(tmp_path)
    (tmp_path / name).unlink(missing_ok=True)
    make(tmp_path / name)
    if name == "rules.toml" or make is endless:
        with pytest.raises(RulesError, match=f"can't read .*{name}"):
            Site.load(tmp_path)
    else:
        assert Site.load(tmp_path).host == "rye"  # as if it weren't there


SELECTORS = [
    "//*[contains(., 'rye')]" * 50, "//p[" * 200, ":is(" * 200 + "p" + ")" * 200, "p" * 100_000,
    "//document('file:///etc/passwd')", "//p[system-property('x')]", "*" + " *" * 200, "\0", "p,",
    "//@*", "string(//p)", "1", "//p[count(//p) = 10 div 0]", "p:nth-child(999999999999n+1)",
    "body :not(:not(:not(p)))", "//p[matches(., '(a+)+$')]", "id('a')/..", "", " ", "\ud800",
]  # fmt: skip


@pytest.mark.parametrize("selector", SELECTORS, ids=range(len(SELECTORS)))
def test_hostile_selectors_of_saved_rules(tmp_path, selector):
    path = tmp_path / "rules.toml"
    Site(host="rye").save(tmp_path)
    rule = json.dumps(selector) if selector != "\ud800" else '"\\ud800"'
    with path.open("a") as file:
        file.write(f'\n[[rule]]\nkind = "drop"\nselect = {rule}\n')
    try:
        site = Site.load(tmp_path)
    except RulesError:
        with pytest.raises(RulesError):
            keep_rule(tmp_path, Rule(kind="drop", select="p", by_hand=True))
        return
    site.extract(chaffinch.parse(PAGE)).text.encode()
    site.report().to_text().encode()


@pytest.mark.parametrize("first", range(0, len(KINDS), 12))
def test_what_hostile_pages_teach_is_read_as_it_was_saved(tmp_path, first):
    """Pages of one site: each kind thrice, so that its parts repeat, among three honest ones."""
    made = [make(1_500 + n) for make in [*KINDS.values()][first : first + 12] for n in range(3)]
    sources = [*made, *(PAGE.decode() + str(n) for n in range(3))]
    pages = [
        chaffinch.parse(html, url=f"https://rye.example/{n}") for n, html in enumerate(sources)
    ]
    site = Site.learn(pages, date="2026-11-27")
    site.save(tmp_path / "rye")
    again = Site.load(tmp_path / "rye")
    assert again.to_text() == site.to_text()
    for page in pages:
        assert again.extract(page).text == site.extract(page).text
    assert "The rye stands high" in again.extract(pages[-1]).text


HOSTILE_RULES = [
    'p"]\n[[rule]]\nkind="drop"', "p\x00", "p\ud800", "}{", ":not(" * 5000, "p, " * 20000,
    "a[b='\\", "'''", "p:has(" * 200 + "a" + ")" * 200, "p" * 100_000, "*",
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(HOSTILE_RULES)))
def test_hostile_rules_that_are_taught_are_kept_as_they_are_or_refused(tmp_path, number):
    path = tmp_path / "rules.toml"
    Site(host="rye").save(tmp_path)
    before = path.read_bytes()
    rule = Rule(kind="drop", select=HOSTILE_RULES[number], by_hand=True)
    try:
        keep_rule(tmp_path, rule)
    except chaffinch.SetupError:
        assert path.read_bytes() == before
    else:
        assert [one.select for one in Site.load(tmp_path).rules] == [rule.select]


SOURCE = Path(chaffinch.__file__).parent
