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
