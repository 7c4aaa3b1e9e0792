"""The decision: from the scores of the text blocks to what is kept, rule after rule.

`RULES` is the one list of the rules, in the order in which `settle` runs them: those that change
scores, the choice by expected F measure, those that add to what is kept or drop from it, and images
last. `trace` records what each of them did.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from chaffinch import kernels
from chaffinch.decision.boilerplate import (
    LINK_SHARE,
    LINKED,
    HiddenText,
    advertisements,
    closing_cards,
    closing_notices,
    data_of_scripts,
    lone_links,
    page_chrome,
    related_labels,
    related_texts,
)
from chaffinch.decision.boilerplate import PAGE_TYPES as OF_RUNNING_TEXT
from chaffinch.decision.declared import PAGE_TYPES as OF_ONE_PRODUCT
from chaffinch.decision.declared import product_facts, recipe_parts
from chaffinch.decision.discussions import PAGE_TYPES as OF_ANSWERS
from chaffinch.decision.discussions import PAGE_TYPES_COMMENTS as OF_ONE_TEXT
from chaffinch.decision.discussions import (
    closing_comments,
    comments_on_a_text,
    discussion,
    questions_and_answers,
    solutions,
    thread_posts,
)
from chaffinch.decision.enclosed import announced_lists, contents_of_manual, labels_of_contents
from chaffinch.decision.parameters import parameters
from chaffinch.decision.policy import Policy
from chaffinch.decision.policy_parts import (
    apply_policy,
    kept_title,
    lead_below_title,
    standfirsts,
)
from chaffinch.decision.repeated import LISTS as OF_LISTS
from chaffinch.decision.repeated import PAGE_TYPES as OF_SHOPS
from chaffinch.decision.repeated import (
    next_articles,
    other_products,
    prices_of_entries,
    products_left_out,
    repeated_passages,
    repeated_texts,
    texts_of_entries,
    titles_of_entries,
)
from chaffinch.decision.scores import (
    LOWEST,
    atomic_element_of,
    choose,
    expected_f1,
    raised_in_widgets,
)
from chaffinch.decision.structure import PAGE_TYPES as OF_SECTIONS
from chaffinch.decision.structure import (
    between_kept,
    data_lists,
    headings_above_kept,
    headings_of_dropped,
    kept_media,
    named_titles,
    notes,
    plain_siblings,
    quotations,
    tables_and_code,
)
from chaffinch.model.features import Features
from chaffinch.page.arrays import Floats, Mask, frozen
from chaffinch.verdict import BlockExplanation, Contribution, RuleChange

ARTICLE: Final = "article"
THREAD: Final = "forum"
MANUAL: Final = "documentation"
SURE: Final = 0.7
"""Least probability of a page type where a rule acts on pages of that type alone."""
_NOTHING: Final = frozen(np.zeros(0, dtype=bool))


def _nothing() -> Mask:
    return _NOTHING


@dataclass(slots=True, eq=False)
class Draft:
    """The decision as far as the rules that ran have brought it, for m blocks of n rows.

    Attributes:
        features: the features of the blocks.
        score: float[m] in 0..1, probability that each block is content.
        beta: weight of recall against precision.
        kind: the page's type.
        certainty: its probability in 0..1.
        policy: what counts as content; None for scores alone.
        keep: bool[m], the blocks that are kept; bool[0] before the choice.
        threshold: the score from which blocks were chosen, in 0..1.
        guessed: whether no block was likely, so that the likeliest part was chosen.
        media: bool[n], rows without text that are kept; bool[0] before their rule.
        template: bool[m], blocks that are known to be of the site's template, so that no other
            block speaks for them; bool[0] for none.
        hidden: what of the page a browser doesn't show; None before its rule.
        adverts: bool[n], rows in advertisements; None for none, and before their rule.
        notices: blocks that are notices; none before their rule.
    """

    features: Features
    score: NDArray[np.floating]
    beta: float = 1.0
    kind: str = ARTICLE
    certainty: float = 0.0
    policy: Policy | None = None
    keep: Mask = field(default_factory=_nothing)
    threshold: float = 1.0
    guessed: bool = False
    media: Mask = field(default_factory=_nothing)
    template: Mask = field(default_factory=_nothing)
    hidden: HiddenText | None = None
    adverts: Mask | None = None
    notices: list[int] = field(default_factory=list)


@dataclass(frozen=True, eq=False)
class Rule:
    """One rule of the decision: a row of `RULES`.

    Attributes:
        name: its name, that of the idea in the documentation.
        effect: what it does, in one line.
        find: finds bool[m], the blocks that it adds to what is kept or drops from it; None for
            none, and where the rule changes the draft by itself.
        drops: whether what it finds is dropped.
        kinds: the page types on which it runs; all where there are none.
        least: the least probability of the page's type with which it runs.
        by_policy: whether it runs only where there is a policy, not for scores alone.
    """

    name: str
    effect: str
    find: Callable[[Draft], Mask | None]
    drops: bool = False
    kinds: tuple[str, ...] = ()
    least: float = 0.0
    by_policy: bool = False


OF_NAMED_TITLES: Final = ("product", "service", "collection")
"""Page types on which a line is a heading by its name; elsewhere so are bylines and dates."""
LEAST_LEAD, LEAST_ASKED = 0.15, 0.03
"""Least score of such a sentence, and of what people answer below."""
UNSURE: Final = 0.5
"""Probability of a page's type below which it counts as any."""
MOST_EMPTY: Final = 0.3
"""Share of the kept words up to which headings of dropped text may go; on products they are those
of other products, however many."""
PULL: Final = 0.7
"""The part of the way to the mean of its group by words that a score moves. Chosen on two folds of
the training corpora."""
CHOICE: Final = "expected F measure"
"""Name of the rule that chooses by scores alone."""


