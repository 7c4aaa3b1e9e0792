"""Every kernel, called by several threads at once on the same columns; under a sanitizer.

Calls are recorded while pages make their trip. A thread has the written arguments for itself and
shares the others, as threads that read one page do.
"""

import sys
import threading

import numpy as np
from signatures import NATIVE, recorded, written_apart
from trips import meet_kernels, trip

import chaffinch
from site_maker import pages

THREADS = 4
SIZE = 1 << 17
"""Items of a loop, twice as many as where the interpreter's lock is given back."""
PART = "<div class='a b' id=p{0}><h2>Oats {0}</h2><p>Barley of {1}: <a href=/{0}>read</a></div>"
PARTS = [PART.format(number, "the fields") for number in range(SIZE // 14)]
LARGE = "".join(PARTS)
WELSH = (
    "<p>Mae'r felin wrth yr afon yn hen iawn, ac mae'r melinydd yn canu bob bore wrth y lan.</p>"
)
"""No words of a list tell its language: it is identified."""


def at_once(call):
    """Call a function in several threads that begin together."""
    together = threading.Barrier(THREADS)
    failed = []

    def run():
        together.wait()
        try:
            call()
        except BaseException as error:  # noqa: BLE001  told by the main thread
            failed.append(error)

    threads = [threading.Thread(target=run) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]


def share():
    """Do what the library never does: two threads write to one array."""
    rows = np.arange(SIZE, dtype=np.int32)
    hashed = rows.astype(np.uint64), rows.astype(np.int16), np.full(SIZE, SIZE, np.int32)
    hashes = np.zeros(SIZE + 1, np.uint64)
    at_once(lambda: NATIVE["path_hashes"](*hashed, hashes))


def read_pages():
    """Read the example site, two pages more, and what no page's outputs ask for."""
    meet_kernels(pages())
    for html in (LARGE, WELSH):
        got = trip(html)
        got.to_json()
        _ = got.records, got.metadata.language


def replay(name, arguments):
    """Call a kernel in all threads at once; demand one result."""
    results = {}

    def call():
        own = written_apart(name, arguments)
        result = NATIVE[name](*own)
        written = [one.tobytes() for one in own if isinstance(one, np.ndarray)]
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
    page = chaffinch.parse("".join(PARTS[::8]))
    at_once(lambda: chaffinch.parse(LARGE))
    at_once(lambda: chaffinch.extract(page).markdown())
    missing = set(NATIVE) - set(calls)
    print(f"{len(calls) + 1} kernels, missing: {sorted(missing)}")  # noqa: T201  read by the test


if __name__ == "__main__":
    (share if "shared" in sys.argv else main)()
