"""Pages of one type, and with as much prose, have tables of their own within their template."""

from dataclasses import replace

import numpy as np
import pytest

from chaffinch import Site, parse
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.site.evidence import (
    BlockEvidence,
    group_words,
    page_groups,
    shipped_weights,
    template_tables,
)
from chaffinch.site.sample import Statistics, block_summary, merged

FEW, ENOUGH = 4, 6
NOTE = "Notes of the mill are free for members of the guild."
PROSE, BOX, LAST = range(3)
"""The blocks of each page."""


def _own(name, number):
    """Return words that no other page has, without digits, which would be masked."""
    return " ".join(
        f"{name}{chr(97 + at)}{chr(97 + number % 26)}{chr(97 + number // 26)}" for at in range(5)
    )


def summary(number, kind, *, box, note="", prose=1):
    """Return the summary of a page: prose, a box with this score, its own note or a given one."""
    body = "".join(
        f"<p>{' '.join(f'grain{number}w{at}of{one}' for at in range(20))}</p>"
        for one in range(prose)
    )
    page = parse(
        f"<body><div class=a>{body}</div><div class=b><p>{_own('box', number)}</p></div>"
        f"<div class=c><p>{note or _own('last', number)}</p></div></body>"
    )
    scores = np.array([*[0.9] * prose, box, 0.6], dtype=np.float32)
    return block_summary(page, text_blocks(page).spread(scores), kind=kind)


def lists_and_stories(count, note=NOTE):
    """Return as many lists, all with a note and a box of noise, as stories whose box is content."""
    lists = [summary(one, "listing", box=0.02, note=note) for one in range(count)]
    return [*lists, *(summary(100 + one, "article", box=0.98) for one in range(3 * count))]


def evidence(page, pages, *, with_groups):
    groups = page_groups(pages) if with_groups else {}
    return BlockEvidence.of(page, *template_tables(pages), groups=groups)


def test_a_place_is_read_as_on_pages_of_its_kind():
    pages = lists_and_stories(ENOUGH)
    page = summary(50, "listing", box=0.5)
    alone, grouped = (evidence(page, pages, with_groups=one) for one in (False, True))
    assert alone.slot[BOX] > 0 > grouped.slot[BOX]
    weights = shipped_weights()
    assert grouped.probability(weights)[BOX] < 0.5 < alone.probability(weights)[BOX]
    assert grouped.slot[PROSE] == pytest.approx(alone.slot[PROSE], abs=0.01)


@pytest.fixture(scope="module")
def grouped(english):
    """A model that has groups, of pages of the example site that are called lists or stories."""
    parts = []
    for number, row in enumerate(english):
        verdict = row["verdict"]
        kind = "listing" if number % 2 else "article"
        typed = replace(verdict, page_type=kind, score=verdict.score)
        parts.append(Statistics.of_page(row["page"], verdict=typed, date="1"))
    return Site.of(merged(parts))


def test_groups_are_saved_with_the_model_and_used(grouped, english):
    assert any(template.groups for template in grouped.templates)
    again = Site.from_text(grouped.to_text(), grouped.to_data())
    for one, other in zip(grouped.templates, again.templates, strict=True):
        assert one.groups.keys() == other.groups.keys()
    for row in english[:9]:
        assert (grouped(row["page"]).keep == again(row["page"]).keep).all()
    assert again.to_text() == grouped.to_text()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("article 0", "article, no prose"),
        ("listing 1", "listing, one block of prose"),
        ("article 2", "article, prose"),
        ("of another version", "of another version"),
    ],
)
def test_a_report_names_groups_in_words(name, words):
    assert group_words(name) == words


def test_groups_are_told_in_each_form_of_a_report(grouped):
    report = grouped.report()
    groups = [group for one in report.to_dict()["templates"] for group in one["groups"]]
    assert groups
    assert all(group["pages"] >= 5 for group in groups)
    told = f"{group_words(groups[0]['name'])} ({groups[0]['pages']})"
    assert f"pages read apart: {told}" in report.to_text()
