"""An extractor for tests that does what a record asks for, in little time."""

import os
import signal
import threading
import time

from bench.lib import perils
from chaffinch.errors import PageError


class Small:
    """Answers a record by what its first word says."""

    def __init__(self, recipe):
        self.recipe = recipe

    def __call__(self, record):
        kind, _, rest = record.html.decode().partition(" ")
        if kind == "long":
            return {"text": "x" * int(rest)}
        if kind == "sleep":
            time.sleep(float(rest.split()[0]))
        if kind == "dying":  # killed while the answer is on its way
            pid = os.getpid()
            threading.Thread(target=lambda: os.kill(pid, signal.SIGKILL)).start()
            return {"text": "x" * (100 << 20)}
        if kind == "page":
            raise PageError(rest)
        if kind == "bug":
            raise TypeError(rest)
        if kind in perils.DO:
            perils.DO[kind]()
        return {"text": record.html.decode(), "pid": os.getpid()}
