"""The assessment of a page by itself, without its content."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chaffinch.assessment.assessment import assess_page
from chaffinch.errors import require_kind, require_whole
from chaffinch.loading.own_address import addressed
from chaffinch.page import parse
from chaffinch.page.bounds import Limits
from chaffinch.page.page import STATUSES
from chaffinch.page_work import PageWork

if TYPE_CHECKING:
    from chaffinch.assessment.assessment import Assessment
    from chaffinch.page import PageInput


def assess(
    html: PageInput,
    *,
    url: str | None = None,
    encoding: str | None = None,
    status: int | None = None,
    limits: Limits | None = None,
) -> Assessment:
    """Return whether a page is content, or a shell, a wall, a login, an error in its place.

    Args:
        html: the page as `chaffinch.extract` takes it.
        url: the page's address.
        encoding: the label the transport gave (charset of the Content-Type header).
        status: HTTP status of the response; None for that which a loaded page has, if any.
        limits: bounds on size, structure and time.

    Raises:
        PageError: the page can't be processed.
        OptionError: an argument is of a wrong type.
    """
    require_kind("limits", limits, Limits)
    if status is not None:
        require_whole("status", status, *STATUSES)
    with PageWork("assessing the page", None if limits is None else limits.seconds):
        page = addressed(parse(html, url=url, encoding=encoding, limits=limits))
        return assess_page(page if status is None else page.with_status(status))
