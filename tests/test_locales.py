"""Nothing goes by the locale: in Turkish the capital of «i» is «İ», and 1.5 is written 1,5."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bench.lib.hostile_outputs import COMPARED, OUTPUTS, PARSING
from printed import ROOT, called
from test_threads_of_library import MANY, digest

NAMES = sorted(OUTPUTS.keys() - COMPARED - {PARSING, "compare"})
"""The last says how long methods took."""
NUMBERS = range(3, len(MANY), 41)
PAGE = (
    "<!DOCTYPE HTML><HTML LANG=EN><TITLE>IRIS VIII</TITLE><META NAME=AUTHOR CONTENT='ILI IVI'>"
    "<META PROPERTY=ARTICLE:PUBLISHED_TIME CONTENT='1 JUNI 2021'><NAV ID=SIDEBAR>INDEX</NAV><MAIN>"
    "<H1>IRIS VIII</H1><P>By ILI IVI, Friday, 4 June 2021, 1.5 or 1,5</P>"
    + "<P CLASS=INTRO ITEMPROP=ARTICLEBODY>THE IRIS I LIKE IS IN THE FIELD, WHICH ISN'T ITS OWN. "
    * 9
    + "</MAIN><SCRIPT TYPE=APPLICATION/LD+JSON>"
    '{"@type": "Product", "name": "IRIS", "offers": {"price": "1.5", "priceCurrency": "try"}}'
)
DIGESTS = """
import locale, sys
locale.setlocale(locale.LC_ALL, "")
assert locale.localeconv()["decimal_point"] == ","
from test_locales import NAMES, NUMBERS, PAGE
from test_threads_of_library import digest
import test_threads_of_library as pages
pages.MANY.append(PAGE)
print(*[digest(NAMES, number) for number in [*NUMBERS, -1]])
"""


@pytest.fixture(scope="module")
def turkish(tmp_path_factory):
    """The environment of a process in Turkey."""
    if shutil.which("localedef") is None:
        pytest.skip("locales can't be made here")
    folder = tmp_path_factory.mktemp("locales")
    locale = "tr_TR.ISO-8859-9"  # of another encoding, too
    command = ["localedef", "-i", "tr_TR", "-f", "ISO-8859-9", folder / locale]
    if subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("the sources of locales aren't here")
    path = os.pathsep.join([*sys.path, str(Path(__file__).parent), str(ROOT)])
    own = {"LOCPATH": str(folder), "LC_ALL": locale, "LANG": locale}
    return {**os.environ, **own, "PYTHONPATH": path}


def test_outputs_are_the_same_in_turkish(turkish, monkeypatch):
    monkeypatch.setattr("test_threads_of_library.MANY", [*MANY, PAGE])
    done = called(["-c", DIGESTS], ROOT, env=turkish)
    assert done.stdout.split() == [digest(NAMES, number) for number in [*NUMBERS, -1]], done.stderr


SPEED = re.compile(r"[\d.]+ a second")


CALLS = """
extract page.html
extract -f json --with assessment page.html
learn pages.jsonl -o site
run pages.jsonl -o run --method block_density -w 1
extract nothing.html
EXTRACT
"""


@pytest.mark.parametrize("call", CALLS.strip().splitlines())
def test_verbs_are_the_same_in_turkish(turkish, tmp_path, call):
    said = []
    for env in ({**os.environ}, turkish):
        folder = tmp_path / str(len(said))
        folder.mkdir()
        (folder / "page.html").write_text(PAGE, "utf-8")
        rows = [{"html": PAGE, "url": f"https://iris.example/{n}"} for n in range(4)]
        (folder / "pages.jsonl").write_text("\n".join(map(json.dumps, rows)))
        done = called(["-m", "chaffinch", *call.split()], folder, env=env)
        rules = [one.read_bytes() for one in folder.rglob("rules.toml")]
        said.append((done.returncode, SPEED.sub("", done.stdout), done.stderr, rules))
    assert said[0] == said[1]
