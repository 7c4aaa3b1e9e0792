"""Lines of shown text, what is sought in all of them at once, and the quick way for plain names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.elements.dates import may_hold_date
from chaffinch.metadata.names import has_label, places_of_labels, split_names
from chaffinch.metadata.regions import ShownLines

LABELS = """By Jane Doe|ByJane Doe|by: x|— Written by Jane|POSTED BY x|Published by x
published  by x|Story by x|Von Jana|par Anne|Por Ana|door Jan|av Kari|af Bo
autorzy: x|Autorin: x|Autores x|authors: x|Author x|auteur x|Autore: x|texte: x
Text: x|Skrevet av x|Redaktion: x|Redaktor x|geschrieben von x|Ein Beitrag von x
Kommentar von x|escrito por x|publicado por x|scritto da x|di Anna|автор: x|Авторы x
текст: x|συντάκτης x|ΣΥΝΤΆΚΤΗΣ: x|作者：王小明|記者：x|记者 x|本报记者 x|本網记者 x
实习记者 x|编辑：x|責任編輯：x|撰文/x|文：x|來源：x|责编：x|通讯员：x|執筆：x|著者：x
By|by:|Author(s)|auteurs|verfasst von|Story by:|words by|autora|ſtory by x
\u212aommentar von x""".replace("\n", "|")


def lines_of(*lines: list[str]) -> ShownLines:
    """Return lines, each of texts that stand side by side."""
    spans, at = [], 0
    for texts in lines:
        spans.append([])
        for text in texts:
            spans[-1].append((at, at + len(text)))
            at += len(text)
    text = "".join("".join(texts) for texts in lines)
    return ShownLines(text, list(range(len(lines))), spans)


@pytest.mark.parametrize("label", LABELS.split("|"))
def test_a_line_with_a_label_is_found_among_others(label):
    lines = lines_of(["Headline of it"], ["— "], [label], ["more text"])
    assert has_label(label)
    assert lines.at(places_of_labels(lines.raw)) == [2]


@given(
    st.lists(
        st.sampled_from(
            ["By ", "by", "记者", "王", " ", "\u200b", "—", "Jane", "Author", ":", "\0"]
        ),
        max_size=6,
    )
)
def test_no_label_is_missed_whatever_a_line_is_made_of(pieces):
    lines = lines_of(pieces) if pieces else lines_of()
    found = lines.at(places_of_labels(lines.raw))
    assert [
        number for number, (_, text) in enumerate(lines) if has_label(text) and number not in found
    ] == []


@given(st.lists(st.text(alphabet="12.09 \0/-年", max_size=12), max_size=5))
def test_lines_that_may_hold_a_date_are_flagged(texts):
    lines = lines_of(*([text] for text in texts))
    assert lines.dated == [n for n, (_, text) in enumerate(lines) if may_hold_date(text)]


def test_texts_of_one_line_are_joined():
    lines = lines_of(["By  ", "Jane Doe"], ["文", "字"])
    assert list(lines) == [(0, "By Jane Doe"), (1, "文 字")]
    assert lines.raw == "\0By  Jane Doe\0文字"
    assert len(lines) == 2


WORDS = [
    "Jane",
    "Doe",
    "by",
    "By",
    "and",
    "Editor",
    "Monday",
    "last",
    "for",
    "the",
    "de",
    "Byron",
    "phd",
    "i",
    "ByJane",
]


@given(st.lists(st.sampled_from(WORDS), max_size=5), st.integers(0, 4), st.booleans())
def test_names_of_plain_words_are_those_that_all_expressions_find(words, at, strict):
    words.insert(at, "Doe")
    text = " ".join(words)
    tried = split_names(text.replace("Doe", "Doé"), strict=strict)  # not of ASCII: all are tried
    assert tried == tuple(name.replace("Doe", "Doé") for name in split_names(text, strict=strict))
