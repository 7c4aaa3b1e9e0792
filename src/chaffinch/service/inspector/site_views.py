"""What the inspector shows of a site that is taught, made in one guarded child.

The child keeps the site, with pages and what the model makes of them; it reads more of them where a
view needs them, and judges them anew where the model was changed meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from chaffinch.errors import PageError
from chaffinch.loading.address import addressed
from chaffinch.page import Page
from chaffinch.page.bounds import Limits
from chaffinch.service.inspector.page_views import shown_page
from chaffinch.service.jobs import Sample, SiteFile, encoded
from chaffinch.site.site import Site
from chaffinch.site.teach import Mark, SamplePage, propose

_MOST_HERE: Final = 200  # elements of the page at hand that are shown of what a candidate selects
_PORTION: Final = 25  # pages that are read for a view of several


@dataclass
class _OpenSite:
    """A site that is open: its model, its pages by number, and why others can't be processed."""

    file: SiteFile
    site: Site
    sample: Sample
    limits: Limits
    parsed: dict[int, Page] = field(default_factory=dict)
    pages: dict[int, SamplePage] = field(default_factory=dict)
    failed: dict[int, str] = field(default_factory=dict)

    def read(self, number: int) -> SamplePage:
        """Return a page, read and judged if it wasn't yet."""
        if number in self.failed:
            raise PageError(self.failed[number])
        if number not in self.parsed:
            one = self.sample.page(number, self.limits)
            try:
                self.parsed[number] = addressed(one.parsed())
            except PageError as error:
                self.failed[number] = str(error)
                raise
        if number not in self.pages:
            self.pages[number] = SamplePage.of(self.site, self.parsed[number], self.site.usage)
        return self.pages[number]

    def read_all(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            with suppress(PageError):
                self.read(number)


_OPEN: Final[list[_OpenSite]] = []  # the site that this child works on, once it was opened


def site_view(
    name: str, file: SiteFile, sample: Sample, limits: Limits, options: Mapping[str, Any]
) -> bytes:
    found = _OPEN.pop() if _OPEN else _OpenSite(file, Site.load(file.path), sample, limits)
    if found.file.version != file.version:  # its pages are still to be judged
        found = replace(found, file=file, site=Site.load(file.path), pages={})
    _OPEN.append(found)
    return encoded(VIEWS[name](found, options))


def _overview(opened: _OpenSite, _options: Mapping[str, Any]) -> Any:
    return {
        **opened.site.report().to_dict(),
        "names": [one.name for one in opened.sample.pages],
        "version": opened.file.version,
    }


def _pages(opened: _OpenSite, options: Mapping[str, Any]) -> Any:
    first, count = options["number"], len(opened.sample.pages)
    numbers = range(first, min(first + _PORTION, count))
    opened.read_all(numbers)
    return {"pages": [_summary(opened, number) for number in numbers]}


def _summary(opened: _OpenSite, number: int) -> dict[str, Any]:
    if number not in opened.pages:
        return {"number": number, "problem": opened.failed[number]}
    one = opened.pages[number]
    length = one.page.own_length
    whole = max(int(length[one.text].sum()), 1)
    return {
        "number": number,
        "url": one.page.url,
        "title": one.page.title,
        "template": one.template,
        "doubt": round(one.doubt, 3),
        "kept": round(int(length[one.text & one.verdict.keep].sum()) / whole, 3),
    }


def _page(opened: _OpenSite, options: Mapping[str, Any]) -> Any:
    number = options["number"]
    one = opened.read(number)
    found = opened.site.extract(one.page)
    site = {**_summary(opened, number), "end": one.page.end.tolist()}
    given = opened.sample.page(number, opened.limits)
    return {**shown_page(given, found, {}), "url": one.page.url, "site": site}


def _proposal(opened: _OpenSite, options: Mapping[str, Any]) -> Any:
    """Return the candidates for the last of some marks."""
    opened.read_all(range(len(opened.sample.pages)))
    numbers = sorted(opened.pages)
    at = {number: position for position, number in enumerate(numbers)}
    marks = [
        Mark(at[one["page"]], one["row"], one["kind"])
        for one in options["marks"]
        if one["page"] in at
    ]
    sample = [opened.pages[number] for number in numbers]
    made = propose(sample, marks, selector=options.get("select") or "")
    home = sample[made.page].page
    return {
        "kind": made.kind,
        "page": numbers[made.page],
        "row": made.row,
        "chosen": made.chosen,
        "nearest": made.nearest,
        "candidates": [
            {
                **asdict(one),
                "here": [
                    [row, int(home.end[row])]
                    for row in home.select(one.select)[:_MOST_HERE].tolist()
                ],
                "clean": one.is_clean,
                "positional": one.is_positional,
                "changed": [numbers[page] for page in one.changed],
                "examples": [
                    {**asdict(change), "page": numbers[change.page]} for change in one.examples
                ],
            }
            for one in made.candidates
        ],
    }


VIEWS: Final[dict[str, Callable[[_OpenSite, Mapping[str, Any]], Any]]] = {
    "overview": _overview,
    "pages": _pages,
    "page": _page,
    "propose": _proposal,
}
"""Name → what is made of a site that is open."""