def _similar_blocks(draft: Draft) -> None:
    found, alone = draft.features, draft.score
    if not draft.template.any():
        draft.score = kernels.pulled_to_means(found.group, found.units, alone, PULL)
        return
    units = np.where(draft.template, np.float32(0), found.units)
    score = kernels.pulled_to_means(found.group, units, alone, PULL)
    draft.score = np.where(draft.template, alone, score)


def _atomic_elements(draft: Draft) -> None:
    found = draft.features
    element = atomic_element_of(found.blocks, lists=draft.kind != THREAD)
    if element is not None:
        own = draft.score.astype(np.float64, copy=False)
        draft.score = kernels.pulled_to_means(element, found.units, own, 1).astype(np.float32)


def _widgets(draft: Draft) -> None:
    found = draft.features
    draft.score = raised_in_widgets(draft.score, found.units, found.blocks, found.names)


def _notices(draft: Draft) -> None:
    found, is_list = data_of_scripts(draft.features.blocks), draft.kind in OF_LISTS
    if draft.policy is not None:
        calls = draft.kind == ARTICLE
        closing = closing_notices(draft.features, draft.score, notices=not is_list, calls=calls)
        found, draft.notices = (found, closing) if is_list else (found + closing, [])
    if found:
        draft.score = draft.score.copy()
        draft.score[found] = 0
    draft.notices += found


def _choice(draft: Draft) -> None:
    found = draft.features
    draft.score = draft.score.astype(np.float32, copy=False)
    choice = choose(draft.score, found.units, found.group, beta=draft.beta)
    draft.keep, draft.threshold, draft.guessed = choice.keep, choice.threshold, choice.guessed


def _hidden_text(draft: Draft) -> None:
    """Drop what isn't shown, before what is shown could be taken for its double."""
    policy = draft.policy
    if policy is not None and not policy.hidden:
        draft.hidden = HiddenText(draft.features, folds=policy.hidden is False)
        draft.keep = draft.hidden.without(draft.keep)


