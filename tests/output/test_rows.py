"""Every block of every output leads to rows of the page whose kept text is the block's."""

import copy
import re

import numpy as np
from hypothesis import assume, given, settings
from lxml import etree
from output_pages import READER, bare, content_of, contents, for_the_hand

from chaffinch.output import html, markdown, tei, text
from chaffinch.output.options import OutputOptions
from chaffinch.page import parse, tags
from chaffinch.reading.blocks import blocks

ROWS = re.compile(r"r(\d+)-(\d+)")
WITH_ROWS = OutputOptions(rows=True)


def kept_text(content, first, last):
    """Return the kept text of a range of rows, without white space."""
    page = content.page
    kept = content.kept & (page.tag == tags.TEXT) & ~for_the_hand(content)
    rows = np.flatnonzero(kept[first:last]) + first
    return bare("".join(page.text[page.text_at[r] : page.text_at[r + 1]] for r in rows.tolist()))


def written_once(content):
    """Tell whether outputs write each text once and as it is: no ruby, no spans."""
    page = content.page
    more = page.select("rt, [colspan], [rowspan], [aria-colspan], caption")
    return not content.kept[more].any()


@settings(max_examples=150)
@given(contents())
def test_blocks_of_the_text(content):
    whole = text.render(content)
    found = blocks(content)
    at = 0
    for block in found:
        assert whole[at : block.start].strip("\n\t") == ""
        assert bare(whole[block.start : block.end]) == kept_text(content, *block.rows)
        assert tags.BLOCK[tags.CODES[block.kind]]
        at = block.end
    assert whole[at:] == ""
    firsts = [block.rows[0] for block in found]
    assert firsts == sorted(firsts)


@settings(max_examples=150)
@given(contents())
def test_comments_in_markdown(content):
    assume(written_once(content))
    told: list[list[str]] = []
    for token in READER.parse(markdown.render(content, options=WITH_ROWS)):
        if token.type == "html_block":
            told.append([*ROWS.search(token.content).groups(), ""])
        elif token.type == "fence":
            told[-1][2] += token.content
        for child in token.children or ():
            if child.type not in ("html_inline", "image"):
                told[-1][2] += child.content
    for first, last, words in told:
        assert bare(words) == kept_text(content, int(first), int(last))


@settings(max_examples=150)
@given(contents())
def test_ids_of_tei(content):
    assume(written_once(content))
    source = tei.render(content, options=WITH_ROWS)
    if not source:
        return
    root = etree.fromstring(source.encode(), etree.XMLParser(huge_tree=True))
    etree.strip_elements(root, "{*}desc", with_tail=False)
    found = 0
    for element in root.iter("{*}*"):
        identity = element.get("{http://www.w3.org/XML/1998/namespace}id")
        if identity is None:
            continue
        alone = copy.deepcopy(element)
        for inner in alone.findall("{*}list"):
            inner.clear(keep_tail=True)
        first, last = map(int, ROWS.fullmatch(identity).groups())
        assert bare("".join(alone.itertext())) == kept_text(content, first, last)
        found += 1
    assert found or not text.render(content)


@settings(max_examples=100)
@given(contents())
def test_rows_of_html_hold_the_text_of_their_element(content):
    read = parse("<!doctype html>" + html.render(content, options=WITH_ROWS))
    for row, value in read.having("data-row"):
        own = bare(read.text_of(row))
        assert own in kept_text(content, int(value), int(content.page.end[int(value)]))


def test_formulas_and_code():
    source = (
        "<p>a <span class=katex><math><semantics><mi>x</mi><annotation encoding=application/x-tex>"
        "x^2</annotation></semantics></math><span>x2</span></span></p><pre>b</pre>"
    )
    content = content_of(source)
    page = content.page
    formula = page.first(".katex")
    first = page.first("p") + 1
    told = [f"r{first}-{page.end[formula]}", f"r{page.first('pre')}-{len(page)}"]
    assert [m[0] for m in ROWS.finditer(markdown.render(content, options=WITH_ROWS))] == told
    assert re.findall(r'xml:id="(.*?)"', tei.render(content, options=WITH_ROWS)) == told
    assert blocks(content)[0].rows == (first, page.end[formula])
