"""With and without the kernels, whole pages come out the same."""

import os
import pickle
import random
import subprocess
import sys
from contextlib import nullcontext

import numpy as np
import pytest
from hypothesis import given, settings

import chaffinch
from chaffinch import kernels as compiled
from chaffinch.methods import METHODS
from strategies import markup

COLUMNS = ("tag", "parent", "depth", "end", "text_at", "line", "own_length", "length", "in_link")
ALONE = [name for name, kind in METHODS.items() if not getattr(kind, "needs_siblings", False)]


def told(html, **options):
    """Return what an extraction gives, column by column."""
    got = chaffinch.extract(html, **options)
    columns = {name: getattr(got.page, name).tobytes() for name in COLUMNS}
    attributes = [(row, dict(pairs)) for row, pairs in got.page.all_attributes()]
    outputs = got.page.text, attributes, got.keep.tobytes(), got.text, got.markdown(), got.noise
    return columns, outputs, got.score


def assert_same(plainly, html, **options):
    columns, outputs, score = told(html, **options)
    with plainly():
        columns_2, outputs_2, score_2 = told(html, **options)
    assert columns == columns_2
    assert outputs == outputs_2
    assert np.abs(score - score_2).max(initial=0) < 1e-5


@settings(max_examples=60)
@given(html=markup())
def test_random_pages(plainly, html):
    assert_same(plainly, html)


@pytest.mark.parametrize("method", ALONE)
def test_example_pages(plainly, example_site, method):
    for row in example_site[:: 40 if method == "learned" else 97]:
        assert_same(plainly, row["html"].encode("latin-1"), method=method, url=row["url"])


def test_pages_cut_anywhere(plainly, example_site):
    rng = random.Random(11)  # noqa: S311  seeded, for pages and not for secrets
    for row in rng.sample(example_site, 30):
        html = row["html"].encode("latin-1")
        start, stop = sorted(rng.sample(range(len(html)), 2))
        assert_same(plainly, html[start:stop])


def test_what_was_looked_up_is_not_pickled(plainly):
    for way in (nullcontext, plainly):
        with way():
            page = chaffinch.parse(b"<p class=a id=b>grain")
            before = pickle.dumps(page)
            assert page.having("class") == [(3, "a")]
            assert page.values("id").rows == {"b": [3]}
            assert pickle.dumps(page) == before


def test_a_variable_switches_the_kernels_off():
    code = "from chaffinch.kernels import kernels; print(kernels())"
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, compiled.SWITCH: "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == "None"
