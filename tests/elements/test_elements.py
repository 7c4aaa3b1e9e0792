"""What is found in pages, by the table of cases in ``elements.toml``.

``page`` is the whole page but for images, captions, embeds and lines, where it stands between
paragraphs of an article. What is looked for:

- ``code``, ``languages``: of the blocks of code; ``formulas``: [TeX, display, kind]; ``tex``: of a
  math element; ``images``: names of those that are content; ``captions``: [caption, credit];
  ``sizes``: of the page's images, 0 for unknown; ``sources``: [address, attribute] of those;
  ``embeds``: [kind, address, source]; ``columns``: names of a table's columns; ``records``: keys
  and values of its records; ``grid``, ``headers``: its places; ``is_data``: whether it is one;
- ``text``, ``markdown``: as they are written; ``lines``: of the text between the paragraphs;
  ``heading``: of a section and, as the page's, its title.
"""

from pathlib import Path

import numpy as np
import pytest
from output_pages import content_of

import chaffinch
from chaffinch.elements import listed
from chaffinch.elements.image_sources import ImageSources, image_size
from chaffinch.elements.mathml import mathml_tex
from chaffinch.elements.tables import grid, shows_data
from chaffinch.output import html, markdown, text
from chaffinch.output.table_forms import tables
from chaffinch.page import parse
from chaffinch.verdict import Content, Verdict
from rows_of_cases import cases_of

URL = "https://example.org/d/p.html"
CASES = cases_of(Path(__file__).with_name("elements.toml"))
PROSE = "<p>A sentence of the article, long enough to speak for what stands beside it.</p>"
NOISE = "<aside class=noise><p>Buy now, pay later.</p><iframe src=/ad width=300 height=250></aside>"


def judged(page, drop=".noise"):
    """Return the content of a page without noise, by a method that judges texts alone."""
    page = parse(page, url=URL)
    keep = ~page.inside(np.isin(np.arange(len(page)), page.select(drop)))
    return Content(page, Verdict.empty(len(page)).with_keep(keep))


def in_article(page, prose=PROSE):
    return f"<article>{prose}{page}{prose}</article>{NOISE}"


def images(page):
    return listed.images(judged(in_article(page)))


def extracted(page):
    prose = PROSE * 3
    return chaffinch.extract(
        f"<body><article><h1>Finch</h1>{prose}{page}{prose}</article>", url=URL, keep=["article"]
    )


def grid_of(page):
    page = parse(page)
    found = grid(page, page.first("table"), np.ones(len(page), dtype=bool), {})
    return [
        [page.folded(cell) if cell >= 0 else "" for cell in line] for line in found.lines
    ], found


def sizes(page):
    page = parse(page)
    sides = (image_size(page, row, page.attribute(row, "src") or "") for row in page.select("img"))
    return [[side or 0 for side in own] for own in sides]


def sources(page):
    page = parse(page, url=URL)
    found = (ImageSources(page).of(row) for row in page.select("img").tolist())
    return [[one.url.removeprefix("https://example.org/"), one.attribute] for one in found if one]


def embedded(page):
    found = chaffinch.extract(in_article(page), url=URL, keep="article").embeds
    return [[one.kind, one.url.removeprefix("https://example.org/"), one.source] for one in found]


def heading_of(page):
    found, title = extracted(page), page.replace("h2", "h1")
    assert f"\n## {found.chunks()[-1].headings[-1]}\n" in found.markdown()
    title = chaffinch.extract(f"<article>{title}{PROSE * 3}</article>").title
    lines = [one for one in found.text.split("\n") if "sentence" not in one][1:]
    (heading,) = {*lines, found.chunks()[-1].headings[-1], title}
    return heading


FINDS = {
    "code": lambda page: [one.text for one in listed.code_blocks(content_of(page))],
    "languages": lambda page: [one.language for one in listed.code_blocks(content_of(page))],
    "formulas": lambda page: [
        [one.tex, one.display, one.kind] for one in listed.formulas(content_of(page))
    ],
    "tex": lambda page: mathml_tex(parse(page), parse(page).first("math")),
    "images": lambda page: [one.url.rpartition("/")[2] for one in images(page)],
    "captions": lambda page: [[one.caption, one.credit] for one in images(page)],
    "sizes": sizes,
    "sources": sources,
    "embeds": embedded,
    "columns": lambda page: [one.names for one in tables(content_of(page))],
    "records": lambda page: [
        "|".join(sum(one.items(), ()))
        for table in tables(content_of(page))
        for one in table.records()
    ],
    "grid": lambda page: grid_of(page)[0],
    "headers": lambda page: grid_of(page)[1].headers,
    "is_data": lambda page: bool(shows_data(parse(page))[parse(page).first("table")]),
    "text": lambda page: text.render(content_of(page)),
    "markdown": lambda page: markdown.render(content_of(page)),
    "lines": lambda page: [
        one for one in extracted(page).text.split("\n")[1:] if "sentence" not in one
    ],
    "heading": heading_of,
}
OF_CASES = [(name, key) for name, case in CASES.items() for key in FINDS if key in case]


@pytest.mark.parametrize(("case", "key"), OF_CASES)
def test_case(case, key):
    assert FINDS[key](CASES[case]["page"]) == CASES[case][key]


@pytest.mark.parametrize("name", [one for one in CASES if one.startswith("code: ")])
def test_every_output_has_code_once(name):
    case = CASES[name]
    (code,) = case["code"]
    content = content_of(f"<p>before</p>{case['page']}<p>after</p>")
    if "dp-" not in case["page"]:
        assert f"\n{code}\n```" in markdown.render(content)
        assert not {"4", "Copy", "复制"} & {*text.render(content).replace("\n", " ").split()}
        again = html.render(content)
        assert FINDS["code"](again) == [code]
        assert html.render(content_of(again)) == again
        assert not tables(content)


@pytest.mark.parametrize("name", [one for one in CASES if one.startswith("formula: ")])
def test_every_output_has_a_formula_once(name):
    case = CASES[name]
    ((tex, display, kind),) = case["formulas"]
    if kind == "text":
        return
    content = content_of(case["page"], url="https://e.org/")
    marked, between = ("$$a+b$$", "\n\n") if display else ("$a+b$", " ")
    assert " ".join(text.render(content).split()) == f"We see {marked} here."
    assert markdown.render(content) == f"We see{between}{marked}{between}here.\n"
    again = html.render(content)
    delimited = r"\[a+b\]" if display else r"\(a+b\)"
    assert again == f"<p>We see {delimited} here.</p>\n"
    assert html.render(content_of(again)) == again
    assert FINDS["formulas"](again)[0][0] == tex
