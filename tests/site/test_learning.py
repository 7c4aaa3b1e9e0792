"""What is learned of pages laid side by side: slots, evidence, groups, rules and their doubts."""

import random
from dataclasses import replace

import numpy as np
import pytest

from bench.lib.made_sites import made_site
from chaffinch import Site, extract, parse
from chaffinch.decision.discussions import in_comments
from chaffinch.decision.draft import OF_ONE_TEXT
from chaffinch.evaluate.scoring import tokenize, word_score
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.site.apply import ScoredPage
from chaffinch.site.evidence import (
    WHOLE,
    BlockEvidence,
    PageTables,
    are_facts,
    group_words,
    shipped_weights,
    tables_of,
)
from chaffinch.site.rules import Usage
from chaffinch.site.sample import block_summary
from chaffinch.site.slots import slot_hashes, step_of
from rows_of_cases import examples

WORDS = "barley river mill council bridge winter harvest market garden ferry stone lantern".split()


def sentence(seed, length=14):
    dice = np.random.default_rng(seed)
    return " ".join(dice.choice(WORDS, length)).capitalize() + f" {WORDS[seed % 12]}."


def changed(site, template, **values):
    """Return the model with other values of one template."""
    every = (replace(one, **values) if one is template else one for one in site.templates)
    return replace(site, templates=tuple(every))


# Slots


@pytest.mark.parametrize(
    ("markup", "step"), examples(__file__, "names of headings and of the page are no position")
)
def test_names_of_headings_and_of_the_page_are_no_position(markup, step):
    page = parse(f"<main>{markup}", url="https://a.test/seed-of-oak.html")
    assert step_of(page, page.first("main") + 1) == step
    if "seed" in markup:
        other = parse(
            f"<main>{markup}".replace("oak", "rye"), url="https://a.test/seed-of-rye.html"
        )
        assert np.array_equal(slot_hashes(page), slot_hashes(other))


def summaries(sources, score):
    """Return summaries of pages, ``score`` the probability of every block."""
    pages = [parse(source) for source in sources]
    return [block_summary(page, np.full(len(page), score, dtype=np.float32)) for page in pages]


# Evidence


@pytest.mark.parametrize(
    "row",
    [
        "<tr><th>{0}</th><td>{1}</td></tr>",
        "<tr><td>{0}</td><td>{1}</td></tr>",
        "<dt>{0}</dt><dd>{1}</dd>",
        "<div><div class=l>{0}</div><div class=v>{1}</div></div>",
        "<li><p class=l>{0}:</p><p>{1}</p></li>",
    ],
)
@pytest.mark.parametrize(
    ("labels", "values", "found"), examples(__file__, "labels beside values that differ are facts")
)
def test_labels_beside_values_that_differ_are_facts(row, labels, values, found):
    start = row.partition(">")[0][1:3]
    outer = {"tr": "table", "dt": "dl", "li": "ul"}.get(start, "div")
    told = summaries(
        [
            f"<body><h1>{sentence(at, 5)}</h1><{outer}>"
            + "".join(
                row.format(label, value.format(WORDS[at + 3 * number]))
                for number, (label, value) in enumerate(zip(labels, values.split(";"), strict=True))
            )
            + f"</{outer}><p>{sentence(99 + at)}"
            for at in range(5)
        ],
        0.5,
    )
    tables = PageTables.of(told)
    mask = are_facts(told[0], tables.shares(told[0].texts, own=True))
    assert mask.tolist() == [False, *6 * [found], False]


def test_a_place_does_not_raise_comments():
    dice = random.Random(3)  # noqa: S311

    def prose(count):
        return " ".join(dice.choices(WORDS, k=count)).capitalize() + "."

    body = "".join(f"<p>{prose(60)}</p>" for _ in range(6))
    posts = "".join(
        f'<li class=comment id="comment-{n}"><cite class=author>Ann {n}</cite><time datetime='
        f'"2026-01-0{n}T10:00">{n} January 2026</time><p>{prose(25)}</p></li>'
        for n in range(1, 6)
    )
    scored = ScoredPage.of(
        parse(
            f"<title>A lantern</title><article><h1>A lantern</h1>{body}</article><div id=comments "
            f"class=comments><h2>5 comments</h2><ol class=commentlist>{posts}</ol></div>"
        )
    )
    assert scored.scores.kind in OF_ONE_TEXT
    alone, size = scored.scores.score, len(scored.summary)
    nothing, all_of = np.zeros(size), np.full(size, 8.0)
    returns, votes = np.zeros((2, size), np.float32), np.ones(size, np.float32)
    found = {"own": all_of, "slot": all_of, "links": nothing, "known": all_of, "leads": nothing}
    evidence = BlockEvidence(**found, returns=returns, heading=nothing > 0, votes=votes)
    comments = in_comments(scored.scores.features.blocks, np.ones(size, dtype=bool))
    denied = comments & (alone < 0.5)
    assert np.count_nonzero(denied) >= 3
    joined = scored.joined(evidence)
    np.testing.assert_array_equal(joined[denied], alone[denied])
    assert (joined[~comments] > 0.5).all()


