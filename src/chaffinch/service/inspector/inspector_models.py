"""What requests of the inspector may hold."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Self

from pydantic import BaseModel, Field, model_validator

from chaffinch.service.inspector.output_views import OUTPUTS
from chaffinch.service.request_models import (
    STRICT,
    MethodName,
    NamedPage,
    PolicyFields,
    Selector,
)

Key = Annotated[str, Field(min_length=1, max_length=64, description="Key of a page that is held.")]

_OUTPUTS: Final = tuple(OUTPUTS)


class DecisionOptions(BaseModel):
    """How the content of a page is found."""

    model_config = STRICT

    method: MethodName = "auto"
    favor: Literal["balanced", "precision", "recall"] | None = None
    policy: PolicyFields | None = None
    keep: Annotated[list[Selector], Field(max_length=32)] | None = None
    drop: Annotated[list[Selector], Field(max_length=32)] | None = None

    def given(self) -> dict[str, Any]:
        """Return what was given, as plain values."""
        return self.model_dump(exclude_none=True)


class OpenedPage(BaseModel):
    """A page that is opened: by address or source, one that is held, or one of the operator's."""

    model_config = STRICT

    page: NamedPage | None = None
    held: Key | None = None
    given: (
        Annotated[str, Field(max_length=2000, description="Id of a page that the operator gave.")]
        | None
    ) = None
    render: Annotated[
        Literal["never", "auto", "always"], Field(description="Of a page that is held or given.")
    ] = "never"
    images: bool = False
    options: DecisionOptions | None = None

    @model_validator(mode="after")
    def _is_one_page(self) -> Self:
        if sum(one is not None for one in (self.page, self.held, self.given)) != 1:
            raise ValueError("one of page, held and given is needed")
        return self


class HeldView(BaseModel):
    """A view of a page that is held."""

    model_config = STRICT

    held: Key
    options: DecisionOptions | None = None


class HeldReasons(HeldView):
    """Why a block was kept or dropped."""

    block: Annotated[int, Field(ge=0, le=2**31 - 1)]


class HeldOutput(HeldView):
    """One of the outputs."""

    output: Literal[_OUTPUTS]  # type: ignore[valid-type]