def _hidden_additions(draft: Draft) -> None:
    if draft.hidden is not None:
        draft.keep = draft.hidden.without(draft.keep)


def _tables_and_code(draft: Draft) -> Mask | None:
    policy, balanced = draft.policy, draft.beta >= 1
    is_open = balanced and policy is not None and policy.tables is None
    blocks, keep = draft.features.blocks, draft.keep
    mask = tables_and_code(blocks, tables=is_open and draft.kind != THREAD, code=balanced)
    mask = None if mask is None else between_kept(blocks, mask, keep)
    has_terms = draft.kind in OF_ANSWERS and draft.kind != ARTICLE
    if is_open and (has_terms or draft.certainty < UNSURE):
        lists = data_lists(blocks, keep, reach=5 if draft.kind in OF_ONE_PRODUCT else 3)
        mask = lists if mask is None else mask if lists is None else mask | lists
    return None if mask is None else mask & (draft.score >= LOWEST)


def _parameters(draft: Draft) -> Mask | None:
    policy, is_list = draft.policy, draft.kind in (*OF_LISTS, THREAD)
    if draft.beta < 1 or policy is None or policy.tables is not None:
        return None
    if is_list and draft.certainty >= UNSURE:
        return None
    found = draft.features
    linked = found.numbers[:, LINK_SHARE] > 0
    return parameters(found.blocks, draft.score, linked, ~draft.keep, kind=draft.kind)


def _questions(draft: Draft) -> Mask | None:
    found, keep, added = draft.features, draft.keep, None
    if draft.kind in OF_ANSWERS or draft.certainty < SURE:
        opened = draft.kind not in OF_ANSWERS
        added = questions_and_answers(found, draft.score, keep, opened=opened)
    keep = keep if added is None else keep | added
    solved = solutions(found.blocks, found.units, keep)
    return added if solved is None else solved if added is None else added | solved


def _lead(draft: Draft) -> Mask | None:
    found, is_thread = draft.features, draft.kind == THREAD
    if draft.kind == ARTICLE and (lead := standfirsts(found, draft.keep)) is not None:
        return lead
    if draft.certainty >= UNSURE and draft.kind in (ARTICLE, MANUAL):
        return None
    may = draft.score >= (LEAST_ASKED if is_thread else LEAST_LEAD)
    lead = lead_below_title(found.blocks, found.units, may, draft.keep)
    if lead is None or not is_thread:
        return lead
    posts = discussion.posts(found.blocks.page)
    if any(post.kind == "answer" for post in posts):
        return lead
    return None if posts or draft.certainty >= UNSURE else lead & (draft.score >= LEAST_LEAD)


def _announced_lists(draft: Draft) -> Mask | None:
    given = draft.features.blocks, draft.score, draft.features.units, draft.keep
    found = announced_lists(*given, closing=draft.beta >= 1)
    return found & ~draft.template if found is not None and draft.template.any() else found


def _headings(draft: Draft) -> Mask | None:
    found = draft.features
    units = found.units if draft.kind in OF_SECTIONS else None
    if draft.policy is not None and draft.kind in OF_NAMED_TITLES:
        titles = named_titles(found.blocks, draft.score, found.units, draft.keep)
        draft.keep = draft.keep if titles is None else draft.keep | titles
    return headings_above_kept(found.blocks, draft.score, draft.keep, draft.threshold, units=units)


def _advertisements(draft: Draft) -> Mask | None:
    mask = None
    if draft.policy is not None and draft.kind not in OF_LISTS:
        mask, draft.adverts = advertisements(draft.features, draft.keep)
    if draft.notices and draft.keep[draft.notices].any():  # what stands around them spoke for them
        mask = np.zeros(len(draft.keep), dtype=bool) if mask is None else mask
        mask[draft.notices] = True
    return mask


