"""Whole runs over the small corpus: callables, a real peer, the command line, the files."""

from __future__ import annotations

import json
from dataclasses import asdict
from importlib.util import find_spec

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chaffinch.errors import MissingExtraError, OptionError
from chaffinch.evaluate import (
    PEERS,
    EvaluateOptions,
    EvaluationReport,
    dump,
    peer_names,
    plot,
    render,
    run,
)
from chaffinch.evaluate.peers import Peer
from chaffinch.evaluate.report_json import read_summaries, to_json
from chaffinch.evaluate.summaries import Figure, Summary

needs_matplotlib = pytest.mark.skipif(
    find_spec("matplotlib") is None, reason="NO MATPLOTLIB: pip install 'chaffinch[evaluate]'"
)


pytestmark = pytest.mark.usefixtures("corpora")


def everything(html, url):
    return html.decode("utf-8", "replace") if url else ""


def fails_on_forums(html, _url):
    if b"Page 2" in html or b"Page 4" in html:
        raise LookupError("no\nsuch thing")
    return ""


def evaluation(**options):
    extractors = {"everything": everything, "fails": fails_on_forums}
    given = {"corpora": ("tiny",), "extractors": extractors, "draws": 50, "worst": 2}
    return run(EvaluateOptions(**(given | options)))


def by_system(report, kind="all", group=""):
    return {s.system: s for s in report.summaries if (s.kind, s.group) == (kind, group)}


def test_every_system_sees_every_page():
    seen = []
    found = run(
        EvaluateOptions(corpora=("tiny",), extractors={"everything": everything}, draws=0),
        progress=lambda page: seen.append(page.id),
    )
    assert seen == ["page-1", "page-2", "page-3", "page-4"]
    assert [one.id for one in found.results] == seen
    assert all(one.seconds > 0 for one in found.results)


def test_failures_are_counted_named_and_scored_as_nothing():
    found = evaluation()
    summary = by_system(found)["fails"]
    assert summary.errors == {"LookupError": 2}
    assert (summary.empty, summary.figures["word_f1"].value) == (4, 0)
    (error,) = {one.error for one in found.results if one.error}
    assert error == "LookupError: no such thing"
    assert "LookupError 2" in render(EvaluationReport.of(found))


def test_an_extractor_that_fails_in_warming_up_fails_the_page_not_the_run():
    def always(_html, _url):
        raise ZeroDivisionError

    found = evaluation(extractors={"always": always})
    assert by_system(found)["always"].errors == {"ZeroDivisionError": 4}


def test_a_wrong_option_stops_the_run():
    def unknown(_html, _url):
        raise OptionError("unknown method")

    with pytest.raises(OptionError, match="unknown method"):
        evaluation(extractors={"unknown": unknown})


def test_the_worst_pages_come_first():
    found = evaluation()
    ours = [one for one in found.worst if one.result.system == "everything"]
    scores = [one.result.scores.main for one in ours]
    assert len(scores) == 2
    assert scores == sorted(scores)
    every = [one.scores.main for one in found.results if one.system == "everything"]
    assert scores == sorted(every)[:2]


def test_dumped_pages_are_escaped_and_indexed(tmp_path):
    folder = tmp_path / "dump"
    assert dump(evaluation().worst, folder) == 4
    index = (folder / "index.html").read_text(encoding="utf-8")
    files = sorted(folder.glob("tiny-*.html"))
    assert len(files) == 4
    assert all(file.name in index for file in files)
    page = next(file for file in files if "everything" in file.name).read_text(encoding="utf-8")
    assert "&lt;nav&gt;" in page
    assert "<nav>" not in page
    assert "unmatched" in page


@pytest.mark.parametrize("style", ["text", "markdown"])
def test_tables_show_figures_groups_and_circumstances(style):
    found = evaluation(command="the command")
    text = render(EvaluationReport.of(found), style=style, worst=1)
    for part in ("everything", "word F1", "forum (2)", "zh (2)", "the command", "page-", "4 pages"):
        assert part in text
    assert "page-" not in render(EvaluationReport.of(found), style=style)
    if style == "markdown":
        table = [line for line in text.splitlines() if line.startswith("|")]
        assert all(line.endswith("|") for line in table)


def test_json_comes_back_and_names_no_page():
    report = EvaluationReport.of(evaluation())
    text = report.to_json()
    back = EvaluationReport.from_json(text)
    assert "page-" not in text
    assert "invalid" not in text
    assert render(back) == render(report)
    assert json.loads(text)["systems"][0]["name"] == "everything"
    assert len(text.splitlines()) == len(report.systems) + len(report.summaries) + 6


