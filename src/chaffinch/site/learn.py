"""From the sample of pages to templates: cluster, make tables, classify blocks, learn rules.

The slots of a template make a tree, and each has some text that was kept and some that was dropped
on the template's pages. The rules are the cheapest way to label that tree from the root down, where
every change of label is a rule: a *content* rule below what is dropped, a *drop* rule below what is
kept. The cost is the text that gets the wrong label plus `RULE_COST` for each rule, and its minimum
is found exactly, by dynamic programming over the tree. Then each change gets the first of its
selectors, from short to long, that matches nothing of the other label in the template. Rules for
fields are made of the slot that holds the field on most of the pages.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import chain
from itertools import count as numbers
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from chaffinch.decision.scores import choose
from chaffinch.kernels.arrays import Hashes, Mask
from chaffinch.metadata.page_fields import picture_key
from chaffinch.metadata.values import fold, split_title
from chaffinch.page.urls import split_url
from chaffinch.segment.densities import BLOCKS
from chaffinch.site.evidence import WHOLE, BlockEvidence, PageTables, shipped_weights, tables_of
from chaffinch.site.fields import role_of
from chaffinch.site.model import (
    LEAST_PAGES,
    SAME_TEMPLATE,
    Learning,
    SiteModel,
    Template,
    nearest,
)
from chaffinch.site.rules import RECORD, ROLES, Rule, Usage
from chaffinch.site.sample import LONGEST_ADDRESS, PageSummary, Statistics, shown_words
from chaffinch.site.slots import SlotStep, SlotTree, likeness

Masses = NDArray[np.float64]

_SAME: Final = 0.95
"""Least share of both pages' likely content, in characters, that near-copies have in common."""
_LEAST: Final = 2
"""Distinct pages that must remain; else the shared text belongs to the site, not to one page."""


def distinct(pages: Sequence[PageSummary]) -> list[PageSummary]:
    """Return ``pages`` without near-copies of earlier ones; all, if too few would be left.

    A page that occurs twice (for print, under another address, with another date in its footer)
    would make its own text count as returning. Of near-copies nearly all of the text that the
    page-level model classifies as content is the same, numbers masked.
    """
    likely = []  # of each page, text → characters of its blocks that are likely content
    for page in pages:
        at = np.flatnonzero(page.log_odds > 0)
        pairs = zip(page.texts.masked[at].tolist(), page.length[at].tolist(), strict=True)
        likely.append(dict(pairs))
    seen: dict[int, list[int]] = {}
    out: list[PageSummary] = []
    for number, (page, own) in enumerate(zip(pages, likely, strict=True)):
        longest = max(own, key=lambda text: (own[text], text), default=-1)
        if own and any(_are_near_copies(own, likely[other]) for other in seen.get(longest, ())):
            continue
        seen.setdefault(longest, []).append(number)
        out.append(page)
    return out if len(out) >= min(_LEAST, len(pages)) else list(pages)


def _are_near_copies(one: dict[int, int], other: dict[int, int]) -> bool:
    common = sum(length for text, length in one.items() if text in other)
    return common >= _SAME * max(sum(one.values()), sum(other.values()))


_FEWEST: Final = 3
"""Different titles in which a part stands from which it returns: two may share a subject."""
_MOST: Final = 40  # parts that are kept, those of most titles


def title_boilerplate(pages: Iterable[PageSummary]) -> tuple[str, ...]:
    """Return the parts of titles that return on ``pages``, those of most titles first."""
    titles: defaultdict[str, set[str]] = defaultdict(set)
    spellings: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for page in pages:
        for part in split_title(page.title):
            if key := fold(part):
                titles[key].add(fold(page.title))
                spellings[key][part.strip()] += 1
    often = sorted((-len(known), key) for key, known in titles.items() if len(known) >= _FEWEST)
    return tuple(
        max(sorted(spellings[key]), key=spellings[key].__getitem__) for _, key in often[:_MOST]
    )