def _related_texts(draft: Draft) -> Mask | None:
    page = draft.features.blocks.page
    if draft.kind in OF_LISTS and draft.certainty >= UNSURE:
        return None
    if draft.kind == THREAD and discussion.posts(page):
        return None
    return related_texts(draft.features, draft.keep, named=draft.kind in OF_RUNNING_TEXT)


def _repeated_passages(draft: Draft) -> Mask | None:
    if draft.kind == THREAD:
        return None
    return repeated_passages(draft.features, draft.keep, single=draft.kind != ARTICLE)


def _thread_posts(draft: Draft) -> None:
    # what is certain was told by the posts themselves, or the network is as sure as that
    found = thread_posts(draft.features, draft.keep, shown=draft.certainty == 1)
    if found is not None:
        draft.keep = found if draft.certainty >= SURE else draft.keep & found


def _title(draft: Draft) -> Mask | None:
    if draft.policy is None or draft.policy.headline:
        return None
    found = draft.features
    return kept_title(found.blocks, found.units, draft.keep, short=draft.kind in OF_SECTIONS)


def _reader_comments(draft: Draft) -> Mask | None:
    policy = draft.policy
    if policy is None or policy.comments:
        return None
    found, keep = draft.features, draft.keep
    if draft.kind == THREAD:
        return comments_on_a_text(found, keep)
    if policy.comments is None and (draft.kind not in OF_ONE_TEXT or draft.certainty < SURE):
        return None
    return closing_comments(found, keep)


def _entry_prices(draft: Draft) -> Mask | None:
    found, is_list = draft.features, draft.kind in OF_LISTS
    if draft.policy is None or not (is_list or draft.certainty < SURE):
        return None
    if is_list and (left := products_left_out(found, draft.keep, draft.score)) is not None:
        draft.keep = draft.keep | left
    return prices_of_entries(found, draft.keep, draft.score, listed=is_list)


def _entries(draft: Draft) -> Mask | None:
    is_thread, found = draft.kind == THREAD, draft.features
    is_list = draft.kind in OF_LISTS
    if draft.policy is None or (is_thread and discussion.posts(found.blocks.page)):
        return None
    if is_list and draft.certainty >= UNSURE:
        texts = texts_of_entries(found, draft.keep)
        draft.keep = draft.keep if texts is None else draft.keep | texts
    by_links = not is_thread and (is_list or draft.certainty < SURE)
    alone = found.numbers[:, LINK_SHARE] > LINKED if by_links else None
    return titles_of_entries(found, draft.keep, alone, listed=is_list)


def _empty_sections(draft: Draft) -> Mask | None:
    """Drop headings without text, but where a text is a row of headings, each with a picture."""
    found, labels = draft.features, labels_of_contents(draft.features.blocks, draft.keep)
    keep = draft.keep if labels is None else draft.keep & ~labels
    heads, words = headings_of_dropped(found.blocks, keep), found.units
    if heads is None:
        return labels
    is_many = words[heads].sum() > MOST_EMPTY * words[keep].sum()
    if is_many and draft.kind not in OF_ONE_PRODUCT:
        heads = related_labels(found.blocks, heads)
    return heads if labels is None else heads | labels


def _policy(draft: Draft) -> None:
    policy = draft.policy
    if policy is None:
        return
    if draft.kind == THREAD and not policy.comments:  # whose posts aren't comments to drop
        policy = replace(policy, comments=None)
    draft.keep = apply_policy(draft.features.blocks, draft.keep, policy)


def _media(draft: Draft) -> None:
    media = kept_media(draft.features.blocks, draft.features.units, draft.keep)
    draft.media = media if draft.adverts is None else media & ~draft.adverts


