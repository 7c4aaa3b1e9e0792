"""Rows of a run by fixed filters, and the page of a row wherever its source has it."""

import json
import zipfile

import pytest

from chaffinch.batch import Plan, Recipe, run
from chaffinch.batch.run_rows import RowFilter, row_of, run_rows
from chaffinch.batch.sources.at_place import page_at
from chaffinch.errors import OptionError, PageError
from chaffinch.service.inspector.run_subject import RunSubject

SENTENCE = "The barley harvest began late this year, and the first sheaves stood wet in field {}. "


def html(number):
    text = "".join(f"<p>{SENTENCE.format(number * 10 + n) * 2}</p>" for n in range(number + 1))
    return f"<html lang=en><title>Field {number}</title><article>{text}</article>".encode()


def warc(path):
    """A WARC file of three responses, each a gzip member."""
    from fastwarc.warc import WarcRecordType  # noqa: PLC0415  an extra

    from chaffinch.warc.records import gzip_member, new_record  # noqa: PLC0415  an extra

    with path.open("wb") as file:
        for number in range(3):
            headers = {
                "WARC-Target-URI": f"https://grain.example/{number}.html",
                "Content-Type": "text/html",
            }
            record = new_record(WarcRecordType.resource, headers, html(number))
            file.write(gzip_member(record))
    return path


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    """A run over an archive of each kind."""
    folder = tmp_path_factory.mktemp("run")
    (folder / "alone.html").write_bytes(html(3))
    with zipfile.ZipFile(folder / "some.zip", "w") as archive:
        archive.writestr("a/four.html", html(4))
        archive.writestr("a/five.html", html(5))
    lines = [{"url": f"https://rye.example/{n}", "html": html(n).decode()} for n in (6, 7)]
    lines.append(
        {"url": "https://rye.example/zh", "html": "<html lang=zh><p>大麦的收割今年开始得晚。"}
    )
    (folder / "some.jsonl").write_text(
        "".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8"
    )
    sources = [
        warc(folder / "some.warc.gz"),
        *(folder / n for n in ("alone.html", "some.zip", "some.jsonl")),
    ]
    plan = Plan(out=str(folder / "out"), recipe=Recipe(assessment=True), buckets=2)
    run([str(one) for one in sources], plan, workers=1)
    return str(folder / "out")


def test_filters_add_up(out):
    every = run_rows(out, RowFilter())
    assert every.total == len(every.rows) == 9
    assert run_rows(out, RowFilter(host="grain.example")).total == 3
    assert run_rows(out, RowFilter(language="zh")).total == 1
    assert run_rows(out, RowFilter(host="grain.example", text="FIELD 2")).total == 1
    assert run_rows(out, RowFilter(error="page")).total == 0
    states = {one: run_rows(out, RowFilter(state=one)).total for one in ("content", "empty")}
    assert states["content"] > 0
    low, high = run_rows(out, RowFilter(most=0.5)).total, run_rows(out, RowFilter(least=0.5)).total
    assert low + high >= len([one for one in every.rows if one["confidence"] is not None])
    assert run_rows(out, RowFilter(host="' or 1=1 --")).total == 0


def test_order_and_portions(out):
    every = run_rows(out, RowFilter(order="length")).rows
    lengths = [one["length"] for one in every]
    assert lengths == sorted(lengths)
    parts = [run_rows(out, RowFilter(order="length"), start=n, most=4).rows for n in (0, 4, 8)]
    assert [one for part in parts for one in part] == every


def test_each_row_has_its_page(out):
    subject = RunSubject(out)
    from chaffinch import Limits  # noqa: PLC0415

    for row in run_rows(out, RowFilter()).rows:
        page = subject.page(row["id"], Limits())
        source = page.html if isinstance(page.html, str) else page.html.decode()
        assert (row["title"] or "大麦") in source
        assert page.url == (row["url"] or None)


@pytest.mark.parametrize("row", ["", "x", "0-99999", "99-0", "-1-0", "0--1", "../../etc/passwd"])
def test_rows_that_are_not_there(out, row):
    with pytest.raises(OptionError, match="no row"):
        row_of(out, row)


def test_wrong_orders_and_folders(tmp_path):
    with pytest.raises(OptionError, match="order"):
        RowFilter(order="url; drop table")
    with pytest.raises(OptionError, match="holds no pages"):
        run_rows(str(tmp_path), RowFilter())


@pytest.mark.parametrize(
    ("file", "problem"),
    [
        ("https://grain.example/a.html", "can only be fetched"),
        ("/etc/passwd", "can only be fetched"),
        ("/nowhere/a.warc.gz", "isn't there"),
    ],
)
def test_places_that_are_not_there(file, problem):
    with pytest.raises(PageError, match=problem):
        page_at(file, Plan(out=""))


def test_a_place_that_another_page_has_now(tmp_path):
    path = warc(tmp_path / "again.warc.gz")
    with pytest.raises(PageError, match="isn't in"):
        page_at(str(path), Plan(out=""), offset=0, url="https://grain.example/other")
    path.write_bytes(b"\x1f\x8b" + b"broken" * 9)
    with pytest.raises(PageError, match="isn't in"):
        page_at(str(path), Plan(out=""), offset=3)


def test_lines_in_the_place_of_parquet(tmp_path):
    (tmp_path / "a.html").write_bytes(html(2))
    plan = Plan(out=str(tmp_path / "out"), recipe=Recipe(), form="jsonl", buckets=1)
    run([str(tmp_path / "a.html")], plan, workers=1)
    (row,) = run_rows(str(tmp_path / "out"), RowFilter(language="en", least=0.1)).rows
    assert row_of(str(tmp_path / "out"), row["id"])["title"] == "Field 2"
