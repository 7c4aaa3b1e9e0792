"""Runs extractors over labelled pages: one process, one run, page by page, side by side.

Every page goes through every system before the next page comes, so a busy minute of the machine
hits all systems alike; the order of the systems turns by one from page to page, so none always
finds the caches warm or the garbage collector due.
"""

import gc
import time
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

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


class _System(NamedTuple):
    """One row of the tables; ``extractor`` makes what extracts, of a method by siblings."""

    info: SystemInfo
    extractor: Callable[[tuple[Page, ...]], Extractor]
    compares: bool = False


def _systems(
    methods: Sequence[str], extractors: Mapping[str, Extractor], direct: Mapping[str, Any]
) -> list[_System]:
    """Return methods of Chaffinch, callables, then baselines.

    Of ``favor`` and ``policy`` those are left out that a method doesn't have.
    """
    for name in methods:
        require_one_of("method", name, ("auto", *METHODS, "baselines", *BASELINES))
    own = [name for name in methods if name in METHODS or name == "auto"]
    for key in direct:
        if not any(key in taken_by(name, direct) for name in own):
            raise OptionError(f"none of the methods has {key}")

    def method(name: str) -> _System:
        taken = taken_by(name, direct)
        compares = METHODS[DEFAULT if name == "auto" else name].needs_siblings

        def made(siblings: tuple[Page, ...]) -> Extractor:
            finder = prepare_method(name, siblings=siblings, **taken)
            return lambda html, url: extract(html, url=url, method=finder).text

        setting = ", ".join(f"{key} {value}" for key, value in taken.items())
        setting = setting or "published defaults"
        if not compares:
            always = made(())
            return _System(SystemInfo(OURS + name, __version__, setting), lambda _: always)
        setting += f", up to {_SIBLINGS} siblings"
        note = f"{OURS}{name} is measured on pages with siblings alone"
        return _System(SystemInfo(OURS + name, __version__, setting, note), made, compares=True)

    found = [method(name) for name in own]
    others = [(SystemInfo(name, "", "a callable"), one) for name, one in extractors.items()]
    for one in BASELINES.values():
        if one.name in methods or "baselines" in methods:
            info = SystemInfo(one.name, one.version(), one.setting, one.note)
            others.append((info, one.load()))
    return found + [_System(info, lambda _, one=one: one) for info, one in others]  # type: ignore[misc]


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
        favor: as of `chaffinch.extract`, for those of the methods that have it.
        policy: likewise.
        limit: pages a corpus at most, drawn at random; None for all.
        seed: of the draw of pages and of the intervals.
        draws: bootstrap samples; 0 for no intervals.
        command: the command line, for the report.
        progress: called after every page.

    Raises:
        OptionError: nothing to run, or an unknown corpus, method or baseline.
        MissingExtraError: a baseline isn't installed; the message names the pip command.
        SetupError: any other that a system raises, for no page would succeed.
    """
    direct = {"favor": favor, "policy": policy}
    direct = {name: value for name, value in direct.items() if value is not None}
    results: list[PageResult] = []
    left_out: Counter[tuple[str, str]] = Counter()
    with warnings.catch_warnings():
        # Warnings of baselines, page by page, concern their own code.
        warnings.simplefilter("ignore")
        systems = _systems(methods, extractors or {}, direct)
        if not systems or not corpora:
            raise OptionError("an evaluation needs at least one corpus and one method")
        pages = tuple(parse(html) for html in _WARM_UP)
        for system in systems:
            for number, html in enumerate(_WARM_UP):
                _extract(system.extractor(pages[1 - number :][:1]), html.encode(), None)
        gc.collect()
        gc.freeze()
        try:
            for corpus in corpora:
                pool = SiblingPool(corpus) if any(s.compares for s in systems) else None
                for number, page in enumerate(read_corpus(corpus, limit=limit, seed=seed)):
                    siblings, first = pool.of(page) if pool else (), number % len(systems)
                    for one in _results(page, siblings, [*systems[first:], *systems[:first]]):
                        if isinstance(one, PageResult):
                            results.append(one)
                        else:
                            left_out[page.corpus, one.info.name] += 1
                    if progress is not None:
                        progress(page)
        finally:
            gc.unfreeze()
    return Evaluation(
        about=provenance(command),
        systems=tuple(system.info for system in systems),
        summaries=tuple(summarize(results, draws=draws, seed=seed, left_out=left_out)),
        results=tuple(results),
    )


def _results(
    page: LabelledPage, siblings: tuple[Page, ...], systems: Sequence[_System]
) -> Iterator[PageResult | _System]:
    """Yield the result of each system on a page, or the system that lacks siblings for it."""
    gold = tokenize(page.gold_text or "")
    blocks = visual_blocks(page) if page.gold_text else []
    labels = replace(page, html=b"", gold_html=None, gold_markdown=None)
    for system in systems:
        if system.compares and not siblings:
            yield system
            continue
        text, seconds, error = _extract(system.extractor(siblings), page.html, page.url)
        yield PageResult(
            system=system.info.name,
            page=labels,
            seconds=seconds,
            is_empty=not text.strip(),
            error=error,
            scores=score_page(text, page, gold, blocks),
        )


def _extract(extract: Extractor, html: bytes, url: str | None) -> tuple[str, float, str]:
    """Return the output, the seconds it took, and the failure by name ("" for none)."""
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

    A site is a whole file in a folder ``sites``; of other corpora it is what they name as the
    domain of a page, else the host of its URL. Of the file those pages are taken that follow the
    page, the first ones after the last. The page itself, under whatever URL, is never among them.
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
        found: list[Page] = []
        start = next(at for at, one in enumerate(own) if one.id == labelled.id)
        for one in (*own[start + 1 :], *own[:start]):
            parsed = self._parsed(one)
            if len(found) < self._most and parsed is not None:
                found += other_pages(page, [parsed])
        return tuple(found)

    def _site_of(self, page: LabelledPage) -> str:
        """Return the site of a page of the corpus; "" where nothing names it."""
        return self._one_site or (page.domain if page.domain != page.id else host_name(page.url))


def _parsed(page: LabelledPage) -> Page | None:
    try:
        return parse(page.html, url=page.url)
    except PageError:
        return None
