"""What is done with site models in a guarded child: learned, checked, applied."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from chaffinch.errors import RulesError
from chaffinch.page import parse
from chaffinch.service.page_jobs import loaded_site
from chaffinch.service.problems import StorageError
from chaffinch.site.site import Site

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from chaffinch.page import Page
    from chaffinch.service.page_jobs import GivenPage, SiteFile


def learn(pages: Sequence[GivenPage], before: SiteFile | None, target: str) -> bytes:
    """Learn a site, or go on learning it, and return the report.

    Args:
        pages: of the site.
        before: the model that takes them in; None to begin one.
        target: the file to write, in a folder of this call alone.

    Raises:
        PageError: a page can't be processed.
        RulesError: the model can't be read.
        StorageError: the model can't be written.
        OptionError: it can't take in pages.
    """
    if before is None:
        site = Site.learn(_parsed(pages, Site()))
    else:
        known = Site.load(Path(before.path))
        site = known.update(_parsed(pages, known))
    try:
        site.save(target)
    except RulesError as error:
        if isinstance(error.__cause__, OSError):
            raise StorageError(str(error)) from error
        raise
    return _json(site.report().to_dict())


def checked_rules(text: str) -> bytes:
    """Return the report of the model that a text is.

    Raises:
        RulesError: it is none.
    """
    return _json(Site.from_text(text).report().to_dict())


def single_page(site: SiteFile, page: GivenPage) -> bytes:
    """Return the address of a version of a page's article on one page, as JSON; "" for none.

    Raises:
        PageError: the page can't be processed.
        RulesError: the model can't be read.
    """
    model = loaded_site(site)
    (parsed,) = _parsed([page], model)
    return _json(model.single_page(parsed))


def _parsed(pages: Sequence[GivenPage], site: Site) -> Iterator[Page]:
    """Yield pages with what a model replaces replaced in their sources."""
    for page in pages:
        options: dict[str, Any] = {"encoding": page.encoding, "limits": page.limits}
        yield parse(page.html, url=page.url, replacements=site.replacements(page.url), **options)


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
