"""What fuzzing found, as made-up pages (`make fuzz`)."""

import pytest

from bench.lib.fuzzing import tried
from bench.lib.hostile_outputs import Subject
from chaffinch import parse

FORMULA_ALONE = "<img class=tex alt='x^2 rye oats'>"
TAG_THAT_NO_SELECTOR_NAMES = 'n\rv<d">'
STATE_OF_NO_OBJECT = '<script type="application/json">true</script><p>rye'
STATE_OF_NO_DAY = (
    f'<script id=__NEXT_DATA__ type="application/json">{{"date": 1{400 * "0"},'
    f' "author": [[1e999]], "body": "{60 * "rye and "}"}}</script>'
)


def test_blocks_of_a_page_whose_text_all_stands_in_attributes():
    """`owner[-1]` of no blocks: an IndexError in blocks, locate, verify and JSON with all parts."""
    got = Subject(FORMULA_ALONE).whole
    assert got.text == "$x^2 rye oats$"
    (block,) = got.blocks
    assert (block.start, block.end, block.id, block.fragment) == (0, len(got.text), "", "")
    (element,) = got.page.select(block.selector)
    assert got.page.name(element) == "body"
    assert got.verify("x^2 rye oats") == "exact"
    found = got.locate("rye oats")
    assert (found.text, found.ids, found.fragment) == ("rye oats", (), "")


@pytest.mark.parametrize(
    "page", [FORMULA_ALONE, TAG_THAT_NO_SELECTOR_NAMES, STATE_OF_NO_OBJECT, STATE_OF_NO_DAY]
)
def test_pages_that_broke_an_output(page):
    """The second: the largest of no nodes, a ValueError where a site is learned.

    The third: members of a truth value, a TypeError in every output with a title. The
    fourth: seconds that no float holds, an OverflowError.
    """
    outcome = tried(page.encode())
    assert not [one for one in outcome.findings if not one.what.startswith(("slow", "large"))]
    assert not outcome.refused


@pytest.mark.parametrize("tag", ["rb", "rp", "rt", "rtc", "optgroup"])
def test_nests_that_the_parser_walks_through_at_each_tag_are_bounded(tag):
    """1.2 s of 80 kB: the tags of a page were bounded only from 20,000 of them on."""
    assert len(parse(f"<{tag}>" * 8_001)) < 1_100
