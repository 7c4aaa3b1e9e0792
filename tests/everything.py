"""The method that keeps all of a page, and what it keeps as content."""

import numpy as np

from chaffinch.verdict import Content, Verdict


def everything(page, why=0):
    rows = len(page)
    return Verdict(np.ones(rows, bool), np.ones(rows, np.float32), np.full(rows, why, np.int8))


def all_of(page):
    return Content(page, Verdict.empty(len(page)).with_keep(np.ones(len(page), dtype=bool)))