def example_of(tree: SlotTree, pages: Sequence[PageSummary], node: int) -> dict[str, Any]:
    """Return, as fields of a `Rule`, the first words in a node on a page, and its address."""
    slot = tree.slots[node]
    for page in pages:
        if slot in page.words:
            where = shown_words(page.url, LONGEST_ADDRESS)
            return {"example": page.words[slot], "example_page": where}
    return {}


def example_within(
    tree: SlotTree, pages: Sequence[PageSummary], tops: AbstractSet[int], mass: Masses
) -> dict[str, Any]:
    """Return the same of the text in the nodes ``tops`` and below them, of the most ``mass``.

    That is float[k], how much text each node has of what is wanted, without descendants.
    """
    for node in np.argsort(-mass, kind="stable").tolist():
        if mass[node] <= 0:
            break
        if node in tops or not tops.isdisjoint(tree.above(node)):
            found = example_of(tree, pages, node)
            if found.get("example"):
                return found
    return {}


@dataclass(frozen=True, eq=False)
class _Counts:
    """What a template's pages have in the k nodes of its tree, in each without descendants."""

    having: NDArray[np.int64]  # int64[k], pages that have the node
    elements: NDArray[np.int64]  # int64[k], its elements, over all pages
    # float64[2, k], text labelled wrong if the node is dropped (0) or kept (1), as a share of the
    # pages' content
    wrong: Masses
    kept: Masses  # float64[k], characters of text that was kept
    linked: Masses  # float64[k], those of them in links


def _counted(tree: SlotTree, pages: Sequence[PageSummary], keeps: Sequence[Mask]) -> _Counts:
    having, elements = np.zeros((2, len(tree.slots)), dtype=np.int64)
    wrong, (kept, linked) = np.zeros((2, 2, len(tree.slots)))
    for page, keep in zip(pages, keeps, strict=True):
        nodes = np.array([tree.number[slot] for slot in page.slots.tolist()], dtype=np.intp)
        having[nodes] += 1
        elements[nodes] += page.elements
        length, own = page.length.astype(np.float64), nodes[page.slot]
        whole = length[keep].sum() or length.sum() or 1.0
        np.add.at(wrong[0], own[keep], length[keep] / whole)
        np.add.at(wrong[1], own[~keep], length[~keep] / whole)
        np.add.at(kept, own[keep], length[keep])
        np.add.at(linked, own[keep], page.linked[keep].astype(np.float64))
    return _Counts(having, elements, wrong, kept, linked)


_LEAST_PAGES: Final = 0.5
"""Least share of a template's pages on which a title, author, date or next page has one slot."""
_FEWEST_FIELD_RULES: Final = 3
"""Pages on which it has that slot, where more than two have it at all."""
_OF_A_PAGE: Final = frozenset({"title", "image"})
"""Fields whose value is that page's alone: one that returns on others is the site's."""
_OWN: Final = 0.5  # most different values to a page for a field to be one that mostly returns
_MOST_NAMED: Final = 2.0
"""Mean number of a slot's elements on a page beyond which it can't identify a field."""


def field_rules(tree: SlotTree, pages: Sequence[PageSummary], counts: _Counts) -> list[Rule]:
    """Return the rules for fields: the slot of each on most of the pages that have the field."""
    rules = []
    for role in ROLES:
        having, node, words = _place_of(role, tree, pages)
        often = having >= _LEAST_PAGES * len(pages) and len(words) >= min(
            _FEWEST_FIELD_RULES, having
        )
        known = [one for one in words if one]
        is_alike = len(set(known)) <= _OWN * len(known) and len(known) > 1
        if not words or not often or (role in _OF_A_PAGE and is_alike):
            continue
        share = len(words) / having
        if share >= _LEAST_PAGES and counts.elements[node] <= _MOST_NAMED * len(pages):
            rules.append(
                Rule(
                    kind=role,
                    select=tree.fitting(node, {node})[0],
                    support=len(words),
                    confidence=round(share, 3),
                    **example_of(tree, pages, node),
                )
            )
    return rules


