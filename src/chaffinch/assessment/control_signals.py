"""Signals of what can be pressed, ticked and filled in, which walls and forms have in any language.

Fields are known by their types and by what they ask a browser to fill in; toggles by their roles;
numbers that refusals give, and prices of offers, by their form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from chaffinch.assessment.measured_page import LONG
from chaffinch.assessment.signal_values import first_rows, log_of
from chaffinch.assessment.state_words import PRICE, REFERENCE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chaffinch.assessment.measured_page import MeasuredPage
    from chaffinch.assessment.signal_values import Signal

_ACCOUNT: Final = ("user", "login", "mail", "account", "passw", "pwd")
"""Parts of names of fields for an account."""
_FILLED_IN: Final = ("username", "password", "email", "one-time-code")
_TOGGLES: Final = frozenset({"checkbox", "radio"})
_SWITCHES: Final = frozenset({"switch", "checkbox", "radio"})
_PRESSED: Final = frozenset({"submit", "button", "image"})
_TYPED: Final = frozenset({"", "text", "email", "tel", "number", "search", "password"})
_NEAR: Final = 60  # rows


def control_signals(found: MeasuredPage) -> Iterator[Signal]:
    """Yield how many controls of each kind there are, and what text they hold."""
    page = found.page
    inputs = np.flatnonzero(page.is_tag("input")).tolist() if len(page) else []
    kinds = {row: kind.strip().lower() for row, kind in page.having("type")} if len(page) else {}
    typed = [row for row in inputs if kinds.get(row, "") in _TYPED]
    mails = [row for row in inputs if kinds.get(row) == "email"]
    identifying = _account_fields(found, set(inputs))
    yield "fields for an address", log_of(len(mails)), first_rows(mails)
    yield "fields for a name or account", log_of(len(identifying)), first_rows(identifying)
    yield "an address and no password", float(bool(mails) and not found.secrets), first_rows(mails)
    yield "one field alone", float(len(typed) == 1), first_rows(typed)
    yield "hidden fields", log_of(sum(kinds.get(row) == "hidden" for row in inputs)), ()
    toggles = _toggles(found, [row for row in inputs if kinds.get(row) in _TOGGLES])
    yield "toggles", log_of(len(toggles)), first_rows(toggles)
    buttons = np.flatnonzero(page.is_tag("button")).tolist() if len(page) else []
    pressed = sorted([*buttons, *(row for row in inputs if kinds.get(row) in _PRESSED)])
    length = float(page.length[pressed].sum()) + LONG / 6 * (len(pressed) - len(buttons))
    yield "buttons of any kind", log_of(len(pressed)), first_rows(pressed)
    yield "share of text in buttons", min(length / max(found.all_prose, 1.0), 1.0), ()
    starts = (found.secrets or mails)[:1]
    near = [row for row in pressed if any(abs(row - start) < _NEAR for start in starts)]
    yield "buttons near an account's field", log_of(len(near)), first_rows(near)
    frames = np.flatnonzero(page.is_tag("iframe")).tolist() if len(page) else []
    yield "frames", log_of(len(frames)), first_rows(frames)
    yield "a picture and one field", float(len(typed) == 1 and page.holds("img")), ()
    yield from _numbers(found)


def _account_fields(found: MeasuredPage, inputs: set[int]) -> list[int]:
    """Return the fields that a browser fills in with an account, or that are named so."""
    if not inputs:
        return []
    page = found.page
    filled, named = page.values("autocomplete"), page.values("name")
    rows = [
        *filled.rows_of(filled.containing(*_FILLED_IN)),
        *named.rows_of(named.containing(*_ACCOUNT)),
    ]
    return sorted(inputs.intersection(rows))


def _toggles(found: MeasuredPage, inputs: list[int]) -> list[int]:
    roles = found.page.having("role") if len(found.page) else []
    return sorted({*inputs, *(row for row, role in roles if role.strip().lower() in _SWITCHES)})


def _numbers(found: MeasuredPage) -> Iterator[Signal]:
    """Yield whether a short text has a reference of a refusal, or a price behind the content."""
    numbers = []
    if REFERENCE.search(found.short_text):
        numbers = [row for row, text in found.short if any(map(_is_mixed, REFERENCE.findall(text)))]
    yield "a reference number", float(bool(numbers)), first_rows(numbers)
    content = found.blocks.first[found.is_content & (found.prose >= LONG)]
    last = int(content[-1]) if len(content) else -1
    prices = []
    if PRICE.search(found.short_text):
        prices = [row for row, text in found.short if row > last and PRICE.search(text)]
    yield "prices behind the content", log_of(len(prices)), first_rows(prices)


def _is_mixed(reference: str) -> bool:
    return any(one.isdigit() for one in reference)
