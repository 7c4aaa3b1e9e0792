"""What is measured of a page to tell what it is: sizes, forms, names, words, the head, the status.

Each signal is a number with a name, and has the rows that it was measured on, where there are such.
Lengths enter as logarithms. Signals of names and words count on full pages, too, and more on pages
with little content: each stands a second time, times `MeasuredPage.emptiness`, and a third time,
times `MeasuredPage.thinness`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from chaffinch.assessment.content_signals import (
    content_signals,
    frame_signals,
    heading_signals,
    teaser_signals,
)
from chaffinch.assessment.control_signals import control_signals
from chaffinch.assessment.cut_signals import cut_signals
from chaffinch.assessment.measured_page import LONG, MeasuredPage
from chaffinch.assessment.place_signals import place_signals
from chaffinch.assessment.shell import shell_features
from chaffinch.assessment.signal_values import first_rows, log_of, middling
from chaffinch.assessment.word_signals import name_signals, wall_signals, word_signals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.assessment.signal_values import Signal
    from chaffinch.model.weights import Model
    from chaffinch.page import Page

_STATUSES: Final = {
    "success": range(200, 300), "unauthorized": (401, 407, 511), "payment required": (402,),
    "refused": (403, 418, 429, 451), "missing": (400, 404, 405, 406, 409, 410),
    "server error": range(500, 511), "gateway error": range(520, 600),
}  # fmt: skip


def signals_of(
    page: Page, status: int | None = None, *, model: Model | None = None
) -> list[Signal]:
    """Return the signals of ``page``, always the same names in the same order.

    Args:
        page: the page; an empty one has all signals at what nothing gives.
        status: HTTP status of the response; None if unknown: then no status is signalled.
        model: page-level model that scores the blocks; None for that which comes with the package.
    """
    measured = MeasuredPage(page, model)
    named = [*name_signals(measured), *word_signals(measured)]
    controls = list(control_signals(measured))
    gated = [
        (f"{name}, little content", value * measured.emptiness, rows)
        for name, value, rows in [*named, *controls]
    ]
    gated += [(f"{name}, thin content", value * measured.thinness, ()) for name, value, _ in named]
    return [
        *_sizes(measured), *_scripts(measured), *_forms(measured), *named, *controls, *gated,
        *_declared(measured), *wall_signals(measured), *content_signals(measured),
        *teaser_signals(measured), *heading_signals(measured), *frame_signals(measured),
        *place_signals(measured), *cut_signals(measured), *_of_status(status),
    ]  # fmt: skip


def _sizes(found: MeasuredPage) -> Iterator[Signal]:
    page, prose = found.page, found.prose
    long = prose >= LONG
    yield "prose", log_of(prose[long].sum()), ()
    yield "prose outside chrome", log_of(found.main_prose), ()
    yield "text outside links", log_of(found.all_prose), ()
    outside = ~found.in_chrome
    yield "short text outside chrome", log_of(prose[outside & ~long].sum()), ()
    for least in (1, 150, 600, 1500, 4000):
        yield f"prose of {least} characters", float(found.main_prose >= least), ()
    yield "longest block", log_of(prose.max() if len(prose) else 0), ()
    yield "blocks of prose", log_of(long.sum()), ()
    yield "blocks", log_of(len(prose)), ()
    lengths, linked = found.blocks.length, found.blocks.link_length
    yield "text in links", log_of(linked.sum()), ()
    share = linked.sum() / max(int(lengths.sum()), 1)
    yield "share of text in links", float(share), ()
    links = linked * 2 > lengths
    yield "blocks of links", log_of(links.sum()), ()
    yield "rows", log_of(len(page)), ()
    for name, among in (("images", ("img", "picture")), ("tables", ("table",))):
        rows = np.flatnonzero(page.is_tag(*among)) if len(page) else np.zeros(0, np.intp)
        yield name, log_of(len(rows)), first_rows(rows)
    yield "prose below the first heading", log_of(_below_first_heading(found)), ()
    yield "headings", log_of(len(found.headings)), first_rows(found.headings)
    yield "emptiness", found.emptiness, ()
    yield "no text at all", float(found.all_prose + int(linked.sum()) == 0), ()


def _below_first_heading(found: MeasuredPage) -> float:
    """Return the prose between the first ``h1`` (else the first heading) and the next heading."""
    page, first = found.page, found.blocks.first
    if not found.headings:
        return 0.0
    start = next((row for row in found.headings if page.name(row) == "h1"), found.headings[0])
    stop = next((row for row in found.headings if row >= page.end[start]), len(page))
    between = (first >= page.end[start]) & (first < stop) & (found.prose >= LONG)
    return float(found.prose[between].sum())


def _scripts(found: MeasuredPage) -> Iterator[Signal]:
    shell = shell_features(found.page) if len(found.page) else None
    yield "scripts", log_of(shell.scripts if shell else 0), ()
    yield "placeholders", log_of(shell.placeholders if shell else 0), ()
    yield "noscript mentions JavaScript", float(bool(shell and shell.has_noscript_warning)), ()
    yield "main element is empty", float(bool(shell and shell.is_hollow)), ()
    yield "text in embedded state", log_of(shell.state if shell else 0), ()
    yield "waits for scripts", float(bool(shell and shell.is_shell)), ()


def _forms(found: MeasuredPage) -> Iterator[Signal]:
    page = found.page
    kinds = page.having("type") if len(page) else []
    inputs = page.is_tag("input") if len(page) else np.zeros(0, bool)
    secret = found.secrets
    filled = [
        row for row, kind in kinds if inputs[row] and kind.lower() in {"text", "email", "tel"}
    ]
    share = 0.0
    if secret:
        form = next((row for row in page.ancestors(secret[0]) if page.name(row) == "form"), None)
        within = int(page.length[form]) if form is not None else 0
        share = within / max(int(page.length[page.body]), 1)
    buttons = np.flatnonzero(page.is_tag("button")) if len(page) else np.zeros(0, np.intp)
    yield "password fields", float(min(len(secret), 3)), first_rows(secret)
    yield (
        "password field, little content",
        float(bool(secret)) * found.emptiness,
        first_rows(secret),
    )
    yield "share of text in the form with a password", share, ()
    yield "fields for text", log_of(len(filled)), first_rows(filled)
    yield (
        "fields for text, little content",
        log_of(len(filled)) * found.emptiness,
        first_rows(filled),
    )
    outside = [row for row in secret if not found.chrome_rows[row]]
    yield (
        "password field outside chrome, little content",
        bool(outside) * found.emptiness,
        first_rows(outside),
    )
    yield "buttons", log_of(len(buttons)), first_rows(buttons)
    yield "buttons, little content", log_of(len(buttons)) * found.emptiness, first_rows(buttons)


def _declared(found: MeasuredPage) -> Iterator[Signal]:
    head = found.page.head
    robots = [(row, content) for row, name, content in head.meta if name == "robots"]
    unindexed = [row for row, content in robots if "noindex" in content.lower()]
    yield "declared not to be indexed", float(bool(unindexed)), first_rows(unindexed)
    yield "not to be indexed, little content", float(bool(unindexed)) * found.emptiness, ()
    moved = [row for row, name, _ in head.meta if name == "refresh"]
    yield "refreshes itself", float(bool(moved)), first_rows(moved)
    yield (
        "refreshes itself, little content",
        float(bool(moved)) * found.emptiness,
        first_rows(moved),
    )
    paid = [row for row, node in head.json_ld if _is_false(node.get("isAccessibleForFree"))]
    tier = head.first_meta("article:content_tier", "content_tier").lower()
    is_paid = bool(paid) or tier in {"locked", "metered", "paid", "premium"}
    yield "declared not to be free", float(is_paid), first_rows(paid)
    yield "not free, some prose", float(is_paid) * middling(found.main_prose), first_rows(paid)
    kind = head.first_meta("og:type").lower()
    yield "declared an article", float(kind == "article"), ()
    yield "declares JSON-LD", float(bool(head.json_ld)), ()
    yield "has a canonical address", float(any("canonical" in rel for _, rel, _ in head.links)), ()
    described = head.first_meta("description", "og:description")
    yield "length of the description", log_of(len(described)), ()
    yield "length of the title", log_of(len(head.title)), ()
    yield "no title", float(not head.title), ()


def _is_false(value: Any) -> bool:
    return value is False or (isinstance(value, str) and value.strip().lower() == "false")


def _of_status(status: int | None) -> Iterator[Signal]:
    for name, statuses in _STATUSES.items():
        yield f"status: {name}", float(status in statuses), ()
