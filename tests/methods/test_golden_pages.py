"""The example site's pages: what each method finds there must not get worse."""

import numpy as np
import pytest

from chaffinch import parse
from chaffinch.evaluate.scoring import tokenize, word_score
from chaffinch.methods import build
from chaffinch.output import text
from chaffinch.verdict import Content

FLOORS = {
    "information_blocks": {"article": 0.72, "archive": 0.76, "table": 0.70, "docs": 0.61},
    "block_density": {"article": 0.93, "archive": 0.94, "table": 0.97, "product": 0.84},
    "anchor_blocks": {"article": 0.87, "thread": 0.62, "product": 0.75, "docs": 0.87},
    "line_blocks": {"article": 0.84, "archive": 0.95},
}
"""Mean word F1 by template, rounded down to 0.01; templates a method isn't made for are left out."""


@pytest.mark.parametrize("name", FLOORS)
def test_word_f1_stays_above_its_floor(example_site, name):
    method = build(name)
    for template, floor in FLOORS[name].items():
        scores = []
        for row in example_site:
            if row["template"] == template and row["gold_text"]:
                page = parse(row["html"].encode("latin-1"))
                found = tokenize(text.render(Content(page, method(page))))
                scores.append(word_score(found, tokenize(row["gold_text"])).f1)
        assert np.mean(scores) >= floor, template
