"""Runs extractors over labelled pages: one process, one run, page by page, side by side.

Every page goes through every system before the next page comes, so a busy minute of the machine
hits all systems alike; the order of the systems turns by one from page to page, so none always
finds the caches warm or the garbage collector due.
"""

import gc
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import itemgetter
from typing import Any

from chaffinch.decision.policy import Policy
from chaffinch.errors import OptionError, PageError, SetupError, require_one_of
from chaffinch.evaluate.baselines import BASELINES, Extractor
from chaffinch.evaluate.corpora import LabelledPage, corpus_path, read_corpus
from chaffinch.evaluate.report import Evaluation, PageResult, SystemInfo, provenance, summarize
from chaffinch.evaluate.scoring import score_page, tokenize, visual_blocks
from chaffinch.extraction.extract import extract
from chaffinch.extraction.plan import prepare_method, taken_by
from chaffinch.methods import DEFAULT, METHODS
from chaffinch.page import Page, parse
from chaffinch.page.urls import host_name
from chaffinch.siblings import other_pages
from chaffinch.version import __version__

OURS = "chaffinch:"
"""What stands before a method's name in tables."""

_SIBLINGS = 8  # of a page, at most
_PARSED = 64  # pages held as tables: those that follow one another share most siblings

# Two small pages, extracted untimed: no page's time contains lazy imports and word lists.
_WARM_UP = (
    """<html lang=en><h1>Finches</h1><p>The chaffinch is a small bird, common in Europe; the male
    is brightly coloured.</p><p>Its song is loud, and it builds its nest in the fork of a tree.""",
    """<html lang=zh><h1>苍头燕雀</h1><p>苍头燕雀是一种小型鸟类，在欧洲很常见，雄鸟羽色鲜艳。</p>
    <p>它在树杈上筑巢，雌鸟每次产四到五枚卵。""",
)


@dataclass(frozen=True)
class _System:
    """One row of the tables; ``prepare`` makes its extractor, of one that compares by siblings."""

    info: SystemInfo
    prepare: Callable[[tuple[Page, ...]], Extractor]
    compares: bool = False


def _method_system(name: str, direct: Mapping[str, Any]) -> _System:
    """Return a method of Chaffinch, its text as `chaffinch.extract` gives it.

    Of ``favor`` and ``policy`` those are left out that the method doesn't have.
    """
    taken = taken_by(name, direct)

    def prepare(siblings: tuple[Page, ...]) -> Extractor:
        finder = prepare_method(name, siblings=siblings, **taken)
        return lambda html, url: extract(html, url=url, method=finder).text

    setting = ", ".join(f"{key} {value}" for key, value in taken.items()) or "published defaults"
    if not METHODS[DEFAULT if name == "auto" else name].needs_siblings:
        return _alike(SystemInfo(OURS + name, __version__, setting), prepare(()))
    setting += f", up to {_SIBLINGS} siblings"
    note = f"{OURS}{name} is measured on pages with siblings alone"
    return _System(SystemInfo(OURS + name, __version__, setting, note), prepare, compares=True)


def _alike(info: SystemInfo, extractor: Extractor) -> _System:
    return _System(info, lambda _: extractor)


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
    worst: int = 0,
    command: str = "",
    progress: Callable[[LabelledPage], None] | None = None,
) -> Evaluation:
    """Run every system over every page of every corpus.

    Args:
        corpora: names or paths, as for :func:`chaffinch.evaluate.corpora.read_corpus`.
        methods: methods of Chaffinch (``auto`` for the default) and baselines by name;
            ``baselines`` for all of these.
        extractors: callables of your own, (bytes, url) to text, by the name to show.
        favor: as of `chaffinch.extract`, for those of the methods that have it.
        policy: likewise.
        limit: pages a corpus at most, drawn at random; None for all.
        seed: of the draw of pages and of the intervals.
        draws: bootstrap samples; 0 for no intervals.
        worst: this many of each system's worst pages of each corpus are kept with their texts.
        command: the command line, for the report.
        progress: called after every page.

    Raises:
        OptionError: nothing to run, or an unknown corpus, method or baseline.
        MissingExtraError: a baseline isn't installed; the message names the pip command.
        SetupError: any other that a system raises, for no page would succeed.
    """
    direct = {"favor": favor, "policy": policy}
    direct = {name: value for name, value in direct.items() if value is not None}
    for name in methods:
        require_one_of("method", name, ("auto", *METHODS, "baselines", *BASELINES))
    own = [name for name in methods if name in METHODS or name == "auto"]
    others = [one for one in BASELINES if one in methods or "baselines" in methods]
    for key in direct:
        if not any(key in taken_by(name, direct) for name in own):
            raise OptionError(f"none of the methods has {key}")
    with warnings.catch_warnings():
        # Warnings of baselines, page by page, concern their own code.
        warnings.simplefilter("ignore")
        systems = [
            *(_method_system(name, direct) for name in own),
            *(
                _alike(SystemInfo(name, "", "a callable"), one)
                for name, one in (extractors or {}).items()
            ),
            *(
                _alike(SystemInfo(one.name, one.version(), one.setting, one.note), one.load())
                for one in (BASELINES[name] for name in others)
            ),
        ]
        if not systems or not corpora:
            raise OptionError("an evaluation needs at least one corpus and one method")
        pages = tuple(parse(html) for html in _WARM_UP)
        for system in systems:
            for number, html in enumerate(_WARM_UP):
                _extract(system.prepare(pages[1 - number :][:1]), html.encode(), None)
        gc.collect()
        gc.freeze()
        try:
            ran = _Run(systems, worst)
            for corpus in corpora:
                pool = SiblingPool(corpus) if any(s.compares for s in systems) else None
                for number, page in enumerate(read_corpus(corpus, limit=limit, seed=seed)):
                    ran.add(page, pool.of(page) if pool else (), first=number % len(systems))
                    if progress is not None:
                        progress(page)
        finally:
            gc.unfreeze()
    return Evaluation(
        about=provenance(command),
        systems=tuple(system.info for system in systems),
        summaries=tuple(summarize(ran.results, draws=draws, seed=seed, left_out=ran.left_out)),
        results=tuple(ran.results),
        worst=tuple((result, text) for some in ran.worst.values() for _, result, text in some),
    )


