"""A whole page as HTML reads back as it was written, and neither reading runs anything."""

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from output_pages import content_of, sources

from chaffinch.output import html
from chaffinch.output.whole_page import is_element, whole_page
from chaffinch.page import parse, tags
from rows_of_cases import examples

LEADS = ("href", "action", "formaction", "xlink:href")
URL = "https://example.org/d/p.html"


def clean(source, **options):
    return whole_page(content_of(source, url=URL), **options)


def body(written):
    """Return what stands in the body of a page that was written."""
    return re.search(r"<body[^>]*>\n(.*)\n</body>\n</html>\n$", written, re.DOTALL)[1].strip()


def read(written):
    """Return the body that a parser finds in a page, written as it should have been."""
    page, parts, ends = parse(written), [], []
    for row in range(page.body + 1, len(page)):
        while ends and row >= ends[-1][0]:
            parts.append(ends.pop()[1])
        if not page.tag[row]:
            parts.append(html.escaped(page.text[page.text_at[row] : page.text_at[row + 1]]))
            continue
        name = page.name(row)
        pairs = page.attributes(row).items()
        given = "".join(f" {key}" if own is None else html.pair(key, own) for key, own in pairs)
        parts.append(f"<{name}{given}>" + "\n" * (name in ("pre", "listing", "textarea")))
        if not tags.VOID[page.tag[row]]:
            ends.append((int(page.end[row]), f"</{name}>"))
    return "".join([*parts, *(end for _, end in reversed(ends))]).strip()


def runs(source):
    """Return what could run."""
    page = parse(source)
    found = []
    for row in range(len(page)):
        name = page.name(row)
        is_head = name in ("meta", "link", "base") and page.name(int(page.parent[row])) == "head"
        if page.tag[row] and not is_head and not is_element(name):
            found.append(name)
        for key, value in page.attributes(row).items():
            bare = re.sub(r"[\x00-\x20]", "", value or "").lower()
            if key.startswith("on") or key in ("srcdoc", "http-equiv"):
                found.append(key)
            elif bare.startswith(("javascript:", "vbscript:")) or (
                bare.startswith("data:") and key in LEADS and name != "image"
            ):
                found.append(f"{key}={value}")
    return found


VECTORS = tomllib.loads(Path(__file__).with_name("vectors.toml").read_text("utf-8"))["whole"]


@pytest.mark.parametrize("case", VECTORS)
def test_vectors(case):
    written = clean(VECTORS[case].replace("{deep}", "<div>" * 508))
    assert not runs(written)
    assert "javascript:" not in written.replace("\\", "")
    assert read(written) == body(written)


NAMES = (
    "a p b i div span table tr td th caption tbody colgroup col form button select option optgroup"
    " textarea svg math desc title foreignObject annotation-xml mtext mi mglyph malignmark style"
    " script noscript template xmp plaintext noembed iframe animate set use image img li ul dl dd"
    " dt h1 h2 nobr font ruby rt rb marquee object details summary my-x pre listing br hr input"
    " frameset body html head"
).split()
ATTRIBUTES = examples(__file__, "clean reads back attributes")
starts = st.tuples(st.sampled_from(NAMES), st.sampled_from(ATTRIBUTES)).map("<{0[0]}{0[1]}>".format)
tokens = st.one_of(
    starts,
    starts,
    st.sampled_from(NAMES).map("</{}>".format),
    st.sampled_from(["a", " ", "\n", "&lt;img src=x onerror=x>", "<!--", "--!>", "-->", "]]>",
                     "<![CDATA[", "&#13;", "&nbsp;", "<!DOCTYPE html>", "\\href{javascript:x}"]),
)  # fmt: skip
hostile = st.lists(tokens, min_size=1, max_size=14).map("".join)


@settings(max_examples=120)
@given(st.one_of(hostile, sources.map("<p>{}".format)), st.booleans())
def test_any_page_reads_back(source, is_deep):
    written = clean("<div>" * 505 * is_deep + source + "<!---->")  # no bare code
    assert not runs(written), written
    assert read(written) == body(written)
