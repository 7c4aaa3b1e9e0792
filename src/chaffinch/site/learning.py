"""From the sample of pages to templates: cluster, make tables, classify blocks, learn rules."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from chaffinch.decision.choice import choose, expected_f1
from chaffinch.fetch.url_parts import split_url
from chaffinch.site.block_evidence import BlockEvidence, shipped_weights
from chaffinch.site.inseparable_blocks import lone_links_are_noise
from chaffinch.site.near_copies import distinct
from chaffinch.site.page_groups import page_groups
from chaffinch.site.page_sketch import likeness
from chaffinch.site.returning_texts import lasting_texts
from chaffinch.site.rule_learning import learn_rules
from chaffinch.site.slot_table import slot_table
from chaffinch.site.slot_tree import SlotTree
from chaffinch.site.slots import name_hash
from chaffinch.site.template import Template
from chaffinch.site.template_leaders import TemplateLeaders

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from chaffinch.page.arrays import Floats, Hashes, Mask
    from chaffinch.site.page_groups import PageGroup
    from chaffinch.site.page_summary import PageSummary
    from chaffinch.site.returning_texts import ReturningTexts
    from chaffinch.site.slot_table import SlotTable
    from chaffinch.site.slots import SlotStep

_WORD_LEVEL: Final = re.compile(r"[A-Za-z][\w-]{1,30}")
_SIGNS: Final = 8
"""Signs, and lacks, that a template has at most."""
_SIGN_SHARE: Final = 0.9
"""Least share of a template's pages that match a sign."""
_LACK_SHARE: Final = 0.05
"""Largest share of a template's pages that match what it lacks."""
_RETURNS: Final = 0.2
"""Least share of pages on which a text must return, for rules to drop it as noise."""


def learn_templates(
    kept: Iterable[PageSummary], steps: Mapping[int, SlotStep], *, before: Sequence[Template] = ()
) -> tuple[Template, ...]:
    """Return the templates of a site, the largest first.

    Args:
        kept: the pages of the sample.
        steps: the steps of all their slots.
        before: templates of the earlier model: they keep their names, sketches and rules by hand.
    """
    pages = sorted(kept, key=lambda page: page.key)
    leaders = TemplateLeaders.of(template.sketch for template in before)
    groups: dict[int, list[PageSummary]] = {}
    for page in pages:
        groups.setdefault(leaders.join(page.sketch), []).append(page)
    order = sorted(groups, key=lambda number: (-len(groups[number]), number))
    taken = {template.name for template in before}
    out = []
    for number in order:
        members = groups[number] = distinct(groups[number])
        earlier = before[number] if number < len(before) else None
        name = earlier.name if earlier else _name(members, taken)
        taken.add(name)
        one = _learned(name, members, steps, leaders.sketches[number], len(members) / len(pages))
        by_hand = tuple(r for r in earlier.rules if r.by_hand) if earlier else ()
        out.append(replace(one, rules=(*one.rules, *by_hand)))
    out += [template for n, template in enumerate(before) if n not in groups]
    return _with_signs(out, [groups.get(number, []) for number in order], steps)


def _learned(
    name: str,
    pages: Sequence[PageSummary],
    steps: Mapping[int, SlotStep],
    sketch: Hashes,
    share: float,
) -> Template:
    slots, texts, groups = slot_table(pages), lasting_texts(pages), page_groups(pages)
    classified = [classify_blocks(page, slots, texts, groups) for page in pages]
    keeps = [one.keep for one in classified]
    alike = likeness(sketch, np.stack([page.sketch for page in pages]))
    dropped = _returning_noise(pages, classified)
    lone_noise = lone_links_are_noise(slots)
    apart = [page.lone & lone_noise for page in pages]
    rules, held = learn_rules(pages, keeps, apart, steps)
    return Template(
        name=name,
        pages=len(pages),
        share=round(share, 4),
        page=pages[int(np.argmax(alike))].url,
        sketch=sketch,
        likeness=_mean(alike),
        known=_mean(_share(page, slots.pages[slots.indices(page.places)] > 1) for page in pages),
        kept=_mean(map(_share, pages, keeps)),
        lost=_mean(
            _lost_by_rules(page, one, np.isin(page.slots, held)[page.slot] & ~gone, dropped)
            for page, one, gone in zip(pages, classified, apart, strict=True)
        ),
        signs=(),
        lacks=(),
        rules=rules,
        slots=slots,
        texts=texts,
        groups=groups,
        dropped=dropped,
        longest=_longest(pages, dropped),
        keys=np.array([page.key for page in pages], dtype=np.uint64),
    )


def _mean(values: Iterable[float]) -> float:
    """Return the mean of values, as it is saved."""
    return round(float(np.mean([*values])), 4)


def _share(page: PageSummary, blocks: Mask) -> float:
    """Return the share of a page's text that stands in some of its blocks, bool[m]."""
    length = page.length.astype(np.float64)
    return float(length[blocks].sum() / max(length.sum(), 1))


class Classified(NamedTuple):
    """The m blocks of a page that a template was learned from.

    Attributes:
        probability: float32[m] in 0..1, of being content, by page and template together.
        keep: bool[m], the blocks that are content.
        returns: bool[m], those whose texts return.
    """

    probability: Floats
    keep: Mask
    returns: Mask


