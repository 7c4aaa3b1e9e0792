"""Runs systems over labelled pages, side by side; their figures, as tables and as JSON.

Every page goes through every system before the next page comes, and the order of the systems turns
by one from page to page: a busy minute of the machine hits all alike, none always finds the caches
warm. Every figure, of a group and of each of its bootstrap samples, follows from column sums of one
matrix with a row a page. The JSON holds no page's text, URL or id: it can be published.
"""

import gc
import json
import platform
import re
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from inspect import getdoc
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from chaffinch.decision.policy import Policy
from chaffinch.errors import OptionError, PageError, SetupError, require_one_of
from chaffinch.evaluate.baselines import BASELINES, Extractor, load_baseline
from chaffinch.evaluate.corpora import LabelledPage, corpus_path, read_corpus
from chaffinch.evaluate.scoring import score_page, tokenize, visual_blocks
from chaffinch.extraction.extract import extract
from chaffinch.extraction.plan import prepare_method, taken_by
from chaffinch.methods import DEFAULT, METHODS
from chaffinch.page import Page, parse
from chaffinch.page.urls import host_name
from chaffinch.siblings import is_same
from chaffinch.version import __version__
from chaffinch.wording import counted

Figures = NDArray[np.float64]
_SIBLINGS = 8  # of a page, at most
_PARSED = 64  # pages held as tables: those that follow one another share most siblings
_COLUMNS = {
    "word_f1": "word F1", "word_precision": "P", "word_recall": "R", "shingle_f1": "4-gram F1",
    "rouge_l": "ROUGE-L", "share": "share", "good": "good", "block_recall": "noise blocks R",
    "block_precision": "noise blocks P", "snippet_f1": "snippet F1",
    "snippet_precision": "snippet P", "snippet_recall": "snippet R",
}  # fmt: skip
_RATIOS = (*_COLUMNS, "shingle_precision", "shingle_recall")
_GROUPS = {"page_type": "page type", "lang": "language"}
_CPU = re.compile(r"^model name[^\S\n]*:([^\n]*)", re.MULTILINE)

# Extracted untimed: no page's time contains lazy imports and word lists.
_WARM_UP = (
    "<html lang=en><h1>Finches</h1><p>The chaffinch is a small bird, common in Europe, and sings.",
    "<html lang=zh><h1>苍头燕雀</h1><p>苍头燕雀是一种小型鸟类，在欧洲很常见，雄鸟羽色鲜艳。</p>",
)


class System(NamedTuple):
    """A row of the tables; ``extractor`` makes what extracts, of a method by siblings."""

    name: str
    version: str
    setting: str
    extractor: Callable[[tuple[Page, ...]], Extractor]
    compares: bool = False


@dataclass(frozen=True, kw_only=True)
class PageResult:
    """The result of one system on one page.

    ``error`` names the exception of a system that failed, whose page is scored as an empty output.
    ``scores`` are of `score_page`. A method that compares leaves out a page without siblings.
    """

    system: str
    page: LabelledPage
    seconds: float = 0.0
    is_empty: bool = False
    error: str = ""
    scores: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    is_left_out: bool = False


