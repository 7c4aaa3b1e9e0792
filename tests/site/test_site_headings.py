"""The headings that stand on every page of a manual are content, those of its menus aren't."""

import random
from dataclasses import replace

import numpy as np
import pytest

from chaffinch import Site, parse
from chaffinch.methods import Learned
from chaffinch.site.evidence import BlockEvidence, returning_texts, shipped_weights, slot_table
from chaffinch.site.sample import block_summary, summarise

WORDS = "copper lantern harbour thistle meadow granite willow ember saddle orchard".split()


def manual_page(number):
    """A page of a made-up manual: the same section headings over texts of its own."""

    def prose(salt):
        drawn = random.Random(f"{number} {salt}").choices(WORDS, k=24)  # noqa: S311
        return f"{' '.join(drawn).capitalize()}."

    menu = "".join(f'<li><a href="/m/{n}">Entry {n}</a></li>' for n in range(12))
    return parse(
        f"""<html><head><title>call {number} - Manual</title></head><body>
        <div class="menu"><h2>All entries</h2><ul>{menu}</ul></div>
        <div class="main"><h1>call_{number}</h1>
        <h2>Definition</h2><p>{prose(1)}</p><p>{prose(2)}</p>
        <h2>Remarks</h2><p>{prose(3)}</p><p>{prose(4)}</p></div>
        <div class="foot"><p>A manual for nobody. All rights reserved.</p></div></body></html>""",
        url=f"https://manual.example/m/{number}",
    )


@pytest.mark.parametrize("mode", ["full", "rules"])
def test_headings_over_texts_of_their_own_are_kept(mode):
    site = Site.learn([manual_page(n) for n in range(12)], mode=mode)
    text = site.extract(manual_page(40)).text
    assert "Definition" in text
    assert "Remarks" in text
    assert "All entries" not in text
    assert "All rights" not in text


def test_a_heading_returns_as_far_as_what_it_heads():
    judged = [(page, Learned()(page)) for page in map(manual_page, range(12))]
    pages = [summarise(page, verdict.score, {})[0] for page, verdict in judged]
    evidence = BlockEvidence.of(pages[0], slot_table(pages), returning_texts(pages), own=True)
    menu, *sections = evidence.return_share(shipped_weights())[evidence.heading].tolist()
    assert menu == 1
    assert max(sections) < 0.5
    plain = replace(evidence, heading=np.zeros_like(evidence.heading))
    assert plain.return_share(shipped_weights())[evidence.heading].min() == 1


@pytest.mark.parametrize("row", ["<tr><th>{}<td>{}", "<dt>{}<dd>{}"])
def test_the_label_of_a_row_returns_as_far_as_its_value(row):
    tag = "table" if "<tr>" in row else "dl"
    values = [[f"{word} {number}" for word in WORDS[number : number + 3]] for number in range(5)]
    sources = [
        f"<{tag}>{''.join(map(row.format, ('Colour', 'Wood', 'Kind'), some))}"
        f"{row.format('Sold by', 'the mill')}</{tag}>"
        for some in values
    ]
    parsed = [parse(source) for source in sources]
    pages = [block_summary(one, np.full(len(one), 0.6, dtype=np.float32)) for one in parsed]
    evidence = BlockEvidence.of(pages[0], slot_table(pages), returning_texts(pages), own=True)
    labels = evidence.return_share(shipped_weights())[::2]
    assert labels[:3].max() < 1
    assert labels[3] == 1
