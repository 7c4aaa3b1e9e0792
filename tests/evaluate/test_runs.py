"""Whole runs over the small corpus: callables, methods, baselines, the files."""

import pytest

from chaffinch.errors import MissingExtraError, OptionError
from chaffinch.evaluate import BASELINES, render, run
from chaffinch.evaluate.baselines import load_baseline
from elsewhere import ELSEWHERE

pytestmark = pytest.mark.usefixtures("corpora")


def everything(html, url):
    return html.decode("utf-8", "replace") if url else ""


def fails_on_forums(html, _url):
    if b"Page 2" in html or b"Page 4" in html:
        raise LookupError("no\nsuch thing")
    return ""


def evaluation(corpora=("tiny",), **options):
    extractors = {"everything": everything, "fails": fails_on_forums}
    return run(corpora, **({"extractors": extractors, "draws": 50} | options))


def by_system(report, kind="all", group=""):
    return {s.system: s for s in report.summaries if (s.kind, s.group) == (kind, group)}


def test_failures_are_counted_named_and_scored_as_nothing():
    found = evaluation()
    summary = by_system(found)["fails"]
    assert summary.errors == {"LookupError": 2}
    assert (summary.empty, summary.figures["word_f1"].value) == (4, 0)
    assert {one.error for one in found.results} == {"", "LookupError: no such thing"}
    assert "LookupError 2" in render(found)


def test_tables_show_figures_groups_and_circumstances():
    text = render(evaluation(command="the command"))
    for part in ("everything", "word F1", "forum (2)", "zh (2)", "the command", "4 pages"):
        assert part in text
    assert "page-" not in text
    assert all(line.endswith("|") for line in text.splitlines() if line.startswith("|"))


def test_what_is_named_twice_is_measured_once():
    (found,) = evaluation(("tiny", "tiny"), extractors={}, methods=("auto", "auto")).of_corpus(
        "tiny"
    )
    assert found.pages == 4


def test_a_corpus_without_pages_is_refused(tmp_path):
    (tmp_path / "none.jsonl").write_bytes(b"")
    with pytest.raises(OptionError, match=r"no page in .*none\.jsonl"):
        evaluation((str(tmp_path / "none.jsonl"),))


def unknown(_html, _url):
    raise OptionError("unknown setting")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"extractors": {}}, "at least one"),
        ({"corpora": ()}, "at least one"),
        ({"extractors": {"unknown": unknown}}, "unknown setting"),
        ({"methods": ("trafilatur",)}, "did you mean trafilatura"),
        ({"methods": ("readability",)}, "did you mean readability-lxml"),
        ({"methods": ("lerned",)}, "did you mean learned"),
        ({"methods": ("line_blocks",), "favor": "recall"}, "none of the methods has favor"),
    ],
)
def test_a_wrong_option_stops_the_run(options, said):
    with pytest.raises(OptionError, match=said):
        evaluation(**options)


def test_a_missing_baseline_names_the_pip_command(monkeypatch):
    monkeypatch.setitem(BASELINES, "no-such-thing", lambda: everything)
    with pytest.raises(MissingExtraError, match=r"pip install 'chaffinch\[baselines\]'"):
        load_baseline("no-such-thing")


def test_every_baseline_that_is_there_finds_the_english_articles():
    absent = []
    for name in BASELINES:
        try:
            found = run(("tiny",), methods=(name,), draws=0)
        except MissingExtraError:
            absent.append(name)
            continue
        assert [one.error for one in found.results] == [""] * 4, name
        english = by_system(found, "lang", "en")[name].figures
        assert english["word_recall"].value > 0.3, name
        assert english["snippet_f1"].value == 1, name
    if absent:
        pytest.skip(f"{ELSEWHERE} (make bench): not {', '.join(absent)}")
