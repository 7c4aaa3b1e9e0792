"""Every kernel refuses each argument of another type than its comment says, and reads none."""

import re

import numpy as np
import pytest
from signatures import SIGNATURES

from chaffinch.kernels.compiled import native

DTYPES = {
    "?": "bool",
    "b": "int8",
    "B": "uint8",
    "h": "int16",
    "H": "uint16",
    "i": "int32",
    "I": "uint32",
    "q": "int64",
    "Q": "uint64",
    "f": "float32",
    "d": "float64",
}
NO_KERNEL_TAKES = ("float16", "complex64", "complex128", "S3", "U1", "V4", "M8[s]", "i4,f4", "O")


def fitting(letter):
    """Return an argument that a letter lets pass."""
    if letter in DTYPES:
        return np.zeros(4, DTYPES[letter])
    return {"U": "", "n": 0, "x": 0.5, "O": None, "*": np.zeros(4, np.int32)}[letter]


def unaligned(dtype):
    size = np.dtype(dtype).itemsize
    return np.frombuffer(bytearray(size * 3), np.uint8)[1 : 1 + 2 * size].view(dtype)


def wrong_for(letter, *, is_written):
    """Yield arguments that a letter must not let pass, and what the error has to say of them."""
    if letter == "U":
        yield from ((b"", "bytes"), (None, "NoneType"), (np.zeros(3, np.uint8), "numpy.ndarray"))
        return
    if letter == "n":
        yield from (("1", "str"), (1.5, "float"), (None, "NoneType"))
        return
    dtype = DTYPES[letter]
    for other in DTYPES.values():
        if other != dtype:
            yield np.zeros(4, other), f"{dtype} array, not one of {other}"
    for other in NO_KERNEL_TAKES:
        yield np.zeros(4, other), f"{dtype} array"
    yield np.zeros((4, 4), dtype)[:, 0], f"contiguous {dtype} array"
    if np.dtype(dtype).itemsize > 1:
        yield np.zeros(4, dtype).astype(np.dtype(dtype).newbyteorder()), f"{dtype} array"
        yield unaligned(dtype), "aligned"
    for argument in ([0], None, 1, "text"):
        yield argument, f"array, not {type(argument).__name__}"
    if is_written:
        kept = np.zeros(4, dtype)
        kept.flags.writeable = False
        yield kept, f"writable contiguous {dtype} array"


def test_all_functions_are_tried():
    functions = {name for name in dir(native) if callable(getattr(native, name))}
    assert functions <= SIGNATURES.keys() | {"__getattr__", "__loader__"}
    assert SIGNATURES.keys() <= functions


@pytest.mark.parametrize("name", SIGNATURES)
def test_other_types_are_refused(name):
    arguments = [fitting(argument.type) for argument in SIGNATURES[name]]
    for place, (letter, is_written, _) in enumerate(SIGNATURES[name]):
        if letter in "xO*":
            continue
        for wrong, said in wrong_for(letter, is_written=is_written):
            given = [*arguments[:place], wrong, *arguments[place + 1 :]]
            expected = f"{name}: argument {place + 1} .*{re.escape(said)}"
            with pytest.raises(TypeError, match=expected):
                getattr(native, name)(*given)


@pytest.mark.parametrize("name", SIGNATURES)
def test_types_that_are_meant_pass(name):
    arguments = [fitting(argument.type) for argument in SIGNATURES[name]]
    try:
        getattr(native, name)(*arguments)
    except TypeError as error:
        assert re.search("fit each other|arrays of|real number", str(error)), error  # noqa: PT017


@pytest.mark.parametrize("name", SIGNATURES)
def test_numbers_of_arguments_are_checked(name):
    arguments = [fitting(argument.type) for argument in SIGNATURES[name]]
    for given in (arguments[:-1], [*arguments, 0]):
        with pytest.raises(TypeError, match=f"{name}: {len(given)} arguments"):
            getattr(native, name)(*given)


def test_types_of_sums():
    end = np.array([1, 2], np.int32)
    right = {("bool", "int32"), ("int64", "int64"), ("float64", "float64")}
    for own in DTYPES.values():
        for sums in DTYPES.values():
            given = end, np.ones(2, own), np.zeros(2, sums)
            if (own, sums) in right:
                native.total(*given)
                assert given[2].tolist() == [1, 1]
            else:
                with pytest.raises(TypeError, match="total"):
                    native.total(*given)


def test_marks_of_rows_are_bool_or_nothing():
    columns = bytes(4), bytes(4), bytes(8), b"", bytes(1)
    for among in (b"", np.ones(1, bool)):
        assert native.having(*columns, among, 0) == ([0], [""])
    for among in (b"\1", np.ones(1, np.uint8), np.ones(1, np.int32)):
        with pytest.raises(TypeError, match="having"):
            native.having(*columns, among, 0)


@pytest.mark.parametrize("code", "lqn")
def test_types_of_c_with_the_same_size_are_one(code):
    places = np.zeros(3, np.dtype("int64")).view(code if code != "n" else np.intp)
    tag, ends, at = np.zeros(2, np.uint16), np.arange(1, 3, dtype=np.int32), [0, 1, 3]
    tables = np.zeros(1, np.uint8), np.zeros(1, bool), np.zeros(1, bool)
    rows = *np.zeros((3, 2), bool), *np.zeros((2, 2), np.int32)
    native.text_columns(tag, ends, " ab", np.array(at, np.int32), *tables, *rows, places)
    assert places.tolist() == [0, 0, 2]


def test_buffers_of_others_are_read():
    for data in (b"<i>", bytearray(b"<i>"), memoryview(b"<i>"), np.frombuffer(b"<i>", np.uint8)):
        assert native.is_plain(data) == 1
