"""Every setting of every method changes what is kept, or how it is scored, on some real page."""

import dataclasses
import os
from pathlib import Path

import pytest

from chaffinch import parse
from chaffinch.evaluate.corpora import CORPORA_VARIABLE, read_corpus
from chaffinch.methods import METHODS

ROOT = Path(os.environ.get(CORPORA_VARIABLE) or Path(__file__).parents[2].parent / "shared")
SITES = ("sites/arstechnica.com", "sites/entertainment.msn.com")
SEEN = 6  # pages of a site; as many are their siblings
DRAWS = {"wcxb": 30, "zh_news": 30, "magic_html_forum": 2, "cleaneval": 30}
# Settings that need another one to be seen, and values that aren't numbers.
GIVEN = {
    "favor": [{"favor": "recall"}],
    "policy": [{"policy": {"headline": True}}],
    "blocks": [{"blocks": ("div",)}],
    "weights": [{"weights": (1.0, 0.0, 0.0)}],
    "runs": [{"runs": "best"}, {"runs": "longest"}],
    "containers": [{"containers": ("table",)}],
    "relation": [{"relation": 0.1}],
    "link_beta": [{"link_beta": 0.0}, {"link_beta": 1.0}],
    "choose_by": [{"choose_by": "density"}],
    "line_threshold": [{"line_blocks": True, "line_threshold": 900}],
    "more_text": [{"more_text": 0, "max_link_ratio": 0.0}],
    "much_text": [{"much_text": 0, "max_link_ratio": 0.0}],
    "many_anchors": [{"many_anchors": 10**6, "more_text": 10**6, "max_link_ratio": 0.0}],
}
MEANT = {
    ("learned", "weights"): "a file of other weights",
    ("cluster_rules", "rules"): "what was learned, in place of pages",
}
SETTINGS = [
    (name, field.name)
    for name, method in METHODS.items()
    for field in dataclasses.fields(method)
    if field.name != "siblings" and (name, field.name) not in MEANT
]


@pytest.fixture(scope="module")
def pages():
    if not (ROOT / "corpora").is_dir():
        pytest.skip(f"NO CORPORA: set {CORPORA_VARIABLE}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(CORPORA_VARIABLE, str(ROOT))
        drawn = [one for name, count in DRAWS.items() for one in read_corpus(name, limit=count)]
        of_sites = [list(read_corpus(site, limit=2 * SEEN)) for site in SITES]
    return [[parse(one.html, url=one.url) for one in some] for some in (drawn, *of_sites)]


def others(value):
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [0, 1, 2, value // 2, value * 8]
    return [0.0, value / 3, 0.5, 1.0, value * 10] if isinstance(value, float) else []


def said(method, page):
    found = method(page)
    facts = repr((found.page_type, found.notes))
    return (found.keep.tobytes(), found.score.tobytes(), found.why.tobytes(), facts)


@pytest.fixture(scope="module")
def known():
    return {}


@pytest.mark.parametrize(("name", "setting"), SETTINGS)
def test_a_setting_acts(name, setting, pages, known):
    compares = METHODS[name].needs_siblings
    usual = {field.name: field.default for field in dataclasses.fields(METHODS[name])}
    values = GIVEN.get(setting, [{setting: one} for one in others(usual[setting])])
    is_possible = False
    for number, some in enumerate(pages[1:] if compares else pages[:1]):
        beside = {"siblings": tuple(some[SEEN:])} if compares else {}
        shown = some[:SEEN] if compares else some
        for given in values:
            held = {key: value for key, value in given.items() if key != setting}
            try:
                base, changed = METHODS[name](**beside, **held), METHODS[name](**beside, **given)
            except ValueError:
                continue
            is_possible = True
            key = (name, number, repr(held))
            if key not in known:
                known[key] = [said(base, page) for page in shown]
            if any(said(changed, page) != one for page, one in zip(shown, known[key], strict=True)):
                return
    pytest.fail("changes nothing" if is_possible else "no other value is possible")