RULES: Final = (
    Rule(
        "similar blocks",
        "scores move towards the mean of the blocks in elements with the same tags and names",
        _similar_blocks,
    ),
    Rule(
        "atomic elements",
        "the blocks of a list (but in a thread), a data table or code share their mean score",
        _atomic_elements,
    ),
    Rule(
        "expandable widgets",
        "the blocks of tabs and accordions get at least the mean score of their widget",
        _widgets,
    ),
    Rule(
        "notices",
        "closing lines with rights or disclaimers go, on articles calls to readers, and JSON",
        _notices,
    ),
    Rule(
        CHOICE,
        "blocks over the best threshold are kept; where none is likely, the likeliest part",
        _choice,
    ),
    Rule(
        "hidden text",
        "what a browser doesn't show is dropped, but what a control of the page opens",
        _hidden_text,
    ),
    Rule(
        "tables and code",
        "data tables and code between kept blocks, and lists of terms below, unless surely noise",
        _tables_and_code,
    ),
    Rule(
        "parameters",
        "names with values are kept on a page of one product, or where they name parameters",
        _parameters,
        by_policy=True,
    ),
    Rule(
        "plain siblings",
        "blocks without links, class or id between kept siblings are kept at a lower score",
        lambda d: plain_siblings(d.features.blocks, d.score, d.keep),
        by_policy=True,
    ),
    Rule(
        "questions",
        "questions with their answers, three or more, are kept near kept text; so are solutions",
        _questions,
        by_policy=True,
    ),
    Rule(
        "lead",
        "a sentence below the headline, but on articles; there, a declared or named one",
        _lead,
        by_policy=True,
    ),
    Rule(
        "announced lists",
        "a list goes with the line above it that ends with a colon; likely text, with both sides",
        _announced_lists,
        by_policy=True,
    ),
    Rule(
        "contents of manuals",
        "a list between kept texts that says more than half of what they say is kept",
        lambda d: contents_of_manual(d.features.blocks, d.features.units, d.keep),
        kinds=(MANUAL,),
        least=UNSURE,
        by_policy=True,
    ),
    Rule(
        "notes",
        "notes to which a mark in kept text leads, and that lead back to it, are kept",
        lambda d: notes(d.features.blocks, d.keep),
        kinds=(ARTICLE, MANUAL),
        by_policy=True,
    ),
    Rule(
        "headings",
        "a heading above kept text is kept at a lower score; in shops, so is a line named title",
        _headings,
    ),
    Rule(
        "page chrome",
        "footers, menus, dialogs, options and buttons are dropped, on lists boxes of filters, too",
        lambda d: page_chrome(d.features, d.keep, filters=d.kind in OF_LISTS),
        drops=True,
    ),
    Rule(
        "quotations",
        "who says what is quoted stays with it, and a quotation between kept texts with these",
        lambda d: quotations(d.features.blocks, d.score, d.keep),
        kinds=(*OF_ONE_TEXT, *OF_RUNNING_TEXT),
        by_policy=True,
    ),
    Rule(
        "advertisements",
        "advertisements are dropped that are named or labelled as such, but on lists",
        _advertisements,
        drops=True,
    ),
    Rule(
        "repeated passages",
        "a passage that stands on the page twice is kept once, but in threads, tabs and plans",
        _repeated_passages,
        drops=True,
    ),
    Rule(
        "next articles",
        "texts with an h1 and a date of their own, below that of the page's title, are dropped",
        lambda d: next_articles(d.features.blocks, d.keep),
        drops=True,
        kinds=(ARTICLE,),
        least=SURE,
    ),
    Rule(
        "repeated products",
        "a text that a shop's page repeats is kept once, but in entries and lists that say more",
        lambda d: repeated_texts(d.features.blocks, d.keep),
        drops=True,
        kinds=OF_SHOPS,
    ),
    Rule(
        "other products",
        "three or more like elements that show other products with prices are dropped",
        lambda d: other_products(d.features, d.keep),
        drops=True,
        kinds=OF_ONE_PRODUCT,
        least=UNSURE,
    ),
    Rule(
        "lone links",
        "a line that is a short link alone is dropped from articles and services",
        lambda d: lone_links(d.features, d.keep),
        drops=True,
        kinds=OF_RUNNING_TEXT,
    ),
    Rule(
        "related texts",
        "links to other texts behind a label such as Read also, and boxes of them, are dropped",
        _related_texts,
        drops=True,
    ),
    Rule(
        "closing cards",
        "cards below an article, each with a headline and an excerpt of another, are dropped",
        lambda d: closing_cards(d.features, d.keep),
        drops=True,
        kinds=(ARTICLE,),
        least=UNSURE,
    ),
    Rule(
        "recipe parts",
        "ingredients and steps are kept where the page declares a recipe and shows their texts",
        lambda d: recipe_parts(d.features.blocks, d.keep),
        by_policy=True,
    ),
    Rule(
        "product facts",
        "price, variants, description and specification of the own product are kept as declared",
        lambda d: product_facts(d.features, d.keep, d.score),
        kinds=OF_ONE_PRODUCT,
        least=SURE,
        by_policy=True,
    ),
    Rule(
        "entry prices",
        "products of a list that keeps none, and prices of entries of which something is kept",
        _entry_prices,
    ),
    Rule(
        "entries",
        "titles of a list's entries are kept where something of them is, texts where others are",
        _entries,
    ),
    Rule(
        "thread posts",
        "of a thread's posts the bodies are kept, where some of them are, and nothing else",
        _thread_posts,
        kinds=(THREAD,),
        by_policy=True,
    ),
    Rule(
        "title",
        "a heading that repeats the page's title is dropped: outputs with headings begin with it",
        _title,
        drops=True,
    ),
    Rule(
        "reader comments",
        "comments and reviews that end the text of an article, product or manual are dropped",
        _reader_comments,
        drops=True,
    ),
    Rule(
        "empty sections",
        "a heading goes where all text of its section was dropped",
        _empty_sections,
        drops=True,
        kinds=OF_ONE_TEXT,
        least=UNSURE,
    ),
    Rule(
        "policy",
        "parts found by their structure are kept or dropped where the policy has a value",
        _policy,
    ),
    Rule(
        "hidden additions",
        "the same holds for what was added since",
        _hidden_additions,
    ),
    Rule(
        "attached media",
        "images and other rows without text are kept where they stand with kept text",
        _media,
    ),
)
"""All rules, in the order in which they run."""


