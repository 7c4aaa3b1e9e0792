"""Threads in kernels at once; started by test_thread_sanitizer.py."""

import sys
import threading

import numpy as np

import chaffinch
from chaffinch.kernels.compiled import native as _native

THREADS = 4
SIZE = 1 << 17
"""Items of a loop, twice as many as where the interpreter's lock is given back."""
PART = "<div class=post id=p{0}><h2>Oats {0}</h2><p>Barley, rye: <a href=/{0}>read</a> on.</div>"


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


def main():
    rows = np.arange(SIZE, dtype=np.int32)
    end, marked = np.full(SIZE, SIZE, np.int32), np.ones(SIZE, bool)
    hashed = rows.astype(np.uint64), rows.astype(np.int16), end
    hashes = np.zeros(SIZE + 1, np.uint64)
    if "shared" in sys.argv:  # what the library never does: two threads write to one array
        at_once(lambda: _native.path_hashes(*hashed, hashes))
    at_once(lambda: _native.path_hashes(*hashed, hashes.copy()))
    source = b"<p> " * SIZE
    at_once(lambda: _native.is_plain(source))
    at_once(lambda: _native.nearest(rows - 1, marked, rows.copy()))
    at_once(lambda: _native.inside(end, marked, marked.copy()))
    at_once(lambda: _native.total(end, marked, rows.copy()))
    html = "".join(PART.format(number) for number in range(200))
    page = chaffinch.parse(html)
    at_once(lambda: chaffinch.extract(html).text)
    at_once(lambda: chaffinch.extract(page).markdown())
    print("done")  # noqa: T201  what the test waits for


if __name__ == "__main__":
    main()
