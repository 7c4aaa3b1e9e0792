"""What a page may be asked for, so that it meets kernels."""

import chaffinch
from chaffinch.layout.estimated_boxes import flow
from chaffinch.layout.markup import read_markup
from chaffinch.methods import METHODS
from chaffinch.page import parse
from chaffinch.page.attributes import Search
from chaffinch.segment.text_blocks import text_blocks

ALONE = [name for name, kind in METHODS.items() if not kind.needs_siblings]


ADDRESSES = Search("href", "us", "http")


def trip(html, **options):
    """Go through all that a page may be asked for."""
    got = chaffinch.extract(html, **options)
    assert got.text == got.text
    for written in (got.markdown, got.html):
        assert isinstance(written(), str)
    page = got.page
    assert len(page.path_hash) == len(page)
    classes = page.values("class")
    assert list(classes.rows) == list(dict.fromkeys(dict(page.having("class")).values()))
    ADDRESSES.where(page, bool)
    flow(page, read_markup(page))
    blocks = text_blocks(page)
    assert blocks.texts() == [blocks.text(block) for block in range(len(blocks))]
    return got


def meet_kernels(rows):
    """Have pages of the example site meet the kernels that a page's trip calls."""
    for number, row in enumerate(rows[::40]):
        method = ALONE[number % len(ALONE)]
        trip(row["html"].encode("latin-1"), method=method, url=row["url"])
    trip(b'<script type="application/ld+json">{"@type": "Article"}</script><p>x')
    page = parse("<p>x")
    parse("<p>" * 3_000 + "<p " + "a " * 150_000)
    parse(("<p " + "a " * 4_000 + ">") * 101)  # too many names, one by one
    page.all_attributes()
