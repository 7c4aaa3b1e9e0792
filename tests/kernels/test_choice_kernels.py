"""Kernels of the choice keep what numpy keeps, of pages of all that the choice looks at."""

from contextlib import nullcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.model import apart, media, repeats
from chaffinch.model.decode import choose, consistent, decide
from chaffinch.model.features import features
from chaffinch.model.folds import in_widgets
from chaffinch.model.policy import Policy
from chaffinch.model.wholes import agreed, wholes
from chaffinch.page import parse
from chaffinch.segment.text_blocks import text_blocks
from strategies import markup

_native = pytest.importorskip("chaffinch.kernels._native")
LONG = "The chaffinch builds its nest of moss in the fork of a tree."
PARTS = st.sampled_from(
    [
        f"<p>{LONG}</p>",
        f"<div class=card><p>{LONG}</p></div>",
        "<p>Grain and chaff</p>",
        "<p><a href=x>Read more</a></p>",
        "<h2>Heading</h2>",
        "<h1><a href=x>Title</a></h1>",
        "<ul><li>One<li>Two</ul>",
        "<ul><li><p>One<p>Two<p>Three</ul>",
        "<dl><dt>Term<dd>Meaning<dd><ul><li>Inner</ul></dl>",
        "<table><tr><th>A<th>B<tr><td>1<td>2</table>",
        "<table><tr><td><p>Laid out<p>Thus</table>",
        "<nav><ul><li><a href=x>Home</a></ul><pre>code</pre></nav>",
        "<pre>code\nmore code</pre>",
        "<div role=dialog><p>Accept</div>",
        "<footer><p>Imprint</footer>",
        "<blockquote>Said<footer>Who</footer></blockquote>",
        "<div><button aria-expanded=false>Open</button></div>",
        "<div><div class=tab-pane hidden>Tab one</div><div class=TAB-PANE>Tab two</div></div>",
        "<details><summary>More</summary>Text</details><details>Other</details>",
        "<div class='Größe toggle-content'>Non-ASCII</div>",
        "<figure><img src=a><figcaption>Caption</figcaption></figure>",
        "<p>Text <img src=b> around<br>lines</p>",
        "<img src=c width=20 height=20>",
        "<div><img src=d style='width:300px'></div><hr>",
    ]
)
HTML = st.lists(PARTS, min_size=1, max_size=25).map("".join) | markup()
KINDS = st.sampled_from(["article", "forum", "service", "product", "listing"])
BETAS = st.sampled_from([0.5, 1.0, 2.0])
SCORES = st.sampled_from([0.0, 0.02, 0.05, 0.25, 0.5, 0.51, 0.8, 1.0]) | st.floats(0, 1, width=32)


@st.composite
def read_pages(draw):
    """Return HTML with text, and a score for each block."""
    html = f"<body><p>The start.</p>{draw(HTML)}"
    count = len(text_blocks(parse(html)))
    scores = draw(st.lists(SCORES, min_size=count, max_size=count))
    return html, np.array(scores, dtype=np.float32)


def both(plainly, work):
    """Return what ``work`` gives with kernels and without, each of a page of its own."""
    out = []
    for way in (nullcontext, plainly):
        with way():
            out.append(work())
    return out


@given(page=read_pages(), kind=KINDS, beta=BETAS)
def test_decide(plainly, page, kind, beta):
    html, score = page

    def decided():
        return decide(score, features(parse(html)), beta=beta, kind=kind, policy=Policy())

    with_kernels, without = both(plainly, decided)
    assert with_kernels.keep.tolist() == without.keep.tolist()
    assert with_kernels.threshold == without.threshold
    assert with_kernels.expected == without.expected
    assert with_kernels.guessed == without.guessed


@given(page=read_pages(), lists=st.booleans(), tables=st.booleans(), beta=BETAS)
def test_consistent(plainly, page, lists, tables, beta):
    html, score = page

    def chosen():
        found = features(parse(html))
        choice = consistent(score, found, beta=beta, lists=lists, tables=tables)
        return choice.keep.tolist(), choice.threshold, choice.expected, choice.guessed

    with_kernels, without = both(plainly, chosen)
    assert with_kernels == without


