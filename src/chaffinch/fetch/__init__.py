"""One request for one page, and the address guard that every fetcher of the project uses."""

from chaffinch.fetch.addresses import AddressGuard, is_public
from chaffinch.fetch.limits import FetchLimits
from chaffinch.fetch.request import Fetched, fetch

__all__ = ["AddressGuard", "FetchLimits", "Fetched", "fetch", "is_public"]
