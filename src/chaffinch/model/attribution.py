"""What in a text block speaks for content and what against it, by groups of features."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from math import expm1
from typing import Final

import numpy as np
from numpy.typing import NDArray

from chaffinch.kernels.arrays import Floats
from chaffinch.model.features import (
    AROUND,
    CONTAINERS,
    GROUP,
    NUMBERS,
    POSITIONS,
    REPEATS,
    Features,
)
from chaffinch.model.head_signals import FACTS
from chaffinch.model.network import POLICY_FLAGS, USUAL_FLAGS, Ensemble, Network
from chaffinch.verdict import Contribution

Value = Callable[[Features, int], str]

_AT: Final = {name: number for number, name in enumerate(NUMBERS)}
_FAR: Final = 5.0  # by which `text_features` divides logarithms of words before and after
_OF_NAMES: Final = ("near", "around", "above")
_OF_WORDS: Final = ("own words", "words of headings")
PARTS: Final = (*_OF_NAMES, *_OF_WORDS)
"""Parts of the network's inputs of hashed names and words: tag and names of the elements that hold
the block's first text; of its parent and the next container with more blocks; of all elements
above; the block's first words; those of the headings before it and its container."""
_MOST_SHOWN: Final = 4  # words of a text, or names of an element


@dataclass(frozen=True)
class FeatureGroup:
    """Inputs of the network that belong together.

    Attributes:
        name: of the group.
        numbers: its columns of `Features.numbers`, by `NUMBERS`.
        parts: its inputs of hashed names and words, of `PARTS`.
        head: whether what the head declares belongs to it.
        value: what a block has of it, in words.
    """

    name: str
    value: Value
    numbers: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    head: bool = False


def _number(found: Features, block: int, name: str) -> float:
    return float(found.numbers[block, _AT[name]])


def _length(found: Features, block: int) -> str:
    count = round(float(found.units[block]))
    return f"{count} word{'s' * (count != 1)}"


def _sentences(found: Features, block: int) -> str:
    ends = round(expm1(_number(found, block, "log_ends")))
    pauses = round(expm1(_number(found, block, "log_pauses")))
    return f"{ends} ends of sentences, {pauses} pauses"


def _links(found: Features, block: int) -> str:
    return f"{_number(found, block, 'link_share'):.0%} of it in links"


def _title(found: Features, block: int) -> str:
    title, description = (_number(found, block, name) for name in ("title", "description"))
    return f"{title:.0%} of its words in the title, {description:.0%} in the description"


def _position(found: Features, block: int) -> str:
    return f"{_number(found, block, 'position'):.0%} down the page"


def _neighbours(found: Features, block: int) -> str:
    before, after = (
        expm1(_FAR * _number(found, block, name))
        for name in ("log_units_before", "log_units_after")
    )
    return f"{before:.0f} words before, {after:.0f} after"


def _repetition(found: Features, block: int) -> str:
    alike = int(np.count_nonzero(found.group == found.group[block]))
    return f"one of {alike} alike" if alike > 1 else "alike to none"


def _kinds(found: Features, block: int) -> str:
    inside = [name for name in AROUND if _number(found, block, name) > 0]
    return ", ".join(name.replace("_", " ") for name in inside) or "in none of note"


def _containers(found: Features, block: int) -> str:
    share, blocks = (_number(found, block, name) for name in ("link_share_2", "log_blocks_2"))
    return f"{expm1(blocks):.0f} blocks in its container, {share:.0%} of them in links"


def _words(found: Features, block: int) -> str:
    return "«" + " ".join(found.blocks.text(block).split()[:_MOST_SHOWN]) + " …»"


def _headings(found: Features, block: int) -> str:
    heading = int(found.heading[block])
    if heading >= len(found):
        return "before any heading"
    return "below " + _words(found, heading)


def _element(row: int, found: Features) -> str:
    """Return tag, id and the first classes of a row, as in a selector."""
    page = found.blocks.page
    own_id = page.attribute(row, "id")
    classes = page.classes(row)[:_MOST_SHOWN]
    return page.name(row) + (f"#{own_id}" if own_id else "") + "".join(f".{one}" for one in classes)


def _elements(found: Features, block: int, start: int) -> str:
    rows = dict.fromkeys(found.near[block, start : start + 2].tolist())
    return " in ".join(_element(row, found) for row in rows if row >= 0)


def _declared(found: Features, _block: int) -> str:
    declared = [name for name, value in zip(FACTS, found.facts.tolist(), strict=True) if value]
    return ", ".join(name.replace("_", " ") for name in declared) or "nothing declared"


def _named(names: str) -> tuple[str, ...]:
    return tuple(names.split())


