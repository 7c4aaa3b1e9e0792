"""Whether a page is the page: content, or a shell, a wall, a form, an error, in its place.

A model gives each state a probability by what is measured of the page: a multinomial logistic
regression with a few rectified units beside it, which find combinations; the mean of the log-odds
of three such networks, which are one network with the units of all. Around a page it is linear, so
that each signal has a contribution. Three things are rules: a page without any text and script is
empty; a shell or an empty page whose content stands in its own data needs no browser, so that it is
content; and what looks like a block page is an error page where its status is that of a missing
page. docs/assessment.md has the definitions and figures.

Model card. Made by ``python -m training.page_states``, from made-up pages (nine generators, and
real pages with one part replaced, ``training/state_pages``) and from labelled pages of the corpora
that may be trained on, which are content but for a handful. The weights are data, ``weights.json``:
signals by name, their means and scales, and the weights. Probabilities are those of the made-up
mixture: real pages in other states than content are too few here to calibrate them.
"""

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from chaffinch.assessment.page_signals import Logarithm, Signal, signals_of
from chaffinch.assessment.shell import shell_features
from chaffinch.decision.declared import find_embedded
from chaffinch.page import Page
from chaffinch.page_work import begin_stage
from chaffinch.segment.text_blocks import prose_length
from chaffinch.storage import read_json

State = Literal[
    "content", "shell", "block_page", "login", "paywall", "consent_wall", "error_page", "empty",
    "parked",
]  # fmt: skip
STATES: Final[tuple[State, ...]] = get_args(State)
"""What a page can be; the order is that of `StateModel.weights`."""

ARRAYS: Final = ("mean", "scale", "weights", "bias", "hidden", "hidden_bias", "outer")
"""Names of the arrays of a `StateModel`, as its file has them."""

_MOST_EMPTY: Final = float(np.log1p(60))
"""Logarithm of the characters outside links that an empty page may have, at most."""
_IMPOSSIBLE: Final = 30.0  # log-odds

_FARTHEST: Final = 6.0  # scales from the mean beyond which a signal counts no more


@dataclass(frozen=True, eq=False)
class StateModel:
    """The weights, float64."""

    signals: tuple[str, ...]  # names of the signals, in the order of `signals_of`
    mean: NDArray[np.float64]  # [k], of each signal over the pages of the training
    scale: NDArray[np.float64]  # [k], their standard deviations, above 0
    weights: NDArray[np.float64]  # [k, states], from signals to states
    bias: NDArray[np.float64]  # [states]
    hidden: NDArray[np.float64]  # [k, units], from signals to units
    hidden_bias: NDArray[np.float64]  # [units]
    outer: NDArray[np.float64]  # [units, states], from units to states

    def scaled(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.clip((values - self.mean) / self.scale, -_FARTHEST, _FARTHEST)

    def probabilities(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return float64[…, states], summing to 1, for values of signals, float64[…, k]."""
        inputs = self.scaled(values)
        units = np.maximum(inputs @ self.hidden + self.hidden_bias, 0)
        logits = inputs @ self.weights + units @ self.outer + self.bias
        text = values[..., self.signals.index("text outside links")]
        logits[..., STATES.index("empty")] -= _IMPOSSIBLE * (text > _MOST_EMPTY)
        powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=-1, keepdims=True))

    def contributions(
        self, values: NDArray[np.float64], state: int, other: int
    ) -> NDArray[np.float64]:
        """Return float64[k]: log-odds that each signal gives ``state`` against ``other``.

        By the units that are active on this page.
        """
        inputs = self.scaled(values)
        is_active = inputs @ self.hidden + self.hidden_bias > 0
        towards = self.weights[:, state] - self.weights[:, other]
        towards += self.hidden @ (is_active * (self.outer[:, state] - self.outer[:, other]))
        return np.asarray(inputs * towards)


@cache
def shipped_model() -> StateModel:
    saved = read_json(resources.files(__package__).joinpath("weights.json").read_bytes())
    return StateModel(tuple(saved["signals"]), *(np.array(saved[one], float) for one in ARRAYS))


NextStep = Literal["read", "render", "retry_later", "give_up"]

NEXT_STEPS: Final[dict[str, NextStep]] = {
    **dict.fromkeys(STATES, "give_up"),
    "content": "read",
    "shell": "render",
    "block_page": "retry_later",
    "paywall": "read",
}
"""State → what to do next, where nothing else is known."""

_READABLE: Final = 150
"""Characters of prose from which on what stands before a wall is worth reading."""
_EVIDENCE: Final = 6
_LEAST: Final = 0.1  # log-odds of an observation that is named
_TRANSIENT: Final = frozenset({408, 425, 429, *range(500, 600)}) - {501, 505}
"""Statuses after which a later request may bring the page."""
_SERVER_ERROR_IN_TEXT: Final = re.compile(r"(?<![\d.,])(?:50[0234]|52[0-7])(?![\d.,]\d|\d|\w)")
"""A number that servers give for their own errors, alone."""
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
    values = np.array([value for _, value, _ in signals])
    chances = model.probabilities(values)
    evidence: tuple[Observation, ...] = ()
    if rule := _rule(page, STATES[int(chances.argmax())]):
        state, observation = rule
        exchanged = [int(chances.argmax()), STATES.index(state)]
        chances[exchanged] = chances[exchanged[::-1]]
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
    if state == "block_page" and page.status in {404, 410}:
        name = "status of a missing page, which a block page doesn't have"
        return "error_page", Observation(name=name, value=float(page.status or 0), log_odds=0.0)
    has_text = int(page.length[page.body]) > 0
    if has_text and state not in {"shell", "empty"}:
        return None
    if find_embedded(page, kept_units=0) is not None:
        length = float(shell_features(page).state)
        name = "content in the page's own data, characters of embedded state"
        return "content", Observation(name=name, value=length, log_odds=0.0)
    if not has_text and page.tag_names.isdisjoint(("script", "frame", "iframe", "img")):
        return "empty", Observation(name="no text, script or picture", value=1.0, log_odds=0.0)
    return None


def _evidence(
    model: StateModel, signals: list[Signal], chances: NDArray[np.float64]
) -> tuple[Observation, ...]:
    """Return what spoke most for the likeliest state against the next, the strongest first.

    Only what is there is listed, not what is absent. A signal that has a second form for pages with
    little content is listed once, with the sum of both contributions.
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
    """Return the value of a signal as evidence has it: a count itself, not its logarithm."""
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
    rows = np.flatnonzero(page.is_tag("h1", "h2", "h3"))
    texts = [page.title, *(page.folded(int(row)) for row in rows[:_EVIDENCE])]
    return any(_SERVER_ERROR_IN_TEXT.search(text) for text in texts)
