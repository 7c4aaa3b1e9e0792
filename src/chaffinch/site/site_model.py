"""What a site's pages taught, as data: templates, where they are from, and how they were used."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from chaffinch.errors import require_one_of
from chaffinch.page.page_input import require_page
from chaffinch.site.modes import MODES
from chaffinch.site.page_summary import page_sketch
from chaffinch.site.slots import slot_hashes
from chaffinch.site.template_clusters import LIKE, Leaders
from chaffinch.site.usage import Usage, findings

if TYPE_CHECKING:
    from chaffinch.page import Page
    from chaffinch.site.statistics import Statistics
    from chaffinch.site.template import Template


@dataclass(frozen=True)
class Learning:
    """One learning of a model: its version.

    Attributes:
        date: when, ISO 8601.
        pages: pages that were seen.
    """

    date: str
    pages: int


@dataclass(frozen=True, kw_only=True, eq=False)
class SiteModel:
    """What a site's pages taught.

    Attributes:
        name: the site's host; "" if unknown.
        templates: its templates, the largest first.
        history: its learnings, the oldest first.
        mode: ``full`` or ``rules``.
        statistics: the sample that it was learned from, needed for `update` alone; None where the
            file of it is missing.
        usage: counts of use since it was loaded; they change as it is used.
        counted: counts of use from before, as `save_counts` kept them.
    """

    name: str = ""
    templates: tuple[Template, ...] = ()
    history: tuple[Learning, ...] = ()
    mode: str = "full"
    statistics: Statistics | None = None
    usage: Usage = field(default_factory=Usage)
    counted: Usage = field(default_factory=Usage)

    def __post_init__(self) -> None:
        require_one_of("mode", self.mode, MODES)

    @cached_property
    def leaders(self) -> Leaders:
        """The sketches of its templates, by which pages are assigned to them."""
        return Leaders.of(template.sketch for template in self.templates)

    def template_of(self, page: Page) -> Template | None:
        """Return the template that ``page`` is built like; None where it is like none.

        Raises:
            OptionError: it is no `Page`.
        """
        require_page(page)
        number, alike = self.leaders.nearest(page_sketch(page, slot_hashes(page)))
        return self.templates[number] if alike >= LIKE else None

    @property
    def uses(self) -> Usage:
        """Counts of all use since it was learned, as far as they were kept."""
        return self.counted.merge(self.usage)

    def findings(self) -> list[str]:
        """Return what has changed since the model was learned, in words, by its counts of use."""
        return findings(self.uses, self.templates)
