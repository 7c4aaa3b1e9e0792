"""Methods side by side: figures, agreement, disputes, and a report that no page can break."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

import chaffinch
from chaffinch import Comparison, OptionError, PageError, Verdict, compare, parse
from chaffinch.methods import METHODS
from chaffinch.siblings import other_pages
from everything import everything
from strategies import markup

ALONE = [name for name in METHODS if not METHODS[name].needs_siblings]
COMPARING = [name for name in METHODS if name not in ALONE]
HOSTILE = """<!doctype html><title>&lt;script>alert(1)&lt;/script>"'</title>
<base href='javascript:alert("1")//&lt;x>'>
<p id='"><script>alert(2)</script>'>&lt;script>alert("3")&lt;/script> &amp;lt; 'x' "y" \x00 \x0b
<p>&#0; &#x1f; &#xfffe; &#xd800; \ufffe \ud800 \x9b \u202e \x1b[31m backwards
<textarea></p><td title="</textarea>&lt;/style>&lt;/table>">]]> --> &lt;/td>&lt;/table>"""


def nothing(page):
    return Verdict.empty(len(page))


def first_half(page):
    keep = np.arange(len(page)) < len(page) // 2
    return Verdict(keep, keep.astype(np.float32), keep.astype(np.int8))


first_half.name = "first_half"


@pytest.fixture(scope="module")
def articles(example_site):
    return [
        parse(row["html"].encode("latin-1"), url=row["url"])
        for row in example_site
        if row["template"] == "article" and row["lang"] == "en"
    ]


@pytest.fixture(scope="module")
def compared(articles):
    return compare(articles[3], siblings=articles)


def test_figures_are_those_of_the_extract(compared, articles):
    for column in compared.columns:
        siblings = articles[:3] + articles[4:] if column.name in COMPARING else ()
        extract = chaffinch.extract(articles[3], method=column.name, siblings=siblings)
        page, kept = extract.page, extract.content.kept
        assert column.rows == kept.sum()
        assert column.length == page.own_length[kept & page.written].sum()
        assert column.share == column.length / page.own_length[page.written & page.shown].sum()
        assert 0 < column.share < 1
        assert column.verdict.facts() == extract.content.verdict.facts()
        explained = extract.explain()
        assert len(column.reasons) == len(explained) == len(compared.blocks)
        for number, one in enumerate(explained):
            if column.state(number) == "kept":
                assert one.keep
            assert column.reasons[number] in METHODS[column.name].reasons


def test_agreement_is_a_share_of_characters(compared):
    matrix = compared.agreement
    assert matrix.shape == (len(METHODS), len(METHODS))
    assert (np.diag(matrix) == 1).all()
    assert (matrix == matrix.T).all()
    assert ((matrix >= 0) & (matrix <= 1)).all()
    one, other = compared.columns[:2]
    length = compared.page.own_length.tolist()
    kept = [
        {row for row in range(len(compared.page)) if column.kept[row]} for column in (one, other)
    ]
    both, either = (
        sum(length[row] for row in rows) for rows in (kept[0] & kept[1], kept[0] | kept[1])
    )
    assert matrix[0, 1] == pytest.approx(both / either)


def test_blocks_are_disputed_where_the_votes_differ(articles):
    compared = compare(articles[0], methods=[everything, first_half])
    rows = len(compared.page)
    late = [n for n, row in enumerate(compared.blocks.first.tolist()) if row >= rows // 2]
    assert sorted(compared.disputed) == late
    lengths = compared.blocks.length[compared.disputed].tolist()
    assert lengths == sorted(lengths, reverse=True)
    assert [column.name for column in compared.columns] == ["everything", "first_half"]


def test_a_method_that_cannot_do_this_page_is_left_out(articles):
    def refuses(_page):
        raise PageError("too many birds")

    compared = compare(articles[0], methods=["line_blocks", refuses])
    assert [column.name for column in compared.columns] == ["line_blocks"]
    assert compared.left_out == {"refuses": "too many birds"}


# Outputs


def test_a_hostile_page_is_only_text_in_table_and_json():
    def talks(page):
        verdict = everything(page)
        return replace(verdict, page_type="</p><img src=x>")

    talks.name = "<i>bold</i>"
    talks.reasons = ("</td>\"><script>alert('4')</script>",)
    page = parse(HOSTILE, url='https://grain.example/"><script>')
    compared = compare(page, methods=[talks, nothing])
    json.dumps(compared.to_dict()).encode("utf-8")
    assert not re.search("[\x00-\x09\x0b-\x1f\x9b\u202e]", compared.table())


@given(markup())
def test_any_page_can_be_compared(html):
    compared = compare(html, methods=[everything, first_half, nothing])
    assert isinstance(compared, Comparison)
    json.dumps(compared.to_dict())
    assert compared.table()
    blocks = compared.blocks
    inside = blocks.block >= 0
    written = np.bincount(
        blocks.block[inside], weights=blocks.page.own_length[inside], minlength=len(blocks)
    )
    for column in compared.columns:
        assert float((column.kept_share * written).sum()) == pytest.approx(column.length)


# Siblings


def test_the_page_itself_is_no_sibling(articles):
    page = articles[0]
    again = parse("<p>one", url="https://grain.example/a#top")
    assert other_pages(page, articles) == tuple(articles[1:])
    assert other_pages(again, [parse("<p>two", url="https://grain.example/a#b")]) == ()
    assert other_pages(parse("<p>one"), [again]) == ()
    assert other_pages(parse("<b>one"), [again]) == (again,)
    assert other_pages(parse("<p>two"), [again]) == (again,)


def test_baselines_take_part_by_name(articles):
    pytest.importorskip("resiliparse")
    compared = compare(articles[0], methods=["auto", "resiliparse"])
    _, other = compared.columns
    assert other.name == "resiliparse"
    assert other.keep.any()
    assert compared.agreement[0, 1] > 0.5
    assert {*other.reasons} == {"in its text", "not in its text"}
    with pytest.raises(OptionError, match="did you mean resiliparse"):
        compare(articles[0], methods=["resiliparce"])