def _place_of(
    role: str, tree: SlotTree, pages: Sequence[PageSummary]
) -> tuple[int, int, list[str]]:
    """Return how many pages have a field, the node where most have it, and what these say there.

    "" where unknown. Of a field whose value is the page's alone, the node counts for most that says
    the most different things.
    """
    found: dict[int, list[str]] = defaultdict(list)
    having = 0
    for page in pages:
        slots = {slot: None for name, slot in page.roles.items() if role_of(name) == role}
        having += bool(slots)
        for slot in slots:
            words = page.words.get(slot, "")
            found[tree.number[slot]].append(picture_key(words) if role == "image" else words)
    size = (lambda words: (len(set(words)), len(words))) if role in _OF_A_PAGE else len
    node = max(found, key=lambda one: size(found[one]), default=-1)
    return having, node, found[node]


RULE_COST: Final = 0.01
"""Cost of a rule: the share of a page's content, in the mean over the template's pages, whose label
it must correct."""
_LEAF_COST: Final = 3.0
"""Cost, in rules, of a content rule for a paragraph, a heading or a list item instead of its
container: the next page may have other elements there."""
_LEAST_RIGHT: Final = 0.6
"""Least share of the text in the selected elements that a rule labels right; else it isn't made."""
_ROUNDS: Final = 8
_TIE: Final = 1e-9
_RECORDS: Final = 4.0  # mean number of a slot's elements on a page from which they can be records
_RECORD_SHARE: Final = 0.6  # least share of the kept text in records, for the template to be a list
_ALONE: Final = 0.95
"""Least elements around those of a record, for each to have one: a share of their number."""
_LINKED: Final = 0.2
"""Least link density of records, which tells them from the paragraphs of an article."""


def learn_rules(
    pages: Sequence[PageSummary], keeps: Sequence[Mask], steps: Mapping[int, SlotStep]
) -> tuple[Rule, ...]:
    """Return the rules of a template; of a single page nothing is learned.

    ``keeps`` are bool[m] of each page, its content blocks.
    """
    if len(pages) < LEAST_PAGES:
        return ()
    wanted = {int(slot) for page in pages for slot in page.slots}
    wanted.update(slot for page in pages for slot in page.roles.values())
    tree = SlotTree.of(steps, wanted)
    counts = _counted(tree, pages, keeps)
    rare = counts.having < min(2, len(pages) - 1)
    each = RULE_COST * len(pages)
    leaf = np.array([node.tag not in BLOCKS for node in tree.nodes], dtype=bool)
    cost = np.where(rare, np.inf, [np.full(len(rare), each), np.where(leaf, _LEAF_COST, 1) * each])
    for _ in range(_ROUNDS):
        label, changes = _labelled(tree, counts.wrong, cost)
        rules, wrong = _selected(tree, pages, label, changes, counts)
        if not wrong:
            break
        cost[:, wrong] = np.inf
    rules += field_rules(tree, pages, counts)
    if (node := _record(tree, len(pages), counts, label)) >= 0:
        select = tree.fitting(node, {node})[0]
        example = example_within(tree, pages, {node}, counts.wrong[0])
        rules.append(Rule(kind=RECORD, select=select, support=len(pages), **example))
    return tuple(rules)


def _labelled(tree: SlotTree, wrong: Masses, cost: Masses) -> tuple[NDArray[np.int8], list[int]]:
    """Return int8[k], 1 for content, and the nodes where the label changes, from the root down.

    ``cost`` is float64[2, k], that of a change to «drop» and to «content» at each node: infinite
    where no rule shall be made: a single page has the node, or no selector fits it.
    """
    best = wrong.copy()
    for node in range(len(tree.nodes) - 1, 0, -1):
        if (up := tree.nodes[node].up) >= 0:
            stay, change = best[:, node], best[::-1, node] + cost[::-1, node]
            best[:, up] += np.minimum(stay, change)
    label = np.zeros(len(tree.nodes), dtype=np.int8)
    changes = []
    for node in range(len(tree.nodes)):
        up = tree.nodes[node].up
        above = int(label[up]) if up >= 0 else 0
        changed = best[above, node] - best[1 - above, node] - cost[1 - above, node] > _TIE
        label[node] = 1 - above if changed else above
        if changed:
            changes.append(node)
    return label, changes


