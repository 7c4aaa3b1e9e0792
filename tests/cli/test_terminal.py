"""Nothing that a page, a name of a file or an error says drives the terminal, whatever the verb."""

import os
import re
import subprocess
import sys

import pytest

import chaffinch
from chaffinch.cli.terminal import shown
from chaffinch.site import Site
from tests.terminal_process import COMMAND, on_a_terminal

HOSTILE = "\x1b[31m\x9b31m\x9d0;title\x9c\x07\x08\u202eevil\u2066a\u2069\u202c\x85\x00\x7f"
OBEYED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
PROGRESS = re.compile(r"\x1b\[(?:K|A|\?25[lh])|\r")


def shown_by(*arguments, cwd=None):
    """Run the command on a terminal; return its code and what it shows besides its progress."""
    code, got = on_a_terminal(*arguments, cwd=cwd)
    return code, PROGRESS.sub("", got)


def test_what_is_shown():
    assert shown(HOSTILE) == "[31m31m0;titleevila"
    assert shown("a\tb\nשלום \u200fc") == "a\tb\nשלום \u200fc"


@pytest.fixture
def hostile(tmp_path):
    """A page whose title, text, attributes, tables and name are hostile."""
    name = HOSTILE.replace("\x00", "").replace("/", "")
    body = HOSTILE.replace("\x00", "")
    words = f"The finch {body} eats seeds, and the tit what is left of them. " * 30
    path = tmp_path / f"page{name}.html"
    path.write_text(
        f"<title>{body}</title><meta name=author content='{body}'><article id='{body}'><h1>{body}"
        f"</h1><p>{words}</p><table><tr><th>{body}<th>b<tr><td>c<td>{body}</table></article>",
        encoding="utf-8",
    )
    return path


VERBS = {
    **{
        form: ("extract", "-f", form, "--front-matter")
        for form in ("text", "markdown", "html", "json", "tei", "csv")
    },
    "clean": ("clean",),
    "columns": ("columns", "-c", "tag,id,text,selector"),
    "columns as CSV": ("columns", "-f", "csv", "-c", "tag,id,text"),
    "columns as JSON": ("columns", "-f", "json", "-c", "tag,id,text"),
    "compare": ("compare",),
}


KEEP = {"csv": ("--keep", "article")}


SHOWING = {
    "assess": ("assess",),
    "explain": ("explain",),
    "links": ("links",),
    "outline": ("outline",),
    "records": ("records",),
    "vips": ("vips",),
    "similarity": ("similarity",),
    "verify": ("verify", "other.html"),
    "diff": ("diff", "other.html"),
    "rules check": ("rules", "check", "model.toml"),
    "site": ("site", "report", "model.toml"),
    "learn": ("learn", "--save", "new.toml"),
    "run": ("run", "--out", "out", "-w", "1", "--method", "block_density"),
    "siblings": ("siblings",),
}
"""Verbs that may have nothing to say of such a page, or an error."""


@pytest.mark.parametrize("verb", SHOWING)
def test_no_other_verb_lets_it_through(verb, hostile):
    folder = hostile.parent
    (folder / "other.html").write_text(hostile.read_text("utf-8").replace("tit", "wren"), "utf-8")
    Site.learn([chaffinch.parse(hostile.read_bytes(), url=f"https://a.test/{HOSTILE}")]).save(
        folder / "model.toml"
    )
    code, got = shown_by(*SHOWING[verb], hostile.name, cwd=folder)
    assert code in range(4)
    assert got
    assert "Traceback" not in got
    assert not OBEYED.search(got)


@pytest.mark.parametrize("verb", VERBS)
def test_no_verb_lets_it_through(verb, hostile):
    code, got = shown_by(*VERBS[verb], hostile, *KEEP.get(verb, ()))
    assert code == 0
    assert "finch" in got or "evil" in got
    assert not OBEYED.search(got)


WRONG = {
    "no such file": ("extract", "none"),
    "not HTML": ("extract", "page", "page"),
    "unknown verb": ("{}",),
    "unknown option": ("extract", "page", "--{}"),
    "value": ("extract", "page", "-f", "{}"),
    "selector": ("extract", "page", "--keep", "[{}"),
    "settings": ("extract", "page", "--config", "{}"),
    "folder": ("crawl", "https://e.test/{}", "-o", "{}/x"),
}


@pytest.mark.parametrize("case", WRONG)
def test_no_error_lets_it_through(case, tmp_path):
    name = HOSTILE.replace("\x00", "")
    (tmp_path / f"page{name}").write_bytes(b"%PDF-1.7")
    arguments = [one.format(name) for one in WRONG[case]]
    arguments = [one + name if one in ("none", "page") else one for one in arguments]
    code, got = shown_by(*arguments, cwd=tmp_path)
    assert code in (1, 2)
    assert "evil" in got
    assert not OBEYED.search(got)


def test_progress_and_names_of_many_pages(hostile):
    (hostile.parent / f"b{hostile.name}").write_bytes(b"%PDF-1.7")
    code, got = shown_by("extract", hostile.parent, "-o", f"{hostile.parent}/out/")
    assert code == 1
    assert "2/2" in got
    assert "not HTML: PDF" in got
    assert not OBEYED.search(got)


def test_a_traceback_does_not_drive_it_either(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(
        "import chaffinch.cli.extract as verb\n"
        f"def fail(*_, **__): raise RuntimeError({HOSTILE!r} + 'evil')\n"
        "verb.find = fail\n"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
        code, got = shown_by("extract", "x.html")
    assert code == 1
    assert "Traceback" in got
    assert "evil" in got.rpartition("RuntimeError")[2]
    assert not OBEYED.search(got)


def test_pipes_get_what_was_written(hostile):
    call = [*COMMAND, "extract", str(hostile)]
    done = subprocess.run(call, capture_output=True, check=True)
    assert "\u202eevil" in done.stdout.decode()
    assert "\x1b[31m" in done.stdout.decode()
