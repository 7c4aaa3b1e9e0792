"""Every kernel, called by several threads at once on the same columns; under a sanitizer.

Calls are recorded while pages make their trip. A thread has the written arguments for itself and
shares the others, as threads that read one page do.
"""

import threading

import numpy as np
from test_argument_types import ARGUMENTS, kinds_of
from test_pages import meet_kernels, trip
from threads_in_kernels import SIZE, THREADS, at_once

import chaffinch
from chaffinch import kernels
from chaffinch.kernels.compiled import native as _native
from site_maker import pages

NATIVE = {name: getattr(_native, name) for name in ARGUMENTS.keys() - {"bind", "walk"}}
"""All but what reads a parser's tree, which one thread alone has: threads parse pages."""
PART = "<div class='a b' id=p{0}><h2>Oats {0}</h2><p>Barley of {1}: <a href=/{0}>read</a></div>"
LARGE = "".join(PART.format(number, "the fields, " * 5) for number in range(SIZE // 14))


def recorded(visit):
    """Return kernel → its first call and the largest one, each as its arguments."""
    calls = {}

    def recorder(name, call):
        written = [is_written for _, is_written in kinds_of(name)]

        def record(*arguments):
            size = sum(getattr(one, "nbytes", 0) for one in arguments)
            first, largest = calls.get(name, (None, (-1, None)))
            if size > largest[0]:
                pairs = zip(arguments, written, strict=True)
                largest = (
                    size,
                    [one.copy() if own and _is_array(one) else one for one, own in pairs],
                )
                calls[name] = first or largest, largest
            return call(*arguments)

        return record

    for name, own in NATIVE.items():
        setattr(_native, name, recorder(name, own))
        if getattr(kernels, name) is own:  # one without an adapter of Python's
            setattr(kernels, name, getattr(_native, name))
    visit()
    return {name: [arguments for _, arguments in both] for name, both in calls.items()}


def _is_array(argument):
    return isinstance(argument, np.ndarray)


def read_pages():
    """Read the example site, a large page, and what no page's outputs ask for."""
    meet_kernels(pages())
    for html in (LARGE, pages()[0]["html"]):
        got = trip(html)
        got.to_json()
        _ = got.records, got.metadata.language


def replay(name, arguments):
    """Call a kernel in all threads at once; demand one result."""
    results = {}

    def call():
        own = [
            one.copy() if is_written and _is_array(one) else one
            for one, (_, is_written) in zip(arguments, kinds_of(name), strict=True)
        ]
        result = NATIVE[name](*own)
        written = [one.tobytes() for one in own if _is_array(one)]
        results[threading.get_ident()] = repr(result), written

    at_once(call)
    assert len(results) == THREADS
    first, *others = results.values()
    assert all(one == first for one in others), name


def main():
    calls = recorded(read_pages)
    for name, several in sorted(calls.items()):
        for arguments in several:
            replay(name, arguments)
    at_once(lambda: chaffinch.parse(LARGE))
    missing = set(NATIVE) - set(calls)
    print(f"{len(calls) + 1} kernels, missing: {sorted(missing)}")  # noqa: T201  read by the test


if __name__ == "__main__":
    main()
