"""A program: forks again and again while threads extract; prints how many children finished.

    python fork_while_threads_extract.py CHILDREN

Each child extracts and writes pages in every form and exits. One that waits for a lock that a
thread of its parent held never does; it is killed after a minute.
"""

import os
import signal
import sys
import threading
import time

import chaffinch

BLOCK = "<div class=a><h2>Rye</h2><p>Rye is a grass, grown for its grain. " + "It is tall. " * 20
PAGE = (
    "<title>Rye</title><meta name=author content='A. Finch'><h1>Rye</h1>"
    + BLOCK * 30
    + "<ul><li><a href=/a>More</a></ul><table><tr><th>a<th>b<tr><td>1<td>2</table>"
)
METHODS = ("learned", "block_density", "line_blocks", "anchor_blocks")
PATIENCE = 60.0  # seconds; a child takes less than one


def work(number):
    found = chaffinch.extract(PAGE, method=METHODS[number % len(METHODS)])
    return found.markdown(), found.html(), found.tei(), found.to_json(), found.clean()


def keep_working(stop):
    number = 0
    while not stop.is_set():
        work(number)
        number += 1


def child():
    """Run in a forked child: never returns."""
    try:
        work(0)
        os._exit(0)
    finally:
        os._exit(1)


def finished(child_id):
    """Return whether a child ends well; one that doesn't end is killed."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        done, status = os.waitpid(child_id, os.WNOHANG)
        if done:
            return status == 0
        time.sleep(0.005)
    os.kill(child_id, signal.SIGKILL)
    os.waitpid(child_id, 0)
    return False


def main(count):
    stop = threading.Event()
    threads = [threading.Thread(target=keep_working, args=(stop,)) for _ in range(3)]
    for thread in threads:
        thread.start()
    done = 0
    while done < count and finished(os.fork() or child()):
        done += 1
    stop.set()
    for thread in threads:
        thread.join()
    print(done)  # noqa: T201


if __name__ == "__main__":
    main(int(sys.argv[1]))
