"""What models make of the example site, in both modes: the same after every change.

A change that is meant: run ``python tests/site/test_site_golden.py`` and say in the commit what
changed. Scores are compared by their sums: the network's last bits are those of numpy's BLAS.
"""

import hashlib
import json
import sys
from pathlib import Path

import pytest

from chaffinch import Site, parse

GOLDEN = Path(__file__).parent / "golden_models.json"
MODES = ("full", "rules")


def found(rows):
    """Return what is compared: of the model of each language its rules, of pages their content."""
    out = {}
    for language in ("en", "zh"):
        of_language = [row for row in rows if row["lang"] == language]
        pages = [parse(row["html"].encode("latin-1"), url=row["url"]) for row in of_language]
        site = Site.learn(pages[::2], date="2026-11-01")
        out[f"{language} rules"] = hashlib.sha256(site.to_text().encode()).hexdigest()[:16]
        for mode in MODES:
            own = site.with_mode(mode)
            for page in pages:
                verdict = own(page)
                kept = hashlib.sha256(verdict.keep.tobytes() + verdict.why.tobytes()).hexdigest()
                total = round(float(verdict.score.sum(dtype=float)), 2)
                out[f"{mode} {page.url}"] = [kept[:16], total, verdict.notes.template]
            out[f"{language} {mode} use"] = [
                [name, counts["pages"], round(counts["likeness"], 2), counts["fallbacks"]]
                for name, counts in own.usage.to_dict().items()
            ]
        ways = [[one.effect, one.rule] for page in pages[1:6] for one in site.explain(page)]
        out[f"{language} ways"] = hashlib.sha256(json.dumps(ways).encode()).hexdigest()[:16]
    return out


def test_models_are_the_golden_ones(example_site):
    golden, here = json.loads(GOLDEN.read_text(encoding="utf-8")), found(example_site)
    assert here.keys() == golden.keys()
    for name, value in here.items():
        if name.startswith(MODES):
            assert value[::2] == golden[name][::2], name
            assert value[1] == pytest.approx(golden[name][1], abs=0.05), name
        else:
            assert value == golden[name], name


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
    from site_maker import pages as example_pages

    text = json.dumps(found(example_pages()), ensure_ascii=False)
    GOLDEN.write_text(text + "\n", encoding="utf-8")
