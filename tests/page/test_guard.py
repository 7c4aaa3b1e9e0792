import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from chaffinch.errors import PageError
from chaffinch.page.bounds import Limits, bound, bounded, suspicious
from hostile_pages import PAGES, attributes, numbered
from rows_of_cases import examples
from strategies import markup

SMALL = Limits(
    max_depth=8,
    max_attributes=4,
    max_formatting=4,
    max_options=5,
    max_unmatched_end_tags=6,
    max_names=50,
)
# What the page's table or the parser adds to the bound: html, body, copies of formatting elements.
SLACK = 16

CHILD = """
import json, sys
sys.path[:0] = {paths!r}
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (5 << 29, 5 << 29))
except ImportError:
    pass
from hostile_pages import PAGES
from chaffinch.errors import PageError
from chaffinch.page.bounds import bounded
from chaffinch import kernels
from chaffinch.page.bounds import bound
from chaffinch.page.bounds import Limits
from selectolax.lexbor import LexborHTMLParser
from test_guard import deepest
for name in {names!r}:
    make, count = PAGES[name]
    try:
        page = {change}(make(max(count // {part}, 3_000)), Limits())
        print(json.dumps([name, *deepest(LexborHTMLParser(page))]))
    except PageError as error:
        print(json.dumps([name, str(error)]))
"""


def deepest(parser: LexborHTMLParser) -> tuple[int, int, int]:
    """Return depth, elements and most attributes of a parsed page, without recursion."""
    depth = most = size = 0
    waiting = [(parser.root, 0)]
    while waiting:
        node, level = waiting.pop()
        depth, size = max(depth, level), size + 1
        most = max(most, len(node.attributes))
        child = node.first_child
        while child is not None:
            waiting.append((child, level + 1))
            child = child.next
    return depth, size, most


def text_of(data: bytes) -> str:
    return re.sub(r"\s+", "", LexborHTMLParser(data).root.text())


def figures(names, change, part):
    """Return what a process of 2.5 GB made of pages; killed after minutes, as a guard of hangs."""
    here = Path(__file__).parent
    code = CHILD.format(paths=[str(here), str(here.parent)], names=names, change=change, part=part)
    child = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=240, check=False
    )
    assert child.returncode == 0, child.stderr[-500:]
    found = [json.loads(line) for line in child.stdout.splitlines()]
    assert [name for name, *_ in found] == names
    return {name: rest if len(rest) > 1 else rest[0] for name, *rest in found}


@pytest.mark.parametrize("part", range(4))
def test_every_hostile_page_is_bounded(part):
    for name, found in figures(list(PAGES)[part::4], "bounded", 32).items():
        if isinstance(found, str):
            assert found.startswith("more than 2,000,000"), name
            continue
        depth, size, most = found
        assert depth <= 2 * 512 + 64 + SLACK, name
        assert size <= 2_500_000, name
        assert most <= 512, name


@pytest.mark.parametrize(
    "data", [b"", b"<", b"<p", b"<p a='", b"<!--", b"</", b"x<script>", b"<p/"]
)
def test_fragments_stay(data):
    assert bounded(data, SMALL) is data
    assert bound(data, SMALL) is data


def test_text_and_bytes_come_back_as_what_they_are():
    page = "<p>é" + "<div>" * 40_000
    assert bound(page, Limits()) == bound(page.encode(), Limits()).decode()
    small = "<p>é\ud800"
    assert bound(small, Limits()) is small


def test_a_page_too_big():
    with pytest.raises(PageError, match="too big"):
        bound(b"a" * 11, Limits(max_bytes=10))
    assert bound(b"a" * 10, Limits(max_bytes=10)) == b"a" * 10


def test_too_many_tags():
    with pytest.raises(PageError, match="more than 1,000 tags"):
        bound(b"<br>" * 1_001, Limits(max_rows=1_000))
    with pytest.raises(PageError, match="more than 1,000 end tags"):
        bound(b"</b>" * 1_001, Limits(max_rows=1_000))


FEW_TAGS = Limits(max_tags_per_megabyte=5)
RAW = b"<style>a{}</style><textarea><b></textarea><title><a></title>"
TAIL = b"</main><section class=x><p>one<p>two</section>"
DEEP = b"".join(b"<div>%d " % level for level in range(100)) + b"</div>" * 100 + b"after"
SELECT = b"<select>" + b"<option>x</option>" * 8 + b"</select>"