class Figure(NamedTuple):
    """A figure in 0..1 with its 95 % interval; no interval where there is one domain only."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Summary:
    """One system's figures on one group of pages.

    ``kind`` is ``all``, ``page_type`` or ``lang``, and ``group`` the page type or language ("" for
    all). ``figures`` are those that the labels allow. ``empty`` counts outputs without a character,
    failures included; ``errors`` counts these by exception. Pages left out are in no figure.
    """

    system: str
    corpus: str
    kind: str
    group: str
    pages: int
    domains: int
    empty: int
    errors: Mapping[str, int]
    ms_median: float
    pages_per_second: float
    figures: Mapping[str, Figure]
    left_out: int


@dataclass(frozen=True)
class Evaluation:
    """A run: where it was made, its systems, their figures, its pages."""

    about: Mapping[str, str]
    systems: tuple[System, ...]
    summaries: tuple[Summary, ...]
    results: tuple[PageResult, ...]

    def to_json(self) -> str:
        """Return the report as JSON, a line a summary; a figure is its value and its ends."""
        systems = [dict(zip(System._fields[:3], one, strict=False)) for one in self.systems]
        head = json.dumps({"about": dict(self.about), "systems": systems}, ensure_ascii=False)
        rows = ",\n".join(json.dumps(vars(one), ensure_ascii=False) for one in self.summaries)
        return f'{head[:-1]},\n"summaries": [\n{rows}\n]}}\n'

    def of_corpus(self, corpus: str) -> list[Summary]:
        """Return the systems' figures on a whole corpus, the best main figure first."""
        found = [one for one in self.summaries if (one.corpus, one.kind) == (corpus, "all")]
        return sorted(found, key=lambda one: -one.figures.get(main_figure(corpus), (-1,))[0])


def main_figure(corpus: str) -> str:
    """Return the figure by which systems are ranked on a corpus: word F1 but for two benchmarks."""
    return {"scrapinghub": "shingle_f1", "trafilatura_eval": "snippet_f1"}.get(corpus, "word_f1")


def run(  # noqa: PLR0913  options are keyword-only
    corpora: Sequence[str],
    *,
    methods: Sequence[str] = (),
    extractors: Mapping[str, Extractor] | None = None,
    favor: str | None = None,
    policy: Policy | Mapping[str, bool | None] | None = None,
    limit: int | None = None,
    seed: int = 0,
    draws: int = 1000,
    command: str = "",
    progress: Callable[[LabelledPage], None] | None = None,
) -> Evaluation:
    """Run every system over every page of every corpus.

    Args:
        corpora: names or paths, as for :func:`chaffinch.evaluate.corpora.read_corpus`.
        methods: methods of Chaffinch (``auto`` for the default) and baselines by name;
            ``baselines`` for all of these.
        extractors: callables of your own, (bytes, url) to text, by the name to show.
        favor: as ``policy``, of `chaffinch.extract`, for those of the methods that have it.
        policy: what counts as content.
        limit: pages a corpus at most, drawn at random; None for all.
        seed: of the draw of pages and of the intervals.
        draws: bootstrap samples; 0 for no intervals.
        command: the command line, for the report.
        progress: called after every page.

    Raises:
        OptionError: nothing to run, no page, or an unknown corpus, method or baseline.
        SetupError: any that a system raises, such as that a baseline isn't installed.
    """
    given = {"favor": favor, "policy": policy}
    direct = {name: value for name, value in given.items() if value is not None}
    results: list[PageResult] = []
    with warnings.catch_warnings():
        # Warnings of baselines, page by page, concern their own code.
        warnings.simplefilter("ignore")
        systems = _systems(methods, extractors or {}, direct)
        if not systems or not corpora:
            raise OptionError("an evaluation needs at least one corpus and one method")
        pages = tuple(parse(html) for html in _WARM_UP)
        for system in systems:
            for html, other in zip(_WARM_UP, reversed(pages), strict=True):
                _extract(system.extractor((other,)), html.encode(), None)
        gc.collect()
        gc.freeze()
        try:
            for corpus in dict.fromkeys(corpora):
                pool = SiblingPool(corpus) if any(s.compares for s in systems) else None
                for number, page in enumerate(read_corpus(corpus, limit=limit, seed=seed)):
                    siblings, first = pool.of(page) if pool else (), number % len(systems)
                    results += _results(page, siblings, [*systems[first:], *systems[:first]])
                    if progress is not None:
                        progress(page)
        finally:
            gc.unfreeze()
    if not results:
        raise OptionError(f"no page in {', '.join(corpora)}")
    summaries = summarize(results, draws=draws, seed=seed)
    return Evaluation(provenance(command), tuple(systems), tuple(summaries), tuple(results))


