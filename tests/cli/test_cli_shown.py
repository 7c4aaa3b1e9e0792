from __future__ import annotations

import csv
import io
import json

import pytest

import chaffinch

TABLES = """<article><h1>Seeds</h1><p>Finches eat <b>seeds</b> of <a href=/t>thistles</a> all year.
<p>And they drink water, more of it in summer than in winter, from any puddle: \\(2^n\\).
<img src=/bird.png><table><tr><th>a<th>b<tr><td>1<td>2</table>
<table><tr><th>c<th>d<tr><td>3<td>4</table></article>"""


@pytest.fixture
def rich(tmp_path):
    path = tmp_path / "rich.html"
    path.write_text(TABLES)
    return path


@pytest.mark.parametrize(
    ("option", "field", "form"),
    [
        ("--no-links", {"links": False}, "markdown"),
        ("--no-images", {"images": False}, "markdown"),
        ("--no-tables", {"tables": False}, "html"),
        ("--no-formulas", {"formulas": False}, "markdown"),
        ("--no-emphasis", {"emphasis": False}, "tei"),
        ("--front-matter", {"front_matter": True}, "plain"),
        ("--front-matter", {"front_matter": True}, "markdown"),
        ("--rows", {"rows": True}, "tei"),
        ("--rows", {"rows": True}, "html"),
        ("--with=images,posts", {"parts": ["images", "posts"]}, "to_json"),
    ],
)
def test_options_are_those_of_the_api(run, rich, option, field, form):
    found = chaffinch.extract(rich.read_bytes(), keep="article")
    name = {"plain": "text", "to_json": "json"}.get(form, form)
    result = run("extract", rich, "-f", name, "--keep", "article", option)
    assert result.exit_code == 0, result.stderr
    wanted = getattr(found, form)(**field).rstrip("\n")
    if form == "to_json":
        for name in ("file", "member", "offset"):
            assert f'"{name}": ' in result.stdout
        assert json.loads(wanted).items() <= json.loads(result.stdout).items()
    else:
        assert result.stdout.rstrip("\n") == wanted
    assert getattr(found, form)(**field) != getattr(found, form)()


def test_parts_may_be_repeated(run, rich):
    result = run("extract", rich, "-f", "json", "--with", "posts", "--with", "html, tables")
    assert {"posts", "html", "tables"} <= json.loads(result.stdout).keys()


def test_tables_go_to_files_of_their_own(run, rich, tmp_path):
    out = tmp_path / "out"
    result = run("extract", rich, "-f", "csv", "--keep", "article", "-o", f"{out}/")
    assert result.exit_code == 0
    assert {path.name: path.read_text() for path in out.iterdir()} == {
        "rich-1.csv": "a,b\n1,2\n",
        "rich-2.csv": "c,d\n3,4\n",
    }
    printed = run("extract", rich, "-f", "csv", "--keep", "article").stdout
    assert list(csv.reader(io.StringIO(printed))) == [
        ["a", "b"], ["1", "2"], [], ["c", "d"], ["3", "4"],
    ]  # fmt: skip


def test_front_matter_is_for_people_who_publish(run, rich):
    result = run("extract", rich, "-f", "markdown", "--front-matter", "--url", "https://e.org/a")
    head = result.stdout.split("---\n")[1]
    values = dict(line.split(": ", 1) for line in head.splitlines())
    assert json.loads(values["title"]) == "Seeds"
    assert json.loads(values["url"]) == "https://e.org/a"


def test_a_file_of_settings_may_hold_what_acts_on_other_forms(run, rich, tmp_path):
    settings = tmp_path / "settings.toml"
    settings.write_text("[extract]\nlinks = false\nfront-matter = true\n")
    result = run("extract", rich, "-f", "csv", "--keep", "article", "--config", settings)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("a,b")
