"""Line blocks: lines, runs and the threshold by script, with numbers worked out by hand."""

import numpy as np
import pytest

from chaffinch import parse
from chaffinch.methods import LineBlocks
from chaffinch.methods.line_blocks import line_scores
from chaffinch.segment.densities import block_lengths, dense_runs, lines


def line_lengths(body):
    cut = lines(parse(f"<head></head><body>{body}</body>"))
    return np.trim_zeros(cut.length).tolist()


def runs(lengths, **settings):
    block = block_lengths(np.array(lengths), 3)
    found = dense_runs(block, **({"threshold": 86, "end_blocks": 2} | settings))
    return list(zip(*(column.tolist() for column in found), strict=True))


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


def test_block_is_a_line_and_those_after_it():
    assert block_lengths(np.array([1, 2, 4, 8]), 3).tolist() == [7, 14, 12, 8]
    assert block_lengths(np.array([1, 2, 4, 8]), 1).tolist() == [1, 2, 4, 8]


def test_run_starts_above_the_threshold():
    assert runs([0, 0, 0, 86, 0]) == []
    assert runs([0, 0, 0, 87, 0]) == [(1, 4)]


def test_lone_long_line_at_the_end_starts_no_run():
    # The blocks at 1 to 3 are 100 long; after the one at 3 all are empty.
    assert runs([100]) == []
    assert runs([0, 100]) == [(0, 2)]


def test_run_ends_where_blocks_are_empty():
    two_empty_blocks = [50, 50, 0, 0, 0, 0, 9]
    assert runs(two_empty_blocks) == [(0, 2)]
    assert runs(two_empty_blocks, end_blocks=3) == [(0, 7)]
    one_empty_block = [50, 50, 0, 0, 0, 9]
    assert runs(one_empty_block) == [(0, 6)]
    assert runs(one_empty_block, end_blocks=1) == [(0, 2)]


def test_run_starts_again():
    assert runs([90, 1, 0, 0, 0, 0, 0, 0, 90, 1]) == [(0, 2), (6, 10)]


def test_threshold_grows_with_the_share_of_other_scripts():
    method = LineBlocks(threshold=100, other_scripts=3)

    def threshold(text):
        return method(parse(text)).notes.threshold

    assert threshold("谷物") == 100
    assert threshold("grain") == 300
    assert threshold("谷物ab") == 200
    assert threshold("") == 300


def test_rows_of_kept_lines_are_kept():
    text = "谷" * 100
    far = "<div><div><div><div>短</div></div></div></div>"
    page = parse(f"{far}<p>{text}<img></p><p>尾</p>{far}")
    verdict = LineBlocks()(page)
    assert verdict.keep[page.first("img")]
    assert verdict.keep[page.select("p")].all()
    kept = "".join(page.folded(r) for r in np.flatnonzero(verdict.keep & page.written).tolist())
    assert kept == text + "尾"


def test_which_runs_are_kept_is_a_setting():
    gap = "<div><div></div></div>" * 3
    long_run = "<p class=long>" + "多" * 60 + "</p>"
    page = parse(f"<p id=peak>{'高' * 130}</p>{gap}{long_run * 3}{gap}<p>尾</p>")
    kept = {
        runs: [bool(LineBlocks(runs=runs)(page).keep[page.first(s)]) for s in ("#peak", ".long")]
        for runs in ("all", "longest", "peak")
    }
    assert kept == {"all": [True, True], "longest": [False, True], "peak": [True, False]}


def test_score_is_one_half_at_the_threshold():
    scores = line_scores(np.array([0, 86, 0, 0, 0, 258]), 3, 86)
    assert scores.tolist() == pytest.approx([0, 0.5, 0.5, 0.5, 0, 0.75])


def test_lines_of_some_rows_alone():
    page = parse("<div>谷物<p>chaff</p><p><br></p></div>grain")
    rows = ~page.inside(page.is_tag("p"))
    some, none = lines(page, rows), lines(page, np.zeros(len(page), dtype=bool))
    whole = lines(parse("<div>谷物</div>grain"))
    assert some.length.tolist() == whole.length.tolist()
    assert some.wide_share == whole.wide_share == pytest.approx(2 / 7)
    assert none.length.tolist() == [0]
