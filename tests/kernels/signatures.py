"""What each kernel takes, as its definition in C says, and the calls of kernels, recorded."""

import re
from pathlib import Path
from typing import NamedTuple

import numpy as np

from chaffinch import kernels
from chaffinch.kernels.compiled import native as _native

SOURCES = Path(__file__).parents[2] / "src/chaffinch/kernels/native"
DEFINED = re.compile(r'^(?:LOOP|MAKER)\((\w+), "([^"]*)", "([^"]*)"\)', re.MULTILINE)
LENGTH = re.compile(r"\.|\d*[a-z]\+*")


class Argument(NamedTuple):
    """The letter of its type, whether it is written to, the letter of its length; "" for any."""

    type: str
    is_written: bool
    length: str


def arguments_of(types: str, lengths: str) -> list[Argument]:
    found, length_of = [], iter(LENGTH.findall(lengths))
    for place, part in enumerate(types.split("|")):
        for letter in part:
            length = "." if letter in "UO" else next(length_of, ".")
            found.append(Argument(letter, place == 1, length.strip("0123456789+.")))
    return found


SIGNATURES = {
    name: arguments_of(types, lengths)
    for path in sorted(SOURCES.glob("*.c"))
    for name, types, lengths in DEFINED.findall(path.read_text())
}
NATIVE = {name: getattr(_native, name) for name in sorted(SIGNATURES.keys() - {"bind", "walk"})}
"""All but what reads a parser's tree, which one thread alone has: threads parse pages."""


def recorded(visit, replace=setattr):
    """Return kernel → its first call and the largest one, each as its arguments."""
    calls = {}

    def recorder(name, call):
        def record(*arguments):
            size = sum(getattr(one, "nbytes", 0) for one in arguments)
            first, largest = calls.get(name, (None, (-1, None)))
            if size > largest[0]:
                largest = size, written_apart(name, arguments)
                calls[name] = first or largest, largest
            return call(*arguments)

        return record

    for name, own in NATIVE.items():
        replace(_native, name, recorder(name, own))
        if getattr(kernels, name) is own:  # one without an adapter of Python's
            replace(kernels, name, getattr(_native, name))
    visit()
    return {name: [arguments for _, arguments in both] for name, both in calls.items()}


def written_apart(name, arguments):
    """Return arguments of which those that a kernel writes to are copies."""
    return [
        one.copy() if argument.is_written and isinstance(one, np.ndarray) else one
        for one, argument in zip(arguments, SIGNATURES[name], strict=True)
    ]