def provenance(command: str = "") -> dict[str, str]:
    """Return date, machine, versions and command of a run that ends now."""
    cpu, info = platform.processor() or platform.machine(), Path("/proc/cpuinfo")
    if info.is_file() and (named := _CPU.search(info.read_text("utf-8", "replace"))):
        cpu = named.group(1).strip()
    return {
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "machine": f"Python {platform.python_version()}, {platform.system()}, {cpu}",
        "chaffinch": __version__,
        "command": command,
    }


def _systems(
    methods: Sequence[str], extractors: Mapping[str, Extractor], direct: Mapping[str, Any]
) -> list[System]:
    """Return methods of Chaffinch, callables, then baselines."""
    for name in methods:
        require_one_of("method", name, ("auto", *METHODS, "baselines", *BASELINES))
    own = [name for name in dict.fromkeys(methods) if name in METHODS or name == "auto"]
    for key in direct:
        if not any(key in taken_by(name, direct) for name in own):
            raise OptionError(f"none of the methods has {key}")
    found = [_method(name, taken_by(name, direct)) for name in own]
    found += [System(name, "", "a callable", _always(one)) for name, one in extractors.items()]
    for name, make in BASELINES.items():
        if name in methods or "baselines" in methods:
            extractor, version = load_baseline(name)
            found.append(System(name, version, getdoc(make) or "", _always(extractor)))
    return found


def _method(name: str, taken: Mapping[str, Any]) -> System:
    """Return a method of Chaffinch with those options that it has."""

    def made(siblings: tuple[Page, ...]) -> Extractor:
        finder = prepare_method(name, siblings=siblings, **taken)
        return lambda html, url: extract(html, url=url, method=finder).text

    setting = ", ".join(f"{key} {value}" for key, value in taken.items()) or "published defaults"
    if METHODS[DEFAULT if name == "auto" else name].needs_siblings:
        setting += f", up to {_SIBLINGS} siblings; measured on pages with siblings alone"
        return System(f"chaffinch:{name}", __version__, setting, made, compares=True)
    return System(f"chaffinch:{name}", __version__, setting, _always(made(())))


def _always(extractor: Extractor) -> Callable[[tuple[Page, ...]], Extractor]:
    return lambda _: extractor


def _results(
    page: LabelledPage, siblings: tuple[Page, ...], systems: Sequence[System]
) -> Iterator[PageResult]:
    gold = tokenize(page.gold_text or "")
    blocks = visual_blocks(page) if page.gold_text else []
    labels = replace(page, html=b"", gold_html=None)
    for system in systems:
        if system.compares and not siblings:
            yield PageResult(system=system.name, page=labels, is_left_out=True)
            continue
        text, seconds, error = _extract(system.extractor(siblings), page.html, page.url)
        yield PageResult(
            system=system.name,
            page=labels,
            seconds=seconds,
            is_empty=not text.strip(),
            error=error,
            scores=score_page(text, page, gold, blocks),
        )


def _extract(extract: Extractor, html: bytes, url: str | None) -> tuple[str, float, str]:
    """Return the output, the seconds that it took, and the failure ("" for none)."""
    start = time.perf_counter()
    try:
        text, error = extract(html, url), ""
    except SetupError:
        raise  # an unknown method or a missing package: no page would succeed
    except Exception as failure:  # noqa: BLE001 - any failure of a system is a result, and counted
        message = " ".join(str(failure).split())[:200]
        text, error = "", f"{type(failure).__name__}: {message}"
    return text, time.perf_counter() - start, error


