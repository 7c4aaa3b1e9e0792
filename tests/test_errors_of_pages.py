"""Pages made of hostile pieces: extraction and all outputs raise errors of the project, or none.

What is found in them is what each part promises: rows of the page in order, clean values.
"""

import csv
import io
import json
from datetime import date
from itertools import pairwise
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import chaffinch
from bench.lib.hostile_grammar import Grammar
from chaffinch import PageError, SetupError, Verdict
from chaffinch.metadata import FIELDS
from chaffinch.methods import METHODS
from chaffinch.output.options import PARTS


def page_of(seed, pieces):
    made = Grammar(Random(seed)).page(pieces)  # noqa: S311  no secrets
    return made.decode("utf-8", "surrogateescape")


SOURCES = {"h1", "title", "url", "time", "text", "line", "state", "heading"}
"""Of values that no declared name gives."""
pages = st.builds(page_of, st.integers(0, 2**32), st.integers(1, 40))


def all_outputs(found):
    """Make every output of an extract."""
    for output in (
        *(found.text, found.noise, found.markdown(front_matter=True), found.html(), found.clean()),
        *(found.tei(), found.to_json(parts=list(PARTS)), found.front_matter()),
    ):
        output.encode("utf-8")
    return found.blocks, found.chunks(max_length=10), found.explain()


def check_metadata(data, page):
    for name in FIELDS:
        found = data.field_value(name)
        if found is None:
            continue
        assert -1 <= found.row < len(page)
        assert 0 < found.confidence <= 1
        assert ":" in found.source or found.source in SOURCES
        values = found.value if isinstance(found.value, tuple) else (found.value,)
        assert values
        for value in (getattr(one, "name", one) for one in values):  # contributors have roles, too
            if name in {"published", "modified"}:
                assert isinstance(value, date)
            elif name != "product":
                assert value == " ".join(value.split()) != ""
                assert "\x00" not in value
    assert json.loads(json.dumps(data.to_dict(fields=FIELDS))).keys() == set(FIELDS)


def check_parts(found):
    page = found.page
    rows = [image.row for image in found.images]
    assert rows == sorted(set(rows))
    assert all(page.shown[rows])
    assert len({image.url for image in found.images} - {""}) == len(found.images)
    for number, post in enumerate(found.posts, start=1):
        assert post.number == number
        assert 0 <= post.rows[0] < post.rows[1] <= len(found.in_rows.page)
        assert post.reply_to is None or 1 <= post.reply_to < number
        assert post.kind in {"question", "answer", "comment", "post"}
    for one, other in pairwise(found.records):
        is_behind = one.rows[1] <= other.rows[0]
        assert is_behind or one.list_number != other.list_number
        assert is_behind or not {*range(*one.rows)} & {*range(*other.rows)}
    for number, one in enumerate(found.records, start=1):
        assert one.number == number
        for name, field in one.fields.items():
            assert field.value
            inside = one.rows[0] <= field.rows[0] < field.rows[1] <= one.rows[1]
            assert inside or name == "link"  # which may stand around its entry
    assert [table.row for table in found.tables] == sorted({one.row for one in found.tables})
    for table in found.tables:
        table.markdown(), table.html()
        assert {len(line) for line in table.cells} == {len(set(table.names))}
        records = table.records()
        assert len(records) < 2 or all(list(one) == table.names for one in records)
        assert list(csv.reader(io.StringIO(table.csv(defused=False), newline=""))) == table.texts
        own = range(table.row + 1, page.end[table.row])
        assert all(cell.row in own for line in table.cells for cell in line if cell is not None)


def keep_all(page):
    verdict = Verdict.empty(len(page))
    return verdict.with_keep(~verdict.keep)


@pytest.mark.parametrize("method", [*METHODS, keep_all])
@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(html=pages, other=pages, url=st.sampled_from([None, "http://a.b/c", "http://[", "x", ""]))
def test_extraction_and_outputs_raise_errors_of_the_project_or_none(method, html, other, url):
    compares = isinstance(method, str) and "siblings" in METHODS[method].__dataclass_fields__
    siblings = [other, html + "<p>more"] if compares else ()
    try:
        found = chaffinch.extract(html, method=method, siblings=siblings, url=url)
        all_outputs(found)
        check_parts(found)
        check_metadata(found.metadata, found.in_rows.page)
    except (PageError, SetupError) as error:
        assert str(error)  # noqa: PT017 - either will do
