"""What an Extract holds: a page with a verdict, and what follows from these and the metadata."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from chaffinch.caching import cached_property
from chaffinch.extraction.limited_output import limited
from chaffinch.lazy import lazy_module
from chaffinch.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chaffinch import metadata
    from chaffinch.decision.policy import Policy
    from chaffinch.extraction import headed_content, redecision
    from chaffinch.extraction.extract import Extract
    from chaffinch.extraction.headed_content import HeadedContent
    from chaffinch.metadata import Metadata
    from chaffinch.method import Method
    from chaffinch.model import method_confidence
    from chaffinch.output.article_part import ArticlePart
    from chaffinch.page import Page
    from chaffinch.page.arrays import Floats, Mask, Reasons
    from chaffinch.page.bounds import Limits
    from chaffinch.record import MadeBy
    from chaffinch.result import Content, Notes
else:
    headed_content = lazy_module("chaffinch.extraction.headed_content")
    metadata = lazy_module("chaffinch.metadata")
    redecision = lazy_module("chaffinch.extraction.redecision")
    method_confidence = lazy_module("chaffinch.model.method_confidence")


@dataclass(frozen=True, eq=False, repr=False)
class FoundContent:
    """The content that was found on a page, its rows and metadata; fields are those of Extract."""

    content: Content
    method: str
    replaced: Content | None = None
    headers: tuple[tuple[str, str], ...] = ()
    headline: bool | None = None
    limits: Limits | None = None
    article_parts: tuple[ArticlePart, ...] = ()
    found_by: Method | None = None
    author_blacklist: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Extract by {self.method} of {self.in_rows.page!r}>"

    def __getstate__(self) -> dict[str, Any]:
        state = {one.name: getattr(self, one.name) for one in fields(self)}
        return state | {"found_by": None}

    def __bool__(self) -> bool:
        """Return whether any content was found."""
        return bool(self.content)

    @property
    def page(self) -> Page:
        """The page as a table: that of `keep`, `score`, `why` and all rows that outputs name."""
        return self.content.page

    @property
    def given(self) -> Page | None:
        """The page as it was given, where `page` was made of its data; None if they are one."""
        return None if self.replaced is None else self.replaced.page

    @property
    def in_rows(self) -> Content:
        """The page as it was given, with the verdict on its own rows."""
        return self.content if self.replaced is None else self.replaced

    @property
    def keep(self) -> Mask:
        """bool[n]: rows that belong to the content."""
        return self.content.verdict.keep

    @property
    def score(self) -> Floats:
        """float32[n] in 0..1: how much each row looks like content to the method."""
        return self.content.verdict.score

    @property
    def why(self) -> Reasons:
        """int8[n]: which step decided; an index into `reasons`."""
        return self.content.verdict.why

    @property
    def reasons(self) -> tuple[str, ...]:
        """Names of the codes in `why`."""
        return self.content.reasons

    @property
    def url(self) -> str | None:
        """Address of the page: as it was given, else the canonical one; None for neither."""
        return self.in_rows.page.url or None

    @property
    def made_by(self) -> MadeBy:
        """The version, and the learned weights, that made this."""
        return {"version": __version__, "weights": self.content.verdict.weights}

    @property
    def page_type(self) -> str | None:
        """The page type that the method predicts; None where it predicts none.

        What the page declares is ``declared_type`` of the metadata.
        """
        return self.content.verdict.page_type

    @cached_property
    def confidence(self) -> float | None:
        """Word F1 to expect of the text, 0..1; None where nothing is known of the method.

        Made when it is requested, where the verdict has none of its own.
        """
        verdict = self.content.verdict
        if verdict.confidence is not None or self.replaced is not None:
            return verdict.confidence
        kind = verdict.notes.calibration if verdict.notes is not None else ""
        return method_confidence.expected_f1(self.content, kind or self.method)

    @property
    def source(self) -> str | None:
        """Where in the page's data the content is; None where it is in its rows."""
        return self.content.verdict.source

    @property
    def notes(self) -> Notes | None:
        """What else the method found, in typed fields of its own; None for nothing."""
        return self.content.verdict.notes

    @limited
    def redecide(
        self,
        *,
        favor: str | None = None,
        policy: Policy | Mapping[str, bool | None] | None = None,
    ) -> Extract:
        """Return the extract of the same page by another favour or policy.

        Nothing is read or parsed anew; selectors, settings and siblings stay as they were.

        Args:
            favor: as of `chaffinch.extract`; None for the one that it has.
            policy: the same; it takes the place of the one before as a whole.

        Raises:
            OptionError: the method has no favour, a value is impossible, this is an article in
                parts, or the method isn't at hand, as in another process than the one that
                extracted.
        """
        return redecision.redecided(self, favor, policy)

    @cached_property
    @limited
    def metadata(self) -> Metadata:
        """Title, authors, dates and more, each with its provenance."""
        content = self.content if self.replaced is None else None
        shown = self.in_rows
        return metadata.read_metadata(
            shown.page,
            content,
            self.headers,
            roles=shown.verdict.roles,
            title_boilerplate=shown.verdict.title_boilerplate,
            author_blacklist=self.author_blacklist,
        )

    @property
    def title(self) -> str:
        """The title of the content, without the site's name; "" if unknown."""
        return self.metadata.value("title") or ""

    @property
    def authors(self) -> tuple[str, ...]:
        """Names of the authors."""
        return self.metadata.value("authors") or ()

    @property
    def author(self) -> str:
        """The authors' names, joined by "; "."""
        return "; ".join(self.authors)

    @property
    def date(self) -> str:
        """When it was published, ISO 8601; "" if unknown."""
        return self.metadata.value("published") or ""

    @property
    def site_name(self) -> str:
        """Name of the site; "" if unknown."""
        return self.metadata.value("site_name") or ""

    @property
    def description(self) -> str:
        """The description that the page declares; "" for none."""
        return self.metadata.value("description") or ""

    @property
    def language(self) -> str:
        """BCP 47 code of the language; "" if unknown."""
        return self.metadata.value("language") or ""

    @cached_property
    def headed(self) -> HeadedContent:
        """The title that heads outputs with headings, and the content below it."""
        title = self.metadata.title
        if title is not None and self.replaced is not None:  # its row is one of another page
            title = replace(title, row=-1)
        return headed_content.headed(self.content, title, headline=self.headline)

    @property
    def _title_is_added(self) -> bool:
        """Whether the text begins with a title that no kept row is."""
        return bool(self.headline and self.content and self.title) and not self.headed.has_row
