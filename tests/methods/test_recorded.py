"""What each method keeps, and why, is what was recorded: on the example site and on odd pages."""

import hashlib

import pytest
from test_promises import PAGES, made

from chaffinch import parse
from chaffinch.methods import METHODS, build
from chaffinch.segment.vips import Vips

RECORDED = {
    "learned": "117a14c69be2bdd3",
    "information_blocks": "e5b95e9f82f9864b",
    "block_density": "bff91d2c316cbd1f",
    "line_blocks": "27562403e6e9efcf",
    "anchor_blocks": "34d871b728b9b818",
    "layout_similarity": "ceeb30b301bf0edd",
    "sibling_subtrees": "a91d2161abb1316e",
    "cluster_rules": "0643e7dbd8a028be",
    "vips": "b3b0f786d52cb4d7",
}
"""Method → the digest of its verdicts; they were recorded when the plain readings of the papers,
slow and recursive, gave the same. Where a change is meant, the new one is in the failure."""


@pytest.fixture(scope="module")
def pages(example_site):
    rows = example_site[::5]
    found = [parse(row["html"].encode("latin-1"), url=row["url"]) for row in rows]
    return [*found, *map(parse, PAGES.values())]


def digest(columns):
    found = hashlib.sha256()
    for column in columns:
        found.update(column.tobytes())
    return found.hexdigest()[:16]


def verdicts(name, pages):
    """Yield what is kept and why; methods that compare pages have four others as siblings."""
    for at, page in enumerate(pages):
        beside = (*pages[max(at - 2, 0) : at], *pages[at + 1 : at + 3])
        method = build(name, siblings=beside) if METHODS[name].needs_siblings else made(name)
        found = method(page)
        yield found.keep
        yield found.why


@pytest.mark.parametrize("name", METHODS)
def test_verdicts_are_as_they_were_recorded(name, pages):
    assert digest(verdicts(name, pages)) == RECORDED[name]


def test_segments_of_vips_are_as_they_were_recorded(pages):
    assert digest(Vips(pdoc=8)(page).block for page in pages) == RECORDED["vips"]
