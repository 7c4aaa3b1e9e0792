"""One polite request for one page, and the guard of addresses that every fetcher here uses."""

from chaffinch.fetch.addresses import AddressGuard, is_public
from chaffinch.fetch.limits import FetchLimits
from chaffinch.fetch.request import Fetched, fetch

__all__ = ["AddressGuard", "FetchLimits", "Fetched", "fetch", "is_public"]
