"""Sibling subtrees: blocks that siblings have are noise; what stands apart, and what is said."""

import numpy as np

from chaffinch import parse
from chaffinch.methods.sibling_subtrees import SiblingSubtrees, SubtreeReason

NAV = "<ul>" + "".join(f"<li><a href=/{n}>Section {n}</a></li>" for n in range(9)) + "</ul>"
FOOT = "<div id=foot><hr><p>All rights are kept. Imprint. Contact. Terms of use.</p></div>"


def text(number):
    return "".join(f"<p>{number}-{k}: grain was kept and chaff blown away. </p>" * 3 for k in "abc")


def page(number, *, more="", nav=NAV, url=True, **parts):
    title = parts.get("title", f"Number {number}, a title of its own")
    body = f"{nav}<hr><div id=main>{text(number)}</div><hr>{more}{FOOT}"
    return parse(
        f"<head><title>{title}</title>{parts.get('head', '')}<body>{body}",
        url=f"http://site.test/news/{number}.html" if url else None,
    )


def method(*siblings, **settings):
    return SiblingSubtrees(siblings=siblings or (page(1),), **settings)


def whys(target, verdict, selector):
    """Return the codes of the text rows of an element, or of its last row if it has no text."""
    row = target.first(selector)
    rows = np.arange(row, target.end[row])
    worded = rows[target.written[rows]]
    return {SubtreeReason(code) for code in verdict.why[worded if len(worded) else rows[-1:]]}


def test_what_a_sibling_has_is_noise_and_the_rest_content():
    target = page(2)
    verdict = method()(target)
    assert whys(target, verdict, "ul") == {SubtreeReason.EXACT}
    assert whys(target, verdict, "#foot") == {SubtreeReason.EXACT}
    assert whys(target, verdict, "#main") == {SubtreeReason.CONTENT}
    assert verdict.score[target.first("ul")] == 0
    assert verdict.score[target.first("#main p")] == 1


def test_the_next_page_of_the_article_is_left_out_and_named():
    canonical = "<link rel=canonical href=http://site.test/news/whole.html>"
    target, part = page(2, head=canonical), page("2_2", head=canonical)
    twin = page(9)
    verdict = method(part, twin)(target)
    assert (verdict.notes.compared, verdict.notes.siblings) == (1, 2)
    assert verdict.notes.further_parts == ("http://site.test/news/2_2.html",)
    assert not verdict.notes.gave_up
    assert whys(target, verdict, "ul") == {SubtreeReason.EXACT}
    alone = method(part)(target)
    assert alone.keep[target.written & target.shown].all()


def test_pages_made_to_be_slow_are_given_up():
    box = "<div style='background:#11{n:x}'>{a}{b}</div><hr>"
    words, number = "<b>the same words in all of them</b>", "<p><i>{}</i></p>"
    own, theirs = (
        "".join(box.format(n=k % 16, a=first.format(k), b=then.format(k)) for k in range(900))
        for first, then in ((words, number), (number, words))
    )
    target, sibling = parse(f"<body>{own}"), parse(f"<body>{theirs}")
    verdict = method(sibling)(target)
    assert verdict.notes.gave_up
    assert verdict.keep[target.written].all()
