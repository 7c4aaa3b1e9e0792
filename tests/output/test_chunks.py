import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from output_pages import content_of, contents

from chaffinch.output import text
from chaffinch.output.text import chunks

TABLE = tomllib.loads(Path(__file__).with_name("texts.toml").read_text("utf-8"))


def cut(html, **options):
    return [(c.headings, c.text) for c in chunks(content_of(html), **options)]


def test_cut_along_headings():
    html = "<p>a<h1>B</h1><p>c<h3>D</h3><h4>E</h4><p>f<p>g<h3>H</h3><h2>I</h2><p>j"
    assert cut(html) == [
        ((), "a"),
        (("B",), "B\nc"),
        (("B", "D", "E"), "D\nE\nf\ng"),
        (("B", "H"), "H"),
        (("B", "I"), "I\nj"),
    ]


def test_rows_of_what_is_cut_are_those_of_its_part():
    cells = "".join(f"<tr><td>oats {n}<td>{n} sacks" for n in range(9))
    for html in (
        f"<table><tr><th>Grain<th>Harvest{cells}</table>",
        f"<table><tr><th>Grain<th>Harvest<th>More<tr>{cells.replace('<tr>', '')}</table>",
        "<pre>" + "\n".join(f"<b>x{n}</b> = {n} # oats" for n in range(9)) + "</pre>",
    ):
        content = content_of(html)
        found = chunks(content, max_length=40)
        assert len(found) > 3
        starts, stops = zip(*(one.rows for one in found), strict=True)
        page = content.page
        for one, start, stop in zip(found, starts, stops, strict=True):
            held = page.text[page.text_at[start] : page.text_at[stop]]
            assert "".join(one.text.split()) in "".join(held.split())
        whole = stops[-1] - starts[0]
        if "<pre>" in html:  # one line of the page, whatever line ends it has
            continue
        assert all(stop - start < whole / 2 for start, stop in zip(starts, stops, strict=True))


@pytest.mark.parametrize(("raw", "most", "expected"), TABLE["sentences"])
def test_sentences(raw, most, expected):
    assert [part for _, part in cut(f"<p>{raw}", max_length=most)] == expected


def test_overlap():
    html = "<p>One a. Two b. Three c. Four d. Five e."
    assert [part for _, part in cut(html, max_length=16, overlap=8)] == [
        "One a. Two b.",
        "Two b. Three c.",
        "Four d. Five e.",
    ]


@settings(max_examples=120)
@given(contents(), st.integers(1, 60))
def test_every_line_is_in_one_chunk(content, most):
    found = chunks(content, max_length=most)
    assert all(0 < len(chunk.text) <= most and chunk.text.strip() for chunk in found)
    joined = re.sub(r"\s", "", "".join(chunk.text for chunk in found))
    assert joined == re.sub(r"\s", "", text.render(content))
    rows = [chunk.rows for chunk in found]
    assert rows == sorted(rows)
    assert all(first < last for first, last in rows)
