"""What is written is read back by a Markdown parser that knows nothing of the writer."""

import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from output_pages import CASES, READER, bare, content_of, contents, written

from chaffinch.elements.code import code_rows
from chaffinch.elements.tables import shows_data
from chaffinch.output import markdown, text
from chaffinch.page import parse, tags

TABLE = tomllib.loads(Path(__file__).with_name("texts.toml").read_text("utf-8"))


@pytest.mark.parametrize("raw", TABLE["like marks"])
def test_nasty_text_reads_as_itself(raw):
    for frame in TABLE["frames"]:
        html = frame.replace("{}", raw.replace("&", "&amp;").replace("<", "&lt;"))
        source = written(html)
        read = READER.render(source)
        assert bare(parse(read).text) == bare(text.render(content_of(html))), source
        plain = [one.tag for one in READER.parse(written(frame.replace("{}", "x")))]
        assert [one.tag for one in READER.parse(source)] == plain, source


NOT_IN_ORDER = (
    "[colspan], [rowspan], rt, :is(thead, tbody, tfoot) ~ caption,"
    " [role=table] :is(pre, h1, h2, h3, h4, h5, h6)"
)
"""What Markdown repeats or writes elsewhere: spans, captions behind rows or of other elements."""


@settings(max_examples=120)
@given(contents())
def test_any_page_reads_back(content):
    page = content.page
    rows = np.arange(len(page))
    moved = page.select(NOT_IN_ORDER)
    if len(moved) and content.kept[moved].any():
        return
    source = markdown.render(content)
    tokens = READER.parse(source)
    read = parse(READER.render(source))
    assert bare(read.text) == bare(text.render(content)), source
    data = [r for r in page.select("table").tolist() if shows_data(page)[r]]
    flat = page.inside(np.isin(rows, data))
    headings = tags.HEADING[page.tag]
    broken = page.total(tags.BREAK[page.tag]) > 0
    sources = tags.PREFORMATTED[page.tag] | (page.is_tag("code") & broken)
    expected = [
        int(page.name(row)[1])
        for row in np.flatnonzero(headings & content.kept & ~flat).tolist()
        if not any(headings[a] or sources[a] for a in page.ancestors(row)) and _says(content, row)
    ]
    assert [int(t.tag[1]) for t in tokens if t.type == "heading_open"] == expected, source
    count = sum(
        not any(headings[a] or sources[a] for a in page.ancestors(row))
        and _says(content, row, images=False)
        for row in np.flatnonzero(sources & content.kept & ~flat).tolist()
    )
    assert sum(t.type == "fence" for t in tokens) == count, source
    assert not any(t.type in ("html_block", "code_block") for t in tokens), source
    inline = [child for token in tokens for child in token.children or ()]
    raw = {child.content for child in inline if child.type == "html_inline"}
    assert raw <= {"<sub>", "</sub>", "<sup>", "</sup>", "<br>"}, source
    for kind, name in (("link_open", "href"), ("image", "src")):
        known = {
            "https://example.org/l(1)",
            "https://example.org/block",
            "https://example.org/i.png",
        }
        assert {child.attrs[name] for child in inline if child.type == kind} <= known, source


def _says(content, row, *, images=True):
    """Tell whether something is written in the kept part of a subtree, copy buttons aside."""
    page = content.page
    inner = np.arange(row, page.end[row])
    pictures = np.isin(inner, page.select("img[src]")) & images
    told = content.kept & ~code_rows(page).left_out
    return bool((told[inner] & (page.written[inner] | pictures)).any())


# HTML → Markdown → HTML: the same elements again


def skeleton(source):
    """Return tags, addresses and texts in order; in tight items no paragraphs are written."""
    page = parse(source)
    out = []
    for row in range(page.body + 1, len(page)):
        name = page.name(row)
        if page.tag[row] == tags.TEXT:
            raw = page.text[page.text_at[row] : page.text_at[row + 1]]
            pre = any(page.name(above) == "pre" for above in page.ancestors(row))
            words = raw.strip("\n") if pre else " ".join(raw.split())
            if words:
                out.append(words)
        elif name not in ("thead", "tbody") and name != "p":
            said = [page.attribute(row, key) or "" for key in ("href", "src", "alt", "start")]
            out.append(" ".join(filter(None, [f"<{name}>", *said])))
    return out


def trip(html):
    source = written(html)
    return skeleton(READER.render(source)), source


@pytest.mark.parametrize("case", [name for name, case in CASES.items() if "again" in case])
def test_the_same_again(case):
    read, source = trip(CASES[case]["page"])
    expected = [one.replace("%7C", "|") for one in skeleton(CASES[case]["page"])]
    again = [one.replace("%5B", "[").replace("%5D", "]").replace("%7C", "|") for one in read]
    assert again == expected, source