# Groups


def summary(number, kind, *, box, note=""):
    """Return the summary of a page: prose, a box with this score, its own note or a given one."""

    def own(name):
        return " ".join(f"{name}{chr(97 + at)}{chr(97 + number % 26)}{number}" for at in range(5))

    prose = " ".join(f"grain{number}w{at}" for at in range(20))
    page = parse(f"<div class=a><p>{prose}</div><div class=b>{own('x')}</div><p>{note or own('y')}")
    scores = np.array([0.9, box, 0.6], dtype=np.float32)
    return block_summary(page, text_blocks(page).spread(scores), kind=kind)


def test_a_place_is_read_as_on_pages_of_its_kind():
    note = "Notes of the mill are free for members of the guild."
    pages = [summary(one, "listing", box=0.02, note=note) for one in range(6)]
    pages += [summary(100 + one, "article", box=0.98) for one in range(18)]
    page, tables, weights = (
        summary(50, "listing", box=0.5),
        tables_of(pages),
        shipped_weights(),
    )
    alone = BlockEvidence.of(page, {WHOLE: tables[WHOLE]})
    grouped = BlockEvidence.of(page, tables)
    assert alone.slot[1] > 0 > grouped.slot[1]
    assert grouped.probability(weights)[1] < 0.5 < alone.probability(weights)[1]
    assert grouped.slot[0] == pytest.approx(alone.slot[0], abs=0.01)
    words = {"article 0": "article, no prose", "listing 1": "listing, one block of prose"}
    assert {name: group_words(name) for name in words} == words
    assert group_words("of another version") == "of another version"


# Explanations


def test_slots_and_returning_texts_are_named_and_explaining_is_no_use(english, learned):
    page, site = english[1]["page"], replace(learned, usage=Usage())
    found = site.extract(page)
    used = site.usage.to_dict()
    blocks = found.explain()
    assert site.usage.to_dict() == used
    assert [one.text for one in blocks if one.keep] == found.text.splitlines()
    for one in blocks:
        assert one.slot
        assert one.step in site.reasons
        assert {piece.group for piece in one.contributions} <= {
            "the page alone", "its slot", "returning text", "links of its slot",
            "the place of a lead", "the template's rules",
        }  # fmt: skip
    returning = [one for one in blocks if one.step == "returns on other pages of the site"]
    assert {one.opposing[0].group for one in returning} == {"returning text"}
    policed = [one for one in site.extract(page, policy={"headline": True}).explain() if one.keep]
    further = {one.text for one in policed if one.rule == "policy"}
    assert further.isdisjoint(one.text for one in blocks if one.keep)


def test_a_site_model_reads_made_up_sites_no_worse_than_the_page_alone():
    made = {number: list(made_site(number, 8)) for number in range(12)}
    assert list(made_site(3, 8)) == made[3]
    assert len({page.html for pages in made.values() for page in pages}) == 8 * len(made)
    releases = [
        [(parse(page.html, url=page.url), page.gold) for page in made_site(13, frame=a, story=b)]
        for a, b in ((0, 0), (1, 0), (1, 1))  # the same, another frame, all rebuilt
    ]
    for half in (0, 1):
        full = Site.learn([page for page, _ in releases[0][half::2]], date="1")
        for pages in releases:
            default, by_site = (
                sum(
                    word_score(tokenize(extract(page, method=one).text), tokenize(gold)).f1
                    for page, gold in pages[1 - half :: 2]
                )
                / len(pages[1 - half :: 2])
                for one in ("learned", full)
            )
            assert by_site >= default - 0.02
