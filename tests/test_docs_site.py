"""The docs as a site: which pages it has, and that links which lead nowhere are found."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def maker(tmp_path, monkeypatch):
    """The module that builds the site, at work in a folder of the test's own."""
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    monkeypatch.delitem(sys.modules, "build_site", raising=False)
    import build_site  # noqa: PLC0415 found only after the line above

    monkeypatch.setattr(build_site, "SOURCE", tmp_path / "source")
    monkeypatch.setattr(build_site, "SITE", tmp_path / "site")
    return build_site


def paths_in(entry):
    if isinstance(entry, str):
        return [entry]
    values = entry.values() if isinstance(entry, dict) else entry
    return [path for one in values for path in paths_in(one)]


def test_links_that_lead_nowhere_are_found(maker):
    maker.SITE.joinpath("part").mkdir(parents=True)
    (maker.SITE / "a.html").write_text(
        "<h1 id=top>A</h1><a href=part/b.html#here>b</a><a class=x href='https://a.example/'>o</a>"
        '<a href="#top">t</a><img src=none.png><a href="part/b.html#there">?</a><a href=part/>p</a>'
    )
    (maker.SITE / "part" / "b.html").write_text('<a href="../a.html" id="here">a</a>')
    (maker.SITE / "404.html").write_text("<a href=/nowhere>x</a>")
    wrong = ["a.html: none.png", "a.html: part/", "a.html: part/b.html#there"]
    assert maker.broken_links() == wrong
    (maker.SITE / "part" / "index.html").write_text("")
    assert maker.broken_links() == [wrong[0], wrong[2]]
