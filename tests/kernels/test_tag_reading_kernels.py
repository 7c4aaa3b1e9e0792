"""Pages read tag by tag, by C and by Python."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.lib.hostile_grammar import Grammar
from chaffinch.errors import TimeLimitError
from chaffinch.evaluate import known_corpora, read_corpus
from chaffinch.evaluate.corpora import CORPORA_VARIABLE
from chaffinch.kernels import tag_codes
from chaffinch.page.bounds import TAG_TABLE, Limits, bounded, tag_limits
from chaffinch.page.decoding import readable
from chaffinch.page_work import PageWork
from hostile_pages import PAGES
from strategies import markup

UNIT_NAMES = [
    one.decode()
    for one in (*TAG_TABLE.names, b"span", b"sup", b"x-y", b"g")
    if one not in {b"form", b"frameset", b"plaintext", b"html", b"head", b"body"}
]
_native = pytest.importorskip("chaffinch.kernels._native")
EVERY_LIMIT = (
    Limits(),
    Limits(max_depth=8, max_attributes=4, max_formatting=4, max_options=5,
           max_unmatched_end_tags=6, max_names=50),
    Limits(max_depth=3, max_attributes=2, max_formatting=2, max_options=2,
           max_unmatched_end_tags=2, max_names=5, max_tags_per_megabyte=30, max_rows=60),
    Limits(max_depth=1 << 70, max_attributes=1 << 70, max_names=1, max_rows=1),
)  # fmt: skip
PIECES = (
    "<!--", "-->", "--!>", "<![CDATA[", "]]>", "<!x>", "<?x>", "</>", "<script>", "</script>",
    "</script", "<SCRIPT a>", "<title>", "</TITLE >", "<textarea/>", "</textarea\n>", "<plaintext>",
    "<a href=x/>", "<g/>", "<path d='x'/>", '="', "'", '"', "<", "</", ">", " ", "/", "=", "x",
    "<p a b=c d='e' f=\"g\" h A=1>", "<p a=>", "<annotation-xml encoding='TEXT/html'>",
    "<svg>", "</svg>", "<math>", "<mi>", "</mi>", "<desc>", "</desc>", "<table>", "<td>", "<tr>",
    "</tr>", "</td>", "</table>", "<template>", "</template>", "<b>", "<i class=a>", "</b>",
    "<a>", "<form>", "</form>", "</p>", "</br>", "<br>", "<hr>", "<select>", "<option>",
    "<optgroup>", "</select>", "<input>", "<ruby>", "<rt>", "<ul>", "<li>", "</li>", "<dd>", "<dt>",
    "</dd>", "<h1>", "</h3>", "<button>", "<html a>", "<frameset>", "<X-Y>", "</x-y>", "\0", "é",
)  # fmt: skip


def nothing():
    """Let the reading go on."""


def read_both_ways(same, data, limits=EVERY_LIMIT):
    return [
        same("read_tags", data, TAG_TABLE, tag_limits(one, len(data)), nothing) for one in limits
    ]


@given(seed=st.integers(0, 2**32), pieces=st.integers(1, 12))
def test_hostile_pages(same, seed, pieces):
    read_both_ways(same, Grammar(Random(seed)).page(pieces))  # noqa: S311


def random_unit(source):
    """Return two to seven tags, which repeated make a tree as deep as they are many."""
    tags = (
        f"<{'/' * (source.random() < 0.4)}{source.choice(UNIT_NAMES)}>"
        for _ in range(source.randint(2, 7))
    )
    return "".join(tags).encode()


@given(seed=st.integers(0, 2**32), times=st.integers(1, 12))
def test_units_of_tags(same, seed, times):
    read_both_ways(same, random_unit(Random(seed)) * times)  # noqa: S311


@given(parts=st.lists(st.sampled_from(PIECES) | markup(max_size=4), max_size=30))
def test_pieces_of_markup(same, parts):
    read_both_ways(same, "".join(parts).encode())


@given(data=st.binary(max_size=60))
def test_any_bytes(same, data):
    read_both_ways(same, data)


def test_classes_of_hostile_pages(same):
    for make, _ in PAGES.values():
        read_both_ways(same, make(300))


@pytest.mark.skipif(
    "scrapinghub" not in known_corpora(), reason=f"NO CORPORA: set {CORPORA_VARIABLE}"
)
def test_labelled_pages(same):
    for row in list(read_corpus("scrapinghub"))[:12]:
        page = readable(row.html)[0]
        whole, *_ = read_both_ways(same, page, EVERY_LIMIT[:3])
        assert whole.data is page


def colliding(count):
    """Return names that all fall on one place of a hash table of C of up to 2,048 places."""
    numbers = np.arange(26**5, dtype=np.uint64)
    letters = [ord("a") + numbers // 26**digit % 26 for digit in range(5)]
    hashes = np.full(len(numbers), 0xCBF29CE484222325, np.uint64)
    for letter in letters:
        hashes = (hashes ^ letter) * np.uint64(0x100000001B3)
    found = np.flatnonzero(((hashes ^ hashes >> np.uint64(29)) & np.uint64(2047)) == 5)[:count]
    return [bytes(int(letter[at]) for letter in letters) for at in found]


@pytest.mark.parametrize("pattern", [b"<%s>", b"<p %s>"])
def test_names_on_one_place_are_left_to_python(same, pattern):
    names = colliding(700)
    assert len(names) == 700
    data = b"".join(pattern % name for name in names)
    limits = Limits(max_names=1_000)
    assert read_both_ways(same, data, [limits])[0].data is data
    assert (native_reading(data, Limits(max_names=1)) is None) == (pattern == b"<%s>")
    assert native_reading(data[:300], limits) is not None


def native_reading(data, limits):
    return _native.read_tags(
        data, *TAG_TABLE, np.array([min(one, 1 << 40) for one in tag_limits(limits, 1)]), nothing
    )


def test_the_time_is_checked():
    page = b"<p>x" * 200_000
    calls = []

    def stop():
        calls.append(1)
        if len(calls) == 3:
            raise TimeLimitError.at("bounding", seconds=1, elapsed=1, done=())

    with pytest.raises(TimeLimitError):
        _native.read_tags(page, *TAG_TABLE, np.full(10, 1 << 40), stop)
    assert len(calls) == 3
    with pytest.raises(TimeLimitError), PageWork("bounding", 0.001):
        bounded(page * 4, Limits())


def test_codes_of_names_and_kinds():
    """C has the same names at the same places: what a name or a kind does shows it."""
    assert TAG_TABLE.names[: len(tag_codes.FIRST_NAMES)] == tag_codes.FIRST_NAMES
    assert len(set(TAG_TABLE.names)) == len(TAG_TABLE.names) == len(TAG_TABLE.kinds)
    assert 1 << (len(tag_codes.KINDS) - 1) == tag_codes.CHOICE
    assert not any(TAG_TABLE.kinds >> len(tag_codes.KINDS))


def changed(place, value):
    """Return the columns of the table with one place changed."""
    columns = [one.copy() if isinstance(one, np.ndarray) else one for one in TAG_TABLE]
    columns[place][7] = value
    return columns


def test_what_the_reading_refuses():
    most = np.full(10, 1 << 40)
    assert _native.read_tags(b"<p>", *TAG_TABLE, most, nothing) == (b"<p>", 1, 0, 1)
    for columns in (
        *(changed(place, value) for place in (2, 3, 4) for value in (-2, len(TAG_TABLE.names))),
        changed(2, 8),  # a ring that doesn't come back
        changed(3, 7),  # a part within itself
        [*TAG_TABLE[:2], TAG_TABLE.ring[:-1].copy(), *TAG_TABLE[3:]],
        [TAG_TABLE.names[:-1], *TAG_TABLE[1:]],
        [("p", *TAG_TABLE.names[1:]), *TAG_TABLE[1:]],
        [*TAG_TABLE[:5], ["text/html"]],
    ):
        with pytest.raises(TypeError, match="fit"):
            _native.read_tags(b"<p>", *columns, most, nothing)
    for limits in (most[:9].copy(), most + 1, -most):
        with pytest.raises(TypeError, match="fit"):
            _native.read_tags(b"<p>", *TAG_TABLE, limits, nothing)
    with pytest.raises(TypeError, match="fit"):
        _native.read_tags(bytearray(b"<p>"), *TAG_TABLE, most, nothing)
