"""What every plug-in promises, whatever its tool."""

import pickle
import re
import subprocess
import sys
from importlib import import_module

import pytest
from plugin_cases import THERE, PageFailed

from chaffinch.errors import MissingExtraError
from printed import ROOT, called

pytestmark = pytest.mark.filterwarnings("default")  # those of tools are theirs
URL = "https://grain.example/rye"
PAGE = """<!doctype html><meta charset=%s><title>Рожь — grain.example</title>
<nav><a href=/a>Home</a> <a href=/b>Shop</a> <a href=/c>Sign in</a></nav>
<article><h1>Рожь</h1>%s</article>
<footer>© Grain <a href=/d>Imprint</a> <a href=/e>Privacy</a></footer>"""
SENTENCE = "Рожь посевная выращивается ради зерна и как покровная культура на полях. "
RYE = PAGE % ("windows-1251", f"<p>{SENTENCE * 3}</p>" * 4)
FEED = "<?xml version='1.0'?><rss version='2.0'><channel><title>Rye</title></channel></rss>"


@pytest.fixture(params=THERE, ids=str)
def case(request):
    return request.param


def given(case):
    """Return the page as the tool has it."""
    return RYE.encode("cp1251") if case.takes == "bytes" else RYE


def test_content_comes_in_its_encoding_and_without_noise(case):
    text = case.driver().text_of(given(case), URL)
    assert SENTENCE.strip() in " ".join(text.split())
    assert "Imprint" not in text
    assert "Sign in" not in text


def test_a_page_that_is_none_is_an_error_of_the_tools_kind_and_costs_no_other(case):
    page = b"%PDF-1.7\n1 0 obj" if case.takes == "bytes" else FEED
    with pytest.raises(PageFailed):
        case.driver().text_of(page, URL)
    assert SENTENCE.strip() in " ".join(case.driver().text_of(given(case), URL).split())


@pytest.mark.parametrize("page", [b"", b"\0" * 99, b"<p", b"<p>" * 9_999], ids=range(4))
def test_empty_and_odd_pages_have_no_text(case, page):
    assert not case.driver().text_of(page if case.takes == "bytes" else page.decode(), URL).strip()


def test_nothing_is_printed(case, capfd):
    driver = case.driver()
    driver.text_of(given(case), URL)
    capfd.readouterr()  # what the tool prints when it is used first
    driver.text_of(given(case), URL)
    assert capfd.readouterr().out == ""


def test_its_parts_go_to_other_processes(case):
    for part in case.driver().parts():
        again = pickle.loads(pickle.dumps(part))  # noqa: S301  our own bytes
        assert type(again) is type(part)


def test_without_the_tool_the_error_names_the_command(case, monkeypatch):
    name = f"chaffinch.plugins.{case.name}"
    monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, case.tools[0], None)
    for one in [one for one in sys.modules if one.startswith(f"{case.tools[0]}.")]:
        monkeypatch.delitem(sys.modules, one)
    with pytest.raises(MissingExtraError, match=rf"pip install 'chaffinch\[{case.extra}\]'"):
        import_module(name)


def test_it_is_quick_to_import_and_loads_no_model(case):
    case.driver()
    program = f"""
import sys
{"; ".join(f"import {tool}" for tool in case.tools)}
import chaffinch.plugins.{case.name}
late = [name for name, own in sys.modules.items() if type(own).__name__ == "_LazyModule"]
print(*(name for name in sys.modules.keys() - set(late) if name.startswith("chaffinch.")))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    loaded = set(done.stdout.split())
    assert f"chaffinch.plugins.{case.name}" in loaded
    assert not loaded & {"chaffinch.extraction.extract", "chaffinch.methods.learned"}


def test_its_example_runs(case, example_folder):
    page = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
    text = next(one for one in page.split("\n## ") if f"chaffinch.plugins.{case.name}" in one)
    assert f"chaffinch[{case.extra}]" in text
    snippets = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    done = called(["-c", "\n".join(snippets)], example_folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
