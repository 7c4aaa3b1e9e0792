"""Kernels that look at a page's bytes give the verdicts of plain Python."""

import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch import kernels as compiled
from chaffinch.page.encoding.decoding import _is_plain
from chaffinch.page.guard.limits import (
    _SEPARATES,
    _TAG,
    Limits,
    _attributes_matter,
    _pairs,
    _tags,
    suspicious,
)
from chaffinch.page.guard.tokens import attribute_count

sys.path.insert(0, str(Path(__file__).parents[1]))
from strategies import markup

MARKUP = st.lists(st.sampled_from([b"<", b"a", b"<b ", *(bytes([x]) for x in b" \n/>\"'=<!1")]))
PIECES = st.lists(
    st.sampled_from([b"plain text of some thirty characters ", b"~", b"{", b"\x1b", b"\0"])
    | st.text(max_size=3).map(lambda text: text.encode("utf-8", "surrogatepass"))
    | st.binary(max_size=3),
    max_size=8,
)


@given(pieces=PIECES)
def test_plain_bytes(plainly, pieces):
    data = b"".join(pieces)
    plain = _is_plain(data)
    with plainly():
        assert _is_plain(data) is plain


@pytest.mark.parametrize("before", [0, 1, 31, 32, 33])
def test_every_start_of_a_character(plainly, before):
    leads = (*range(0x7E, 0x82), *range(0xBE, 0xC4), *range(0xDE, 0x100))
    edges = (0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0)
    for lead in leads:
        for second in edges:
            for rest in (b"", b"\x80", b"\xbf\x80", b"\xbf\xbf", b"\x80\x7f", b"\x80\x80a"):
                data = b"a" * before + bytes([lead, second]) + rest
                plain = _is_plain(data)
                with plainly():
                    assert _is_plain(data) is plain, data


@pytest.mark.parametrize(
    "data", [b"", b"\xef\xbb\xbfa", b"\xef\xbb", b"~{", b"~ ~", b"a~", "~{é".encode(), b"\x1b"]
)
def test_marks_and_shifts(plainly, data):
    plain = _is_plain(data)
    with plainly():
        assert _is_plain(data) is plain


@given(pieces=MARKUP, times=st.integers(1, 50))
def test_counts(plainly, pieces, times):
    data = b"".join(pieces) * times
    counts = _tags(data), _pairs(data)
    with plainly():
        assert counts == (_tags(data), _pairs(data))


def _separators(data, most):
    """Return what the kernel should, by the regular expressions."""
    tags = _TAG.findall(data)
    if any(attribute_count(tag) > most for tag in tags if len(tag) > 2 * most):
        return -1
    return sum(1 for tag in tags for byte in tag if _SEPARATES[byte])


@pytest.mark.usefixtures("plainly")
@given(pieces=MARKUP, most=st.integers(0, 4))
def test_separators_and_attributes(pieces, most):
    data = b"".join(pieces)
    count, expected = compiled.kernels().count_separators, _separators(data, most)
    assert [count(data, most, True), count(data, most, False)] == [expected, min(expected, 0)]


@pytest.mark.usefixtures("plainly")
@given(html=markup(), cut=st.integers(0, 40), most=st.integers(0, 4))
def test_separators_of_pages(html, cut, most):
    data = html.encode()[cut:]
    count, expected = compiled.kernels().count_separators, _separators(data, most)
    assert [count(data, most, True), count(data, most, False)] == [expected, min(expected, 0)]


@pytest.mark.parametrize("most", [1, 512, 1 << 70])
@pytest.mark.parametrize(
    "page",
    [
        b"<p " + b"a " * 150_000,
        b"<p " + b"a='>' " * 50_000,
        b"<p>text</p>" * 30_000,
        b"<p " + b"a" * 300_000,
        b"<font>" * 3_000 + b"<p>" * 300,
        b"<i>" * 2_000 + b"<p>" * 2_000,
        b"".join(b"<p a%d b%d>" % (i, i) for i in range(60_000)),
        b"".join(b"<p a%d b=''>" % (i % 9) for i in range(90_000)),
    ],
)
def test_verdicts_on_large_pages(plainly, page, most):
    limits = Limits(max_attributes=most, max_names=100_000, max_rows=1_000_000)
    verdicts = suspicious(page, limits), _attributes_matter(page, limits)
    with plainly():
        assert verdicts == (
            suspicious(page, limits),
            _attributes_matter(page, limits),
        )


@pytest.mark.usefixtures("plainly")
def test_what_kernels_refuse():
    kernels = compiled.kernels()
    with pytest.raises(TypeError):
        kernels.is_plain("text")
    with pytest.raises(TypeError, match="fit"):
        kernels.count_pairs(b"<i>", np.zeros(10, dtype=bool))
    for bound in (-1, sys.maxsize):
        with pytest.raises(TypeError, match="bound"):
            kernels.count_separators(b"<p>", bound, True)
