"""What an automaton puts out, and the language model that is made of it."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import single

from chaffinch.kernels.compiled import native as _native
from chaffinch.metadata.language import LanguageModel

MOVES = np.array([*range(256), *(255 - np.arange(256))], np.uint32)
ROWS = np.array([0, 1] * 128, np.uint16)
OUTPUTS = np.array([state if state % 3 else -1 for state in range(256)], np.int32)


@given(data=st.binary(max_size=40))
def test_outputs(same, data):
    same("counted_outputs", MOVES, ROWS, OUTPUTS, data)


@given(
    data=st.binary(min_size=128, max_size=300), reach=st.sampled_from([1, 8, 9]),
    states=st.integers(2, 60),
)  # fmt: skip
def test_outputs_of_parts(same, data, reach, states):
    """Long data is walked in parts; where a state depends on more than some bytes, as one."""
    bits = np.arange(states * 256, dtype=np.uint32)
    moves = (bits // 256 * reach + bits) % states if reach > 1 else bits % 256 % states
    outputs = np.array([state if state % 3 else -1 for state in range(states)], np.int32)
    same("counted_outputs", moves, np.arange(states, dtype=np.uint16), outputs, data)


def test_states_that_there_are_not_beyond_the_first_part():
    rows = np.zeros(256, np.uint16)
    data = bytes(200) + b"\xff"
    for outputs in (np.full(256, -1, np.int32), np.full(255, -1, np.int32)):
        given = np.arange(256, dtype=np.uint32), rows[: len(outputs)], outputs, data
        if len(outputs) == len(rows):
            assert _native.counted_outputs(*given, *np.zeros((3, 201), np.int32)) == 0
        else:
            with pytest.raises(TypeError, match="don't fit"):
                _native.counted_outputs(*given, *np.zeros((3, 201), np.int32))


@given(data=st.binary(max_size=400), factor=st.sampled_from([1, 511, 513, 262_145, 8_421_504]))
def test_outputs_of_any_size_are_counted(same, data, factor):
    """They are sorted by some of their bits at a time."""
    moves, outputs = np.arange(256, dtype=np.uint32), np.arange(256, dtype=np.int32) * factor
    found, counts = same("counted_outputs", moves, np.zeros(256, np.uint16), outputs, data)
    expected = Counter(byte * factor for byte in data)
    assert dict(zip(found.tolist(), counts.tolist(), strict=True)) == expected


@pytest.mark.parametrize("short", range(3))
def test_outputs_without_room(short):
    room = [np.zeros(5 - (at == short), np.int32) for at in range(3)]
    with pytest.raises(TypeError, match="don't fit"):
        _native.counted_outputs(MOVES, ROWS, OUTPUTS, bytes(5), *room)


@pytest.mark.parametrize("moves", [MOVES[:256], MOVES + np.uint32(1)])
def test_states_and_rows_that_there_are_not(moves):
    with pytest.raises(TypeError, match="don't fit"):
        _native.counted_outputs(
            moves, ROWS, OUTPUTS, b"\x01\xff\x00\x01\xff", *np.zeros((3, 5), np.int32)
        )


@given(
    rows=st.lists(st.integers(0, 99), max_size=60), classes=st.integers(1, 40),
    seed=st.integers(0, 99), largest=st.sampled_from([1.0, 9.0, 65535.0]),
)  # fmt: skip
def test_sums_of_halves(same, rows, classes, seed, largest):
    random = np.random.default_rng(seed)
    table = random.normal(0, 100, (100, classes)).astype(np.float16)
    table[:, 0] = random.integers(0, 50, 100).astype(np.uint16).view(np.float16)  # subnormal
    weights = random.uniform(0, largest, len(rows)).astype(np.float32)
    same("half_sums", table.view(np.uint16), np.array(rows, np.int32), weights)


@pytest.mark.parametrize(
    ("rows", "weights", "classes"),
    [
        ([4], [1], 5),
        ([-1], [1], 5),
        ([0], [1, 1], 5),
        ([0], [65536], 5),
        ([0], [1], 6),
        ([], [], 0),
    ],
)
def test_rows_of_halves_that_there_are_not(rows, weights, classes):
    columns = np.array(rows, np.int32), np.array(weights, np.float32)
    with pytest.raises(TypeError, match="don't fit"):
        _native.half_sums(np.zeros(20, np.uint16), *columns, np.zeros(classes, np.float32))


@pytest.fixture(scope="module")
def identifier():
    library = pytest.importorskip("py3langid.langid")
    return library.LanguageIdentifier.from_model_file(library.MODEL_FILE, norm_probs=True)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "The wheat is ground at night",
        "THE WHEAT IS GROUND",
        "Ngano husagwa usiku katika kinu cha mto",
        "Пшеницу мелют ночью",
        "\ud800 half of a pair",
        "e\u0301te\u0301 " * 200,
    ],
)
def test_the_language_is_that_of_the_library(identifier, text):
    assert LanguageModel.fits(identifier)
    code, probability = identifier.classify(text)
    assert LanguageModel(identifier).classify(text) == (code, pytest.approx(probability, abs=1e-5))


def test_halves_as_numpy_makes_them_single():
    bits = np.arange(1 << 16, dtype=np.uint16)
    half = bits.view(np.float16)
    bits, half = bits[np.isfinite(half)], half[np.isfinite(half)]
    assert single(bits).tobytes() == half.astype(np.float32).tobytes()