def test_reports_of_the_first_version_are_read():
    report = EvaluationReport.from_json(EvaluationReport.of(evaluation()).to_json())
    data = {
        "about": asdict(report.about),
        "systems": [asdict(one) for one in report.systems],
        "summaries": [asdict(one) for one in report.summaries],
    }
    assert EvaluationReport.from_json(json.dumps(data)) == report


SHARES = st.integers(0, 10**5).map(lambda number: number / 10**5)
FIGURES = st.builds(Figure, SHARES) | st.builds(Figure, SHARES, SHARES, SHARES)
SUMMARIES = st.builds(
    Summary,
    system=st.text(),
    corpus=st.text(),
    kind=st.sampled_from(["all", "page_type", "lang"]),
    group=st.text(),
    pages=st.integers(1),
    domains=st.integers(1),
    empty=st.integers(0),
    ms_mean=SHARES,
    ms_median=SHARES,
    pages_per_second=SHARES,
    errors=st.dictionaries(st.text(), st.integers(1)),
    figures=st.dictionaries(st.sampled_from(["word_f1", "rouge_l", "share"]), FIGURES),
)


@given(st.lists(SUMMARIES))
def test_summaries_come_back(rows):
    assert read_summaries(json.loads(to_json({}, [], rows))) == tuple(rows)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"about": {}, "systems": [], "summaries": []}',
        '{"about": {}, "systems": [], "columns": ["system"], "summaries": [["a", 1]]}',
        '{"about": {}, "systems": [], "columns": 1, "summaries": [[]]}',
    ],
)
def test_other_json_is_an_option_error(text):
    with pytest.raises(OptionError, match="not an evaluation report"):
        EvaluationReport.from_json(text)


@needs_matplotlib
@pytest.mark.parametrize(("ending", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_pictures(tmp_path, ending, start):
    path = tmp_path / f"picture.{ending}"
    plot(EvaluationReport.of(evaluation()), path)
    assert path.read_bytes().startswith(start)


@needs_matplotlib
def test_an_unknown_kind_of_picture(tmp_path):
    with pytest.raises(OptionError, match="svg"):
        plot(EvaluationReport.of(evaluation()), tmp_path / "picture.doc")


@pytest.mark.parametrize("options", [{"extractors": {}}, {"corpora": ()}])
def test_nothing_to_run_is_an_option_error(options):
    with pytest.raises(OptionError, match="at least one"):
        evaluation(**options)


def test_an_unknown_style_is_an_option_error():
    with pytest.raises(OptionError, match="markdown"):
        render(EvaluationReport.of(evaluation()), style="tei")


def test_peers_are_named():
    assert peer_names("") == []
    assert peer_names(" gne, trafilatura_fast,gne") == ["gne", "trafilatura_fast"]
    names = peer_names("all,trafilatura_fast")
    assert set(names) == {n for n, p in PEERS.items() if not p.variant} | {"trafilatura_fast"}
    with pytest.raises(OptionError, match="readability-lxml"):
        peer_names("nobody")


def test_a_missing_peer_names_the_pip_command():
    peer = Peer(name="x", distribution="no-such-peer-anywhere", setting="", make=lambda: everything)
    with pytest.raises(MissingExtraError, match=r"pip install 'chaffinch\[peers\]'"):
        peer.load()


@pytest.mark.parametrize("name", PEERS)
def test_every_peer_finds_the_english_articles(name):
    try:
        found = run(EvaluateOptions(corpora=("tiny",), peers=(name,), draws=0))
    except MissingExtraError as missing:
        pytest.skip(f"NO {name.upper()} HERE: {missing}")
    assert [one.error for one in found.results] == [""] * 4
    english = by_system(found, "lang", "en")[name].figures
    assert english["word_recall"].value > 0.3
    assert english["snippet_f1"].value == 1


@pytest.mark.parametrize("name", ["auto", "information_blocks"])
def test_methods_of_our_own_take_part(name):
    found = run(EvaluateOptions(corpora=("tiny",), methods=(name,), draws=0))
    assert [one.error for one in found.results] == [""] * 4
    figures = by_system(found)[f"chaffinch:{name}"].figures
    assert figures["word_f1"].value > 0.8
    assert figures["snippet_recall"].value == 1


def test_an_unknown_method_stops_the_run():
    with pytest.raises(OptionError, match="no_such_method"):
        run(EvaluateOptions(corpora=("tiny",), methods=("no_such_method",)))
