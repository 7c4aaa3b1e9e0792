"""The decision: from the scores of the text blocks to what is kept, rule after rule.

`RULES` is the one list of the rules, in the order in which `settle` runs them: those that change
scores, the choice by expected F measure, those that add to what is kept or drop from it, and images
last. `trace` records what each of them did.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import methodcaller
from typing import Final

import numpy as np
from numpy.typing import NDArray

from chaffinch.decision import (
    boilerplate,
    declared,
    discussions,
    enclosed,
    entries,
    headings,
    links_elsewhere,
    parameters,
    policy_parts,
    questions,
    repeated,
    scores,
    structure,
)
from chaffinch.decision.draft import (
    ARTICLE,
    MANUAL,
    OF_ONE_PRODUCT,
    OF_ONE_TEXT,
    OF_RUNNING_TEXT,
    OF_SHOPS,
    SURE,
    THREAD,
    UNSURE,
    Draft,
)
from chaffinch.kernels.arrays import Floats, Mask
from chaffinch.verdict import BlockExplanation, Contribution, RuleChange


@dataclass(frozen=True, eq=False)
class Rule:
    """One rule of the decision: a row of `RULES`."""

    name: str  # its name, that of the idea in the documentation
    effect: str  # what it does, in one line
    # finds bool[m], the blocks that it adds to what is kept or drops from it; None for none,
    # and where the rule changes the draft by itself
    find: Callable[[Draft], Mask | None]
    drops: bool = False  # whether what it finds is dropped
    kinds: tuple[str, ...] = ()  # the page types on which it runs; all where there are none
    least: float = 0.0  # the least probability of the page's type with which it runs
    by_policy: bool = False  # whether it runs only where there is a policy, not for scores alone


CHOICE: Final = "expected F measure"  # name of the rule that chooses by scores alone


RULES: Final = (
    Rule(
        "similar blocks",
        "scores move towards the mean of the blocks in elements with the same tags and names",
        scores.similar_blocks,
    ),
    Rule(
        "atomic elements",
        "the blocks of a list (but in a thread), a data table or code share their mean score",
        scores.atomic_elements,
    ),
    Rule(
        "expandable widgets",
        "the blocks of tabs and accordions get at least the mean score of their widget",
        scores.expandable_widgets,
    ),
    Rule(
        "notices",
        "closing lines with rights or disclaimers go, on articles calls to readers, and JSON",
        boilerplate.notices,
    ),
    Rule(
        CHOICE,
        "blocks over the best threshold are kept; where none is likely, the likeliest part",
        scores.choice,
    ),
    Rule(
        "hidden text",
        "what a browser doesn't show is dropped, but what a control of the page opens",
        policy_parts.hidden_text,
        drops=True,
    ),
    Rule(
        "tables and code",
        "data tables and code between kept blocks, tables and terms below, unless surely noise",
        structure.tables_and_code,
    ),
    Rule(
        "parameters",
        "names with values are kept on a page of one product, or where they name parameters",
        parameters.product_parameters,
        by_policy=True,
    ),
    Rule(
        "plain siblings",
        "blocks without links, class or id between kept siblings are kept at a lower score",
        structure.plain_siblings,
        by_policy=True,
    ),
    Rule(
        "questions",
        "questions with their answers, three or more, are kept near kept text; so are solutions",
        questions.questions,
        by_policy=True,
    ),
    Rule(
        "lead",
        "a sentence below the headline, but on articles; there, a declared or named one",
        policy_parts.lead,
        by_policy=True,
    ),
    Rule(
        "announced lists",
        "a list goes with the line above it that ends with a colon; likely text, with both sides",
        enclosed.announced_lists,
        by_policy=True,
    ),
    Rule(
        "notes",
        "footnotes to which a mark in kept text leads are kept: it is raised, or they lead back",
        structure.notes,
        kinds=(ARTICLE, MANUAL, THREAD, "listing"),
        by_policy=True,
    ),
    Rule(
        "headings",
        "a heading above kept text is kept at a lower score; in shops, so is a line named title",
        headings.headings,
    ),
    Rule(
        "manual text",
        "what stands between kept texts of a manual is kept: signatures, tables, notes",
        enclosed.text_of_manual,
        kinds=(MANUAL,),
        by_policy=True,
    ),
    Rule(
        "page chrome",
        "footers, menus, dialogs, tables of contents and buttons go, on lists filters, too",
        boilerplate.page_chrome,
        drops=True,
    ),
    Rule(
        "quotations",
        "who says what is quoted stays with it, and a quotation between kept texts with these",
        structure.quotations,
        kinds=(*OF_ONE_TEXT, *OF_RUNNING_TEXT),
        by_policy=True,
    ),
    Rule(
        "advertisements",
        "advertisements, named or labelled, forms to subscribe and legal notes are dropped",
        boilerplate.advertisements,
        drops=True,
    ),
    Rule(
        "hidden copies",
        "so is what was added since, before what is shown could be taken for its double",
        policy_parts.hidden_text,
        drops=True,
    ),
    Rule(
        "repeated passages",
        "what stands twice, or directly behind itself, is kept once, but in threads, tabs, plans",
        repeated.repeated_passages,
        drops=True,
    ),
    Rule(
        "next articles",
        "texts with an h1 and a date of their own, below that of the page's title, are dropped",
        repeated.next_articles,
        drops=True,
        kinds=(ARTICLE,),
        least=SURE,
    ),
    Rule(
        "repeated products",
        "a text that a shop's page repeats is kept once, but in entries and lists that say more",
        repeated.repeated_products,
        drops=True,
        kinds=OF_SHOPS,
    ),
    Rule(
        "other products",
        "three or more like elements that show other products with prices are dropped",
        entries.other_products,
        drops=True,
        kinds=OF_ONE_PRODUCT,
        least=UNSURE,
    ),
    Rule(
        "lone links",
        "short links alone go from articles and services, those that call everywhere",
        links_elsewhere.lone_links,
        drops=True,
    ),
    Rule(
        "related texts",
        "links to other texts behind a label such as Read also, and boxes of them, are dropped",
        links_elsewhere.related_texts,
        drops=True,
    ),
    Rule(
        "closing cards",
        "cards below a text or thread, each with a headline and an excerpt of another, go",
        links_elsewhere.closing_cards,
        drops=True,
        kinds=(ARTICLE, THREAD),
        least=UNSURE,
    ),
    Rule(
        "recipe parts",
        "ingredients and steps are kept where the page declares a recipe and shows their texts",
        declared.recipe_parts,
        by_policy=True,
    ),
    Rule(
        "product facts",
        "price, description and specification of the own product are kept as declared",
        declared.product_facts,
        kinds=OF_ONE_PRODUCT,
        least=SURE,
        by_policy=True,
    ),
    Rule(
        "entry prices",
        "titles of a list that keeps none, and prices of entries of which something is kept",
        entries.entry_prices,
    ),
    Rule(
        "entries",
        "titles of a list's entries are kept where something of them is, texts where others are",
        entries.entries,
    ),
    Rule(
        "times of entries",
        "times alone in a line above kept texts are kept, where three or more are alike",
        entries.times_of_entries,
        by_policy=True,
    ),
    Rule(
        "live posts",
        "posts of a live blog, three or more that a time begins, are kept beside kept text",
        entries.live_posts,
        by_policy=True,
    ),
    Rule(
        "thread posts",
        "of a thread's posts bodies and own titles are kept, where some of them are, nothing else",
        discussions.thread_posts,
        kinds=(THREAD,),
        by_policy=True,
    ),
    Rule(
        "title",
        "a heading that repeats the page's title is dropped: outputs with headings begin with it",
        policy_parts.title,
        drops=True,
    ),
    Rule(
        "reader comments",
        "comments and reviews that end the text of an article, product or manual are dropped",
        discussions.reader_comments,
        drops=True,
    ),
    Rule(
        "empty sections",
        "a heading goes where all its section was dropped; if unsure, one for links or a form",
        enclosed.empty_sections,
        drops=True,
    ),
    Rule(
        "policy",
        "parts found by their structure are kept or dropped where the policy has a value",
        policy_parts.parts,
    ),
    Rule(
        "hidden additions",
        "the same holds for what was added since",
        policy_parts.hidden_text,
        drops=True,
    ),
    Rule(
        "attached media",
        "images and other rows without text are kept where they stand with kept text",
        structure.media,
    ),
)
"""All rules, in the order in which they run."""


_LEASTS: Final = tuple(sorted({rule.least for rule in RULES}))


@lru_cache(maxsize=256)
def _acting(
    rules: tuple[Rule, ...], kind: str, least: float, *, has_policy: bool
) -> tuple[Rule, ...]:
    """Return those of ``rules`` that run on pages of a type.

    ``least`` is that of `_LEASTS` that the type's probability reaches.
    """
    return tuple(
        rule
        for rule in rules
        if (has_policy or not rule.by_policy)
        and (not rule.kinds or kind in rule.kinds)
        and rule.least <= least
    )


def run(rules: tuple[Rule, ...], draft: Draft) -> None:
    """Run ``rules``, one after the other, on ``draft``; some of `RULES` to measure the others."""
    least = _LEASTS[bisect_right(_LEASTS, draft.certainty) - 1]
    acting = _acting(rules, draft.kind, least, has_policy=draft.policy is not None)
    for rule, found in zip(acting, map(methodcaller("find", draft), acting), strict=True):
        if found is None:
            continue
        if rule.drops:
            draft.keep = draft.keep & ~found
        else:
            draft.keep = draft.keep | (found if draft.hidden is None else found & ~draft.hidden)


def settle(draft: Draft) -> Draft:
    """Run all rules on ``draft``, before which none ran, and return it."""
    score = draft.score
    run(RULES, draft)
    draft.expected = scores.expected_f1(score, draft.units, draft.keep)
    return draft


@dataclass(frozen=True, eq=False)
class Trace:
    """What r rules did to m blocks, one after the other."""

    rules: tuple[Rule, ...]  # the rules, in their order
    scores: Floats  # float32[r + 1, m] in 0..1, the scores before the first rule and after each
    keeps: NDArray[np.bool_]  # bool[r + 1, m], the blocks kept likewise; none before the choice
    choice: int  # number of the rule that chose first what is kept
    threshold: float  # the score from which it did, 0..1
    guessed: bool  # whether no block was likely, so that the likeliest part was chosen

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
        """Return the explanation of each of m blocks, with what adds to its score.

        ``slots`` are the place of each in a site's template; none without a site model.
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