_LEASTS: Final = tuple(sorted({rule.least for rule in RULES}))


@lru_cache(maxsize=256)
def _acting(
    rules: tuple[Rule, ...], kind: str, least: float, *, has_policy: bool
) -> tuple[tuple[Callable[[Draft], Mask | None], bool], ...]:
    """Return how those of ``rules`` find that run on pages of a type, and whether they drop that.

    ``least`` is that of `_LEASTS` that the type's probability reaches.
    """
    return tuple(
        (rule.find, rule.drops)
        for rule in rules
        if (has_policy or not rule.by_policy)
        and (not rule.kinds or kind in rule.kinds)
        and rule.least <= least
    )


def run(rules: tuple[Rule, ...], draft: Draft) -> None:
    """Run ``rules``, one after the other, on ``draft``; some of `RULES` to measure the others."""
    least = _LEASTS[bisect_right(_LEASTS, draft.certainty) - 1]
    for find, drops in _acting(rules, draft.kind, least, has_policy=draft.policy is not None):
        found = find(draft)
        if found is not None:
            draft.keep = draft.keep & ~found if drops else draft.keep | found


@dataclass(eq=False)  # a frozen one sets each field by a call
class Decision:
    """What is kept of a page of m blocks and n rows.

    Attributes:
        keep: bool[m], the blocks that are kept.
        media: bool[n], rows without text that are kept with them.
        hidden: bool[n], rows of kept blocks that aren't shown, and not kept; None for none.
        expected: expected F1 of the kept blocks in 0..1, not calibrated.
        guessed: whether no block was likely, so that the likeliest part was chosen.
    """

    keep: Mask
    media: Mask
    expected: float
    guessed: bool
    hidden: Mask | None = None


