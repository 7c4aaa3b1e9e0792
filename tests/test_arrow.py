"""Pages in a column of a table: a row for each, with its content, or its error, in columns."""

import pickle
from functools import partial

import pyarrow as pa
import pytest

import chaffinch
from chaffinch import Limits, arrow
from chaffinch.corpus.rows import VALUES
from chaffinch.corpus.table import COLUMNS, ERRORS, ON_REQUEST
from chaffinch.errors import OptionError

RYE = "<title>Рожь</title><meta charset=windows-1251><h1>Рожь</h1><p>Рожь — злак. " * 3
PAGES = [RYE.encode("cp1251"), None, b"%PDF-1.7", b"", b"<p>" + b"<b>x</b>" * 400]


@pytest.fixture
def table():
    urls = [f"https://grain.example/{number}" for number in range(len(PAGES))]
    return pa.table({"id": range(len(PAGES)), "html": PAGES, "url": urls})


def test_rows_stay_and_the_content_stands_beside_them(table):
    made = arrow.extract(table)
    assert made.column_names == ["id", "url", *arrow.DEFAULT_COLUMNS, *arrow.ERRORS]
    rye, null, pdf, empty, other = made.to_pylist()
    found = chaffinch.extract(PAGES[0], url="https://grain.example/0")
    assert (rye["title"], rye["text"], rye["error"]) == ("Рожь", found.text, "")
    assert rye["confidence"] == pytest.approx(found.confidence)
    assert set(null.values()) == {1, "https://grain.example/1", None}
    assert (pdf["error"], pdf["error_detail"], pdf["text"]) == ("page", "not HTML: PDF", None)
    assert (empty["text"], empty["error"], other["id"]) == ("", "", 4)


@pytest.mark.parametrize("form", [pa.Table, pa.RecordBatch])
def test_a_batch_gives_a_batch_and_a_table_a_table(table, form):
    given = table if form is pa.Table else table.to_batches()[0]
    made = arrow.extract(given)
    assert type(made) is form
    assert made.schema == arrow.schema_of(table.schema)
    assert made.num_rows == len(PAGES)
    empty = arrow.extract(given.slice(0, 0))
    assert (empty.num_rows, empty.schema) == (0, made.schema)


def test_every_column_of_a_run_can_be_had_with_its_type(table):
    made = arrow.extract(table, columns=list(VALUES))
    for name in VALUES:
        assert made.schema.field(name).type == {**COLUMNS, **ON_REQUEST}[name][0]
    rye = made.to_pylist()[0]
    assert rye["markdown"].startswith("# Рожь")
    assert rye["url"] == "https://grain.example/0"
    assert made.to_pylist()[2]["url"] == "https://grain.example/2"  # the error's row, too


@pytest.mark.parametrize(
    "kind", [pa.binary(), pa.large_binary(), pa.binary_view(), pa.string(), pa.large_string()]
)
def test_pages_are_binary_or_text_of_any_width(kind):
    is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
    page = "<title>Rye</title><p>Rye is a grass."
    column = pa.array([page if is_text else page.encode(), None], kind)
    made = arrow.extract(pa.table({"html": column}))
    assert made.to_pylist()[0]["title"] == "Rye"


def test_columns_of_addresses_encodings_and_statuses():
    page = "<p>Рожь, злак, а не трава. <a href=b>Далее</a></p>".encode("koi8-r")
    given = pa.table(
        {"page": [page], "at": ["https://a.example/"], "label": ["koi8-r"], "s": [404]}
    )
    made = arrow.extract(
        given, html="page", url="at", encoding="label", status="s",
        columns=["markdown", "encoding", "assessment"],
    ).to_pylist()[0]  # fmt: skip
    assert "Рожь, злак" in made["markdown"]
    assert "https://a.example/b" in made["markdown"]
    assert (made["encoding"], made["assessment"]["status"]) == ("koi8-r", 404)
    assert (made["at"], made["s"]) == ("https://a.example/", 404)


def test_options_are_those_of_extract():
    given = pa.table({"html": ["<p class=a>Rye is a grass.</p><p class=b>Oats are, too.</p>"] * 2})
    assert arrow.extract(given, drop=".a").column("text")[1].as_py() == "Oats are, too."
    made = arrow.extract(given, method="block_density", columns=["method"])
    assert made.column("method").to_pylist() == ["block_density"] * 2


def test_errors_have_the_kinds_of_a_run():
    given = pa.table({"html": ["<p>" + "<b>a</b> " * 200_000]})
    made = arrow.extract(given, limits=Limits(seconds=0.01)).to_pylist()[0]
    assert made["error"] == "time"
    assert made["error"] in ERRORS
    assert made["error_detail"].startswith("more than 0.01 s")


@pytest.mark.parametrize(
    "options",
    [
        {"columns": ["texts"]}, {"columns": "text"}, {"columns": 3}, {"html": "page"},
        {"html": "id"}, {"html": None}, {"url": "address"}, {"url": 3}, {"nothing": 1},
        {"method": "none such"}, {"drop": ">>"},
    ],
)  # fmt: skip
def test_options_that_are_wrong(table, options):
    with pytest.raises(OptionError):
        arrow.extract(table, **options)


def test_a_partial_goes_to_other_processes(table):
    work = pickle.loads(pickle.dumps(partial(arrow.extract, columns=["text"])))  # noqa: S301
    assert work(table) == arrow.extract(table, columns=["text"])
