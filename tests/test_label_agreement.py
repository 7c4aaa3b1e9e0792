"""How far labels of a site agree: one where they do, less where they contradict each other."""

import sys
from pathlib import Path

import numpy as np
import pytest

WHY = "NO TRAINING PACKAGES: uv sync --group training"
pytest.importorskip("rapidfuzz", reason=WHY)
pytest.importorskip("tldextract", reason=WHY)
sys.path.insert(0, str(Path(__file__).parent.parent / "bench"))
import label_agreement  # noqa: E402  found only after the line above
import told_labels  # noqa: E402  the same
from chaffinch.evaluate.corpora import LabelledPage  # noqa: E402
from chaffinch.model.weights import shipped  # noqa: E402

BIRDS = "chaffinch bullfinch goldfinch siskin brambling linnet".split()
NOTICE = "Nest boxes leave our workshop on the last day of each month."


UPPER = "The {0} nests early, and whoever hears a {0} sing in March hears no other bird."
LOWER = (
    "Some way below stand seeds for each {0}: sunflower, thistle, hemp, sold by weight here only."
)


def sample(bird, *, gold):
    """Return a page with two parts that look alike and one notice; the gold is what is named."""
    parts = {"upper": UPPER.format(bird), "lower": LOWER.format(bird), "notice": NOTICE}
    body = "".join(f"<div class={part}><p>{said}</p></div>" for part, said in parts.items())
    html = f"<html><body><div class=shop>{body}</div></body></html>"
    labelled = "\n".join(parts[part] for part in gold)
    return told_labels.sample(
        LabelledPage(corpus="made", id=bird, html=html.encode(), gold_text=labelled), shipped()
    )


def site(golds):
    return [sample(bird, gold=gold) for bird, gold in zip(BIRDS, golds, strict=True)]


AGREED = site([("upper", "notice")] * 6)
CONTRARY = site([("upper", "notice"), ("lower",)] * 3)


@pytest.mark.parametrize("trust", [0.1, told_labels.TRUST])
def test_labels_that_agree_are_told_to_the_last_word(trust):
    found = told_labels.measured(AGREED, trust=trust)
    assert found[:, 1].tolist() == [1] * 6
    assert found[:, 3:].tolist() == [[1, 1]] * 6


def test_labels_that_contradict_each_other_tell_little():
    told = told_labels.measured(CONTRARY)
    assert (told[1::2, 1] < 0.7).all()
    assert told[:, 1].mean() < 0.85
    assert (told[:, 4] == 1).all()


def test_no_page_is_told_its_own_label():
    odd = sample(BIRDS[0], gold=("lower",))
    same = told_labels.told(AGREED[0], AGREED[1:])
    np.testing.assert_array_equal(told_labels.told(odd, AGREED[1:]), same)
    assert same[0] > 0.5 > same[1]


def test_without_other_pages_the_default_speaks_for_itself():
    one = AGREED[0]
    np.testing.assert_array_equal(told_labels.told(one, []), one.score)


def test_the_best_threshold_is_never_worse_than_any():
    for one in (*AGREED, *CONTRARY):
        tried = [one.f1(one.score >= threshold) for threshold in one.score]
        assert one.best(one.score) == max(tried)


def test_contradicted_passages_are_counted():
    own, notice = len(UPPER.split()), len(NOTICE.split())
    assert len(LOWER.split()) == own
    assert told_labels.contradicted(AGREED) == (6 * (own + notice), 6 * notice, 0)
    content, shared, noise = told_labels.contradicted(CONTRARY)
    assert (content, shared) == (6 * own + 3 * notice, 3 * notice)
    assert noise == pytest.approx(3 * notice * 3 / 5)


def test_tables():
    found = {("shop", "a.example"): AGREED, ("forum", "b.example"): CONTRARY}
    rows = label_agreement.agreement(found)
    assert [row[0] for row in rows] == ["forum", "shop", "all"]
    assert rows[1][4] == "1.000"
    assert rows[2][1:3] == ["2", "12"]
    assert len(label_agreement.HEAD) == len(rows[0])
    assert label_agreement.contradictions(found) == [
        ["shop", "168", "72", "0.00"],
        ["forum", "132", "36", "0.60"],
    ]
