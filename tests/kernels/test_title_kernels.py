"""Texts that may say the same as a title, against the way in which they are compared in the end."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chaffinch.kernels.compiled import native as _native
from chaffinch.metadata.values import fold

TEXTS = st.text(st.sampled_from("aAb1 -_é\u0301ﬁ\u212a谷字\u309b\u3099ßİ𝄞"), max_size=6)
HAN = 0x4E00, 0x9FFF


@given(texts=st.lists(TEXTS | st.text(max_size=6), min_size=1), data=st.data())
@example(texts=["ab", "a b", "A-B", "ac", "abc", "a", "谷", "谷a"], data=None)
def test_no_text_that_says_the_key_is_left_out(same, texts, data):
    at = np.cumsum([0, *map(len, texts)], dtype=np.int32)
    keys = [*map(fold, texts)] if data is None else [fold(data.draw(st.sampled_from(texts)))]
    for key in keys:
        may = same("texts_alike", "".join(texts), at[:-1], at[1:], key, *HAN)
        assert all(may[i] for i, text in enumerate(texts) if fold(text) == key)
        of_ascii = [i for i, text in enumerate(texts) if text.isascii()]
        assert [may[i] for i in of_ascii] == [fold(texts[i]) == key for i in of_ascii]


@pytest.mark.parametrize(("start", "stop"), [(-1, 2), (2, 1), (0, 4)])
def test_stretches_beyond_the_text_are_refused(start, stop):
    spans = np.array([start], np.int32), np.array([stop], np.int32)
    with pytest.raises(TypeError, match="texts_alike"):
        _native.texts_alike("abc", *spans, "a", *HAN, np.zeros(1, bool))
    short = np.zeros(0, np.int32)
    with pytest.raises(TypeError, match="texts_alike"):
        _native.texts_alike("abc", short, short, "a", *HAN, np.zeros(1, bool))
