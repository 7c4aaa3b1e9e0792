"""What belongs to the content where people disagree: headline, comments, tables, notes and more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from chaffinch.errors import OptionError
from chaffinch.model.network import POLICY_FLAGS
from chaffinch.page.arrays import frozen

if TYPE_CHECKING:
    from chaffinch.page.arrays import Floats


@dataclass(frozen=True, kw_only=True)
class Policy:
    """What counts as content.

    True includes a part, False excludes it, None follows the labels of similar pages. The first
    four are inputs of the network, which other evidence may outweigh. The last four are rules
    about parts found by their structure (`chaffinch.decision.policy_rules`).

    Attributes:
        headline: the headline above the text. Out by default: it is metadata (`Extract.title`).
        byline: author and date beside the headline or the text.
        captions: captions of pictures.
        comments: readers' comments below an article; posts of a forum are content in any case.
        tables: data tables within the text. None keeps them, too, but where they are nearly surely
            noise, in threads, and where precision is favoured.
        cards: lists of cards: three or more like boxes with a link and a few words each.
        related: lists of links after the text.
        notes: footnotes and references that marks in the text lead to.
    """

    headline: bool | None = False
    byline: bool | None = None
    captions: bool | None = None
    comments: bool | None = None
    tables: bool | None = None
    cards: bool | None = None
    related: bool | None = None
    notes: bool | None = None

    def __post_init__(self) -> None:
        for name in (field.name for field in fields(self)):
            value = getattr(self, name)
            if value is not None and not isinstance(value, bool):
                raise OptionError(f"{name} of a policy is true, false or none, not {value!r}")

    @classmethod
    def of(cls, values: Policy | Mapping[str, Any]) -> Policy:
        """Return a policy as it is, or made of a mapping such as a TOML table gives.

        Raises:
            OptionError: a name is unknown or a value isn't true, false or none.
        """
        if isinstance(values, Policy):
            return values
        if not isinstance(values, Mapping):
            raise OptionError(f"policy must be a Policy or a mapping, not {values!r}")
        if not all(isinstance(name, str) for name in values):
            raise OptionError(f"a policy's fields are named by text, not {values!r}")
        known = [field.name for field in fields(cls)]
        unknown = [name for name in values if name not in known]
        if unknown:
            raise OptionError(f"unknown policy {unknown[0]!r}; known: {', '.join(known)}")
        return cls(**values)

    def as_inputs(self) -> Floats:
        """Return float32[flags] for the network: 1 for True, -1 for False, 0 for None."""
        return _inputs(*(getattr(self, name) for name in POLICY_FLAGS))


@cache
def _inputs(*flags: bool | None) -> Floats:
    """Return the inputs for the values of `POLICY_FLAGS`; there are no more than 81 of them."""
    return frozen(np.array([0 if one is None else 2 * one - 1 for one in flags], dtype=np.float32))