@given(page=read_pages(), lists=st.booleans())
def test_wholes(plainly, page, lists):
    def numbered():
        return wholes(text_blocks(parse(page[0])), lists=lists).tolist()

    with_kernels, without = both(plainly, numbered)
    assert with_kernels == without


@given(data=st.data(), count=st.integers(1, 40), beta=BETAS)
def test_chosen_of_any_numbers(plainly, data, count, beta):
    def draw(values, dtype):
        return np.array(data.draw(st.lists(values, min_size=count, max_size=count)), dtype=dtype)

    score, units = draw(SCORES, np.float32), draw(st.integers(0, 500), np.float32)
    group, whole = (draw(st.integers(least, count - 1), np.int32) for least in (0, -1))
    owner, tag = np.zeros(count, np.int32), np.zeros(1, np.uint16)
    keep, kinds = np.empty(count, bool), np.zeros(1, np.uint8)
    figures = np.array([0.7, 0.05, 0.8, beta])
    nothing = np.zeros(0, np.int32), np.zeros(0, bool)
    given_ = score, units, group, whole, *nothing, owner, tag, kinds, keep, figures
    told = _native.chosen(*given_)
    with plainly():
        choice = choose(agreed(score, units, group, whole), units, group, beta=beta)
    assert keep.tolist() == choice.keep.tolist()
    assert told == (choice.threshold, choice.expected, choice.guessed)


@given(page=read_pages(), cut=SCORES)
def test_what_follows_the_choice(plainly, page, cut):
    html, score = page
    keep = score >= cut

    def followed():
        found = features(parse(html))
        blocks = found.blocks
        widget = in_widgets(blocks, found.marks)
        return (
            apart.within_content(found, keep).tolist(),
            apart.lone_links(found, keep).tolist(),
            repeats.copies(blocks, keep).tolist(),
            repeats.copies(blocks, keep, single=True).tolist(),
            media.kept_media(blocks, found.units, keep).tolist(),
            None if widget is None else widget.tolist(),
        )

    with_kernels, without = both(plainly, followed)
    assert with_kernels == without


def test_arrays_that_dont_fit_are_refused(plainly):
    del plainly
    one, two = np.zeros(1, np.int32), np.zeros(2, np.int32)
    tag, mask = np.zeros(1, np.uint16), np.zeros(1, bool)
    kinds, figures = np.zeros(1, np.uint8), np.zeros(4)
    floats, places = np.ones(1, np.float32), np.zeros(1, np.intp)
    none, beyond = np.zeros(0, np.int32), np.array([5], np.int32)
    before = np.zeros(2, np.intp)
    calls = [
        (_native.whole_parts, (tag, two, none, one, kinds, one.copy(), True, 2)),
        (_native.blocks_inside, (tag, two, one, mask, none, mask, mask.copy())),
        (_native.link_lines, (before, mask, one, beyond, ~mask, 0.9)),
        (_native.expected_f1, (floats, floats, np.zeros(2, bool))),
        (_native.verdict_rows, (beyond, mask, mask, mask.copy(), mask.copy(), np.zeros(3, bool))),
    ]
    for group, owner in ((beyond, one), (one, beyond), (one, two)):
        choice = floats, floats, group, one, none, none.astype(bool), owner, tag, kinds
        calls.append((_native.chosen, (*choice, mask.copy(), figures)))
    for parent, last in ((one, beyond), (beyond, one + 1)):
        page = tag, parent, one + 1, mask, one, last, floats, mask, kinds, figures
        calls.append((_native.kept_media, (*page, mask.copy(), places.copy())))
    for kernel, arguments in calls:
        with pytest.raises(TypeError):
            kernel(*arguments)


@given(page=read_pages(), cut=SCORES)
def test_told_rows(plainly, page, cut):
    html, score = page
    codes = np.array([1, 2, 4], np.int8)

    def told():
        found = features(parse(html))
        return [
            one.tolist() for one in media.told_rows(found.blocks, found.units, score >= cut, codes)
        ]

    with_kernels, without = both(plainly, told)
    assert with_kernels == without
