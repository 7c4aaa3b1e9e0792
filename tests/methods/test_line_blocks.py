"""Line blocks: lines, runs and the threshold by script, with numbers worked out by hand."""

import numpy as np
import pytest

from chaffinch import parse
from chaffinch.methods import LineBlocks
from chaffinch.segment.densities import lines


def line_lengths(body):
    cut = lines(parse(f"<head></head><body>{body}</body>"))
    return np.trim_zeros(cut.length).tolist()


@pytest.mark.parametrize(
    ("body", "lengths"),
    [
        ("one<br>four", [3, 4]),
        ("one<br><br>four", [3, 0, 4]),
        ("one<hr>four", [3, 4]),
        ("<p>one</p><p>four</p>", [3, 0, 4]),
        ("<p>one</p>\n  <p>four</p>", [3, 0, 4]),
        ("<div><p>one</p></div><div><p>four</p></div>", [3, 0, 0, 0, 4]),
        ("o n e<b> f</b>our", [7]),
        ("one<script>x\ny</script>\n\nfour", [7]),
        ("one<title>title</title>four", [3, 0, 4]),
    ],
)
def test_lines(body, lengths):
    assert line_lengths(body) == lengths


def test_threshold_grows_with_the_share_of_other_scripts():
    method = LineBlocks(threshold=100, other_scripts=3)

    def threshold(text):
        return method(parse(text)).notes.threshold

    assert threshold("谷物") == 100
    assert threshold("grain") == 300
    assert threshold("谷物ab") == 200
    assert threshold("") == 300


def test_which_runs_are_kept_is_a_setting():
    gap = "<div><div></div></div>" * 3
    long_run = "<p class=long>" + "多" * 60 + "</p>"
    page = parse(f"<p id=peak>{'高' * 130}</p>{gap}{long_run * 3}{gap}<p>尾</p>")
    kept = {
        runs: [bool(LineBlocks(runs=runs)(page).keep[page.first(s)]) for s in ("#peak", ".long")]
        for runs in ("all", "longest", "peak")
    }
    assert kept == {"all": [True, True], "longest": [False, True], "peak": [True, False]}
