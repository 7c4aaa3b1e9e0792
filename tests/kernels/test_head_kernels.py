"""The kernels that read the head find what Python finds."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chaffinch.model.claims import read_claims
from chaffinch.page import parse, tags
from chaffinch.page.attributes import Attributes
from strategies import markup

_native = pytest.importorskip("chaffinch.kernels._native")
NAMES = st.sampled_from(
    ["og:type", "OG:Type", "og:title", "Description", "og:description", "", "keywords", "og:tİtle"]
)
METAS = st.lists(
    st.dictionaries(st.sampled_from(["property", "name", "content", "class"]), NAMES, max_size=4),
    max_size=6,
)
SVG = "<svg><title>picture</title><desc><title>more</title></desc></svg>"


def claims_of(html):
    found = read_claims(parse(html))
    return found.title, found.description, found.body, found.facts.tolist()


@given(metas=METAS, before=markup(max_size=8), titles=st.lists(st.sampled_from([SVG, "t"])))
@example([{"property": "", "name": "description", "content": "by name"}], "", [SVG, "t"])
@example([{"property": "keywords", "name": "description", "content": "neither"}], "", [])
@example([{"name": "description"}, {"name": "description", "content": "too late"}], "", [SVG])
def test_claims(plainly, metas, before, titles):
    written = [" ".join(f'{name}="{value}"' for name, value in meta.items()) for meta in metas]
    html = "".join(f"<meta {pairs}>" for pairs in written)
    html += "".join(title if title == SVG else f"<title>{title}</title>" for title in titles)
    for page in (html + before, before + html, f"<meta content property=og:type name>{html}"):
        found = claims_of(page)
        with plainly():
            assert claims_of(page) == found


def _arguments():
    page = parse("<meta name=Description content='slow birds'><meta property=og:type content=bird>")
    columns = page.attribute_columns
    number = columns.number_of
    columns = (columns.starts, columns.numbers, columns.ends, columns.valueless, columns.values)
    numbers = (tags.CODES["meta"], number["property"], number["name"], number["content"])
    return [page.tag, *columns, *numbers, ("og:type", "description")]


@pytest.mark.usefixtures("plainly")
def test_contents_of_names():
    found = _native.named_contents(*_arguments())
    assert found == {"description": "slow birds", "og:type": "bird"}


@pytest.mark.usefixtures("plainly")
@given(data=st.data())
def test_nothing_is_read_outside_the_columns(data):
    arguments = _arguments()
    for place in (1, 2, 3):
        column = np.frombuffer(arguments[place], np.int32).copy()
        for at in data.draw(st.lists(st.integers(0, len(column) - 1), max_size=2)):
            column[at] = data.draw(st.integers(-(2**31), 2**31 - 1) | st.integers(-2, 60))
        arguments[place] = column.tobytes()
    try:
        found = _native.named_contents(*arguments)
    except TypeError as error:
        assert "don't fit" in str(error)  # noqa: PT017  either way is right
    else:
        assert set(found) <= {"description", "og:type"}


@pytest.mark.usefixtures("plainly")
@pytest.mark.parametrize("place", [0, 1, 2, 3, 4])
def test_columns_of_other_lengths_are_refused(place):
    arguments = _arguments()
    arguments[place] = arguments[place][:-1]
    with pytest.raises(TypeError, match="don't fit"):
        _native.named_contents(*arguments)


@pytest.mark.usefixtures("plainly")
def test_wrong_arguments_are_refused():
    arguments = _arguments()
    for wrong in ([*arguments[:-1], None], [*arguments[:-1], (3,)], arguments[:-1]):
        with pytest.raises(TypeError):
            _native.named_contents(*wrong)
    page = parse("<p>a")
    for end in (page.end[:-1], page.end.astype(np.int64)):
        with pytest.raises(TypeError):
            _native.first_outside(page.tag, end, 1, 2)


@pytest.mark.usefixtures("plainly")
def test_ends_that_lead_nowhere():
    page = parse("<svg><g></g></svg><title>t</title>")
    codes = tags.CODES["title"], tags.CODES["svg"]
    for end in (-5, 2**31 - 1, 0):
        row = _native.first_outside(page.tag, np.full(len(page), end, np.int32), *codes)
        assert -1 <= row < len(page)


def test_pages_whose_attributes_are_dicts(plainly):
    html = "<meta name=description content='slow birds'><title>t</title>"
    with plainly():
        page = parse(html)
    assert isinstance(page._attributes, Attributes)  # noqa: SLF001  of Python's walk
    assert read_claims(page).description == "slow birds"
