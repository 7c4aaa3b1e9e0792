"""Pages that fit no template: what returns on the site speaks where the default is unsure."""

from dataclasses import replace

import numpy as np
import pytest

from chaffinch import Site, parse
from chaffinch.methods import Learned
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.site.joined_scores import ScoredPage
from chaffinch.site.reasons import SiteReason
from chaffinch.site.unfitted_pages import score_on_site, site_texts

NOTE = "The guild of millers keeps this note below whatever it has to say."
ODD = f"<body><main><h3>Grain</h3><p>One short line of its own.</p></main><em>{NOTE}</em>"

EMPTY = (
    f"<body><header><p>{NOTE}</p></header><h1>Nothing was found</h1>"
    "<footer><p>Opening hours: from nine to five, closed on Mondays.</p></footer>"
)


def _story(number):
    letter = chr(97 + number)  # numbers in texts are masked
    body = "".join(
        f"<p>{' '.join(f'{letter}rain{chr(97 + word % 26)}{one}' for word in range(40))}.</p>"
        for one in "xyz"
    )
    return f"<body class=t><div class=a>{body}</div><div class=b><p>{NOTE}</p></div>"


@pytest.fixture(scope="module")
def site():
    return Site.learn([_story(number) for number in range(8)])


def _blocks(page):
    scored = ScoredPage.of(page)
    texts = [
        page.text[page.text_at[at] : page.text_at[at + 1]]
        for at in scored.scores.features.blocks.first
    ]
    return scored, [NOTE in text for text in texts]


def test_texts_of_a_site_are_those_of_two_pages_or_more(site):
    found = site_texts(site.templates)
    assert found.pages == len({key for one in site.templates for key in one.keys.tolist()})
    assert all((counts >= 2).all() for counts in found.counts)
    assert len(found.hashes[0]) == 1  # the note; no story returns
    assert site_texts(()).pages == 0


def test_what_returns_loses_and_nothing_else(site):
    scored, is_note = _blocks(parse(ODD))
    score, share = score_on_site(site, scored, 0.5)
    alone = scored.scores.score
    assert share[is_note] == pytest.approx(1)
    assert (score[is_note] < alone[is_note]).all()
    others = ~np.array(is_note)
    assert score[others] == pytest.approx(alone[others], abs=0.01)


@pytest.mark.parametrize("confidence", [None, 0.9, 1.0])
def test_a_sure_default_is_left_alone(site, confidence):
    scored, _ = _blocks(parse(ODD))
    assert score_on_site(site, scored, confidence) is None


def test_a_site_of_few_pages_says_nothing():
    few = Site.learn([_story(number) for number in range(3)])
    assert score_on_site(few, _blocks(parse(ODD))[0], 0.5) is None


def test_a_note_of_the_site_is_dropped_from_an_empty_result(site):
    page = parse(EMPTY)
    _, is_note = _blocks(page)
    at = text_blocks(page).first[is_note]
    verdict = site(page)
    assert Learned()(page).keep[at].all()
    assert not verdict.keep[at].any()
    assert (verdict.why[at] == SiteReason.RETURNS).all()
    assert verdict.notes.mode == "page-level default"
    text = site.extract(page).text
    assert "Nothing was found" in text
    assert NOTE not in text
    said = [block for block, own in zip(site.explain(page), is_note, strict=True) if own]
    assert said[0].contributions[0].group == "returning text"


def test_a_learned_page_does_not_return_by_itself(site):
    own = replace(site, templates=site.templates[:1])
    scored, is_note = _blocks(parse(_story(0)))
    _, share = score_on_site(own, scored, 0.5)
    assert share[~np.array(is_note)].max(initial=0) == 0
