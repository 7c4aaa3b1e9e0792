"""What opens by a click and what is said again: content where it is the content."""

import re
import tomllib
from pathlib import Path

import pytest

import chaffinch

PAGES = tomllib.loads(Path(__file__).with_name("folded_pages.toml").read_text("utf-8"))

MARK = re.compile(r"(?:grain|chaff)\d+x")
OUTPUTS = {
    "text": lambda found: found.text,
    "markdown": lambda found: found.markdown(),
    "html": lambda found: found.html(),
    "tei": lambda found: found.tei(),
    "json": lambda found: found.to_dict()["text"],
    "chunks": lambda found: "\n".join(chunk.text for chunk in found.chunks()),
}


@pytest.mark.parametrize("name", PAGES)
def test_content_is_kept_and_noise_dropped_in_every_output(name):
    found, marks = chaffinch.extract(PAGES[name]), MARK.findall(PAGES[name])
    grain = [mark for mark in marks if mark.startswith("grain")]
    for output, render in OUTPUTS.items():
        assert MARK.findall(render(found)) == grain, output
    assert set(marks) - set(grain) <= set(MARK.findall(found.noise))
