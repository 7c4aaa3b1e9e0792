"""Every kernel refuses each argument of another type than its comment says, and reads none."""

import re

import numpy as np
import pytest
from signatures import SIGNATURES

from chaffinch import kernels
from chaffinch.kernels.compiled import native
from chaffinch.model import name_hashes
from chaffinch.page import parse

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
def test_numbers_of_arguments_are_checked(name):
    arguments = [fitting(argument.type) for argument in SIGNATURES[name]]
    for given in (arguments[:-1], [*arguments, 0]):
        with pytest.raises(TypeError, match=f"{name}: {len(given)} arguments"):
            getattr(native, name)(*given)


def test_buffers_of_others_are_read():
    for data in (b"<i>", bytearray(b"<i>"), memoryview(b"<i>"), np.frombuffer(b"<i>", np.uint8)):
        assert native.is_plain(data) == 1


OFFSETS, NAMES = np.array([0, 3], np.int32), np.zeros(1, np.int32)
ATTRIBUTES = bytes(4), bytes(4), bytes(8), b"", bytes(1)
SOUGHT = kernels.sought_in_texts((b"abc",)).compiled
REFUSED = {
    "sought": [
        (words, b"\1", np.zeros(1, np.uint64)) for words in (["abc"], ("abc",), (b"a",), ())
    ],
    "words_in": [
        (b"abc", words, np.zeros(found, bool))
        for words, found in ((b"", 0), (bytes(4096), 0), (SOUGHT, 2), (SOUGHT[:-1], 1))
    ],
    "held_tags": [(np.array([1, 3], np.uint16), count) for count in (3, 0, -1)],
    "total": [(OFFSETS, np.ones(2, own), np.zeros(2, sums))
              for own, sums in (("bool", "int64"), ("int32", "int32"), ("float32", "float64"))],
    "having": [(*ATTRIBUTES, among, 0) for among in (b"\1", np.ones(1, np.uint8), NAMES + 1)],
}  # fmt: skip
"""Kernel → arguments of the right types that it can't take."""


@pytest.mark.parametrize("name", REFUSED)
def test_what_kernels_cannot_take(name):
    for arguments in REFUSED[name]:
        with pytest.raises(TypeError, match=name):
            getattr(native, name)(*arguments)


@pytest.mark.parametrize("stems", [["tab"], ("ta",), ("tàb",), (b"tab",), ("tab",) * 17, "tab"])
def test_stems_are_checked(monkeypatch, stems):
    monkeypatch.setattr(name_hashes, "FOLDED_WORDS", stems)
    page = parse("<p class=a>x")
    with pytest.raises(TypeError, match="read_names"):
        name_hashes.read_name_hashes(page, np.ones(len(page), dtype=bool))


@pytest.mark.parametrize(("name", "html"), [("_packed", "class=é"), ("_hides", "style=é")])
def test_errors_of_python_come_through(monkeypatch, name, html):
    monkeypatch.setattr(name_hashes, name, {}.__getitem__)
    page = parse(f"<p {html}>x")
    with pytest.raises(KeyError):
        name_hashes.read_name_hashes(page, np.ones(len(page), dtype=bool))
