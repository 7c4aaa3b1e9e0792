"""Verdicts on the example site, bit for bit: the same on every platform and after every change.

A change that is meant: run ``python tests/methods/test_golden_verdicts.py`` and say in the commit
what changed. The learned model multiplies floats by whatever BLAS numpy has, so that its scores may
differ in their last bits; of it only what it keeps is compared.
"""

import hashlib
import json
import sys
from pathlib import Path

import pytest

import chaffinch
from chaffinch.methods import METHODS

GOLDEN = Path(__file__).parent / "golden_verdicts.json"
SIBLINGS = 3


def digests(rows):
    """Return method → digest of its verdicts on one page of each template and language."""
    first = {(row["template"], row["lang"]): row for row in reversed(rows)}
    pages = [chaffinch.parse(row["html"].encode("latin-1"), url=row["url"]) for row in rows]
    of_url = {page.url: page for page in pages}
    out = {}
    for name, kind in METHODS.items():
        digest = hashlib.blake2b(digest_size=12)
        for template, language in sorted(first):
            page = of_url[first[template, language]["url"]]
            siblings = [p for p in pages if p.url and p.url.split("/")[2] == page.url.split("/")[2]]
            siblings = [p for p in siblings if p is not page][:SIBLINGS]
            needs = kind.needs_siblings
            got = chaffinch.extract(page, method=name, siblings=siblings if needs else ())
            digest.update(got.keep.tobytes())
            if name != "learned":
                digest.update(got.why.tobytes())
                digest.update(got.score.astype("<f4").tobytes())
        out[name] = digest.hexdigest()
    return out


@pytest.fixture(scope="module")
def found(example_site):
    return digests(example_site)


@pytest.mark.parametrize("name", METHODS)
def test_verdicts_are_the_golden_ones(name, found):
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    assert found[name] == golden[name], f"run: python {Path(__file__).name} (see its first lines)"


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
    from site_maker import pages as example_pages

    text = json.dumps(digests(example_pages()), indent=1)
    GOLDEN.write_text(text + "\n", encoding="utf-8")