def _selected(
    tree: SlotTree,
    pages: Sequence[PageSummary],
    label: NDArray[np.int8],
    changes: list[int],
    counts: _Counts,
) -> tuple[list[Rule], list[int]]:
    """Return one rule for each change, or one for several that share a selector.

    And the nodes of those rules that would label too much text wrong.
    """
    rules, wrong, left = [], [], set(changes)
    inside = _inside(tree, counts.wrong)
    for node in changes:
        if node not in left:
            continue
        is_content = int(label[node])
        select, matched = tree.fitting(node, set(np.flatnonzero(label == is_content).tolist()))
        tops = [n for n in matched if not matched.intersection(tree.above(n))]
        right, all_of = inside[1 - is_content][tops].sum(), inside[:, tops].sum()
        if not tops or right < _LEAST_RIGHT * all_of:
            wrong.append(node)
            continue
        left -= matched
        rules.append(
            Rule(
                kind="content" if is_content else "drop",
                select=select,
                support=int(counts.having[tops].max()),
                confidence=round(float(right / all_of) if all_of else 1.0, 3),
                **example_within(tree, pages, frozenset(tops), counts.wrong[1 - is_content]),
            )
        )
    return rules, wrong


def _inside(tree: SlotTree, own: Masses) -> Masses:
    """Return float64[…, k]: the sums of ``own`` over each node and its descendants."""
    sums = own.copy()
    for node in range(len(tree.nodes) - 1, 0, -1):
        if (up := tree.nodes[node].up) >= 0:
            sums[..., up] += sums[..., node]
    return sums


def _record(tree: SlotTree, pages: int, counts: _Counts, label: NDArray[np.int8]) -> int:
    """Return the node of the records, if a template of so many pages is a list; else -1.

    It is the outermost around the first that fits with as many elements, each with one of its own:
    a record is the whole entry, with what is dropped in it, such as its date.
    """
    elements = counts.elements
    inside, in_links = _inside(tree, counts.kept), _inside(tree, counts.linked)
    many = elements >= _RECORDS * pages
    most = inside >= _RECORD_SHARE * max(inside.max(initial=0), 1)
    fit = np.flatnonzero(many & most & (label == 1) & (in_links >= _LINKED * inside)).tolist()
    if not fit:
        return -1
    node: int = fit[0]
    up = tree.nodes[node].up
    while up >= 0 and _ALONE * elements[node] <= elements[up] <= elements[node]:
        node, up = up, tree.nodes[up].up
    return node


_WORD_LEVEL: Final = re.compile(r"[A-Za-z][\w-]{1,30}")


def learn_templates(
    kept: Iterable[PageSummary], steps: Mapping[int, SlotStep], *, before: Sequence[Template] = ()
) -> tuple[Template, ...]:
    """Return the templates of a site, the largest first, learned from the pages of its sample.

    Those of the earlier model, ``before``, keep their names, sketches and rules by hand.
    """
    pages = sorted(kept, key=lambda page: page.key)
    leaders = SiteModel(templates=tuple(before)).leaders
    groups: dict[int, list[PageSummary]] = {}
    for page in pages:
        number, alike = nearest(page.sketch, leaders)
        if alike < SAME_TEMPLATE:
            number, leaders = len(leaders), np.vstack([leaders, page.sketch])
        groups.setdefault(number, []).append(page)
    order = sorted(groups, key=lambda number: (-len(groups[number]), number))
    taken = {template.name for template in before}
    out = []
    for number in order:
        members = groups[number] = distinct(groups[number])
        earlier = before[number] if number < len(before) else None
        name = earlier.name if earlier else _name(members, taken)
        taken.add(name)
        one = _learned(name, members, steps, leaders[number], len(members) / len(pages))
        by_hand = tuple(r for r in earlier.rules if r.by_hand) if earlier else ()
        out.append(replace(one, rules=(*one.rules, *by_hand)))
    return (*out, *(template for n, template in enumerate(before) if n not in groups))