def settle(draft: Draft) -> Decision:
    """Return the decision that all rules come to from ``draft``, before which none ran."""
    score = draft.score
    run(RULES, draft)
    expected = expected_f1(score, draft.features.units, draft.keep)
    hidden = None if draft.hidden is None else draft.hidden.rows
    return Decision(draft.keep, draft.media, expected, draft.guessed, hidden)


@dataclass(frozen=True, eq=False)
class Trace:
    """What r rules did to m blocks, one after the other.

    Attributes:
        rules: the rules, in their order.
        scores: float32[r + 1, m] in 0..1, the scores before the first rule and after each.
        keeps: bool[r + 1, m], the blocks kept likewise; none before the choice.
        choice: number of the rule that chose first what is kept.
        threshold: the score from which it did, 0..1.
        guessed: whether no block was likely, so that the likeliest part was chosen.
    """

    rules: tuple[Rule, ...]
    scores: Floats
    keeps: NDArray[np.bool_]
    choice: int
    threshold: float
    guessed: bool

    def deciding(self) -> NDArray[np.intp]:
        """Return intp[m]: the rule that decided each block.

        It is the last one that kept or dropped it; where none did after the choice, the last one
        that moved its score over the threshold, or under it; else the choice.
        """
        out = np.full(self.keeps.shape[1], self.choice, dtype=np.intp)
        chosen = self.keeps[self.choice + 1]
        if not self.guessed:
            over = self.scores[: self.choice + 1] >= np.float32(self.threshold)
            for number in range(self.choice):
                moved = (over[number] != over[number + 1]) & (over[number + 1] == chosen)
                out[moved & (over[-1] == chosen)] = number
            out[over[0] == chosen] = self.choice
        for number in range(self.choice + 1, len(self.rules)):
            out[self.keeps[number] != self.keeps[number + 1]] = number
        return out

    def explanations(
        self, contributions: Sequence[tuple[Contribution, ...]], slots: Sequence[str] = ()
    ) -> list[BlockExplanation]:
        """Return the explanation of each of m blocks.

        Args:
            contributions: what adds to the score of each, m of them.
            slots: the place of each in a site's template, m of them; none without a site model.
        """
        return [
            BlockExplanation(
                own_score=float(self.scores[0, block]),
                rule=self.rules[rule].name,
                effect=self.rules[rule].effect,
                threshold=self.threshold,
                changes=self._changes(block),
                contributions=contributions[block],
                slot=slots[block] if slots else "",
            )
            for block, rule in enumerate(self.deciding().tolist())
        ]

    def _changes(self, block: int) -> tuple[RuleChange, ...]:
        scores, keeps = self.scores[:, block].tolist(), self.keeps[:, block].tolist()
        return tuple(
            RuleChange(
                rule.name,
                rule.effect,
                scores[number],
                scores[number + 1],
                keeps[number + 1] if is_choice or keeps[number] != keeps[number + 1] else None,
            )
            for number, rule in enumerate(self.rules)
            if (is_choice := number == self.choice)
            or scores[number] != scores[number + 1]
            or keeps[number] != keeps[number + 1]
        )


def trace(draft: Draft) -> Trace:
    """Run all rules on ``draft``, before which none ran, and return what each of them did."""
    count = len(draft.score)
    scores = np.empty((len(RULES) + 1, count), dtype=np.float32)
    keeps = np.zeros((len(RULES) + 1, count), dtype=bool)
    scores[0] = draft.score
    choice = -1
    for number, rule in enumerate(RULES):
        run((rule,), draft)
        scores[number + 1] = draft.score
        if len(draft.keep):
            keeps[number + 1] = draft.keep
            choice = number if choice < 0 else choice
    return Trace(RULES, scores, keeps, choice, draft.threshold, draft.guessed)
