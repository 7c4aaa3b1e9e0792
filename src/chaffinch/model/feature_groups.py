"""Groups of the network's inputs that people have one word for, and what a block has of each."""

from __future__ import annotations

from dataclasses import dataclass
from math import expm1
from typing import TYPE_CHECKING, Final

from chaffinch.model.features import NUMBERS
from chaffinch.model.head_signals import FACTS
from chaffinch.model.tree_features import AROUND, CONTAINERS, GROUP, POSITIONS, REPEATS

if TYPE_CHECKING:
    from collections.abc import Callable

    from chaffinch.model.features import Features

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
    alike = int(found.groups.sizes[found.group[block]])
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


def _near(found: Features, block: int) -> str:
    return " in ".join(_elements(found, block, 0, 2))


def _around(found: Features, block: int) -> str:
    return " in ".join(_elements(found, block, 2, 4))


def _elements(found: Features, block: int, start: int, stop: int) -> list[str]:
    rows = dict.fromkeys(found.near[block, start:stop].tolist())
    return [_element(row, found) for row in rows if row >= 0]


def _path(found: Features, block: int) -> str:
    return found.blocks.page.tag_path(int(found.blocks.owner[block]))


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
    FeatureGroup("tag and names", _near, parts=("near",)),
    FeatureGroup("names around", _around, parts=("around",)),
    FeatureGroup("path", _path, parts=("above",)),
    FeatureGroup("head", _declared, head=True),
)
GROUPS: Final = (*_TEXTS, *_PLACES)
"""All groups; each input of the network but the policy's flags is in one of them."""