def classify_blocks(
    page: PageSummary, slots: SlotTable, texts: ReturningTexts, groups: Mapping[str, PageGroup]
) -> Classified:
    """Return which blocks of a learned page are content, by the tables of its template."""
    weights = shipped_weights()
    evidence = BlockEvidence.of(page, slots, texts, groups=groups, own=True)
    probability = evidence.probability(weights)
    units = page.length.astype(np.float32)
    if len(page):
        keep = choose(probability, units, page.slot.astype(np.int32)).keep
    else:
        keep = np.zeros(0, dtype=bool)
    return Classified(probability, keep, evidence.return_share(weights) >= _RETURNS)


def _lost_by_rules(page: PageSummary, found: Classified, held: Mask, dropped: Hashes) -> float:
    """Return how much less F1 (0..1) is expected of what rules keep of a page than of ``found``.

    Args:
        page: the page, of m blocks.
        found: what is content by page and template together.
        held: bool[m], the blocks in what the rules keep.
        dropped: the returning texts that are dropped from it.
    """
    units = page.length.astype(np.float32)
    by_rules = held & ~np.isin(page.texts.masked, dropped)
    best, reached = (expected_f1(found.probability, units, k) for k in (found.keep, by_rules))
    return max(best - reached, 0.0)


def _returning_noise(pages: Sequence[PageSummary], classified: Sequence[Classified]) -> Hashes:
    """Return the texts that were dropped because they return, on more pages than they were kept."""
    noise: Counter[int] = Counter()
    for page, found in zip(pages, classified, strict=True):
        noise.update(set(page.texts.masked[~found.keep & found.returns].tolist()))
        noise.subtract(set(page.texts.masked[found.keep].tolist()))
    return np.array(sorted(t for t, count in noise.items() if count > 1), dtype=np.uint32)


def _longest(pages: Sequence[PageSummary], texts: Hashes) -> int:
    """Return the characters of the longest block with one of ``texts``, numbers masked."""
    return max(
        (int(page.length[np.isin(page.texts.masked, texts)].max(initial=0)) for page in pages),
        default=0,
    )


def _with_signs(
    templates: Sequence[Template],
    groups: Sequence[Sequence[PageSummary]],
    steps: Mapping[int, SlotStep],
) -> tuple[Template, ...]:
    """Return the templates with signs: names on nearly all of its pages and on few others.

    And with lacks: signs of the other templates, from each in turn, that hardly any page matches.
    """
    shares = [_name_shares(group, steps) for group in groups]
    out = list(templates)
    for number, own in enumerate(shares):
        if not own:
            continue
        others = {
            test: sum(one.get(test, 0.0) for n, one in enumerate(shares) if n != number)
            for test in own
        }
        common = [test for test in own if own[test] >= _SIGN_SHARE]
        common.sort(key=lambda t: (round(others[t], 2), -own[t], len(t), t))
        out[number] = replace(out[number], signs=tuple(common[:_SIGNS]))
    for number, own in enumerate(shares):
        if own:
            signs = [one.signs for n, one in enumerate(out) if n != number]
            turns = (test for turn in zip_longest(*signs) for test in turn if test is not None)
            lacks = [test for test in dict.fromkeys(turns) if own.get(test, 0.0) <= _LACK_SHARE]
            out[number] = replace(out[number], lacks=tuple(lacks[:_SIGNS]))
    return tuple(out)


def _name_shares(pages: Sequence[PageSummary], steps: Mapping[int, SlotStep]) -> dict[str, float]:
    """Return id or class, as a selector → the share (0..1) of the pages that match it."""
    tree = SlotTree.of(steps, {slot for page in pages for slot in page.slots.tolist()})
    tests = {slot: list(tree.nodes[n].tests()) for slot, n in tree.number.items()}
    by_class = {
        (node.tag, name_hash(name)): f"{node.tag}.{name}"
        for node in tree.nodes
        for name in node.classes
    }
    count: Counter[str] = Counter()
    for page in pages:
        found = {test for slot in page.slots.tolist() for test in tests[slot]}
        further = zip(page.further_slots.tolist(), page.further.tolist(), strict=True)
        for slot, name in further:
            key = tree.nodes[tree.number[slot]].tag, name
            if key in by_class:
                found.add(by_class[key])
        count.update(found)
    return {test: matching / len(pages) for test, matching in count.items()}


def _name(pages: Sequence[PageSummary], taken: set[str]) -> str:
    """Return a name from what the addresses have in common, else from the number of templates."""
    words = Counter(_word(page.url) for page in pages)
    word, count = words.most_common(1)[0]
    base = word if word and 2 * count > len(pages) else "pages"
    number, name = 1, base
    while name in taken:
        number += 1
        name = f"{base}-{number}"
    return name


def _word(url: str) -> str:
    """Return the first directory of an address that is a word; "" for none."""
    parts = split_url(url)
    levels = parts.path.split("/")[:-1] if parts else []
    return next((level for level in levels if _WORD_LEVEL.fullmatch(level)), "")
