"""The docs' commands and snippets work as printed; what is generated is up to date."""

import re
import shlex
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from chaffinch.cli import SHORT, main
from printed import ROOT, commands, fences, run_snippets

IN_SITE = {
    "tour": 5, "extract": 8, "reading": 7, "explain": 7, "sites": 8, "teach": 5, "records": 4,
    "methods": 4,
}  # fmt: skip
"""Pages whose commands and snippets run in the folder of the example site → how many commands."""
ANYWHERE = ("tour.zh", "outputs", "metadata", "discussions", "workers", "assessment", "encoding")
"""Pages whose snippets run, there as elsewhere."""
TOURS = ["tour.md", "tour.zh.md"]
OUTLINE = re.compile(r"^```.*?^```|^(#+) ", re.DOTALL | re.MULTILINE)
FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", [*IN_SITE, *ANYWHERE])
def test_snippets_run(page, example_folder, monkeypatch, capsys):
    monkeypatch.chdir(example_folder)
    run_snippets(page)
    assert capsys.readouterr().out.strip()


@pytest.mark.parametrize(("page", "count"), IN_SITE.items(), ids=IN_SITE)
def test_commands_run(page, count, example_folder, tmp_path, monkeypatch):
    monkeypatch.chdir(example_folder)
    printed = [line for line in commands(page) if line.startswith(("chaffinch ", "printf "))]
    assert len(printed) >= count
    for command in printed:
        local = command.replace("/tmp", str(tmp_path))  # noqa: S108
        if local.startswith("printf "):
            subprocess.run(local, shell=True, check=True)  # noqa: S602
            continue
        done = CliRunner().invoke(main, shlex.split(local, comments=True)[1:])
        # Of the rules of a small site, some may be worth a remark.
        most = 1 if "rules check" in command else 0
        assert done.exit_code <= most, (command, done.stderr)


def test_commands_elsewhere_are_known():
    """Of the other pages' commands verbs and options are there, whatever they are about."""
    for path in (ROOT / "docs").glob("*.md"):
        for block in fences(path.stem, "sh") + fences(path.stem, "console"):
            for line in block.splitlines():
                if not line.startswith("chaffinch "):
                    continue
                verb, *rest = shlex.split(line, comments=True)[1:]
                known = options_of(verb, *rest[:2])
                used = {one.partition("=")[0] for one in rest if one.startswith("--")}
                assert used <= known, (path.name, line, used - known)


def options_of(verb, *rest):
    """Return the options of a verb, or of a verb of its group."""
    words = [*SHORT.get(verb, verb).split(), *rest]
    command, context = main, click.Context(main)
    for word in words:
        if isinstance(command, click.Group):
            command = command.get_command(context, word)
            assert command is not None, words
    return {option for one in command.params for option in [*one.opts, *one.secondary_opts]}


def test_the_tours_are_in_step():
    """The Chinese tour has the headings, the code blocks and the links of the English one."""
    tours = [(ROOT / "docs" / name).read_text(encoding="utf-8") for name in TOURS]
    assert FENCE.findall(tours[0])
    assert FENCE.findall(tours[0]) == FENCE.findall(tours[1])
    outlines = [
        [
            (len(found[1]) if found[1] else found[0].partition("\n")[0])
            for found in OUTLINE.finditer(text)
        ]
        for text in tours
    ]
    assert outlines[0] == outlines[1]
    links = [sorted(re.findall(r"\]\(([^)]+)\)", FENCE.sub("", text))) for text in tours]
    assert [one for one in links[0] if "tour" not in one] == [
        one for one in links[1] if "tour" not in one
    ]


def test_the_demo_runs(example_folder):
    done = subprocess.run(
        [sys.executable, "examples/demo.py", str(example_folder)],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert "    # Forty boxes for the owls" in done.stdout
    assert "- Sign in" in done.stdout
    assert "14 pages" in done.stdout


def test_links_between_pages_lead_somewhere():
    pages = [
        path
        for pattern in ("*.md", "docs/**/*.md", "examples/*.md", "bench/*.md")
        for path in ROOT.glob(pattern)
    ]
    missing = []
    for page in pages:
        text = page.read_text(encoding="utf-8")
        text = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", re.sub(r"`[^`]*`", "", text)):
            if "://" in target or (page.parent / target).exists():
                continue
            missing.append(f"{page.relative_to(ROOT)}: {target}")
    assert not missing


def links_of(page):
    """Return the files that a page of the docs links to."""
    text = page.read_text(encoding="utf-8")
    return {(page.parent / one).resolve() for one in re.findall(r"\]\(([^)#\s:]+)[^)]*\)", text)}


def test_every_page_is_in_the_index():
    pages = {page.resolve() for page in ROOT.glob("docs/**/*.md")} - {ROOT / "docs" / "index.md"}
    assert not pages - links_of(ROOT / "docs" / "index.md")


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_readmes_lead_to_the_index(name):
    assert (ROOT / "docs" / "index.md").resolve() in links_of(ROOT / name)
