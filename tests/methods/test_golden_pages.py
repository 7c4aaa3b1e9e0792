"""The example site's pages: what each method finds there must not get worse."""

import numpy as np
import pytest

from chaffinch import parse
from chaffinch.evaluate.scoring import tokenize, word_score
from chaffinch.methods import build
from chaffinch.output import text
from chaffinch.verdict import Content

# Mean word F1 by template, rounded down to 0.01; templates a method isn't made for are left out:
# line_blocks can't see short lines, and comments within the region are prose to information_blocks.
FLOORS = {
    "information_blocks": {"article": 0.72, "archive": 0.76, "table": 0.70, "docs": 0.61},
    "block_density": {
        "article": 0.93,
        "archive": 0.94,
        "table": 0.97,
        "docs": 0.91,
        "product": 0.84,
    },
    "anchor_blocks": {
        "article": 0.87,
        "thread": 0.62,
        "product": 0.75,
        "docs": 0.87,
        "table": 0.86,
        "archive": 0.91,
    },
    "line_blocks": {"article": 0.84, "archive": 0.95},
}


def mean_f1(pages, method):
    scores = []
    for row in pages:
        page = parse(row["html"].encode("latin-1"))
        found = tokenize(text.render(Content(page, method(page))))
        scores.append(word_score(found, tokenize(row["gold_text"])).f1)
    return np.mean(scores)


@pytest.mark.parametrize(
    ("name", "template"), [(name, template) for name in FLOORS for template in FLOORS[name]]
)
def test_word_f1_stays_above_its_floor(example_site, name, template):
    pages = [row for row in example_site if row["template"] == template and row["gold_text"]]
    assert mean_f1(pages, build(name)) >= FLOORS[name][template]
