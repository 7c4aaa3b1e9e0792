"""What a page's bytes are like."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.kernels.compiled import native as _native
from chaffinch.page.bounds import Limits, _attributes_matter, suspicious
from strategies import markup

MARKUP = st.lists(st.sampled_from([b"<", b"a", b"<b ", *(bytes([x]) for x in b" \n/>\"'=<!1")]))
PIECES = st.lists(
    st.sampled_from([b"plain text of some thirty characters ", b"~", b"{", b"\x1b", b"\0"])
    | st.text(max_size=3).map(lambda text: text.encode("utf-8", "surrogatepass"))
    | st.binary(max_size=3),
    max_size=8,
)


@given(pieces=PIECES)
def test_plain_bytes(same, pieces):
    same("is_plain", b"".join(pieces))


@given(data=st.binary(max_size=600) | st.integers(0, 600).map(lambda n: b"<" * n))
def test_tags_are_counted(same, data):
    same("count_tags", data)


@pytest.mark.parametrize("before", [0, 1, 31, 32, 33])
def test_every_start_of_a_character(same, before):
    leads = (*range(0x7E, 0x82), *range(0xBE, 0xC4), *range(0xDE, 0x100))
    edges = (0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0)
    for lead in leads:
        for second in edges:
            for rest in (b"", b"\x80", b"\xbf\x80", b"\xbf\xbf", b"\x80\x7f", b"\x80\x80a"):
                same("is_plain", b"a" * before + bytes([lead, second]) + rest)


@pytest.mark.parametrize(
    "data", [b"", b"\xef\xbb\xbfa", b"\xef\xbb", b"~{", b"~ ~", b"a~", "~{é".encode(), b"\x1b"]
)
def test_marks_and_shifts(same, data):
    same("is_plain", data)


@given(data=MARKUP.map(b"".join) | markup().map(str.encode), most=st.integers(0, 4))
def test_separators_and_attributes(same, data, most):
    same("count_separators", data, most, True)
    same("count_separators", data, most, False)


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
def test_verdicts_on_large_pages(compared, page, most):
    limits = Limits(max_attributes=most, max_names=100_000, max_rows=1_000_000)
    with compared():
        suspicious(page, limits)
        _attributes_matter(page, limits)


def test_what_kernels_refuse():
    with pytest.raises(TypeError):
        _native.is_plain("text")
    for bound in (-1, sys.maxsize):
        with pytest.raises(TypeError, match="fit"):
            _native.count_separators(b"<p>", bound, True)
