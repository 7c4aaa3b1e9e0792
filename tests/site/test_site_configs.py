"""Site configs of another tool as site models: what lines become, and that it acts."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from chaffinch import Site
from chaffinch.cli import main
from chaffinch.site.configs import read_site_config

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
    left = {line.partition(":")[0] for line in config.left}
    assert left == {"8", "9", "10", "11", "12", "14", "15", "16", "17", "18"}
    assert config.left[-3:-1] == (
        "16: body: //div[: bad XPath '//div[': Invalid expression",
        "17: nonsense: no rule says this",
    )
    assert config.taken == 6


def test_the_first_body_that_matches_is_the_content(config):
    site = Site.from_text(config.site.to_text())
    text = site.extract(PAGE.encode(), url=URL).text
    assert text.startswith("The barley")
    assert "And The barley" in text
    for dropped in ("Read also", "Elsewhere", "Home"):
        assert dropped not in text
    both = PAGE.replace('"other"', '"other" id="old-story"')
    assert site.extract(both).text.endswith("Elsewhere.")


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
    assert "6 of 16 lines taken over" in done.output
    assert ".grain.example.txt:14: http_header(user-agent): Something: no rule" in done.output

    again = run(main, ["site", "rules", "import", str(tmp_path / "configs"), "-o", str(out)])
    assert again.exit_code == 1
    assert "--replace" in again.stderr

    page = str(tmp_path / "page.html")
    other = run(main, ["site", "rules", "import", page, "-o", str(out)])
    assert other.exit_code == 1
    assert "page.html: no site config" in other.stderr
    assert not (out / "page.html").exists()
    told = run(main, ["extract", page, "--url", URL, "--site", str(out)])
    assert told.output.startswith("The barley")
    assert "Elsewhere" not in told.output

    model = str(out / ".grain.example")
    checked = run(main, ["site", "rules", "check", model, page])
    assert checked.exit_code == 1
    assert "all pages: drop //nothing: on 0 of 1 page, matches nothing" in checked.output
