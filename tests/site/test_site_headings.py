"""The headings that stand on every page of a manual are content, those of its menus aren't."""

import random

import pytest

from chaffinch import Site, parse

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
