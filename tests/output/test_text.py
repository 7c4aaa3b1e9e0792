import pytest
from output_pages import content_of

from chaffinch.output import text

CASES = {
    "blocks on lines": ("<p>one <b>two</b>\n three</p>\n<p>four</p>", "one two three\nfour"),
    "br": ("<p>one<br>two<br/><br/>three", "one\ntwo\nthree"),
    "text around blocks": ("a<div>b</div>c", "a\nb\nc"),
    "no space made": ("<p>gr<b>ai</b>n</p>", "grain"),
    "no bullets": ("<ul><li>one<li>two<ul><li>three</ul></ul>", "one\ntwo\nthree"),
    "pre": ("<pre>  a\n\n    b  c\n</pre>", "  a\n\n    b  c"),
    "pre of blocks": ("<pre><div>a</div><div>  b</div></pre>", "a\n  b"),
    "cells": ("<table><tr><td>1<td>2<tr><td>3<td> 4</table>", "1\t2\n3\t4"),
    "cells of lines": ("<table><tr><td>1<td><p>2<p>3<td>4</table>", "1\n2\n3\n4"),
    "no break space": ("<p>a&nbsp;b\u3000c</p>", "a b c"),
    "chinese": ("<p>中文\n<em>很好</em>。</p>", "中文 很好。"),
}


@pytest.mark.parametrize("case", CASES)
def test_text(case):
    html, expected = CASES[case]
    assert text.render(content_of(html)) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a<i>[1]</i>, b</p>", "a, b"),
        ("<p>a <i>[1]</i> b</p>", "a b"),
        ("<p>a<i> [1]</i>b</p>", "a b"),
        ("<p>a</p><div><i>ad</i></div><p>b</p>", "a\nb"),
        ("<table><tr><td>1<td><i>x</i><td>3</table>", "1\t3"),
    ],
)
def test_dropped_text_leaves_at_most_a_space(html, expected):
    assert text.render(content_of(html, drop="i")) == expected


def test_white_space_between_kept_rows_needs_no_verdict_of_its_own():
    content = content_of("<p><b>a</b> <b>b</b><b>c</b></p>", keep="b")
    assert text.render(content) == "a bc"


def test_noise_is_the_rest():
    content = content_of("<p>a</p><p class=x>b</p>", drop=".x")
    assert text.render(content.noise) == "b"
