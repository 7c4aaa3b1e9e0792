"""A method that ends its process on a page that says so: a module, so that children import it."""

import os
import signal
import time

from chaffinch.verdict import Verdict


def harmful(page):
    if "crash" in page.text:
        os.kill(os.getpid(), signal.SIGSEGV)
    if "hang" in page.text:
        time.sleep(3600)
    return Verdict.empty(len(page))
