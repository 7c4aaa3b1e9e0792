"""What densities count in texts."""

import sys

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chaffinch.kernels.compiled import native as _native
from chaffinch.page import parse
from chaffinch.segment.densities import own_marks

MARKS = "，.é\u3000\uffff\0"
LETTERS = st.text(max_size=8) | st.text(st.sampled_from(f"aé字𝄞\ud800{MARKS}"), max_size=8)
CASED = st.text(st.sampled_from("abABéÉßẞKſµ字谷İıΣςσ𐐀 "), max_size=8) | st.text(max_size=8)
WORDS = st.lists(st.text(st.sampled_from("abéß谷字"), min_size=2, max_size=3), max_size=32)


def offsets(texts):
    return np.cumsum([0, *map(len, texts)], dtype=np.int32)


@given(texts=st.lists(LETTERS), marks=st.text(st.sampled_from(MARKS)), size=st.integers(257, 1000))
def test_characters(same, texts, marks, size):
    for counted in (np.arange(0x10001) > size, np.arange(size) < max(map(ord, marks), default=0)):
        same("characters", "".join(texts), offsets(texts), counted)


@pytest.mark.parametrize("wide", ["", "字", "字𝄞"])  # as each kind of string
def test_marks_of_a_page(compared, wide):
    page = parse(f"<title>a, b.</title><p>One, two. {wide}，<b>x.</b><script>a.b</script>")
    with compared():
        marks = own_marks(page, ",.，")
    marked = {page.text_of(row): count for row, count in enumerate(marks.tolist()) if count}
    assert marked == {f"One, two. {wide}，": 3, "x.": 1}


@given(texts=st.lists(CASED), words=WORDS, data=st.data())
@example(["AB", "b", "ab"], ["ab", "bb"], None)
@example([chr(0x4E1F) * 2], [chr(0x4E00 + i) * 2 for i in range(32)], None)
def test_words_held(same, texts, words, data):
    count = len(texts)
    several = st.lists(st.integers(-1, count - 1), min_size=count, max_size=count)
    names = np.array(data.draw(several) if data else range(count), dtype=np.int32)
    same("words_held", "".join(texts), words, offsets(texts), names)


def test_every_letter():
    """Lower case is that of Python for every letter but two, which never come to C."""
    letters = [chr(code) for code in range(sys.maxunicode + 1)]
    held = np.zeros(1, dtype=np.uint32)
    names = np.zeros(1, dtype=np.int32)
    for letter in letters:
        low = letter.lower()
        if low == letter and not letter.isupper():
            continue
        text = f"{letter}{letter}"
        at = np.array([0, len(text)], dtype=np.int32)
        if letter not in "İΣ":
            held[:] = 0
            _native.words_held(text, ((low * 2)[:2],), at, names, held)
            assert (len(low), held[0]) == (1, 1), hex(ord(letter))


@pytest.mark.parametrize("at", [[0, 2, 1, 3], [-1, 1, 2, 3], [0, 1, 2, 4], [0, 3]])
def test_offsets_into_texts_are_checked(at):
    at, three = np.array(at, dtype=np.int32), np.zeros(3, dtype=np.int32)
    with pytest.raises(TypeError, match="characters"):
        _native.characters("abc", at, np.zeros(300, bool), three)
    with pytest.raises(TypeError, match="words_held"):
        _native.words_held("abc", ("ab",), at, three, three.astype(np.uint32))


@pytest.mark.parametrize("words", [("a",), (b"ab",), ("ab",) * 33, ["ab"]])
def test_words_are_checked(words):
    at, names = np.array([0, 3], np.int32), np.zeros(1, np.int32)
    with pytest.raises(TypeError, match="words_held"):
        _native.words_held("abc", words, at, names, names.copy())


def test_names_and_tables_are_checked():
    at, name = np.array([0, 3], np.int32), np.ones(1, np.int32)
    with pytest.raises(TypeError, match="words_held"):
        _native.words_held("abc", ("ab",), at, name, name.copy())
    with pytest.raises(TypeError, match="characters"):
        _native.characters("abc", at, np.zeros(200, bool), name)
