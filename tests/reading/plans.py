"""Pages whose every sentence, cell and line of code has a number of its own, with scores."""

import numpy as np
from hypothesis import strategies as st

from chaffinch import extract, parse
from chaffinch.verdict import Verdict

LEAF = st.sampled_from(["sentence", "sentences", "table", "code", "list", "quote", "rule", "again"])
PLANS = st.lists(st.one_of(LEAF, st.sampled_from(["h2", "h3", "h4"])), max_size=14)


def page_of(plan):  # noqa: C901  a table of cases
    """A page whose every sentence, cell and line of code has a number of its own."""
    number = 0

    def words(count=1):
        nonlocal number
        number += count
        return [f"Seed{one}x is sown in early spring." for one in range(number - count, number)]

    out = ["<title>Grain</title>"]
    for kind in plan:
        match kind:
            case "sentence":
                out.append(f"<p>{words()[0]}</p>")
            case "sentences":
                out.append(f"<p>{' '.join(words(5))} And <b>{words()[0]}</b></p>")
            case "table":
                a, b, c, d = words(4)
                out.append(f"<table><tr><th>{a}<th>{b}<tr><td>{c}<td>{d}</table>")
            case "code":
                out.append("<pre><code>" + "\n".join(words(4)) + "</code></pre>")
            case "list":
                a, b, c, d = words(4)
                out.append(f"<ol start=3><li>{a}<li>{b}<ul><li>{c}</ul><li><p>{d}</ol>")
            case "quote":
                a, b = words(2)
                out.append(f"<blockquote><p>{a}<p>{b}</blockquote>")
            case "rule":
                out.append("<hr>")
            case "again":
                out.append("<p>Share this page with your friends.</p>")
            case _:
                out.append(f"<{kind}>{words()[0]}</{kind}>")
    return "".join(out)


def scored(plan, seed=0):
    page = parse(page_of(plan))
    score = np.random.default_rng(seed).random(len(page)).astype(np.float32)
    keep = np.ones(len(page), dtype=bool)
    return extract(page, method=lambda _: Verdict(keep, score, np.zeros(len(page), np.int8)))
