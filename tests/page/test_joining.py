"""Pages joined into one: the table stays a table, and nothing of any page is lost."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from chaffinch import parse
from chaffinch.page import tags
from chaffinch.page.joining import join_pages
from strategies import markup

PAGES = st.lists(markup(), min_size=2, max_size=4)


def parts_of(sources):
    """Return the pages of sources, of which each has a text in a body."""
    return [parse(f"<p>{number}</p>{source}") for number, source in enumerate(sources)]


@given(PAGES)
def test_the_joined_table_is_one_of_a_page(sources):
    joined = join_pages(parts_of(sources))
    page = joined.page
    rows = np.arange(len(page))
    assert (page.end > rows).all()
    assert (page.parent[1:] < rows[1:]).all()
    assert page.parent[0] == -1
    assert (page.depth[1:] == page.depth[page.parent[1:]] + 1).all()
    assert (page.end[1:] <= page.end[page.parent[1:]]).all()
    first = np.full(len(page), len(page))
    for row in rows[::-1].tolist():
        first[row] = max(
            [row + 1, *(int(page.end[one]) for one in np.flatnonzero(page.parent == row))]
        )
    assert (page.end == first).all()
    assert page.text_at[-1] == len(page.text)


@given(PAGES)
def test_each_part_is_there_row_by_row(sources):
    pages = parts_of(sources)
    joined = join_pages(pages)
    assert len(joined.rows) == len(pages)
    for part, (begin, stop) in zip(pages[1:], joined.rows[1:], strict=True):
        own = slice(part.body, int(part.end[part.body]))
        assert stop - begin == own.stop - own.start
        names = [part.name(row) for row in range(own.start, own.stop)]
        assert [joined.page.name(row) for row in range(begin, stop)] == ["div", *names[1:]]
        assert joined.page.text_of(begin) == part.text_of(part.body)
    body = joined.page.body
    texts = [page.text_of(page.body) for page in pages]
    assert joined.page.text_of(body) == "".join(texts)
    column = joined.column([np.full(len(page), number) for number, page in enumerate(pages)])
    assert len(column) == len(joined.page)
    for number, (begin, stop) in enumerate(joined.rows[1:], 1):
        assert (column[begin:stop] == number).all()


def test_names_and_formulas_of_further_parts_stay_and_their_data_goes():
    data = '<script type="application/ld+json">{"@type": "Thing"}</script>'
    formula = '<script type="math/tex">x^2</script>'
    pages = [parse(f"<body><x-note>{n}</x-note>{data}{formula}") for n in (1, 2)]
    page = join_pages(pages).page
    assert [page.name(row) for row in np.flatnonzero(page.tag == tags.UNKNOWN)] == ["x-note"] * 2
    assert sorted(page.sources.values()) == sorted(['{"@type": "Thing"}', "x^2", "x^2"])
