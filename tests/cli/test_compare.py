"""``chaffinch compare``, and siblings as the command line takes them."""

import json
import lzma
import shutil
from dataclasses import replace

import pytest

import chaffinch
from chaffinch.cli.pages import Reading
from chaffinch.cli.site_pages import read_siblings
from chaffinch.methods import METHODS
from chaffinch.page.bounds import Limits
from chaffinch.web.settings import FetchLimits

READING = Reading(limits=Limits(), fetch=FetchLimits())

COMPARING = [name for name in METHODS if METHODS[name].needs_siblings]
every_comparing_method = pytest.mark.parametrize("name", COMPARING)


@pytest.fixture(scope="session")
def site(example_site, tmp_path_factory):
    """The English articles of the example site, as files where they stand on the site."""
    place = tmp_path_factory.mktemp("site")
    for row in example_site:
        if row["template"] == "article" and row["lang"] == "en":
            path = place / row["path"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(row["html"].encode("latin-1"))
    return place


@pytest.fixture(scope="session")
def article(site):
    (path,) = site.rglob("forty-owl-boxes.html")
    return path


@pytest.fixture(scope="session")
def rows(example_site, tmp_path_factory):
    """The same articles as JSON lines."""
    path = tmp_path_factory.mktemp("rows") / "site.jsonl"
    found = [row for row in example_site if row["template"] == "article" and row["lang"] == "en"]
    path.write_text("".join(json.dumps(row) + "\n" for row in found))
    return path


# compare


def test_all_methods_side_by_side(run, site, article):
    result = run("compare", article, "--siblings", site)
    assert result.exit_code == 0
    assert result.stderr == ""
    for name in METHODS:
        assert name in result.stdout
    assert "siblings: 12" in result.stdout
    assert "disputed: " in result.stdout
    assert "left out" not in result.stdout


def test_methods_that_need_siblings_are_left_out_with_a_reason(run, article):
    result = run("compare", article)
    assert result.exit_code == 0
    for name in COMPARING:
        assert f"left out: {name}: compares the page with others" in result.stdout


def test_the_limit_is_that_of_disputed_blocks(run, article):
    few = run("compare", article, "--disputed", "1").stdout
    every = run("compare", article, "--disputed", "0").stdout
    assert "the longest 1:" in few
    assert "the longest" not in every
    assert len(every.splitlines()) > len(few.splitlines())


def test_json(run, site, article):
    result = run("compare", article, "--siblings", site, "-f", "json")
    values = json.loads(result.stdout)
    assert [one["name"] for one in values["methods"]] == list(METHODS)
    assert values["url"] == "https://grain.example/birds/2024/forty-owl-boxes.html"
    assert values["left_out"] == {}
    for name in COMPARING:
        (method,) = [one for one in values["methods"] if one["name"] == name]
        assert method["length"] > 0
        kept = [b["text"] for b in values["blocks"] if b["verdicts"][name]["state"] == "kept"]
        assert any("barn owl" in text for text in kept)


# siblings


@every_comparing_method
@pytest.mark.parametrize("verb", [("extract",), ("extract", "-f", "clean"), ("explain",)])
def test_siblings_for_every_verb(run, site, article, verb, name):
    result = run(*verb, article, "-m", name, "--siblings", site)
    assert result.exit_code == 0
    assert "barn owl" in result.stdout
    without = run(*verb, article, "-m", name)
    assert without.exit_code == 2
    assert f"{name} compares the page with others of its site: give some as --sib" in without.stderr


@every_comparing_method
def test_addresses_of_files_are_for_methods_only(run, tmp_path, name):
    for number in range(3):
        (tmp_path / f"{number}.html").write_text(
            f"<nav><a href=x.html>Home</a></nav><h1>{number}</h1>"
            f"<p>{f'Finch {number} and siskin, on the alder. ' * 20}<a href=a/b.html>more</a>"
        )
    call = ("extract", tmp_path / "1.html", "-m", name, "--siblings", tmp_path)
    result = run(*call, "-f", "json", "--keep", "p")
    found = json.loads(result.stdout)
    assert found["url"] is None
    assert "[more](a/b.html)" in found["markdown"]
    assert "file:" not in found["markdown"]


def urls(*given, **changes):
    found = read_siblings([str(one) for one in given], replace(READING, **changes))
    return [page.url for page in found.pages]


def test_addresses_of_siblings(tmp_path, rows):
    limits = Limits()
    head = {
        "a": "<link rel='canonical' href='https://grain.example/a'>",
        "b": "<base href='https://grain.example/x/y'>",
        "c": "<link rel=canonical href=/relative>",
        "d": "<link rel=canonical href='javascript:x'><base href='https://[bad'>",
        "e": "<link rel='shortlink canonical' href='#x'><base href='https://grain.example/e'>",
    }
    for name, text in head.items():
        (tmp_path / f"{name}.html").write_text(f"<head>{text}</head><p>{name}")
    assert urls(tmp_path, limits=limits) == [
        "https://grain.example/a",
        "https://grain.example/x/b.html",
        None,
        None,
        "https://grain.example/e",
    ]
    plain = tmp_path / "plain"
    plain.mkdir()
    shutil.copy(tmp_path / "c.html", plain)
    assert urls(plain, limits=limits) == [(plain / "c.html").resolve().as_uri()]
    assert urls(plain, plain, limits=limits) == urls(plain, limits=limits)
    assert all(
        url.startswith("https://grain.example/")
        for url in urls(rows, limits=limits, is_corpus=True)
    )


def test_an_address_that_several_pages_name_as_theirs_is_ignored(tmp_path):
    for name in "abc":
        link = "a" if name in "ab" else name
        (tmp_path / f"{name}.html").write_text(
            f"<link rel=canonical href='https://grain.example/{link}'><p>{name}"
        )
    siblings = read_siblings([str(tmp_path)], READING)
    assert [page.url for page in siblings.pages] == [None, None, "https://grain.example/c"]
    page = chaffinch.parse((tmp_path / "a.html").read_bytes())
    assert siblings.beside(page, tmp_path / "a.html").url is None
    assert siblings.beside(page, None) is not page


def test_broken_siblings_are_left_out(run, site, article, tmp_path):
    folder = tmp_path / "birds"
    shutil.copytree(site, folder)
    (folder / "bad.html").write_bytes(b"%PDF-1.7")
    lines = tmp_path / "bad.jsonl"
    lines.write_text(json.dumps({"html": "%PDF-1.7"}) + "\n")
    cut = tmp_path / "cut.jsonl.xz"
    cut.write_bytes(lzma.compress(b'{"html": "<p>x"}\n')[:-9])
    result = run(
        *("compare", article, "--siblings", folder, "--siblings", lines, "--siblings", cut)
    )
    assert result.exit_code == 0
    assert f"left out of the siblings: {folder}/bad.html: not HTML: PDF" in result.stderr
    assert f"left out of the siblings: {lines}, line 1: not HTML: PDF" in result.stderr
    assert f"left out of the siblings: {cut}, line 2: the rest can't be unpacked" in result.stderr
    assert "siblings: 13" in result.stdout
