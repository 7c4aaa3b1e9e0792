"""Labelled pages of one's own: saved one by one, read as any corpus."""

import json

import pytest

from chaffinch.errors import OptionError
from chaffinch.evaluate import read_corpus
from chaffinch.evaluate.label_file import put_row

ROW = {"id": "a", "url": "https://grain.example/", "html": "<p>Rye", "gold_text": "Rye"}


def test_rows_are_added_and_replaced(tmp_path):
    path = tmp_path / "data" / "labels.jsonl"
    assert put_row(path, ROW) == 1
    assert put_row(path, {**ROW, "id": "b"}) == 2
    assert put_row(path, {**ROW, "gold_text": "Rye\u2028and oats"}) == 2
    found = {one.id: one.gold_text for one in read_corpus(str(path))}
    assert found == {"a": "Rye\u2028and oats", "b": "Rye"}


def test_lines_of_other_tools_stay_to_the_letter(tmp_path):
    """JSON may hold what Python takes for ends of lines, where nobody escapes them."""
    path = tmp_path / "labels.jsonl"
    line = json.dumps({**ROW, "id": "b", "gold_text": "Rye\u2028and\x85oats"}, ensure_ascii=False)
    path.write_text(f"{line}\n", encoding="utf-8")
    assert put_row(path, ROW) == 2
    assert path.read_text(encoding="utf-8").startswith(f"{line}\n")


@pytest.mark.parametrize("text", ["no json\n", "[1]\n", "[" * 99_999, '{"id": "b"}\n\xff\n'])
def test_files_of_something_else_stay(tmp_path, text):
    path = tmp_path / "labels.jsonl"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(OptionError, match="holds no labelled pages"):
        put_row(path, ROW)
    assert path.read_text(encoding="latin-1") == text


def test_places_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text(json.dumps(ROW), encoding="utf-8")
    with pytest.raises(OptionError, match="can't write"):
        put_row(tmp_path / "file" / "labels.jsonl", ROW)
