"""What requests for the views of a site may hold."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from chaffinch.service.request_models import STRICT, Selector
from chaffinch.site.rules import KINDS

Number = Annotated[int, Field(ge=0, le=1_000_000, description="Number of a page of the subject.")]
Row = Annotated[int, Field(ge=0, le=10_000_000, description="Row of an element of the page.")]
TemplateName = Annotated[str, Field(max_length=200, description="Name of a template.")]
Version = Annotated[
    str, Field(max_length=64, description="Version of the model's file that is changed.")
]


class OfSite(BaseModel):
    """A view of a site, which takes nothing else."""

    model_config = STRICT

    site: (
        Annotated[
            str,
            Field(max_length=300, description="Name of a kept site; without one the opened one."),
        ]
        | None
    ) = None


class FromNumber(OfSite):
    """A portion of the pages."""

    start: Number = 0


class NumberedPage(OfSite):
    """A page of the subject."""

    number: Number
    images: bool = False


class ElementMark(BaseModel):
    """What a person marks of an element."""

    model_config = STRICT

    page: Number
    row: Row
    kind: Literal[KINDS]  # type: ignore[valid-type]


class MarkedElements(OfSite):
    """Marks, the one that a rule is wanted for last; and a selector, to try that one alone."""

    marks: Annotated[list[ElementMark], Field(min_length=1, max_length=500)]
    select: Selector | None = None


class KeptRule(OfSite):
    """A rule that is kept: a selector that is tried on the sample once more, and written."""

    marks: Annotated[list[ElementMark], Field(min_length=1, max_length=500)]
    select: Selector
    template: TemplateName = ""
    version: Version


class RemovedRule(OfSite):
    """A rule of a person that is taken out."""

    kind: Literal[KINDS]  # type: ignore[valid-type]
    select: Annotated[str, Field(min_length=1, max_length=2000)]
    template: TemplateName = ""
    version: Version
