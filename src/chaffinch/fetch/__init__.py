"""One request for one page, and the address guard that every fetcher of the project uses."""

from typing import TYPE_CHECKING

from chaffinch.lazy import exporter

if TYPE_CHECKING:
    from chaffinch.fetch.addresses import AddressGuard, is_public
    from chaffinch.fetch.limits import FetchLimits
    from chaffinch.fetch.request import Fetched, fetch
else:
    __getattr__ = exporter(
        __name__,
        {
            "AddressGuard": "chaffinch.fetch.addresses",
            "FetchLimits": "chaffinch.fetch.limits",
            "Fetched": "chaffinch.fetch.request",
            "fetch": "chaffinch.fetch.request",
            "is_public": "chaffinch.fetch.addresses",
        },
    )

__all__ = ["AddressGuard", "FetchLimits", "Fetched", "fetch", "is_public"]
