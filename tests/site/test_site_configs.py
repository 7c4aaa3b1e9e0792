"""Site configs of another tool as site models: what lines become, and that it acts."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from chaffinch import Site, extract
from chaffinch.cli import main
from chaffinch.errors import OptionError, PageError, RulesError
from chaffinch.page import parse
from chaffinch.page.bounds import Limits
from chaffinch.page.lxml_pages import wrong_call
from chaffinch.site.configs import read_site_config
from chaffinch.site.report import check_rules
from chaffinch.site.site import SiteFolder
from rows_of_cases import examples

SENTENCE = "The barley harvest began late this year, and the first sheaves stood wet in the field. "
URL = "https://news.grain.example/barley"
PAGE = f"""<html><head><title>Barley | Grain</title></head><body>
<div class="menu"><a href="/">Home</a></div>
<div class="story">{SENTENCE * 4}<div class="x-teaser-box">{SENTENCE * 2} Read also this.</div>
<img src="/pixel.gif?1"><hidden-part>And {SENTENCE}</hidden-part></div>
<div class="other"><p>{SENTENCE * 3} Elsewhere.</div></body></html>"""
CONFIG = Path(__file__).with_name("grain.example.txt").read_text("utf-8")


@pytest.fixture
def config():
    return read_site_config(CONFIG, "grain.example")


def test_each_line_is_accounted_for(config):
    refused = {(one.directive, one.value) for one in config.lines if not one.taken}
    assert refused == {
        ("http_header", "Something"),
        ("strip", "//div[contains(@class)]"),
        ("body", "//div["),
        ("", "nonsense"),
    }
    assert all(one.remark for one in config.lines if not one.taken)
    assert len(config.lines) == len([line for line in CONFIG.splitlines()[1:] if line])


def test_the_first_body_that_matches_is_the_content(config):
    site = Site.from_text(config.site.to_text())
    text = site.extract(PAGE.encode(), url=URL).text
    assert text.startswith("The barley")
    assert "And The barley" in text
    for dropped in ("Read also", "Elsewhere", "Home"):
        assert dropped not in text
    both = PAGE.replace('"other"', '"other" id="old-story"')
    assert site.extract(both).text.endswith("Elsewhere.")


def test_replacements_are_bounded():
    with pytest.raises(PageError, match="longer than 10000"):
        parse("a" * 5000, limits=Limits(max_bytes=10_000), replacements=[("a", "aaa")])
    assert parse("xay", replacements=[("a", "b"), ("b", "c")]).text == "xcy"
    with pytest.raises(RulesError, match="replace 1 of the site"):
        Site.from_text("kind='chaffinch site'\nversion=1\nsite=''\n[[replace]]\nfind=''\n")


def test_tests_of_a_model_are_tried(config):
    def page(html, url=URL):
        return parse(html, url=url, replacements=config.site.replacements(url))

    assert config.site.failed_tests(page(PAGE)) == [f"{URL}: lacks «oats harvest»"]
    assert config.site.failed_tests(page(PAGE, "https://elsewhere.example/")) == []
    assert config.site.failed_tests(page("<p>")) == [f"{URL}: no content"]


REPLACING = Path(__file__).with_name("replacing.toml").read_text("utf-8")
HIDDEN = PAGE.replace("<head>", f"<head><link rel=canonical href='{URL}'>")


@pytest.fixture
def folder(tmp_path):
    """A folder of models, and a page beside it that names its address."""
    (tmp_path / "sites").mkdir()
    (tmp_path / "sites/news.grain.example").mkdir()
    (tmp_path / "sites/news.grain.example/rules.toml").write_text(REPLACING)
    (tmp_path / "p.html").write_text(HIDDEN)
    return tmp_path


def only_the_part(text):
    return "And The barley" in text and "Read also" not in text


def test_replacements_act_however_a_page_comes(folder):
    site, sites = Site.from_text(REPLACING), SiteFolder.load(folder / "sites")
    for method in (site, sites):
        for given in (HIDDEN, HIDDEN.encode(), folder / "p.html", (folder / "p.html").open("rb")):
            assert only_the_part(extract(given, method=method).text), (method, given)
            getattr(given, "close", lambda: None)()
    assert only_the_part(site.extract(HIDDEN).text)
    assert site.extract(HIDDEN, status=404).assessment.status == 404
    ready = parse(HIDDEN, replacements=site.replacements(None))
    assert ready.replaced == site.replacements(None)
    assert only_the_part(extract(ready, method=sites).text)
    assert only_the_part(site.extract(ready.with_status(200).with_url(URL)).text)


def test_pages_without_their_source_are_refused(folder):
    site, sites = Site.from_text(REPLACING), SiteFolder.load(folder / "sites")
    page, tree = parse(HIDDEN, url=URL), html5(HIDDEN)
    with pytest.raises(OptionError, match="parse it with these replacements"):
        extract(page, method=site)
    for call in (site, sites, lambda one: check_rules(site, [one])):
        with pytest.raises(OptionError, match=r"replacements=site\.replacements\(url\)"):
            call(page)
    for given in (tree, page):
        for method in (site, sites):
            with pytest.raises(OptionError, match="source"):
                extract(given, url=URL, method=method)
    with pytest.raises(OptionError, match="source"):
        parse(parse("xay", replacements=[("a", "b")]), replacements=[("x", "z")])


def html5(source):
    return pytest.importorskip("lxml.html").fromstring(source)


def test_replacements_act_in_every_verb(folder, monkeypatch):
    monkeypatch.chdir(folder)
    model = "sites/news.grain.example"

    def run(*args):
        return CliRunner().invoke(main, [*args])

    checked = run("site", "rules", "check", model, "p.html")
    assert "content main: on 1 of 1 page" in checked.output, checked.output
    assert "lacks" not in checked.output
    assert "no content" not in checked.output
    for site in (model, "sites"):
        for verb in (["extract"], ["extract", "--all-parts"], ["explain"]):
            made = run(*verb, "p.html", "--site", site)
            assert made.exit_code == 0, made.output
            assert "And The barley" in made.output
        made = run("run", "p.html", "--output", f"out-{Path(site).name}", "--site", site,
                   "--format", "jsonl", "-w", "1")  # fmt: skip
        assert made.exit_code == 0, made.output
        (rows,) = Path(f"out-{Path(site).name}").glob("pages/*/*.jsonl")
        (row,) = map(json.loads, rows.read_text().splitlines())
        assert only_the_part(row["text"])
        assert row["method"].startswith("site")
    assert run("site", "show", model, "p.html").exit_code == 0


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://www.grain.example/a", "grain"),
        ("https://grain.example/a", "grain"),
        ("https://b.news.grain.example/a", "below"),
        ("https://OATS.example/", "oats"),
        ("https://example/", ""),
        ("https://egrain.example/", ""),
        (None, ""),
    ],
)
def test_a_folder_of_models_goes_by_host(tmp_path, url, name):
    for host, site in (("grain", "grain"), (".grain", "below"), ("oats", "oats")):
        Site(name=site).save(tmp_path / f"{host}.example")
    folder = SiteFolder.load(tmp_path)
    assert folder.site_of(url).name == name
    assert extract(PAGE, url=url, method=folder).text.startswith("The barley")


def test_the_command_from_a_config_to_a_text(tmp_path):
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / ".grain.example.txt").write_text(CONFIG)
    (tmp_path / "page.html").write_text(PAGE)
    out = tmp_path / "models"
    run = CliRunner().invoke

    done = run(
        main, ["site", "rules", "import", str(tmp_path / "configs"), "-o", str(out), "--lines"]
    )
    assert done.exit_code == 0, done.output
    assert "all: 14 of 18 lines" in done.output
    assert ".grain.example.txt:14: http_header:" in done.output

    again = run(main, ["site", "rules", "import", str(tmp_path / "configs"), "-o", str(out)])
    assert again.exit_code == 1
    assert "--replace" in again.stderr

    page = str(tmp_path / "page.html")
    told = run(main, ["extract", page, "--url", URL, "--site", str(out)])
    assert told.output.startswith("The barley")
    assert "Elsewhere" not in told.output

    model = str(out / ".grain.example")
    checked = run(main, ["site", "rules", "check", model, page])
    assert checked.exit_code == 1
    assert "all pages: drop //nothing: on 0 of 1 page, matches nothing" in checked.output


@pytest.mark.parametrize(
    ("expression", "problem"), examples(__file__, "calls are checked before a page is met")
)
def test_calls_are_checked_before_a_page_is_met(expression, problem):
    assert wrong_call(expression) == problem