class _Run:
    """The results so far; texts of other pages than the worst aren't kept."""

    def __init__(self, systems: Sequence[_System], worst: int) -> None:
        self.systems = systems
        self.results: list[PageResult] = []
        self.left_out: Counter[tuple[str, str]] = Counter()
        self.worst: defaultdict[tuple[str, str], list[tuple[float, PageResult, str]]]
        self.worst = defaultdict(list)
        self._most = worst

    def add(self, page: LabelledPage, siblings: tuple[Page, ...], *, first: int) -> None:
        gold = tokenize(page.gold_text or "")
        blocks = visual_blocks(page) if page.gold_text else []
        labels = replace(page, html=b"", gold_html=None, gold_markdown=None)
        for system in (*self.systems[first:], *self.systems[:first]):
            name = system.info.name
            if system.compares and not siblings:
                self.left_out[page.corpus, name] += 1
                continue
            text, seconds, error = _extract(system.prepare(siblings), page.html, page.url)
            result = PageResult(
                system=name,
                page=labels,
                seconds=seconds,
                is_empty=not text.strip(),
                error=error,
                scores=score_page(text, page, gold, blocks),
            )
            self.results.append(result)
            if result.score is not None:
                worst = self.worst[page.corpus, name]
                worst.append((result.score, result, text))
                worst.sort(key=itemgetter(0))
                del worst[self._most :]


def _extract(extract: Extractor, html: bytes, url: str | None) -> tuple[str, float, str]:
    """Return the output, the seconds it took, and the failure by name ("" for none)."""
    start = time.perf_counter()
    try:
        text = extract(html, url)
    except SetupError:
        raise  # an unknown method or a missing package: no page would succeed
    except Exception as error:  # noqa: BLE001 - any failure of a system is a result, and counted
        message = " ".join(str(error).split())[:200]
        return "", time.perf_counter() - start, f"{type(error).__name__}: {message}"
    return text, time.perf_counter() - start, ""


class SiblingPool:
    """The pages of one corpus by site, for methods that compare.

    A site is a whole file in a folder ``sites``; of other corpora it is what they name as the
    domain of a page, else the host of its URL. Of the file those pages are taken that follow the
    page, the first ones after the last. The page itself, under whatever URL, is never among them.
    """

    def __init__(self, corpus: str, *, most: int = _SIBLINGS) -> None:
        self._most = most
        path = corpus_path(corpus)
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
        page = _parsed(labelled) if own else None
        found: list[Page] = []
        if page is None:
            return ()
        start = next(at for at, one in enumerate(own) if one.id == labelled.id)
        for one in (*own[start + 1 :], *own[:start]):
            parsed = self._parsed(one)
            if len(found) < self._most and parsed is not None and one.id != labelled.id:
                found += other_pages(page, [parsed])
        return tuple(found)

    def _site_of(self, page: LabelledPage) -> str:
        """Return the site of a page of the corpus; "" where nothing names it."""
        return self._one_site or (page.domain if page.domain != page.id else host_name(page.url))


def _parsed(page: LabelledPage) -> Page | None:
    """Return a page as a table; None where it can't be processed."""
    try:
        return parse(page.html, url=page.url)
    except PageError:
        return None
