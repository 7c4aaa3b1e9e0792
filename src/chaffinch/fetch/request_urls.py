"""Addresses of requests: parsed, checked, resolved against redirects."""

from __future__ import annotations

from typing import Final
from urllib.parse import urljoin

from urllib3.exceptions import LocationParseError
from urllib3.util import Url, parse_url

from chaffinch.errors import FetchError, RefusedError
from chaffinch.fetch.failures import printable_url

PORTS: Final = {"http": 80, "https": 443}
"""Scheme → usual port, of the schemes that are fetched."""


def parse_target(url: str) -> Url:
    """Return an address in its parts: ASCII, percent-encoded, without fragment, with a path.

    The scheme's usual port and the dot of a whole name are left out: one host has one form.

    Raises:
        FetchError: it isn't a full http or https address, or holds a user name or password
            (then a RefusedError).
    """
    try:
        target = parse_url(url.strip())
    except LocationParseError as error:
        raise FetchError(f"not an address: {printable_url(url)}") from error
    if target.scheme not in PORTS:
        raise RefusedError(f"only http and https addresses are fetched, not {printable_url(url)}")
    if not (target.host or "").strip("."):
        raise FetchError(f"an address without a host: {printable_url(url)}")
    if target.auth is not None:
        raise RefusedError("an address with a user name or password in it is not fetched")
    return one_form(target)._replace(path=target.path or "/", fragment=None)


def one_form(target: Url) -> Url:
    """Return an address without its scheme's usual port and without the dot of a whole name."""
    port = None if target.port == PORTS.get(str(target.scheme)) else target.port
    return target._replace(host=str(target.host).rstrip("."), port=port)


def redirect_target(base: str, location: str) -> str:
    """Return the address that a server at ``base`` redirects to.

    Raises:
        FetchError: it is none.
    """
    try:
        return urljoin(base, location)
    except ValueError as error:  # brackets that hold no IPv6 address
        raise FetchError(f"redirected to what is no address: {printable_url(location)}") from error


def port_of(target: Url) -> int:
    """Return the port to connect to."""
    return target.port or PORTS[str(target.scheme)]


def host_header(target: Url) -> str:
    """Return the Host header: the host, and the port where it isn't the scheme's usual one."""
    usual = target.port in (None, PORTS[str(target.scheme)])
    return str(target.host) if usual else f"{target.host}:{target.port}"
