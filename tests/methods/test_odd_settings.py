"""Settings as requests may bring them: whatever they are, a result or an error of the project."""

import contextlib
import math

import pytest

import chaffinch
from chaffinch.methods import METHODS, settings_of
from chaffinch.page.bounds import Limits
from chaffinch.service.jobs import GivenPage, run_job

LINES = "".join(
    f"<p>What is told of bird {n} in a sentence of some words, with a <a href=/{n}>link</a>."
    for n in range(12)
)
PAGE = f"<title>A</title><main><h1>Birds</h1>{LINES}<table><tr><td>1<td>2</table></main><p>Imprint"
SIBLINGS = [PAGE.replace("bird", "owl"), PAGE]
NUMBERS = (0, -1, 1, 2**31, 2**63 - 1, 2**64, -(2**63), 10**400, 1e308, -1e308, 1e-300, 0.5)
ODD = (*NUMBERS, math.nan, math.inf, "", "x" * 64, "0", [], [0], ["a"], [2**63], [math.nan] * 3)
SETTINGS = [(method, name) for method in METHODS for name in settings_of(method)]


@pytest.mark.parametrize(("method", "name"), SETTINGS)
def test_odd_values_are_answered(method, name):
    compares = "siblings" in settings_of(method)
    for value in (*ODD, True, False):
        options = {"method": method, "settings": {name: value}}
        if compares:
            options["siblings"] = SIBLINGS
        with contextlib.suppress(chaffinch.ChaffinchError):
            assert run_job("record", GivenPage(html=PAGE, limits=Limits()), options)
