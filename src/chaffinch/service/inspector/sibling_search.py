"""Other pages of a page's site, for methods that compare: named by a person, or found by its links.

Candidates are the links of the page, and where these are few those of the list above it; each is
fetched as any page of a request is, and one of another template is left out.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from chaffinch.errors import PageError
from chaffinch.fetch.url_parts import split_url
from chaffinch.service.inspector.page_views import parsed_page
from chaffinch.service.problems import ProblemError
from chaffinch.service.request_models import NamedPage
from chaffinch.siblings.further_parts import further_parts
from chaffinch.siblings.reference_choice import common_paths
from chaffinch.siblings.sibling_links import sibling_links, spread
from chaffinch.siblings.url_shapes import plain_url

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chaffinch.service.page_jobs import GivenPage
    from chaffinch.service.reader import Reader

_FOUND: Final = 6
"""Pages that are looked for: the service waits between two requests to a host."""
_FEW: Final = 3
_LEAST_SIMILAR: Final = 0.5
"""Share of tag paths in common, as of `chaffinch.crawl.sibling_discovery`."""


def linked_pages(page: GivenPage, lists: Sequence[GivenPage]) -> bytes:
    """Return addresses of likely siblings that a page and lists above it link to, as JSON.

    Args:
        page: the page.
        lists: lists that may hold it.

    Raises:
        PageError: one can't be parsed.
    """
    own = parsed_page(page)
    found = sibling_links(plain_url(own.url or ""), [own, *map(parsed_page, lists)])
    links = [one.url for one in spread(found.links, _FOUND)]
    return json.dumps({"links": links, "lists": found.lists[:1]}).encode()


def of_one_template(page: GivenPage, others: Sequence[GivenPage]) -> bytes:
    """Return, for each of some pages, whether it is another page of the page's template, as JSON.

    Raises:
        PageError: one can't be parsed.
    """
    own, parsed = parsed_page(page), [parsed_page(one) for one in others]
    parts = further_parts(own, parsed).tolist()
    alike = [common_paths(own, one) >= _LEAST_SIMILAR for one in parsed]
    return json.dumps([a and not b for a, b in zip(alike, parts, strict=True)]).encode()


class SiblingSearch:
    """A search for other pages of a site.

    Args:
        reader: fetches pages.

    Attributes:
        failed: address and reason of each that can't be had.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.failed: list[dict[str, Any]] = []

    async def named(self, pages: Sequence[NamedPage]) -> list[GivenPage]:
        """Return pages that were named; one that can't be had is among the failed."""
        found = []
        for one in pages:
            try:
                found.append((await self._reader.find(one)).given)
            except (PageError, ProblemError) as error:
                detail = error.detail if isinstance(error, ProblemError) else str(error)
                self.failed.append({"url": one.url, "detail": detail})
        return found

    async def linked(self, page: GivenPage) -> list[GivenPage]:
        """Return pages of one template that a page leads to.

        Raises:
            ProblemError: the page has no web address.
            PageError: it can't be parsed.
        """
        if page.url is None or split_url(page.url) is None:
            raise ProblemError("invalid", "a page without a web address has no links to follow")
        run = self._reader.queue.run
        made = json.loads(await run(linked_pages, page, ()))
        if len(made["links"]) < _FEW and made["lists"]:
            above = await self.named([NamedPage(url=made["lists"][0])])
            made = json.loads(await run(linked_pages, page, above))
        found = await self.named([NamedPage(url=one) for one in made["links"]])
        alike = json.loads(await run(of_one_template, page, found)) if found else []
        return [one for one, is_alike in zip(found, alike, strict=True) if is_alike]
