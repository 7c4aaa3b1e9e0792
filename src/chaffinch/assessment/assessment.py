"""Whether a page is the page: content, or a shell, a wall, a form, an error, in its place.

A model (`chaffinch.assessment.state_model`) gives each state a probability by what is measured of
the page (`chaffinch.assessment.page_signals`); docs/assessment.md has the definitions and figures.
Three things are rules: a page without any text and script is empty; a shell or an empty page whose
content stands in its own data needs no browser, so that it is content; and what looks like a block
page is an error page where its status is that of a missing page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from chaffinch.assessment.page_signals import signals_of
from chaffinch.assessment.shell import shell_features
from chaffinch.assessment.signal_values import Logarithm
from chaffinch.assessment.state_model import STATES, State, require_signals, shipped_model
from chaffinch.assessment.state_words import SERVER_ERROR_IN_TEXT
from chaffinch.decision.embedded_text import find_embedded
from chaffinch.page_work import begin_stage
from chaffinch.segment.prose_length import prose_length

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from chaffinch.assessment.signal_values import Signal
    from chaffinch.assessment.state_model import StateModel
    from chaffinch.page import Page

NextStep = Literal["read", "render", "retry_later", "give_up"]

NEXT_STEPS: Final[dict[str, NextStep]] = {
    "content": "read",
    "shell": "render",
    "block_page": "retry_later",
    "login": "give_up",
    "paywall": "read",
    "consent_wall": "give_up",
    "error_page": "give_up",
    "empty": "give_up",
    "parked": "give_up",
}
"""State → what to do next, where nothing else is known."""

_READABLE: Final = 150
"""Characters of prose from which on what stands before a wall is worth reading."""
_EVIDENCE: Final = 6
_LEAST: Final = 0.1  # log-odds of an observation that is named
_TRANSIENT: Final = frozenset({408, 425, 429, *range(500, 600)}) - {501, 505}
"""Statuses after which a later request may bring the page."""
_MISSING: Final = frozenset({404, 410})
"""Statuses of a page that isn't there."""
_DIGITS: Final = 4
_LARGE: Final = 10.0
_GATED: Final = re.compile(r", (?:little|thin) content$")
"""The end of the name of a signal that counts on pages with little content only."""


@dataclass(frozen=True, kw_only=True)
class Observation:
    """One thing that was measured of a page and spoke for its state.

    Attributes:
        name: what was measured, in words.
        value: what came of it: a count, a length, a share, 1 for yes; or one of them weighed.
        log_odds: how much it speaks for the state against the next likely one; 0 for a rule.
        rows: rows of the page that it was measured on, the first ones; empty where it is of none.
    """

    name: str
    value: float
    log_odds: float
    rows: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Assessment:
    """What a page is, as far as a page alone shows it.

    Attributes:
        state: what it most likely is; ``paywall`` wins over content where a part can be read.
        probabilities: of each state, 0..1; they sum to 1.
        evidence: what spoke most for the state, the strongest first.
        next_step: what to do: read it, render it by a browser, ask again later, or give up.
        readable_length: characters of prose outside links that can be read as it is, East Asian
            ones counted as three; of a paywall, what stands before it.
        status: HTTP status that was known of the response; null for none.
    """

    state: State
    probabilities: dict[str, float]
    evidence: tuple[Observation, ...]
    next_step: NextStep
    readable_length: int
    status: int | None = None

    @property
    def probability(self) -> float:
        """That of the state."""
        return self.probabilities[self.state]


def assess_page(page: Page) -> Assessment:
    """Return the assessment of a parsed page, by what is known of its status, too."""
    begin_stage("assessment")
    signals = signals_of(page, page.status)
    model = shipped_model()
    require_signals(model, [name for name, _, _ in signals])
    values = np.array([value for _, value, _ in signals])
    chances = model.probabilities(values)
    evidence: tuple[Observation, ...] = ()
    if rule := _rule(page, STATES[int(chances.argmax())]):
        state, observation = rule
        chances = _moved(chances, STATES.index(state))
        evidence = (observation,)
    evidence += _evidence(model, signals, chances)
    state = STATES[int(chances.argmax())]
    readable = prose_length(page)
    return Assessment(
        state=state,
        probabilities=_summing_to_one(chances),
        evidence=evidence[:_EVIDENCE],
        next_step=_next_step(state, page, readable),
        readable_length=readable,
        status=page.status,
    )


