"""Hundreds of pages that run, in a real browser: as they are they do, in no output do they.

Each is loaded in a frame of its own, and all in it is clicked and focused.
"""

import contextlib
import json

import cmarkgfm
import mistune
import pytest
from cmarkgfm.cmark import Options
from frames_of_vectors import Frames
from lxml import etree
from markdown_it import MarkdownIt

import chaffinch
from chaffinch.corpus import Plan, Recipe, run
from injection_vectors import escaped, mutating, running
from real_browser import started

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
TEX = {
    "image": "x<img src=x onerror=hit()>",
    "image behind a backslash": r"x\\<img src=x onerror=hit()>",
    "link": "[a](javascript:hit())",
    "autolink": "<javascript:hit()>",
    "comment": "<!-- --><img src=x onerror=hit()>",
    "CDATA": "<![CDATA[ ]]><img src=x onerror=hit()>",
    "svg": "<svg onload=hit()>",
}
TEX_IN = {  # with entities; {raw} without, for scripts hold none
    "parentheses": r"<p>a \({}\)</p>",
    "brackets": r"<p>\[{}\]</p>",
    "dollars": "<p>$$y={}$$</p>",
    "alttext": '<p>a <math alttext="{}"><mi>x</mi></math></p>',
    "data-tex": '<p>a <span data-tex="{}">x</span></p>',
    "image of a formula": '<p>a <img class="tex" alt="y={}" src="i.png"></p>',
    "mtext": "<p>a <math><mi>x</mi><mtext>{}</mtext></math></p>",
    "script of tex": '<p>a <script type="math/tex">{raw}</script></p>',
    "annotation": (
        '<p>a <span class="katex"><math><semantics><mi>x</mi><annotation'
        ' encoding="application/x-tex">{}</annotation></semantics></math></span></p>'
    ),
    "text": "<p>a {}</p>",
    "title of a link": r'<p><a href="/x" title="{}">a \(]\) b</a></p>',
    "code in a quote": "<blockquote><pre>a&#13;{}</pre></blockquote>",
    "code behind a formula": r"<p>\(`\) <code>{}</code></p>",
    "alternative text": '<p><img src="i.png" alt="{}"></p>',
}
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


def test_no_tei_runs(frames, found):
    pages = {name: one.tei() for name, one in found.items()}
    for name, source in pages.items():
        for node in etree.fromstring(source.encode()).iter():
            assert str(node.tag).startswith("{http://www.tei-c.org/ns/1.0}"), (name, node.tag)
    some = {name: pages[name] for name in list(pages)[::12]}
    assert frames.running(some, kind="application/xml") == []
    script = "<a xmlns='http://www.w3.org/1999/xhtml'><script>hit()</script></a>"
    assert frames.running({"script": script}, kind="application/xml") == ["script"]


def loosened(report):
    """Return a report that escapes nothing and has no policy."""
    for entity, own in (("&lt;", "<"), ("&gt;", ">"), ("&#34;", '"'), ("&#39;", "'")):
        report = report.replace(entity, own)
    return report.replace("Content-Security-Policy", "x")


def test_no_report_of_a_run_runs(frames, tmp_path):
    """Vectors as markup, title, type and language of pages, host, template, and name of a file."""
    schema = '<script type="application/ld+json">{"@type":%s,"inLanguage":%s}</script>'
    rows = [
        {
            "html": f"<!DOCTYPE html><html lang='{escaped(own)}'><title>{escaped(own)}</title>"
            f"<meta property=og:type content='{escaped(own)}'>"
            + schema % ((json.dumps(own).replace("<", "\\u003c"),) * 2)
            + f"<p>words {escaped(own)}</p>{own}<p>and words</p>",
            "url": f"http://{number}{own}.test/{own}",
        }
        for number, own in enumerate(VECTORS.values())
    ]
    given = tmp_path / "<img src=x onerror=hit()>.jsonl"
    given.write_text("\n".join(map(json.dumps, rows)))
    out = tmp_path / "<img src=x onerror=hit()>"
    plan = Plan(out=str(out), recipe=Recipe(method="block_density"))
    report = run([str(given)], plan, workers=1)
    assert report.tally.rows == len(VECTORS)
    for name, own in VECTORS.items():  # whatever pages could bring to be counted by
        for counts in (report.tally.hosts, report.tally.languages, report.tally.declared_types):
            counts[own] += 900
        report.tally.templates[f"{own} {name}"] += 1
        report.failed[own] = own
    page = report.to_html()
    assert "onerror=hit()" in page
    assert frames.running({"report": page}) == []
    assert frames.running({"loose": loosened(page)}) == ["loose"]