@pytest.mark.parametrize(
    ("page", "limits", "end", "counts"),
    [
        (DEEP, SMALL, b"".join(b"%d " % n for n in range(16, 100)) + b"</div>" * 16 + b"after", {}),
        (b"<main>" + b"<div>" * 50 + b"x" + b"</div>" * 50 + TAIL, SMALL, TAIL, {}),
        (b'<p a=1 b="2>" c=\'3\' d e=5 f="6>">x', SMALL, b"<p a=1 b=\"2>\" c='3' d >x", {}),
        (b"<p a=1 b=2 c=3 d=4>x", SMALL, b"<p a=1 b=2 c=3 d=4>x", {}),
        (numbered(b"<p n%d=1>x", 80), SMALL, b"x", {b"=1": 50}),
        (numbered(b"<x%d>y", 80), Limits(max_names=50), b"y", {b"<x": 50}),
        (b"<ul>" + b"<li>oats</li>" * 8 + b"</ul><br>rye<script>'<p>'</script>", FEW_TAGS,
         b" oats" * 4 + b"</ul> rye<script>'<p>'</script>", {b"<li>": 4}),
        (b"<p>x" * 30 + b"y" * (2 << 20), Limits(max_tags_per_megabyte=8), b"y", {b"<p>": 16}),
        (b"<p>x" * 9 + RAW + b"<svg>y</svg>", FEW_TAGS, b" x" * 4 + RAW + b" y", {b"<p>": 5}),
        (numbered(b"<p><font size=%d>x", 30), SMALL, b"x", {b"<font": 4}),
        (SELECT * 2, SMALL, b"x</select>", {b"<option>": 10, b"</option>": 10}),
        (b"<div>" + b"x</i>" * 10 + b"</div>", SMALL, b"x" * 4 + b"</div>", {b"</i>": 6}),
        (numbered(b"<body n%d=1>x", 40), Limits(), b"x", {b"=1": 16}),
        (b"<body>x" * 40, Limits(), b"<body>x" * 40, {}),
    ],
    ids=range(14),
)  # fmt: skip
def test_what_is_beyond_a_limit_is_cut_and_text_is_kept(page, limits, end, counts):
    changed = bounded(page, limits)
    assert changed.endswith(end)
    assert {part: changed.count(part) for part in counts} == counts
    assert text_of(changed) == text_of(page)
    assert deepest(LexborHTMLParser(changed))[0] <= 2 * limits.max_depth + 3


@pytest.mark.parametrize(
    "hidden",
    [
        b"<!-- %s -->",
        b"<script>'%s'</script>",
        b"<script><!--<script>%s</script>--></script>",
        b"<style>%s</style>",
        b"<textarea>%s</textarea>",
        b"<title>%s</title>",
        b'<p title="%s">x',
        b"<p title='%s'>x",
        b"<plaintext>%s",
        b"<svg><![CDATA[%s]]></svg>",
        b"<?php %s",
    ],
)
def test_what_is_no_tag_is_untouched(hidden):
    inside = b"<div" * 60 if hidden.startswith(b"<?") else b"<div>" * 60
    page = hidden % inside
    assert bounded(page, SMALL) is page


def test_normal_pages_are_not_looked_at_closely():
    page = b"<html><body>" + b"<div class=a><p>text <b>bold</b></p></div>" * 400
    assert not suspicious(page, Limits())
    assert suspicious(b"<div>" * 20_001, Limits())
    assert suspicious(numbered(b"<p><font size=%d>", 3_000), Limits())
    assert suspicious(attributes(60_000), Limits())
    assert not suspicious(b"<p>" + b"word " * 200_000, Limits())


@given(markup())
def test_the_guard_changes_no_normal_page(page):
    data = page.encode()
    assert bound(page, Limits()) is page
    assert bounded(data, Limits()) is data


PLAIN = ["div", "p", "span", "b", "i", "ul", "li", "h2", "section", "a", "font", "x-y"]


@given(st.lists(st.sampled_from([f"<{t}>" for t in PLAIN] + [f"</{t}>" for t in PLAIN] + ["x"]),
                max_size=120))  # fmt: skip
def test_no_text_is_lost(parts):
    page = "".join(parts).encode()
    assert text_of(bounded(page, SMALL)) == text_of(page)


LEXICON = examples(__file__, "guard lexicon")


@settings(derandomize=True, max_examples=120)
@given(st.lists(st.sampled_from([f"<{t}>" for t in LEXICON] + [f"</{t}>" for t in LEXICON] + ["x"]),
                min_size=1, max_size=6))  # fmt: skip
def test_the_parser_never_gets_deeper_than_the_bound(unit):
    page = "".join(unit).encode() * 60
    depth = deepest(LexborHTMLParser(bounded(page, SMALL)))[0]
    assert depth <= 2 * SMALL.max_depth + SLACK
