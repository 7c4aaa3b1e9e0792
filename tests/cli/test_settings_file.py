"""Settings of verbs from a TOML file, and calls that say nothing but errors."""

import subprocess
import sys
from pathlib import Path

import pytest

from chaffinch.cli import VERBS
from rows_of_cases import examples


@pytest.fixture
def here(page, monkeypatch):
    monkeypatch.chdir(page.parent)
    return page


def settings(text, name="chaffinch.toml"):
    Path(name).write_text(text, encoding="utf-8")


def test_a_file_sets_options_the_command_line_is_stronger(run, here):
    plain = run("extract", here).stdout
    for text, more, wanted in (
        ("format = 'markdown'\nlinks = false\nheadline = true", (),
         ("-f", "markdown", "--no-links", "--headline")),
        ("format = 'markdown'", ("--config", "other.toml"), ("-f", "html")),
        ("format = 'csv'\nfront-matter = true", ("--keep", "article", "-f", "text"),
         ("--keep", "article", "--front-matter")),
        ("method = 'line_blocks'\n[extract.set]\nthreshold = 20\nruns = 'longest'", (),
         ("-m", "line_blocks", "--set", "threshold=20", "--set", "runs=longest")),
    ):  # fmt: skip
        Path("chaffinch.toml").unlink(missing_ok=True)
        expected = run("extract", here, *wanted).stdout
        settings(f"[extract]\n{text}\n")
        settings("[extract]\nformat = 'html'\n", "other.toml")
        assert run("extract", here, *more).stdout == expected
        assert run("extract", *more, here).stdout == expected
    settings("[extract]\nformat = 'html'\ndrop = ['p']\nmethod = 'line_blocks'\n")
    assert run("extract", here, "-f", "text", "--drop", "nav", "-m", "auto").stdout == plain
    settings("[extract]\nlinks = false\nfront-matter = true\n")  # which act on other forms
    assert run("extract", here, "-f", "records").exit_code == 3


def test_what_is_common_goes_to_verbs_that_have_it(run, here):
    drop = run("extract", here, "--drop", "p").stdout
    settings("[common]\ndrop = 'p'\nmax-size = 1\nrender = 'never'\n")
    assert run("extract", here).stdout == drop
    assert run("explain", here).exit_code == 0
    assert run("methods").exit_code == 0
    settings("[common]\ndrop = 'p'\n[extract]\ndrop = 'nav'\n")
    assert run("extract", here).stdout == run("extract", here, "--drop", "nav").stdout


def test_verbs_of_groups_and_options_that_share_a_value(run, here):
    settings("[learn]\noutput = 'a.toml'\ndate = '2024-05-06'\n[site.show]\nformat = 'json'\n")
    assert run("learn", here).exit_code == 0
    assert run("site", "show", "a.toml").stdout.startswith("{")
    settings("[crawl]\nextent = 'sitemap'\noutput = 'x.warc.gz'\n")
    assert "not a web URL" in run("crawl", "nothing").stderr


@pytest.mark.parametrize(("text", "words"), examples(__file__, "what no verb has is refused"))
def test_what_no_verb_has_is_refused(run, here, text, words):
    settings(text)
    result = run("extract", here)
    assert result.exit_code == 2
    assert words in result.stderr
    assert "chaffinch.toml" in result.stderr or "Invalid value" in result.stderr


@pytest.mark.parametrize("text", ["[extract]\nbrowser = 'x'\n", "[run]\nextractor = 'a:b'\n"])
def test_what_runs_programs_stands_in_named_files_alone(run, here, text):
    settings(text)
    result = run("extract", here)
    assert result.exit_code == 2
    assert "runs a program: name the file by --config" in result.stderr
    assert "runs a program" not in run("extract", here, "--config", "chaffinch.toml").stderr
    result = run("extract", here, "--config", "none.toml")
    assert (result.exit_code, "none.toml can't be read: No such file" in result.stderr) == (2, True)


def test_a_quiet_call_prints_errors_alone(run, here):
    empty, bad = here.parent / "empty.html", here.parent / "bad.html"
    empty.write_text("")
    bad.write_bytes(b"%PDF-1.7")
    loud = run("extract", empty, bad, here)
    assert "no main content found" in loud.stderr
    quiet = run("extract", "--quiet", empty, bad, here)
    assert quiet.stderr == f"Error: {bad}: not HTML: PDF\n"
    assert (quiet.exit_code, quiet.stdout) == (loud.exit_code, loud.stdout)
    settings("[common]\nquiet = true\n")
    assert run("extract", empty).stderr == ""


def loaded_by(*arguments):
    """Return the modules that a call in a process of its own loads."""
    code = (
        "import sys; from chaffinch.cli import main; main(sys.argv[1:], standalone_mode=False);"
        " print(*sys.modules, file=sys.stderr)"
    )
    call = [sys.executable, "-c", code, *map(str, arguments)]
    return set(subprocess.run(call, capture_output=True, text=True, check=True).stderr.split())


def test_a_file_for_other_verbs_loads_none_of_them(here):
    verbs = {f"chaffinch.cli.{verb}" for verb in VERBS}
    settings(
        "[common]\nquiet = true\n[learn]\noutput = 'x'\n[crawl]\ndelay = 2\n[run]\noutput = 'x'\n"
    )
    loaded = loaded_by("extract", here)
    assert loaded & verbs == {"chaffinch.cli.extract"}
    Path("chaffinch.toml").unlink()
    loaded = loaded_by("extract", here)
    assert loaded & verbs == {"chaffinch.cli.extract"}
    unneeded = ("urllib3", "jinja2", "chardet", "chaffinch.site.model")
    assert not loaded & set(unneeded)