_TEXTS: Final = (
    FeatureGroup("length", _length, _named("log_units log_characters unit_length one_unit")),
    FeatureGroup(
        "sentences",
        _sentences,
        _named(
            "log_ends log_pauses log_marks digits capitals scriptless long_sentences last_is_end"
            " last_is_mark first_is_capital first_is_digit first_is_mark first_is_unit"
        ),
    ),
    FeatureGroup("links", _links, _named("log_link_units link_share all_link")),
    FeatureGroup("words", _words, parts=("own words",)),
    FeatureGroup("title and description", _title, _named("title description body has_body")),
)
_BESIDE: Final = _named(
    "depth_step_before depth_step_after same_owner_before same_owner_after gap_before"
    " log_media_before"
)
_OF_HEADINGS: Final = _named("heading_level heading_distance after_h1 h1_distance")
_PLACES: Final = (
    FeatureGroup("headings", _headings, _OF_HEADINGS, ("words of headings",)),
    FeatureGroup(
        "neighbours", _neighbours, (*_named("log_units_before log_units_after"), *_BESIDE)
    ),
    FeatureGroup(
        "position",
        _position,
        (
            "position_in_units",
            *(name for name in POSITIONS if name not in (*_OF_HEADINGS, *_BESIDE)),
        ),
    ),
    FeatureGroup("repetition", _repetition, ("repeated", *REPEATS, *GROUP)),
    FeatureGroup("kinds of elements", _kinds, tuple(AROUND)),
    FeatureGroup("containers", _containers, CONTAINERS),
    FeatureGroup("tag and names", partial(_elements, start=0), parts=("near",)),
    FeatureGroup("names around", partial(_elements, start=2), parts=("around",)),
    FeatureGroup(
        "path",
        lambda some, at: some.blocks.page.tag_path(int(some.blocks.owner[at])),
        parts=("above",),
    ),
    FeatureGroup("head", _declared, head=True),
)
GROUPS: Final = (*_TEXTS, *_PLACES)
"""All groups; each input of the network but the policy's flags is in one of them."""


LEAST: Final = 0.05
"""Log-odds below which a contribution isn't worth a word."""
_EDGE: Final = 1e-6  # bounds probabilities, so that log-odds stay within about 14
_ROWS_OF_NAMES: Final = (2, 2, 1, 1, 2)
"""Vectors of names, then of words, that each of `PARTS` has."""


def contributions(ensemble: Ensemble, found: Features) -> list[tuple[Contribution, ...]]:
    """Return what adds to the score of each of m blocks, the strongest first.

    Groups that add less than `LEAST` are left out.
    """
    added = attributions(ensemble, found)
    out = []
    for block in range(len(found)):
        of_block = added[:, block]
        order = np.argsort(-np.abs(of_block), kind="stable")
        out.append(
            tuple(
                Contribution(
                    GROUPS[number].name,
                    round(float(of_block[number]), 3),
                    GROUPS[number].value(found, block),
                )
                for number in order.tolist()
                if abs(of_block[number]) >= LEAST
            )
        )
    return out


def attributions(ensemble: Ensemble, found: Features) -> NDArray[np.float64]:
    """Return float64[groups, m]: the log-odds that each of `GROUPS` adds to each block.

    Takes the time of one prediction for each group, about 15 times that of a score.
    """
    used = Ensemble.whole(ensemble.used(found, USUAL_FLAGS))
    whole = _log_odds(used(found, USUAL_FLAGS).score)
    return np.stack(
        [whole - _log_odds(without(used, group)(found, USUAL_FLAGS).score) for group in GROUPS]
    )


def without(ensemble: Ensemble, group: FeatureGroup) -> Ensemble:
    """Return the networks without a group of inputs, all of which are always evaluated."""
    return Ensemble.whole(tuple(_without(network, group) for network in ensemble.networks))


@lru_cache(maxsize=128)
def _without(network: Network, group: FeatureGroup) -> Network:
    """Return a network whose first layer doesn't see a group of its inputs."""
    weights = dict(network.weights)
    columns = [NUMBERS.index(name) for name in group.numbers]
    if columns:
        numbers = weights["numbers.weight"].copy()
        weights["enter.bias"] = weights["enter.bias"] + weights["mean"][columns] @ numbers[columns]
        numbers[columns] = 0
        weights["numbers.weight"] = numbers
    if group.parts:
        names = weights["names.weight"].copy()
        for part in group.parts:
            names[rows_of(part, weights["name_vectors"], weights["word_vectors"])] = 0
        weights["names.weight"] = names
    if group.head:
        facts = weights["facts.weight"].copy()
        facts[len(POLICY_FLAGS) :] = 0
        weights["facts.weight"] = facts
    made = Network(weights)
    # The vectors, most of the weights, are shared.
    vars(made)["packed"] = (*made.packed[:-3], *network.packed[-3:])
    return made


def rows_of(part: str, of_names: Floats, of_words: Floats) -> slice:
    """Return the rows of ``names.weight`` that a part of `PARTS` has."""
    size = {True: of_words.shape[1], False: of_names.shape[1]}
    lengths = [
        count * size["words" in name] for name, count in zip(PARTS, _ROWS_OF_NAMES, strict=True)
    ]
    number = PARTS.index(part)
    return slice(sum(lengths[:number]), sum(lengths[: number + 1]))


def _log_odds(score: Floats) -> NDArray[np.float64]:
    inner = np.clip(score.astype(np.float64), _EDGE, 1 - _EDGE)
    odds: NDArray[np.float64] = np.log(inner / (1 - inner))
    return odds
