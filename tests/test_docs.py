"""The docs' commands and snippets work as printed; what is generated is up to date."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
WITH_COMMANDS = [
    "docs/tour.md",
    "docs/sites.md",
    "docs/teach.md",
    "docs/explain.md",
    "docs/reading.md",
]
WITH_SITE = [
    *WITH_COMMANDS,
    "docs/tour.zh.md",
    "docs/outputs.md",
    "docs/workers.md",
    "docs/assessment.md",
    "docs/asynchronous.md",
]
WITH_SOME_COMMANDS = ["docs/methods/vips.md", "docs/methods/sibling_subtrees.md"]
"""Those of their commands that name the example site run."""
TOURS = ["tour.md", "tour.zh.md"]
OUTLINE = re.compile(r"^```.*?^```|^(#+) ", re.DOTALL | re.MULTILINE)
FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


def fences(path, language):
    """Return the fenced blocks of a language in a page of the docs."""
    text = (ROOT / path).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    maker = [sys.executable, "examples/make_site.py", str(folder)]
    subprocess.run(maker, cwd=ROOT, check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("path", WITH_SITE)
def test_snippets_run(path, site, monkeypatch, capsys):
    monkeypatch.chdir(site)
    names: dict[str, object] = {}
    for number, snippet in enumerate(fences(path, "python")):
        exec(compile(snippet, f"{path}, snippet {number + 1}", "exec"), names)  # noqa: S102
    assert capsys.readouterr().out.strip()


@pytest.mark.parametrize("path", [*WITH_COMMANDS, *WITH_SOME_COMMANDS])
def test_commands_run(path, site, tmp_path):
    wanted = "" if path in WITH_COMMANDS else "grain.example"
    commands = [
        line
        for block in fences(path, "sh")
        for line in block.splitlines()
        if line.startswith("chaffinch ") and wanted in line
    ]
    assert len(commands) >= (5 if path in WITH_COMMANDS else 3)
    for command in commands:
        arguments = shlex.split(command.replace("/tmp", str(tmp_path)))[1:]  # noqa: S108
        done = subprocess.run(
            [sys.executable, "-m", "chaffinch", *arguments],
            cwd=site,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (command, done.stderr)


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


def test_the_demo_runs(site):
    done = subprocess.run(
        [sys.executable, "examples/demo.py", str(site)],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert "<- " in done.stdout
    assert "kept " in done.stdout


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


def test_generated_docs_are_up_to_date():
    pages = sorted(str(p.relative_to(ROOT)) for p in ROOT.glob("docs/**/*.md"))
    done = subprocess.run(
        [sys.executable, "-m", "cogapp", "--check", "-I", ".", *pages],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + "\nrun: make docs"
