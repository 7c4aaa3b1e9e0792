"""What site models are measured against: the published methods, other people's extractors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bench.lib.labelled_sites import Sample
from chaffinch.evaluate.baselines import BASELINES, MARKDOWN, decoded
from chaffinch.evaluate.scoring import tokenize, word_score
from chaffinch.methods import ClusterRules, build
from chaffinch.siblings.sibling_links import choose_references

SIBLINGS = 5


def by_method(name: str) -> Any:
    """Return a published method, which compares with the learned half where it compares."""

    def learn(samples: list[Sample]) -> Callable[[Sample], float]:
        pages = [one.page for one in samples]
        if name == "cluster_rules":
            rules = ClusterRules.learn(pages)
            return lambda one: one.score(rules(one.page))
        if name not in {"layout_similarity", "sibling_subtrees"}:
            method = build(name)
            return lambda one: one.score(method(one.page))

        def score(one: Sample) -> float:
            chosen = [c.index for c in choose_references(one.page, pages, most=SIBLINGS) if c]
            nearest = tuple(pages[index] for index in chosen) or tuple(pages[:SIBLINGS])
            return one.score(build(name, siblings=nearest)(one.page))

        return score

    return learn


def by_baseline(name: str) -> Any:
    """Return a baseline; it sees no other pages."""
    extract = BASELINES[name].make()

    def learn(_samples: list[Sample]) -> Callable[[Sample], float]:
        return lambda one: text_f1(extract(one.html, one.page.url), one.gold or "")

    return learn


def by_chromerag() -> Any:
    """Return ChromeRAG with its own learning of the site, at its own defaults."""
    import chromerag  # noqa: PLC0415  a baseline
    from chromerag.site_chrome import mine_site_chrome, site_group_key  # noqa: PLC0415

    config = chromerag.PipelineConfig.from_priority("balanced", enable_schema=False)

    def learn(samples: list[Sample]) -> Callable[[Sample], float]:
        pages = [(one.page.url or "http://site.invalid/", decoded(one.html)) for one in samples]
        models = mine_site_chrome(pages, path_prefix_depth=0)

        def score(one: Sample) -> float:
            url = one.page.url or "http://site.invalid/"
            model = models.get(site_group_key(url, path_prefix_depth=0))
            engine = chromerag.ChromeRAG(config=config, site_chrome=model)
            found = MARKDOWN.sub(" ", engine.extract(decoded(one.html), url=url).markdown)
            return text_f1(found, one.gold or "")

        return score

    return learn


def text_f1(text: str, gold: str) -> float:
    """Return the word F1 of a text."""
    return word_score(tokenize(text), tokenize(gold)).f1
