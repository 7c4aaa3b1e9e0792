"""Nothing that a page, a name of a file or an error says drives the terminal, whatever the verb."""

import json
import os
import re
import shutil
import subprocess
import sys

import pytest

import chaffinch
from chaffinch.cli import VERBS, site
from chaffinch.cli.streams import shown
from chaffinch.site import Site
from rows_of_cases import examples
from tests.terminal_process import COMMAND, on_a_terminal

BYTES = "\udc9b31m\udcff"
"""Bytes of a name that isn't UTF-8, of which one begins a sequence for some terminals."""
HOSTILE = "\x1b[31m\x9b31m\x9d0;title\x9c\x07\x08\u202eevil\u2066a\u2069\u202c\x85\x00\x7f"
OBEYED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\udc80-\udcff]")
PROGRESS = re.compile(r"\x1b\[(?:K|A|\?25[lh])|\r")


def shown_by(*arguments, cwd=None):
    """Run the command on a terminal; return its code and what it shows besides its progress."""
    code, got = on_a_terminal(*arguments, cwd=cwd)
    return code, PROGRESS.sub("", got)


def test_what_is_shown():
    assert shown(f"a{BYTES}") == "a31m"
    assert shown(HOSTILE) == "[31m31m0;titleevila"
    assert shown("a\tb\nשלום \u200fc") == "a\tb\nשלום \u200fc"


@pytest.fixture
def hostile(tmp_path):
    """A page whose title, text, attributes, tables and name are hostile."""
    name = f"{HOSTILE}{BYTES}".replace("\x00", "")
    body = HOSTILE.replace("\x00", "")
    words = f"The finch {body} eats seeds, and the tit what is left of them. " * 30
    path = tmp_path / f"page{name}.html"
    path.write_text(
        f"<title>{body}</title><meta name=author content='{body}'><article id='{body}'><h1>{body}"
        f"</h1><p>{words}</p><table><tr><th>{body}<th>b<tr><td>c<td>{body}</table></article>",
        encoding="utf-8",
    )
    return path


TOLD = examples(__file__, "terminal told")
"""Calls that tell of such a page."""
OTHERS = examples(__file__, "terminal others")
"""Calls that may have nothing to say of it, or an error; names are all hostile."""


def test_every_verb_is_tried():
    calls = [call.split() for call in TOLD + OTHERS]
    assert {call[0] for call in calls} == set(VERBS)
    for place, group in ((1, site.site), (2, site.rules)):
        tried = {call[place] for call in calls if call[place - 1] == group.name}
        assert tried == set(group.commands)


def beside(page, evil):
    """Write models, labels and a site config next to a page, with what is hostile in each."""
    folder = page.parent
    html = page.read_text("utf-8")
    (folder / "other.html").write_text(html.replace("tit", "wren"), "utf-8")
    model = Site.learn([chaffinch.parse(html, url=f"https://a.test/{HOSTILE}")])
    model.save(folder / "other")
    select = json.dumps(f'p[title="{evil}"]'.replace("\x7f", ""))
    rule = f'\n[[rule]]\nkind = "drop"\nselect = {select}\ntaught = {json.dumps(evil[:-1])}\n'
    text = (folder / "other" / "rules.toml").read_text("utf-8")
    at = text.find("\n[[template")
    shutil.copytree(folder / "other", folder / evil)
    (folder / evil / "rules.toml").write_text(text[:at] + rule + text[at:], "utf-8")
    (folder / f"site{evil}.txt").write_text(f"body: //p[{evil}\n{evil}: x\n", "utf-8")
    label = {"id": evil, "html": html, "url": f"https://a.test/{evil}", "gold_text": evil}
    (folder / f"{page.name}.jsonl").write_text(json.dumps(label))


@pytest.mark.parametrize("call", TOLD + OTHERS)
def test_no_verb_lets_it_through(call, hostile):
    evil = HOSTILE.replace("\x00", "")
    beside(hostile, evil)
    given = [one.format(page=hostile.name, evil=evil) for one in call.split()]
    code, got = shown_by(*given, cwd=hostile.parent)
    assert code in range(1 if call in TOLD else 4)
    assert ("finch" in got or "evil" in got) if call in TOLD else got
    assert "Traceback" not in got
    assert not OBEYED.search(got)


WRONG = examples(__file__, "terminal wrong")


@pytest.mark.parametrize("call", WRONG)
def test_no_error_lets_it_through(call, tmp_path):
    name = HOSTILE.replace("\x00", "")
    (tmp_path / f"page{name}").write_bytes(b"%PDF-1.7")
    code, got = shown_by(*(one.format(name) for one in call.split()), cwd=tmp_path)
    assert code in (1, 2)
    assert "evil" in got
    assert not OBEYED.search(got)


def test_a_traceback_does_not_drive_it_either(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(
        "import chaffinch.cli.extract as verb\n"
        f"def fail(*_, **__): raise RuntimeError({HOSTILE!r} + 'evil')\n"
        "verb.form_of = fail\n"
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
