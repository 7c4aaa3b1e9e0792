"""What children are given to do in the tests: a module of its own, so that they can import it."""

import ctypes
import os
import time

import chaffinch


def double(number, *, plus=0):
    return 2 * number + plus


def sleep(seconds):
    time.sleep(seconds)
    return seconds


def harm(how):  # noqa: C901  a list of cases
    """Do what is asked for; "" is harmless."""
    match how:
        case "spin":
            while True:
                pass
        case "sleep":
            time.sleep(3600)
        case "hold":  # the interpreter's lock
            ctypes.PyDLL(None).sleep(3600)
        case "memory":
            held = []
            while True:
                held.append(bytearray(64 << 20))
        case "segfault":
            ctypes.string_at(0)
        case "exit":
            os._exit(3)
        case "bug":
            raise ValueError("a bug")
        case "page":
            raise chaffinch.PageError("no page")
        case "setup":
            raise chaffinch.OptionError("no option")
        case "unsendable":
            return lambda: None
    return os.getpid()


class NeedsWarmth:
    """Fails in its first call, whatever is asked."""

    calls = 0

    def __call__(self, _):
        NeedsWarmth.calls += 1
        return NeedsWarmth.calls
