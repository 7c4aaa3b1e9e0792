"""What belongs to the content where people disagree: headline, comments, tables, notes and more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from chaffinch.errors import OptionError


@dataclass(frozen=True, kw_only=True)
class Policy:
    """What counts as content.

    True includes a part and False excludes it, whatever a method thinks of it: the parts are found
    by their structure (`chaffinch.decision.policy_parts`). None is the default of each.

    Attributes:
        headline: the headline above the text. None: it is the title, a heading of level 1 at the
            head of Markdown, HTML and the first chunk, and not in the text. True: in the text, too.
            False: nowhere.
        byline: author and date beside the headline or behind the text. None: by their evidence.
        captions: captions and credits of pictures. None: by their evidence.
        comments: what readers wrote below the text, reviews of a product included; posts of a
            thread are content in any case. None: no content of an article, product or manual.
        tables: data tables within the text. None: they are, but where they are nearly surely noise,
            in threads, and where precision is favoured.
        cards: lists of cards: three or more like boxes with a link and a few words each.
        related: lists of links after the text.
        notes: footnotes and references that marks in the text lead to.
        hidden: what a browser doesn't show. None: no content where it is hidden for good; what a
            control of the page opens or a script fades in is content like any other. True: it is
            judged like any other text. False: what is folded isn't content, either.
    """

    headline: bool | None = None
    byline: bool | None = None
    captions: bool | None = None
    comments: bool | None = None
    tables: bool | None = None
    cards: bool | None = None
    related: bool | None = None
    notes: bool | None = None
    hidden: bool | None = None

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
