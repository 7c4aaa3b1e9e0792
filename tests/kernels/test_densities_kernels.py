"""Kernels of what densities count in texts give what numpy and plain Python give."""

import sys

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chaffinch import kernels as compiled
from chaffinch.metadata.title_words import words_held
from chaffinch.page import parse
from chaffinch.page.lengths import characters
from chaffinch.segment.densities import own_marks

MARKS = "，.é\u3000\uffff\0"
LETTERS = st.text(max_size=8) | st.text(st.sampled_from(f"aé字𝄞\ud800{MARKS}"), max_size=8)
CASED = st.text(st.sampled_from("abABéÉßẞKſµ字谷İıΣςσ𐐀 "), max_size=8) | st.text(max_size=8)
WORDS = st.lists(st.text(st.sampled_from("abéß谷字"), min_size=2, max_size=3), max_size=32)


def offsets(texts):
    return np.cumsum([0, *map(len, texts)], dtype=np.int32)


@given(texts=st.lists(LETTERS), marks=st.text(st.sampled_from(MARKS)), size=st.integers(257, 1000))
def test_characters(plainly, texts, marks, size):
    for counted in (np.arange(0x10001) > size, np.arange(size) < max(map(ord, marks), default=0)):
        counts = characters("".join(texts), offsets(texts), counted)
        with plainly():
            expected = characters("".join(texts), offsets(texts), counted)
        assert counts.dtype == expected.dtype == np.int32
        assert counts.tolist() == expected.tolist()


@pytest.mark.parametrize("wide", ["", "字", "字𝄞"])  # as each kind of string
def test_marks_of_a_page(plainly, wide):
    page = parse(f"<title>a, b.</title><p>One, two. {wide}，<b>x.</b><script>a.b</script>")
    marks = own_marks(page, ",.，")
    marked = {page.text_of(row): count for row, count in enumerate(marks.tolist()) if count}
    assert marked == {f"One, two. {wide}，": 3, "x.": 1}
    with plainly():
        assert own_marks(page, ",.，").tolist() == marks.tolist()


@given(texts=st.lists(CASED), words=WORDS, data=st.data())
@example(["AB", "b", "ab"], ["ab", "bb"], None)
@example([chr(0x4E1F) * 2], [chr(0x4E00 + i) * 2 for i in range(32)], None)
def test_words_held(plainly, texts, words, data):
    page = parse("<body>" + "".join("<p>x" for _ in texts))
    text, at = "".join(texts), np.zeros(len(page) + 1, np.int32)
    at[1 : len(texts) + 1] = offsets(texts)[1:]
    at[len(texts) + 1 :] = len(text)
    object.__setattr__(page, "text", text)
    object.__setattr__(page, "text_at", at)
    several = st.lists(st.integers(-1, len(page) - 1), min_size=len(page), max_size=len(page))
    names = np.array(data.draw(several) if data else range(len(page)), dtype=np.int32)
    with plainly():
        expected = words_held(page, names, words)
    assert words_held(page, names, words).tolist() == expected.tolist()


@pytest.mark.usefixtures("plainly")
def test_every_letter():
    """Lower case is that of Python for every letter, or the kernel leaves it to Python."""
    letters = [chr(code) for code in range(sys.maxunicode + 1)]
    held = np.zeros(1, dtype=np.uint32)
    names = np.zeros(1, dtype=np.int32)
    for letter in letters:
        low = letter.lower()
        if low == letter and not letter.isupper():
            continue
        text = f"{letter}{letter}"
        at = np.array([0, len(text)], dtype=np.int32)
        told = compiled.kernels().words_held(text, [(low * 2)[:2]], at, names, held)
        assert not told or (len(low) == 1 and held[0] == 1), hex(ord(letter))
        assert told or letter in "İΣ"


@pytest.mark.usefixtures("plainly")
@pytest.mark.parametrize("at", [[0, 2, 1, 3], [-1, 1, 2, 3], [0, 1, 2, 4], [0, 3]])
def test_offsets_into_texts_are_checked(at):
    kernels = compiled.kernels()
    at, three = np.array(at, dtype=np.int32), np.zeros(3, dtype=np.int32)
    with pytest.raises(TypeError, match="characters"):
        kernels.characters("abc", at, np.zeros(300, bool), three)
    with pytest.raises(TypeError, match="words_held"):
        kernels.words_held("abc", ["ab"], at, three, three.astype(np.uint32))


@pytest.mark.usefixtures("plainly")
@pytest.mark.parametrize("words", [["a"], [b"ab"], ["ab"] * 33, ("ab",)])
def test_words_are_checked(words):
    at, names = np.array([0, 3], np.int32), np.zeros(1, np.int32)
    with pytest.raises(TypeError, match="words_held"):
        compiled.kernels().words_held("abc", words, at, names, names.copy())


@pytest.mark.usefixtures("plainly")
def test_names_and_tables_are_checked():
    at, name = np.array([0, 3], np.int32), np.ones(1, np.int32)
    with pytest.raises(TypeError, match="words_held"):
        compiled.kernels().words_held("abc", ["ab"], at, name, name.copy())
    with pytest.raises(TypeError, match="characters"):
        compiled.kernels().characters("abc", at, np.zeros(200, bool), name)