class SiblingPool:
    """The pages of one corpus by site, for methods that compare.

    A site is a whole file in a folder ``sites``, the domain that a page names, or the host of its
    URL. Those pages of the file are taken that follow the page, the first ones after the last.
    """

    def __init__(self, corpus: str, *, most: int = _SIBLINGS) -> None:
        path = corpus_path(corpus)
        self._most = most
        self._one_site = str(path) if path.parent.name == "sites" else ""
        pages: defaultdict[str, list[LabelledPage]] = defaultdict(list)
        for page in read_corpus(corpus):
            pages[self._site_of(page)].append(page)
        # Most pages of most corpora stand alone: their bytes needn't be held.
        self._pages = {site: some for site, some in pages.items() if site and len(some) > 1}
        self._parsed = lru_cache(maxsize=_PARSED)(_parsed)

    def of(self, labelled: LabelledPage) -> tuple[Page, ...]:
        """Return the siblings of a page of the corpus; none where its site has no other page."""
        own = self._pages.get(self._site_of(labelled), [])
        if not own or (page := self._parsed(labelled)) is None:
            return ()
        start = next(at for at, one in enumerate(own) if one.id == labelled.id)
        parsed = map(self._parsed, (*own[start + 1 :], *own[:start]))
        return tuple(islice((one for one in parsed if one and not is_same(page, one)), self._most))

    def _site_of(self, page: LabelledPage) -> str:
        """Return the site of a page of the corpus; "" where nothing names it."""
        return self._one_site or (page.domain if page.domain != page.id else host_name(page.url))


def _parsed(page: LabelledPage) -> Page | None:
    try:
        return parse(page.html, url=page.url)
    except PageError:
        return None


# Figures and their intervals.


def figures_of(sums: Figures) -> dict[str, Figures]:
    """Return float64[samples] of every figure, or nan, of float64[samples, both sides]."""
    with np.errstate(invalid="ignore", divide="ignore"):
        found = dict(zip(_RATIOS, np.divide(*np.hsplit(sums, 2)).T, strict=True))
        precision, recall = found.pop("shingle_precision"), found.pop("shingle_recall")
        # Where nothing was extracted from any page, precision isn't defined and F1 is 0.
        precision = np.where(np.isnan(precision) & ~np.isnan(recall), 0.0, precision)
        both = precision + recall
        found["shingle_f1"] = np.where(both == 0, 0.0, 2 * precision * recall / both)
    return found


def resampled_sums(
    addends: Figures, clusters: Sequence[str], *, draws: int, seed: int = 0
) -> Figures:
    """Return float64[draws, columns]: column sums of samples that draw whole clusters (domains).

    Source: Efron and Tibshirani 1993, «An Introduction to the Bootstrap», 8.4. Pages of one domain
    share their template: intervals that draw single pages would be too narrow.
    """
    names, at = np.unique(np.asarray(clusters, dtype=str), return_inverse=True)
    sums = np.zeros((names.size, addends.shape[1]))
    np.add.at(sums, at, addends)
    generator = np.random.default_rng(seed)
    return generator.multinomial(names.size, np.full(names.size, 1 / names.size), size=draws) @ sums


def summarize(results: Sequence[PageResult], *, draws: int, seed: int = 0) -> list[Summary]:
    """Return the summaries of every system on every corpus, page type and language.

    ``draws`` bootstrap samples (0 for no intervals), of one ``seed`` for all systems.
    """
    groups: defaultdict[tuple[str, str, str, str], list[PageResult]] = defaultdict(list)
    for one in results:
        groups[one.system, one.page.corpus, "all", ""].append(one)
        for kind in () if one.is_left_out else _GROUPS:
            if group := getattr(one.page, kind):
                groups[one.system, one.page.corpus, kind, group].append(one)
    return [_summary(key, members, draws, seed) for key, members in groups.items()]