def _rule(page: Page, state: State) -> tuple[State, Observation] | None:
    """Return the state that a rule gives a page, and why; None where none does."""
    if state == "block_page" and page.status in _MISSING:
        name = "status of a missing page, which a block page doesn't have"
        return "error_page", Observation(name=name, value=float(page.status or 0), log_odds=0.0)
    has_text = bool(len(page)) and int(page.length[page.body]) > 0
    if has_text and state not in {"shell", "empty"}:
        return None
    if len(page) and find_embedded(page, kept_units=0) is not None:
        length = float(shell_features(page).state)
        name = "content in the page's own data, characters of embedded state"
        return "content", Observation(name=name, value=length, log_odds=0.0)
    if not has_text and not (len(page) and page.holds("script", "frame", "iframe", "img")):
        return "empty", Observation(name="no text, script or picture", value=1.0, log_odds=0.0)
    return None


def _moved(chances: NDArray[np.float64], state: int) -> NDArray[np.float64]:
    """Return probabilities with that of the likeliest state and of one that a rule gave changed."""
    moved = chances.copy()
    likeliest = int(chances.argmax())
    moved[[likeliest, state]] = moved[[state, likeliest]]
    return moved


def _evidence(
    model: StateModel, signals: list[Signal], chances: NDArray[np.float64]
) -> tuple[Observation, ...]:
    """Return what spoke most for the likeliest state against the next, the strongest first.

    Only what is there is listed, not what is absent.

    A signal that has a second form for pages with little content is listed once, with the sum of
    both contributions.
    """
    other, state = np.argsort(chances)[-2:].tolist()
    values = np.array([value for _, value, _ in signals])
    parts = model.contributions(values, state, other)
    shares = np.bincount(_listed_with(model.signals), parts, minlength=len(parts))
    order = np.argsort(-shares)
    return tuple(
        Observation(
            name=signals[at][0],
            value=_listed_value(signals[at][1]),
            log_odds=round(float(shares[at]), 2),
            rows=signals[at][2],
        )
        for at in order[:_EVIDENCE].tolist()
        if shares[at] >= _LEAST and signals[at][1]
    )


def _listed_value(value: float) -> float:
    """Return the value of a signal as evidence has it: a count or length itself, not its logarithm.

    Large ones are rounded to whole numbers: in sums over scores the back ends differ by about 1e-4.
    """
    if not isinstance(value, Logarithm):
        return round(value, _DIGITS)
    amount = float(np.expm1(value))
    return round(amount, _DIGITS) if amount < _LARGE else float(round(amount))


@cache
def _listed_with(names: tuple[str, ...]) -> NDArray[np.intp]:
    """Return intp[k]: for each signal the index of the one that it is listed with, or its own."""
    places = {name: at for at, name in enumerate(names)}
    found = [places.get(_GATED.sub("", name), at) for at, name in enumerate(names)]
    return np.array(found, dtype=np.intp)


def _summing_to_one(chances: NDArray[np.float64]) -> dict[str, float]:
    """Return state → probability, rounded so that they still sum to 1."""
    rounded = np.round(chances, _DIGITS)
    likeliest = int(chances.argmax())
    rounded[likeliest] = round(1 - float(np.delete(rounded, likeliest).sum()), _DIGITS)
    return dict(zip(STATES, rounded.tolist(), strict=True))


def _next_step(state: State, page: Page, readable: int) -> NextStep:
    if state == "paywall" and readable < _READABLE:
        return "give_up"
    if state in {"error_page", "empty", "block_page"} and page.status in _TRANSIENT:
        return "retry_later"
    if state == "error_page" and page.status is None and _is_of_server(page):
        return "retry_later"
    return NEXT_STEPS[state]


def _is_of_server(page: Page) -> bool:
    """Return whether title or headings have a number that servers give for their own errors."""
    rows = np.flatnonzero(page.is_tag("h1", "h2", "h3")) if len(page) else ()
    texts = [page.title, *(page.folded(int(row)) for row in rows[:_EVIDENCE])]
    return any(SERVER_ERROR_IN_TEXT.search(text) for text in texts)
