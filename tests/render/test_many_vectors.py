"""Hundreds of pages that run, in a real browser: as they are they do, in no output do they.

Each is loaded in a frame of its own, and all in it is clicked and focused.
"""

import contextlib

import cmarkgfm
import mistune
import pytest
from cmarkgfm.cmark import Options
from frames_of_vectors import Frames
from markdown_it import MarkdownIt

import chaffinch
from injection_vectors import escaped, mutating, running
from real_browser import started
from rows_of_cases import examples

ADDRESS = "http://page.test/"
COMMON = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
COMMON.validateLink = lambda _: True
MISTUNE = mistune.create_markdown(escape=False, plugins=["table", "strikethrough"])
RENDERERS = {
    "markdown-it-py": COMMON.render,
    "mistune": MISTUNE,
    "cmark-gfm": lambda source: cmarkgfm.markdown_to_html_with_extensions(
        source, Options.CMARK_OPT_UNSAFE, ["table", "strikethrough", "autolink"]
    ),
}
TOGETHER = 20
TEX = examples(__file__, "many vectors tex")
TEX_IN = examples(__file__, "many vectors tex in")
"""Where a page may have text that outputs take for a formula, code or a name."""
RUNS, MAY_RUN = running(), mutating()
VECTORS = RUNS | MAY_RUN


@pytest.fixture(scope="module")
def frames(browser):
    with started(browser) as program, contextlib.closing(Frames(program)) as frames:
        yield frames


@pytest.fixture(scope="module")
def found():
    """Name → what was extracted of a page with the vector as markup, and once more as text."""
    pages = {
        name: f"<!DOCTYPE html><title>{escaped(own)}</title><p>words and {escaped(own)}</p>{own}"
        "<p>and words</p>"
        for name, own in VECTORS.items()
    } | {
        f"{what} in {place}": own.replace("{}", escaped(tex)).replace("{raw}", tex)
        for what, tex in TEX.items()
        for place, own in TEX_IN.items()
    }
    return {
        name: chaffinch.extract(page, url=ADDRESS, keep=["body"]) for name, page in pages.items()
    }


def test_there_are_five_hundred():
    assert len(VECTORS) >= 500
    assert len(set(VECTORS.values())) >= 500


def test_they_run_as_they_are(frames):
    pages = {name: f"<!DOCTYPE html><body>{own}" for name, own in RUNS.items()}
    pages |= {f"tex: {name}": COMMON.render(f"${own}$") for name, own in TEX.items()}
    assert sorted(set(pages) - set(frames.running(pages))) == []


def together(outputs):
    """Return some outputs in one document each; where one swallowed the next, that shows."""
    names, pages = list(outputs), {}
    for start in range(0, len(names), TOGETHER):
        some = names[start : start + TOGETHER]
        page = "".join(f"<div>{outputs[name]}</div><hr id=end>" for name in some)
        tree = chaffinch.parse(page)
        ends = [row for row, value in tree.having("id") if value == "end"]
        assert [tree.name(int(tree.parent[row])) for row in ends] == ["body"] * len(some), some
        pages[", ".join(some)] = page
    return pages


def test_no_html_runs(frames, found):
    pages = together({name: one.html(front_matter=True) for name, one in found.items()})
    assert frames.running(pages) == []


def test_no_cleaned_page_runs_even_when_cleaned_again(frames, found):
    pages = {name: one.clean() for name, one in found.items()}
    again = {
        f"{name}, again": chaffinch.extract(own, url=ADDRESS, keep=["body"]).clean()
        for name, own in pages.items()
        if name in MAY_RUN
    }
    known = set(pages.values())
    assert frames.running(pages | {n: own for n, own in again.items() if own not in known}) == []


@pytest.mark.parametrize("renderer", RENDERERS)
def test_no_markdown_runs(frames, found, renderer):
    render = RENDERERS[renderer]
    assert "onerror" in render("<img src=x onerror=hit()>\n")  # it passes HTML on
    pages = {name: render(one.markdown(front_matter=True)) for name, one in found.items()}
    assert frames.running(together(pages)) == []
