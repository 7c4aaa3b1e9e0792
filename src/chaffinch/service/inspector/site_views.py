"""What the inspector shows of a site that an operator opened, made in one guarded child.

The child keeps the pages (`chaffinch.service.inspector.opened_site`). A view that needs pages which
it doesn't have, since they weren't read yet or it is a new child, is None, and they are sent.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from chaffinch.errors import OptionError, PageError
from chaffinch.extraction.prepared_method import prepare_method
from chaffinch.extraction.trip import extract_by
from chaffinch.segment.text_blocks import text_blocks
from chaffinch.service.inspector.opened_site import opened_site
from chaffinch.service.inspector.page_views import VIEWS as PAGE_VIEWS
from chaffinch.service.inspector.page_views import Opened
from chaffinch.site.slots import path_of
from chaffinch.site.teach import Mark, propose

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chaffinch.service.inspector.opened_site import OpenedSite
    from chaffinch.service.page_jobs import GivenPage, SiteFile
    from chaffinch.site.teach import SamplePage

_MOST_HERE: Final = 200
"""Elements of the page at hand that are shown of what a candidate selects."""


def site_view(
    name: str,
    file: SiteFile,
    options: Mapping[str, Any],
    needed: int,
    pages: Sequence[tuple[int, GivenPage]],
) -> bytes | None:
    """Return a view of a site as JSON; None where the child lacks some of the pages.

    Args:
        name: a key of `VIEWS`.
        file: the model.
        options: what the view takes.
        needed: pages that the child must have, counted from the first one.
        pages: numbers and pages to take in before.

    Raises:
        PageError: a page can't be processed.
        RulesError: the model can't be read.
        OptionError: an option is impossible.
    """
    opened = opened_site(file)
    opened.add(pages)
    known = len(opened.pages) + len(opened.failed)
    if known < needed:
        return None
    made = VIEWS[name](opened, dict(options))
    return json.dumps(made, ensure_ascii=False).encode("utf-8", "replace")


def _overview(opened: OpenedSite, _options: dict[str, Any]) -> Any:
    """Return the report of the model, with its drift on the pages that were read."""
    found = opened.site.report().to_dict()
    return {**found, "findings": opened.findings(), "version": opened.file.version}


def _summaries(opened: OpenedSite, options: dict[str, Any]) -> Any:
    """Return what is known of some pages, for lists of them."""
    wanted: Sequence[int] = options["numbers"]
    return {"pages": [_summary(opened, number) for number in wanted]}


def _summary(opened: OpenedSite, number: int) -> dict[str, Any]:
    if number not in opened.pages:
        return {"number": number, "problem": opened.failed.get(number, "not read yet")}
    one = opened.pages[number]
    length = one.page.own_length
    whole = max(int(length[one.text].sum()), 1)
    return {
        "number": number,
        "url": one.page.url,
        "title": one.page.title,
        "template": one.template,
        "agreement": round(one.agreement, 3),
        "confidence": one.confidence,
        "doubt": round(one.doubt, 3),
        "kept": round(int(length[one.text & one.verdict.keep].sum()) / whole, 3),
    }


def _page(opened: OpenedSite, options: dict[str, Any]) -> Any:
    """Return a page as the view of one page has it, with what the site's model makes of it."""
    number, given = options["number"], options["given"]
    one = _read(opened, number)
    found = extract_by(prepare_method(opened.site), one.page, opened.site.name)
    answer = PAGE_VIEWS["page"](Opened(given, found), {"images": bool(options.get("images"))})
    return {**answer, "url": one.page.url, "site": _judged(opened, number, one)}


def _judged(opened: OpenedSite, number: int, one: SamplePage) -> dict[str, Any]:
    """Return, for each text block of a page, the verdicts of both modes, and the evidence."""
    blocks = text_blocks(one.page)
    first = blocks.first
    out: dict[str, Any] = {
        **_summary(opened, number),
        "full": one.full.keep[first].astype(int).tolist(),
        "rules": one.ruled.keep[first].astype(int).tolist(),
        "places": [path_of(one.page, row) for row in blocks.owner.tolist()],
        "end": one.page.end.tolist(),
    }
    out["ruled"] = [
        {
            "kind": rule.kind,
            "select": rule.select,
            "by_hand": rule.by_hand,
            "rows": rule.rows(one.page),
        }
        for rule in one.rules
    ]
    return out


def _proposal(opened: OpenedSite, options: dict[str, Any]) -> Any:
    """Return the candidates for the last of some marks."""
    numbers, sample = opened.sample()
    at = {number: position for position, number in enumerate(numbers)}
    marks = [
        Mark(at[one["page"]], one["row"], one["kind"])
        for one in options["marks"]
        if one["page"] in at
    ]
    made = propose(sample, marks, selector=options.get("select") or "")
    home = sample[made.page].page
    return {
        "kind": made.kind,
        "page": numbers[made.page],
        "row": made.row,
        "end": int(home.end[made.row]),
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


def _read(opened: OpenedSite, number: int) -> SamplePage:
    """Return a page of the sample.

    Raises:
        PageError: it can't be processed.
        OptionError: there is none.
    """
    if number in opened.failed:
        raise PageError(opened.failed[number])
    if number not in opened.pages:
        raise OptionError("there is no such page")
    return opened.pages[number]


VIEWS: Final[dict[str, Callable[[OpenedSite, dict[str, Any]], Any]]] = {
    "overview": _overview,
    "pages": _summaries,
    "page": _page,
    "propose": _proposal,
}
"""Name → what is made of a site that is open."""
