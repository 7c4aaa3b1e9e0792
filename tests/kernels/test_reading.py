"""What a page's bytes are like, and how they are read tag by tag."""

from hashlib import sha256
from random import Random

import numpy as np
import pytest

from chaffinch.errors import TimeLimitError
from chaffinch.kernels import read_tags
from chaffinch.kernels.compiled import native as _native
from chaffinch.page.bounds import TAG_TABLE, Limits, bounded, tag_limits
from chaffinch.page_work import PageWork
from rows_of_cases import examples

UNIT_NAMES = [
    one.decode()
    for one in (*TAG_TABLE.names, b"span", b"sup", b"x-y", b"g")
    if one not in {b"form", b"frameset", b"plaintext", b"html", b"head", b"body"}
]
EVERY_LIMIT = (
    Limits(),
    Limits(max_depth=8, max_attributes=4, max_formatting=4, max_options=5,
           max_unmatched_end_tags=6, max_names=50),
    Limits(max_depth=3, max_attributes=2, max_formatting=2, max_options=2,
           max_unmatched_end_tags=2, max_names=5, max_tags_per_megabyte=30, max_rows=60),
    Limits(max_depth=1 << 70, max_attributes=1 << 70, max_names=1, max_rows=1),
)  # fmt: skip
PIECES = examples(__file__, "reading pieces")

RECORDED = "e9df161fddc32519f4296a91cf928dffa28f9e32a8a185138372116a8ece6393"


def nothing():
    """Let the reading go on."""


def readings(data, limits=EVERY_LIMIT):
    return [read_tags(data, TAG_TABLE, tag_limits(one, len(data)), nothing) for one in limits]


def random_unit(source):
    """Return two to seven tags, which repeated make a tree as deep as they are many."""
    tags = (
        f"<{'/' * (source.random() < 0.4)}{source.choice(UNIT_NAMES)}>"
        for _ in range(source.randint(2, 7))
    )
    return "".join(tags).encode()


def recorded():
    """Yield pages of units, of pieces and of any bytes, the same each time."""
    source = Random(20)  # noqa: S311
    for number in range(600):
        yield random_unit(source) * (1 + number % 12)
        yield "".join(source.choices(PIECES, k=number % 30)).encode()
        yield source.randbytes(number % 60)


def test_readings_are_as_they_were_recorded():
    """What was recorded was the same as a reading in Python gave, a line for each line of C."""
    found = sha256()
    for page in recorded():
        found.update(repr(readings(page)).encode())
    assert found.hexdigest() == RECORDED


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