def _learned(
    name: str,
    pages: Sequence[PageSummary],
    steps: Mapping[int, SlotStep],
    sketch: Hashes,
    share: float,
) -> Template:
    tables = tables_of(pages)
    whole = tables[WHOLE]
    keeps = [classify_blocks(page, tables) for page in pages]
    alike = likeness(sketch, np.stack([page.sketch for page in pages]))
    return Template(
        name=name,
        pages=len(pages),
        share=round(share, 4),
        page=pages[int(np.argmax(alike))].url,
        sketch=sketch,
        likeness=_mean(alike),
        known=_mean(_share(page, whole.values(page.places, "having")[0] > 1) for page in pages),
        kept=_mean(map(_share, pages, keeps)),
        signs=(),
        rules=learn_rules(pages, keeps, steps),
        tables=tables,
        keys=np.array([page.key for page in pages], dtype=np.uint64),
    )


def _mean(values: Iterable[float]) -> float:
    return round(float(np.mean([*values])), 4)


def _share(page: PageSummary, blocks: Mask) -> float:
    """Return the share of a page's text that stands in some of its blocks, bool[m]."""
    length = page.length.astype(np.float64)
    return float(length[blocks].sum() / max(length.sum(), 1))


def classify_blocks(page: PageSummary, tables: Mapping[str, PageTables]) -> Mask:
    """Return bool[m]: the blocks of a learned page that are content, by its template's tables."""
    if not len(page):
        return np.zeros(0, dtype=bool)
    probability = BlockEvidence.of(page, tables, own=True).probability(shipped_weights())
    return choose(probability, page.length.astype(np.float32), page.slot.astype(np.int32)).keep


def _name(pages: Sequence[PageSummary], taken: AbstractSet[str]) -> str:
    """Return a name for a template: the first directory of most addresses, or the page type.

    Where the directory's name is taken both, and where that is taken, too, with a number.
    """
    said = (_word(page.url) for page in pages), (page.kind for page in pages)
    most = (Counter(some).most_common(1)[0] for some in said)
    word, kind = (name if 2 * many > len(pages) else "" for name, many in most)
    names = [one for one in (word, f"{word}-{kind}" if word and kind else kind) if one]
    base = (names or ["pages"])[-1]
    numbered = (f"{base}-{number}" for number in numbers(2))
    return next(one for one in chain(names, [base], numbered) if one not in taken)


def _word(url: str) -> str:
    """Return the first directory of an address that is a word; "" for none."""
    parts = split_url(url)
    levels = parts.path.split("/")[:-1] if parts else []
    return next((level for level in levels if _WORD_LEVEL.fullmatch(level)), "")


AnySite = TypeVar("AnySite", bound=SiteModel)


def relearned(site: AnySite, statistics: Statistics) -> AnySite:
    """Return ``site`` learned anew from statistics; names and rules by hand stay."""
    history = tuple(Learning(date, count) for date, count in sorted(statistics.pages.items()))
    hosts = {host: count for host, count in statistics.hosts.items() if host}
    return replace(
        site,
        host=site.host or max(sorted(hosts), key=hosts.__getitem__, default=""),
        templates=learn_templates(statistics.kept, statistics.steps, before=site.templates),
        title_boilerplate=title_boilerplate(statistics.kept),
        history=history,
        statistics=statistics,
        usage=Usage(),
    )
