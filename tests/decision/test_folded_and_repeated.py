"""What opens by a click and what is said again: content where it is the content."""

import re

import pytest

import chaffinch
from folded_pages import MAKERS, made

MARK = re.compile(r"(?:grain|chaff)\d+x")
OUTPUTS = {
    "text": lambda found: found.text,
    "markdown": lambda found: found.markdown(),
    "html": lambda found: found.html(),
    "tei": lambda found: found.tei(),
    "json": lambda found: found.to_dict()["text"],
    "chunks": lambda found: "\n".join(chunk.text for chunk in found.chunks()),
}


@pytest.mark.parametrize("name", MAKERS)
def test_content_is_kept_and_noise_dropped_in_every_output(name):
    html, texts = made(name)
    found = chaffinch.extract(html)
    grain = [mark for mark in MARK.findall(html) if mark in texts.kept]
    for output, render in OUTPUTS.items():
        assert MARK.findall(render(found)) == grain, output
    assert set(texts.dropped) <= set(MARK.findall(found.noise))


PROSE = "<p>The chaffinch is a small bird, common in gardens and woods; it sings in spring.</p>" * 3
NAMES = ("one", "two", "three", "four")
REFRAIN = ["Sing, finch, sing in the morning light", "Sing, finch, sing in the evening light"]


def stanza(name):
    return [f"The song of number {name} begins so", "and goes on in the lime tree", *REFRAIN]


VERSES = {
    "div.line": "".join(
        "<div class=stanza>"
        + "".join(f"<div class=line>{line}</div>" for line in stanza(name))
        + "</div>"
        for name in NAMES
    ),
    "stanzas": "".join(
        f"<div class=stanza><div>The song of number {name}</div></div><div class=stanza>"
        + "".join(f"<div>{line}</div>" for line in [*REFRAIN, "and again until the evening comes"])
        + "</div>"
        for name in NAMES
    ),
    "br": "<div>" + "<br><br>".join("<br>".join(stanza(name)) for name in NAMES) + "</div>",
    "p with br": "".join(f"<p>{'<br>'.join(stanza(name))}</p>" for name in NAMES),
}


@pytest.mark.parametrize("verse", VERSES)
def test_a_refrain_is_sung_each_time(verse):
    page = f"<body><article><h1>Songs</h1>{VERSES[verse]}{PROSE}</article>"
    found = chaffinch.extract(page, url="https://x.example/a")
    for line in REFRAIN:
        assert found.text.count(line) == len(NAMES)
        assert found.markdown().count(line) == len(NAMES)