def _summary(
    key: tuple[str, str, str, str], results: list[PageResult], draws: int, seed: int
) -> Summary:
    members = [one for one in results if not one.is_left_out]
    sides = [(name, side) for side in (0, 1) for name in _RATIOS]
    rows = [[one.scores.get(name, (0, 0))[side] for name, side in sides] for one in members]
    matrix = np.reshape(rows, (len(rows), len(sides)))
    domains = [one.page.domain for one in members]
    drawn = {}
    if draws and len(set(domains)) > 1:
        drawn = figures_of(resampled_sums(matrix, domains, draws=draws, seed=seed))
    figures = {}
    for name, (value,) in figures_of(matrix.sum(axis=0, keepdims=True)).items():
        if not np.isnan(value):
            ends = np.nanquantile(drawn[name], [0.025, 0.975]).tolist() if drawn else ()
            figures[name] = Figure(*(round(float(one), 5) for one in (value, *ends)))
    seconds = [one.seconds for one in members]
    return Summary(
        *key,
        pages=len(members),
        domains=len(set(domains)),
        empty=sum(one.is_empty for one in members),
        errors=Counter(one.error.partition(":")[0] for one in members if one.error),
        ms_median=round(1000 * float(np.median(seconds or 0.0)), 3),
        pages_per_second=round(len(members) / max(sum(seconds), 1e-9), 3),
        figures=figures,
        left_out=len(results) - len(members),
    )


# Tables.


def render(report: Evaluation) -> str:
    """Return all tables of a report in Markdown."""
    about = report.about
    lines = [f"Chaffinch {about['chaffinch']}, {about['date']}, {about['machine']}, one process."]
    lines += [f"Command: `{about['command']}`"] if about["command"] else []
    for corpus in dict.fromkeys(one.corpus for one in report.summaries):
        lines += ["", f"### {corpus}", "", *_corpus_lines(report, corpus)]
        for kind in _GROUPS:
            lines += _group_lines(report, corpus, kind)
    rows = [[one.name, one.version, one.setting] for one in report.systems]
    lines += ["", "### Systems", "", *_table(["system", "version", "setting"], rows)]
    return "\n".join(lines) + "\n"


def _corpus_lines(report: Evaluation, corpus: str) -> list[str]:
    summaries, main = report.of_corpus(corpus), main_figure(corpus)
    shown = [name for name in _COLUMNS if any(name in one.figures for one in summaries)]
    some_left_out = any(one.left_out for one in summaries)
    header = ["system", *(_COLUMNS[name] for name in shown), "ms", "pages/s", "empty", "errors"]
    header += ["pages", "left out"] if some_left_out else []
    rows = []
    for one in summaries:
        row = [one.system, *(_shown(one, name, with_ends=name == main) for name in shown)]
        errors = ", ".join(f"{name} {n}" for name, n in sorted(one.errors.items()))
        pace = f"{one.pages_per_second:.0f}"
        row += [f"{one.ms_median:.1f}", pace, str(one.empty), errors or "0"]
        rows.append(row + ([str(one.pages), str(one.left_out)] if some_left_out else []))
    pages, domains = max((one.pages, one.domains) for one in summaries)
    return [f"{counted(pages, 'page')}, {counted(domains, 'domain')}.", "", *_table(header, rows)]


def _group_lines(report: Evaluation, corpus: str, kind: str) -> list[str]:
    """Return one figure by group and system; nothing where a corpus has one group only."""
    main = main_figure(corpus)
    found = [one for one in report.summaries if (one.corpus, one.kind) == (corpus, kind)]
    sizes = Counter({one.group: one.pages for one in found})
    if len(sizes) <= 1:
        return []
    cells = {(one.system, one.group): _shown(one, main) for one in found}
    groups = [group for group, _ in sizes.most_common()]
    rows = [
        [one.system, *(cells.get((one.system, group), "–") for group in groups)]
        for one in report.of_corpus(corpus)
    ]
    header = ["system", *(f"{group} ({sizes[group]})" for group in groups)]
    return ["", f"{_COLUMNS[main]} by {_GROUPS[kind]}:", "", *_table(header, rows)]


def _shown(summary: Summary, name: str, *, with_ends: bool = False) -> str:
    if (figure := summary.figures.get(name)) is None:
        return "–"
    ends = with_ends and figure.low is not None
    return f"{figure.value:.3f}" + (f" [{figure.low:.3f}, {figure.high:.3f}]" if ends else "")


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return ["| " + " | ".join(line) + " |" for line in lines]
