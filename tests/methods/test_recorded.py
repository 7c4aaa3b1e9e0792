"""What each method keeps, and why, is what was recorded: on the example site and on odd pages."""

import hashlib
from random import Random

import pytest
from test_promises import PAGES

from chaffinch import parse
from chaffinch.methods import METHODS, build
from chaffinch.segment.vips import Vips
from rows_of_cases import examples

RECORDED = {
    "learned": "1c3e829dd18c443c",
    "information_blocks": "8586a48a66e82289",
    "block_density": "64e921be3effa5bc",
    "line_blocks": "8e1612a05c2a61ab",
    "anchor_blocks": "f4dcbb3b1b551a8a",
    "layout_similarity": "cba3d21912e1e086",
    "sibling_subtrees": "06917f9d31126f2b",
    "cluster_rules": "4784fb35ab2c2a0e",
    "vips": "a8fa45588eec6171",
}
"""Method → the digest of its verdicts; they were recorded when the plain readings of the papers,
slow and recursive, gave the same. Where a change is meant, the new one is in the failure."""


SETTINGS = {
    "block_density": [{"weights": (1.0, 1.0, 2.0)}],
    "line_blocks": [{"runs": "longest"}, {"runs": "peak", "threshold": 20}],
    "anchor_blocks": [{"relation": 0.3, "min_related": 0.5}],
    "layout_similarity": [{"line_blocks": True, "line_threshold": 20}, {"void_elements": True}],
    "sibling_subtrees": [{"pdoc": 1}, {"link_beta": 0.0, "min_siblings": 2}],
    "cluster_rules": [{"choose_by": "density"}],
}
"""Method → settings besides the usual ones."""
PLACES = "div div table section p ul li h1 a b form th td tr".split()
PIECES = examples(__file__, "recorded pieces")


def nested(random):
    """Return the source of a page of any elements, well nested or not."""
    out, opened = [], []
    for _ in range(random.randint(1, 40)):
        turn = random.random()
        if turn < 0.4:
            opened.append(random.choice(PLACES))
            out.append(f"<{opened[-1]}>")
        elif turn < 0.6 and opened:
            out.append(f"</{opened.pop()}>")
        else:
            out.append(random.choice(PIECES))
    return "".join(out)


@pytest.fixture(scope="module")
def pages(example_site):
    random = Random(7)  # noqa: S311  seeded, for pages and not for secrets
    rows = example_site[::5]
    found = [parse(row["html"].encode("latin-1"), url=row["url"]) for row in rows]
    return [*found, *map(parse, PAGES.values()), *(parse(nested(random)) for _ in range(400))]


def digest(columns):
    found = hashlib.sha256()
    for column in columns:
        found.update(column.tobytes())
    return found.hexdigest()[:16]


def verdicts(name, pages):
    """Yield what is kept and why; methods that compare pages have four others as siblings."""
    for settings in ({}, *SETTINGS.get(name, ())):
        for at, page in enumerate(pages):
            beside = (*pages[max(at - 2, 0) : at], *pages[at + 1 : at + 3])
            given = settings | ({"siblings": beside} if METHODS[name].needs_siblings else {})
            found = build(name, **given)(page)
            yield found.keep
            yield found.why


@pytest.mark.parametrize("name", METHODS)
def test_verdicts_are_as_they_were_recorded(name, pages):
    assert digest(verdicts(name, pages)) == RECORDED[name]


def test_segments_of_vips_are_as_they_were_recorded(pages):
    assert digest(Vips(pdoc=8)(page).block for page in pages) == RECORDED["vips"]
