"""The interface of methods: what is called on a page and gives a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from chaffinch.errors import OptionError
from chaffinch.result import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.explanation import BlockExplanation
    from chaffinch.page import Page
    from chaffinch.result import Content


def require_verdict(result: object) -> Verdict:
    """Return the result of a method, checked to be a verdict.

    Raises:
        OptionError: it is no verdict.
    """
    if not isinstance(result, Verdict):
        raise OptionError(f"a method returns a Verdict, not {type(result).__name__}")
    return result


@dataclass(frozen=True, eq=False, repr=False)
class Method:
    """A way to find content: a frozen dataclass whose fields are its settings.

    A subclass has `__call__`, and whatever else differs from the defaults here. A plain callable
    from a `Page` to a `Verdict` is taken in place of a method, too, and made one when it is passed.

    Attributes:
        needs_siblings: it can't be made without other pages of the site.
    """

    needs_siblings: ClassVar[bool] = False

    def __call__(self, page: Page) -> Verdict:
        """Return the verdict on ``page``."""
        raise NotImplementedError

    @property
    def name(self) -> str:
        """Name of the method, as extracts have it."""
        return type(self).__name__

    @property
    def reasons(self) -> tuple[str, ...]:
        """Names of the ``why`` codes of its verdicts."""
        return ()

    @property
    def headline(self) -> bool | None:
        """Whether the headline is in the text; None: it heads those outputs that have headings."""
        return None

    def replacements(self, url: str | None) -> tuple[tuple[str, str], ...]:  # noqa: ARG002  subclasses use it
        """Return texts that are replaced in the source of a page before it is parsed."""
        return ()

    def single_page(self, page: Page) -> str:  # noqa: ARG002  subclasses use it
        """Return the address of a version of the article that has all parts on one page, or ""."""
        return ""

    def elsewhere(self, page: Page, verdict: Verdict) -> Content | None:  # noqa: ARG002  subclasses use them
        """Return content that is in the page's data alone, not in its rows; None for none.

        Args:
            page: the page.
            verdict: of this method on it.
        """
        return None

    def explain(self, page: Page) -> Sequence[BlockExplanation] | None:  # noqa: ARG002  subclasses use it
        """Return why each text block of ``page`` is kept or dropped; None where reasons suffice.

        The verdict is made anew, with a record of what decided.
        """
        return None


@dataclass(frozen=True, eq=False, repr=False)
class MethodWrapper(Method):
    """A method around another one, whose name, reasons and further results it has."""

    method: Method

    @property
    def name(self) -> str:
        """That of the method."""
        return self.method.name

    @property
    def reasons(self) -> tuple[str, ...]:
        """Those of the method."""
        return self.method.reasons

    @property
    def headline(self) -> bool | None:
        """That of the method."""
        return self.method.headline

    def replacements(self, url: str | None) -> tuple[tuple[str, str], ...]:
        """Return those of the method."""
        return self.method.replacements(url)

    def single_page(self, page: Page) -> str:
        """Return that of the method."""
        return self.method.single_page(page)

    def elsewhere(self, page: Page, verdict: Verdict) -> Content | None:
        """Return what the method finds in the page's data."""
        return self.method.elsewhere(page, verdict)

    def explain(self, page: Page) -> Sequence[BlockExplanation] | None:
        """Return what the method explains."""
        return self.method.explain(page)
