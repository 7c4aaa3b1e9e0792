"""Starts Ray as the engine does and says where it listens, for a test: ``ray_alone.py``."""

import ipaddress
import threading

import psutil

from chaffinch.corpus.runs import engine_of


def is_loopback(address):
    """Tell whether an address is one of loopback, also where IPv6 carries it."""
    found = ipaddress.ip_address(address)
    return (getattr(found, "ipv4_mapped", None) or found).is_loopback


def look(found, is_over):
    """Note the addresses that this process and those it started listen on."""
    while not is_over.wait(0.2):
        this = psutil.Process()
        for process in (this, *this.children(recursive=True)):
            try:
                found.update(
                    one.laddr.ip
                    for one in process.net_connections("inet")
                    if one.status == psutil.CONN_LISTEN
                )
            except psutil.Error:
                continue


def main():
    found, is_over = set(), threading.Event()
    looking = threading.Thread(target=look, args=(found, is_over))
    looking.start()
    try:
        with engine_of("ray", workers=1) as engine:
            assert list(engine.results(abs, [-1])) == [1]
    finally:
        is_over.set()
        looking.join()
    print(f"listening here: {any(map(is_loopback, found))}")  # noqa: T201 - for the test
    elsewhere = sorted(one for one in found if not is_loopback(one))
    print(f"listening elsewhere: {', '.join(elsewhere) or 'none'}")  # noqa: T201 - the same


if __name__ == "__main__":
    main()
